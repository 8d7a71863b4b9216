package agent_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"nebula"
)

// Where the settings want it the model notes what falls out before it does: once, on the record, behind the person's words and
// before the conversation, counted with the turn. Without an answer the conversation is made shorter all the same.
func TestWhatFallsOutIsNotedByTheModelWhereThatIsWanted(t *testing.T) {
	const rule = "Never touch the LICENSE."
	for name, c := range map[string]struct {
		budget       int
		fails        bool
		asked, noted bool
	}{"not wanted": {}, "wanted": {400, false, true, true}, "no answer": {400, true, true, false}} {
		t.Run(name, func(t *testing.T) {
			st := newStage(t)
			st.setup.Prompt.Limits.Summary = c.budget
			st.setup.Prompt.Count = func(text string) int { return len(text)/3 + 1 }
			st.script.Infos = func(i nebula.ModelInfo) nebula.ModelInfo {
				i.Window, i.InputUSD = 6000, 1
				return i
			}
			asked, last := 0, nebula.Prompt{}
			st.script.Before = func(_ context.Context, n int) {
				if p := st.script.Prompts()[n]; c.fails && noteWanted(p) {
					st.script.Faults = map[int]error{n: errors.New("no")}
				}
			}
			st.script.Answers = func(_ int, p nebula.Prompt) *nebula.Reply {
				r := reply("It says a lot. " + strings.Repeat("word ", 300))
				if noteWanted(p) {
					asked++
					r = reply(fmt.Sprintf("## Decided\n- note %d: tabs, not spaces", asked))
					if len(p.Tools) > 0 || p.Messages[0].Role != nebula.User {
						t.Errorf("the note is asked for with %d tools, %s first", len(p.Tools), p.Messages[0].Role)
					}
				} else {
					last = p
				}
				return &r
			}
			var recorded []nebula.Compacted
			for n := range 24 {
				text := fmt.Sprintf("request %d", n)
				if n == 0 {
					text += ". " + rule
				}
				for _, e := range st.say(text, nil) {
					if b, ok := e.Body.(nebula.Compacted); ok && b.Learned != "" {
						recorded = append(recorded, b)
					}
				}
			}
			if (asked > 0) != (c.asked && !c.fails) || (len(recorded) > 0) != c.noted || len(recorded) != asked {
				t.Fatalf("asked %d times, recorded %d", asked, len(recorded))
			}
			if !strings.Contains(last.Messages[0].Text(), rule) || last.Messages[0].Role != nebula.User {
				t.Errorf("the conversation begins with %q", last.Messages[0].Text())
			}
			if !c.noted {
				return
			}
			b := recorded[len(recorded)-1]
			if second := last.Messages[1].Text(); !strings.Contains(second, fmt.Sprintf("note %d: tabs", asked)) || b.Usage.Input == 0 || b.Usage.Cost == 0 {
				t.Errorf("behind the person's words stands %q; used %+v", second, b.Usage)
			}
		})
	}
}

func noteWanted(p nebula.Prompt) bool {
	return strings.Contains(p.Messages[len(p.Messages)-1].Text(), "Answer with the note alone.")
}
