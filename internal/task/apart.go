package task

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/plan"
)

// Forks are copies of the folder in which steps work side by side. A copy is named by its tree.
type Forks interface {
	Fits(ctx context.Context) bool // whether the folder can be copied
	Make(ctx context.Context, plan, step string) (tree string, err error)
	Whole(tree string) bool // whether there is such a copy, all of it
	// Bring brings what was changed in the folder since into a copy, and names what does not fit together there; Marked are
	// those of these files that still hold both versions.
	Bring(ctx context.Context, tree string) (brought, conflicts []string, err error)
	Marked(tree string, paths []string) []string
	// Join opens a session in the folder, a new one for "", and gives the action that makes of the folder what the copy is;
	// a nil one where they are the same.
	Join(ctx context.Context, with nebula.Conduct, id, tree string) (Conversation, *nebula.Action, error)
	Remove(tree string)
}

// settled gives the step the place that it works in: the copy that it has, a new one where it is to have one, else the
// folder. A step whose copy is gone begins anew: nothing of what it did there is in the folder.
func (j *job) settled(ctx context.Context) error {
	f := j.loop.setup.Forks
	if j.step.Tree != "" && (f == nil || !f.Whole(j.step.Tree)) {
		if err := j.keep("", func(s *nebula.PlanStep) {
			s.Tree, s.Session = "", ""
			anew(s)
		}); err != nil {
			return err
		}
	}
	if j.step.Tree != "" || !j.apart || j.step.Session != "" {
		return nil
	}
	tree, err := f.Make(ctx, j.plan, j.step.ID)
	if err != nil {
		return &halt{nebula.TurnFailed, words(err)}
	}
	return j.keep("", func(s *nebula.PlanStep) { s.Tree = tree })
}

// anew makes the tasks pending that were given, and forgets those that the step's agent came to.
func anew(s *nebula.PlanStep) {
	var given []nebula.Task
	for _, t := range s.Tasks {
		if t.By != nebula.ByAgent {
			t.Status, t.Result = nebula.Pending, nil
			given = append(given, t)
		}
	}
	s.Tasks = given
}

// account has the record tell what came into the folder of steps that a crash cut off while they came into it, before anything
// else changes the folder.
func (l *Loop) account(ctx context.Context, p nebula.Plan, with nebula.Conduct) {
	for _, s := range p.Steps {
		if s.Tree == "" || s.Joined == "" || l.setup.Forks == nil || !l.setup.Forks.Whole(s.Tree) {
			continue
		}
		if talk, _, err := l.setup.Forks.Join(ctx, with, s.Joined, s.Tree); err == nil { // else the step meets the error itself
			_ = talk.Send(ctx, nebula.Close{}) // opening it was all
			_ = talk.Wait()
		}
	}
}

// joins is how often a step comes into a folder that is changed meanwhile.
const joins = 5

// come brings what the step did into the folder: one step at a time, after what others brought there was brought into its
// copy, and the two were verified together. What does not fit together is the step's own work, and so is what fails then.
func (j *job) come(ctx context.Context, e *nebula.Evidence) (*nebula.Evidence, error) {
	select {
	case j.loop.join <- struct{}{}:
		defer func() { <-j.loop.join }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	why := ""
	for range joins {
		brought, conflicts, err := j.loop.setup.Forks.Bring(ctx, j.step.Tree)
		if err != nil {
			return nil, err
		}
		if err := j.reconcile(ctx, conflicts); err != nil {
			return nil, err
		}
		if len(brought) > 0 {
			j.mended = 0
			if err := j.deliver(ctx); err != nil {
				return nil, err
			}
			if e, err = j.verify(ctx); err != nil {
				return nil, err
			}
			e = j.earned(e)
		}
		r, err := j.joined(ctx)
		if err != nil {
			return nil, err
		}
		if r.Status == nebula.Done {
			return e, j.arrived()
		}
		why = cmp.Or(r.Text, r.Summary)
	}
	return nil, failure(code(plan.NotJoined, why))
}

// arrived is an error where a file that the step names or made stands in its copy, and not in the folder. What a repository
// holds stays in the copy.
func (j *job) arrived() error {
	if j.loop.setup.Look == nil {
		return nil
	}
	var files, lost []string
	for _, named := range j.step.Files {
		files = append(files, deliverable(named))
	}
	changes := j.loop.made(j.step.Session).changes
	for _, c := range changes {
		if c.Ignored = true; c.Cache() { // it is its copy's own
			continue
		}
		files = append(files, c.Name())
	}
	for _, file := range files {
		if file == "" || path.IsAbs(file) || lists.Has(lost, file) || lists.Has(strings.Split(file, "/"), ".git") {
			continue
		}
		folder, made := j.loop.setup.Look(j.step.Tree, file)
		if _, there := j.loop.setup.Look("", file); made && !folder && !there {
			lost = append(lost, file)
		}
	}
	if len(lost) > 0 {
		return failure(absent(lost))
	}
	return nil
}

// reconcile has the step's agent settle what does not fit together with what others brought into the folder.
func (j *job) reconcile(ctx context.Context, conflicts []string) error {
	if len(conflicts) == 0 {
		return nil
	}
	lang := j.loop.setup.Lang
	what := fmt.Sprintf(phrase.In(lang, "Steps beside this one changed the same places of %s. Both versions stand there now: where a file is text, between the lines <<<<<<< and >>>>>>>. Make one of them that does what both steps ask for, without these lines."), strings.Join(conflicts, ", ")) + j.clashes(conflicts)
	j.loop.tell(j.loop.noted("warning", "step %s: the same places were changed beside it: %s; its agent settles it", j.step.ID, strings.Join(conflicts, ", ")))
	for j.mended = 0; ; {
		made, err := j.mend(ctx, what)
		if err != nil {
			return err
		}
		if left := j.loop.setup.Forks.Marked(j.step.Tree, conflicts); len(left) > 0 {
			both := code(plan.Unsettled, strings.Join(left, ", "))
			if !made {
				return failure(both)
			}
			what = plan.Say(both, lang) + j.clashes(left)
			continue
		}
		return nil
	}
}

// aroundClash is how many lines are shown before and behind what does not fit together.
const aroundClash = 3

// clashes are the places of files that do not fit together, as they stand in the step's copy.
func (j *job) clashes(files []string) string {
	if j.loop.setup.Text == nil {
		return ""
	}
	var b strings.Builder
	for _, file := range files {
		text, _ := j.loop.setup.Text(j.step.Tree, file)
		lines, from := strings.Split(text, "\n"), -1
		shown := 0 // lines of the file that stand in the text already
		for i, line := range lines {
			switch {
			case strings.HasPrefix(line, "<<<<<<<"):
				from = max(shown, i-aroundClash)
			case from >= 0 && strings.HasPrefix(line, ">>>>>>>"):
				shown = min(len(lines), i+1+aroundClash)
				b.WriteString("\n\n" + file + ":\n" + strings.Join(lines[from:shown], "\n"))
				from = -1
			}
		}
	}
	return b.String()
}

// joined makes the folder what the step's copy is. It fails where the folder was changed meanwhile. The session in which
// that is done is kept before anything is.
func (j *job) joined(ctx context.Context) (r nebula.Result, err error) {
	p, err := j.loop.current(j.plan)
	if err != nil {
		return r, err
	}
	with := j.bounds(p.Usage)
	talk, action, err := j.loop.setup.Forks.Join(ctx, with, j.step.Joined, j.step.Tree)
	if errors.Is(err, nebula.ErrNoSession) { // nothing was done in it
		talk, action, err = j.loop.setup.Forks.Join(ctx, with, "", j.step.Tree)
	}
	if err != nil {
		return r, err
	}
	in := &job{loop: j.loop, run: j.run, plan: j.plan, with: j.with, step: j.step, talk: talk, coming: true}
	if action == nil {
		in.dismiss()
		r.Status = nebula.Done
		return r, nil
	}
	if err := j.keep("", func(s *nebula.PlanStep) { s.Joined = talk.ID() }); err != nil {
		in.dismiss()
		return r, err
	}
	in.step = j.step
	in.listen(ctx)
	defer in.leave()
	action.Call, action.Reason = j.step.ID+".join", j.step.Name
	return in.act(ctx, *action)
}
