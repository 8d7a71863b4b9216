//go:build linux

package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// ollama answers as that server does, with one model that has been loaded with a window; 0 for one that has not.
func ollama(t *testing.T, window int) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/models":
			_, _ = fmt.Fprint(w, `{"object":"list","data":[{"id":"qwen3:8b","object":"model"}]}`)
		case "/api/show":
			_, _ = fmt.Fprint(w, `{"parameters":"temperature 0.6","capabilities":["completion","tools"],"model_info":{"qwen3.context_length":40960}}`)
		case "/api/ps":
			running := ""
			if window > 0 {
				running = fmt.Sprintf(`{"name":"qwen3:8b","model":"qwen3:8b","context_length":%d}`, window)
			}
			_, _ = fmt.Fprintf(w, `{"models":[%s]}`, running)
		case "/v1/chat/completions":
			_, _ = fmt.Fprint(w, "data: {\"choices\":[{\"delta\":{\"content\":\"Hello.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// A server that gives a model too little room is no riddle: each command says what it is started with.
func TestTooSmallAWindowSaysWhatToDo(t *testing.T) {
	const wide = "OLLAMA_CONTEXT_LENGTH=65536"
	for _, c := range []struct {
		window         int
		command, wants string
	}{
		{4096, "run hello", "Ollama gives qwen3:8b a window of 4096 tokens, and work needs 8000; start it with " + wide},
		{4096, "models", "start it with " + wide},
		{4096, "doctor", "warn  window     Ollama gives qwen3:8b a window of 4096 tokens, and work needs 8000; start it with " + wide},
		{4096, "run --model ollama/qwen3:8b hello", "start it with " + wide + " for more, or have your model's file set num_ctx\n"},
		{4096, "doctor --model", "cuts off what is longer without saying so; start it with " + wide},
		{0, "doctor", "how much ollama/qwen3:8b reads is known once its server has loaded it; until then nebula takes it for 16384 tokens"},
		{32768, "doctor", "ok    window     ollama/qwen3:8b reads up to 32768 tokens"},
	} {
		b := newBed(t)
		command := b.command(strings.Fields(strings.TrimSuffix(c.command, " --model"))...)
		command.Env = append(command.Env, "OPENAI_BASE_URL=", "OPENAI_API_KEY=", "OLLAMA_HOST="+ollama(t, c.window))
		if strings.HasSuffix(c.command, " --model") {
			command.Env = append(command.Env, "NEBULA_MODEL=ollama/qwen3:8b")
		}
		if out, _ := command.CombinedOutput(); !strings.Contains(string(out), c.wants) {
			t.Errorf("%s with %d:\n%swants %s", c.command, c.window, out, c.wants)
		}
	}
}
