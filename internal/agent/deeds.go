package agent

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"nebula"
	"nebula/internal/state"
)

const unshownCode = "not_shown: "

// unshown is what an answer says was done and the record stands against; empty where it says none, or where something was done that cannot be
// seen into, or where the person only asked about it.
func (s *Session) unshown(say string) string {
	asks := s.state.Turn.Asks
	tests := state.AsksOfTests(asks) // what is asked is what their run says
	if s.state.Mode != nebula.AgentMode || s.state.Turn.Planned || !tests && !s.tried() && (s.questioned() || inquiry(asks).MatchString(asks)) && !wanted().MatchString(asks) {
		return ""
	}
	d := state.Deeds{Counted: s.state.Evidence.Tests != nil, Asked: tests, Stands: s.stands}
	for _, t := range s.state.Journal {
		if len(t.Blind) > 0 {
			return ""
		}
		for _, c := range t.Changes {
			d.Touched = append(d.Touched, c.Path)
		}
		d.Touched = append(d.Touched, t.Lost...)
	}
	for _, l := range s.state.Turn.Lines {
		args := strings.ToLower(string(l.Args))
		switch effect := s.effect(l.Tool); {
		case effect == nebula.Write && l.Status == nebula.Done:
			d.Touched = append(d.Touched, pathsIn(l.Args)...)
		case effect == nebula.Execute && strings.Contains(args, `"command"`):
			if d.Tried = append(d.Tried, args); l.Status == nebula.Done || tests {
				d.Tested = d.Tested || state.Runs(commandOf(l.Args))
			}
		case effect != nebula.Read && effect != nebula.Write && effect != nebula.Update && effect != nebula.Ask:
			return ""
		}
	}
	return d.Unshown(say)
}

// commandOf is the command of an action's arguments.
func commandOf(args json.RawMessage) string {
	var a struct{ Command string }
	_ = json.Unmarshal(args, &a) // what is no object has none
	return a.Command
}

// stands reports whether a file stands in the folder, where that can be told.
func (s *Session) stands(file string) (there, known bool) {
	if s.setup.Stale == nil {
		return false, false
	}
	for _, now := range s.setup.Stale([]nebula.FileRef{{Path: file, Hash: "?"}}) {
		return now.Hash != "", true
	}
	return false, false
}

// pathsIn are the arguments of an action that may be paths.
func pathsIn(args json.RawMessage) (paths []string) {
	var all map[string]any
	_ = json.Unmarshal(args, &all) // what is no object names none
	for _, v := range all {
		if text, ok := v.(string); ok && text != "" && !strings.Contains(text, "\n") {
			paths = append(paths, path.Clean(text))
		}
	}
	return paths
}

// belie is what the model is told of what it says was done and nothing shows, once; said again, it is how the turn ends.
func (s *Session) belie(say string, t *tally) string {
	what, _ := state.Cut(s.unshown(say), state.LineLimit/2)
	if !t.asked {
		t.asked = true
		return fmt.Sprintf(s.say(notShown), what)
	}
	t.belied = what
	s.unfounded(unshownCode+what, onlyClaimed, what)
	return ""
}
