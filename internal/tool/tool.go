// Package tool holds the built-in tools, one a file: what a model can look at, change and run in a folder.
//
// Every tool proposes first and touches nothing then; what it would do is carried out under a grant by the workspace,
// which refuses everything else. Texts for the model are English; summaries for the person are in the person's language.
package tool

import (
	"cmp"
	"fmt"
	"time"

	"nebula"
	"nebula/internal/index"
	"nebula/internal/phrase"
	"nebula/internal/workspace"
)

// Options are the limits of the tools. The zero Options are good ones.
type Options struct {
	Timeout time.Duration                     // of a command that names none, 2 minutes
	Longest time.Duration                     // that a command may name, 10 minutes
	Output  int                               // bytes of a command's output that the model reads, 24 KiB
	Lines   int                               // of a file that are shown at once, 2,000
	Bytes   int                               // of a file that are shown at once, 48 KiB
	Entries int                               // of a directory that are shown at once, 400
	Matches int                               // of a search that are shown at once, 100
	Pass    []string                          // names of variables that commands see beside the usual
	Tests   string                            // the command that runs the tests; found from the project when empty
	Secrets []string                          // values that no command may see
	Secret  func(path string) bool            // whether a file holds secrets: no search shows its lines, reading it asks; nil for none
	Fills   Fills                             // what the shell makes of a command's patterns; nil where that is not judged
	Selects func(string) bool                 // whether a command line looks for a pattern in files; nil where that is not judged
	Reads   func(line string, free bool) bool // whether a command line reads files, by whatever names, in or out of a box; nil where that is not judged
	Code    *index.Index                      // where code is found by meaning; nil where it cannot be
	Rename  Renamer                           // what knows a language, nil where only the text of names is known
	Found   int                               // tokens of what a search for code shows, 1,200
	Count   func(string) int
	Boxed   bool            // commands run in a box, unless they ask not to
	Notes   Notes           // what outlives the session; nil where nothing may be remembered
	Jobs    *workspace.Jobs // commands in the background, see [Background]; nil where none can be there
	Skills  Skills          // instructions for kinds of work; nil where there are none
}

// Fills reports whether one of some files is among those that the shell makes of a command line's patterns. The files are asked
// for only where there are some.
type Fills func(line string, files func() []string) bool

// All are the built-in tools in the order in which they are offered.
func All(d *workspace.Dir, o Options) []nebula.Tool {
	o.Timeout = cmp.Or(o.Timeout, workspace.CommandTimeout)
	o.Longest = max(cmp.Or(o.Longest, 10*time.Minute), o.Timeout)
	o.Output = cmp.Or(o.Output, 24<<10)
	o.Lines = cmp.Or(o.Lines, 2000)
	o.Bytes = cmp.Or(o.Bytes, 48<<10)
	o.Entries = cmp.Or(o.Entries, 400)
	o.Matches = cmp.Or(o.Matches, 100)
	o.Found = cmp.Or(o.Found, 1200)
	if o.Count == nil {
		o.Count = func(s string) int { return len(s)/3 + 1 }
	}
	if named := o.Secret; named != nil {
		o.Secret = func(path string) bool {
			if named(path) {
				return true
			}
			kin := d.Kin(path)
			return kin != "" && named(kin)
		}
	}
	tools := []nebula.Tool{&list{d, o}, &readFile{d, o}, &searchInDirectory{d, o}}
	if o.Code != nil {
		tools = append(tools, &searchCode{o})
	}
	renames, shell, tests := &renameSymbol{d, o}, &executeShell{d, o}, &runTests{d, o}
	texts := &renameSymbol{d, o}
	texts.o.Rename = nil // a patch says a text
	tools = append(tools,
		&writeFile{d, o}, &editFile{d, o}, &patchFile{d, texts, o}, renames, &createDirectory{d}, &deleteFile{d},
		shell, tests, &askUser{}, &updateState{}, &checklist{}, &verify{d, o, shell, tests}, &advise{d, o, &writeFile{d, o}, &editFile{d, o}},
	)
	if o.Notes != nil {
		tools = append(tools, &remember{o.Notes})
	}
	if o.Skills != nil {
		tools = append(tools, &useSkill{o.Skills, o})
	}
	locate(d, tools)
	return tools
}

// largest is the size of a file that is read or changed whole.
const largest = 16 << 20

//go:noinline
func mistake(text, hint string) error {
	return &nebula.Mistake{Text: text, Hint: nebula.Words{Format: hint}, Said: nebula.Words{Format: text}}
}

//go:noinline
func mistakef(hint, format string, args ...any) error {
	return nebula.Wrong(hint, format, args...)
}

// moot is a mistake where all is already as it was to be.
//
//go:noinline
func moot(hint, format string, args ...any) error {
	m := nebula.Wrong(hint, format, args...)
	m.Moot = true
	return m
}

// said is a sentence for the person, in the person's language, on one line.
//
//go:noinline
func said(lang, en string, args ...any) string {
	return phrase.Sayf(lang, en, args...)
}

// worded is a text of a result for the model, which the person may read too.
func worded(lang, en string, args ...any) string {
	return fmt.Sprintf(phrase.In(lang, en), args...)
}

// number writes a count as people read it: 12,345.
func number[N int | int64](n N) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// amount is a number of things in the person's language; the thing is named for one and for many, as in line|lines.
func amount(lang string, n int, thing string) string {
	return number(n) + " " + phrase.Many(phrase.In(lang, thing), n)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + many
}

// notes are what the model is told beside a result, each a sentence.
type notes []nebula.Words

func (n notes) after(w nebula.Words) notes { return append(notes{w}, n...) }

func (n notes) in(lang string) (text string) {
	for _, w := range n {
		text += " " + phrase.Told(lang, phrase.Said(w))
	}
	return text
}
