package tool

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"nebula"
	"nebula/internal/confine"
	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/workspace"
)

// boxed decides what a command runs in: its box, with a view in the place of the folder where there can be one and nothing
// is asked for that leads out. The risks are those of running in no box.
func (o Options) boxed(d *workspace.Dir, c *workspace.Command, v nebula.View, outside bool, needs string) (risks []string) {
	c.Unhooked = v.Strict && !outside
	if !o.Boxed {
		return nil
	}
	plans := v.Mode == nebula.PlanMode
	c.Programs = programs(c.Line)
	c.Outside = outside || v.Free && !plans && c.Unread == nil
	c.Repository, c.Barred = !c.Outside && commits(c.Line) && (!v.Strict || saysAll(c.Line)), v.Barred
	if c.View = !c.Outside && (v.Try || v.Strict || strings.TrimSpace(needs) == "") && (plans || !c.Repository) && d.CanView() == nil; c.View {
		c.Repository = false // the view has the folder's own, which stays
	}
	if outside && (!v.Free || c.Unread != nil) {
		return []string{nebula.Unconfined}
	}
	return nil
}

// commits reports whether a command line runs git for more than a look at the repository: then it has to be allowed, and
// changes the repository itself.
func commits(line string) bool {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return false
	}
	found := false
	syntax.Walk(file, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 && call.Args[0].Lit() == "git" {
			found = found || !looksOnly(call.Args[1:])
		}
		return true
	})
	return found
}

// looksOnly reports whether git is run with words that leave the repository as it is. One that is taken for such and is not fails in its box.
func looksOnly(words []*syntax.Word) bool {
	var plain []string
	for _, w := range words {
		if text := w.Lit(); !strings.HasPrefix(text, "-") || text == "--version" {
			plain = append(plain, text)
		}
	}
	if len(plain) == 0 {
		return true
	}
	if plain[0] == "apply" { // of the index or the history it needs nothing, if no option says so
		return !slices.ContainsFunc(words, func(w *syntax.Word) bool { return ofRepository.In(w.Lit()) })
	}
	if len(plain) == 2 && (plain[1] == "list" || plain[1] == "show") { // stash list, worktree list, remote show
		return true
	}
	most, known := looks[plain[0]]
	return known && (most < 0 || len(plain)-1 <= most)
}

// ofRepository are the options with which git apply changes the repository too.
var ofRepository = &lazy.Pattern{X: `^(?:--(?:index|cached|3way|intent-to-add|build-fake-ancestor.*)|-[a-zA-Z]*[3N].*)$`}

// saysAll reports whether a line that runs git says itself what it does: it runs nothing else that could do as much, and gives git nothing to
// run. Where it does not, it runs on a view, and what it does to the files there is what counts.
func saysAll(line string) bool {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return false
	}
	all := true
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DeclClause, *syntax.FuncDecl:
			all = false
		case *syntax.CallExpr:
			all = all && len(n.Assigns) == 0 && len(n.Args) > 0 && lists.Has(plainPrograms, n.Args[0].Lit()) &&
				(n.Args[0].Lit() != "git" || ofItself(n.Args[1:]))
		}
		return all
	})
	return all
}

// plainPrograms run no other.
var plainPrograms = strings.Fields("git cd pwd ls cat echo printf true false : test [ head tail grep wc sort uniq tr cut diff cmp mkdir touch cp mv rm rmdir sleep date")

// ofItself reports whether git runs nothing that its words name.
func ofItself(words []*syntax.Word) bool {
	given := func(i int) string { // as much of a word as stands there
		if i < len(words) && len(words[i].Parts) > 0 {
			if first, ok := words[i].Parts[0].(*syntax.Lit); ok {
				return first.Value
			}
		}
		return "?"
	}
	verb := 0
	for ; strings.HasPrefix(given(verb), "-"); verb++ {
		if given(verb) == "-c" {
			if verb++; !harmless.In(given(verb)) {
				return false
			}
		} else if given(verb) == "-C" {
			verb++
		} else if runsOther.In(given(verb)) || strings.HasPrefix(given(verb), "-c") {
			return false
		}
	}
	for i := verb + 1; i < len(words); i++ {
		if word := given(i); runsOther.In(word) || given(verb) == "rebase" && strings.HasPrefix(word, "-x") {
			return false
		}
	}
	return !lists.Has(gitRuns, given(verb)) && given(verb) != "?"
}

// harmless are settings of git's that name no program.
var harmless = &lazy.Pattern{X: `(?i)^(?:(?:user|author|committer|color|advice|init|pull|push)\.|core\.(?:quotepath|autocrlf|safecrlf|filemode|abbrev)=|(?:commit|tag)\.gpgsign=false|merge\.(?:ff|conflictstyle)=)`}

// runsOther are options with which git runs a program, or takes its settings from elsewhere; gitRuns are such words of its.
var runsOther = &lazy.Pattern{X: `^--(?:exec|config-env|git-dir|work-tree|extcmd|upload-pack|receive-pack|template|separate-git-dir|[a-z]+-filter)`}

var gitRuns = strings.Fields("bisect submodule filter-branch difftool mergetool for-each-repo maintenance svn p4 gui citool fast-import")

// looks are git's words that only look, and with how many words behind them at most; -1 for any number.
var looks = map[string]int{
	"status": -1, "diff": -1, "log": -1, "show": -1, "blame": -1, "annotate": -1, "grep": -1, "ls-files": -1, "ls-tree": -1, "cat-file": -1, "rev-parse": -1, "rev-list": -1,
	"describe": -1, "shortlog": -1, "whatchanged": -1, "name-rev": -1, "merge-base": -1, "for-each-ref": -1, "count-objects": -1, "check-ignore": -1, "check-attr": -1, "diff-tree": -1,
	"diff-index": -1, "diff-files": -1, "show-ref": -1, "show-branch": -1, "cherry": -1, "range-diff": -1, "help": -1, "version": -1, "--version": -1, "var": -1,
	"branch": 0, "tag": 0, "remote": 0, "reflog": 0, "config": 1,
}

// Needed takes what a command is to be let out of its box for, as executeShell is given it. The risks name each.
func Needed(d *workspace.Dir, c *workspace.Command, needs string) (risks []string, err error) {
	for n := range strings.SplitSeq(needs, ",") {
		if n = strings.TrimSpace(n); n == "" {
			continue
		}
		named, hidden := strings.CutPrefix(n, "read ")
		named = athome(named)
		if there(named) {
			real, err := d.Given(named)
			if err != nil {
				return nil, err
			}
			if strings.Contains(real, leads) {
				return nil, mistakef("Rename it.", "%q cannot be shown as one path.", real)
			}
			if hidden {
				c.Needs.Read = append(c.Needs.Read, real)
				risks = append(risks, string(nebula.NewCode(nebula.Reads, led(named, real))))
			} else {
				c.Needs.Write = append(c.Needs.Write, real)
				risks = append(risks, string(nebula.NewCode(nebula.Changes, led(named, real))))
			}
			continue
		}
		if !confine.Reachable(n) || len(c.Needs.Hosts) >= mostHosts {
			return nil, mistakef("Give each as host:port, the whole path of what is there, or read and such a path, with commas between: a.example:443, read /etc/a.", "needs cannot have %q.", n)
		}
		n = strings.ToLower(n)
		c.Needs.Hosts = append(c.Needs.Hosts, n)
		risks = append(risks, string(nebula.NewCode(nebula.Reaches, n)))
	}
	return risks, nil
}

// athome is a path as the shell would have it: below the home where it begins with a tilde, without a stroke at its end.
func athome(path string) string {
	below, ok := strings.CutPrefix(path, "~/")
	home, err := os.UserHomeDir()
	if ok && err == nil {
		path = filepath.Join(home, below)
	}
	if len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	return path
}

// mostHosts is how many hosts a command may ask for.
const mostHosts = 32

func there(path string) bool {
	_, err := os.Stat(path)
	return filepath.IsAbs(path) && filepath.Clean(path) == path && err == nil && !strings.Contains(path, leads)
}

// remedy says what the model can ask for.
//
//go:noinline
func (f finished) remedy() string {
	if slices.ContainsFunc(f.exit.Refused, func(r confine.Refusal) bool { return r.Kind != confine.Socket }) {
		return "needs asks the user for that alone (host:port, /path to change, read /path; with commas), outside: true to run it without"
	}
	return "outside: true asks the user to run it without"
}

// concerned are those of the files that a command's line names, by a pattern or a folder perhaps, or its output.
func concerned(files []string, line, output string) []string {
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\n'\"=;|&()<>", r) })
	return lists.Drop(lists.Clone(files), func(file string) bool {
		base := path.Base(file)
		return !strings.Contains(output, base) && !slices.ContainsFunc(words, func(w string) bool {
			is, _ := path.Match(path.Base(w), base) // what is no pattern names nothing
			w = strings.Trim(strings.TrimPrefix(w, "./"), "/")
			if parts, n := strings.Split(w, "/"), strings.Count(file, "/")+1; !is && len(parts) > n { // a pattern for what is in a folder
				is, _ = path.Match(strings.Join(parts[:n], "/"), file)
			}
			return is || strings.Contains(w, base) || strings.HasPrefix(file, w+"/")
		})
	})
}

// ended is a command that has ended. What the person forbade it is told as that: no permission of the box's would lead there.
func ended(ctx context.Context, d *workspace.Dir, c workspace.Command, exit workspace.Exit, lang string) finished {
	f := finished{line: c.Line, exit: exit, limit: c.Timeout, lang: lang, unhooked: c.Unhooked && commits(c.Line) && d.Hooked()}
	_ = errors.As(context.Cause(ctx), &f.signal)
	f.exit.Refused = lists.Drop(lists.Clone(exit.Refused), func(r confine.Refusal) bool {
		rel, err := filepath.Rel(d.Path(), r.What)
		if c.Barred == nil || r.Kind != confine.Write || err != nil || !filepath.IsLocal(rel) || !c.Barred(nebula.Target{Path: filepath.ToSlash(rel), Kind: "edit"}) {
			return false
		}
		f.held = append(f.held, filepath.ToSlash(rel))
		return true
	})
	return f
}

// programs are those that a command line runs by their names; nil where one cannot be told.
func programs(line string) []string {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return nil
	}
	names, told := []string{}, true
	syntax.Walk(file, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		name := call.Args[0].Lit()
		told = told && name != ""
		for _, a := range call.Args[1:] {
			if text := a.Lit(); name == "find" && (strings.HasPrefix(text, "-exec") || strings.HasPrefix(text, "-ok")) || name == "rg" && strings.HasPrefix(text, "--pre") {
				told = false // it runs another
			}
		}
		names = append(names, name)
		return true
	})
	if !told {
		return lists.Drop(append(names, "?"), func(n string) bool { return n == "" })
	}
	return names
}

// exceeded says which limit a command was ended for.
var exceeded = map[confine.Exceeded]string{
	confine.Memory: "it took more memory than commands may (setting commands.memory)",
	confine.Disk:   "it had nearly filled the disk (setting commands.free)",
	confine.Output: "it printed more than commands may (setting commands.output)",
}

// Kept says what the box was seen to keep a command from; "" for nothing.
func Kept(lang string, refused []confine.Refusal) string {
	var parts []string
	for _, r := range refused {
		parts = append(parts, worded(lang, keptFrom[r.Kind], r.What))
	}
	return some(parts, 5)
}

// telling is what the box was seen to keep a command from, without what a toolchain counts for its makers: that it could not is
// the cause of nothing.
func (f finished) telling() []confine.Refusal {
	return lists.Drop(lists.Clone(f.exit.Refused), func(r confine.Refusal) bool {
		return r.Kind == confine.Write && strings.Contains(filepath.ToSlash(r.What), "/go/telemetry/")
	})
}

// blamed are the refusals that an output tells of, by their names or as errors of that kind.
func blamed(refused []confine.Refusal, output string) []confine.Refusal {
	if denied.In(output) {
		return refused
	}
	return lists.Drop(lists.Clone(refused), func(r confine.Refusal) bool { return !strings.Contains(output, r.What) })
}

// denied is how systems say that something may not be done or reached.
var denied = &lazy.Pattern{X: `(?i)permission denied|operation not permitted|read-only file system|access is denied|unreachable|connection refused|connection reset|no such host|name resolution|could not resolve|EACCES|EPERM|EROFS|ENOTFOUND|ECONNREFUSED`}

// keptFrom says what a box refuses.
var keptFrom = map[confine.Refused]string{
	confine.Write:   "changing %s",
	confine.Connect: "connecting to %s",
	confine.Socket:  "the socket %s",
}

// masks has a command find empty what nobody is to read, where it reads files and is not of what builds, tests and runs the project.
func (o Options) masks(c *workspace.Command, v nebula.View) {
	if o.Reads != nil && v.Unread != nil && o.Reads(c.Line, v.Free) {
		c.Unread = v.Unread
	}
}
