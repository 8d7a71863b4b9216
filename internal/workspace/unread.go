package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"nebula"
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
func (s *Secrets) Unread(r nebula.Result, unread, touched func(path string) bool) nebula.Result {
	var held []string
	s.files(func(rel, text string) bool {
		if unread(rel) {
			for line := range strings.Lines(text) {
				if line = strings.TrimSpace(line); len(line) >= unreadLine && strings.Contains(r.Text, line) && !lists.Has(held, line) {
					held = append(held, line)
				}
			}
		}
		return true
	}, unread)
	if len(held) == 0 {
		return r
	}
	s.files(func(rel, text string) bool {
		held = lists.Drop(held, func(line string) bool { return strings.Contains(text, line) })
		return len(held) > 0
	}, func(path string) bool {
		return !unread(path) && !touched(path) && !slices.ContainsFunc(r.Changes, func(c nebula.Change) bool { return c.Path == path })
	})
	return redacted(redact.New(held), r)
}

// files gives the texts of those of the folder's files that are wanted, until it is enough.
func (s *Secrets) files(take func(rel, text string) bool, wanted func(path string) bool) {
	looked := 0
	_ = filepath.WalkDir(s.dir.real, func(at string, e fs.DirEntry, err error) error { // what cannot be read shows nothing
		if looked++; looked > maxLooked {
			return fs.SkipAll
		}
		rel := strings.TrimPrefix(at, s.dir.real+"/")
		switch {
		case err != nil:
			return nil
		case e.IsDir() && (e.Name() == ".git" || s.dir.owns(at)):
			return fs.SkipDir
		case !e.Type().IsRegular() || !wanted(rel):
			return nil
		}
		if info, err := e.Info(); err != nil || info.Size() > maxValues {
			return nil
		}
		if data, err := os.ReadFile(at); err == nil && !take(rel, string(data)) {
			return fs.SkipAll
		}
		return nil
	})
}
