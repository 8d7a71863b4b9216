package mcp

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// conforms makes the test's own program a client of the server at an address, as the conformance suite starts one: it lists the
// tools and uses each.
func conforms(args []string) bool {
	if len(args) < 3 || args[1] != "conforms" {
		return false
	}
	h := New(Options{Servers: []Server{{Name: "suite", URL: args[len(args)-1]}}, Env: os.Getenv, Cache: os.Getenv("CONFORMS_CACHE"), Count: func(s string) int { return len(s) }})
	defer h.Close()
	ctx := context.Background()
	tools, err := h.Look(ctx, "suite")
	for _, t := range tools {
		run := nebula.Run{Ask: func(context.Context, nebula.Question) (string, bool) { return "", true }}
		if _, err = h.shelf.Load().link("suite").call(ctx, t.Name, []byte(`{"a":2,"b":3}`), run); err != nil {
			break
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}

// TestClientScenariosOfTheConformanceSuitePass: those of what is spoken here. Those of OAuth are not.
func TestClientScenariosOfTheConformanceSuitePass(t *testing.T) {
	suite, err := nebulatest.Conformance()
	if err != nil {
		t.Skip(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, scenario := range []string{"initialize", "tools_call", "elicitation-sep1034-client-defaults", "sse-retry"} {
		t.Run(scenario, func(t *testing.T) {
			c := exec.Command("node", suite, "client", "--command", self+" conforms", "--scenario", scenario)
			c.Dir = t.TempDir()
			c.Env = append(os.Environ(), "CONFORMS_CACHE="+filepath.Join(c.Dir, "cache"))
			var out bytes.Buffer
			c.Stdout, c.Stderr = &out, &out
			if err := c.Run(); err != nil || !strings.Contains(out.String(), "Passed") {
				t.Errorf("%v\n%s", err, out.String())
			}
		})
	}
}
