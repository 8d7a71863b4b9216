package transport_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"nebula"
	"nebula/internal/model/chat"
	"nebula/internal/model/transport"
	"nebula/internal/phrase"
)

// A model that takes no pictures is told that there was one; it would refuse the whole request.
func TestPicturesGoToModelsThatTakeThem(t *testing.T) {
	var body string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		body = string(raw)
		_, _ = io.WriteString(w, `data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
	}))
	defer server.Close()
	at := transport.Endpoint{BaseURL: server.URL, Model: "m"}
	picture := nebula.Pictures(nebula.Image{Type: "image/png", Data: []byte("pixels")})
	p := nebula.Prompt{Messages: []nebula.Message{{Role: nebula.User, Parts: append(nebula.Text("look"), picture...)}}}
	for _, sees := range []bool{true, false} {
		c := transport.New(at, nebula.ModelInfo{Images: sees}, chat.New(at, chat.Dialect{}, true), transport.Service{}, transport.Options{})
		if _, err := nebula.Collect(c.Stream(t.Context(), p), nil); err != nil || strings.Contains(body, "image_url") != sees || strings.Contains(body, "cannot see") == sees {
			t.Errorf("takes pictures: %v; %s, %v", sees, body, err)
		}
	}
}

// A picture goes out no larger than the provider looks at, and each time as the same bytes.
func TestPicturesAreSentAsLargeAsTheyAreLookedAt(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 4000, 100))); err != nil {
		t.Fatal(err)
	}
	var bodies []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		bodies = append(bodies, string(raw))
		_, _ = io.WriteString(w, `data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
	}))
	defer server.Close()
	at := transport.Endpoint{BaseURL: server.URL, Model: "m"}
	p := nebula.Prompt{Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Pictures(nebula.Image{Type: "image/png", Data: b.Bytes()})}}}
	c := transport.New(at, nebula.ModelInfo{Images: true}, chat.New(at, chat.Dialect{}, true), transport.Service{Edge: 1568}, transport.Options{})
	for range 2 {
		if _, err := nebula.Collect(c.Stream(t.Context(), p), nil); err != nil {
			t.Fatal(err)
		}
	}
	_, sent, _ := strings.Cut(bodies[0], "base64,")
	sent, _, _ = strings.Cut(sent, `"`)
	data, err := base64.StdEncoding.DecodeString(sent)
	if err != nil || bodies[0] != bodies[1] {
		t.Fatalf("%v, the same twice: %v", err, bodies[0] == bodies[1])
	}
	if size, err := png.DecodeConfig(bytes.NewReader(data)); err != nil || size.Width != 1568 || size.Height != 39 {
		t.Errorf("%+v, %v", size, err)
	}
	if p.Messages[0].Images()[0].Data[0] != b.Bytes()[0] || len(p.Messages[0].Images()[0].Data) != b.Len() {
		t.Error("what was recorded was changed")
	}
}

// A document goes to models that take them; another is told that there was one, and keeps its pictures.
func TestDocumentsGoToModelsThatTakeThem(t *testing.T) {
	server, bodies := refusing(t, "")
	at := transport.Endpoint{BaseURL: server, Model: "m"}
	p := nebula.Prompt{Messages: []nebula.Message{{Role: nebula.User, Parts: append(nebula.Text("look"), nebula.Pictures(nebula.Image{Type: "image/png", Data: []byte("pixels")}, nebula.Image{Type: nebula.PDF, Data: []byte("%PDF"), Pages: 2})...)}}}
	for n, reads := range []bool{true, false} {
		c := transport.New(at, nebula.ModelInfo{Images: true, Documents: reads}, chat.New(at, chat.Dialect{}, true), transport.Service{}, transport.Options{})
		_, err := nebula.Collect(c.Stream(t.Context(), p), nil)
		if body := bodies()[n]; err != nil || strings.Contains(body, "file_data") != reads || strings.Contains(body, "cannot read") == reads || !strings.Contains(body, "image_url") {
			t.Errorf("takes documents: %v; %s, %v", reads, body, err)
		}
	}
}

// refusing is a server that answers no request which holds a text, and what it was asked.
func refusing(t *testing.T, text string) (url string, asked func() []string) {
	t.Helper()
	var mu sync.Mutex
	var bodies []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		mu.Lock()
		bodies = append(bodies, string(raw))
		mu.Unlock()
		if text != "" && strings.Contains(string(raw), text) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"type":"error","error":{"type":"invalid_request_error","message":"messages.2.content.1: Could not process image or PDF"}}`)
			return
		}
		_, _ = io.WriteString(w, `data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(server.Close)
	return server.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(bodies)
	}
}

// A picture or a document that the server cannot read, though it looked whole, would end the session: every request to come
// holds it. It is left out, once and for all, the person is told, and what could be read stays.
func TestWhatTheServerCannotReadIsLeftOut(t *testing.T) {
	for name, bad := range map[string]nebula.Image{"picture": {Type: "image/png", Data: []byte("unreadable")}, "document": {Type: nebula.PDF, Data: []byte("unreadable"), Pages: 1}} {
		server, bodies := refusing(t, base64.StdEncoding.EncodeToString([]byte("unreadable"))[:10])
		at := transport.Endpoint{BaseURL: server, Model: "m"}
		c := transport.New(at, nebula.ModelInfo{Images: true, Documents: true}, chat.New(at, chat.Dialect{}, true), transport.Service{}, transport.Options{Attempts: 1})
		p := nebula.Prompt{Messages: []nebula.Message{
			{Role: nebula.User, Parts: append(nebula.Text("first"), nebula.Pictures(nebula.Image{Type: "image/png", Data: []byte("pixels")})...)},
			{Role: nebula.Assistant, Parts: nebula.Text("seen")}, {Role: nebula.User, Parts: append(nebula.Text("second"), nebula.Pictures(bad)...)}}}
		said := ""
		for n := range 2 {
			r, err := nebula.Collect(c.Stream(t.Context(), p), func(c nebula.Chunk) { said += phrase.Told("en", c.Wait) })
			sent := bodies()
			if last := sent[len(sent)-1]; err != nil || r.Text() != "a" || len(sent) != n+2 || !strings.Contains(last, base64.StdEncoding.EncodeToString([]byte("pixels"))) || !strings.Contains(last, "second") || !strings.Contains(last, "you cannot") {
				t.Errorf("%s: %+v, %v, after %d requests: %s", name, r, err, len(sent), last)
			}
		}
		if strings.Count(said, "which is left out") != 1 || !strings.Contains(said, "Could not process") {
			t.Errorf("%s: said %q", name, said)
		}
	}
	// Another refusal takes nothing away.
	server, bodies := refusing(t, "pixels")
	at := transport.Endpoint{BaseURL: server, Model: "pixels"}
	c := transport.New(at, nebula.ModelInfo{Images: true}, chat.New(at, chat.Dialect{}, true), transport.Service{}, transport.Options{Attempts: 1})
	if _, err := nebula.Collect(c.Stream(t.Context(), nebula.Prompt{Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text("q")}}}), nil); err == nil || len(bodies()) != 1 {
		t.Errorf("%v after %d requests", err, len(bodies()))
	}
}
