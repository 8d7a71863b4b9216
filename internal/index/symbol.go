package index

// A Symbol is a definition in a file.
type Symbol struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"`             // func, method, type, class, interface, const, var, module, heading, …
	Line   int    `json:"line"`             // where it stands, from 1
	From   int    `json:"from"`             // where its comment begins, or Line
	To     int    `json:"to"`               // its last line
	Sign   string `json:"sign"`             // its head, without the body
	Parent string `json:"parent,omitempty"` // the type or module that it belongs to
}

// An outline is what stands where in a file.
type outline struct {
	lang    string
	symbols []Symbol
	chunks  []chunk // the first holds the path and what stands outside of all others
	lines   int
}

// A chunk is a run of lines that is found as one.
type chunk struct {
	from, to int // lines
	symbol   int // the definition that it is, or -1
}

// Bounds on what one file may cost.
const (
	maxSymbols = 3000
	maxChunks  = 1500
	plainLines = 40 // of a chunk where nothing is defined
	maxSign    = 160
)

// outlined finds a file's definitions and cuts it into chunks.
func outlined(path string, data []byte) outline {
	l := languageOf(path, data)
	o := outline{lines: countLines(data)}
	if l != nil {
		o.lang = l.name
		if l.name == "Go" {
			o.symbols = goSymbols(data)
		} else {
			o.symbols = l.symbols(data)
		}
	}
	if len(o.symbols) > maxSymbols {
		o.symbols = o.symbols[:maxSymbols]
	}
	o.cut()
	return o
}

//go:noinline
func countLines(data []byte) int {
	n := 0
	for _, c := range data {
		if c == '\n' {
			n++
		}
	}
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n
}

// cut makes the chunks: one for every definition of more than a few lines, one for each run of short ones.
func (o *outline) cut() {
	o.chunks = append(o.chunks, chunk{1, o.lines, -1})
	for i, s := range o.symbols {
		if len(o.chunks) >= maxChunks {
			return
		}
		last := &o.chunks[len(o.chunks)-1]
		if short(s) && len(o.chunks) > 1 && last.symbol >= 0 && short(o.symbols[last.symbol]) && s.From <= last.to+1 && s.To-last.from < plainLines {
			last.to = max(last.to, s.To)
			continue
		}
		o.chunks = append(o.chunks, chunk{s.From, s.To, i})
	}
	if len(o.symbols) > 0 {
		return
	}
	for from := 1; from <= o.lines && o.lines > plainLines && len(o.chunks) < maxChunks; from += plainLines {
		o.chunks = append(o.chunks, chunk{from, min(from+plainLines-1, o.lines), -1})
	}
}

//go:noinline
func short(s Symbol) bool {
	return s.To-s.From < 4 && (s.Kind == "const" || s.Kind == "var" || s.Kind == "field")
}

// owners tells for every line which chunk it belongs to: the innermost.
func (o *outline) owners() []int32 {
	own := make([]int32, o.lines+1)
	for i, c := range o.chunks {
		if i == 0 {
			continue
		}
		for l := c.from; l <= min(c.to, o.lines); l++ {
			own[l] = int32(i)
		}
	}
	return own
}
