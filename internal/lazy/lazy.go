// Package lazy makes what costs nothing before it is used: a program that starts several times a second compiles none of its regular
// expressions at its start.
package lazy

import (
	"regexp"
	"sync"
	"sync/atomic"
)

// Regexp is an expression that is compiled when it is asked for the first time. Inlined, each of some three hundred would be
// two hundred bytes of the program's start.
//
//go:noinline
func Regexp(expression string) func() *regexp.Regexp {
	p := &pattern{expression: expression}
	return p.compiled
}

// Filled is an expression with places in it that fill fills, when it is asked for the first time.
//
//go:noinline
func Filled(expression string, fill func(string) string) func() *regexp.Regexp {
	return (&pattern{expression: expression, fill: fill}).compiled
}

// once are the expressions of [Once] by their texts.
var once sync.Map

// Once is an expression of a table, which is compiled when it is asked for the first time: a table of texts costs a program's start
// nothing, one of calls a hundred bytes a row.
func Once(expression string, fill func(string) string) *regexp.Regexp {
	known, ok := once.Load(expression)
	if !ok {
		known, _ = once.LoadOrStore(expression, &pattern{expression: expression, fill: fill})
	}
	return known.(*pattern).compiled()
}

type pattern struct {
	expression string
	fill       func(string) string // or nil
	look, once sync.Once
	words      []string // see [In]
	ready      atomic.Bool
	re         *regexp.Regexp
}

func (p *pattern) compiled() *regexp.Regexp {
	p.once.Do(func() {
		p.look.Do(p.filled)
		p.re = regexp.MustCompile(p.expression)
		p.ready.Store(true)
	})
	return p.re
}

// filled fills the expression's places. It is called once.
func (p *pattern) filled() {
	if p.fill != nil {
		p.expression = p.fill(p.expression)
	}
}
