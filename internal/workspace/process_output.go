package workspace

import (
	"io"
	"time"

	"nebula/internal/redact"
)

// outline keeps the head and the tail of an output of any length in a fixed amount of memory.
type outline struct {
	head  []byte
	tail  []byte // a ring once it is full
	at    int    // where the ring's oldest byte is
	total int64

	most uint64        // bytes that may come; 0 for any
	over chan struct{} // closed when more came

	secrets *redact.Stream // takes the secrets out as the output comes; nil for nothing
}

// newOutline keeps cap bytes: a third from the beginning, the rest from the end, where errors tend to stand.
func newOutline(limit int) *outline {
	limit = max(limit, 2)
	head := max(limit/3, 1)
	return &outline{head: make([]byte, 0, head), tail: make([]byte, 0, limit-head), over: make(chan struct{})}
}

// breath is how much of a command's output is read without a pause, while others run as well.
const breath = 256 << 10

// readFrom reads r to its end, or until it cannot be read, and passes on every piece.
func (o *outline) readFrom(r io.Reader, out func([]byte)) {
	buf := make([]byte, 32<<10)
	burst := 0
	for {
		n, err := r.Read(buf)
		if burst += n; burst >= breath {
			burst = 0
			if several() { // whoever types is heard, however many commands write as fast as they can
				time.Sleep(time.Millisecond)
			}
		}
		piece := buf[:n]
		if o.secrets != nil {
			text := o.secrets.Feed(string(piece))
			if err != nil {
				text += o.secrets.End()
			}
			piece = []byte(text)
		}
		if len(piece) > 0 {
			o.add(piece)
			if out != nil {
				out(piece)
			}
		}
		if err != nil {
			return
		}
	}
}

func (o *outline) add(data []byte) {
	if before := uint64(o.total); o.most > 0 && before <= o.most && before+uint64(len(data)) > o.most {
		close(o.over)
	}
	o.total += int64(len(data))
	n := min(cap(o.head)-len(o.head), len(data))
	o.head = append(o.head, data[:n]...)
	data = data[n:]
	if over := len(data) - cap(o.tail); over > 0 {
		data = data[over:]
	}
	n = min(cap(o.tail)-len(o.tail), len(data))
	o.tail = append(o.tail, data[:n]...)
	data = data[n:]
	for len(data) > 0 {
		n := copy(o.tail[o.at:], data)
		o.at = (o.at + n) % len(o.tail)
		data = data[n:]
	}
}

// kept is what is left of the output, how many bytes of it are the head, and how long the whole was.
func (o *outline) kept() (data []byte, head int, total int64) {
	data = append(data, o.head...)
	data = append(data, o.tail[o.at:]...)
	data = append(data, o.tail[:o.at]...)
	return data, len(o.head), o.total
}
