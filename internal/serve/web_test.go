package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/page"
)

// A quiet session has begun, asks about an edit, and takes what it is sent.
type quiet struct {
	past []nebula.Event
	sent chan nebula.Command
}

func (q quiet) Send(_ context.Context, c nebula.Command) error { q.sent <- c; return nil }

func (q quiet) Events(ctx context.Context, after int64) iter.Seq[nebula.Event] {
	return func(yield func(nebula.Event) bool) {
		for _, e := range q.past {
			if e.Seq > after && !yield(e) {
				return
			}
		}
		<-ctx.Done()
	}
}

// A browsed server is one with its page open, as a browser meets it that came by a link.
type browsed struct {
	t    *testing.T
	s    *Server
	at   *httptest.Server
	talk quiet
	jar  string
}

func browse(t *testing.T, before ...func(*http.Server)) *browsed {
	t.Helper()
	b := &browsed{t: t, talk: quiet{sent: make(chan nebula.Command, 10)}}
	edit := nebula.Proposal{Action: nebula.Action{ID: "a", Tool: "t"}, Effect: nebula.Write, Summary: "edit a",
		Targets: []nebula.Target{{Path: "a", Kind: "edit", Mode: 0o644, ModeAfter: 0o755}}, Diff: "--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-x\n+y\n"}
	for i, body := range []nebula.Body{nebula.Started{Session: "s1", Dir: "/work"}, nebula.Submitted{Turn: 1, Text: "go"}, nebula.Proposed{Proposal: edit}, nebula.Asked{Ask: "q1", Action: "a"}} {
		b.talk.past = append(b.talk.past, nebula.Event{Seq: int64(i + 1), Body: body})
	}
	host := nebulatest.Host{OnOpen: func(string) (nebula.Conversation, error) { return b.talk, nil },
		OnSessions: func() ([]nebula.SessionInfo, error) { return []nebula.SessionInfo{{ID: "s1", Dir: "/work"}}, nil }}
	h := NewHub(func(string) (nebula.Host, func() error, error) { return host, func() error { return nil }, nil }, "en", time.Hour)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- h.Run(ctx) }()
	b.s = New(h, "v", func(err error) string { return err.Error() })
	b.s.All = func(context.Context) ([]nebula.SessionInfo, error) { return host.OnSessions() }
	b.s.Search = func(context.Context, string) ([]page.Hit, error) { return nil, nil }
	b.s.Audit = func(context.Context, string) (page.Audit, error) { return page.Audit{}, nil }
	b.s.Spent = func(context.Context, time.Time) ([]page.Spending, error) { return nil, nil }
	b.s.site = newSite(b.s, "en")
	b.at = httptest.NewUnstartedServer(nil)
	b.at.Config = b.s.site.http // with its own bounds
	for _, set := range before {
		set(b.at.Config)
	}
	b.at.Start()
	t.Cleanup(func() { b.at.CloseClientConnections(); b.at.Close(); stop(); <-ended })
	return b
}

// link is the key of a link to the page.
func (b *browsed) link() string {
	b.t.Helper()
	back := httptest.NewRecorder()
	b.s.Handler().ServeHTTP(back, httptest.NewRequest(http.MethodPost, "/v1/web", strings.NewReader(`{}`)))
	b.t.Cleanup(func() { _ = b.s.site.http.Close() })
	var at WebAddress
	if err := json.NewDecoder(back.Body).Decode(&at); err != nil || back.Code != http.StatusOK {
		b.t.Fatal(back.Code, err)
	}
	u, err := url.Parse(at.URL)
	if err != nil || !strings.HasPrefix(u.Host, "127.0.0.1:") {
		b.t.Fatal(at.URL, err)
	}
	return u.Query().Get("key")
}

// asks sends a request as a page of the server does, except for what is changed of it.
func (b *browsed) asks(method, path, body string, change ...func(*http.Request)) *http.Response {
	b.t.Helper()
	ctx, stop := context.WithCancel(b.t.Context())
	b.t.Cleanup(stop)
	r, err := http.NewRequestWithContext(ctx, method, b.at.URL+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if method != http.MethodGet {
		r.Header.Set("Origin", b.at.URL)
	}
	if b.jar != "" {
		r.Header.Set("Cookie", cookie+"="+b.jar)
	}
	for _, c := range change {
		c(r)
	}
	back, err := (&http.Client{}).Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = back.Body.Close() })
	return back
}

// enters follows a link.
func (b *browsed) enters() {
	b.t.Helper()
	back := b.asks(http.MethodGet, b.s.site.frame.Base+"/open?key="+b.link(), "")
	for _, c := range back.Cookies() {
		if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != b.s.site.frame.Base+"/" {
			b.t.Errorf("the cookie goes elsewhere: %v", c)
		}
		b.jar = c.Value
	}
	if b.jar == "" {
		b.t.Fatal("no cookie", back.StatusCode)
	}
}

// each is every leaf, with names in the place of what stands for one.
func each(do func(method, path string, open bool)) {
	for _, l := range leaves() {
		do(l.method, strings.NewReplacer("{$}", "", "{id}", "s1?dir=/work", "{view}", "v").Replace(l.path), l.open)
	}
}

func TestNothingIsAnsweredWithoutTheCookie(t *testing.T) {
	b := browse(t)
	base := b.s.site.frame.Base
	refused := func(method, path string) {
		for _, jar := range []string{"", "wrong"} {
			b.jar = jar
			back := b.asks(method, path, "{}")
			if back.StatusCode != http.StatusUnauthorized || back.Header.Get("Content-Security-Policy") != page.Policy || back.Header.Get("X-Frame-Options") != "DENY" || back.Header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s %s with %q: %d %v", method, path, jar, back.StatusCode, back.Header)
			}
			if told, err := io.ReadAll(back.Body); err != nil || strings.Contains(string(told)+fmt.Sprint(back.Header), strings.Trim(base, "/")) {
				t.Errorf("%s %s with %q tells the base, and with it who may have the cookie: %s %v", method, path, jar, told, err)
			}
		}
	}
	each(func(method, path string, _ bool) { refused(method, base+path); refused(method, path) })
	refused("GET", "/")
	refused("GET", base+"/nothing")
	refused("GET", base+"/open?key=guess")
	refused("GET", "/v1/server")
	b.enters()
	each(func(method, path string, open bool) {
		if back := b.asks(method, base+path, "{}"); !open && back.StatusCode == http.StatusUnauthorized {
			t.Errorf("%s %s: %d with the cookie", method, path, back.StatusCode)
		}
	})
}

func TestALinkOpensOnce(t *testing.T) {
	b := browse(t)
	path := b.s.site.frame.Base + "/open?key=" + b.link()
	if back := b.asks("HEAD", path, ""); back.StatusCode != http.StatusUnauthorized || len(back.Cookies()) > 0 {
		t.Errorf("a look at a link: %d %v", back.StatusCode, back.Cookies())
	}
	if back := b.asks("GET", path, "", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }); back.StatusCode != http.StatusOK {
		t.Errorf("a link in a message: %d", back.StatusCode)
	}
	if back := b.asks("GET", path, ""); back.StatusCode != http.StatusUnauthorized {
		t.Errorf("it opened twice: %d", back.StatusCode)
	}
	old := []pass{{until: time.Now().Add(-time.Second)}}
	if list := remember(old, "new", time.Hour); len(list) != 1 || holds(list, "new") != 0 || holds(list, "old") != -1 {
		t.Errorf("%v", list)
	}
	if holds(remember(nil, "late", -time.Second), "late") != -1 {
		t.Error("it opened after its time")
	}
}

func TestOtherPagesAskForNothing(t *testing.T) {
	b := browse(t)
	b.enters()
	head := func(name, value string) func(*http.Request) {
		return func(r *http.Request) {
			if r.Header.Set(name, value); value == "" {
				r.Header.Del(name)
			}
		}
	}
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	each(func(method, path string, open bool) {
		path = b.s.site.frame.Base + path
		for name, c := range map[string]struct {
			change func(*http.Request)
			status int
		}{
			"a name that leads here": {host("evil.example:80"), http.StatusMisdirectedRequest},
			"one that looks like it": {host("127.0.0.1.evil.example"), http.StatusMisdirectedRequest},
			"another origin":         {head("Origin", "http://evil.example"), http.StatusForbidden},
			"a file":                 {head("Origin", "null"), http.StatusForbidden},
			"another server near by": {head("Origin", "http://127.0.0.1:1"), http.StatusForbidden},
			"another site's fetch":   {head("Sec-Fetch-Site", "cross-site"), http.StatusForbidden},
			"another port's fetch":   {head("Sec-Fetch-Site", "same-site"), http.StatusForbidden},
		} {
			if open && c.status == http.StatusForbidden && strings.Contains(name, "fetch") {
				continue // a link may be followed from anywhere
			}
			if back := b.asks(method, path, "{}", c.change); back.StatusCode != c.status {
				t.Errorf("%s %s by %s: %d", method, path, name, back.StatusCode)
			}
		}
		if method == http.MethodPost {
			if back := b.asks(method, path, "{}", head("Origin", "")); back.StatusCode != http.StatusForbidden {
				t.Errorf("%s without an origin: %d", path, back.StatusCode)
			}
		}
	})
	if len(b.talk.sent) > 0 {
		t.Error("something was sent")
	}
}

func TestWhatABrowserSendsIsBounded(t *testing.T) {
	b := browse(t)
	b.enters()
	if back := b.asks("POST", b.s.site.frame.Base+"/begin", `{"dir":"`+strings.Repeat("x", longestAsked)+`"}`); back.StatusCode != http.StatusRequestEntityTooLarge {
		t.Error(back.StatusCode)
	}
}

// sends gives what comes back for bytes that no browser sends.
func (b *browsed) sends(raw string) string {
	b.t.Helper()
	c, err := net.Dial("tcp", b.at.Listener.Addr().String())
	if err != nil {
		b.t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := io.WriteString(c, raw); err != nil {
		b.t.Fatal(err)
	}
	back, _ := io.ReadAll(c) // as far as it comes
	return string(back)
}

// What two readers could take for different requests, what is too long before its body, and who says nothing are not waited for;
// no path leads to a file.
func TestWhatNoBrowserSends(t *testing.T) {
	b := browse(t, func(s *http.Server) {
		if at := s.ReadHeaderTimeout; at <= 0 || at > 10*time.Second {
			t.Fatalf("heads are waited for %v", at)
		}
		s.ReadHeaderTimeout = 300 * time.Millisecond
	})
	b.enters()
	base := b.s.site.frame.Base
	let := "Host: " + b.at.Listener.Addr().String() + "\r\nCookie: " + cookie + "=" + b.jar + "\r\nOrigin: " + b.at.URL + "\r\nConnection: close\r\n"
	hidden := "POST " + base + "/begin HTTP/1.1\r\n" + let + "Content-Length: 2\r\n\r\n{}"
	post := "POST " + base + "/view/v/stop HTTP/1.1\r\n" + let
	for name, s := range map[string]struct{ raw, status string }{
		"as it should be":       {"GET " + base + "/page.css HTTP/1.1\r\n" + let + "\r\n", "200"},
		"two lengths":           {post + "Content-Length: 2\r\nContent-Length: 0\r\n\r\n" + hidden, "400"},
		"no length":             {post + "Content-Length: x\r\n\r\n" + hidden, "400"},
		"an unknown coding":     {post + "Transfer-Encoding: xchunked\r\n\r\n" + hidden, "501"},
		"a space behind a name": {post + "Content-Length : 2\r\n\r\n" + hidden, "400"},
		"two hosts":             {"GET " + base + "/ HTTP/1.1\r\nHost: a\r\n" + let + "\r\n", "400"},
		"a long head":           {"GET " + base + "/ HTTP/1.1\r\n" + let + "X: " + strings.Repeat("x", 64<<10) + "\r\n\r\n", "431"},
		"half a head":           {"GET " + base + "/page.css HTTP/1.1\r\nHost:", ""},
		"nothing":               {"", ""},
	} {
		back := b.sends(s.raw)
		if s.status == "" && strings.Contains(back, " 200 ") || s.status != "" && !strings.HasPrefix(back, "HTTP/1.1 "+s.status) || strings.Count(back, "HTTP/1.1 ") > 1 {
			t.Errorf("%s: %.300q", name, back)
		}
	}
	for _, path := range []string{"/../../etc/passwd", "/..%2f..%2fetc%2fpasswd", "/session/..%2f..%2f..%2fetc%2fpasswd", "/audit/..%5c..%5cetc", "/page.css/../../../etc/passwd", "//etc/passwd", "/session/%00"} {
		back := b.asks(http.MethodGet, base+path, "")
		if told, _ := io.ReadAll(back.Body); strings.Contains(string(told), "root:") || strings.Contains(string(told), "/bin/") {
			t.Errorf("%s: %.200s", path, told)
		}
	}
	if len(b.talk.sent) > 0 {
		t.Error("something was sent")
	}
}

// A stream is what a page is told, in turn.
type stream struct {
	t    *testing.T
	in   *bufio.Reader
	view string
}

func (b *browsed) watches() *stream {
	back := b.asks("GET", b.s.site.frame.Base+"/live/s1?dir=/work", "")
	s := &stream{t: b.t, in: bufio.NewReader(back.Body)}
	if err := json.Unmarshal([]byte(s.next()), &s.view); err != nil {
		b.t.Fatal(err)
	}
	return s
}

func (s *stream) next() string {
	s.t.Helper()
	for {
		line, err := s.in.ReadString('\n')
		if err != nil {
			s.t.Fatal(err)
		}
		if data, is := strings.CutPrefix(line, "data: "); is {
			return data
		}
	}
}

// A yes needs what a terminal would have shown: the rows above the diff at least, and the diff, or the same answer again.
func TestWhatWasNotOnThePageIsNotAllowed(t *testing.T) {
	b := browse(t)
	b.enters()
	s := b.watches()
	var c struct{ Asks []struct{ Key string } }
	if err := json.Unmarshal([]byte(s.next()), &c); err != nil || len(c.Asks) != 1 {
		t.Fatal(err, c)
	}
	answer := func(g page.Given) (page.Held, int) {
		g.Key = c.Asks[0].Key
		data, _ := json.Marshal(g)
		back := b.asks("POST", b.s.site.frame.Base+"/view/"+s.view+"/answer", string(data))
		var held page.Held
		_ = json.NewDecoder(back.Body).Decode(&held)
		return held, back.StatusCode
	}
	for _, w := range []struct {
		given  page.Given
		hold   string
		status int
	}{
		{page.Given{Answer: nebula.Yes}, "unread", 409},
		{page.Given{Answer: nebula.Yes, Again: true}, "unread", 409},
		{page.Given{Answer: nebula.Yes, Saw: [][2]int{{1, 99}}}, "unread", 409},
		{page.Given{Answer: nebula.Yes, Saw: [][2]int{{0, 1}}}, "skipped", 409},
		{page.Given{Answer: nebula.Told, Saw: [][2]int{{0, 99}}}, "lacking", 409},
		{page.Given{Answer: "anything", Saw: [][2]int{{0, 99}}}, "lacking", 409},
		{page.Given{Answer: nebula.Yes, Saw: [][2]int{{0, 1}}, Again: true}, "", 200},
		{page.Given{Answer: nebula.Yes, Saw: [][2]int{{0, 99}}}, "", 200},
		{page.Given{Answer: nebula.No, Text: "not that"}, "", 200},
	} {
		held, status := answer(w.given)
		if string(held.Hold) != w.hold || status != w.status {
			t.Errorf("%+v: %d %+v", w.given, status, held)
		}
	}
	for _, want := range []nebula.Command{nebula.Answer{Ask: "q1", Answer: nebula.Yes, By: nebula.Person}, nebula.Answer{Ask: "q1", Answer: nebula.Yes, By: nebula.Person}, nebula.Answer{Ask: "q1", Answer: nebula.No, Text: "not that", By: nebula.Person}} {
		if got := <-b.talk.sent; got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if len(b.talk.sent) > 0 {
		t.Error("more was sent")
	}
}
