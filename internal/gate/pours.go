package gate

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"nebula/internal/lazy"
)

// Pours reports whether a line has git print what stands in files, none of them by name, to a file or to a program that does not leave lines as
// they are: what comes of it can no longer be told by its lines.
func Pours(line string) bool { return read(line).poured }

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

// keepers are programs that leave the lines as they are that they are given, with the arguments with which they do not.
var keepers = map[string]*lazy.Pattern{
	"cat": nil, "less": nil, "more": nil, "wc": nil, "sort": nil, "uniq": nil, "diffstat": nil, "true": nil, "head": bytesOnly, "tail": bytesOnly,
	"grep": partsOnly, "egrep": partsOnly, "fgrep": partsOnly, "rg": partsOnly, "sed": {X: `^(?:[^-\d]|-[^n]|\d+(?:,\d+)?[^p,\d]|..*;)`},
}

var (
	bytesOnly = &lazy.Pattern{X: `^-\w*c|^--bytes`}
	partsOnly = &lazy.Pattern{X: `^-\w*[or]|^--(?:only|replace)`}
)

// printing reports whether a call is one by which git prints what stands in files that it does not name.
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
	if n := slices.Index(args, "--"); n >= 0 && n+1 < len(args) { // what is named is told by its name
		return slices.ContainsFunc(args[n+1:], func(w string) bool { return strings.Trim(w, "./*:") == "" })
	}
	return !slices.ContainsFunc(args, func(w string) bool {
		_, file, of := strings.Cut(w, ":")
		return of && file != "" && !strings.HasPrefix(w, "-") && verb != "grep"
	})
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
				r.poured = r.poured || slices.ContainsFunc(r.calls[from:], printing)
			}
		}
	}
}
