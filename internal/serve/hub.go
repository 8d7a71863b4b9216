package serve

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"nebula"
	"nebula/internal/transcript"
)

// Open gives the host of a folder, and what puts it away.
type Open func(dir string) (nebula.Host, func() error, error)

// A Hub holds what is open for everybody: a host for each folder, and of each session the one conversation that all its
// clients read and send to. One goroutine, Run, owns what is open. A folder that nobody looks at and in which nothing goes on is
// put away after a while; its sessions can be opened again.
type Hub struct {
	open  Open
	lang  string
	idle  time.Duration
	inbox chan func()
	over  chan struct{}

	look func(empty time.Duration) // is told now and then how long nothing has been open; nil for nobody

	places map[string]*folder // by folder; Run's
	talks  map[string]*talk   // by session; Run's
}

// NewHub is a hub in which nothing is open yet. What nobody uses is put away after idle.
func NewHub(open Open, lang string, idle time.Duration) *Hub {
	return &Hub{open: open, lang: lang, idle: idle, inbox: make(chan func()), over: make(chan struct{}),
		places: map[string]*folder{}, talks: map[string]*talk{}}
}

// A folder is one that is open.
type folder struct {
	dir   string                      // without links
	is    fs.FileInfo                 // which folder that was when it was opened; nil for none
	begin func() (nebula.Host, error) // opens it, the first time
	leave func() error                // set by begin
	users int                         // who reads or asks something of it now
	used  time.Time                   // when the last of them left
}

// A talk is a session that is open, and how it stands as far as its clients need to know.
type talk struct {
	place *folder
	begin func() (nebula.Conversation, error)
	open  nebula.Conversation // nil until begin has ended
	seen  *transcript.Transcript
	seq   int64            // of the last event in it
	taken map[string]named // commands that clients gave a name of their own
	order []string         // those names, the oldest first
}

// A named command is one that its client gave a name.
type named struct {
	hash string // of the command
	err  error  // what came of it
}

// Run owns what is open, until ctx ends; then it is put away. The error is what broke a session.
func (h *Hub) Run(ctx context.Context) error {
	defer close(h.over)
	tick := time.NewTicker(max(h.idle/4, time.Second))
	defer tick.Stop()
	var errs []error
	last := time.Now()
	for {
		select {
		case f := <-h.inbox:
			f()
		case now := <-tick.C:
			if len(h.places) > 0 {
				last = now
			}
			if h.look != nil {
				h.look(now.Sub(last))
			}
			for _, p := range h.places {
				if p.users == 0 && now.Sub(p.used) > h.idle && !h.works(p) {
					errs = append(errs, h.away(p))
				}
			}
		case <-ctx.Done():
			for _, p := range h.places {
				errs = append(errs, h.away(p))
			}
			return errors.Join(errs...)
		}
	}
}

// works reports whether something goes on in a folder that nobody needs to look at.
func (h *Hub) works(p *folder) bool {
	for _, t := range h.talks {
		if t.place == p && t.open != nil && (t.seen.Busy || t.seen.Beside.Runs()) {
			return true
		}
	}
	return false
}

func (h *Hub) away(p *folder) error {
	delete(h.places, p.dir)
	for id, t := range h.talks {
		if t.place == p {
			delete(h.talks, id)
		}
	}
	if _, err := p.begin(); err != nil {
		return nil //nolint:nilerr // it was never open, and who asked for it was told
	}
	return p.leave()
}

// errOver says that the server is being ended.
var errOver = nebula.Errorf("nebula serve is ending")

// do has the owner do something, and waits for it.
//
//go:noinline
func (h *Hub) do(f func()) error {
	done := make(chan struct{})
	select {
	case h.inbox <- func() { f(); close(done) }:
		<-done
		return nil
	case <-h.over:
		return errOver
	}
}

// Host is the host of a folder as all its clients have it: its sessions are shared, and no client ends one by leaving it. The
// function must be called by who needs it no longer. A folder has one host, however it is named; where it was removed and made
// again it is another, and what was open of the old one is put away.
func (h *Hub) Host(dir string) (nebula.Host, func(), error) {
	var p *folder
	dir, is := resolved(dir)
	err := h.do(func() {
		if p = h.places[dir]; p != nil && p.is != nil && is != nil && !os.SameFile(p.is, is) {
			_ = h.away(p) // whatever it says is said of a folder that is no more
			p = nil
		}
		if p == nil {
			p = &folder{dir: dir, is: is}
			p.begin = sync.OnceValues(func() (host nebula.Host, err error) {
				host, p.leave, err = h.open(dir)
				return host, err
			})
			h.places[dir] = p
		}
		p.users++
	})
	if err != nil {
		return nil, nil, err
	}
	host, err := p.begin()
	if err != nil {
		_ = h.do(func() {
			if h.places[dir] == p {
				delete(h.places, dir)
			}
		})
		return nil, nil, err
	}
	return &shared{Host: host, hub: h, place: p}, sync.OnceFunc(func() { h.less(p) }), nil
}

// resolved is a folder's path without links, and which folder that is now; nil where there is none.
func resolved(dir string) (string, fs.FileInfo) {
	dir = filepath.Clean(dir)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	is, _ := os.Stat(dir) // whoever opens it says what is wrong with it
	return dir, is
}

//go:noinline
func (h *Hub) less(p *folder) {
	_ = h.do(func() { p.users--; p.used = time.Now() }) // else all is put away
}

// Session is an open session by its id; nil where it is not open.
func (h *Hub) Session(id string) (c *Joined, leave func(), err error) {
	var t *talk
	err = h.do(func() {
		if t = h.talks[id]; t != nil && t.open != nil {
			t.place.users++
			return
		}
		t = nil
	})
	if t == nil || err != nil {
		return nil, func() {}, err
	}
	return h.join(t), sync.OnceFunc(func() { h.less(t.place) }), nil
}

// An OpenSession tells of a session that is open.
type OpenSession struct {
	ID      string `json:"id"`
	Dir     string `json:"dir"`
	Busy    bool   `json:"busy,omitempty"`    // a turn is under way
	Waits   bool   `json:"waits,omitempty"`   // for an answer of the person
	Behind  bool   `json:"behind,omitempty"`  // something goes on in the background
	Clients int    `json:"clients,omitempty"` // of its folder
}

// Sessions are those that are open.
func (h *Hub) Sessions() (list []OpenSession, err error) {
	list = []OpenSession{}
	err = h.do(func() {
		for id, t := range h.talks {
			if t.open != nil {
				list = append(list, OpenSession{ID: id, Dir: t.place.dir, Busy: t.seen.Busy, Waits: t.seen.Ask != nil, Behind: t.seen.Beside.Runs(), Clients: t.place.users})
			}
		}
	})
	return list, err
}

// A shared host is one of several clients'.
type shared struct {
	nebula.Host
	hub   *Hub
	place *folder
}

// Open implements nebula.Host: a session that is open already is joined.
func (s *shared) Open(_ context.Context, id string) (nebula.Conversation, error) {
	_, c, err := s.enter(id)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// enter opens a session or joins it, and tells its id.
func (s *shared) enter(id string) (string, *Joined, error) {
	t := &talk{place: s.place, seen: transcript.New(s.hub.lang), taken: map[string]named{}}
	t.begin = sync.OnceValues(func() (nebula.Conversation, error) { return s.Host.Open(context.Background(), id) }) // it outlives who opens it
	if id != "" {
		if err := s.belongs(id); err != nil {
			return "", nil, err
		}
		if err := s.hub.do(func() {
			if was := s.hub.talks[id]; was != nil {
				t = was
			} else {
				s.hub.talks[id] = t
			}
		}); err != nil {
			return "", nil, err
		}
	}
	c, err := t.begin()
	if err == nil {
		id, err = begun(c, id)
	}
	if err != nil {
		_ = s.hub.do(func() { s.hub.drop(id, t) })
		return "", nil, err
	}
	if err := s.hub.do(func() {
		if t.open == nil {
			t.open = c
			s.hub.talks[id] = t
			go s.hub.follow(id, t, c)
		}
	}); err != nil {
		return "", nil, err
	}
	return id, s.hub.join(t), nil
}

// belongs reports an error where a session is none of the folder's: what it does would be done elsewhere than it says.
func (s *shared) belongs(id string) error {
	var at *folder
	if err := s.hub.do(func() {
		if t := s.hub.talks[id]; t != nil {
			at = t.place
		}
	}); err != nil || at == s.place {
		return err
	}
	list, err := s.Sessions(context.Background(), "")
	if err == nil && (at != nil || !slices.ContainsFunc(list, func(i nebula.SessionInfo) bool { return i.ID == id })) {
		err = nebula.Errorf("session %s: %w", id, nebula.ErrNoSession)
	}
	return err
}

// begun is the id of a session, by the head of its opening.
func begun(c nebula.Conversation, id string) (string, error) {
	for e := range c.Events(context.Background(), nebula.FromOpening) {
		if s, ok := e.Body.(nebula.Started); ok {
			return s.Session, nil
		}
		break
	}
	if id == "" {
		return "", nebula.Errorf("the session has ended")
	}
	return id, nil
}

func (h *Hub) drop(id string, t *talk) {
	if h.talks[id] == t {
		delete(h.talks, id)
	}
}

// follow keeps in mind how a session stands, until it ends.
func (h *Hub) follow(id string, t *talk, c nebula.Conversation) {
	for e := range c.Events(context.Background(), nebula.FromOpening) {
		if e.Body.Transient() {
			continue
		}
		if h.do(func() { t.seen.Apply(e); t.seq = e.Seq }) != nil {
			return
		}
	}
	_ = h.do(func() { h.drop(id, t) })
}

func (h *Hub) join(t *talk) *Joined {
	ctx, leave := context.WithCancel(context.Background())
	return &Joined{hub: h, talk: t, ctx: ctx, leave: leave}
}

// A Joined conversation is a session as one of its clients has it: to close it is to leave it.
type Joined struct {
	hub   *Hub
	talk  *talk
	ctx   context.Context //nolint:containedctx // of the client's stay
	leave context.CancelFunc
}

// Send implements nebula.Conversation.
func (j *Joined) Send(ctx context.Context, c nebula.Command) error {
	switch given := c.(type) {
	case nebula.Submit:
		if len(given.Text) > nebula.TextMax {
			return errTooLong
		}
	case nebula.Close:
		j.leave()
		return nil
	case nebula.Inform:
		return nebula.Errorf("a front end cannot inform a session")
	case nebula.Answer: // who reaches the socket is the person, and nobody else can be named
		given.By = nebula.Person
		c = given
	case nebula.Perform:
		given.By = nebula.Person
		c = given
	}
	return j.talk.open.Send(ctx, c)
}

// kept is how many names of commands a session keeps in mind.
const kept = 1000

// SendOnce sends a command that its client gave a name. The same one is not sent a second time under that name: what came of the
// first is what comes of all. Another one of that name is not sent at all.
func (j *Joined) SendOnce(ctx context.Context, name string, c nebula.Command) error {
	if name == "" {
		return j.Send(ctx, c)
	}
	data, err := nebula.EncodeCommand(c)
	if err != nil {
		return err
	}
	t, hash := j.talk, nebula.Hash(data)
	var before named
	var again bool
	if err := j.hub.do(func() {
		if before, again = t.taken[name]; again {
			return
		}
		t.taken[name] = named{hash, errUnderWay}
		if t.order = append(t.order, name); len(t.order) > kept {
			delete(t.taken, t.order[0])
			t.order = t.order[1:]
		}
	}); err != nil {
		return err
	}
	switch {
	case again && before.hash != hash:
		return nebula.Errorf("%w %s", errOtherNamed, strconv.Quote(name))
	case again:
		return before.err
	}
	err = j.Send(ctx, c)
	_ = j.hub.do(func() { t.taken[name] = named{hash, err} })
	return err
}

// errUnderWay is what comes of a command that is being taken in under the same name.
var errUnderWay = nebula.Errorf("a command of that name is being taken in; ask again")

// errOtherNamed is what comes of a command under a name that another one has.
var errOtherNamed = nebula.Errorf("nothing was done: another command was sent before under this name; give each command a name of its own. The name is")

// errTooLong is what comes of a message that is longer than one may be.
var errTooLong = nebula.Errorf("the message is longer than %d MB; put the bulk of it into a file in the folder and name the file", nebula.TextMax>>20)

// Events implements nebula.Conversation.
func (j *Joined) Events(ctx context.Context, after int64) iter.Seq[nebula.Event] {
	return func(yield func(nebula.Event) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(j.ctx, stop)()
		for e := range j.talk.open.Events(ctx, after) {
			if j.ctx.Err() != nil || !yield(e) {
				return
			}
		}
	}
}
