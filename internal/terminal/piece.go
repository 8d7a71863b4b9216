package terminal

import (
	"bytes"
	"io"
	"time"

	"nebula/internal/lazy"
)

// pieces reads what a terminal sends so that none of its sequences is read in pieces, however late the rest comes: what has begun
// waits for its end. The rest of an answer whose beginning was read by somebody else is nothing typed.
type pieces struct {
	in     io.Reader
	held   []byte    // a sequence that has begun
	headed bool      // the beginning of one may have been read without its rest
	since  time.Time // when either of them was
}

// rest is how late the rest of a sequence may come, and soon how soon it must for a decoder to read it with its beginning.
const (
	rest = 2 * time.Second
	soon = 50 * time.Millisecond
)

var (
	opens = &lazy.Pattern{X: `\x1b(?:\[[0-?]+[ -/]*|(?:\]\d|P[\d>!]|_G)[^\x00-\x1f]*\x1b?)$`}
	goes  = &lazy.Pattern{X: `^(?:[ -~]|\a|\x1b\\)`}
	tail  = &lazy.Pattern{X: `^(?:\[?[\d;]*\dR|\[?\?[\d;]*[cnu]|[\d;]*;[\d;]*c|[\w:/;?\]]*(?:\x1b\\|\a))`}
)

// goOn reads from in, and from a second one as it would from one to which another has listened.
func (p *pieces) goOn(in io.Reader) {
	if p.in != nil && len(p.held) == 0 {
		p.headed, p.since = true, time.Now().Add(-soon)
	}
	p.in = in
}

// Read implements io.Reader.
func (p *pieces) Read(to []byte) (int, error) {
	for {
		n, err := p.in.Read(to[len(p.held):])
		if n == 0 || err != nil {
			return 0, err
		}
		all := to[:copy(to, p.held)+n]
		got, late := all[len(p.held):], time.Since(p.since)
		switch {
		case len(p.held) > 0 && late < rest && goes.Re().Match(got):
			got = all
		case len(p.held) > 0 || p.headed && late > soon && late < rest:
			got = got[len(tail.Re().Find(got)):]
		}
		at := opens.Re().FindIndex(got)
		if at == nil || len(got)-at[0] > len(to)/2 {
			at = []int{len(got)}
		}
		p.headed = bytes.HasSuffix(got, []byte("\x1b")) || bytes.HasSuffix(got, []byte("\x1b["))
		if len(p.held) == 0 {
			p.since = time.Now()
		}
		p.held = bytes.Clone(got[at[0]:])
		if n = copy(to, got[:at[0]]); n > 0 {
			return n, nil
		}
	}
}
