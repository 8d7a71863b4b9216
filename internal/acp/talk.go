package acp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"nebula"
	"nebula/internal/command"
	"nebula/internal/gate"
	"nebula/internal/phrase"
	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// A talk is an open session. One goroutine, follow, owns what is known of it.
type talk struct {
	agent        *agent
	id           sdk.SessionId
	started      nebula.Started
	host         nebula.Host
	conversation nebula.Conversation
	away         func() error
	inbox        chan request
	stop         context.CancelFunc
	ended        chan struct{}

	held atomic.Pointer[nebula.Switch] // what the session itself has chosen, which need not be what its folder begins with
}

// holds takes in what the session has from now on, and reports whether an editor shows something else as chosen.
func (t *talk) holds(s nebula.Switch) (other bool) {
	for {
		before, was := t.held.Load(), nebula.Switch{}
		if before != nil {
			was = *before
		}
		now := nebula.Switch{Mode: cmp.Or(s.Mode, was.Mode), Model: cmp.Or(s.Model, was.Model), Protocol: cmp.Or(s.Protocol, was.Protocol), Approve: cmp.Or(s.Approve, was.Approve)}
		if t.held.CompareAndSwap(before, &now) {
			was.Mode = now.Mode // is told for itself
			return was != now
		}
	}
}

// A request is a command that the editor waits for until it has had its effect.
type request struct {
	command nebula.Command
	done    chan answer
}

// An answer is how a turn ended, or why it did not begin.
type answer struct {
	outcome *nebula.Outcome // nil for what is no turn, and where the answer to a question is waited for
	err     error
}

// begin shows what the session is to an editor, and follows it.
func (t *talk) begin(ctx context.Context, shown bool) error {
	ctx, t.stop = context.WithCancel(ctx)
	t.ended = make(chan struct{})
	events := make(chan nebula.Event)
	go func() {
		defer close(events)
		for e := range t.conversation.Events(ctx, 0) {
			select {
			case events <- e:
			case <-ctx.Done():
				return
			}
		}
	}()
	seen, err := t.past(ctx, events)
	if err != nil {
		t.stop()
		return err
	}
	t.id, t.started = sdk.SessionId(seen.Started.Session), seen.Started
	t.holds(nebula.Switch{Mode: seen.Mode, Model: seen.Model, Protocol: seen.Protocol, Approve: seen.Approve})
	s := &screen{seen: seen, told: map[*transcript.Row]int{}, acts: map[string]*transcript.Row{}}
	before := s.take()
	if !shown {
		before = nil
	}
	for _, u := range before {
		if err := t.say(ctx, u); err != nil {
			t.stop()
			return err
		}
	}
	go t.follow(ctx, events, s)
	time.AfterFunc(settled, func() { _ = t.say(ctx, t.commands(ctx)) }) // an editor that is gone misses nothing
	return nil
}

// settled is how long after a session is open it is told what can be typed in it: an editor has its id by then.
const settled = 100 * time.Millisecond

// past folds everything up to the head of this opening.
func (t *talk) past(ctx context.Context, events <-chan nebula.Event) (*transcript.Transcript, error) {
	head := int64(0)
	for e := range t.conversation.Events(ctx, nebula.FromOpening) {
		head = e.Seq
		break
	}
	seen := transcript.New(t.agent.options.Lang)
	for seq := int64(0); seq < head; {
		e, ok := <-events
		if !ok {
			return nil, nebula.Errorf("the session has ended")
		}
		seen.Apply(e)
		seq = e.Seq
	}
	return seen, nil
}

// leave ends the session and what it was opened with.
func (t *talk) leave() error {
	t.stop()
	<-t.ended
	return t.away()
}

//go:noinline
func (t *talk) say(ctx context.Context, u sdk.SessionUpdate) error {
	return t.agent.editor.SessionUpdate(ctx, sdk.SessionNotification{SessionId: t.id, Update: u})
}

// follow tells the editor what happens, has the person answer what is asked, and takes in what the editor asks for.
func (t *talk) follow(ctx context.Context, events <-chan nebula.Event, s *screen) {
	defer close(t.ended)
	var waits *request     // what the editor waits for
	var asks *nebula.Asked // a question that the next message answers
	end := func(a answer) {
		if waits != nil {
			waits.done <- a
			waits = nil
		}
	}
	for {
		select {
		case r := <-t.inbox:
			if submitted, ok := r.command.(nebula.Submit); ok && asks != nil {
				r.command = nebula.Answer{Ask: asks.Ask, Answer: nebula.Told, Text: submitted.Text, By: nebula.Person}
				asks = nil
			}
			if err := t.conversation.Send(ctx, r.command); err != nil {
				r.done <- answer{err: err}
				continue
			}
			end(answer{}) // the message joined the turn that another request waited for
			if waits = &r; !lasts(r.command) {
				end(answer{})
			}
		case e, ok := <-events:
			if !ok {
				end(answer{err: nebula.Errorf("the session has ended")})
				return
			}
			s.seen.Apply(e)
			for _, u := range s.take() {
				if t.say(ctx, u) != nil {
					return // the editor is gone
				}
			}
			switch b := e.Body.(type) {
			case nebula.Asked:
				if asks = t.asked(ctx, b, s); asks != nil {
					end(answer{})
				}
			case nebula.Queued:
				t.queued(ctx, b)
			case nebula.Switched:
				if t.holds(nebula.Switch{Mode: b.Mode, Model: b.Model, Protocol: b.Protocol, Approve: b.Approve}) {
					go t.chosen(ctx)
				}
			case nebula.Ended:
				asks = nil
				end(answer{outcome: &b.Outcome})
			}
		case <-ctx.Done():
			end(answer{err: ctx.Err()})
			return
		}
	}
}

// lasts reports whether a command begins a turn, or goes on with one.
func lasts(c nebula.Command) bool {
	switch c.(type) {
	case nebula.Submit, nebula.Answer, nebula.Shell, nebula.Perform:
		return true
	}
	return false
}

// prompt carries a message, or a command that stands in its place.
func (t *talk) prompt(ctx context.Context, text string, images []nebula.Image) (sdk.PromptResponse, error) {
	var c nebula.Command = nebula.Submit{Text: text, Images: images}
	if len(images) == 0 {
		other, said, err := t.commanded(ctx, text)
		if err != nil {
			return sdk.PromptResponse{}, t.agent.refused(err)
		}
		if other == nil && said != "" {
			return sdk.PromptResponse{StopReason: sdk.StopReasonEndTurn}, t.say(ctx, sdk.UpdateAgentMessageText(said))
		}
		if other != nil {
			c = other
		}
	}
	r := request{command: c, done: make(chan answer, 1)}
	select {
	case t.inbox <- r:
	case <-t.ended:
		return sdk.PromptResponse{}, t.agent.refused(nebula.Errorf("the session has ended"))
	case <-ctx.Done():
		return sdk.PromptResponse{}, ctx.Err()
	}
	select {
	case a := <-r.done:
		return t.response(a)
	case <-ctx.Done(): // the editor takes its request back
		_ = t.conversation.Send(t.agent.ctx, nebula.Cancel{}) // it ends either way
		return sdk.PromptResponse{StopReason: sdk.StopReasonCancelled}, nil
	}
}

// commanded is what a message sends that is a command, or what is said in its place; neither for a message.
func (t *talk) commanded(ctx context.Context, text string) (nebula.Command, string, error) {
	name, args, ok := command.Read(text)
	if !ok || !command.Slashed(text) && name != "!" {
		return nil, "", nil
	}
	if own, err := t.host.Commands(ctx); err == nil && command.Own(own, name) {
		return nil, "", nil // the session knows what it says
	}
	lang := t.agent.options.Lang
	row, known := command.Find(name)
	if !known {
		return nil, fmt.Sprintf(transcript.WordsIn(lang).Unknown, "/"+name), nil
	}
	if c, fits := row.Sends(args, lang); c != nil && fits {
		return c, "", nil
	}
	switch row.Name {
	case "status":
		said, err := t.host.Status(ctx, string(t.id))
		return nil, phrase.Fenced("", said), err
	case "config":
		said, err := t.host.Settings(ctx, args)
		return nil, phrase.Fenced("", said), err
	}
	return nil, row.Title() + " " + row.Text(lang).Takes + ": " + row.Text(lang).About, nil
}

// response says how a turn ended, in the words of the protocol.
func (t *talk) response(a answer) (sdk.PromptResponse, error) {
	switch {
	case a.err != nil:
		return sdk.PromptResponse{}, t.agent.refused(a.err)
	case a.outcome == nil:
		return sdk.PromptResponse{StopReason: sdk.StopReasonEndTurn}, nil
	}
	o := a.outcome
	u := o.Usage
	r := sdk.PromptResponse{StopReason: sdk.StopReasonEndTurn, Usage: &sdk.Usage{InputTokens: u.Input, OutputTokens: u.Output, TotalTokens: u.Input + u.Output}}
	switch {
	case o.Status == nebula.APIFailed:
		return sdk.PromptResponse{}, &sdk.RequestError{Code: failed, Message: o.Text}
	case o.Status == nebula.Cancelled:
		r.StopReason = sdk.StopReasonCancelled
	case o.Status == nebula.LimitReached && (o.Cause == nebula.TokensUp || o.Cause == nebula.ReplyCut):
		r.StopReason = sdk.StopReasonMaxTokens
	case o.Status == nebula.LimitReached:
		r.StopReason = sdk.StopReasonMaxTurnRequests
	}
	return r, nil
}

// asked has the person decide. What only words can answer is answered by the next message, and given back.
func (t *talk) asked(ctx context.Context, b nebula.Asked, s *screen) *nebula.Asked {
	switch row := s.seen.Open(b.Action); {
	case b.Question != nil && len(b.Question.Options) == 0:
		return &b
	case b.Question != nil:
		go t.choice(ctx, b.Ask, "", *b.Question)
	case row != nil:
		a := row.Action
		go t.decision(ctx, b.Ask, "", *a)
	}
	return nil
}

// queued has the person decide on what work in the background asks.
func (t *talk) queued(ctx context.Context, b nebula.Queued) {
	who := terminal.OneRow(strings.TrimSpace(b.Step + " " + b.Title))
	switch {
	case b.Proposed != nil:
		p := *b.Proposed
		go t.decision(ctx, b.Ask, who, transcript.Action{Proposal: p.Proposal, Verdict: p.Verdict, Points: p.Points, Asked: true})
	case b.Question != nil:
		go t.choice(ctx, b.Ask, who, *b.Question)
	}
}

// signed is what is asked, with who asks where it is not the conversation itself.
func signed(who, text string) string {
	if who == "" {
		return text
	}
	return "[" + who + "] " + text
}

// The answers that an editor offers.
const (
	yes    sdk.PermissionOptionId = "yes"
	always sdk.PermissionOptionId = "always"
	no     sdk.PermissionOptionId = "no"
)

// decision asks for leave. Everything but a clear yes is no.
func (t *talk) decision(ctx context.Context, ask, who string, a transcript.Action) {
	lang := t.agent.options.Lang
	options := []sdk.PermissionOption{{Kind: sdk.PermissionOptionKindAllowOnce, Name: phrase.In(lang, "Allow once"), OptionId: yes}}
	if gate.Lasts(a.Proposal, a.Verdict.Risks) {
		options = append(options, sdk.PermissionOption{Kind: sdk.PermissionOptionKindAllowAlways, Name: phrase.In(lang, "Always in this session"), OptionId: always})
	}
	options = append(options, sdk.PermissionOption{Kind: sdk.PermissionOptionKindRejectOnce, Name: phrase.In(lang, "Refuse"), OptionId: no})
	answer := nebula.Answer{Ask: ask, Answer: nebula.No, By: nebula.Person}
	r, err := t.agent.editor.RequestPermission(ctx, sdk.RequestPermissionRequest{SessionId: t.id, ToolCall: decided(t.started, who, a, lang), Options: options})
	switch {
	case err != nil:
		answer.By, answer.Text = nebula.Nobody, phrase.In(lang, "the editor gave no answer")
	case r.Outcome.Selected != nil && slices.ContainsFunc(options, func(o sdk.PermissionOption) bool { return o.OptionId == r.Outcome.Selected.OptionId }):
		answer.Answer = map[sdk.PermissionOptionId]nebula.Decided{yes: nebula.Yes, always: nebula.Always, no: nebula.No}[r.Outcome.Selected.OptionId]
	}
	_ = t.conversation.Send(ctx, answer) // void when the turn was cancelled meanwhile
}

// choice asks which of some options holds.
func (t *talk) choice(ctx context.Context, ask, who string, q nebula.Question) {
	var options []sdk.PermissionOption
	for i, o := range q.Options {
		options = append(options, sdk.PermissionOption{Kind: sdk.PermissionOptionKindAllowOnce, Name: o, OptionId: sdk.PermissionOptionId(fmt.Sprint(i))})
	}
	options = append(options, sdk.PermissionOption{Kind: sdk.PermissionOptionKindRejectOnce, Name: phrase.In(t.agent.options.Lang, "None of them"), OptionId: no})
	answer := nebula.Answer{Ask: ask, Answer: nebula.No, By: nebula.Person}
	r, err := t.agent.editor.RequestPermission(ctx, sdk.RequestPermissionRequest{SessionId: t.id, Options: options,
		ToolCall: sdk.ToolCallUpdate{ToolCallId: sdk.ToolCallId(ask), Title: sdk.Ptr(signed(who, q.Text)), Kind: sdk.Ptr(sdk.ToolKindThink), Status: sdk.Ptr(sdk.ToolCallStatusPending)}})
	if err != nil {
		answer.By = nebula.Nobody
	} else if s := r.Outcome.Selected; s != nil {
		for i, o := range q.Options {
			if string(s.OptionId) == fmt.Sprint(i) {
				answer.Answer, answer.Text = nebula.Told, o
			}
		}
	}
	_ = t.conversation.Send(ctx, answer)
}

// patience is how long servers may take to tell which models there are.
const patience = 2 * time.Second

// settings are the options that an editor shows, and the command that chooses a value.
var settings = map[sdk.SessionConfigId]func(value string) nebula.Switch{
	"model":    func(v string) nebula.Switch { return nebula.Switch{Model: v} },
	"protocol": func(v string) nebula.Switch { return nebula.Switch{Protocol: v} },
	"approve":  func(v string) nebula.Switch { return nebula.Switch{Approve: v} },
}

// choices are the modes and options of a session.
func (t *talk) choices(ctx context.Context) (*sdk.SessionModeState, []sdk.SessionConfigOption) {
	f, err := t.host.Folder(ctx)
	if err != nil {
		return nil, nil
	}
	held := t.held.Load()
	f.Mode, f.Model, f.Protocol, f.Approve = cmp.Or(held.Mode, f.Mode), cmp.Or(held.Model, f.Model), cmp.Or(held.Protocol, f.Protocol), cmp.Or(held.Approve, f.Approve)
	lang := t.agent.options.Lang
	words := transcript.WordsIn(lang)
	modes := &sdk.SessionModeState{CurrentModeId: sdk.SessionModeId(f.Mode)}
	for _, m := range command.Modes {
		row, _ := command.Find(m)
		modes.AvailableModes = append(modes.AvailableModes, sdk.SessionMode{Id: sdk.SessionModeId(m), Name: m, Description: sdk.Ptr(row.Text(lang).About)})
	}
	some, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	models := []string{f.Model}
	if list, err := t.host.Models(some); err == nil {
		for _, m := range list {
			if m.Name != f.Model {
				models = append(models, m.Name)
			}
		}
	}
	return modes, []sdk.SessionConfigOption{
		option("model", words.Model, f.Model, models, sdk.Ptr(sdk.SessionConfigOptionCategoryModel)),
		option("approve", words.PickApprove, f.Approve, gate.Choices(), nil),
		option("protocol", words.PickProtocol, f.Protocol, f.Protocols, nil),
	}
}

//go:noinline
func option(id sdk.SessionConfigId, name, now string, values []string, of *sdk.SessionConfigOptionCategory) sdk.SessionConfigOption {
	list := sdk.SessionConfigSelectOptionsUngrouped{}
	for _, v := range values {
		list = append(list, sdk.SessionConfigSelectOption{Name: v, Value: sdk.SessionConfigValueId(v)})
	}
	return sdk.SessionConfigOption{Select: &sdk.SessionConfigOptionSelect{Id: id, Name: name, Category: of, CurrentValue: sdk.SessionConfigValueId(now), Type: "select", Options: sdk.SessionConfigSelectOptions{Ungrouped: &list}}}
}

// chosen tells the editor what the session has, where that is not what it was told last.
func (t *talk) chosen(ctx context.Context) {
	if _, choices := t.choices(ctx); choices != nil {
		_ = t.say(ctx, sdk.SessionUpdate{ConfigOptionUpdate: &sdk.SessionConfigOptionUpdate{ConfigOptions: choices, SessionUpdate: "config_option_update"}}) // an editor that is gone misses nothing
	}
}

// commands are what can be typed in the place of a message.
func (t *talk) commands(ctx context.Context) sdk.SessionUpdate {
	lang := t.agent.options.Lang
	var list []sdk.AvailableCommand
	add := func(name, takes, about string) {
		c := sdk.AvailableCommand{Name: name, Description: about}
		if takes != "" {
			c.Input = &sdk.AvailableCommandInput{Unstructured: &sdk.UnstructuredCommandInput{Hint: takes}}
		}
		list = append(list, c)
	}
	for _, r := range command.Rows {
		if strings.HasPrefix(r.Title(), "/") && (r.Acts() || r.Name == "status" || r.Name == "config") {
			add(r.Name, r.Text(lang).Takes, r.Text(lang).About)
		}
	}
	own, _ := t.host.Commands(ctx) // none where they cannot be read
	for _, c := range own {
		add(c.Name, c.Takes, c.About)
	}
	return sdk.SessionUpdate{AvailableCommandsUpdate: &sdk.SessionAvailableCommandsUpdate{AvailableCommands: list, SessionUpdate: "available_commands_update"}}
}
