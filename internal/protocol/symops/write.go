package symops

import (
	"encoding/json"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/protocol"
)

// Write writes an intent the way a model that knows the language would. What has no words in the language (a file
// without a final line break, a second argument) is written as a call in JSON.
func Write(in nebula.Intent, tools []nebula.ToolSpec) nebula.Reply {
	var b strings.Builder
	for _, t := range in.Thoughts {
		for l := range strings.Lines(t) {
			if l = plain(l); l != "" {
				fmt.Fprintf(&b, "~ %s\n", l)
			}
		}
	}
	writeVitals(&b, in.Vitals)
	writeSay(&b, in.Say, tools)
	for _, q := range in.Questions {
		fmt.Fprintf(&b, "? %s\n", oneLine(q.Text))
		for i, o := range q.Options {
			fmt.Fprintf(&b, "  %d. %s\n", i+1, oneLine(o))
		}
	}
	for _, e := range in.Errors {
		fmt.Fprintf(&b, "! %s\n", oneLine(e))
	}
	for _, a := range in.Actions {
		WriteAction(&b, a, tools)
	}
	return nebula.Reply{Parts: nebula.Text(b.String()), Finish: "stop"}
}

// plain is one line of text that begins no construct behind a thought's symbol.
func plain(l string) string {
	l = strings.TrimSpace(strings.ReplaceAll(l, "\r", " "))
	if strings.HasPrefix(l, "$") || strings.HasPrefix(l, "#") || strings.Contains(l, "think") || len(endless(l)) != len(l) {
		l = "· " + strings.ReplaceAll(l, "</", "< /") + " ·"
	}
	return l
}

// writeSay writes text for the person as it is, where it is read as nothing else; otherwise every line is marked.
func writeSay(b *strings.Builder, say string, tools []nebula.ToolSpec) {
	if d := Parse(say+"\n~ .\n", tools); d.Say == strings.TrimSpace(say) && len(d.Thoughts) == 1 && len(d.Actions)+len(d.Questions)+len(d.Errors)+len(d.Vitals)+len(d.Repairs)+len(d.Problems) == 0 {
		if d.Say != "" {
			b.WriteString(d.Say + "\n")
		}
		return
	}
	for l := range strings.Lines(say) {
		if l = plain(l); l != "" {
			fmt.Fprintf(b, "| %s\n", l)
		}
	}
}

func writeVitals(b *strings.Builder, v nebula.Vitals) {
	var out []string
	for i, n := range []*float64{v.Confidence, v.Mood, v.Focus, v.Stamina} {
		if n != nil {
			out = append(out, fmt.Sprintf("#%c%.2f", vitalKeys[i], *n))
		}
	}
	if len(out) > 0 {
		b.WriteString(strings.Join(out, " ") + "\n")
	}
}

// WriteAction writes one action.
func WriteAction(b *strings.Builder, a nebula.Action, tools []nebula.ToolSpec) {
	var args map[string]any
	if err := json.Unmarshal(a.Args, &args); err != nil {
		args = nil
	}
	if text, ok := words(a, args, tools); ok {
		b.WriteString(text)
		return
	}
	WriteCall(b, a)
}

// WriteCall writes one action as a call in JSON, which says where it ends.
func WriteCall(b *strings.Builder, a nebula.Action) {
	name, _ := json.Marshal(a.Tool)
	args := a.Args
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	fmt.Fprintf(b, "{\"tool\":%s,\"args\":%s}\n", name, args)
}

// words are an action's words in the language, if it has some that are read back as exactly this action.
func words(a nebula.Action, args map[string]any, tools []nebula.ToolSpec) (text string, ok bool) {
	if text, ok := changes(args); ok {
		return text, readsBack(text, a, tools)
	}
	r := protocol.ReportOf(nebula.Intent{Actions: []nebula.Action{a}}, "").Actions[0]
	word, target, body, has := r.Type, r.Path, "", false
	if !asTaught(word) {
		word = a.Tool
	}
	switch {
	case writes(word):
		content, given := args["content"].(string)
		if !given {
			content, given = args["new_content"].(string)
		}
		if !given || content == "\n" || content != "" && !strings.HasSuffix(content, "\n") {
			return "", false
		}
		target, _ = args["path"].(string)
		body, has = content, true
	case word == run && strings.Contains(target, " >"): // which could be read as a dependency
		target, body, has = "sh", target+"\n", true
	}
	if target == "" || strings.ContainsAny(target, "\r\n") {
		return "", false
	}
	text = "$ " + word + " @ " + target
	if len(a.DependsOn) > 0 {
		text += " > " + strings.Join(a.DependsOn, ", ")
	}
	text += "\n"
	if has {
		fence := Fence(body)
		text += fence + "\n" + body + fence + "\n"
	}
	return text, readsBack(text, a, tools)
}

// changes are edits of a file as the language marks them.
func changes(args map[string]any) (text string, ok bool) {
	list, _ := args["edits"].([]any)
	for _, item := range list {
		change, _ := item.(map[string]any)
		before, old := change["old"].(string)
		after, new := change["new"].(string)
		if !old || !new || len(change) != 2 || !strings.HasSuffix(before, "\n") || after != "" && !strings.HasSuffix(after, "\n") {
			return "", false
		}
		text += "<<<<<<< SEARCH\n" + before + "=======\n" + after + ">>>>>>> REPLACE\n"
	}
	fence := Fence(text)
	return fmt.Sprintf("$ edit @ %s\n%s\n%s%s\n", args["path"], fence, text, fence), len(list) > 0 && len(args) == 2
}

// readsBack reports whether a text is read as an action and nothing else.
func readsBack(text string, a nebula.Action, tools []nebula.ToolSpec) bool {
	in := Protocol{}.Decode(nebula.Reply{Parts: nebula.Text(text + "~ .\n")}, tools)
	if len(in.Actions) != 1 || in.Strategy != nebula.Strict && len(in.Repairs) > 0 {
		return false
	}
	got := in.Actions[0]
	var x, y any
	if got.Tool != a.Tool || got.Problem != "" || got.Inferred || json.Unmarshal(got.Args, &x) != nil || json.Unmarshal(a.Args, &y) != nil {
		return false
	}
	return string(encoded(x)) == string(encoded(y))
}

// Form implements nebula.Former.
func (Protocol) Form(a nebula.Action, tools []nebula.ToolSpec) string {
	return Write(nebula.Intent{Actions: []nebula.Action{a}}, tools).Text()
}
