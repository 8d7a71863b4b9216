package state

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// Evidence is what speaks for the work being done.
type Evidence struct {
	Unchecked []string           // files changed since a check that passed and that could see them
	Untested  []string           // files changed since tests were counted that passed and that could see them
	Tests     *nebula.TestReport // the last test run
	Built     []string           // files of code that were only built or looked over since they were changed: nothing ran them
	Left      []string           // files of which tests were left out without the person's word, or that went with theirs
	Tested    []patched          // what was changed in files of tests in this turn
	Counted   int                // how many tests the runs since the last change told of, all together; zero where one told of none
	Part      string             // the words that picked the tests that passed since a file was changed; empty where all of them ran, or none
	None      bool               // the last test run said that there was no test
	whole     bool               // all tests ran and passed since
	Faced     bool               // a turn has ended on just this: nobody need be asked about it again
	failed    string             // what failed in the last test run; empty where nothing did
	Quiet     []string           // of those unchecked, the files of which only data or comments were changed
	since     bool               // a file was changed in this turn
	Known     bool               // tests were counted before that: how they were is known
	Unstarted bool               // no test run could begin here so far: what they import, or what runs them, is not installed
	Came      string             // the lines that came with changes of the session, each file's behind its path
	Went      string             // the lines that went with them, each behind a "-", and those above them
	Red       []string           // tests that failed before the turn's first change, and have passed in no run of all since
}

// Finished is the evidence after a result. A command that does something and ends well checks those of the files changed before it that it
// could see; what it changed itself is as unchecked as an edit is, but for what a check, a formatter or git wrote, and for what a check at
// its end has seen. Only a test run that passes makes up for one that failed, and only one that told of tests, or that the person chose, is
// one. One by a command of the model's own that tells of none is a command that ended well. What failed before in the same way is no news.
func (e Evidence) Finished(a nebula.Action, r nebula.Result) Evidence {
	if r.Tests == nil && r.Exit == nil {
		return e.changed(r.Changes)
	}
	line := target(a, nebula.Result{})
	own := lists.Drop(lists.Clone(r.Changes), output)
	if line == "." || line == "" || written(line) {
		own = nil
	}
	e.since = e.since || slices.ContainsFunc(own, checkable)  // what it ran may be what it changed
	if len(r.Dropped) == 0 || r.Tests != nil && !r.Tests.OK { // else it ended well on files that are not there
		e = e.ran(line, r)
	}
	if len(own) == 0 {
		return e
	}
	if p := proofOf(r); r.Exit != nil && *r.Exit == 0 && p.closes(line) {
		own = lists.Drop(own, func(c nebula.Change) bool { return len(p.unseen(line, []string{c.Path})) == 0 })
	}
	return e.changed(own)
}

// changed is the evidence after files were changed.
func (e Evidence) changed(changes []nebula.Change) Evidence {
	for _, c := range changes {
		if c.Kind == "delete" && ofShell.In(c.Path) {
			e.since = true // no test is asked for, and one that fails now was broken
		} else if checkable(c) {
			e.Unchecked, e.Untested, e.Faced = latest(e.Unchecked, c.Path), latest(e.Untested, c.Path), false
			e.Built = without(e.Built, c.Path)
			e.Part, e.whole, e.Counted, e.since = "", false, 0, true
		}
	}
	return e
}

var (
	ofShell = &lazy.Pattern{X: `(?i)\.(?:(?:ba|z)?sh|bat|cmd|ps1)$`}
	ofData  = &lazy.Pattern{X: `(?i)\.(?:jsonc?|ya?ml|toml|ini|cfg|conf|csv|tsv|xml|svg|properties|env)$|(?:^|/)(?:dockerfile|containerfile)[^/]*$`}
	ofCases = &lazy.Pattern{X: `(?i)(?:^|/)(?:[\w-]*tests?|testdata|fixtures?|__\w+__|specs?)/`} // what tests read
	docs    = &lazy.Pattern{X: `^\s*(?:$|[rRuU]?(?:"""|'''))`}
)

// hushed is the evidence with the files, since the one before, of which nothing was changed that runs.
func (e Evidence) hushed(was Evidence, by *nebula.Proposed, changes []nebula.Change) Evidence {
	var of []patched
	if by != nil && len(changes) > 0 {
		of = edits(by.Proposal.Diff)
		for _, p := range of {
			if len(e.Came) < cameMost {
				came, went := sides(p)
				e.Came, e.Went = e.Came+came, e.Went+went
			}
		}
	}
	for _, c := range changes {
		quiet := ofData.In(c.Path) && !ofCases.In(c.Path) || slices.ContainsFunc(of, func(p patched) bool {
			return p.path == c.Path && c.Kind == "edit" && !slices.ContainsFunc(append(lists.Clone(p.come), p.gone...), func(l string) bool { return !remarked.In(l) && !docs.In(l) })
		})
		if e.Quiet = without(e.Quiet, c.Path); quiet && (!lists.Has(was.Unchecked, c.Path) || lists.Has(was.Quiet, c.Path)) {
			e.Quiet = append(e.Quiet, c.Path)
		}
	}
	return e
}

// sides are the lines that came to a file and those that went, as the evidence keeps them.
func sides(p patched) (came, went string) {
	return "\x00" + p.path + "\n" + strings.Join(p.come, "\n") + "\n", strings.Join(p.went, "\n") + "\n"
}

// cameMost is from how much on the lines that came are no longer all of them.
const cameMost = 256 << 10

// Hushed reports whether no test could see what is unchecked.
//
//go:noinline
func (e Evidence) Hushed() bool {
	return (e.Tests == nil || e.Tests.OK) && !slices.ContainsFunc(e.Unchecked, func(f string) bool { return !lists.Has(e.Quiet, f) })
}

// latest is a list with a path as its last.
//
//go:noinline
func latest(list []string, path string) []string {
	return append(without(list, path), path)
}

func without(list []string, path string) []string {
	return lists.Drop(lists.Clone(list), func(p string) bool { return p == path })
}

// ran is the evidence after a command, of what was changed before it.
func (e Evidence) ran(line string, r nebula.Result) Evidence {
	t := r.Tests
	if t != nil || RunsTests(line) {
		e.None = none.In(r.Text) && (t == nil || t.Passed <= 0)
	}
	if t == nil && (*r.Exit != 0 || len(e.Unchecked)+len(e.Built) == 0) {
		return e // there is nothing that it could show
	}
	p := proofOf(r)
	unchecked, untested := p.unseen(line, e.Unchecked), p.unseen(line, e.Untested)
	saw := len(untested) < len(e.Untested) || len(e.Untested) == 0 && len(p.unseen(line, []string{""})) == 0
	counts := t != nil && (!t.OK || t.Chosen || (t.Passed > 0 || t.Passed < 0 && t.Failed == 0) && saw)
	if t != nil {
		e.Counted += counted(r)
	}
	if counts {
		before := e.failed
		if e.failed = ""; !t.OK {
			e.failed = failures(r)
		}
		e.Unstarted = (e.Tests == nil || e.Unstarted) && !t.OK && t.Passed <= 0 && e.lacks(r.Text)
		e.Tests, e.Faced = t, e.Faced && !t.OK && e.failed == before
		part := Narrowed(cmp.Or(t.Command, line))
		e.Red, e.Known = e.red(part == ""), e.Known || !e.since
		if part == "" || t.Chosen {
			e.Part, e.whole = "", t.OK
		} else if !e.whole {
			e.Part = part
		}
	}
	switch {
	case r.Exit == nil || *r.Exit != 0:
	case counts && t.Chosen:
		e.Unchecked, e.Untested, e.Built = nil, nil, nil
	case counts && t.OK:
		e.Unchecked, e.Untested, e.Built = unchecked, untested, p.unseen(line, e.Built)
	case t == nil, t.OK && t.Failed < 0 && line != ".":
		e.Built = p.unrun(line, append(lists.Clone(e.Built), lists.Drop(lists.Clone(e.Unchecked), func(f string) bool { return lists.Has(unchecked, f) })...))
		if e.Unchecked = unchecked; ofTesting.In(line) {
			e.Untested = untested
		}
	}
	return e
}

// lacks reports whether a run of tests could not begin as something is not installed, which is none of the files that were changed.
func (e Evidence) lacks(text string) bool {
	found := absent.For(text).FindAllStringSubmatch(text, -1)
	return len(found) > 0 && !slices.ContainsFunc(found, func(m []string) bool {
		name, _, _ := strings.Cut(path.Base(strings.Join(m[1:], "")), ".")
		return slices.ContainsFunc(e.Unchecked, func(f string) bool { return strings.Contains("/"+f, "/"+name) })
	})
}

// absent is how interpreters, compilers and shells name what is not installed.
var absent = &lazy.Pattern{X: `(?i)\bno module named ['"]?([\w.-]+)|\bcannot find (?:module|package) ['"]?([\w@./-]+)|\bno required module provides package ([\w./-]+)|([\w.-]+): (?:command )?not found\b`}

// ofTesting is a line that runs tests by its words, also where they cannot be counted.
var ofTesting = &lazy.Pattern{X: `(?i)test|spec|\b(?:make|just|gradlew?|ninja|tox|nox) (?:[\w.=-]+ )*check|\btox\b|\bnox\b`}

// proofOf is what the line of a result is looked at with.
func proofOf(r nebula.Result) proof {
	return proof{text: r.Text, counted: r.Tests != nil && r.Tests.OK && r.Tests.Passed > 0}
}

// unrun are those of some files of code that a line that ended well did not run.
func (p proof) unrun(line string, files []string) []string {
	p.runs = true
	return lists.Drop(p.unseen(line, files), func(f string) bool { return sources[strings.ToLower(path.Ext(f))] == "" })
}

// Runs reports whether a line that ended well ran something of a project, tests among it: it does more than to look at it, or to build it.
//
//go:noinline
func Runs(line string) bool { return proof{runs: true}.proves(line) }

// failed is a line that says that something failed, as interpreters, compilers and test runners write it.
var failed = &lazy.Pattern{X: `(?m)^(?:Traceback \(most recent call last\)|(?:\w+\.)*\w*(?:Error|Exception)\b|(?:--- |=+ )?FAIL(?:ED|URES?|URE)?\b|panic: |E {2,}\S|(?:fatal )?error(?:\[\w+\])?:|not ok \d|make(?:\[\d+\])?: \*\*\*|\W*\d+ (?:tests? )?fail(?:ed|ing|ures?)\b)`}

// Missing says what stands against done: empty, or one line.
func (e Evidence) Missing(lang string) string {
	switch {
	case e.Tests != nil && !e.Tests.OK:
		return phrase.In(lang, "the last test run failed")
	case len(e.Unchecked) == 0:
		return ""
	}
	return fmt.Sprintf(phrase.In(lang, "%s was changed after the last check"), e.Unchecked[len(e.Unchecked)-1])
}

// Prose reports whether a file is one that cannot be run.
//
//go:noinline
func Prose(file string) bool { return !checkable(nebula.Change{Path: file}) }

// checkable reports whether running something could show that a change is right: prose cannot be run.
func checkable(c nebula.Change) bool {
	if c.Kind == "mkdir" || c.Kind == "rmdir" || c.Kind == "mode" {
		return false
	}
	name := strings.ToLower(c.Path[strings.LastIndexByte(c.Path, '/')+1:])
	for _, end := range []string{".md", ".txt", ".rst", ".adoc", "license", ".gitignore", ".nebulaignore", ".log"} {
		if strings.HasSuffix(name, end) {
			return false
		}
	}
	return true
}

// Excused finds the model's own word on why something is unverified, in what it says to the person.
func Excused(say string) (why string, ok bool) {
	for line := range strings.Lines(say) {
		line = strings.TrimLeft(line, " \t*_->#")
		for _, word := range []string{"unverified", "not verified", "未確認", "未検証"} {
			if len(line) > len(word) && strings.EqualFold(line[:len(word)], word) {
				if why = strings.Trim(line[len(word):], " \t\r\n:*_：—-"); why != "" {
					return why, true
				}
			}
		}
	}
	if why = unsure.For(say).FindString(say); why != "" && !TellsOfTests(say) {
		return why, true
	}
	return "", false
}

// unsure is a sentence of an answer that says plainly that nothing showed whether it works.
var unsure = &lazy.Pattern{X: `(?im)(?:^|[.!;:,—–] |\b(?:but|and) )(?:i|we) (?:could ?(?:not|n['’]t)|can ?not|can['’]t|was unable to|were unable to|have not|haven['’]t|did not|didn['’]t) (?:yet |been able to )?(?:verif(?:y|ied)|check(?:ed)?|test(?:ed)?|confirm(?:ed)?) (?:it|this|that|the (?:change|fix|edit|result|work))\b[^.!?\n]*|(?:^|[。、\s]|動作|結果|変更|修正)(?:(?:は|が|も)?(?:未確認|未検証)(?:です|となります|のまま)|の?(?:動作)?(?:確認|検証)(?:は|が|を|も)?(?:まだ)?(?:できて|して|行って|行えて|でき|行え)い?ません)|[.!;。] *(?:unverified|not verified|未確認|未検証) ?[:：—–-] ?\S[^\n]*`}
