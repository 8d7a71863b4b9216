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
func Sweeps(line string) bool {
	r := read(line)
	return r.blind || slices.ContainsFunc(r.calls, call.sweeps) || slices.ContainsFunc(r.taken, func(w string) bool { return strings.ContainsAny(w, wild+"$") })
}

func (c call) sweeps() bool {
	name := base(c.name)
	if needs, walks := walkers()[name]; walks && (needs == nil || needs.In(strings.Join(texts(c.args), " "))) {
		return true
	}
	if lists.Has(naming, name) || lists.Has(runners, name) || programs()[name].other == projects || strings.Contains(c.name, "/") && !usual(c.name) {
		return false
	}
	return slices.ContainsFunc(c.args, func(a arg) bool { return !a.known || strings.ContainsAny(a.text, wild) && !c.pipes() })
}
