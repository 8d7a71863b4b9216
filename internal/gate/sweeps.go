package gate

import (
	"slices"
	"strings"
	"sync"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// walkers are programs that come to files which no word of their line names, each with what its words have to hold for it; nil for nothing.
var walkers = sync.OnceValue(func() map[string]*lazy.Pattern {
	table := map[string]*lazy.Pattern{}
	for _, row := range []struct {
		names string
		needs *lazy.Pattern
	}{
		{"rg ag ack tar bsdtar gtar zip 7z 7za rsync cpio pax xargs gxargs parallel", nil},
		{"grep egrep fgrep ggrep diff cp gcp", &lazy.Pattern{X: `(?:^| )(?:-[A-Za-z]*[rRa]|--(?:rec|deref|dir|arch))`}},
		{"find gfind fd", &lazy.Pattern{X: `(?:^| )-(?:exec|ok|x|X|-exec)`}},
		{strings.Join(runners, " "), &lazy.Pattern{X: `^(?:-|(?:-\S+ )*(?:-\w*[ceE]|--eval|--print))?(?: |$)`}}, // what stands in the line, or is fed
	} {
		for _, name := range strings.Fields(row.names) {
			table[name] = row.needs
		}
	}
	return table
})

// naming are programs that show names of files and nothing of what stands there.
var naming = strings.Fields("ls echo printf cd mkdir touch rm rmdir test [ export chmod stat du which type git find gfind fd")

// Sweeps reports whether a line has a program come to files that the line does not name: by a walk, a pattern, or what the shell makes only when
// it runs. What builds, tests and runs the project is none of these, nor git, which shows what it has.
func Sweeps(line string) bool { return read(line).sweeps() }

func (r *reading) sweeps() bool {
	return r.blind || slices.ContainsFunc(r.calls, call.sweeps) || slices.ContainsFunc(r.taken, func(w string) bool { return strings.ContainsAny(w, wild+"$") })
}

func (c call) sweeps() bool {
	name := base(c.name)
	if needs, walks := walkers()[name]; walks && (needs == nil || needs.In(strings.Join(texts(c.args), " "))) {
		return true
	}
	return c.known() && !c.leaves() && slices.ContainsFunc(c.args, func(a arg) bool { return !a.known || strings.ContainsAny(a.text, wild) && !c.pipes() })
}

// ReadsFiles reports whether a line has a program read files, by whatever name: a link, another spelling, a copy. Beside what builds, tests and
// runs the project only what [Sweeps] does; beside a git that takes up what stands in the folder nothing, since it must find all. Where the line
// would run in no box, what goes beyond the folder is left alone too: in one it could not.
func ReadsFiles(line string, free bool) bool {
	r := read(line)
	works := false
	for _, c := range r.calls {
		if free && c.goesOut() {
			return false
		}
		if c.takesUp() {
			return false
		}
		works = works || c.leaves() && !lists.Has(naming, base(c.name))
	}
	return r.sweeps() || !works && (len(r.taken) > 0 || slices.ContainsFunc(r.calls, func(c call) bool {
		return len(c.args) > 0 && base(c.name) != "mv" && c.known() && !c.leaves()
	}))
}

// SweepsBeside reports whether a line does what [Sweeps] tells beside a git that takes up what stands in the folder: none of its files may be empty
// for that one, and so none is for the other.
func SweepsBeside(line string) bool {
	r := read(line)
	return slices.ContainsFunc(r.calls, call.takesUp) && r.sweeps()
}

// takesUp reports whether a call is of a git that takes up what stands in the folder; what of it is an alias may.
func (c call) takesUp() bool {
	if base(c.name) != "git" {
		return false
	}
	_, verb, args := aroundVerb(texts(c.args))
	does, known := gitVerbs[verb]
	if verb == "stash" {
		return len(args) == 0 || args[0] != "list" && args[0] != "show"
	}
	return !known || lists.Has(does, Alters)
}

// leaves reports whether a call shows names alone, or is of what builds, tests and runs the project.
func (c call) leaves() bool {
	name := base(c.name)
	return lists.Has(naming, name) || lists.Has(runners, name) || programs()[name].other == projects || strings.Contains(c.name, "/") && !usual(c.name)
}

// known reports whether a call is of a program that is known to read and write files and nothing else: what is not known may be what the project
// is built with.
func (c call) known() bool {
	p, known := programs()[base(c.name)]
	return base(c.name) == "base64" || known && p.verbs == nil && !lists.Has(p.does, Network) && !lists.Has(p.does, Outside) && !lists.Has(p.does, Publishes) && !lists.Has(p.does, Privileged)
}

// goesOut reports whether a call may need more than the folder: a program that may reach others, or an argument that leads out.
func (c call) goesOut() bool {
	return !c.known() && base(c.name) != "git" || slices.ContainsFunc(texts(c.args), func(a string) bool {
		return strings.HasPrefix(a, "~/") || strings.HasPrefix(a, "/") && !strings.HasPrefix(a, "/proc/") && !strings.HasPrefix(a, "/tmp/")
	})
}
