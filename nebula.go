// Package nebula is the vocabulary of a coding agent.
//
// A model writes a [Reply]. A [Protocol] decodes it into an [Intent]: thoughts, vitals, a decision, questions and a
// list of [Action]s. A [Tool] turns an Action into a [Proposal] (what it would touch, with a diff) without touching
// anything. Policy turns a Proposal into a [Verdict]; a Verdict, or the person's answer at the gate, becomes a [Grant];
// the Proposal is carried out with that Grant and gives a [Result]. Everything that happens is an [Event]; a session's
// state is the fold of its events; a front end sends [Command]s and is a cursor over the events.
//
// The package holds values and the interfaces that parts meet at. It does no I/O and imports the standard library only.
package nebula

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Effect says what an action may do to the world. The zero Effect is unknown, which no mode allows.
type Effect string

// The effects, from the harmless to the farthest reaching.
const (
	Read    Effect = "read"    // looks at the folder
	Ask     Effect = "ask"     // asks the person
	Update  Effect = "state"   // changes the session's own state
	Arrange Effect = "plan"    // changes a plan
	Write   Effect = "write"   // changes files in the folder
	Execute Effect = "execute" // runs a command
	Memory  Effect = "memory"  // changes what later sessions are told
)

// Changes reports whether the effect reaches beyond nebula's own record. Unknown effects do.
//
//go:noinline
func (e Effect) Changes() bool {
	switch e {
	case Read, Ask, Update, Arrange:
		return false
	}
	return true
}

// Mode is what the person allows the session to do at all.
type Mode string

// PlanMode changes nothing; AgentMode changes what is granted.
const (
	PlanMode  Mode = "plan"
	AgentMode Mode = "agent"
)

// Span is where in a reply something stood: bytes [Start, End) of the text, and the 1-based line of Start.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
	Line  int `json:"line"`
}

// An Action is one thing the model wants done. Every Action that is decoded gets exactly one [Result].
type Action struct {
	ID         string          `json:"id"`                   // unique in the session; the agent sets it
	Call       string          `json:"call,omitempty"`       // the provider's id of a native call
	Tool       string          `json:"tool"`                 // the tool's first name, or the word as written when no tool answers to it
	Args       json.RawMessage `json:"args"`                 // a JSON object
	Reason     string          `json:"reason,omitempty"`     // why, in the model's words
	DependsOn  []string        `json:"depends_on,omitempty"` // targets or ids of actions that must be done first
	Confidence float64         `json:"confidence,omitempty"` // 0..1; how sure the decoder is of having read it right
	Inferred   bool            `json:"inferred,omitempty"`   // guessed from the reply: always asks, whatever the policy
	Repairs    []string        `json:"repairs,omitempty"`    // what its reading needed, by the repairs' stable names
	Ignored    []string        `json:"ignored,omitempty"`    // arguments that its tool does not have, and that it was read without; none of a tool that changes something
	Against    string          `json:"against,omitempty"`    // the reply's own words against doing it, where nothing else makes it a guess
	Waits      bool            `json:"waits,omitempty"`      // those words wait for leave: to say them again is to wait again
	Problem    string          `json:"problem,omitempty"`    // what is wrong with it; such an action never runs, the text is its result
	Points     *Points         `json:"points,omitempty"`     // what the model said about impact and alternatives
	Src        Span            `json:"src,omitzero"`         // where the reply says it
	amiss      Words           // the Problem apart from what goes into it
}

// Fail says what is wrong with an action, in words that can be said in another language.
//
//go:noinline
func (a *Action) Fail(why Words) { a.Problem, a.amiss = why.String(), why }

// Amiss is what is wrong with an action: in such words, or as they were recorded.
func (a *Action) Amiss() Words {
	if a.amiss.String() == a.Problem {
		return a.amiss
	}
	return Words{Format: a.Problem}
}

// Points are what a person needs to decide at the gate. Intent, Rationale and Alternatives come from the model, in its own
// words, Impact is computed by the program; so are Alternatives where the model gives none.
type Points struct {
	Intent       string `json:"intent,omitempty"`
	Rationale    string `json:"rationale,omitempty"`
	Impact       []Code `json:"impact,omitempty"`
	Alternatives []Code `json:"alternatives,omitempty"`
	Doubts       []Code `json:"doubts,omitempty"` // the model's own, whether it is what was wanted
}

// Vitals are the model's own report of its condition, each 0..1; nil where it gave none.
type Vitals struct {
	Confidence *float64 `json:"confidence,omitempty"`
	Mood       *float64 `json:"mood,omitempty"`
	Focus      *float64 `json:"focus,omitempty"`
	Stamina    *float64 `json:"stamina,omitempty"`
}

// A Decision is the model's account of where it stands (Duckflow v3 §7.1). Empty fields were not given.
type Decision struct {
	Rationale       string `json:"rationale,omitempty"`
	GoalConsistency string `json:"goal_consistency,omitempty"`
	ConstraintCheck string `json:"constraint_check,omitempty"`
	NextStep        string `json:"next_step,omitempty"` // done, pending_user, defer, continue
	Step            string `json:"step,omitempty"`      // PLANNING, EXECUTION, REVIEW, AWAITING_APPROVAL
	PromptPattern   string `json:"prompt_pattern,omitempty"`
	StateDelta      *Delta `json:"state_delta,omitempty"`
}

// Doubts are what the model's own checks say against what it does.
func (d *Decision) Doubts() (why []Code) {
	if d != nil && Negative(d.GoalConsistency) {
		why = append(why, "doubts_goal")
	}
	if d != nil && Negative(d.ConstraintCheck) {
		why = append(why, "doubts_constraint")
	}
	return why
}

// Negative reports whether a check that begins with yes or no begins with no: the word alone, or with its reason after
// a mark. "no violations" is none, nor is a reason that nothing is violated.
func Negative(check string) bool {
	check = strings.ToLower(strings.TrimSpace(check))
	for _, no := range []string{"no", "いいえ", "false", "否"} {
		rest, ok := strings.CutPrefix(check, no)
		if ok && (strings.TrimSpace(rest) == "" || strings.ContainsRune(":,.;(（：、。—–-", []rune(strings.TrimLeft(rest, " "))[0])) {
			rest = strings.Trim(rest, " :,.;(（：、。—–-)）")
			return !slices.Contains([]string{"no", "none", "nothing"}, rest) && !slices.ContainsFunc(unviolated, func(words string) bool {
				return strings.HasPrefix(rest, words) || words[3] == ' ' && strings.Contains(rest, words)
			})
		}
	}
	return false
}

// unviolated are what a check that begins with no goes on with where nothing is violated; those of what it does not do may stand later.
var unviolated = []string{"not violate", "n't violate", "not break", "n't break", "not conflict", "n't conflict", "not contradict", "no violation", "no conflict", "no rule forbids", "no rule is", "no constraint is", "no constraints", "nothing is violated", "nothing is broken", "nothing forbids", "none is", "none are", "none broken", "none violated"}

// A Delta is a change to the five fixed items and the fields beside them; nil leaves a field as it is.
type Delta struct {
	Goal          *string   `json:"goal,omitempty"`
	WhyNow        *string   `json:"why_now,omitempty"`
	Constraints   *[]string `json:"constraints,omitempty"`
	PlanBrief     *[]string `json:"plan_brief,omitempty"`
	OpenQuestions *[]string `json:"open_questions,omitempty"`
	ContextRefs   *[]string `json:"context_refs,omitempty"`
	Decided       []string  `json:"decided,omitempty"` // added to the decision log
	Note          string    `json:"note,omitempty"`    // a delta given as free text
}

// A Question is something only the person can answer.
type Question struct {
	Text    string   `json:"text"`
	Options []string `json:"options,omitempty"`
	// Optional says that it can be left unanswered: what it is asked for goes on without.
	Optional bool `json:"optional,omitempty"`
}

// Lines are a question and below it its options, numbered.
func (q Question) Lines() string {
	lines := []string{q.Text}
	for i, o := range q.Options {
		lines = append(lines, fmt.Sprintf("%d. %s", i+1, o))
	}
	return strings.Join(lines, "\n")
}

// A Repair is a fix that a decoder made, by its stable name and the 1-based line it was made at.
type Repair struct {
	Name string `json:"name"`
	Line int    `json:"line"`
}

// A Problem is something in a reply that could not be read, with a hint that helps the model write it right.
type Problem struct {
	Line int    `json:"line"`
	Text string `json:"text"`
	Hint string `json:"hint,omitempty"`
}

// Strategy is how far a decoder had to go.
type Strategy string

// The strategies, from the best.
const (
	Strict    Strategy = "strict"    // read as written
	Repaired  Strategy = "repaired"  // read after named repairs
	Inferred  Strategy = "inferred"  // at least one action was guessed
	Corrected Strategy = "corrected" // the model was asked to write it again
	Extracted Strategy = "extracted" // only bare blocks could be taken out
)

// An Intent is what a reply means. Decoding never fails: what was read, what was fixed and what could not be read
// stand side by side. Actions are in the order in which they are to be done.
type Intent struct {
	Say        string     `json:"say,omitempty"` // text for the person
	Thoughts   []string   `json:"thoughts,omitempty"`
	Vitals     Vitals     `json:"vitals,omitzero"`
	Decision   *Decision  `json:"decision,omitempty"`
	Questions  []Question `json:"questions,omitempty"`
	Errors     []string   `json:"errors,omitempty"` // errors the model reports
	Actions    []Action   `json:"actions,omitempty"`
	Repairs    []Repair   `json:"repairs,omitempty"`
	Problems   []Problem  `json:"problems,omitempty"`
	Strategy   Strategy   `json:"strategy,omitempty"`
	Confidence float64    `json:"confidence,omitempty"`
	Dialect    string     `json:"dialect,omitempty"` // the protocol it was really written in, when not the one taught
}

// Unread reports whether nothing of a reply could be acted on: there are problems, and every action has one.
//
//go:noinline
func (in Intent) Unread() bool {
	for _, a := range in.Actions {
		if a.Problem == "" {
			return false
		}
	}
	return len(in.Problems)+len(in.Actions) > 0
}
