package main

import (
	"nebula"
	"nebula/internal/config"
	"nebula/internal/protocol/toolcall"
)

// protocols are the languages that a model may write in, the one of native calls first.
func protocols() []nebula.Protocol { return []nebula.Protocol{toolcall.Protocol{}} }

// speak gives the protocol that a name means; auto is the best that the model can do.
func speak(name string, m nebula.ModelInfo) (nebula.Protocol, error) {
	list := protocols()
	if name == "auto" || name == "" {
		if m.Native || len(list) == 1 {
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
