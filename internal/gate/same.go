package gate

import (
	"maps"
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// Again reports whether a proposal would do what another, refused one would have done, however it is spelled: all that
// the refused one comes to is in it. dir is the folder.
func Again(dir string, refused, p nebula.Proposal) bool {
	was, is := effects(dir, refused), effects(dir, p)
	return len(was) > 0 && !slices.ContainsFunc(was, func(e string) bool { return !lists.Has(is, e) })
}

// effects are what a proposal comes to, each in one spelling.
func effects(dir string, p nebula.Proposal) []string {
	var out []string
	if p.Command != "" {
		return did(dir, p.Command)
	}
	if p.Remote != nil {
		return []string{"ask " + p.Remote.Name + " " + string(p.Remote.Args)}
	}
	for _, t := range p.Targets {
		switch t.Kind {
		case "delete", "mkdir":
			out = append(out, t.Kind+" "+path.Clean(t.Path))
		case "create", "edit":
			out = append(out, "write "+path.Clean(t.Path)+" "+t.After)
		}
	}
	return out
}

// did is what a command line comes to: each program that it runs with its options and files in order, those that only
// wrap others or say something apart. What deletes files is told by the files alone.
func did(dir, line string) []string {
	r := read(line)
	var out []string
	at := "."
	for _, c := range r.calls {
		name := base(c.name)
		p, known := programs()[name]
		wraps := known && (p.wraps || p.judge == "shell") && len(r.calls) > 1
		if name == "cd" && len(c.args) == 1 {
			at = within(dir, at, c.args[0].text)
			continue
		}
		if wraps || known && p.says || name == "cd" {
			continue
		}
		if gone, ok := deleted(name, texts(c.args)); ok {
			for _, w := range gone {
				out = append(out, "delete "+within(dir, at, w))
			}
			continue
		}
		words := []string{"run", name}
		for _, w := range options(texts(c.args)) {
			if !strings.HasPrefix(w, "-") && !strings.ContainsAny(w, " \n") {
				w = within(dir, at, w)
			}
			words = append(words, w)
		}
		out = append(out, strings.Join(words, " "))
	}
	return out
}

// read takes a command line apart. own are nebula's own folders.
//
//go:noinline
func read(line string, own ...string) *reading {
	r := &reading{own: own, vars: map[string][]string{}, funcs: map[string]bool{}, laid: map[string]arg{}}
	r.line(line)
	return r
}

// deleted are the files that a program deletes, if that is what it does.
func deleted(name string, args []string) (files []string, ok bool) {
	switch name {
	case "rm", "unlink", "rmdir", "del", "rd", "trash", "shred":
	case "git":
		if len(args) == 0 || args[0] != "rm" {
			return nil, false
		}
		args = args[1:]
	case "find":
		if !lists.Has(args, "-delete") {
			return nil, false
		}
		end := slices.IndexFunc(args, func(w string) bool { return strings.HasPrefix(w, "-") })
		return args[:end], end > 0
	default:
		return nil, false
	}
	for _, w := range args {
		if !strings.HasPrefix(w, "-") {
			files = append(files, w)
		}
	}
	return files, true
}

// options are arguments with the options first, in order and each by itself.
func options(args []string) []string {
	var flags, rest []string
	for _, w := range args {
		switch {
		case strings.HasPrefix(w, "--"), !strings.HasPrefix(w, "-"):
			rest = append(rest, w)
		case len(w) <= 4: // -la
			for _, f := range w[1:] {
				flags = append(flags, "-"+string(f))
			}
		default:
			rest = append(rest, w)
		}
	}
	slices.Sort(flags)
	return append(lists.Compact(flags), rest...)
}

// within is a path as it is told from the folder.
func within(dir, at, word string) string {
	if rest, ok := strings.CutPrefix(word, dir); ok && dir != "" && (rest == "" || rest[0] == '/') {
		return path.Clean("." + rest)
	}
	if strings.HasPrefix(word, "/") || strings.HasPrefix(word, "~") {
		return path.Clean(word)
	}
	return path.Join(at, word)
}

// changed names a file that a command line runs and that was changed since a moment, of those with the times of their last
// changes; empty where there is none. That a file runs is known where the line names it, and where its program reads it by itself.
func changed(line string, at map[string]int64, since int64) string {
	if line == "" || len(at) == 0 {
		return ""
	}
	calls := read(line).calls
	runs := scripts(calls)
	for _, file := range slices.Sorted(maps.Keys(at)) {
		if at[file] <= since {
			continue
		}
		by := builders(file)
		if lists.Has(runs, file) || slices.ContainsFunc(calls, func(c call) bool { return lists.Has(by, base(c.name)) }) {
			return file
		}
	}
	return ""
}

// scripts are the files of the folder that programs are told to run.
func scripts(calls []call) []string {
	var out []string
	for _, c := range calls {
		p := programs()[base(c.name)]
		switch {
		case strings.Contains(c.name, "/"):
			out = append(out, path.Clean(c.name))
		case p.judge == "shell", p.judge == "interpreter", c.name == ".", c.name == "source":
			for _, w := range texts(c.args) {
				if !strings.HasPrefix(w, "-") {
					out = append(out, path.Clean(w))
					break
				}
			}
		}
	}
	return out
}
