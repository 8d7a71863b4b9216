package dml

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"nebula"
	"nebula/internal/protocol"
)

// command reads the letter and the colon that begin a macro's body. Without them the letter is 0 and rest is all.
func command(body string) (letter byte, rest string, repaired bool) {
	trimmed := strings.TrimLeft(body, " \t\r\n")
	for _, l := range []byte("TFSID") {
		for _, form := range []string{string(l), string(l + 'a' - 'A'), string(rune(l) + 'Ａ' - 'A')} {
			after, ok := strings.CutPrefix(trimmed, form)
			if !ok {
				continue
			}
			after = strings.TrimLeft(after, " ")
			if rest, ok := strings.CutPrefix(after, ":"); ok {
				return l, rest, form != string(l)
			}
			if rest, ok := strings.CutPrefix(after, "："); ok {
				return l, rest, true
			}
		}
	}
	return 0, body, false
}

// call reads the body of a tool macro: the tool's name and its arguments by position, or as one JSON object.
func call(body string, tools []nebula.ToolSpec) (a nebula.Action, repairs []string, known bool) {
	letter, rest, repaired := command(body)
	if repaired || letter == 0 {
		repairs = append(repairs, "dml_command")
	}
	name, args, found, repair := head(rest, tools)
	if repair != "" {
		repairs = append(repairs, repair)
	}
	if repair == separator && letter == 0 {
		repairs = append(repairs, "dml_guessed_call")
	}
	if a, ok := function(strings.TrimSpace(rest), tools); ok && repair == separator {
		return a, append(repairs, a.Repairs...), true
	}
	a = nebula.Action{Tool: trimBlank(name), Confidence: 1, Args: json.RawMessage("{}")}
	spec, known := protocol.Find(a.Tool, tools)
	if !known && letter == 0 {
		return a, nil, false
	}
	if known && repair == widePipe && hasPayload(spec) && strings.Contains(args, "|") {
		a.Problem = "write | between arguments, not ｜: what belongs to the contents cannot be told."
	}
	if known && found && a.Problem == "" {
		var more []string
		a.Args, more, a.Problem = arguments(args, spec, strings.HasSuffix(name, " "))
		repairs = append(repairs, more...)
	}
	read := a.Problem == ""
	if a = protocol.Resolve(a, tools); known && read && a.Problem != "" {
		a.Problem += " Write " + example(a, spec, tools)
	}
	return a, repairs, true
}

// function reads name(arguments) as programs call.
func function(text string, tools []nebula.ToolSpec) (nebula.Action, bool) {
	if !strings.HasSuffix(text, ")") {
		return nebula.Action{}, false
	}
	calls, end, ok := protocol.Printed(text, 0, tools)
	if !ok || len(calls) != 1 || end != len(text) {
		return nebula.Action{}, false
	}
	return calls[0].Action(nebula.Span{}, tools), true
}

// The repairs of what stands between a tool's name and its arguments.
const (
	widePipe  = "dml_wide_pipe"
	separator = "dml_separator"
)

// head splits a macro's body into the tool's name and its arguments. Where no | follows the name of a tool, a blank, a
// colon or a parenthesis does as well.
func head(rest string, tools []nebula.ToolSpec) (name, args string, found bool, repair string) {
	name, args, found = strings.Cut(rest, "|")
	if wide, wideArgs, ok := strings.Cut(rest, "｜"); ok && (!found || len(wide) < len(name)) {
		return wide, strings.ReplaceAll(wideArgs, "｜", "|"), true, widePipe
	}
	if _, known := protocol.Find(trimBlank(name), tools); known {
		return name, args, found, ""
	}
	trimmed := strings.TrimLeft(rest, " \t\r\n")
	at := strings.IndexAny(trimmed[:min(len(trimmed), longestName)], " \t\n:：=(")
	if at <= 0 {
		return name, args, found, ""
	}
	spec, known := protocol.Find(trimmed[:at], tools)
	if !known {
		return name, args, found, ""
	}
	_, size := utf8.DecodeRuneInString(trimmed[at:])
	args = trimmed[at+size:]
	if inner, ok := strings.CutSuffix(strings.TrimRight(args, " \t\r\n"), ")"); ok && trimmed[at] == '(' {
		args = unwrapped(inner, spec)
	}
	return trimmed[:at], args, true, separator
}

// longestName bounds where a tool's name can end.
const longestName = 64

// unwrapped are the arguments of name(…) that are no program's: commas part them unless they are contents.
func unwrapped(inner string, spec nebula.ToolSpec) string {
	if hasPayload(spec) || strings.HasPrefix(strings.TrimSpace(inner), "{") {
		return inner
	}
	return strings.ReplaceAll(inner, ",", "|")
}

// arguments reads what stands behind the tool's name. spaced says that a blank stood before its |.
func arguments(text string, spec nebula.ToolSpec, spaced bool) (args json.RawMessage, repairs []string, problem string) {
	if !utf8.ValidString(text) {
		return json.RawMessage("{}"), nil, "the arguments hold bytes that are no UTF-8 text."
	}
	if r, ok := asObject(text, spec); ok {
		var a nebula.Action
		protocol.Needed(&a, r)
		return r.JSON, a.Repairs, cmp.Or(protocol.Spoilt(r.Doubts, spec), protocol.Ambiguous(r))
	}
	p := positions{spec: spec, taken: make([]bool, len(spec.Params)), last: -1, spaced: spaced}
	for more := true; more; {
		text, more = p.take(text)
	}
	return p.object(), p.repairs, p.spoilt
}

// asObject reads arguments that are one JSON object with a field of the tool's.
func asObject(text string, spec nebula.ToolSpec) (r protocol.Reading, ok bool) {
	trimmed := strings.TrimSpace(text)
	if !strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "{{") || !strings.HasSuffix(trimmed, "}") {
		return r, false
	}
	r, err := protocol.Read(trimmed)
	if err != nil || r.End != len(trimmed) {
		return r, false
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(r.JSON, &fields) != nil {
		return r, false
	}
	for _, p := range spec.Params {
		if _, ok := fields[p.Name]; ok {
			return r, true
		}
	}
	return r, false
}

// report reads a decision macro: D:key=value|key=value.
func report(body string, in *nebula.Intent, line int) {
	_, rest, _ := command(body)
	for more := true; more; {
		var pair string
		pair, rest, more = cut(rest)
		key, val, found := strings.Cut(pair, "=")
		key, val = strings.TrimSpace(key), strings.TrimSpace(val)
		if !found || val == "" {
			continue
		}
		if problem := set(in, key, val); problem != "" {
			in.Problems = append(in.Problems, nebula.Problem{Line: line, Text: problem + "."})
		}
	}
}

func set(in *nebula.Intent, key, val string) (problem string) {
	if number, err := strconv.ParseFloat(strings.TrimSuffix(val, "%"), 64); err == nil && protocol.Feel(&in.Vitals, key, number) {
		return ""
	}
	var d nebula.Decision
	if in.Decision != nil {
		d = *in.Decision
	}
	known, problem := protocol.Decide(&d, key, val)
	if !known {
		delta := nebula.Delta{}
		if d.StateDelta != nil {
			delta = *d.StateDelta
		}
		if !protocol.Shift(&delta, key, val) {
			return fmt.Sprintf("D has no field %q", key)
		}
		d.StateDelta = &delta
	}
	in.Decision = &d
	return problem
}
