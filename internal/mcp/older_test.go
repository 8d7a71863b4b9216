package mcp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"nebula"
)

// older is a server that knows one version of the protocol and the methods of that, and keeps to it: what it was asked for before it was greeted,
// and with which version it was, is what its tool says. One of a version that was never published is no server that can be spoken to.
func older(version string) {
	var asked []string
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var r struct {
			ID     json.RawMessage
			Method string
			Params struct{ ProtocolVersion string }
		}
		if json.Unmarshal(in.Bytes(), &r) != nil || r.ID == nil {
			continue
		}
		var result any
		switch r.Method {
		case "initialize":
			asked = append(asked, r.Params.ProtocolVersion)
			result = map[string]any{"protocolVersion": version, "capabilities": map[string]any{"tools": map[string]any{}}, "serverInfo": map[string]any{"name": "older", "version": "1"}}
		case "tools/list":
			result = map[string]any{"tools": []any{map[string]any{"name": "say", "description": "Says something.", "inputSchema": map[string]any{"type": "object"}}}}
		case "tools/call":
			result = map[string]any{"content": []any{map[string]any{"type": "text", "text": strings.Join(asked, " ")}}}
		default:
			asked = append(asked, r.Method)
			out, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": r.ID, "error": map[string]any{"code": -32601, "message": "no such method"}})
			fmt.Println(string(out))
			continue
		}
		out, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": r.ID, "result": result})
		fmt.Println(string(out))
	}
}

// A server is spoken to in the newest version of the protocol that it knows: it is asked for the newest of all first, then for the one before,
// and what it answers to that holds.
func TestAServerOfAnOlderVersionIsUsed(t *testing.T) {
	for _, version := range []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"} {
		t.Run(version, func(t *testing.T) {
			h := open(t, Options{Servers: []Server{oddServer(t, "older", version)}})
			res, err := oddly(t, h, t.Context(), nebula.Run{})
			if err != nil || !strings.HasSuffix(strings.TrimSpace(res.Text), "\nserver/discover 2025-11-25") {
				t.Errorf("%+v %v", res, err)
			}
			if got := h.shelf.Load().link("odd").session.InitializeResult().ProtocolVersion; got != version {
				t.Errorf("it is spoken to in %s", got)
			}
		})
	}
	h := open(t, Options{Servers: []Server{oddServer(t, "older", "1999-01-01")}})
	if _, err := h.Look(t.Context(), "odd"); err == nil || !strings.Contains(err.Error(), "1999-01-01") {
		t.Errorf("%v", err)
	}
}

// One that knows the newest is spoken to in it.
func TestAServerOfTheNewestVersionIsSpokenToInIt(t *testing.T) {
	h := open(t, Options{Servers: []Server{oddServer(t, "plain")}})
	if _, err := oddly(t, h, t.Context(), nebula.Run{}); err != nil {
		t.Fatal(err)
	}
	if got := h.shelf.Load().link("odd").session.InitializeResult().ProtocolVersion; got != newest {
		t.Errorf("it is spoken to in %s", got)
	}
}
