package agent

import "testing"

func TestNothingOfAnAnswerIsLost(t *testing.T) {
	for _, c := range []struct{ whole, told, rest string }{
		{"One.\nTwo.", "One.\n", "\nTwo."},
		{"One.\n\nTwo.", "One.\n\n\n\nTw", "o."},
		{"One.", "One.\n", ""},
		{"One.", "", "One."},
		{"The answer.", "A thought.\n", "The answer."},
		{"", "A thought.", ""},
	} {
		if got := untold(c.whole, c.told); got != c.rest {
			t.Errorf("of %q, %q was told, and then %q; want %q", c.whole, c.told, got, c.rest)
		}
	}
}
