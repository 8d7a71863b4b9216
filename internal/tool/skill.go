package tool

import (
	"context"
	"strings"

	"nebula"
	"nebula/internal/phrase"
)

// Skills are instructions for kinds of work, by name.
type Skills interface {
	// Any reports whether there are some.
	Any() bool
	// Skill is what a model reads of one, and the tools it says it needs, nil where it says nothing of that.
	Skill(name, lang string) (text string, tools []string, err error)
	// Resource is a file of one.
	Resource(name, file string) (string, error)
}

// useSkill gives the instructions of a skill, or a file that they name.
type useSkill struct {
	skills Skills
	o      Options
}

// Spec implements nebula.Tool.
func (t *useSkill) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{
		Name: "useSkill", Aliases: []string{"use_skill"},
		Description: "Read a skill's instructions, or its file.",
		Params:      []nebula.Param{param("name", "string", true, ""), param("file", "string", false, "")},
		Effect:      nebula.Read,
		Quiet:       !t.skills.Any(),
	}
}

// Propose implements nebula.Tool.
func (t *useSkill) Propose(_ context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct{ Name, File string }
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	name := strings.TrimPrefix(strings.TrimSpace(in.Name), "/")
	text, tools, err := t.skills.Skill(name, v.Lang)
	summary := said(v.Lang, "take up the skill %s", name)
	if err == nil && in.File != "" {
		tools = nil
		text, err = t.skills.Resource(name, in.File)
		summary = said(v.Lang, "read %s of the skill %s", in.File, name)
	}
	if err != nil {
		return nebula.Proposal{}, err
	}
	if len(text) > t.o.Bytes {
		text = strings.ToValidUTF8(text[:t.o.Bytes], "") + "\n" + worded(v.Lang, "[%s left out here]", phrase.Bytes(int64(len(text)-t.o.Bytes)))
	}
	return nebula.Proposal{Effect: nebula.Read, Summary: summary, Do: func(context.Context, nebula.Run) (nebula.Result, error) {
		return nebula.Result{Text: text, Summary: summary, Narrows: tools}, nil
	}}, nil
}
