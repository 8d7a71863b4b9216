package line

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/terminal"
)

// A Script is what a person would type, in order: messages, and answers to the gate and to questions. Of the commands,
// the messages /plan and /agent switch the mode.
type Script struct {
	Messages []string
	Answers  []string
}

// PlayOptions are what Play works with.
type PlayOptions struct {
	Conversation nebula.Conversation
	Out          io.Writer
	Lang         string
	Color        bool
	Width        int // columns; 0 means 80
	Script       Script
}

// ErrScriptEnded is what Play returns when something is asked that the script has no answer to.
var ErrScriptEnded = errors.New("the script has no answer to what is asked")

// Play shows a conversation as Run does, where nobody types: what is typed comes from a script, and Out needs to be no
// terminal. It closes the conversation after the last message's turn and returns how that turn ended.
func Play(ctx context.Context, o PlayOptions) (nebula.Outcome, error) {
	p := player{options: o, view: newView(wordsFor(o.Lang), paletteFor(o.Color), false, time.Time{}), last: nebula.Outcome{}}
	if o.Width > 0 {
		p.view.width = o.Width
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	events, err := p.events(ctx), p.next(ctx)
	for err == nil && !p.view.Closed {
		select {
		case e, open := <-events:
			if !open {
				return p.last, errors.Join(ctx.Err(), p.print())
			}
			err = p.take(ctx, e)
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
	}
	err = errors.Join(err, p.print())
	stop()
	for range events { // until the reader has ended
	}
	return p.last, err
}

// events hands the conversation's events over until ctx ends.
func (p *player) events(ctx context.Context) <-chan nebula.Event {
	events := make(chan nebula.Event)
	go func() {
		defer close(events)
		for e := range p.options.Conversation.Events(ctx, 0) {
			select {
			case events <- e:
			case <-ctx.Done():
				return
			}
		}
	}()
	return events
}

type player struct {
	options PlayOptions
	view    *view
	message int // how many were sent
	answer  int
	asked   string
	last    nebula.Outcome
}

func (p *player) take(ctx context.Context, e nebula.Event) error {
	p.view.fold(e)
	if err := p.print(); err != nil {
		return err
	}
	if ended, ok := e.Body.(nebula.Ended); ok {
		p.last = ended.Outcome
		return p.next(ctx)
	}
	if ask := p.view.Ask; ask != nil && ask.Ask != p.asked {
		p.asked = ask.Ask
		return p.reply(ctx, *ask)
	}
	return nil
}

// next sends the next message, or ends the conversation.
func (p *player) next(ctx context.Context) error {
	if p.message == len(p.options.Script.Messages) {
		return p.options.Conversation.Send(ctx, nebula.Close{})
	}
	text := p.options.Script.Messages[p.message]
	p.message++
	if mode, ok := strings.CutPrefix(text, "/"); ok {
		p.view.gap()
		p.view.print(terminal.Paint(p.view.palette.note, p.view.words.Prompt) + terminal.Paint(p.view.palette.bold, text))
		if err := p.options.Conversation.Send(ctx, nebula.Switch{Mode: nebula.Mode(mode)}); err != nil {
			return err
		}
		return p.next(ctx)
	}
	return p.options.Conversation.Send(ctx, nebula.Submit{Text: text})
}

// reply answers what is asked, and shows the answer where the person would have typed it.
func (p *player) reply(ctx context.Context, ask nebula.Asked) error {
	if p.answer == len(p.options.Script.Answers) {
		return ErrScriptEnded
	}
	text := p.options.Script.Answers[p.answer]
	p.answer++
	command, prompt := nebula.Answer{Ask: ask.Ask, By: nebula.Person}, p.view.words.GatePrompt
	if ask.Question != nil {
		told, ok := terminal.Choose(text, ask.Question.Options)
		if !ok {
			return fmt.Errorf("%q: %w", text, ErrScriptEnded)
		}
		command.Answer, command.Text, prompt = nebula.Told, told, p.view.words.AskPrompt
	} else {
		command.Answer, command.Text, _ = gate.ReadAnswer(text)
	}
	p.view.print(terminal.Paint(p.view.palette.warn, prompt) + text)
	if err := p.print(); err != nil {
		return err
	}
	return p.options.Conversation.Send(ctx, command)
}

// print shows what is complete.
func (p *player) print() error {
	rows := p.view.printed()
	if len(rows) == 0 {
		return nil
	}
	_, err := io.WriteString(p.options.Out, strings.Join(rows, "\n")+"\n")
	return err
}
