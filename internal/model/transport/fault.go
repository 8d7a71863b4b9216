package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// A faultOf is one attempt's fault: what the person would read, and whether it may pass.
type faultOf struct {
	status int
	kind   string
	text   nebula.Words
	next   nebula.Words
	passes bool
	after  time.Duration // the server's own wish, negative when it has none
	raw    string        // what the server said, to learn from
	half   bool          // some of the reply had come
}

// Error is the sentence in English.
func (f *faultOf) Error() string { return f.text.String() }

// networkFault reads the error of a request that got no answer.
func (c *Client) networkFault(ctx context.Context, err error) error {
	f := &faultOf{kind: "unreachable", passes: true, after: -1, next: nebula.Say("check the network, then try again")}
	var dns *net.DNSError
	host := HostOf(c.info.Server)
	silent, idle := errors.AsType[*silence](context.Cause(ctx))
	switch {
	case idle:
		f.text = nebula.Say("%s did not answer within %s", host, silent.after)
		f.passes = c.opts.Patience <= 0 // what was begun there is not begun anew
	case proxyOf(err, c.info.Server) != "":
		f.text = nebula.Say("the proxy %s gives no way to %s: %s", proxyOf(err, c.info.Server), host, c.redact.clean(rootCause(err)))
		f.next = nebula.Say("check HTTPS_PROXY and HTTP_PROXY, or name the host in NO_PROXY")
		f.passes = c.answered.Load() || !isErrno(err, syscall.ECONNREFUSED, 10061) && !lists.Has(refusedTunnels[:finalTunnels], rootCause(err))
	case isErrno(err, syscall.ECONNREFUSED, 10061):
		f.passes = c.answered.Load()
		f.text, f.next = nebula.Say("nothing answers at %s", c.info.Server), c.startHint(host)
	case errors.As(err, &dns):
		f.passes = dns.IsTemporary || dns.IsTimeout
		f.text, f.next = nebula.Say("no address is known for %s", host), nebula.Say("check the base URL and the network")
	case isTimeout(err):
		f.text = nebula.Say("connecting to %s took too long", host)
	case strings.Contains(err.Error(), "HTTPS client"), strings.Contains(err.Error(), "look like a TLS"), strings.Contains(err.Error(), "unsupported protocol"),
		strings.Contains(err.Error(), "no Host"):
		f.passes = false
		f.text, f.next = nebula.Say("the base URL %s does not fit the server", c.info.Server), nebula.Say("check http:// against https://")
	case isTLS(err):
		f.passes = false
		text, next, ok := untimely(err, host, time.Now())
		if f.text, f.next = text, next; !ok {
			f.text = nebula.Say("no trusted connection to %s: %s", host, c.redact.clean(rootCause(err)))
			f.next = trust(err)
		}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), isErrno(err, syscall.ECONNRESET, 10054), errors.Is(err, syscall.EPIPE):
		f.text = nebula.Say("%s closed the connection before it answered", host)
	default:
		f.text = nebula.Say("no connection to %s: %s", host, c.redact.clean(rootCause(err)))
	}
	return f
}

// proxyOf is the proxy that an error is about; empty when it is about the server itself. net/http names its connection
// to a proxy proxyconnect; a proxy that refuses to connect answers with a status of its own in place of the server.
func proxyOf(err error, server string) string {
	target, unread := url.Parse(server)
	if unread != nil {
		return ""
	}
	via, _ := http.ProxyFromEnvironment(&http.Request{URL: target})
	var op *net.OpError
	reached := errors.As(err, &op) && op.Op == "proxyconnect"
	if via == nil || !reached && !lists.Has(refusedTunnels, rootCause(err)) {
		return ""
	}
	return via.Host
}

// refusedTunnels are the statuses with which proxies refuse to connect; the first finalTunnels of them do not pass by themselves.
var refusedTunnels = []string{"Proxy Authentication Required", "Forbidden", "Method Not Allowed", "Bad Gateway", "Service Unavailable", "Gateway Timeout"}

const finalTunnels = 3

func (c *Client) startHint(host string) nebula.Words {
	switch {
	case c.service.Start.String() != "":
		return c.service.Start
	case IsLocal(host):
		return nebula.Say("is the model server (Ollama, llama.cpp, LM Studio) running there?")
	}
	return nebula.Say("check the base URL")
}

// baseHint is what to look at where something else than a model's server answers.
func (c *Client) baseHint() nebula.Words {
	if strings.HasSuffix(c.info.Server, "/v1") {
		return nebula.Say("check the base URL %s", c.info.Server)
	}
	return nebula.Say("check the base URL %s; it usually ends in /v1", c.info.Server)
}

// URL is where requests go, for a base URL with or without a slash, a query or the path itself.
func URL(base, path string) string {
	base, query, found := strings.Cut(base, "?")
	base = strings.TrimRight(base, "/")
	if !strings.HasSuffix(base, path) {
		base += path
	}
	if found {
		base += "?" + query
	}
	return base
}

// HostOf is the host of a base URL, with its port.
func HostOf(base string) string {
	_, rest, found := strings.Cut(base, "://")
	if !found {
		rest = base
	}
	host, _, _ := strings.Cut(rest, "/")
	return host
}

// IsLocal reports whether a host is this machine or in a private network.
func IsLocal(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && (ip.IsLoopback() || ip.IsPrivate() || ip.IsUnspecified())
}

// isErrno also knows the number that Windows has for the error.
func isErrno(err error, e, windows syscall.Errno) bool {
	return errors.Is(err, e) || runtime.GOOS == "windows" && errors.Is(err, windows)
}

func isTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}

func rootCause(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return phrase.OneLine(err.Error(), 200)
		}
		err = inner
	}
}

// streamFault reads the error of an answer that began with status 200, and of whose reply some came, or nothing.
func (c *Client) streamFault(ctx context.Context, res *http.Response, err error, some bool) error {
	host := HostOf(c.info.Server)
	f := &faultOf{kind: "cut", passes: true, after: -1, next: nebula.Say("try again")}
	if said, ok := errors.AsType[*Said](err); ok {
		return c.saidFault(0, said.Body, res.Header)
	}
	if page, ok := errors.AsType[*strange](err); ok {
		return &faultOf{status: res.StatusCode, kind: "unreachable", text: nebula.Say("%s answers with a web page: %s", c.info.Server, c.redact.clean(page.body)),
			next: c.baseHint()}
	}
	silent, idle := errors.AsType[*silence](context.Cause(ctx))
	much, isMuch := errors.AsType[*tooMuch](err)
	broken, isBroken := errors.AsType[*Damaged](err)
	switch {
	case errors.Is(err, ErrStopped):
		return err
	case failed(err) != "":
		f.kind, f.text, f.next = "server", nebula.Say("%s gave the reply up: %s", host, failed(err)), nebula.Say("try again later")
	case idle && !some:
		f.text = nebula.Say("%s did not answer within %s", host, silent.after)
	case idle:
		f.text = nebula.Say("%s was silent for %s in the middle of a reply", host, silent.after)
	case isMuch:
		f.passes, f.text = false, nebula.Say("%s sent a reply %s, and nothing of it was done", host, much.what)
		f.next = nebula.Say("try again, or raise %s", nebula.Say(much.setting))
	case isBroken:
		f.text = nebula.Say("%s sent a damaged reply: %s", host, c.redact.clean(broken.event))
	case errors.Is(err, errHuge):
		f.passes, f.text = false, nebula.Say("%s sent a reply with a piece larger than 8 MB", host)
	default:
		f.text = nebula.Say("%s cut the reply off before its end", host)
	}
	return f
}

// statusFault reads an answer that is no success.
func (c *Client) statusFault(res *http.Response, body io.Reader) error {
	data, _ := io.ReadAll(io.LimitReader(unzip(res, body), 64<<10))
	if loc := res.Header.Get("Location"); res.StatusCode/100 == 3 && loc != "" {
		return &faultOf{status: res.StatusCode, kind: "unreachable", text: nebula.Say("%s has moved to %s", c.info.Server, c.redact.clean(PublicURL(loc))),
			next: nebula.Say("set the base URL to the new place")}
	}
	return c.saidFault(res.StatusCode, data, res.Header)
}

// saidFault reads an error in a server's words. Status 0 means that it came inside an answer.
func (c *Client) saidFault(status int, body []byte, h http.Header) error {
	said := readFault(body)
	f := &faultOf{status: status, raw: string(body), after: retryAfter(h, serverTime(h, time.Now()))}
	if status == 0 {
		f.status = said.status()
	}
	message := strings.TrimRight(c.redact.clean(said.message), ". 。")
	if message == "" {
		message = strings.ToLower(http.StatusText(status))
	}
	f.kind, f.passes = said.classify(f.status)
	if again := delayIn(body); f.after < 0 && again >= 0 {
		f.after, f.passes = again, f.passes || f.kind == "quota" // Google says when, of what it calls a quota and is a rate
	}
	switch h.Get("X-Should-Retry") {
	case "true":
		f.passes = true
	case "false":
		f.passes = false
	}
	f.text, f.next = c.explain(f, message)
	if clock := clockNext(HostOf(c.info.Server), h, time.Now()); f.kind == "auth" && clock.Format != "" {
		f.next = clock
	}
	return f
}

// explain says what a fault means for a person and what to do.
func (c *Client) explain(f *faultOf, message string) (text, next nebula.Words) {
	host := HostOf(c.info.Server)
	code := ""
	if f.status > 0 {
		code = " (" + strconv.Itoa(f.status) + ")"
	}
	text = nebula.Say("%s%s: %s", host, code, message)
	switch f.kind {
	case "auth":
		switch {
		case c.at.Key == "":
			next = nebula.Say("no key is set: set %s", c.service.KeyName)
		case c.service.Stray != "":
			next = nebula.Say("the key has the form of those for %s: check %s", c.service.Stray, c.service.KeyName)
		case strings.Contains(strings.ToLower(message), "expired"):
			next = nebula.Say("get a new one, set %s, and go on with nebula --continue", c.service.KeyName)
		case f.status == http.StatusForbidden:
			next = nebula.Say("the account of this key may not do that: look at its rights, set another key in %s, or choose another model with --model", c.service.KeyName)
		default:
			next = nebula.Say("check the key: set %s", c.service.KeyName)
		}
	case "quota":
		next = nebula.Say("wait, or choose another model with --model")
		if !f.passes {
			next = nebula.Say("check the plan and billing of the account, or choose another model with --model")
		}
	case "context":
		next = nebula.Say("begin a new session, or choose a model with a larger window")
	case "model":
		next = nebula.Say("see `nebula models` for what can be used")
		if c.service.Missing.String() != "" {
			next = c.service.Missing
		}
	case "region":
		next = nebula.Say("it is not offered where you are; choose a model of another provider with --model")
	case "filter":
		next = nebula.Say("the provider's filter ended the reply; say it in other words, or choose another model with /model or --model")
	case "tools":
		next = nebula.Say("use --protocol symops, or another model")
	case "unreachable":
		next = c.baseHint()
	case "server":
		next = nebula.Say("try again later")
	default:
		next = nebula.Say("check the model's name and settings; `nebula doctor` looks at both")
	}
	return text, next
}

// A said is a server's account of what went wrong.
type said struct {
	message string
	code    string // code and type, in lower case
	number  int    // a numeric code
	json    bool
	page    bool // it is of a program in between
}

// readFault reads an error body of any of the known shapes, or plain text.
func readFault(body []byte) said {
	body = bytes.TrimSpace(body)
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var top fields
	if json.Unmarshal(body, &top) != nil {
		var s string
		if json.Unmarshal(body, &s) == nil {
			return said{message: s, json: true}
		}
		if len(body) > 0 && body[0] == '<' {
			return said{message: pageTitle(string(body)), page: true}
		}
		return said{message: string(body)}
	}
	s := said{json: true}
	s.read(top)
	for _, name := range [...]string{"error", "detail"} {
		raw := Present(top[name])
		var inner fields
		if raw != nil && json.Unmarshal(raw, &inner) == nil {
			s.read(inner)
			var meta fields
			if json.Unmarshal(inner["metadata"], &meta) == nil && len(Text(meta["raw"])) > 0 { // OpenRouter: the provider's own words
				s.message += ": " + string(Text(meta["raw"]))
			}
		} else if t := Text(raw); len(t) > 0 {
			s.message = string(t)
		} else if raw != nil && s.message == "" {
			s.message = string(raw)
		}
	}
	if s.message == "" {
		s.message = string(body)
	}
	return s
}

func (s *said) read(f fields) {
	if m := Text(f["message"]); len(m) > 0 {
		s.message = string(m)
	}
	for _, name := range [...]string{"code", "type", "status"} {
		s.code += " " + strings.ToLower(string(Text(f[name])))
		var n int
		if json.Unmarshal(f[name], &n) == nil && n >= 400 && n < 600 {
			s.number = n
		}
	}
}

// pageTitle is what a page calls itself; its beginning where it has no name.
func pageTitle(page string) string {
	low := strings.ToLower(page)
	if i := strings.Index(low, "<title>"); i >= 0 && len(low) == len(page) {
		if j := strings.Index(low[i:], "</title>"); j > 0 {
			return page[i+7 : i+j]
		}
	}
	return page
}

// status guesses the HTTP status of an error that came inside a stream; 0 when there is nothing to go by.
func (s *said) status() int {
	if s.number > 0 {
		return s.number
	}
	if n, err := strconv.Atoi(strings.TrimSpace(s.code)); err == nil && n >= 400 && n < 600 {
		return n
	}
	return 0
}

// has reports whether the code or the message contains one of the words, which are in lower case.
func (s *said) has(words ...string) bool {
	all := s.code + " " + strings.ToLower(s.message)
	for _, w := range words {
		if strings.Contains(all, w) {
			return true
		}
	}
	return false
}

// refusesTools is how servers say that a model, or they themselves as they were started, take no tools.
var refusesTools = []string{"support tool", "tools param requires", "tool choice requires", "tools are not supported", "tools is not supported", "tools not supported", "tool use is not supported",
	"tool calling is not supported", "tool calls are not supported", "function calling is not", "support function call", "unknown field \"tools\"", "tools: extra inputs"}

// unquoted takes the marks off that a server puts around the name of a parameter.
var unquoted = strings.NewReplacer("`", "", "'", "", `"`, "")

// classify gives the kind of a fault and whether it may pass.
func (s *said) classify(status int) (kind string, passes bool) {
	switch {
	case s.has("user location is not supported", "unsupported_country", "country, region, or territory not supported"), status == 403 && s.has("request not allowed"):
		return "region", false
	case s.has("content_filter", "content management policy", "content_policy_violation"):
		return "filter", false
	case status == 413, s.has("context_length_exceeded", "maximum context length", "context window", "exceed_context_size", "prompt is too long",
		"exceeds the available context", "input token count", "too many tokens in"):
		return "context", false
	case s.has("insufficient_quota", "billing_hard_limit", "exceeded your current quota", "insufficient credits", "credit balance"), status == 402:
		return "quota", false
	case status == 429, status == 0 && s.has("rate_limit", "rate limit", "too many requests", "resource_exhausted"):
		return "quota", true
	case status == 403 && s.has("model_not_found"):
		return "model", false
	case status == 403 && s.page:
		return "unreachable", false
	case status == 401, status == 403, status == 407, status == 400 && s.has("api key not valid", "api_key_invalid"), status == 0 && s.has("invalid_api_key", "authentication", "permission_denied"):
		return "auth", false
	case status == 404 && !s.json, status == 405, status == 400 && s.has("http request to an https", "plain http request was sent to https"), status/100 == 3:
		return "unreachable", false
	case status >= 400 && (s.has(refusesTools...) || (&said{message: unquoted.Replace(s.message)}).has(refusesTools...)):
		return "tools", false
	case status == 404, status == 400 && s.has("model_not_found", "does not exist", "invalid model"):
		return "model", false
	case status == 408, status == 409, status == 425:
		return "server", true
	case status == 501, status == 505:
		return "server", false
	case status >= 500, status == 0 && !s.has("invalid_request"):
		return "server", true
	}
	return "bad_request", false
}

// apiError is the fault as the caller of Stream gets it.
func (c *Client) apiError(f *faultOf) *nebula.APIError {
	window := 0
	if f.kind == "context" {
		window = windowIn(f.raw)
	}
	return &nebula.APIError{Status: f.status, Kind: f.kind, Text: c.opts.Say.Words(f.text), Next: c.opts.Say.Words(f.next), Window: window}
}

// A Tongue says words to a person; nil says them in English.
type Tongue func(nebula.Words) string

// Words says them.
func (t Tongue) Words(w nebula.Words) string {
	if t == nil {
		return w.String()
	}
	return t(w)
}
