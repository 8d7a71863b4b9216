// Package anthropic speaks Anthropic's Messages: thinking with its signatures, parallel calls and their results, images, and
// prompt caching by breakpoints behind what stays the same.
package anthropic

import (
	"net/http"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/model/transport"
)

// Name is the provider whose opaque values are its own.
const Name = "anthropic"

// version of the interface that the requests are written for.
const version = "2023-06-01"

// An Adapter is a [transport.Adapter].
type Adapter struct {
	at     transport.Endpoint
	output int // tokens of a reply, which every request must bound
	learnt transport.Learnt
}

// New returns an adapter for an endpoint.
func New(at transport.Endpoint, info nebula.ModelInfo) *Adapter {
	output := info.MaxOutput
	if output <= 0 {
		output = 4096
	}
	return &Adapter{at: at, output: output}
}

const (
	adaptive = `,"thinking":{"type":"adaptive"},"output_config":{"effort":`
	budgeted = `,"thinking":{"type":"enabled","budget_tokens":`
	format   = `"format":{"type":"json_schema","schema":`
)

// budgets are how models think to which tokens are given for it, adapting how those do that see for themselves. A request of
// a budget must be smaller than what a reply may have.
var (
	budgets = transport.Efforts{
		nebula.EffortOff:    {`,"thinking":{"type":"disabled"}`},
		nebula.EffortLow:    {budgeted + `2048}`},
		nebula.EffortMedium: {budgeted + `8192}`, budgeted + `2048}`},
		nebula.EffortHigh:   {budgeted + `16384}`, budgeted + `4096}`},
		nebula.EffortMax:    {budgeted + `31999}`, budgeted + `4096}`},
	}
	adapting = transport.Efforts{
		nebula.EffortOff:    budgets[nebula.EffortOff],
		nebula.EffortLow:    {adaptive + `"low"}`, budgeted + `2048}`},
		nebula.EffortMedium: {adaptive + `"medium"}`, budgeted + `8192}`},
		nebula.EffortHigh:   {adaptive + `"high"}`, budgeted + `16384}`},
		nebula.EffortMax:    {adaptive + `"max"}`, adaptive + `"high"}`, budgeted + `16384}`},
	}
)

// efforts are the model's forms of each effort: the models up to 4.5 know budgets only.
func (a *Adapter) efforts() transport.Efforts {
	older := strings.HasPrefix(a.at.Model, "claude-3") || strings.Contains(a.at.Model, "-4")
	for _, newer := range [...]string{"-4-6", "-4-7", "-4-8", "-4-9"} {
		older = older && !strings.Contains(a.at.Model, newer)
	}
	if older {
		return budgets
	}
	return adapting
}

// thinking is what a request says of how to think. With a budget, what goes on behind calls must have begun with a thought of
// this provider's: else the model goes on without until the person speaks again.
func (a *Adapter) thinking(p nebula.Prompt) string {
	form := a.learnt.Form(a.efforts(), p.Effort)
	if !strings.HasPrefix(form, budgeted) {
		return form
	}
	for i, m := range slices.Backward(p.Messages) {
		own := func(p nebula.Part) bool {
			return p.Opaque != nil && p.Opaque.Of == Name && p.Kind == nebula.ReasoningPart
		}
		if m.Role == nebula.Assistant {
			if behind := p.Messages[i+1:]; len(m.Calls()) > 0 && len(behind) > 0 && !slices.ContainsFunc(a.learnt.Own(m.Parts, Name), own) {
				return ""
			}
			break
		}
	}
	return form
}

// Ask writes a request in what is known of the server by now.
func (a *Adapter) Ask(p nebula.Prompt) transport.Exchange {
	thinking, header := a.thinking(p), Header(a.at)
	if strings.HasPrefix(thinking, budgeted) {
		header.Add("Anthropic-Beta", "interleaved-thinking-2025-05-14") // what adapts thinks between calls without it
	}
	return transport.Exchange{
		URL:    transport.URL(a.at.BaseURL, "/messages"),
		Header: header,
		Body:   a.request(p, thinking),
		Reader: func(out *transport.Out) transport.Reader { return &reader{out: out} },
		Learn:  func(r transport.Refusal) (nebula.Words, bool) { return a.learn(r, p, thinking) },
	}
}

// learn leaves out what a refusal names.
func (a *Adapter) learn(r transport.Refusal, p nebula.Prompt, thinking string) (nebula.Words, bool) {
	switch {
	case !r.Final || r.Status != http.StatusBadRequest:
	case r.Names("signature"):
		return nebula.Words{}, a.learnt.Distrust(p.Messages, Name)
	case len(p.Schema) > 0 && r.Names("output_config.format", "json_schema", "output_format", "schema"):
		return nebula.Words{}, a.learnt.Refuse(format)
	case thinking != "" && r.Names("thinking", "effort", "output_config", "budget_tokens"):
		return a.learnt.Dropped(a.efforts(), p.Effort, thinking, a.at.Model)
	}
	return nebula.Words{}, false
}

// Header is what goes with every request to an endpoint.
func Header(at transport.Endpoint) http.Header {
	h := http.Header{"Content-Type": {"application/json"}, "Accept": {"text/event-stream"}}
	h.Set("Anthropic-Version", version)
	if at.Key == "" {
		return h
	}
	elsewhere, isToken := transport.HostOf(at.BaseURL) != "api.anthropic.com", strings.HasPrefix(at.Key, "sk-ant-oat") || strings.HasPrefix(at.Key, "eyJ")
	if elsewhere || !isToken {
		h.Set("X-Api-Key", at.Key)
	}
	if elsewhere || isToken { // what stands in Anthropic's place reads the one or the other
		h.Set("Authorization", "Bearer "+at.Key)
	}
	if isToken {
		h.Set("Anthropic-Beta", "oauth-2025-04-20")
	}
	return h
}
