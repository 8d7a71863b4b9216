package dml_test

import (
	"testing"

	"nebula/internal/nebulatest"
	"nebula/internal/protocol/dml"
)

func TestProtocol(t *testing.T) { nebulatest.TestProtocol(t, dml.Protocol{}, dml.Write) }

func FuzzDecode(f *testing.F) {
	for _, text := range nebulatest.Texts() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { nebulatest.CheckDecode(t, dml.Protocol{}, text) })
}
