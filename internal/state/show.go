package state

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// A Status is a session in figures and short lines: what it is doing, why, and what that costs.
type Status struct {
	Session  string      `json:"session"`
	Dir      string      `json:"dir"`
	Mode     nebula.Mode `json:"mode"`
	Model    string      `json:"model"`
	Protocol string      `json:"protocol"`
	Effort   string      `json:"effort,omitempty"` // how much the model thinks; empty as it does by itself
	Turn     int         `json:"turn"`
	Approve  string      `json:"approve,omitempty"`  // the policy in force
	Commands string      `json:"commands,omitempty"` // the layers that hold commands
	Unasked  string      `json:"-"`                  // what runs without being asked under it, in words

	Step       nebula.Step       `json:"step"`
	StepStatus nebula.StepStatus `json:"step_status"`
	Recoveries int               `json:"recoveries"`
	Items      Items             `json:"items"`
	Rules      []string          `json:"rules,omitempty"` // what the person said to hold always
	Checks     []string          `json:"checks,omitempty"`
	Moves      []nebula.Moved    `json:"moves,omitempty"` // the last ones, refused ones among them

	Vitals    nebula.Vitals      `json:"vitals,omitzero"`
	Unchecked []string           `json:"unchecked,omitempty"` // files changed since the last check that passed
	Tests     *nebula.TestReport `json:"tests,omitempty"`
	Approved  []string           `json:"approved,omitempty"` // for this session

	Steps []StepLine `json:"steps,omitempty"` // of the plan that was last worked on
	Undo  *UndoLine  `json:"undo,omitempty"`  // what an undo would take back

	Layers     []nebula.LayerCost `json:"layers,omitempty"` // of the last request
	Cuts       []string           `json:"cuts,omitempty"`
	Window     int                `json:"window,omitempty"`
	Limits     []Use              `json:"limits,omitempty"`       // of the turn
	Usage      nebula.Usage       `json:"usage"`                  // of the session
	Misses     []nebula.Missed    `json:"cache_missed,omitempty"` // what providers read anew, though they had it
	Compaction *nebula.Compacted  `json:"compaction,omitempty"`
}

// A StepLine is how a step of a plan stands, and the session in which it is carried out.
type StepLine struct {
	Plan    string       `json:"plan_id"`
	Step    string       `json:"step_id"`
	Name    string       `json:"name"`
	Status  nebula.Stage `json:"status"`
	Session string       `json:"session,omitempty"`
}

// An UndoLine is the turn that an undo takes back: how many files it changed, and what of them it cannot bring back.
type UndoLine struct {
	Turn  int      `json:"turn"`
	Files int      `json:"files"`
	Lost  []string `json:"not_undoable,omitempty"`
}

// background fills in what plans and undo have to tell.
func (s *State) background(st *Status) {
	for _, b := range s.Steps {
		st.Steps = append(st.Steps, StepLine{b.Plan, b.Step.ID, b.Step.Name, b.Step.Status, b.Step.Session})
	}
	if turn, ok := s.LastChanges(false, nil); ok {
		files := map[string]bool{}
		for _, c := range (nebula.Undone{Changes: turn.Changes}).Told() {
			if c.OfFile() {
				files[c.Path] = true
			}
		}
		st.Undo = &UndoLine{turn.Turn, len(files), lists.Clone(turn.Lost)}
		for _, b := range turn.Blind {
			st.Undo.Lost = append(st.Undo.Lost, b.What)
		}
	}
}

// A Use is how much of a limit a turn has used. Most is 0 where there is no limit.
type Use struct {
	Name string  `json:"name"` // steps, tokens, cost, time, repeats, retries
	Used float64 `json:"used"`
	Most float64 `json:"most"`
}

// Unbounded is a limit that is never reached, where 0 means the default.
const Unbounded = 1 << 30

// movesShown is how many of the last moves a status tells.
const movesShown = 8

// Status sums the session up. What belongs to a request or to settings is the agent's to add.
func (s *State) Status(lang string) Status {
	st := Status{
		Session: s.Session, Dir: s.Dir, Mode: s.Mode, Model: s.Model, Protocol: s.spoken(), Turn: s.Turn.Number,
		Step: s.Machine.Step, StepStatus: s.Machine.Status, Recoveries: s.Machine.Recovered,
		Items: s.Items, Rules: lists.Clone(s.Rules), Checks: s.Items.Check(s.Machine.Step, lang), Moves: lists.Clone(lastOf(s.Machine.History, movesShown)),
		Vitals: s.Vitals, Unchecked: lists.Clone(s.Evidence.Unchecked), Tests: s.Evidence.Tests,
		Layers: lists.Clone(s.Layers), Cuts: lists.Clone(s.Cuts), Usage: s.Usage, Misses: lists.Clone(s.Misses),
	}
	for key := range s.Approved {
		st.Approved = append(st.Approved, key)
	}
	slices.Sort(st.Approved)
	if s.Compact.Dropped+s.Compact.Elided > 0 {
		c := s.Compact
		st.Compaction = &c
	}
	s.background(&st)
	return st
}

func lastOf[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }

// A page is text in two columns, in one language.
type page struct {
	b    strings.Builder
	lang string
}

//go:noinline
func (p *page) word(en string) string { return phrase.In(p.lang, en) }

// row is a label and what stands beside it; further lines stand below.
func (p *page) row(en string, lines ...string) {
	lines = lists.Drop(lists.Clone(lines), func(l string) bool { return l == "" })
	if len(lines) == 0 {
		return
	}
	if len(lines) == 1 {
		fmt.Fprintf(&p.b, "%s: %s\n", p.word(en), lines[0])
		return
	}
	fmt.Fprintf(&p.b, "%s:\n  %s\n", p.word(en), strings.Join(lines, "\n  "))
}

func (p *page) steps(list []StepLine) {
	var lines []string
	for _, s := range list {
		lines = append(lines, strings.Trim(strings.Join([]string{s.Step, s.Name, string(s.Status), s.Session}, " · "), " ·"))
	}
	p.row("plan steps", lines...)
}

func (p *page) undo(u *UndoLine) {
	if u == nil {
		return
	}
	p.row("undo takes back", fmt.Sprintf(p.word("turn %d, files: %d"), u.Turn, u.Files))
	p.row("undo does not cover", lastOf(u.Lost, 10)...)
}

// Text is the status as a person reads it.
func (st Status) Text(lang string) string {
	p := &page{lang: lang}
	p.row("session", strings.Join([]string{st.Session, st.Dir}, " · "))
	p.row("runs", strings.Join([]string{string(st.Mode), st.Model, st.Protocol, fmt.Sprintf(p.word("turn %d"), st.Turn)}, " · "))
	p.row("effort", st.Effort)
	p.row("approval", strings.Trim(strings.Join([]string{st.Approve, st.Unasked}, " · "), " ·"))
	p.row("commands", st.Commands)
	p.context(st)
	p.costs(st)
	p.row("step", fmt.Sprintf("%s · %s", st.Step, st.StepStatus))
	i := st.Items
	p.row("goal", i.Goal)
	p.row("goals before", i.Earlier...)
	p.row("why now", i.WhyNow)
	p.row("constraints", Own(i.Constraints, st.Rules)...)
	p.row("plan", i.PlanBrief...)
	p.row("open questions", i.OpenQuestions...)
	p.row("references", i.ContextRefs...)
	p.row("decided", i.DecisionLog...)
	p.row("last change", i.LastDelta)
	if i.PendingGate {
		p.row("gate", p.word("an approval is pending"))
	}
	p.row("your rules", st.Rules...)
	p.row("does not fit together", st.Checks...)
	p.row("moves", p.moves(st.Moves)...)
	p.steps(st.Steps)
	p.undo(st.Undo)
	p.row("vitals", p.vitals(st.Vitals))
	p.row("changed and not checked", st.Unchecked...)
	if t := st.Tests; t != nil {
		p.row("last tests", fmt.Sprintf(p.word("%s: %d passed, %d failed"), t.Command, max(0, t.Passed), max(0, t.Failed)))
	}
	p.row("allowed for this session", st.Approved...)
	return p.b.String()
}

func (p *page) moves(moves []nebula.Moved) []string {
	var lines []string
	for _, m := range moves {
		cause := Cause(m.Cause, p.lang)
		line := fmt.Sprintf("%s → %s · %s (%s)", m.From, m.To, m.Status, cause)
		switch {
		case m.Refused != "":
			line = fmt.Sprintf(p.word("%s → %s refused: %s"), m.From, m.To, phrase.Told(p.lang, m.Refused))
		case m.From == m.To:
			line = fmt.Sprintf("%s · %s (%s)", m.To, m.Status, cause)
		}
		lines = append(lines, line)
	}
	return lines
}

// cause is what made a move, in the page's language: causes are recorded in English.
func (p *page) vitals(v nebula.Vitals) string {
	var parts []string
	for _, f := range []struct {
		en    string
		value *float64
	}{{"confidence", v.Confidence}, {"mood", v.Mood}, {"focus", v.Focus}, {"stamina", v.Stamina}} {
		if f.value != nil {
			parts = append(parts, fmt.Sprintf("%s %.2f", p.word(f.en), *f.value))
		}
	}
	return strings.Join(parts, " · ")
}

// partNames are the words for the layers of a request; those of files are their paths.
var partNames = map[string]string{"base": "instructions", "main": "instructions", "protocol": "protocol", "tools": "tools", "skills": "skills", "situation": "situation", "conversation": "conversation"}

// context is what fills the model's window, as a bar and in tokens.
func (p *page) context(st Status) {
	total, parts, tokens := 0, []string{}, map[string]int{}
	for _, l := range st.Layers {
		name := p.word(cmp.Or(partNames[l.Name], l.Name))
		if l.Tokens > 0 && !lists.Has(parts, name) {
			parts = append(parts, name)
		}
		tokens[name] += l.Tokens
		total += l.Tokens
	}
	if total == 0 {
		return
	}
	for i, name := range parts {
		parts[i] = fmt.Sprintf("%s %d", name, tokens[name])
	}
	of := fmt.Sprintf(p.word("%d tokens"), total)
	if st.Window > 0 {
		of = fmt.Sprintf(p.word("%d of %d tokens"), total, st.Window)
	}
	p.row("context", of, bar(total, st.Window), strings.Join(parts, " · "))
	p.row("cut", strings.Join(st.Cuts, " → "))
	if c := st.Compaction; c != nil {
		p.row("shortened", fmt.Sprintf(p.word("%d messages stand as a summary, %d shortened; %d → %d tokens"),
			c.Dropped, max(0, c.Elided-c.Dropped), c.Before, c.After))
	}
}

// costs are what the conversation has cost, and the limits of its turn.
func (p *page) costs(st Status) {
	u := st.Usage
	p.row("used", fmt.Sprintf(p.word("%d in (%d cached), %d out, $%.4f"), u.Input, u.Cached, u.Output, u.Cost))
	var parts []string
	for _, u := range st.Limits {
		parts = append(parts, p.use(u))
	}
	p.row("limits", strings.Join(parts, " · "))
	p.row("cache", p.misses(st.Misses))
}

// misses are what providers read anew, with where the request had changed that was the last of them.
func (p *page) misses(list []nebula.Missed) string {
	if len(list) == 0 {
		return ""
	}
	tokens := 0
	for _, m := range list {
		tokens += m.Tokens
	}
	text := fmt.Sprintf(p.word("%d requests were read anew, %d tokens of them that the provider had"), len(list), tokens)
	m := list[len(list)-1]
	if m.Part == "" {
		return text + p.word("; the last began as the one before it: the provider forgot it")
	}
	return text + fmt.Sprintf(p.word("; the last changed from byte %d of its %s on: %q became %q"), m.At, m.Part, m.Was, m.Is)
}

// bar shows how much of the window the last request filled; empty where the window is not known.
func bar(used, window int) string {
	const cells = 40
	if window <= 0 {
		return ""
	}
	full := min(cells, (used*cells+window-1)/window)
	return strings.Repeat("█", full) + strings.Repeat("░", cells-full) + fmt.Sprintf(" %.1f %%", 100*float64(used)/float64(window))
}

func (p *page) use(u Use) string {
	names := map[string]string{"steps": "steps", "tokens": "tokens", "cost": "cost $",
		"time": "seconds", "repeats": "repeats", "retries": "retries"}
	n := names[u.Name]
	most := p.word("no limit")
	if u.Most > 0 && u.Most < Unbounded {
		most = fmt.Sprintf("%.4g", u.Most)
		if u.Most >= 1000 {
			most = fmt.Sprintf("%.0f", u.Most)
		}
	}
	used := fmt.Sprintf("%.0f", u.Used)
	if u.Name == "cost" {
		used = fmt.Sprintf("%.4f", u.Used)
	}
	return fmt.Sprintf("%s %s/%s", p.word(n), used, most)
}
