package line

import (
	"regexp"
	"strings"
	"testing"
)

// moves are the sequences that go elsewhere on the screen, or wipe what stands there.
var moves = regexp.MustCompile(`\x1b\[[0-9;]*[ABCDEFGHJKSTfsu]|\x1b\[\?25[lh]|\x1b\[\?2026`)

// What is listened to is written once, without a move, and every line says what it is.
func TestPlainIsForEars(t *testing.T) {
	d := sit(t, "NEBULA_LINE_SPOKEN=1", "NO_COLOR=1")
	d.expect("note: enter sends")
	d.keys("hello")
	d.expect("› hello")
	d.keys("x")
	d.expect("x")
	d.keys("\x7f")
	d.expect("\b \b")
	d.keys("\r")
	for _, text := range []string{"\r\n", "thinking: 考え中の一行", "nebula: ## 見出し", "fmt.Println()", "turn: done"} {
		d.expect(text)
	}
	d.keys("gate\r")
	for _, text := range []string{"Permission needed", "why: 優先度を足す", "file: ", "removed: type A int", "added: type A string // ⟦U+202E⟧evil␛[2J", "allow? "} {
		d.expect(text)
	}
	settle()
	d.keys("no, use a string\r")
	d.expect("warning: refused: use a string")
	d.expect("refused: domain/todo.go")
	d.expect("turn: done")
	d.keys("\x1b[A")
	d.expect("› gate")
	d.keys("\x1b[D\x1b[DX")
	d.expect("› gaX|te")
	d.keys("\x03")
	d.expect("note: ↑ brings back what you typed")
	d.mu.Lock()
	out := d.out.String()
	d.mu.Unlock()
	if at := moves.FindString(out); at != "" {
		t.Errorf("%q moves on the screen:\n%q", at, out)
	}
	if strings.Contains(out, "› \r\n") {
		t.Errorf("an empty prompt is left behind:\n%q", out)
	}
	if n := strings.Count(out, "hello"); n != 1 {
		t.Errorf("what was typed is written %d times:\n%q", n, out)
	}
	d.keys("\x04")
	d.exits()
}
