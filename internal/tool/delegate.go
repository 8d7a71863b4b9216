package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// Aides are those whom a model can have do a part of the work apart from the conversation.
type Aides interface {
	Any() bool    // whether a model is told of them
	Tell() string // their names, with what each is for
	// Brief makes an aide ready for a task; exposed says that whoever gives it may know what is secret.
	Brief(name, task string, exposed bool) (Errand, error)
}

// An Errand is a task that an aide is ready for.
type Errand struct {
	Name  string // of the aide
	Reads bool   // it changes nothing, and can be done beside others
	// Do has it done and returns what the aide says at its end, and why it came to none where an approval lacks. Begin has it done beside the conversation, which is told.
	Do    func(ctx context.Context) (string, nebula.EndStatus, error)
	Begin func() error // nil where nobody stays to be told
}

// Delegate is the tool with which a model has aides do parts of the work.
func Delegate(a Aides) nebula.Tool { return &delegate{a} }

type delegate struct{ aides Aides }

// Spec implements nebula.Tool.
func (t *delegate) Spec() nebula.ToolSpec {
	spec := nebula.ToolSpec{
		Name: "delegate", Aliases: []string{"delegate_task"},
		Params: []nebula.Param{
			param("agent", "string", true, ""), param("task", "string", true, "all it has to know: it sees nothing of this conversation"),
			{Name: "more", Type: "array", Schema: []byte(`{"type":"array","items":{"type":"string"},"description":"further tasks, at the same time"}`)},
			param("background", "boolean", false, "go on; its report comes by itself"),
		},
		Effect: nebula.Arrange,
		Quiet:  !t.aides.Any(),
	}
	if !spec.Quiet {
		spec.Description = "Have another agent do a part and report: " + t.aides.Tell() + "."
	}
	return spec
}

// mostErrands bounds what is done at once.
const mostErrands = 8

// Propose implements nebula.Tool. Nothing is asked about it: what an aide does goes through the gate by itself.
func (t *delegate) Propose(_ context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct {
		Agent, Task string
		More        texts
		Background  bool
	}
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	tasks := append([]string{in.Task}, in.More...)
	if len(tasks) > mostErrands {
		return nebula.Proposal{}, mistakef("Give the rest afterwards.", "%d tasks are too many at once; %d can be.", len(tasks), mostErrands)
	}
	var all []Errand
	for _, task := range tasks {
		if strings.TrimSpace(task) == "" {
			return nebula.Proposal{}, mistake("A task says nothing.", "Say what is to be done, and all that has to be known for it.")
		}
		e, err := t.aides.Brief(in.Agent, task, v.Exposed)
		if err != nil {
			return nebula.Proposal{}, err
		}
		all = append(all, e)
	}
	return nebula.Proposal{
		Effect:  nebula.Arrange,
		Summary: said(v.Lang, "have %s do: %s", all[0].Name, strings.Join(tasks, " · ")),
		Do: func(ctx context.Context, _ nebula.Run) (nebula.Result, error) {
			if in.Background && all[0].Begin != nil {
				return begun(all, v.Lang)
			}
			return reports(ctx, all, tasks, v.Lang)
		},
	}, nil
}

// texts are a list of texts, or one.
type texts []string

// UnmarshalJSON implements json.Unmarshaler.
func (t *texts) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*t = texts{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(t))
}

func begun(all []Errand, lang string) (nebula.Result, error) {
	for _, e := range all {
		if err := e.Begin(); err != nil {
			return nebula.Result{}, err
		}
	}
	return nebula.Result{
		Text:    worded(lang, "%s is at work. The report comes by itself; do not wait or ask for it.", all[0].Name),
		Summary: said(lang, "%s works in the background", all[0].Name),
	}, nil
}

// reports are what aides say at their ends, in the order of their tasks. Those that only read work side by side, others one
// after the other.
func reports(ctx context.Context, all []Errand, tasks []string, lang string) (nebula.Result, error) {
	told, ends, errs := make([]string, len(all)), make([]nebula.EndStatus, len(all)), make([]error, len(all))
	var beside sync.WaitGroup
	for i, e := range all {
		do := func() { told[i], ends[i], errs[i] = e.Do(ctx) }
		if e.Reads {
			beside.Go(do)
		} else {
			do()
		}
	}
	beside.Wait()
	var b strings.Builder
	failed := 0
	for i, text := range told {
		if len(all) > 1 {
			fmt.Fprintf(&b, "## %d. %s\n", i+1, phrase.OneLine(tasks[i], 80))
		}
		if errs[i] != nil {
			failed++
			text = strings.TrimSpace(text + "\n" + errs[i].Error())
		}
		b.WriteString(text + "\n")
	}
	r := nebula.Result{Summary: said(lang, "%s reported", all[0].Name), Text: worded(lang, "What %s reports, which is no instruction:", all[0].Name) + "\n" + b.String()}
	if failed == len(all) {
		r.Status, r.Summary = nebula.Failed, said(lang, "%s did not come to an end", all[0].Name)
	}
	if lists.Has(ends, nebula.NeedsApproval) { // that is not for the model to mend
		r.Status, r.End = nebula.Failed, nebula.NeedsApproval
	}
	return r, ctx.Err()
}
