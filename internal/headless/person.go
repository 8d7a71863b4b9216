package headless

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"nebula"
)

// A Terminal asks the person in front of it, line by line.
type Terminal struct {
	In     *bufio.Reader
	Out    io.Writer
	Lang   string
	Colour bool

	// Read reads an answer at the gate: unclear ones are no, with the text as the reason.
	Read func(text string) (answer nebula.Decided, reason string, clear bool)
}

// Answer shows what waits and reads one line. No line, or an end of the context, is no.
func (t *Terminal) Answer(ctx context.Context, q Question) nebula.Answer {
	if q.Step != "" {
		fmt.Fprintf(t.Out, "\n[%s]\n", Clean(q.Step))
	}
	if q.Asked.Question != nil {
		return t.question(ctx, *q.Asked.Question)
	}
	t.show(q.Proposed)
	text, ok := t.line(ctx, t.words().gate)
	if !ok {
		return Nobody(q)
	}
	answer, reason, _ := t.Read(text)
	return nebula.Answer{Answer: answer, Text: reason}
}

func (t *Terminal) question(ctx context.Context, q nebula.Question) nebula.Answer {
	fmt.Fprintf(t.Out, "? %s\n", Clean(q.Text))
	for i, o := range q.Options {
		fmt.Fprintf(t.Out, "  %d. %s\n", i+1, Clean(o))
	}
	text, ok := t.line(ctx, "> ")
	if !ok || strings.TrimSpace(text) == "" {
		return nebula.Answer{Answer: nebula.No, By: "nobody"}
	}
	text = strings.TrimSpace(text)
	for i, o := range q.Options {
		if text == fmt.Sprint(i+1) {
			text = o
		}
	}
	return nebula.Answer{Answer: nebula.Told, Text: text}
}

// show writes the five things a person decides on: what, why, on which ground, and exactly which change.
func (t *Terminal) show(p nebula.Proposed) {
	a := p.Proposal.Action
	fmt.Fprintf(t.Out, "\n%s  %s\n", a.Tool, Clean(p.Proposal.Summary))
	if a.Reason != "" {
		fmt.Fprintf(t.Out, "  %s %s\n", t.words().why, Clean(a.Reason))
	}
	if p.Verdict.Why != "" {
		fmt.Fprintf(t.Out, "  %s %s\n", t.words().asks, Clean(p.Verdict.Why))
	}
	for _, risk := range p.Verdict.Risks {
		fmt.Fprintf(t.Out, "  ! %s\n", Clean(risk))
	}
	if p.Proposal.Command != "" {
		for line := range strings.SplitSeq(Clean(p.Proposal.Command), "\n") {
			fmt.Fprintf(t.Out, "  $ %s\n", line)
		}
	}
	t.diff(p.Proposal.Diff)
}

func (t *Terminal) diff(diff string) {
	for line := range strings.SplitSeq(strings.TrimSuffix(diff, "\n"), "\n") {
		if diff == "" {
			return
		}
		line = Clean(line)
		colour := map[byte]string{'+': "32", '-': "31", '@': "36"}
		if c, ok := colour[append([]byte(line), ' ')[0]]; ok && t.Colour {
			line = "\x1b[" + c + "m" + line + "\x1b[0m"
		}
		fmt.Fprintf(t.Out, "  %s\n", line)
	}
}

// line reads a line; the read itself cannot be taken back, so an end of the context leaves it behind.
func (t *Terminal) line(ctx context.Context, prompt string) (string, bool) {
	_, _ = io.WriteString(t.Out, prompt)
	type read struct {
		text string
		err  error
	}
	got := make(chan read, 1)
	go func() {
		text, err := t.In.ReadString('\n')
		got <- read{text, err}
	}()
	select {
	case r := <-got:
		return r.text, r.err == nil || r.text != ""
	case <-ctx.Done():
		return "", false
	}
}

type gateWords struct{ gate, why, asks string }

func (t *Terminal) words() gateWords {
	if t.Lang == "ja" {
		return gateWords{"許可しますか? [y] はい / [n] いいえ / [a] このセッション中は常に / 断る理由: ", "理由:", "確認:"}
	}
	return gateWords{"Allow? [y]es / [n]o / [a]lways this session / or say why not: ", "why:", "asks because"}
}
