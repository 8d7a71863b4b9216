package symops

import (
	"encoding/json"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/protocol"
)

// A setting is name=value on a command's line, the value in quotation marks where it has blanks.
var (
	setting       = &lazy.Pattern{X: `^([a-zA-Z_]+) ?= ?("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"']+)(?:,? +|$)`}
	behindCommand = &lazy.Pattern{X: ` (needs|outside)=("[^"]*"|'[^']*'|[^\s"']+)$`}
)

// settings are a command's arguments where it was written as those of any other tool are: command="…" needs="…", behind the
// command, or as an object in the block. Else nil: what a line says is then the shell's.
func (a Action) settings(tools []nebula.ToolSpec) map[string]any {
	spec, _ := protocol.Find(a.Type, tools)
	args := map[string]any{}
	object := a.HasBlock && json.Unmarshal([]byte(a.Content), &args) == nil && len(args) > 0
	for name := range args {
		object = object && (hasParam(spec, name) || name == "cmd" || folders[name])
	}
	given, whole := settingsOf(a.Path, spec)
	switch {
	case a.HasBlock && !object:
		return nil
	case whole:
		for name, value := range given {
			args[name] = value
		}
	case !shellWords[strings.ToLower(a.Path)] || !object:
		args["command"] = a.Path
		if m := behindCommand.For(a.Path).FindStringSubmatch(a.Path); m != nil && hasParam(spec, m[1]) && !object {
			args["command"], args[m[1]], object = strings.TrimSuffix(a.Path, m[0]), bare(m[2]), true
		}
	}
	if !object && !whole {
		return nil
	}
	return args
}

// folders are the names of settings that no tool has and that are understood all the same.
var folders = set("cwd", "workdir", "working_directory", "workingDirectory", "working_dir", "dry_run", "timeout")

// settingsOf reads a line that is settings from end to end, a command among them. What stands behind the command and is none of
// the tool's is given too: that it is not is said to the model.
func settingsOf(line string, spec nebula.ToolSpec) (given map[string]any, ok bool) {
	given = map[string]any{}
	for line != "" {
		m := setting.For(line).FindStringSubmatch(line)
		if m == nil {
			return nil, false
		}
		name := m[1]
		if name == "cmd" {
			name = "command"
		}
		if !hasParam(spec, name) && given["command"] == nil {
			return nil, false
		}
		given[name], line = bare(m[2]), line[len(m[0]):]
	}
	return given, given["command"] != nil
}

// bare is a value without its quotation marks.
func bare(value string) string {
	var text string
	switch {
	case value[0] == '"' && json.Unmarshal([]byte(value), &text) == nil:
		return text
	case value[0] == '"' || value[0] == '\'':
		return value[1 : len(value)-1]
	}
	return value
}
