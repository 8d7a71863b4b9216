package workspace

import (
	"slices"
	"time"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/redact"
)

// Secrets are what the folders' files with secrets tell, as a session keeps it out of all that comes of its actions, by whatever
// way it comes there: from a copy, a log, another program. What is in a file that somebody let the session read is kept from it no
// more. Their methods may be called from any goroutine.
type Secrets struct {
	dir *Dir
	was handed[looked]
}

// A looked is what one look at the files came to.
type looked struct {
	redactor redact.Redactor
	until    time.Time // it is taken for so long
	told     []stat    // the files that may be read
}

// relook is how many times as long as a look took it is taken.
const relook = 100

// NewSecrets begins with no file that may be read.
//
//go:noinline
func NewSecrets(d *Dir) *Secrets { return &Secrets{dir: d, was: hand(looked{})} }

// Open notes that a proposal is carried out: the files that it reads or writes may be read, and what it changes is looked at anew.
func (s *Secrets) Open(p nebula.Proposal) {
	var told []stat
	for _, t := range p.Targets {
		if p.Ran != "" && p.Effect == nebula.Write { // what a command did there is kept: nobody is told what is in it
			break
		}
		e, err := s.dir.Stat(t.Path)
		if err == nil && (tells(e.Path) || e.Names > 1) && (t.Kind == "read" || t.Kind == "edit" || t.Kind == "create") {
			told = append(told, e.stat)
		}
	}
	if len(told) > 0 || p.Effect.Changes() {
		s.was.with(func(l *looked) {
			l.until = time.Time{}
			l.told = append(l.told, told...)
		})
	}
}

// open are those of some files that may be read.
func open(files []string, told []stat) (may []string) {
	for _, file := range files {
		if st, err := lstatPath(file); err == nil && slices.ContainsFunc(told, st.same) {
			may = append(may, file)
		}
	}
	return may
}

// Text is a text without what may not be known.
func (s *Secrets) Text(text string) string { return s.redactor().Text(text) }

// Result is what came of an action without what may not be known.
func (s *Secrets) Result(r nebula.Result) nebula.Result {
	return redacted(s.redactor(), r)
}

// redacted is what came of an action without what a redactor takes out.
func redacted(out redact.Redactor, r nebula.Result) nebula.Result {
	effects := r.Effects
	r.Effects = nil // nobody has decided on them
	r = out.Body(nebula.Finished{Result: r}).(nebula.Finished).Result
	r.Effects = effects
	return r
}

// Diff is a proposal's diff without what may not be known: what stands beside a change in a file with secrets, and what a command put there.
func (s *Secrets) Diff(p nebula.Proposal) string {
	text := s.Text(p.Diff)
	if p.Ran == "" {
		return text
	}
	var now disclosed
	for _, t := range p.Targets {
		if tells(t.Path) {
			lines := diffSign.Re().ReplaceAllString(text, "")
			now.secrets, now.words = append(now.secrets, toldBy(t.Path, lines)...), append(now.words, shortWords(t.Path, lines)...)
		}
	}
	return now.redactor().Text(text)
}

// diffSign is what a line of a diff begins with.
var diffSign = &lazy.Pattern{X: `(?m)^[-+ ]`}

// redactor takes out what may not be known as things are now, or were just now.
//
//go:noinline
func (s *Secrets) redactor() (r redact.Redactor) {
	s.was.with(func(l *looked) {
		began := time.Now()
		if began.Before(l.until) {
			r = l.redactor
			return
		}
		_, files := s.dir.pins()
		may := open(files, l.told)
		free := values(may)
		files = lists.Drop(files, func(file string) bool { return lists.Has(may, file) })
		l.redactor = values(files).without(free).redactor()
		l.until = time.Now().Add(relook * time.Since(began))
		r = l.redactor
	})
	return r
}
