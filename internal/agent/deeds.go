package agent

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/state"
)

const unshownCode = "not_shown: "

// unshown is what an answer says was done and the record stands against; none where it says none. Who only asked is told
// also what was read.
func (s *Session) unshown(say string) []string {
	asks := s.state.Turn.Asks
	tests := state.AsksOfTests(asks) // what is asked is what their run says
	if s.state.Mode != nebula.AgentMode || s.state.Turn.Planned {
		return nil
	}
	only := !tests && !s.tried() && (s.questioned() || inquiry.In(asks)) && !wanted.In(asks)
	d := state.Deeds{Asks: asks, Answers: only, Read: s.wasRead, Counted: s.state.Evidence.Tests != nil, Asked: tests, Stands: s.stands, Earlier: s.earlierRun, Changed: s.state.Turn.Changed, Came: s.state.Evidence.Came, Went: s.state.Evidence.Went}
	if t := s.state.Evidence.Tests; t != nil && t.Command != "" {
		d.Lines = append(d.Lines, state.Line{Text: t.Command, OK: t.OK})
	}
	for _, t := range s.state.Journal {
		d.Blind = d.Blind || len(t.Blind) > 0
		for _, c := range t.Changes {
			if !c.Cache() { // a test runner's own README is not the project's
				d.Touched = append(d.Touched, c.Path)
			}
		}
		d.Touched = append(d.Touched, t.Lost...)
	}
	if s.setup.Script != nil {
		d.Holds = func(text string) (is, known bool) { return s.holds(d.Touched, text), true }
		d.Code = sync.OnceValue(func() []string { return s.code(lists.Clone(d.Touched)) })
	}
	spoiled := false // the last command that was to do something failed, and nothing was changed since
	for _, l := range s.state.Turn.Lines {
		if line := commandOf(l.Args); l.Status == nebula.Done && s.effect(l.Tool) == nebula.Write {
			spoiled = false
		} else if s.effect(l.Tool) == nebula.Execute && (l.Status == nebula.Done || l.Status == nebula.Failed) && (line == "" || state.Spoils(line)) {
			spoiled = line != "" && l.Status == nebula.Failed
		}
		switch effect := s.effect(l.Tool); {
		case l.Status == nebula.Denied:
		case effect == nebula.Memory:
			d.Remembered = d.Remembered || l.Status == nebula.Done
		case effect == nebula.Write && l.Status == nebula.Done:
			d.Touched = append(d.Touched, pathsIn(l.Args)...)
		case effect == nebula.Execute && commandOf(l.Args) == "" && s.takesCommand(l.Tool):
			d.Tested = d.Tested || l.Status == nebula.Done || tests // given none, it ran the project's tests, and nothing else
		case effect == nebula.Execute && commandOf(l.Args) != "":
			if d.Lines = append(d.Lines, state.Line{Text: commandOf(l.Args), OK: l.Status == nebula.Done}); l.Status == nebula.Done || tests {
				d.Tested = d.Tested || state.Runs(commandOf(l.Args))
			}
		case effect != nebula.Read && effect != nebula.Write && effect != nebula.Update && effect != nebula.Ask && !strings.Contains(string(l.Args), `"command"`):
			d.Opaque = true
		}
	}
	d.Tested = d.Tested && (!s.state.Evidence.None || s.state.Evidence.Tests != nil) // a run that told of no test is none
	d.Tested = d.Tested || strings.HasPrefix(s.state.Session, nebula.StepPrefix)     // a step's own check tells
	d.Looked = s.looked(d.Touched)
	claims := d.Unshown(say)
	if red := s.state.Evidence.Tests; spoiled && len(claims) == 0 && (red == nil || red.OK) && s.glosses(say) {
		line, _, _ := strings.Cut(strings.TrimSpace(say), "\n")
		claims = append(claims, line)
	}
	return claims
}

// looked is one more than how many files a first turn looked at; zero where that cannot be told: it did something else than that, or was given text.
func (s *Session) looked(touched []string) int {
	if s.state.Turn.Number > 1 || strings.HasPrefix(s.state.Session, nebula.StepPrefix) || strings.ContainsAny(s.state.Turn.Asks, "@\n") || s.state.Compact.Dropped > 0 {
		return 0
	}
	for _, l := range s.state.Turn.Lines {
		if effect := s.effect(l.Tool); effect != nebula.Update && !slices.ContainsFunc(pathsIn(l.Args), func(file string) bool {
			_, read := s.state.Seen[file]
			return read || lists.Has(touched, file)
		}) {
			return 0
		}
	}
	return 1 + len(s.state.Seen) + len(touched)
}

// tells reports whether an answer is more than that the work is over.
func tells(say string) bool {
	return len(strings.Fields(say)) > 3 || strings.ContainsFunc(say, func(r rune) bool { return r >= 0x3000 }) && utf8.RuneCountInString(say) > 8
}

// glosses reports whether an answer passes over what failed. One to a question may say something else.
func (s *Session) glosses(say string) bool {
	asks := (s.questioned() || inquiry.In(s.state.Turn.Asks)) && !wanted.In(s.state.Turn.Asks)
	return state.Unspoken(say) && !strings.ContainsAny(say, "?？") && (state.Builds(say) || tells(say) && (!asks || boasts(say, false)))
}

// wasRead reports whether what the conversation was told, by the person or by what was looked at, holds a text: what asks about a claim
// repeats it.
func (s *Session) wasRead(text string) bool {
	asking, _, _ := strings.Cut(s.say(notShown), "%s")
	return slices.ContainsFunc(s.state.Messages, func(m nebula.Message) bool {
		return m.Role != nebula.Assistant && strings.Contains(m.Text(), text) && !strings.Contains(m.Text(), asking)
	})
}

// takesCommand reports whether a tool runs a command that it is given.
func (s *Session) takesCommand(name string) bool {
	return slices.ContainsFunc(s.tool(name).Spec().Params, func(p nebula.Param) bool { return p.Name == "command" })
}

// earlierRun reports whether an earlier turn called a command with such words: what was done then stands. What was shortened of the conversation
// may have had them.
//
//go:noinline
func (s *Session) earlierRun(words *regexp.Regexp) bool {
	return s.state.Compact.Dropped > 0 || slices.ContainsFunc(s.state.Messages, func(m nebula.Message) bool {
		return m.Role == nebula.Assistant && slices.ContainsFunc(m.Parts, func(p nebula.Part) bool {
			line := ""
			if p.Call != nil {
				line = commandOf(json.RawMessage(p.Call.Arguments))
			}
			return words.MatchString(strings.ToLower(line)) && !slices.ContainsFunc(s.state.Turn.Lines, func(l nebula.ActionLine) bool { return commandOf(l.Args) == line })
		})
	})
}

// commandOf is the command of an action's arguments.
//
//go:noinline
func commandOf(args json.RawMessage) string {
	var a struct{ Command string }
	_ = json.Unmarshal(args, &a) // what is no object has none
	return a.Command
}

// holds reports whether a file of some has a text in it, as far as a file is looked at.
//
//go:noinline
func (s *Session) holds(files []string, text string) bool {
	return slices.ContainsFunc(files, func(file string) bool {
		all := s.setup.Script(file)
		return strings.Contains(all, text) || len(all) >= scriptMost
	})
}

// code are the texts of some files and of those that were read, as far as they are looked at.
func (s *Session) code(files []string) (texts []string) {
	for file := range s.state.Seen {
		if !lists.Has(files, file) {
			files = append(files, file)
		}
	}
	for _, file := range files {
		if len(texts) == codeMost {
			break
		}
		if all := s.setup.Script(file); len(all) < scriptMost {
			texts = append(texts, all)
		}
	}
	return texts
}

// codeMost is how many files are looked through for what an answer names.
const codeMost = 16

// scriptMost is how much of a file is looked at.
const scriptMost = 256 << 10

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

// pathsIn are the arguments of an action that are paths.
func pathsIn(args json.RawMessage) (paths []string) {
	var all struct{ Path, From, To string }
	_ = json.Unmarshal(args, &all) // what is no object names none
	for _, p := range []string{all.Path, all.From, all.To} {
		if p != "" {
			paths = append(paths, path.Clean(p))
		}
	}
	return paths
}

// belie is what the model is told of claims that nothing shows, once; said again, they are how the turn ends.
func (s *Session) belie(claims []string, t *tally) string {
	what, _ := state.Cut(strings.Join(claims, "” “"), state.LineLimit)
	if !t.asked {
		t.asked = true
		return fmt.Sprintf(s.say(notShown), what)
	}
	t.belied = what
	s.unfounded(unshownCode+what, onlyClaimed, what)
	return ""
}

// removes reports whether an action of the reply under way deletes files and does nothing else: a command behind it has what it runs with.
//
//go:noinline
func (s *Session) removes(action string) bool {
	return lists.Has(s.turn.removals, action)
}
