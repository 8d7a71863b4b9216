package transport_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"nebula"
	"nebula/internal/model"
	"nebula/internal/model/transport"
)

const key = "sk-test-0123456789abcdefghijABCDEFGHIJ"

// serve starts a server and returns a client of it that does not wait long.
func serve(t testing.TB, h http.HandlerFunc) *transport.Client {
	t.Helper()
	return open(transport.Endpoint{BaseURL: listen(t, h), Key: key, Model: "m"}, transport.Options{Backoff: time.Millisecond})
}

// listen starts a server and returns its base URL.
func listen(t testing.TB, h http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // until then a server does not notice that its client is gone
		r.Body = io.NopCloser(bytes.NewReader(body))
		h(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

// open is a client of an endpoint, as a person gets it.
func open(at transport.Endpoint, o transport.Options) *transport.Client {
	return model.New(at, nebula.ModelInfo{}, o)
}

func ask(text string) nebula.Prompt {
	return nebula.Prompt{System: "Be brief.", Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text(text)}}}
}

func sse(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, body)
}

const hello = `data: {"model":"m-1","choices":[{"index":0,"delta":{"role":"assistant","content":"Hel"},"finish_reason":null}]}

data: {"model":"m-1","choices":[{"index":0,"delta":{"content":"lo"},"finish_reason":null}]}

data: {"model":"m-1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: {"model":"m-1","choices":[],"usage":{"prompt_tokens":12,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":8}}}

data: [DONE]

`

func TestStreamAnswers(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer "+key {
			t.Errorf("%s, %v", r.URL, r.Header)
		}
		sse(w, hello)
	})
	r, err := nebula.Collect(c.Stream(context.Background(), ask("hi")), nil)
	want := nebula.Reply{Parts: nebula.Text("Hello"), Finish: "stop", Model: "m-1", Usage: nebula.Usage{Input: 12, Cached: 8, Output: 3}}
	if err != nil || r.Text() != want.Text() || r.Usage != want.Usage || r.Finish != want.Finish || r.Model != want.Model {
		t.Fatalf("%+v, %v", r, err)
	}
}

// What may be a secret in an address is not said: who asks, what is asked with, and a key in the way.
func TestNothingSecretOfAnAddressIsSaid(t *testing.T) {
	for base, want := range map[string]string{
		"https://me:secret@host/v1?key=secret#x":            "https://host/v1",
		"https://host/sk-proj-5trayAbCdEf0123456789/v1/":    "https://host/sk-proj-…/v1",
		"https://sk-proj-5trayAbCdEf0123456789@host/openai": "https://host/openai",
	} {
		if got := transport.PublicURL(base); got != want {
			t.Errorf("%s is said as %s", base, got)
		}
	}
}
