//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"nebula"
	"nebula/client"
	"nebula/internal/nebulatest"
	"nebula/internal/serve"
)

// A served is nebula serve in a process of its own, and a client of it.
type served struct {
	*bed
	client *client.Client
	http   *http.Client
	pid    int // of the server
}

func newServed(t *testing.T) *served {
	t.Helper()
	b := newBed(t)
	home, err := os.MkdirTemp("", "n") // a socket's name is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	b.home = home
	socket := serve.Socket(home)
	return &served{bed: b, client: client.Dial(socket), http: &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}}}}
}

// begins starts the server and waits until it answers; the function kills it.
func (s *served) begins() (kill func()) {
	s.t.Helper()
	c := s.command("serve")
	var said bytes.Buffer
	c.Stderr = &said
	if err := c.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.pid = c.Process.Pid
	kill = func() { _ = c.Process.Kill(); _ = c.Wait() }
	s.t.Cleanup(kill)
	for range 3000 {
		if s.client.Ask(s.t.Context(), "GET", "/v1/server", nil, nil) == nil {
			return kill
		}
		if c.ProcessState != nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.t.Fatalf("nebula serve does not answer: %s", said.String())
	return kill
}

func (s *served) opens(id string) string {
	s.t.Helper()
	id, err := s.client.Begin(s.t.Context(), s.folder, id)
	if err != nil {
		s.t.Fatal(err)
	}
	return id
}

func (s *served) sends(id, name string, c nebula.Command) error {
	return s.client.Send(s.t.Context(), id, name, c)
}

// reads gives the data of a session's events from after a Seq, as they came, until one fits or the server is gone.
func (s *served) reads(ctx context.Context, id string, after int64, until func(nebula.Event) bool) (stored []string, last int64) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://nebula/v1/sessions/"+id+"/events", nil)
	if err != nil {
		s.t.Error(err)
		return nil, after
	}
	r.Header.Set("Last-Event-ID", fmt.Sprint(after))
	last = after
	back, err := s.http.Do(r)
	if err != nil {
		return nil, last
	}
	defer back.Body.Close()
	lines := bufio.NewScanner(back.Body)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		data, is := strings.CutPrefix(lines.Text(), "data: ")
		if !is {
			continue
		}
		var e nebula.Event
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			s.t.Errorf("%v: %s", err, data)
			return stored, last
		}
		if !e.Body.Transient() {
			stored, last = append(stored, data), e.Seq
		}
		if until(e) {
			break
		}
	}
	return stored, last
}

func ends(e nebula.Event) bool { _, ok := e.Body.(nebula.Ended); return ok }

// Of two clients the first valid answer counts, both see it, and who comes later sees all of it.
func TestTwoClientsSteerOneSession(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server in a process of its own")
	}
	s := newServed(t)
	s.begins()
	s.server.Answers = nil
	s.server.Add(nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: "writeFile", Arguments: []byte(`{"path":"a.txt","content":"a\n","reason":"to have it"}`)}}}, nebulatest.Answer{Text: "Written."})
	id := s.opens("")
	if err := s.sends(id, "one", nebula.Submit{Text: "write a.txt"}); err != nil {
		t.Fatal(err)
	}
	seen := make(chan []string)
	go func() {
		all, _ := s.reads(t.Context(), id, 0, ends)
		seen <- all
	}()
	var ask string
	s.reads(t.Context(), id, 0, func(e nebula.Event) bool {
		if a, ok := e.Body.(nebula.Asked); ok {
			ask = a.Ask
		}
		return ask != ""
	})
	if err := s.sends(id, "no", nebula.Answer{Ask: ask, Answer: nebula.No, By: nebula.Person}); err != nil {
		t.Fatal(err)
	}
	if err := s.sends(id, "yes", nebula.Answer{Ask: ask, Answer: nebula.Yes, By: nebula.Person}); err == nil {
		t.Error("a second answer was taken")
	}
	first := <-seen
	again, _ := s.reads(t.Context(), id, 0, ends)
	if !slices.Equal(first, again) {
		t.Errorf("%d events, and %d later", len(first), len(again))
	}
	if _, err := os.Stat(filepath.Join(s.folder, "a.txt")); err == nil {
		t.Error("what was refused was done")
	}
	c := s.command("--session", id, "-p", "go on")
	if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), "attach") {
		t.Errorf("another process goes on with it: %s", out)
	}
}

// A server that is killed again and again loses nothing that it said was taken in, and a reader that comes back has every
// event once, to the letter.
func TestAKilledServerLosesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("kills a server again and again")
	}
	s := newServed(t)
	s.server.Answers = func(n int, _ []byte) *nebulatest.Answer { return &nebulatest.Answer{Text: fmt.Sprintf("answer %d", n)} }
	times := 5
	if os.Getenv("NEBULA_LONG") != "" {
		times = 100
	}
	id, last := "", int64(0)
	var heard []string
	for i := range times {
		kill := s.begins()
		id = s.opens(id)
		text := fmt.Sprintf("message %d", i)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for range 1000 {
				if s.sends(id, text, nebula.Submit{Text: text}) == nil {
					return
				}
				time.Sleep(5 * time.Millisecond)
			}
		}()
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		var more []string
		more, last = s.reads(ctx, id, last, func(e nebula.Event) bool {
			said, ok := e.Body.(nebula.Submitted)
			return ok && said.Text == text
		})
		stop()
		heard = append(heard, more...)
		<-done
		time.Sleep(time.Duration(i%7) * 10 * time.Millisecond)
		kill()
	}
	s.begins()
	s.opens(id)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	all, _ := s.reads(ctx, id, 0, func(e nebula.Event) bool { return e.Seq >= last })
	if !slices.Equal(heard, all) {
		t.Errorf("heard %d events, the record holds %d", len(heard), len(all))
	}
	for i := range times {
		if n := strings.Count(strings.Join(all, "\n"), fmt.Sprintf(`"text":"message %d"`, i)); n != 1 {
			t.Errorf("message %d is there %d times", i, n)
		}
	}
}

// A request that is handed over is worked on when its command has ended, under what was given with it, and can be gone on with.
func TestARequestIsHandedOver(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server in a process of its own")
	}
	s := newServed(t)
	t.Cleanup(func() { _ = s.command("serve", "--stop").Run() })
	s.server.Answers = nil
	s.server.Add(nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: "writeFile", Arguments: []byte(`{"path":"a.txt","content":"a\n","reason":"to have it"}`)}}}, nebulatest.Answer{Text: "Written."},
		nebulatest.Answer{Text: "Well."})
	id := strings.TrimSpace(s.output("run", "--detach", "--approve", "edits", "write a.txt"))
	s.reads(t.Context(), id, 0, ends)
	if data, err := os.ReadFile(filepath.Join(s.folder, "a.txt")); string(data) != "a\n" {
		t.Errorf("%q %v", data, err)
	}
	if again := strings.TrimSpace(s.output("run", "--detach", "--continue", "and now?")); again != id {
		t.Errorf("it goes on with %s", again)
	}
	n := 0
	s.reads(t.Context(), id, 0, func(e nebula.Event) bool {
		if ends(e) {
			n++
		}
		return n == 2
	})
	if out, err := s.command("run", "--detach", "--max-steps", "3", "x").CombinedOutput(); err == nil || !strings.Contains(string(out), "config set") {
		t.Errorf("%s", out)
	}
}

// serve ends at a signal, and takes its socket away.
func TestServeEndsAtASignal(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server in a process of its own")
	}
	s := newServed(t)
	c := s.command("serve")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for range 3000 {
		if s.client.Ask(t.Context(), "GET", "/v1/server", nil, nil) == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.opens("")
	if out, err := s.command("serve").CombinedOutput(); err == nil || !strings.Contains(string(out), "attach") {
		t.Errorf("a second one runs: %s", out)
	}
	_ = c.Process.Signal(syscall.SIGTERM)
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(serve.Socket(s.home)); err == nil {
		t.Error("its socket is left")
	}
}

// Every command that needs the server asks first whether it answers, for which it waits seconds, and asks nothing of one that does not.
func TestTheServerIsHailedFirst(t *testing.T) {
	if testing.Short() {
		t.Skip("starts nebula in processes of its own")
	}
	s := newServed(t)
	l, err := net.Listen("unix", serve.Socket(s.home))
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	listener := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		w.WriteHeader(http.StatusTeapot)
	})}
	served := make(chan struct{})
	go func() { defer close(served); _ = listener.Serve(l) }()
	for _, args := range [][]string{{"web"}, {"serve", "--stop"}, {"run", "--detach", "x"}} {
		if out, err := s.command(args...).CombinedOutput(); err == nil || !strings.Contains(string(out), "418") {
			t.Errorf("%v: %v %s", args, err, out)
		}
	}
	_ = listener.Close()
	if <-served; strings.Join(asked, " ") != "/v1/server /v1/server /v1/server" {
		t.Error(asked)
	}
}

// Who looks at a session is told that its server has ended, and how to go on.
func TestATerminalIsToldThatTheServerEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server in a process of its own")
	}
	for _, args := range [][]string{{"attach"}, {"attach", "--plain"}} {
		s := newServed(t)
		s.server.Answers = func(int, []byte) *nebulatest.Answer { return &nebulatest.Answer{Text: "Hello."} }
		s.begins()
		c := s.command(args...)
		c.Env = append(c.Env, "TERM=xterm-256color")
		at := seat(t, c)
		at.waits("gpt-4.1-nano", 1)
		at.types("hello\r")
		at.waits("Hello.", 1) // so short that it comes, and is drawn, at once
		at.waits("done", 1)
		if out, err := s.command("serve", "--stop").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		at.ends()
		at.waits("nebula serve has ended", 1) // its last bytes may be read after it ended
		at.waits("nebula attach 20", 1)
	}
}
