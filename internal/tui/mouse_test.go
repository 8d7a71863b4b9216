package tui

import "testing"

// TestMarkedTextIsTheConversations marks rows beside the panel, across wide characters.
func TestMarkedTextIsTheConversations(t *testing.T) {
	rows := []string{"\x1b[1m日本語\x1b[0m and    │ panel", "more text   │ panel", "the end     │ panel"}
	for _, c := range []struct {
		d    selection
		want string
	}{
		{selection{x0: 0, y0: 0, x1: 3, y1: 0, most: 40}, "日本\n"},
		{selection{x0: 7, y0: 0, x1: 4, y1: 2, most: 12}, "and\nmore text\nthe e\n"},
		{selection{x0: 4, y0: 2, x1: 7, y1: 0, most: 12}, "and\nmore text\nthe e\n"},
		{selection{x0: 16, y0: 0, x1: 20, y1: 0, most: 40}, "panel\n"},
	} {
		if got := marked(rows, c.d); got != c.want {
			t.Errorf("%+v marks %q, want %q", c.d, got, c.want)
		}
	}
}
