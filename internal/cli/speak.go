package cli

import (
	"context"
	"strings"
	"sync"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/language"
	"nebula/internal/protocol/dialect"
)

// inFull writes an intent with every action's reason: where the language has no place for it, as the thought before it.
func inFull(l language.Row, in nebula.Intent, tools []nebula.ToolSpec) nebula.Reply {
	whole := l.Write(in, tools)
	if len(in.Actions) == 0 || len(whole.Calls()) > 0 || strings.Contains(whole.Text(), in.Actions[0].Reason) {
		return whole
	}
	text := l.Write(nebula.Intent{Say: in.Say}, tools).Text()
	for _, a := range in.Actions {
		text = strings.TrimRight(text, "\n") + "\n" + l.Write(nebula.Intent{Thoughts: []string{a.Reason}, Actions: []nebula.Action{a}}, tools).Text()
	}
	return nebula.Reply{Parts: nebula.Text(strings.TrimLeft(text, "\n")), Finish: whole.Finish}
}

// speak gives the protocol that a name means; auto is native calls where the model takes them, else symops.
func speak(name string, m nebula.ModelInfo) (nebula.Protocol, error) { return taught(name, m, false) }

// taught is speak, with languages that are taught by their example or without.
func taught(name string, m nebula.ModelInfo, bare bool) (nebula.Protocol, error) {
	list := language.All()
	if name == language.Auto || name == "" {
		if m.Native {
			return dialect.Tolerant(list[0].Taught(bare)), nil
		}
		return dialect.Tolerant(list[1].Taught(bare)), nil
	}
	if p, ok := language.Named(name); ok {
		return dialect.Tolerant(p.Taught(bare)), nil
	}
	if near := config.Nearest(name, language.Names()); near != "" {
		return nil, usage("no protocol %q; did you mean %s?", name, near)
	}
	return nil, usage("no protocol %q here; nebula run --help lists them", name)
}

// A chooser gives protocols by name, and for auto, where the model takes no native calls, the one that it wrote best.
// What was chosen for a model stays for as long as this process lives.
type chooser struct {
	store  nebula.Store
	bare   bool     // taught without examples
	chosen sync.Map // the protocol's name, by the model and its server
}

func (c *chooser) speak(name string, m nebula.ModelInfo) (nebula.Protocol, error) {
	if name != language.Auto && name != "" || m.Native {
		return taught(name, m, c.bare)
	}
	key := m.Name + " " + m.Server
	chosen, ok := c.chosen.Load(key)
	if !ok {
		list, err := c.store.Spoken(context.Background(), m.Name, m.Server)
		if err != nil {
			return nil, err
		}
		chosen, _ = c.chosen.LoadOrStore(key, best(list))
	}
	return taught(chosen.(string), m, c.bare)
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
	name, share, cost := language.Auto, 0.0, 0.0
	for _, p := range language.All()[1:] { // native calls are not taken here
		s := by[p.Name()]
		if s.Replies < enough {
			continue
		}
		good := float64(s.Strict+s.Repaired) / float64(s.Replies)
		each := float64(s.Tokens) / float64(max(1, s.Actions))
		if name == language.Auto || good > share+slack || good > share-slack && each < cost {
			name, share, cost = p.Name(), good, each
		}
	}
	return name
}

// slack is how far two shares may lie apart and still be called equal.
const slack = 0.02
