package mcp

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"nebula"
	"nebula/internal/helper"
	"nebula/internal/lists"
)

// Options are what servers are used with.
type Options struct {
	Servers []Server
	Waiting []string // names of servers that the folder brings and nobody agreed to
	Launch  func(Server) (helper.Launch, error)
	Lang    string              // of what is said beside what servers say
	Env     func(string) string // what variables in a server's settings stand for
	Cache   string              // the folder in which is kept what servers offered when it was agreed to
	Logins  Logins              // where logins at servers are kept; nil where nobody logs in
	// Reach is how a host is reached that a server names for a login; nil is the usual way.
	Reach  func(server, host string) http.RoundTripper
	Count  func(string) int   // tokens
	Found  int                // tokens of what a search shows, 1,200
	Output int                // bytes of a result that the model reads, 24 KiB
	Warn   func(nebula.Words) // tells the person of what is odd about a server; nil tells nobody
	Rest   time.Duration      // after which a server that nobody uses is ended, 5 minutes
}

// A Tool is what a server offers.
type Tool struct {
	Server      string          `json:"server"`
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"`
	Ruins       bool            `json:"ruins,omitempty"` // its server says that it may destroy
}

// Full is the name by which a model calls it.
//
//go:noinline
func (t Tool) Full() string { return t.Server + "." + t.Name }

// Text is everything that a server says of a tool, as a person compares it.
func (t Tool) Text() string {
	schema, _ := json.MarshalIndent(t.Schema, "", "  ") // it was JSON
	text := t.Full() + "\n" + t.Description + "\n" + string(schema) + "\n"
	if t.Ruins {
		text += "destructive\n"
	}
	return text
}

// A Hub is the servers of a folder.
type Hub struct {
	o     Options
	shelf atomic.Pointer[shelf]
}

// A shelf is what a hub has. Nobody changes one: another takes its place.
type shelf struct {
	links   []*link
	waiting []string
	known   map[string][]Tool // by server: as they were agreed to
	now     map[string][]Tool // as the running server says, where that was asked
	faults  map[string]string // why a server gave no answer
}

// New makes the hub. No server is started.
func New(o Options) *Hub {
	o.Found, o.Output, o.Rest = cmp.Or(o.Found, 1200), cmp.Or(o.Output, 24<<10), cmp.Or(o.Rest, 5*time.Minute)
	if o.Warn == nil {
		o.Warn = func(nebula.Words) {}
	}
	h := &Hub{o: o}
	h.shelf.Store(&shelf{known: map[string][]Tool{}, now: map[string][]Tool{}, faults: map[string]string{}})
	h.Use(o.Servers, o.Waiting)
	return h
}

// change puts a changed shelf in the place of the one there is.
func (h *Hub) change(do func(*shelf)) {
	for {
		was := h.shelf.Load()
		is := &shelf{lists.Clone(was.links), was.waiting, maps.Clone(was.known), maps.Clone(was.now), maps.Clone(was.faults)}
		do(is)
		if h.shelf.CompareAndSwap(was, is) {
			return
		}
	}
}

// Use takes servers in that were not there before, and says which others the folder brings that wait for the person.
func (h *Hub) Use(servers []Server, waiting []string) {
	for _, s := range servers {
		life, end := context.WithCancel(context.Background())
		made := &link{life: life, end: end, server: s, launch: h.o.Launch, env: h.o.Env, rest: h.o.Rest, logins: h.o.Logins, warn: h.o.Warn, reach: h.o.Reach, own: make(chan struct{}, 1)}
		tools, known := h.read(s)
		h.change(func(to *shelf) {
			if slices.ContainsFunc(to.links, func(l *link) bool { return l.server.Name == s.Name }) {
				return
			}
			if to.links = append(to.links, made); known {
				to.known[s.Name] = tools
			}
		})
	}
	h.change(func(to *shelf) { to.waiting = waiting })
}

// Close ends every server, and returns when they have ended.
func (h *Hub) Close() {
	var all sync.WaitGroup
	for _, l := range h.shelf.Load().links {
		all.Go(l.close)
	}
	all.Wait()
}

// Running are the names of the servers that run.
func (h *Hub) Running() (names []string) {
	for _, l := range h.shelf.Load().links {
		if l.running() {
			names = append(names, l.server.Name)
		}
	}
	return names
}

// Standing names all servers, those that run and those that wait for the person with a word for it.
func (h *Hub) Standing(runs, waits string) (all []string) {
	on := h.shelf.Load()
	for _, l := range on.links {
		name := l.server.Name
		if l.running() {
			name += " (" + runs + ")"
		}
		all = append(all, name)
	}
	for _, name := range on.waiting {
		all = append(all, name+" ("+waits+")")
	}
	return all
}

func (s *shelf) link(server string) *link {
	for _, l := range s.links {
		if l.server.Name == server {
			return l
		}
	}
	return nil
}

// file is where is kept what a server offers: one that is started in another way is another.
func (h *Hub) file(s Server) string {
	sum := sha256.Sum256([]byte(s.Name + "\n" + s.Text()))
	return filepath.Join(h.o.Cache, s.Name+"-"+hex.EncodeToString(sum[:6])+".json")
}

func (h *Hub) read(s Server) (tools []Tool, ok bool) {
	data, err := os.ReadFile(h.file(s))
	return tools, err == nil && json.Unmarshal(data, &tools) == nil
}

// keep notes what a server offers as what is agreed to. Where it cannot be written it holds until nebula ends.
func (h *Hub) keep(s Server, tools []Tool) {
	h.change(func(to *shelf) { to.known[s.Name] = tools })
	data, _ := json.Marshal(tools) // it was JSON
	if os.MkdirAll(h.o.Cache, 0o700) != nil {
		return
	}
	tmp, err := os.CreateTemp(h.o.Cache, ".tools-*")
	if err != nil {
		return
	}
	_, err = tmp.Write(data)
	if closed := tmp.Close(); err != nil || closed != nil || os.Rename(tmp.Name(), h.file(s)) != nil {
		_ = os.Remove(tmp.Name())
	}
}

// Look asks a server what it offers, starting it where it does not run. What it offers when it is first asked is what
// is agreed to.
func (h *Hub) Look(ctx context.Context, server string) ([]Tool, error) {
	l := h.shelf.Load().link(server)
	if l == nil {
		return nil, nebula.Errorf("no server %q", server)
	}
	tools, err := l.tools(ctx)
	if err != nil {
		return nil, err
	}
	h.change(func(to *shelf) { to.now[server] = tools })
	if _, before := h.shelf.Load().known[server]; !before {
		h.keep(l.server, tools)
	}
	return tools, nil
}

// A Standing is a tool as it is and as it was agreed to: nil for what is not there.
type Standing struct{ Now, Agreed *Tool }

// Changed reports whether the server says something else of it than when it was agreed to.
func (s Standing) Changed() bool {
	return s.Now != nil && (s.Agreed == nil || s.Now.Text() != s.Agreed.Text())
}

// standing looks a tool up by its whole name. A server that was not asked in this run is taken by its word.
func (h *Hub) standing(full string) (s Standing, l *link, ok bool) {
	server, name, _ := strings.Cut(full, ".")
	on := h.shelf.Load()
	if l = on.link(server); l == nil {
		return s, nil, false
	}
	find := func(list []Tool) *Tool {
		if i := slices.IndexFunc(list, func(t Tool) bool { return t.Name == name }); i >= 0 {
			return &list[i]
		}
		return nil
	}
	s.Agreed = find(on.known[server])
	now, asked := on.now[server]
	if s.Now = find(now); !asked {
		s.Now = s.Agreed
	}
	return s, l, s.Now != nil
}

// agree keeps the person's word on a tool as it is now.
func (h *Hub) agree(l *link, t Tool) {
	list := lists.Drop(lists.Clone(h.shelf.Load().known[l.server.Name]), func(o Tool) bool { return o.Name == t.Name })
	h.keep(l.server, append(list, t))
}

// starting is how long a search waits for servers that are started for it.
const starting = 10 * time.Second

// prepared asks the servers that nobody asked yet, side by side, and says of each that gave no answer why. One that gave
// none is asked again when it is named. What takes longer goes on, for the next search.
func (h *Hub) prepared(ctx context.Context, query string) (faults []string) {
	on := h.shelf.Load()
	done := make(chan struct{}, len(on.links))
	var asked []string
	for _, l := range on.links {
		name := l.server.Name
		if _, known := on.known[name]; known || on.faults[name] != "" && !strings.Contains(strings.ToLower(query), strings.ToLower(name)) {
			continue
		}
		asked = append(asked, name)
		h.change(func(to *shelf) { to.faults[name] = "server " + name + " is being started; look again in a while" })
		go func() {
			fault := ""
			if _, err := h.Look(l.life, name); err != nil {
				fault = cut(err.Error(), 300)
			}
			h.change(func(to *shelf) { to.faults[name] = fault })
			done <- struct{}{}
		}()
	}
	ctx, stop := context.WithTimeout(ctx, starting)
	defer stop()
	for range asked {
		select {
		case <-done:
		case <-ctx.Done():
		}
	}
	on = h.shelf.Load()
	for _, l := range on.links {
		if f := on.faults[l.server.Name]; f != "" {
			faults = append(faults, f)
		}
	}
	return faults
}

// listed are all tools as a model may read of them: those that were agreed to, in the words of then.
//
//go:noinline
func (h *Hub) listed() (list []Tool) {
	on := h.shelf.Load()
	for _, l := range on.links {
		list = append(list, on.known[l.server.Name]...)
	}
	return list
}
