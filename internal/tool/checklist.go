package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/phrase"
)

// checklist keeps what longer work consists of before the person's eyes. It is nothing that anybody has to use: it is offered
// where a plan or the dialog of steps is under way, and understood where a model uses it from habit.
type checklist struct{}

// Bounds of a list. What is longer is no list that anybody reads.
const (
	mostItems = 40
	itemShown = 160 // characters
)

// Spec implements nebula.Tool. The templates of some models ask what they are sent for its items(): no argument may be called so.
func (t *checklist) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{
		Name: "checklist", Aliases: []string{"TodoWrite", "todo_write", "write_todos", "update_plan", "manage_todo_list"},
		Description: "Show the whole list of what longer work consists of, as it stands now.",
		Params: []nebula.Param{{Name: "todos", Type: "array", Required: true,
			Schema: []byte(`{"type":"array","items":{"type":"string"},"description":"[ ], [>] for the one under way, [x]"}`)}},
		Effect: nebula.Update,
		Quiet:  true,
	}
}

// Propose implements nebula.Tool.
func (t *checklist) Propose(_ context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct{ Todos listed }
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	if len(in.Todos) == 0 {
		return nebula.Proposal{}, mistake("The list is empty.", `Give its items as ["[x] what is done","[>] what you do","[ ] what comes"].`)
	}
	list := in.Todos[:min(len(in.Todos), mostItems)]
	done, doing := 0, ""
	for _, i := range list {
		switch {
		case i.Status == nebula.Completed:
			done++
		case doing == "" && i.Status == nebula.InProgress:
			doing = " · " + i.Text
		}
	}
	r := nebula.Result{Text: worded(v.Lang, "shown: %d of %d done", done, len(list)), Summary: said(v.Lang, "%d of %d done%s", done, len(list), doing)}
	if n := len(in.Todos) - len(list); n > 0 {
		r.Text += worded(v.Lang, "; %d more items were left out", n)
	}
	if done == len(list) {
		r.Decision = &nebula.Decision{NextStep: "done"}
	}
	return nebula.Proposal{Effect: nebula.Update, Summary: r.Summary, List: list,
		Do: func(context.Context, nebula.Run) (nebula.Result, error) { return r, nil }}, nil
}

// listed are items as models write them: as lines with a box, or as objects with a status. What has no text is left out.
type listed []nebula.Item

var (
	// itemTexts and itemStatus are what models call the two.
	itemTexts  = []string{"text", "content", "step", "title", "task", "name", "description", "item"}
	itemStatus = []string{"status", "state", "done", "completed", "checked"}
	boxed      = &lazy.Pattern{X: `^\s*(?:[-*•]\s+|\d+[.)]\s+)?(?:\[([^\]]?)\]|([☐☑☒✓✔✅○◐▸→]))?\s*(.*)$`}
	boxes      = map[string]nebula.Stage{
		"x": nebula.Completed, "✓": nebula.Completed, "✔": nebula.Completed, "☑": nebula.Completed, "☒": nebula.Completed, "✅": nebula.Completed, "済": nebula.Completed,
		">": nebula.InProgress, "~": nebula.InProgress, "-": nebula.InProgress, "/": nebula.InProgress, "◐": nebula.InProgress, "▸": nebula.InProgress, "→": nebula.InProgress,
	}
	stages = map[string]nebula.Stage{
		"done": nebula.Completed, "complete": nebula.Completed, "completed": nebula.Completed, "finished": nebula.Completed, "true": nebula.Completed,
		"doing": nebula.InProgress, "active": nebula.InProgress, "in_progress": nebula.InProgress, "in-progress": nebula.InProgress, "in progress": nebula.InProgress,
	}
)

// UnmarshalJSON reads a list, or a text of lines.
func (l *listed) UnmarshalJSON(data []byte) error {
	var all []json.RawMessage
	var text string
	switch {
	case json.Unmarshal(data, &text) == nil:
		for line := range strings.Lines(text) {
			l.add(item(line))
		}
		return nil
	case json.Unmarshal(data, &all) != nil:
		return mistake("The todos are no list.", `Give them as ["[x] what is done","[>] what you do","[ ] what comes"].`)
	}
	for _, one := range all {
		var fields map[string]any
		if json.Unmarshal(one, &text) == nil {
			l.add(item(text))
		} else if json.Unmarshal(one, &fields) == nil {
			l.add(described(fields))
		}
	}
	return nil
}

//go:noinline
func (l *listed) add(i nebula.Item) {
	i.Text = phrase.OneLine(i.Text, itemShown)
	if i.Text != "" {
		*l = append(*l, i)
	}
}

// item is a line with a box before it, or without one.
func item(line string) nebula.Item {
	m := boxed.Re().FindStringSubmatch(phrase.OneLine(line, 0))
	return nebula.Item{Text: m[3], Status: cmp.Or(boxes[strings.ToLower(m[1]+m[2])], nebula.Pending)}
}

// described is an object, by whatever its members are called.
func described(fields map[string]any) nebula.Item {
	first := func(names []string) string {
		at := slices.IndexFunc(names, func(n string) bool { return fields[n] != nil })
		if at < 0 {
			return ""
		}
		return fmt.Sprint(fields[names[at]])
	}
	i := item(first(itemTexts))
	i.Status = cmp.Or(stages[strings.ToLower(strings.TrimSpace(first(itemStatus)))], i.Status)
	return i
}
