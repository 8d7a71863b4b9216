package state

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// Whether a command that ended well shows anything of files that were changed: what it runs could have failed because of them, and that
// would have been seen. What a shell's line comes to is told by its tree, what a program does by a row of [checkedPrograms].

// A proof is what a line is looked at with.
type proof struct {
	changed []string // the files that are to be shown right; none stands for any
	dir     string   // the folder that a program runs in
	text    string   // what the line wrote
	counted bool     // tests were counted in it, and all passed
	runs    bool     // only what runs them shows something: what builds them, or looks them over, does not
	depth   int
}

// unseen are those of some files of which a line that ended well shows nothing. A call of the tests alone names no line, and sees all.
func (p proof) unseen(line string, files []string) (left []string) {
	if line == "." || line == "" {
		return nil
	}
	for _, f := range files {
		if p.changed = []string{f}; f == "" {
			p.changed = nil
		}
		if !p.proves(line) {
			left = append(left, f)
		}
	}
	return left
}

// proves reports whether a line that ended well shows something.
func (p proof) proves(line string) bool {
	if p.barren() && !p.counted || p.depth > 4 {
		return false
	}
	script, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return !idle(line) && !strings.HasSuffix(strings.TrimSpace(line), "&")
	}
	return p.list(script.Stmts)
}

// barren reports whether tests were to run and none did.
func (p proof) barren() bool {
	return none.In(p.text) || passedBy.In(p.text) && !someRan.In(p.text)
}

// passedBy is how test runners say what they left out, someRan that something was left.
var (
	passedBy = &lazy.Pattern{X: `(?m)\b0 passed;|\b\d+ deselected\b|\b\d+ skipped, \d+ total|\[no test files\]|(?i:no tests to run)`}
	someRan  = &lazy.Pattern{X: `(?m)\b[1-9]\d* pass|^ok\s+\S+\s+[^\[\n]+$|^---? PASS`}
)

// none is how test runners say that there was no test.
var none = &lazy.Pattern{X: `(?mi)^Ran 0 tests|\bno tests ran\b|\bNo tests? (?:found|were found)\b|^\s*0 passing\b|\bcollected 0 items\s|\b0 tests? (?:passed|run)\b|^running 0 tests\b[^r]*\z`}

// list is a sequence of statements: it ends as the last one does or, where the first failure ends it, as all do.
func (p proof) list(stmts []*syntax.Stmt) bool {
	strict, stmts := false, p.counts(stmts)
	for i, s := range stmts {
		call, _ := s.Cmd.(*syntax.CallExpr)
		if call != nil && len(call.Args) > 1 && literal(call.Args[0]) == "set" && strings.HasPrefix(literal(call.Args[1]), "-") {
			strict = strict || strings.Contains(literal(call.Args[1]), "e")
		}
		if (strict || i == len(stmts)-1) && p.stmt(s) {
			return true
		}
		p.dir = enters(s, p.dir)
	}
	return false
}

// counts are statements without those at their end that only look, where what stands before them counted its tests for all to see, and
// none failed: how the line ended is theirs.
func (p proof) counts(stmts []*syntax.Stmt) []*syntax.Stmt {
	end := len(stmts)
	if !p.counted || failed.In(p.text) {
		return stmts
	}
	var shown []string
	for end > 0 && len(stmts[end-1].Redirs) == 0 {
		call, ok := stmts[end-1].Cmd.(*syntax.CallExpr)
		words, only := watches(call, ok)
		if !only {
			break
		}
		shown = append(shown, words...)
		end--
	}
	if end == 0 || end == len(stmts) || !tester(stmts[end-1]) || slices.ContainsFunc(stmts[end-1].Redirs, func(r *syntax.Redirect) bool {
		return r.Word != nil && strings.Contains(r.Op.String(), ">") && r.Op != syntax.DplOut && !lists.Has(shown, literal(r.Word))
	}) {
		return stmts
	}
	return stmts[:end]
}

// tester reports whether what a statement comes to at its end is a run of tests.
func tester(s *syntax.Stmt) bool {
	switch c := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		return c.Op == syntax.AndStmt && tester(c.Y) || c.Op == syntax.Pipe && tester(c.X)
	case *syntax.CallExpr:
		var words []string
		for _, w := range c.Args {
			words = append(words, literal(w))
		}
		_, tests := narrowedBy(words)
		return tests || ofTesting.In(strings.Join(words, " "))
	}
	return false
}

// watches are the words of a call that only looks, and says nothing of tests by itself, and whether it is one.
func watches(c *syntax.CallExpr, ok bool) (words []string, only bool) {
	if !ok || len(c.Args) == 0 {
		return nil, false
	}
	for _, w := range c.Args {
		words = append(words, literal(w))
	}
	switch words[0] {
	case "cat", "tail", "head", "ls", "pwd", "wc":
		return words[1:], true
	case "echo", "printf":
		return nil, !strings.Contains(strings.ToLower(strings.Join(words, " ")), "pass")
	case "git":
		return nil, len(words) > 1 && lists.Has([]string{"diff", "status", "log", "show"}, words[1])
	}
	return nil, false
}

// stmt reports whether a statement that ended well shows something.
func (p proof) stmt(s *syntax.Stmt) bool {
	if s.Background || s.Negated {
		return false
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		return p.call(c, s.Redirs)
	case *syntax.BinaryCmd:
		switch c.Op {
		case syntax.AndStmt:
			if p.stmt(c.X) {
				return true
			}
			p.dir = enters(c.X, p.dir)
			return p.stmt(c.Y)
		case syntax.OrStmt:
			return p.stmt(c.X) && p.stmt(c.Y)
		}
		return p.pipe(c)
	case *syntax.Block:
		return p.list(c.Stmts)
	case *syntax.Subshell:
		return p.list(c.Stmts)
	case *syntax.TimeClause:
		return c.Stmt != nil && p.stmt(c.Stmt)
	case *syntax.ForClause:
		return p.list(c.Do) && !failed.In(p.text)
	case *syntax.IfClause:
		for branch := c; branch != nil; branch = branch.Else {
			if !p.fails(branch.Then) && !p.list(branch.Then) && !p.list(branch.Cond) {
				return false
			}
		}
		last := c
		for last.Else != nil {
			last = last.Else
		}
		return len(last.Cond) == 0 // else it may be that nothing ran
	}
	return false
}

// enters is the folder that what follows a statement runs in, as far as the line tells; the whole project's where that is elsewhere.
func enters(s *syntax.Stmt, dir string) string {
	switch c := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		if c.Op == syntax.AndStmt {
			return enters(c.Y, enters(c.X, dir))
		}
	case *syntax.CallExpr:
		if len(c.Args) == 2 && lists.Has([]string{"cd", "pushd"}, literal(c.Args[0])) {
			if to := literal(c.Args[1]); !path.IsAbs(to) && !strings.ContainsAny(to, "$~") {
				return path.Join(dir, to)
			}
			return ""
		}
	}
	return dir
}

// fails reports whether the last of some statements makes a line end badly.
func (p proof) fails(stmts []*syntax.Stmt) bool {
	if len(stmts) == 0 {
		return false
	}
	call, ok := stmts[len(stmts)-1].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	name := literal(call.Args[0])
	return name == "false" || (name == "exit" || name == "return") && len(call.Args) > 1 && literal(call.Args[1]) != "0"
}

// passers are what passes on how a text ends: what failed would be seen in it.
var passers = []string{"tail", "cat", "tee", "sed", "less", "more"}

// pipe is a line of which the last program tells how it ended. What comes before shows something where that passes its end on and no
// failure is in it, or where tests were counted.
func (p proof) pipe(c *syntax.BinaryCmd) bool {
	if p.stmt(c.Y) {
		return true
	}
	if failed.In(p.text) {
		return false
	}
	call, ok := c.Y.Cmd.(*syntax.CallExpr)
	shown := ok && len(call.Args) > 0 && lists.Has(passers, literal(call.Args[0])) && !silenced(c.X)
	return (shown || p.counted) && p.stmt(c.X)
}

// silenced reports whether nobody sees what a statement says of its errors.
func silenced(s *syntax.Stmt) bool {
	return slices.ContainsFunc(s.Redirs, func(r *syntax.Redirect) bool {
		return r.Word != nil && literal(r.Word) == "/dev/null" && (r.Op == syntax.RdrAll || r.N != nil && r.N.Value == "2")
	})
}

// call reports whether a program that ended well shows something.
func (p proof) call(c *syntax.CallExpr, redirs []*syntax.Redirect) bool {
	var words []string
	for _, w := range c.Args {
		words = append(words, literal(w))
	}
	stdin := ""
	for _, r := range redirs {
		if r.Hdoc != nil {
			stdin = literal(r.Hdoc)
		} else if r.Op == syntax.WordHdoc {
			stdin = literal(r.Word)
		}
	}
	return p.command(words, stdin)
}

func (p proof) command(words []string, stdin string) bool {
	if len(words) == 0 || p.depth > 4 {
		return false
	}
	p.depth++
	name := strings.TrimSuffix(path.Base(words[0]), ".exe")
	if slices.ContainsFunc(words[1:], func(w string) bool { return lists.Has(dry, w) }) {
		return false
	}
	if len(words) == 2 && lists.Has(ofItself, words[1]) {
		return false
	}
	if wrapped, ok := wrappers[name]; ok {
		return p.command(unwrapped(words[1:], wrapped), stdin)
	}
	for _, known := range []string{name, strings.TrimRight(name, "0123456789.")} { // python3.12
		if check := checkerOf(known); check != nil {
			return check(p, words[1:], stdin)
		}
	}
	return !lists.Has(looks, name) && !lists.Has(shows, name) && !lists.Has(passers, name)
}

// dry are options with which a program does nothing of what it is for.
var dry = []string{"--version", "--help", "-V", "--collect-only", "--co", "--dry-run", "--just-print", "--listTests", "--list-tests", "--if-present", "--fixtures", "--markers", "--info", "-version"}

// ofItself are words with which a program alone tells of itself.
var ofItself = []string{"help", "version", "linters", "config", "-h"}

// wrappers run what follows them, behind so many words of their own beside options.
var wrappers = map[string]int{"env": 0, "time": 0, "nice": 0, "nohup": 0, "command": 0, "exec": 0, "builtin": 0, "sudo": 0, "stdbuf": 0, "ionice": 0, "setsid": 0, "timeout": 1, "gtimeout": 1, "xvfb-run": 0, "npx": 0, "bunx": 0, "pnpx": 0, "xargs": 0, "uvx": 0}

// unwrapped are the words behind a wrapper's own.
func unwrapped(words []string, own int) []string {
	for len(words) > 0 {
		switch {
		case strings.HasPrefix(words[0], "-"):
			if !strings.Contains(words[0], "=") && len(words) > 1 && lists.Has([]string{"-n", "-k", "-s", "-u", "--signal", "--kill-after"}, words[0]) {
				words = words[1:]
			}
		case assigns(words[0]):
		case own > 0:
			own--
		default:
			return words
		}
		words = words[1:]
	}
	return nil
}

// literal is a word as it stands, its quotes apart.
func literal(w *syntax.Word) string {
	var b strings.Builder
	var parts func(list []syntax.WordPart)
	parts = func(list []syntax.WordPart) {
		for _, part := range list {
			switch x := part.(type) {
			case *syntax.Lit:
				b.WriteString(x.Value)
			case *syntax.SglQuoted:
				b.WriteString(x.Value)
			case *syntax.DblQuoted:
				parts(x.Parts)
			default:
				b.WriteString("$")
			}
		}
	}
	parts(w.Parts)
	return b.String()
}
