package gate

import (
	"path"
	"slices"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// wild are the characters with which a word is a pattern for the shell.
const wild = "*?[{"

// Matches reports whether one of some files of the folder is among those that the shell makes of a command line's patterns: what a
// pattern comes to is judged as if it were named. The files are asked for only where there are patterns.
func Matches(line string, files func() []string) bool {
	if !strings.ContainsAny(line, wild) {
		return false
	}
	r := read(line)
	if len(r.globs) == 0 {
		return false
	}
	moves := slices.ContainsFunc(r.calls, func(c call) bool {
		name := base(c.name)
		return name == "cd" || name == "pushd" || slices.ContainsFunc(c.args, func(a arg) bool { return strings.HasPrefix(a.text, "-C") || strings.HasPrefix(a.text, "--directory") })
	})
	all := files()
	return slices.ContainsFunc(r.globs, func(glob string) bool {
		return slices.ContainsFunc(braced(glob), func(pattern string) bool {
			pattern = classes.Re().ReplaceAllString(strings.ReplaceAll(path.Clean(pattern), "[!", "[^"), "?")
			return slices.ContainsFunc(all, func(file string) bool { return comesTo(pattern, file, moves) })
		})
	})
}

var classes = &lazy.Pattern{X: `\[\^?\[:\w+:\]\]`}

// comesTo reports whether a pattern names a file; anywhere, where it is not known where the pattern is read.
func comesTo(pattern, file string, anywhere bool) bool {
	parts, names := strings.Split(pattern, "/"), strings.Split(file, "/")
	if strings.HasPrefix(pattern, "/") || strings.HasPrefix(pattern, "~") || strings.HasPrefix(pattern, "..") {
		parts, anywhere = parts[1:], true // it may lead back in
	}
	for anywhere && len(parts) > len(names) {
		parts = parts[1:]
	}
	if anywhere && len(parts) < len(names) {
		names = names[len(names)-len(parts):]
	}
	if len(parts) != len(names) {
		return false
	}
	for i, part := range parts {
		if fits, err := path.Match(part, names[i]); err != nil || !fits || names[i][0] == '.' && part[0] != '.' {
			return false
		}
	}
	return true
}

// Bounds of how many words are made of one, and of what is taken for a path.
const (
	mostBraced  = 256
	longestPath = 4 << 10 // bytes
)

// braced are the words that the shell makes of one with braces.
func braced(word string) []string {
	words := []string{word}
	for i := 0; i < len(words) && len(words) < mostBraced; {
		head, rest, ok := strings.Cut(words[i], "{")
		inner, tail, closed := lastBrace(rest)
		if !ok || !closed {
			i++
			continue
		}
		var made []string
		for _, one := range split(inner) {
			made = append(made, head+one+tail)
		}
		words = lists.Concat(words[:i], made, words[i+1:])
	}
	return words
}

// lastBrace cuts a text at the brace that ends what began before it.
func lastBrace(text string) (inner, tail string, ok bool) {
	depth := 1
	for i, c := range text {
		switch c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return text[:i], text[i+1:], true
			}
		}
	}
	return "", "", false
}

// split cuts what stands in braces at its own commas; of a row from one to another any single character will do.
func split(inner string) (parts []string) {
	depth, from := 0, 0
	for i, c := range inner {
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == ',' && depth == 0:
			parts, from = append(parts, inner[from:i]), i+1
		}
	}
	if parts == nil && strings.Contains(inner, "..") {
		return []string{"?"}
	}
	return append(parts, inner[from:])
}
