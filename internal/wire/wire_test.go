package wire_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"iter"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/wire"
)

// TestErrorsKeepWhatAFrontEndActsOn on their way.
func TestErrorsKeepWhatAFrontEndActsOn(t *testing.T) {
	host := nebulatest.Host{OnOpen: func(id string) (nebula.Conversation, error) {
		if id == "" {
			return nil, &nebula.APIError{Kind: "auth", Text: "no key", Next: "set one"}
		}
		return nil, nebula.Errorf("session %s: %w", id, nebula.ErrNoSession)
	}}
	far := nebulatest.Piped(t.Context(), host)
	_, err := far.Open(t.Context(), "")
	if api, ok := errors.AsType[*nebula.APIError](err); !ok || api.Kind != "auth" || err.Error() != "no key; set one" {
		t.Errorf("%v", err)
	}
	if _, err = far.Open(t.Context(), "s1"); !errors.Is(err, nebula.ErrNoSession) {
		t.Errorf("%v", err)
	}
}

// TestNothingHangsWhereTheOtherEndIsGone or where the one who asked leaves.
func TestNothingHangsWhereTheOtherEndIsGone(t *testing.T) {
	in, out := io.Pipe()
	far := wire.Dial(in, io.Discard)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := far.Models(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	_ = out.Close()
	if _, err := far.Models(t.Context()); err == nil {
		t.Error("an answer from nobody")
	}
}

// TestAFrontEndCannotTellASessionWhatHappened or ask for what there is not.
func TestAFrontEndCannotTellASessionWhatHappened(t *testing.T) {
	g := nebulatest.NewGatekeeper("en")
	far := nebulatest.Piped(t.Context(), nebulatest.Host{OnOpen: func(string) (nebula.Conversation, error) { return g, nil }})
	c, err := far.Open(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Send(t.Context(), nebula.Inform{Bodies: []nebula.Body{nebula.Noted{Text: "x"}}}); err == nil {
		t.Error("a session was informed by a front end")
	}
	if err := c.Send(t.Context(), nebula.Cancel{}); err != nil {
		t.Error(err)
	}
}

// A stream is a conversation that tells the same as long as somebody listens, and keeps what it is sent.
type stream struct {
	ended chan struct{} // one element for each listener that left
	sent  chan nebula.Command
}

func (s stream) Send(_ context.Context, c nebula.Command) error { s.sent <- c; return nil }

func (s stream) Events(ctx context.Context, _ int64) iter.Seq[nebula.Event] {
	return func(yield func(nebula.Event) bool) {
		defer func() { s.ended <- struct{}{} }()
		for n := 1; ctx.Err() == nil && yield(nebula.Event{Seq: int64(n), Body: nebula.Noted{Text: "x"}}); n++ {
			if n > 20 {
				<-ctx.Done()
			}
		}
	}
}

func streaming() (stream, nebula.Host) {
	s := stream{make(chan struct{}, 1), make(chan nebula.Command, 1)}
	return s, nebulatest.Host{OnOpen: func(string) (nebula.Conversation, error) { return s, nil }}
}

// Who stops listening hears nothing more, at this end or at the other, and can go on asking.
func TestWhoStopsListeningHearsNothingMore(t *testing.T) {
	s, host := streaming()
	far := nebulatest.Piped(t.Context(), host)
	c, err := far.Open(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for range c.Events(t.Context(), 0) {
		time.Sleep(20 * time.Millisecond) // more have come meanwhile
		break
	}
	select {
	case <-s.ended:
	case <-time.After(10 * time.Second):
		t.Fatal("the other end goes on telling")
	}
	if err := c.Send(t.Context(), nebula.Cancel{}); err != nil || len(s.sent) != 1 {
		t.Errorf("%v, %d commands", err, len(s.sent))
	}
}

// A waiting is a host that looks for its models as long as somebody wants to know.
type waiting struct {
	nebulatest.Host
	began, left chan struct{}
}

func (w waiting) Models(ctx context.Context) ([]nebula.ModelInfo, error) {
	close(w.began)
	<-ctx.Done()
	close(w.left)
	return nil, ctx.Err()
}

func TestWhatNobodyWaitsForIsStopped(t *testing.T) {
	w := waiting{began: make(chan struct{}), left: make(chan struct{})}
	far := nebulatest.Piped(t.Context(), w)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-w.began
		cancel()
	}()
	if _, err := far.Models(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	select {
	case <-w.left:
	case <-time.After(10 * time.Second):
		t.Error("it is still looked for")
	}
}

type torn struct{}

func (torn) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestWhatCannotBeSentIsAnError(t *testing.T) {
	in, _ := io.Pipe()
	if _, err := wire.Dial(in, torn{}).Models(t.Context()); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("%v", err)
	}
}

// A foreign program is answered what it may ask, and refused the rest; what is no line of JSON ends it.
func TestAForeignProgramIsAnsweredOrRefused(t *testing.T) {
	s, host := streaming()
	fromProgram, in := io.Pipe()
	out, toProgram := io.Pipe()
	over := make(chan error, 1)
	go func() { over <- wire.Serve(t.Context(), host, fromProgram, toProgram) }()
	lines := bufio.NewScanner(out)
	for _, c := range []struct{ says, hears string }{
		{`{"v":1,"id":1,"do":"open"}`, `{"id":1,"answer":null}`},
		{`{"v":1,"id":2,"do":"send","talk":1,"command":{"type":"nonsense"}}`, `"error":{`},
		{`{"v":1,"id":3,"do":"send","talk":7,"command":{"type":"cancel"}}`, `request 7 opened no conversation`},
		{`{"v":9,"id":4,"do":"models"}`, `request in form 9`},
		{`{"v":1,"id":5,"do":"format the disk"}`, `unknown request`},
	} {
		if _, err := io.WriteString(in, c.says+"\n"); err != nil {
			t.Fatal(err)
		}
		if !lines.Scan() || !strings.Contains(lines.Text(), c.hears) {
			t.Errorf("%s\nis answered %s", c.says, lines.Text())
		}
	}
	if len(s.sent) != 0 {
		t.Errorf("the conversation was sent %#v", <-s.sent)
	}
	_, _ = io.WriteString(in, "no JSON\n")
	if err := <-over; err == nil {
		t.Error("what is no request was passed over")
	}
}
