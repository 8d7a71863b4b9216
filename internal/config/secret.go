package config

import (
	"fmt"
	"io"
	"sync"
)

// A Secret is a key that cannot get into a text by accident: however it is printed, formatted or marshalled, it says
// only whether it is set. Reveal is the one way to its text.
type Secret struct {
	text string
	kept func() string // has it, where it is looked up only when it is needed
}

// NewSecret wraps a key.
func NewSecret(text string) Secret { return Secret{text: text} }

// KeptSecret is a key that is kept elsewhere. It is looked up once, when it is first needed.
func KeptSecret(look func() string) Secret { return Secret{kept: sync.OnceValue(look)} }

// Reveal gives the key itself: for the request to its provider, and for nothing else.
//
//go:noinline
func (s Secret) Reveal() string {
	if s.kept != nil {
		return s.kept()
	}
	return s.text
}

// Set reports whether there is a key.
//
//go:noinline
func (s Secret) Set() bool { return s.text != "" || s.kept != nil }

// String says "set" or nothing.
//
//go:noinline
func (s Secret) String() string {
	if !s.Set() {
		return ""
	}
	return "set"
}

// GoString hides the key from %#v.
func (s Secret) GoString() string { return `config.Secret{` + s.String() + `}` }

// Format hides the key from every verb, %x and %q among them.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.String()) }

// MarshalText hides the key from encoders.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalJSON hides the key from encoders.
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + s.String() + `"`), nil }

// WithKept adds the keys that were kept at a login, by provider. They come behind all others.
func (c Config) WithKept(keys map[string]Secret) Config {
	c.kept = keys
	return c
}

// Kept are the keys that were kept at a login.
func (c Config) Kept() map[string]Secret { return c.kept }
