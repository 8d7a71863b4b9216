package terminal

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"nebula"
	"nebula/internal/phrase"
)

// Mentioned are the files that a message names with an at sign and that are pictures by their names: in quotes where a name holds
// blanks. Text that is written without blanks may stand around them.
func Mentioned(text string) []string {
	var paths []string
	for i, r := range text {
		if r != '@' {
			continue
		}
		if before, _ := utf8.DecodeLastRuneInString(text[:i]); before < utf8.RuneSelf && !unicode.IsSpace(before) && !strings.ContainsRune(`("'[`, before) {
			continue // an address
		}
		name, quoted := strings.CutPrefix(text[i+1:], `"`)
		if quoted {
			name, _, quoted = strings.Cut(name, `"`)
		}
		if line, _, more := strings.Cut(name, "\n"); !quoted || more {
			name = begun(line)
		}
		if nebula.Pictured(name) {
			paths = append(paths, name)
		}
	}
	return paths
}

// begun is what a text without quotes begins with, as far as it is the name of a picture.
func begun(text string) string {
	if end := strings.IndexFunc(text, unicode.IsSpace); end >= 0 {
		text = text[:end]
	}
	for i := range text {
		if end := strings.IndexFunc(text[i+1:], func(r rune) bool { return !nameRune(r) }); text[i] == '.' {
			if end < 0 {
				end = len(text) - i - 1
			}
			rest := strings.TrimLeft(text[i+1+end:], ".")
			if next, _ := utf8.DecodeRuneInString(rest); nebula.Pictured(text[:i+1+end]) && next != '/' && !(nameRune(next) && rest != "") {
				return text[:i+1+end]
			}
		}
	}
	return ""
}

// nameRune reports whether a rune stands in the endings of names.
//
//go:noinline
func nameRune(r rune) bool {
	return r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// Show is what a message shows a model of pictures: of those that are given already by their names, else of files. Trouble is what
// cannot be shown, and why, in a language; empty where all is.
func Show(ctx context.Context, host nebula.Host, lang, model string, paths []string, given map[string]nebula.Image) (images []nebula.Image, trouble string) {
	say := func(err error) string { return phrase.Told(lang, phrase.Of(err)) }
	info, err := host.Model(ctx, model)
	if err != nil || !info.Images {
		return nil, say(nebula.Errorf("%s takes no pictures: it reads your words only", model))
	}
	for _, p := range paths {
		image, here := given[p]
		if !here {
			if image, err = host.Image(ctx, p); err != nil {
				trouble = say(err)
				continue
			}
		}
		if err := info.Takes(image); err != nil {
			trouble = say(nebula.Errorf("%s is not shown: %w", p, err))
			continue
		}
		images = append(images, image)
	}
	return images, trouble
}
