package model

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"syscall"
	"testing"
)

// A server that another person of the machine runs is asked nothing, wherever it stands; one of one's own is.
func TestNothingIsAskedOfAServerOfAnotherPerson(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be two people")
	}
	for uid, want := range map[int]string{firstPerson + 234: "", 0: "ollama/qwen3"} {
		runtime.LockOSThread()
		_ = syscall.Setfsuid(uid) // whose the sockets are that this thread makes
		l, err := net.Listen("tcp", "127.0.0.1:0")
		_ = syscall.Setfsuid(0)
		runtime.UnlockOSThread()
		if err != nil {
			t.Fatal(err)
		}
		asked := 0
		server := &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { //nolint:gosec // of a test
			asked++
			_, _ = w.Write([]byte(map[string]string{"/v1/models": `{"data":[{"id":"qwen3"}]}`, "/api/show": `{"capabilities":["completion","tools"],"model_info":{"qwen3.context_length":40960}}`}[r.URL.Path]))
		})}}
		server.Start()
		best, _ := Nearby(t.Context(), Settings{Env: environment("OLLAMA_HOST=" + server.URL + nobody)})
		server.Close()
		if best.Model != want || (asked > 0) != (want != "") {
			t.Errorf("of %d: %+v after %d requests", uid, best, asked)
		}
	}
}
