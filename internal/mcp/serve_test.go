package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
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
	if list, err := session.ListTools(ctx, nil); err != nil || len(list.Tools) != 1 || list.Tools[0].Annotations.ReadOnlyHint {
		t.Errorf("%v: what acts is said to be read only", err)
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

// A line that is no message is answered as what it is, and the lines behind it are read, whatever it is and however long.
func TestALineThatIsNoMessageIsAnswered(t *testing.T) {
	for name, c := range map[string]struct {
		line string
		code int
	}{
		"text":      {"hello", jsonrpc.CodeParseError},
		"torn":      {`{"jsonrpc":"2.0","id":1,`, jsonrpc.CodeParseError},
		"two":       {`{"jsonrpc":"2.0","method":"a"} {}`, jsonrpc.CodeParseError},
		"too long":  {`{"jsonrpc":"2.0","method":"` + strings.Repeat("x", longestLine) + `"}`, jsonrpc.CodeParseError},
		"a number":  {"5", jsonrpc.CodeInvalidRequest},
		"an object": {"{}", jsonrpc.CodeInvalidRequest},
		"a list":    {"[]", jsonrpc.CodeInvalidRequest},
		"in a list": {"[1]", jsonrpc.CodeInvalidRequest},
		"nested":    {"[[1]]", jsonrpc.CodeInvalidRequest},
		"null":      {"null", jsonrpc.CodeInvalidRequest},
		"several":   {`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`, jsonrpc.CodeInvalidRequest},
		"nothing":   {" \r", 0},
	} {
		t.Run(name, func(t *testing.T) {
			in, say := io.Pipe()
			hear, out := io.Pipe()
			ended := make(chan error, 1)
			go func() { ended <- serve(t.Context(), "1", nil, overLines(in, out)) }()
			go func() {
				_, _ = io.WriteString(say, c.line+"\n"+`{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`+"\n")
			}()
			answers := bufio.NewScanner(hear)
			for _, want := range []struct {
				ID   any
				Code int
			}{{nil, c.code}, {7.0, 0}} {
				if want.ID == nil && c.code == 0 {
					continue
				}
				var got struct {
					ID    any
					Error struct{ Code int }
				}
				if !answers.Scan() || json.Unmarshal(answers.Bytes(), &got) != nil || got.ID != want.ID || got.Error.Code != want.Code {
					t.Fatalf("%s, want %+v", answers.Bytes(), want)
				}
			}
			_ = say.Close()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}

// What was read is answered, though nothing follows it.
func TestWhatIsPipedInIsAnsweredWhole(t *testing.T) {
	for range 20 {
		var out bytes.Buffer
		in := io.NopCloser(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"slow","arguments":{}}}`))
		slow := Lent{Name: "slow", Schema: json.RawMessage(`{"type":"object"}`), Do: func(ctx context.Context, _ json.RawMessage, _ Ask) (string, error) {
			select {
			case <-ctx.Done():
				return "ended", nil
			case <-time.After(5 * time.Millisecond):
				return "done", nil
			}
		}}
		if err := serve(t.Context(), "1", []Lent{slow}, overLines(in, &out)); err != nil || strings.Count(out.String(), "\n") != 3 || !strings.Contains(out.String(), `"done"`) {
			t.Fatalf("%v: %s", err, out.String())
		}
	}
}
