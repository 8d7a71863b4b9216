package gate

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"nebula/internal/lazy"
)

// mostTold bounds how much is followed of what a line tells its own programs.
const mostTold = 64 << 10

// printed is what a statement writes, as far as it can be said beforehand: the words of echo and printf, and what stands in the line
// itself. known is false where more or something else may come.
func (r *reading) printed(s *syntax.Stmt) arg {
	if s == nil || r.asked > mostAsked {
		return arg{}
	}
	r.asked++
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		return r.toldBy(s, r.words(c.Args))
	case *syntax.BinaryCmd:
		left := r.printed(c.X)
		if c.Op != syntax.Pipe && c.Op != syntax.PipeAll {
			right := r.printed(c.Y)
			return arg{bounded(left.text + right.text), c.Op == syntax.AndStmt && left.known && right.known}
		}
		call, ok := c.Y.Cmd.(*syntax.CallExpr)
		return arg{left.text, left.known && ok && len(call.Args) == 1 && call.Args[0].Lit() == "cat"}
	case *syntax.Subshell:
		return r.toldIn(c.Stmts)
	case *syntax.Block:
		return r.toldIn(c.Stmts)
	}
	return arg{}
}

// mostAsked bounds how often it is asked what a statement of one line writes.
const mostAsked = 4000

func (r *reading) toldIn(stmts []*syntax.Stmt) arg {
	all := arg{known: len(stmts) > 0}
	for _, s := range stmts {
		one := r.printed(s)
		all = arg{bounded(all.text + one.text), all.known && one.known}
	}
	return all
}

func bounded(text string) string { return text[:min(len(text), mostTold)] }

// toldBy is what a simple command writes.
func (r *reading) toldBy(s *syntax.Stmt, words []arg) arg {
	if len(words) == 0 || !words[0].known || r.funcs[words[0].text] {
		return arg{}
	}
	known := true
	for _, w := range words {
		known = known && w.known
	}
	rest := texts(words[1:])
	switch base(words[0].text) {
	case "mktemp":
		if known && words[0].text == "mktemp" && !slices.ContainsFunc(rest, func(w string) bool { return !fresh.In(w) }) {
			return arg{freshFile, true}
		}
	case "echo":
		return said(rest, known)
	case "printf":
		if len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
			return formatted(rest, known)
		}
	case "cat":
		if in, ok := r.stood(s); ok && (len(rest) == 0 || len(rest) == 1 && rest[0] == "-") {
			return in
		}
	}
	return arg{}
}

// freshFile stands for a file or folder that mktemp makes, whose name nobody knows before.
const freshFile = "/tmp/mktemp"

// fresh are the options with which it makes that where such files are kept.
var fresh = &lazy.Pattern{X: `^-(?:[dqu]+|-directory|-quiet)$`}

// said is what echo writes. Shells differ in what they make of a backslash.
func said(words []string, known bool) arg {
	end := "\n"
	for len(words) > 0 && echoes.In(words[0]) {
		if strings.Contains(words[0], "n") {
			end = ""
		}
		words = words[1:]
	}
	text := strings.Join(words, " ")
	if plain, _ := escaped(text); plain != text {
		text, known = text+" "+plain, false
	}
	return arg{bounded(text + end), known}
}

var echoes = &lazy.Pattern{X: `^-[neE]+$`}

// formatted is what printf writes of words as they are; what it reckons is not known.
func formatted(words []string, known bool) arg {
	format, ok := escaped(words[0])
	words, known = words[1:], known && ok
	var b strings.Builder
	for again := true; again && b.Len() < mostTold; again = len(words) > 0 {
		used := false
		b.WriteString(directive.For(format).ReplaceAllStringFunc(format, func(d string) string {
			if d == "%%" {
				return "%"
			}
			used, known = true, known && (d == "%s" || d == "%b")
			if len(words) == 0 {
				return ""
			}
			word := words[0]
			if words = words[1:]; d == "%b" {
				word, _ = escaped(word)
			}
			return word
		}))
		if !used {
			break
		}
	}
	return arg{bounded(b.String()), known}
}

var directive = &lazy.Pattern{X: `%%|%[-+ #0]*[\d*]*(?:\.[\d*]*)?[a-zA-Z]`}

// stood is what stands in a line for a statement to read.
func (r *reading) stood(s *syntax.Stmt) (in arg, ok bool) {
	for _, d := range s.Redirs {
		switch {
		case d.Op == syntax.WordHdoc && d.Word != nil:
			for _, w := range r.word(d.Word) {
				in = arg{in.text + w.text + "\n", w.known}
			}
			ok = true
		case (d.Op == syntax.Hdoc || d.Op == syntax.DashHdoc) && d.Hdoc != nil:
			in, ok = arg{known: true}, true
			for _, w := range r.word(d.Hdoc) {
				in = arg{in.text + w.text, in.known && w.known}
			}
		case d.Op == syntax.RdrIn, d.Op == syntax.DplIn, d.Op == syntax.RdrInOut:
			in, ok = arg{}, true // a file's
		}
	}
	return in, ok
}

// ansi are what a backslash makes of the character behind it.
var ansi = map[byte]string{'a': "\a", 'b': "\b", 'e': "\x1b", 'E': "\x1b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v", '\\': `\`, '\'': "'", '"': `"`, '?': "?"}

// numbered are characters by their number.
var numbered = &lazy.Pattern{X: `^\\(?:([0-7]{1,4})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8}))`}

// escaped is a text with the characters that stand in it behind a backslash, as $'…' and printf write them; ok is false where
// something else stands behind one.
func escaped(text string) (plain string, ok bool) {
	var b strings.Builder
	ok = true
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		if m := numbered.Re().FindStringSubmatch(text[i:]); m != nil {
			b.WriteString(character(m))
			i += len(m[0]) - 1
			continue
		}
		i++
		one, there := ansi[text[i]]
		if ok = ok && there; !there {
			one = text[i-1 : i+1]
		}
		b.WriteString(one)
	}
	return b.String(), ok
}

func character(m []string) string {
	for i, radix := range []int{8, 16, 16, 16} {
		if digits := m[i+1]; digits != "" {
			n, _ := strconv.ParseUint(digits, radix, 32) // no more digits than fit
			if i < 2 {
				return string([]byte{byte(n)})
			}
			return string(utf8.AppendRune(nil, rune(n)))
		}
	}
	return ""
}

// substituted are the words that a command's output makes. More than one is none that is known.
func (r *reading) substituted(c *syntax.CmdSubst, quoted bool) (words []string, known bool) {
	out := r.toldIn(c.Stmts)
	text := strings.TrimRight(out.text, "\n")
	if words = strings.Fields(text); quoted || len(words) == 0 {
		return []string{text}, out.known
	}
	return words, out.known && len(words) == 1
}
