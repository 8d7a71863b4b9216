// Package protocol is what the protocols share: which tool an action means and with which arguments ([Resolve]), the
// tolerant reading of JSON ([Loose]), short names for files ([Aliases]), and the conversation's shape when calls and
// results travel as text ([TextMessages]).
//
// It knows no tool by name and no protocol by its syntax.
package protocol

import (
	"bytes"
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// Resolve settles which tool an action means and puts its arguments into that tool's own words.
//
// The tool is found by any of its names, whatever the case, separators or namespace they are written with. Arguments
// under a usual other name, and values of a wrong but unmistakable type, are put right; one that a tool which
// changes something does not have is a problem, unless it is known to say nothing of that; the reason moves to [nebula.Action.Reason]. Whatever stays wrong becomes the action's Problem, which
// tells the model what to write instead. Strings are handed on byte for byte.
func Resolve(a nebula.Action, tools []nebula.ToolSpec) nebula.Action {
	if c, ok := patchIn(a, tools); ok {
		a.Tool, a.Args, a.Problem = c.Name, c.Args.JSON, c.Wrong
		Need(&a, "patch_call")
	}
	spec, ok := Meant(a.Tool, a.Args, tools)
	if !ok {
		if a.Problem == "" {
			a.Fail(unknownTool(a.Tool, tools))
		}
		if !json.Valid(a.Args) || !strings.HasPrefix(strings.TrimSpace(string(a.Args)), "{") {
			a.Args = json.RawMessage("{}")
		}
		return a
	}
	a.Tool = spec.Name
	c := arguments(a.Args, spec, tools)
	if c.problem != "" {
		if other, ok := meant(a.Args, spec, tools); ok {
			a.Tool, spec = other.Name, other
			c = arguments(a.Args, other, tools)
		}
	}
	if a.Reason == "" {
		a.Reason = c.reason
	}
	if a.DependsOn == nil {
		a.DependsOn = c.needs
	}
	if c.late {
		Need(&a, "place_flag")
	}
	if a.Points = cmp.Or(a.Points, c.points); spec.Effect.Changes() {
		a.Points = pointsIn(a.Points, a.Reason)
	} else {
		a.Points = nil
	}
	a.Args, a.Ignored = c.args, c.ignored
	if c.problem == "" && spec.Effect == nebula.Write {
		undress(&a, spec)
	}
	if a.Problem == "" {
		a.Problem = c.problem
	}
	return a
}

// undress takes off a file's content what models put around one: the escapes of a second JSON, and a code block.
func undress(a *nebula.Action, spec nebula.ToolSpec) {
	escaped, fenced := bytes.Contains(a.Args, []byte(`\\n"`)), bytes.Contains(a.Args, []byte(":\"```")) // no text holds a bare quote
	if !escaped && !fenced {
		return
	}
	fields, err := objectFields(a.Args)
	if err != nil {
		return
	}
	code := slices.ContainsFunc(fields, func(f field) bool { return !isPayload(f.key, spec) && !Prose(unquoted(f.value)) })
	var out bytes.Buffer
	for _, f := range fields {
		if f.value[0] == '"' && isPayload(f.key, spec) {
			text := unquoted(f.value)
			if better, ok := unescapedOnce(text); ok {
				text = better
				Need(a, "json_escaped_twice")
			}
			if inside, ok := unfenced(text); ok && code {
				text = inside
				Need(a, "content_fence")
			}
			f.value = Quote(text)
		}
		appendField(&out, f.key, f.value)
	}
	a.Args = append(out.Bytes(), '}')
}

// unescapedOnce undoes the escapes of a content that has line breaks only as \n: several, and one at its end.
func unescapedOnce(text string) (better string, ok bool) {
	if strings.Contains(text, "\n") || !strings.HasSuffix(text, `\n`) || strings.Count(text, `\n`) < 2 {
		return "", false
	}
	return better, json.Unmarshal([]byte(`"`+strings.ReplaceAll(text, `"`, `\"`)+`"`), &better) == nil
}

// unfenced is a content without the one code block that it is wholly in.
func unfenced(text string) (inside string, ok bool) {
	body := strings.TrimRight(text, " \t\r\n")
	first, inside, below := strings.Cut(body, "\n")
	inside, closed := strings.CutSuffix(inside, "\n```")
	if !below || !closed || !strings.HasPrefix(first, "```") || strings.Contains(first[3:], "`") || strings.Contains("\n"+inside, "\n```") {
		return "", false
	}
	return inside + "\n", true
}

// Prose reports whether a text names a file in which a code block may be all there is.
func Prose(name string) bool {
	return lists.Has([]string{"", ".md", ".mdx", ".markdown", ".txt", ".rst", ".adoc", ".org"}, strings.ToLower(path.Ext(name)))
}

// meant is the tool that arguments are complete for in items of its own, where they are not for the one that was named:
// a piece to look for and one to put in its place are no whole content.
func meant(args json.RawMessage, named nebula.ToolSpec, tools []nebula.ToolSpec) (nebula.ToolSpec, bool) {
	for _, t := range tools {
		if t.Effect != named.Effect || !slices.ContainsFunc(t.Params, func(p nebula.Param) bool { return len(ItemFields(p)) > 1 }) {
			continue
		}
		if arguments(args, t, tools).problem == "" {
			return t, true
		}
	}
	return nebula.ToolSpec{}, false
}

// Find returns the tool that answers to name, which may be in another case, with other separators, or under a
// namespace that models put before tools.
func Find(name string, tools []nebula.ToolSpec) (nebula.ToolSpec, bool) {
	name = strings.TrimSpace(name)
	for _, t := range tools {
		if t.Answers(name) {
			return t, true
		}
	}
	forms := []string{fold(name), fold(bareName(name))}
	for _, form := range forms {
		for _, t := range tools {
			if form != "" && (foldsTo(t.Name, form) || slices.ContainsFunc(t.Aliases, func(s string) bool { return foldsTo(s, form) })) {
				return t, true
			}
		}
	}
	return synonym(forms[1], tools)
}

// namespaces are what models put before a tool's name.
var namespaces = []string{"functions", "function", "tools", "tool", "default_api", "nebula", "mcp"}

// bareName takes a namespace, an index at the end (kimi's "functions.read:0") and call parentheses off a name.
func bareName(name string) string {
	name = strings.TrimSuffix(name, "()")
	if i := strings.LastIndexByte(name, ':'); i > 0 && strings.Trim(name[i+1:], "0123456789") == "" {
		name = name[:i]
	}
	for _, space := range namespaces {
		for _, sep := range []string{".", ":", "/", "__"} {
			if rest, ok := strings.CutPrefix(name, space+sep); ok {
				return rest
			}
		}
	}
	return name
}

// fold is a name without case and separators: readFile, read_file and Read-File are one.
func fold(name string) string {
	if plain(name) {
		return name
	}
	return strings.Map(folded, name)
}

func folded(r rune) rune {
	switch r {
	case '_', '-', '.', ' ', ':', '/':
		return -1
	}
	return unicode.ToLower(r)
}

// foldsTo reports whether a name is a form without case and separators.
func foldsTo(name, form string) bool {
	for _, r := range name {
		if r = folded(r); r < 0 {
			continue
		}
		want, n := utf8.DecodeRuneInString(form)
		if r != want || n == 0 {
			return false
		}
		form = form[n:]
	}
	return form == ""
}

// plain reports whether a name is what [fold] makes of it.
func plain(name string) bool {
	for i := 0; i < len(name); i++ {
		if !letter(name[i]) {
			return false
		}
	}
	return true
}

func unknownTool(name string, tools []nebula.ToolSpec) nebula.Words {
	tools = nebula.Offered(tools)
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.Name
	}
	if strings.TrimSpace(name) == "" {
		return nebula.Say("the call names no tool. Tools: %s.", strings.Join(names, ", "))
	}
	if near := nearestTools(name, tools); len(near) > 0 {
		return nebula.Say("there is no tool %q. Did you mean %s?", Clip(name, 80), strings.Join(near, " or "))
	}
	return nebula.Say("there is no tool %q. Tools: %s.", Clip(name, 80), strings.Join(names, ", "))
}

// nearestTools are the tools with a name close to the one given, the closest first, each by its first name.
func nearestTools(name string, tools []nebula.ToolSpec) []string {
	var names []string
	first := map[string]string{}
	for _, t := range tools {
		for _, n := range append([]string{t.Name}, t.Aliases...) {
			names = append(names, n)
			first[n] = t.Name
		}
	}
	var out []string
	for _, n := range Nearest(bareName(name), names, 6) {
		if !lists.Has(out, first[n]) {
			out = append(out, first[n])
		}
	}
	return out[:min(3, len(out))]
}

// Nearest returns at most limit of the names that are close to name, the closest first: within a third of its length
// in edits, or one holding the other.
func Nearest(name string, names []string, limit int) []string {
	type scored struct {
		name  string
		score int
	}
	want := fold(Clip(name, 64))
	var found []scored
	for _, n := range names {
		have := fold(Clip(n, 64))
		score := phrase.Distance(want, have)
		if len(want) >= 3 && len(have) >= 3 && (strings.Contains(have, want) || strings.Contains(want, have)) {
			score = min(score, 1)
		}
		if want != "" && score <= max(1, len(want)/3) {
			found = append(found, scored{n, score})
		}
	}
	lists.Sort(found, func(a, b scored) int { return a.score - b.score })
	out := make([]string, 0, limit)
	for _, f := range found[:min(limit, len(found))] {
		out = append(out, f.name)
	}
	return out
}

// Clip cuts a text that is only shown, at a rune's border.
//
//go:noinline
func Clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && s[limit]&0xC0 == 0x80 {
		limit--
	}
	return s[:limit] + "…"
}
