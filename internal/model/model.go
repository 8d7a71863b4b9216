// Package model knows where models are: the table of providers, a catalogue of well-known models, what a name means, what a
// server has; and it records and replays conversations. How a provider is spoken to is an adapter's, in a package of its
// own below; how requests get there and back is transport's.
package model

import (
	"cmp"
	"strings"

	"nebula"
	"nebula/internal/model/chat"
	"nebula/internal/model/transport"
)

// What the transport takes.
type (
	Endpoint = transport.Endpoint
	Options  = transport.Options
	Bounds   = transport.Bounds
	Tongue   = transport.Tongue
)

// New returns the model of an endpoint. Nothing is sent before the first Stream.
func New(at Endpoint, info nebula.ModelInfo, o Options) *transport.Client {
	p, known := providerOf(at)
	a := p.adapter(at, info)
	if a == nil {
		a = chat.New(at, dialectOf(at), known)
	}
	return transport.New(at, info, a, p.service(at), o)
}

// adapter is what a model is spoken to through; nil for Chat Completions.
//
//go:noinline
func (p *row) adapter(at Endpoint, info nebula.ModelInfo) transport.Adapter {
	if p.speaks == nil {
		return nil
	}
	return p.speaks(at, info)
}

// service is what of the table helps a person with a server of the provider.
func (p *row) service(at Endpoint) transport.Service {
	s := transport.Service{KeyName: cmp.Or(at.KeyName, keyName(p.name)), Near: p.local, Edge: p.edge}
	if other := whose(at.Key); other.name != p.name {
		s.Stray = other.title
	}
	if p.local {
		s.Start = nebula.Say("is %s running? Start it, or choose another model with --model", p.running())
	}
	if p.pull != "" {
		s.Missing = nebula.Say("try `%s %s`, or see `nebula models`", p.pull, at.Model)
	}
	return s
}

// whose is the provider that a key is of, by how it begins; the zero provider where that does not tell.
//
//go:noinline
func whose(key string) provider {
	of := &row{}
	for _, p := range providers {
		if p.begins != "" && strings.HasPrefix(key, p.begins) {
			of = p
		}
	}
	return of
}

// Foreign is the provider whose key, by how it begins, would go to another; empty where that is not so.
func Foreign(at Endpoint) string {
	of := whose(at.Key).name
	if to, ok := providerNamed(providerAt(at.BaseURL)); !ok || to.local || to.name == of {
		return ""
	}
	return of
}

// Whose is the name of the provider that a key is of; empty where how it begins does not tell.
func Whose(key string) string { return whose(key).name }

// running is what a person starts.
func (p *row) running() string {
	if p.server == "" {
		return p.title
	}
	return p.server
}
