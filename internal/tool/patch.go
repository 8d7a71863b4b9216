package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/workspace"
)

type patchFile struct {
	dir     *workspace.Dir
	renames *renameSymbol
	o       Options
}

type replacement struct {
	Old string `json:"old"`
	New string `json:"new"`
	All bool   `json:"replace_all,omitempty"` // wherever old stands
}

// How edits are given, and what has to be said of one that has half of it.
const (
	editsForm = `Give edits as [{"old":"the lines as they are","new":"the lines as they shall be"}].`
	editsHalf = `Give edits as [{"old":"the lines as they are","new":"the lines as they shall be"}]. To take lines out, give them as old, and "" as new.`
)

// changes are edits as a list, or as a text that looks like one.
type changes struct {
	list []replacement
	text string
}

// UnmarshalJSON reads a list, or a text.
func (c *changes) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		err := json.Unmarshal(data, &c.text)
		if err == nil && json.Unmarshal([]byte(c.text), &c.list) == nil && len(c.list) > 0 { // a list, written as a text
			c.text = ""
		} else {
			c.list = nil
		}
		return err
	}
	return json.Unmarshal(data, &c.list)
}

// halves are what models call the two halves of a replacement.
var halves = map[string][]string{
	"old": {"old", "search", "find", "old_string", "old_str", "old_text", "old_content", "before", "original"},
	"new": {"new", "replace", "replacement", "replace_with", "new_string", "new_str", "new_text", "new_content", "after", "updated"},
}

// everywhere is what models call that an edit is meant for every place where old stands.
var everywhere = []string{"replace_all", "replaceAll", "all"}

// UnmarshalJSON reads a replacement by any of its names. What has another name is said, not left out.
func (r *replacement) UnmarshalJSON(data []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	given := map[string]bool{}
	for key, value := range fields {
		if string(value) == "null" {
			continue
		}
		half, into := "old", &r.Old
		switch {
		case lists.Has(everywhere, key):
			if json.Unmarshal(value, &r.All) != nil {
				return mistakef(editsForm, "%q must be true or false.", key)
			}
			continue
		case lists.Has(halves["old"], key):
		case lists.Has(halves["new"], key):
			half, into = "new", &r.New
		default:
			return mistakef(editsForm, "An edit has no %q.", key)
		}
		if err := json.Unmarshal(value, into); err != nil {
			return mistakef(editsForm, "%q must be text.", key)
		}
		given[half] = true
	}
	for _, half := range []string{"old", "new"} {
		if !given[half] {
			return mistakef(editsHalf, "An edit lacks %q.", half)
		}
	}
	return nil
}

// Spec implements nebula.Tool.
func (t *patchFile) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{
		Name: "patchFile", Aliases: []string{"patch_file"},
		Description: "Replace passages of a file. With a directory: rename an identifier in all its files.",
		Params: []nebula.Param{
			param("path", "string", true, ""),
			{Name: "edits", Type: "array", Required: true, Payload: true, Schema: []byte(`{"type":"array","items":{"type":"object",` +
				`"properties":{"old":{"type":"string"},"new":{"type":"string"},"replace_all":{"type":"boolean"}},"required":["old","new"]}}`)},
		},
		Effect: nebula.Write,
	}
}

// Propose implements nebula.Tool.
func (t *patchFile) Propose(ctx context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct {
		Path  string
		Edits changes
	}
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	if len(in.Edits.list) == 0 && in.Edits.text == "" {
		return nebula.Proposal{}, mistake("There are no edits.", editsForm)
	}
	if r, ok := t.renaming(in.Path, in.Edits.list); ok {
		return t.renames.propose(ctx, r, 0, v)
	} else if r.Path != "" {
		return nebula.Proposal{}, mistakef("Name the file as path, a patchFile for each file. To rename an identifier wherever it stands, give it alone: "+
			`[{"old":"Name","new":"Other"}].`, "%q is a folder, and these edits are of a file.", r.Path)
	}
	e, data, _, err := existing(t.dir, in.Path)
	if err == nil {
		err = cmp.Or(t.o.untold(v, in.Path, e, data), unseen(v, in.Path, e))
	}
	if err != nil {
		return nebula.Proposal{}, err
	}
	at := e.Path
	if in.Edits.text != "" {
		in.Edits.list, _ = newContent(at, in.Edits.text, string(data), v).looks()
	}
	if len(in.Edits.list) == 0 {
		return nebula.Proposal{}, mistakef(editsForm, "What edits says is no change of %q.", at)
	}
	given, err := json.Marshal(in.Edits.list)
	if err != nil {
		return nebula.Proposal{}, err
	}
	c := newContent(at, string(given), string(data), v)
	c.said = a.Reason
	m, err := c.replaced(data, in.Edits.list, strangeness(v, at, data))
	if err != nil {
		return nebula.Proposal{}, err
	}
	return m.proposal(t.dir, e, data, v)
}

// renaming is what an edit of a directory means: an identifier gets another name in all files below it. Other edits of one mean nothing: it has
// the directory's path alone.
func (t *patchFile) renaming(at string, edits []replacement) (Renaming, bool) {
	clean, err := t.dir.Clean(at)
	if err != nil {
		return Renaming{}, false
	}
	if e, err := t.dir.Stat(clean); err != nil || !e.Dir {
		return Renaming{}, false
	}
	if len(edits) != 1 || strings.ContainsAny(strings.TrimSpace(edits[0].Old), " \t\n") {
		return Renaming{Path: clean}, false
	}
	return Renaming{Path: clean, From: strings.TrimSpace(edits[0].Old), To: strings.TrimSpace(edits[0].New)}, true
}

// after is what the session knows of a file once it is patched: all that it knew before the first edit, and that edit.
// Of a file that it did not know it knows the edit.
func after(v nebula.View, at string, data []byte, hash string, first [2]int) nebula.FileRef {
	r := nebula.FileRef{Path: at, Hash: hash}
	lines := [][2]int{first}
	if known(v, at, data, false) == nil {
		if v.Ref == nil {
			return r
		}
		old, ok := v.Ref(at)
		if !ok || len(old.Lines) == 0 {
			return r
		}
		for _, l := range old.Lines {
			if l[0] < first[0] {
				lines = append(lines, [2]int{l[0], min(l[1], first[0]-1)})
			}
		}
	}
	r.Lines = joined(lines)
	return r
}

// A patch is what edits make of a text.
type patch struct {
	next  string
	lines [2]int // the first and last line of the first edit in the new text
	notes notes  // how loosely they were read
	edits int
	wrong []*nebula.Mistake // of each edit that was not made, what is wrong with it
	moot  []*nebula.Mistake // of each that was made before, that it was
}

// failed is what is wrong with a patch of which nothing is made or, where all is to be made, not all.
func (p patch) failed(whole bool) error {
	if len(p.wrong) == 0 && len(p.moot) == p.edits && p.edits > 0 {
		return p.moot[0]
	}
	if len(p.wrong) == 0 || !whole && len(p.wrong)+len(p.moot) < p.edits {
		return nil
	}
	first := *p.wrong[0]
	for _, m := range p.wrong[1:] {
		end := "%s %[2]s" // whose sentence is told to its end elsewhere
		if strings.HasSuffix(m.Text, "\n") {
			end = "%[1]s %[2]s"
		}
		first.Hint = nebula.Say("%s\n%s", first.Hint, nebula.Say(end, m.Said, m.Hint))
	}
	return first.Then("%[1]s Nothing was changed.", first.Hint)
}

// wrongs is what the model reads of the edits that were not made.
func (p patch) wrongs(lang string) string {
	var all []string
	for _, m := range p.wrong {
		all = append(all, phrase.Mistaken(lang, m))
	}
	return strings.Join(all, "\n")
}

// unmade says what of a patch was not made, "" where all was.
func (p patch) unmade(lang string) string {
	if len(p.wrong) == 0 {
		return ""
	}
	return " " + worded(lang, "Not made:\n%s\nGive only what was not made again.", p.wrongs(lang))
}

// patched applies edits to a text, each for itself. Each is looked for in the text as it is, not in what other edits make
// of it.
func patched(at, text string, edits []replacement, unread stranger) patch {
	d := newDocument(text)
	p := patch{edits: len(edits)}
	var all []region
	var hows []string
	for i, e := range edits {
		which := nebula.Words{Format: "old"}
		if len(edits) > 1 {
			which = nebula.Say("old of edit %d", i+1)
		}
		found, how, wrong := d.places(at, which, e, unread)
		if wrong == nil && slices.ContainsFunc(found, func(r region) bool { return slices.ContainsFunc(all, r.meets) }) {
			wrong = nebula.Wrong("", "Two edits of %q overlap at line %d.", at, d.lineAt(found[0].start)).Then("Edit %d is one of them: make one edit of them.", i+1)
		}
		if wrong != nil && wrong.Moot {
			p.moot = append(p.moot, wrong)
			continue
		}
		if wrong != nil {
			p.wrong = append(p.wrong, wrong)
			continue
		}
		all = append(all, found...)
		if how != "" && !lists.Has(hows, how) {
			hows = append(hows, how)
		}
	}
	for _, m := range p.moot {
		p.notes = append(p.notes, m.Said)
	}
	if len(all) == 0 {
		p.next = text
		return p
	}
	p.next, p.lines = d.with(all)
	if len(hows) > 0 {
		p.notes = append(p.notes, nebula.Say("Matched by ignoring differences in %s.", ignored(hows)))
	}
	return p
}

// ignored names what edits were read without.
func ignored(hows []string) (all nebula.Words) {
	for i, how := range strings.Split(strings.Join(hows, ", "), ", ") {
		if w := (nebula.Words{Format: how}); i == 0 {
			all = w
		} else {
			all = nebula.Say("%s and %s", all, w)
		}
	}
	return all
}

// with is the text with regions of it replaced, and the lines of the first of them in it.
func (d *document) with(all []region) (next string, lines [2]int) {
	lists.Sort(all, func(a, b region) int { return cmp.Compare(a.start, b.start) })
	var b strings.Builder
	done := 0
	for _, r := range all {
		b.WriteString(d.text[done:r.start])
		b.WriteString(r.text)
		done = r.end
	}
	b.WriteString(d.text[done:])
	first := d.lineAt(all[0].start)
	return b.String(), [2]int{first, first + strings.Count(all[0].text, "\n")}
}

// meets reports whether two regions have something in common, or begin at the same place.
func (r region) meets(o region) bool {
	return r.start == o.start || r.start < o.end && o.start < r.end
}

// places finds where an edit is to be made. which names its old for the model.
func (d *document) places(at string, which nebula.Words, e replacement, unread stranger) ([]region, string, *nebula.Mistake) {
	if strings.TrimSpace(e.Old) == "" {
		return nil, "", nebula.Wrong("To add text, give a line beside it as old, and that line with the text as new.", "%s is empty.", which)
	}
	if unread.why != nil {
		found, how := d.exact(unix(e.Old), unix(e.New)), ""
		if len(found) == 0 {
			found, how = d.within(e.Old, e.New)
		}
		if len(found) == 1 {
			return found, how, nil
		}
		return nil, "", d.unmet(at, which, e.Old, found, unread)
	}
	found, how := d.find(e.Old, e.New)
	if len(found) == 0 {
		found, how = d.within(e.Old, e.New)
	}
	if offside.In(at) && d.reindented(found) {
		how = "indentation"
	}
	switch {
	case len(found) == 0 && d.made(e):
		m := nebula.Wrong("Nothing needs to be done.", "Already so: %q has new where %s stood.", at, which)
		m.Moot = true
		return nil, "", m
	case len(found) == 0:
		return nil, "", d.notFound(at, which, e.Old)
	case e.All:
		apart := found[:1:1]
		for _, r := range found[1:] {
			if !r.meets(apart[len(apart)-1]) {
				apart = append(apart, r)
			}
		}
		return apart, how, nil
	case len(found) == 1:
		return found, how, nil
	}
	return nil, "", d.repeated(at, which, found)
}

// unmet says of a file that is not known that an old does not stand there exactly once: with what is near, where that may be told.
func (d *document) unmet(at string, which nebula.Words, old string, found []region, unread stranger) *nebula.Mistake {
	wrong := nebula.Wrong("", "%s is not in %q.", which, at)
	switch {
	case len(found) > 0:
		wrong = d.repeated(at, which, found)
	case unread.shown:
		return d.notFound(at, which, old)
	}
	if !unread.shown {
		wrong.Then("%s %[2]s", unread.why.Said, unread.why.Hint)
	}
	return wrong
}

// repeated says that an old stands more than once, and where.
func (d *document) repeated(at string, which nebula.Words, found []region) *nebula.Mistake {
	var lines []string
	for _, r := range found[:min(len(found), 10)] {
		lines = append(lines, fmt.Sprint(d.lineAt(r.start)))
	}
	if len(found) > len(lines) {
		lines = append(lines, "…")
	}
	return nebula.Wrong(`Add lines around it to old until it stands there once, or give the edit "replace_all": true.`,
		"%s stands %d times in %q, at lines %s.", which, len(found), at, strings.Join(lines, ", "))
}

// made reports whether an edit was made already: its new stands once, where what is nearest to its old does.
func (d *document) made(e replacement) bool {
	next := strings.TrimSuffix(unix(e.New), "\n")
	if len(strings.TrimSpace(next)) < leastMade {
		return false
	}
	first, last, ok := d.nearest(e.Old)
	found := d.exact(next, "")
	if !ok || len(found) != 1 {
		return false
	}
	_, from, to := d.excerpt(first, last, 0)
	return d.lineAt(found[0].start) <= to && from <= d.lineAt(found[0].end)
}

// leastMade is how long a new text has to be for it to stand where it does because it was put there.
const leastMade = 8

// within finds an old that was given as lines where it is a part of one: where it stands without its last line break exactly once.
func (d *document) within(old, next string) ([]region, string) {
	part, lines := strings.CutSuffix(unix(old), "\n")
	if !lines || len(strings.TrimSpace(part)) < 3 {
		return nil, ""
	}
	if found := d.exact(part, strings.TrimSuffix(unix(next), "\n")); len(found) == 1 {
		return found, "the end of the line"
	}
	return nil, ""
}

func (d *document) notFound(at string, which nebula.Words, old string) *nebula.Mistake {
	first, last, ok := d.nearest(old)
	if !ok {
		return nebula.Wrong("Read the file again and copy the passage from it.", "%s is not in %q.", which, at)
	}
	text, from, to := d.excerpt(first, last, 1)
	return nebula.Wrong("Copy the passage from there.",
		"%s is not in %q. The nearest are lines %d-%d:\n%s\n", which, at, from, to, text)
}
