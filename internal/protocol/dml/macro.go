package dml

import (
	"bytes"
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
	if known && repair == widePipe && hasPayload(spec) {
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
	if object, problem, ok := asObject(text, spec); ok {
		return object, nil, problem
	}
	p := positions{spec: spec, taken: make([]bool, len(spec.Params)), last: -1, spaced: spaced}
	for more := true; more; {
		text, more = p.take(text)
	}
	return p.object(), p.repairs, p.spoilt
}

// asObject reads arguments that are one JSON object with a field of the tool's.
func asObject(text string, spec nebula.ToolSpec) (args json.RawMessage, problem string, ok bool) {
	trimmed := strings.TrimSpace(text)
	if !strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "{{") || !strings.HasSuffix(trimmed, "}") {
		return nil, "", false
	}
	reading, err := protocol.Read(trimmed)
	if err != nil || reading.End != len(trimmed) {
		return nil, "", false
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(reading.JSON, &fields) != nil {
		return nil, "", false
	}
	for _, p := range spec.Params {
		if _, ok := fields[p.Name]; ok {
			return reading.JSON, protocol.Spoilt(reading.Doubts, spec), true
		}
	}
	return nil, "", false
}

// positions gives values to parameters in order.
type positions struct {
	spec    nebula.ToolSpec
	taken   []bool
	values  []value
	repairs []string
	last    int  // index into values of the last text, which takes what is too much
	spaced  bool // blanks stand around the bars
	spoilt  string
}

type value struct {
	param nebula.Param
	text  string
	list  []string
}

// take gives the next value to a parameter and returns the text behind it.
func (p *positions) take(text string) (rest string, more bool) {
	i := p.following()
	switch {
	case i < 0:
		if p.last >= 0 && text != "" {
			p.values[p.last].text += "|" + strings.TrimSpace(text)
		}
		return "", false
	case p.spec.Params[i].Payload && p.spec.Params[i].Type != "array":
		p.set(i, p.payload(p.spec.Params[i], text))
		return "", false
	case p.spec.Params[i].Type == "array":
		p.list(i, text)
		return "", false
	}
	word, rest, more := cut(text)
	word = p.unquoted(word)
	if named, text := p.named(word); named >= 0 {
		p.set(named, p.unquoted(text))
		return rest, more
	}
	if i = p.fitting(i, word); i >= 0 && word != "" {
		p.set(i, word)
	} else if word == "" && i >= 0 && p.spec.Params[i].Required {
		p.taken[i] = true // an empty place: missing, as the problem will say
	}
	return rest, more
}

// unquoted is a word without the quotes around it.
func (p *positions) unquoted(word string) string {
	word = strings.TrimSpace(word)
	if n := len(word); n > 2 && word[0] == word[n-1] && strings.ContainsRune("\"'`", rune(word[0])) && !strings.ContainsRune(word[1:n-1], rune(word[0])) {
		word = word[1 : n-1]
		p.repairs = append(p.repairs, "dml_quoted")
	}
	return word
}

// payload is a content or a command without what models put around one: a blank or the line break behind the |, the
// argument's name, and before a shell's | the backslash that only other arguments need.
func (p *positions) payload(param nebula.Param, text string) string {
	repaired := func(name, better string) {
		p.repairs = append(p.repairs, name)
		text = better
	}
	if better := unspaced(text); p.spaced && better != text {
		repaired("dml_spaced_bar", better)
	}
	if rest, ok := strings.CutPrefix(text, param.Name+"="); ok {
		repaired("dml_named_content", rest)
	}
	if p.spec.Effect == nebula.Execute {
		if strings.Contains(text, " ") { // no program is called so
			text = p.unquoted(text)
		}
		if better := unquotedBars(text); better != text {
			repaired("dml_escaped_bar", better)
		}
		return text
	}
	if rest, ok := strings.CutPrefix(text, "\r\n"); ok && rest != "" {
		repaired("dml_first_break", rest)
	} else if rest, ok := strings.CutPrefix(text, "\n"); ok && rest != "" {
		repaired("dml_first_break", rest)
	}
	return text
}

// unspaced is a content without the blank that belongs to the bar before it, and in one line without the one at its end.
// Where the lines below begin with one, too, it is the content's.
func unspaced(text string) string {
	rest, ok := strings.CutPrefix(text, " ")
	_, below, more := strings.Cut(rest, "\n")
	switch {
	case !ok || strings.HasPrefix(rest, " "):
		return text
	case !more:
		return strings.TrimSuffix(rest, " ")
	case strings.HasPrefix(below, " ") && !strings.Contains("\n"+below, "\n  "):
		return text
	}
	return rest
}

// unquotedBars takes the backslash off every | that no quotes are around: there it can only be a pipe.
func unquotedBars(command string) string {
	var b strings.Builder
	var quote byte
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case c == quote:
			quote = 0
		case c == '\\' && i+1 < len(command):
			if command[i+1] != '|' || quote != 0 {
				b.WriteByte(c)
			}
			i++
			c = command[i]
		}
		b.WriteByte(c)
	}
	return b.String()
}

// named reads name=value, for a parameter of that name without a value.
func (p *positions) named(word string) (i int, text string) {
	name, text, found := strings.Cut(word, "=")
	for i, param := range p.spec.Params {
		if found && param.Name == strings.TrimSpace(name) && !param.Payload && !p.taken[i] {
			return i, strings.TrimSpace(text)
		}
	}
	return -1, ""
}

// following is the first parameter without a value.
func (p *positions) following() int {
	for i, taken := range p.taken {
		if !taken {
			return i
		}
	}
	return -1
}

// fitting chooses the parameter that a word is for: the next one when it is required, else the first optional one of
// the word's own kind, so that list_files|src|*.py|true and list_files|src|true both say what they seem to.
func (p *positions) fitting(next int, word string) int {
	if p.spec.Params[next].Required {
		return next
	}
	kinds := []string{"string"}
	if _, err := strconv.ParseBool(word); err == nil && len(word) > 1 {
		kinds = []string{"boolean", "string"}
	} else if _, err := strconv.ParseFloat(word, 64); err == nil {
		kinds = []string{"integer", "number", "string"}
	}
	for _, kind := range kinds {
		for i, param := range p.spec.Params {
			if !p.taken[i] && param.Type == kind && !param.Payload {
				return i
			}
		}
	}
	return next
}

func (p *positions) set(i int, text string) {
	p.taken[i] = true
	p.values = append(p.values, value{param: p.spec.Params[i], text: text})
	if p.spec.Params[i].Type == "string" && !p.spec.Params[i].Payload {
		p.last = len(p.values) - 1
	}
}

// list takes every value that is left, or one JSON array.
func (p *positions) list(i int, text string) {
	p.taken[i] = true
	v := value{param: p.spec.Params[i]}
	text, _ = strings.CutPrefix(strings.TrimSpace(text), p.spec.Params[i].Name+"=")
	if r, err := protocol.Read(text); err == nil && r.End == len(text) && (text[0] == '[' || text[0] == '{') {
		v.text = string(r.JSON)
		for _, repair := range r.Repairs {
			p.repairs = append(p.repairs, repair.Name)
		}
		p.spoilt = protocol.Spoilt(r.Doubts, p.spec)
	} else if fields := protocol.ItemFields(v.param); len(fields) > 0 {
		v.text = p.item(fields, text)
	} else {
		for more := true; more; {
			var word string
			word, text, more = cut(text)
			if word = strings.TrimSpace(word); word != "" {
				v.list = append(v.list, word)
			}
		}
		if v.list == nil {
			return
		}
	}
	p.values = append(p.values, v)
}

// item reads the one entry of a list whose fields stand between bars, each with its name or without; any other text is
// the tool's to understand.
func (p *positions) item(fields []string, text string) string {
	var b bytes.Buffer
	for i, field := range fields {
		word, rest, more := cut(text)
		if more != (i+1 < len(fields)) {
			return text
		}
		word, _ = strings.CutPrefix(strings.Trim(word, " \t\r\n"), field+"=")
		b.WriteString([]string{"[{", ","}[min(i, 1)] + string(protocol.Quote(field)) + ":" + string(protocol.Quote(word)))
		text = rest
	}
	p.repairs = append(p.repairs, "dml_pair")
	return b.String() + "}]"
}

// object writes the values as JSON.
func (p *positions) object() json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, v := range p.values {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(protocol.Quote(v.param.Name))
		b.WriteByte(':')
		switch {
		case v.list != nil:
			list, _ := json.Marshal(v.list) // strings always marshal
			b.Write(list)
		default:
			b.Write(protocol.Quote(v.text)) // Resolve gives it the parameter's type
		}
	}
	b.WriteByte('}')
	return b.Bytes()
}

// cut splits at the first | that no backslash takes away, and removes such backslashes before it.
func cut(text string) (word, rest string, more bool) {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == '|':
			i++
		case text[i] == '|':
			return unescape(text[:i]), text[i+1:], true
		}
	}
	return unescape(text), "", false
}

func unescape(word string) string { return strings.ReplaceAll(word, `\|`, "|") }

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
