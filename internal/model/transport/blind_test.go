package transport_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/model/chat"
	"nebula/internal/model/transport"
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
