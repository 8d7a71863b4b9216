package client_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"testing"
	"time"

	"nebula"
	"nebula/client"
	"nebula/internal/nebulatest"
	"nebula/internal/serve"
)

// An echo is a session whose model says what it was told.
type echo struct {
	text *string
	said chan struct{} // closed when there is a text
}

func (e echo) Send(_ context.Context, c nebula.Command) error {
	if s, ok := c.(nebula.Submit); ok {
		*e.text = s.Text
		close(e.said)
	}
	return nil
}

func (e echo) Events(ctx context.Context, after int64) iter.Seq[nebula.Event] {
	return func(yield func(nebula.Event) bool) {
		if after < 1 && !yield(nebula.Event{Seq: 1, Body: nebula.Started{Session: "s1", Dir: "/work", Lang: "en"}}) {
			return
		}
		select {
		case <-e.said:
			if yield(nebula.Event{Seq: 2, Body: nebula.Noted{Level: "info", Text: *e.text}}) {
				<-ctx.Done()
			}
		case <-ctx.Done():
		}
	}
}

// served is the socket of a server of one session, and what ends it.
func served() (socket string, end func()) {
	dir, err := os.MkdirTemp("", "c")
	if err != nil {
		panic(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	socket = serve.Socket(dir)
	l, err := serve.Listen(ctx, socket)
	if err != nil {
		panic(err)
	}
	talk := echo{new(string), make(chan struct{})}
	over := make(chan error, 1)
	go func() {
		over <- serve.Run(ctx, l, serve.Options{Lang: "en", Idle: time.Hour, Stop: stop, Say: func(err error) string { return err.Error() },
			Open: func(string) (nebula.Host, func() error, error) {
				return nebulatest.Host{OnSessions: func() ([]nebula.SessionInfo, error) { return []nebula.SessionInfo{{ID: "s1"}}, nil }, OnOpen: func(string) (nebula.Conversation, error) { return talk, nil }}, func() error { return nil }, nil
			}})
	}()
	return socket, func() {
		stop()
		<-over
		_ = os.RemoveAll(dir)
	}
}

func Example() {
	socket, end := served() // client.Socket tells where that of the person is
	defer end()
	ctx := context.Background()
	c := client.Dial(socket)
	id, err := c.Begin(ctx, "/work", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := c.Send(ctx, id, "", nebula.Submit{Text: "hello"}); err != nil {
		fmt.Println(err)
		return
	}
	for e, err := range c.Events(ctx, id, 0) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if said, ok := e.Body.(nebula.Noted); ok {
			fmt.Println(said.Text)
			return
		}
	}
	// Output: hello
}

func TestWhatCannotBeReachedIsAnError(t *testing.T) {
	dir, err := os.MkdirTemp("", "c") // a socket's name is short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	c := client.Dial(serve.Socket(dir))
	if _, err := c.Begin(t.Context(), "/work", ""); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	for _, err := range c.Events(t.Context(), "s1", 0) {
		if !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%v", err)
		}
	}
	if _, _, err := c.Host(t.Context(), "/work"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

func TestEventsEndWithTheServer(t *testing.T) {
	socket, end := served()
	c := client.Dial(socket)
	id, err := c.Begin(t.Context(), "/work", "")
	if err != nil {
		t.Fatal(err)
	}
	var last error
	for e, err := range c.Events(t.Context(), id, 0) {
		if last = err; e.Seq == 1 {
			end()
		}
	}
	if last == nil {
		t.Error("a connection that was cut is told as the end of a session")
	}
	for _, err := range c.Events(t.Context(), "nosuch", 0) {
		last = err
	}
	if last == nil {
		t.Error("events of a session that is not there")
	}
}
