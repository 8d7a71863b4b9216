package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"nebula"
	"nebula/internal/acp"
	"nebula/internal/gate"
	"nebula/internal/headless"
	"nebula/internal/mcp"
	"nebula/internal/terminal"
)

// mostInForm bounds what a person is shown in another program's form, in bytes: nobody reads more there, and what is not read is not allowed.
const mostInForm = 30_000

// runLent has nebula work in the folder for another program. What waits for the person is asked in a form of that program's, with all that they
// would see here; where it has no forms, nobody is there.
func (s *session) runLent() mcp.Lent {
	clean := s.redactor(s.config)
	return mcp.Lent{Name: "run", Acts: true,
		Description: "Have nebula do something in this folder: change files, run commands, plan. What it may not do by itself it asks the person, by elicitation. session goes on with an earlier one.",
		Schema:      json.RawMessage(`{"type":"object","properties":{"message":{"type":"string"},"session":{"type":"string"}},"required":["message"],"additionalProperties":false}`),
		Do: func(ctx context.Context, args json.RawMessage, ask mcp.Ask) (string, error) {
			var in struct{ Message, Session string }
			if err := json.Unmarshal(args, &in); err != nil {
				return "", err
			}
			text, err := s.runFor(ctx, in.Session, in.Message, ask)
			if err != nil {
				return "", errors.New(clean.Text(s.message(err)))
			}
			return clean.Text(text), nil
		}}
}

// runFor carries one message through a session, and tells what came of it: the answer, and a line of what a program may want to know.
func (s *session) runFor(ctx context.Context, id, message string, ask mcp.Ask) (text string, err error) {
	host, end, err := s.lend(acp.Place{Dir: s.dir})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, end()) }()
	c, err := host.Open(ctx, id)
	if err != nil {
		return "", err
	}
	turn, err := headless.Run(ctx, c, headless.Request{Prompt: message, Output: headless.Text, Stdout: io.Discard, Stderr: io.Discard, Lang: s.config.Lang,
		Approve: gate.Approve(s.config.Approve), Person: s.elsewhere(ask)})
	if err != nil {
		return "", err
	}
	facts, err := json.Marshal(struct {
		Session string           `json:"session"`
		Status  nebula.EndStatus `json:"status"`
		Changed []string         `json:"changed_files"`
	}{turn.Session, turn.Status, turn.ChangedFiles})
	return turn.Text + "\n\n" + string(facts), err
}

// elsewhere asks a person who sits at another program. Only a clear yes is one.
//
//go:noinline
func (s *session) elsewhere(ask mcp.Ask) func(context.Context, headless.Question) nebula.Answer {
	return func(ctx context.Context, q headless.Question) nebula.Answer {
		nobody := headless.Nobody(q)
		if q.Asked.Question != nil {
			choice, text, ok := ask(ctx, terminal.Visible(q.Asked.Question.Text), q.Asked.Question.Options)
			if text = choice + text; !ok {
				return nobody
			}
			return nebula.Answer{Answer: nebula.Told, Text: text, By: nebula.Person}
		}
		shown := headless.Decision(q, s.config.Lang)
		if len(shown) > mostInForm {
			nobody.Text = s.say("what it would do is too long for a form; have it done in nebula itself")
			return nobody
		}
		choice, why, ok := ask(ctx, shown, []string{"yes", "no"})
		switch {
		case !ok:
			return nobody
		case choice == "yes":
			return nebula.Answer{Answer: nebula.Yes, By: nebula.Person}
		}
		return nebula.Answer{Answer: nebula.No, Text: why, By: nebula.Person}
	}
}
