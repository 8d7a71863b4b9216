package symops

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// target reads what stands behind the @ as arguments: name=value, and the rest in the order of the parameters.
func (a Action) target(spec nebula.ToolSpec, args map[string]any) {
	a.Path = a.encoded(spec, args)
	words := fields(a.Path)
	given := map[string]bool{}
	for k := range args {
		given[k] = true
	}
	named := false
	for _, w := range words {
		if k, _, ok := strings.Cut(w, "="); ok && hasParam(spec, k) {
			given[k], named = true, true
		}
	}
	free := lists.Drop(slices.Clone(spec.Params), func(p nebula.Param) bool { return given[p.Name] })
	switch {
	case len(words) == 0:
	case named:
		a.mixed(words, spec, free, args)
	case len(free) == 0:
	case filed(words, free):
		args[free[0].Name] = words[0]
		for i, w := range words[1:] {
			args[fitting(w, free[1:], i)] = w
		}
	case len(free) == 1 || required(spec) <= 1 && !quotedFirst(a.Path) || len(words) > len(free):
		args[free[0].Name] = unquote(a.Path)
	default:
		for i, w := range words {
			args[free[i].Name] = w
		}
	}
}

// encoded takes arguments off the end of a target that stand there as JSON: an object of them, or a list with or without its name.
func (a Action) encoded(spec nebula.ToolSpec, args map[string]any) (rest string) {
	at := strings.IndexAny(a.Path, "{[")
	if at < 1 || strings.IndexByte(" \t=", a.Path[at-1]) < 0 {
		return a.Path
	}
	var value any
	if json.Unmarshal([]byte(a.Path[at:]), &value) != nil {
		return a.Path
	}
	rest = strings.TrimRight(a.Path[:at], " \t")
	switch value := value.(type) {
	case map[string]any:
		for k := range value {
			if !hasParam(spec, k) {
				return a.Path
			}
		}
		maps.Copy(args, value)
		return rest
	case []any:
		before, named := strings.CutSuffix(rest, "=")
		for _, p := range spec.Params {
			if left, fits := strings.CutSuffix(before, p.Name); p.Type == "array" && fits == named && (!named || strings.HasSuffix(left, " ")) {
				args[p.Name] = value
				return strings.TrimRight(left, " ")
			}
		}
	}
	return a.Path
}

// mixed reads words some of which are name=value. What follows such a one belongs to it, unless a parameter without a
// value needs it.
func (a Action) mixed(words []string, spec nebula.ToolSpec, free []nebula.Param, args map[string]any) {
	last := ""
	for _, w := range words {
		k, v, ok := strings.Cut(w, "=")
		switch {
		case ok && hasParam(spec, k):
			args[k], last = v, k
		case len(free) > 0 && (free[0].Required || last == ""):
			args[free[0].Name] = w
			free = free[1:]
		case last != "":
			args[last] = args[last].(string) + " " + w
		}
	}
}

// filed reports whether words are a file and what its tool takes beside it, each of another kind than text: a.go 10 20.
func filed(words []string, free []nebula.Param) bool {
	if len(words) < 2 || len(words) > len(free) || free[0].Name != "path" || !strings.ContainsAny(words[0], "./") {
		return false
	}
	for i, w := range words[1:] {
		if fitting(w, free[1:], i) == "" {
			return false
		}
	}
	return true
}

// fitting is the parameter that the n-th of some words is for, all of which are switches or all numbers.
func fitting(word string, free []nebula.Param, n int) string {
	kind := "integer"
	if _, err := strconv.Atoi(word); err != nil {
		kind = "boolean"
		if word != "true" && word != "false" {
			return ""
		}
	}
	for _, p := range free {
		if p.Type != kind {
			continue
		}
		if n--; n < 0 {
			return p.Name
		}
	}
	return ""
}

func quotedFirst(s string) bool { return s != "" && s[0] == '"' && strings.Count(s, `"`) > 2 }

func required(spec nebula.ToolSpec) int {
	n := 0
	for _, p := range spec.Params {
		if p.Required {
			n++
		}
	}
	return n
}

//go:noinline
func hasParam(spec nebula.ToolSpec, name string) bool {
	return slices.ContainsFunc(spec.Params, func(p nebula.Param) bool { return p.Name == name })
}

// payload is the parameter that a block is for: the one that takes contents, or the last that is not given.
func payload(spec nebula.ToolSpec, args map[string]any) (name string, ok bool) {
	for _, p := range spec.Params {
		if _, given := args[p.Name]; given {
			continue
		}
		if p.Payload {
			return p.Name, true
		}
		name, ok = p.Name, true
	}
	return name, ok
}

// fields parts words at blanks, commas and |, but not inside quotes.
func fields(s string) []string {
	var out []string
	var word strings.Builder
	quote, open := byte(0), false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '"' || c == '\'':
			quote, open = c, true
		case c == ' ' || c == '\t' || c == ',' && (i+1 == len(s) || s[i+1] == ' '):
			if bare := word.String(); (bare != "" || open) && (bare != "|" || open) {
				out = append(out, bare)
			}
			word.Reset()
			open = false
		default:
			word.WriteByte(c)
		}
	}
	if word.Len() > 0 || open {
		out = append(out, word.String())
	}
	return out
}

func parts(dep string) []string {
	var out []string
	for p := range strings.SplitSeq(dep, ",") {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}
