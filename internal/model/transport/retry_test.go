package transport_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"nebula"
	"nebula/internal/model/transport"
)

// answers is a transport that gives one answer after the other, the last one for ever.
type answers struct {
	list []func() (*http.Response, error)
	n    int
}

func (a *answers) RoundTrip(*http.Request) (*http.Response, error) {
	f := a.list[min(a.n, len(a.list)-1)]
	a.n++
	return f()
}

func status(code int, header ...string) func() (*http.Response, error) {
	return func() (*http.Response, error) {
		h := http.Header{}
		for i := 0; i < len(header); i += 2 {
			h.Set(header[i], header[i+1])
		}
		body := hello
		if code != 200 {
			body = `{"error":{"message":"busy"}}`
		}
		return &http.Response{StatusCode: code, Header: h, Body: io.NopCloser(strings.NewReader(body))}, nil
	}
}

func network(err error) func() (*http.Response, error) {
	return func() (*http.Response, error) { return nil, err }
}

// waits runs a stream in fake time and returns the pauses that were announced, having checked that they were kept.
func waits(t *testing.T, list ...func() (*http.Response, error)) (pauses []time.Duration, err error) {
	synctest.Test(t, func(t *testing.T) {
		tr := &answers{list: list}
		c := open(transport.Endpoint{BaseURL: "http://h/v1", Model: "m"}, transport.Options{Transport: tr})
		c.Answer()
		began, sum := time.Now(), time.Duration(0)
		_, err = nebula.Collect(c.Stream(t.Context(), ask("hi")), func(c nebula.Chunk) {
			if c.Retry != nil {
				pauses = append(pauses, c.Retry.After)
				sum += c.Retry.After
				if c.Retry.Attempt != len(pauses)+1 || c.Retry.Cause == "" {
					t.Errorf("%+v", c.Retry)
				}
			}
		})
		if took := time.Since(began); took != sum {
			t.Errorf("waited %s, announced %s", took, sum)
		}
		if tr.n != len(pauses)+1 {
			t.Errorf("%d requests and %d announcements", tr.n, len(pauses))
		}
	})
	return pauses, err
}

func TestRetryAfterIsHonoured(t *testing.T) {
	for name, tt := range map[string]struct {
		header []string
		want   time.Duration
	}{
		"seconds":      {[]string{"Retry-After", "7"}, 7 * time.Second},
		"fraction":     {[]string{"Retry-After", "0.5"}, 500 * time.Millisecond},
		"milliseconds": {[]string{"Retry-After-Ms", "1500", "Retry-After", "9"}, 1500 * time.Millisecond},
		"date":         {[]string{"Retry-After", "Sat, 01 Jan 2000 00:00:30 GMT"}, 30 * time.Second}, // a bubble begins at midnight
		"clocks apart": {[]string{"Date", "Sat, 01 Jan 2000 03:00:00 GMT", "Retry-After", "Sat, 01 Jan 2000 03:00:20 GMT"}, 20 * time.Second},
		"past":         {[]string{"Retry-After", "Fri, 31 Dec 1999 00:00:00 GMT"}, 0},
	} {
		for _, code := range []int{429, 503} {
			t.Run(name, func(t *testing.T) {
				got, err := waits(t, status(code, tt.header...), status(200))
				if err != nil || len(got) != 1 || got[0] != tt.want {
					t.Errorf("%v, %v, want %s", got, err, tt.want)
				}
			})
		}
	}
}

func TestTooLongAWishIsFinal(t *testing.T) {
	got, err := waits(t, status(429, "Retry-After", "3600"))
	if api, ok := errors.AsType[*nebula.APIError](err); !ok || len(got) != 0 || api.Kind != "quota" || !strings.Contains(api.Next, "1h0m0s") {
		t.Errorf("%v, %v", got, err)
	}
}

func TestBackoffDoublesAndEnds(t *testing.T) {
	faults := map[string]func() (*http.Response, error){
		"500": status(500), "529": status(529), "408": status(408), "409": status(409), "429": status(429), "wish": status(400, "X-Should-Retry", "true"),
		"reset": network(syscall.ECONNRESET), "refused": network(syscall.ECONNREFUSED), "eof": network(io.EOF), "timeout": network(context.DeadlineExceeded),
		"nonsense": status(429, "Retry-After", "soon"), "negative": status(429, "Retry-After", "-4"),
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			got, err := waits(t, fault)
			if api, ok := errors.AsType[*nebula.APIError](err); !ok || !strings.Contains(api.Text, "after 6 attempts") {
				t.Fatal(err)
			}
			if len(got) != 5 {
				t.Fatal(got)
			}
			for i, d := range got {
				if middle := 500 * time.Millisecond << i; d < middle*9/10 || d > middle*11/10 {
					t.Errorf("pause %d is %s, want about %s", i, d, middle)
				}
			}
		})
	}
}

func TestXShouldRetryFalseIsFinal(t *testing.T) {
	if got, err := waits(t, status(500, "X-Should-Retry", "false")); err == nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestLearningEnds(t *testing.T) { // a server that refuses whatever is tried
	tr := &answers{list: []func() (*http.Response, error){func() (*http.Response, error) {
		body := `{"error":{"message":"max_tokens, max_completion_tokens, stream_options: no"}}`
		return &http.Response{StatusCode: 400, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
	}}}
	c := open(transport.Endpoint{BaseURL: "http://h/v1", Model: "m"}, transport.Options{Transport: tr})
	if _, err := nebula.Collect(c.Stream(t.Context(), ask("hi")), nil); err == nil || tr.n > transport.MaxLearn+1 {
		t.Errorf("%v after %d requests", err, tr.n)
	}
}
