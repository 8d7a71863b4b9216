package index

import (
	"context"
	"errors"
	"strings"
	"testing"
)

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
	if err != nil || len(a.Places) < 2 || !strings.Contains(a.Age.Notice, "no server") {
		t.Fatal(a, err)
	}
	fail = nil
	for range 2 {
		if a, err = x.Search(context.Background(), "cart", 5); err != nil || a.Age.Notice != "" {
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
