package workspace

import (
	"crypto/sha1" //nolint:gosec // git's names of objects
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/redact"
)

// unreadLine is how long a line has to be to tell what file it is of, maxLooked bounds how many files are looked at for it.
const (
	unreadLine = 8
	maxLooked  = 50_000
)

// Unread is what came of an action without the lines of files that are not to be read, by whatever way they came there: from git's history, an
// archive, a test that prints them. A line that other files have too tells nothing of them, unless they are copies: those that the session touched.
// What a diff or a search shows of them by name is left out whatever it is: it may stand nowhere but in history.
func (s *Secrets) Unread(r nebula.Result, unread, touched func(path string) bool) nebula.Result {
	if len(strings.TrimSpace(r.Text)) < unreadLine {
		return r
	}
	var held []string
	if r.Text = shownOf(r.Text, unread); len(r.Changes) > 0 {
		touched = orChanged(touched, r.Changes)
	}
	names := s.dir.allFiles()
	s.texts(names, func(text string) bool {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); len(line) >= unreadLine && strings.Contains(r.Text, line) && !lists.Has(held, line) {
				held = append(held, line)
			}
		}
		return true
	}, unread)
	if len(held) == 0 {
		return r
	}
	s.texts(names, func(text string) bool {
		held = lists.Drop(held, func(line string) bool { return strings.Contains(text, line) })
		return len(held) > 0
	}, func(path string) bool { return !unread(path) && !touched(path) })
	return redacted(redact.New(held), r)
}

// unread are what a command finds empty in its box, whole folders where nothing in them is to be read.
func (d *Dir) unread(c Command) (hidden []string) {
	if c.Unread == nil {
		return nil
	}
	for _, file := range d.allFiles() {
		if !c.Unread(file) {
			continue
		}
		for up := path.Dir(file); up != "." && c.Unread(up); up = path.Dir(up) {
			file = up
		}
		if at := d.real + "/" + file; !lists.Has(hidden, at) {
			hidden = append(hidden, at)
		}
	}
	return hidden
}

// hid are the files that the box of a command hid so; there may be no box.
func (b *before) hid() []string {
	if b == nil {
		return nil
	}
	return b.unread
}

func orChanged(touched func(string) bool, changes []nebula.Change) func(string) bool {
	return func(path string) bool {
		return touched(path) || slices.ContainsFunc(changes, func(c nebula.Change) bool { return c.Path == path })
	}
}

// allFiles are those of the folder, ignored ones among them, without git's and nebula's own.
func (d *Dir) allFiles() (files []string) {
	looked := 0
	var walk func(h *handle, from string, depth int)
	walk = func(h *handle, from string, depth int) {
		all, _ := h.names() // what cannot be read shows nothing
		for _, e := range all {
			if looked++; looked > maxLooked || depth > maxDepth {
				return
			}
			switch {
			case e.mode.IsRegular():
				files = append(files, from+e.name)
			case e.mode.IsDir() && e.name != ".git" && !d.owns(d.real+"/"+from+e.name):
				if sub, err := h.sub(e.name); err == nil {
					walk(sub, from+e.name+"/", depth+1)
					sub.close()
				}
			}
		}
	}
	walk(d.top, "", 0)
	return files
}

// texts gives those of some files that are wanted, until it is enough.
func (s *Secrets) texts(names []string, take func(text string) bool, wanted func(path string) bool) {
	for _, name := range names {
		if wanted(name) {
			if data, _, err := s.dir.Read(name, maxValues); err == nil && !take(string(data)) {
				return
			}
		}
	}
}

// Lines of a result that tell of which file those behind them are, or they themselves; what stands before them is a graph's.
var (
	ofDiff   = &lazy.Pattern{X: `^[ |*\\/_]*diff (?:--git|--cc|--combined|-\S+)(?: -\S+)* (.+)$`}
	ofCommit = &lazy.Pattern{X: `^[ |*\\/_]*(?:commit|From) [0-9a-f]{7,}`}
	ofSearch = [...]*lazy.Pattern{{X: `^([^\s:]+?)(?::|-\d+-)[ \t]*\S`}, {X: `^[^\s:]+:([^\s:]+?)(?::|-\d+-)[ \t]*\S`}}
)

// shownOf is a text without what diffs and searches of git's show of files that are not to be read.
func shownOf(text string, unread func(path string) bool) string {
	if !strings.Contains(text, "diff ") && !strings.Contains(text, ":") {
		return text
	}
	named := func(words string) bool { // a/x b/x, in quotes or not, and with any prefix or none
		return slices.ContainsFunc(strings.Fields(words), func(w string) bool {
			w = strings.Trim(w, `"`)
			_, rest, _ := strings.Cut(w, "/")
			return unread(w) || rest != "" && unread(rest)
		})
	}
	var b strings.Builder
	within, said, diff := false, false, false
	for line := range strings.Lines(text) {
		if m := ofDiff.For(line).FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			within, said, diff = named(m[1]), false, true
		} else if ofCommit.In(line) {
			within = false
		} else if diff && strings.HasPrefix(line, "[") && !strings.HasPrefix(line, "[-") {
			within, said = true, false // of which file what stands behind what was left out is, nobody knows
		} else if within || slices.ContainsFunc(ofSearch[:], func(x *lazy.Pattern) bool {
			m := x.For(line).FindStringSubmatch(line)
			return m != nil && unread(m[1])
		}) {
			if !within || !said {
				b.WriteString(redact.Hidden + "\n")
			}
			said = within
			continue
		}
		b.WriteString(line)
	}
	return b.String()
}

// Kept is how far git has files that are not to be read: 0 where none is in its index, 1 where they are there as they are in the folder, and 2
// where they differ, or that cannot be told.
func (s *Secrets) Kept(unread func(path string) bool) (how int) {
	for top := s.dir.real; ; top = filepath.Dir(top) {
		x := indexOf(top)
		if x == nil {
			if top == filepath.Dir(top) {
				return 2 // whichever it is, it is not this folder's
			}
			continue
		}
		if x.unread {
			return 2
		}
		for name, object := range x.has {
			rel, below := strings.CutPrefix(top+"/"+name, s.dir.real+"/")
			if !below || !unread(rel) {
				continue
			}
			data, _, err := s.dir.Read(rel, maxValues)
			if sum := sha1.Sum(append(fmt.Appendf(nil, "blob %d\x00", len(data)), data...)); err != nil || string(sum[:]) != object { //nolint:gosec // as above
				return 2
			}
			how = 1
		}
		return how
	}
}
