package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The figures of the page on protocols are what the program counts.
func TestFiguresOfTheProtocolsAreTheProgramsOwn(t *testing.T) {
	var out bytes.Buffer
	p := &program{out: &out, env: func(string) string { return "" }}
	if err := p.protocolTokens("", true); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("..", "..", "docs", "protocols.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	begin := bytes.Index(page, []byte("Actions alone:"))
	if begin < 0 {
		t.Fatal("the page has no figures")
	}
	end := begin + bytes.LastIndex(page[begin:], []byte("|\n")) + len("|\n")
	figures := strings.TrimRight(out.String(), "\n") + "\n"
	if string(page[begin:end]) == figures {
		return
	}
	if !*updateTranscripts {
		t.Fatalf("docs/protocols.md has other figures than nebula protocol tokens --markdown; write them anew with -update:\n%s", figures)
	}
	if err := os.WriteFile(path, append(append(bytes.Clone(page[:begin]), figures...), page[end:]...), 0o644); err != nil {
		t.Fatal(err)
	}
}
