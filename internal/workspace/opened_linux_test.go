package workspace

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// That a command opened what holds secrets is seen however it ended: by itself, at its time limit, or as it was stopped.
func TestWhatWasOpenedIsSeenAtEveryEnd(t *testing.T) {
	d := boxed(t)
	if err := os.WriteFile(filepath.Join(d.Path(), ".env"), []byte("API_TOKEN=canary9182abcd77\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		line string
		time time.Duration
		stop bool
		want bool
	}{
		"itself":  {"rev .e*", 0, false, true},
		"time":    {"rev .e*; touch /tmp/done; sleep 60", time.Second, false, true},
		"stopped": {"rev .e*; sleep 60", 0, true, true},
		"deaf":    {"trap '' TERM; rev .e*; setsid sleep 60 & sleep 60", time.Second, false, true},
		"plain":   {"ls; sleep 60", time.Second, false, false},
	} {
		ctx, stop := context.WithCancel(t.Context())
		out := func([]byte) {
			if tt.stop {
				stop()
			}
		}
		e, err := d.Run(ctx, executing(t), Command{Line: tt.line, Timeout: max(tt.time*3, tt.time), Watch: true, View: true}, out)
		stop()
		if err != nil || e.Effects == nil {
			t.Fatal(name, err)
		}
		e.Effects.Drop()
		if got := slices.Equal(e.Opened, []string{".env"}); got != tt.want || e.Stopped != tt.stop || e.TimedOut != (tt.time > 0) {
			t.Errorf("%s: %q, %+v", name, e.Opened, e)
		}
	}
}

// What is forgotten leaves no name at /tmp: no folder, link, pipe or file; what stood there before stays.
func TestNoNameStaysOfWhatIsForgotten(t *testing.T) {
	d := boxed(t)
	runs(t, d, Command{Line: "mkdir -p /tmp/old/sub; echo x > /tmp/old/keep"})
	was, err := lstatPath(filepath.Join(d.boxes.tmp.path, "old", "keep"))
	for now := was; err == nil && now.mark().ctime <= was.mark().ctime; { // what comes in the same tick of the clock counts as later
		probe := filepath.Join(t.TempDir(), "tick")
		if err = os.WriteFile(probe, nil, 0o600); err == nil {
			now, err = lstatPath(probe)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	e := tried(t, d, "cd /tmp; mkdir -p canary/a/b; echo x > canary/a/b/f; ln -s canary link; ln -s nowhere away; mkfifo pipe; mkdir old/canary; mkdir shut; echo x > shut/f; chmod 0 shut; echo x > old/new")
	e.Forget()
	left := runs(t, d, Command{Line: "cd /tmp && find canary link away pipe shut old 2>/dev/null | sort"})
	if got := strings.Fields(string(left.Output)); !slices.Equal(got, []string{"old", "old/keep", "old/sub"}) {
		t.Errorf("%q", got)
	}
}
