package custom

import (
	"strconv"
	"strings"

	"nebula/internal/lazy"
)

// A Piece of a request: text, or a program whose output stands there.
type Piece struct{ Text, Program string }

// kinds of places.
const (
	plain = iota
	argument
	program
)

// A slot is a piece of a body: its text, what it stands for, and of an argument which (0 for all).
type slot struct {
	kind int
	text string
	n    int
}

// What stands in bodies: arguments and programs, in the two ways in which they are written.
var (
	marked = lazy.Regexp("\\$ARGUMENTS\\b|\\$([1-9])|!`([^`\n]+)`")
	braced = lazy.Regexp(`\{\{\s*args\s*\}\}|!\{([^{}\n]*(?:\{\{\s*args\s*\}\}[^{}\n]*)*)\}`)
	inner  = lazy.Regexp(`\$ARGUMENTS\b|\$([1-9])|\{\{\s*args\s*\}\}`)
)

func (c Command) places() (list []slot) {
	form := marked
	if c.braced {
		form = braced
	}
	at := 0
	for _, m := range form().FindAllStringSubmatchIndex(c.Body, -1) {
		list = append(list, slot{text: c.Body[at:m[0]]})
		at = m[1]
		last := len(m) - 2
		switch {
		case m[last] >= 0:
			list = append(list, slot{kind: program, text: strings.TrimSpace(c.Body[m[last]:m[last+1]])})
		case last > 2 && m[2] >= 0:
			n, _ := strconv.Atoi(c.Body[m[2]:m[3]]) // a digit
			list = append(list, slot{kind: argument, n: n})
		default:
			list = append(list, slot{kind: argument})
		}
	}
	return append(list, slot{text: c.Body[at:]})
}

// Expand is the request that the command makes of its arguments. What stands in those is text and nothing else: it runs
// nothing, and in a program's line it is one word. Arguments that the command has no place for stand at the end. Files that are
// named with an at sign stand behind the text as far as read gives them.
func (c Command) Expand(args string, read func(name string) (string, bool)) (pieces []Piece) {
	args = strings.TrimSpace(args)
	words := split(args)
	used := false
	value := func(n int) string {
		switch {
		case n == 0:
			return args
		case n <= len(words):
			return words[n-1]
		}
		return ""
	}
	add := func(p Piece) {
		if last := len(pieces) - 1; p.Program == "" && last >= 0 && pieces[last].Program == "" {
			pieces[last].Text += p.Text
			return
		}
		pieces = append(pieces, p)
	}
	for _, p := range c.places() {
		switch p.kind {
		case argument:
			used = true
			add(Piece{Text: value(p.n)})
		case program:
			used = used || inner().MatchString(p.text)
			add(Piece{Program: line(p.text, words, value)})
		default:
			add(Piece{Text: p.text})
		}
	}
	if args != "" && !used {
		add(Piece{Text: "\n\n" + args})
	}
	for _, p := range pieces {
		for _, name := range files(p.Text, c.braced) {
			if text, ok := read(name); ok {
				add(Piece{Text: "\n--- " + name + "\n" + text})
			}
		}
	}
	return pieces
}

// line is a program's line with the arguments in it, each as the words that they are.
func line(text string, words []string, value func(int) string) string {
	var b strings.Builder
	quote, at := byte(0), 0
	for _, m := range inner().FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(text[at:m[0]])
		quote = within(text[at:m[0]], quote)
		at = m[1]
		if m[2] >= 0 {
			n, _ := strconv.Atoi(text[m[2]:m[3]]) // a digit
			b.WriteString(quoted(value(n), quote))
			continue
		}
		each := make([]string, len(words))
		for i, w := range words {
			each[i] = quoted(w, quote)
		}
		b.WriteString(strings.Join(each, " "))
	}
	return b.String() + text[at:]
}

// within is the quote that a line is in behind a text.
func within(text string, quote byte) byte {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == quote:
			quote = 0
		}
	}
	return quote
}

var (
	harmless = lazy.Regexp(`^[\w./:@%+=,-]+$`)
	inDouble = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`", "\n", " ")
	inSingle = strings.NewReplacer(`'`, `'\''`, "\n", " ")
)

// quoted is a word as a shell reads it back, within a quote or none.
func quoted(word string, quote byte) string {
	switch {
	case quote == '"':
		return inDouble.Replace(word)
	case quote == '\'':
		return inSingle.Replace(word)
	case harmless().MatchString(word):
		return word
	}
	return "'" + inSingle.Replace(word) + "'"
}

// split parts arguments into words, as a shell would by its quotes.
func split(args string) (words []string) {
	var b strings.Builder
	quote, open := rune(0), false
	for _, r := range args {
		switch {
		case quote == 0 && (r == '"' || r == '\''):
			quote, open = r, true
		case r == quote && quote != 0:
			quote = 0
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n' || r == '\u3000'):
			if open {
				words, open = append(words, b.String()), false
				b.Reset()
			}
		default:
			b.WriteRune(r)
			open = true
		}
	}
	if open {
		words = append(words, b.String())
	}
	return words
}

var (
	atSign  = lazy.Regexp(`(?:^|[\s(])@([^\s@]+)`)
	inBrace = lazy.Regexp(`@\{([^{}\n]+)\}`)
)

// files are the names behind an at sign, each once.
func files(text string, braces bool) (names []string) {
	form := atSign
	if braces {
		form = inBrace
	}
	had := map[string]bool{}
	for _, m := range form().FindAllStringSubmatch(text, -1) {
		name := strings.TrimRight(strings.TrimSpace(m[1]), "`.,;:!?)\"'")
		if name != "" && !had[name] {
			had[name] = true
			names = append(names, name)
		}
	}
	return names
}

// A Set is the commands there are, the first of a name before the others.
type Set []Command

// Add puts further commands behind those there are, but for names that are taken.
func (s Set) Add(more ...Command) Set {
	for _, m := range more {
		if _, taken := s.exact(m.Name); !taken {
			s = append(s, m)
		}
	}
	return s
}

func (s Set) exact(name string) (Command, bool) {
	for _, c := range s {
		if strings.EqualFold(c.Name, name) {
			return c, true
		}
	}
	return Command{}, false
}

// Named is the command of a name, or the one whose name ends with it, where that is one alone.
func (s Set) Named(name string) (found Command, ok bool) {
	if found, ok = s.exact(name); ok {
		return found, true
	}
	for _, c := range s {
		if strings.HasSuffix(c.Name, ":"+strings.ToLower(name)) {
			if ok {
				return Command{}, false
			}
			found, ok = c, true
		}
	}
	return found, ok
}
