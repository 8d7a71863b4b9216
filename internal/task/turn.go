package task

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/plan"
)

// work has the step's agent do what the step asks for, unless it came to its end before, or all that was to be done was
// given and is done.
func (j *job) work(ctx context.Context) error {
	all := len(j.step.Tasks) > 0
	for _, t := range j.step.Tasks {
		all = all && t.By != nebula.ByAgent
	}
	if j.worked || all {
		return nil
	}
	_, err := j.turn(ctx, "")
	return err
}

// turn has the step's agent work until it ends by itself: an ordinary turn of the step's conversation. It is told what the
// step is when it begins, and later what it lacks and what was said since. How many actions succeeded that could
// change something is returned.
func (j *job) turn(ctx context.Context, lacks string) (made int, err error) {
	if err := j.over(); err != nil {
		return 0, err
	}
	p, err := j.loop.current(j.plan)
	if err != nil {
		return 0, err
	}
	talk := plan.Talk(j.loop.talk(ctx), p)
	news := lists.Clone(p.Notes[min(j.notes, len(p.Notes)):])
	for _, command := range j.declared {
		news = append(news, command+": "+phrase.In(j.loop.setup.Lang, declared))
	}
	heard := talk
	if talk == j.talked {
		heard = ""
	}
	text := plan.Further(j.step, heard, strings.Join(news, "\n"), lacks, j.loop.setup.Lang)
	if !j.briefed {
		if err := j.look(ctx); err != nil {
			return 0, err
		}
		text = plan.Brief(p, j.step, plan.Context{Lang: j.loop.setup.Lang, Talk: talk})
		if lacks != "" {
			text += "\n" + plan.Further(j.step, "", "", lacks, j.loop.setup.Lang)
		}
	}
	j.notes, j.talked, j.declared = len(p.Notes), talk, nil
	came, err := j.follow(ctx, nebula.Submit{Text: text}, true)
	if h, is := errors.AsType[*halt](err); is && h.status == nebula.NeedsApproval && came.outcome.Text != "" {
		err, came.outcome.Status = nil, nebula.TurnDone // its check tells whether it was needed
		if came.denied != "" || !came.ignored {
			j.refused = h
		}
	}
	if err != nil {
		return came.made, err
	}
	if came.dropped && j.refused == nil {
		j.refused = &halt{nebula.NeedsApproval, code(plan.NeedsYes, came.denied)}
	}
	j.briefed = true
	j.worked, j.broke = came.outcome.Status == nebula.TurnDone, ""
	if j.said = came.outcome.Text; !j.worked {
		j.broke = cmp.Or(came.outcome.Text, string(came.outcome.Status))
	}
	return came.made, nil
}

// Bounds of the files that the step's agent has read when it begins.
const (
	filesShown = 8
	bytesShown = 16 << 10
)

// look reads the files that the step names, so that its agent begins with them: what the conversation knew of them, as it
// is now.
func (j *job) look(ctx context.Context) error {
	s := j.loop.setup
	if s.Text == nil || s.Read == "" {
		return nil
	}
	room := bytesShown
	var actions []nebula.Action
	for _, path := range j.step.Files {
		text, ok := s.Text(j.step.Tree, path)
		if ok && len(text) <= room && len(actions) < filesShown {
			room -= len(text)
			actions = append(actions, nebula.Action{Call: fmt.Sprintf("%s.look%d", j.step.ID, len(actions)+1), Tool: s.Read, Args: arguments("path", path), Reason: j.step.Name})
		}
	}
	if len(actions) == 0 {
		return nil
	}
	_, err := j.follow(ctx, nebula.Perform{Text: j.step.Name, Actions: actions, By: nebula.Decider("plan " + j.plan)}, false)
	return err
}

// A turnResult is what a turn of the step's conversation came to.
type turnResult struct {
	outcome nebula.Outcome
	result  nebula.Result // of its last action
	made    int           // actions that succeeded and could change something
	denied  string        // the tool of the first action that was refused, or that ran for nothing
	dropped bool          // what a command changed was dropped
	ignored bool          // so was what the project ignores, and no more of an action's
}

// act carries a given action out in the conversation.
//
//go:noinline
func (j *job) act(ctx context.Context, a nebula.Action) (nebula.Result, error) {
	came, err := j.perform(ctx, a)
	return came.result, err
}

func (j *job) perform(ctx context.Context, a nebula.Action) (turnResult, error) {
	return j.follow(ctx, nebula.Perform{Text: j.step.Name, Actions: []nebula.Action{a}, By: nebula.Decider("plan " + j.plan)}, false)
}

// follow carries a turn of the conversation through, and has its questions wait in the person's. What an agent does in it
// is kept as tasks of the step.
func (j *job) follow(ctx context.Context, c nebula.Command, agent bool) (came turnResult, err error) {
	if err := j.talk.Send(ctx, c); err != nil {
		return came, err
	}
	var proposed nebula.Proposed
	mine, tried := false, 0
	var from time.Time // when it began, or went on after the person's answer
	for e := range j.events {
		switch b := e.Body.(type) {
		case nebula.Submitted:
			mine, from = true, e.At
		case nebula.Replied:
			j.spend()(b.Reply.Usage)
		case nebula.Proposed:
			if proposed = b; agent {
				err = errors.Join(err, j.takes(b.Proposal.Action))
			} else if j.plan == "" {
				tried++
				j.shows(b.Proposal, tried)
			}
		case nebula.Asked:
			j.time += e.At.Sub(from)
			j.put(ctx, b, proposed)
		case nebula.Answered:
			from = e.At
			if b.Answer == nebula.No && b.By == nebula.Person {
				j.refuse(proposed.Proposal, b.Text)
			}
			j.loop.answered(j.step.ID+"/"+b.Ask, b)
		case nebula.Finished:
			if came.result = b.Result; b.Result.Status == nebula.Done && proposed.Proposal.Action.ID == b.Result.Action && proposed.Proposal.Effect.Changes() {
				came.made++
			}
			none := dropped(b.Result, proposed.Proposal)
			came.dropped, came.ignored = came.dropped || none, came.ignored || !none && len(b.Result.Dropped) > 0
			if none || b.Result.Status == nebula.Denied {
				came.denied = cmp.Or(came.denied, refusedPart(b.Result, proposed.Proposal))
			}
			if agent {
				err = errors.Join(err, j.ends(b.Result))
			}
		case nebula.Ended:
			if !mine {
				continue
			}
			j.time += e.At.Sub(from)
			came.outcome = b.Outcome
			return came, errors.Join(err, j.stopped(ctx, came, agent))
		}
	}
	if ctx.Err() != nil {
		return came, ctx.Err()
	}
	return came, errors.Join(errors.New("the step's session ended"), j.talk.Wait())
}

// refuse keeps the person's no to what would change files.
func (j *job) refuse(p nebula.Proposal, why string) {
	for _, t := range p.Targets {
		if j.noes == nil {
			j.noes = map[string]nebula.Code{}
		}
		j.noes[path.Clean(t.Path)] = code(plan.Refused, p.Action.Tool+" ("+t.Path+")", cmp.Or(why, "no"))
	}
}

// dropped reports whether what a command changed is not kept: what the project ignores is nothing to miss, nor is what a test run leaves behind.
func dropped(r nebula.Result, p nebula.Proposal) bool {
	return r.Tests == nil && slices.ContainsFunc(r.Dropped, func(path string) bool {
		return !slices.ContainsFunc(p.Targets, func(t nebula.Target) bool { return t.Path == path && t.Ignored })
	})
}

// refusedPart is what was refused, with its command or its files: nobody knows by a tool's name what lacks.
func refusedPart(r nebula.Result, p nebula.Proposal) string {
	object := p.Line()
	for _, t := range p.Targets {
		if object == "" && t.Kind != "mkdir" {
			object = t.Path
		}
	}
	if object = phrase.OneLine(object, mostRefused); object == "" || p.Action.ID != r.Action {
		return r.Tool
	}
	return r.Tool + " (" + object + ")"
}

// mostRefused bounds how much of what was refused is said, in characters.
const mostRefused = 120

// stopped says that a turn ended for a reason that is not the task's.
func (j *job) stopped(ctx context.Context, came turnResult, agent bool) error {
	o := came.outcome
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case o.Mode == nebula.PlanMode && j.plan != "" && (agent || came.result.Status == nebula.Denied):
		return &halt{nebula.Cancelled, "plan_mode"}
	case o.Status == nebula.NeedsApproval:
		return &halt{nebula.NeedsApproval, code(plan.NeedsYes, cmp.Or(came.denied, came.result.Tool))}
	case o.Status == nebula.NeedsInput:
		return &halt{nebula.NeedsInput, "waits"}
	case o.Status == nebula.LimitReached, o.Status == nebula.APIFailed:
		return &halt{o.Status, nebula.Code(o.Text)}
	case o.Status == nebula.Cancelled:
		return &halt{nebula.Cancelled, "cancelled"}
	}
	return nil
}
