package transport_test

import (
	"testing"

	"nebula/internal/model/transport"
)

// A call's arguments go back as they came, but for what makes a strict parser refuse all of the request.
func TestArgumentsGoBackAsAnObjectThatIsTaken(t *testing.T) {
	for in, want := range map[string]string{
		`{"c":"x\ud83d y"}`:                      `{"c":"x\ufffd y"}`,
		`{"c":"\uD83D"}`:                         `{"c":"\ufffd"}`,
		`{"c":"\ude00\ud83d"}`:                   `{"c":"\ufffd\ufffd"}`,
		`{"c":"\ud83d\ud83d\uDE00\n"}`:           `{"c":"\ufffd\ud83d\uDE00\n"}`,
		`{"c":"\ud83d\n\ude00"}`:                 `{"c":"\ufffd\n\ufffd"}`,
		`{"\udead": "\u65e5\u0000\ud7ff\ue000"}`: `{"\ufffd": "\u65e5\u0000\ud7ff\ue000"}`,
		`{"c":"\\ud83d \\\ud83d \\\\"}`:          `{"c":"\\ud83d \\\ufffd \\\\"}`,
		` {"a": 1.50, "b":"😀 \u00e9\/"} `:        `{"a": 1.50, "b":"😀 \u00e9\/"}`,
		"{\"a\":\"\xff\"}":                       "{\"a\":\"\uFFFD\"}",
		`{"a":`:                                  `{}`, ``: `{}`, `[1]`: `{}`,
	} {
		if got := transport.Object(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
