package gate

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// command finds the dangers in a shell command line. It takes the line apart as the shell does, goes through everything
// that would run, and looks each program up in a table. What is not in the table, cannot be read or is known only when
// it runs is a danger by itself: the grade helps a person to decide, and the word "low" has to be earned.
//
//go:noinline
func command(line string, own ...string) []Danger {
	r := read(line, own...)
	return r.found
}

// A reading is a command line being read.
type reading struct {
	found   []Danger
	own     []string            // nebula's own folders
	vars    map[string][]string // what the line's own variables may hold
	funcs   map[string]bool     // functions that the line declares
	calls   []call
	unnamed []string       // words in the place of a program that the shell makes one of only when it runs
	globs   []string       // paths that the shell fills in
	wrote   []string       // files that the line names to write them
	over    []string       // those that it writes anew
	taken   []string       // those that it reads by a redirection
	laid    map[string]arg // what it writes to files, as far as that is known
	blind   bool           // it reads some so that the shell makes the names of only when it runs
	emptied []string       // those of which it leaves nothing by a redirection
	poured  Poured         // what git gives of files goes where it is not known by its lines
	onward  []call         // calls of which so does what they give of files that they name
	workdir                // where it has come to
	depth   int
	asked   int  // how often it was asked what a statement says
	stdin   arg  // what the line itself gives the command that is read, empty for nothing that is known
	given   bool // the line gives it something
}

// A call is one program with its arguments, as far as they are known beforehand.
type call struct {
	name  string
	args  []arg
	at    string   // the folder that it runs in, told from the one that the line begins in
	found []Danger // of it alone
	in    arg      // what the line itself gives it to read
	fed   bool     // the line gives it something
}

// An arg is a word of a command. known is false where the shell makes it only when it runs; text is then what stands there.
type arg struct {
	text  string
	known bool
}

//go:noinline
func (r *reading) add(ds ...Danger) {
	for _, d := range ds {
		if !lists.Has(r.found, d) {
			r.found = append(r.found, d)
		}
	}
}

// deepest is how far commands in commands are followed.
const deepest = 6

func (r *reading) line(line string) {
	if strings.ContainsFunc(line, hidden) {
		r.add(Unclear)
	}
	if r.depth++; r.depth > deepest {
		r.add(Unclear)
		return
	}
	defer func() { r.depth-- }()
	defer func(p workdir) { r.workdir = p }(r.workdir)
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil {
		r.add(Unreadable)
		r.torn(line)
		return
	}
	syntax.Walk(file, r.node)
}

// hidden are characters that do more on a screen than they show, or cannot be seen.
func hidden(c rune) bool { return c != '\n' && c != '\t' && phrase.Is(c, phrase.Hidden) }

// torn looks for programs among the words of a line that the shell itself would not take.
func (r *reading) torn(line string) {
	words := strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(" \t\n;|&()`<>\"'", c) })
	for i, w := range words {
		if p, ok := programs()[base(w)]; ok && len(p.does) > 0 {
			r.run(call{name: w, args: literal(words[i+1:])})
		}
		r.file(w, true)
	}
}

//go:noinline
func literal(words []string) []arg {
	args := make([]arg, len(words))
	for i, w := range words {
		args[i] = arg{w, true}
	}
	return args
}

func (r *reading) node(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.CallExpr:
		r.assigned(n.Assigns)
		if len(n.Args) > 0 {
			words := r.words(n.Args)
			r.call(words)
		}
	case *syntax.DeclClause:
		r.declared(n)
	case *syntax.LetClause:
		r.let(n)
	case *syntax.FuncDecl:
		if n.Name != nil {
			r.funcs[n.Name.Value] = true
			if _, known := programs()[n.Name.Value]; known {
				r.add(Unclear)
			}
		}
	case *syntax.WordIter:
		for _, w := range r.words(n.Items) {
			r.hold(n.Name.Value, w)
		}
	case *syntax.Redirect:
		r.redirect(n)
	case *syntax.Stmt:
		return r.feed(n)
	case *syntax.Subshell:
		defer func(p workdir) { r.workdir = p }(r.workdir)
		for _, s := range n.Stmts {
			syntax.Walk(s, r.node)
		}
		return false
	case *syntax.BinaryCmd:
		return r.piped(n)
	case *syntax.ProcSubst, *syntax.CoprocClause:
		r.add(Unclear)
	case *syntax.ParamExp:
		if n.Excl || n.Param != nil && n.Exp != nil && strings.HasPrefix(n.Exp.Op.String(), "@") {
			r.add(Unclear)
		}
	}
	return true
}

//go:noinline
func (r *reading) hold(name string, w arg) {
	if !w.known || len(r.vars[name]) > 32 {
		w.text = ""
	}
	r.vars[name] = append(r.vars[name], w.text)
}

// assigned takes in variables. Those that say what other programs run are a danger.
func (r *reading) assigned(all []*syntax.Assign) {
	for _, a := range all {
		if a.Name == nil {
			continue
		}
		r.steered(a.Name.Value, "")
		switch {
		case a.Value != nil:
			for _, w := range r.words([]*syntax.Word{a.Value}) {
				r.hold(a.Name.Value, w)
				r.steered(a.Name.Value, w.text)
			}
		case a.Array != nil:
			for _, e := range a.Array.Elems {
				if e.Value != nil {
					for _, w := range r.words([]*syntax.Word{e.Value}) {
						r.hold(a.Name.Value, w)
					}
				}
			}
			r.hold(a.Name.Value, arg{})
		}
	}
}

// words are the values that words may have.
//
//go:noinline
func (r *reading) words(list []*syntax.Word) []arg {
	var out []arg
	for _, w := range list {
		out = append(out, r.word(w)...)
	}
	return out
}

// word is what a word may be: one value, or those of the variable that it is.
func (r *reading) word(w *syntax.Word) []arg {
	texts := []string{""}
	known := true
	join := func(tails []string) {
		var next []string
		for _, t := range texts {
			for _, tail := range tails {
				if len(next) < 64 {
					next = append(next, t+tail)
				}
			}
		}
		texts = next
	}
	var walk func(parts []syntax.WordPart, quoted bool)
	walk = func(parts []syntax.WordPart, quoted bool) {
		for _, p := range parts {
			switch p := p.(type) {
			case *syntax.Lit:
				join([]string{unescape(p.Value, quoted)})
				if !quoted && strings.Contains(p.Value, "{") && strings.ContainsAny(p.Value, ",.") {
					known = false
				}
			case *syntax.SglQuoted:
				text := p.Value
				if p.Dollar {
					text, _ = escaped(text)
				}
				join([]string{text})
			case *syntax.DblQuoted:
				walk(p.Parts, true)
			case *syntax.ParamExp:
				values, ok := r.value(p)
				known = known && ok
				join(values)
			case *syntax.CmdSubst:
				values, ok := r.substituted(p, quoted)
				known = known && ok
				join(values)
			default:
				known = false
				join([]string{""})
			}
		}
	}
	walk(w.Parts, false)
	out := make([]arg, len(texts))
	for i, t := range texts {
		out[i] = arg{t, known}
	}
	return out
}

// value is what a variable may hold: what the line itself put there, or what is known of every shell.
func (r *reading) value(p *syntax.ParamExp) (values []string, ok bool) {
	if p.Param == nil || p.Excl || p.Repl != nil || p.Slice != nil || p.Index != nil || p.Exp != nil {
		return r.perhaps(p), false
	}
	if values := r.vars[p.Param.Value]; len(values) > 0 {
		return values, !lists.Has(values, "")
	}
	switch p.Param.Value {
	case "HOME":
		return []string{"~"}, true
	case "PWD":
		return []string{"."}, true
	case "NEBULA_HOME":
		return []string{"~/.nebula"}, true
	case "?", "#", "$", "!", "LINENO", "SECONDS", "RANDOM", "UID", "USER":
		return []string{"0"}, true
	}
	return []string{""}, false
}

// perhaps are values that a variable may have where more is asked of it: what it holds, and what stands there for it.
func (r *reading) perhaps(p *syntax.ParamExp) []string {
	values := []string{""}
	if p.Param != nil {
		values = append(values, r.vars[p.Param.Value]...)
	}
	if p.Param != nil && p.Exp != nil && p.Exp.Word != nil {
		for _, w := range r.words([]*syntax.Word{p.Exp.Word}) {
			values = append(values, w.text)
			r.hold(p.Param.Value, w)
		}
		r.hold(p.Param.Value, arg{})
	}
	return values
}

func unescape(s string, quoted bool) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (!quoted || strings.IndexByte("\\\"$`\n", s[i+1]) >= 0) {
			if i++; s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// redirect looks at where output goes to and input comes from.
func (r *reading) redirect(n *syntax.Redirect) {
	if n.Word == nil {
		return
	}
	switch n.Op {
	case syntax.DplIn, syntax.DplOut, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return
	}
	for _, w := range r.word(n.Word) {
		switch {
		case !w.known:
			r.add(Unclear)
			r.blind = r.blind || n.Op == syntax.RdrIn
		case strings.HasPrefix(w.text, "/dev/tcp/"), strings.HasPrefix(w.text, "/dev/udp/"):
			r.add(Network, Unclear)
		default:
			if r.file(w.text, n.Op != syntax.RdrIn); n.Op != syntax.RdrIn {
				r.wrote = append(r.wrote, r.from(w.text))
			}
			if n.Op == syntax.RdrIn {
				r.taken = append(r.taken, r.from(w.text))
			}
			if n.Op == syntax.RdrOut || n.Op == syntax.RdrClob || n.Op == syntax.RdrAll {
				r.over = append(r.over, r.from(w.text))
			}
		}
	}
}

// empties looks for a redirection that leaves nothing of a file.
func (r *reading) empties(s *syntax.Stmt) {
	silent := s.Cmd == nil
	if c, ok := s.Cmd.(*syntax.CallExpr); ok {
		var words []string
		for _, w := range r.words(c.Args) {
			words = append(words, w.text)
		}
		switch strings.Join(words, " ") {
		case "", ":", "true", "cat /dev/null", "echo -n", "printf ''", "printf ":
			silent = true
		}
	}
	for _, d := range s.Redirs {
		if silent && (d.Op == syntax.RdrOut || d.Op == syntax.RdrClob || d.Op == syntax.RdrAll) && !strings.HasPrefix(d.Word.Lit(), "/dev/") {
			r.add(Empties)
			for _, w := range r.word(d.Word) {
				r.emptied = append(r.emptied, r.from(w.text))
			}
		}
	}
}

// file looks at a path that a command names.
func (r *reading) file(word string, writes bool) {
	if len(word) > longestPath {
		r.add(Unclear)
		return
	}
	if i := strings.IndexByte(word, '='); i > 0 && !strings.Contains(word[:i], "/") {
		word = word[i+1:]
	}
	if strings.ContainsAny(word, wild) {
		r.globs = append(r.globs, word)
	}
	for _, w := range braced(word) {
		r.path(w, writes)
	}
}

// path looks at one of the paths that a word comes to.
func (r *reading) path(word string, writes bool) {
	if outside(word) {
		r.add(Outside)
	}
	if r.owns(word) {
		if r.add(Secret); writes {
			r.add(Own)
		}
	}
	for _, d := range names(strings.TrimPrefix(path.Clean(word), "./")) {
		if d == Secret || writes {
			r.add(d)
		}
	}
}

// owns reports whether a path is nebula's own.
func (r *reading) owns(word string) bool {
	word = path.Clean(strings.ReplaceAll(word, `\`, "/"))
	for _, part := range strings.Split(word, "/") {
		if strings.EqualFold(part, ".nebula") || part == "nebula.db" {
			return true
		}
	}
	return slices.ContainsFunc(r.own, func(dir string) bool { return dir != "" && (word == dir || strings.HasPrefix(word, dir+"/")) })
}

func base(word string) string {
	word = strings.TrimSuffix(strings.ToLower(word[strings.LastIndexByte(word, '/')+1:]), ".exe")
	if strings.HasPrefix(word, "ld") && loaderName.In(word) {
		return "ld.so"
	}
	return word
}

// loaderName is one of the names of the program that loads others.
var loaderName = &lazy.Pattern{X: `^ld(?:64|[-.]linux|-musl|-)?[-.\w]*\.so(?:\.\d+)*$`}

// outside reports whether a word is a path that leads out of the folder. Absolute paths do, as do the home folder and
// what begins with "..": in the folder itself everything is relative.
func outside(word string) bool {
	if i := strings.IndexByte(word, '='); i > 0 && strings.HasPrefix(word, "-") {
		word = word[i+1:]
	}
	switch {
	case word == "..", strings.HasPrefix(word, "../"), strings.Contains(word, "/../"), strings.HasSuffix(word, "/.."):
		return true
	case strings.HasPrefix(word, "~"), strings.HasPrefix(word, "$HOME"), strings.HasPrefix(word, "${HOME}"), strings.HasPrefix(word, "file:"):
		return true
	case len(word) > 2 && word[1] == ':' && (word[2] == '\\' || word[2] == '/'):
		return true
	case !strings.HasPrefix(word, "/"), word == "/dev/null", word == "/dev/stdout", word == "/dev/stderr", word == "/dev/stdin", strings.HasPrefix(word, "//"):
		return false
	}
	return true
}
