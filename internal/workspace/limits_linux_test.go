package workspace

import (
	"testing"
	"time"

	"nebula/internal/confine"
)

// What takes too much ends, and is all that ends: the next command runs as if nothing had been.
func TestWhatTakesTooMuchEndsAlone(t *testing.T) {
	d := boxed(t)
	beside := boxed(t)
	for _, tt := range []struct {
		line     string
		limits   confine.Limits
		exceeded confine.Exceeded
	}{
		{`:(){ :|:& };:`, confine.Limits{Processes: 48}, ""},
		{`yes`, confine.Limits{Output: 5 << 20}, confine.Output},
		{`yes | head -c 5000000`, confine.Limits{Output: 5 << 20}, ""},
		{`x=$(head -c 300000000 /dev/zero | tr '\0' x); sleep 9`, confine.Limits{Memory: 100 << 20}, confine.Memory},
		{`yes > big`, confine.Limits{Files: 1 << 20}, ""},
	} {
		other := make(chan Exit)
		go func() { other <- runs(t, beside, Command{Line: "sleep 1; echo fine"}) }()
		d.boxes.place.Limits = tt.limits
		began := time.Now()
		e := runs(t, d, Command{Line: tt.line, Timeout: 20 * time.Second})
		if e.Exceeded != tt.exceeded || e.TimedOut {
			t.Errorf("%s: exceeded %q, %d after %s: %.200s", tt.line, e.Exceeded, e.Code, time.Since(began), e.Output)
		}
		if e := <-other; string(e.Output) != "fine\n" {
			t.Errorf("%s: beside it: %d %s", tt.line, e.Code, e.Output)
		}
		d.boxes.place.Limits = confine.Limits{}
		if e := runs(t, d, Command{Line: "echo fine"}); string(e.Output) != "fine\n" {
			t.Errorf("after %s: %d %s", tt.line, e.Code, e.Output)
		}
	}
}

func runs(t *testing.T, d *Dir, c Command) Exit {
	t.Helper()
	e, err := d.Run(t.Context(), executing(t), c, nil)
	if err != nil {
		t.Error(err)
	}
	return e
}
