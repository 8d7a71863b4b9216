package gate

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// A Poured is how far what git gives of files, none of them by name, goes where it can no longer be told of which file it is: to a file, or to a
// program that takes lines out or does not leave them as they are.
type Poured int

// How far it goes.
const (
	Nothing   Poured = iota // it stays where it is told
	Differing               // what differs from git's index
	Tracked                 // what git has now
	Ever                    // what git ever had
)

// Pours tells it of a line.
func Pours(line string) Poured {
	r := read(line)
	for _, c := range r.calls {
		r.poured = max(r.poured, brought(c, false))
	}
	return r.poured
}

// A Source is a file or a folder that a line names of which git gives what stands in it, or in what lies below it, so.
type Source struct {
	Path string
	How  Poured
}

// Sources are those of a line, told from the folder that it begins in.
func Sources(line string) (list []Source) {
	r := read(line)
	for n, c := range slices.Concat(r.calls, r.onward) {
		_, verb, args := aroundVerb(texts(c.args))
		how := brought(c, true)
		if n >= len(r.calls) {
			how = Ever
		}
		if how == Nothing || base(c.name) != "git" || !namesFile(verb, args) {
			continue
		}
		at := workdir{at: c.into()}
		if n := slices.Index(args, "--"); n >= 0 {
			args = args[n+1:]
		}
		for _, w := range args {
			for i, named := range fromTop(w) {
				if strings.HasPrefix(w, "-") {
					break
				}
				if i == 0 && !strings.Contains(w, ":") {
					named = at.from(named)
				}
				list = append(list, Source{named, how})
			}
		}
	}
	return list
}

// brings are git's verbs that put what stands in files elsewhere or print it as it is, with the arguments that they need for it, and how much of it.
var brings = [...]struct {
	verbs string
	needs *lazy.Pattern
	what  Poured
}{
	{"worktree", &lazy.Pattern{X: `^add$`}, Tracked},
	{"clone", nil, Tracked},
	{"checkout-index", &lazy.Pattern{X: `^--(?:prefix|temp)`}, Tracked},
	{"archive", nil, Tracked},
	{"read-tree", &lazy.Pattern{X: `^--prefix`}, Tracked},
	{"cat-file", &lazy.Pattern{X: `^--batch(?:$|=|-command)|^(?:-p|blob)$`}, Ever},
	{"fast-export", nil, Ever},
	{"unpack-file", nil, Ever},
	{"bundle", &lazy.Pattern{X: `^create$`}, Ever},
	{"pack-objects", nil, Ever},
	{"range-diff", nil, Ever},
	{"merge-file", nil, Ever},
	{"merge-tree", nil, Ever},
	{"grep", &lazy.Pattern{X: `^-\w*h|^--(?:no-filename|heading|no-index)`}, Ever},
	{"grep", nil, Tracked}, // whether something stands there tells what does, letter by letter
	{"diff log show whatchanged diff-tree diff-index diff-files rev-list reflog stash format-patch", searches, Ever},
	{"format-patch", &lazy.Pattern{X: `^(?:-[^k]*\d*|[^-].*|--output.*)$`}, Ever},
}

// searches are options with which what is listed depends on what stands in files, or that write it to one.
var searches = &lazy.Pattern{X: `^-[a-zA-Z]*[SGI]|^--(?:output|ignore-m|find-o)`}

// remote is where a clone comes from that is of another place.
var remote = &lazy.Pattern{X: `^(?:https?|ssh|git)://|^[\w.-]+@[\w.-]+:`}

// brought is how much a call of git's gives of files by such a verb, where it names none of them, or some.
func brought(c call, some bool) (most Poured) {
	if base(c.name) != "git" {
		return Nothing
	}
	words := texts(c.args)
	_, verb, args := aroundVerb(words)
	for _, b := range brings {
		if lists.Has(strings.Fields(b.verbs), verb) && (b.needs == nil || slices.ContainsFunc(args, b.needs.In)) && (some || !namesFile(verb, args)) && (b.needs == searches || !lists.Has(args, "--stdout")) {
			most = max(most, b.what)
		}
	}
	if verb == "grep" && most == Tracked && inCommit(args) {
		most = Ever
	}
	if verb == "clone" && slices.ContainsFunc(args, remote.In) {
		return Nothing
	}
	if verb == "checkout" && slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "--work-tree") }) {
		most = Tracked
	}
	return most
}

// inCommit reports whether git grep, by its arguments, may look elsewhere than in the folder: one word is what it looks for, and another no path for sure.
func inCommit(args []string) bool {
	words := len(lists.Drop(operands(args, "-e -f -A -B -C -m --max-depth --max-count --threads"), noCommit.In))
	return words > 1 || slices.ContainsFunc(args, func(a string) bool {
		return bringsScript.In(a) && !strings.HasPrefix(a, "--") && (words > 0 || !strings.ContainsAny(a[len(a)-1:], "ef")) // -epattern
	})
}

// noCommit are words that name no commit.
var noCommit = &lazy.Pattern{X: `^\.{1,2}(?:/|$)|/$|^\*`}

// namesFile reports whether arguments say of which files something is: what is named is told by its name.
func namesFile(verb string, args []string) bool {
	if lists.Has(ofNoFiles, verb) {
		return false
	}
	if n := slices.Index(args, "--"); n >= 0 && n+1 < len(args) {
		return !slices.ContainsFunc(args[n+1:], func(w string) bool { return strings.Trim(w, "./*:") == "" || magic.In(w) })
	}
	return slices.ContainsFunc(args, func(w string) bool {
		_, file, of := strings.Cut(w, ":")
		return of && file != "" && !strings.HasPrefix(w, "-") && !strings.HasPrefix(w, ":/") && verb != "grep"
	})
}

// ofNoFiles are verbs whose words name no files.
var ofNoFiles = strings.Fields("clone worktree range-diff")

// magic are words for files by which git takes more than they name: all but those, or in any letters.
var magic = &lazy.Pattern{X: `^:[!^]|^:\(`}

// prints are git's verbs that print what stands in files, with the arguments that they need for it, and those without which alone they do.
var prints = map[string]struct{ needs, not *lazy.Pattern }{
	"log": {needs: patches}, "whatchanged": {needs: patches}, "reflog": {needs: patches}, "stash": {needs: patches}, "diff-tree": {needs: patches}, "diff-index": {needs: patches}, "diff-files": {needs: patches},
	"show": {not: counts}, "diff": {not: counts}, "grep": {not: &lazy.Pattern{X: `^-[a-z]*[lLcq]$|^--(?:files|name-only|count|quiet)`}}, "cat-file": {not: &lazy.Pattern{X: `^-[est]$|^--batch-check`}},
	"archive": {}, "format-patch": {}, "blame": {}, "annotate": {}, "fast-export": {}, "bundle": {not: &lazy.Pattern{X: `^(?:verify|list-heads|unbundle)$`}},
}

var (
	patches = &lazy.Pattern{X: `^-(?:p|u|c|m|U\d*|L.*)$|^--(?:patch|cc|unified|full-diff|word-diff|binary)`}
	counts  = &lazy.Pattern{X: `^-[sq]$|^--(?:(?:num|short|dir)?stat|name-|summary|no-patch|quiet|check|raw)`}
)

// keepers are programs that leave the lines as they are that they are given, and those before them, with the arguments with which they do not: of a
// line without what stood above it, it can no longer be told of which file it is.
var keepers = map[string]*lazy.Pattern{
	"cat": nil, "less": nil, "more": nil, "wc": nil, "diffstat": nil, "true": nil, "head": bytesOnly, "sed": {X: `^(?:[^-\d]|-[^n]|[^1-]|1\d|1(?:,\d+)?[^p,\d]|..*;)`},
}

var bytesOnly = &lazy.Pattern{X: `^-\w*c|^--bytes`}

// printing reports whether a call is one by which git prints what stands in files.
func printing(c call) bool {
	if base(c.name) != "git" {
		return false
	}
	_, verb, args := aroundVerb(texts(c.args))
	how, ok := prints[verb]
	patch := slices.ContainsFunc(args, patches.In)
	if !ok || how.needs != nil && !patch || how.not != nil && slices.ContainsFunc(args, how.not.In) && !(patch && how.not == counts) {
		return false
	}
	return true
}

// pours takes in how much calls print of it: what differs in the folder now, or what git ever had.
func (r *reading) pours(calls []call) {
	for _, c := range calls {
		if !printing(c) {
			continue
		}
		_, verb, args := aroundVerb(texts(c.args))
		if namesFile(verb, args) {
			r.onward = append(r.onward, c)
			continue
		}
		if verb != "diff" || slices.ContainsFunc(args, func(w string) bool {
			return !strings.HasPrefix(w, "-") || w == "--cached" || w == "--staged" || w == "--no-index"
		}) {
			r.poured = Ever
		}
		r.poured = max(r.poured, Differing)
	}
}

// leavesLines reports whether a call leaves lines as they are.
func leavesLines(c call) bool {
	not, ok := keepers[base(c.name)]
	return ok && (not == nil || !slices.ContainsFunc(texts(c.args), not.In))
}

// poursTo tells of what a statement prints that goes to a file.
func (r *reading) poursTo(s *syntax.Stmt, from int) {
	for _, d := range s.Redirs {
		switch d.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
			if (d.N == nil || d.N.Value == "1") && !strings.HasPrefix(d.Word.Lit(), "/dev/") {
				r.pours(r.calls[from:])
			}
		}
	}
}
