package workspace

import (
	"os"
	"regexp"
)

// A spool keeps the end of an output on the disk, in a file without a name: it is gone when nebula is, however that ends.
type spool struct {
	f    *os.File
	reel handed[reel]
}

// A reel is how far a spool has come.
type reel struct {
	total   int64         // bytes that came
	read    int64         // bytes that were read, or passed over
	failed  bool          // the disk took no more
	news    chan struct{} // closed when there is more
	awaited *regexp.Regexp
	line    []byte // the end of what came, in which what is awaited may begin
	found   string // the line that it was found in
}

const (
	spoolSize = 8 << 20  // bytes that are kept
	lineMost  = 8 << 10  // bytes in which what is awaited has to stand
	pieceMost = 64 << 10 // bytes of what was not read that are looked through
)

func newSpool(dir string) (*spool, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, "job-")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name()) // where an open file cannot be removed, close does
	return &spool{f, hand(reel{news: make(chan struct{})})}, nil
}

func (s *spool) close() {
	_ = s.f.Close()
	_ = os.Remove(s.f.Name())
}

// add takes in what came.
func (s *spool) add(data []byte) {
	s.reel.with(func(r *reel) {
		for rest := data; len(rest) > 0 && !r.failed; {
			at := r.total % spoolSize
			n, err := s.f.WriteAt(rest[:min(int64(len(rest)), spoolSize-at)], at)
			r.failed = err != nil
			r.total += int64(n)
			rest = rest[n:]
		}
		r.look(data)
		close(r.news)
		r.news = make(chan struct{})
	})
}

// look finds what is awaited.
func (r *reel) look(data []byte) {
	if r.awaited == nil {
		return
	}
	r.line = append(r.line, data...)
	if at := r.awaited.FindIndex(r.line); at != nil {
		r.found, r.awaited, r.line = string(lineAt(r.line, at[0])), nil, nil
		return
	}
	r.line = append([]byte(nil), r.line[max(len(r.line)-lineMost, 0):]...)
}

// lineAt is the line of a text that a place is in.
func lineAt(text []byte, at int) []byte {
	from, to := at, at
	for from > 0 && text[from-1] != '\n' {
		from--
	}
	for to < len(text) && text[to] != '\n' {
		to++
	}
	return text[from:min(to, from+500)]
}

// await has something looked for, in what was not read yet and in what comes; nil is for nothing.
func (s *spool) await(what *regexp.Regexp) {
	s.reel.with(func(r *reel) {
		if r.awaited, r.found, r.line = what, "", nil; what != nil {
			r.look(s.before(r.total, min(r.total-r.read, pieceMost)))
		}
	})
}

// state tells what was found and how much is new, and gives what closes when there is more to tell.
//
//go:noinline
func (s *spool) state() (found string, fresh int64, news chan struct{}) {
	s.reel.with(func(r *reel) { found, fresh, news = r.found, r.total-r.read, r.news })
	return found, fresh, news
}

// take gives what came since it was called last, its end where that is more than some bytes, and how much stood before.
func (s *spool) take(most int) (data []byte, before int64) {
	s.reel.with(func(r *reel) {
		data = s.before(r.total, min(r.total-r.read, int64(most)))
		before = r.total - r.read - int64(len(data))
		r.read, r.found = r.total, ""
	})
	return data, before
}

// tail is the end of what came, read or not.
//
//go:noinline
func (s *spool) tail(most int) (data []byte) {
	s.reel.with(func(r *reel) { data = s.before(r.total, min(r.total, int64(most))) })
	return data
}

// before are the last bytes of those that came up to a place, as far as they are kept.
func (s *spool) before(end, n int64) []byte {
	data := make([]byte, min(n, spoolSize))
	n = int64(len(data))
	for done := int64(0); done < n; {
		at := (end - n + done) % spoolSize
		read, err := s.f.ReadAt(data[done:min(n, done+spoolSize-at)], at)
		if done += int64(read); err != nil {
			return data[:done]
		}
	}
	return data
}
