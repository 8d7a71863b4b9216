package model

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"iter"
	"math"
	"strconv"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"nebula"
	"nebula/internal/model/transport"
	"nebula/internal/phrase"
)

// ReplayOptions say how a recording is played.
type ReplayOptions struct {
	Info     nebula.ModelInfo // what the model says of itself; zero: what the recording says
	Lang     string           // only exchanges of this language and those of none; empty: all
	Speed    float64          // 1 as it was recorded, 2 twice as fast; 0 without any pause
	Strict   bool             // a prompt that is not the recorded one is an error
	Diverged func(Divergence) // told of every prompt that is not the recorded one; may be nil
	Say      Tongue           // how errors are said
}

// A Divergence is a prompt that differs from the one that was recorded.
type Divergence struct {
	Exchange int          // from 1
	What     nebula.Words // how it differs
}

// Error is the sentence in English.
func (d *Divergence) Error() string { return d.Words().String() }

// Words implements [nebula.Speaker].
func (d *Divergence) Words() nebula.Words {
	return nebula.Say("the replay diverges at exchange %d: %s", d.Exchange, d.What)
}

// A Player is a [nebula.Model] that answers from a recording, in its order, whatever it is asked.
type Player struct {
	opts  ReplayOptions
	info  nebula.ModelInfo
	asked atomic.Int64 // exchanges
	lines []scene
}

// A scene is one exchange, ready to be played.
type scene struct {
	reply  nebula.Reply
	err    *nebula.APIError
	prompt *promptMark
	pace   []beat
}

// Replay reads a recording, in the form that [Record] writes. A line that cannot be read is an error that names it,
// except for a last line without its end, which a crash left behind.
func Replay(r io.Reader, o ReplayOptions) (*Player, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	p := &Player{opts: o, info: o.Info}
	for n := 1; len(data) > 0; n++ {
		line, rest, ended := bytes.Cut(data, []byte("\n"))
		data = rest
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '#' {
			continue
		}
		if err := p.read(line); err != nil {
			if !ended && !json.Valid(line) {
				break
			}
			return nil, nebula.Errorf("line %d of the recording: %w", n, err)
		}
	}
	if len(p.lines) == 0 {
		return nil, nebula.Errorf("the recording has no replies")
	}
	if p.info.Name == "" {
		p.info.Name = "recording"
		p.info.Native = true
	}
	return p, nil
}

// Replies plays replies that were kept elsewhere.
//
//go:noinline
func Replies(list []nebula.Reply, o ReplayOptions) *Player {
	p := &Player{opts: o, info: o.Info}
	for _, r := range list {
		p.lines = append(p.lines, scene{reply: r})
	}
	return p
}

func (p *Player) read(line []byte) error {
	var x exchange
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&x); err != nil {
		return err
	}
	if dec.More() {
		return nebula.Errorf("there is more than one object on the line")
	}
	if x.Info != nil && p.info.Name == "" {
		p.info = *x.Info
	}
	if x.Lang != "" && p.opts.Lang != "" && x.Lang != p.opts.Lang {
		return nil
	}
	switch {
	case x.Error != nil && x.Error.Kind != cancelled:
		p.lines = append(p.lines, scene{prompt: x.Prompt, err: &nebula.APIError{Status: x.Error.Status, Kind: x.Error.Kind, Text: x.Error.Text, Next: x.Error.Next}})
	case x.Reply != nil:
		r, err := x.Reply.reply(len(p.lines) + 1)
		if err != nil {
			return err
		}
		p.lines = append(p.lines, scene{reply: r, prompt: x.Prompt, pace: x.Pace})
	case x.Error == nil && x.Info == nil:
		return nebula.Errorf("an exchange needs a reply or an error")
	}
	return nil
}

// Info says what is known about the recorded model.
func (p *Player) Info() nebula.ModelInfo { return p.info }

// Left is how many exchanges were not asked for yet.
func (p *Player) Left() int {
	return max(0, len(p.lines)-int(p.asked.Load()))
}

// Stream plays the next exchange.
func (p *Player) Stream(ctx context.Context, prompt nebula.Prompt) iter.Seq2[nebula.Chunk, error] {
	return func(yield func(nebula.Chunk, error) bool) {
		s, n, ok := p.take()
		err := ctx.Err()
		switch {
		case err != nil:
		case !ok:
			err = &nebula.APIError{Kind: "model", Text: p.opts.Say.Words(nebula.Say("the recording ends after %d replies and one more is asked for", n-1)),
				Next: p.opts.Say.Words(nebula.Say("record the conversation again with --record"))}
		default:
			err = p.compare(s, n, prompt)
		}
		if err == nil && s.err != nil {
			err = s.err
		}
		if err != nil {
			yield(nebula.Chunk{}, err)
			return
		}
		p.play(ctx, s, yield)
	}
}

func (p *Player) take() (s scene, n int, ok bool) {
	n = int(p.asked.Add(1))
	if n > len(p.lines) {
		return scene{}, len(p.lines) + 1, false
	}
	return p.lines[n-1], n, true
}

func (p *Player) compare(s scene, n int, prompt nebula.Prompt) error {
	if s.prompt == nil {
		return nil
	}
	d := &Divergence{Exchange: n}
	switch now := markOf(prompt); {
	case now.Messages != s.prompt.Messages:
		d.What = nebula.Say("%d messages are sent, %d were recorded", now.Messages, s.prompt.Messages)
	case s.prompt.Last != "" && now.Last != s.prompt.Last:
		last := prompt.Messages[now.Messages-1]
		d.What = nebula.Say("the last message, from %s, is another: %q", last.Role, phrase.OneLine(last.Text(), 120))
	default:
		return nil
	}
	if p.opts.Diverged != nil {
		p.opts.Diverged(*d)
	}
	if p.opts.Strict {
		return d
	}
	return nil
}

// play yields a reply in the pieces and at the times that its pace says.
func (p *Player) play(ctx context.Context, s scene, yield func(nebula.Chunk, error) bool) {
	began := time.Now()
	emit := func(at time.Duration, c nebula.Chunk) bool {
		if p.opts.Speed > 0 {
			if err := transport.Sleep(ctx, time.Duration(float64(at)/p.opts.Speed)-time.Since(began)); err != nil {
				yield(nebula.Chunk{}, err)
				return false
			}
		} else if err := ctx.Err(); err != nil {
			yield(nebula.Chunk{}, err)
			return false
		}
		return yield(c, nil)
	}
	pace := s.pace
	if len(pace) == 0 {
		pace = s.naturalPace(p.opts.Speed > 0)
	}
	cut := newCutter(s.reply.Parts)
	if s.reply.Model != "" && !emit(0, nebula.Chunk{Model: s.reply.Model}) {
		return
	}
	var last time.Duration
	for _, b := range pace {
		last = b.at
		for _, c := range cut.take(b.what, b.bytes) {
			if !emit(b.at, c) {
				return
			}
		}
	}
	for _, c := range cut.rest() {
		if !emit(last, c) {
			return
		}
	}
	if u := s.reply.Usage; u != (nebula.Usage{}) && !emit(last, nebula.Chunk{Usage: &u}) {
		return
	}
	emit(last, nebula.Chunk{Finish: s.reply.Finish})
}

// naturalPace is the pace of a reply that has none: a short think, then a few characters at a time.
func (s scene) naturalPace(slow bool) []beat {
	if !slow {
		return nil
	}
	const (
		think = 400 * time.Millisecond
		step  = 25 * time.Millisecond
		runes = 4
	)
	at := think
	var pace []beat
	add := func(what, text string) {
		for len(text) > 0 {
			n := 0
			for i := 0; i < runes && n < len(text); i++ {
				_, size := utf8.DecodeRuneInString(text[n:])
				n += size
			}
			pace = append(pace, beat{at, what, n})
			text = text[n:]
			at += step
		}
	}
	calls := 0
	for _, p := range s.reply.Parts {
		switch p.Kind {
		case nebula.ReasoningPart:
			add("r", p.Text)
		case nebula.TextPart:
			add("t", p.Text)
		case nebula.CallPart:
			n := len(p.Call.Arguments)
			pace = append(pace, beat{at, strconv.Itoa(calls), n})
			at += min(time.Duration(n)*step/40, 2*time.Second)
			calls++
		}
	}
	return pace
}

// A cutter cuts a reply into pieces.
type cutter struct {
	parts nebula.Parts
	given []int // bytes of each part; -1 before it began
}

func newCutter(parts nebula.Parts) *cutter {
	c := &cutter{parts: parts, given: make([]int, len(parts))}
	for i := range c.given {
		c.given[i] = -1
	}
	return c
}

// take gives the next n bytes of the text, of the reasoning, or of a call's arguments.
func (c *cutter) take(what string, n int) []nebula.Chunk {
	i := c.find(what)
	if i < 0 {
		return nil
	}
	return append(c.begin(i), c.give(i, n)...)
}

// find is the part that a beat is about, or -1.
func (c *cutter) find(what string) int {
	kind, number := nebula.CallPart, 0
	switch what {
	case "t":
		kind = nebula.TextPart
	case "r":
		kind = nebula.ReasoningPart
	default:
		var err error
		if number, err = strconv.Atoi(what); err != nil {
			return -1
		}
	}
	for i, p := range c.parts {
		switch {
		case p.Kind != kind, kind != nebula.CallPart && (p.Text == "" || c.given[i] >= len(p.Text)):
		case number == 0:
			return i
		default:
			number--
		}
	}
	return -1
}

// begin opens a part and whatever comes whole, or by its name, before it.
func (c *cutter) begin(i int) (list []nebula.Chunk) {
	calls := 0
	for j, p := range c.parts[:i+1] {
		switch {
		case p.Call != nil:
			if c.given[j] < 0 {
				list = append(list, nebula.Chunk{Call: &nebula.CallDelta{Index: calls, ID: p.Call.ID, Name: p.Call.Name, Opaque: p.Opaque}})
				c.given[j] = 0
			}
			calls++
		case c.given[j] >= 0, p.Text != "" && j < i:
		case p.Text == "":
			list = append(list, nebula.Chunk{Part: &p})
			c.given[j] = 0
		default:
			c.given[j] = 0
		}
	}
	return list
}

// give is the next piece of a part that has begun.
func (c *cutter) give(i, n int) (list []nebula.Chunk) {
	p := c.parts[i]
	body := p.Text
	if p.Call != nil {
		body = p.Call.Arguments
	}
	piece := body[c.given[i]:]
	piece = piece[:min(n, len(piece))]
	if piece == "" {
		return nil
	}
	c.given[i] += len(piece)
	switch p.Kind {
	case nebula.CallPart:
		return []nebula.Chunk{{Call: &nebula.CallDelta{Index: len(c.parts[:i].Calls()), Arguments: piece}}}
	case nebula.ReasoningPart:
		list = append(list, nebula.Chunk{Reasoning: piece})
	default:
		list = append(list, nebula.Chunk{Text: piece})
	}
	if p.Opaque != nil && c.given[i] == len(body) {
		list = append(list, nebula.Chunk{Opaque: p.Opaque})
	}
	return list
}

// rest returns whatever the pace left out.
func (c *cutter) rest() (list []nebula.Chunk) {
	for i, p := range c.parts {
		list = append(list, c.begin(i)...)
		if p.Kind == nebula.CallPart || p.Text != "" {
			list = append(list, c.give(i, math.MaxInt)...)
		}
	}
	return list
}
