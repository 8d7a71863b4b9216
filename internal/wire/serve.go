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
	s := &server{host: host, pen: pen{to: out}, talks: map[int64]nebula.Conversation{}, stops: map[int64]context.CancelFunc{}}
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

	mu    sync.Mutex
	talks map[int64]nebula.Conversation // by the request that opened them
	stops map[int64]context.CancelFunc  // of requests under way
}

func (s *server) take(ctx context.Context, r request) {
	s.mu.Lock()
	if r.Do == "stop" {
		if stop := s.stops[r.Call]; stop != nil {
			stop()
		}
		s.mu.Unlock()
		return
	}
	ctx, stop := context.WithCancel(ctx)
	s.stops[r.ID] = stop
	s.mu.Unlock()
	s.work.Go(func() {
		defer func() {
			s.mu.Lock()
			delete(s.stops, r.ID)
			s.mu.Unlock()
			stop()
		}()
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
	s.mu.Lock()
	defer s.mu.Unlock()
	s.talks[r.ID] = c
	return nil, nil
}

func (s *server) talk(r request) (nebula.Conversation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.talks[r.Talk]; c != nil {
		return c, nil
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
