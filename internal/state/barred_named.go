package state

import (
	"slices"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// Words that stand before a name of code, between spaces.
const symbolKinds = " function functions method methods class classes variable variables constant field fields type struct interface enum symbol identifier parameter argument property attribute module name called named "

// symbols are the names of code that words begin with: getVal; the function total; a_b and c_d.
func symbols(list []token) (names []string) {
	kind := false
	for _, t := range list {
		switch {
		case t.is(symbolKinds):
			kind = true
		case t.path() == "" && (kind && symbol.In(t.text) && !t.is(passed+between+" it is are as for with so because ") || plainlyCode.In(t.text)):
			names = append(names, t.text)
		case t.is(depending):
			return nil
		case !t.is(passed):
			return names
		}
		if t.parts() {
			return names
		}
	}
	return names
}

// renamed are the names of code of which a sentence orders or permits that they are renamed.
func renamed(sentence string, list []token) (names []string) {
	for i, t := range list {
		if t.is(" rename renaming ") && !denied(list, i) {
			names = append(names, symbols(list[i+1:])...)
			if i+3 < len(list) && list[i+2].low == "to" && symbol.In(list[i+1].text) {
				names = append(names, list[i+1].text)
			}
		}
	}
	if m := renamesJapanese.For(sentence).FindStringSubmatch(sentence); m != nil {
		names = append(names, m[1])
	}
	return names
}

// Renames is the sentence of the person's that forbids renaming what a change renames, what that is, and in which files; empty for none.
func (s *State) Renames(diff string) (said, name string, files []string) {
	for _, b := range slices.Backward(s.bars()) {
		for _, n := range b.Paths {
			if !b.Gone || !symbol.In(n) || b.OnceIn == s.Turn.Number && lists.Has(b.Once, n) {
				continue
			}
			for _, e := range edits(diff) {
				if e.renames(n) {
					said, name, files = b.Words, n, append(files, e.path)
				}
			}
		}
	}
	return said, name, files
}

// renames reports whether a name is gone from the lines of a file's that are shown, of which another takes its place in one, or whether the
// line that makes it known goes.
func (p patched) renames(name string) bool {
	at := func(lines []string) (with []string) {
		for _, l := range lines {
			if lists.Has(codeWords.For(l).FindAllString(l, -1), name) {
				with = append(with, l)
			}
		}
		return with
	}
	gone := at(p.gone)
	if len(gone) == 0 || len(at(p.come)) > 0 || len(at(p.kept)) > 0 {
		return false
	}
	return slices.ContainsFunc(gone, func(l string) bool {
		m := defines.For(l).FindStringSubmatch(l)
		return m != nil && m[1] == name || slices.ContainsFunc(p.come, func(c string) bool { return swaps(l, c, name) })
	})
}

// swaps reports whether two lines differ in nothing but that another name stands for one.
func swaps(was, now, name string) bool {
	a, b := codeWords.For(was).FindAllString(was, -1), codeWords.For(now).FindAllString(now, -1)
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] == name {
			b[i] = name
		}
	}
	return lists.Equal(a, b)
}

var (
	symbol          = &lazy.Pattern{X: `^[\p{L}_$][\p{L}\p{N}_$]*$`}
	plainlyCode     = &lazy.Pattern{X: `^[A-Za-z_$]*(?:[a-z][A-Z]|\w_\w|[A-Z][a-z]+[A-Z])[\w$]*$`}
	codeWords       = &lazy.Pattern{X: `[\p{L}\p{N}_$]+`}
	defines         = &lazy.Pattern{X: `^\s*(?:(?:export|public|private|protected|internal|static|async|pub|default|abstract|final|override|open) +)*(?:def|func(?: \([^)]*\))?|function|class|fn|type|struct|interface|enum|const|let|var|val|trait|module|sub)\*? +([\p{L}\p{N}_$]+)`}
	renamesJapanese = &lazy.Pattern{X: `([A-Za-z_$][\w$]*)[\x60」』]?(?:の?名前|という名前)?を[^。、]{0,20}?(?:に|へ)(?:変更し|変え|リネームし|改名し)て(?:$|[。、]|ください|も?(?:いい|よい))`}
)
