package state

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"nebula"
	"nebula/internal/lists"
)

// What a command changed by itself. Nobody has looked at it, as nobody has at an edit: it is unchecked, but for what a program writes that
// decides nothing (a formatter, git from its own store, a check its outputs), and for what the end of the same line checks.

// output reports whether a change by a command is of what nobody looks at: the project's rules leave it out, or only tools write there.
func output(c nebula.Change) bool {
	end := strings.ToLower(path.Ext(c.Path))
	return c.Ignored || c.Kind == "time" || lists.Has(logs, end) || c.Kind == "create" && lists.Has(records, end) || slices.ContainsFunc(strings.Split(c.Path, "/"), func(name string) bool { return lists.Has(outputs, name) })
}

// logs and records are how the names of files end that a command leaves and no build or test reads: what it said, and data that it made
// anew. What was there before is data of the project's.
var (
	logs    = strings.Fields(".log .out .err .trace .prof .pprof .pid .tmp .bak .orig .rej")
	records = strings.Fields(".csv .tsv .jsonl .ndjson .parquet .db .sqlite .sqlite3 .dat .bin .png .jpg .jpeg .gif .svg .pdf .zip .tar .gz .tgz .xz")
)

// outputs are names of what only tools write: folders, and files that pin versions.
var outputs = strings.Fields(".git node_modules .venv venv target dist build out coverage .next .svelte-kit " +
	"go.sum go.work.sum package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb Cargo.lock poetry.lock uv.lock pdm.lock Pipfile.lock Gemfile.lock composer.lock mix.lock pubspec.lock flake.lock")

// layouts are programs that write files anew and keep what they mean, by the first of their words where they do more than that.
var layouts = []struct{ programs, words string }{
	{"gofmt gofumpt goimports gci black yapf autopep8 isort prettier rustfmt clang-format shfmt ktlint dprint ocamlformat stylua taplo", ""},
	{"go cargo terraform tofu zig", "fmt"},
	{"ruff dart mix deno dotnet", "format fmt"},
	{"git", "checkout switch restore reset clone fetch pull submodule worktree init commit add tag branch stash status log diff show"},
}

// lays reports whether a program with its words is one of them. What a stash gives back was joined by nobody.
func lays(name string, args []string) bool {
	words := lists.Drop(lists.Clone(args), func(a string) bool { return strings.HasPrefix(a, "-") })
	for _, row := range layouts {
		if lists.Has(strings.Fields(row.programs), name) && (row.words == "" || len(words) > 0 && lists.Has(strings.Fields(row.words), words[0])) {
			return !(name == "git" && len(words) > 1 && words[0] == "stash" && lists.Has([]string{"pop", "apply", "branch"}, words[1]))
		}
	}
	return false
}

// role is what a command of a line is to the files that the line changed.
type role int

const (
	idler   role = iota // it shows, or does nothing
	writer              // it may have changed them, and shows nothing
	unknown             // it may have changed them, and its end shows something
	layout              // it keeps what they mean
	check               // it looks at them, and what it writes is its output
)

// interpreters are programs of which it is not known what they run.
var interpreters = strings.Fields("python pypy node nodejs deno bun ruby php perl sh bash zsh dash ksh uv poetry pipenv hatch pdm rye docker podman")

// roles are what the commands of a line are, in order; nil where it cannot be read.
func (p proof) roles(line string) (all []role) {
	script, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return nil
	}
	syntax.Walk(script, func(n syntax.Node) bool {
		s, ok := n.(*syntax.Stmt)
		if !ok {
			return true
		}
		if slices.ContainsFunc(s.Redirs, writes) {
			all = append(all, writer)
		}
		if c, ok := s.Cmd.(*syntax.CallExpr); ok && len(c.Args) > 0 {
			var words []string
			for _, w := range c.Args {
				words = append(words, literal(w))
			}
			all = append(all, p.role(words))
		}
		return true
	})
	return all
}

// writes reports whether a redirection makes a file that stays.
func writes(r *syntax.Redirect) bool {
	switch r.Op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrAll, syntax.AppAll, syntax.RdrClob, syntax.RdrInOut:
		to := literal(r.Word)
		return !strings.HasPrefix(to, "/dev/") && !strings.HasPrefix(to, "/tmp/")
	}
	return false
}

// role is what a program with its words is.
func (p proof) role(words []string) role {
	for range 4 {
		own, ok := wrappers[path.Base(words[0])]
		if !ok {
			break
		}
		if words = unwrapped(words[1:], own); len(words) == 0 {
			return idler
		}
	}
	name := strings.TrimRight(path.Base(words[0]), "0123456789.")
	switch {
	case lays(name, words[1:]):
		return layout
	case name == "tee" || name == "sed" && slices.ContainsFunc(words, inPlace) || name == "find" && hasOption(words, "-exec -execdir -delete -ok"):
		return writer
	case lists.Has(interpreters, name):
		return unknown
	case hasOption(words[1:], "--fix --write") || slices.ContainsFunc(words[1:], generates):
		return writer
	case checkerOf(name) != nil && p.command(words, ""):
		return check
	case p.command(words, ""):
		return unknown
	case lists.Has(looks, name), lists.Has(shows, name), lists.Has(talk, name), lists.Has(passers, name), name == "pushd", name == "popd":
		return idler
	}
	return writer
}

// inPlace reports whether an option has a file written anew.
func inPlace(word string) bool {
	return strings.HasPrefix(word, "--in-place") || strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "--") && strings.Contains(word, "i")
}

// generates reports whether a word names what makes source of something else.
func generates(word string) bool {
	return strings.HasPrefix(word, "gen") || strings.HasSuffix(word, "gen") || strings.HasSuffix(word, ":generate")
}

// written reports whether all that a line changed was changed by programs that decide nothing.
func written(line string) bool {
	all := lists.Drop(proof{}.roles(line), func(r role) bool { return r == idler })
	return len(all) > 0 && !slices.ContainsFunc(all, func(r role) bool { return r != layout && r != check })
}

// closes reports whether a line ends with something that could show that what it changed before is right: tests that were counted, a check, or
// another program where it is known that the files were written by those before it.
func (p proof) closes(line string) bool {
	all := lists.Drop(p.roles(line), func(r role) bool { return r == idler || r == layout })
	if len(all) < 2 {
		return p.counted && len(all) == 1 && all[0] != writer
	}
	before, last := all[:len(all)-1], all[len(all)-1]
	return p.counted && last != writer || last == check || last == unknown && !lists.Has(before, unknown)
}
