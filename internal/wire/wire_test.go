package wire_test

import (
	"context"
	"errors"
	"io"
	"testing"

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
