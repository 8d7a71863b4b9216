package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"

	"nebula"
	"nebula/internal/terminal"
)

// A key that is typed or pasted where none is asked for is neither kept, sent nor, once it is whole, shown.
func TestAKeyIsNoMessageAndNoName(t *testing.T) {
	const key = "sk-proj-5trayAbCdEf0123456789"
	for typed, left := range map[string]string{key: "", "/model " + key: "", "look at " + key + " again": "look at sk-proj-… again"} {
		a := staged("en", 100)
		a.link, a.gate, a.pending = nil, nil, nil
		a.paste(typed)
		rows, _, _ := a.editor.Layout(100, 2)
		if strings.Contains(strings.Join(rows, ""), key) {
			t.Errorf("%q is shown", typed)
		}
		a.enter()
		if len(a.pending) > 0 || a.editor.Text() != left || !strings.Contains(a.hint, "/key asks") || strings.Contains(strings.Join(a.history.Entries, ""), key) {
			t.Errorf("%q: pending %q, left %q, hint %q, history %q", typed, a.pending, a.editor.Text(), a.hint, a.history.Entries)
		}
		a.setup("")
		p := a.picker
		p.free = true
		a.paste(typed)
		if rows, _ := p.draw(a.drawer(), 10, ""); strings.Contains(terminal.Unpainted(strings.Join(rows, "\n")), key) {
			t.Errorf("%q is shown over a list", typed)
		}
		p.chosen = func(*app, int, string) { t.Errorf("%q was chosen", typed) }
		a.picked()
		if len(p.found) != len(p.rows) {
			t.Errorf("%q: the list is gone", typed)
		}
		if !strings.Contains(a.hint, "Whose key is that?") || strings.Contains(p.query.Text(), key) {
			t.Errorf("%q over a list: %q", typed, a.hint)
		}
	}
}

// A key whose form names one provider is taken where a list is open, tried and kept; /key with a provider asks for that one's.
func TestAKeyOverAListIsThatOfItsProvider(t *testing.T) {
	a := staged("en", 100)
	a.folder.Providers = []nebula.KeySource{{Name: "openai", Title: "OpenAI", Where: "x", Begins: "sk-proj-"}, {Name: "groq", Title: "Groq", Begins: "gsk_"}, {Name: "mistral", Title: "Mistral"}}
	a.options.Host, a.ctx, a.calls = &keeping{}, t.Context(), make(chan func(), 9)
	for _, open := range []func(){func() { a.setup("") }, func() { a.keyOf(nil) }} {
		open()
		a.picker.query.Insert("groq")
		if a.picker.search(); len(a.picker.found) != 1 {
			t.Errorf("groq finds %d ways", len(a.picker.found))
		}
		a.picker.query.Set("gsk_7bQ2xW9kLmZ0pR4tYvN8cJ1d")
		if a.picked(); a.picker != nil || a.hint != "" {
			t.Errorf("the key is not taken: %q", a.hint)
		}
	}
	for _, typed := range []string{"export MISTRAL_API_KEY=7bQ2xW9kLmZ0pR4tYvN8cJ1dFgHs3eU5", "MISTRAL_API_KEY='7bQ2xW9kLmZ0pR4tYvN8cJ1dFgHs3eU5'", "GROQ_API_KEY=gsk_7bQ2xW9kLmZ0pR4tYvN8cJ1d", "OPENAI_API_KEY=sk-proj-5trayAbCdEf0123456789"} {
		a.setup("")
		a.paste(typed)
		if a.picked(); a.picker != nil || a.hint != "" {
			t.Errorf("%s is not taken: %q", typed, a.hint)
		}
	}
	for _, typed := range []string{"7bQ2xW9kLmZ0pR4tYvN8cJ1dFgHs3eU5", "4f1d0c7be2a94d3c8e55a0b7c1f2d3e49a6b7c8d0e1f2a3b4c5d6e7f8091a2b3", "AQ.Ab8RN6K7bQ2xW9kLmZ0pR4tYvN8c", "export X_API_KEY=7bQ2xW9kLmZ0pR4tYvN8cJ1dFgHs3eU5"} {
		a.setup("")
		for _, c := range typed {
			a.key(uv.KeyPressEvent{Code: c, Text: string(c)})
		}
		rows, _, _ := a.dock(a.drawer(), time.Now())
		if all := terminal.Unpainted(strings.Join(rows, "")); strings.Contains(all, typed[len(typed)-16:]) {
			t.Errorf("%s is shown: %s", typed, all)
		}
		a.picked()
		rows, _, _ = a.dock(a.drawer(), time.Now())
		if a.picker == nil || !a.picker.query.Empty() || !strings.Contains(terminal.Unpainted(strings.Join(rows, "")), "Whose key is that?") {
			t.Errorf("%s: %q", typed, rows)
		}
	}
	for typed, goes := range map[string]bool{"ollama/qwen3": true, "what does this do?": false} {
		a.setup("")
		a.picker.query.Insert(typed)
		a.picker.search()
		if a.picked(); (a.picker == nil) != goes || !goes && a.hint == "" {
			t.Errorf("%q over the list: goes %t, %q", typed, a.picker == nil, a.hint)
		}
	}
	a.keyOf([]string{"mistral"})
	if a.picker == nil || !a.picker.secret || !strings.Contains(a.picker.title, "Mistral") {
		t.Error("/key mistral asks for another")
	}
	a.picker, a.link = nil, nil
	a.wanted.Model = "groq/llama-3.3-70b"
	a.noSession(&nebula.APIError{Kind: "auth", Text: "no key"})
	if a.picker == nil || !a.picker.secret || !strings.Contains(a.picker.title, "Groq") {
		t.Error("a model of Groq's leads to other keys")
	}
}

type keeping struct{ nebula.Host }

func (*keeping) Keep(context.Context, string, string) error         { return nil }
func (*keeping) Models(context.Context) ([]nebula.ModelInfo, error) { return nil, nil }
