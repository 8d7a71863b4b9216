package index

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"nebula/internal/lists"
	"nebula/internal/sqlite"
)

// A Place is where something was found.
type Place struct {
	Path     string
	From, To int // lines
	Symbol   Symbol
	Score    float64
	Copies   []string // other files in which the same stands

	hash int64   // of the content that was indexed
	said float64 // the share of the best definition's name that the question says
	has  float64 // and of the question that stands in it
}

// nearBest is the share of the best definition's score from which on another of the same file may be better by its name.
const nearBest = 0.5

// named reads what the candidates define and weighs how much of a definition's name the question says: isDate is more of
// an answer to a date than toLocaleDateString is.
func (x *Index) named(top []candidate, q question, whole float64) error {
	asked := map[term]float64{}
	for _, w := range q.words {
		asked[w.term] = min(1, w.weight)
	}
	var split splitter
	for n := range top {
		c := &top[n]
		var err error
		if c.path, c.hash, c.outline, err = x.outline(c.seg.id<<fileBits | int64(c.file)); err != nil {
			return err
		}
		if slices.ContainsFunc(q.areas, func(area string) bool { return strings.Contains("/"+c.path+"/", area) }) {
			c.score *= 1 + wArea
		}
		scores := c.scores()
		if len(scores) == 0 {
			continue
		}
		best, with := slices.Max(scores), 0.0
		for i, score := range scores {
			if score > nearBest*best && i < len(c.outline.chunks) {
				said := c.outline.said(i, &split, asked)
				v := float64(score/best) * (1 + wWhole*said)
				if c.outline.values(i) {
					v *= wValues
				}
				if v > with {
					with, c.said, c.has = v, said, float64(c.hits()[i])/whole
				}
			}
		}
		if with > 0 {
			c.score *= with
		}
	}
	return nil
}

// values reports whether a chunk is constants and variables: lists of words, which have any.
func (o *outline) values(chunk int) bool {
	symbol := o.chunks[chunk].symbol
	return symbol >= 0 && (o.symbols[symbol].Kind == "const" || o.symbols[symbol].Kind == "var")
}

// scores are those of the file's chunks.
//
//go:noinline
func (c *candidate) scores() []float32 {
	return c.seg.score.chunk[c.seg.files[c.file].first:c.seg.end(c.file)]
}

func (c *candidate) hits() []float32 {
	return c.seg.score.hits[c.seg.files[c.file].first:c.seg.end(c.file)]
}

// said is the share of the name of what a chunk defines that was asked for, by its words.
func (o *outline) said(chunk int, split *splitter, asked map[term]float64) float64 {
	symbol := o.chunks[chunk].symbol
	if symbol < 0 {
		return 0
	}
	words, hits := 0.0, 0.0
	for part := range nameParts(o.symbols[symbol].Name) {
		split.terms(part, func(t term) {
			words++
			hits += asked[t]
		})
	}
	return hits / max(1, words)
}

// withoutCopies gives the places of the best files. What stands in several of them, as in a package that is there twice or a
// library that is there in several builds, is one place: it names the others.
func withoutCopies(top []candidate, limit int) []Place {
	var places []Place
	at := map[string]int{}
	files := 0
	for _, c := range top {
		if files == limit {
			break
		}
		more := c.places()
		if len(more) == 0 {
			continue
		}
		p := more[0]
		same := fmt.Sprintf("%s %s %d", p.Symbol.full(), p.Symbol.Sign, p.To-p.From)
		if i, ok := at[same]; ok && p.Symbol.Name != "" && p.Symbol.Kind != "heading" {
			places[i].Copies = append(places[i].Copies, p.Path)
			continue
		}
		at[same] = len(places)
		files++
		places = append(places, more...)
	}
	return places
}

// placesOf is how many places of one file are shown.
const placesOf = 3

// places are the best chunks of a file.
func (c *candidate) places() []Place {
	if c.path == "" {
		return nil
	}
	scores := c.scores()
	var order []int
	for i, score := range scores {
		if score > 0 {
			order = append(order, i)
		}
	}
	lists.Sort(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	if len(order) == 0 {
		order = []int{0}
	}
	var places []Place
	for n, i := range order[:min(len(order), placesOf)] {
		if i >= len(c.outline.chunks) || n > 0 && scores[i] < 0.6*scores[order[0]] {
			break
		}
		ch := c.outline.chunks[i]
		place := Place{Path: c.path, From: ch.from, To: ch.to, Score: c.score, hash: c.hash, said: c.said, has: c.has}
		if n > 0 {
			place.Score *= float64(scores[i]) / float64(scores[order[0]]) * 0.8
		}
		if ch.symbol >= 0 {
			place.Symbol = c.outline.symbols[ch.symbol]
		}
		places = append(places, place)
	}
	return places
}

// outline reads what a file defines.
func (x *Index) outline(id int64) (p string, hash int64, o outline, err error) {
	ok := true
	err = x.reader.Query(func(r sqlite.Row) bool {
		p, hash = r.Text(0), r.Int(1)
		o, ok = decodeOutline(r.Bytes(2))
		return false
	}, "SELECT path, hash, data FROM files JOIN outlines USING (id) WHERE id=?", id)
	if err == nil && !ok {
		err = errBroken
	}
	return p, hash, o, err
}
