// Package chat speaks Chat Completions as OpenAI, OpenRouter, Ollama, llama.cpp, LM Studio, vLLM and many others offer
// them. How they differ is data, a [Dialect]; what it does not tell is learnt from a server's refusals.
package chat

import (
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/model/transport"
)

// A Chat is a [transport.Adapter].
type Chat struct {
	at     transport.Endpoint
	header http.Header
	known  bool // who runs the server, and so what it takes

	dialect atomic.Pointer[Dialect]
	learnt  transport.Learnt
}

// New returns an adapter for an endpoint that speaks a dialect; known says that the dialect is that of its provider.
func New(at transport.Endpoint, d Dialect, known bool) *Chat {
	c := &Chat{at: at, header: Header(at, d), known: known}
	c.dialect.Store(&d)
	return c
}

// Header is what goes with every request to an endpoint.
func Header(at transport.Endpoint, d Dialect) http.Header {
	h := http.Header{"Content-Type": {"application/json"}, "Accept": {"text/event-stream"}}
	if at.Key != "" {
		if d.KeyIn != "" && !strings.HasPrefix(at.Key, "eyJ") { // a token that was signed is no key, wherever it goes
			h.Set(d.KeyIn, at.Key)
		} else {
			h.Set("Authorization", "Bearer "+at.Key)
		}
	}
	if d.Titled {
		h.Set("X-Title", "nebula")
	}
	return h
}

// Ask writes the request in what is known of the dialect by now.
func (c *Chat) Ask(p nebula.Prompt) transport.Exchange {
	d := *c.dialect.Load()
	p.Messages = c.own(p.Messages)
	effort := c.learnt.Form(d.Effort, p.Effort)
	return transport.Exchange{
		URL:    URL(c.at.BaseURL),
		Header: c.header.Clone(),
		Body:   appendRequest(make([]byte, 0, requestSize(p)), c.model(), p, d, effort),
		Reader: func(out *transport.Out) transport.Reader {
			return &decoder{out: out, calls: callList{of: c.origin()}, details: details{of: c.origin()}}
		},
		Learn: func(r transport.Refusal) (nebula.Words, bool) {
			if taught, learnt := relearn(strings.ToLower(r.Raw+r.Said), d); learnt {
				c.dialect.Store(&taught)
				return nebula.Words{}, true
			}
			handed := d.Reasoning != "" && (r.Names(Thought) || r.Names("messages") && r.Names("reasoning")) // what is refused is what stands in the messages
			if effort != "" && r.Final && !handed && r.Names("reasoning", "effort", "thinking", "chat_template_kwargs") {
				return c.learnt.Dropped(d.Effort, p.Effort, effort, c.at.Model)
			}
			if r.Final && r.Names("reasoning_details", "signature") && c.learnt.Distrust(p.Messages, c.origin()) {
				return nebula.Words{}, true
			}
			if _, _, made := strings.Cut(c.at.Model, "/"); made && !c.known && r.Kind == "model" {
				return nebula.Words{}, c.learnt.Refuse(c.at.Model)
			}
			return nebula.Words{}, c.learn(r, d)
		},
	}
}

// model is the model's name for the server: with its maker before it, as it was given, until a server that nobody knows says
// that it has none of that name.
func (c *Chat) model() string {
	if c.learnt.Takes(c.at.Model) {
		return c.at.Model
	}
	_, rest, _ := strings.Cut(c.at.Model, "/")
	return rest
}

// origin names whose the opaque values of the replies are.
//
//go:noinline
func (c *Chat) origin() string {
	if c.at.Provider != "" {
		return c.at.Provider
	}
	return transport.HostOf(c.at.BaseURL)
}

// own are messages without what belongs to other providers, or is not taken back. A list that has nothing of it is returned as
// it is.
func (c *Chat) own(messages []nebula.Message) []nebula.Message {
	origin := c.origin()
	foreign := func(m nebula.Message) bool {
		return slices.ContainsFunc(m.Parts, func(p nebula.Part) bool {
			return p.Opaque != nil && (p.Opaque.Of != origin || !c.learnt.Takes(string(p.Opaque.Value)))
		})
	}
	if !slices.ContainsFunc(messages, foreign) {
		return messages
	}
	out := lists.Clone(messages)
	for i := range out {
		out[i].Parts = c.learnt.Own(out[i].Parts, origin)
	}
	return out
}

const path = "/chat/completions"

// URL is where requests go.
//
//go:noinline
func URL(base string) string { return transport.URL(base, path) }

// Base is what stands before the path.
func Base(base string) string {
	address, query, found := strings.Cut(URL(base), "?")
	address = strings.TrimSuffix(address, path)
	if found {
		address += "?" + query
	}
	return address
}

// learn changes the dialect after a refusal that names, or may come from, something that was sent.
func (c *Chat) learn(r transport.Refusal, sent Dialect) bool {
	if !r.Final || r.Status != http.StatusBadRequest && r.Status != http.StatusUnprocessableEntity && r.Status != http.StatusNotImplemented {
		return false
	}
	d, learnt := leaveOut(strings.ToLower(r.Raw), sent, !c.known && r.Kind == "bad_request" && !r.Worked)
	if learnt {
		c.dialect.Store(&d)
	}
	return learnt
}

// leaveOut is the dialect without what a refusal names. With extra, what small servers stumble over without a word goes
// when nothing is named.
func leaveOut(raw string, d Dialect, extra bool) (Dialect, bool) {
	names := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(raw, w) {
				return true
			}
		}
		return false
	}
	switch {
	case d.ModernMax && names("max_completion_tokens"):
		d.ModernMax = false
	case !d.ModernMax && names("max_tokens") && names("max_completion_tokens"):
		d.ModernMax = true
	case d.Usage && names("stream_options", "include_usage"):
		d.Usage = false
	case d.CacheKey && names("prompt_cache_key"):
		d.CacheKey = false
	case d.Marked != "" && names("cache_control"):
		d.Marked = ""
	case d.Schema && names("response_format", "json_schema"):
		d.Schema = false
	case d.Reasoning != "" && !d.Wanted && names(d.Reasoning):
		d.Reasoning = ""
	case d.Usage && extra:
		d.Usage = false
	default:
		return d, false
	}
	return d, true
}

// Canonical is a message as it stands in a request, in the plainest dialect that leaves nothing of its text out.
func Canonical(m nebula.Message) []byte {
	return appendMessage(nil, m, Dialect{Reasoning: "reasoning"}, false)
}

// Quote is a text as a JSON string in which only what JSON demands is escaped.
func Quote(text string) []byte { return transport.AppendString(nil, text) }
