package cli

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/hook"
)

// Whoever is not there is told elsewhere what waits; whoever answers in time, nobody; and nothing goes where it is read along.
func TestPush(t *testing.T) {
	var got []string
	mux := http.NewServeMux()
	mux.HandleFunc("POST /topic", func(_ http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		got = append(got, r.Header.Get("Title"), string(text))
	})
	mux.HandleFunc("POST /away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/topic", http.StatusTemporaryRedirect)
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	p := push{address: server.URL + "/topic", title: func(kind string) string { return "店: " + kind }, words: func(err error) string { return err.Error() }}
	set := hook.Set{Hooks: func() []hook.Hook { return nil }, Tell: p.tell}
	asked := nebula.Occasion{Moment: nebula.OnAsk, Kind: "question", Text: "Which\nstore?"}

	all := set.At(t.Context(), asked)
	if want := []string{"店: question", "Which store?"}; !slices.Equal(got, want) {
		t.Errorf("%q came, not %q", got, want)
	}
	if len(all.Runs) != 1 || all.Runs[0].Failed != "" || all.Runs[0].Command != "POST "+server.URL || all.Runs[0].Moment != nebula.OnAsk {
		t.Errorf("noted as %+v", all.Runs)
	}

	got = nil
	if runs := set.At(t.Context(), nebula.Occasion{Moment: nebula.AtStop}).Runs; runs != nil {
		t.Errorf("told of an end: %v", runs)
	}
	p.after = time.Hour
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	if runs := set.At(ctx, asked).Runs; runs != nil {
		t.Errorf("told of what was answered: %v", runs)
	}
	p.after = 0
	for address, want := range map[string]string{
		server.URL + "/away": "307", server.URL + "/nowhere": "404", "http://ntfy.example/topic": "https", "file:///etc/passwd": "https", "topic": "https", "http://127.0.0.1:1/topic": "refused",
	} {
		p.address = address
		runs := set.At(t.Context(), asked).Runs
		if len(runs) != 1 || !strings.Contains(runs[0].Failed, want) || strings.Contains(runs[0].Command+runs[0].Failed, "topic") {
			t.Errorf("%s: %+v", address, runs)
		}
	}
	if len(got) > 0 {
		t.Errorf("%q came", got)
	}
}
