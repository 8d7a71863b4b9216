package plan

import (
	"cmp"
	"embed"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

//go:embed text
var texts embed.FS

func text(lang, name string) string {
	for _, lang := range []string{lang, phrase.Langs()[0]} {
		if b, err := texts.ReadFile("text/" + lang + "/" + name + ".md"); err == nil {
			return string(b)
		}
	}
	return ""
}

// A Context is what the model is told beside the goal.
type Context struct {
	Lang  string
	Talk  string            // the conversation in short
	Facts string            // of the project
	Tools []nebula.ToolSpec // that tasks may use
}

// Planning asks for the steps to a goal (Duckflow v4 §6.2).
func Planning(goal string, c Context) nebula.Prompt {
	var b strings.Builder
	section(&b, phrase.In(c.Lang, "Goal"), goal)
	section(&b, phrase.In(c.Lang, "The conversation so far"), c.Talk)
	section(&b, phrase.In(c.Lang, "The project"), c.Facts)
	return ask(text(c.Lang, "plan"), b.String())
}

// Tasks asks for the tasks of a step (Duckflow v4 §6.3): what is to be called on what, and why. What a call holds is for
// the step's agent to say, which sees the project.
func Tasks(p nebula.Plan, s nebula.PlanStep, c Context) nebula.Prompt {
	var b strings.Builder
	b.WriteString(about(p, s, c))
	section(&b, phrase.In(c.Lang, "The project"), c.Facts)
	section(&b, phrase.In(c.Lang, "Tools"), offer(c.Tools))
	return ask(text(c.Lang, "tasks"), b.String())
}

// Brief is what a step's agent is told when it begins: the step and how it will be checked, what it is for, the plan
// around it, what the others changed, and what was said.
func Brief(p nebula.Plan, s nebula.PlanStep, c Context) string {
	var b strings.Builder
	b.WriteString(about(p, s, c))
	section(&b, phrase.In(c.Lang, "The plan"), outline(p, s.ID))
	section(&b, phrase.In(c.Lang, "Files that other steps changed"), elsewhere(p, s.ID))
	section(&b, phrase.In(c.Lang, "Tasks proposed for it"), proposed(s))
	b.WriteString(text(c.Lang, "step"))
	return b.String()
}

// Further is what a step's agent is told later: what has come to be known, and what the step still lacks.
func Further(s nebula.PlanStep, talk, said, lacks, lang string) string {
	var b strings.Builder
	section(&b, phrase.In(lang, "The step"), s.ID+" "+s.Name)
	section(&b, phrase.In(lang, "The conversation so far"), talk)
	section(&b, phrase.In(lang, "What the person said meanwhile"), said)
	section(&b, phrase.In(lang, "What it still lacks"), shortened(lacks, mostLacking))
	b.WriteString(phrase.In(lang, "Go on with it until it is done."))
	return b.String()
}

// mostLacking bounds what is repeated of a check that failed, in characters.
const mostLacking = 4000

// about is a step with what it is for.
func about(p nebula.Plan, s nebula.PlanStep, c Context) string {
	var b strings.Builder
	section(&b, phrase.In(c.Lang, "The step"), s.ID+" "+s.Name+"\n"+s.Description)
	section(&b, phrase.In(c.Lang, "Goal of the whole plan"), p.Goal)
	section(&b, phrase.In(c.Lang, "Files that it is to create or change"), strings.Join(s.Files, "\n"))
	section(&b, phrase.In(c.Lang, "How it will be checked"), checked(p, s, c.Lang))
	section(&b, phrase.In(c.Lang, "The conversation so far"), c.Talk)
	section(&b, phrase.In(c.Lang, "Results of the steps before"), before(p, s, c.Lang))
	section(&b, phrase.In(c.Lang, "What the person said meanwhile"), strings.Join(p.Notes, "\n"))
	return b.String()
}

// checked is how a step will be checked, with the command of the tests and what failed of them before the plan, where that is known.
func checked(p nebula.Plan, s nebula.PlanStep, lang string) string {
	how, was := s.Verify.String(), p.Before
	if was == nil || was.Command == "" {
		return how
	}
	if s.Verify.Tests {
		how += ": " + was.Command
	}
	owed := Owed(p, s, was.Failing)
	old := lists.Drop(lists.Clone(was.Failing), func(name string) bool { return lists.Has(owed, name) })
	said := func(form string, names []string) string {
		if len(names) == 0 {
			return ""
		}
		return "\n" + fmt.Sprintf(phrase.In(lang, form), strings.Join(names[:min(len(names), failingTold)], ", "))
	}
	if !was.OK {
		how += said("Failed before this step, and is its to mend: %s", owed) + said("Failed before this step, and is not its to mend: %s", old)
	}
	return how
}

// Talk is a conversation in short without the goal that a plan has as its own.
func Talk(talk string, p nebula.Plan) string {
	var b strings.Builder
	for line := range strings.Lines(talk) {
		goal, is := strings.CutPrefix(strings.TrimSpace(line), "goal: ")
		if !is || !strings.HasPrefix(p.Goal, strings.TrimSuffix(goal, "…")) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// Bounds of what is told of the plan around a step.
const (
	stepsOutlined = 40
	filesTold     = 60
	failingTold   = 20
)

// outline is the plan as one line for each step.
func outline(p nebula.Plan, here string) string {
	var b strings.Builder
	for n, s := range p.Steps {
		if n == stepsOutlined {
			fmt.Fprintf(&b, "… +%d\n", len(p.Steps)-n)
			break
		}
		mark := ""
		if s.ID == here {
			mark = " ←"
		}
		fmt.Fprintf(&b, "%s %s %s%s\n", box(s), s.ID, shorter(s.Name, 80), mark)
	}
	return b.String()
}

// elsewhere are the files that other steps changed, with one line each: which of them changed it last.
func elsewhere(p nebula.Plan, here string) string {
	var files []string
	last := map[string]string{}
	for _, s := range p.Steps {
		if s.ID == here {
			continue
		}
		for _, t := range s.Tasks {
			if t.Result == nil {
				continue
			}
			for _, path := range t.Result.Changed {
				if last[path] == "" {
					files = append(files, path)
				}
				last[path] = fmt.Sprintf("%s: %s %s", path, s.ID, shorter(s.Name, 100))
			}
		}
	}
	var b strings.Builder
	for n, path := range files {
		if n == filesTold {
			fmt.Fprintf(&b, "… +%d\n", len(files)-n)
			break
		}
		b.WriteString(last[path] + "\n")
	}
	return b.String()
}

// proposed are the tasks of a step that wait for its agent.
func proposed(s nebula.PlanStep) string {
	var b strings.Builder
	for _, t := range s.Tasks {
		if t.By == nebula.ByAgent && t.Status == nebula.Pending {
			fmt.Fprintf(&b, "- %s %s %s\n", t.Operation, shorter(string(t.Args), 200), t.Reason)
		}
	}
	return b.String()
}

// Again asks for tasks once more, with what was wrong with those that came.
func Again(p nebula.Prompt, r nebula.Reply, wrong error, lang string) nebula.Prompt {
	p.Messages = append(p.Messages[:len(p.Messages):len(p.Messages)],
		nebula.Message{Role: nebula.Assistant, Parts: nebula.Text(r.Text())},
		nebula.Message{Role: nebula.User, Parts: nebula.Text(phrase.In(lang, "This cannot be used:\n") + phrase.Told(lang, phrase.Of(wrong)) +
			phrase.In(lang, "\nWrite the whole JSON object again."))})
	return p
}

//go:noinline
func ask(system, user string) nebula.Prompt {
	return nebula.Prompt{Hard: true, System: system, Messages: []nebula.Message{{Role: nebula.User, Parts: nebula.Text(user)}}}
}

func section(b *strings.Builder, name, body string) {
	if body = strings.TrimSpace(body); body != "" {
		fmt.Fprintf(b, "### %s\n%s\n\n", name, body)
	}
}

// offer writes the tools as a task names them.
func offer(tools []nebula.ToolSpec) string {
	var b strings.Builder
	for _, t := range tools {
		var params []string
		for _, p := range t.Params {
			name := p.Name
			if !p.Required {
				name += "?"
			}
			params = append(params, name+": "+p.Type)
		}
		fmt.Fprintf(&b, "%s {%s} %s\n", t.Name, strings.Join(params, ", "), t.Description)
	}
	return b.String()
}

// before tells what the steps came to that a step depends on.
func before(p nebula.Plan, s nebula.PlanStep, lang string) string {
	var b strings.Builder
	for _, d := range s.DependsOn {
		i, ok := Index(p, d)
		if !ok {
			continue
		}
		of := p.Steps[i]
		fmt.Fprintf(&b, "- %s %s: %s", of.ID, of.Name, of.Status)
		if of.Report != nil {
			fmt.Fprintf(&b, ". %s", shorter(Account(*of.Report, lang), 400))
		}
		if changed := Changed(of); len(changed) > 0 {
			fmt.Fprintf(&b, " (%s)", strings.Join(changed, ", "))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Changed are the files that a step's tasks changed.
//
//go:noinline
func Changed(s nebula.PlanStep) []string {
	var out []string
	seen := map[string]bool{}
	for _, t := range s.Tasks {
		if t.Result == nil {
			continue
		}
		for _, path := range t.Result.Changed {
			if !seen[path] {
				seen[path] = true
				out = append(out, path)
			}
		}
	}
	return out
}

// Log is the record of a step as a model reads it.
func Log(s nebula.PlanStep) string {
	var b strings.Builder
	for n, t := range s.Tasks {
		fmt.Fprintf(&b, "%d. %s %s (%s)", n+1, t.Operation, t.Status, shorter(t.Reason, 100))
		if r := t.Result; r != nil {
			fmt.Fprintf(&b, ": %s", shorter(cmp.Or(r.Error, r.Summary), 400))
		}
		b.WriteByte('\n')
	}
	if e := s.Evidence; e != nil {
		fmt.Fprintf(&b, "%s: %s\n", verified(*e), shorter(e.Detail, 400))
	}
	return b.String()
}

// verified says how a step was shown to work, or that nobody has looked.
func verified(e nebula.Evidence) string {
	if e.How == nebula.Unchecked {
		return "not checked"
	}
	return "verified by " + e.How
}

func shortened(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most/2]) + "\n…\n" + string(r[len(r)-most/2:])
	}
	return text
}
