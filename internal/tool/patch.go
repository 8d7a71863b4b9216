package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/workspace"
)

type patchFile struct{ dir *workspace.Dir }

type replacement struct {
	Old string `json:"old"`
	New string `json:"new"`
}

// editsForm shows how edits are given.
const editsForm = `Give edits as [{"old":"the lines as they are","new":"the lines as they shall be"}].`

// changes are edits as a list, or as a text that looks like one.
type changes struct {
	list []replacement
	text string
}

// UnmarshalJSON reads a list, or a text.
func (c *changes) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, &c.text)
	}
	return json.Unmarshal(data, &c.list)
}

// halves are what models call the two halves of a replacement.
var halves = map[string][]string{
	"old": {"old", "search", "find", "old_string", "old_str", "old_text", "old_content", "before", "original"},
	"new": {"new", "replace", "replacement", "replace_with", "new_string", "new_str", "new_text", "new_content", "after", "updated"},
}

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
		case slices.Contains(halves["old"], key):
		case slices.Contains(halves["new"], key):
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
			return mistakef(editsForm+` To take lines out, give them as old, and "" as new.`, "An edit lacks %q.", half)
		}
	}
	return nil
}

func (t *patchFile) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{
		Name: "patchFile", Aliases: []string{"patch_file"},
		Description: "Replace passages of a file you have read.",
		Params: []nebula.Param{
			param("path", "string", true, ""),
			{Name: "edits", Type: "array", Required: true, Payload: true, Schema: []byte(`{"type":"array","items":{"type":"object",` +
				`"properties":{"old":{"type":"string"},"new":{"type":"string"}},"required":["old","new"]}}`)},
		},
		Effect: nebula.Write,
	}
}

func (t *patchFile) Propose(_ context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
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
	e, data, _, err := existing(t.dir, in.Path)
	if err != nil {
		return nebula.Proposal{}, err
	}
	at := e.Path
	if err := known(v, at, data, false); err != nil {
		return nebula.Proposal{}, err
	}
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
	m, err := newContent(at, string(given), string(data), v).replaced(data, in.Edits.list)
	if err != nil {
		return nebula.Proposal{}, err
	}
	return m.proposal(t.dir, e, data, v)
}

// after is what the session knows of a file once it is patched: all that it knew before the first edit, and that edit.
func after(v nebula.View, at, hash string, first [2]int) nebula.FileRef {
	r := nebula.FileRef{Path: at, Hash: hash}
	if v.Ref == nil {
		return r
	}
	old, ok := v.Ref(at)
	if !ok || len(old.Lines) == 0 {
		return r
	}
	lines := [][2]int{first}
	for _, l := range old.Lines {
		if l[0] < first[0] {
			lines = append(lines, [2]int{l[0], min(l[1], first[0]-1)})
		}
	}
	r.Lines = joined(lines)
	return r
}

// patched applies all edits to a text, or none. Each is looked for in the text as it is, not in what other edits make
// of it. lines are the first and last line of the first edit in the new text.
func patched(at, text string, edits []replacement) (next string, lines [2]int, note string, err error) {
	d := newDocument(text)
	var all []region
	var hows []string
	for i, e := range edits {
		r, how, err := d.one(at, i, len(edits), e)
		if err != nil {
			return "", lines, "", err
		}
		all = append(all, r)
		if how != "" && !slices.Contains(hows, how) {
			hows = append(hows, how)
		}
	}
	order := slices.Clone(all)
	slices.SortStableFunc(order, func(a, b region) int { return cmp.Compare(a.start, b.start) })
	var b strings.Builder
	done := 0
	for i, r := range order {
		if r.start < done || i > 0 && r.start == order[i-1].start {
			return "", lines, "", mistakef("Make one edit of them.", "Two edits of %q overlap at line %d.", at, d.lineAt(r.start))
		}
		b.WriteString(d.text[done:r.start])
		b.WriteString(r.text)
		done = r.end
	}
	b.WriteString(d.text[done:])
	first := d.lineAt(order[0].start)
	lines = [2]int{first, first + strings.Count(order[0].text, "\n")}
	if len(hows) > 0 {
		note = " Matched by ignoring differences in " + strings.Join(hows, " and ") + "."
	}
	return b.String(), lines, note, nil
}

// one finds the place of an edit. i and n number it for the model.
func (d *document) one(at string, i, n int, e replacement) (region, string, error) {
	which := "old"
	if n > 1 {
		which = fmt.Sprintf("old of edit %d", i+1)
	}
	if strings.TrimSpace(e.Old) == "" {
		return region{}, "", mistakef("To add text, give a line beside it as old, and that line with the text as new.", "%s is empty.", which)
	}
	found, how := d.find(e.Old, e.New)
	switch len(found) {
	case 1:
		return found[0], how, nil
	case 0:
		return region{}, "", d.notFound(at, which, e.Old)
	}
	var places []string
	for _, r := range found[:min(len(found), 10)] {
		places = append(places, fmt.Sprint(d.lineAt(r.start)))
	}
	if len(found) > len(places) {
		places = append(places, "…")
	}
	return region{}, "", mistakef("Add lines around it to old until it stands there once. Nothing was changed.",
		"%s stands %d times in %q, at lines %s.", which, len(found), at, strings.Join(places, ", "))
}

func (d *document) notFound(at, which, old string) error {
	first, last, ok := d.nearest(old)
	if !ok {
		return mistakef("Read the file again and copy the passage from it. Nothing was changed.", "%s is not in %q.", which, at)
	}
	text, from, to := d.excerpt(first, last, 1)
	return mistakef("Copy the passage from there. Nothing was changed.",
		"%s is not in %q. The nearest are lines %d-%d:\n%s\n", which, at, from, to, text)
}
