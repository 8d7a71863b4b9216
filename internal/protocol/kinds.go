package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

func isNull(v json.RawMessage) bool { return string(v) == "null" }

// fit returns the value in the parameter's type when it is that or unmistakably means that, else what is wrong.
func fit(value json.RawMessage, p nebula.Param, effect nebula.Effect) (json.RawMessage, string) {
	var fitted json.RawMessage
	switch typeOf(p) {
	case "string":
		fitted = asString(value, p, effect)
	case "boolean":
		fitted = asBoolean(value)
	case "integer":
		fitted = asInteger(seconds(value, p))
	case "number":
		fitted = asNumber(seconds(value, p))
	case "array":
		fitted = asArray(value, p)
	case "object":
		fitted = asObject(value)
	default:
		fitted = value
	}
	if fitted == nil {
		return nil, fmt.Sprintf("%s must be %s, not %s", p.Name, kinds[typeOf(p)], shown(value))
	}
	return fitted, ""
}

var kinds = map[string]string{
	"string": "a string", "boolean": "true or false", "integer": "a whole number",
	"number": "a number", "array": "an array", "object": "an object",
}

func shown(value json.RawMessage) string {
	switch value[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	}
	return Clip(string(value), 40)
}

func typeOf(p nebula.Param) string {
	if p.Type != "" || p.Schema == nil {
		return p.Type
	}
	var schema struct{ Type string }
	if json.Unmarshal(p.Schema, &schema) != nil {
		return ""
	}
	return schema.Type
}

func asString(value json.RawMessage, p nebula.Param, effect nebula.Effect) json.RawMessage {
	switch {
	case value[0] == '"':
		return value
	case p.Payload && value[0] == '[' && effect == nebula.Execute:
		return asLine(value)
	case p.Payload:
		return nil // what text an object or a number stands for is not for us to say
	case value[0] == '[':
		var all []string
		if json.Unmarshal(value, &all) != nil || len(all) == 0 || len(all) > 1 && effect != nebula.Read {
			return nil
		}
		return Quote(strings.Join(all, "\n")) // what looks may be able to look at several
	case value[0] == '{':
		return nil
	}
	return Quote(string(value))
}

// asLine is the command line that a list of words stands for: the words in quotes where a shell would read them otherwise,
// and behind a shell's -c the line itself.
func asLine(value json.RawMessage) json.RawMessage {
	var words []string
	if json.Unmarshal(value, &words) != nil || len(words) == 0 {
		return nil
	}
	if len(words) == 1 {
		return Quote(words[0])
	}
	if len(words) == 3 && lists.Has([]string{"bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh"}, words[0]) && lists.Has([]string{"-c", "-lc", "-ec"}, words[1]) {
		return Quote(words[2])
	}
	plain := func(r rune) bool {
		return r < 0x80 && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-./=:,+@%", r)
	}
	for i, w := range words {
		if w == "" || strings.ContainsFunc(w, plain) {
			words[i] = phrase.Quote(w)
		}
	}
	return Quote(strings.Join(words, " "))
}

func asBoolean(value json.RawMessage) json.RawMessage {
	switch strings.ToLower(unquoted(value)) {
	case "true", "1":
		return json.RawMessage("true")
	case "false", "0":
		return json.RawMessage("false")
	}
	return nil
}

// seconds is a timeout that was given with its unit, "60s" or "2 min", as a number.
func seconds(value json.RawMessage, p nebula.Param) json.RawMessage {
	if p.Name != "timeout" {
		return value
	}
	d, err := time.ParseDuration(units.Replace(strings.ToLower(unquoted(value))))
	if err != nil || d < time.Second {
		return value
	}
	return strconv.AppendInt(nil, int64(d.Seconds()), 10)
}

// units are how those of time are written out.
var units = strings.NewReplacer(" ", "", "seconds", "s", "second", "s", "secs", "s", "sec", "s", "minutes", "m", "minute", "m", "mins", "m", "min", "m", "秒", "s", "分", "m")

func asInteger(value json.RawMessage) json.RawMessage {
	s := unquoted(value)
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return strconv.AppendInt(nil, n, 10)
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil && f == float64(int64(f)) && f > -1e15 && f < 1e15 {
		return strconv.AppendInt(nil, int64(f), 10)
	}
	return nil
}

func asNumber(value json.RawMessage) json.RawMessage {
	s := json.RawMessage(unquoted(value))
	var n json.Number
	if json.Unmarshal(s, &n) == nil && n != "" {
		return s
	}
	return nil
}

func asArray(value json.RawMessage, p nebula.Param) json.RawMessage {
	if value[0] == '[' {
		return value
	}
	if value[0] == '{' {
		return lists.Concat([]byte("["), value, []byte("]"))
	}
	if value[0] != '"' {
		return nil
	}
	if s := strings.TrimSpace(unquoted(value)); strings.HasPrefix(s, "[") && json.Valid([]byte(s)) {
		return json.RawMessage(s)
	}
	if len(ItemFields(p)) > 0 {
		return value // a tool may understand it
	}
	return lists.Concat([]byte("["), value, []byte("]"))
}

func asObject(value json.RawMessage) json.RawMessage {
	if value[0] == '{' {
		return value
	}
	if s := strings.TrimSpace(unquoted(value)); strings.HasPrefix(s, "{") && json.Valid([]byte(s)) {
		return json.RawMessage(s)
	}
	return nil
}

// unquoted is a JSON string's text, or any other value as written.
func unquoted(value json.RawMessage) string {
	var s string
	switch {
	case value[0] != '"':
	case !bytes.ContainsFunc(value[1:], func(r rune) bool { return r < ' ' || r > '~' || r == '\\' }) && bytes.IndexByte(value[1:], '"') == len(value)-2:
		return string(value[1 : len(value)-1])
	case json.Unmarshal(value, &s) == nil:
		return s
	}
	return string(value)
}

// Quote is s as a JSON string in which nothing is escaped that need not be. Bytes that are no UTF-8 become U+FFFD.
func Quote(s string) json.RawMessage {
	out := append(make([]byte, 0, len(s)+len(s)/16+2), '"')
	from := 0
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '\n':
			c = 'n'
		case c == '\t':
			c = 't'
		case c == '"', c == '\\':
		case c < ' ', c > '~':
			return quoted(s)
		default:
			continue
		}
		out = append(append(out, s[from:i]...), '\\', c)
		from = i + 1
	}
	return append(append(out, s[from:]...), '"')
}

// quoted is Quote for more than plain text.
func quoted(s string) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always encodes
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// AddField adds a field at the end of a JSON object.
func AddField(object json.RawMessage, name string, value json.RawMessage) json.RawMessage {
	body := bytes.TrimSuffix(bytes.TrimSpace(object), []byte("}"))
	if body = bytes.TrimSpace(body); len(body) > 1 {
		body = append(bytes.Clone(body), ',')
	} else {
		body = []byte("{")
	}
	return lists.Concat(body, Quote(name), []byte(":"), value, []byte("}"))
}
