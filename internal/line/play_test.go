package line

import (
	"errors"
	"strings"
	"testing"

	"nebula"
)

func TestPlayShowsWhatAPersonWouldSee(t *testing.T) {
	var out strings.Builder
	last, err := Play(t.Context(), PlayOptions{
		Conversation: newScripted("ja", false), Out: &out, Lang: "ja", Width: 60,
		Script: Script{Messages: []string{"gate", "question", "gate"}, Answers: []string{"はい", "2", "いいえ、やめて"}},
	})
	if err != nil || last.Turn != 3 || last.Status != nebula.TurnDone {
		t.Fatalf("%+v, %v", last, err)
	}
	shown := out.String()
	for _, want := range []string{"› gate", "+type A string", "許可しますか？はい", "→ 許可", "✓ domain/todo.go", "回答: 2", "→ file", "→ 拒否: やめて"} {
		_, rest, ok := strings.Cut(shown, want)
		if !ok {
			t.Fatalf("%q is missing, or too early, in\n%s", want, out.String())
		}
		shown = rest
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Error("escape sequences without colour")
	}
}

func TestPlayStopsWhereTheScriptEnds(t *testing.T) {
	var out strings.Builder
	_, err := Play(t.Context(), PlayOptions{Conversation: newScripted("en", false), Out: &out, Script: Script{Messages: []string{"gate"}}})
	if !errors.Is(err, ErrScriptEnded) {
		t.Errorf("got %v", err)
	}
}
