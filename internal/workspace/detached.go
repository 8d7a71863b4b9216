package workspace

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"nebula"
	"nebula/internal/confine"
	"nebula/internal/lists"
)

// A Detached job is one that the person let go on without its session: its guard looks after it alone, and notes in a file
// how it stands. What it makes that no command may make is not put aside any more.
type Detached struct {
	ID     int            `json:"id"`    // the number of its guard's process
	Start  uint64         `json:"start"` // of that process, since numbers come again
	Folder string         `json:"folder"`
	Line   string         `json:"line"`
	Began  time.Time      `json:"began"`
	Held   confine.Held   `json:"held,omitempty"` // the layers of the box that it runs in
	Serves []confine.Door `json:"serves,omitempty"`
	Ended  bool           `json:"ended,omitempty"`
	Code   int            `json:"code,omitempty"` // as [Exit] has it

	at string // the folder in which that stands
}

const (
	endNote    = ".json" // how it stands
	endOutput  = ".out"  // what it writes; what it wrote before that, in a file with one ending more
	endEarlier = ".1"
	spent      = 24 * time.Hour // how long one that ended is remembered
)

func (d *Detached) file(ending string) string {
	return filepath.Join(d.at, strconv.Itoa(d.ID)+ending)
}

// note writes down how it stands.
func (d *Detached) note() error {
	data, err := json.Marshal(d)
	if err != nil {
		return err
	}
	if err := os.WriteFile(d.file(endNote+".new"), data, 0o600); err != nil {
		return err
	}
	return os.Rename(d.file(endNote+".new"), d.file(endNote))
}

// Running reports whether it goes on.
//
//go:noinline
func (d *Detached) Running() bool { return !d.Ended && startOf(d.ID) == d.Start && d.Start != 0 }

// Says is its command on one line.
func (d *Detached) Says() string { return strings.Join(strings.Fields(d.Line), " ") }

// forget takes away what is known of it.
func (d *Detached) forget() {
	for _, ending := range []string{endNote, endOutput, endOutput + endEarlier} {
		_ = os.Remove(d.file(ending))
	}
}

// Stop ends it, and everything that it started. Of one that ended nothing is known any more.
func (d *Detached) Stop() error {
	if d.Running() {
		if err := d.end(); err != nil {
			return err
		}
	}
	d.forget()
	return nil
}

// Detached are the jobs of this folder that go on without their sessions, or did so today.
func (s *Jobs) Detached() (all []*Detached) {
	files, _ := os.ReadDir(s.at)
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), endNote) {
			continue
		}
		d := &Detached{at: s.at}
		data, err := os.ReadFile(filepath.Join(s.at, f.Name()))
		if err != nil || json.Unmarshal(data, d) != nil || d.Folder != s.dir.real {
			continue
		}
		if info, err := f.Info(); err == nil && !d.Running() && time.Since(info.ModTime()) > spent {
			d.forget()
			continue
		}
		all = append(all, d)
	}
	lists.Sort(all, func(a, b *Detached) int { return a.Began.Compare(b.Began) })
	return all
}

// TailOf is the end of what one wrote, without secrets.
func (s *Jobs) TailOf(d *Detached, most int) []byte {
	data, _ := os.ReadFile(d.file(endOutput + endEarlier))
	more, _ := os.ReadFile(d.file(endOutput))
	_, files := s.dir.pins()
	known := values(append(gitsOwn(), files...)).redactor()
	text := known.Stream().Addresses().Feed(known.Text(string(append(data, more...)) + "\n"))
	return []byte(text[max(len(text)-most, 0):])
}

// Detach lets a job go on when its session ends, and this nebula. It is no job of the session any more. What it made until now
// that no command may make is put aside; who detaches it answers for what it makes later.
func (j *Job) Detach() (*Detached, error) {
	answer := make(chan error, 1)
	select {
	case j.parting <- answer:
	case <-j.done:
		return nil, nebula.Wrong("Start it again.", "It has ended.")
	}
	if err := <-answer; err != nil {
		return nil, err
	}
	return j.apart, nil
}
