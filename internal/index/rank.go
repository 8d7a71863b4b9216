package index

import (
	"math"

	"nebula/internal/lists"
	"nebula/internal/sqlite"
)

// A definer is a name that a file defines.
type definer struct {
	term   term
	file   int64
	weight float64
}

// renewRanks is the share of files that may change before the ranks are counted anew: one in …
const renewRanks = 20

// rank counts how much the rest of the folder refers to each file: for every name that it defines, the files that the
// name stands in, shared among those who define it.
func (x *Index) rank() error {
	had, err := x.fact("ranked") // how many files there were when ranks were counted
	counted := int(had)
	if err != nil || len(x.known) == 0 || counted > 0 && x.unranked(counted) {
		return err
	}
	names, err := x.definers()
	if err != nil {
		return err
	}
	uses, err := x.uses(names)
	if err != nil {
		return err
	}
	sums := map[int64]float64{}
	for i := 0; i < len(names); {
		j := i + 1
		for j < len(names) && names[j].term == names[i].term {
			j++
		}
		if n := float64(uses[names[i].term]); n > 1 {
			share := math.Sqrt(n-1) / float64(j-i)
			for _, d := range names[i:j] {
				sums[d.file] += share * d.weight
			}
		}
		i = j
	}
	return x.keepRanks(sums)
}

// unranked reports whether too little changed to count again: files in segments without ranks.
func (x *Index) unranked(counted int) bool {
	without := map[int64]bool{}
	err := x.writer.Query(func(r sqlite.Row) bool { without[r.Int(0)] = true; return true }, "SELECT id FROM segments WHERE length(ranks)=0")
	if err != nil {
		return false
	}
	changed := max(0, counted-len(x.known))
	if len(without) > 0 {
		for _, k := range x.known {
			if without[k.id>>fileBits] {
				changed++
			}
		}
	}
	return changed*renewRanks <= counted
}

// telltale is how sure it is that a word is this name where it stands: a name of one word may be just that word.
// Constants come by the hundred and say less.
func telltale(s Symbol) float64 {
	w := 0.1
	switch {
	case partEnd([]byte(s.Name), 0) < len(s.Name):
		w = 1
	case exported(s.Name):
		w = 0.4
	}
	if s.Kind == "const" || s.Kind == "var" {
		w *= 0.2
	}
	return w
}

// definers are all names that files define, in the order of their terms.
func (x *Index) definers() ([]definer, error) {
	var all []definer
	err := x.writer.Query(func(r sqlite.Row) bool {
		o, ok := decodeOutline(r.Bytes(1))
		for _, s := range o.symbols {
			if t := nameTerm(s.Name); ok && t != 0 && s.Kind != "heading" && len(s.Name) > 2 {
				all = append(all, definer{t, r.Int(0), telltale(s)})
			}
		}
		return true
	}, "SELECT id, data FROM outlines")
	lists.Sort(all, func(a, b definer) int {
		switch {
		case a.term != b.term && a.term < b.term:
			return -1
		case a.term != b.term:
			return 1
		}
		return int(a.file - b.file)
	})
	return all, err
}

// uses counts in how many files the names stand.
func (x *Index) uses(names []definer) (map[term]uint32, error) {
	uses := make(map[term]uint32, len(names))
	for _, d := range names {
		uses[d.term] = 0
	}
	err := x.writer.Query(func(r sqlite.Row) bool {
		return entries(term(r.Int(0)&termMask), r.Bytes(1), func(t term, files uint32, _ []byte) bool {
			if n, ok := uses[t]; ok {
				uses[t] = n + files
			}
			return true
		})
	}, "SELECT id, data FROM blocks")
	return uses, err
}

// keepRanks writes the ranks down, a byte a file.
func (x *Index) keepRanks(sums map[int64]float64) error {
	ranks := map[int64][]byte{}
	for _, k := range x.known {
		seg, n := k.id>>fileBits, k.id&(1<<fileBits-1)
		for int64(len(ranks[seg])) <= n {
			ranks[seg] = append(ranks[seg], 0)
		}
		ranks[seg][n] = byte(min(255, 16*math.Log2(1+sums[k.id])))
	}
	return x.writer.Transact(func() error {
		for seg, data := range ranks {
			if err := x.writer.Exec("UPDATE segments SET ranks=? WHERE id=?", data, seg); err != nil {
				return err
			}
		}
		if err := x.writer.Exec("INSERT OR REPLACE INTO facts VALUES ('ranked', ?)", int64(len(x.known))); err != nil {
			return err
		}
		return x.writer.Exec("UPDATE facts SET value=value+1 WHERE name='generation'")
	})
}
