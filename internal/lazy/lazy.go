// Package lazy makes what costs nothing before it is used: a program that starts several times a second compiles none of its regular
// expressions at its start.
package lazy

import (
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
)

// A Pattern is a regular expression that is compiled when it is needed for the first time. One that stands in a package's variable, or in a
// row of its tables, is part of the program's data: nothing is done for it at the start.
type Pattern struct {
	X    string              // the expression
	Fill func(string) string // fills places in it, or nil

	re    atomic.Pointer[regexp.Regexp]
	words atomic.Pointer[[]string] // see [needed]
}

// Never finds nothing, in no time.
var Never = &Pattern{X: `\A[^\x{0}-\x{10FFFF}]`}

// text is the expression with its places filled.
//
//go:noinline
func (p *Pattern) text() string {
	if p.Fill != nil {
		return p.Fill(p.X)
	}
	return p.X
}

// Re is the compiled expression.
//
//go:noinline
func (p *Pattern) Re() *regexp.Regexp {
	if re := p.re.Load(); re != nil {
		return re
	}
	p.re.CompareAndSwap(nil, regexp.MustCompile(p.text()))
	return p.re.Load()
}

// brief is up to how many bytes a text is looked through for words: of a longer one a copy in small letters costs more than it saves.
const brief = 64 << 10

// possible reports whether a text may have a match: whether it has one of the words of which every match holds one.
func (p *Pattern) possible(text string) bool {
	if len(text) > brief {
		return true
	}
	words := p.words.Load()
	if words == nil {
		list := needed(p.text())
		words = &list
		p.words.Store(words)
	}
	if *words == nil {
		return true
	}
	f := fold(text)
	for _, word := range *words {
		if f.has(word) {
			return true
		}
	}
	return false
}

// Any reports whether a text has, in whatever letters, one of some words in small ones, which are parted by |.
//
//go:noinline
func Any(words, text string) bool {
	f := fold(text)
	for word := range strings.SplitSeq(words, "|") {
		if f.has(word) {
			return true
		}
	}
	return false
}

// For is an expression to look for in a text: [Pattern.Re], or, where the text has none of the words of which every match holds one, an
// expression that finds nothing. So what cannot match is not compiled.
//
//go:noinline
func (p *Pattern) For(text string) *regexp.Regexp {
	if !p.possible(text) {
		return Never.Re()
	}
	return p.Re()
}

// In reports whether a text has a match.
//
//go:noinline
func (p *Pattern) In(text string) bool { return p.possible(text) && p.Re().MatchString(text) }

// once are the patterns of [Once] by their texts.
var once sync.Map

// Once is the pattern of a text, the same for the same text: for rows that are texts.
func Once(expression string, fill func(string) string) *Pattern {
	known, ok := once.Load(expression)
	if !ok {
		known, _ = once.LoadOrStore(expression, &Pattern{X: expression, Fill: fill})
	}
	return known.(*Pattern)
}
