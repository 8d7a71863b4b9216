package terminal

import (
	"sync/atomic"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/clipperhouse/displaywidth"
)

// wide says that the terminal gives two columns to the characters whose width Unicode leaves open (East Asian
// ambiguous: ※ ① α … ─). A program has one terminal, and every width in it is a width on that terminal.
var wide atomic.Bool

func measure() displaywidth.Options { return displaywidth.Options{EastAsianWidth: wide.Load()} }

// SetAmbiguous says how wide ambiguous characters are: "wide" or "narrow". With anything else they are narrow until the
// terminal answers the question that comes back, which the front end writes, and whose answer it gives to [Measured].
//
//go:noinline
func SetAmbiguous(width string, inline bool) (ask string) {
	wide.Store(width == "wide")
	switch {
	case width == "wide" || width == "narrow":
		return ""
	case inline:
		return "\r※\x1b[6n\r\x1b[K"
	}
	return "\x1b[5;1H※\x1b[6n" // in the first row the answer could be taken for a key
}

// Measured takes the terminal's answer, and reports whether widths are others from now on. Other events are none.
func Measured(e uv.Event) (changed bool) {
	at, ok := e.(uv.CursorPositionEvent)
	if !ok || at.X != 1 && at.X != 2 {
		return false
	}
	now := at.X == 2
	return wide.Swap(now) != now
}
