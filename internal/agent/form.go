package agent

import (
	"encoding/json"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// onlyForm reports whether nothing but the form in which an action was written keeps it from running unasked.
func (s *Session) onlyForm(p nebula.Proposal) bool {
	inferred := p.Action.Inferred
	p.Action.Inferred = false
	return inferred && gate.Judge(s.rules(), p).Ruling == nebula.Allow
}

// onlyShows reports whether an action had to be guessed in a turn that was asked for an explanation alone: it is what the answer shows.
func (s *Session) onlyShows(a nebula.Action) bool {
	asks, rest := false, ""
	for part := range strings.FieldsFuncSeq(s.state.Turn.Asks, func(r rune) bool { return strings.ContainsRune("\n?？!。", r) }) {
		bare := aside.For(part).ReplaceAllString(part, "")
		if part = strings.TrimSpace(part); explain.In(part) {
			bare = toDo.For(bare).ReplaceAllString(bare, "")
		}
		asks, rest = asks || bare != part, rest+bare+"\n"
	}
	return a.Inferred && asks && !wanted.In(rest)
}

// insists reports whether an action is one that was sent back in this turn for the words beside it, and comes again as a call of its own,
// without those words: with nobody there to ask, a model that was told so and calls it again means it. While the words stand there it waits,
// however often it comes.
func (s *Session) insists(a nebula.Action) bool {
	said := s.turn.told[deed(a)]
	return a.Inferred && a.Against != "" && !a.Waits && s.whole() && len(said) > 0 && !lists.Has(said, a.Against)
}

// whole reports whether the reply under way is one in which an action has no place among words: native calls, or all of it one document.
func (s *Session) whole() bool {
	r := s.state.Turn.Reply
	return r != nil && (len(r.Reply.Calls()) > 0 || json.Valid([]byte(r.Reply.Text())))
}

// deed is what an action does to what, however it is said.
func deed(a nebula.Action) string {
	var in struct{ Path, Command string }
	_ = json.Unmarshal(a.Args, &in) // of another tool: its name alone
	return a.Tool + " " + in.Path + " " + strings.Join(strings.Fields(in.Command), " ")
}

// rewrite asks the model to write an action as it was taught: that it had to be guessed is all that is wrong with it. Of one
// that was only shown or refused it says so, by which words.
func (s *Session) rewrite(a nebula.Action) string {
	if a.Against != "" && s.whole() {
		if s.turn.told == nil {
			s.turn.told = map[string][]string{}
		}
		s.turn.told[deed(a)] = append(s.turn.told[deed(a)], a.Against)
		return fmt.Sprintf(s.say(wordsAtFault), a.Against)
	}
	if r := s.state.Turn.Reply; r != nil {
		if f, ok := s.language(*r).(nebula.Former); ok {
			form := strings.TrimSpace(f.Form(short(a), s.specs()))
			if form == "" {
				return strings.TrimSpace(s.say(placeAtFault) + against(a))
			}
			if lists.Has(a.Repairs, "cut_block") {
				return fmt.Sprintf(s.say(cutAtFault), phrase.Ending(r.Reply.Text())) + "\n" + form
			}
			return s.say(formAtFault) + "\n" + form
		}
	}
	return s.say(formAtFault)
}

// against is what stands against an action, as a part of a message; empty where no words do.
func against(a nebula.Action) string {
	if a.Against == "" {
		return ""
	}
	return "\n> " + a.Against
}

// longForm is from how many bytes on a content is only named in a form that is shown.
const longForm = 200

// short is an action whose long texts are only named.
func short(a nebula.Action) nebula.Action {
	var args map[string]any
	if json.Unmarshal(a.Args, &args) != nil {
		return a
	}
	cut := false
	for name, v := range args {
		if text, ok := v.(string); ok && len(text) > longForm {
			args[name], cut = "(the same "+name+")", true
		}
	}
	if data, err := json.Marshal(args); err == nil && cut {
		a.Args = data
	}
	return a
}

// once is a result that says nothing again: a look that brought what an earlier one of the same reply did names that one.
func (s *Session) once(r nebula.Result) nebula.Result {
	if r.Status != nebula.Done || len(r.Changes) > 0 || len(r.Seen) == 0 {
		return r
	}
	for _, before := range s.state.Turn.Results {
		if before.Tool == r.Tool && len(r.Text) > onceWorth && before.Text == r.Text {
			r.Text = fmt.Sprintf(s.say(sameAsAbove), r.Tool, r.Seen[0].Path)
			break
		}
	}
	return r
}

// onceWorth is from how many bytes on a result is not said twice.
const onceWorth = 200
