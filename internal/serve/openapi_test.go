package serve

import (
	"encoding/json"
	"strings"
	"testing"
)

// Each operation is there once, and each of its references leads somewhere.
func TestTheDescriptionIsWhole(t *testing.T) {
	data, err := OpenAPI("v")
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Paths      map[string]map[string]any
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, methods := range d.Paths {
		n += len(methods)
	}
	if n != len(routes()) {
		t.Errorf("%d of %d", n, len(routes()))
	}
	for part := range strings.SplitSeq(string(data), `"#/components/schemas/`) {
		name, _, _ := strings.Cut(part, `"`)
		if part[0] != '{' && d.Components.Schemas[name] == nil {
			t.Errorf("there is no %s", name)
		}
	}
}
