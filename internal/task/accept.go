package task

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/plan"
	"nebula/internal/state"
)

// deliver holds what the step did against the files that it names: tests that pass say nothing of a file that was never
// made. Its agent is told of those that are missing, and once of those that stand as they were. What is missing after that
// fails the step; what stands as it was may be as it should be, but nothing shows it ([job.earned]). What the person refused is asked of
// nobody: it ends the step.
func (j *job) deliver(ctx context.Context) error {
	lang := j.loop.setup.Lang
	for {
		missing, same := j.lacking()
		for _, file := range append(lists.Clone(missing), same...) {
			if no, is := j.noes[file]; is { // nobody is sent against the person's no
				return failure(no)
			}
		}
		if j.told {
			same = nil
		}
		if len(missing)+len(same) == 0 {
			return nil
		}
		j.told = true
		var why []string
		if len(missing) > 0 {
			why = append(why, plan.Say(absent(missing), lang))
		}
		for _, file := range same {
			why = append(why, fmt.Sprintf(phrase.In(lang, "%s was not changed: change it, or only read it if it is as it should be"), file))
		}
		made, err := j.mend(ctx, strings.Join(why, "\n"))
		if err != nil {
			return err
		}
		if !made && state.GaveUp(j.said) {
			j.mended = repairs // to ask for it again brings the same words
		}
		if left, _ := j.lacking(); !made && len(left) > 0 {
			return failure(absent(left))
		}
	}
}

// absent says of files that they are not there.
func absent(files []string) nebula.Code {
	id := plan.AllAbsent
	if len(files) == 1 {
		id = plan.Absent
	}
	return code(id, strings.Join(files, ", "))
}

// lacking are the files that the step names and did not touch: those that are missing, and those that stand as they were.
// Folders and patterns name where it may work, and no file that must be there.
func (j *job) lacking() (missing, same []string) {
	if j.loop.setup.Look == nil {
		return nil, nil
	}
	changes := j.loop.made(j.step.Session).changes
	touched := map[string]bool{}
	gone := map[string]bool{} // the step itself took it away
	for _, c := range changes {
		touched[path.Clean(c.Path)], gone[path.Clean(c.Path)] = true, c.After == ""
	}
	for _, named := range j.step.Files {
		file := deliverable(named)
		if file == "" {
			continue
		}
		switch folder, there := j.loop.setup.Look(j.step.Tree, file); {
		case !there && !gone[file]: // made, maybe, and taken back since
			missing = append(missing, file)
		case there && !folder && !touched[file]:
			same = append(same, file)
		}
	}
	return missing, same
}

// did reports whether the step did something: it touched one of the files that it names, or, where it names none, carried
// anything out.
func (j *job) did() bool {
	files := lists.Drop(lists.Clone(j.step.Files), func(f string) bool { return deliverable(f) == "" })
	if len(files) == 0 || j.loop.setup.Look == nil {
		idle := j.still() // who only read has changed nothing
		return slices.ContainsFunc(j.step.Tasks, func(t nebula.Task) bool {
			return t.Status == nebula.Completed && !(idle && t.By == nebula.ByAgent && t.Operation != j.loop.setup.Command)
		})
	}
	changes := j.loop.made(j.step.Session).changes
	return slices.ContainsFunc(changes, func(c nebula.Change) bool { return plan.Names(files, c.Path) })
}

// untouched is why a step is not done that names files and left everything as it was; nil for one that did something, or is only to look.
func (j *job) untouched() error {
	_, same := j.lacking()
	if len(same) == 0 && j.still() { // folders and patterns, that something in them is to change in
		same = lists.Drop(lists.Clone(j.step.Files), func(f string) bool { return deliverable(f) != "" })
	}
	did := j.loop.made(j.step.Session)
	if len(same) == 0 || len(did.changes)+len(did.lost)+len(did.blind) > 0 || ofLooking.In(j.step.Name) {
		return nil
	}
	return failure(code(plan.Untouched, strings.Join(same, ", ")))
}

// still reports whether a step that is called after a change left everything as it was.
func (j *job) still() bool {
	did := j.loop.made(j.step.Session)
	return len(did.changes)+len(did.lost)+len(did.blind) == 0 && ofChange.In(j.step.Name)
}

var ofChange = &lazy.Pattern{X: `(?i)^\W*(?:fix|correct|repair|change|add|implement|rename|remove|delete|refactor|rewrite|replace|extend|move|extract|simplify)\b|(?:直す|修正|追加|実装|変更|改名|削除|置き換え)[^。、]{0,4}$`}

// ofLooking is what a step that is only to look at something is called.
var ofLooking = &lazy.Pattern{X: `(?i)^\W*(?:(?:re-?)?(?:check|verify|confirm|review|read|inspect|look|analy[sz]e|investigate|examine|explore|study|test|run|find|list|report|explain|understand|audit|validate|compare|measure|identify|determine)|ensure|make sure|see)\b` +
	`|(?:確認|確かめ|調査|調べ|検証|レビュー|分析|検討|把握|特定|読む|読み|見る|見直|実行)[^。、]{0,6}$`}

// deliverable is the path of a file that a step names; empty for folders and patterns, which name where it may work.
func deliverable(named string) string {
	file := strings.TrimSpace(named)
	if file == "" || strings.HasSuffix(file, "/") || strings.ContainsAny(file, "*?[") {
		return ""
	}
	return path.Clean(file)
}

// foreign are the paths among these that are none of the step's files. A step that names none may touch all.
func (j *job) foreign(paths []string) (out []string) {
	for _, p := range paths {
		if len(j.step.Files) > 0 && !plan.Names(j.step.Files, p) && !lists.Has(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// outside is a verdict that says, too, what files would change that are not the step's: they may be another's.
func (j *job) outside(p nebula.Proposed) nebula.Verdict {
	v := p.Verdict
	var paths []string
	for _, t := range p.Proposal.Targets {
		if t.Kind != "mkdir" && !t.Left() {
			paths = append(paths, t.Path)
		}
	}
	if out := j.foreign(paths); len(out) > 0 {
		v.Risks = append(lists.Clone(v.Risks), nebula.NewCode("beside_step", j.step.ID, strings.Join(out, ", ")))
		if v.Risk != "high" {
			v.Risk = "medium"
		}
	}
	return v
}
