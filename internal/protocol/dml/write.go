package dml

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/protocol"
)

// Write writes an intent the way a model that knows the language would. What is said and thought is written so that
// nothing in it can be read as a macro.
func Write(in nebula.Intent, tools []nebula.ToolSpec) nebula.Reply {
	var b strings.Builder
	for _, t := range in.Thoughts {
		fmt.Fprintf(&b, "Thought: %s\n", neutral(t))
	}
	if in.Say != "" {
		if b.Len() > 0 {
			b.WriteString("Answer: ")
		}
		fmt.Fprintf(&b, "%s\n", neutral(in.Say))
	}
	if d := decision(in); d != "" {
		b.WriteString(bracket("D:"+d) + "\n")
	}
	if len(in.Actions) > 0 && len(in.Thoughts) > 0 {
		b.WriteString("Action:\n")
	}
	for _, a := range in.Actions {
		b.WriteString(bracket("T:"+writeCall(a, tools)) + "\n")
	}
	return nebula.Reply{Parts: nebula.Text(strings.TrimSuffix(b.String(), "\n")), Finish: "stop"}
}

// bracket puts a body between delimiters that nothing in it can close.
func bracket(body string) string {
	n := 1
	if found := tokens(body, 0, len(body), nil); len(found) > 0 {
		n = 2
		for _, t := range found {
			n = max(n, t.brackets+1)
		}
	}
	return duck + right + vs16 + strings.Repeat("[", n) + body + strings.Repeat("]", n) + left + vs16 + duck
}

// neutral is a text in which no macro, label or code block begins.
func neutral(s string) string {
	s = strings.NewReplacer(right, "▷", left, "◁", "```", "'''", "~~~", "---").Replace(s)
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if n, _ := readLabel(l); n > 0 {
			lines[i] = "· " + l
		}
	}
	return strings.Join(lines, "\n")
}

// writeCall writes a call by position, or as a JSON object where positions would not say the same.
func writeCall(a nebula.Action, tools []nebula.ToolSpec) string {
	spec, ok := protocol.Find(a.Tool, tools)
	if !ok {
		return a.Tool + "|" + string(a.Args)
	}
	name := taughtName(spec)
	want := protocol.Resolve(nebula.Action{Tool: spec.Name, Args: a.Args}, tools)
	if string(want.Args) == "{}" {
		return name
	}
	if crowded(string(want.Args)) {
		return name + "|" + escaped(want.Args)
	}
	if line, ok := byPosition(want.Args, spec); ok && !crowded(line) {
		line = name + "|" + line
		if got, repairs, _ := call("T:"+line, tools); sameJSON(got.Args, want.Args) && got.Problem == "" && len(repairs) == 0 {
			return line
		}
	}
	return name + "|" + string(want.Args)
}

// crowded reports whether a body holds a delimiter that no number of brackets can outdo.
//
//go:noinline
func crowded(body string) bool {
	for _, t := range tokens(body, 0, len(body), nil) {
		if t.brackets >= maxBrackets {
			return true
		}
	}
	return false
}

// escaped is JSON in which no delimiter can stand.
func escaped(args json.RawMessage) string {
	return strings.NewReplacer(left, `\u25c0`, right, `\u25b6`).Replace(string(args))
}

// taughtName is the name that the language's table has for a tool: the tool's second one, where there is one.
func taughtName(spec nebula.ToolSpec) string {
	if len(spec.Aliases) > 0 {
		return spec.Aliases[0]
	}
	return spec.Name
}

// byPosition joins the arguments up to the last one given.
func byPosition(args json.RawMessage, spec nebula.ToolSpec) (line string, ok bool) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(args, &fields) != nil {
		return "", false
	}
	var parts []string
	empty := 0
	for _, p := range spec.Params {
		raw, given := fields[p.Name]
		if !given {
			empty++
			continue
		}
		for ; empty > 0 && p.Required; empty-- {
			parts = append(parts, "")
		}
		empty = 0
		word, ok := positional(raw, p)
		if !ok {
			return "", false
		}
		parts = append(parts, word)
	}
	return strings.Join(parts, "|"), true
}

func positional(raw json.RawMessage, p nebula.Param) (word string, ok bool) {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		if p.Payload {
			return s, true
		}
		return strings.ReplaceAll(s, "|", `\|`), !strings.Contains(s, `\|`)
	}
	var list []string
	if json.Unmarshal(raw, &list) == nil && len(list) > 0 {
		for i := range list {
			list[i] = strings.ReplaceAll(list[i], "|", `\|`)
		}
		return strings.Join(list, "|"), true
	}
	return string(raw), true
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	left, _ := json.Marshal(x) // what was decoded marshals, with keys in order
	right, _ := json.Marshal(y)
	return string(left) == string(right)
}

// decision writes vitals and decision as key=value pairs.
func decision(in nebula.Intent) string {
	var parts []string
	pair := func(key, val string) {
		if val = strings.Join(strings.Fields(neutral(val)), " "); val != "" {
			parts = append(parts, key+"="+strings.ReplaceAll(val, "|", `\|`))
		}
	}
	if d := in.Decision; d != nil {
		pair("step", d.Step)
		pair("next_step", d.NextStep)
		pair("rationale", d.Rationale)
		pair("goal_consistency", d.GoalConsistency)
		pair("constraint_check", d.ConstraintCheck)
		pair("prompt_pattern", d.PromptPattern)
		delta(d.StateDelta, pair)
	}
	for _, v := range []struct {
		key string
		val *float64
	}{{"confidence", in.Vitals.Confidence}, {"mood", in.Vitals.Mood}, {"focus", in.Vitals.Focus}, {"stamina", in.Vitals.Stamina}} {
		if v.val != nil {
			pair(v.key, strconv.FormatFloat(*v.val, 'g', -1, 64))
		}
	}
	return strings.Join(parts, "|")
}

func delta(d *nebula.Delta, pair func(key, val string)) {
	if d == nil {
		return
	}
	if d.Goal != nil {
		pair("goal", *d.Goal)
	}
	if d.WhyNow != nil {
		pair("why_now", *d.WhyNow)
	}
	for _, l := range []struct {
		key  string
		list *[]string
	}{{"constraints", d.Constraints}, {"plan_brief", d.PlanBrief}, {"open_questions", d.OpenQuestions}, {"context_refs", d.ContextRefs}, {"decided", &d.Decided}} {
		if l.list != nil {
			pair(l.key, strings.Join(*l.list, ";"))
		}
	}
	pair("state_delta", d.Note)
}

// Form implements nebula.Former.
func (Protocol) Form(a nebula.Action, tools []nebula.ToolSpec) string {
	return Write(nebula.Intent{Actions: []nebula.Action{a}}, tools).Text()
}
