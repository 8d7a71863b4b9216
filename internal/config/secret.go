package config

import (
	"fmt"
	"io"
)

// A Secret is a key that cannot get into a text by accident: however it is printed, formatted or marshalled, it says
// only whether it is set. Reveal is the one way to its text.
type Secret struct{ text string }

// NewSecret wraps a key.
func NewSecret(text string) Secret { return Secret{text} }

// Reveal gives the key itself: for the request to its provider, and for nothing else.
func (s Secret) Reveal() string { return s.text }

// Set reports whether there is a key.
func (s Secret) Set() bool { return s.text != "" }

// String says "set" or nothing.
func (s Secret) String() string {
	if s.text == "" {
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
