package nebula

import (
	"encoding/json"
	"strings"
	"time"
)

// A Stage is how a plan, a step or a task stands (Duckflow v4 §5).
type Stage string

// The stages. A plan is draft, approved, in_progress, completed or failed; steps and tasks are the others.
const (
	Draft        Stage = "draft"
	Approved     Stage = "approved"
	Pending      Stage = "pending"
	InProgress   Stage = "in_progress"
	Completed    Stage = "completed"
	StageFailed  Stage = "failed"
	StageSkipped Stage = "skipped"
)

// A Plan is a way to a goal that outlives sessions: steps that depend on one another.
type Plan struct {
	ID       string     `json:"plan_id"`
	Name     string     `json:"name"`
	Goal     string     `json:"goal"`
	Status   Stage      `json:"status"`
	Steps    []PlanStep `json:"steps"`
	Approved Decider    `json:"approved_by,omitempty"` // who let it run
	With     Conduct    `json:"with,omitzero"`         // what its steps run with, as it was when somebody let it run
	Why      Code       `json:"why,omitempty"`         // why it does not go on
	Notes    []string   `json:"notes,omitempty"`       // what the person said while it ran
	Usage    Usage      `json:"usage,omitzero"`        // of all its steps
	// Before is what the tests said before anything of the plan was done; nil where they did not run.
	Before  *TestReport `json:"tests_before,omitempty"`
	Since   time.Time   `json:"runs_since,omitzero"` // when the run began that is under way, or was when nebula was killed
	Version int64       `json:"version"`             // counts changes
	Made    time.Time   `json:"made_at,omitzero"`
	Changed time.Time   `json:"changed_at,omitzero"`
}

// A Conduct is what the steps of a plan run with. What the conversation turns to afterwards changes nothing of it but its
// mode and its policy: there the person's last word holds at once.
type Conduct struct {
	Model    string `json:"model,omitempty"`
	Protocol string `json:"protocol,omitempty"`
	Mode     Mode   `json:"mode,omitempty"`
	Approve  string `json:"approve,omitempty"`
	Parallel int    `json:"parallel,omitempty"` // steps side by side, 1 when 0
	// Always are the commands, by their proposals' keys, that the person had allowed always when the plan was let run. It is
	// the record of it: like every always they hold until nebula ends.
	Always []string `json:"always,omitempty"`
	Turn   Bound    `json:"turn,omitzero"` // of a task
	Step   Bound    `json:"step,omitzero"` // each time that it begins
	Plan   Bound    `json:"plan,omitzero"`
}

// A Bound is what something may cost; zero fields are no bound.
type Bound struct {
	Requests int           `json:"requests,omitempty"` // of a turn
	Actions  int           `json:"actions,omitempty"`  // of a reply
	Tokens   int           `json:"tokens,omitempty"`   // input and output together
	Cost     float64       `json:"cost_usd,omitempty"`
	Time     time.Duration `json:"time_ns,omitempty"` // of work, without what waits for the person
}

// A PlanStep is a part of a plan that can be checked by itself.
type PlanStep struct {
	ID          string    `json:"step_id"`
	Name        string    `json:"name"`
	Description string    `json:"description"`
	Status      Stage     `json:"status"`
	DependsOn   []string  `json:"depends_on"`
	Tasks       []Task    `json:"task_list"`
	Files       []string  `json:"files,omitempty"` // that it will change, as declared
	Verify      Verify    `json:"verify,omitzero"`
	Evidence    *Evidence `json:"evidence,omitempty"` // of its verification
	Report      *Report   `json:"report,omitempty"`
	Told        bool      `json:"told,omitempty"`    // the report is in a conversation
	Session     string    `json:"session,omitempty"` // the conversation in which it is carried out
	Tree        string    `json:"tree,omitempty"`    // the copy of the folder in which it is carried out; empty for the folder itself
	Joined      string    `json:"joined,omitempty"`  // the session in which what it did in its copy came into the folder
	Began       time.Time `json:"began_at,omitzero"`
	Ended       time.Time `json:"ended_at,omitzero"`
}

// Changing is the session in which a step changed the folder; empty while it has not.
//
//go:noinline
func (s PlanStep) Changing() string {
	if s.Tree != "" || s.Joined != "" {
		return s.Joined
	}
	return s.Session
}

// A Task is one concrete call of a tool. One that was given is carried out as it stands; one of the step's agent is the
// agent's to make, whether it was proposed beforehand or came up in the work.
type Task struct {
	ID        string          `json:"task_id"`
	Operation string          `json:"operation"` // a tool's name
	Args      json.RawMessage `json:"args,omitempty"`
	Reason    string          `json:"reason,omitempty"`
	By        string          `json:"by,omitempty"` // agent; empty for one that was given
	Status    Stage           `json:"status"`
	Result    *TaskResult     `json:"result,omitempty"`
}

// ByAgent marks a task that is the step's agent's to make.
const ByAgent = "agent"

// A TaskResult is how a task ended.
type TaskResult struct {
	Action  string   `json:"action,omitempty"` // its id in the step's session
	Status  Status   `json:"status"`
	Summary string   `json:"summary,omitempty"`
	Error   string   `json:"error,omitempty"`
	Changed []string `json:"changed,omitempty"`
}

// Verify says how a step is shown to be done: by the project's tests, a command that must succeed, or both. What only a
// person can see is no program's to check: the step ends, and says so. The zero Verify means tests where there are any.
type Verify struct {
	Tests   bool   `json:"tests,omitempty"`
	Command string `json:"command,omitempty"`
	Person  string `json:"person,omitempty"` // what to look at
}

// UnmarshalJSON also takes a text: the word tests, a command after a dollar sign or in backquotes, or what a person
// should look at.
func (v *Verify) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) != nil {
		type plain Verify
		return json.Unmarshal(data, (*plain)(v))
	}
	*v = ReadVerify(text)
	return nil
}

// ReadVerify reads a verification as people and models write it.
func ReadVerify(text string) Verify {
	text = strings.TrimSpace(text)
	command, isCommand := strings.CutPrefix(text, "$ ")
	switch word := strings.ToLower(strings.TrimRight(text, ".。")); {
	case text == "":
		return Verify{}
	case word == "tests" || word == "test" || word == "run tests" || word == "run the tests" || word == "テスト":
		return Verify{Tests: true}
	case isCommand:
		return Verify{Command: command}
	case len(text) > 2 && text[0] == '`' && text[len(text)-1] == '`':
		return Verify{Command: text[1 : len(text)-1]}
	}
	return Verify{Person: text}
}

// String is the form that ReadVerify reads.
func (v Verify) String() string {
	switch {
	case v.Tests:
		return "tests"
	case v.Command != "":
		return "$ " + v.Command
	}
	return v.Person
}

// Unchecked is the How of a step that no program could check.
const Unchecked = "unchecked"

// Evidence is what showed that a step is done.
type Evidence struct {
	How    string    `json:"how"` // tests, command, or unchecked: then Detail says what nobody has looked at
	Detail string    `json:"detail"`
	By     string    `json:"by"`
	At     time.Time `json:"at"`
}

// A Report is what the task loop says of a step that ended (Duckflow v4 §6.4). The counts are the program's. What is said of it is
// put together where it is shown, from the agent's own words and the facts.
type Report struct {
	Status    Stage    `json:"status"`
	Succeeded int      `json:"succeeded"`
	Failed    int      `json:"failed"`
	Cause     Code     `json:"cause,omitempty"`
	Next      []string `json:"next_actions,omitempty"`
	Said      string   `json:"said,omitempty"`    // its agent's last words
	Facts     []Code   `json:"facts,omitempty"`   // what the record knows beside them, each a line
	Summary   string   `json:"summary,omitempty"` // what reports from before facts have in their place: sentences
}

// A PlanInfo is one line of the list of plans.
type PlanInfo struct {
	ID      string    `json:"plan_id"`
	Name    string    `json:"name"`
	Status  Stage     `json:"status"`
	Steps   int       `json:"steps"`
	Done    int       `json:"done"` // steps completed or skipped
	Changed time.Time `json:"changed_at"`
}

// A Direction is what a person can do with work in the background.
type Direction string

// The directions.
const (
	RunPlan     Direction = "run" // approves a draft, and goes on with one that stopped
	ApprovePlan Direction = "approve"
	PausePlan   Direction = "pause"  // begins nothing new; what is under way goes on to its end
	CancelPlan  Direction = "cancel" // ends what is under way, too
	SteerPlan   Direction = "steer"  // Text is told to the steps that come
	SkipStep    Direction = "skip"
	RetryStep   Direction = "retry"
)
