package phrase

import (
	"bytes"
	"compress/flate"
	"embed"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"

	"nebula"
)

// A language is one file, lang/NAME.txt: pairs of lines, an English text or format of the code and what stands for it, with empty
// lines between them, \n for a line break and \t for a tab. Where one text means several things, the place of one stands before
// it: [plan.running] running. A line that begins with # and stands alone is a comment. The program carries them packed, as
// go test ./internal/phrase -run Packed -args -update writes them.
//
//go:embed lang/*.flate
var files embed.FS

// Langs are the languages that people are spoken to in: English, which stands in the code, and those that have a file.
func Langs() []string {
	list := []string{"en"}
	entries, _ := files.ReadDir("lang") // it is in the program
	for _, e := range entries {
		list = append(list, strings.TrimSuffix(e.Name(), ".flate"))
	}
	return list
}

// tables are the languages beside English, each read when something is first said in it.
var tables = sync.OnceValue(func() map[string]func() Language {
	all := map[string]func() Language{}
	for _, lang := range Langs()[1:] {
		all[lang] = sync.OnceValue(func() Language {
			packed, _ := files.ReadFile("lang/" + lang + ".flate")         // it was listed
			all, _ := io.ReadAll(flate.NewReader(bytes.NewReader(packed))) // a test reads it
			return unpacked(string(all))
		})
	}
	return all
})

// Read reads the text of a language's file.
func Read(text string) map[string]string {
	said := make(map[string]string, strings.Count(text, "\n\n"))
	for pair := range strings.SplitSeq(text, "\n\n") {
		if english, own, ok := strings.Cut(strings.TrimSuffix(pair, "\n"), "\n"); ok {
			said[exact(english)] = exact(own)
		}
	}
	return said
}

// A Language is what stands for English texts, by their sums: the texts themselves stand in the code. Nil is English.
type Language map[uint64]string

// Of is what stands for an English text, and whether anything does.
//
//go:noinline
func (l Language) Of(english string) (said string, known bool) {
	if l == nil {
		return "", false
	}
	said, known = l[sum(english)]
	return said, known
}

// LanguageOf is a language of pairs, as [Read] reads them.
func LanguageOf(pairs map[string]string) Language {
	said := make(Language, len(pairs))
	for english, own := range pairs {
		said[sum(english)] = own
	}
	return said
}

// summed is how many bytes a sum has: none of a million other texts is likely to have that of one of some thousand.
const summed = 5

// sum is FNV-1a, folded to its bytes.
//
//go:noinline
func sum(text string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return (h ^ h>>(8*summed)) & (1<<(8*summed) - 1)
}

// unpacked reads what is carried: the texts, a line each, an empty line, and the sums of the English ones in the same order.
func unpacked(text string) Language {
	lines, sums, _ := strings.Cut(text, "\n\n")
	said := make(Language, len(sums)/summed)
	for line := range strings.SplitSeq(lines, "\n") {
		if len(sums) < summed {
			break
		}
		var key uint64
		for i := range summed {
			key = key<<8 | uint64(sums[i])
		}
		said[key], sums = exact(line), sums[summed:]
	}
	return said
}

func exact(line string) string {
	if !strings.Contains(line, `\`) {
		return line
	}
	return strings.ReplaceAll(strings.ReplaceAll(line, `\n`, "\n"), `\t`, "\t")
}

// Table is what stands for English texts in a language; nil for English, and for what is no language here.
func Table(lang string) Language {
	if read := tables()[lang]; read != nil {
		return read()
	}
	return nil
}

// In says an English text or format in lang. What is not known there is said in English.
//
//go:noinline
func In(lang, english string) string {
	if said, known := Table(lang).Of(english); known {
		return said
	}
	return english
}

// Known is what stands in a language's table for an English text of a place, and whether anything does.
func Known(table Language, place, english string) (said string, known bool) {
	if said, known = table.Of("[" + place + "] " + english); !known {
		said, known = table.Of(english)
	}
	return said, known
}

//go:noinline
func at(table Language, place, english string) string {
	if said, known := Known(table, place, english); known {
		return said
	}
	return english
}

// Say says a code in lang by the catalogue of a place, and reports whether that knows it. What it does not know, as in a record
// from before codes, is its own words.
func Say(lang, place string, english nebula.Catalogue, c nebula.Code) (said string, known bool) {
	table := Table(lang)
	return english.Say(c, func(id, format string) string { return at(table, place+"."+id, format) })
}

// Words are the English words of a place, a struct of texts and lists of them, in lang.
func Words[T any](lang, place string, english T) T {
	if table := Table(lang); table != nil {
		put(table, place, reflect.ValueOf(&english).Elem())
	}
	return english
}

// put says the texts of a value; a list is another one afterwards.
func put(table Language, place string, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(at(table, place, v.String()))
	case reflect.Struct:
		for i := range v.NumField() {
			put(table, place+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.AppendSlice(reflect.Zero(v.Type()), v))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			put(table, place, v.Index(i))
		}
	}
}

// Pick gives what there is for a language, and the one for English where that language has none.
func Pick[T any](lang string, each map[string]T) T {
	if own, known := each[lang]; known {
		return own
	}
	return each["en"]
}

// Many is the form of a text that fits a number: the one for one, or the other.
func Many(text string, n int) string {
	one, other, both := strings.Cut(text, "|")
	if both && n != 1 {
		return other
	}
	return one
}

// Sayf says an English format in lang, with what goes into it, on one line of some length.
func Sayf(lang, en string, args ...any) string {
	return OneLine(fmt.Sprintf(In(lang, en), args...), 200)
}
