package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"nebula"
)

// Get asks the server for JSON, once, with the header that an adapter sends. With a question it is a POST.
func (c *Client) Get(ctx context.Context, url string, header http.Header, question, answer any) error {
	method, body := http.MethodGet, io.Reader(nil)
	if question != nil {
		data, err := json.Marshal(question)
		if err != nil {
			return err
		}
		method, body = http.MethodPost, bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return c.plainFault(err)
	}
	req.Header = header.Clone()
	req.Header.Set("User-Agent", "nebula")
	req.Header.Set("Accept", "application/json")
	res, err := c.transport.RoundTrip(req)
	if err != nil {
		return c.plainFault(c.networkFault(ctx, err))
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return c.plainFault(c.statusFault(res, res.Body))
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, maxEvent)).Decode(answer); err != nil {
		return c.apiError(&faultOf{kind: "unreachable", text: nebula.Say("%s does not answer in JSON", c.info.Server),
			next: c.baseHint()})
	}
	return nil
}

func (c *Client) plainFault(err error) error {
	if f, ok := errors.AsType[*faultOf](err); ok {
		return c.apiError(f)
	}
	return c.apiError(&faultOf{kind: "unreachable", text: nebula.Say("%s", c.redact.clean(err.Error())), next: nebula.Say("check the base URL")})
}

// Rest closes the connections that are not in use.
//
//go:noinline
func (c *Client) Rest() {
	if t, ok := c.transport.(*http.Transport); ok {
		t.CloseIdleConnections()
	}
}
