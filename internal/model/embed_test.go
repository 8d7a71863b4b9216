package model

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestEmbeddingsComeInTheirOrder(t *testing.T) {
	reply := `{"data":[{"index":1,"embedding":[0,1]},{"index":0,"embedding":[1,0]}]}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Model string   `json:"model"`
			Input []string `json:"input"`
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.Model != "m" || len(in.Input) != 2 || r.URL.Path != "/v1/embeddings" || r.Header.Get("Authorization") != "Bearer k3y" {
			http.Error(w, "wrong", http.StatusBadRequest)
		}
		fmt.Fprint(w, reply)
	}))
	defer server.Close()
	at := Endpoint{BaseURL: server.URL + "/v1", Key: "k3y", Model: "m"}
	got, err := Embed(context.Background(), at, []string{"a", "b"})
	if err != nil || got[0][0] != 1 || got[1][1] != 1 {
		t.Error(got, err)
	}
	for _, reply = range []string{"", "{}", `{"data":[{"index":9,"embedding":[1]},{"index":0,"embedding":[1]}]}`, `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`} {
		got, err := Embed(context.Background(), at, []string{"a", "b"})
		if err == nil || strings.Contains(err.Error(), "k3y") {
			t.Errorf("%s: %v %v", reply, got, err)
		}
	}
}
