package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"nebula/internal/lists"
	"nebula/internal/owed"
)

// A Lent tool is one of nebula's that others may use. One that does not act changes nothing.
type Lent struct {
	Name        string
	Description string
	Schema      json.RawMessage
	Acts        bool
	Do          func(ctx context.Context, args json.RawMessage, ask Ask) (string, error)
}

// Ask has the other program put something to its person. It gives which of the choices they took, and what they wrote; ok is false
// where nobody was asked or nobody answered. Without choices it is their words that are asked for.
type Ask func(ctx context.Context, message string, choices []string) (choice, text string, ok bool)

// askedFor is how long an answer may take in the protocol's newest version: there a question is the end of one request, its answer comes with
// another one, and nothing tells that there will be none.
const askedFor = 30 * time.Minute

// errGone says that a call cannot go on.
var errGone = errors.New("the call that this answers has ended; make it anew")

// newest is the first version in which a server begins no requests of its own.
const newest = "2026-07-28"

// Serve lends tools over standard input and output until the input ends.
func Serve(ctx context.Context, version string, lent []Lent) error {
	return serve(ctx, version, lent, overLines(os.Stdin, os.Stdout))
}

func overLines(in io.ReadCloser, out io.Writer) mcp.Transport {
	pipe := owed.New(&lentLines{from: bufio.NewReaderSize(in, 64<<10), to: out}, out)
	return &mcp.IOTransport{Reader: struct {
		io.Reader
		io.Closer
	}{pipe, in}, Writer: keptOpen{pipe}, MaxLineLength: -1}
}

func serve(ctx context.Context, version string, lent []Lent, over mcp.Transport) error {
	ctx, stop := context.WithCancel(ctx)
	d := &lending{life: ctx}
	defer d.calls.Wait()
	defer stop()
	server := mcp.NewServer(&mcp.Implementation{Name: "nebula", Version: version}, nil)
	for _, l := range lent {
		t := &mcp.Tool{Name: l.Name, Description: l.Description, InputSchema: l.Schema, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: !l.Acts}}
		server.AddTool(t, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if err := fits(l.Schema, r.Params.Arguments); err != nil {
				return failed(err), nil
			}
			return d.call(ctx, l, r), nil
		})
	}
	err := server.Run(ctx, over)
	if ctx.Err() != nil {
		return nil // it was asked to end
	}
	return err
}

//go:noinline
func failed(err error) *mcp.CallToolResult {
	out := &mcp.CallToolResult{}
	out.SetError(err)
	return out
}

// A lending has the calls under way, some of which wait for an answer that another request brings.
type lending struct {
	life  context.Context
	calls sync.WaitGroup
	waits sync.Map // the calls that asked, by the state that their answers bring
	last  atomic.Int64
}

// A lentCall is one call of a tool that is under way.
type lentCall struct {
	asks  chan *mcp.ElicitParams
	hears chan *mcp.ElicitResult
	ends  chan *mcp.CallToolResult
	stop  context.CancelFunc
}

// call begins a call, or goes on with the one that this request brings an answer to, until it ends or asks.
func (d *lending) call(ctx context.Context, l Lent, r *mcp.CallToolRequest) *mcp.CallToolResult {
	c := d.begun(ctx, l, r)
	if c == nil {
		return failed(errGone)
	}
	select {
	case out := <-c.ends:
		return out
	case q := <-c.asks:
		state := strconv.FormatInt(d.last.Add(1), 10)
		d.waits.Store(state, c)
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"answer": q}, RequestState: state}
	case <-ctx.Done():
		c.stop()
		return <-c.ends
	}
}

func (d *lending) begun(ctx context.Context, l Lent, r *mcp.CallToolRequest) *lentCall {
	if state := r.Params.RequestState; state != "" {
		there, ok := d.waits.LoadAndDelete(state)
		if !ok {
			return nil
		}
		c := there.(*lentCall)
		answer, _ := r.Params.InputResponses["answer"].(*mcp.ElicitResult)
		select {
		case c.hears <- answer:
		case <-ctx.Done():
			c.stop()
		}
		return c
	}
	ctx, stop := context.WithCancel(d.life)
	c := &lentCall{asks: make(chan *mcp.ElicitParams), hears: make(chan *mcp.ElicitResult), ends: make(chan *mcp.CallToolResult, 1), stop: stop}
	d.calls.Go(func() {
		defer stop()
		text, err := l.Do(ctx, r.Params.Arguments, asking(c.elicit(r.Session)))
		if err != nil {
			c.ends <- failed(err)
			return
		}
		c.ends <- &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
	})
	return c
}

// elicit puts a form to the person, as the version of the protocol has it; nil where that cannot be done.
func (c *lentCall) elicit(s *mcp.ServerSession) func(context.Context, *mcp.ElicitParams) *mcp.ElicitResult {
	who := s.InitializeParams()
	if who != nil && who.ProtocolVersion < newest {
		return func(ctx context.Context, p *mcp.ElicitParams) *mcp.ElicitResult {
			answer, err := s.Elicit(ctx, p)
			if err != nil {
				return nil
			}
			return answer
		}
	}
	return func(ctx context.Context, p *mcp.ElicitParams) *mcp.ElicitResult {
		ctx, stop := context.WithTimeout(ctx, askedFor)
		defer stop()
		select {
		case c.asks <- p:
		case <-ctx.Done():
			return nil
		}
		select {
		case answer := <-c.hears:
			return answer
		case <-ctx.Done():
			return nil
		}
	}
}

// asking makes a form of a question, and reads what comes back. All but what the form has is nobody's answer.
func asking(elicit func(context.Context, *mcp.ElicitParams) *mcp.ElicitResult) Ask {
	return func(ctx context.Context, message string, choices []string) (choice, text string, ok bool) {
		fields, needs := map[string]any{"text": map[string]any{"type": "string"}}, []string{"text"}
		if len(choices) > 0 {
			fields["answer"], needs = map[string]any{"type": "string", "enum": choices}, []string{"answer"}
		}
		form := elicit(ctx, &mcp.ElicitParams{Mode: "form", Message: message, RequestedSchema: map[string]any{"type": "object", "properties": fields, "required": needs}})
		if form == nil || form.Action != "accept" {
			return "", "", false
		}
		choice, _ = form.Content["answer"].(string)
		text, _ = form.Content["text"].(string)
		return choice, text, len(choices) == 0 && text != "" || lists.Has(choices, choice)
	}
}
