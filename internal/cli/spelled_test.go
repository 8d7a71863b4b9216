package cli

import (
	"strings"
	"testing"

	"nebula/internal/command"
)

// A command of the table is never sent to the model as a message: it asks what it stands for, or says what to use instead.
func TestRunKnowsEveryCommandOfTheTable(t *testing.T) {
	s := &session{program: &program{}}
	asks := map[string]string{"review": "/review the tests", "skill": "/skill release 1.2"}
	for _, row := range command.Rows {
		if row.Name == "!" {
			continue
		}
		for _, name := range append([]string{row.Name}, row.Also...) {
			text, err := s.spelled("/" + name)
			if given := asks[row.Name]; given != "" {
				if text, err = s.spelled(given); err != nil || !strings.Contains(text, strings.Join(strings.Fields(given)[1:], " ")) {
					t.Errorf("%s: %q, %v", given, text, err)
				}
				continue
			}
			if err == nil || code(err) != exitUsage || !strings.Contains(err.Error(), "/"+name+" ") || !strings.Contains(err.Error(), row.Shell) {
				t.Errorf("/%s: %q, %v", name, text, err)
			}
		}
	}
	for _, message := range []string{"/usr/bin is broken", "undo what you did", "! now", "/server:prompt x", "/undo\nand more"} {
		if text, err := s.spelled(message); err != nil || text != message {
			t.Errorf("%s: %q, %v", message, text, err)
		}
	}
}
