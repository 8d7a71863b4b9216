package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// wire is a request's conversation as one text, as a cache sees it.
func wire(messages []nebula.Message) string {
	var b strings.Builder
	for _, m := range messages {
		b.WriteString(string(m.Role) + ":" + m.Text())
		for _, c := range m.Calls() {
			b.WriteString(c.Name + c.Arguments)
		}
	}
	return b.String()
}

// price is what a request costs whose beginning is that of the one before, in bytes read at the full price.
func price(before, now string) float64 {
	same := 0
	for same < len(before) && same < len(now) && before[same] == now[same] {
		same++
	}
	return float64(len(now)-same) + 0.25*float64(same)
}

// A file that is read and changed ten times does not stand in the conversation ten times, and taking older copies out
// costs less than leaving them in.
func TestOlderCopiesOfAFileGiveWayToTheNewest(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		file := strings.Repeat("A line of a file that is not short.\n", 150)
		p := newProject(t, l, map[string]string{"a.md": "round 0\n" + file})
		for n := range 10 {
			p.replies(l, acts(act("readFile", "path", "a.md")), acts(act("executeShell", "command", fmt.Sprintf("sed -i 's/round %d/round %d/' a.md", n, n+1))))
		}
		p.replies(l, say("Done."))
		p.setup.Approve, p.setup.Limits.Steps = gate.All, 30
		events := p.say("go", nil)
		if end := last(t, events); end.Status != nebula.TurnDone {
			t.Fatalf("ended %s %q", end.Status, end.Text)
		}
		var all []nebula.Message
		var with, without float64
		lastWith, lastWithout, request := "", "", 0
		for _, e := range events {
			switch b := e.Body.(type) {
			case nebula.Submitted:
				all = append(all, nebula.Message{Role: nebula.User, Parts: nebula.Text(b.Text)})
			case nebula.Observed:
				all = append(all, b.Messages...)
			case nebula.Requested:
				now, whole := wire(p.script.Prompts()[request].Messages), wire(all)
				with, without = with+price(lastWith, now), without+price(lastWithout, whole)
				lastWith, lastWithout, request = now, whole, request+1
			}
		}
		copies := strings.Count(lastWith, "A line of a file that is not short.") / 150
		if copies > 3 || !strings.Contains(lastWith, "older copy of a.md") || !strings.Contains(lastWith, "round 9") {
			t.Errorf("%d copies stand in the last request", copies)
		}
		if with >= without {
			t.Errorf("it costs %.0f, and %.0f untouched", with, without)
		}
		t.Logf("%d copies; costs %.0f %% of what it does untouched, the last request is %d of %d bytes", copies, 100*with/without, len(lastWith), len(lastWithout))
	})
}

// What the record says is what the model reads after a restart, too.
func TestOlderCopiesStayOutAfterARestart(t *testing.T) {
	l := languages()[1]
	p := newProject(t, l, map[string]string{"a.md": strings.Repeat("A line of a file that is not short.\n", 150)})
	for range 3 {
		p.replies(l, acts(act("readFile", "path", "a.md")), acts(act("executeShell", "command", "echo more >> a.md")))
	}
	p.replies(l, say("Done."), say("Again."))
	p.setup.Approve = gate.All
	p.say("go", nil)
	before := wire(p.script.Prompts()[6].Messages)
	_ = p.session.Send(t.Context(), nebula.Close{})
	_ = p.session.Wait()
	p.open(p.session.ID())
	p.say("go on", nil)
	if now := wire(p.script.Prompts()[7].Messages); !strings.HasPrefix(now, before) || !strings.Contains(before, "older copy of a.md") {
		t.Error("the conversation is another one after a restart")
	}
}

// One file that a reply reads five times is shown once.
func TestOneReplyReadsAFileOnce(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		read := func(path string) nebula.Action { return act("readFile", "path", path) }
		p := newProject(t, l, map[string]string{"a.md": strings.Repeat("A line of a file that is not short.\n", 20)},
			acts(read("a.md"), read("./a.md"), read("././a.md"), read("./././a.md"), read("a.md/")), say("Done."))
		p.say("go", nil)
		sent := wire(p.script.Prompts()[1].Messages)
		if n := strings.Count(sent, "A line of a file that is not short."); n != 20 {
			t.Errorf("%d lines are sent, not 20", n)
		}
		if n := strings.Count(sent, "The same as the result of readFile a.md above"); n != 4 {
			t.Errorf("%d results name the first\n%s", n, sent)
		}
		if strings.Count(sent, "readFile a.md") < 5 && l.Name() != "toolcall" {
			t.Errorf("results do not name their target:\n%s", sent)
		}
	})
}

// What results said many replies ago is a line each, in every language; the calls, what the person said and the last results stay
// whole, it costs less than all of it, and it is so after a restart, too.
func TestOldResultsGiveWayInTime(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		const reads = 40
		files := map[string]string{}
		for n := range reads {
			files[fmt.Sprintf("f%02d.md", n)] = fmt.Sprintf("File %d begins.\n", n) + strings.Repeat(fmt.Sprintf("A line of file %d that is not short.\n", n), 40)
		}
		p := newProject(t, l, files)
		for n := range reads {
			p.replies(l, acts(act("readFile", "path", fmt.Sprintf("f%02d.md", n))))
		}
		p.replies(l, say("Done."), say("Again."))
		p.setup.Approve, p.setup.Limits.Steps = gate.All, 2*reads
		events := p.say("Read all of them. Never touch column 7.", nil)
		prompts := p.script.Prompts()
		var all []nebula.Message
		var with, without float64
		lastWith, lastWithout, request, sentNow, sentWhole := "", "", 0, 0, 0
		for _, e := range events {
			switch b := e.Body.(type) {
			case nebula.Submitted:
				all = append(all, nebula.Message{Role: nebula.User, Parts: nebula.Text(b.Text)})
			case nebula.Observed:
				all = append(all, b.Messages...)
			case nebula.Requested:
				now, whole := wire(prompts[request].Messages), wire(all)
				with, without = with+price(lastWith, now), without+price(lastWithout, whole)
				sentNow, sentWhole = sentNow+len(now), sentWhole+len(whole)
				lastWith, lastWithout, request = now, whole, request+1
			}
		}
		sent := wire(prompts[reads].Messages)
		if !strings.Contains(sent, "Never touch column 7.") || strings.Count(sent, "f00.md") == 0 || !strings.Contains(sent, "File 0 begins.") {
			t.Errorf("what stays is gone:\n%.2000s", sent)
		}
		for n := range reads {
			shown := strings.Count(sent, fmt.Sprintf("A line of file %d that is not short.", n))
			if n == 0 && shown > 10 || n >= reads-8 && shown != 40 {
				t.Errorf("%d lines of file %d are sent", shown, n)
			}
		}
		if with >= without || !strings.Contains(sent, "the rest of this older result is left out") {
			t.Errorf("it costs %.0f, and %.0f untouched", with, without)
		}
		_ = p.session.Send(t.Context(), nebula.Close{})
		_ = p.session.Wait()
		p.open(p.session.ID())
		p.say("And now?", nil)
		prompts = p.script.Prompts()
		if now := wire(prompts[len(prompts)-1].Messages); strings.Count(now, "A line of file 0 that") > 10 || !strings.Contains(now, "File 0 begins.") {
			t.Error("the conversation is another one after a restart")
		}
		t.Logf("sent are %.0f %%, it costs %.0f %%", 100*float64(sentNow)/float64(sentWhole), 100*with/without)
	})
}

// Small files that were changed give way once nothing is done with them any more, at less cost than if they had stayed; one
// that is still worked on stays, and so does what was only read.
func TestCopiesOfChangedFilesThatWereLeftGiveWay(t *testing.T) {
	each(t, func(t *testing.T, l language) {
		text := func(n int) string {
			return fmt.Sprintf("part %d begins here\n", n) + strings.Repeat("a line of it\n", 30)
		}
		files := map[string]string{}
		for n := range 16 {
			files[fmt.Sprintf("part%02d.txt", n)] = text(n)
		}
		p := newProject(t, l, files)
		for n := range 16 {
			file := fmt.Sprintf("part%02d.txt", n)
			p.replies(l, acts(act("readFile", "path", file)))
			if n > 0 {
				p.replies(l, acts(act("executeShell", "command", "echo more >> "+file+"; echo more >> part01.txt")))
			}
		}
		p.replies(l, say("Done."), say("Done."), say("Done."))
		p.setup.Approve, p.setup.Limits.Steps = gate.All, 60
		events := p.say("go", nil)
		if end := last(t, events); end.Text != "Done." {
			t.Fatalf("ended %s %q", end.Status, end.Text)
		}
		prompts := p.script.Prompts()
		now := wire(prompts[len(prompts)-1].Messages)
		for n := range 16 {
			stays := n <= 1 || n >= 14
			if there := strings.Contains(now, fmt.Sprintf("part %d begins", n)); stays && !there {
				t.Errorf("part %d is gone", n)
			} else if n > 1 && n < 6 && there {
				t.Errorf("part %d still stands there", n)
			}
		}
	})
}
