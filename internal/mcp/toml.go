package mcp

import (
	"encoding/json"
	"strings"

	"nebula"
)

// ParseTOML reads servers as programs write them down that keep their settings in TOML: tables below mcp_servers, with
// texts, numbers, lists of them, and tables of one line. Everything else in the file is passed over.
func ParseTOML(data []byte, from string) (list []Server, left []nebula.Words, err error) {
	servers := map[string]map[string]any{}
	var at map[string]any
	lines := strings.Split(string(data), "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if strings.HasPrefix(line, "[") {
			at = table(servers, line)
			continue
		}
		key, rest, ok := strings.Cut(line, "=")
		if at == nil || !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for !closed(rest) && i+1 < len(lines) { // a list over several lines
			i++
			rest += "\n" + lines[i]
		}
		v, after, ok := value(strings.TrimSpace(rest))
		if after = strings.TrimSpace(after); !ok || after != "" && after[0] != '#' {
			left = append(left, nebula.Say("%s:%d: %q cannot be read", from, i+1, cut(line, 80)))
			continue
		}
		at[unquoted(key)] = v
	}
	raw, err := json.Marshal(map[string]any{"mcpServers": servers})
	if err != nil {
		return nil, left, err
	}
	list, without, err := Parse(raw, from)
	return list, append(left, without...), err
}

// table is where the values below a head go: one of a server's, or nil.
func table(servers map[string]map[string]any, head string) map[string]any {
	head, _, _ = strings.Cut(strings.TrimPrefix(head, "["), "]")
	parts := strings.SplitN(head, ".", 3)
	if len(parts) < 2 || unquoted(parts[0]) != "mcp_servers" {
		return nil
	}
	name := unquoted(parts[1])
	if servers[name] == nil {
		servers[name] = map[string]any{}
	}
	if len(parts) == 2 {
		return servers[name]
	}
	inner := map[string]any{}
	servers[name][unquoted(parts[2])] = inner
	return inner
}

func unquoted(key string) string { return strings.Trim(strings.TrimSpace(key), `"'`) }

// closed reports whether every bracket of a value has its end.
func closed(text string) bool {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote == '"' && c == '\\':
			i++
		case quote != 0:
			if c == quote || c == '\n' {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		}
	}
	return depth <= 0
}

// value reads one value from the beginning of a text.
func value(text string) (v any, rest string, ok bool) {
	if text == "" {
		return nil, "", false
	}
	switch text[0] {
	case '"':
		dec := json.NewDecoder(strings.NewReader(text))
		var s string
		if dec.Decode(&s) != nil {
			return nil, "", false
		}
		return s, text[dec.InputOffset():], true
	case '\'':
		s, rest, ok := strings.Cut(text[1:], "'")
		return s, rest, ok
	case '[':
		return several(text[1:])
	case '{':
		return inline(text[1:])
	}
	n := strings.IndexAny(text, ",]}#\n")
	if n < 0 {
		n = len(text)
	}
	word := strings.TrimSpace(text[:n])
	if json.Unmarshal([]byte(word), &v) != nil {
		v = word // a date, or another number: no server's setting is one
	}
	return v, text[n:], word != ""
}

// skip passes over blanks, commas and comments.
func skip(text string) string {
	for {
		text = strings.TrimLeft(text, " \t\r\n,")
		if !strings.HasPrefix(text, "#") {
			return text
		}
		_, text, _ = strings.Cut(text, "\n")
	}
}

func several(text string) (any, string, bool) {
	list := []any{}
	for text = skip(text); !strings.HasPrefix(text, "]"); text = skip(text) {
		v, rest, ok := value(text)
		if !ok {
			return nil, "", false
		}
		list, text = append(list, v), rest
	}
	return list, text[1:], true
}

func inline(text string) (any, string, bool) {
	all := map[string]any{}
	for text = skip(text); !strings.HasPrefix(text, "}"); text = skip(text) {
		key, rest, ok := strings.Cut(text, "=")
		if !ok {
			return nil, "", false
		}
		v, after, ok := value(strings.TrimSpace(rest))
		if !ok {
			return nil, "", false
		}
		all[unquoted(key)], text = v, after
	}
	return all, text[1:], true
}
