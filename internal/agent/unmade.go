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

// What is said of what was not made: of files, and of calls alone.
var nothingUnmade, stillUnmade = [2]sentence{nothingMade, nothingRead}, [2]sentence{notMade, notRead}

// unmade says what of what was to be changed was not, and stands in no word of an answer.
func (s *Session) unmade(say string, as *[2]sentence) string {
	what := s.state.Turn.Untold(say)
	if len(what) == 0 {
		return ""
	}
	of := as[0]
	if strings.HasSuffix(what[0], "()") {
		of = as[1]
	}
	return fmt.Sprintf(s.say(of), strings.ReplaceAll(named(what), "()", ""))
}
