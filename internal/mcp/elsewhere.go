package mcp

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/matter"
)

// entry is a server as any of the programs writes it down that people have their servers from; what has a name of its own there is put in its place.
type entry struct {
	Server
	Command     json.RawMessage   `json:"command"` // or a list of it and its arguments
	HTTPURL     string            `json:"httpUrl"`
	ServerURL   string            `json:"serverUrl"`
	Environment map[string]string `json:"environment"`
	Enabled     *bool             `json:"enabled"`
	HTTPHeaders map[string]string `json:"http_headers"`
	EnvHeaders  map[string]string `json:"env_http_headers"` // names of variables
	Bearer      string            `json:"bearer_token_env_var"`
	Timeout     json.RawMessage   `json:"timeout"` // in seconds or thousandths of them
	Patience    json.RawMessage   `json:"tool_timeout_sec"`
	EnvVars     []string          `json:"env_vars"` // names of variables
}

// idle are words about a server that ask for nothing, or for bounds that there are here anyhow.
var idle = []string{"$schema", "description", "displayName", "gallery", "icon", "id", "name", "note", "title", "version",
	"startup_timeout_sec", "startup_timeout_ms"}

// unread are the fields of a server that nothing here reads.
func unread(raw json.RawMessage) (names []string) {
	var all map[string]json.RawMessage
	_ = json.Unmarshal(raw, &all) // it was read before
	known := fields(reflect.TypeFor[entry]())
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !slices.ContainsFunc(lists.Concat(known, idle), func(k string) bool { return strings.EqualFold(k, name) }) {
			names = append(names, name)
		}
	}
	return names
}

// fields are the names that a type has in JSON.
func fields(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			names = append(names, fields(f.Type)...)
		} else if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "-" {
			names = append(names, name)
		}
	}
	return names
}

// server reads one.
func server(raw json.RawMessage, name, from string) (Server, error) {
	var w entry
	if err := json.Unmarshal(raw, &w); err != nil {
		return Server{}, err
	}
	s := w.Server
	s.Name, s.From, s.Off = called(name), from, s.Off || w.Enabled != nil && !*w.Enabled
	for _, raw := range []json.RawMessage{w.Patience, w.Timeout} {
		if n := 0.0; json.Unmarshal(raw, &n) == nil && n >= 1 {
			s.Timeout = int(n)
		}
	}
	if s.Timeout >= 1000 {
		s.Timeout /= 1000
	}
	var line []string
	if json.Unmarshal(w.Command, &line) == nil && len(line) > 0 {
		s.Command, s.Args = line[0], append(line[1:], s.Args...)
	} else if len(w.Command) > 0 {
		if err := json.Unmarshal(w.Command, &s.Command); err != nil {
			return Server{}, err
		}
	}
	for _, url := range []string{w.HTTPURL, w.ServerURL} {
		if url != "" {
			s.URL = url
		}
	}
	s.Env, s.Headers = joined(s.Env, w.Environment), joined(s.Headers, w.HTTPHeaders)
	for header, variable := range w.EnvHeaders {
		s.Headers = joined(s.Headers, map[string]string{header: "${" + variable + "}"})
	}
	for _, variable := range w.EnvVars {
		s.Env = joined(s.Env, map[string]string{variable: "${" + variable + "}"})
	}
	if w.Bearer != "" {
		s.Headers = joined(s.Headers, map[string]string{"Authorization": "Bearer ${" + w.Bearer + "}"})
	}
	return s, nil
}

//go:noinline
func joined(all, more map[string]string) map[string]string {
	if len(more) > 0 && all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, more)
	return all
}

// called is a server's name as a part of its tools' names: others write them with dots, slashes and blanks.
func called(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' || r == '/' || r == '@' || unicode.IsSpace(r) {
			return '-'
		}
		return r
	}, strings.TrimLeft(name, "@"))
}

// Rooted reports whether a file of settings has a place for servers: what has none is about something else.
func Rooted(data []byte) bool {
	var top map[string]json.RawMessage
	if json.Unmarshal(matter.Plain(data), &top) != nil {
		return false
	}
	for _, root := range roots {
		if _, ok := top[root]; ok {
			return true
		}
	}
	return false
}

// Local are the servers that another program keeps in its settings for one folder alone.
func Local(data []byte, from, dir string) (list []Server, left []nebula.Words, err error) {
	var doc struct {
		Projects map[string]struct {
			Servers json.RawMessage `json:"mcpServers"`
		} `json:"projects"`
	}
	if json.Unmarshal(matter.Plain(data), &doc) != nil || len(doc.Projects[dir].Servers) == 0 {
		return nil, nil, nil
	}
	return Parse(doc.Projects[dir].Servers, from)
}

// variable is how a value refers to the environment: ${NAME}, ${NAME:-what it is else}, {env:NAME}; and, by an editor that asks for it, ${input:name}.
var variable = &lazy.Pattern{X: `(?:\$\{(?:env:)?|\{env:)([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}|\$\{input:([^}]+)\}`}

// prompted is the variable that is looked for where an editor would ask: input gh-token is GH_TOKEN.
func prompted(input string) string {
	return strings.ToUpper(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}, input))
}
