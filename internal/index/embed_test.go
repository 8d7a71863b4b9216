package index

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"nebula/internal/model"
)

// TestAServerOfMeanings asks a real server over HTTP: what it says joins the order by words, a fault costs nothing but
// that, and the key is in no answer.
func TestAServerOfMeanings(t *testing.T) {
	broken := true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if broken || r.Header.Get("Authorization") != "Bearer k3y-of-mine" {
			http.Error(w, "no key k3y-of-mine here", http.StatusUnauthorized)
			return
		}
		var in struct{ Input []string }
		_ = json.NewDecoder(r.Body).Decode(&in)
		type one struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		var out struct {
			Data []one `json:"data"`
		}
		for i, text := range in.Input {
			v := []float32{1, 0}
			if strings.Contains(text, "Basket") || strings.Contains(text, "trolley") {
				v = []float32{0, 1}
			}
			out.Data = append(out.Data, one{i, v})
		}
		_ = json.NewEncoder(w).Encode(out)
	}))
	defer server.Close()
	x, _ := folder(t, map[string]string{
		"a.go": "package a\n\n// Cart is what one shops with, shops.\ntype Cart struct{}\n", "b.go": "package b\n\n// Basket is what one shops with.\ntype Basket struct{}\n",
		"c.go": "package c\n\n// Bag is what one shops with, shops, shops.\ntype Bag struct{}\n",
	})
	x.Embed(Embedding{Name: "m", Embed: func(ctx context.Context, texts []string) ([][]float32, error) {
		return model.Embed(ctx, model.Endpoint{BaseURL: server.URL + "/v1", Key: "k3y-of-mine", Model: "m"}, texts)
	}})
	question := "trolley that one shops with"
	a, err := x.Search(context.Background(), question, 5)
	if err != nil || len(a.Places) != 3 || a.Places[2].Path != "b.go" || !strings.Contains(a.Age.Notice.String(), "ordered by words alone") || strings.Contains(a.Age.Notice.String(), "k3y") {
		t.Fatal(a, err)
	}
	broken = false
	if a, err = x.Search(context.Background(), question, 5); err != nil || a.Places[2].Path == "b.go" || a.Age.Notice.Format != "" {
		t.Error(a, err)
	}
	server.Close()
	if a, err = x.Search(context.Background(), "something that one shops with", 5); err != nil || len(a.Places) != 3 || !strings.Contains(a.Age.Notice.String(), "does not answer") {
		t.Error(a, err)
	}
}

func TestMeaningJoinsWords(t *testing.T) {
	x, _ := folder(t, map[string]string{"a.go": "package a\n\n// Remove the cart.\nfunc Cart() {}\n", "b.go": "package b\n\n// Remove the cart of a whale.\nfunc Basket() {}\n"})
	asked := 0
	fail := errors.New("no server")
	x.Embed(Embedding{Name: "m", Embed: func(_ context.Context, texts []string) ([][]float32, error) {
		if fail != nil {
			return nil, fail
		}
		var all [][]float32
		for _, text := range texts {
			asked++
			v := []float32{0.1, 1}
			if strings.Contains(text, "whale") || text == "cart" {
				v = []float32{1, 0.1}
			}
			all = append(all, v)
		}
		return all, nil
	}})
	a, err := x.Search(context.Background(), "cart", 5)
	if err != nil || len(a.Places) < 2 || !strings.Contains(a.Age.Notice.String(), "no server") {
		t.Fatal(a, err)
	}
	fail = nil
	for range 2 {
		if a, err = x.Search(context.Background(), "cart", 5); err != nil || a.Age.Notice.Format != "" {
			t.Fatal(a, err)
		}
	}
	if a.Places[0].Score != a.Places[1].Score && a.Places[0].Path != "b.go" {
		t.Error(a.Places)
	}
	if n := len(a.Places); asked != n+2 {
		t.Errorf("%d texts were sent for %d places and two questions", asked, n)
	}
}
