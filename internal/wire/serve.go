package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"nebula"
)

// Serve answers what comes over a pipe from a host, until the pipe or ctx ends. The conversations that were opened stay
// open: they are their owner's to close.
func Serve(ctx context.Context, host nebula.Host, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	s := &server{host: host, pen: pen{to: out}}
	defer s.work.Wait()
	defer cancel()
	scan := lines(in)
	for scan.Scan() {
		var r request
		if err := json.Unmarshal(scan.Bytes(), &r); err != nil {
			return fmt.Errorf("wire: %w", err)
		}
		s.take(ctx, r)
	}
	return scan.Err()
}

// A server is one front end's side of a host.
type server struct {
	host nebula.Host
	pen  pen
	work sync.WaitGroup

	talks sync.Map // the conversations, by the request that opened them
	stops sync.Map // what ends requests that are under way, by their numbers
}

func (s *server) take(ctx context.Context, r request) {
	if r.Do == "stop" {
		if stop, ok := s.stops.Load(r.Call); ok {
			stop.(context.CancelFunc)()
		}
		return
	}
	ctx, stop := context.WithCancel(ctx)
	s.stops.Store(r.ID, stop)
	s.work.Go(func() {
		defer stop()
		defer s.stops.Delete(r.ID)
		back := answer{ID: r.ID}
		v, err := s.do(ctx, r)
		if err == nil {
			back.Answer, err = json.Marshal(v)
		}
		if err != nil {
			back.Error = failureOf(err)
		}
		_ = s.pen.line(back) // nobody is there to be told that nobody is there
	})
}

// methods are what can be asked, by name.
var methods = map[string]func(s *server, ctx context.Context, r request) (any, error){
	"folder": func(s *server, ctx context.Context, _ request) (any, error) { return s.host.Folder(ctx) },
	"open":   (*server).open,
	"send":   (*server).send,
	"events": (*server).events,
	"sessions": func(s *server, ctx context.Context, r request) (any, error) {
		return s.host.Sessions(ctx, r.Name)
	},
	"plans":  func(s *server, ctx context.Context, _ request) (any, error) { return s.host.Plans(ctx) },
	"models": func(s *server, ctx context.Context, _ request) (any, error) { return s.host.Models(ctx) },
	"model":  func(s *server, ctx context.Context, r request) (any, error) { return s.host.Model(ctx, r.Name) },
	"settings": func(s *server, ctx context.Context, r request) (any, error) {
		return s.host.Settings(ctx, r.Args)
	},
	"keep": func(s *server, ctx context.Context, r request) (any, error) {
		return nil, s.host.Keep(ctx, r.Name, r.Value)
	},
	"status": func(s *server, ctx context.Context, r request) (any, error) { return s.host.Status(ctx, r.Session) },
	"undoable": func(s *server, ctx context.Context, r request) (any, error) {
		return s.host.Undoable(ctx, r.Session, r.Redo)
	},
	"files": func(s *server, ctx context.Context, _ request) (any, error) { return s.host.Files(ctx) },
	"commands": func(s *server, ctx context.Context, _ request) (any, error) {
		return s.host.Commands(ctx)
	},
	"image": func(s *server, ctx context.Context, r request) (any, error) { return s.host.Image(ctx, r.Name) },
}

func (s *server) do(ctx context.Context, r request) (any, error) {
	method, ok := methods[r.Do]
	switch {
	case r.V != Version:
		return nil, fmt.Errorf("request in form %d; this nebula knows %d", r.V, Version)
	case !ok:
		return nil, fmt.Errorf("unknown request %q", r.Do)
	}
	return method(s, ctx, r)
}

// open opens a conversation. It outlives the request.
func (s *server) open(ctx context.Context, r request) (any, error) {
	c, err := s.host.Open(context.WithoutCancel(ctx), r.Session)
	if err != nil {
		return nil, err
	}
	s.talks.Store(r.ID, c)
	return nil, nil
}

func (s *server) talk(r request) (nebula.Conversation, error) {
	if c, ok := s.talks.Load(r.Talk); ok {
		return c.(nebula.Conversation), nil
	}
	return nil, fmt.Errorf("request %d opened no conversation", r.Talk)
}

// send hands a command on. What happened beside a conversation is nebula's own to tell.
func (s *server) send(ctx context.Context, r request) (any, error) {
	c, err := s.talk(r)
	if err != nil {
		return nil, err
	}
	command, err := nebula.DecodeCommand(r.Command)
	if err != nil {
		return nil, err
	}
	if _, ok := command.(nebula.Inform); ok {
		return nil, errors.New("a front end cannot inform a session")
	}
	return nil, c.Send(ctx, command)
}

func (s *server) events(ctx context.Context, r request) (any, error) {
	c, err := s.talk(r)
	if err != nil {
		return nil, err
	}
	for e := range c.Events(ctx, r.After) {
		if err := s.pen.line(answer{ID: r.ID, Event: &e}); err != nil {
			return nil, err
		}
	}
	return nil, nil
}
