package line

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/terminal"
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

// What is asked once stands there once, also while the session has not told yet that it has its answer.
func TestThePromptStandsThereOnce(t *testing.T) {
	for _, dumb := range []bool{false, true} {
		var out bytes.Buffer
		talk := &talk{words: wordsFor("en"), view: newView(wordsFor("en"), palette{}, false, time.Time{}), link: terminal.NewLink(t.Context(), sent(make(chan nebula.Command, 4))), spoken: !dumb, dumb: dumb}
		talk.screen.out, talk.screen.width, talk.screen.height = &out, 80, 24
		talk.view.width, talk.view.room, talk.view.aloud = 79, 20, !dumb
		draw := func() {
			var err error
			if dumb {
				err = talk.display()
			} else {
				err = talk.speak(time.Now())
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		p := nebula.Proposal{Action: nebula.Action{ID: "a1"}, Effect: nebula.Execute, Command: "make"}
		for _, b := range []nebula.Body{nebula.Started{Session: "s"}, nebula.Submitted{Turn: 1, Text: "go"}, nebula.Proposed{Proposal: p}, nebula.Asked{Ask: "q1", Action: "a1"}} {
			talk.view.fold(nebula.Event{Body: b})
			talk.follow()
		}
		draw()
		talk.editor.Set("yes")
		talk.enter()
		draw()
		draw()
		if n := strings.Count(out.String(), "allow? "); n != 1 {
			t.Errorf("dumb %t: asked %d times:\n%q", dumb, n, out.String())
		}
		talk.view.fold(nebula.Event{Body: nebula.Answered{Ask: "q1", Answer: nebula.Yes, By: nebula.Person}})
		talk.follow()
		talk.view.fold(nebula.Event{Body: nebula.Asked{Ask: "q2", Action: "a1"}})
		talk.follow()
		if draw(); strings.Count(out.String(), "allow? ") != 2 {
			t.Errorf("dumb %t: the next question has no prompt:\n%q", dumb, out.String())
		}
	}
}
