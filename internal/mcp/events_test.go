package mcp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"nebula"
)

// What a server elsewhere sends that is no message is passed over and said once, in both forms, as what a program prints is: the server stays in use.
func TestAServerElsewhereThatSlipsIsUsed(t *testing.T) {
	for _, how := range []string{"application/json", "text/event-stream"} {
		calls := 0
		at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked := requested(r)
			if asked.ID == nil {
				w.WriteHeader(http.StatusAccepted)
				return
			}
			result := map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{"tools": map[string]any{}}, "serverInfo": map[string]any{"name": "x", "version": "1"}}
			switch asked.Method {
			case "tools/list":
				result = map[string]any{"tools": []any{map[string]any{"name": 5}, map[string]any{"name": "say", "inputSchema": map[string]any{"type": "object"}}}}
			case "tools/call":
				calls++
				result = map[string]any{"content": []any{map[string]any{"type": "text", "text": "hello"}}}
			}
			out, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": asked.ID, "result": result})
			w.Header().Set("Content-Type", how)
			switch {
			case how != "application/json":
				fmt.Fprintf(w, ": hi\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":5}\n\ndata: {torn\n\nevent: message\ndata: %s\n\n", out)
			case calls == 1:
				fmt.Fprint(w, `{"jsonrpc":"2.0","method":5}`)
			default:
				_, _ = w.Write(out)
			}
		}))
		defer at.Close()
		var said []string
		h := open(t, Options{Servers: []Server{{Name: "far", URL: at.URL}}, Warn: func(w nebula.Words) { said = append(said, w.String()) }})
		if _, err := h.Look(t.Context(), "far"); err != nil {
			t.Fatalf("%s: %v", how, err)
		}
		l := h.shelf.Load().links[0]
		if how == "application/json" {
			if _, err := l.call(t.Context(), "say", nil, nebula.Run{}); err == nil {
				t.Error("what is no answer is taken for one")
			}
		}
		out, err := l.call(t.Context(), "say", nil, nebula.Run{})
		if err != nil || len(out.Content) != 1 {
			t.Errorf("%s: %v %v", how, out, err)
		}
		if len(said) != 1 || !strings.Contains(said[0], "no message") {
			t.Errorf("%s: %q", how, said)
		}
	}
}
