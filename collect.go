package nebula

import (
	"fmt"
	"iter"
	"strings"
)

// Collect reads a stream to its end and puts the reply together, showing each piece to each on the way (each may be
// nil). When the stream starts again (a Retry piece) so does the reply. Without a proper end there is no reply: the
// error says why.
func Collect(stream iter.Seq2[Chunk, error], each func(Chunk)) (Reply, error) {
	var c collector
	for chunk, err := range stream {
		if err != nil {
			return Reply{}, err
		}
		c.add(chunk)
		if each != nil {
			each(chunk)
		}
	}
	return c.reply()
}

type collector struct {
	text, reasoning strings.Builder
	calls           []Call
	arguments       []*strings.Builder
	at              map[int]int // a call's index in the stream to its place in calls
	usage           Usage
	model, finish   string
}

func (c *collector) add(k Chunk) {
	if k.Retry != nil {
		*c = collector{}
		return
	}
	c.text.WriteString(k.Text)
	c.reasoning.WriteString(k.Reasoning)
	if k.Call != nil {
		c.call(*k.Call)
	}
	if k.Usage != nil {
		c.usage = *k.Usage
	}
	if k.Model != "" {
		c.model = k.Model
	}
	if k.Finish != "" {
		c.finish = k.Finish
	}
}

func (c *collector) call(d CallDelta) {
	i, ok := c.at[d.Index]
	if !ok {
		if c.at == nil {
			c.at = map[int]int{}
		}
		i = len(c.calls)
		c.at[d.Index] = i
		c.calls = append(c.calls, Call{})
		c.arguments = append(c.arguments, &strings.Builder{})
	}
	if d.ID != "" {
		c.calls[i].ID = d.ID
	}
	if d.Name != "" {
		c.calls[i].Name = d.Name
	}
	c.arguments[i].WriteString(d.Arguments)
}

func (c *collector) reply() (Reply, error) {
	if c.finish == "" {
		return Reply{}, &APIError{Kind: "cut", Text: "the model's stream ended in the middle", Next: "try again"}
	}
	for i := range c.calls {
		c.calls[i].Arguments = c.arguments[i].String()
		if c.calls[i].ID == "" {
			c.calls[i].ID = fmt.Sprintf("call_%d", i)
		}
	}
	return Reply{Text: c.text.String(), Reasoning: c.reasoning.String(), Calls: c.calls,
		Finish: c.finish, Usage: c.usage, Model: c.model}, nil
}
