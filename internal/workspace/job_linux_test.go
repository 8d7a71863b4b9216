package workspace

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"nebula/internal/confine"
)

func jobsOf(t *testing.T, d *Dir) (*Jobs, chan *Job) {
	t.Helper()
	told := make(chan *Job, 64)
	s := d.Jobs(t.TempDir(), func(j *Job) { told <- j })
	t.Cleanup(s.Close)
	return s, told
}

func started(t *testing.T, s *Jobs, c Command) *Job {
	t.Helper()
	j, err := s.Start(executing(t), c)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// A job goes on while others run; what it wrote is read once, what it waits for it is fed, and its end is told.
func TestAJobGoesOnBesideOtherCommands(t *testing.T) {
	for name, outside := range map[string]bool{"in a box": false, "in none": true} {
		t.Run(name, func(t *testing.T) {
			d := boxed(t)
			s, told := jobsOf(t, d)
			j := started(t, s, Command{Line: `echo up > made; echo ready; while read l; do echo "got $l"; [ "$l" = end ] && exit 7; done`, Outside: outside})
			if found := j.Await(t.Context(), regexp.MustCompile("read."), 10*time.Second); found != "ready" || j.Held.Has(confine.Needed) == outside {
				t.Fatalf("%q %s", found, j.Held)
			}
			e, err := d.Run(t.Context(), executing(t), Command{Line: "cat made"}, nil)
			if err != nil || string(e.Output) != "up\n" || !j.Running() {
				t.Errorf("%q %v %v", e.Output, err, j.Running())
			}
			if text, before := j.Read(100); string(text) != "ready\n" || before != 0 {
				t.Errorf("%q %d", text, before)
			}
			if err := j.Feed(nil, "a\n"); err == nil {
				t.Error("fed without a grant")
			}
			if err := j.Feed(executing(t), "a\n"); err != nil {
				t.Fatal(err)
			}
			if found := j.Await(t.Context(), regexp.MustCompile("got"), 10*time.Second); found != "got a" {
				t.Errorf("%q", found)
			}
			if err := j.Feed(executing(t), "end\n"); err != nil {
				t.Fatal(err)
			}
			select {
			case o := <-told:
				if text, _ := j.Read(100); o != j || j.Exit().Code != 7 || string(text) != "got a\ngot end\n" {
					t.Errorf("%d %q", j.Exit().Code, text)
				}
			case <-time.After(10 * time.Second):
				t.Error("nobody was told of its end")
			}
		})
	}
}

// What a job says of the folder's secrets does not come back.
func TestAJobTellsNoSecret(t *testing.T) {
	d := boxed(t)
	laid(t, d, map[string]string{".env": "API_TOKEN=sesame-open-12345\n"})
	s, _ := jobsOf(t, d)
	j := started(t, s, Command{Line: `. ./.env; echo "${#API_TOKEN} $API_TOKEN"; echo said`})
	if j.Await(t.Context(), regexp.MustCompile("said"), 20*time.Second) != "said" {
		t.Fatal("it did not end")
	}
	if text, _ := j.Read(1000); string(text) != "17 [key hidden by nebula]\nsaid\n" {
		t.Errorf("%q", text)
	}
}

// What a job serves in its box is reached by the commands that come after, which have boxes of their own, and by the person.
func TestWhatAJobServesIsReached(t *testing.T) {
	python := "/usr/bin/python3" // one in somebody's home is not there in a box
	if _, err := os.Stat(python); err != nil {
		t.Skip("no python3")
	}
	d := boxed(t)
	if err := os.WriteFile(filepath.Join(d.Path(), "page"), []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, told := jobsOf(t, d)
	j := started(t, s, Command{Line: "exec " + python + " -u -m http.server --bind 127.0.0.1 3457"})
	select {
	case <-told:
	case <-time.After(20 * time.Second):
		text, _ := j.Read(4000)
		t.Fatalf("it serves nothing: %s", text)
	}
	get := fmt.Sprintf(`%s -c 'import urllib.request; print(urllib.request.urlopen("http://localhost:3457/page").read())'`, python)
	e, err := d.Run(t.Context(), executing(t), Command{Line: get}, nil)
	if err != nil || !strings.Contains(string(e.Output), "hello") || !e.Held.Has(confine.Network) {
		t.Errorf("%s %v", e.Output, err)
	}
	urls := j.Serves()
	if len(urls) != 1 {
		t.Fatal(urls)
	}
	r, err := http.Get(urls[0] + "/page")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if page, _ := io.ReadAll(r.Body); string(page) != "hello" {
		t.Errorf("%q", page)
	}
	j.Stop()
	if _, err := http.Get(urls[0]); err == nil {
		t.Error("the way outlives the job")
	}
	if e, err := d.Run(t.Context(), executing(t), Command{Line: get}, nil); err != nil || e.Code == 0 {
		t.Errorf("%s %v", e.Output, err)
	}
}

// A server that ends and begins again, as one does that sees its files change, is waited for.
func TestAServerThatBeginsAgainIsReached(t *testing.T) {
	python := "/usr/bin/python3"
	if _, err := os.Stat(python); err != nil {
		t.Skip("no python3")
	}
	s, told := jobsOf(t, boxed(t))
	j := started(t, s, Command{Line: "exec " + python + ` -c '
import socket, time
for i in (b"1", b"2"):
    s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind(("127.0.0.1", 3458)); s.listen(); c = s.accept()[0]; s.close()
    c.recv(4000); c.sendall(b"HTTP/1.0 200 OK\r\n\r\n" + i); c.close()
    time.sleep(0.4)
'`})
	select {
	case <-told:
	case <-time.After(20 * time.Second):
		text, _ := j.Read(4000)
		t.Fatalf("it serves nothing: %s", text)
	}
	url := j.Serves()[0]
	for _, want := range []string{"1", "2"} {
		r, err := http.Get(url)
		if err != nil {
			t.Fatal(want, err)
		}
		if page, _ := io.ReadAll(r.Body); string(page) != want {
			t.Errorf("%q instead of %q", page, want)
		}
		_ = r.Body.Close()
	}
}

// A job that was given a terminal has one, in a box as well.
func TestAJobHasATerminal(t *testing.T) {
	for name, outside := range map[string]bool{"in a box": false, "in none": true} {
		t.Run(name, func(t *testing.T) {
			s, _ := jobsOf(t, boxed(t))
			j := started(t, s, Command{Line: `test -t 0 && test -t 1 && stty size && read l && echo "got $l" && echo x > /dev/tty`, Terminal: true, Outside: outside})
			j.Await(t.Context(), regexp.MustCompile("40 120"), 10*time.Second)
			if err := j.Feed(executing(t), "a\n"); err != nil {
				t.Fatal(err)
			}
			<-j.done
			if text, _ := j.Read(1000); j.Exit().Code != 0 || !strings.HasSuffix(string(text), "got a\r\nx\r\n") {
				t.Errorf("%d %q", j.Exit().Code, text)
			}
		})
	}
}

// What a job writes is bounded on the disk, and what is read of it is its end.
func TestWhatAJobWritesIsBounded(t *testing.T) {
	s, _ := jobsOf(t, boxed(t))
	j := started(t, s, Command{Line: "head -c 20000000 /dev/zero | tr '\\0' x; echo; echo last"})
	<-j.done
	if fi, err := j.out.f.Stat(); err != nil || fi.Size() > spoolSize {
		t.Error(fi.Size(), err)
	}
	if names, _ := os.ReadDir(s.at); len(names) > 0 {
		t.Error("it has a name that would stay", names)
	}
	text, before := j.Read(100)
	if !strings.HasSuffix(string(text), "x\nlast\n") || len(text) != 100 || before != 20000006-100 {
		t.Errorf("%q %d", text, before)
	}
	if text, before = j.Read(100); len(text)+int(before) != 0 {
		t.Errorf("%q %d", text, before)
	}
}

// With its session a job ends, and all that it started.
func TestAJobEndsWithItsSession(t *testing.T) {
	for name, outside := range map[string]bool{"in a box": false, "in none": true} {
		t.Run(name, func(t *testing.T) {
			d := boxed(t)
			s, _ := jobsOf(t, d)
			j := started(t, s, Command{Line: "(setsid sleep 3456 &); nohup sleep 3456 & echo up; wait", Outside: outside})
			j.Await(t.Context(), regexp.MustCompile("up"), 10*time.Second)
			s.Close()
			if out, _ := exec.Command("pgrep", "-f", "sleep 3456").Output(); len(out) > 0 {
				t.Errorf("left: %s", out)
			}
			if _, err := s.Start(executing(t), Command{Line: "sleep 3456"}); err == nil {
				t.Error("begun after the end")
			}
		})
	}
}

// A nebula that is killed leaves no job behind, in a box or in none, and nothing of what it wrote.
func TestNoJobOutlivesNebula(t *testing.T) {
	if dir := os.Getenv("TEST_WORKSPACE_JOBS_IN"); dir != "" {
		d := boxedAt(t, dir)
		s := d.Jobs(filepath.Join(filepath.Dir(dir), "jobs"), nil)
		for name, outside := range map[string]bool{"in": false, "out": true} {
			if _, err := s.Start(executing(t), Command{Line: "touch " + name + "; echo x; setsid -f sleep 3457; nohup sleep 3457", Outside: outside}); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Minute)
		return
	}
	t.Cleanup(orphansBuried)
	top := t.TempDir()
	dir := filepath.Join(top, "work")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestNoJobOutlivesNebula$")
	cmd.Env = append(os.Environ(), "TEST_WORKSPACE_JOBS_IN="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	alive := func() string {
		out, _ := exec.Command("pgrep", "-fx", "sleep 3457").Output()
		return string(out)
	}
	for end := time.Now().Add(time.Minute); strings.Count(alive(), "\n") < 4; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("they did not begin", alive())
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	for end := time.Now().Add(time.Minute); alive() != ""; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("left: %s", alive())
		}
	}
	if left, _ := os.ReadDir(filepath.Join(top, "jobs")); len(left) > 0 {
		t.Error(left)
	}
}

// A job that the person detached goes on when its session and its nebula are over, is reached, read and stopped by the next one, and
// nothing of it is left then.
func TestADetachedJobOutlivesItsSession(t *testing.T) {
	for name, outside := range map[string]bool{"in a box": false, "in none": true} {
		t.Run(name, func(t *testing.T) {
			t.Cleanup(orphansBuried)
			top, at := t.TempDir(), t.TempDir()
			d := boxedAt(t, top)
			s := d.Jobs(at, nil)
			j := started(t, s, Command{Line: `f=$(mktemp); echo up > $f; echo up; while [ ! -e go ]; do sleep 0.05; done; cat $f; rm $f; echo more; setsid sleep 3459`, Outside: outside})
			if j.Await(t.Context(), regexp.MustCompile("up"), 20*time.Second) != "up" {
				t.Fatal("it did not begin")
			}
			apart, err := j.Detach()
			if err != nil {
				t.Fatal(err)
			}
			if len(s.List()) > 0 || j.Running() || !apart.Running() {
				t.Error("it is still the session's, or has ended")
			}
			if _, err := j.Detach(); err == nil {
				t.Error("detached twice")
			}
			s.Close()
			_ = d.Close()
			next := boxedAt(t, top).Jobs(at, nil)
			all := next.Detached()
			if len(all) != 1 || !all[0].Running() || all[0].Says() != j.Says() {
				t.Fatalf("%+v", all)
			}
			if err := os.WriteFile(filepath.Join(top, "go"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			for end := time.Now().Add(time.Minute); !strings.HasSuffix(string(next.TailOf(all[0], 100)), "up\nmore\n\n"); time.Sleep(10 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("%q", next.TailOf(all[0], 100))
				}
			}
			if other := boxed(t).Jobs(at, nil).Detached(); len(other) > 0 {
				t.Errorf("it is another folder's: %+v", other)
			}
			if err := all[0].Stop(); err != nil {
				t.Fatal(err)
			}
			if out, _ := exec.Command("pgrep", "-fx", "sleep 3459").Output(); len(out) > 0 {
				t.Errorf("left: %s", out)
			}
			if left, _ := os.ReadDir(at); len(left) > 0 || len(next.Detached()) > 0 {
				t.Error(left)
			}
		})
	}
}

// What a detached job serves is reached as before, and how one ended is known to the next session.
func TestWhatADetachedJobServesIsReached(t *testing.T) {
	python := "/usr/bin/python3"
	if _, err := os.Stat(python); err != nil {
		t.Skip("no python3")
	}
	t.Cleanup(orphansBuried)
	top, at := t.TempDir(), t.TempDir()
	d := boxedAt(t, top)
	s := d.Jobs(at, nil)
	j := started(t, s, Command{Line: "timeout 600 " + python + ` -c '
import socket, sys
s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind(("127.0.0.1", 3461)); s.listen()
for n in range(2):
    c = s.accept()[0]; c.recv(4000); c.sendall(b"HTTP/1.0 200 OK\r\n\r\nhello"); c.close()
sys.exit(7)
'`})
	if _, err := j.Detach(); err != nil {
		t.Fatal(err)
	}
	s.Close()
	_ = d.Close()
	d = boxedAt(t, top)
	next := d.Jobs(at, nil)
	var url string
	for end := time.Now().Add(time.Minute); url == ""; time.Sleep(20 * time.Millisecond) {
		all := next.Detached()
		if time.Now().After(end) || len(all) != 1 {
			t.Fatalf("it serves nothing: %+v", all)
		}
		if len(all[0].Serves) > 0 {
			url = "http://" + all[0].Serves[0].To
		}
	}
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	page, _ := io.ReadAll(r.Body)
	_ = r.Body.Close()
	e, err := d.Run(t.Context(), executing(t), Command{Line: python + ` -c 'import urllib.request; print(urllib.request.urlopen("http://localhost:3461/").read())'`}, nil)
	if string(page) != "hello" || err != nil || !strings.Contains(string(e.Output), "hello") {
		t.Errorf("%q, %s %v", page, e.Output, err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if all := next.Detached(); len(all) == 1 && all[0].Ended && all[0].Code == 7 {
			break
		} else if time.Now().After(end) {
			t.Fatalf("%+v", all)
		}
	}
}
