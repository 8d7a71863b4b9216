package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/plan"
)

// Orders are what the process that carries one step out reads, as a line; when its input ends after that, it ends too.
type Orders struct {
	Plan    string  `json:"plan"`
	Step    string  `json:"step"`
	Answers []Given `json:"answers,omitempty"`
}

// Said is what that process prints in the end.
type Said struct {
	Ask *Ask `json:"ask,omitempty"` // the first thing that nobody answered
}

// codeAPI is the exit code of a process whose model could not be reached.
const codeAPI = 4

// A checkout is where one job is done. Its repository is beyond what runs in its folder.
type checkout struct {
	repository
	place, work string
}

// Do carries a job out. It is the same job however often it is begun: what a killed worker left here is gone on with, and
// what came to its end anywhere is not done again.
func (h *Hands) Do(ctx context.Context, j Job) (d Done, err error) {
	c := h.at(j)
	switch d, ok, err := h.result(ctx, j); {
	case err != nil:
		return d, err
	case ok: // also when the worker that came to it could not clear its place
		return d, c.clear()
	}
	if err := h.settle(ctx, &c, j); err != nil {
		return d, err
	}
	said, code, err := h.run(ctx, c.work, Orders{Plan: j.Order.Plan, Step: j.Step, Answers: j.Answers}, j.Order)
	if err != nil {
		return d, err
	}
	p, err := h.Store.Plan(ctx, c.work, j.Order.Plan)
	if err != nil {
		return d, err
	}
	i, err := plan.Find(p, j.Step)
	if err != nil {
		return d, err
	}
	s := p.Steps[i]
	d = Done{Status: string(s.Status), Ask: said.Ask, Place: c.work, Session: s.Session, Host: h.Host, Usage: p.Usage, Why: string(p.Why)}
	switch {
	case s.Status == nebula.Completed:
		return h.keep(ctx, c, j, p, d)
	case s.Status == nebula.StageFailed && s.Report != nil:
		d.Why = string(s.Report.Cause)
	case said.Ask != nil:
		d.Status = Waits
	case code == codeAPI:
		return d, errors.New(string(p.Why))
	case s.Status != nebula.StageFailed:
		d.Status = string(nebula.StageFailed)
	}
	if d.Why == "" {
		d.Why = string(nebula.NewCode(plan.FleetEnded, fmt.Sprint(code)))
	}
	return d, nil
}

// clear removes the checkout. What the step ran may write there for a moment yet.
func (c checkout) clear() (err error) {
	for pause := time.Millisecond; pause < time.Second; pause *= 2 {
		if err = os.RemoveAll(c.place); err == nil {
			return nil
		}
		time.Sleep(pause)
	}
	return err
}

func (h *Hands) at(j Job) checkout {
	name := fmt.Sprintf("%s.%d", nebula.Hash([]byte(j.Step))[:12], j.Time)
	if j.Theirs != "" {
		name += ".merge"
	}
	place := filepath.Join(h.Dir, j.Order.Run, h.Host, name)
	return checkout{repository{filepath.Join(place, "git")}, place, filepath.Join(place, "work")}
}

// outcome is the name of what a job came to, in the hub.
func (j Job) outcome() string {
	name := fmt.Sprintf("refs/nebula-done/%s/%s.%d", j.Order.Run, nebula.Hash([]byte(j.Step))[:12], j.Time)
	if j.Theirs != "" {
		name += ".merge." + j.Base
	}
	return name
}

// result is what the job came to, if it did: whoever finished it first.
func (h *Hands) result(ctx context.Context, j Job) (d Done, ok bool, err error) {
	hub := h.Hub.Of(j.Order.Source)
	list, err := git(ctx, nil, "", "ls-remote", "--", hub, j.outcome())
	if err != nil || strings.TrimSpace(list) == "" {
		return d, false, err
	}
	temp, err := h.temp()
	if err != nil {
		return d, false, err
	}
	defer os.RemoveAll(temp)
	r, err := made(ctx, temp)
	if err == nil {
		_, err = r.git(ctx, "fetch", "-q", "--no-tags", hub, j.outcome()+":refs/done")
	}
	if err != nil {
		return d, false, err
	}
	text, err := r.git(ctx, "cat-file", "blob", "refs/done")
	if err == nil {
		err = json.Unmarshal([]byte(text), &d)
	}
	return d, err == nil, err
}

// settle makes the checkout, or finds the one that an earlier beginning left whole.
func (h *Hands) settle(ctx context.Context, c *checkout, j Job) error {
	p, err := h.plan(ctx, j.Order)
	if err != nil {
		return err
	}
	if p.Status == nebula.Draft {
		return refused("was_changed")
	}
	i, err := plan.Find(p, j.Step)
	if err != nil {
		return refused(plan.FleetNoStep, j.Step)
	}
	p.Notes = append(p.Notes[:len(p.Notes):len(p.Notes)], j.Notes...)
	if _, err := os.Stat(filepath.Join(c.place, "whole")); err == nil {
		c.work, err = filepath.EvalSymlinks(c.work)
		return errors.Join(err, h.readState(ctx, c.work, p))
	}
	conflicts, err := c.make(ctx, h.Hub.Of(j.Order.Source), j)
	if err != nil {
		return err
	}
	if c.work, err = filepath.EvalSymlinks(c.work); err != nil {
		return err
	}
	if err := h.brief(ctx, c.work, p, i, j, conflicts); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(c.place, "whole"), nil, 0o600)
}

// make checks the base out. With Theirs both versions stand in the files that are returned.
func (c *checkout) make(ctx context.Context, hub string, j Job) (conflicts []string, err error) {
	if err := os.RemoveAll(c.place); err != nil {
		return nil, err
	}
	if c.repository, err = made(ctx, c.dir); err != nil {
		return nil, err
	}
	commits := []string{j.Base}
	if j.Theirs != "" {
		commits = append(commits, j.Theirs)
	}
	if err := c.get(ctx, hub, j.Order.Run, commits...); err != nil {
		return nil, err
	}
	for _, args := range [][]string{
		{"clone", "-q", "--no-hardlinks", "--template=", "--no-checkout", c.dir, c.work},
		{"-C", c.work, "fetch", "-q", "origin", "+refs/nebula/*:refs/nebula/*"},
		{"-C", c.work, "checkout", "-q", "-B", Branch(j.Order.Plan), j.Base},
	} {
		if _, err := git(ctx, nil, "", args...); err != nil {
			return nil, err
		}
	}
	if j.Theirs == "" {
		return nil, nil
	}
	_, unfit := gitIn(ctx, c.work, identity("1000000000 +0000"), "merge", "-q", "--no-commit", "--no-ff", j.Theirs)
	list, err := gitIn(ctx, c.work, nil, "diff", "-z", "--name-only", "--diff-filter=U")
	conflicts = strings.FieldsFunc(list, func(r rune) bool { return r == 0 })
	if len(conflicts) == 0 && err == nil {
		err = unfit
	}
	return conflicts, err
}

// brief gives the record the plan as this checkout carries it out: the one step, among the others as they stand.
func (h *Hands) brief(ctx context.Context, work string, p nebula.Plan, i int, j Job, conflicts []string) error {
	s := p.Steps[i]
	s.Status, s.Session, s.Tree, s.Joined, s.Evidence, s.Report = nebula.Pending, "", "", "", nil, nil
	if j.Theirs != "" {
		s.Tasks, s.Files = nil, conflicts
		s.Description = strings.TrimSpace(s.Description + "\n\n" + fmt.Sprintf(phrase.In(h.Lang, "Steps beside this one changed the same places of %s. Both versions stand there now: where a file is text, between the lines <<<<<<< and >>>>>>>. Make one of them that does what both steps ask for, without these lines."), strings.Join(conflicts, ", ")))
	}
	p.Steps = append([]nebula.PlanStep{}, p.Steps...)
	p.Steps[i] = s
	p.Version, p.Usage, p.Why = 1, nebula.Usage{}, ""
	if j.Order.Tokens > 0 || j.Order.Cost > 0 {
		p.With.Plan.Tokens, p.With.Plan.Cost = j.Order.Tokens, j.Order.Cost
	}
	if err := h.Store.RemovePlan(ctx, work, p.ID); err != nil && !errors.Is(err, nebula.ErrNoPlan) {
		return err
	}
	return h.Store.SavePlan(ctx, work, plan.Settle(p))
}

// readState brings along what the person said since.
func (h *Hands) readState(ctx context.Context, work string, p nebula.Plan) error {
	was, err := h.Store.Plan(ctx, work, p.ID)
	if err != nil || len(was.Notes) == len(p.Notes) {
		return err
	}
	was.Version, was.Notes = was.Version+1, p.Notes
	return h.Store.SavePlan(ctx, work, was, []string{}...)
}

// run has a process of its own carry the step out. When this one ends, however it ends, that one's input ends, and it too.
func (h *Hands) run(ctx context.Context, work string, in Orders, o Order) (said Said, code int, err error) {
	args := append([]string{}, h.Step[1:]...)
	for flag, value := range map[string]string{"--model": o.Model, "--approve": o.Approve} {
		if value != "" {
			args = append(args, flag, value)
		}
	}
	cmd := exec.CommandContext(ctx, h.Step[0], append(args, "--dir", work)...)
	cmd.Dir, cmd.Env = work, h.Env
	input, err := cmd.StdinPipe()
	if err != nil {
		return said, 0, err
	}
	var out, wrong bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &wrong
	cmd.Cancel, cmd.WaitDelay = input.Close, 15*time.Second
	if err := cmd.Start(); err != nil {
		return said, 0, err
	}
	line, err := json.Marshal(in)
	if err == nil {
		_, err = input.Write(append(line, '\n'))
	}
	_ = cmd.Wait() // what it says, and its exit code, tell
	if ctx.Err() != nil {
		return said, 0, ctx.Err()
	}
	if err == nil {
		err = json.Unmarshal(out.Bytes(), &said)
	}
	if err != nil { // it broke before it could say how it went
		return said, 0, fmt.Errorf("%w (%s): %s", err, cmd.ProcessState, strings.TrimSpace(end(wrong.String(), 1000)))
	}
	return said, cmd.ProcessState.ExitCode(), nil
}

// keep makes a commit of what the step did and leaves it in the hub, with what it came to, unless another finished the job
// first: then that is what it came to.
func (h *Hands) keep(ctx context.Context, c checkout, j Job, p nebula.Plan, d Done) (Done, error) {
	own, err := nested(c.work)
	if err != nil {
		return d, err
	}
	tree, err := c.tree(ctx, j.Base, c.work, own)
	if err != nil {
		return d, err
	}
	if lost, err := c.lost(ctx, p, j.Step, tree, own); err != nil || len(lost) > 0 {
		d.Status, d.Why = string(nebula.StageFailed), string(nebula.NewCode(plan.NotCommitted, strings.Join(lost, ", ")))
		return d, err
	}
	was, err := c.git(ctx, "rev-parse", j.Base+"^{tree}")
	if err != nil {
		return d, err
	}
	parents := []string{j.Base}
	if j.Theirs != "" {
		parents = append(parents, j.Theirs)
		if left, _ := c.git(ctx, "grep", "-l", "-e", "^<<<<<<< ", tree); left != "" {
			d.Status, d.Why = string(nebula.StageFailed), string(nebula.NewCode(plan.Unsettled, strings.ReplaceAll(left, tree+":", "")))
			return d, nil
		}
	}
	if d.Commit = j.Base; tree != was || j.Theirs != "" {
		if d.Commit, err = c.commit(ctx, tree, message(p, j, d), fmt.Sprintf("%d +0000", time.Now().Unix()), parents...); err != nil {
			return d, err
		}
	}
	if err := h.hand(ctx, c, j, d); err != nil {
		if first, ok, _ := h.result(ctx, j); ok {
			d, err = first, nil
		}
		if err != nil {
			return d, err
		}
	}
	return d, c.clear()
}

// lost are the files that a step names and that stand in its folder, and not in the tree that is all that is kept of it.
func (c checkout) lost(ctx context.Context, p nebula.Plan, step, tree string, nested []string) (lost []string, err error) {
	i, err := plan.Find(p, step)
	if err != nil {
		return nil, err
	}
	list, err := git(ctx, nil, "", "--git-dir="+c.dir, "ls-tree", "-r", "-z", "--name-only", tree)
	if err != nil {
		return nil, err
	}
	held := map[string]bool{}
	for name := range strings.SplitSeq(list, "\x00") {
		held[name] = true
	}
	root, err := os.OpenRoot(c.work)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for _, named := range p.Steps[i].Files {
		file := path.Clean(strings.TrimSpace(named))
		if info, err := root.Lstat(file); err == nil && !info.IsDir() && !held[file] {
			lost = append(lost, file)
		}
	}
	for _, dir := range nested {
		err := fs.WalkDir(root.FS(), dir, func(file string, d fs.DirEntry, err error) error {
			switch {
			case err != nil || d.IsDir() && d.Name() != ".git":
				return err
			case d.IsDir():
				return fs.SkipDir
			case plan.Names(p.Steps[i].Files, file) && !held[file] && !lists.Has(lost, file):
				lost = append(lost, file)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return lost, nil
}

// hand brings the commit and what is said of it to the hub at once; it fails where the job was finished before.
func (h *Hands) hand(ctx context.Context, c checkout, j Job, d Done) error {
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	blob, err := git(ctx, nil, string(text), "--git-dir="+c.dir, "hash-object", "-w", "--stdin")
	if err != nil {
		return err
	}
	_, err = c.git(ctx, "push", "-q", "--atomic", "--force-with-lease="+j.outcome()+":", h.Hub.Of(j.Order.Source),
		strings.TrimSpace(blob)+":"+j.outcome(), d.Commit+":"+kept(j.Order.Run, d.Commit))
	return err
}

// message is that of a step's commit: whoever reads the history finds the record by it.
func message(p nebula.Plan, j Job, d Done) string {
	name := j.Step
	if i, err := plan.Find(p, j.Step); err == nil {
		name = phrase.OneLine(p.Steps[i].Name, 72)
	}
	if j.Theirs != "" {
		name = "Merge " + name
	}
	return fmt.Sprintf("%s\n\nNebula-Plan: %s\nNebula-Step: %s\nNebula-Session: %s\n", name, p.ID, j.Step, d.Session)
}
