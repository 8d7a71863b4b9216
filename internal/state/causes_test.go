package state

import (
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// TestCausesAreSaidInEveryLanguage with the same arguments.
func TestCausesAreSaidInEveryLanguage(t *testing.T) {
	nebulatest.TestWords(t, "state", causes)
	for _, c := range []struct {
		cause nebula.Code
		lang  string
		want  string
	}{
		{NewRequest, "en", "a new request"},
		{NewRequest, "ja", "新しい依頼"},
		{nebula.NewCode(Failed, "runTests"), "en", "runTests failed"},
		{nebula.NewCode(Failed, "runTests"), "ja", "runTests が失敗"},
		{"a new request", "ja", "a new request"}, // from a record of before
		{"runTests failed", "ja", "runTests failed"},
		{"of another time", "ja", "of another time"},
		{LowFocus, "xx", "focus is low"},
	} {
		if got := Cause(c.cause, c.lang); got != c.want {
			t.Errorf("%q in %s: %q, want %q", c.cause, c.lang, got, c.want)
		}
	}
}
