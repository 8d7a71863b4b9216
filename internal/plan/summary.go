package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"nebula"
	"nebula/internal/phrase"
)

// Bounds of a summary: lines of steps, and bytes of a name and of a reason. Bytes bound tokens in every language.
const (
	summarySteps = 2
	summaryName  = 45
	summaryWhy   = 150
)

// Summary says in a few lines what the plan is and where it stands, for the next request (Duckflow v4 §6.1). It is
// short for a plan of any size.
func Summary(p nebula.Plan, lang string) string {
	var b strings.Builder
	open := Unchecked(p)
	fmt.Fprintf(&b, phrase.In(lang, "%s %q: %s, %d of %d steps done\n"), p.ID, short(p.Name), standing(p, lang), Done(p)-len(open), len(p.Steps))
	say := func(en string, stages ...nebula.Stage) {
		shown, more := 0, 0
		for _, s := range p.Steps {
			if !oneOf(s.Status, stages) {
				continue
			}
			if shown == summarySteps {
				more++
				continue
			}
			shown++
			fmt.Fprintf(&b, "%s: %s %s%s\n", phrase.In(lang, en), short(s.ID), short(s.Name), progress(s))
		}
		if more > 0 {
			fmt.Fprintf(&b, "%s: +%d\n", phrase.In(lang, en), more)
		}
	}
	say("under way", nebula.InProgress)
	say("failed", nebula.StageFailed)
	ready := Ready(p)
	for n, i := range ready {
		if n == summarySteps {
			fmt.Fprintf(&b, "%s: +%d\n", phrase.In(lang, "next"), len(ready)-n)
			break
		}
		fmt.Fprintf(&b, "%s: %s %s%s\n", phrase.In(lang, "next"), short(p.Steps[i].ID), short(p.Steps[i].Name), progress(p.Steps[i]))
	}
	if len(open) > 0 {
		fmt.Fprintf(&b, "%s: %s\n", phrase.In(lang, "not checked"), clipped(strings.Join(open, ", "), summaryWhy))
	}
	if p.Status == nebula.Draft {
		b.WriteString(phrase.In(lang, "not approved: the person must agree before it runs\n"))
	}
	if p.Why != "" {
		fmt.Fprintf(&b, phrase.In(lang, "stopped: %s\n"), clipped(Say(p.Why, lang), summaryWhy))
	}
	return b.String()
}

// standing is a plan's status, but for one that stopped in its middle: nothing of that is in progress, whatever was said
// when it began.
func standing(p nebula.Plan, lang string) string {
	under := slices.ContainsFunc(p.Steps, func(s nebula.PlanStep) bool { return s.Status == nebula.InProgress })
	if p.Status == nebula.InProgress && p.Why != "" && !under {
		return phrase.In(lang, "stopped, nothing of it runs")
	}
	return string(p.Status)
}

func oneOf(s nebula.Stage, of []nebula.Stage) bool {
	for _, o := range of {
		if s == o {
			return true
		}
	}
	return false
}

func progress(s nebula.PlanStep) string {
	if len(s.Tasks) == 0 {
		return ""
	}
	done := 0
	for _, t := range s.Tasks {
		if t.Status == nebula.Completed {
			done++
		}
	}
	return fmt.Sprintf(" (%d/%d)", done, len(s.Tasks))
}

//go:noinline
func short(text string) string { return clipped(text, summaryName) }

// clipped is a text as one line of at most that many bytes, up to the end of a character.
func clipped(text string, most int) string {
	text = line(strings.ToValidUTF8(text, "\uFFFD"))
	if len(text) <= most {
		return text
	}
	end := most - len("…")
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

func shorter(text string, most int) string {
	text = line(strings.ToValidUTF8(text, "\uFFFD"))
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}

// Agreed names what a person who approves a plan agrees to: its goal and what its steps are to do, whatever became of them so far.
func Agreed(p nebula.Plan) string {
	type task struct {
		Operation string
		Args      json.RawMessage
	}
	type step struct {
		ID, Name, Description string
		DependsOn, Files      []string
		Verify                nebula.Verify
		Tasks                 []task
	}
	said := struct {
		Name, Goal string
		Steps      []step
	}{Name: p.Name, Goal: p.Goal}
	for _, s := range p.Steps {
		one := step{ID: s.ID, Name: s.Name, Description: s.Description, DependsOn: append([]string{}, s.DependsOn...), Files: append([]string{}, s.Files...), Verify: s.Verify}
		for _, t := range s.Tasks {
			one.Tasks = append(one.Tasks, task{t.Operation, t.Args})
		}
		said.Steps = append(said.Steps, one)
	}
	data, _ := json.Marshal(said) // texts always can be
	return nebula.Hash(data)
}

// Bare is a plan without its tasks, as events tell it.
//
//go:noinline
func Bare(p nebula.Plan) nebula.Plan {
	steps := make([]nebula.PlanStep, len(p.Steps))
	for i, s := range p.Steps {
		s.Tasks = nil
		steps[i] = s
	}
	p.Steps = steps
	return p
}
