package telemetry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"nebula"
)

func at(second int, body nebula.Body) nebula.Event {
	return nebula.Event{At: time.Unix(int64(second), 0), Body: body}
}

func listed(events ...nebula.Event) iter.Seq2[nebula.Event, error] {
	return func(yield func(nebula.Event, error) bool) {
		for _, e := range events {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// TestStretchesOfASession: a request lasts from what it follows to its reply, an action from its beginning to its end; what was
// before, and what never began, is none.
func TestStretchesOfASession(t *testing.T) {
	one := 1
	list, err := stretches(listed(
		at(1, nebula.Submitted{Text: "rename the ledger"}),
		at(3, nebula.Replied{Model: "m", Reply: nebula.Reply{Usage: nebula.Usage{Input: 7, Output: 2}}}),
		at(4, nebula.Began{Action: "a1"}),
		at(9, nebula.Finished{Result: nebula.Result{Action: "a1", Tool: "runTests", Status: nebula.Failed, Exit: &one, Text: "the ledger"}}),
		at(9, nebula.Finished{Result: nebula.Result{Action: "a2", Tool: "writeFile", Status: nebula.Denied}}),
		at(12, nebula.Replied{Model: "m"}),
	), time.Unix(4, 0))
	if err != nil {
		t.Fatal(err)
	}
	var text []string
	for _, s := range list {
		text = append(text, fmt.Sprint(s.name, " ", s.began.Unix(), "-", s.end.Unix(), " ", s.failed))
	}
	if got, want := strings.Join(text, "; "), "execute_tool runTests 4-9 true; chat m 9-12 false"; got != want {
		t.Errorf("%s\nnot %s", got, want)
	}
	if all := fmt.Sprint(list); strings.Contains(all, "ledger") {
		t.Errorf("they hold what was said: %s", all)
	}
	broken := errors.New("broken")
	if _, err := stretches(func(yield func(nebula.Event, error) bool) { yield(nebula.Event{}, broken) }, time.Time{}); !errors.Is(err, broken) {
		t.Errorf("a record that cannot be read: %v", err)
	}
}

// TestFiguresAreServed: an engine's figures of one name are kept together whatever else they say, and a worker that is not well says so.
func TestFiguresAreServed(t *testing.T) {
	told, err := Open(t.Context(), func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	defer told.Close()
	if told.Tracer() != nil || told.Session(t.Context(), func(func(nebula.Event, error) bool) { t.Error("the record is read for nobody") }, time.Time{}) != nil {
		t.Error("spans are made without an address for them")
	}
	base := told.Engine().With(map[string]string{"namespace": "n", "unheard_of": "x"})
	base.Count("engine_calls")(2)
	base.With(map[string]string{"operation": "o"}).Count("engine_calls")(3)
	base.Stand("engine_slots")(4)
	base.Last("engine_wait")(2 * time.Second)
	base.Stand("engine_calls")(9) // of another kind: it is no figure, and breaks none
	told.Job("do")("completed", true, nebula.Usage{Input: 5, Cost: 0.25})
	ctx, stop := context.WithCancel(t.Context())
	var ill atomic.Bool
	where, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- told.Serve(ctx, "127.0.0.1:0", func(context.Context) error {
			if ill.Load() {
				return errors.New("the engine is away")
			}
			return nil
		}, func(at string) { where <- at })
	}()
	address := <-where
	get := func(path string) (int, string) {
		r, err := http.Get("http://" + address + path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return r.StatusCode, string(text)
	}
	_, text := get("/metrics")
	for _, part := range []string{`namespace="n",operation="",`, `namespace="n",operation="o",`, "engine_wait_seconds_count{", `nebula_jobs_total{job="do",outcome="completed"} 1`, "nebula_questions_total 1", "nebula_cost_usd_total 0.25"} {
		if !strings.Contains(text, part) {
			t.Errorf("the figures lack %s:\n%s", part, text)
		}
	}
	if code, _ := get("/healthz"); code != http.StatusOK {
		t.Errorf("a worker that is well answers %d", code)
	}
	ill.Store(true)
	if code, text := get("/healthz"); code != http.StatusServiceUnavailable || !strings.Contains(text, "away") {
		t.Errorf("one that is not answers %d %s", code, text)
	}
	if code, _ := get("/debug/pprof/"); code != http.StatusNotFound {
		t.Errorf("something else is there: %d", code)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := told.Serve(t.Context(), "no such host:x", nil, nil); err == nil {
		t.Error("an address that is none is listened at")
	}
}
