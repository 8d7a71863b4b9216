package transport_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"nebula"
	"nebula/internal/model/transport"
	"nebula/internal/phrase"
)

// A server nearby that loads its model or reads a long prompt is waited for as long as it runs, and the person is told.
func TestServerNearbyIsWaitedForWhileItRuns(t *testing.T) {
	for name, begin := range map[string]string{"no headers": "", "headers": ": \n"} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int32
			c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				asked.Add(1)
				if begin != "" {
					w.WriteHeader(http.StatusOK)
					w.(http.Flusher).Flush()
				}
				time.Sleep(300 * time.Millisecond)
				sse(w, hello)
			})
			c.Opts().Idle, c.Opts().Notice = 20*time.Millisecond, 25*time.Millisecond
			var waits []string
			r, err := nebula.Collect(c.Stream(context.Background(), ask("hi")), func(c nebula.Chunk) {
				if c.Wait != "" {
					waits = append(waits, phrase.Told("en", c.Wait))
				}
			})
			if err != nil || r.Text() != "Hello" || asked.Load() != 1 {
				t.Fatalf("%+v, %v after %d requests", r, err, asked.Load())
			}
			if len(waits) < 2 || len(waits) > 5 || !strings.Contains(waits[0], "it may be loading the model") {
				t.Errorf("the person was told %q", waits)
			}
		})
	}
}

func TestServerNearbyIsNotAskedAnew(t *testing.T) {
	var asked atomic.Int32
	c := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		<-r.Context().Done()
	})
	c.Opts().Patience, c.Opts().Notice = 100*time.Millisecond, 20*time.Millisecond
	_, err := nebula.Collect(c.Stream(context.Background(), ask("hi")), nil)
	if err == nil || !strings.Contains(err.Error(), "did not answer within 100ms") || asked.Load() != 1 {
		t.Errorf("%v after %d requests", err, asked.Load())
	}
}

func TestServerThatSaysItLoadsIsAskedUntilItHas(t *testing.T) {
	for notice, most := range map[time.Duration]int{time.Minute: 1, 10 * time.Millisecond: 8} { // said again and again, ever more seldom
		loads(t, notice, min(most, 2), most)
	}
}

func loads(t *testing.T, notice time.Duration, least, most int) {
	t.Helper()
	var asked atomic.Int32
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) < 12 {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, `{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}`)
			return
		}
		sse(w, hello)
	})
	c.Opts().Backoff, c.Opts().Notice = time.Millisecond, notice
	waits, retries := 0, 0
	r, err := nebula.Collect(c.Stream(context.Background(), ask("hi")), func(c nebula.Chunk) {
		if strings.Contains(string(c.Wait), "is loading its model") {
			waits++
		}
		if c.Retry != nil {
			retries++
		}
	})
	if err != nil || r.Text() != "Hello" || waits < least || waits > most || retries != 0 {
		t.Errorf("%+v, %v, told %d times, %d retries", r, err, waits, retries)
	}
}

func TestOnlyServersNearbyAreWaitedFor(t *testing.T) {
	for base, want := range map[string]bool{"http://127.0.0.1:8080/v1": true, "http://192.168.1.5:8000/v1": true, "https://api.openai.com/v1": false} {
		if got := open(transport.Endpoint{BaseURL: base}, transport.Options{}).Opts().Patience > 0; got != want {
			t.Errorf("%s: %v", base, got)
		}
	}
}

// A trip is how a request is answered.
type trip func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f trip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Behind a reply that is there, what only keeps the connection open is waited for no longer than silence; what is still said is.
func TestWhatKeepsAConnectionOpenIsNoReply(t *testing.T) {
	whole, _, _ := strings.Cut(hello, `data: {"model":"m-1","choices":[],`)
	for name, tt := range map[string]struct {
		sends, text string
		least, most time.Duration
	}{
		"comments":   {": ping\n\n", "Hello", 3 * time.Second, 4 * time.Second},
		"empty data": {"data:\n\n", "Hello", 3 * time.Second, 4 * time.Second},
		"no choices": {`data: {"choices":[]}` + "\n\n", "Hello", 3 * time.Second, 4 * time.Second},
		"more of it": {`data: {"choices":[{"delta":{"content":"!"},"finish_reason":"stop"}]}` + "\n\n", "Hello!!!!!!!!!", 9 * time.Second, 12 * time.Second},
		"no sound":   {"", "Hello", 3 * time.Second, 3 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := open(transport.Endpoint{BaseURL: "http://h/v1", Model: "m"}, transport.Options{Transport: trip(func(r *http.Request) (*http.Response, error) {
				in, out := io.Pipe()
				go func() {
					_, _ = io.WriteString(out, whole)
					for range 9 {
						time.Sleep(time.Second)
						if _, err := io.WriteString(out, tt.sends); err != nil {
							return
						}
					}
					<-r.Context().Done()
					_ = out.CloseWithError(r.Context().Err())
				}()
				context.AfterFunc(r.Context(), func() { _ = out.CloseWithError(r.Context().Err()) })
				return &http.Response{StatusCode: 200, Body: in}, nil
			})})
			began := time.Now()
			r, err := nebula.Collect(c.Stream(t.Context(), ask("hi")), nil)
			if took := time.Since(began); err != nil || r.Text() != tt.text || took < tt.least || took > tt.most {
				t.Errorf("%s: %q, %v after %s", name, r.Text(), err, took)
			}
			time.Sleep(time.Minute) // who sends has seen that nobody listens
		})
	}
}
