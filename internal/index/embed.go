package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"time"

	"nebula/internal/lists"
	"nebula/internal/sqlite"
)

// An Embedding gives what texts mean as vectors, in their order; Name is the model's, since vectors of two models have
// nothing in common.
type Embedding struct {
	Name  string
	Embed func(ctx context.Context, texts []string) ([][]float32, error)
}

// Embed has answers ordered by meaning as well. It is set before the first question, or not at all.
func (x *Index) Embed(e Embedding) { x.embedding = &e }

// Bounds of asking for meanings: the places that words found, once each, for as long as their text stays the same.
const (
	meantPlaces = 24
	meantBytes  = 1500
	meantWait   = 3 * time.Second
	fusion      = 60.0 // of ranks, the usual constant
)

// meant orders places by their words and by their meaning: reciprocal ranks are added. Without an answer in time the
// order by words stays, and the reason is given.
func (x *Index) meant(ctx context.Context, text string, places []Place) ([]Place, error) {
	if x.embedding == nil || len(places) < 2 {
		return places, nil
	}
	ctx, stop := context.WithTimeout(ctx, meantWait)
	defer stop()
	v := &viewing{x: x, terms: map[term]bool{}, files: map[string]*viewed{}}
	keys := make([]int64, len(places))
	texts := make([]string, len(places))
	for i, p := range places {
		block, _ := v.render(p, 30)
		texts[i] = block[:min(len(block), meantBytes)]
		keys[i] = contentHash([]byte(x.embedding.Name+"\x00"+texts[i]), 0)
	}
	vectors, err := x.vectors(ctx, text, keys, texts)
	if err != nil {
		return places, err
	}
	near := make([]float64, len(places))
	order := make([]int, len(places))
	for i := range places {
		near[i], order[i] = cosine(vectors[len(places)], vectors[i]), i
	}
	lists.Sort(order, func(a, b int) int { return cmp.Compare(near[b], near[a]) })
	for rank, i := range order {
		places[i].Score = 1/(fusion+float64(i)) + 1/(fusion+float64(rank))
	}
	lists.Sort(places, func(a, b Place) int { return cmp.Compare(b.Score, a.Score) })
	return places, nil
}

// vectors gives those of the texts and last that of the question. What was asked before is in the cache.
func (x *Index) vectors(ctx context.Context, question string, keys []int64, texts []string) ([][]float32, error) {
	all := make([][]float32, len(texts)+1)
	ask, at := []string{question[:min(len(question), meantBytes)]}, []int{len(texts)}
	x.reading.Lock()
	for i, key := range keys {
		if all[i] = x.pending(key); all[i] != nil {
			continue
		}
		err := x.reader.Query(func(r sqlite.Row) bool { all[i] = vector(r.Bytes(0)); return false }, "SELECT data FROM vectors WHERE id=?", key)
		if err != nil || all[i] == nil {
			ask, at = append(ask, texts[i]), append(at, i)
		}
	}
	x.reading.Unlock()
	got, err := x.embedding.Embed(ctx, ask)
	if err != nil {
		return nil, err
	}
	for n, i := range at {
		all[i] = got[n]
	}
	x.state.Lock()
	defer x.state.Unlock()
	if x.unsaved == nil {
		x.unsaved = map[int64][]float32{}
	}
	for _, i := range at[1:] {
		x.unsaved[keys[i]] = all[i]
	}
	return all, nil
}

// pending is a vector that is not in the cache yet.
func (x *Index) pending(key int64) []float32 {
	x.state.Lock()
	defer x.state.Unlock()
	return x.unsaved[key]
}

// keepMeant puts the vectors into the cache that questions asked for.
func (x *Index) keepMeant() error {
	x.state.Lock()
	unsaved := x.unsaved
	x.unsaved = nil
	x.state.Unlock()
	if len(unsaved) == 0 {
		return nil
	}
	return x.writer.Transact(func() error {
		for key, v := range unsaved {
			if err := x.writer.Exec("INSERT OR REPLACE INTO vectors VALUES (?, 0, ?)", key, bytesOf(v)); err != nil {
				return err
			}
		}
		return nil
	})
}

func bytesOf(v []float32) []byte {
	var data []byte
	for _, f := range v {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(f))
	}
	return data
}

func vector(data []byte) []float32 {
	v := make([]float32, len(data)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return v
}

func cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	var dot, aa, bb float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return dot / math.Sqrt(aa*bb)
}
