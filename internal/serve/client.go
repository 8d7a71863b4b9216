package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"

	"nebula"
	"nebula/internal/wire"
)

// A Client asks the server at a socket.
type Client struct {
	socket string
	http   *http.Client
}

// Dial is a client of the server at a socket. Nothing is asked yet.
func Dial(socket string) *Client {
	return &Client{socket, &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}}}}
}

// Begin opens a session in a folder, a new one for id "", and tells its ID.
func (c *Client) Begin(ctx context.Context, dir, id string) (string, error) {
	var b Begun
	err := c.Ask(ctx, http.MethodPost, "/v1/sessions", Begin{Dir: dir, ID: id}, &b)
	return b.ID, err
}

// Send sends an open session a command. One that is given a name is taken in once, however often it is sent.
func (c *Client) Send(ctx context.Context, id, name string, cmd nebula.Command) error {
	data, err := nebula.EncodeCommand(cmd)
	if err != nil {
		return err
	}
	return c.ask(ctx, http.MethodPost, "/v1/sessions/"+url.PathEscape(id)+"/commands", name, json.RawMessage(data), nil)
}

// Ask sends a request and reads its answer into a value.
func (c *Client) Ask(ctx context.Context, method, path string, body, into any) error {
	return c.ask(ctx, method, path, "", body, into)
}

func (c *Client) ask(ctx context.Context, method, path, name string, body, into any) error {
	var in io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return err
		}
		in = bytes.NewReader(data)
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://nebula"+path, in)
	if err != nil {
		return err
	}
	if name != "" {
		r.Header.Set("Idempotency-Key", name)
	}
	back, err := c.http.Do(r)
	if err != nil {
		return unwrapped(err)
	}
	defer back.Body.Close()
	if back.StatusCode != http.StatusOK {
		var p Problem
		if json.NewDecoder(back.Body).Decode(&p) != nil || p.Error == "" {
			p.Error = back.Status
		}
		return errors.New(p.Error)
	}
	if into == nil {
		return nil
	}
	return json.NewDecoder(back.Body).Decode(into)
}

// unwrapped is an error without the address that was asked, which says nothing.
func unwrapped(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

// Host is the host of a folder at the server. It ends with the function, or with the server.
func (c *Client) Host(ctx context.Context, dir string) (nebula.Host, func() error, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", c.socket)
	if err != nil {
		return nil, nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://nebula/v1/pipe?dir="+url.QueryEscape(dir), nil)
	if err == nil {
		r.Header.Set("Connection", "Upgrade")
		r.Header.Set("Upgrade", Pipe)
		err = r.Write(conn)
	}
	if err != nil {
		return nil, nil, errors.Join(err, conn.Close())
	}
	in := bufio.NewReader(conn)
	back, err := http.ReadResponse(in, r)
	if err != nil {
		return nil, nil, errors.Join(err, conn.Close())
	}
	if back.StatusCode != http.StatusSwitchingProtocols {
		var p Problem
		_ = json.NewDecoder(back.Body).Decode(&p) // the status is left
		if p.Error == "" {
			p.Error = back.Status
		}
		return nil, nil, errors.Join(errors.New(p.Error), back.Body.Close(), conn.Close())
	}
	return wire.Dial(in, conn), conn.Close, nil
}
