package tool_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/tool"
)

// A file that holds secrets is asked about however a command names it.
func TestSecretsNamedByPatternsAsk(t *testing.T) {
	f := newFolder(t, tool.Options{Fills: gate.Matches}, map[string]string{"sub/.env": "KEY=a\n", "id_rsa": "x\n", "main.go": "package main\n"})
	for line, want := range map[string]nebula.Ruling{
		"cat sub/.e* id_*": nebula.AskFirst, "head -n1 sub/.en[v]": nebula.AskFirst, "cat *": nebula.AskFirst, "cat id_rsa": nebula.AskFirst,
		"cat *.go": nebula.Allow, "ls": nebula.Allow, "cat sub/*": nebula.Allow,
	} {
		for _, name := range []string{"executeShell", "runTests"} {
			p, err := f.propose(name, args{"command": line})
			p.Viewed = true
			if v := gate.Judge(gate.Rules{Mode: nebula.AgentMode, Approve: gate.Edits}, p); err != nil || v.Ruling != want {
				t.Errorf("%s %s: %v %s, %v; want %v", name, line, v.Ruling, v.Why, slices.Sorted(slices.Values(p.Risks)), want)
			}
		}
	}
}

// A command that ended with nebula is not told as one that the person stopped.
func TestASignalIsNotThePersonsStop(t *testing.T) {
	needShell(t)
	for cause, want := range map[error]string{nebula.Signalled("SIGTERM"): "nebula was ended by SIGTERM", nil: "Stopped by the user."} {
		f := newFolder(t, tool.Options{}, nil)
		p, err := f.propose("executeShell", args{"command": "echo begun; sleep 60"})
		if err != nil {
			t.Fatal(err)
		}
		g := nebula.NewGrant("g", "test", p)
		if err := g.Open(p); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		r, err := p.Do(ctx, nebula.Run{Grant: g, Output: func([]byte) { cancel(cause) }})
		if err != nil || !strings.Contains(r.Text, want) {
			t.Errorf("%v: %q, %v", cause, r.Text, err)
		}
	}
}
