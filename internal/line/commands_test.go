package line

import (
	"os"
	"testing"

	"nebula/internal/command"
)

func TestEveryCommandIsKnown(t *testing.T) {
	for _, r := range command.Rows {
		sent, _ := r.Sends([]string{"x"}, "en")
		if c, _ := r.Sends(nil, "en"); c == nil && sent == nil && acts()[r.Name] == nil && r.Text("en").Instead == "" {
			t.Errorf("%s does nothing here", r.Title())
		}
	}
}

func appendTo(file, text string) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(text); err != nil {
		return err
	}
	return f.Close()
}
