package mcp

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// secretive are words of what no server may ask a person for, in the languages that people are asked in, and words that hide what they are: of
// letters of two alphabets, or with blanks between them. innocent are those of them that ask for no secret.
var (
	secretive = &lazy.Pattern{X: `(?i)pass ?-?_?(?:word|wort|phrase|code|wd)|\bpwd?\b|kennwort|mot de passe|contrase[nñ]a|\bsenha\b|парол|密[码碼]|口令|비밀번호|암호|パスワード|暗証|合言葉|` +
		`secret|token|credential|api[ _-]?(?:key|schl)|(?:private|access|signing|encryption|ssh|license)[ _-]?key|schlüssel|zugangsdaten|geheim|秘密|トークン|` +
		`\bpin\b|\botp\b|\b2fa\b|\bmfa\b|two[ -]factor|one[ _-]time|(?-i:\bPAT\b)|personal access|(?:log ?-?in|sign ?-?in|verification|security|confirmation|auth\w*|sms|recovery|backup)[ _-](?:code|word|phrase)|(?:seed|mnemonic)[ _-](?:word|phrase)|code (?:we |that was )?sent to|認証コード|確認コード|` +
		`\bcvv|\bcvc\b|card[ _-]?number|\biban\b|social security|\bssn\b|口座|カード番号|マイナンバー|\.ssh\b|\bid_(?:rsa|ed25519|ecdsa)|cookie|authori[sz]ation|\bbearer\b|` +
		`[a-z][а-яіѕјԁһα-ω]|[а-яіѕјԁһα-ω][a-z]|(?:\b\pL[ .·_-]){4,}\pL\b`}
	innocent = &lazy.Pattern{X: `(?i)secretar(?:y|ies)|(?:design|max\w*|min\w*|input|output|prompt|number of|how many) tokens?\b|\btokens? (?:limit|count|budget|per|usage|window)|\bpin (?:this|it|the|to|a|an|note|issue|message|post)\b|cookie (?:banner|consent|policy)|トークン数`}
)

// asksSecret reports whether a text asks for what no server may have.
func asksSecret(text string) bool { return secretive.In(innocent.For(text).ReplaceAllString(text, "")) }

// A field is something that a server asks for.
type field struct {
	Type        string `json:"type"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Format      string `json:"format"`
	Default     any    `json:"default"`
	Enum        []any  `json:"enum"`
	OneOf       []struct {
		Const any    `json:"const"`
		Title string `json:"title"`
	} `json:"oneOf"`
}

// mostFields bounds what a server asks for at once: of a longer form only what it requires is asked for.
const mostFields = 8

// elicit puts a server's question to the person, as part of the call that it is about. What looks like a secret is not
// asked for, and what nobody can answer is declined.
func (c *calls) elicit(server string) func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	return func(ctx context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		declined := &mcp.ElicitResult{Action: "decline"}
		one := c.only()
		if one == nil || one.run.Ask == nil {
			return declined, nil
		}
		names, fields, ok := fieldsOf(r.Params)
		if !ok {
			return declined, nil
		}
		one.watch.Stop()
		defer one.watch.Reset(silence)
		content := map[string]any{}
		for i, name := range names {
			q := question(server, one.tool, r.Params.Message, name, fields[i])
			answer, ok := one.run.Ask(one.ctx, q)
			if !ok || answer == no(q) && fields[i].Default == nil || answer == declines {
				return declined, nil
			}
			value, ok := fields[i].value(answer)
			if !ok {
				return declined, nil
			}
			if name != "" {
				content[name] = value
			} else if value != true {
				return declined, nil
			}
		}
		return &mcp.ElicitResult{Action: "accept", Content: content}, ctx.Err()
	}
}

// fieldsOf are what a server asks for, in the order of their names, as far as a person can be asked for it; not ok where it requires
// what they cannot, or where it would be a secret.
func fieldsOf(p *mcp.ElicitParams) (names []string, fields []field, ok bool) {
	raw, err := json.Marshal(p.RequestedSchema)
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
	}
	if err != nil || json.Unmarshal(raw, &schema) != nil || p.URL != "" || asksSecret(p.Message) {
		return nil, nil, false
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		needed := lists.Has(schema.Required, name)
		if !needed && len(schema.Properties) > mostFields {
			continue
		}
		var f field
		if json.Unmarshal(schema.Properties[name], &f) != nil || f.Format == "password" || asksSecret(spaced(name)+" "+f.Title+" "+f.Description) {
			return nil, nil, false
		}
		switch listed := f.Type == "array" || f.Type == "object"; {
		case listed && needed:
			return nil, nil, false
		case !listed:
			names, fields = append(names, name), append(fields, f)
		}
	}
	if len(names) > mostFields || len(names) == 0 && len(schema.Properties) > 0 {
		return nil, nil, false
	}
	if len(names) == 0 { // a yes or a no to the message
		names, fields = []string{""}, []field{{Type: "boolean"}}
	}
	return names, fields, true
}

// spaced is a name with its parts apart: apiKey as api Key.
func spaced(name string) string {
	return name + " " + strings.Join(words(name), " ")
}

// question is how a person is asked for a field. Who asks stands first: the rest is the server's own words.
func question(server, tool, message, name string, f field) nebula.Question {
	text := "[" + server + "." + tool + "] " + cut(message, 1000) + "\n" + name
	if f.Title != "" {
		text += " (" + cut(f.Title, 100) + ")"
	}
	if f.Description != "" {
		text += ": " + cut(f.Description, 300)
	}
	if f.Default != nil {
		text += " [" + cut(shown(f.Default), 100) + "]"
	}
	q := nebula.Question{Text: text}
	for _, e := range f.Enum {
		q.Options = append(q.Options, shown(e))
	}
	for _, e := range f.OneOf {
		q.Options = append(q.Options, shown(e.Const))
	}
	if f.Type == "boolean" {
		q.Options = []string{"true", "false"}
	}
	if len(q.Options) > 0 {
		q.Options = append(q.Options[:min(len(q.Options), 20)], declines)
	}
	return q
}

// declines is the option with which nothing is told to the server.
const declines = "–"

func no(q nebula.Question) string {
	if len(q.Options) == 0 {
		return ""
	}
	return declines
}

func shown(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	b, _ := json.Marshal(v) // it was JSON
	return string(b)
}

// value is an answer as the field wants it.
func (f field) value(answer string) (any, bool) {
	answer = strings.TrimSpace(answer)
	if answer == "" {
		return f.Default, f.Default != nil
	}
	choices := lists.Clone(f.Enum)
	for _, e := range f.OneOf {
		choices = append(choices, e.Const)
	}
	for _, c := range choices {
		if shown(c) == answer {
			return c, true
		}
	}
	switch {
	case len(choices) > 0:
		return nil, false
	case f.Type == "boolean":
		b, err := strconv.ParseBool(strings.ToLower(answer))
		return b, err == nil
	case f.Type == "integer":
		n, err := strconv.ParseInt(answer, 10, 64)
		return n, err == nil
	case f.Type == "number":
		n, err := strconv.ParseFloat(answer, 64)
		return n, err == nil
	}
	return answer, true
}

// cut shortens a text of a server's.
//
//go:noinline
func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}
