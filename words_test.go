package nebula_test

import (
	"errors"
	"fmt"
	"testing"

	"nebula"
)

func TestWordsAreSaidAndErrorsStayThemselves(t *testing.T) {
	err := nebula.Errorf("session %s: %w", "s1", nebula.ErrInUse)
	var said nebula.Speaker
	switch {
	case err.Error() != "session s1: session is open in another nebula":
		t.Error(err)
	case !errors.Is(err, nebula.ErrInUse):
		t.Error("the cause is lost")
	case !errors.As(fmt.Errorf("around it: %w", err), &said) || said.Words().Format != "session %s: %w" || said.Words().String() != err.Error():
		t.Errorf("%+v", said)
	}
	if w := nebula.Say("100% of it"); w.String() != "100% of it" {
		t.Error("without arguments a text is not a format: " + w.String())
	}
	if w := nebula.Say("%s; %s", nebula.Say("what"), nebula.Say("next %d", 1)); w.String() != "what; next 1" {
		t.Error(w)
	}
}
