package protocol

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"nebula"
	"nebula/internal/lists"
)

// A Call is a call that a model printed into its text, in any form: a tool's name with its arguments as one reading of
// an object.
type Call struct {
	Name   string
	Args   Reading
	Rows   []string // that its reading needed
	Reason string
	Points *nebula.Points
	Wrong  string // what could not be read
}

// Action is the action that a call means.
func (c Call) Action(src nebula.Span, tools []nebula.ToolSpec) nebula.Action {
	a := nebula.Action{Tool: c.Name, Args: c.Args.JSON, Reason: c.Reason, Points: c.Points, Src: src, Problem: c.Wrong}
	if len(a.Args) == 0 {
		a.Args = json.RawMessage("{}")
	}
	if spec, ok := Meant(c.Name, a.Args, tools); ok && a.Problem == "" {
		a.Problem = cmp.Or(Spoilt(c.Args.Doubts, spec), Ambiguous(c.Args))
	}
	Needed(&a, c.Args)
	Need(&a, c.Rows...)
	return Resolve(a, tools)
}

// A form is one model family's way to print calls. read takes the text behind the form's opening and returns the calls
// in it and how many bytes they took; ok is false when this is none after all. torn begins a line, in small letters, that was
// meant as such a call wherever it could not be read; around are the marks that stand before and behind its calls. Adding a form is a row.
type form struct {
	opens  []string
	read   func(text string, tools []nebula.ToolSpec) (calls []Call, used int, ok bool)
	torn   []string
	around [][2]string
}

var forms = []form{
	{[]string{"<tool_call>", "<function_call>", "<tool_use>", "<|tool_call|>"}, tagged, []string{"<tool_call", "<function_call", "<tool_use", "<|tool_call"},
		[][2]string{tags("tool_call"), tags("function_call"), tags("tool_use"), {"<|tool_call|>", "<|/tool_call|>"}}},
	{[]string{"<tools>", "<tool_calls>", "<TOOLCALL>", "<toolcall>"}, jsonBlock, []string{"<tools>", "<tool_call", "<toolcall"}, [][2]string{tags("tool_calls"), tags("TOOLCALL"), tags("toolcall")}},
	{[]string{"<function=", "<function("}, functionTag, []string{"<function="}, nil},
	{[]string{"<invoke name="}, invoke(""), []string{"<invoke"}, [][2]string{tags("function_calls"), tags("minimax:tool_call"), tags("seed:tool_call")}},
	{[]string{"<｜DSML｜invoke name="}, invoke("｜DSML｜"), []string{"<｜dsml｜"}, [][2]string{tags("｜DSML｜function_calls"), tags("｜DSML｜tool_calls")}},
	{[]string{"[TOOL_CALLS]"}, mistral, []string{"[tool_calls]"}, [][2]string{{"[TOOL_CALLS]", "[/TOOL_CALLS]"}}},
	{[]string{"functools"}, jsonCalls, []string{"functools[", "functools{"}, nil},
	{[]string{"<|python_tag|>"}, pythonTag, []string{"<|python_tag|>"}, [][2]string{{"<|python_tag|>"}}},
	{spelled("tool call begin"), deepseek, []string{"<｜tool", "<|tool"}, sectioned},
	{[]string{"<|tool_call_begin|>"}, divided("<|tool_call_argument_begin|>"), []string{"<|tool_call"}, [][2]string{{"<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"}, {"", "<|tool_call_end|>"}}},
	{[]string{"<|channel|>analysis<|message|>"}, analysis, []string{"<|channel|>"}, nil},
	{[]string{"<|channel|>commentary to=", "<|channel|>analysis to=", "<|start|>assistant<|channel|>commentary to="}, divided("<|message|>"), []string{"<|channel|>"}, [][2]string{{"", "<|call|>"}}},
	{[]string{"commentary to=", "assistantcommentary to=", "to=functions."}, bareHarmony, []string{"commentary to=functions.", "assistantcommentary to=", "to=functions."}, nil},
	{[]string{"```tool_code", "```tool_calls", "```tool_call", "```function_call", "```tool_use", "```tool\n"}, fencedCalls, []string{"```tool", "tool_code"}, nil},
	{[]string{"TOOL_NAME:"}, namedArguments, []string{"tool_name:", "begin_arg:"}, nil},
	{[]string{"*** Begin Patch\n"}, applyPatch, []string{"*** begin patch", "*** update file", "*** add file", "*** delete file"}, nil},
	{[]string{">>>"}, chevrons, []string{">>>"}, nil},
	{[]string{"Action:", "**Action:**", "Action：", "Action 1:", "Tool:", "**Tool:**", "行動:", "行動：", "アクション:", "アクション：", "动作:", "动作："}, reAct, []string{"action input:", "action input 1:"}, nil},
	{[]string{"["}, pythonicList, nil, nil}, // with a tool's name behind it: see meantAsCall
	{[]string{"<"}, toolTag, nil, nil},
	{[]string{"<"}, emptyTag, nil, nil},
	{[]string{""}, pythonic, nil, nil},
}

// tags are a tag and what closes it.
func tags(name string) [2]string { return [2]string{"<" + name + ">", "</" + name + ">"} }

// templates are what chat templates put around replies.
var templates = [][2]string{{"<s>", "</s>"}, {"<|im_start|>assistant", "<|im_end|>"}, {"<|start|>assistant", "<|end|>"}, {"", "<|eom_id|>"}, {"", "<|eot_id|>"}, {"", "<|endoftext|>"}, {"", "<end_of_turn>"}}

// opener and closer are the sides of what stands around calls and replies.
const opener, closer = 0, 1

// wrapped finds what stands around a call or a reply on one side of it, by how the text begins or ends with it. call is whether nothing
// but calls stands within.
func wrapped(text string, side int, fits func(text, mark string) bool) (length int, call bool) {
	for _, f := range forms {
		for _, pair := range f.around {
			if pair[side] != "" && fits(text, pair[side]) {
				return len(pair[side]), true
			}
		}
	}
	for _, pair := range templates {
		if pair[side] != "" && fits(text, pair[side]) {
			return len(pair[side]), false
		}
	}
	return 0, false
}

// Wrapper is the length of the wrapper of calls, or of the chat template's token, that a text begins with.
func Wrapper(text string) int {
	if text == "" || text[0] != '<' && text[0] != '[' {
		return 0
	}
	n, _ := wrapped(text, opener, strings.HasPrefix)
	if n == 0 {
		n, _ = wrapped(text, closer, strings.HasPrefix)
	}
	return n
}

// unwrapped is a line without wrappers.
func unwrapped(line string) string {
	for from := 0; ; {
		i := strings.IndexAny(line[from:], "<[")
		if i < 0 {
			return line
		}
		from += i
		if n := Wrapper(line[from:]); n > 0 {
			line = line[:from] + " " + line[from+n:]
		}
		from++
	}
}

// Opens reports whether a text begins as a form's calls do that begin as hardly anything else does.
func Opens(text string) bool {
	return text != "" && strings.IndexByte(openers(), text[0]) >= 0 && slices.ContainsFunc(forms, func(f form) bool {
		return slices.ContainsFunc(f.opens, func(open string) bool { return len(open) > 1 && strings.HasPrefix(text, open) })
	})
}

// openers are the bytes that such openings begin with.
var openers = sync.OnceValue(func() (first string) {
	for _, f := range forms {
		for _, open := range f.opens {
			if len(open) > 1 && strings.IndexByte(first, open[0]) < 0 {
				first += open[:1]
			}
		}
	}
	return first
})

// Printed reads the calls that text[at:] begins with, in any model family's form.
func Printed(text string, at int, tools []nebula.ToolSpec) (calls []Call, end int, ok bool) {
	rest := text[at:]
	for _, f := range forms {
		for _, open := range f.opens {
			if !strings.HasPrefix(rest, open) {
				continue
			}
			if calls, used, ok := f.read(rest[len(open):], tools); ok {
				return calls, at + len(open) + used, true
			}
		}
	}
	return nil, at, false
}

// The names of a call's parts in JSON, in the order in which they are looked for. nameKeys hardly mean anything else;
// doubtfulKeys may be part of any JSON, and count only with arguments beside them or a tool that exists.
var (
	nameKeys     = []string{"operation", "tool", "tool_name", "toolName", "function_name"}
	doubtfulKeys = []string{"name", "function", "action", "op", "command", "type", "do", "method", "call"}
	argsKeys     = []string{"args", "arguments", "parameters", "params", "input", "kwargs", "action_input", "tool_input", "with"}
	whyKeys      = []string{"reasoning", "reason", "rationale", "why"}
	dependsKeys  = []string{"depends_on", "dependsOn", "dependencies"}
	nestKeys     = []string{"function", "function_call", "functionCall", "tool_call", "toolCall", "tool_use", "action", "call", "params"}
	otherKeys    = []string{"type", "id", "index", "jsonrpc"}
)

// CallOf reads a JSON object as a call: the tool's name and its arguments under any of the keys that models use, beside
// each other, one in the other, or with the tool's name as the key. ok is false when it is none.
func CallOf(r Reading, tools []nebula.ToolSpec) (a nebula.Action, ok bool) {
	fields, err := objectFields(r.JSON)
	if err != nil {
		return a, false
	}
	nameKey, name := firstText(fields, nameKeys)
	sure := name != ""
	if !sure {
		nameKey, name = firstText(fields, doubtfulKeys)
		if _, known := Find(name, tools); !known {
			if inner, ok := nested(fields, r, tools); ok {
				return inner, true
			}
		}
	}
	spec, known := Find(name, tools)
	args := argumentsOf(fields)
	if name == "" || !known && args == nil || !sure && args == nil && known && len(fields) == 1 && len(spec.Params) > 0 {
		return byKey(fields, r, tools)
	}
	a = nebula.Action{Tool: name, Args: args}
	whyKey, why := firstText(fields, whyKeys)
	a.Reason = why
	broken := false
	for _, f := range fields {
		if lists.Has(dependsKeys, f.key) {
			a.DependsOn = Strings(f.value)
		}
		_, against := f.point(&a.Points)
		broken = broken || against
	}
	if args == nil {
		a.Args = without(fields, nameKey, whyKey)
	}
	spec, _ = Meant(name, a.Args, tools)
	a.Problem = Spoilt(r.Doubts, spec)
	a.Problem = cmp.Or(a.Problem, Ambiguous(r))
	Needed(&a, r)
	if broken || withheld(fields) {
		Need(&a, "place_words")
	}
	return Resolve(a, tools), true
}

// Ambiguous is the problem of a reading in which an object has a key twice, empty for any other.
func Ambiguous(r Reading) string {
	if r.Twice == "" {
		return ""
	}
	return fmt.Sprintf("%q is given twice in one object, so it was not done. Write every key once.", Clip(r.Twice, 40))
}

// nested is the call that an object holds under a key that says so.
func nested(fields []field, r Reading, tools []nebula.ToolSpec) (nebula.Action, bool) {
	for _, key := range nestKeys {
		if inner := valueOf(fields, key); bytes.HasPrefix(inner, []byte("{")) {
			r.JSON = inner
			return CallOf(r, tools)
		}
	}
	return nebula.Action{}, false
}

// byKey reads {"tool": {arguments}}: an object whose only key is a tool's name.
func byKey(fields []field, r Reading, tools []nebula.ToolSpec) (nebula.Action, bool) {
	if len(fields) != 1 || fields[0].value[0] != '{' {
		return nebula.Action{}, false
	}
	spec, known := Find(fields[0].key, tools)
	a := nebula.Action{Tool: fields[0].key, Args: fields[0].value, Problem: cmp.Or(Spoilt(r.Doubts, spec), Ambiguous(r))}
	Needed(&a, r)
	return Resolve(a, tools), known
}

// NamesCall reports whether a field of an object says which tool it calls.
func NamesCall(key string, value json.RawMessage, tools []nebula.ToolSpec) bool {
	_, known := Find(Text(value), tools)
	return lists.Has(nameKeys, key) || known && lists.Has(doubtfulKeys, key)
}

func firstText(fields []field, names []string) (key, text string) {
	for _, name := range names {
		if v := valueOf(fields, name); len(v) > 0 && v[0] == '"' {
			if s := unquoted(v); strings.TrimSpace(s) != "" {
				return name, s
			}
		}
	}
	return "", ""
}

// valueOf is a field's value, nil where there is none.
func valueOf(fields []field, key string) json.RawMessage {
	for _, f := range fields {
		if f.key == key {
			return f.value
		}
	}
	return nil
}

func argumentsOf(fields []field) json.RawMessage {
	for _, name := range argsKeys {
		if v := valueOf(fields, name); len(v) > 0 && (v[0] == '{' || v[0] == '"') {
			return v
		}
	}
	return nil
}

// without are arguments that stand beside the tool's name: every field but those that say something else.
func without(fields []field, except ...string) json.RawMessage {
	var out bytes.Buffer
	for _, f := range fields {
		if !lists.Has(except, f.key) && !lists.Has(dependsKeys, f.key) && !lists.Has(otherKeys, f.key) {
			appendField(&out, f.key, f.value)
		}
	}
	return closedObject(&out).JSON
}

// Strings are the texts of a value: its own, or those of a list.
func Strings(value json.RawMessage) []string {
	var list []json.RawMessage
	if json.Unmarshal(value, &list) != nil {
		list = []json.RawMessage{value}
	}
	var out []string
	for _, v := range list {
		if s := strings.TrimSpace(Text(v)); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// Text is a value as text: a string's own, nothing for null, else as written.
//
//go:noinline
func Text(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) == nil || string(value) == "null" {
		return s
	}
	return string(value)
}
