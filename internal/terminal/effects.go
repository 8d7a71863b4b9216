package terminal

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// Effects are rows of at most width columns that say what becomes of the targets of a proposal as far as its diff does not
// tell: what is deleted, empty or too large to be shown, a folder, a link, moved, or given other rights. What weighs most
// comes first. A folder that is made is told by what is made in it.
func Effects(p nebula.Proposal, width int, lang string) (rows []Row) {
	e := effects{lang: lang, many: len(p.Targets) > 1, told: named(p.Diff), moved: map[string]bool{}, holds: map[string]bool{}}
	for _, t := range p.Targets {
		e.moved[t.From] = t.From != ""
		for dir := path.Dir(t.Path); t.Kind != "rmdir" && t.Kind != "delete" && dir != "." && dir != "/"; dir = path.Dir(dir) {
			e.holds[dir] = true
		}
	}
	for _, t := range p.Targets {
		if !t.Ignored {
			e.tell(t)
		}
	}
	e.aside(p.Targets)
	lists.Sort(e.found, func(a, b effect) int { return cmp.Compare(a.weight, b.weight) })
	for _, f := range e.found {
		rows = append(rows, broken('~', affects, blanks(f.text), width)...)
	}
	return rows
}

// An effect is what becomes of a target, in words; what weighs less is told first.
type effect struct {
	weight int
	text   string
}

type effects struct {
	lang  string
	many  bool            // what is deleted is named, also where the diff shows its lines
	told  map[string]bool // files of which the diff shows lines
	moved map[string]bool // where files stood that are elsewhere now
	holds map[string]bool // folders in which something is made or changed
	found []effect
}

func (e *effects) put(weight int, format string, args ...string) {
	shown := make([]any, len(args))
	for i, a := range args {
		shown[i] = OneRow(a)
	}
	e.found = append(e.found, effect{weight, fmt.Sprintf(phrase.In(e.lang, format), shown...)})
}

// tell notes what the diff does not tell of a target.
func (e *effects) tell(t nebula.Target) {
	before := len(e.found)
	was, is := fs.FileMode(t.Mode), fs.FileMode(t.ModeAfter)
	if t.From != "" {
		e.put(2, "moves %s to %s", t.From, t.Path)
	}
	if t.Link != "" {
		e.put(1, "makes %s a link to %s", t.Path, t.Link)
	}
	if t.Twin != "" {
		e.put(1, "makes %s another name of the file %s", t.Path, t.Twin)
	}
	if t.Kind == "edit" && t.Size == 0 && t.Was > 0 {
		e.put(0, "empties %s (%s)", t.Path, phrase.Bytes(t.Was))
	}
	if was != 0 && is != 0 && was.Type() != is.Type() && is&fs.ModeSymlink == 0 {
		e.put(1, "%s is now a file of another kind: %s, was %s", t.Path, is.String(), was.String())
	}
	switch made := was == 0; {
	case is == 0 || is&fs.ModeSymlink != 0 || was&fs.ModeSymlink != 0:
	case !made && octal(was) != octal(is):
		e.put(1, "rights of %s: %s → %s", t.Path, octal(was), octal(is))
	case t.Twin != "": // the rights of the file
	case made && (is&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky|0o002) != 0 || is.IsRegular() && is&0o111 != 0):
		e.put(1, "rights of %s: %s", t.Path, octal(is))
	}
	if len(e.found) == before && !e.told[t.Path] || t.Unshown || t.Kind == "delete" && e.many {
		e.whole(t)
	}
}

// whole notes what becomes of a target of which nothing else is told.
func (e *effects) whole(t nebula.Target) {
	mode := fs.FileMode(t.Mode)
	switch {
	case e.moved[t.Path] && t.Kind == "delete", t.Kind == "mkdir" && e.holds[t.Path], t.Link != "":
	case t.Kind == "rmdir", t.Kind == "delete" && mode.IsDir():
		e.put(0, "deletes the folder %s", t.Path)
	case t.Kind == "delete" && mode&fs.ModeSymlink != 0:
		e.put(0, "deletes the link %s", t.Path)
	case t.Ignored && t.Kind == "delete": // how large it was is not looked at
		e.put(0, "deletes %s, which the project ignores", t.Path)
	case t.Ignored && t.Kind == "create":
		e.put(6, "makes %s, which the project ignores", t.Path)
	case t.Ignored && t.Kind == "edit":
		e.put(6, "changes %s, which the project ignores", t.Path)
	case t.Kind == "delete" && t.Was == 0:
		e.put(0, "deletes %s (empty)", t.Path)
	case t.Kind == "delete":
		e.put(0, "deletes %s (%s)", t.Path, phrase.Bytes(t.Was))
	case t.Kind == "mkdir":
		e.put(5, "makes the folder %s", t.Path)
	case t.Kind == "create" && t.Size == 0:
		e.put(4, "makes %s, empty", t.Path)
	case t.Kind == "create":
		e.put(3, "makes %s (%s), not shown", t.Path, phrase.Bytes(t.Size))
	case t.Kind == "edit" && t.Size != t.Was:
		e.put(3, "changes %s (%s → %s), not shown", t.Path, phrase.Bytes(t.Was), phrase.Bytes(t.Size))
	case t.Kind == "edit":
		e.put(3, "changes %s, not shown line by line", t.Path)
	case t.Kind == "mode":
		e.put(1, "changes the rights or attributes of %s", t.Path)
	case t.Kind == "time":
		e.put(7, "changes only the time of %s", t.Path)
	case t.Kind == "read":
		e.put(6, "reads %s", t.Path)
	default:
		e.put(1, "%s: %s", t.Kind, t.Path)
	}
}

// asideMost is how many files of a folder are named for themselves that the project ignores.
const asideMost = 3

// aside notes what becomes of what the project ignores: much of it in one folder is counted.
func (e *effects) aside(targets []nebula.Target) {
	type place struct{ kind, folder string }
	many := map[place][]nebula.Target{}
	var order []place
	for _, t := range targets {
		if !t.Ignored || t.Kind == "time" {
			continue
		}
		at := place{t.Kind, t.Path}
		if i := strings.IndexByte(t.Path, '/'); i > 0 {
			at.folder = t.Path[:i+1]
		}
		if many[at] == nil {
			order = append(order, at)
		}
		many[at] = append(many[at], t)
	}
	counted := map[string]string{
		"delete": "deletes %s files in %s, which the project ignores", "rmdir": "deletes %s folders in %s, which the project ignores",
		"create": "makes %s files in %s, which the project ignores", "mkdir": "makes %s folders in %s, which the project ignores",
	}
	for _, at := range order {
		format, known := counted[at.kind]
		switch all := many[at]; {
		case len(all) <= asideMost:
			for _, t := range all {
				e.tell(t)
			}
		case known:
			e.put(map[bool]int{true: 0, false: 6}[at.kind == "delete" || at.kind == "rmdir"], format, fmt.Sprint(len(all)), at.folder)
		default:
			e.put(6, "changes %s files in %s, which the project ignores", fmt.Sprint(len(all)), at.folder)
		}
	}
}

// octal are the rights of a mode as people write them: 644, 4755.
func octal(mode fs.FileMode) string {
	n := uint32(mode.Perm())
	for bit, value := range map[fs.FileMode]uint32{fs.ModeSetuid: 0o4000, fs.ModeSetgid: 0o2000, fs.ModeSticky: 0o1000} {
		if mode&bit != 0 {
			n |= value
		}
	}
	return fmt.Sprintf("%03o", n)
}

// named are the files of which a unified diff shows lines.
func named(diff string) map[string]bool {
	found := map[string]bool{}
	var old, now string
	for sign, line := range signed(diff) {
		switch {
		case sign == 'f' && strings.HasPrefix(line, "--- "):
			old = strings.TrimPrefix(line[4:], "a/")
		case sign == 'f':
			now = strings.TrimPrefix(line[4:], "b/")
		case sign == '+' || sign == '-':
			found[old], found[now] = true, true
		}
	}
	return found
}
