// Package lazy makes what costs nothing before it is used: a program that starts several times a second compiles none of its regular
// expressions at its start.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp is an expression that is compiled when it is asked for the first time. Inlined, each of some three hundred would be
// two hundred bytes of the program's start.
//
//go:noinline
func Regexp(expression string) func() *regexp.Regexp {
	p := &pattern{expression: expression}
	return p.compiled
}

type pattern struct {
	expression string
	once       sync.Once
	re         *regexp.Regexp
}

func (p *pattern) compiled() *regexp.Regexp {
	p.once.Do(func() { p.re = regexp.MustCompile(p.expression) })
	return p.re
}
