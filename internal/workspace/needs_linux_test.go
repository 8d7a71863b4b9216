package workspace

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A command reaches the host that it was given, through the guard, and the next one does not.
func TestACommandReachesWhatItWasGiven(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(strings.Repeat("q", 1<<20))) }))
	defer s.Close()
	host := strings.TrimPrefix(s.URL, "http://")
	at, port, _ := net.SplitHostPort(host)
	d := boxed(t)
	c := Command{Line: "exec 3<>/dev/tcp/" + at + "/" + port + " && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && grep -o q <&3 | wc -l"}
	for _, given := range []bool{true, false, true} {
		c.Needs.Hosts = nil
		if given {
			c.Needs.Hosts = []string{host}
		}
		e := runs(t, d, c)
		if got := strings.TrimSpace(string(e.Output)); (got == "1048576") != given {
			t.Errorf("given %v: %d %.200s", given, e.Code, got)
		}
	}
}

// What a path leads to was shown: where it leads elsewhere by the time the command is to begin, nothing runs.
func TestAPathThatWasSwappedSinceIsNotGiven(t *testing.T) {
	d := boxed(t)
	dir, keys := filepath.Join(d.Path(), "data"), t.TempDir()
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	shown, err := d.Given(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, needs := range []Needs{{Read: []string{shown}}, {Write: []string{shown}}} {
		c := Command{Line: "touch " + filepath.Join(d.Path(), "ran"), Needs: needs}
		if e := runs(t, d, c); !e.Started {
			t.Fatalf("%+v", e)
		}
		if err := errors.Join(os.Remove(filepath.Join(d.Path(), "ran")), os.Rename(dir, dir+".old"), os.Symlink(keys, dir)); err != nil {
			t.Fatal(err)
		}
		if e, err := d.Run(t.Context(), executing(t), c, nil); e.Started || err == nil {
			t.Errorf("%+v %v", e, err)
		}
		if _, err := os.Stat(filepath.Join(d.Path(), "ran")); err == nil {
			t.Error("it ran")
		}
		if err := errors.Join(os.Remove(dir), os.Rename(dir+".old", dir)); err != nil {
			t.Fatal(err)
		}
	}
}
