package task

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"nebula"
	"nebula/internal/plan"
)

// wait waits for the steps beside this one, where an error names files of theirs and none of its own: what they have half
// done is no fault of this step, which tries again when they are through. It reports whether there was anybody to wait for.
// Nobody waits for a step that waits itself.
func (j *job) wait(ctx context.Context, wrong string) (waited bool, err error) {
	l := j.loop
	defer l.do(func(o *owner) {
		delete(o.resting, j.step.ID)
		o.turn()
	})
	for {
		var p nebula.Plan
		var turned chan struct{} // from before the look, so that no end of a step is missed
		l.do(func(o *owner) {
			turned = o.turned
			p, err = o.find(j.plan)
		})
		if err != nil {
			return waited, err
		}
		theirs, begins := j.blamed(p, wrong), false
		l.do(func(o *owner) {
			theirs = slices.DeleteFunc(theirs, func(step string) bool { return o.resting[step] })
			if begins = len(theirs) > 0 && !o.resting[j.step.ID]; begins {
				o.resting[j.step.ID] = true
				o.turn()
			}
		})
		if len(theirs) == 0 {
			return waited, nil
		}
		waited = true
		if begins {
			continue // with the channel that is closed next
		}
		select {
		case <-turned:
		case <-ctx.Done():
			return waited, ctx.Err()
		}
	}
}

// turn tells those that wait that a step ended or began to wait.
func (o *owner) turn() {
	close(o.turned)
	o.turned = make(chan struct{})
}

// blamed are the steps under way beside this one whose files an error names; none when it names one of this step's.
func (j *job) blamed(p nebula.Plan, wrong string) (steps []string) {
	own := append(slices.Clone(j.step.Files), plan.Changed(j.step)...)
	for _, name := range named().FindAllString(wrong, -1) {
		name = strings.TrimPrefix(strings.TrimPrefix(name, j.loop.setup.Project+"/"), "./")
		if j.loop.among(name, own) {
			return nil
		}
		for _, s := range p.Steps {
			if s.ID != j.step.ID && s.Status == nebula.InProgress && j.loop.among(name, append(slices.Clone(s.Files), plan.Changed(s)...)) {
				steps = append(steps, s.ID)
			}
		}
	}
	return steps
}

// named finds what could be files in an error.
var named = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\w.@+/-]*\w\.\w+`) })

// among reports whether a name is one of these files, or lies in one of these folders. Tests often name a file without its
// folder.
func (l *Loop) among(name string, files []string) bool {
	if len(files) > 0 && plan.Overlap([]string{name}, files) {
		return true
	}
	if strings.Contains(name, "/") {
		return false
	}
	return slices.ContainsFunc(files, func(file string) bool {
		file = strings.TrimSpace(file)
		if path.Base(file) == name {
			return true
		}
		if l.setup.Look == nil {
			return false
		}
		_, there := l.setup.Look(path.Join(strings.TrimRight(file, "/*"), name))
		return there
	})
}
