package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
	"nebula/internal/protocol/dialect"
)

// A veiled command runs on a view: what it writes, a file called out, is in the world when it is kept.
type veiled struct {
	world   *world
	dropped int
	beside  string // another file that it writes
	ignored bool   // it is a file that the project ignores, and that holds secrets
	tests   *nebula.TestReport
	leaves  string // the ignored file, where it is another
}

// Spec implements nebula.Tool.
func (v *veiled) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{Name: "veiled", Effect: nebula.Execute, Params: []nebula.Param{{Name: "command", Type: "string", Required: true, Payload: true}}}
}

// Propose implements nebula.Tool.
func (v *veiled) Propose(_ context.Context, a nebula.Action, _ nebula.View) (nebula.Proposal, error) {
	return nebula.Proposal{Action: a, Effect: nebula.Execute, Command: "make", Viewed: true, Do: func(_ context.Context, r nebula.Run) (nebula.Result, error) {
		if !r.Grant.Runs() {
			return nebula.Result{}, nebula.ErrNoGrant
		}
		exit, after := 0, nebula.Hash([]byte("made"))
		keep := nebula.Proposal{Effect: nebula.Write, Ran: "make", Targets: []nebula.Target{{Path: "out", Kind: "create", After: after}}}
		if v.ignored {
			keep.Targets = []nebula.Target{{Path: ".env", Kind: "create", After: after, Ignored: true}}
		}
		if v.leaves != "" {
			keep.Targets[0].Path = v.leaves
		}
		if v.beside != "" {
			keep.Targets = append(keep.Targets, nebula.Target{Path: v.beside, Kind: "create", After: after})
		}
		keep.Do = func(_ context.Context, r nebula.Run) (nebula.Result, error) {
			if _, ok := r.Grant.Covers("out"); !ok {
				return nebula.Result{}, nebula.ErrNoGrant
			}
			v.world.set("out", "made")
			return nebula.Result{Text: " kept", Changes: []nebula.Change{{Path: "out", Kind: "create", After: after}}}, nil
		}
		return nebula.Result{Text: "ran", Exit: &exit, Tests: v.tests, Effects: &nebula.Effects{Keep: keep, Drop: func(why string) nebula.Result {
			if v.dropped++; v.ignored {
				return nebula.Result{Text: " dropped: " + why}
			}
			return nebula.Result{Text: " dropped: " + why, Dropped: []string{"out"}}
		}}}, nil
	}}, nil
}

func veil(t *testing.T, approve gate.Approve, replies ...nebula.Reply) (*stage, *veiled) {
	st := newStage(t, replies...)
	v := &veiled{world: st.world}
	st.setup.Tools, st.setup.Approve = append(st.setup.Tools, v), approve
	return st, v
}

// What a command did on a view is a second proposal of its action: asked about once, kept or dropped once, with one result.
func TestWhatACommandDidIsASecondProposal(t *testing.T) {
	runs := []string{`submitted "go" steer=false`, `replied "" actions=1`, `proposed veiled "allow": runs on a view of the folder, which stays as it is`, "began a1 by policy: runs on a view of the folder, which stays as it is"}
	for name, tt := range map[string]struct {
		approve gate.Approve
		answer  nebula.Decided
		then    []string
		result  string
		kept    bool
	}{
		"allowed": {gate.Ask, nebula.Yes, []string{`proposed veiled "": it changes files`, "asked a1", "answered yes by person", "began a1 by person"}, "ran kept", true},
		"refused": {gate.Ask, nebula.No, []string{`proposed veiled "": it changes files`, "asked a1", "answered no by person"}, "ran dropped: the person refused it", false},
		"edits":   {gate.Edits, "", []string{`proposed veiled "allow": --approve edits`, "began a1 by policy: --approve edits"}, "ran kept", true},
		"none":    {gate.None, "", []string{`proposed veiled "deny": it changes files, and nobody is there to allow it`}, "ran dropped: it changes files, and nobody is there to allow it", false},
	} {
		t.Run(name, func(t *testing.T) {
			st, v := veil(t, tt.approve, reply("", call("1", "veiled", "command", "make")), reply("Unverified: so."))
			events := st.say("go", always(tt.answer))
			lines := strings.Split(transcript(events), "\n")
			at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "finished") })
			want := append(slices.Concat(runs, tt.then), `finished veiled done "`+tt.result+`"`)
			if at < 0 || !slices.Equal(lines[:at+1], want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
			}
			if _, there := st.world.get("out"); there != tt.kept || (v.dropped == 1) == tt.kept {
				t.Errorf("there %v, dropped %d times", there, v.dropped)
			}
		})
	}
}

// A yes does not hold for another mode, a stopped turn keeps nothing, and what was refused is not asked about again.
func TestWhatACommandDidIsKeptOnNoOtherWord(t *testing.T) {
	st, v := veil(t, gate.Ask, reply("", call("1", "veiled", "command", "make")), reply("Unverified: so."))
	s := st.open("")
	st.say("go", func(nebula.Asked) (nebula.Decided, string) {
		_ = s.Send(context.Background(), nebula.Switch{Mode: nebula.PlanMode})
		return nebula.Yes, ""
	})
	if _, there := st.world.get("out"); there || v.dropped != 1 {
		t.Errorf("in plan mode: there %v, dropped %d times", there, v.dropped)
	}
	st, v = veil(t, gate.Ask, reply("", call("1", "veiled", "command", "make")), reply("Unverified: so."))
	s = st.open("")
	st.say("go", func(nebula.Asked) (nebula.Decided, string) {
		_ = s.Send(context.Background(), nebula.Cancel{})
		return nebula.Yes, ""
	})
	if _, there := st.world.get("out"); there || v.dropped != 1 {
		t.Errorf("stopped: there %v, dropped %d times", there, v.dropped)
	}
	st, v = veil(t, gate.Ask, reply("", call("1", "veiled", "command", "make")), reply("", call("2", "veiled", "command", "make")), reply("Unverified: so."))
	questions := 0
	st.say("go", func(nebula.Asked) (nebula.Decided, string) { questions++; return nebula.No, "" })
	if questions != 1 || v.dropped != 2 {
		t.Errorf("refused: %d questions, dropped %d times", questions, v.dropped)
	}
}

// Wherever a nebula ends between a command and what becomes of it, the next one has one result of it: the folder has nothing, or
// all that was being kept.
func TestCutOffBetweenCommandAndKeep(t *testing.T) {
	st, _ := veil(t, gate.Ask, reply("", call("1", "veiled", "command", "make")), reply("Unverified: so."))
	st.say("go", always(nebula.Yes))
	all := st.recorded()
	for n := range all {
		for _, kept := range [][]nebula.Change{nil, {{Path: "out", Kind: "create", After: "h"}}} {
			again, _ := veil(t, gate.Ask)
			id := st.session.ID()
			_ = again.store.Create(t.Context(), nebula.SessionInfo{ID: id, Dir: "/project"})
			began, finished := false, false
			for _, e := range all[:n+1] {
				if _, ok := e.Body.(nebula.Finished); ok {
					finished = true
				}
				_, ok := e.Body.(nebula.Began)
				began = began || ok
				if err := again.store.Append(t.Context(), id, e); err != nil {
					t.Fatal(err)
				}
			}
			again.setup.Remains = func(context.Context, string, []nebula.Change) ([]nebula.Change, []string, bool) {
				return kept, nil, kept != nil
			}
			again.open(id)
			if !began || finished {
				continue
			}
			var results []nebula.Result
			for _, e := range again.recorded() {
				if b, ok := e.Body.(nebula.Finished); ok {
					results = append(results, b.Result)
				}
			}
			if len(results) != 1 || len(results[0].Changes) != len(kept) || results[0].Blind || (results[0].Status == nebula.Done) != (kept != nil) {
				t.Errorf("cut after %d, kept %v: %+v", n, kept, results)
			}
		}
	}
}

// That something of what a project ignores was asked about and is not there is told as any other drop is: a run ends by it.
func TestOnlyIgnoredFilesDroppedIsADrop(t *testing.T) {
	for approve, want := range map[gate.Approve]int{gate.Ask: 1, gate.Edits: 1, gate.None: 0} {
		st, v := veil(t, approve, reply("", call("1", "veiled", "command", "make")), reply("Unverified: so."))
		v.ignored = true
		end := last(t, st.say("go", always(nebula.No)))
		if len(end.Actions) != 1 || end.Actions[0].Dropped != want || v.dropped != 1 {
			t.Errorf("%s: %+v, dropped %d times", approve, end.Actions, v.dropped)
		}
	}
}

// Tests that passed say what the folder is like, also where what they left behind of what the project ignores was dropped; not where that
// could be what they ran with.
func TestTestsThatLeftOnlyIgnoredFilesAreEvidence(t *testing.T) {
	passed := &nebula.TestReport{Passed: 3, OK: true}
	for name, c := range map[string]struct {
		tests  *nebula.TestReport
		leaves string
		want   int
	}{
		"tests": {passed, ".gradle/init.gradle", 0}, "no tests": {nil, ".gradle/init.gradle", 1}, "none passed": {&nebula.TestReport{OK: true}, ".gradle/init.gradle", 1}, "secrets": {passed, ".env", 1},
	} {
		st, v := veil(t, gate.Edits, reply("", call("1", "veiled", "command", "make")), reply("Unverified: so."))
		v.ignored, v.tests, v.leaves = true, c.tests, c.leaves
		end := last(t, st.say("go", always(nebula.No)))
		if len(end.Actions) != 1 || end.Actions[0].Dropped != c.want || v.dropped != 1 {
			t.Errorf("%s: %+v, dropped %d times", name, end.Actions, v.dropped)
		}
	}
}

// A rule is the session's and the book's: what it covers is asked about once, and what the person cannot keep holds for the session.
func TestWhatIsAllowedFromNowOnIsKept(t *testing.T) {
	twice := []nebula.Reply{reply("", call("1", "veiled", "command", "make")), reply("", call("2", "veiled", "command", "make")), reply("Unverified: so.")}
	st, _ := veil(t, gate.Ask, twice...)
	b := &book{}
	st.setup.Rules = b
	asked := strings.Count(transcript(st.say("go", always(nebula.Here))), "asked ")
	if len(b.rules) != 1 || b.rules[0].Line != "make" || asked != 1 {
		t.Errorf("%v, asked %d times", b.rules, asked)
	}
	later, _ := veil(t, gate.Ask, twice...)
	later.setup.Rules = b
	if script := transcript(later.say("go", always(nebula.No))); strings.Contains(script, "asked ") || !strings.Contains(script, "you allowed it in this folder") {
		t.Error(script)
	}
}

// A book of rules in memory.
type book struct{ rules []gate.Rule }

func (b *book) All() []gate.Rule { return b.rules }
func (b *book) Add(r gate.Rule) error {
	b.rules = append(b.rules, r)
	return nil
}

// Of what a command did some can be kept by name; what nothing is named by keeps nothing, and of nothing else there is some.
func TestSomeOfWhatACommandDidIsKept(t *testing.T) {
	for text, kept := range map[string]bool{"out": true, "other": false} {
		st, v := veil(t, gate.Ask, reply("", call("1", "veiled", "command", "make")), reply("Unverified: so."))
		events := st.say("go", func(nebula.Asked) (nebula.Decided, string) { return nebula.Some, text })
		if _, there := st.world.get("out"); there != kept || (v.dropped == 1) == kept {
			t.Errorf("%s: there %v\n%s", text, there, transcript(events))
		}
	}
}

// Sentences that tell of the work, and labels, hold no command that only looks; what it leaves is not kept for them.
func TestALookRunsWhateverIsSaidBesideIt(t *testing.T) {
	for _, said := range [][2]string{
		{"I could also rewrite this, but the smallest fix is one line.", "look"}, {"Since the flag is off by default nothing changes for callers.", "look"},
		{"I won't reformat anything.", "look"}, {"The question is whether Index merges.", "look"}, {"I would have expected 0 here.", "look"},
		{"", "baseline, nothing changed yet"}, {"", "tests without network"}, {"", "list files not tracked"}, {"", "still there?"}, {"", "dry run"},
	} {
		st, v := veil(t, gate.Edits, reply(said[0], call("1", "veiled", "command", "make", "reason", said[1])), reply("Unverified: so."))
		st.setup.Protocol = func(string, nebula.ModelInfo) (nebula.Protocol, error) {
			return dialect.Tolerant(languages()[0].Protocol), nil
		}
		lines := transcript(st.sayAlone("go"))
		if !strings.Contains(lines, `finished veiled done "ran`) {
			t.Errorf("%q\n%s\n%d", said, lines, v.dropped)
		}
	}
}

// Where nobody can be asked, what a command did on a view beside what the person forbade is kept, and what was not is named.
func TestWhatThePersonForbadeIsLeftOutOfWhatACommandDid(t *testing.T) {
	st, v := veil(t, gate.Edits, reply("", call("1", "veiled", "command", "make")), reply("Unverified: so."))
	v.beside, st.setup.Alone = "keep.txt", true
	for _, e := range st.say("Never touch keep.txt. Make it.", nil) {
		if b, ok := e.Body.(nebula.Finished); ok && (!strings.Contains(b.Result.Text, "kept") || !strings.Contains(b.Result.Text, "“Never touch keep.txt.”")) {
			t.Error(b.Result.Text)
		}
	}
	if _, there := st.world.get("out"); !there {
		t.Error("what was not forbidden went with it")
	}
}
