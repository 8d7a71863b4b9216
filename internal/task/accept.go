package task

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/plan"
)

// accept holds what the step did against the files that it names: tests that pass say nothing of a file that was never
// made. The model is told once of those that are missing and of those that stand as they were. What is missing after that
// fails the step; what stands as it was, is as it should be.
func (j *job) accept(ctx context.Context) error {
	missing, same := j.lacking()
	if len(missing)+len(same) == 0 {
		return nil
	}
	lang := j.loop.setup.Lang
	var why []string
	for _, file := range missing {
		why = append(why, fmt.Sprintf(word(lang, "%s does not exist", "%s がありません"), file))
	}
	for _, file := range same {
		why = append(why, fmt.Sprintf(word(lang, "%s was not changed: change it, or only read it if it is as it should be", "%s は変更されていません。変更するか、すでに正しければ読むだけにしてください"), file))
	}
	if err := j.mend(ctx, "acceptance", strings.Join(append(slices.Clone(missing), same...), ", "), strings.Join(why, "\n")); err != nil {
		return err
	}
	if missing, _ = j.lacking(); len(missing) > 0 {
		return fmt.Errorf(word(lang, "%s does not exist", "%s がありません"), strings.Join(missing, ", "))
	}
	return nil
}

// mend has the model write tasks for what the step still lacks, and carries them out. It may have none.
func (j *job) mend(ctx context.Context, what, about, why string) error {
	p, err := j.loop.current(ctx, j.plan)
	if err != nil {
		return err
	}
	args, err := json.Marshal(about)
	if err != nil {
		return err
	}
	tasks, err := j.instead(ctx, p, nebula.Task{Operation: what, Args: args}, why)
	if err != nil || len(tasks) == 0 {
		return err
	}
	return j.more(ctx, tasks, 1)
}

// more adds tasks to the step and carries them out.
func (j *job) more(ctx context.Context, tasks []nebula.Task, tries int) error {
	if err := j.keep(ctx, "", func(s *nebula.PlanStep) {
		tasks = plan.Number(s.ID, tasks, s.Tasks)
		for i := range tasks {
			tasks[i].Tries = tries
		}
		s.Tasks = append(s.Tasks, tasks...)
	}); err != nil {
		return err
	}
	return j.tasks(ctx)
}

// lacking are the files that the step names and did not touch: those that are missing, and those that stand as they were.
// Folders and patterns name where it may work, and no file that must be there.
func (j *job) lacking() (missing, same []string) {
	if j.loop.setup.Look == nil {
		return nil, nil
	}
	touched := map[string]bool{}
	for _, file := range plan.Changed(j.step) {
		touched[path.Clean(file)] = true
	}
	for _, c := range j.changes {
		touched[path.Clean(c.Path)] = true
	}
	for _, named := range j.step.Files {
		file := strings.TrimSpace(named)
		if file == "" || strings.HasSuffix(file, "/") || strings.ContainsAny(file, "*?[") || touched[path.Clean(file)] {
			continue
		}
		switch folder, there := j.loop.setup.Look(path.Clean(file)); {
		case !there:
			missing = append(missing, file)
		case !folder:
			same = append(same, file)
		}
	}
	return missing, same
}

// again asks for tasks once more where those of the step only read: the model wrote them before it knew what it would see.
func (j *job) again(ctx context.Context) error {
	l := j.loop
	if len(j.step.Tasks) == 0 || slices.ContainsFunc(j.step.Tasks, func(t nebula.Task) bool { return !l.reads(t.Operation) }) {
		return nil
	}
	if missing, same := j.lacking(); !j.blind && len(missing)+len(same) == 0 {
		return nil // the tasks were given, and no file asks for more
	}
	if err := j.over(); err != nil {
		return err
	}
	p, err := l.current(ctx, j.plan)
	if err != nil {
		return err
	}
	c := l.around(j.step, l.out.talk(ctx))
	c.Read = strings.Join(j.read, "\n\n")
	var tasks []nebula.Task
	err = l.ask(ctx, j.spend(ctx), plan.Tasks(p, j.step, c), func(text string) (err error) {
		tasks, err = plan.ReadTasks(text, l.setup.Tools)
		return err
	})
	var m *nebula.Mistake
	if errors.As(err, &m) {
		return nil // it has no more to do; what is lacking is told next
	}
	if err != nil {
		return err
	}
	return j.more(ctx, l.readFirst(j.step.Tasks, tasks), 0)
}

// reads reports whether a tool changes nothing.
func (l *Loop) reads(tool string) bool {
	return slices.ContainsFunc(l.setup.Tools, func(t nebula.ToolSpec) bool { return t.Name == tool && t.Effect == nebula.Read })
}

// foreign are the paths among these that are none of the step's files. A step that names none may touch all.
func (j *job) foreign(paths []string) (out []string) {
	for _, p := range paths {
		if len(j.step.Files) > 0 && !plan.Overlap([]string{p}, j.step.Files) && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// beside is a verdict that says, too, what files would change that are not the step's: they may be another's.
func (j *job) beside(p nebula.Proposed) nebula.Verdict {
	v := p.Verdict
	var paths []string
	for _, t := range p.Proposal.Targets {
		if t.Kind != "mkdir" {
			paths = append(paths, t.Path)
		}
	}
	if out := j.foreign(paths); len(out) > 0 {
		v.Risks = append(slices.Clone(v.Risks), j.notIts(out))
		if v.Risk != "high" {
			v.Risk = "medium"
		}
	}
	return v
}

func (j *job) notIts(paths []string) string {
	return fmt.Sprintf(word(j.loop.setup.Lang, "not among the files of step %s: %s", "ステップ %s のファイルではありません: %s"), j.step.ID, strings.Join(paths, ", "))
}
