package nebula_test

import (
	"strings"
	"testing"

	"nebula"
)

// What only looks needs no reason, and no schema names one twice.
func TestOnlyChangesMustSayWhy(t *testing.T) {
	path := nebula.Param{Name: "path", Type: "string", Required: true}
	own := nebula.Param{Name: "reason", Type: "string", Description: "why"}
	for _, c := range []struct {
		spec nebula.ToolSpec
		want string
	}{
		{nebula.ToolSpec{Effect: nebula.Read, Params: []nebula.Param{path}},
			`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`},
		{nebula.ToolSpec{Effect: nebula.Write, Params: []nebula.Param{path}},
			`{"type":"object","properties":{"path":{"type":"string"},"reason":{"type":"string"}},"required":["path","reason"]}`},
		{nebula.ToolSpec{Effect: nebula.Execute, Params: []nebula.Param{own}},
			`{"type":"object","properties":{"reason":{"type":"string","description":"why"}}}`},
		{nebula.ToolSpec{Effect: nebula.Arrange}, `{"type":"object","properties":{}}`},
	} {
		if got := string(c.spec.Schema()); got != c.want || strings.Count(got, `"reason":`) > 1 {
			t.Errorf("%s\n%s\nwant\n%s", c.spec.Effect, got, c.want)
		}
	}
}
