// Package transport carries requests to models and their replies back, for adapters that know a provider's form: the
// connection, retries, what faults mean, how long a server may be silent, bounds of a reply, and keys that are never said.
//
// Faults of the world are retried here and nowhere else. A stream that ends before its finish reason is an error, and
// nothing of it reaches a [nebula.Reply]. Keys go into the request's header and nowhere else.
package transport

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"iter"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"nebula"
	"nebula/internal/phrase"
)

// An Endpoint is a model on a server.
type Endpoint struct {
	Provider string // openai, openrouter, ollama, …; empty for any other server
	BaseURL  string // what stands before /chat/completions
	Key      string `json:"-"` // empty for servers that need none
	KeyName  string // the environment variable that is looked into for the key; empty for the provider's
	Model    string // as the server names it
	Speaks   string // the form that the server is spoken to in, where it is another than its provider's
}

// String leaves the key out.
//
//go:noinline
func (e Endpoint) String() string { return e.Model + " at " + PublicURL(e.BaseURL) }

// GoString leaves the key out.
//
//go:noinline
func (e Endpoint) GoString() string { return "model.Endpoint(" + e.String() + ")" }

// Options change how a [Client] works. The zero value is what a person wants.
type Options struct {
	Transport http.RoundTripper // nil: one made for this client
	Attempts  int               // how often a request is sent at most; 0 means 6
	Idle      time.Duration     // how long a server may be silent; 0 means 5 minutes
	Backoff   time.Duration     // before the second attempt, then doubling; 0 means 500 ms
	Patience  time.Duration     // how long a server nearby may load and read in silence while it runs; 0 means 30 minutes, less none
	Notice    time.Duration     // after how much silence the person is told of it, then after twice as long; 0 means 30 seconds
	Bounds    Bounds            // of a reply
	Effort    nebula.Effort     // of the model; one step more for what is harder than most
	Say       Tongue            // how errors are said
}

// A Client is a [nebula.Model] on a server that an adapter speaks to. It may be used from several goroutines.
type Client struct {
	at        Endpoint
	info      nebula.ModelInfo
	opts      Options
	adapter   Adapter
	service   Service
	redact    redactor
	transport http.RoundTripper
	answered  atomic.Bool // the server gave an answer before: a refused connection may pass
	worked    atomic.Bool // a reply came whole before
	pace      pace
	small     sync.Map // pictures as they are sent, by where what they were begins
	spurned   sync.Map // pictures and documents that the server could not read, likewise
}

// New returns a client. Nothing is sent before the first Stream.
func New(at Endpoint, info nebula.ModelInfo, a Adapter, s Service, o Options) *Client {
	if o.Attempts <= 0 {
		o.Attempts = 6
	}
	if o.Idle <= 0 {
		o.Idle = 5 * time.Minute
	}
	if o.Backoff <= 0 {
		o.Backoff = 500 * time.Millisecond
	}
	if o.Notice <= 0 {
		o.Notice = 30 * time.Second
	}
	if o.Patience == 0 {
		o.Patience = 30 * time.Minute
	}
	if !s.Near && !IsLocal(HostOf(at.BaseURL)) {
		o.Patience = 0
	}
	if info.Name == "" {
		info.Name = at.Model
	}
	if info.Provider == "" {
		info.Provider = at.Provider
	}
	info.Server = PublicURL(at.BaseURL)
	c := &Client{at: at, info: info, opts: o, adapter: a, service: s, redact: newRedactor(at), transport: o.Transport}
	if c.transport == nil {
		c.transport = newTransport()
	}
	return c
}

// newTransport is plain HTTP/1.1: one stream at a time needs no multiplexing, and cancelling closes the connection.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 15 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout: 15 * time.Second,
		MaxIdleConns:        4,
		IdleConnTimeout:     90 * time.Second,
		DisableCompression:  true, // a compressed stream arrives in lumps
		WriteBufferSize:     16 << 10,
		ReadBufferSize:      16 << 10,
	}
}

// PublicURL is a base URL without what may be secret in it.
func PublicURL(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return strings.TrimRight(phrase.Masked(u.String()), "/")
}

// Info says what is known about the model.
func (c *Client) Info() nebula.ModelInfo { return c.info }

// Stream sends a prompt and yields the reply; see [nebula.Model].
func (c *Client) Stream(ctx context.Context, p nebula.Prompt) iter.Seq2[nebula.Chunk, error] {
	return func(yield func(nebula.Chunk, error) bool) {
		if p.Effort = cmp.Or(p.Effort, c.opts.Effort); p.Hard {
			p.Effort = p.Effort.More()
		}
		p.Messages = distinct(c.visible(c.fitted(p.Messages)))
		gone := false
		emit := func(chunk nebula.Chunk) bool {
			if ctx.Err() != nil {
				return false
			}
			gone = !yield(chunk, nil)
			return !gone
		}
		err := c.retrying(ctx, p, emit)
		if errors.Is(err, ErrStopped) {
			err = ctx.Err()
		}
		if err != nil && !gone {
			yield(nebula.Chunk{}, err)
		}
	}
}

// attempt sends a request once.
func (c *Client) attempt(ctx context.Context, x Exchange, emit func(nebula.Chunk) bool) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	dog := &watchdog{idle: c.opts.Idle}
	dog.timer = time.AfterFunc(c.opts.Idle, func() { cancel(&silence{c.opts.Idle}) })
	defer dog.timer.Stop()
	if c.opts.Patience > 0 {
		dog.timer.Stop()
		dog.patience = &patience{most: c.opts.Patience, least: c.opts.Idle, notice: c.opts.Notice, runs: c.runs, cancel: cancel, tell: c.waiting(emit)}
	}

	req, err := http.NewRequestWithContext(ctx, http.MethodPost, x.URL, bytes.NewReader(x.Body))
	if err != nil {
		return &faultOf{kind: "bad_request", text: nebula.Say("the base URL of the model is not valid: %s", c.info.Server),
			next: nebula.Say("set base_url to something like http://localhost:11434/v1")}
	}
	req.Header = x.Header
	req.Header.Set("User-Agent", "nebula")
	a := patiently(dog.patience, func() answer {
		res, err := c.transport.RoundTrip(req) //nolint:bodyclose // closed by who waits for it
		return answer{res, err}
	})
	res := a.res
	if a.err != nil {
		return c.networkFault(ctx, a.err)
	}
	defer res.Body.Close()
	c.answered.Store(true)
	c.pace.learn(res.Header, time.Now())
	dog.r = res.Body
	if res.StatusCode != http.StatusOK {
		return c.statusFault(res, dog)
	}
	size := newMeasure(c.opts.Bounds)
	said := -1
	settle := func() { // what keeps a connection open says nothing
		if size.bytes != said {
			said = size.bytes
			dog.settle()
		}
	}
	read := reading{x.Reader(&Out{emit: emit, size: size}), settle, dog.drain}
	if err := read.run(&gauge{Reader: unzip(res, dog), of: size}); err != nil {
		err = c.streamFault(ctx, res, err, size.bytes > 0)
		if f, ok := err.(*faultOf); ok { //nolint:errorlint // it is made here
			f.half = size.bytes > 0
		}
		return err
	}
	c.worked.Store(true)
	return nil
}

// An answer is what came of a request.
type answer struct {
	res *http.Response
	err error
}

// unzip undoes a compression that was not asked for.
func unzip(res *http.Response, body io.Reader) io.Reader {
	if !strings.EqualFold(res.Header.Get("Content-Encoding"), "gzip") {
		return body
	}
	return &lazyGzip{src: body}
}

// A lazyGzip waits for the compressed header until the first read.
type lazyGzip struct {
	src io.Reader
	z   *gzip.Reader
}

// Read implements io.Reader.
func (l *lazyGzip) Read(p []byte) (n int, err error) {
	if l.z == nil {
		if l.z, err = gzip.NewReader(l.src); err != nil {
			return 0, err
		}
	}
	return l.z.Read(p)
}
