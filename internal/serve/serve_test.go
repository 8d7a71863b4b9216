package serve_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"nebula"
	"nebula/client"
	"nebula/internal/nebulatest"
	"nebula/internal/serve"
)

// A memory is a session that remembers what it was sent.
type memory struct {
	past []nebula.Event
	sent chan nebula.Command
}

func (m memory) Send(_ context.Context, c nebula.Command) error { m.sent <- c; return nil }

func (m memory) Events(ctx context.Context, after int64) iter.Seq[nebula.Event] {
	return func(yield func(nebula.Event) bool) {
		for _, e := range m.past {
			if e.Seq > after && !yield(e) {
				return
			}
		}
		<-ctx.Done()
	}
}

// A served is a server at a socket, and its client.
type served struct {
	*client.Client
	http   *http.Client
	talk   memory
	opened atomic.Int32
	left   atomic.Int32
	socket string
	end    context.CancelFunc
	over   chan error
}

func start(t *testing.T, idle time.Duration) *served {
	t.Helper()
	dir, err := os.MkdirTemp("", "s") // a socket's name is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	s := &served{talk: memory{[]nebula.Event{
		{Seq: 1, Body: nebula.Started{Session: "s1", Dir: "/work", Lang: "en"}}, {Seq: 2, Body: nebula.Noted{Level: "info", Text: "x"}},
	}, make(chan nebula.Command, 10)}, socket: serve.Socket(dir), over: make(chan error, 1)}
	ctx, end := context.WithCancel(t.Context())
	s.end = end
	l, err := serve.Listen(ctx, s.socket)
	if err != nil {
		t.Fatal(err)
	}
	host := nebulatest.Host{In: nebula.Folder{Model: "m"}, OnSessions: func() ([]nebula.SessionInfo, error) { return []nebula.SessionInfo{{ID: "s1"}}, nil }, OnOpen: func(id string) (nebula.Conversation, error) {
		if id != "" && id != "s1" {
			return nil, nebula.Errorf("session %s: %w", id, nebula.ErrNoSession)
		}
		s.opened.Add(1)
		return s.talk, nil
	}}
	go func() {
		s.over <- serve.Run(ctx, l, serve.Options{
			Open: func(dir string) (nebula.Host, func() error, error) {
				if dir != "/work" {
					return nil, nil, errors.New("folder " + dir + " does not exist")
				}
				return host, func() error { s.left.Add(1); return nil }, nil
			},
			Lang: "en", Version: "v", Say: func(err error) string { return err.Error() }, Idle: idle, Stop: end,
		})
	}()
	s.Client = client.Dial(s.socket)
	s.http = &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", s.socket)
	}}}
	t.Cleanup(func() {
		end()
		if err := <-s.over; err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *served) begin(t *testing.T) string {
	t.Helper()
	var b serve.Begun
	if err := s.Ask(t.Context(), "POST", "/v1/sessions", serve.Begin{Dir: "/work"}, &b); err != nil {
		t.Fatal(err)
	}
	return b.ID
}

// read takes events of a session from after a Seq until one fits.
func (s *served) read(t *testing.T, after string, until func(nebula.Event) bool) (all []nebula.Event) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	r, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://nebula/v1/sessions/s1/events", nil)
	r.Header.Set("Last-Event-ID", after)
	back, err := s.http.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer back.Body.Close()
	in := bufio.NewReader(back.Body)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			t.Fatalf("the events ended: %v", err)
		}
		data, is := strings.CutPrefix(line, "data: ")
		if !is {
			continue
		}
		var e nebula.Event
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			t.Fatal(err)
		}
		if all = append(all, e); until(e) {
			return all
		}
	}
}

func TestASessionHasOneOwnerAndManyClients(t *testing.T) {
	s := start(t, time.Hour)
	id := s.begin(t)
	if id != "s1" {
		t.Fatal(id)
	}
	far, leave, err := s.Host(t.Context(), "/work")
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	c, err := far.Open(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if n := s.opened.Load(); n != 1 {
		t.Errorf("opened %d times", n)
	}
	first := s.read(t, "0", func(e nebula.Event) bool { return e.Seq == 2 })
	n := 0
	for e := range c.Events(t.Context(), 0) {
		if e.Seq != first[n].Seq {
			t.Errorf("event %d is %d at the other client", e.Seq, first[n].Seq)
		}
		if n++; n == len(first) {
			break
		}
	}
	if err := c.Send(t.Context(), nebula.Close{}); err != nil { // one client leaves
		t.Fatal(err)
	}
	for range c.Events(t.Context(), 0) {
		t.Error("who left hears on")
		break
	}
	var is serve.Standing
	if err := s.Ask(t.Context(), "GET", "/v1/server", nil, &is); err != nil || len(is.Sessions) != 1 || is.Sessions[0].ID != "s1" {
		t.Errorf("%v %+v: the session ended with a client", err, is)
	}
}

func TestAReaderGoesOnWhereItWasCutOff(t *testing.T) {
	s := start(t, time.Hour)
	s.begin(t)
	all := s.read(t, "0", func(e nebula.Event) bool { return e.Seq == 2 })
	rest := s.read(t, fmt.Sprint(all[0].Seq), func(e nebula.Event) bool { return e.Seq == 2 })
	if len(rest) != 1 || rest[0].Seq != 2 {
		t.Errorf("%+v", rest)
	}
}

func TestACommandOfANameIsTakenInOnce(t *testing.T) {
	s := start(t, time.Hour)
	s.begin(t)
	send := func(name string) int {
		data, err := nebula.EncodeCommand(nebula.Answer{Ask: "q1", Answer: nebula.Yes, By: nebula.Person})
		if err != nil {
			t.Fatal(err)
		}
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://nebula/v1/sessions/s1/commands", bytes.NewReader(data))
		r.Header.Set("Idempotency-Key", name)
		back, err := s.http.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, back.Body)
		_ = back.Body.Close()
		return back.StatusCode
	}
	for _, name := range []string{"a", "a", "a", "b", ""} {
		if status := send(name); status != http.StatusOK {
			t.Errorf("%q: %d", name, status)
		}
	}
	if n := len(s.talk.sent); n != 3 {
		t.Errorf("%d commands were taken in", n)
	}
}

// A name stands for one command: another one under it is refused, and nothing is done.
func TestANameStandsForOneCommand(t *testing.T) {
	s := start(t, time.Hour)
	s.begin(t)
	send := func(name, text string) (int, string) {
		data, err := nebula.EncodeCommand(nebula.Submit{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://nebula/v1/sessions/s1/commands", bytes.NewReader(data))
		r.Header.Set("Idempotency-Key", name)
		back, err := s.http.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer back.Body.Close()
		said, _ := io.ReadAll(back.Body)
		return back.StatusCode, string(said)
	}
	for _, c := range []struct {
		name, text string
		status     int
	}{{"a", "one", 200}, {"a", "one", 200}, {"a", "two", 422}, {"b", "two", 200}, {"a", "one", 200}} {
		if status, said := send(c.name, c.text); status != c.status || status != 200 && !strings.Contains(said, "another command") {
			t.Errorf("%s %s: %d %s", c.name, c.text, status, said)
		}
	}
	if n := len(s.talk.sent); n != 2 {
		t.Errorf("%d commands were taken in", n)
	}
}

// What is too long is refused with its bound, and what is just short enough is not.
func TestMessagesHaveABound(t *testing.T) {
	s := start(t, time.Hour)
	s.begin(t)
	for _, c := range []struct {
		path, body string
		status     int
	}{
		{"/v1/sessions/s1/commands", `{"v":1,"type":"submit","text":"` + strings.Repeat("x", nebula.TextMax) + `"}`, 200},
		{"/v1/sessions/s1/commands", `{"v":1,"type":"submit","text":"x` + strings.Repeat("x", nebula.TextMax) + `"}`, 413},
		{"/v1/sessions/s1/commands", `{"v":1,"type":"submit","text":"` + strings.Repeat("x", 33<<20) + `"}`, 413},
		{"/v1/sessions", `{"dir":"` + strings.Repeat("x", 33<<20) + `"}`, 413},
	} {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://nebula"+c.path, strings.NewReader(c.body))
		back, err := s.http.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		said, _ := io.ReadAll(back.Body)
		_ = back.Body.Close()
		if back.StatusCode != c.status || c.status == 413 && !strings.Contains(string(said), "longer than") {
			t.Errorf("%d bytes: %d %s", len(c.body), back.StatusCode, said)
		}
	}
	if n := len(s.talk.sent); n != 1 {
		t.Errorf("%d were taken in", n)
	}
}

// A folder has one host, by whatever name it is asked for; one that was removed and made again is another.
func TestAFolderHasOneHost(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir, link := filepath.Join(top, "f"), filepath.Join(top, "link")
	if err := errors.Join(os.Mkdir(dir, 0o755), os.Symlink(dir, link)); err != nil {
		t.Skip(err)
	}
	var opened []string
	left := 0
	ctx, end := context.WithCancel(t.Context())
	hub := serve.NewHub(func(dir string) (nebula.Host, func() error, error) {
		opened = append(opened, dir)
		return nebulatest.Host{}, func() error { left++; return nil }, nil
	}, "en", time.Hour)
	over := make(chan error, 1)
	go func() { over <- hub.Run(ctx) }()
	ask := func(name string) {
		t.Helper()
		_, leave, err := hub.Host(name)
		if err != nil {
			t.Fatal(err)
		}
		leave()
	}
	for _, name := range []string{dir, dir + "/", link, top + "/./f", link + "/."} {
		ask(name)
	}
	if len(opened) != 1 || opened[0] != dir {
		t.Errorf("opened %q", opened)
	}
	if err := errors.Join(os.Rename(dir, dir+"-old"), os.Mkdir(dir, 0o755)); err != nil {
		t.Skip(err)
	}
	ask(link)
	ask(dir)
	if len(opened) != 2 || left != 1 {
		t.Errorf("made again: opened %q, left %d", opened, left)
	}
	end()
	if err := <-over; err != nil || left != 2 {
		t.Errorf("%v, left %d", err, left)
	}
}

// Who answers is the person, whatever a program says.
func TestNobodyIsNamedForThePerson(t *testing.T) {
	s := start(t, time.Hour)
	s.begin(t)
	for _, by := range []nebula.Decider{"", "policy: approved by the admin", nebula.Nobody} {
		if err := s.Send(t.Context(), "s1", "", nebula.Answer{Ask: "q1", Answer: nebula.Yes, By: by}); err != nil {
			t.Fatal(err)
		}
		if err := s.Send(t.Context(), "s1", "", nebula.Perform{Text: "x", By: by}); err != nil {
			t.Fatal(err)
		}
		a, p := (<-s.talk.sent).(nebula.Answer), (<-s.talk.sent).(nebula.Perform)
		if a.By != nebula.Person || p.By != nebula.Person {
			t.Errorf("%q: %q, %q", by, a.By, p.By)
		}
	}
}

func TestWhatIsAskedWronglyIsSaid(t *testing.T) {
	s := start(t, time.Hour)
	for _, c := range []struct {
		method, path, body, says string
		status                   int
	}{
		{"GET", "/v1/sessions/s1/events", "", "open it first", 404},
		{"POST", "/v1/sessions/s1/commands", `{"v":1,"type":"cancel"}`, "open it first", 404},
		{"POST", "/v1/sessions", `{"dir":"/work","id":"nosuch"}`, "nosuch", 404},
		{"POST", "/v1/sessions", `{"dir":"/nowhere"}`, "does not exist", 400},
		{"POST", "/v1/sessions", `{"folder":"/work"}`, "folder", 400},
		{"POST", "/v1/sessions", `{"dir":"/work"} {}`, "more than one", 400},
		{"POST", "/v1/sessions", `{`, "JSON", 400},
		{"GET", "/v1/folder", "", "dir=", 400},
		{"GET", "/v1/nothing", "", "/v1/openapi.json", 404},
		{"GET", "/v1/pipe?dir=/work", "", "Upgrade", 426},
	} {
		r, _ := http.NewRequestWithContext(t.Context(), c.method, "http://nebula"+c.path, strings.NewReader(c.body))
		back, err := s.http.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		var p serve.Problem
		_ = json.NewDecoder(back.Body).Decode(&p)
		_ = back.Body.Close()
		if back.StatusCode != c.status || !strings.Contains(p.Error, c.says) {
			t.Errorf("%s %s: %d %s", c.method, c.path, back.StatusCode, p.Error)
		}
	}
	s.begin(t)
	for body, says := range map[string]string{`{"v":1,"type":"inform"}`: "inform", `{"v":1,"type":"nonsense"}`: "nonsense", `x`: ""} {
		err := s.Ask(t.Context(), "POST", "/v1/sessions/s1/commands", json.RawMessage(strings.ReplaceAll(body, "x", `"x"`)), nil)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestWhatNobodyUsesIsPutAway(t *testing.T) {
	s := start(t, time.Second)
	s.begin(t)
	for s.left.Load() == 0 {
		time.Sleep(10 * time.Millisecond)
		if t.Context().Err() != nil {
			t.Fatal("it stays open")
		}
	}
	if s.begin(t) != "s1" {
		t.Error("it cannot be opened again")
	}
}

func TestOneServerIsEnough(t *testing.T) {
	s := start(t, time.Hour)
	if _, err := serve.Listen(t.Context(), s.socket); !errors.Is(err, serve.ErrServed) {
		t.Errorf("a second one listens: %v", err)
	}
	info, err := os.Stat(s.socket)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v: others reach it", info.Mode(), err)
	}
	if err := s.Ask(t.Context(), "POST", "/v1/stop", nil, nil); err != nil {
		t.Fatal(err)
	}
	err = <-s.over
	s.over <- err
	if _, err := os.Stat(s.socket); err == nil {
		t.Error("its socket is left")
	}
	if err := os.WriteFile(s.socket, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := serve.Listen(t.Context(), s.socket); err == nil {
		t.Error("a file that somebody keeps there was taken away")
	}
	_ = os.Remove(s.socket)
	killed, err := net.ListenUnix("unix", &net.UnixAddr{Name: s.socket, Net: "unix"}) // what a server that was killed leaves
	if err != nil {
		t.Fatal(err)
	}
	killed.SetUnlinkOnClose(false)
	_ = killed.Close()
	l, err := serve.Listen(t.Context(), s.socket)
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	if _, err := serve.Listen(t.Context(), filepath.Join(t.TempDir(), strings.Repeat("long", 40))); err == nil || !strings.Contains(err.Error(), "NEBULA_HOME") {
		t.Errorf("%v", err)
	}
}

// Another person on this computer cannot reach the socket, and is not spoken to at theirs.
func TestAnotherPersonsSocket(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs to become somebody else")
	}
	setpriv, err := exec.LookPath("setpriv")
	if err != nil {
		nebulatest.Missing(t, err)
	}
	s := start(t, time.Hour)
	if err := os.Chmod(filepath.Dir(s.socket), 0o755); err != nil { // whoever has come to the folder
		t.Fatal(err)
	}
	reaches := func() bool {
		return exec.Command(setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", "test", "-w", s.socket).Run() == nil
	}
	if reaches() {
		t.Error("another person can connect to it")
	}
	if err := os.Chown(s.socket, 65534, 65534); err != nil {
		t.Fatal(err)
	}
	if !reaches() {
		t.Error("nobody is not who was tried")
	}
	if c, err := serve.Connect(t.Context(), s.socket); err == nil || !strings.Contains(err.Error(), "somebody else") {
		t.Errorf("spoken to: %v, %v", c, err)
	}
	if err := s.Ask(t.Context(), "GET", "/v1/server", nil, nil); err == nil || !strings.Contains(err.Error(), "somebody else") {
		t.Errorf("the client speaks to it: %v", err)
	}
}
