package cli

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"nebula/internal/nebulatest"
)

// What a server told of its models when one was chosen is not asked for again: a run asks it for them once.
func TestAServerIsAskedForItsModelsOnce(t *testing.T) {
	for _, lists := range [][]string{{"gpt-4.1-nano"}, {"my-coder"}} {
		b := newBed(t)
		b.server.Answers = func(int, []byte) *nebulatest.Answer { return &nebulatest.Answer{Text: "Hello."} }
		b.server.Models, b.server.Window = lists, 32_000
		var asked atomic.Int64
		before := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/models") {
				asked.Add(1)
			}
			b.server.ServeHTTP(w, r)
		}))
		defer before.Close()
		c := b.command("run", "hi")
		c.Env = append(c.Env, "OPENAI_BASE_URL="+before.URL+"/v1")
		if out, err := c.Output(); err != nil || string(out) != "Hello.\n" {
			t.Errorf("%v: %q", err, out)
		}
		if n := asked.Load(); n != 1 {
			t.Errorf("%v: asked %d times", lists, n)
		}
	}
}
