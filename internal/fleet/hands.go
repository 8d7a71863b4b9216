package fleet

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/plan"
)

// Hands do what an engine decides. All of it can be done again: what was done already is found and not done twice.
type Hands struct {
	Store nebula.Store
	Hub   Hub
	Dir   string   // of checkouts; another worker may use it too
	Step  []string // the command line that carries one step out; [Orders] goes to its standard input, [Said] comes back
	Env   []string
	Lang  string
	Host  string
}

// Begin looks at a plan and brings its commit to the hub.
func (h *Hands) Begin(ctx context.Context, o Order) (b Begun, err error) {
	p, err := h.plan(ctx, o)
	if err != nil {
		return b, err
	}
	if p.Status != nebula.Draft {
		b.Approved = cmp.Or(string(p.Approved), o.By)
	}
	for _, s := range p.Steps {
		status := s.Status
		if status != nebula.Completed && status != nebula.StageSkipped {
			status = nebula.Pending
		}
		b.Steps = append(b.Steps, Node{s.ID, s.DependsOn, s.Files, string(status)})
	}
	b.Commit, err = h.bring(ctx, o)
	return b, err
}

func (h *Hands) plan(ctx context.Context, o Order) (nebula.Plan, error) {
	p, err := h.Store.Plan(ctx, o.Project, o.Plan)
	if errors.Is(err, nebula.ErrNoPlan) {
		return p, refused(plan.FleetNoPlan, o.Plan, o.Project)
	}
	return p, err
}

// bring fetches the source and leaves the commit to begin with in the hub.
func (h *Hands) bring(ctx context.Context, o Order) (commit string, err error) {
	if _, err := os.Stat(o.Source); filepath.IsAbs(o.Source) && err != nil {
		return "", refused(plan.FleetNoClone, o.Source, err.Error())
	}
	temp, err := h.temp()
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	r, err := made(ctx, filepath.Join(temp, "git"))
	if err != nil {
		return "", err
	}
	if _, err := r.git(ctx, "fetch", "-q", "--no-tags", "--", o.Source, "+HEAD:refs/source/HEAD", "+refs/heads/*:refs/source/heads/*"); err != nil {
		if strings.Contains(err.Error(), "couldn't find remote ref HEAD") {
			return "", refused(plan.FleetNoCommit, o.Source)
		}
		if filepath.IsAbs(o.Source) {
			return "", refused(plan.FleetNoClone, o.Source, why(err))
		}
		return "", errors.New(string(nebula.NewCode(plan.FleetNoClone, o.Source, why(err))))
	}
	if commit, err = r.git(ctx, "rev-parse", "--verify", "-q", cmp.Or(o.Commit, "refs/source/HEAD")+"^{commit}"); err != nil {
		return "", refused(plan.FleetGone, o.Commit, o.Source)
	}
	if err := h.Hub.ready(ctx, o.Source); err != nil {
		return "", err
	}
	return commit, r.put(ctx, h.Hub.Of(o.Source), o.Run, commit)
}

// why is the last line of what git said.
func why(err error) string {
	lines := strings.Split(strings.TrimSpace(err.Error()), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

func (h *Hands) temp() (string, error) {
	if err := os.MkdirAll(h.Dir, 0o700); err != nil {
		return "", err
	}
	return os.MkdirTemp(h.Dir, "tmp-")
}

// Merge brings a result to what came before it, without a checkout. The same two give the same commit.
func (h *Hands) Merge(ctx context.Context, m Merge) (out Merged, err error) {
	temp, err := h.temp()
	if err != nil {
		return out, err
	}
	defer os.RemoveAll(temp)
	hub := h.Hub.Of(m.Order.Source)
	r, err := made(ctx, filepath.Join(temp, "git"))
	if err == nil {
		err = r.get(ctx, hub, m.Order.Run, m.Head, m.Commit)
	}
	if err != nil {
		return out, err
	}
	tree, err := r.git(ctx, "merge-tree", "--write-tree", "--name-only", "--no-messages", m.Head, m.Commit)
	lines := strings.Split(strings.TrimSpace(tree), "\n")
	if err != nil && len(lines) > 1 {
		out.Conflicts = lines[1:]
		return out, nil
	}
	if err != nil {
		return out, err
	}
	at, err := r.moment(ctx, m.Commit)
	if err != nil {
		return out, err
	}
	if out.Commit, err = r.commit(ctx, lines[0], "Merge "+m.Step+"\n", at, m.Head, m.Commit); err != nil {
		return out, err
	}
	return out, r.put(ctx, hub, m.Order.Run, out.Commit)
}

// conflicts is how often the record is written anew when another writer was there.
const conflicts = 10

// Note tells the record how a step or the plan stands.
func (h *Hands) Note(ctx context.Context, n Note) error {
	var did nebula.PlanStep
	if n.Place != "" {
		if p, err := h.Store.Plan(ctx, n.Place, n.Order.Plan); err == nil {
			if i, err := plan.Find(p, n.Step); err == nil {
				did = p.Steps[i]
			}
		}
	}
	for range conflicts {
		p, err := h.plan(ctx, n.Order)
		if err != nil {
			return err
		}
		if p.Status == nebula.Draft && n.By != "" && plan.Agreed(p) != n.Order.Agreed {
			return refused("was_changed")
		}
		next, steps := noted(p, n, did)
		next.Version = p.Version + 1
		err = h.Store.SavePlan(ctx, n.Order.Project, next, steps...)
		if !errors.Is(err, nebula.ErrPlanChanged) {
			return err
		}
	}
	return nebula.ErrPlanChanged
}

// noted is a plan with what a note says of it; steps are those that differ.
func noted(p nebula.Plan, n Note, did nebula.PlanStep) (nebula.Plan, []string) {
	p.Steps = lists.Clone(p.Steps)
	if n.Usage != (nebula.Usage{}) {
		p.Usage = n.Usage
	}
	if p.Status == nebula.Draft && n.By != "" {
		p.Status, p.Approved = nebula.Approved, nebula.Person // whoever it was: nobody else is asked
	}
	for _, text := range n.Notes {
		if !lists.Has(p.Notes, text) {
			p.Notes = append(lists.Clone(p.Notes), text)
		}
	}
	i, err := plan.Find(p, n.Step)
	if n.Step == "" || err != nil {
		p.Why = nebula.Code(n.Why)
		return plan.Settle(p), []string{}
	}
	s := &p.Steps[i]
	switch s.Status = nebula.Stage(n.Status); n.Status {
	case Waits, Begins, Cancelled:
		s.Status = nebula.Pending
	}
	if did.ID != "" {
		s.Session, s.Began, s.Ended, s.Evidence, s.Report = did.Session, did.Began, did.Ended, did.Evidence, did.Report
	}
	if s.Status == nebula.StageFailed && s.Report == nil {
		s.Report = &nebula.Report{Status: nebula.StageFailed, Cause: nebula.Code(n.Why)}
	}
	return plan.Settle(p), []string{s.ID}
}

// Publish gives the result a branch in the hub, and in the source where the person chose so.
func (h *Hands) Publish(ctx context.Context, w Publication) (out Published, err error) {
	temp, err := h.temp()
	if err != nil {
		return out, err
	}
	defer os.RemoveAll(temp)
	hub := h.Hub.Of(w.Order.Source)
	r, err := made(ctx, filepath.Join(temp, "git"))
	if err == nil {
		err = r.get(ctx, hub, w.Order.Run, w.Base, w.Head)
	}
	if err != nil {
		return out, err
	}
	out.Branch = Branch(w.Order.Plan)
	if _, err := r.git(ctx, "push", "-q", "--force", hub, w.Head+":refs/heads/"+out.Branch); err != nil {
		return out, err
	}
	if out.Stat, err = r.git(ctx, "diff", "--shortstat", w.Base, w.Head); err != nil || !w.Order.Push {
		return out, err
	}
	if _, err := r.git(ctx, "push", "-q", "--", w.Order.Source, w.Head+":refs/heads/"+out.Branch); err != nil {
		return out, refused(plan.FleetNoPush, w.Order.Source, why(err))
	}
	return out, nil
}

// Branch is what the result of a plan is called.
func Branch(plan string) string { return "nebula/" + plan }

// Take brings the branch of a result into the repository of a folder, which has none of that name or one that it goes on.
func (h Hub) Take(ctx context.Context, source, branch, dir string) error {
	temp, err := os.MkdirTemp("", "nebula-take-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	r, err := made(ctx, temp) // what a folder's settings say of reaching others is not asked
	if err != nil {
		return err
	}
	ref := "refs/heads/" + branch
	if _, err := r.git(ctx, "fetch", "-q", "--no-tags", h.Of(source), ref+":"+ref); err != nil {
		return err
	}
	_, err = gitIn(ctx, dir, nil, "fetch", "--no-tags", temp, ref+":"+ref) // it says what it rejects
	switch {
	case err != nil && strings.Contains(err.Error(), "checked out at"):
		return refused(plan.FleetStandsOn, branch)
	case err != nil && strings.Contains(err.Error(), "non-fast-forward"):
		return refused(plan.FleetOther, branch)
	}
	return err
}

// Patch is the difference that a result makes.
func (h Hub) Patch(ctx context.Context, s State) (string, error) {
	temp, err := os.MkdirTemp("", "nebula-patch-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	r, err := made(ctx, temp)
	if err == nil {
		err = r.get(ctx, h.Of(s.Order.Source), s.Order.Run, s.Base, s.Head)
	}
	if err != nil {
		return "", err
	}
	return git(ctx, nil, "", "--git-dir="+r.dir, "diff", "--binary", s.Base, s.Head)
}

// Source is what a folder's plan is handed over with: the commit that it stands at, where others find it, and whether
// something of it is not committed.
func Source(ctx context.Context, dir string) (source, commit string, dirty bool, err error) {
	if commit, err = gitIn(ctx, dir, nil, "rev-parse", "--verify", "-q", "HEAD^{commit}"); err != nil {
		return "", "", false, refused(plan.FleetNoCommit, dir)
	}
	commit = strings.TrimSpace(commit)
	plain, err := unfiltered(ctx, dir)
	if err != nil {
		return "", "", false, err
	}
	status, err := gitIn(ctx, dir, plain, "status", "--porcelain", "--ignore-submodules=dirty") // a submodule brings settings of its own
	if err != nil {
		return "", "", false, err
	}
	top, err := gitIn(ctx, dir, nil, "rev-parse", "--show-toplevel")
	source = strings.TrimSpace(top)
	if on, failed := gitIn(ctx, dir, nil, "branch", "-r", "--contains", commit, "--list", "origin/*"); failed == nil && strings.TrimSpace(on) != "" {
		if url, failed := gitIn(ctx, dir, nil, "remote", "get-url", "origin"); failed == nil {
			source = strings.TrimSpace(url)
		}
	}
	return source, commit, strings.TrimSpace(status) != "", err
}
