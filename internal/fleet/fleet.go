// Package fleet is what plans that outgrow one machine are made of, whatever engine drives them: the order that hands a plan
// over, what is known of it while it runs, and the hands that carry its steps out, each in a checkout of its own. It holds
// ids and decisions; contents stay in the record and in git.
package fleet

import (
	"context"

	"nebula"
)

// Format is of what travels between those who hand over, workers and workflows. Workers of another one do not see each
// other's work.
const Format = 2

// An Order hands one plan over.
type Order struct {
	Run     string  `json:"run"`     // names this time that the plan is carried out
	Plan    string  `json:"plan"`    // its id in the record
	Agreed  string  `json:"agreed"`  // names what its steps were to do when it was handed over: an approval is of nothing else
	Project string  `json:"project"` // that it belongs to there
	Name    string  `json:"name,omitempty"`
	Queue   string  `json:"queue"`
	Source  string  `json:"source"`           // the repository: a folder or an address
	Commit  string  `json:"commit,omitempty"` // to begin with; the newest of the source when empty
	By      string  `json:"by,omitempty"`     // the person who handed it over
	Model   string  `json:"model,omitempty"`  // the worker's own when empty
	Approve string  `json:"approve,omitempty"`
	AtOnce  int     `json:"at_once"` // steps
	Tries   int     `json:"tries"`   // of a step that fails
	Linger  int     `json:"linger"`  // seconds that a plan of which a step failed waits for what a person says
	Push    bool    `json:"push,omitempty"`
	Tokens  int     `json:"tokens,omitempty"` // of the whole plan; 0 for no bound
	Cost    float64 `json:"cost,omitempty"`
}

// Stages of a plan or a step under way. The record has those of [nebula.Stage]; these are what a person waits for.
const (
	Waits     = "waits"     // for a person
	Paused    = "paused"    // by a person or a budget
	Cancelled = "cancelled" // by a person
	Begins    = "begins"
)

// A Node is a step as the engine knows it.
type Node struct {
	ID        string   `json:"id"`
	DependsOn []string `json:"depends_on,omitempty"`
	Files     []string `json:"files,omitempty"`
	Status    string   `json:"status"`
}

// Begun is what a plan begins with.
type Begun struct {
	Commit   string `json:"commit"`
	Approved string `json:"approved,omitempty"` // who approved it
	Steps    []Node `json:"steps"`
}

// A Job is one time that a step is carried out, in a checkout of Base.
type Job struct {
	Order   Order    `json:"order"`
	Step    string   `json:"step"`
	Base    string   `json:"base"`
	Theirs  string   `json:"theirs,omitempty"` // a result that does not fit together with Base: making them fit is the work
	Time    int      `json:"time"`             // counts how often it was begun anew
	Answers []Given  `json:"answers,omitempty"`
	Notes   []string `json:"notes,omitempty"` // of the person's, since it was handed over
}

// An Ask is what a step waits for.
type Ask struct {
	Key  string `json:"key"`  // the exact proposal or question: an answer holds for nothing else
	Text string `json:"text"` // for the person
	Open bool   `json:"open"` // it takes words instead of yes or no
}

// A Given is a person's answer to an [Ask].
type Given struct {
	Key    string `json:"key"`
	Answer string `json:"answer"` // yes, no, or words
	By     string `json:"by"`
}

// Done is what a job came to.
type Done struct {
	Status  string       `json:"status"` // completed, failed or waits
	Commit  string       `json:"commit,omitempty"`
	Why     string       `json:"why,omitempty"`
	Ask     *Ask         `json:"ask,omitempty"`
	Place   string       `json:"place,omitempty"`   // where the record keeps how it went
	Session string       `json:"session,omitempty"` // in which it was done
	Host    string       `json:"host,omitempty"`
	Usage   nebula.Usage `json:"usage,omitzero"`
}

// A Merge brings a result to what came before it.
type Merge struct {
	Order  Order  `json:"order"`
	Step   string `json:"step"`
	Head   string `json:"head"`
	Commit string `json:"commit"`
}

// Merged is what that came to: a commit, or files that do not fit together.
type Merged struct {
	Commit    string   `json:"commit,omitempty"`
	Conflicts []string `json:"conflicts,omitempty"`
}

// A Note tells the record how a step stands.
type Note struct {
	Order  Order        `json:"order"`
	Step   string       `json:"step,omitempty"` // empty for the plan as a whole
	Status string       `json:"status"`
	Why    string       `json:"why,omitempty"`
	Place  string       `json:"place,omitempty"`
	By     string       `json:"by,omitempty"` // who approved it
	Notes  []string     `json:"notes,omitempty"`
	Usage  nebula.Usage `json:"usage,omitzero"`
}

// A Publication puts the result where a person finds it.
type Publication struct {
	Order Order  `json:"order"`
	Base  string `json:"base"`
	Head  string `json:"head"`
}

// Published is the branch that holds the result.
type Published struct {
	Branch string `json:"branch"`
	Stat   string `json:"stat"` // of the difference, in a line
}

// StepState is how a step stands.
type StepState struct {
	Node
	Commit string `json:"commit,omitempty"` // that it came to
	Why    string `json:"why,omitempty"`
	Ask    *Ask   `json:"ask,omitempty"`
	Host   string `json:"host,omitempty"`
	Begun  int    `json:"begun,omitempty"` // how often
	Merges bool   `json:"merges,omitempty"`
}

// A State is how a plan stands.
type State struct {
	ID     string       `json:"id"`
	Order  Order        `json:"order"`
	Status string       `json:"status"`
	Why    string       `json:"why,omitempty"`
	Base   string       `json:"base,omitempty"`
	Head   string       `json:"head,omitempty"`
	Steps  []StepState  `json:"steps,omitempty"`
	Usage  nebula.Usage `json:"usage,omitzero"`
	Branch string       `json:"branch,omitempty"`
	Stat   string       `json:"stat,omitempty"`

	Approved string `json:"approved,omitempty"` // who approved it
}

// A Word is what a person says to a plan under way.
type Word struct {
	Do   string  `json:"do"`             // a [Words]
	Step string  `json:"step,omitempty"` // that it is about
	Key  string  `json:"key,omitempty"`  // the [Ask] that it answers, or what is approved
	Text string  `json:"text,omitempty"`
	Cost float64 `json:"cost,omitempty"`
	By   string  `json:"by"`
}

// Words are what can be said, each with whether it is about a step.
var Words = map[string]bool{"approve": false, "pause": false, "resume": false, "cancel": false, "steer": false, "budget": false, "answer": true, "skip": true, "retry": true}

// Many is one request over repositories.
type Many struct {
	Run    string  `json:"run"`
	Name   string  `json:"name,omitempty"`
	Queue  string  `json:"queue"`
	Orders []Order `json:"orders"`
	AtOnce int     `json:"at_once"`         // repositories
	Try    bool    `json:"try,omitempty"`   // the first alone, and the others once a person says so
	Cost   float64 `json:"cost,omitempty"`  // of the whole; 0 for no bound
	Given  bool    `json:"given,omitempty"` // a person said that all may go on
	Done   []State `json:"done,omitempty"`  // those that ended
}

// ManyState is how it stands.
type ManyState struct {
	ID     string       `json:"id"`
	Name   string       `json:"name,omitempty"`
	Status string       `json:"status"`
	Why    string       `json:"why,omitempty"`
	Plans  []State      `json:"plans"` // without their steps
	Usage  nebula.Usage `json:"usage,omitzero"`
}

// An Info is a line of a list.
type Info struct {
	ID     string `json:"id"`
	Many   bool   `json:"many,omitempty"`
	Status string `json:"status"`
	Began  int64  `json:"began"` // in nanoseconds since 1970
}

// A Shift is what a worker works with.
type Shift struct {
	Queue string
	Slots int
	Rate  float64 // steps a second that all workers of the queue begin together; 0 for no bound
	Hands *Hands
	Ready func() // is called once it takes work; may be nil

	// Listen is the address at which operators are told how it works, with Listens called once that is so; empty for none.
	Listen  string
	Listens func(at string)
}

// An Engine drives plans. It keeps what it was told, whatever happens to this process.
type Engine interface {
	// Work carries out what the queue holds, until the context ends; then it lets go of what is under way.
	Work(ctx context.Context, s Shift) error
	Start(ctx context.Context, o Order) (id string, err error)
	StartMany(ctx context.Context, m Many) (id string, err error)
	Say(ctx context.Context, id string, w Word) error
	State(ctx context.Context, id string) (State, error)
	StateMany(ctx context.Context, id string) (ManyState, error)
	List(ctx context.Context) ([]Info, error)
	// Carrier is what carries a plan out just now, if anything does; what was begun in this moment may not be seen yet.
	Carrier(ctx context.Context, plan, project string) (id string, err error)
	// Workers is how many take work from a queue.
	Workers(ctx context.Context, queue string) (int, error)
	Close()
}

// A Refused is why something cannot be done, however often it is tried: a code that the plan's catalogue says.
type Refused nebula.Code

// Error is the code.
func (r Refused) Error() string { return string(r) }

// A Silent is why nobody says how something stands that may well be under way: asked again later, it may be said.
type Silent struct {
	ID    string
	Queue string // from which no worker takes work; empty where something else is silent
	Err   error
}

// Error is the sentence in English.
func (s Silent) Error() string { return s.Words().String() }

// Words implements [nebula.Speaker].
func (s Silent) Words() nebula.Words {
	if s.Queue != "" {
		return nebula.Say("%s is under way, but no worker of this version takes work from its queue; start one with nebula worker --queue %s", s.ID, s.Queue)
	}
	return nebula.Say("nobody says just now how %s stands (%w)", s.ID, s.Err)
}

// refused is one with arguments.
//
//go:noinline
func refused(id string, args ...string) error { return Refused(nebula.NewCode(id, args...)) }

// ManyPrefix begins the ids of requests over several repositories.
const ManyPrefix = "fleet_"
