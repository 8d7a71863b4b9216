package model_test

import (
	"context"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"nebula"
	"nebula/internal/model"
	"nebula/internal/model/transport"
)

// What servers answer that is no reply, and what a person is told: which thing, and what to do next.
func TestWhatGoesWrongIsSaidWithWhatToDo(t *testing.T) {
	const overloaded = `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`
	filtered := map[string]string{
		"Chat":      `data: {"choices":[{"delta":{"content":"half a "}}]}` + "\n\n" + `data: {"choices":[{"delta":{},"finish_reason":"content_filter"}]}` + "\n\ndata: [DONE]\n\n",
		"Responses": `data: {"type":"response.output_text.delta","delta":"half a "}` + "\n\n" + `data: {"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"content_filter"}}}` + "\n\n",
		"Messages":  `data: {"type":"content_block_start","content_block":{"type":"text","text":"half a "}}` + "\n\n" + `data: {"type":"message_delta","delta":{"stop_reason":"refusal"}}` + "\n\n" + `data: {"type":"message_stop"}` + "\n\n",
		"Gemini":    `data: {"candidates":[{"content":{"parts":[{"text":"half a "}]}}]}` + "\n\n" + `data: {"candidates":[{"finishReason":"SAFETY"}]}` + "\n\n",
	}
	cases := []struct {
		name, kind string
		status     int
		body       string
		says       []string
	}{
		{"wrong key", "auth", 401, `{"error":{"message":"Incorrect API key provided: sk-abcd1234567890"}}`, []string{"Incorrect API key", "check the key: set THE_KEY"}},
		{"another provider's key", "auth", 400, `{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}`, []string{"check the key"}},
		{"an old token", "auth", 401, `{"error":{"code":401,"message":"Access token has expired."}}`, []string{"get a new one, set THE_KEY, and go on"}},
		{"no credit", "quota", 429, `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`, []string{"plan and billing"}},
		{"credit of another kind", "quota", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}`, []string{"plan and billing"}},
		{"no such model", "model", 404, `{"error":{"message":"The model gpt-x does not exist"}}`, []string{"nebula models"}},
		{"another region", "region", 400, `{"error":{"code":400,"message":"User location is not supported for the API use.","status":"FAILED_PRECONDITION"}}`, []string{"not offered where you are"}},
		{"another country", "region", 403, `{"error":{"code":"unsupported_country_region_territory","message":"Country, region, or territory not supported"}}`, []string{"not offered where you are"}},
		{"a region that is told nothing", "region", 403, `{"error":{"type":"forbidden","message":"Request not allowed"}}`, []string{"not offered where you are"}},
		{"no rights", "auth", 403, `{"type":"error","error":{"type":"permission_error","message":"Your API key does not have permission to use the specified resource."}}`, []string{"resource; the account of this key may not do that", "another key in THE_KEY"}},
		{"no right to the model", "model", 403, `{"error":{"message":"Project does not have access to model gpt-x","code":"model_not_found"}}`, []string{"nebula models"}},
		{"a program in between", "unreachable", 403, "<html><head><title>Access denied</title></head></html>", []string{"Access denied; check the base URL"}},
		{"overloaded", "server", 529, overloaded, []string{"Overloaded", "after 2 attempts", "try again later"}},
		{"no TLS", "unreachable", 400, "Client sent an HTTP request to an HTTPS server.", []string{"HTTPS server; check the base URL http://"}},
		{"a page", "server", 502, "<html><head><title>Bad gateway</title></head></html>", []string{"Bad gateway", "try again later"}},
		{"a page instead of a reply", "unreachable", 200, "<!doctype html><title>Sign in</title>", []string{"web page: Sign in; check the base URL"}},
	}
	for form := range filtered {
		for _, c := range cases {
			_, err := asked(t, form, c.status, c.body)
			api, ok := err.(*nebula.APIError) //nolint:errorlint // it is the very one
			if !ok || api.Kind != c.kind {
				t.Errorf("%s, %s: %#v", form, c.name, err)
				continue
			}
			for _, want := range c.says {
				if !strings.Contains(api.Error(), want) {
					t.Errorf("%s, %s: %q does not say %q", form, c.name, api.Error(), want)
				}
			}
			if strings.Contains(api.Error(), "1234567890") {
				t.Errorf("%s, %s: the key is said: %s", form, c.name, api.Error())
			}
		}
		if r, err := asked(t, form, 200, filtered[form]); err != nil || r.Finish != "content_filter" || r.Text() != "half a " {
			t.Errorf("%s, filtered in the middle: %+v, %v", form, r, err)
		}
	}
}

// An address that ends as most do is not told to.
func TestAnAddressIsToldItsEndWhereItLacksIt(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "<!doctype html><title>x</title>") }))
	defer server.Close()
	for end, lacks := range map[string]bool{"": true, "/v1": false, "/v1/": false, "/api": true} {
		m := model.New(model.Endpoint{BaseURL: server.URL + end, Model: "m"}, nebula.ModelInfo{}, model.Options{Attempts: 1})
		_, err := nebula.Collect(m.Stream(t.Context(), nebula.Prompt{}), nil)
		if err == nil || !strings.Contains(err.Error(), "check the base URL "+server.URL) || strings.Contains(err.Error(), "usually ends") != lacks {
			t.Errorf("%q: %v", end, err)
		}
	}
}

// asked is what comes of one question in a provider's form.
func asked(t *testing.T, form string, status int, body string) (nebula.Reply, error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, body)
	}))
	defer server.Close()
	at := transport.Endpoint{BaseURL: server.URL, Key: "sk-abcd1234567890", Model: "m"}
	m := transport.New(at, nebula.ModelInfo{}, adapters(server.URL, false)[form], transport.Service{KeyName: "THE_KEY"}, transport.Options{Attempts: 2, Backoff: time.Millisecond})
	return nebula.Collect(m.Stream(t.Context(), nebula.Prompt{Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text("q")}}}), nil)
}

// A server of the person's own has a certificate of its own: SSL_CERT_FILE makes it known, and without it the connection is
// refused with what to look at. The variable is read once in a process, so the test asks in processes of their own.
func TestOwnCertificatesAreTakenFromTheEnvironment(t *testing.T) {
	if url := os.Getenv("NEBULA_TEST_ASKS"); url != "" {
		m := model.New(model.Endpoint{BaseURL: url, Model: "m"}, nebula.ModelInfo{}, model.Options{Attempts: 1})
		r, err := nebula.Collect(m.Stream(context.Background(), nebula.Prompt{}), nil)
		fmt.Printf("said %q, %v\n", r.Text(), err)
		return
	}
	server, cert := trusted(t)
	for file, want := range map[string]string{cert: `said "trusted"`, os.DevNull: "SSL_CERT_FILE names " + os.DevNull + ", which holds nobody who signed it", "": "name the file of who signed it in SSL_CERT_FILE", cert + "x": cert + "x, which cannot be read"} {
		if out := asks(t, server.URL+"/v1", "SSL_CERT_FILE="+file); !strings.Contains(out, want) {
			t.Errorf("%s: %s", file, out)
		}
	}
}

// A company's proxy is the only way out: it is asked for the server, sees nothing of what is said, and is named where it refuses.
func TestAProxyIsGoneThrough(t *testing.T) {
	server, cert := trusted(t)
	var led atomic.Value
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Proxy-Authorization") == "" {
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		led.Store(r.Method + " " + r.Host)
		to, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Error(err)
			return
		}
		defer to.Close()
		from, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer from.Close()
		_, _ = io.WriteString(from, "HTTP/1.1 200 Connection established\r\n\r\n")
		go func() { _, _ = io.Copy(to, from) }()
		_, _ = io.Copy(from, to)
	}))
	defer proxy.Close()
	address := strings.TrimPrefix(proxy.URL, "http://")
	for through, want := range map[string]string{"http://me:w0rd@" + address: `said "trusted"`, proxy.URL: "the proxy " + address + " gives no way"} {
		out := asks(t, "https://example.com/v1", "SSL_CERT_FILE="+cert, "HTTPS_PROXY="+through, "NO_PROXY=", "no_proxy=", "https_proxy=")
		if !strings.Contains(out, want) || strings.Contains(out, "w0rd") {
			t.Errorf("%s: %s", through, out)
		}
	}
	if led.Load() != "CONNECT example.com:443" {
		t.Errorf("the proxy was asked for %v", led.Load())
	}
}

// trusted is a server with a certificate of its own, and the certificate's file.
func trusted(t *testing.T) (server *httptest.Server, cert string) {
	t.Helper()
	server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, `data: {"choices":[{"delta":{"content":"trusted"},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(server.Close)
	server.TLS.MinVersion = tls.VersionTLS12
	cert = filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return server, cert
}

// asks has a process of its own ask a server, and gives what it printed.
func asks(t *testing.T, url string, env ...string) string {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run", "^TestOwnCertificatesAreTakenFromTheEnvironment$")
	c.Env = append(append(os.Environ(), "NEBULA_TEST_ASKS="+url, "SSL_CERT_DIR="+t.TempDir()), env...)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return string(out)
}
