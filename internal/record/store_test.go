package record_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/record"
)

// TestStoreOfMapsIsAStore has a second store, of nothing but maps and this package, keep the whole contract.
func TestStoreOfMapsIsAStore(t *testing.T) {
	var mu sync.Mutex
	places := map[string]*place{}
	nebulatest.TestStore(t, func(t *testing.T, at string) nebula.Store {
		mu.Lock()
		defer mu.Unlock()
		if places[at] == nil {
			places[at] = empty()
		}
		return &store{data: places[at]}
	})
}

// A place holds data, which outlives the stores over it.
type place struct {
	mu       sync.Mutex
	sessions map[string]*kept
	began    []string // their ids
	contents map[string]*content
	locks    map[string]bool
	plans    map[string]map[string]nebula.Plan // by project and id
	notes    []nebula.Note
	noted    int64
	tallies  map[string]record.Tally
	spoken   map[nebula.Spoken]nebula.Spoken // by what is counted
}

func empty() *place {
	return &place{
		sessions: map[string]*kept{}, contents: map[string]*content{}, locks: map[string]bool{}, plans: map[string]map[string]nebula.Plan{},
		tallies: map[string]record.Tally{}, spoken: map[nebula.Spoken]nebula.Spoken{},
	}
}

// A kept session.
type kept struct {
	line    record.Line
	records []nebula.Record
	named   map[string]bool
}

type content struct {
	data []byte
	held time.Time
}

// A store is a view of the data that can be closed.
type store struct {
	data   *place
	closed bool
}

func (s *store) use(ctx context.Context, f func(*place) error) error {
	s.data.mu.Lock()
	defer s.data.mu.Unlock()
	if s.closed {
		return errors.New("closed")
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return f(s.data)
}

func (s *store) Close() error {
	s.closed = true
	return nil
}

func (m *place) session(id string) (*kept, error) {
	if k := m.sessions[id]; k != nil {
		return k, nil
	}
	return nil, nebula.Errorf("%w: %s", nebula.ErrNoSession, id)
}

func (m *place) count(dir string, t record.Tally) {
	was := m.tallies[dir]
	m.tallies[dir] = record.Tally{Sessions: was.Sessions + t.Sessions, Files: was.Files + t.Files, Done: was.Done + t.Done}
}

func (s *store) Create(ctx context.Context, info nebula.SessionInfo) error {
	line, err := record.Begin(info)
	if err != nil {
		return err
	}
	return s.use(ctx, func(m *place) error {
		if m.sessions[line.ID] != nil {
			return errors.New("taken")
		}
		m.sessions[line.ID] = &kept{line: line, named: map[string]bool{}}
		m.began = append(m.began, line.ID)
		m.count(line.Dir, record.Tally{Sessions: 1})
		return nil
	})
}

func (s *store) Append(ctx context.Context, session string, events ...nebula.Event) error {
	return record.Append(ctx, s, session, events)
}

// Take implements record.Taker.
func (s *store) Take(ctx context.Context, session string, records []nebula.Record, events []nebula.Event) error {
	return s.use(ctx, func(m *place) error {
		k, err := m.session(session)
		if err != nil {
			return err
		}
		line, all := k.line, make([]record.Added, len(events))
		for i := range events {
			if all[i], err = line.Take(&records[i], events[i]); err != nil {
				return err
			}
		}
		k.line, k.records = line, append(k.records, records...)
		for _, a := range all {
			m.count(line.Dir, a.Tally)
			for _, hash := range a.Named {
				k.named[hash] = true
				if c := m.contents[hash]; c != nil {
					c.held = time.Time{}
				}
			}
			if n := a.Spoken; n != nil {
				key := nebula.Spoken{Model: n.Model, Server: n.Server, Protocol: n.Protocol, Dialect: n.Dialect}
				m.spoken[key] = record.Plus(*n, m.spoken[key])
			}
		}
		return nil
	})
}

func (s *store) Records(ctx context.Context, session string, after int64) iter.Seq2[nebula.Record, error] {
	return func(yield func(nebula.Record, error) bool) {
		var list []nebula.Record
		err := s.use(ctx, func(m *place) error {
			k, err := m.session(session)
			if err == nil {
				list = slices.Clone(k.records)
			}
			return err
		})
		for _, r := range list {
			if r.Seq > after && !yield(r, nil) {
				return
			}
		}
		if err != nil {
			yield(nebula.Record{}, err)
		}
	}
}

func (s *store) Load(ctx context.Context, session string) iter.Seq2[nebula.Event, error] {
	return func(yield func(nebula.Event, error) bool) {
		d := record.NewDecoder()
		for r, err := range s.Records(ctx, session, 0) {
			e := nebula.Event{Seq: r.Seq, At: record.Moment(r.At)}
			if err == nil {
				e.Body, err = d.Body(r.Type, r.Data)
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

func (s *store) Head(ctx context.Context, session string) (h nebula.Head, err error) {
	err = s.use(ctx, func(m *place) error {
		k, err := m.session(session)
		if err == nil {
			h = k.line.Head
		}
		return err
	})
	return h, err
}

func (s *store) list(ctx context.Context, fits func(nebula.SessionInfo) bool) (list []nebula.SessionInfo, err error) {
	err = s.use(ctx, func(m *place) error {
		for _, id := range slices.Sorted(maps.Keys(m.sessions)) {
			if info := m.sessions[id].line.SessionInfo; fits(info) {
				list = append(list, info)
			}
		}
		return nil
	})
	return list, err
}

func (s *store) Sessions(ctx context.Context, dir string) ([]nebula.SessionInfo, error) {
	list, err := s.AllSessions(ctx, dir)
	return slices.DeleteFunc(list, func(i nebula.SessionInfo) bool { return record.Step(i.ID) }), err
}

func (s *store) AllSessions(ctx context.Context, dir string) ([]nebula.SessionInfo, error) {
	list, err := s.list(ctx, func(i nebula.SessionInfo) bool { return dir == "" || i.Dir == dir })
	record.Newest(list)
	return list, err
}

func (s *store) Find(ctx context.Context, id string) (nebula.SessionInfo, error) {
	list, err := s.list(ctx, func(i nebula.SessionInfo) bool { return strings.HasPrefix(i.ID, id) })
	if err != nil {
		return nebula.SessionInfo{}, err
	}
	return record.Pick(id, list)
}

func (s *store) Remove(ctx context.Context, id string) error {
	unlock, err := s.Lock(ctx, id)
	if err != nil {
		return err
	}
	defer unlock()
	return s.use(ctx, func(m *place) error {
		k, err := m.session(id)
		if err != nil {
			return err
		}
		delete(m.sessions, id)
		for hash := range k.named {
			inUse := func(id string) bool { return m.sessions[id] != nil && m.sessions[id].named[hash] }
			if c := m.contents[hash]; c != nil && !slices.ContainsFunc(m.began, inUse) && time.Since(c.held) > record.HeldFor {
				delete(m.contents, hash)
			}
		}
		return nil
	})
}

func (s *store) Lock(ctx context.Context, id string) (unlock func(), err error) {
	err = s.use(ctx, func(m *place) error {
		if m.locks[id] {
			return nebula.ErrInUse
		}
		m.locks[id] = true
		return nil
	})
	return func() {
		s.data.mu.Lock()
		defer s.data.mu.Unlock()
		delete(s.data.locks, id)
	}, err
}

func (s *store) Keep(ctx context.Context, data []byte) (string, error) {
	hash := nebula.Hash(data)
	return hash, s.use(ctx, func(m *place) error {
		m.contents[hash] = &content{slices.Clone(data), time.Now()}
		return nil
	})
}

func (s *store) Content(ctx context.Context, hash string) (data []byte, err error) {
	err = s.use(ctx, func(m *place) error {
		if c := m.contents[hash]; c != nil {
			data = slices.Clone(c.data)
			return nil
		}
		return nebula.ErrNoContent
	})
	return data, err
}

func (s *store) KeepMany(ctx context.Context, all [][]byte) error {
	return nebulatest.Shelf{Keeper: s}.KeepMany(ctx, all)
}

func (s *store) KeepFile(ctx context.Context, r io.Reader, size int64) (string, error) {
	return nebulatest.Shelf{Keeper: s}.KeepFile(ctx, r, size)
}

func (s *store) OpenContent(ctx context.Context, hash string) (io.ReadCloser, error) {
	data, err := s.Content(ctx, hash)
	return io.NopCloser(bytes.NewReader(data)), err
}

func (s *store) SavePlan(ctx context.Context, project string, p nebula.Plan, _ ...string) error {
	p.Steps = slices.Clone(p.Steps)
	return s.use(ctx, func(m *place) error {
		if p.Version != m.plans[project][p.ID].Version+1 {
			return nebula.ErrPlanChanged
		}
		if m.plans[project] == nil {
			m.plans[project] = map[string]nebula.Plan{}
		}
		m.plans[project][p.ID] = p
		return nil
	})
}

func (s *store) Plans(ctx context.Context, project string) (list []nebula.PlanInfo, err error) {
	err = s.use(ctx, func(m *place) error {
		for _, p := range m.plans[project] {
			list = append(list, record.PlanLine(p))
		}
		return nil
	})
	slices.SortFunc(list, func(a, b nebula.PlanInfo) int { return b.Changed.Compare(a.Changed) })
	return list, err
}

// plan does something with the plan that an id means.
func (s *store) plan(ctx context.Context, project, id string, do func(plans map[string]nebula.Plan, id string)) error {
	list, err := s.Plans(ctx, project)
	if err != nil {
		return err
	}
	var ids []string
	for _, p := range list {
		ids = append(ids, p.ID)
	}
	if id, err = record.PickPlan(id, ids); err != nil {
		return err
	}
	return s.use(ctx, func(m *place) error { do(m.plans[project], id); return nil })
}

func (s *store) Plan(ctx context.Context, project, id string) (p nebula.Plan, err error) {
	err = s.plan(ctx, project, id, func(plans map[string]nebula.Plan, id string) { p = plans[id] })
	p.Steps = slices.Clone(p.Steps)
	return p, err
}

func (s *store) RemovePlan(ctx context.Context, project, id string) error {
	return s.plan(ctx, project, id, func(plans map[string]nebula.Plan, id string) { delete(plans, id) })
}

func (s *store) Memory(ctx context.Context, project, session string) (r nebula.Remembered, err error) {
	err = s.use(ctx, func(m *place) error {
		t := m.tallies[project]
		r = nebula.Remembered{Sessions: t.Sessions, Files: t.Files, Done: t.Done}
		for _, of := range slices.Compact([]string{"", project}) {
			r.Notes = append(r.Notes, slices.DeleteFunc(slices.Clone(m.notes), func(n nebula.Note) bool { return n.Project != of })...)
		}
		for _, id := range m.began {
			if k := m.sessions[id]; k != nil && k.line.Dir == project && id != session && record.Talked(id) {
				r.Recent = append(r.Recent, nebula.Talk{ID: id, At: k.line.Last, Title: k.line.Title, Outcome: k.line.Outcome, Files: k.line.Files})
			}
		}
		r.Recent = r.Recent[max(0, len(r.Recent)-record.Talks):]
		return nil
	})
	return r, err
}

func (s *store) Totals(ctx context.Context) (r nebula.Remembered, err error) {
	err = s.use(ctx, func(m *place) error {
		for _, t := range m.tallies {
			r.Sessions, r.Files, r.Done = r.Sessions+t.Sessions, r.Files+t.Files, r.Done+t.Done
		}
		return nil
	})
	return r, err
}

func (m *place) note(project, text string, at time.Time) {
	if !slices.ContainsFunc(m.notes, func(n nebula.Note) bool { return n.Project == project && n.Text == text }) {
		m.noted++
		m.notes = append(m.notes, nebula.Note{ID: m.noted, Project: project, At: at, Text: text})
	}
}

func (s *store) Remember(ctx context.Context, project, text string) error {
	return s.use(ctx, func(m *place) error { m.note(project, text, time.Now()); return nil })
}

func (s *store) Forget(ctx context.Context, id int64) error {
	return s.use(ctx, func(m *place) error {
		had := len(m.notes)
		if m.notes = slices.DeleteFunc(m.notes, func(n nebula.Note) bool { return n.ID == id }); len(m.notes) == had {
			return nebula.ErrNoNote
		}
		return nil
	})
}

func (s *store) Renote(ctx context.Context, project string, texts []string) error {
	return s.use(ctx, func(m *place) error {
		at := map[string]time.Time{}
		m.notes = slices.DeleteFunc(m.notes, func(n nebula.Note) bool {
			if n.Project == project {
				at[n.Text] = n.At
			}
			return n.Project == project
		})
		for _, text := range texts {
			when, ok := at[text]
			if !ok {
				when = time.Now()
			}
			m.note(project, text, when)
		}
		return nil
	})
}

func (s *store) Spoken(ctx context.Context, model, server string) (list []nebula.Spoken, err error) {
	err = s.use(ctx, func(m *place) error {
		for _, n := range m.spoken {
			if model == "" || n.Model == model && n.Server == server {
				list = append(list, n)
			}
		}
		return nil
	})
	slices.SortFunc(list, func(a, b nebula.Spoken) int {
		return slices.Compare([]string{a.Model, a.Server, a.Protocol, a.Dialect}, []string{b.Model, b.Server, b.Protocol, b.Dialect})
	})
	return list, err
}
