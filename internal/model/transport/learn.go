package transport

import (
	"slices"
	"strings"
	"sync"

	"nebula"
)

// Efforts are a provider's forms of each effort: what is put into a request, the best first.
type Efforts map[nebula.Effort][]string

// Learnt is what an adapter learnt of a server that its table does not tell. The zero value knows nothing. It may be used
// from several goroutines.
type Learnt struct {
	refused sync.Map // what it refused, by its text
}

// Refuse notes what the server refused, and reports whether that is new.
func (l *Learnt) Refuse(what string) bool {
	_, known := l.refused.LoadOrStore(what, true)
	return !known
}

// Takes reports whether the server did not refuse something.
func (l *Learnt) Takes(what string) bool {
	_, refused := l.refused.Load(what)
	return !refused
}

// Form is the best form of an effort that the server did not refuse; empty where there is none.
//
//go:noinline
func (l *Learnt) Form(forms Efforts, e nebula.Effort) string {
	for _, f := range forms[e] {
		if l.Takes(f) {
			return f
		}
	}
	return ""
}

// Dropped goes to the next form of an effort after a refusal of one. It says so to the person when there is no other, and the
// model thinks as much as it does by itself.
func (l *Learnt) Dropped(forms Efforts, e nebula.Effort, form, model string) (said nebula.Words, learnt bool) {
	if !l.Refuse(form) {
		return nebula.Words{}, false
	}
	if l.Form(forms, e) == "" {
		said = nebula.Say("%s does not take the effort %s: it thinks as much as it does by itself", model, string(e))
	}
	return said, true
}

// Distrust notes that the server does not take back what it once gave with the messages, all of one provider: it is left out
// from now on, and the text goes on without it.
func (l *Learnt) Distrust(messages []nebula.Message, provider string) bool {
	fresh := false
	for _, m := range messages {
		for _, p := range m.Parts {
			if p.Opaque != nil && p.Opaque.Of == provider && l.Refuse(string(p.Opaque.Value)) {
				fresh = true
			}
		}
	}
	return fresh
}

// Own are the parts as a provider may have them, without what its server does not take back.
func (l *Learnt) Own(parts nebula.Parts, provider string) nebula.Parts {
	void := func(p nebula.Part) bool {
		return p.Opaque != nil && p.Opaque.Of == provider && !l.Takes(string(p.Opaque.Value))
	}
	if parts = parts.For(provider); !slices.ContainsFunc(parts, void) {
		return parts
	}
	var out nebula.Parts
	for _, p := range parts {
		if void(p) {
			if p.Opaque = nil; p.Kind == nebula.OpaquePart || p.Kind == nebula.ReasoningPart {
				continue
			}
		}
		out = append(out, p)
	}
	return out
}

// Names reports whether a refusal contains one of the words, which are in lower case.
func (r Refusal) Names(words ...string) bool {
	raw := strings.ToLower(r.Raw)
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(raw, w) })
}
