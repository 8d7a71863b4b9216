package gate

import (
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// Expected reports whether nobody has to be asked about a command that was seen to open what holds secrets: its line names that, which
// was asked about, or it can print nothing of it in another dress. So can what builds, tests and runs the project, by what nobody looked
// at; but that is what such files are for.
func Expected(r Rules, p nebula.Proposal) bool {
	if lists.Has(Dangers(p, r.Protection, r.Own...), Secret) {
		return true
	}
	line := p.Line()
	return changed(line, r.Unseen, 0) == "" && (r.Protection.has(Extensions) && shows(line) || !r.Protection.has(Extensions))
}

// showing are programs that print lines as they stand, each with the options with which they print something else of them. What is
// given them has no part in it: the output is rid of the secrets that stand there.
var showing = sync.OnceValue(func() map[string]*lazy.Pattern {
	table := map[string]*lazy.Pattern{}
	for _, row := range []struct{ names, not string }{
		{"cat ls pwd wc du cd true false echo printf test [ export sleep date mkdir touch which type", `^$.`},
		{"head tail", `^-\w*[bckmz]|^--[bz]`},
		{"grep egrep fgrep", `^-[^-]*[obzZ]|^--(?:only|byte|null|z|l)`},
		{"rg ag", `^-[^-]*[obrz0UM]|^--(?:only|byte|null|replace|json|multiline|column|vimgrep|max-columns|pre|hyper|field|search-zip|crlf)`},
		{"sort", `^-[^-]*[zo]|^--(?:z|o|comp|debug|files)`},
		{"find fd", `^-(?:exec|ok|fprint|fls|printf|delete|files0|x|X)|^--(?:exec|format)`},
		{"git", `^-(?:[oOzcC]|[^-]*[oz])|^--(?:only|word|color-w|null|binary|textconv|ext|output|column|w|o|n|b)`},
		{"timeout time nice nohup", `^$.`}, // what they run is a call of its own,
	} {
		not := &lazy.Pattern{X: row.not}
		for _, name := range strings.Fields(row.names) {
			table[name] = not
		}
	}
	return table
})

// shown are git's verbs that print lines as they stand.
var shown = strings.Fields("status log diff show blame ls-files grep branch rev-parse describe shortlog")

// runners are interpreters that a project's own files are written for.
var runners = strings.Fields("python python3 node nodejs deno bun ruby php perl lua dart rscript julia ts-node tsx java")

// shows reports whether all that a line runs prints lines as they stand, or builds, tests and runs the project.
func shows(line string) bool {
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil {
		return false
	}
	plain := true
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Redirect:
			lets := n.Op == syntax.RdrIn || n.Op == syntax.DplOut || n.Op == syntax.Hdoc || n.Op == syntax.DashHdoc || n.Op == syntax.WordHdoc
			plain = plain && (lets || n.Word != nil && n.Word.Lit() == "/dev/null")
		case *syntax.ProcSubst, *syntax.CmdSubst, *syntax.CoprocClause, *syntax.FuncDecl, *syntax.CaseClause, *syntax.TestClause, *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.LetClause:
			plain = false
		}
		return plain
	})
	r := read(line)
	return plain && len(r.calls) > 0 && !sifts(r.calls) && !slices.ContainsFunc(r.calls, func(c call) bool { return !c.plain() })
}

// seeking are programs that tell of files which of their lines fit a pattern.
var seeking = strings.Fields("grep egrep fgrep rg ag")

// seeks reports whether a call looks for a pattern.
func (c call) seeks() bool {
	words := texts(c.args)
	return lists.Has(seeking, base(c.name)) || base(c.name) == "git" && (lists.Has(words, "grep") || slices.ContainsFunc(words, func(w string) bool {
		return strings.HasPrefix(w, "-S") || strings.HasPrefix(w, "-G") || strings.HasPrefix(w, "--grep")
	}))
}

// pipes reports whether a call shows, or looks through, what it is given, and no files.
func (c call) pipes() bool {
	words, most := texts(c.args), 0
	switch name := base(c.name); {
	case lists.Has(seeking[:3], name):
		most = 1
		if slices.ContainsFunc(words, recursive.In) {
			return false
		}
	case c.seeks():
		return false
	case name == "cd" || name == "echo" || name == "ls" || name == "mkdir" || name == "pwd" || name == "export" || name == "true":
		return true
	}
	for _, w := range words {
		if strings.Trim(w, "0123456789") != "" && !strings.HasPrefix(w, "-") {
			most--
		}
	}
	return most >= 0
}

var recursive = &lazy.Pattern{X: `^(?:-[^-]*[rRfd]|--(?:rec|deref|dir|fil).*)`}

// Selects reports whether a line looks for a pattern in files that it does not name, and does nothing else but show lines: which of them fit
// tells what stands in a file, so those with secrets are empty for it. One that builds or tests as well needs them.
func (p Protection) Selects(line string) bool {
	if !p.has(Extensions) || lists.Has(command(line), Secret) {
		return false
	}
	r := read(line)
	return slices.ContainsFunc(r.calls, call.seeks) && !slices.ContainsFunc(r.calls, func(c call) bool { _, ok := showing()[base(c.name)]; return !ok })
}

// sifts reports whether a line's calls look for a pattern in more than what others print.
func sifts(calls []call) bool {
	return slices.ContainsFunc(calls, call.seeks) && slices.ContainsFunc(calls, func(c call) bool { _, ok := showing()[base(c.name)]; return ok && !c.pipes() })
}

// plain reports whether a call is one of those that [shows] looks for.
func (c call) plain() bool {
	if slices.ContainsFunc(c.args, func(a arg) bool { return !a.known }) {
		return false
	}
	name, words := base(c.name), texts(c.args)
	if strings.Contains(c.name, "/") && !usual(c.name) {
		return !outside(c.name)
	}
	if not, ok := showing()[name]; ok {
		return !slices.ContainsFunc(words, not.In) && (name != "git" || len(words) > 0 && lists.Has(shown, words[0]))
	}
	p := programs()[name]
	switch {
	case p.other == projects && !p.writes:
		return !slices.ContainsFunc(words, projects.In)
	case !lists.Has(runners, name) || len(words) == 0:
		return false
	case slices.ContainsFunc(tested, func(t []string) bool { return len(words) >= len(t) && lists.Equal(words[:len(t)], t) }):
		return true
	}
	return !strings.HasPrefix(words[0], "-") && !outside(words[0])
}
