package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// A leaving command reaches a host: it runs on the folder, or on a view where the person wants to see first.
type leaving struct {
	veiled
	more, never bool // what it would do on a view is more than was shown; there is no view
}

// Propose implements nebula.Tool.
func (l *leaving) Propose(ctx context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	p, err := l.veiled.Propose(ctx, a, v)
	p.Viewed, p.Tries = v.Try, !v.Try && !l.never
	p.Risks = []string{string(nebula.NewCode(nebula.Reaches, "example.org:443"))}
	if v.Try && l.more {
		p.Risks = append(p.Risks, nebula.SecretFile)
	}
	if on := p.Do; !v.Try {
		p.Do = func(ctx context.Context, r nebula.Run) (nebula.Result, error) {
			done, err := on(ctx, r)
			if err == nil {
				l.world.set("out", "made")
				done.Effects = nil
			}
			return done, err
		}
	}
	return p, err
}

// What leaves its box is tried first where the person says so: what it did is asked about whatever the policy, and nothing that
// was not shown runs.
func TestWhatLeavesTheBoxCanBeTriedFirst(t *testing.T) {
	for name, tt := range map[string]struct {
		approve     gate.Approve
		more, never bool
		answers     []nebula.Decided
		asked       int
		there       bool
		says        string
	}{
		"plainly":           {approve: gate.Ask, answers: []nebula.Decided{nebula.Yes}, asked: 1, there: true},
		"tried and kept":    {approve: gate.Ask, answers: []nebula.Decided{nebula.Try, nebula.Yes}, asked: 2, there: true, says: "ran kept"},
		"tried and dropped": {approve: gate.Ask, answers: []nebula.Decided{nebula.Try, nebula.No}, asked: 2, says: "ran dropped"},
		"edits are free":    {approve: gate.Edits, answers: []nebula.Decided{nebula.Try, nebula.No}, asked: 2, says: "ran dropped"},
		"more than shown":   {approve: gate.Ask, more: true, answers: []nebula.Decided{nebula.Try}, asked: 1},
		"not to be tried":   {approve: gate.Ask, never: true, answers: []nebula.Decided{nebula.Try}, asked: 1},
	} {
		t.Run(name, func(t *testing.T) {
			st := newStage(t, reply("", call("1", "veiled", "command", "make")), reply("Unverified: so."))
			l := &leaving{veiled: veiled{world: st.world}, more: tt.more, never: tt.never}
			st.setup.Tools, st.setup.Approve = append(st.setup.Tools, l), tt.approve
			s := st.open("")
			asked := 0
			events := st.say("go", func(q nebula.Asked) (nebula.Decided, string) {
				asked++
				d := tt.answers[min(asked, len(tt.answers))-1]
				if tt.never { // an answer that nobody offered is none: the question stays
					if err := s.Send(context.Background(), nebula.Answer{Ask: q.Ask, Answer: d}); err == nil {
						t.Error("it was taken")
					}
					return nebula.No, ""
				}
				return d, ""
			})
			if _, there := st.world.get("out"); there != tt.there || asked != tt.asked {
				t.Errorf("there %v, asked %d times\n%s", there, asked, transcript(events))
			}
			if lines := transcript(events); !strings.Contains(lines, tt.says) {
				t.Errorf("%s", lines)
			}
		})
	}
}

// It is offered for what can be tried and read where it is typed.
func TestTryIsOfferedWhereItHolds(t *testing.T) {
	p := nebula.Proposal{Effect: nebula.Execute, Command: "make", Tries: true}
	offered := func() bool {
		return slices.ContainsFunc(gate.Offers(p, nil), func(o gate.Offer) bool { return o.Answer == nebula.Try })
	}
	if !slices.Contains(gate.Points(p, nil).Impact, "try_first") {
		t.Error("nothing says so")
	}
	if !offered() || slices.Contains(gate.Lacks(p, nil), nebula.Try) {
		t.Error("it is not offered")
	}
	if p.Tries = false; offered() || !slices.Contains(gate.Lacks(p, nil), nebula.Try) {
		t.Error("it is offered")
	}
	for text, want := range map[string]nebula.Decided{"t": nebula.Try, "Try it first.": nebula.Try, "試して": nebula.Try, "try something else": nebula.No, "try...": nebula.No} {
		if got, _, _ := gate.ReadAnswer(text); got != want {
			t.Errorf("%q is %q", text, got)
		}
	}
}
