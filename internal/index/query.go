package index

import (
	"bytes"
	"cmp"
	"math"

	"nebula/internal/lists"
	"nebula/internal/sqlite"
)

// How the parts of a score weigh. The figures are those that did best on the benchmark's questions.
const (
	wName    = 2.2  // a word of the question is one of the definition's name
	wPath    = 1.3  // or of the file's path
	wChunk   = 1.4  // the best definition, for the words that it has
	wFile    = 0.35 // what the whole file says beside the best definition in it
	wWhole   = 0.7  // how much of the best definition's name the question says
	wCover   = 0.45 // the power of the share of the question that is found
	wRank    = 0.15 // for the file that everything refers to
	wRecent  = 0.1
	wArea    = 0.4 // for a file in a part of the project that the question names
	bmK, bmB = 1.1, 0.7
	fileK    = 3.0
	fileB    = 0.8
	wValues  = 0.8  // what constants and variables are worth
	wTest    = 0.6  // what a test is worth beside what it tests
	wMade    = 0.35 // generated code
	wForeign = 0.7  // vendored code
	wProse   = 0.5
	wData    = 0.6
)

// scores are a segment's sums for one question.
type scores struct {
	chunk, file, place []float32
	hits               []float32 // by chunk: the weight of the words that it has
	found              []uint64  // by file: which words of the question it has
}

func (s *segment) begin() {
	grow := func(list []float32, n int) []float32 {
		if cap(list) < n {
			return make([]float32, n)
		}
		list = list[:n]
		clear(list)
		return list
	}
	s.score.chunk = grow(s.score.chunk, len(s.chunks))
	s.score.hits = grow(s.score.hits, len(s.chunks))
	s.score.file = grow(s.score.file, len(s.files))
	s.score.place = grow(s.score.place, len(s.files))
	if cap(s.score.found) < len(s.files) {
		s.score.found = make([]uint64, len(s.files))
	}
	s.score.found = s.score.found[:len(s.files)]
	clear(s.score.found)
}

// totals are figures over all segments.
type totals struct {
	files, chunks    int
	perFile, perPart float64 // terms
	newest           int64   // from when on a file counts as recently touched; 0: none does
	foreign          float64 // what vendored code is worth
}

func (x *Index) totals() totals {
	var t totals
	var all uint64
	vendored := 0
	for _, s := range x.segments {
		t.chunks += len(s.chunks)
		for i := range s.files {
			if m := &s.files[i]; !m.dead {
				t.files++
				all += uint64(m.size)
				if m.flags&isVendored != 0 {
					vendored++
				}
			}
		}
	}
	t.newest = x.recent()
	t.foreign = wForeign + (1-wForeign)*float64(vendored)/float64(max(1, t.files))
	t.perFile = float64(all)/float64(max(1, t.files)) + 1
	t.perPart = float64(all)/float64(max(1, t.chunks)) + 1
	return t
}

// load brings what is remembered of the segments up to date. The reading lock is held.
func (x *Index) load() error {
	generation := int64(0)
	err := x.reader.Query(func(r sqlite.Row) bool { generation = r.Int(0); return false }, "SELECT value FROM facts WHERE name='generation'")
	if err != nil || generation == x.view && x.segments != nil {
		return err
	}
	had := map[int64]*segment{}
	for _, s := range x.segments {
		had[s.id] = s
	}
	var now []*segment
	broken := false
	err = x.reader.Query(func(r sqlite.Row) bool {
		s := had[r.Int(0)]
		if s == nil {
			s = &segment{id: r.Int(0)}
			broken = broken || !s.read(r.Bytes(1))
		}
		s.ranks = bytes.Clone(r.Bytes(3))
		for i, bits := range r.Bytes(2) {
			for j := range 8 {
				if n := 8*i + j; bits&(1<<j) != 0 && n < len(s.files) {
					s.files[n].dead = true
				}
			}
		}
		now = append(now, s)
		return true
	}, "SELECT id, meta, dead, ranks FROM segments ORDER BY id")
	if err == nil && broken {
		err = errBroken
	}
	if err == nil {
		x.segments, x.view = now, generation
	}
	return err
}

// find gives the best places for a question, at most three of a file. The reading lock is held.
func (x *Index) find(q question, limit int) ([]Place, error) {
	t := x.totals()
	for _, s := range x.segments {
		s.begin()
	}
	whole := 0.0
	weights := make([]float64, 64)
	for _, w := range q.words {
		idf, err := x.score(w, t)
		if err != nil {
			return nil, err
		}
		if w.group < 64 && idf > weights[w.group] {
			whole += idf - weights[w.group]
			weights[w.group] = idf
		}
	}
	if whole == 0 {
		return nil, nil
	}
	return x.best(q, t, limit, whole, weights)
}

// score adds one word of the question up in all segments, and tells its weight.
func (x *Index) score(w word, t totals) (float64, error) {
	lists := make([][]byte, len(x.segments))
	files := uint32(0)
	for i, s := range x.segments {
		n, data, err := x.list(s.id, w.term)
		if err != nil {
			return 0, err
		}
		lists[i] = data
		files += n
	}
	if files == 0 {
		return 0, nil
	}
	n := float64(max(t.files, int(files)))
	idf := w.weight * math.Log(1+(n-float64(files)+0.5)/(float64(files)+0.5))
	for i, s := range x.segments {
		if !s.add(lists[i], idf, w.group, t) {
			return 0, errBroken
		}
	}
	return idf, nil
}

// list finds a term's postings in a segment.
func (x *Index) list(seg int64, t term) (files uint32, data []byte, err error) {
	broken := false
	err = x.reader.Query(func(r sqlite.Row) bool {
		if r.Int(0)>>termBits != seg {
			return false
		}
		broken = !entries(term(r.Int(0)&termMask), r.Bytes(1), func(at term, n uint32, postings []byte) bool {
			if at == t {
				files, data = n, bytes.Clone(postings)
			}
			return at < t
		})
		return false
	}, "SELECT id, data FROM blocks WHERE id<=? ORDER BY id DESC LIMIT 1", seg<<termBits|int64(t))
	if broken && err == nil {
		err = errBroken
	}
	return files, data, err
}

// add adds a word's postings up.
func (s *segment) add(data []byte, idf float64, group int, t totals) bool {
	file, times := uint32(0), 0
	flush := func() {
		if times > 0 {
			tf, m := float64(times), &s.files[file]
			s.score.file[file] += float32(idf * tf * (fileK + 1) / (tf + fileK*(1-fileB+fileB*float64(m.size)/t.perFile)))
			times = 0
		}
	}
	sound := true
	ok := postings(data, func(chunk uint32, fields, n int) {
		if chunk >= uint32(len(s.chunks)) {
			sound = false
			return
		}
		at := s.chunks[chunk]
		if s.files[at].dead {
			return
		}
		if at != file {
			flush()
			file = at
		}
		s.score.found[at] |= 1 << min(group, 63)
		s.score.hits[chunk] += float32(idf)
		if n > 0 {
			tf := float64(n)
			s.score.chunk[chunk] += float32(idf * tf * (bmK + 1) / (tf + bmK*(1-bmB+bmB*float64(s.sizes[chunk])/t.perPart)))
			times += n
		}
		if fields&inName != 0 {
			s.score.chunk[chunk] += float32(idf * wName)
		}
		if fields&inPath != 0 {
			s.score.place[at] += float32(idf * wPath)
		}
	})
	flush()
	return ok && sound
}

// A candidate is a file with its score, and later with what is known of it.
type candidate struct {
	seg   *segment
	file  uint32
	score float64

	path    string
	hash    int64
	outline outline
	said    float64
	has     float64
}

// best picks files, and the places in them.
func (x *Index) best(q question, t totals, limit int, whole float64, weights []float64) ([]Place, error) {
	var top []candidate
	pool, least := 4*limit, 0.0
	for _, s := range x.segments {
		for i := range s.files {
			if s.score.found[i] == 0 || s.files[i].dead {
				continue
			}
			c := candidate{seg: s, file: uint32(i), score: s.total(uint32(i), whole, weights, t, q)}
			if len(top) < pool || c.score > least {
				top = append(top, c)
			}
			if len(top) >= 2*pool {
				top = cutTop(top, pool)
				least = top[pool-1].score
			}
		}
	}
	top = cutTop(top, pool)
	if err := x.named(top, q, whole); err != nil {
		return nil, err
	}
	places := withoutCopies(cutTop(top, pool), limit)
	lists.Sort(places, func(a, b Place) int { return cmp.Compare(b.Score, a.Score) })
	return places, nil
}

func cutTop(top []candidate, limit int) []candidate {
	lists.Sort(top, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	return top[:min(len(top), limit)]
}

// total is what a file is worth for the question.
func (s *segment) total(file uint32, whole float64, weights []float64, t totals, q question) float64 {
	m := &s.files[file]
	best := 0.0
	for i, c := range s.score.chunk[m.first:s.end(file)] {
		if float64(c) > best { // a chunk with few of the words is worth less
			best = max(best, float64(c)*math.Sqrt(min(1, float64(s.score.hits[int(m.first)+i])/whole)))
		}
	}
	found := 0.0
	for g, mask := 0, s.score.found[file]; mask != 0; g, mask = g+1, mask>>1 {
		if mask&1 != 0 {
			found += weights[g]
		}
	}
	score := wChunk*best + float64(s.score.place[file]) + wFile*float64(s.score.file[file])
	score *= math.Pow(found/whole, wCover) * s.worth(file, t, q)
	return score
}

//go:noinline
func (s *segment) end(file uint32) uint32 {
	if int(file)+1 < len(s.files) {
		return s.files[file+1].first
	}
	return uint32(len(s.chunks))
}

// worth weighs a file whatever the question's words.
func (s *segment) worth(file uint32, t totals, q question) float64 {
	m := &s.files[file]
	w := 1.0
	if m.flags&isTest != 0 && !q.tests {
		w *= wTest
	}
	if m.flags&isGenerated != 0 {
		w *= wMade
	}
	if m.flags&isVendored != 0 {
		w *= t.foreign
	}
	if m.flags&isProse != 0 && !q.prose {
		w *= wProse
	}
	if m.flags&isData != 0 {
		w *= wData
	}
	w *= 1 + wRank*s.rank(file)
	if t.newest > 0 && m.mtime >= t.newest {
		w *= 1 + wRecent
	}
	return w
}

// rank is 0 for a file that nothing refers to and 1 for one that everything does.
func (s *segment) rank(file uint32) float64 {
	if int(file) < len(s.ranks) {
		return float64(s.ranks[file]) / 255
	}
	return 0
}

// recent is from when on a file counts as recently touched: the last day's, unless that is most of them.
func (x *Index) recent() int64 {
	newest := int64(0)
	for _, s := range x.segments {
		for i := range s.files {
			newest = max(newest, s.files[i].mtime)
		}
	}
	from, after, all := newest-24*3600, 0, 0
	for _, s := range x.segments {
		for i := range s.files {
			all++
			if s.files[i].mtime >= from {
				after++
			}
		}
	}
	if after*10 > all {
		return 0
	}
	return from
}
