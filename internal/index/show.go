package index

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"nebula"
	"nebula/internal/lists"
)

// How much of a place is shown.
const (
	linesFirst = 14 // of each of the best three
	linesLater = 4
	lineLong   = 160

	copiesShown = 3
)

// Show writes the places of an answer with their lines, as far as budget tokens go, the best first. The lines are read
// now, so they are what stands in the files; the refs say which the reader of the text has seen.
func (x *Index) Show(text string, a Answer, budget int, count func(string) int) (string, []nebula.FileRef) {
	v := &viewing{x: x, terms: map[term]bool{}, files: map[string]*viewed{}}
	for _, w := range ask(text).words {
		v.terms[w.term] = true
	}
	var b strings.Builder
	left := budget - count(a.Age.String()) - 2
	for i, p := range a.Places {
		most := linesFirst
		if i >= 3 {
			most = linesLater
		}
		block, shown := v.render(p, most)
		for block != "" && count(block) > left && most > 0 {
			most /= 2
			block, shown = v.render(p, most)
		}
		cost := count(block)
		if block == "" {
			continue
		}
		if cost > left {
			break
		}
		left -= cost
		b.WriteString(block)
		v.saw(p.Path, shown)
	}
	b.WriteString(a.Age.String())
	return b.String(), v.refs()
}

type viewing struct {
	x     *Index
	split splitter
	terms map[term]bool
	files map[string]*viewed
	order []string
}

type viewed struct {
	hash  string
	lines [][]byte
	shown [][2]int
	now   outline // of the content as it is, where it changed since it was indexed
	moved bool
}

// file reads a file once. It is nil when it cannot be shown.
func (v *viewing) file(p Place) *viewed {
	if f, ok := v.files[p.Path]; ok {
		return f
	}
	v.files[p.Path] = nil
	data, _, err := v.x.dir.Read(p.Path, largestFile)
	if err != nil {
		return nil
	}
	text, fl := legible(data, classify(p.Path))
	f := &viewed{hash: nebula.Hash(data), lines: bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))}
	if contentHash(text, fl) != p.hash {
		f.now, f.moved = outlined(p.Path, text), true
	}
	v.files[p.Path] = f
	v.order = append(v.order, p.Path)
	return f
}

// render writes one place: its head, and the lines that say most about it.
func (v *viewing) render(p Place, most int) (block string, shown [][2]int) {
	f := v.file(p)
	if f == nil {
		return "", nil
	}
	if f.moved {
		p = f.corrected(p)
	}
	p.To = min(p.To, len(f.lines))
	if p.From > p.To {
		return "", nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d-%d", p.Path, p.From, p.To)
	if p.Symbol.Name != "" {
		fmt.Fprintf(&b, " %s %s", p.Symbol.Kind, p.Symbol.full())
	}
	if n := len(p.Copies); n > 0 {
		b.WriteString(", the same in " + strings.Join(p.Copies[:min(n, copiesShown)], ", "))
		if n > copiesShown {
			fmt.Fprintf(&b, " +%d", n-copiesShown)
		}
	}
	b.WriteByte('\n')
	last := 0
	for _, n := range v.choose(f, p, most) {
		if last > 0 && n > last+1 {
			b.WriteString("  …\n")
		}
		line := bytes.TrimRight(f.lines[n-1], " \t\r")
		whole := len(line) <= lineLong
		if !whole {
			line = append(bytes.ToValidUTF8(line[:lineLong:lineLong], nil), "…"...)
		}
		fmt.Fprintf(&b, "%d: %s\n", n, bytes.ToValidUTF8(line, []byte("�")))
		if whole {
			shown = append(shown, [2]int{n, n})
		}
		last = n
	}
	return b.String(), shown
}

func (s Symbol) full() string {
	if s.Parent != "" && s.Kind != "heading" {
		return s.Parent + "." + s.Name
	}
	return s.Name
}

// corrected finds a place again in a file that changed: by its symbol, or near where it was.
func (f *viewed) corrected(p Place) Place {
	for _, s := range f.now.symbols {
		if p.Symbol.Name != "" && s.Name == p.Symbol.Name && s.Parent == p.Symbol.Parent {
			p.From, p.To, p.Symbol = s.From, s.To, s
			return p
		}
	}
	p.Symbol = Symbol{}
	return p
}

// choose picks the lines to show: all of a short place, otherwise its head and those with most of the question's words.
func (v *viewing) choose(f *viewed, p Place, most int) []int {
	var all []int
	for n := p.From; n <= p.To; n++ {
		if len(bytes.TrimSpace(f.lines[n-1])) > 0 {
			all = append(all, n)
		}
	}
	if len(all) <= most {
		return all
	}
	head := p.Symbol.Line
	worth := func(n int) int {
		score := 0
		seen := map[term]bool{}
		v.split.terms(f.lines[n-1], func(t term) {
			if v.terms[t] && !seen[t] {
				seen[t] = true
				score += 2
			}
		})
		switch {
		case n == head:
			score += 100
		case n > head && n <= head+most/4 && head > 0:
			score += 3
		}
		return score
	}
	scores := map[int]int{}
	for _, n := range all[:min(len(all), 400)] {
		scores[n] = worth(n)
	}
	lists.Sort(all, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	all = all[:most]
	slices.Sort(all)
	return all
}

func (v *viewing) saw(path string, shown [][2]int) {
	if f := v.files[path]; f != nil {
		f.shown = append(f.shown, shown...)
	}
}

// refs are the files of which lines were shown.
func (v *viewing) refs() []nebula.FileRef {
	var refs []nebula.FileRef
	for _, p := range v.order {
		f := v.files[p]
		if f == nil || len(f.shown) == 0 {
			continue
		}
		lists.Sort(f.shown, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
		var lines [][2]int
		for _, l := range f.shown {
			if n := len(lines); n > 0 && l[0] <= lines[n-1][1]+1 {
				lines[n-1][1] = max(lines[n-1][1], l[1])
				continue
			}
			lines = append(lines, l)
		}
		refs = append(refs, nebula.FileRef{Path: p, Hash: f.hash, Lines: lines})
	}
	return refs
}

// String says how fresh the answer is, on one line.
func (a Age) String() string {
	s := fmt.Sprintf("[index: %d files, ", a.Files)
	switch {
	case !a.Ready && a.Files == 0:
		s = "[index: being made, nothing to find yet"
	case !a.Ready:
		s += "still being made: more may be found later"
	case a.Fresh:
		s += "checked just now"
	default:
		s += fmt.Sprintf("checked %s ago, being brought up to date", a.Since.Round(time.Second))
	}
	if a.Notice.Format != "" {
		s += "; " + a.Notice.String()
	}
	return s + "]"
}
