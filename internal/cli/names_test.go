package cli

import (
	"strings"
	"testing"

	"nebula"
)

// What a server calls itself and its models is seen in a terminal, and not obeyed.
func TestNamesOfModelsAreSeen(t *testing.T) {
	var b strings.Builder
	p := &program{out: &b, env: func(string) string { return "" }}
	if err := p.modelsTable([]offer{{Use: "evil\x1b]0;T\a", ModelInfo: nebula.ModelInfo{Provider: "x\x1b[31m"}}}, nil); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\x1b\a") || !strings.Contains(b.String(), "␛]0;T") {
		t.Errorf("%q", b.String())
	}
}
