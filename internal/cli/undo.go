package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/agent"
	"nebula/internal/config"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/state"
	"nebula/internal/task"
	"nebula/internal/terminal"
	"nebula/internal/tool"
	"nebula/internal/workspace"
)

func (p *program) undoCommand() *cobra.Command {
	redo, look, further := false, false, &word{kind: kinds[config.List], list: true}
	c := &cobra.Command{
		Use:               "undo [ID]",
		Short:             "Take back the file changes of the last turn",
		Long:              "Takes back what the last turn changed: contents, modes, created and deleted files. A file that was changed since is left, and said, and so is one that another program is writing; one that somebody else changed between two of the changes is taken back to that. What you changed yourself while a command ran cannot be told from what the command changed, and is taken back too: nebula undo --redo brings it back.\nWithout ID it is the last session of this folder that changed something.",
		Example:           "  nebula undo --preview\n  nebula undo\n  nebula undo --redo",
		Args:              atMost(1),
		ValidArgsFunction: p.sessionIDs,
		RunE: func(c *cobra.Command, args []string) error {
			return p.undo(c.Context(), args, redo, look, map[string]string{"add-dir": further.text})
		},
	}
	c.Flags().BoolVar(&redo, "redo", false, "bring back what undo took")
	c.Flags().BoolVar(&look, "preview", false, "show what it would change in files, and change nothing")
	c.Flags().Var(further, "add-dir", "a further `DIR` that it may reach, where the session was given it")
	return c
}

func (p *program) undo(ctx context.Context, args []string, redo, look bool, given map[string]string) error {
	maps.DeleteFunc(given, func(_, text string) bool { return text == "" })
	s := &session{program: p, given: given}
	var err error
	if s.dir, err = folder(p.at); err != nil {
		return err
	}
	if s.config, err = p.settings(s.dir, given); err != nil {
		return err
	}
	if !exists(s.config) {
		if ids := heads(s.config).Sessions(); len(ids) > 0 {
			return fail(exitRecord, "%s; %s", isGone(s.config, ids), nebula.Say(fromCopy))
		}
		return fail(exitFailed, "nothing to take back: no session has changed files here")
	}
	if s.store, err = p.open(ctx, s.config); err != nil {
		return err
	}
	defer s.store.Close()
	work, err := s.folder()
	if err != nil {
		return err
	}
	defer work.Close()
	id, begun, err := s.changed(ctx, work, args, redo)
	if err != nil {
		return err
	}
	if look {
		return s.foretell(ctx, work, id, redo)
	}
	done, err := s.takeBack(ctx, work, id, redo, begun)
	return errors.Join(err, p.tellUndone(done))
}

// foretell shows what taking a session's changes back would do.
func (s *session) foretell(ctx context.Context, work *workspace.Dir, id string, redo bool) error {
	t, err := touched(ctx, s.store, work, id)
	if err != nil {
		return err
	}
	turn, ok := t.last(ctx, work, redo)
	if !ok || t.state.Undoing != nil && !t.begun(redo) { // what was begun comes first
		return fail(exitFailed, "what was cut off has to be settled first: nebula undo does that and tells what it did")
	}
	diff, _, since, err := tool.TakenBack(ctx, work, turn.Changes)
	if err != nil {
		return err
	}
	for line := range strings.Lines(diff) {
		fmt.Fprintln(s.out, terminal.Visible(strings.TrimSuffix(line, "\n")))
	}
	if own := ofGit(turn.Changes); len(own) > 0 {
		fmt.Fprintln(s.out, s.words(nebula.Say("git's own files would be as they were (%s), such as %s", many(len(own), "%d path", "%d paths"), phrase.OneLine(own[0], 0))))
	}
	for _, path := range since {
		s.warn("%s would be left as it is: it was changed since", phrase.OneLine(path, 0))
	}
	if !redo {
		for _, b := range turn.Blind {
			s.warn("what this command changed could not be seen; nebula undo looks again: %s", phrase.OneLine(b.What, 0))
		}
	}
	return nil
}

// ofGit are the files of changes whose contents are git's own: none of them is shown.
func ofGit(changes []nebula.Change) (own []string) {
	for _, c := range changes {
		if c.OfFile() && !lists.Has(own, c.Path) && lists.Has(strings.Split(path.Dir(c.Path), "/"), ".git") {
			own = append(own, c.Path)
		}
	}
	return own
}

// tellUndone says what was brought back, and what was not. That something was left is a failure.
func (p *program) tellUndone(done nebula.Undone) error {
	for _, c := range done.Told() {
		fmt.Fprintf(p.out, "%s %s\n", p.words(undone(c)), phrase.OneLine(c.Path, 0))
	}
	paths := 0
	for _, l := range done.Left {
		p.warn("%s", asLeft(l))
		if l.Path != "" {
			paths++
		}
	}
	switch {
	case paths > 0:
		return fail(exitFailed, "%s could not be brought back", many(paths, "%d path", "%d paths"))
	case len(done.Left) > 0:
		return fail(exitFailed, "not everything was brought back")
	}
	return nil
}

// asLeft says what was left, and why.
func asLeft(l nebula.Left) nebula.Words {
	path, text := phrase.OneLine(l.Path, 0), phrase.OneLine(l.Text, 0)
	switch l.Why {
	case nebula.ChangedBetween:
		return nebula.Say("%s was taken back only to what somebody else wrote in it between two changes; what came before that stays", path)
	case nebula.OtherOwner:
		return nebula.Say("%s was brought back, but its owner could not be given back", path)
	case nebula.Apart:
		return nebula.Say("%s was brought back as a file of its own: it could not be made a name of the file that it was a name of (%s); nebula undo tries again", path, text)
	case nebula.InPart:
		return nebula.Say("%s was changed only in part, which nebula undo takes up: %s", path, text)
	case nebula.Stray:
		return nebula.Say("%s is what nebula wrote for the time of a change, and cannot be removed (%s); its next start tries again, or remove it yourself", path, text)
	case nebula.Unseen:
		return nebula.Say("what this command changed could not be seen, so it is not taken back: %s", text)
	}
	return nebula.Say("%s was left as it is: %s", path, why(l))
}

func why(l nebula.Left) nebula.Words {
	switch l.Why {
	case nebula.ChangedSince:
		return nebula.Say("it was changed since")
	case nebula.NeverKept:
		return nebula.Say("what it was before was not kept, or it is not sure who changed it")
	case nebula.BeingWritten:
		return nebula.Say("another program is writing it")
	}
	return nebula.Say("%s", phrase.OneLine(l.Text, 0))
}

// changed is the session whose changes are meant: the named one, or the folder's last one of which something can be taken back,
// the steps of plans included; where that is none, the last one of which something was left. begun says that the undo was begun already, and goes on when the session is opened.
func (s *session) changed(ctx context.Context, work *workspace.Dir, args []string, redo bool) (id string, begun bool, err error) {
	if len(args) == 1 {
		s.id = args[0]
		if id, err = s.choose(ctx, s.store); err != nil {
			return "", false, err
		}
		t, err := touched(ctx, s.store, work, id)
		return id, t.begun(redo), err
	}
	list, err := s.store.AllSessions(ctx, s.dir)
	if err != nil {
		return "", false, err
	}
	told, taken, rest := map[string]bool{}, false, ""
	var beyond []string
	for _, info := range list {
		t, err := touched(ctx, s.store, work, info.ID)
		if err != nil {
			return "", false, err
		}
		for _, step := range t.steps {
			told[step] = true
		}
		if told[info.ID] {
			continue // it is in the conversation that was told of it
		}
		turn, some := t.last(ctx, work, redo)
		if t.state.Undoing != nil || t.cut && !redo || some && turn.Due(byNow(ctx, work)) {
			return info.ID, t.begun(redo), nil
		}
		if some && rest == "" {
			rest = info.ID
		}
		beyond = append(beyond, t.state.Reached...)
		taken = taken || len(t.state.Takeable(true)) > 0
	}
	if rest != "" {
		return rest, false, nil
	}
	what := nebula.Say("nothing to take back: no session has changed files here")
	switch {
	case redo:
		what = nebula.Say("nothing to bring back: nothing was undone here")
	case taken:
		what = nebula.Say("nothing is left to take back; nebula undo --redo brings back what was taken")
	case len(beyond) > 0:
		what = nebula.Say("nothing to take back: no session has changed files in this folder; what commands did outside of it, at %s, is not undone", phrase.OneLine(strings.Join(beyond, ", "), 0))
	}
	return "", false, &exit{exitFailed, what}
}

// A trail is what a session's changes have come to.
type trail struct {
	state *state.State
	cut   bool     // something was under way when its nebula ended, and what it changed can be told
	steps []string // sessions of steps whose changes it was told of
}

func (t trail) begun(redo bool) bool { return t.state.Undoing != nil && t.state.Undoing.Redo == redo }

// last is the turn that an undo takes back: one whose changes are gone already is none, and stays so.
func (t trail) last(ctx context.Context, work *workspace.Dir, redo bool) (turn state.TurnChanges, some bool) {
	for {
		turn, some = t.state.LastChanges(redo, byNow(ctx, work))
		if !some || redo || t.state.Undoing != nil || t.cut || !turn.Whole() || !work.Idle(ctx, turn.Changes) {
			return turn, some
		}
		t.state.Apply(nebula.Event{Body: nebula.Undone{Turn: turn.Turn}})
	}
}

// byNow tells of changes that were left whether something of them can be taken back by now.
func byNow(ctx context.Context, work *workspace.Dir) func([]nebula.Change) bool {
	return func(changes []nebula.Change) bool { return work.Ready(ctx, changes) }
}

// touched follows a session's changes.
func touched(ctx context.Context, store nebula.Store, work *workspace.Dir, id string) (trail, error) {
	t := trail{state: state.New()}
	open := map[string]bool{}
	for e, err := range store.Load(ctx, id) {
		if err != nil {
			return t, err
		}
		t.state.Apply(e)
		switch b := e.Body.(type) {
		case nebula.Began:
			open[b.Action] = b.Turn == 0
		case nebula.Finished:
			delete(open, b.Result.Action)
		case nebula.Reported:
			t.steps = append(t.steps, b.Session)
		case nebula.Stepped:
			if len(b.Changes)+len(b.Lost)+len(b.Blind) > 0 {
				t.steps = append(t.steps, b.Step.Session)
			}
		}
	}
	for action := range open {
		t.cut = t.cut || open[action] && (work.Waits(id+"/"+action) || t.took(work, action))
	}
	return t, nil
}

// took reports whether the file tool that was under way has changed some of what it was to change: settling tells of it then.
func (t trail) took(work *workspace.Dir, action string) bool {
	p := t.state.Turn.Pending
	if p == nil || p.Proposal.Action.ID != action {
		return false
	}
	r, _ := task.Became(standing(work))(p.Proposal) // where it is not known, the changes are those that took effect
	return len(r.Changes) > 0
}

// takeBack opens the session, has it undo unless it does so by itself, and gives what this came to.
func (s *session) takeBack(ctx context.Context, work *workspace.Dir, id string, redo, begun bool) (done nebula.Undone, err error) {
	s.models = newModels(s.program, s.config)
	setup := s.setup(s.models, &project{work: work, code: s.code(work)}, id)
	setup.Became = task.Became(standing(work))
	conversation, err := agent.Open(ctx, setup, id)
	if errors.Is(err, nebula.ErrInUse) {
		if t, failed := touched(ctx, s.store, work, id); failed == nil && t.state.Undoing != nil {
			return done, fail(exitFailed, "another undo is going on in this folder (session %s); wait until it has ended, then run nebula undo again", id)
		}
		err = fail(exitFailed, "session %s is open in another nebula; close it there, or wait until what it does has ended, then run nebula undo again", id)
	}
	if err != nil {
		return done, err
	}
	var failed error
	if !begun {
		failed = conversation.Send(ctx, nebula.Undo{Redo: redo})
	}
	_ = conversation.Send(ctx, nebula.Close{}) // Wait tells how it ended
	ended := conversation.Wait()
	for e := range conversation.Events(ctx, nebula.FromOpening) {
		if b, ok := e.Body.(nebula.Undone); ok {
			done = b
		}
	}
	if begun && failed == nil && done.Failed != "" {
		failed = fail(exitFailed, "nothing was changed: %s", phrase.Told(s.config.Lang, done.Failed))
	}
	return done, errors.Join(failed, ended)
}

func undone(c nebula.Change) nebula.Words {
	if c.Already {
		return nebula.Say("nothing to do, it is so already:")
	}
	switch c.Kind {
	case "create", "mkdir":
		return nebula.Say("restored")
	case "delete", "rmdir":
		return nebula.Say("removed")
	}
	return nebula.Say("changed back")
}
