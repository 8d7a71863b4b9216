package nebula

import (
	"fmt"
	"strings"
)

// Words are a sentence for a person, apart from what goes into it, so that it can be said in another language: Format
// is the English one, as for fmt, and the text itself where there are no Args. Args that are Words, or errors that know
// theirs, are said in the same language.
type Words struct {
	Format string
	Args   []any
}

// Say puts words together. It is called from hundreds of places, and as code in each of them it would be 100 KB of the program.
//
//go:noinline
func Say(format string, args ...any) Words { return Words{format, args} }

// String is the sentence in English.
func (w Words) String() string {
	if len(w.Args) == 0 {
		return w.Format
	}
	return fmt.Sprintf(strings.ReplaceAll(w.Format, "%w", "%v"), w.Args...)
}

// A Speaker is an error that knows its words.
type Speaker interface {
	error
	Words() Words
}

// Errorf is fmt.Errorf for an error that a person reads.
//
//go:noinline
func Errorf(format string, args ...any) error {
	return &spoken{Words{format, args}, fmt.Errorf(format, args...)}
}

type spoken struct {
	words Words
	err   error
}

// Error is the error in English.
func (s *spoken) Error() string { return s.err.Error() }

// Words are what to say of it.
func (s *spoken) Words() Words { return s.words }

// Unwrap is the error itself.
func (s *spoken) Unwrap() error { return s.err }

// A Mistake is the model's: it reads Text and Hint as the result of its action and can do better.
//
// Again is for a content that may be a mistake or may be meant: the hash of it, which the session remembers as soon as
// the model has read the result, and tells tools of by [View].SentBack. Moot says that all is already as it was to be.
type Mistake struct {
	Text  string
	Hint  Words
	Again string
	Moot  bool
	Said  Words // the Text apart from what goes into it, for the person; empty where it cannot be said in another language
}

// Wrong is a mistake that can be said in the person's language, too.
func Wrong(hint, format string, args ...any) *Mistake {
	w := Say(format, args...)
	return &Mistake{Text: w.String(), Hint: Words{Format: hint}, Said: w}
}

// Then gives a mistake a hint that something goes into.
//
//go:noinline
func (m *Mistake) Then(format string, args ...any) *Mistake {
	m.Hint = Say(format, args...)
	return m
}

// Error is what the model reads: the text and the hint.
//
//go:noinline
func (m *Mistake) Error() string {
	if m.Hint.Format == "" {
		return m.Text
	}
	return m.Text + " " + m.Hint.String()
}
