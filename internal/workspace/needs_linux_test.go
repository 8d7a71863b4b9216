package workspace

import (
	"net"
	"net/http"
	"net/http/httptest"
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
