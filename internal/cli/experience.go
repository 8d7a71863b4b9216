package cli

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"

	"nebula"
	"nebula/internal/agent"
	"nebula/internal/experience"
	"nebula/internal/lists"
	"nebula/internal/workspace"
)

// toldOf is how many experiences a request is told of at most.
const toldOf = 3

// lessons are a folder's experiences. They stand in the record as notes under a name of their own.
type lessons struct {
	store nebula.MemoryStore
	dir   string
}

func (l lessons) name() string { return "experience:" + l.dir }

// all are those that are kept, the oldest first.
func (l lessons) all(ctx context.Context) ([]experience.Experience, error) {
	held, err := l.store.Memory(ctx, l.name(), "")
	if err != nil {
		return nil, err
	}
	var list []experience.Experience
	for _, n := range held.Notes {
		var e experience.Experience
		if n.Project == l.name() && json.Unmarshal([]byte(n.Text), &e) == nil {
			e.ID = n.ID
			list = append(list, e)
		}
	}
	return list, nil
}

// keep keeps what a turn taught, in the place of what it makes worth less.
func (l lessons) keep(ctx context.Context, e experience.Experience) error {
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	all, err := l.all(ctx)
	if err != nil {
		return err
	}
	for _, old := range experience.Leaving(all, e) {
		if err := l.store.Forget(ctx, old.ID); err != nil && !errors.Is(err, nebula.ErrNoNote) { // another nebula may have been faster
			return err
		}
	}
	return l.store.Remember(ctx, l.name(), string(text))
}

// learn lets a session's turns become experience, and its requests be told of what is like them. What the folder's files with secrets
// tell is in none, whoever let the session read it.
//
//go:noinline
func (s *session) learn(setup *agent.Setup, work *workspace.Dir) {
	if s.record != "" || s.replay != "" || s.broad != "" || setup.Prefix == nebula.PlanPrefix {
		return
	}
	l, told := lessons{s.store, s.dir}, &sync.Map{} // what the conversation says itself, or was told of, is not said again in it
	setup.Learn = func(request string, o nebula.Outcome) {
		if !experience.May(o) {
			return // nothing is looked for in the folder
		}
		shut := workspace.NewSecrets(work)
		o.Actions = lists.Clone(o.Actions)
		for i, a := range o.Actions {
			o.Actions[i].Args = []byte(shut.Text(string(a.Args)))
		}
		e, ok := experience.Of(shut.Text(request), o)
		if e.At = time.Now().UTC().Truncate(time.Second); ok {
			told.Store(turnOf(e), true)
			_ = l.keep(context.Background(), e) // what is not kept is only not told later
		}
	}
	looked := setup.Evidence
	setup.Evidence = func(request string, first bool) string {
		var parts []string
		if looked != nil {
			parts = append(parts, looked(request, first))
		}
		return strings.TrimSpace(strings.Join(append(parts, s.recalled(l, request, told, first)...), "\n"))
	}
}

// recalled are lines on what was tried before for requests that are like one.
func (s *session) recalled(l lessons, request string, told *sync.Map, first bool) (lines []string) {
	all, err := l.all(context.Background())
	if err != nil {
		return nil // the request goes on without
	}
	for _, e := range experience.Like(request, all, toldOf) {
		if _, again := told.LoadOrStore(turnOf(e), true); again && !first { // a step of a plan has its own beginning
			continue
		}
		lines = append(lines, s.words(nebula.Say("Earlier here (%s) %s", e.At.Local().Format("2006-01-02"), e.Words())))
	}
	return lines
}

// turnOf is the turn that an experience is from.
//
//go:noinline
func turnOf(e experience.Experience) string { return e.Session + "/" + strconv.Itoa(e.Turn) }

// experienced prints a folder's experiences, each with the number by which it is forgotten and the turn that it is from.
func (m *remembering) experienced(list []experience.Experience) error {
	var rows table
	for _, e := range list {
		rows.row(strconv.FormatInt(e.ID, 10), m.say("experience"), when(e.At), turnOf(e), m.words(e.Words()))
	}
	return rows.print(m.out)
}
