package toolcall

import (
	"nebula"
	"nebula/internal/protocol"
)

// Correction implements [nebula.Corrector].
//
//go:noinline
func (Protocol) Correction(r nebula.Reply, in nebula.Intent, lang string) string {
	return protocol.Correction(r, in, lang, Write)
}

// Same implements [nebula.Corrector].
func (Protocol) Same(r nebula.Reply, before, after nebula.Intent) error {
	return protocol.Same(r, before, after)
}
