package tui

import (
	"strings"
	"testing"

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
		if len(a.pending) > 0 || a.editor.Text() != left || !strings.Contains(a.hint, "nebula login") || strings.Contains(strings.Join(a.history.Entries, ""), key) {
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
		if !strings.Contains(a.hint, "nebula login") || strings.Contains(p.query.Text(), key) {
			t.Errorf("%q over a list: %q", typed, a.hint)
		}
	}
}
