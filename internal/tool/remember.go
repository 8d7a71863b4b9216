package tool

import (
	"context"
	"strings"

	"nebula"
)

// Notes are what outlives a session: for this project, or for the person everywhere.
type Notes interface {
	Remember(ctx context.Context, note string, everywhere bool) error
	// Forget removes the note with that text, wherever it holds; ok is false when there is none.
	Forget(ctx context.Context, note string) (ok bool, err error)
}

// noteLimit is how long a note may be, in characters: what the first layer of a prompt shows of it.
const noteLimit = 100

// remember proposes what later sessions should be told.
type remember struct{ notes Notes }

// Spec implements nebula.Tool.
func (t *remember) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{
		Name: "remember", Aliases: []string{"memory"},
		Description: "Note for later sessions.",
		Params: []nebula.Param{
			param("note", "string", true, ""), param("everywhere", "boolean", false, ""), param("forget", "boolean", false, ""),
		},
		Effect: nebula.Memory,
	}
}

// Propose checks the note. Nothing is kept before the person agrees.
func (t *remember) Propose(_ context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct {
		Note               string
		Everywhere, Forget bool
	}
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	note := strings.Join(strings.Fields(strings.TrimPrefix(strings.TrimSpace(in.Note), "- ")), " ")
	switch {
	case note == "":
		return nebula.Proposal{}, mistake("The note is empty.", "Say in one line what later sessions should know.")
	case len([]rune(note)) > noteLimit && !in.Forget:
		return nebula.Proposal{}, mistakef("Say it in one short line.", "The note has %d characters; %d are kept.", len([]rune(note)), noteLimit)
	}
	p := nebula.Proposal{Effect: nebula.Memory, Summary: said(v.Lang, "remember for this project: %s", note)}
	switch {
	case in.Forget:
		p.Summary = said(v.Lang, "forget: %s", note)
	case in.Everywhere:
		p.Summary = said(v.Lang, "remember for all projects: %s", note)
	}
	p.Do = func(ctx context.Context, r nebula.Run) (nebula.Result, error) {
		if !r.Grant.Remembers() {
			return nebula.Result{}, nebula.ErrNoGrant
		}
		if !in.Forget {
			return nebula.Result{Text: "remembered", Summary: said(v.Lang, "remembered")}, t.notes.Remember(ctx, note, in.Everywhere)
		}
		ok, err := t.notes.Forget(ctx, note)
		if err == nil && !ok {
			err = mistake("There is no such note.", "Give its text exactly.")
		}
		return nebula.Result{Text: "forgotten", Summary: said(v.Lang, "forgotten")}, err
	}
	return p, nil
}
