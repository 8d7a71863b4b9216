package agent_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/advice"
	"nebula/internal/state"
)

// What of a file has no room, and what gives way to it, is said to the person once, and stands in the status.
func TestWhatIsLeftOutOfAdviceIsSaidOnce(t *testing.T) {
	st := newStage(t, reply("", call("1", "look", "path", "a")), reply("One."), reply("Two."))
	st.world.set("a", "x")
	st.setup.Advice = func([]string) []advice.File {
		return []advice.File{{Path: "web/AGENTS.md", Text: "one\n", Lines: 1, Left: 9, Unread: []string{"web/CLAUDE.md"}}}
	}
	var told, cuts []string
	for _, asked := range []string{"go", "again"} {
		for _, e := range st.say(asked, nil) {
			switch b := e.Body.(type) {
			case nebula.Noted:
				told = append(told, b.Text)
			case nebula.Ended:
				cuts = b.Cuts
			}
		}
	}
	want := []string{"web/AGENTS.md: the model is told the first 1 of its 10 lines; budget.advice is how much has room",
		"web/AGENTS.md is read, and web/CLAUDE.md beside it is not; write @CLAUDE.md into it, or move what counts there"}
	if !slices.Equal(told, want) || !slices.Equal(cuts, []string{"web/AGENTS.md:2-10", "web/CLAUDE.md"}) {
		t.Errorf("%q, %q", told, cuts)
	}
}

// What is not to be read is not brought in by a file of advice either.
func TestWhatIsNotToBeReadIsNoAdvice(t *testing.T) {
	for _, words := range []string{"Look around. Don't read diary.md.", "Look around."} {
		st := newStage(t, reply("One."), reply("Two."))
		st.setup.Advice = func([]string) []advice.File {
			return []advice.File{{Path: "diary.md", Text: "the whale sings\n", Lines: 1}, {Path: "AGENTS.md", Text: "see @diary.md\n", Lines: 1}}
		}
		st.setup.Denies = func() (bars []state.Bar) {
			if words == "Look around." {
				b, _ := state.RuledBar("Read(./diary.md)", "/work")
				bars = []state.Bar{b}
			}
			return bars
		}
		st.say(words, nil)
		st.say("Go on.", nil)
		for i, r := range st.script.Prompts() {
			if all := fmt.Sprintf("%+v", r); strings.Contains(all, "the whale sings") || !strings.Contains(all, "see @diary.md") {
				t.Errorf("%s: request %d: %s", words, i+1, all)
			}
		}
	}
}

// That a file gives way is not said where another session said it, and stands in the status all the same.
func TestWhatGivesWayIsSaidInOneSession(t *testing.T) {
	st := newStage(t, reply("One."))
	st.setup.Advice = func([]string) []advice.File {
		return []advice.File{{Path: "AGENTS.md", Text: "one\n", Lines: 1, Unread: []string{"CLAUDE.md"}}}
	}
	st.setup.Unsaid = func(...string) bool { return false }
	var cuts []string
	for _, e := range st.say("go", nil) {
		switch b := e.Body.(type) {
		case nebula.Noted:
			t.Error(b.Text)
		case nebula.Ended:
			cuts = b.Cuts
		}
	}
	if !slices.Equal(cuts, []string{"CLAUDE.md"}) {
		t.Errorf("%q", cuts)
	}
}

// That a file of advice names another that is not there is said to the person, once.
func TestMissingAdviceIsSaidOnce(t *testing.T) {
	st := newStage(t, reply("", call("1", "look", "path", "a")), reply("One."), reply("Two."))
	st.world.set("a", "x")
	st.setup.Advice = func([]string) []advice.File {
		return []advice.File{{Path: "AGENTS.md", Text: "@gone.md\n", Lines: 1, Missing: []string{"gone.md"}}}
	}
	told := 0
	for _, asked := range []string{"go", "again"} {
		for _, e := range st.say(asked, nil) {
			if n, ok := e.Body.(nebula.Noted); ok && strings.Contains(n.Text, "AGENTS.md") && strings.Contains(n.Text, "@gone.md") {
				told++
			}
		}
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
}
