package agent

import (
	"encoding/json"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/state"
)

// aim is the file that an action is to change, or else the tool that was to do it. A call that cannot be read may have begun to say.
func (s *Session) aim(a nebula.Action) string {
	if r := s.state.Turn.Reply; r != nil && a.Problem != "" && a.Call != "" && s.effect(a.Tool) == nebula.Write {
		for _, c := range r.Reply.Calls() {
			if path := begunPath.For(c.Arguments).FindStringSubmatch(c.Arguments); c.ID == a.Call && path != nil {
				a.Args = json.RawMessage(path[0] + "}")
			}
		}
	}
	return aim(a)
}

// begunPath begins the arguments of a call that names its file first.
var begunPath = &lazy.Pattern{X: `^\s*\{\s*"path"\s*:\s*"(?:[^"\\]|\\.)*"`}

// aim is the same for a call that was read.
func aim(a nebula.Action) string {
	var in struct{ Path string }
	if json.Unmarshal(a.Args, &in) != nil || in.Path == "" {
		return a.Tool
	}
	path, _ := state.Cut(in.Path, state.LineLimit)
	return path
}

// unmade says what of what was to be changed was not, and stands in no word of an answer: of files, and of calls.
func (s *Session) unmade(say string, files, calls sentence) string {
	var said, paths, tools []string
	for _, what := range s.state.Turn.Untold(say) {
		if strings.HasSuffix(what, "()") {
			tools = append(tools, what[:len(what)-2])
		} else {
			paths = append(paths, what)
		}
	}
	if len(paths) > 0 {
		said = append(said, fmt.Sprintf(s.say(files), named(paths)))
	}
	if len(tools) > 0 {
		said = append(said, fmt.Sprintf(s.say(calls), named(tools)))
	}
	return strings.Join(said, "\n")
}
