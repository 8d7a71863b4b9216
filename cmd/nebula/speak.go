package main

import (
	"strings"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/protocol/actionlist"
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
	if len(in.Actions) == 0 || len(whole.Calls) > 0 || strings.Contains(whole.Text, in.Actions[0].Reason) {
		return whole
	}
	text := l.write(nebula.Intent{Say: in.Say}, tools).Text
	for _, a := range in.Actions {
		text = strings.TrimRight(text, "\n") + "\n" + l.write(nebula.Intent{Thoughts: []string{a.Reason}, Actions: []nebula.Action{a}}, tools).Text
	}
	return nebula.Reply{Text: strings.TrimLeft(text, "\n"), Finish: whole.Finish}
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

// speak gives the protocol that a name means; auto is the best that the model can do.
func speak(name string, m nebula.ModelInfo) (nebula.Protocol, error) {
	list := protocols()
	if name == "auto" || name == "" {
		if m.Native {
			return list[0], nil
		}
		return list[1], nil
	}
	var names []string
	for _, p := range list {
		if p.Name() == name {
			return p, nil
		}
		names = append(names, p.Name())
	}
	if near := config.Nearest(name, names); near != "" {
		return nil, usage("no protocol %q; did you mean %s?", name, near)
	}
	return nil, usage("no protocol %q here; nebula run --help lists them", name)
}

func protocolNames() []string {
	var names []string
	for _, p := range protocols() {
		names = append(names, p.Name())
	}
	return names
}
