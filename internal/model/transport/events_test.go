package transport_test

import (
	"bytes"
	"reflect"
	"testing"

	"nebula/internal/model/transport"
)

func FuzzEvents(f *testing.F) {
	f.Add([]byte(hello), 7)
	f.Add([]byte("data: a\r\ndata:b\r\rdata: {\n: c\nevent: e\ndata\n\n"), 1)
	f.Fuzz(func(t *testing.T, body []byte, at int) {
		one, _ := transport.EventsOf(bytes.NewReader(body))
		at = int(uint(at) % uint(len(body)+1))
		if two, _ := transport.EventsOf(&halves{body[:at], body[at:]}); !reflect.DeepEqual(one, two) {
			t.Fatalf("%q cut at %d:\n%q\n%q", body, at, one, two)
		}
	})
}

type halves [2][]byte

func (h *halves) Read(p []byte) (int, error) {
	part := &h[0]
	if len(*part) == 0 {
		part = &h[1]
	}
	n, err := bytes.NewReader(*part).Read(p)
	*part = (*part)[n:]
	return n, err
}
