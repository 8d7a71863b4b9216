package wire

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"sync"

	"nebula"
)

// Dial is the host at the other end of a pipe. It is read until it ends.
func Dial(in io.Reader, out io.Writer) *Client {
	c := &Client{pen: pen{to: out}, calls: map[int64]*call{}}
	go c.read(in)
	return c
}

// A Client is a host in another process. It implements nebula.Host.
type Client struct {
	pen pen

	mu    sync.Mutex
	last  int64
	calls map[int64]*call
	over  bool
}

// A call is a request under way: its lines, in order, until the one that ends it. They are the client's to guard.
type call struct {
	id    int64
	lines []answer
	more  chan struct{} // one element: there are lines
}

func (c *call) put(a answer) {
	c.lines = append(c.lines, a)
	select {
	case c.more <- struct{}{}:
	default:
	}
}

// take gives the lines of a call that have come.
func (c *Client) take(of *call) []answer {
	c.mu.Lock()
	defer c.mu.Unlock()
	lines := of.lines
	of.lines = nil
	return lines
}

// errGone says that the other end is not there any more.
var errGone = errors.New("the connection to nebula has ended")

func (c *Client) read(in io.Reader) {
	scan := lines(in)
	for scan.Scan() {
		var a answer
		if json.Unmarshal(scan.Bytes(), &a) != nil {
			break // what follows could be anything
		}
		c.mu.Lock()
		if under := c.calls[a.ID]; under != nil {
			under.put(a)
		}
		c.mu.Unlock()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	for id, under := range c.calls {
		under.put(answer{ID: id, Error: failureOf(errGone)})
	}
}

// ask sends a request.
func (c *Client) ask(r request) (*call, error) {
	c.mu.Lock()
	if c.over {
		c.mu.Unlock()
		return nil, errGone
	}
	c.last++
	under := &call{id: c.last, more: make(chan struct{}, 1)}
	c.calls[under.id] = under
	c.mu.Unlock()
	r.V, r.ID = Version, under.id
	if err := c.pen.line(r); err != nil {
		c.done(under)
		return nil, err
	}
	return under, nil
}

func (c *Client) done(under *call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.calls, under.id)
}

// follow yields a request's lines until the one that ends it, or until ctx does.
func (c *Client) follow(ctx context.Context, under *call) iter.Seq[answer] {
	return func(yield func(answer) bool) {
		defer c.done(under)
		for {
			for _, a := range c.take(under) {
				if !yield(a) || a.Event == nil {
					return
				}
			}
			select {
			case <-under.more:
			case <-ctx.Done():
				return
			}
		}
	}
}

//go:noinline
func (c *Client) stop(id int64) { _ = c.pen.line(request{V: Version, Do: "stop", Call: id}) } // else it ends by itself

// get asks for one answer.
func get[T any](ctx context.Context, c *Client, r request) (v T, id int64, err error) {
	id, err = c.answer(ctx, r, &v)
	return v, id, err
}

func (c *Client) answer(ctx context.Context, r request, v any) (id int64, err error) {
	under, err := c.ask(r)
	if err != nil {
		return 0, err
	}
	for a := range c.follow(ctx, under) {
		if a.Error != nil {
			return 0, &remote{*a.Error}
		}
		if len(a.Answer) > 0 {
			err = json.Unmarshal(a.Answer, v)
		}
		return under.id, err
	}
	c.stop(under.id)
	return 0, ctx.Err()
}

// Folder implements nebula.Host.
func (c *Client) Folder(ctx context.Context) (nebula.Folder, error) {
	v, _, err := get[nebula.Folder](ctx, c, request{Do: "folder"})
	return v, err
}

// Open implements nebula.Host.
func (c *Client) Open(ctx context.Context, id string) (nebula.Conversation, error) {
	_, call, err := get[any](ctx, c, request{Do: "open", Session: id})
	if err != nil {
		return nil, err
	}
	return &conversation{c, call}, nil
}

// Sessions implements nebula.Host.
func (c *Client) Sessions(ctx context.Context, words string) ([]nebula.SessionInfo, error) {
	v, _, err := get[[]nebula.SessionInfo](ctx, c, request{Do: "sessions", Name: words})
	return v, err
}

// Plans implements nebula.Host.
func (c *Client) Plans(ctx context.Context) ([]nebula.PlanInfo, error) {
	v, _, err := get[[]nebula.PlanInfo](ctx, c, request{Do: "plans"})
	return v, err
}

// Models implements nebula.Host.
func (c *Client) Models(ctx context.Context) ([]nebula.ModelInfo, error) {
	v, _, err := get[[]nebula.ModelInfo](ctx, c, request{Do: "models"})
	return v, err
}

// Model implements nebula.Host.
func (c *Client) Model(ctx context.Context, name string) (nebula.ModelInfo, error) {
	v, _, err := get[nebula.ModelInfo](ctx, c, request{Do: "model", Name: name})
	return v, err
}

// Settings implements nebula.Host.
func (c *Client) Settings(ctx context.Context, args []string) (string, error) {
	v, _, err := get[string](ctx, c, request{Do: "settings", Args: args})
	return v, err
}

// Keep implements nebula.Host.
func (c *Client) Keep(ctx context.Context, key, value string) error {
	_, _, err := get[any](ctx, c, request{Do: "keep", Name: key, Value: value})
	return err
}

// Status implements nebula.Host.
func (c *Client) Status(ctx context.Context, session string) (string, error) {
	v, _, err := get[string](ctx, c, request{Do: "status", Session: session})
	return v, err
}

// Undoable implements nebula.Host.
func (c *Client) Undoable(ctx context.Context, session string, redo bool) (nebula.Undoable, error) {
	v, _, err := get[nebula.Undoable](ctx, c, request{Do: "undoable", Session: session, Redo: redo})
	return v, err
}

// Files implements nebula.Host.
func (c *Client) Files(ctx context.Context) ([]string, error) {
	v, _, err := get[[]string](ctx, c, request{Do: "files"})
	return v, err
}

// Commands implements nebula.Host.
func (c *Client) Commands(ctx context.Context) ([]nebula.CommandInfo, error) {
	v, _, err := get[[]nebula.CommandInfo](ctx, c, request{Do: "commands"})
	return v, err
}

// Image implements nebula.Host.
func (c *Client) Image(ctx context.Context, path string) (nebula.Image, error) {
	v, _, err := get[nebula.Image](ctx, c, request{Do: "image", Name: path})
	return v, err
}

// A conversation is one in another process.
type conversation struct {
	client *Client
	talk   int64
}

// Send implements nebula.Conversation.
func (t *conversation) Send(ctx context.Context, c nebula.Command) error {
	data, err := nebula.EncodeCommand(c)
	if err != nil {
		return err
	}
	_, _, err = get[any](ctx, t.client, request{Do: "send", Talk: t.talk, Command: data})
	return err
}

// Events implements nebula.Conversation.
func (t *conversation) Events(ctx context.Context, after int64) iter.Seq[nebula.Event] {
	return func(yield func(nebula.Event) bool) {
		under, err := t.client.ask(request{Do: "events", Talk: t.talk, After: after})
		if err != nil {
			return
		}
		for a := range t.client.follow(ctx, under) {
			if a.Event == nil {
				return
			}
			if !yield(*a.Event) {
				break
			}
		}
		t.client.stop(under.id)
	}
}
