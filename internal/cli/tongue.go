package cli

import (
	"strings"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/phrase"
)

// A tongue is the catalogue of a language: what is said in the place of an English text or format. English itself needs
// none.
type tongue phrase.Language

// tongue is the language that the flags, the environment or the settings ask for; it is found out when something is
// first said.
func (p *program) tongue() tongue {
	p.learn.Do(func() { p.known = tongue(phrase.Table(config.Lang(p.env, langFlag(p.args)))) })
	return p.known
}

// langFlag is what a command line gives as --lang: help and errors come before it is parsed.
func langFlag(args []string) (lang string) {
	for i, a := range args {
		text, joined := strings.CutPrefix(a, "--lang=")
		switch {
		case a == "--":
			return lang
		case joined:
			lang = text
		case a == "--lang" && i+1 < len(args):
			lang = args[i+1]
		}
	}
	return lang
}

// say is a sentence in the person's language. Words and errors among the arguments are said in it too.
func (t tongue) say(format string, args ...any) string { return t.words(nebula.Say(format, args...)) }

// No key is said.
func (t tongue) words(w nebula.Words) string {
	return phrase.Masked(phrase.ToldBy(phrase.Language(t), phrase.Said(w)))
}

// error says what went wrong.
func (t tongue) error(err error) string {
	return phrase.Masked(phrase.ToldBy(phrase.Language(t), phrase.Of(err)))
}

// many is the one format for one, and the other for any other number; the number goes into it.
func many(n int, one, other string) nebula.Words {
	if n == 1 {
		return nebula.Say(one, n)
	}
	return nebula.Say(other, n)
}

// A spokenError is an error as a person reads it, for those who show errors and know no languages.
type spokenError struct {
	text string
	err  error
}

// Error is the error in the words of the person.
func (e *spokenError) Error() string { return e.text }

// Unwrap is what the error is.
func (e *spokenError) Unwrap() error { return e.err }

// translate puts an error into the person's language.
func (p *program) translate(err *error) {
	if *err == nil {
		return
	}
	if text := p.tongue().error(*err); text != (*err).Error() {
		*err = &spokenError{text, *err}
	}
}

// source tells where a setting comes from.
func (t tongue) source(source string) string {
	if name, ok := strings.CutPrefix(source, "env "); ok && t != nil {
		return t.say("environment variable %s", name)
	}
	return t.say(source)
}
