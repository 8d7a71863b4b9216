package sqlite

import (
	"bytes"
	"context"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"sync"
	"time"

	"nebula"
)

// SavePlan keeps a plan, all of it or nothing; see [nebula.PlanStore]. Each step is a row, so that a task that ended
// costs no more in a large plan than in a small one.
func (s *Store) SavePlan(ctx context.Context, project string, p nebula.Plan, steps ...string) error {
	head := p
	head.Steps = nil
	data, err := planJSON(head)
	if err != nil {
		return nebula.Errorf("plan %s: %w", p.ID, err)
	}
	return s.change(ctx, "keep the plan", func(db *conn) error {
		if p.Version == 1 {
			steps = nil
			_, err = db.exec(`INSERT INTO plans (project, id, name, status, steps, done, version, changed, data) VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?)`,
				project, p.ID, p.Name, string(p.Status), int64(len(p.Steps)), over(p), nanos(p.Changed), data)
		} else {
			var n int64
			n, err = db.exec(`UPDATE plans SET name=?, status=?, steps=?, done=?, version=?, changed=?, data=? WHERE project=? AND id=? AND version=?`,
				p.Name, string(p.Status), int64(len(p.Steps)), over(p), p.Version, nanos(p.Changed), data, project, p.ID, p.Version-1)
			if err == nil && n == 0 {
				err = nebula.Errorf("plan %s: %w", p.ID, nebula.ErrPlanChanged)
			}
		}
		if err != nil {
			return err
		}
		return db.savePlanSteps(project, p, steps)
	})
}

func over(p nebula.Plan) int64 {
	n := int64(0)
	for i := range p.Steps {
		if s := p.Steps[i].Status; s == nebula.Completed || s == nebula.StageSkipped {
			n++
		}
	}
	return n
}

func (c *conn) savePlanSteps(project string, p nebula.Plan, only []string) error {
	if only == nil {
		if _, err := c.exec(`DELETE FROM plan_steps WHERE project=? AND plan=?`, project, p.ID); err != nil {
			return err
		}
	}
	for i := range p.Steps {
		if only != nil && !slices.Contains(only, p.Steps[i].ID) {
			continue
		}
		data, err := planJSON(p.Steps[i])
		if err != nil {
			return err
		}
		if _, err := c.exec(`INSERT OR REPLACE INTO plan_steps (project, plan, place, data) VALUES (?, ?, ?, ?)`, project, p.ID, int64(i), data); err != nil {
			return err
		}
	}
	return nil
}

func planJSON(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), err
}

// Plan reads a plan; see [nebula.PlanStore].
func (s *Store) Plan(ctx context.Context, project, id string) (p nebula.Plan, err error) {
	var head string
	var steps []string
	err = s.use(ctx, "read the plan", func(db *conn) error {
		full, found, err := db.planID(project, id)
		if err != nil {
			return err
		}
		head = found
		steps = make([]string, 0, 64)
		return db.query(func(row []driver.Value) bool {
			steps = append(steps, text(row[0]))
			return true
		}, `SELECT data FROM plan_steps WHERE project=? AND plan=? ORDER BY place`, project, full)
	})
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal([]byte(head), &p); err != nil {
		return p, nebula.Errorf("plan %s: %w", id, err)
	}
	p.Steps, err = readSteps(steps)
	if err != nil {
		return p, nebula.Errorf("plan %s: %w", p.ID, err)
	}
	return p, nil
}

// planID finds the plan that a unique prefix names, the newest for none.
func (c *conn) planID(project, id string) (full, data string, err error) {
	n := 0
	err = c.query(func(row []driver.Value) bool {
		n++
		if exact := text(row[0]) == id; n == 1 || exact {
			full, data = text(row[0]), text(row[1])
			if exact {
				n = 1
				return false
			}
		}
		return id != "" && n < 3
	}, `SELECT id, data FROM plans WHERE project=?1 AND substr(id, 1, length(?2))=?2 ORDER BY changed DESC`, project, id)
	switch {
	case err != nil:
		return "", "", err
	case n == 0 && id == "":
		return "", "", nebula.ErrNoPlan
	case n == 0:
		return "", "", nebula.Errorf("%w: %s", nebula.ErrNoPlan, id)
	case n > 1 && id != "":
		return "", "", nebula.Errorf("%w: %s begins the ids of several", nebula.ErrNoPlan, id)
	}
	return full, data, nil
}

// readers is how many goroutines decode the steps of a large plan.
const readers = 4

func readSteps(texts []string) ([]nebula.PlanStep, error) {
	steps := make([]nebula.PlanStep, len(texts))
	read := func(from, to int) error {
		d := newDecoder()
		for i := from; i < to; i++ {
			if err := d.step(texts[i], &steps[i]); err != nil {
				return err
			}
		}
		return nil
	}
	if len(texts) < 64 {
		return steps, read(0, len(texts))
	}
	var wg sync.WaitGroup
	errs := make([]error, readers)
	for n := range readers {
		wg.Go(func() { errs[n] = read(n*len(texts)/readers, (n+1)*len(texts)/readers) })
	}
	wg.Wait()
	return steps, errors.Join(errs...)
}

// step reads a step as planJSON writes it.
func (d *decoder) step(text string, s *nebula.PlanStep) error {
	v := reflect.ValueOf(s).Elem()
	d.text, d.at = text, 0
	if d.plan(v.Type())(d, v) && d.at == len(d.text) {
		return nil
	}
	*s = nebula.PlanStep{}
	return json.Unmarshal([]byte(text), s)
}

// Plans lists the plans of a project, newest first.
func (s *Store) Plans(ctx context.Context, project string) (list []nebula.PlanInfo, err error) {
	err = s.use(ctx, "list the plans", func(db *conn) error {
		return db.query(func(row []driver.Value) bool {
			list = append(list, nebula.PlanInfo{ID: text(row[0]), Name: text(row[1]), Status: nebula.Stage(text(row[2])), Steps: int(integer(row[3])),
				Done: int(integer(row[4])), Changed: time.Unix(0, integer(row[5])).UTC()})
			return true
		}, `SELECT id, name, status, steps, done, changed FROM plans WHERE project=? ORDER BY changed DESC`, project)
	})
	return list, err
}

// RemovePlan forgets a plan.
func (s *Store) RemovePlan(ctx context.Context, project, id string) error {
	return s.change(ctx, "remove the plan", func(db *conn) error {
		full, _, err := db.planID(project, id)
		if err != nil {
			return err
		}
		if _, err := db.exec(`DELETE FROM plan_steps WHERE project=? AND plan=?`, project, full); err != nil {
			return err
		}
		_, err = db.exec(`DELETE FROM plans WHERE project=? AND id=?`, project, full)
		return err
	})
}
