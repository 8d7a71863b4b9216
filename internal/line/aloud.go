package line

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"nebula"
	"nebula/internal/phrase"
	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// What is listened to is written once, from top to bottom. Nothing moves: what is typed is echoed as it comes, a letter that
// is deleted is wiped, and any other change of the line is a line of its own.

// stillEvery is how often is said that something goes on.
const stillEvery = 30 * time.Second

// speak writes what is new.
func (t *talk) speak(now time.Time) error {
	if t.hint != "" {
		t.view.note(t.palette.note, t.hint)
		t.hint = ""
	}
	if since := now.Sub(slices.MaxFunc([]time.Time{t.view.Since, t.still}, time.Time.Compare)); t.view.Busy && t.asking == "" && since >= stillEvery && since < 24*time.Hour {
		t.still = now
		t.view.note(t.palette.dim, fmt.Sprintf(t.words.Still, phrase.Seconds(now.Sub(t.view.Since).Truncate(time.Second).Milliseconds())))
	}
	prompt, typed := t.prompt(), t.editor.Spoken()
	if t.settled() && typed == "" {
		prompt = ""
	}
	if t.view.Busy && t.asking == "" && t.pick == nil && typed == "" || t.view.Started.Session == "" && t.pick == nil || t.view.typed != "" && typed == "" {
		prompt = "" // nothing is wanted now, though a line may be typed
	}
	lines := t.view.printed()
	for i := range lines {
		if !t.options.Color {
			lines[i] = terminal.Unpainted(lines[i])
		}
	}
	return t.screen.speak(lines, prompt, typed)
}

// wipedMost is how many columns are wiped one by one; more are a new line.
const wipedMost = 8

// speak writes lines, and then the prompt with what is typed behind it; of a line that stands there already, what is new.
func (s *screen) speak(lines []string, prompt, typed string) error {
	var b strings.Builder
	rest, grew := strings.CutPrefix(typed, s.typed)
	gone, shrank := strings.CutPrefix(s.typed, typed)
	switch {
	case len(lines) == 0 && prompt == s.asked && typed == s.typed:
		return nil
	case len(lines) == 0 && prompt == s.asked && prompt != "" && grew:
		b.WriteString(strings.ReplaceAll(rest, "\n", "\r\n"))
	case len(lines) == 0 && prompt == s.asked && prompt != "" && shrank && !strings.Contains(gone, "\n") && terminal.Width(gone) <= wipedMost:
		b.WriteString(strings.Repeat("\b \b", terminal.Width(gone)))
	default:
		if s.asked != "" {
			b.WriteString("\r\n")
		}
		for _, l := range lines {
			b.WriteString(l + "\r\n")
		}
		if prompt != "" {
			b.WriteString(prompt + strings.ReplaceAll(typed, "\n", "\r\n"))
		}
	}
	s.asked, s.typed = prompt, typed
	if prompt == "" {
		s.typed = ""
	}
	_, err := io.WriteString(s.out, b.String())
	return err
}

// over ends the line that is typed, once all of it stands there.
func (s *screen) over(prompt, typed string) {
	_ = s.speak(nil, prompt, typed)
	_, _ = io.WriteString(s.out, "\r\n") // what is written next meets the same fault
	s.asked, s.typed = "", ""
}

// voice prints a line of an answer or a thought, the first of each behind who says it.
func (v *view) voice(kind transcript.Kind, line string) {
	if strings.TrimSpace(line) == "" {
		return
	}
	who := ""
	if v.saying != kind+1 {
		who = map[transcript.Kind]string{transcript.Thought: v.words.Thinks + ": ", transcript.Say: "nebula: "}[kind]
	}
	if v.saying = kind + 1; kind == transcript.Thought {
		v.print(who + terminal.Visible(line))
		return
	}
	v.print(who + v.prose.line(line))
}

// hear prints what the person said, where it does not stand there as they typed it.
func (v *view) hear(r *transcript.Row) {
	if r.Text == v.typed {
		v.typed = ""
		return
	}
	v.print(v.words.You + ": " + terminal.Visible(r.Text))
}

// ended says how an action ended.
//
//go:noinline
func (w words) ended(s nebula.Status) string {
	switch s {
	case nebula.Failed:
		return w.Failed
	case nebula.Denied:
		return w.Denied
	case nebula.Skipped:
		return w.Skipped
	case nebula.Interrupted:
		return w.Interrupted
	}
	return w.Done
}

// noted is the word before a note.
//
//go:noinline
func (w words) noted(p palette, style string) string {
	switch {
	case style == p.bad && style != "":
		return w.ErrorWord
	case style == p.warn && style != "":
		return w.WarningWord
	}
	return w.NoteWord
}

// lead is what stands before a row that is decided on.
func (v *view) lead(r terminal.Row) string {
	if !v.aloud {
		return r.Lead
	}
	if i := strings.IndexByte("$!+- @f.~", r.Kind); i >= 0 {
		return v.words.Leads[i] + ": "
	}
	return r.Lead
}

// leadsWidth is the room that the words before rows take.
const leadsWidth = 14
