package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// memory keeps logins as long as the test runs.
type memory struct{ all map[string]string }

func (m *memory) Login(address string) (string, error) { return m.all[address], nil }
func (m *memory) Keep(address, login string) error     { m.all[address] = login; return nil }

// visitor is a person whose browser is led back at once, as the suite's is.
func visitor(agrees bool) Visitor {
	return Visitor{Done: "done", Agrees: func(string) bool { return agrees }, Open: func(address string) {
		go func() {
			if resp, err := http.Get(address); err == nil {
				_ = resp.Body.Close()
			}
		}()
	}}
}

// conforms makes the test's own program a client of the server at an address, as the conformance suite starts one: it lists the
// tools and uses each, and logs in where the server wants it, as often as a person would.
func conforms(args []string) bool {
	if len(args) < 3 || args[1] != "conforms" {
		return false
	}
	s := Server{Name: "suite", URL: args[len(args)-1]}
	var given struct {
		Client string `json:"client_id"`
		Secret string `json:"client_secret"`
	}
	if json.Unmarshal([]byte(os.Getenv("MCP_CONFORMANCE_CONTEXT")), &given) == nil && given.Client != "" {
		s.OAuth = &OAuth{Client: given.Client, Secret: given.Secret}
	}
	h := New(Options{Servers: []Server{s}, Env: os.Getenv, Logins: &memory{map[string]string{}}, Cache: os.Getenv("CONFORMS_CACHE"), Count: func(s string) int { return len(s) }})
	defer h.Close()
	ctx := context.Background()
	err := usesAll(ctx, h)
	for range 2 {
		if _, unknown := errors.AsType[*Unknown](err); !unknown {
			break
		}
		if _, err = h.Login(ctx, "suite", visitor(true)); err == nil {
			err = usesAll(ctx, h)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}

func usesAll(ctx context.Context, h *Hub) error {
	tools, err := h.Look(ctx, "suite")
	for _, t := range tools {
		run := nebula.Run{Ask: func(context.Context, nebula.Question) (string, bool) { return "", true }}
		if _, err = h.shelf.Load().link("suite").call(ctx, t.Name, []byte(`{"a":2,"b":3}`), run); err != nil {
			break
		}
	}
	return err
}

// scenarios are those of what is spoken here. Left out are logins without a person (client credentials, cross-app access), which
// are extensions; basic-cimd, which wants the client's description at an address of its maker's; and
// 2025-03-26-oauth-metadata-backcompat, in which the one who gives the login calls itself by another name than it was found under.
var scenarios = []string{
	"initialize", "tools_call", "elicitation-sep1034-client-defaults", "sse-retry",
	"auth/metadata-default", "auth/metadata-var1", "auth/metadata-var2", "auth/metadata-var3",
	"auth/scope-from-www-authenticate", "auth/scope-from-scopes-supported", "auth/scope-omitted-when-undefined", "auth/scope-step-up", "auth/scope-retry-limit",
	"auth/token-endpoint-auth-basic", "auth/token-endpoint-auth-post", "auth/token-endpoint-auth-none", "auth/pre-registration",
	"auth/2025-03-26-oauth-endpoint-fallback", "auth/resource-mismatch",
	"auth/offline-access-scope", "auth/offline-access-not-supported",
}

// TestClientScenariosOfTheConformanceSuitePass: those of what is spoken here.
func TestClientScenariosOfTheConformanceSuitePass(t *testing.T) {
	suite, err := nebulatest.Conformance()
	if err != nil {
		nebulatest.Missing(t, err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, scenario := range scenarios {
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
