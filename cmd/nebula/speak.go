package main

import (
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
