package serve

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/page"
)

// How long a link is good, how long who came by one stays, and how many of each are kept: the oldest makes way.
const (
	linkGood = 10 * time.Minute
	stayGood = 30 * 24 * time.Hour
	passMost = 100
)

// A site is the page for browsers, at the loopback of this computer and only where somebody asked for it. Whoever reaches the
// loopback is anybody who works on this computer, and every page of the internet that the person's browser shows: so nothing
// is answered without the cookie that a link was changed for, once. The hub's goroutine owns what it holds.
type site struct {
	server  *Server
	frame   page.Frame
	http    *http.Server
	port    int // 0 as long as nobody asked for it
	links   []pass
	stays   []pass
	viewers map[string]*viewer // by the names that their pages were given
}

// A pass is a secret that opens something until a time. What is kept is its hash.
type pass struct {
	hash  [sha256.Size]byte
	until time.Time
}

// newSite is a site that nobody reaches yet. All of it is below a path that nobody guesses, since a browser sends the cookie of
// one server on the loopback to all others there, unless their paths differ.
func newSite(s *Server, lang string) *site {
	w := &site{server: s, frame: page.Frame{Lang: lang, Base: "/" + rand.Text()}, viewers: map[string]*viewer{}}
	w.http = &http.Server{Handler: w.handler(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10}
	return w
}

// A WebLink asks for a way to the page.
type WebLink struct {
	Dir  string `json:"dir,omitempty"`  // whose sessions stand first
	Port int    `json:"port,omitempty"` // to listen at; 0 for any
}

// A WebAddress opens the page, once.
type WebAddress struct {
	URL string `json:"url"`
}

// web opens the page, where it is not open yet, and makes a link to it.
func (s *Server) web(_ http.ResponseWriter, r *http.Request) (any, error) {
	var in WebLink
	if err := read(r, &in); err != nil {
		return nil, err
	}
	w, key, port, failed := s.site, rand.Text(), 0, error(nil)
	err := s.Hub.do(func() {
		if failed = w.listen(in.Port); failed == nil {
			w.links, port = remember(w.links, key, linkGood), w.port
		}
	})
	if err != nil {
		return nil, err
	}
	if failed != nil {
		return nil, refused{http.StatusConflict, failed}
	}
	query := url.Values{"key": {key}}
	if in.Dir != "" {
		query.Set("dir", in.Dir)
	}
	return WebAddress{"http://127.0.0.1:" + strconv.Itoa(port) + w.frame.Base + "/open?" + query.Encode()}, nil
}

// listen listens at a port of the loopback, from then on.
func (w *site) listen(port int) error {
	if w.port != 0 && (port == 0 || port == w.port) {
		return nil
	}
	if w.port != 0 {
		return nebula.Errorf("the page is at port %d already", w.port)
	}
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return err
	}
	w.port = l.Addr().(*net.TCPAddr).Port
	go func() { _ = w.http.Serve(l) }() // until the server ends
	return nil
}

func remember(list []pass, secret string, good time.Duration) []pass {
	now := time.Now()
	list = lists.Drop(list, func(p pass) bool { return now.After(p.until) })
	if len(list) >= passMost {
		list = lists.Delete(list, 0, 1)
	}
	return append(list, pass{sha256.Sum256([]byte(secret)), now.Add(good)})
}

// holds is where a secret is among passes; -1 where it is none of them. Hashes are compared, so that the time it takes says nothing.
func holds(list []pass, secret string) int {
	hash, now := sha256.Sum256([]byte(secret)), time.Now()
	return slices.IndexFunc(list, func(p pass) bool { return p.hash == hash && now.Before(p.until) })
}

// cookie is the name of the cookie of who came by a link.
const cookie = "nebula"

// open changes the secret of a link for a cookie. It can be changed once.
func (w *site) open(rw http.ResponseWriter, r *http.Request) error {
	secret, good := rand.Text()+rand.Text(), false
	if r.Method != http.MethodGet { // who looks whether it is there does not use it up
		return errStranger
	}
	if err := w.server.Hub.do(func() {
		if i := holds(w.links, r.FormValue("key")); i >= 0 {
			good = true
			w.links = lists.Delete(w.links, i, i+1)
			w.stays = remember(w.stays, secret, stayGood)
		}
	}); err != nil {
		return err
	}
	if !good {
		return errStranger
	}
	http.SetCookie(rw, &http.Cookie{Name: cookie, Value: secret, Path: w.frame.Base + "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, MaxAge: int(stayGood / time.Second)})
	query := ""
	if dir := r.FormValue("dir"); dir != "" {
		query = url.Values{"dir": {dir}}.Encode()
	}
	show(rw, http.StatusOK, w.frame.Onward(query))
	return nil
}

// errStranger is what who did not come by a link is told, and no more.
var errStranger = refusal(http.StatusUnauthorized, "nebula web prints a link that opens this page, once; this one was used, is too old, or is none")

// known reports whether a request comes from who came by a link.
func (w *site) known(r *http.Request) bool {
	c, err := r.Cookie(cookie)
	if err != nil {
		return false
	}
	known := false
	err = w.server.Hub.do(func() { known = holds(w.stays, c.Value) >= 0 })
	return err == nil && known
}

// here are the names that this computer's loopback has in a browser. A name of the internet that leads here is none of them.
var here = []string{"127.0.0.1", "localhost", "[::1]"}

// foreign says why a request comes from elsewhere; nil where it does not. A page of another server, also of one at this very
// computer, asks for nothing here.
func foreign(r *http.Request) error {
	name := r.Host
	if i := strings.LastIndexByte(name, ':'); i >= 0 && !strings.HasSuffix(name, "]") {
		name = name[:i]
	}
	if !lists.Has(here, name) {
		return refusal(http.StatusMisdirectedRequest, "%s is no name of this computer's loopback", r.Host)
	}
	origin, from := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")
	asks := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch {
	case origin != "" && origin != "http://"+r.Host, origin == "" && !asks, from != "" && from != "same-origin" && (from != "none" || !asks):
		return refusal(http.StatusForbidden, "another page asks for that")
	}
	return nil
}
