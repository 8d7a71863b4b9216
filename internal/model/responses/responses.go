// Package responses speaks OpenAI's Responses without anything being stored there: what the model thought goes along
// encrypted, from turn to turn.
package responses

import (
	"net/http"

	"nebula"
	"nebula/internal/model/transport"
)

// Name is the provider whose opaque values are its own.
const Name = "openai-responses"

// An Adapter is a [transport.Adapter].
type Adapter struct {
	at     transport.Endpoint
	learnt transport.Learnt
}

// New returns an adapter for an endpoint.
func New(at transport.Endpoint) *Adapter { return &Adapter{at: at} }

// efforts are what stands in a request's reasoning.
var efforts = transport.Efforts{
	nebula.EffortOff:    {`"effort":"none"`, `"effort":"minimal"`, `"effort":"low"`},
	nebula.EffortLow:    {`"effort":"low"`},
	nebula.EffortMedium: {`"effort":"medium"`},
	nebula.EffortHigh:   {`"effort":"high"`},
	nebula.EffortMax:    {`"effort":"xhigh"`, `"effort":"high"`},
}

// What of a request a server may refuse. The first one a refusal names is left out.
var optional = []struct {
	what  string
	names []string
}{
	{summary, []string{"reasoning.summary", "reasoning summar"}},
	{include, []string{"encrypted content is not supported", "param\": \"include", "param\":\"include"}},
	{stream, []string{"verified to stream", "param\": \"stream\"", "param\":\"stream\""}},
	{cacheKey, []string{"prompt_cache_key"}},
	{schema, []string{"text.format", "json_schema", "response_format"}},
	{reasoning, []string{"'reasoning'", "\"reasoning\""}},
}

const (
	summary   = `"summary":"auto"`
	include   = `,"include":["reasoning.encrypted_content"]`
	stream    = `,"stream":true`
	cacheKey  = `,"prompt_cache_key":`
	schema    = `,"text":{"format":{"type":"json_schema","name":"reply","schema":`
	reasoning = `,"reasoning":{`
)

// Ask writes a request in what is known of the server by now.
func (a *Adapter) Ask(p nebula.Prompt) transport.Exchange {
	effort := a.learnt.Form(efforts, p.Effort)
	return transport.Exchange{
		URL:    transport.URL(a.at.BaseURL, "/responses"),
		Header: a.header(),
		Body:   a.request(p, effort),
		Reader: func(out *transport.Out) transport.Reader { return &reader{out: out, items: map[int]*item{}} },
		Learn: func(r transport.Refusal) (nebula.Words, bool) {
			return a.learn(r, p, effort)
		},
	}
}

func (a *Adapter) header() http.Header {
	h := http.Header{"Content-Type": {"application/json"}, "Accept": {"text/event-stream"}}
	if a.at.Key != "" {
		h.Set("Authorization", "Bearer "+a.at.Key)
	}
	return h
}

// learn leaves out what a refusal names.
func (a *Adapter) learn(r transport.Refusal, p nebula.Prompt, effort string) (nebula.Words, bool) {
	if !r.Final || r.Status != http.StatusBadRequest {
		return nebula.Words{}, false
	}
	if r.Names("invalid_encrypted_content", "could not be verified", "required following item", "could not be decrypted") {
		return nebula.Words{}, a.learnt.Distrust(p.Messages, Name)
	}
	if effort != "" && r.Names("effort") {
		return a.learnt.Dropped(efforts, p.Effort, effort, a.at.Model)
	}
	for _, o := range optional {
		if r.Names(o.names...) && a.learnt.Refuse(o.what) {
			return nebula.Words{}, true
		}
	}
	return nebula.Words{}, false
}
