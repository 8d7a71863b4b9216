package workspace

import (
	"bytes"
	"strings"
)

// A glob is a compiled pattern in the language of gitignore: ?, *, **, [classes] and \ before a character. It reads
// the pattern as git does, byte by byte, corner cases included: an unclosed class or a \ at the end matches nothing.
type glob struct {
	kind globKind
	text string // literal, suffix
	ops  []op
	fold bool
}

type globKind byte

const (
	never globKind = iota
	literal
	suffix
	machine
)

// An op is one step of a glob's machine.
type op struct {
	kind opKind
	char byte
	set  *[256]bool
}

type opKind byte

const (
	opChar opKind = iota // one byte
	opAny                // one byte but /
	opSet                // one byte of a set, but /
	opStar               // any bytes but /
	opDeep               // any bytes
	opDirs               // any bytes, with the / that follows; or nothing of both
)

// compile reads a pattern. In a path pattern * stays within a name, and ** as a whole name reaches through directories.
func compile(pattern string, inPath, fold bool) glob {
	if fold {
		pattern = strings.ToLower(pattern)
	}
	plain := strings.IndexAny(pattern, `*?[\`)
	if plain < 0 {
		return glob{kind: literal, text: pattern, fold: fold}
	}
	if !inPath && strings.HasPrefix(pattern, "*") && !strings.ContainsAny(pattern[1:], `*?[\`) {
		return glob{kind: suffix, text: pattern[1:], fold: fold}
	}
	// git compares what comes before the first special character by itself; to what follows, it is the beginning.
	ops, ok := parse(pattern[:plain], pattern[plain:], inPath)
	if !ok {
		return glob{kind: never}
	}
	return glob{kind: machine, ops: ops, fold: fold}
}

func parse(head, p string, inPath bool) ([]op, bool) {
	var ops []op
	for i := range len(head) {
		ops = append(ops, op{kind: opChar, char: head[i]})
	}
	for i := 0; i < len(p); {
		switch p[i] {
		case '?':
			ops = append(ops, op{kind: opAny})
			i++
		case '*':
			n := stars(p[i:])
			ops = append(ops, star(p, i, n, inPath))
			i += n
		case '[':
			set, n, ok := class(p[i:])
			if !ok {
				return nil, false
			}
			ops = append(ops, op{kind: opSet, set: set})
			i += n
		case '\\':
			if i++; i == len(p) {
				return nil, false
			}
			fallthrough
		default:
			ops = append(ops, op{kind: opChar, char: p[i]})
			i++
		}
	}
	return ops, true
}

func stars(p string) int { return len(p) - len(strings.TrimLeft(p, "*")) }

// star reads n stars at p[i:].
func star(p string, i, n int, inPath bool) op {
	rest := p[i+n:]
	whole := (i == 0 || p[i-1] == '/') && (rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`))
	switch {
	case n == 1 || inPath && !whole:
		return op{kind: opStar}
	case inPath && strings.HasPrefix(rest, "/"):
		return op{kind: opDirs}
	}
	return op{kind: opDeep}
}

// class reads a set of characters, and how long it is written.
func class(p string) (set *[256]bool, n int, ok bool) {
	set = new([256]bool)
	i := 1
	negated := i < len(p) && (p[i] == '!' || p[i] == '^')
	if negated {
		i++
	}
	var before byte // the character that a range may begin with
	for first := true; ; first = false {
		if i >= len(p) {
			return nil, 0, false
		}
		c := p[i]
		if c == ']' && !first {
			break
		}
		switch {
		case c == '\\':
			if i++; i >= len(p) {
				return nil, 0, false
			}
			c = p[i]
			set[c], before = true, c
		case c == '-' && before != 0 && i+1 < len(p) && p[i+1] != ']':
			if i++; p[i] == '\\' {
				if i++; i >= len(p) {
					return nil, 0, false
				}
			}
			for x := int(before); x <= int(p[i]); x++ {
				set[x] = true
			}
			before = 0
		case c == '[' && strings.HasPrefix(p[i+1:], ":"):
			end := strings.IndexByte(p[i+2:], ']')
			if end < 0 {
				return nil, 0, false
			}
			name, named := strings.CutSuffix(p[i+2:i+2+end], ":")
			if !named {
				set['['], before = true, '['
				break
			}
			if !posix(set, name) {
				return nil, 0, false
			}
			i, before = i+2+end, 0
		default:
			set[c], before = true, c
		}
		i++
	}
	if negated {
		for x := range set {
			set[x] = !set[x]
		}
	}
	set['/'] = false
	return set, i + 1, true
}

// posix adds a named class of ASCII characters.
func posix(set *[256]bool, name string) bool {
	in, ok := posixClasses[name]
	if ok {
		for c := range 128 {
			if in(byte(c)) {
				set[c] = true
			}
		}
	}
	return ok
}

var posixClasses = map[string]func(c byte) bool{
	"alnum":  func(c byte) bool { return letter(c) || digit(c) },
	"alpha":  letter,
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < 0x20 || c == 0x7f },
	"digit":  digit,
	"graph":  func(c byte) bool { return c > 0x20 && c < 0x7f },
	"lower":  func(c byte) bool { return c >= 'a' && c <= 'z' },
	"print":  func(c byte) bool { return c >= 0x20 && c < 0x7f },
	"punct":  func(c byte) bool { return c > 0x20 && c < 0x7f && !letter(c) && !digit(c) },
	"space":  func(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' },
	"upper":  func(c byte) bool { return c >= 'A' && c <= 'Z' },
	"xdigit": func(c byte) bool { return digit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' },
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

// match reports whether the glob matches the whole of a name or path.
func (g glob) match(name string) bool {
	if g.fold {
		name = strings.ToLower(name)
	}
	switch g.kind {
	case literal:
		return name == g.text
	case suffix:
		return strings.HasSuffix(name, g.text)
	case machine:
		return run(g.ops, name)
	}
	return false
}

// run keeps the set of steps that the text so far can have reached, so that it takes time in proportion to the length
// of the text times the pattern's, whatever the pattern.
func run(ops []op, text string) bool {
	var small [2][128]bool
	now, next := small[0][:], small[1][:]
	if len(ops) >= len(now) {
		now, next = make([]bool, len(ops)+1), make([]bool, len(ops)+1)
	}
	now, next = now[:len(ops)+1], next[:len(ops)+1]
	reach(ops, now, 0)
	for i := range len(text) {
		c := text[i]
		clear(next)
		some := false
		for k, o := range ops {
			if !now[k] {
				continue
			}
			switch o.kind {
			case opChar:
				if c == o.char {
					reach(ops, next, k+1)
					some = true
				}
			case opAny, opSet:
				if c != '/' && (o.kind == opAny || o.set[c]) {
					reach(ops, next, k+1)
					some = true
				}
			case opStar:
				if c != '/' {
					reach(ops, next, k)
					some = true
				}
			case opDeep:
				reach(ops, next, k)
				some = true
			case opDirs:
				// Between names only the / that follows may end it: see reach.
				next[k] = true
				next[k+1] = true
				some = true
			}
		}
		if !some {
			return false
		}
		now, next = next, now
	}
	return now[len(ops)]
}

// reach marks a step as reached, and those after it that need no text.
//
//go:noinline
func reach(ops []op, set []bool, k int) {
	for {
		set[k] = true
		if k == len(ops) {
			return
		}
		switch ops[k].kind {
		case opStar, opDeep:
			k++
		case opDirs:
			set[k+1] = true
			k += 2
		default:
			return
		}
	}
}

// braces writes the alternatives {a,b} of a pattern out.
func braces(pattern string) []string {
	open := strings.IndexByte(pattern, '{')
	if open < 0 || open > 0 && pattern[open-1] == '\\' {
		return []string{pattern}
	}
	depth, start := 0, open+1
	var parts []string
	for i := open; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '{':
			depth++
		case ',':
			if depth == 1 {
				parts, start = append(parts, pattern[start:i]), i+1
			}
		case '}':
			if depth--; depth > 0 {
				continue
			}
			var all []string
			for _, p := range append(parts, pattern[start:i]) {
				all = append(all, braces(pattern[:open]+p+pattern[i+1:])...)
				if len(all) >= maxAlternatives {
					return all[:maxAlternatives]
				}
			}
			return all
		}
	}
	return []string{pattern}
}

const maxAlternatives = 256

// A filter is a file pattern as people write it: *.go, cmd/**, {a,b}.txt. Without a slash it is for names anywhere.
type filter []rule

func newFilter(pattern string) filter {
	var f filter
	if pattern == "" {
		return nil
	}
	for _, p := range braces(strings.TrimPrefix(pattern, "./")) {
		if r, ok := newRule(p); ok {
			f = append(f, r)
		}
	}
	if f == nil {
		f = filter{rule{}} // a pattern that no file can match
	}
	return f
}

// passes reports whether a file, by its path from where the search began, is let through.
func (f filter) passes(rel, name string) bool {
	for _, r := range f {
		if r.match(rel, name, false) || r.match(rel, name, true) && r.dirOnly {
			return true
		}
	}
	return f == nil
}

func trimBOM(data []byte) []byte { return bytes.TrimPrefix(data, []byte(bom)) }
