package tui

import (
	"strings"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
)

// A Script is typed where nobody does: messages and commands when the session waits for one, answers when it asks. A person who
// types takes over.
type Script struct {
	Messages, Answers []string
	Pause, Key        time.Duration // before a message or an answer, and between two keys of one
	End               string        // is said below when all is typed
}

// A typist is where a script is.
type typist struct {
	Script
	rest []rune    // of what is being typed
	next time.Time // when the next key is due; zero while there is nothing to type
	turn int       // that the last message began
	said bool      // that it ended
}

// pace is how often it is to be looked after; 0 while it waits for the session.
func (t *typist) pace() time.Duration {
	if t == nil || t.next.IsZero() {
		return 0
	}
	return max(t.Key, time.Millisecond)
}

// play types the key that is due, or begins with what fits.
func (a *app) play() {
	t := a.typist
	switch {
	case t == nil || a.link == nil || a.view.Started.Session == "" || a.picker != nil || a.page != nil:
	case !t.next.IsZero() && time.Now().Before(t.next):
	case !t.next.IsZero() && len(t.rest) > 0:
		r := t.rest[0]
		t.rest, t.next = t.rest[1:], time.Now().Add(t.Key)
		a.key(uv.KeyPressEvent{Code: r, Text: string(r)})
	case !t.next.IsZero():
		t.next = time.Time{}
		a.key(uv.KeyPressEvent{Code: uv.KeyEnter})
		if a.gate != nil && !a.gate.sent { // rows that were on no screen are named: a second one allows them
			t.next = time.Now().Add(t.Pause)
		}
	case a.gate != nil && !a.gate.sent && len(t.Answers) > 0:
		t.begin(&t.Answers)
	case a.gate != nil || a.view.Busy || a.view.Turns < t.turn:
	case len(t.Messages) > 0:
		if !strings.HasPrefix(t.Messages[0], "/") {
			t.turn = a.view.Turns + 1
		}
		t.begin(&t.Messages)
	case !t.said:
		t.said, a.hint = true, t.End
	}
}

func (t *typist) begin(list *[]string) {
	t.rest, *list = []rune((*list)[0]), (*list)[1:]
	t.next = time.Now().Add(t.Pause)
}

// yield leaves the keyboard to the person who presses a key that is not only a look around.
func (a *app) yield(k uv.KeyPressEvent) {
	switch k.Code {
	case uv.KeyUp, uv.KeyDown, uv.KeyPgUp, uv.KeyPgDown, uv.KeyHome, uv.KeyEnd:
		return
	}
	a.typist = nil
}
