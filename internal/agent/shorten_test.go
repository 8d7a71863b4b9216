package agent_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"nebula"
	"nebula/internal/gate"
)

// reads is a session that reads one file a turn, six of them, by replies in a language, and has as many answers left.
func reads(t *testing.T, l language, more int) *project {
	files := map[string]string{}
	for n := range 6 {
		files[fmt.Sprintf("f%d.md", n)] = strings.Repeat(fmt.Sprintf("This is a line of the file number %d.\n", n), 60)
	}
	p := newProject(t, l, files)
	for n := range 6 {
		p.replies(l, acts(act("readFile", "path", fmt.Sprintf("f%d.md", n))), say(fmt.Sprintf("It is number %d.", n)))
	}
	for range more {
		p.replies(l, say("Well."))
	}
	p.setup.Approve = gate.All
	for n := range 6 {
		p.say(fmt.Sprintf("Read f%d.md. Whatever else happens, never touch column %d.", n, n), nil)
	}
	return p
}

// lines are how many of a file's lines stand in a text.
func lines(text string, file int) int {
	return strings.Count(text, fmt.Sprintf("a line of the file number %d.", file))
}

// compactions are those of the record, with the events that came after the last one.
func (st *stage) compactions() (all []nebula.Compacted, after int) {
	for _, e := range st.recorded() {
		after++
		if c, ok := e.Body.(nebula.Compacted); ok {
			all, after = append(all, c), 0
		}
	}
	return all, after
}

// TestThePersonShortensTheConversation around what they name: their words stay, it costs less, and that is so after a
// restart, too. A second time says that nothing is left.
func TestThePersonShortensTheConversation(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		p := reads(t, l, 2)
		if err := p.session.Send(t.Context(), nebula.Compact{Focus: "f1.md"}); err != nil {
			t.Fatal(err)
		}
		all, _ := p.compactions()
		if len(all) != 1 || 3*all[0].After > 2*all[0].Before || all[0].Focus != "f1.md" {
			t.Fatalf("%+v", all)
		}
		if err := p.session.Send(t.Context(), nebula.Compact{Focus: "f1.md"}); err == nil || !strings.Contains(err.Error(), "nothing is left to shorten") {
			t.Errorf("a second time: %v", err)
		}
		for n, text := range []string{"And now?", "And again?"} {
			p.say(text, nil)
			prompts := p.script.Prompts()
			sent := wire(prompts[len(prompts)-1].Messages)
			for rule := range 6 {
				if !strings.Contains(sent, fmt.Sprintf("never touch column %d.", rule)) {
					t.Errorf("request %d: rule %d is gone", n, rule)
				}
			}
			if kept, left, newest := lines(sent, 1), lines(sent, 2), lines(sent, 5); kept < 60 || left > 10 || newest < 60 {
				t.Errorf("request %d: %d lines of what was named, %d of what was not, %d of the newest", n, kept, left, newest)
			}
			if n == 0 {
				_ = p.session.Send(t.Context(), nebula.Close{})
				_ = p.session.Wait()
				p.open(p.session.ID())
			}
		}
		t.Logf("%d → %d tokens", all[0].Before, all[0].After)
	})
}

// TestWhatIsShortenedDuringATurnWaitsForItsEnd and is said to.
func TestWhatIsShortenedDuringATurnWaitsForItsEnd(t *testing.T) {
	p := reads(t, languages()[0], 0)
	p.replies(languages()[0], acts(act("executeShell", "command", "echo so")), say("Done."))
	p.setup.Approve = gate.Ask
	_ = p.session.Send(t.Context(), nebula.Switch{Approve: string(gate.Ask)})
	events := p.say("Say so.", func(nebula.Asked) (nebula.Decided, string) {
		if err := p.session.Send(t.Context(), nebula.Compact{}); err != nil {
			t.Error(err)
		}
		return nebula.Yes, ""
	})
	said := false
	for _, e := range events {
		if n, ok := e.Body.(nebula.Noted); ok && strings.Contains(n.Text, "when this turn has come to its end") {
			said = true
		}
		if _, ok := e.Body.(nebula.Compacted); ok {
			t.Error("it was shortened in the middle of the turn")
		}
	}
	for n := 0; ; n++ {
		if all, _ := p.compactions(); len(all) == 1 && said {
			break
		}
		if n == 100 {
			t.Fatalf("said %v, and it was not shortened", said)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// TestNothingIsLeftToShorten where nothing was said.
func TestNothingIsLeftToShorten(t *testing.T) {
	st := newStage(t)
	st.open("")
	if err := st.session.Send(t.Context(), nebula.Compact{}); err == nil || !strings.Contains(err.Error(), "takes 0 tokens") {
		t.Errorf("got %v", err)
	}
}

// heardHooks are hooks that say nothing and keep what they are told.
type heardHooks struct {
	mu   sync.Mutex
	told []nebula.Occasion
}

// At implements nebula.Hooks.
func (h *heardHooks) At(_ context.Context, o nebula.Occasion) nebula.Heeded {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.told = append(h.told, o)
	return nebula.Heeded{}
}

// shortened are the kinds of the conversation's shortenings that they were told of.
func (h *heardHooks) shortened() (list []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, o := range h.told {
		if o.Moment == nebula.AtShort {
			list = append(list, o.Kind+" "+o.Text)
		}
	}
	return list
}

// TestHooksKnowThatAConversationIsShortened by itself, once for each time, and by the person, with what they named.
func TestHooksKnowThatAConversationIsShortened(t *testing.T) {
	l := languages()[0]
	p, h := newProject(t, l, nil), &heardHooks{}
	p.setup.Hooks = h
	p.setup.Prompt.Count = func(text string) int { return len(text)/3 + 1 }
	p.script.Infos = func(i nebula.ModelInfo) nebula.ModelInfo {
		i.Window = 6000
		return i
	}
	p.script.Answers = func(int, nebula.Prompt) *nebula.Reply {
		r := l.write(say("It says a lot. "+strings.Repeat("word ", 300)), p.tools)
		return &r
	}
	var all []nebula.Compacted
	for n := 0; n < 30 && len(all) == 0; n++ {
		p.say(fmt.Sprintf("what does part %d say?", n), nil)
		all, _ = p.compactions()
	}
	if got := h.shortened(); len(all) == 0 || len(got) != 1 || got[0] != "auto " {
		t.Fatalf("%d times shorter, told of %q", len(all), got)
	}
	if err := p.session.Send(t.Context(), nebula.Compact{Focus: "part 1"}); err != nil {
		t.Fatal(err)
	}
	if got := h.shortened(); len(got) != 2 || got[1] != "manual part 1" {
		t.Errorf("told of %q", got)
	}
}

// A message that does not fit is in the way of none that comes after it: its beginning and its end stand for it. One that fits stays whole.
func TestAMessageThatWasNeverSentIsNotInTheWay(t *testing.T) {
	l := languages()[0]
	for _, row := range []struct {
		lines  int
		before bool
	}{{8_000, false}, {8_000, true}, {100, true}} {
		p := newProject(t, l, nil)
		p.script.Infos = func(i nebula.ModelInfo) nebula.ModelInfo {
			i.Window = 16_000
			return i
		}
		for range 3 {
			p.replies(l, say("Well."))
		}
		if row.before {
			p.say("Good morning.", nil)
		}
		p.say("Look.\n"+strings.Repeat("a pasted line\n", row.lines)+"The end.", nil)
		p.say("hello", nil)
		prompts := p.script.Prompts()
		sent := wire(prompts[len(prompts)-1].Messages)
		if n := strings.Count(sent, "a pasted line"); !strings.Contains(sent, "hello") || !strings.Contains(sent, "Look.") || !strings.Contains(sent, "The end.") || (n == row.lines) != (row.lines < 1000) {
			t.Errorf("%+v: %d lines in %d bytes", row, n, len(sent))
		}
	}
}
