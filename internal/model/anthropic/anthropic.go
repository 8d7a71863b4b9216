// Package anthropic speaks Anthropic's Messages: thinking with its signatures, parallel calls and their results, images, and
// prompt caching by breakpoints behind what stays the same.
package anthropic

import (
	"net/http"

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
}

// New returns an adapter for an endpoint.
func New(at transport.Endpoint, info nebula.ModelInfo) *Adapter {
	output := info.MaxOutput
	if output <= 0 {
		output = 4096
	}
	return &Adapter{at, output}
}

// Ask writes a request.
func (a *Adapter) Ask(p nebula.Prompt) transport.Exchange {
	return transport.Exchange{
		URL:    transport.URL(a.at.BaseURL, "/messages"),
		Header: Header(a.at),
		Body:   a.request(p),
		Reader: func(out *transport.Out) transport.Reader { return &reader{out: out} },
	}
}

// Header is what goes with every request to an endpoint.
func Header(at transport.Endpoint) http.Header {
	h := http.Header{"Content-Type": {"application/json"}, "Accept": {"text/event-stream"}}
	h.Set("Anthropic-Version", version)
	if at.Key != "" {
		h.Set("X-Api-Key", at.Key)
	}
	return h
}
