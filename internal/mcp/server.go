// Package mcp lets a model use the tools of servers that speak the Model Context Protocol, and lets others use nebula's.
//
// A server is a program of somebody else: it runs in a box, is started when it is first needed, and what it says is data.
// Nothing is started, reached or read before a server is asked for.
package mcp

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/matter"
)

// A Server is how a server is started or reached, as people write it down.
type Server struct {
	Name    string            `json:"-"`
	From    string            `json:"-"` // the file that says it
	Home    bool              `json:"-"` // the person wrote it in their own settings
	Type    string            `json:"type,omitempty"`
	Command string            `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
	Cwd     string            `json:"cwd,omitempty"` // in which it is started: the folder where it is empty
	URL     string            `json:"url,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	// What a program may use beside the folder, which it only reads: hosts with their ports, folders that it may change and
	// that it may read, and whether it may change the folder itself.
	Hosts   []string `json:"hosts,omitempty"`
	Writes  []string `json:"writes,omitempty"`
	Reads   []string `json:"reads,omitempty"`
	Folder  bool     `json:"folder,omitempty"`
	Outside bool     `json:"outside,omitempty"` // it runs in no box
	// Timeout is how many seconds a call may take, whatever is said of its progress; 0 is a quarter of an hour, and two minutes without a word.
	Timeout int    `json:"timeout,omitempty"`
	Off     bool   `json:"disabled,omitempty"`
	OAuth   *OAuth `json:"oauth,omitempty"`
}

// patience is how long a call may take; 0 where nothing is said of it.
//
//go:noinline
func (s Server) patience() time.Duration { return time.Duration(s.Timeout) * time.Second }

// Login is what the server gave its user beforehand.
//
//go:noinline
func (s Server) Login() OAuth {
	if s.OAuth == nil {
		return OAuth{}
	}
	return *s.OAuth
}

// Text is everything about a server, as a person reads it. It is the same for the same server.
func (s Server) Text() string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(s) // strings always encode
	return b.String()
}

// What is the server on one line: its command or its address.
//
//go:noinline
func (s Server) What() string {
	if s.URL != "" {
		return s.URL
	}
	return strings.Join(append([]string{s.Command}, s.Args...), " ")
}

// names are what a server may be called: a part of its tools' names.
var names = &lazy.Pattern{X: `^[A-Za-z0-9_-]{1,40}$`}

// Names reports whether a server may be called so.
func Names(name string) bool { return names.In(name) }

// roots are the keys under which programs keep servers. Ours has them at the top.
var roots = []string{"mcpServers", "servers", "mcp_servers", "mcp"}

// Parse reads servers as programs write them down, in the order of their names, and says of each that it leaves out why.
func Parse(data []byte, from string) (list []Server, left []nebula.Words, err error) {
	var top map[string]json.RawMessage
	if err := json.Unmarshal(matter.Plain(data), &top); err != nil {
		return nil, nil, nebula.Errorf("%s: %w", from, matter.Misfit(err))
	}
	for _, root := range roots {
		if inner, ok := top[root]; ok {
			top = nil
			if err := json.Unmarshal(inner, &top); err != nil {
				return nil, nil, nebula.Errorf("%s: %s: %w", from, root, matter.Misfit(err))
			}
			break
		}
	}
	for _, name := range slices.Sorted(maps.Keys(top)) {
		s, err := server(top[name], name, from)
		if err != nil {
			left = append(left, nebula.Say("%s: server %q cannot be read (%w)", from, name, matter.Misfit(err)))
			continue
		}
		if why := s.wrong(); why.Format != "" {
			left = append(left, nebula.Say("%s: server %q: %s", from, name, why))
			continue
		}
		if not := unread(top[name]); len(not) > 0 {
			left = append(left, nebula.Say("%s: server %q: nothing is done here about %s", from, name, strings.Join(not, ", ")))
		}
		list = append(list, s)
	}
	return list, left, nil
}

// wrong says why a server cannot be used; empty when it can.
func (s Server) wrong() nebula.Words {
	switch {
	case !Names(s.Name):
		return nebula.Say("its name may have letters, digits, - and _, up to 40 of them")
	case s.Command == "" && s.URL == "":
		return nebula.Say("it has neither a command nor a url")
	case s.Command != "" && s.URL != "":
		return nebula.Say("it has a command and a url; give it one of them")
	case s.URL != "" && !strings.HasPrefix(s.URL, "https://") && !strings.HasPrefix(s.URL, "http://"):
		return nebula.Say("its url is no http address")
	case s.Type == "sse":
		return nebula.Say("it speaks the old SSE transport, which is not spoken here; its maker has most likely a newer address")
	}
	return nebula.Words{}
}

// Expanded is the server with what its values refer to. missing are variables that are not set.
func (s Server) Expanded(env func(string) string) (out Server, missing []string) {
	value := func(text string) string {
		return variable.Re().ReplaceAllStringFunc(text, func(ref string) string {
			m := variable.Re().FindStringSubmatch(ref)
			if m[3] != "" {
				m[1] = prompted(m[3])
			}
			if v := env(m[1]); v != "" {
				return v
			}
			if !strings.Contains(ref, ":-") {
				missing = append(missing, m[1])
			}
			return m[2]
		})
	}
	all := func(in map[string]string) map[string]string {
		out := map[string]string{}
		for k, v := range in {
			out[k] = value(v)
		}
		return out
	}
	out = s
	out.Command, out.URL, out.Cwd = value(s.Command), value(s.URL), value(s.Cwd)
	out.Args = lists.Clone(s.Args)
	for i, a := range out.Args {
		out.Args[i] = value(a)
	}
	out.Env, out.Headers = all(s.Env), all(s.Headers)
	if s.OAuth != nil {
		out.OAuth = &OAuth{value(s.OAuth.Client), value(s.OAuth.Secret), s.OAuth.Port}
	}
	slices.Sort(missing)
	return out, lists.Compact(missing)
}
