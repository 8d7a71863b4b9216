package main

import (
	"context"
	"strings"
	"sync"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/protocol/actionlist"
	"nebula/internal/protocol/dialect"
	"nebula/internal/protocol/dml"
	"nebula/internal/protocol/symops"
	"nebula/internal/protocol/toolcall"
)

// A language is a protocol, and how somebody who knows it writes in it.
type language struct {
	nebula.Protocol
	write func(in nebula.Intent, tools []nebula.ToolSpec) nebula.Reply
}

// say writes an intent with every action's reason: where the language has no place for it, as the thought before it.
func (l language) say(in nebula.Intent, tools []nebula.ToolSpec) nebula.Reply {
	whole := l.write(in, tools)
	if len(in.Actions) == 0 || len(whole.Calls()) > 0 || strings.Contains(whole.Text(), in.Actions[0].Reason) {
		return whole
	}
	text := l.write(nebula.Intent{Say: in.Say}, tools).Text()
	for _, a := range in.Actions {
		text = strings.TrimRight(text, "\n") + "\n" + l.write(nebula.Intent{Thoughts: []string{a.Reason}, Actions: []nebula.Action{a}}, tools).Text()
	}
	return nebula.Reply{Parts: nebula.Text(strings.TrimLeft(text, "\n")), Finish: whole.Finish}
}

// languages are all protocols: the one of native calls first, then the one for models without them.
func languages() []language {
	return []language{
		{toolcall.Protocol{}, toolcall.Write}, {symops.Protocol{}, symops.Write},
		{actionlist.Protocol{}, actionlist.Write}, {dml.Protocol{}, dml.Write},
	}
}

func protocols() []nebula.Protocol {
	var list []nebula.Protocol
	for _, l := range languages() {
		list = append(list, l.Protocol)
	}
	return list
}

// speak gives the protocol that a name means; auto is native calls where the model takes them, else symops.
func speak(name string, m nebula.ModelInfo) (nebula.Protocol, error) {
	list := protocols()
	if name == "auto" || name == "" {
		if m.Native {
			return dialect.Tolerant(list[0]), nil
		}
		return dialect.Tolerant(list[1]), nil
	}
	var names []string
	for _, p := range list {
		if p.Name() == name {
			return dialect.Tolerant(p), nil
		}
		names = append(names, p.Name())
	}
	if near := config.Nearest(name, names); near != "" {
		return nil, usage("no protocol %q; did you mean %s?", name, near)
	}
	return nil, usage("no protocol %q here; nebula run --help lists them", name)
}

// A chooser gives protocols by name, and for auto, where the model takes no native calls, the one that it wrote best.
// What was chosen for a model stays for as long as this process lives.
type chooser struct {
	store nebula.Store

	mu     sync.Mutex
	chosen map[string]string
}

func (c *chooser) speak(name string, m nebula.ModelInfo) (nebula.Protocol, error) {
	if name != "auto" && name != "" || m.Native {
		return speak(name, m)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := m.Name + " " + m.Server
	if c.chosen[key] == "" {
		list, err := c.store.Spoken(context.Background(), m.Name, m.Server)
		if err != nil {
			return nil, err
		}
		if c.chosen == nil {
			c.chosen = map[string]string{}
		}
		c.chosen[key] = best(list)
	}
	return speak(c.chosen[key], m)
}

// enough is how many replies make a record.
const enough = 5

// best is the protocol with the best record: most replies read without a guess, then the fewest tokens for an action.
// It is auto when there is no record. What came in another dialect than the one taught counts for that dialect.
func best(list []nebula.Spoken) string {
	by := map[string]nebula.Spoken{}
	for _, s := range list {
		name := s.Protocol
		if s.Dialect != "" {
			name = s.Dialect
		}
		t := by[name]
		t.Replies, t.Strict, t.Repaired, t.Failed = t.Replies+s.Replies, t.Strict+s.Strict, t.Repaired+s.Repaired, t.Failed+s.Failed
		t.Actions, t.Tokens = t.Actions+s.Actions, t.Tokens+s.Tokens
		by[name] = t
	}
	name, share, cost := "auto", 0.0, 0.0
	for _, p := range protocols()[1:] { // native calls are not taken here
		s := by[p.Name()]
		if s.Replies < enough {
			continue
		}
		good := float64(s.Strict+s.Repaired) / float64(s.Replies)
		each := float64(s.Tokens) / float64(max(1, s.Actions))
		if name == "auto" || good > share+slack || good > share-slack && each < cost {
			name, share, cost = p.Name(), good, each
		}
	}
	return name
}

// slack is how far two shares may lie apart and still be called equal.
const slack = 0.02

func protocolNames() []string {
	var names []string
	for _, p := range protocols() {
		names = append(names, p.Name())
	}
	return names
}
