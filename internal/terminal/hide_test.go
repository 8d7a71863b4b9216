package terminal

import (
	"strings"
	"testing"
)

// A key that is typed letter by letter is hidden as soon as it is known for one, sent as it was typed, and shown by no undo.
func TestAKeyThatIsTypedIsHidden(t *testing.T) {
	for typed, want := range map[string]string{
		"sk-ant-api03-7bQ2xW9kLmZ0pR4tYvN8cJ1d":                   "sk-ant-…",
		"look at gsk_7bQ2xW9kLmZ0pR4tYvN8cJ1d again":              "look at gsk_… again",
		"MISTRAL_API_KEY=7bQ2xW9kLmZ0pR4tYvN8cJ1dFgHs3eU5":        "MISTRAL_API_KEY=…",
		"my api key is 9f3e07c4a1b82d65e0c79f3e07c4a1b8, is it":   "my api key is …, is it",
		"7bQ2xW9kLmZ0pR4tYvN8cJ1dFgHs3eU5":                        "…",
		"see 3f786850e387550fdb6862a0a1b2c3d4e5f6a7b8":            "see 3f786850e387550fdb6862a0a1b2c3d4e5f6a7b8",
		"3f786850e387550fdb6862a0a1b2c3d4e5f6a7b8":                "3f786850e387550fdb6862a0a1b2c3d4e5f6a7b8",
		`API_KEY=os.environ["MISTRAL_API_KEY_2"] in the settings`: `API_KEY=os.environ["MISTRAL_API_KEY_2"] in the settings`,
	} {
		e := Editor{}
		for _, c := range typed {
			e.Insert(string(c))
		}
		rows, _, _ := e.Layout(200, 0)
		if got := strings.Join(rows, ""); got != want || e.Text() != typed {
			t.Errorf("%q is shown as %q, and sent as %q", typed, got, e.Text())
		}
		for range 3 {
			e.Key("ctrl+_")
		}
		rows, _, _ = e.Layout(200, 0)
		if got := strings.Join(rows, ""); strings.Contains(want, "…") && strings.Contains(got, "7bQ2xW9kLmZ0pR4t") {
			t.Errorf("undo shows %q", got)
		}
	}
	e := Editor{}
	for _, c := range "gsk_7bQ2xW9kLmZ0pR4tYvN8cJ1d" {
		e.Insert(string(c))
	}
	e.Key("backspace")
	if e.Text() != "" {
		t.Errorf("a hidden key is not one thing: %q is left", e.Text())
	}
}
