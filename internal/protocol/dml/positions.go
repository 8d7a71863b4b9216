package dml

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/protocol"
)

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
	if word, _, _ := cut(text); p.again(word) {
		return "", false
	}
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
		if found && strings.EqualFold(param.Name, strings.TrimSpace(name)) && !param.Payload {
			return i, strings.TrimSpace(text)
		}
	}
	return -1, ""
}

// again notes that a word gives by its name what has a value, where no content follows that it may belong to.
func (p *positions) again(word string) bool {
	i, _ := p.named(word)
	if next := p.following(); i < 0 || !p.taken[i] || next >= 0 && p.spec.Params[next].Payload {
		return false
	}
	p.spoilt = protocol.Ambiguous(protocol.Reading{Twice: p.spec.Params[i].Name})
	return true
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

//go:noinline
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

//go:noinline
func unescape(word string) string { return strings.ReplaceAll(word, `\|`, "|") }
