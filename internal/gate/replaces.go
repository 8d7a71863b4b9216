package gate

import (
	"path"
	"slices"
	"strings"

	"nebula/internal/lists"
)

// A Replaced is a file that a line puts another in the place of, where it stands already, told from the folder that the line begins in.
type Replaced struct {
	File string
	From string // what comes in its place, where that is a file
}

// replacers are programs that put a file in the place of another, with an option that they need for it, and those with which they leave what
// is there or keep a copy of it.
var replacers = []struct{ programs, needs, spares string }{
	{"mv cp install ditto", "", "-n --no-clobber -b --backup --suffix --update=none --update=none-fail"},
	{"ln", "-f --force", "-b --backup --suffix"},
	{"rsync", "", "-n --dry-run -b --backup --ignore-existing --list-only"},
}

// Replaces are the files that a line would leave nothing of where they stand: what it moves or copies another to, and what it writes anew.
// A file that the line makes of what was there, or that it keeps a copy of, is none.
func Replaces(line string) (list []Replaced) {
	r := read(line)
	var named, kept []string // what the calls so far were given, and what of it a copy is made of
	for _, c := range r.calls {
		name, args, at := base(c.name), texts(c.args), workdir{at: c.into()}
		from, to := replacing(name, args)
		for _, w := range to {
			w = path.Clean(at.from(w))
			for i, f := range from {
				if f = path.Clean(at.from(f)); !lists.Has(named, w) || !lists.Has(r.over, f) {
					list = append(list, Replaced{w, f})
				}
				if len(to) == 1 { // where that is a folder
					list = append(list, Replaced{path.Join(w, path.Base(from[i])), f})
				}
			}
		}
		if name == "tee" && !slices.ContainsFunc(args, func(a string) bool { return option(a, "-a") || option(a, "--append") }) {
			for _, w := range operands(args, "") {
				list = append(list, Replaced{File: path.Clean(at.from(w))})
			}
		}
		for _, w := range args {
			named = append(named, path.Clean(at.from(w)))
		}
		for _, w := range from {
			kept = append(kept, path.Clean(at.from(w)))
		}
	}
	for _, w := range r.over {
		if w = path.Clean(w); !lists.Has(kept, w) {
			list = append(list, Replaced{File: w})
		}
	}
	return list
}

// replacing are the files that a program puts in the place of others, and where to; none where it leaves what is there.
func replacing(name string, args []string) (from, to []string) {
	for _, row := range replacers {
		has := func(options string) bool {
			return slices.ContainsFunc(strings.Fields(options), func(o string) bool { return slices.ContainsFunc(args, func(a string) bool { return option(a, o) }) })
		}
		if !lists.Has(strings.Fields(row.programs), name) || row.needs != "" && !has(row.needs) || has(row.spares) {
			continue
		}
		all := operands(args, "-m --mode -o --owner -g --group -t --target-directory")
		to = changes(name, args)
		if len(all) == 0 || len(to) == 0 || slices.ContainsFunc(all, func(w string) bool { return strings.ContainsAny(w, wild+"$:") || w == "/dev/null" }) {
			return nil, nil
		}
		if to[0] == all[len(all)-1] {
			all = all[:len(all)-1]
		}
		return all, to[:1]
	}
	return nil, nil
}
