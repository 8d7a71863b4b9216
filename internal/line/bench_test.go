package line

import (
	"io"
	"testing"
	"time"

	"nebula"
)

// BenchmarkStreamed20000 folds and draws twenty thousand pieces of an answer as fast as they can come.
func BenchmarkStreamed20000(b *testing.B) {
	for b.Loop() {
		v := newView(english, paletteFor(true), false, time.Now())
		s := screen{out: io.Discard, width: 100, height: 40}
		drawn := time.Now()
		for i := range 20_000 {
			piece := nebula.Streamed{Kind: "text", Text: "word 語 "}
			if i%40 == 39 {
				piece.Text = "end of the line\n"
			}
			v.fold(nebula.Event{Body: piece})
			if time.Since(drawn) > frame {
				if err := s.draw(v.printed(), append(v.moving(time.Now()), "› "), 2, 0); err != nil {
					b.Fatal(err)
				}
				drawn = time.Now()
			}
		}
		if err := s.draw(v.printed(), nil, 0, 0); err != nil {
			b.Fatal(err)
		}
	}
}
