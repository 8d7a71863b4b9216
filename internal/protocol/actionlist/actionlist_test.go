package actionlist_test

import (
	"testing"

	"nebula/internal/nebulatest"
	"nebula/internal/protocol/actionlist"
)

func TestProtocol(t *testing.T) { nebulatest.TestProtocol(t, actionlist.Protocol{}, actionlist.Write) }

func FuzzDecode(f *testing.F) {
	for _, text := range nebulatest.Texts() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { nebulatest.CheckDecode(t, actionlist.Protocol{}, text) })
}
