package index

import (
	"cmp"
	"context"
	"math"
	"path"
	"slices"
	"strings"
	"unicode"

	"nebula/internal/lists"
	"nebula/internal/sqlite"
)

// A Sketch is one file of the map with what it defines.
type Sketch struct {
	Path    string   `json:"path"`
	Symbols []Symbol `json:"symbols"` // the ones worth showing, in the order of the file
	score   float64
}

// mapFiles bounds how many files a map can have.
const mapFiles = 80

// Map gives the files that the rest of the folder refers to most, those first that the request is about. It waits for
// the index as a search does.
func (x *Index) Map(ctx context.Context, request string) ([]Sketch, Age, error) {
	fresh, err := x.Refresh(ctx, patience)
	if err == nil && !fresh && !x.age0().Ready {
		fresh, err = x.Refresh(ctx, patienceFirst)
	}
	if err != nil {
		return nil, Age{}, err
	}
	x.reading.Lock()
	defer x.reading.Unlock()
	list, err := x.sketch(ask(request))
	return list, x.age(fresh), x.doubted(err)
}

// sketch ranks the files. The reading lock is held.
func (x *Index) sketch(q question) ([]Sketch, error) {
	err := x.consult()
	if err == nil {
		err = x.load()
	}
	if err != nil {
		return nil, err
	}
	t := x.totals()
	for _, s := range x.segments {
		s.begin()
	}
	whole, weights := 0.0, make([]float64, 64)
	for _, w := range q.words {
		idf, err := x.score(w, t)
		if err != nil {
			return nil, err
		}
		if idf > weights[w.group] {
			whole += idf - weights[w.group]
			weights[w.group] = idf
		}
	}
	return x.sketches(q, x.rankFiles(q, t, whole, weights))
}

// rankFiles joins what a file has to do with the request and how much is made of it elsewhere.
func (x *Index) rankFiles(q question, t totals, whole float64, weights []float64) []candidate {
	var all []candidate
	best := 0.0
	for _, s := range x.segments {
		for i := range s.files {
			m := &s.files[i]
			if m.dead || m.flags&(isData|isGenerated) != 0 {
				continue
			}
			c := candidate{seg: s, file: uint32(i)}
			if s.score.found[i] != 0 && whole > 0 {
				c.score = s.total(uint32(i), whole, weights, t, q)
				best = max(best, c.score)
			}
			all = append(all, c)
		}
	}
	if !q.tests { // they say what others do, unless there is nothing else
		if code := lists.Drop(lists.Clone(all), func(c candidate) bool { return c.seg.files[c.file].flags&isTest != 0 }); len(code) > 0 {
			all = code
		}
	}
	for i := range all {
		c := &all[i]
		known := c.seg.rank(c.file) * c.seg.worth(c.file, t, q)
		if c.score > 0 {
			c.score = 1.5 * c.score / best
		}
		c.score += known
	}
	return cutTop(all, mapFiles)
}

func (x *Index) sketches(q question, top []candidate) ([]Sketch, error) {
	asked := map[term]bool{}
	for _, w := range q.words {
		asked[w.term] = true
	}
	var list []Sketch
	seen := map[string]bool{}
	for _, c := range top {
		p, _, o, err := x.outline(c.seg.id<<fileBits | int64(c.file))
		if err != nil {
			return nil, err
		}
		symbols := telling(o.symbols, asked)
		key := ""
		if len(symbols) < 2 {
			key = path.Base(p)
		}
		for _, s := range symbols {
			key += "\n" + s.Sign
		}
		if len(symbols) > 0 && !seen[key] { // the same in another build or copy says nothing more
			seen[key] = true
			list = append(list, Sketch{p, symbols, c.score})
		}
	}
	return list, nil
}

// symbolsShown bounds what is shown of one file.
const symbolsShown = 8

// telling picks the definitions that say most about a file: those that the request names, types, and what others see.
func telling(all []Symbol, asked map[term]bool) []Symbol {
	var split splitter
	worth := make([]float64, len(all))
	order := make([]int, 0, len(all))
	for i, s := range all {
		switch s.Kind {
		case "const", "var", "field", "heading", "rule", "target", "index":
			continue
		case "func", "method":
			worth[i] = 1
		default:
			worth[i] = 1.5
		}
		if first := []rune(s.Name); len(first) > 0 && (first[0] == '_' || first[0] == '#') || strings.HasPrefix(s.Sign, "func ") && !exported(s.Name) {
			worth[i] -= 0.7
		}
		if s.Name == "init" || s.Name == "main" {
			worth[i]-- // every file may have one
		}
		worth[i] += math.Min(1, float64(s.To-s.Line)/100)
		split.terms([]byte(s.Name), func(t term) {
			if asked[t] {
				worth[i] += 3
			}
		})
		order = append(order, i)
	}
	lists.Sort(order, func(a, b int) int { return cmp.Compare(worth[b], worth[a]) })
	order = order[:min(len(order), symbolsShown)]
	slices.Sort(order)
	kept := make([]Symbol, len(order))
	for n, i := range order {
		kept[n] = all[i]
	}
	return kept
}

func exported(name string) bool { return unicode.IsUpper([]rune(name)[0]) }

// Fit writes a map in at most budget tokens: every file with its signatures, the last files with fewer, and then none.
//
//go:noinline
func Fit(list []Sketch, budget int, count func(string) int) string {
	return fit(list, budget, count, func(s Sketch, most int) string {
		var b strings.Builder
		b.WriteString(s.Path + "\n")
		for _, sym := range s.Symbols[:min(most, len(s.Symbols))] {
			b.WriteString("  " + sym.Sign + "\n")
		}
		return b.String()
	})
}

func fit(list []Sketch, budget int, count func(string) int, write func(Sketch, int) string) string {
	var b strings.Builder
	left := budget
	for i, s := range list {
		most := symbolsShown
		if i >= 8 {
			most = 3
		}
		text := write(s, most)
		for most > 1 && count(text)+1 > left {
			most /= 2
			text = write(s, most)
		}
		cost := count(text) + 1
		if cost > left {
			break
		}
		left -= cost
		b.WriteString(text)
	}
	return b.String()
}

// paths of files by id, for what needs nothing else of them.
func (x *Index) pathOf(id int64) (p string, err error) {
	err = x.reader.Query(func(r sqlite.Row) bool { p = r.Text(0); return false }, "SELECT path FROM files WHERE id=?", id)
	return p, err
}
