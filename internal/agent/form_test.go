package agent_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/nebulatest"
	"nebula/internal/protocol/dialect"
)

// sayAlone is say with nobody there.
func (st *stage) sayAlone(text string) []nebula.Event {
	st.t.Helper()
	if st.session == nil {
		st.open("")
	}
	session := st.session
	done := make(chan struct{})
	go func() {
		defer close(done)
		for e := range session.Events(st.t.Context(), 0) {
			switch b := e.Body.(type) {
			case nebula.Asked:
				_ = session.Send(st.t.Context(), nebula.Answer{Ask: b.Ask, Answer: nebula.No, By: "nobody"})
			case nebula.Ended:
				return
			}
		}
	}()
	events := st.say(text, nil)
	<-done
	return events
}

// With nobody there a guessed look runs; a guessed change is sent back with the form, and what is done then is not missing.
func TestGuessedChangeIsSentBackWithItsForm(t *testing.T) {
	write := func(name string) nebula.Call { return call("1", name, "path", "a.md", "content", "x") }
	for _, c := range []struct {
		name    string
		approve gate.Approve
		replies []nebula.Reply
		status  nebula.EndStatus
		want    string
	}{
		{"a look", gate.None, []nebula.Reply{reply("", call("1", "look?", "path", "b")), reply("Ok.")}, nebula.TurnDone, "look done"},
		{"written right then", gate.Edits, []nebula.Reply{reply("", write("note?")), reply("", write("note")), reply("Ok.")}, nebula.TurnDone, "note failed, note done"},
		{"left at that", gate.Edits, []nebula.Reply{reply("", write("note?")), reply("Ok.")}, nebula.NeedsApproval, "note failed"},
		{"not allowed in any form", gate.Ask, []nebula.Reply{reply("", write("note?")), reply("Ok.")}, nebula.NeedsApproval, "note denied"},
		{"nothing is allowed", gate.None, []nebula.Reply{reply("", write("note?")), reply("Ok.")}, nebula.NeedsApproval, "note denied"},
	} {
		t.Run(c.name, func(t *testing.T) {
			st := newStage(t, c.replies...)
			st.setup.Approve = c.approve
			st.world.set("b", "x")
			events := st.sayAlone("go")
			if got, end := results(events), last(t, events); got != c.want || end.Status != c.status {
				t.Errorf("%s, ended %s", got, end.Status)
			}
		})
	}
}

func TestFormIsShownInTheTaughtLanguageAndThePersons(t *testing.T) {
	for _, l := range languages()[1:] {
		for lang, words := range map[string]string{"en": "your form was the cause", "ja": "書式が原因です"} {
			p := newProject(t, l, nil)
			p.setup.Approve, p.setup.Begin.Lang = gate.All, lang
			p.setup.Protocol = func(string, nebula.ModelInfo) (nebula.Protocol, error) {
				return nebulatest.Guessing{Protocol: dialect.Tolerant(l.Protocol)}, nil
			}
			write := act("writeFile", "path", "a.md", "content", strings.Repeat("long ", 100)+"\n")
			p.script.Replies = []nebula.Reply{l.write(acts(write), p.tools), reply("Ok.")}
			text := ""
			for _, e := range p.sayAlone("go") {
				if f, ok := e.Body.(nebula.Finished); ok {
					text = f.Result.Text
				}
			}
			_, form, _ := strings.Cut(text, "\n")
			in := l.Decode(reply(form), p.tools)
			if !strings.Contains(text, words) || len(in.Actions) != 1 || in.Actions[0].Tool != "writeFile" || len(in.Problems) > 0 || strings.Contains(text, "long long") {
				t.Errorf("%s %s: %s\n%+v", l.Name(), lang, text, in)
			}
		}
	}
}

// Whoever only shows an action, or says that it is not done, is not answered with how it is written.
func TestShownActionIsNotAnsweredWithItsForm(t *testing.T) {
	for _, l := range languages()[1:] {
		p := newProject(t, l, map[string]string{"b.md": "x"})
		p.setup.Approve = gate.All
		p.setup.Protocol = func(string, nebula.ModelInfo) (nebula.Protocol, error) { return dialect.Tolerant(l.Protocol), nil }
		r := l.write(acts(act("deleteFile", "path", "b.md")), p.tools)
		r = reply("I will not do this:\n" + r.Text())
		p.script.Replies = []nebula.Reply{r, reply("Ok.")}
		for _, e := range p.sayAlone("go") {
			if f, ok := e.Body.(nebula.Finished); ok && (f.Result.Status == nebula.Done || strings.Contains(f.Result.Text, "b.md") || !strings.Contains(f.Result.Text, "only shown")) {
				t.Errorf("%s: %s %s", l.Name(), f.Result.Status, f.Result.Text)
			}
		}
	}
}

// The model is told which of its arguments a look was made without.
func TestWhatALookWasGivenBesidesIsSaid(t *testing.T) {
	p := newProject(t, languages()[0], map[string]string{"a.txt": "one\n"})
	p.script.Replies = []nebula.Reply{reply("", call("1", "readFile", "path", "a.txt", "shade", "dark")), reply("It says one.")}
	acted(t, p.say("what does it say?", nil), "readFile done")
	if sent := p.sent(1); !strings.Contains(sent, "one\n[readFile has no argument shade; it was done without]") {
		t.Errorf("%s", sent)
	}
}

// Words that hold a call off are quoted to the model with nobody there; a model that calls it again is taken at its word, and of another
// file it is not.
func TestWhoIsToldOfItsWordsAndCallsAgainMeansIt(t *testing.T) {
	waits := "I want to remove it. Please confirm first. It is not used anywhere else."
	for _, l := range languages() {
		if l.Name() != "toolcall" && l.Name() != "actionlist" {
			continue
		}
		t.Run(l.Name(), func(t *testing.T) {
			p := newProject(t, l, map[string]string{"a.md": "a\n", "b.md": "b\n"})
			p.setup.Approve = gate.All
			p.setup.Protocol = func(string, nebula.ModelInfo) (nebula.Protocol, error) { return dialect.Tolerant(l.Protocol), nil }
			remove := func(path, said string) nebula.Reply {
				in := acts(act("deleteFile", "path", path))
				in.Say = said
				return l.write(in, p.tools)
			}
			p.script.Replies = []nebula.Reply{remove("a.md", waits), remove("a.md", waits), remove("a.md", "I remove a.md now."), remove("b.md", waits), l.write(say("Unverified: nobody reads them."), p.tools)}
			var texts []string
			for _, e := range p.sayAlone("go") {
				if f, ok := e.Body.(nebula.Finished); ok {
					texts = append(texts, string(f.Result.Status)+" "+f.Result.Text)
				}
			}
			if len(texts) != 4 || !strings.Contains(texts[0], "> Please confirm first.") || strings.HasPrefix(texts[1], "done") || !strings.HasPrefix(texts[2], "done") || p.exists("a.md") {
				t.Errorf("%q", texts)
			}
			if !p.exists("b.md") || !strings.Contains(texts[len(texts)-1], "Please confirm first.") {
				t.Errorf("another file: %q", texts)
			}
		})
	}
}
