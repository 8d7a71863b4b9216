package transport_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"nebula"
	"nebula/internal/model/chat"
	"nebula/internal/model/transport"
)

const callBegins = `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"executeShell","arguments":"{\"command\":\"rm a\"}"}}]}}]}

`

const finished = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: [DONE]

`

// hijack takes the connection over after the header of a stream was sent.
func hijack(t *testing.T, w http.ResponseWriter, body string) net.Conn {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		t.Error(err)
		return nil
	}
	fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", len(body), body)
	return conn
}

func reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// cuts are the ways in which a stream ends too early.
var cuts = map[string]func(t *testing.T, w http.ResponseWriter){
	"reset":           func(t *testing.T, w http.ResponseWriter) { reset(hijack(t, w, callBegins)) },
	"closed":          func(t *testing.T, w http.ResponseWriter) { _ = hijack(t, w, callBegins).Close() },
	"ends":            func(t *testing.T, w http.ResponseWriter) { sse(w, callBegins) },
	"done, no finish": func(t *testing.T, w http.ResponseWriter) { sse(w, callBegins+"data: [DONE]\n\n") },
	"empty":           func(t *testing.T, w http.ResponseWriter) { sse(w, "") },
	"comments only":   func(t *testing.T, w http.ResponseWriter) { sse(w, ": ping\n\n: ping\n\n") },
	"error": func(t *testing.T, w http.ResponseWriter) {
		sse(w, callBegins+`data: {"error":{"message":"overloaded","code":502}}`+"\n\n")
	},
	"error event": func(t *testing.T, w http.ResponseWriter) {
		sse(w, callBegins+"event: error\ndata: {\"message\":\"overloaded\"}\n\n")
	},
	"error after finish": func(t *testing.T, w http.ResponseWriter) {
		sse(w, callBegins+`data: {"choices":[{"finish_reason":"error","delta":{}}],"error":{"message":"provider gone","code":502}}`+"\n\n")
	},
	"finish error": func(t *testing.T, w http.ResponseWriter) {
		sse(w, callBegins+`data: {"choices":[{"finish_reason":"error","delta":{}}]}`+"\n\ndata: [DONE]\n\n")
	},
	"malformed":      func(t *testing.T, w http.ResponseWriter) { sse(w, callBegins+"data: {\"choices\":[{\"del\n\n") },
	"json cut":       func(t *testing.T, w http.ResponseWriter) { _, _ = io.WriteString(w, `{"choices":[{"message":{"con`) },
	"not a chunk":    func(t *testing.T, w http.ResponseWriter) { sse(w, callBegins+"data: {\"choices\":7}\n\n") },
	"a damaged line": func(t *testing.T, w http.ResponseWriter) { sse(w, callBegins+"da"+callBegins[5:]+finished) },
	"no content": func(t *testing.T, w http.ResponseWriter) {
		sse(w, callBegins+`data: {"choices":[{"delta":{"content":7}}]}`+"\n\n"+finished)
	},
	"no arguments": func(t *testing.T, w http.ResponseWriter) {
		sse(w, callBegins+`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":7}}]}}]}`+"\n\n"+finished)
	},
	"half the bytes": func(t *testing.T, w http.ResponseWriter) { sse(w, callBegins[:len(callBegins)-20]) },
}

func TestNeverActsOnACutStream(t *testing.T) {
	for name, cut := range cuts {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int32
			c := serve(t, func(w http.ResponseWriter, r *http.Request) { asked.Add(1); cut(t, w) })
			c.Opts().Attempts = 2
			retries := 0
			r, err := nebula.Collect(c.Stream(context.Background(), ask("hi")), func(c nebula.Chunk) {
				if c.Finish != "" {
					t.Errorf("a finish piece %q", c.Finish)
				}
				if c.Retry != nil {
					retries++
				}
			})
			if len(r.Calls()) > 0 || r.Text() != "" || err == nil {
				t.Fatalf("reply %+v, %v", r, err)
			}
			if api, ok := errors.AsType[*nebula.APIError](err); !ok || api.Next == "" {
				t.Errorf("%#v", err)
			}
			if asked.Load() != 2 || retries != 1 {
				t.Errorf("asked %d times with %d announcements", asked.Load(), retries)
			}
		})
	}
}

func TestACutStreamIsAskedForAgain(t *testing.T) {
	for name, cut := range cuts {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int32
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if asked.Add(1) == 1 {
					cut(t, w)
					return
				}
				sse(w, hello)
			})
			r, err := nebula.Collect(c.Stream(context.Background(), ask("hi")), nil)
			if err != nil || r.Text() != "Hello" || len(r.Calls()) != 0 {
				t.Fatalf("%+v, %v", r, err)
			}
		})
	}
}

func TestAReplyWithItsFinishReasonIsWhole(t *testing.T) {
	whole, _, _ := strings.Cut(hello, `data: {"model":"m-1","choices":[],`)
	for name, end := range map[string]func(net.Conn){"reset": reset, "closed": func(c net.Conn) { _ = c.Close() }} {
		t.Run(name, func(t *testing.T) {
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				conn := hijack(t, w, whole)
				time.Sleep(20 * time.Millisecond)
				end(conn)
			})
			c.Opts().Attempts = 1
			if r, err := nebula.Collect(c.Stream(context.Background(), ask("hi")), nil); err != nil || r.Text() != "Hello" {
				t.Fatalf("%+v, %v", r, err)
			}
		})
	}
}

// bodies are complete answers in forms that are not quite what was asked for.
var bodies = map[string]func(w http.ResponseWriter){
	"plain": func(w http.ResponseWriter) { sse(w, hello) },
	"crlf":  func(w http.ResponseWriter) { sse(w, strings.ReplaceAll(hello, "\n", "\r\n")) },
	"cr":    func(w http.ResponseWriter) { sse(w, strings.ReplaceAll(hello, "\n", "\r")) },
	"bom":   func(w http.ResponseWriter) { sse(w, "\xEF\xBB\xBF"+hello) },
	"comments": func(w http.ResponseWriter) {
		sse(w, ": OPENROUTER PROCESSING\n\n"+strings.ReplaceAll(hello, "\n\n", "\n\n: ping\n\nid: 7\nretry: 1\n\n"))
	},
	"no blank lines": func(w http.ResponseWriter) { sse(w, strings.ReplaceAll(hello, "\n\n", "\n")) },
	"no end mark":    func(w http.ResponseWriter) { sse(w, strings.Replace(hello, "data: [DONE]\n\n", "", 1)) },
	"no last newline": func(w http.ResponseWriter) {
		sse(w, strings.TrimRight(strings.Replace(hello, "data: [DONE]\n\n", "", 1), "\n"))
	},
	"no space":   func(w http.ResponseWriter) { sse(w, strings.ReplaceAll(hello, "data: ", "data:")) },
	"event name": func(w http.ResponseWriter) { sse(w, strings.ReplaceAll(hello, "data: {", "event: message\ndata: {")) },
	"two lines": func(w http.ResponseWriter) {
		sse(w, strings.ReplaceAll(hello, `,"choices"`, ",\ndata: \"choices\""))
	},
	"wrong type": func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, hello)
	},
	"whole": func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"object":"chat.completion","model":"m-1","choices":[{"index":0,"message":{"role":"assistant","content":"Hello"},"finish_reason":"stop"}],
			"usage":{"prompt_tokens":12,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":8}}}`)
	},
	"whole, as a stream": func(w http.ResponseWriter) {
		_, _ = io.WriteString(w, `{"model":"m-1","choices":[{"index":0,"message":{"content":[{"type":"text","text":"Hel"},{"type":"text","text":"lo"}]},"finish_reason":"stop"}],
			"usage":{"prompt_tokens":12,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":8}}}`)
	},
	"lines of json": func(w http.ResponseWriter) {
		_, _ = io.WriteString(w, strings.ReplaceAll(strings.Replace(hello, "data: [DONE]", "", 1), "data: ", ""))
	},
	"the whole once more": func(w http.ResponseWriter) {
		sse(w, strings.Replace(hello, `"delta":{},"finish_reason":"stop"`, `"message":{"content":"Hello"},"finish_reason":"stop"`, 1))
	},
	"gzip": func(w http.ResponseWriter) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, hello)
		_ = z.Close()
	},
	"huge line": func(w http.ResponseWriter) {
		sse(w, ": "+strings.Repeat("x", 1<<20)+"\n"+strings.Replace(hello, `"model"`, `"padding":"`+strings.Repeat("y", 1<<20)+`","model"`, 1))
	},
	"slow": func(w http.ResponseWriter) {
		for _, b := range []byte(hello[:200]) {
			_, _ = w.Write([]byte{b})
			w.(http.Flusher).Flush()
		}
		_, _ = io.WriteString(w, hello[200:])
	},
}

func TestEveryFormOfAnswerIsRead(t *testing.T) {
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			c := serve(t, func(w http.ResponseWriter, r *http.Request) { body(w) })
			c.Opts().Attempts = 1
			r, err := nebula.Collect(c.Stream(context.Background(), ask("hi")), nil)
			if err != nil {
				t.Fatal(err)
			}
			if r.Text() != "Hello" || r.Finish != "stop" || r.Usage != (nebula.Usage{Input: 12, Cached: 8, Output: 3}) {
				t.Fatalf("%+v", r)
			}
		})
	}
}

func TestCancelWithin200ms(t *testing.T) {
	stall := func(r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(5 * time.Second):
		}
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0") // takes connections and never answers
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = silent.Close() })
	cases := map[string]*transport.Client{
		"waiting for headers": serve(t, func(w http.ResponseWriter, r *http.Request) { stall(r) }),
		"stalled body": serve(t, func(w http.ResponseWriter, r *http.Request) {
			sse(w, callBegins)
			w.(http.Flusher).Flush()
			stall(r)
		}),
		"stalled gzip": serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = io.WriteString(z, callBegins)
			_ = z.Flush()
			w.(http.Flusher).Flush()
			stall(r)
		}),
		"stalled error": serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(500)
			w.(http.Flusher).Flush()
			stall(r)
		}),
		"backoff": serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "60")
			w.WriteHeader(429)
		}),
		"endless": serve(t, func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				sse(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\"}}]}\n\n")
			}
		}),
		"no answer":  open(transport.Endpoint{BaseURL: "http://" + silent.Addr().String(), Model: "m"}, transport.Options{}),
		"connecting": open(transport.Endpoint{BaseURL: "http://192.0.2.1/v1", Model: "m"}, transport.Options{}),
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(context.Background())
			var at atomic.Int64
			time.AfterFunc(150*time.Millisecond, func() { at.Store(time.Now().UnixNano()); cancel() })
			_, err := nebula.Collect(c.Stream(ctx, ask("hi")), nil)
			took := time.Since(time.Unix(0, at.Load()))
			if name == "connecting" && at.Load() == 0 {
				t.Skip("this network refuses at once")
			}
			if !errors.Is(err, context.Canceled) || took > 5*time.Second {
				t.Errorf("%v after %v", err, took)
			}
		})
	}
}

// Where the server's answer has begun and nothing of the reply came, it is not silent in the middle of one.
func TestSilenceIsToldAsWhereItWas(t *testing.T) {
	for begin, want := range map[string]string{": is read\n\n": "did not answer within", callBegins: "in the middle of a reply"} {
		c := serve(t, func(w http.ResponseWriter, r *http.Request) {
			sse(w, begin)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		})
		c.Opts().Idle, c.Opts().Patience, c.Opts().Attempts = 50*time.Millisecond, 0, 1
		if _, err := nebula.Collect(c.Stream(context.Background(), ask("hi")), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", begin, err)
		}
	}
}

func TestASilentServerIsAFault(t *testing.T) {
	for name, begin := range map[string]string{"no headers": "", "body": callBegins} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int32
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if asked.Add(1) == 2 {
					sse(w, hello)
					return
				}
				if begin != "" {
					sse(w, begin)
					w.(http.Flusher).Flush()
				}
				<-r.Context().Done()
			})
			c.Opts().Idle, c.Opts().Patience = 50*time.Millisecond, 0 // as a server elsewhere
			r, err := nebula.Collect(c.Stream(context.Background(), ask("hi")), nil)
			if err != nil || r.Text() != "Hello" {
				t.Fatalf("%+v, %v", r, err)
			}
		})
	}
}

func TestKeyNeverInError(t *testing.T) {
	echo := []string{
		`{"error":{"message":"Incorrect API key provided: ` + key + `. Find yours."}}`,
		`{"error":{"message":"Bad key ` + key[:14] + `"}}`,
		`{"error":"key ` + key[8:30] + ` unknown"}`,
		`{"error":{"message":"Incorrect API key provided: sk-te*********GHIJ","code":"invalid_api_key"}}`,
		`{"error":{"message":"upstream key sk-or-v1-00112233445566778899aabbccddeeff00112233 failed"}}`,
		`Unauthorized: Bearer ` + key,
		`{"detail":[{"loc":["header"],"input":"Bearer ` + key + `"}]}`,
		`<html><title>Denied ` + key + `</title></html>`,
	}
	secrets := []string{key, key[:14], key[8:30], "GHIJ", "sk-or-v1-0011"}
	for _, status := range []int{401, 403, 400, 404, 422, 500, 429, 200} {
		for _, body := range echo {
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(status)
				_, _ = io.WriteString(w, body)
			})
			c.Opts().Attempts = 2
			_, err := nebula.Collect(c.Stream(context.Background(), ask("hi")), func(c nebula.Chunk) {
				if c.Retry != nil {
					noSecrets(t, string(c.Retry.Cause), secrets)
				}
			})
			if err == nil {
				t.Fatalf("%d %s: no error", status, body)
			}
			noSecrets(t, fmt.Sprintf("%v %+v %#v", err, err, err), secrets)
		}
	}
	at := transport.Endpoint{BaseURL: "http://user:" + key + "@127.0.0.1:1/v1?token=" + key, Key: key, Model: "m"}
	_, err := nebula.Collect(open(at, transport.Options{Attempts: 1}).Stream(context.Background(), ask("hi")), nil)
	noSecrets(t, fmt.Sprintf("%v %v %+v %#v", err, at, at, at), secrets)
}

func noSecrets(t *testing.T, text string, secrets []string) {
	t.Helper()
	for _, s := range secrets {
		if strings.Contains(text, s) {
			t.Errorf("%q holds %q", text, s)
		}
	}
	if strings.Contains(text, "\n") {
		t.Errorf("%q is more than a line", text)
	}
}

func TestFinalFaultsAreNotTriedAgain(t *testing.T) {
	cases := []struct {
		status int
		body   string
		kind   string
		says   string
	}{
		{401, `{"error":{"message":"Incorrect API key"}}`, "auth", "check the key"},
		{403, `{"error":{"message":"Country not supported"}}`, "auth", "not supported"},
		{429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota"}}`, "quota", "billing"},
		{402, `{"error":{"message":"Insufficient credits","code":402}}`, "quota", "billing"},
		{404, `{"error":{"message":"The model 'm' does not exist","code":"model_not_found"}}`, "model", "nebula models"},
		{404, "404 page not found", "unreachable", "base URL"},
		{400, `{"error":{"message":"bad temperature"}}`, "bad_request", "bad temperature"},
		{400, `{"error":{"message":"Provider failed","metadata":{"raw":"bad top_p"}}}`, "bad_request", "Provider failed: bad top_p"},
		{400, `{"error":{"message":"not moderate","metadata":{"provider_name":"x"}}}`, "bad_request", "not moderate;"},
		{400, `{"error":{"message":"This model's maximum context length is 8192 tokens","code":"context_length_exceeded"}}`, "context", "window"},
		{400, `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error"}}`, "context", "window"},
		{400, `{"error":{"message":"registry.ollama.ai/library/gemma3 does not support tools"}}`, "tools", "--protocol"},
		{400, `{"error":{"message":"tools is not supported by this model"}}`, "tools", "--protocol"},
		{400, `{"error":{"message":"\u0060tools\u0060 are not supported"}}`, "tools", "--protocol"},
		{400, `{"error":{"message":"parameter 'tools' is not supported"}}`, "tools", "--protocol"},
		{500, `{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}`, "tools", "--protocol"},
		{404, `{"error":{"message":"No endpoints found that support tool use."}}`, "tools", "--protocol"},
		{400, `{"message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError"}`, "tools", "--protocol"},
		{400, `{"error":{"message":"The response was filtered","type":null,"param":"prompt","code":"content_filter","status":400}}`, "filter", "filter ended the reply"},
		{413, `too big`, "context", "window"},
		{200, `<!DOCTYPE html><html><title>Sign in</title>`, "unreachable", "web page"},
		{200, `{"error":{"message":"No such key","code":401}}`, "auth", "No such key"},
		{200, "data: {\"error\":{\"message\":\"Insufficient credits\",\"code\":402}}\n\n", "quota", "credits"},
		{501, `nope`, "server", "nope"},
		{500, `[{"error":{"code":400,"message":"API key not valid","status":"INVALID_ARGUMENT"}}]`, "server", "API key not valid"},
	}
	for _, tt := range cases {
		t.Run(fmt.Sprint(tt.status, " ", tt.kind), func(t *testing.T) {
			var asked atomic.Int32
			at := transport.Endpoint{Key: key, Model: "m", BaseURL: listen(t, func(w http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				w.WriteHeader(tt.status)
				_, _ = io.WriteString(w, tt.body)
			})}
			c := transport.New(at, nebula.ModelInfo{}, chat.New(at, chat.Dialect{}, true), transport.Service{KeyName: "OPENAI_API_KEY"}, transport.Options{Backoff: time.Millisecond})
			if tt.status == 500 {
				c.Opts().Attempts = 1
			}
			_, err := nebula.Collect(c.Stream(context.Background(), ask("hi")), nil)
			api, ok := errors.AsType[*nebula.APIError](err)
			if !ok || api.Kind != tt.kind || api.Next == "" || !strings.Contains(err.Error(), tt.says) {
				t.Fatalf("%#v", err)
			}
			if asked.Load() != 1 {
				t.Errorf("asked %d times", asked.Load())
			}
			t.Log(err)
		})
	}
}

func TestARefusedExtraIsLeftOut(t *testing.T) {
	var bodies []string
	refusals := []string{
		`{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}`,
		`{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}}`,
	}
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		bodies = append(bodies, string(b))
		if n := len(bodies); n <= len(refusals) {
			w.WriteHeader(400)
			_, _ = io.WriteString(w, refusals[n-1])
			return
		}
		sse(w, hello)
	})
	p := ask("hi")
	p.MaxOutput = 99
	for range 2 {
		if r, err := nebula.Collect(c.Stream(context.Background(), p), nil); err != nil || r.Text() != "Hello" {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	if len(bodies) != 4 || strings.Contains(bodies[1], "stream_options") || !strings.Contains(bodies[3], `"max_completion_tokens":99`) {
		t.Fatalf("%q", bodies)
	}
}

func TestNothingListeningSaysWhatToStart(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	base := "http://" + l.Addr().String() + "/v1"
	_ = l.Close()
	for provider, says := range map[string]string{"": "Ollama, llama.cpp, LM Studio", "ollama": "is Ollama running", "llamacpp": "llama.cpp"} {
		c := open(transport.Endpoint{Provider: provider, BaseURL: base, Model: "m"}, transport.Options{})
		_, err := nebula.Collect(c.Stream(context.Background(), ask("hi")), nil)
		if api, ok := errors.AsType[*nebula.APIError](err); !ok || api.Kind != "unreachable" || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), base) {
			t.Errorf("%v", err)
		}
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { t.Error("followed") }))
	defer elsewhere.Close()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	})
	_, err := nebula.Collect(c.Stream(context.Background(), ask("hi")), nil)
	if err == nil || !strings.Contains(err.Error(), elsewhere.URL) {
		t.Fatal(err)
	}
}

func TestConnectionsAreUsedAgain(t *testing.T) {
	var conns atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { sse(w, hello) }))
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			conns.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	c := open(transport.Endpoint{BaseURL: server.URL, Model: "m"}, transport.Options{})
	for range 20 {
		if _, err := nebula.Collect(c.Stream(context.Background(), ask("hi")), nil); err != nil {
			t.Fatal(err)
		}
	}
	if conns.Load() != 1 {
		t.Errorf("%d connections", conns.Load())
	}
}

func TestAServerThatNeverHangsUpDoesNotHoldTheReply(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		sse(w, hello)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	began := time.Now()
	if _, err := nebula.Collect(c.Stream(context.Background(), ask("hi")), nil); err != nil || time.Since(began) > 10*time.Second {
		t.Fatal(err, time.Since(began))
	}
}

func TestStopIsSilent(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) { sse(w, hello) })
	for n := range 6 {
		for _, err := range c.Stream(context.Background(), ask("hi")) {
			if n--; err != nil || n < 0 {
				break
			}
		}
	}
}

func TestEventLinesOverTheBoundAreRefused(t *testing.T) {
	if _, err := transport.EventsOf(io.MultiReader(strings.NewReader("data: "), bufio.NewReader(endless{}))); !errors.Is(err, transport.ErrHuge) {
		t.Fatal(err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return copy(p, bytes.Repeat([]byte("x"), len(p))), nil }
