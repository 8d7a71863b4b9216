package gate

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/steer"
)

// with reads what takes its input from something that the line itself says.
func (r *reading) with(in arg, parts ...syntax.Node) {
	before, given := r.stdin, r.given
	r.stdin, r.given = in, true
	for _, p := range parts {
		syntax.Walk(p, r.node)
	}
	r.stdin, r.given = before, given
}

// piped reads two commands of which the second takes what the first says.
func (r *reading) piped(n *syntax.BinaryCmd) bool {
	if n.Op != syntax.Pipe && n.Op != syntax.PipeAll {
		return true
	}
	from := len(r.calls)
	syntax.Walk(n.X, r.node)
	by, wrote := len(r.calls), len(r.wrote)
	r.with(r.printed(n.X), n.Y)
	if len(r.wrote) > wrote || slices.ContainsFunc(r.calls[by:], func(c call) bool { return !leavesLines(c) }) {
		r.pours(r.calls[from:by])
	}
	return false
}

// feed reads a statement, with what stands in the line for it to read.
func (r *reading) feed(s *syntax.Stmt) bool {
	r.empties(s)
	in, ok := r.stood(s)
	if !ok && len(s.Redirs) == 0 {
		return true
	}
	defer r.poursTo(s, len(r.calls))
	r.lays(s)
	if !ok {
		if s.Cmd != nil {
			syntax.Walk(s.Cmd, r.node)
		}
		for _, d := range s.Redirs {
			syntax.Walk(d, r.node)
		}
		return false
	}
	var parts []syntax.Node
	for _, d := range s.Redirs {
		parts = append(parts, d)
	}
	if s.Cmd != nil {
		parts = append(parts, s.Cmd)
	}
	r.with(in, parts...)
	return false
}

// lays takes in what a statement writes to files, which the line may run further on.
func (r *reading) lays(s *syntax.Stmt) {
	for _, d := range s.Redirs {
		if d.Op != syntax.RdrOut && d.Op != syntax.AppOut && d.Op != syntax.RdrClob || d.N != nil && d.N.Value != "1" || d.Word == nil {
			continue
		}
		for _, w := range r.word(d.Word) {
			file, text := path.Clean(r.from(w.text)), r.printed(s)
			if was, there := r.laid[file]; there && d.Op == syntax.AppOut {
				text = arg{bounded(was.text + text.text), was.known && text.known}
			}
			r.laid[file] = text
		}
	}
}

// fed is what a program makes of a text that it reads: a shell runs it, read keeps it, and what else takes names or code may open
// what it names. Who only passes text on, or searches it, opens nothing.
func (r *reading) fed(name string, p program, args []arg) {
	in := r.stdin
	switch {
	case in.text == "":
	case in.known && (p.judge == "shell" && !lists.Has(texts(args), "-c") || name == "at" || name == "batch" || (name == "source" || name == ".") && len(args) > 0 && standard(args[0].text)):
		r.line(in.text)
	case name == "read", name == "mapfile", name == "readarray":
		r.took(args, in.text)
	case opens(name, p, texts(args)):
		r.mentions(in.text)
	}
}

// took has the variables that read names hold what came, or what they held before.
func (r *reading) took(args []arg, text string) {
	for _, name := range append(texts(args), "REPLY", "MAPFILE") {
		for _, word := range append(strings.Fields(text), strings.TrimRight(text, "\n"), "") {
			r.hold(name, arg{word, true})
		}
	}
}

// opens reports whether a program takes what it reads for names, or for something to run.
func opens(name string, p program, args []string) bool {
	if after, there := readers[name]; there {
		return after != nil && slices.ContainsFunc(args, after.In)
	}
	_, known := programs()[name]
	return !known || p.judge == "interpreter" || p.judge == "shell" || p.writes && len(p.does) > 0 ||
		p.other != nil && slices.ContainsFunc(args, p.other.In)
}

// readers are programs that look as if they opened what they read, or did not, with the arguments after which they do.
var readers = map[string]*lazy.Pattern{
	"tee": nil, "sponge": nil, "curl": nil, "wget": nil, "less": nil, "pandoc": nil, "dos2unix": nil, "unix2dos": nil, "csplit": nil, "split": nil,
	"gzip": nil, "gunzip": nil, "bzip2": nil, "xz": nil, "zstd": nil, "base64": nil,
	"git": {X: `^--(?:stdin|batch|pathspec-from)|^(?:apply|am|update-index|fast-import)$`},
	"awk": opener, "gawk": opener, "mawk": opener, "nawk": opener, "sed": sedOpener, "gsed": sedOpener, "make": makeOpener, "gmake": makeOpener,
}

var (
	opener     = &lazy.Pattern{X: `getline|system|ARGV|\|`}
	sedOpener  = &lazy.Pattern{X: `^-f|^--file|/[gpI\d]*e[gpI\d]*$|^\d*e`}
	makeOpener = &lazy.Pattern{X: `^-f|^--(?:make)?file`}
)

// appended are a program's arguments as xargs or its like give them, with the words that it reads: where the place for them is
// marked, there, and else at the end.
func (r *reading) appended(name string, args []arg) []arg {
	words := strings.Fields(strings.ReplaceAll(r.stdin.text, "\x00", " "))
	if !lists.Has([]string{"xargs", "gxargs", "parallel"}, name) || len(words) == 0 {
		return args
	}
	mark := "{}"
	for i, a := range args {
		if a.text == "-I" && i+1 < len(args) {
			mark = args[i+1].text
		} else if m, ok := strings.CutPrefix(a.text, "-I"); ok {
			mark = m
		}
	}
	var all []arg
	for _, a := range args {
		if mark == "" || strings.HasPrefix(a.text, "-I") || !strings.Contains(a.text, mark) {
			all = append(all, a)
			continue
		}
		for _, w := range words[:min(len(words), 64)] {
			all = append(all, arg{strings.ReplaceAll(a.text, mark, w), a.known})
		}
	}
	return append(all, literal(words)...)
}

// named are names of files as they stand in a text of whatever language: whole in quotes, or by themselves where they are a path
// or begin with a dot.
var (
	quotes = &lazy.Pattern{X: "[\"'`]([^\"'`\n]+)[\"'`]"}
	paths  = &lazy.Pattern{X: "(?:^|[\\s\"'`(=<>:,;|&])([.~/][^\\s\"'`()<>|&;,:=\\[\\]{}]*)"}
)

// mentions looks for names of files that hold secrets in a text that a program runs, or opens the files of.
func (r *reading) mentions(text string) {
	for _, form := range []*regexp.Regexp{quotes.Re(), paths.Re()} {
		for _, m := range form.FindAllStringSubmatch(text, -1) {
			for _, word := range strings.FieldsFunc(m[1], func(c rune) bool { return strings.ContainsRune(" \t:=", c) }) {
				if r.owns(word) || steer.Secret(strings.TrimPrefix(path.Clean(word), "./")) {
					r.add(Secret)
				}
			}
		}
	}
}
