package phrase

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "pack the languages' files anew")

// TestTheLanguagesArePacked holds what the program carries against the files that people write, and writes it with -update.
func TestTheLanguagesArePacked(t *testing.T) {
	written, err := filepath.Glob("lang/*.txt")
	if err != nil || len(written) == 0 {
		t.Fatal(written, err)
	}
	for _, file := range written {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lang := strings.TrimSuffix(filepath.Base(file), ".txt")
		pairs := Read(string(text))
		if len(LanguageOf(pairs)) < len(pairs) {
			t.Fatal("two texts have one sum")
		}
		if maps.Equal(Table(lang), LanguageOf(pairs)) {
			continue
		}
		if !*update {
			t.Errorf("what is carried of %s is older: go test ./internal/phrase -run Packed -args -update", file)
			continue
		}
		if err := os.WriteFile(filepath.Join("lang", lang+".flate"), packed(t, string(text)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// packed is the text of a language's file as [unpacked] reads it.
func packed(t *testing.T, text string) []byte {
	t.Helper()
	var sums, own []string
	for pair := range strings.SplitSeq(text, "\n\n") {
		if one, other, ok := strings.Cut(strings.TrimSuffix(pair, "\n"), "\n"); ok {
			key := binary.BigEndian.AppendUint64(nil, sum(exact(one)))
			sums, own = append(sums, string(key[8-summed:])), append(own, other)
		}
	}
	var small bytes.Buffer
	w, err := flate.NewWriter(&small, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, strings.Join(own, "\n")+"\n\n"+strings.Join(sums, "")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return small.Bytes()
}

// sayers are the calls that say a text of the code: In, and what stands for it in a package.
var sayers = []string{"phrase.In", "phrase.Sayf", "f.said", "v.said", "t.say", "p.word", "p.row", "said", "worded", "amount", "mistakef", "moot", "nebula.Wrong", "sentence", "e.put"}

// TestEverySentenceIsSaidInEveryLanguage reads the code: what it says is in every table.
func TestEverySentenceIsSaidInEveryLanguage(t *testing.T) {
	asked := sentences(t)
	for _, lang := range Langs()[1:] {
		for _, english := range asked {
			if _, known := Table(lang).Of(english); !known && letters.MatchString(verbs.ReplaceAllString(english, "")) {
				t.Errorf("%s: nobody says %q", lang, english)
			}
		}
	}
}

// A text of one place says there what it means there, and everywhere else what it means elsewhere.
func TestATextMayMeanSomethingElseInAPlace(t *testing.T) {
	table := LanguageOf(Read("# A comment.\n\nrunning\nläuft\n\n[plan.begun] running\nbeginnt\n\na\\tb\nc\\nd\n"))
	for _, c := range [][3]string{{"plan.begun", "running", "beginnt"}, {"plan.other", "running", "läuft"}, {"", "a\tb", "c\nd"}, {"", "unknown", "unknown"}} {
		if got := at(table, c[0], c[1]); got != c[2] {
			t.Errorf("%s at %s is %q", c[1], c[0], got)
		}
	}
	type words struct {
		Runs string
		List []string
	}
	list := []string{"running"}
	w := words{"running", list}
	put(table, "plan", reflect.ValueOf(&w).Elem())
	if w.Runs != "läuft" || w.List[0] != "läuft" || list[0] != "running" {
		t.Errorf("%v of %v", w, list)
	}
}

var (
	letters = regexp.MustCompile(`\pL`)
	verbs   = regexp.MustCompile(`%(?:\[(\d+)\])?[-+#0-9.]*[a-zA-Z]`)
)

// sentences are the literals that calls of sayers hold.
func sentences(t *testing.T) (asked []string) {
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if path == filepath.Join("..", "cli") { // it looks itself
			return filepath.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && slices.Contains(sayers, name(call.Fun)) {
				for _, arg := range call.Args {
					if text, ok := literal(arg); ok {
						asked = append(asked, text)
						break
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil || len(asked) < 100 {
		t.Fatal(len(asked), err)
	}
	return asked
}

func name(fn ast.Expr) string {
	switch fn := fn.(type) {
	case *ast.Ident:
		return fn.Name
	case *ast.SelectorExpr:
		if of, ok := fn.X.(*ast.Ident); ok {
			return of.Name + "." + fn.Sel.Name
		}
	}
	return ""
}

func literal(n ast.Node) (string, bool) {
	lit, ok := n.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}
