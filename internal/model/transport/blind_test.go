package transport_test

import (
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
