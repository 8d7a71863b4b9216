package judge

import (
	"strings"
	"testing"

	"nebula/internal/nebulatest"
)

// TestADeletionThatIsPutOffWaits reads words that show a deletion, put it off or take it back (-), before it and behind it, and plain words of who
// deletes (+).
func TestADeletionThatIsPutOffWaits(t *testing.T) {
	deletion := [4]string{"deleteFile", `{"path":"notes.md"}`, "$ delete @ notes.md", "T:delete_file|notes.md"}
	tools := nebulatest.Specs()
	for i, line := range rows(t, "putoff") {
		head, text, _ := strings.Cut(line, "|")
		for _, l := range languages() {
			if l.Name() == "toolcall" && strings.HasSuffix(head, "A") {
				continue
			}
			if in := l.decode(besideDeed(l.Name(), head[2:], deletion, text, i%2 == 1), tools); runs(in, tools) != (head[0] == '+') {
				t.Errorf("%s %s: %s", head, l.Name(), text)
			}
		}
	}
}
