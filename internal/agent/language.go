package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/prompt"
)

// decoded reads a reply: with the files that short names stand for, its actions numbered, and held to the reply that
// it corrects.
func (s *Session) decoded(p nebula.Protocol, r nebula.Reply, offered []nebula.ToolSpec) nebula.Intent {
	in := p.Decode(r, offered)
	s.bound(&in)
	s.native(r, &in)
	for i := range in.Actions {
		s.expand(&in.Actions[i], offered)
	}
	s.compare(p, &in)
	s.number(in.Actions)
	s.reasons(&in)
	return in
}

// native sends back what a model that called natively in this turn wrote as text: it is likely a quotation or a slip. It is
// never done; the state counts replies of nothing but such calls, and they lead to a language in which they can be.
//
//go:noinline
func (s *Session) native(r nebula.Reply, in *nebula.Intent) {
	if len(r.Calls()) > 0 || !s.state.Turn.Native {
		return
	}
	for i := range in.Actions {
		if a := &in.Actions[i]; a.Problem == "" {
			a.Problem = "this looks like a call in the text, and your calls are native, so it was not done. If it is meant, make it as a call."
		}
	}
}

// bound lets nothing happen of a reply with more actions than anybody means. Those of native calls stay, as each wants
// its answer.
func (s *Session) bound(in *nebula.Intent) {
	most := s.setup.Limits.Actions
	if most <= 0 || len(in.Actions) <= most {
		return
	}
	problem := fmt.Sprintf(s.say(tooMany), len(in.Actions), most)
	in.Actions = lists.Drop(in.Actions, func(a nebula.Action) bool { return a.Call == "" })
	for i := range in.Actions {
		in.Actions[i].Problem = problem
	}
	if len(in.Actions) == 0 {
		in.Problems = append(in.Problems, nebula.Problem{Text: problem})
	}
}

// expand puts files in the place of their short names. What comes after knows paths only.
func (s *Session) expand(a *nebula.Action, offered []nebula.ToolSpec) {
	i := slices.IndexFunc(offered, func(t nebula.ToolSpec) bool { return t.Answers(a.Tool) })
	if i < 0 || a.Problem != "" {
		return
	}
	a.Args, a.Problem = s.state.Aliases.Expand(a.Args, offered[i], s.setup.Named)
	for j, d := range a.DependsOn {
		name, reference := strings.CutPrefix(d, "{{F:")
		if file, ok := s.state.Aliases.Path(strings.TrimSuffix(name, "}}")); reference && ok {
			a.DependsOn[j] = file
		}
	}
}

// A faulty reply is one that is to be written again in better form.
type faulty struct {
	reply  nebula.Reply
	intent nebula.Intent
}

// compare holds a corrected reply to the one it corrects: only the form may have changed. What changed contents does
// not run. What is written after a reply that could not be acted on counts as corrected, too.
func (s *Session) compare(p nebula.Protocol, in *nebula.Intent) {
	before, again := s.turn.correcting, s.turn.unread && !in.Unread()
	s.turn.correcting, s.turn.unread = nil, in.Unread()
	c, ok := p.(nebula.Corrector)
	if before == nil || !ok || len(in.Actions) == 0 {
		if again && len(in.Actions) > 0 && in.Strategy != nebula.Inferred && in.Strategy != nebula.Extracted {
			in.Strategy = nebula.Corrected
		}
		return
	}
	in.Strategy = nebula.Corrected
	if err := c.Same(before.reply, before.intent, *in); err != nil {
		for i := range in.Actions {
			in.Actions[i].Problem = err.Error()
		}
	}
}

// language is the protocol that a reply was taught; nil where it is not to be had any more.
func (s *Session) language(r nebula.Replied) nebula.Protocol {
	m, err := s.setup.Model(s.state.Model)
	if err != nil {
		return nil
	}
	p, err := s.setup.Protocol(r.Protocol, m.Info())
	if err != nil {
		return nil
	}
	return p
}

// correction asks the model to write what could not be read again.
func (s *Session) correction(r nebula.Replied) nebula.Message {
	if c, ok := s.language(r).(nebula.Corrector); ok {
		s.turn.correcting = &faulty{r.Reply, r.Intent}
		return nebula.Message{Role: nebula.User, Parts: nebula.Text(c.Correction(r.Reply, r.Intent, s.state.Lang))}
	}
	var b strings.Builder
	b.WriteString(s.say(couldNotRead))
	for _, p := range r.Intent.Problems {
		fmt.Fprintf(&b, "\n"+phrase.In(s.state.Lang, "line %d: %s"), p.Line, phrase.Problem(s.state.Lang, p))
	}
	return nebula.Message{Role: nebula.User, Parts: nebula.Text(b.String())}
}

// automatic reports whether the program chooses the protocol: it goes on choosing when it has chosen once.
func (s *Session) automatic() bool {
	return s.state.Protocol == "auto" || s.state.Protocol == "" || s.state.Adapted
}

// dialects is how many replies in a row in another language than the one taught make it the session's.
const dialects = 2

// adapt goes over to the language in which the model keeps answering, where the choice is the program's. A language
// that the model or its server cannot be spoken to in is only understood. Where native calls keep coming as text, it is
// the language of a model without native calls.
func (s *Session) adapt(m nebula.ModelInfo) {
	f := s.state.Foreign
	if !s.automatic() || f.Count < dialects && s.state.Printed < dialects {
		return
	}
	m.Native = m.Native && !s.state.NoTools
	if f.Count < dialects {
		m.Native = false
		if p, err := s.setup.Protocol("auto", m); err == nil {
			s.note(s.because(nebula.Switched{Protocol: p.Name()}, printsCalls, dialects))
		}
		return
	}
	if p, err := s.setup.Protocol(cmp.Or(s.state.Protocol, "auto"), m); err != nil || p.Name() == f.Name {
		return
	}
	p, err := s.setup.Protocol(f.Name, m)
	if err != nil {
		return
	}
	if _, native := p.Teach(s.offered(""), s.state.Lang); len(native) > 0 && !m.Native {
		return
	}
	s.note(s.because(nebula.Switched{Protocol: f.Name}, keepsAnswering, f.Count, f.Name))
}

// spurned reports whether a request failed because the server takes no tools, and the session goes on in a language
// that needs none.
func (s *Session) spurned(err error, m nebula.ModelInfo, sent nebula.Prompt) bool {
	var api *nebula.APIError
	if !errors.As(err, &api) || len(sent.Tools) == 0 || !s.automatic() {
		return false
	}
	first := s.state.Turn.Number == 1 && s.state.Turn.Step == 0
	if api.Kind != "tools" && !(first && api.Kind == "bad_request" && (api.Status == 400 || api.Status == 422) && mayMeanTools(api.Text)) {
		return false
	}
	m.Native = false
	p, err := s.setup.Protocol("auto", m)
	if err != nil {
		return false
	}
	return s.record(s.because(nebula.Switched{Protocol: p.Name(), NoTools: true}, takesNoTools, s.state.Model, api.Text)) == nil
}

// mayMeanTools reports whether a refusal speaks of tools, or says no more than that it is one.
func mayMeanTools(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "tool") || strings.Contains(text, "function") || strings.HasSuffix(text, "bad request") || strings.HasSuffix(text, "unprocessable entity")
}

// measure asks the model's server for its window where nobody knows it, once.
func (s *Session) measure(ctx context.Context, m nebula.ModelInfo) error {
	if !m.Assumed || s.state.Window > 0 || s.setup.Declared == nil || s.answers() != s.state.Model {
		return nil
	}
	if window, why := s.setup.Declared(ctx, s.state.Model); window >= smallestWindow {
		return s.record(nebula.Switched{Window: window, Why: why})
	}
	return nil
}

func (s *Session) window(m nebula.ModelInfo) int {
	if s.answers() != s.state.Model {
		return m.Window // what was told is of the session's own
	}
	return Window(m, s.state.Window)
}

// Window is a model's in a session that was told of one by its server, 0 for none: that one where it is less than what is
// known, or nothing was.
//
//go:noinline
func Window(m nebula.ModelInfo, told int) int {
	if told > 0 && (m.Window == 0 || m.Assumed || told < m.Window) {
		return told
	}
	return m.Window
}

// narrowed reports whether a request failed because it was longer than the server's window, which is less than was
// assumed: the session keeps it and goes on with a shorter request. Where the server counts more tokens than it was
// reckoned with, or names no figure, what was sent is too much.
func (s *Session) narrowed(err error, m nebula.ModelInfo, sent prompt.Report) bool {
	var api *nebula.APIError
	if !errors.As(err, &api) || api.Kind != "context" || sent.Total == 0 || s.answers() != s.state.Model {
		return false
	}
	before := s.window(m)
	window := api.Window
	if window == 0 || before > 0 && window >= before {
		window = sent.Total * 9 / 10
	}
	if window < smallestWindow || before > 0 && window >= before {
		return false
	}
	return s.record(s.because(nebula.Switched{Window: window}, narrower, window, s.state.Model, before, s.state.Model, window)) == nil
}

// smallestWindow is the one below which no request is worth sending.
const smallestWindow = 2000

func (s *Session) switchTo(c nebula.Switch) error {
	if c.Mode != "" && c.Mode != nebula.PlanMode && c.Mode != nebula.AgentMode {
		return fmt.Errorf(s.say(noMode), c.Mode)
	}
	if c.Approve != "" && !lists.Has(gate.Choices(), c.Approve) {
		return fmt.Errorf(s.say(noPolicy), c.Approve)
	}
	if c.Effort != "" && c.Effort != nebula.EffortSet && !lists.Has(nebula.Efforts(), c.Effort) {
		return fmt.Errorf(s.say(noEffort), c.Effort)
	}
	m, err := s.setup.Model(cmp.Or(c.Model, s.state.Model))
	if err != nil && c.Model != "" {
		return err
	}
	if c.Protocol != "" && m != nil {
		if _, err := s.setup.Protocol(c.Protocol, m.Info()); err != nil {
			return err
		}
	}
	if c.Model != "" && c.Protocol == "" && s.state.Adapted {
		c.Protocol = "auto" // what one model taught says nothing of another
	}
	return s.record(nebula.Switched{Mode: c.Mode, Model: c.Model, Protocol: c.Protocol, Approve: c.Approve, Effort: c.Effort})
}
