package sqlite

import (
	"context"
	"database/sql/driver"
	"slices"
	"time"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/record"
)

// SavePlan keeps a plan, all of it or nothing; see [nebula.PlanStore]. Each step is a row, so that a task that ended
// costs no more in a large plan than in a small one.
func (s *Store) SavePlan(ctx context.Context, project string, p nebula.Plan, steps ...string) error {
	data, err := record.PlanHead(p)
	if err != nil {
		return err
	}
	return s.change(ctx, "keep the plan", func(db *conn) error {
		line := record.PlanLine(p)
		var n int64
		var err error
		if p.Version == 1 {
			steps = nil
			n, err = db.exec(`INSERT OR IGNORE INTO plans (project, id, name, status, steps, done, version, changed, data) VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?)`,
				project, p.ID, p.Name, string(p.Status), int64(line.Steps), int64(line.Done), record.Nanos(p.Changed), data)
		} else {
			n, err = db.exec(`UPDATE plans SET name=?, status=?, steps=?, done=?, version=?, changed=?, data=? WHERE project=? AND id=? AND version=?`,
				p.Name, string(p.Status), int64(line.Steps), int64(line.Done), p.Version, record.Nanos(p.Changed), data, project, p.ID, p.Version-1)
		}
		if err == nil && n == 0 {
			err = nebula.Errorf("plan %s: %w", p.ID, nebula.ErrPlanChanged)
		}
		if err != nil {
			return err
		}
		return db.savePlanSteps(project, p, steps)
	})
}

func (c *conn) savePlanSteps(project string, p nebula.Plan, only []string) error {
	if only == nil {
		if _, err := c.exec(`DELETE FROM plan_steps WHERE project=? AND plan=?`, project, p.ID); err != nil {
			return err
		}
	}
	for i := range p.Steps {
		if only != nil && !lists.Has(only, p.Steps[i].ID) {
			continue
		}
		data, err := record.JSON(p.Steps[i])
		if err != nil {
			return err
		}
		if _, err := c.exec(`INSERT OR REPLACE INTO plan_steps (project, plan, place, data) VALUES (?, ?, ?, ?)`, project, p.ID, int64(i), data); err != nil {
			return err
		}
	}
	return nil
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
	return record.ReadPlan(id, head, steps)
}

// planID finds the plan that a unique prefix names, the newest for none.
func (c *conn) planID(project, id string) (full, data string, err error) {
	var ids, heads []string
	if err := c.query(func(row []driver.Value) bool {
		ids, heads = append(ids, text(row[0])), append(heads, text(row[1]))
		return id != ""
	}, `SELECT id, data FROM plans WHERE project=?1 AND substr(id, 1, length(?2))=?2 ORDER BY changed DESC`, project, id); err != nil {
		return "", "", err
	}
	full, err = record.PickPlan(id, ids)
	if err != nil {
		return "", "", err
	}
	return full, heads[slices.Index(ids, full)], nil
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
