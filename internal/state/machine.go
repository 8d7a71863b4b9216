package state

import (
	"encoding/json"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// Steps of the work (Duckflow v3 §4.1), and Done, which ends it.
const (
	Planning  nebula.Step = "PLANNING"
	Execution nebula.Step = "EXECUTION"
	Review    nebula.Step = "REVIEW"
	Awaiting  nebula.Step = "AWAITING_APPROVAL"
	Done      nebula.Step = "DONE"
)

// Statuses of a step (Duckflow v3 §4.2).
const (
	InProgress nebula.StepStatus = "IN_PROGRESS"
	Success    nebula.StepStatus = "SUCCESS"
	Failure    nebula.StepStatus = "ERROR"
	NeedsInput nebula.StepStatus = "REQUIRES_USER_INPUT"
)

// Steps and Statuses list them all, in the documents' order.
var (
	Steps    = []nebula.Step{Planning, Execution, Review, Awaiting, Done}
	Statuses = []nebula.StepStatus{InProgress, Success, Failure, NeedsInput}
)

// A Table says which steps may follow a step. It is a setting; [DefaultTable] is the document's.
type Table map[nebula.Step][]nebula.Step

// DefaultTable is Duckflow v3 §6.2, with the way back from Done that a new request takes.
//
//go:noinline
func DefaultTable() Table {
	return Table{
		Planning:  {Execution, Review, Awaiting},
		Execution: {Review, Awaiting, Planning},
		Review:    {Execution, Awaiting, Done},
		Awaiting:  {Execution, Planning},
		Done:      {Planning},
	}
}

// ReadTable reads a table from JSON. A step that is left out keeps its default row; a table in which some step can
// never be left again, or from which Done or the work itself cannot be reached, is refused.
func ReadTable(data []byte) (Table, error) {
	var rows map[nebula.Step][]nebula.Step
	if err := json.Unmarshal(data, &rows); err != nil {
		return nil, nebula.Errorf("transitions: %w", err)
	}
	t := DefaultTable()
	for from, to := range rows {
		for _, step := range append([]nebula.Step{from}, to...) {
			if !lists.Has(Steps, step) {
				return nil, nebula.Errorf("transitions: no step %q; there are %s", step, join(Steps))
			}
		}
		t[from] = to
	}
	for _, from := range Steps {
		if from != Done && !t.reaches(from, Done) {
			return nil, nebula.Errorf("transitions: from %s there is no way to %s", from, Done)
		}
	}
	if !t.reaches(Planning, Execution) {
		return nil, nebula.Errorf("transitions: from %s there is no way to %s, so nothing could ever be changed", Planning, Execution)
	}
	if !t.Allows(Done, Planning) {
		return nil, nebula.Errorf("transitions: a new request needs %s → %s", Done, Planning)
	}
	return t, nil
}

// Allows reports whether the step to may follow from.
//
//go:noinline
func (t Table) Allows(from, to nebula.Step) bool { return lists.Has(t[from], to) }

//go:noinline
func (t Table) reaches(from, to nebula.Step) bool {
	seen := map[nebula.Step]bool{from: true}
	queue := []nebula.Step{from}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, next := range t[at] {
			if next == to {
				return true
			}
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return false
}

// A Machine is where the work stands. It is a value: moves are computed by its methods and happen when the events
// that record them are applied.
type Machine struct {
	Step      nebula.Step
	Status    nebula.StepStatus
	Spent     bool // this utterance has had the one transition that it may ask for
	Recovered int  // recoveries from errors since the last success or the person's last message
	History   []nebula.Moved
}

// historyKept bounds the history of moves.
const historyKept = 50

// Retries is the default bound on recoveries from errors.
const Retries = 5

// Start is where a session begins.
func Start() Machine { return Machine{Step: Planning, Status: InProgress} }

// Request is a wish to be in another step. What comes back is what would happen: a move, or a refusal that says which
// steps are legal; nil when the machine is there already.
func (m Machine) Request(t Table, to nebula.Step, cause nebula.Code) *nebula.Moved {
	to = nebula.Step(strings.ToUpper(strings.TrimSpace(string(to))))
	if to == m.Step || to == "" {
		return nil
	}
	move := &nebula.Moved{From: m.Step, To: to, Status: InProgress, Cause: cause}
	switch {
	case !lists.Has(Steps, to):
		move.Refused = phrase.Note("There is no step %q; there are %s.", to, join(Steps))
	case !t.Allows(m.Step, to):
		move.Refused = phrase.Note("%[1]s → %[2]s is not allowed; from %[1]s the next step can be %[3]s.", m.Step, to, join(t[m.Step]))
	case m.Spent && cause == ByModel:
		move.Refused = phrase.Note("One message moves one step at most, and this one did already; stay in %s for now.", m.Step)
	}
	if to == Done {
		move.Status = Success
	}
	return move
}

// Way is the shortest way to a step, for the program's own moves. It leads through AWAITING_APPROVAL only where the person
// has approved. It is empty when the machine is there, or cannot get there.
func (m Machine) Way(t Table, to nebula.Step, cause nebula.Code, approved bool) []nebula.Moved {
	from := map[nebula.Step]nebula.Step{m.Step: ""}
	for queue := []nebula.Step{m.Step}; len(queue) > 0; queue = queue[1:] {
		for _, next := range t[queue[0]] {
			if _, seen := from[next]; !seen && (approved || next != Awaiting) {
				from[next] = queue[0]
				queue = append(queue, next)
			}
		}
	}
	if _, ok := from[to]; !ok {
		return nil
	}
	var way []nebula.Moved
	for at := to; at != m.Step; at = from[at] {
		way = append(way, nebula.Moved{From: from[at], To: at, Status: InProgress, Cause: cause})
	}
	slices.Reverse(way)
	if n := len(way); n > 0 && to == Done {
		way[n-1].Status = Success
	}
	return way
}

// Fail is what an error does: the step's status is ERROR, and the work goes back to PLANNING where the table and the
// bound on retries let it; otherwise it waits for the person.
func (m Machine) Fail(t Table, retries int, cause nebula.Code) nebula.Moved {
	move := nebula.Moved{From: m.Step, To: m.Step, Status: Failure, Cause: cause}
	switch {
	case m.Recovered >= retries:
		move.Status = NeedsInput
	default:
		move.Recovery = true
		if (t.Allows(m.Step, Planning) || m.Step == Review) && !m.Spent {
			move.To = Planning
		}
	}
	return move
}

// Set is a change of status within the step; nil when it is so already.
//
//go:noinline
func (m Machine) Set(status nebula.StepStatus, cause nebula.Code) *nebula.Moved {
	if m.Status == status {
		return nil
	}
	return &nebula.Moved{From: m.Step, To: m.Step, Status: status, Cause: cause}
}

// Utter begins an utterance: it may move the machine once. A person's message also gives recoveries anew.
func (m Machine) Utter(person bool) Machine {
	m.Spent = false
	if person {
		m.Recovered = 0
	}
	return m
}

// After is the machine after a move was recorded. A refused move changes nothing but the history.
func (m Machine) After(move nebula.Moved) Machine {
	m.History = append(lists.Clone(m.History), move)
	if over := len(m.History) - historyKept; over > 0 {
		m.History = m.History[over:]
	}
	if move.Refused != "" {
		return m
	}
	if move.From != move.To && move.Cause == ByModel {
		m.Spent = true
	}
	m.Step, m.Status = move.To, move.Status
	switch {
	case move.Recovery:
		m.Recovered++
	case move.Status == Success:
		m.Recovered = 0
	}
	return m
}

// Needs is the step that an effect needs, empty when any will do. Looking, asking, planning and remembering can be
// done anywhere; other changes belong to EXECUTION.
//
//go:noinline
func Needs(e nebula.Effect) nebula.Step {
	if e.Changes() && e != nebula.Memory {
		return Execution
	}
	return ""
}

func join(steps []nebula.Step) string {
	words := make([]string, len(steps))
	for i, s := range steps {
		words[i] = string(s)
	}
	return strings.Join(words, ", ")
}
