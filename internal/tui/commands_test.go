package tui

import (
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
)

// TestPageTakesNoText that is meant for the line: it goes there whole.
func TestPageTakesNoText(t *testing.T) {
	for _, text := range []string{"quite so", "jump", "どう", "yes"} {
		a := staged("en", 80)
		a.run("status", nil)
		for _, r := range text {
			name := r
			a.key(uv.KeyPressEvent{Code: name, Text: string(r)})
		}
		if a.page != nil || a.editor.Text() != text {
			t.Errorf("%q on a page is typed as %q", text, a.editor.Text())
		}
		a = staged("en", 80)
		a.run("status", nil)
		if a.paste(text); a.page != nil || a.editor.Text() != text {
			t.Errorf("%q pasted on a page is typed as %q", text, a.editor.Text())
		}
	}
}

// TestWordsFromElsewhere are understood.
func TestWordsFromElsewhere(t *testing.T) {
	for _, name := range []string{"clear", "compact", "cost", "resume", "init", "permissions"} {
		a := staged("en", 80)
		a.hint = ""
		a.run(name, nil)
		if strings.Contains(a.hint, "There is no command") {
			t.Errorf("/%s: %s", name, a.hint)
		}
	}
	a := staged("en", 80)
	if a.run("cost", nil); a.page == nil {
		t.Error("/cost shows no figures")
	}
}
