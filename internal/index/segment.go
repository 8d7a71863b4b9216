package index

import (
	"encoding/binary"
	"path"
	"slices"
)

// A segment is the part of an index that one writing made: a number of files, never changed afterwards. What is read
// from it stands in four tables: what each file is, its outline, and the terms with the chunks they stand in, many terms
// to a block.
type segment struct {
	id     int64
	files  []member
	chunks []uint32 // the file of every chunk
	sizes  []uint16 // the terms of every chunk, not counted twice
	ranks  []byte
	score  scores
}

// A member is what a query has to know of one file.
type member struct {
	first uint32 // chunk
	size  uint32 // terms
	flags flags
	mtime int64 // seconds
	dead  bool
}

// flags say what kind of file one is.
type flags uint8

const (
	isTest flags = 1 << iota
	isGenerated
	isVendored
	isProse
	isData // only the beginning, or only the name, was read
)

// A builder gathers files for a segment.
type builder struct {
	split splitter
	at    map[term]int32
	lists []list
	files []built
	sizes []uint16
	bytes int // of text
	pairs []uint64
}

// A built file is what is kept of it beside its terms.
type built struct {
	path    string
	known   known
	flags   flags
	chunks  int
	outline []byte
}

// A list is where a term stands.
type list struct {
	term  term
	last  uint32 // chunk, plus one
	file  int32  // last, plus one
	files uint32
	data  []byte
}

// Fields of a posting, beside the chunk that it counts from the one before.
const (
	inName = 1 << iota
	inPath
	often     // the number of times follows; otherwise it is once
	fieldBits = 3
)

func newBuilder() *builder { return &builder{at: map[term]int32{}} }

func (b *builder) reset() {
	clear(b.at)
	*b = builder{at: b.at, lists: b.lists[:0], pairs: b.pairs[:0]}
}

const (
	pairChunk = 11 // bits: maxChunks fits
	pairField = 2
)

// add takes a file in. The data may be cut, or empty where only the name is to be found.
func (b *builder) add(p string, data []byte, k known, f flags) {
	o := outline{lines: 1}
	if len(data) > 0 {
		o = outlined(p, data)
	}
	if len(o.chunks) == 0 {
		o.cut()
	}
	base := len(b.sizes)
	b.sizes = append(b.sizes, make([]uint16, len(o.chunks))...)
	b.pairs = b.pairs[:0]
	b.text(&o, data, base)
	for i, s := range o.symbols {
		at := o.chunkOf(i)
		b.note(s.Name, at, inName)
		if s.Parent != "" {
			b.note(s.Parent, at, inName)
		}
	}
	b.note(pathWords(p), 0, inPath)
	b.post(uint32(base), int32(len(b.files)))
	b.files = append(b.files, built{p, k, f, len(o.chunks), o.encode()})
	b.bytes += len(data)
}

// pathWords are the words of a path that tell something.
func pathWords(p string) string {
	return p[:len(p)-len(path.Ext(p))]
}

//go:noinline
func (b *builder) note(text string, chunk, field int) {
	b.split.terms([]byte(text), func(t term) {
		b.pairs = append(b.pairs, uint64(t)<<(pairChunk+pairField)|uint64(chunk)<<pairField|uint64(field))
	})
}

// text takes the lines of a file, each for the chunk that owns it.
func (b *builder) text(o *outline, data []byte, base int) {
	own := o.owners()
	line, from := 1, 0
	for from < len(data) {
		owner, to := own[min(line, o.lines)], from
		for to < len(data) && own[min(line, o.lines)] == owner {
			for to < len(data) && data[to] != '\n' {
				to++
			}
			to = min(to+1, len(data))
			line++
		}
		n, tag := 0, uint64(owner)<<pairField
		b.split.terms(data[from:to], func(t term) {
			n++
			b.pairs = append(b.pairs, uint64(t)<<(pairChunk+pairField)|tag)
		})
		size := &b.sizes[base+int(owner)]
		*size = uint16(min(int(*size)+n, 1<<16-1))
		from = to
	}
}

// chunkOf is the chunk that a definition stands in.
func (o *outline) chunkOf(symbol int) int {
	s := o.symbols[symbol]
	at, _ := slices.BinarySearchFunc(o.chunks[1:], symbol+1, func(c chunk, want int) int { return c.symbol - want })
	if at > 0 && o.chunks[at].symbol >= 0 && o.chunks[at].from <= s.Line && s.Line <= o.chunks[at].to {
		return at
	}
	return 0
}

// post adds the gathered pairs of one file to the lists.
func (b *builder) post(base uint32, file int32) {
	slices.Sort(b.pairs)
	for i := 0; i < len(b.pairs); {
		key := b.pairs[i] >> pairField
		fields, times := 0, 0
		for ; i < len(b.pairs) && b.pairs[i]>>pairField == key; i++ {
			if f := int(b.pairs[i] & (1<<pairField - 1)); f != 0 {
				fields |= f
			} else {
				times++
			}
		}
		b.posting(term(key>>pairChunk), base+uint32(key&(1<<pairChunk-1)), file, fields, times)
	}
}

func (b *builder) posting(t term, chunk uint32, file int32, fields, times int) {
	n, ok := b.at[t]
	if !ok {
		n = int32(len(b.lists))
		b.at[t] = n
		if len(b.lists) < cap(b.lists) {
			b.lists = b.lists[:n+1]
			b.lists[n] = list{term: t, data: b.lists[n].data[:0]}
		} else {
			b.lists = append(b.lists, list{term: t})
		}
	}
	l := &b.lists[n]
	if times != 1 {
		fields |= often
	}
	l.data = binary.AppendUvarint(l.data, uint64(chunk+1-l.last)<<fieldBits|uint64(fields))
	if times != 1 {
		l.data = append(l.data, byte(min(times, 255)))
	}
	l.last = chunk + 1
	if l.file != file+1 {
		l.file = file + 1
		l.files++
	}
}

// blockSize is how much of the lists is read at once.
const blockSize = 8 << 10

// blocks writes the lists in the order of their terms.
func (b *builder) blocks(each func(first term, data []byte) error) error {
	order := make([]int32, len(b.lists))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(x, y int32) int {
		if b.lists[x].term < b.lists[y].term {
			return -1
		}
		return 1
	})
	var data []byte
	var first, last term
	for _, n := range order {
		l := &b.lists[n]
		if len(data) == 0 {
			first, last = l.term, l.term
		}
		data = binary.AppendUvarint(data, uint64(l.term-last))
		data = binary.AppendUvarint(data, uint64(l.files))
		data = binary.AppendUvarint(data, uint64(len(l.data)))
		data = append(data, l.data...)
		last = l.term
		if len(data) >= blockSize {
			if err := each(first, data); err != nil {
				return err
			}
			data = data[:0]
		}
	}
	if len(data) == 0 {
		return nil
	}
	return each(first, data)
}

// entries reads a block: every term with the number of its files and its postings.
func entries(first term, data []byte, each func(t term, files uint32, postings []byte) bool) bool {
	for t := first; len(data) > 0; {
		delta, a := binary.Uvarint(data)
		files, c := binary.Uvarint(data[max(a, 0):])
		if a <= 0 || c <= 0 {
			return false
		}
		size, d := binary.Uvarint(data[a+c:])
		if d <= 0 || uint64(len(data)-a-c-d) < size {
			return false
		}
		data = data[a+c+d:]
		t += term(delta)
		if !each(t, uint32(files), data[:size]) {
			return true
		}
		data = data[size:]
	}
	return true
}

// postings reads a list.
func postings(data []byte, each func(chunk uint32, fields, times int)) bool {
	chunk := uint32(0)
	for len(data) > 0 {
		v, n := binary.Uvarint(data)
		if n <= 0 {
			return false
		}
		data = data[n:]
		chunk += uint32(v >> fieldBits)
		fields, times := int(v&(1<<fieldBits-1)), 1
		if fields&often != 0 {
			if len(data) == 0 {
				return false
			}
			times, data = int(data[0]), data[1:]
		}
		each(chunk-1, fields, times)
	}
	return true
}

// meta is what a query has to know of all files of a segment.
func (b *builder) meta() []byte {
	var data []byte
	chunk := 0
	for _, f := range b.files {
		data = binary.AppendUvarint(data, uint64(f.chunks))
		data = append(data, byte(f.flags))
		data = binary.AppendVarint(data, f.known.mtime/1e9)
		for _, size := range b.sizes[chunk : chunk+f.chunks] {
			data = binary.AppendUvarint(data, uint64(size))
		}
		chunk += f.chunks
	}
	return data
}

// read fills a segment from its meta.
func (s *segment) read(data []byte) bool {
	r := reader{data: data}
	for len(r.data) > 0 && !r.broken {
		m := member{first: uint32(len(s.chunks))}
		n := r.number()
		m.flags = flags(r.byte())
		m.mtime = r.signed()
		if n == 0 || n > maxChunks+1 {
			return false
		}
		for range n {
			size := r.number()
			m.size += uint32(size)
			s.chunks = append(s.chunks, uint32(len(s.files)))
			s.sizes = append(s.sizes, uint16(size))
		}
		s.files = append(s.files, m)
	}
	return !r.broken
}

// A reader reads numbers and texts; once something is missing it gives zeros and is broken.
type reader struct {
	data   []byte
	all    string // the same from its beginning, which texts are parts of
	broken bool
}

func (r *reader) number() uint64 {
	v, n := binary.Uvarint(r.data)
	if n <= 0 {
		r.broken, r.data = true, nil
		return 0
	}
	r.data = r.data[n:]
	return v
}

// line is a number of a line, or of something that there is less of.
//
//go:noinline
func (r *reader) line() int {
	n := r.number()
	if n > largestFile {
		r.broken, r.data = true, nil
		return 0
	}
	return int(n)
}

func (r *reader) signed() int64 {
	v, n := binary.Varint(r.data)
	if n <= 0 {
		r.broken, r.data = true, nil
		return 0
	}
	r.data = r.data[n:]
	return v
}

func (r *reader) byte() byte {
	if len(r.data) == 0 {
		r.broken = true
		return 0
	}
	b := r.data[0]
	r.data = r.data[1:]
	return b
}

func (r *reader) text() string {
	n := r.number()
	if n > uint64(len(r.data)) {
		r.broken, r.data = true, nil
		return ""
	}
	at := len(r.all) - len(r.data)
	r.data = r.data[n:]
	return r.all[at : at+int(n)]
}

// encode writes an outline down.
func (o *outline) encode() []byte {
	data := appendText(nil, o.lang)
	data = binary.AppendUvarint(data, uint64(o.lines))
	data = binary.AppendUvarint(data, uint64(len(o.symbols)))
	for _, s := range o.symbols {
		for _, text := range []string{s.Name, s.Kind, s.Sign, s.Parent} {
			data = appendText(data, text)
		}
		data = binary.AppendUvarint(data, uint64(s.Line))
		data = binary.AppendUvarint(data, uint64(s.Line-s.From))
		data = binary.AppendUvarint(data, uint64(s.To-s.Line))
	}
	data = binary.AppendUvarint(data, uint64(len(o.chunks)))
	for _, c := range o.chunks {
		data = binary.AppendUvarint(data, uint64(c.from))
		data = binary.AppendUvarint(data, uint64(c.to))
		data = binary.AppendUvarint(data, uint64(c.symbol+1))
	}
	return data
}

//go:noinline
func appendText(data []byte, s string) []byte {
	return append(binary.AppendUvarint(data, uint64(len(s))), s...)
}

func decodeOutline(data []byte) (o outline, ok bool) {
	r := reader{data: data, all: string(data)}
	o.lang, o.lines = r.text(), r.line()
	n := r.number()
	if n > uint64(len(r.data)) {
		return o, false
	}
	o.symbols = make([]Symbol, 0, n)
	for ; n > 0 && !r.broken; n-- {
		s := Symbol{Name: r.text(), Kind: r.text(), Sign: r.text(), Parent: r.text(), Line: r.line()}
		s.From = s.Line - r.line()
		s.To = s.Line + r.line()
		r.broken = r.broken || s.From < 1 || s.Name == ""
		o.symbols = append(o.symbols, s)
	}
	if n = r.number(); n > uint64(len(r.data)) {
		return o, false
	}
	o.chunks = make([]chunk, 0, n)
	for ; n > 0 && !r.broken; n-- {
		c := chunk{from: r.line(), to: r.line(), symbol: r.line() - 1}
		r.broken = r.broken || c.from < 1 || c.symbol >= len(o.symbols)
		o.chunks = append(o.chunks, c)
	}
	return o, !r.broken && len(o.chunks) > 0
}
