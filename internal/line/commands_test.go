package line

import (
	"os"
	"strings"
	"testing"
)

func TestCommandsAndMessages(t *testing.T) {
	for _, c := range []struct{ text, name, args string }{
		{"/help", "help", ""}, {"/model gpt-4.1-mini", "model", "gpt-4.1-mini"}, {"plan", "plan", ""}, {" Agent ", "agent", ""},
		{"／ｍｏｄｅ　ｐｌａｎ", "mode", "plan"}, {"models", "models", ""}, {"config", "config", ""}, {"mode", "mode", ""}, {"model", "model", ""},
		{"plan the work", "", ""}, {"/usr/bin is broken", "", ""}, {"undo", "", ""}, {"/nonsense", "nonsense", ""}, {"/", "", ""}, {"", "", ""},
		{"/plan\nsecond line", "", ""}, {"計画して", "", ""},
	} {
		name, args, ok := command(c.text)
		if ok != (c.name != "") || ok && (name != c.name || strings.Join(args, " ") != c.args) {
			t.Errorf("%q is %q %q %v", c.text, name, args, ok)
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
