package dialect_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/nebulatest"
	"nebula/internal/protocol/dialect"
)

// The half of a file in which a reply ended is not shown as the form of the whole.
func TestAnUnfinishedContentIsNotTaughtAsAWhole(t *testing.T) {
	l, _ := language.Named("symops")
	p := dialect.Tolerant(l.Protocol)
	r := nebula.Reply{Parts: nebula.Text("$ create @ a.py\n--\nx = 1\nprint("), Finish: "stop"}
	in := p.Decode(r, nebulatest.Specs())
	if len(in.Actions) != 1 || !in.Actions[0].Inferred {
		t.Fatalf("%+v", in.Actions)
	}
	form := p.(nebula.Former).Form(in.Actions[0], nebulatest.Specs())
	again := p.(nebula.Corrector).Correction(r, in, "en")
	if _, again, _ = strings.Cut(again, "If it is meant"); strings.Contains(form+again, "print(") || !strings.Contains(form, "$ create @ a.py") || !strings.Contains(form, "complete content") {
		t.Errorf("%s\n%s", form, again)
	}
}
