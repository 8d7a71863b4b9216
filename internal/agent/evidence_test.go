package agent_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/model"
	"nebula/internal/prompt"
)

// stale compares with the world of the test.
func (w *world) stale(refs []nebula.FileRef) (changed []nebula.FileRef) {
	for _, ref := range refs {
		if text, ok := w.get(ref.Path); !ok {
			changed = append(changed, nebula.FileRef{Path: ref.Path})
		} else if hash := nebula.Hash([]byte(text)); hash != ref.Hash {
			changed = append(changed, nebula.FileRef{Path: ref.Path, Hash: hash})
		}
	}
	return changed
}

// told is what the n-th request says of where the work stands.
func (st *stage) told(n int) string {
	st.t.Helper()
	prompts := st.script.Prompts()
	if n >= len(prompts) {
		st.t.Fatalf("%d requests", len(prompts))
	}
	messages := prompts[n].Messages
	if last := messages[len(messages)-1].Text(); strings.Contains(last, "Where the work stands") {
		return last
	}
	return ""
}

const readAgain = "Changed since you read them, read them again before relying on them: a.txt"

func TestWhatChangedSinceItWasReadIsSaidUntilItIsReadAgain(t *testing.T) {
	st := newStage(t, reply("", call("1", "look", "path", "a.txt")), reply("read"), reply("", call("2", "look", "path", "a.txt")), reply("read again"), reply("gone"))
	st.setup.Moved = func(gone nebula.FileRef) string { return "sub/" + gone.Path }
	st.setup.Stale = st.world.stale
	st.world.set("a.txt", "one")
	st.say("look", nil)
	if text := st.told(1); text != "" {
		t.Errorf("nothing changed, but: %q", text)
	}
	st.world.set("a.txt", "two")
	st.say("again", nil)
	if text := st.told(2); !strings.Contains(text, readAgain) {
		t.Errorf("%q", text)
	}
	if text := st.told(3); text != "" {
		t.Errorf("it was read again, but: %q", text)
	}
	st.world.mu.Lock()
	delete(st.world.files, "a.txt")
	st.world.mu.Unlock()
	st.say("and now", nil)
	if text := st.told(4); !strings.Contains(text, "No longer there, although you read them: a.txt (it is sub/a.txt now)") {
		t.Errorf("%q", text)
	}
}

func TestAChangeInTheMiddleOfATurnIsSaid(t *testing.T) {
	st := newStage(t, reply("", call("1", "look", "path", "a.txt")), reply("", call("2", "shout", "command", "format")), reply("done"))
	st.setup.Stale = st.world.stale
	st.world.set("a.txt", "one")
	st.world.before = func(tool string) {
		if tool == "shout" {
			st.world.set("a.txt", "formatted")
		}
	}
	st.say("format it", always(nebula.Yes))
	if text := st.told(2); !strings.Contains(text, readAgain) {
		t.Errorf("%q", text)
	}
}

// What was looked up stands in a turn's first request alone, without the files that were read before.
func TestWhatWasLookedUpIsSaidOnce(t *testing.T) {
	st := newStage(t, reply("", call("1", "look", "path", "a.txt")), reply("", call("2", "look", "path", "c.txt")), reply("", call("3", "look", "path", "c.txt")), reply("done"), reply("hello"), reply("found"))
	asked := []string{}
	firsts := []bool{}
	st.setup.Evidence = func(request string, first bool) string {
		asked, firsts = append(asked, request), append(firsts, first)
		if request == "hi" {
			return ""
		}
		return "a.txt: 1 Alpha()\nb.txt: 2 Beta()\n"
	}
	for _, name := range []string{"a.txt", "b.txt", "c.txt"} {
		st.world.set(name, name)
	}
	st.say("find", nil)
	if text := st.told(0); !strings.Contains(text, "- a.txt: 1 Alpha()\n- b.txt: 2 Beta()") {
		t.Errorf("%q", text)
	}
	if text := st.told(1); text != "" {
		t.Errorf("it was said before, but: %q", text)
	}
	st.say("hi", nil)
	if text := st.told(4); text != "" {
		t.Errorf("%q", text)
	}
	st.say("again", nil)
	if text := st.told(5); strings.Contains(text, "Alpha") || !strings.Contains(text, "b.txt: 2 Beta()") {
		t.Errorf("a.txt was read, but: %q", text)
	}
	if got := strings.Join(asked, " "); got != "find hi again" || !firsts[0] || firsts[1] {
		t.Errorf("looked up: %s, as the first %v", got, firsts)
	}
}

func TestEvidenceIsTheFirstToBeCut(t *testing.T) {
	st := newStage(t, reply("ok"))
	st.setup.Prompt = &prompt.Builder{Facts: prompt.Facts{OS: "linux", Dir: "/project"}, Count: model.Estimate, Limits: prompt.Limits{Main: 120}}
	long := strings.Repeat("a long line about some file ", 20)
	st.setup.Evidence = func(string, bool) string { return strings.Repeat("x.txt: "+long+"\n", 20) }
	st.say("keep this request whole", nil)
	sent := st.script.Prompts()[0]
	if got := model.Estimate(st.told(0)); got > 140 {
		t.Errorf("%d tokens of evidence", got)
	}
	for _, m := range sent.Messages {
		if strings.Contains(m.Text(), "keep this request whole") {
			return
		}
	}
	t.Error("the request was cut")
}

// What the person wants left alone is no hint.
func TestWhatIsForbiddenIsNoHint(t *testing.T) {
	for _, request := range []string{"Rename Alpha. Do not touch vendor/ or ./old/lib.", "Alpha を改名して。vendor/ と old/lib は触らないで"} {
		st := newStage(t, reply("done"))
		st.setup.Evidence = func(string, bool) string {
			return "vendor/a.txt: 1 Alpha()\nsub/old/lib/b.txt: 2 Beta()\nrename/c.txt: 3 Gamma()\n"
		}
		st.say(request, nil)
		if text := st.told(0); strings.Contains(text, "Alpha()") || strings.Contains(text, "Beta") || !strings.Contains(text, "rename/c.txt") {
			t.Errorf("%q", text)
		}
	}
}

// The folder is told of before the model has answered once, and not to a session that goes on.
func TestTheFolderIsToldOfOnce(t *testing.T) {
	st := newStage(t, reply("one"), reply("two"))
	var firsts []bool
	st.setup.Evidence = func(_ string, first bool) string {
		firsts = append(firsts, first)
		return "" // nothing to tell yet
	}
	st.say("look", nil)
	st.say("go on", nil)
	if len(firsts) != 2 || !firsts[0] || firsts[1] {
		t.Errorf("%v", firsts)
	}
}

// The files that were read are looked at once for a request; what was changed between two turns is seen.
func TestFilesThatWereReadAreLookedAtOnceForARequest(t *testing.T) {
	st := newStage(t, reply("", call("1", "look", "path", "a.txt")), reply("", call("2", "look", "path", "b.txt")), reply("read"), reply("seen"))
	looks := 0
	st.setup.Stale = func(refs []nebula.FileRef) []nebula.FileRef {
		looks++
		return st.world.stale(refs)
	}
	st.world.set("a.txt", "one")
	st.world.set("b.txt", "one")
	st.say("look", nil)
	if looks != 2 { // before the second and the third request
		t.Errorf("looked %d times", looks)
	}
	st.world.set("a.txt", "two")
	st.say("again", nil)
	if text := st.told(3); !strings.Contains(text, readAgain) {
		t.Errorf("%q", text)
	}
}
