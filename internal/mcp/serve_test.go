package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A tool asks in every version of the protocol, as often as it needs to; a form that is declined, or an answer that it does not offer, is none.
func TestALentToolAsksThePerson(t *testing.T) {
	for _, version := range []string{"2025-06-18", "2025-11-25", newest} {
		for name, c := range map[string]struct {
			form mcp.ElicitResult
			want string
		}{
			"yes":      {mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "yes"}}, "yes yes"},
			"no":       {mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "no", "text": "why"}}, "no no"},
			"declined": {mcp.ElicitResult{Action: "decline"}, "nobody nobody"},
			"left":     {mcp.ElicitResult{Action: "cancel"}, "nobody nobody"},
		} {
			t.Run(version+" "+name, func(t *testing.T) {
				asked := 0
				got := lentCallOver(t, version, func() *mcp.ElicitResult { asked++; return &c.form })
				if got != c.want || asked != 2 {
					t.Errorf("%q after %d forms", got, asked)
				}
			})
		}
	}
}

// lentCallOver calls a tool that asks twice.
func lentCallOver(t *testing.T, version string, form func() *mcp.ElicitResult) string {
	t.Helper()
	twice := Lent{Name: "twice", Schema: json.RawMessage(`{"type":"object"}`), Acts: true, Do: func(ctx context.Context, _ json.RawMessage, ask Ask) (string, error) {
		said := ""
		for range 2 {
			choice, _, ok := ask(ctx, "May I?", []string{"yes", "no"})
			if !ok {
				choice = "nobody"
			}
			said += " " + choice
		}
		return said[1:], ctx.Err()
	}}
	ours, theirs := mcp.NewInMemoryTransports()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, "1", []Lent{twice}, ours) }()
	client := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			if r.Params.Message != "May I?" {
				return nil, errors.New(r.Params.Message)
			}
			return form(), nil
		}})
	session, err := client.Connect(ctx, theirs, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	out, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "twice"})
	if err != nil {
		t.Fatal(err)
	}
	_ = session.Close()
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	return out.Content[0].(*mcp.TextContent).Text
}
