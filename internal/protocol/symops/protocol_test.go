package symops

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// sealed writes actions without a block as calls in JSON. A line says where it ends by the line's end only, and a
// reply that ends properly may end in the middle of one; the suite cuts replies where no model stops.
func sealed(in nebula.Intent, tools []nebula.ToolSpec) nebula.Reply {
	actions := in.Actions
	in.Actions = nil
	r := Write(in, tools)
	var b strings.Builder
	b.WriteString(r.Text())
	for _, a := range actions {
		if a.Tool == "writeFile" || a.Tool == "editFile" {
			WriteAction(&b, a, tools)
			continue
		}
		WriteCall(&b, a)
	}
	r.Parts = r.WithText(b.String())
	return r
}

func TestConformance(t *testing.T) {
	t.Run("sealed", func(t *testing.T) { nebulatest.TestProtocol(t, Protocol{}, sealed) })
}
