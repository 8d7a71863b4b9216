package state

import (
	"slices"
	"strings"

	"nebula/internal/lists"
)

// codeAlone are the functions that a sentence, or others before it where it says so of the rest, orders to change and nothing else.
func codeAlone(sentence string, rest bool, before []string) (names []string) {
	find := func(form, text string) {
		for _, m := range rewordings(form)[0].expression().FindAllStringSubmatch(text, -1) {
			names = append(names, strings.Fields(strings.Join(m[1:], " "))...)
		}
	}
	if find("codeOnly", sentence); rest {
		for _, one := range lists.Concat(before, []string{sentence}) {
			find("codeOrder", one)
		}
	}
	return names
}

// ofCode reports whether the bar names functions in the place of files.
//
//go:noinline
func (b Bar) ofCode() bool { return b.But && b.Act == "" && b.Of != "" }

// placed are bars in which files stand for the functions that they make known, as far as they were read; those of which that is not known are left out.
func (s *State) placed(bars []Bar) (list []Bar) {
	if !slices.ContainsFunc(bars, Bar.ofCode) {
		return bars
	}
	for _, b := range bars {
		if b.ofCode() {
			for file := range s.Seen {
				if s.Text != nil && makesKnown(s.Text(file), strings.Fields(b.Of)) {
					b.Paths = append(slices.Clip(b.Paths), file)
				}
			}
		}
		if !b.ofCode() || len(b.Paths) > 0 {
			list = append(list, b)
		}
	}
	return list
}

// makesKnown reports whether a text has a line that makes one of some names known.
func makesKnown(text string, names []string) bool {
	for line := range strings.Lines(text) {
		if m := defines.For(line).FindStringSubmatch(line); m != nil && lists.Has(names, m[1]) {
			return true
		}
	}
	return false
}
