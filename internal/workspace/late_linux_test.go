package workspace

import (
	"os"
	"slices"
	"testing"
	"time"

	"nebula"
)

// What came into the folder after a killed nebula's command had ended is the person's, and where that is not sure it stays and is named.
func TestWhatCameAfterAKillIsThePersons(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  func(*began)
		want []string // of the command
		lost []string
	}{
		{"the guard says it", func(r *began) { gone(r.file) }, []string{"a", "dir", "dir/in"}, nil},
		{"nobody says it", func(r *began) { _ = os.Chtimes(r.file, time.Now(), time.Now()) }, []string{"a", "dir", "dir/in"}, []string{"empty", "fresh", "mine"}},
		{"long after", func(r *began) { then := time.Now().Add(-2 * doubt); _ = os.Chtimes(r.file, then, then) }, []string{"dir"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := opened(t)
			d.Cover(t.TempDir(), DefaultBudget)
			laid(t, d, map[string]string{"a": "1", "mine": "1"})
			s, err := d.Snapshot(t.Context(), "run")
			if err != nil {
				t.Fatal(err)
			}
			_, _ = sh(d.Path(), "echo 2 > a; mkdir dir; echo 2 > dir/in")
			close(s.run.stop) // as it is killed
			<-s.run.done
			_ = s.run.held.Close()
			time.Sleep(20 * time.Millisecond)
			tt.end(s.run)
			time.Sleep(20 * time.Millisecond)
			_, _ = sh(d.Path(), "echo 3 > mine; echo 3 > fresh; mkdir empty")
			changes, lost, known := d.Left(t.Context(), "run", nil)
			var names []string
			for _, c := range changes {
				names = append(names, c.Path)
			}
			if !known || !slices.Equal(names, tt.want) || !slices.Equal(lost, tt.lost) {
				t.Errorf("%q, lost %q, %v", names, lost, known)
			}
			if _, left, err := d.Restore(t.Context(), restoring(t, changes), changes); err != nil || slices.ContainsFunc(left, func(l nebula.Left) bool { return l.Why != nebula.ChangedSince }) {
				t.Error(left, err)
			}
			if data, _ := os.ReadFile(d.Path() + "/mine"); string(data) != "3\n" {
				t.Errorf("mine is %q", data)
			}
		})
	}
}
