package prompt

import (
	"fmt"
	"reflect"
	"strings"

	"nebula"
)

// A Drift is how far a request begins as the one before it did.
type Drift struct {
	Same, Before int    // bytes that both begin with, of so many that were sent before
	Part         string // system, tools or a message with its number, where they part; empty where they do not
	At           int    // byte of that part
	Was, Is      string // what stands there, a few characters of each
}

// Share is how much of the earlier request a provider's cache could give for the later one.
func (d Drift) Share() float64 {
	if d.Before == 0 {
		return 0
	}
	return float64(d.Same) / float64(d.Before)
}

// DriftOf compares a request with the one before it, in the order in which providers read them.
func DriftOf(before, now nebula.Prompt) Drift {
	d := Drift{}
	d.Before = len(before.System)
	for _, m := range before.Messages {
		d.Before += weight(m)
	}
	if n := common(before.System, now.System); n < len(before.System) || n < len(now.System) {
		return d.parts("system", n, before.System, now.System)
	}
	d.Same = len(before.System)
	if !reflect.DeepEqual(before.Tools, now.Tools) {
		return d.parts("tools", 0, toolNames(before), toolNames(now))
	}
	for i, m := range before.Messages {
		if i >= len(now.Messages) {
			return d
		}
		other := now.Messages[i]
		if !equal(m, other) {
			was, is := m.Text(), other.Text()
			return d.parts(fmt.Sprint("message ", i+1), common(was, is), was, is)
		}
		d.Same += weight(m)
	}
	return d
}

func (d Drift) parts(part string, at int, was, is string) Drift {
	d.Part, d.At = part, at
	d.Same += at
	d.Was, d.Is = excerpt(was, at), excerpt(is, at)
	return d
}

//go:noinline
func weight(m nebula.Message) (n int) {
	for _, p := range m.Parts {
		n += p.Size()
	}
	return n
}

// common is how many bytes two texts begin with alike.
//
//go:noinline
func common(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// excerpt is a few characters from a byte on.
func excerpt(text string, at int) string {
	for at > 0 && at < len(text) && text[at]&0xc0 == 0x80 {
		at--
	}
	runes := []rune(text[min(at, len(text)):])
	return strings.ToValidUTF8(string(runes[:min(len(runes), 24)]), "")
}

func toolNames(p nebula.Prompt) string {
	names := make([]string, len(p.Tools))
	for i, t := range p.Tools {
		names[i] = t.Name
	}
	return strings.Join(names, " ")
}
