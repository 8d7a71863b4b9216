package cli

import (
	"bytes"
	"strings"
	"testing"
)

// Whether a session of a shared record is gone, or lies with another team, cannot be seen from here: it is told so. Of a record of one's own it can.
func TestWhatATeamCannotSeeIsNotToldAsCut(t *testing.T) {
	for shared, want := range map[bool]string{true: "came into another team", false: "missing from the record; it was cut"} {
		var out bytes.Buffer
		err := (&program{out: &out, env: func(string) string { return "" }}).lacking([]string{"s1"}, "text", shared)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "team") != shared {
			t.Errorf("shared %v: %v", shared, err)
		}
		if err := (&program{out: &out, env: func(string) string { return "" }}).lacking(nil, "text", shared); err != nil {
			t.Error(err)
		}
	}
}
