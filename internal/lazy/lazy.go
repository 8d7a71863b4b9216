// Package lazy makes what costs nothing before it is used: a program that starts several times a second compiles none of its regular
// expressions at its start.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp is an expression that is compiled when it is asked for the first time.
func Regexp(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
