package custom

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// A Piece of a request: text, or a program whose output stands there.
type Piece struct{ Text, Program string }

// Kinds of places.
const (
	plain = iota
	argument
	program
)

// A slot is a piece of a body: what stands there, and of an argument which, counted from 0 (all for all of them).
type slot struct {
	kind int
	text string
	n    int
	key  string // of an argument that is given with its name
}

const all = -1

// What stands in bodies for arguments: all, one by its number, or one by its name.
var (
	places = &lazy.Pattern{X: `^\$(?:ARGUMENTS\b(?:\[(\d{1,2})\])?|(\d+)|([A-Za-z_][\w-]*))`}
	braces = &lazy.Pattern{X: `^\{\{\s*args\s*\}\}`}
	first  = &lazy.Pattern{X: `\$0\b|\$ARGUMENTS\[`}
)

// from is the number of a command's first argument: most count from 1; those that count from 0 say so by it, or by names.
//
//go:noinline
func (c Command) from() int {
	if len(c.Names) > 0 || first.In(c.Body) {
		return 0
	}
	return 1
}

// argument is the place that a text begins with. given are arguments that came with names.
func (c Command) argument(text string, given map[string]string) (s slot, ok bool) {
	if c.braced {
		s.text = braces.Re().FindString(text)
		return slot{kind: argument, text: s.text, n: all}, s.text != ""
	}
	m := places.Re().FindStringSubmatch(text)
	if m == nil {
		return s, false
	}
	s = slot{kind: argument, text: m[0], n: all}
	rest := text[len(m[0]):]
	switch {
	case m[1] != "":
		s.n, _ = strconv.Atoi(m[1]) // digits
	case m[2] != "":
		n, err := strconv.Atoi(m[2])
		money := len(rest) > 1 && rest[0] == '.' && rest[1] >= '0' && rest[1] <= '9'
		s.n = n - c.from()
		return s, err == nil && n < 10 && s.n >= 0 && !money
	case m[3] != "":
		for name := m[3]; name != ""; name = name[:max(0, strings.LastIndexByte(name, '-'))] { // a hyphen may be a sign behind it
			s.text = "$" + name
			if s.n = slices.Index(c.Names, name); s.n >= 0 {
				return s, true
			}
			if _, named := given[name]; named {
				s.n, s.key = all, name
				return s, true
			}
		}
		return s, false
	}
	return s, true
}

// program is the line to be run that begins where a text does, and how long it is there with its signs.
func (c Command) program(before byte, text string) (line string, long int) {
	switch {
	case c.braced && strings.HasPrefix(text, "!{"):
		deep := 0
		for i := range len(text) {
			switch text[i] {
			case '{':
				deep++
			case '}':
				if deep--; deep == 0 {
					return strings.TrimSpace(text[2:i]), i + 1
				}
			}
		}
	case !c.braced && before == '\n' && strings.HasPrefix(text, "```!\n"):
		if inner, _, ok := strings.Cut(text[5:], "\n```"); ok {
			return strings.TrimSpace(inner), len("```!\n") + len(inner) + len("\n```")
		}
	case !c.braced && strings.HasPrefix(text, "!`") && before != '`' && before != '\\' && before != '=' && !unicode.IsLetter(rune(before)):
		if inner, _, ok := strings.Cut(text[2:], "`"); ok && !strings.Contains(inner, "\n") {
			return strings.TrimSpace(inner), len(inner) + 3
		}
	}
	return "", 0
}

// slots are the pieces of a text.
func (c Command) slots(text string, given map[string]string, programs bool) (list []slot) {
	before, at := byte('\n'), 0
	for i := 0; i < len(text); {
		if line, long := c.program(before, text[i:]); programs && line != "" {
			list = append(list, slot{text: text[at:i]}, slot{kind: program, text: line})
			i += long
			before, at = '`', i
			continue
		}
		if s, ok := c.argument(text[i:], given); ok {
			end := i
			if (before == '\\' || before == '$') && at < i && programs && !c.braced { // it is meant as it stands
				end--
				s.kind = plain
			}
			list = append(list, slot{text: text[at:end]}, s)
			i += len(s.text)
			before, at = '$', i
			continue
		}
		before = text[i]
		i++
	}
	return append(list, slot{text: text[at:]})
}

// said are the arguments of a call.
type said struct {
	raw   string
	words []string
	given map[string]string // by the names that came with them
	shown []bool            // words that stand in the text
	last  int               // the argument that is all that is left; all for none
}

// values are the words that stand in an argument's place.
func (a *said) values(s slot) []string {
	from, to := 0, len(a.words)
	switch {
	case s.key != "":
		from = slices.IndexFunc(a.words, func(w string) bool { return strings.HasPrefix(w, s.key+"=") })
		a.shown[from] = true
		return []string{a.given[s.key]}
	case s.n >= len(a.words):
		return nil
	case s.n != all:
		if from = s.n; s.n != a.last {
			to = from + 1
		}
	}
	for i := from; i < to; i++ {
		a.shown[i] = true
	}
	return a.words[from:to]
}

var keyed = &lazy.Pattern{X: `^([A-Z][A-Z0-9_]*)=`}

// called reads what follows a command's name.
func (c Command) called(raw string) *said {
	a := &said{raw: strings.TrimSpace(raw), given: map[string]string{}, last: all}
	a.words = split(a.raw)
	a.shown = make([]bool, len(a.words))
	for _, w := range a.words {
		if key := keyed.Re().FindString(w); key != "" {
			a.given[strings.TrimSuffix(key, "=")] = w[len(key):]
		}
	}
	if c.greedy {
		for _, s := range c.slots(c.Body, a.given, false) {
			if s.kind == argument && s.key == "" {
				a.last = max(a.last, s.n)
			}
		}
	}
	return a
}

// Expand is the request that the command makes of its arguments. What stands in those is text and nothing else: it runs
// nothing, and in a program's line it is one word. Arguments that the command has no place for stand at the end. Files that are
// named with an at sign stand behind the text as far as read gives them.
func (c Command) Expand(args string, read func(name string) (string, bool)) (pieces []Piece) {
	a := c.called(args)
	add := func(p Piece) {
		if last := len(pieces) - 1; p.Program == "" && last >= 0 && pieces[last].Program == "" {
			pieces[last].Text += p.Text
			return
		}
		pieces = append(pieces, p)
	}
	for _, s := range c.slots(c.Body, a.given, true) {
		switch {
		case s.kind == program:
			add(Piece{Program: c.line(s.text, a)})
		case s.kind == argument && s.n == all && s.key == "":
			a.values(s)
			add(Piece{Text: a.raw})
		case s.kind == argument:
			add(Piece{Text: strings.Join(a.values(s), " ")})
		default:
			add(Piece{Text: s.text})
		}
	}
	if rest := a.rest(); rest != "" {
		add(Piece{Text: "\n\n" + rest})
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

// rest are the arguments that the text has no place for.
func (a *said) rest() string {
	if !lists.Has(a.shown, true) {
		return a.raw
	}
	var left []string
	for i, w := range a.words {
		if !a.shown[i] {
			left = append(left, w)
		}
	}
	return strings.Join(left, " ")
}

// line is a program's line with the arguments in it, each as the words that they are. A place for one that was not given is the program's own.
func (c Command) line(text string, a *said) string {
	var b strings.Builder
	quote := byte(0)
	for _, s := range c.slots(text, a.given, false) {
		var values []string
		if s.kind == argument {
			values = a.values(s)
		}
		if s.kind != argument || len(values) == 0 && s.n != all {
			b.WriteString(s.text)
			quote = within(s.text, quote)
			continue
		}
		for i, w := range values {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(quoted(w, quote))
		}
	}
	return b.String()
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
	harmless = &lazy.Pattern{X: `^[\w./:@%+=,-]+$`}
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
	case harmless.In(word):
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
	atSign  = &lazy.Pattern{X: `(?:^|[\s(])@([^\s@]+)`}
	inBrace = &lazy.Pattern{X: `@\{([^{}\n]+)\}`}
)

// files are the names behind an at sign, each once.
func files(text string, braces bool) (names []string) {
	form := atSign
	if braces {
		form = inBrace
	}
	had := map[string]bool{}
	for _, m := range form.Re().FindAllStringSubmatch(text, -1) {
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

//go:noinline
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
