package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"nebula"
	"nebula/internal/hook"
	"nebula/internal/lists"
	"nebula/internal/matter"
	"nebula/internal/phrase"
	"nebula/internal/state"
	"nebula/internal/tool"
	"nebula/internal/workspace"
)

// largestDenying bounds settings that forbid something: they are read where they are too large to bring anything.
const largestDenying = 16 << 20

// denying are settings of another program's, in which all stands where it stood.
func denying(root *os.Root, file string) []byte {
	if info, err := root.Stat(file); err != nil || !info.Mode().IsRegular() { // opening a pipe waits for who writes it
		return nil
	}
	f, err := root.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, largestDenying)) // what could be read holds
	return matter.Spaced(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
}

// denied is what a folder's settings forbade since they were first looked at: whoever lifts it may be the model, so it holds as long as the
// folder is open, for the conversations in it and for what runs beside them. It has one order, that in which it was first seen.
type denied struct {
	dir   string // the folder: what reads its settings in a copy means the same files of that
	rules atomic.Pointer[[]denial]
}

// holds are those of the project, made with its first session.
func (at *project) holds(dir string) *denied {
	if at.denied == nil {
		at.denied = &denied{dir: dir}
	}
	return at.denied
}

// A denial is a rule of permissions.deny and the file that has it.
type denial struct{ from, rule string }

// now takes in what they forbid now, and gives all that holds: as bars what [state.RuledBar] takes, and the rest as hooks. Of what is damaged
// all counts that stands before the damage: a rule is not to be lost for a comma.
func (d *denied) now(dir string) (list []hook.Hook, bars []state.Bar) {
	return d.sorted(d.taken(dir))
}

// sorted are rules as hooks and as bars.
func (d *denied) sorted(rules []denial) (list []hook.Hook, bars []state.Bar) {
	for _, one := range rules {
		if b, ok := state.RuledBar(one.rule, d.dir); ok {
			bars = append(bars, b)
			continue
		}
		list = append(list, hook.Hook{Moment: nebula.BeforeTool, If: one.rule, Line: nebula.Denies + one.rule, From: one.from, Denies: true})
	}
	return list, bars
}

// taken are all rules by now.
func (d *denied) taken(dir string) []denial {
	found := denialsIn(dir)
	for _, at := range workspace.Above(d.dir) { // what their settings forbid is forbidden here, too
		for _, one := range denialsIn(at) {
			found = append(found, denial{filepath.Join(at, one.from), state.RuledAbove(one.rule, at, d.dir)})
		}
	}
	for {
		was, all := d.rules.Load(), []denial(nil)
		if was != nil {
			all = slices.Clip(*was)
		}
		for _, one := range found {
			if !lists.Has(all, one) {
				all = append(all, one)
			}
		}
		if d.rules.CompareAndSwap(was, &all) {
			return all
		}
	}
}

// denialsIn are the rules of the settings in a folder.
func denialsIn(dir string) (found []denial) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	home, homeless := os.UserHomeDir()
	for _, file := range hookFiles {
		rules, _ := denyRules(denying(root, file))
		for _, rule := range rules {
			if homeless == nil && !strings.HasPrefix(strings.ToLower(rule), "bash") { // it may lead back here
				rule = strings.Replace(rule, "(~/", "(/"+filepath.ToSlash(home)+"/", 1)
			}
			for _, one := range state.Ruled(rule) {
				found = append(found, denial{file, one})
			}
		}
	}
	return found
}

// denies are the bars of what the folder's settings forbid; nil where it has none.
func (s *session) denies(d *denied) func() []state.Bar {
	if s.clean || !s.hooked(d) {
		return nil
	}
	return func() []state.Bar {
		rules := d.taken(s.dir)
		_, bars := d.sorted(rules)
		for _, file := range hookFiles { // who may lift a rule is not bound by it
			if own, ok := state.RuledBar("Edit(/"+file+")", d.dir); ok && slices.ContainsFunc(rules, func(one denial) bool { return one.from == file }) {
				bars = append(bars, own)
			}
		}
		return bars
	}
}

// denyRules are the texts under permissions.deny, a text alone among them, up to where the JSON ends or is damaged, and the lines of what is none.
func denyRules(data []byte) (rules []string, odd []int) {
	type place struct {
		key  string
		list bool
		next bool // a key comes next
	}
	var at []place
	if !bytes.Contains(bytes.ToLower(data), []byte(`"deny"`)) {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	for {
		t, err := d.Token()
		if err != nil {
			return rules, odd
		}
		n := len(at) - 1
		text, is := t.(string)
		if n >= 0 && at[n].next && is {
			at[n].key, at[n].next = text, false
			continue
		}
		mark, _ := t.(json.Delim)
		within := n >= 1 && strings.EqualFold(at[0].key, "permissions") && strings.EqualFold(at[1].key, "deny") && (n == 1 || n == 2 && at[2].list)
		switch {
		case strings.ContainsRune("]}", rune(mark)):
			if at = at[:n]; len(at) == 0 {
				return rules, odd
			}
		case within && is:
			rules = append(rules, text)
		case within && !(mark == '[' && n == 1):
			odd = append(odd, 1+bytes.Count(data[:d.InputOffset()], []byte("\n")))
		}
		switch {
		case mark == '{' || mark == '[':
			at = append(at, place{list: mark == '[', next: mark == '{'})
		case len(at) > 0 && !at[len(at)-1].list:
			at[len(at)-1].next = true
		}
	}
}

// undenied is what of the lists of what settings forbid is no rule, so that nobody relies on it.
func undenied(root *os.Root) (left []nebula.Words) {
	for _, file := range hookFiles {
		rules, odd := denyRules(denying(root, file))
		for _, rule := range rules {
			if !tool.Names(rule) {
				left = append(left, nebula.Say("%s: %s in permissions.deny names no tool that there is here", file, phrase.OneLine(rule, 80)))
			}
		}
		for _, at := range odd {
			left = append(left, nebula.Say("%s:%d: what is no text is left out of permissions.deny; write each rule in quotes, as in \"Read(./.env)\"", file, at))
		}
	}
	return left
}
