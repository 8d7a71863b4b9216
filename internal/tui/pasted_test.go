package tui

import (
	"fmt"
	"strings"
	"testing"

	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// A long paste that was sent stands in the conversation with its first lines and how many more there are, whole when it is
// opened; what a person writes stands there whole.
func TestALongPasteIsFolded(t *testing.T) {
	a := staged("en", 80)
	said := func(lines int, open bool) string {
		var b strings.Builder
		for i := range lines {
			fmt.Fprintf(&b, "line %d\n", i+1)
		}
		block := &block{row: &transcript.Row{Kind: transcript.Person, Text: strings.TrimSuffix(b.String(), "\n")}, open: open}
		return terminal.Unpainted(strings.Join(a.drawer().layout(block), "\n"))
	}
	if got := said(5000, false); strings.Count(got, "\n")+1 != saidShown+1 || !strings.Contains(got, "line 6") || !strings.Contains(got, "4994") {
		t.Errorf("folded:\n%s", got)
	}
	if got := said(5000, true); !strings.Contains(got, "line 5000") {
		t.Error("what is opened ends early")
	}
	if got := said(saidMost, false); !strings.Contains(got, fmt.Sprint("line ", saidMost)) {
		t.Errorf("what was written is cut:\n%s", got)
	}
}
