package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/record"
)

// SavePlan keeps a plan, all of it or nothing; see [nebula.PlanStore].
func (s *Store) SavePlan(ctx context.Context, project string, p nebula.Plan, steps ...string) error {
	data, err := record.PlanHead(p)
	if err != nil {
		return err
	}
	places, texts := []int64{}, []string{}
	if p.Version == 1 {
		steps = nil
	}
	for i := range p.Steps {
		if steps != nil && !lists.Has(steps, p.Steps[i].ID) {
			continue
		}
		text, err := record.JSON(p.Steps[i])
		if err != nil {
			return err
		}
		places, texts = append(places, int64(i)), append(texts, word(text))
	}
	return s.change(ctx, "keep the plan", func(ctx context.Context, tx pgx.Tx, unsure bool) error {
		line := record.PlanLine(p)
		sql := `UPDATE nebula.plans SET name=$4, status=$5, steps=$6, done=$7, version=$8, changed=$9, data=$10 WHERE team=$1 AND project=$2 AND id=$3 AND version=$8-1`
		if p.Version == 1 {
			sql = `INSERT INTO nebula.plans (team, project, id, name, status, steps, done, version, changed, data) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`
		}
		done, err := tx.Exec(ctx, sql, s.team, word(project), word(p.ID), word(p.Name), string(p.Status), int64(line.Steps), int64(line.Done), p.Version, record.Nanos(p.Changed), word(data))
		if err != nil {
			return err
		}
		if done.RowsAffected() == 0 {
			return s.saved(ctx, tx, project, p, data, unsure)
		}
		return s.saveSteps(ctx, tx, project, p, steps == nil, places, texts)
	})
}

// saved says that a plan was changed elsewhere, unless it was changed here and nobody heard of it.
func (s *Store) saved(ctx context.Context, tx pgx.Tx, project string, p nebula.Plan, data string, unsure bool) error {
	ours := false
	if unsure {
		err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM nebula.plans WHERE team=$1 AND project=$2 AND id=$3 AND version=$4 AND data=$5)`,
			s.team, word(project), word(p.ID), p.Version, word(data)).Scan(&ours)
		if err != nil {
			return err
		}
	}
	if ours {
		return nil
	}
	return nebula.Errorf("plan %s: %w", p.ID, nebula.ErrPlanChanged)
}

func (s *Store) saveSteps(ctx context.Context, tx pgx.Tx, project string, p nebula.Plan, all bool, places []int64, texts []string) error {
	if all {
		if _, err := tx.Exec(ctx, `DELETE FROM nebula.plan_steps WHERE team=$1 AND project=$2 AND plan=$3`, s.team, word(project), word(p.ID)); err != nil {
			return err
		}
	}
	_, err := tx.Exec(ctx, `INSERT INTO nebula.plan_steps (team, project, plan, place, data) SELECT $1, $2, $3, * FROM unnest($4::bigint[], $5::text[])
		ON CONFLICT (team, project, plan, place) DO UPDATE SET data=excluded.data`, s.team, word(project), word(p.ID), places, texts)
	return err
}

// Plan reads a plan; see [nebula.PlanStore].
func (s *Store) Plan(ctx context.Context, project, id string) (p nebula.Plan, err error) {
	var head string
	var steps []string
	err = s.ask(ctx, "read the plan", func(ctx context.Context) error {
		// One look at both: a change in between would give the steps of another version.
		return pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
			full, found, err := s.planID(ctx, tx, project, id)
			if err != nil {
				return err
			}
			head = found
			rows, err := tx.Query(ctx, `SELECT data FROM nebula.plan_steps WHERE team=$1 AND project=$2 AND plan=$3 ORDER BY place`, s.team, word(project), word(full))
			if err == nil {
				steps, err = texts(rows)
			}
			return err
		})
	})
	if err != nil {
		return p, err
	}
	return record.ReadPlan(id, head, steps)
}

func texts(rows pgx.Rows) (list []string, err error) {
	text := ""
	_, err = pgx.ForEachRow(rows, []any{&text}, func() error { list = append(list, unword(text)); return nil })
	return list, err
}

// planID finds the plan that a unique prefix names, the newest for none.
func (s *Store) planID(ctx context.Context, tx pgx.Tx, project, id string) (full, data string, err error) {
	rows, err := tx.Query(ctx, `SELECT id, data FROM nebula.plans WHERE team=$1 AND project=$2 AND starts_with(id, $3) ORDER BY changed DESC`, s.team, word(project), word(id))
	if err != nil {
		return "", "", err
	}
	var ids, heads []string
	var one, head string
	if _, err = pgx.ForEachRow(rows, []any{&one, &head}, func() error { ids, heads = append(ids, unword(one)), append(heads, unword(head)); return nil }); err != nil {
		return "", "", err
	}
	if full, err = record.PickPlan(id, ids); err != nil {
		return "", "", err
	}
	return full, heads[slices.Index(ids, full)], nil
}

// Plans lists the plans of a project, newest first.
func (s *Store) Plans(ctx context.Context, project string) (list []nebula.PlanInfo, err error) {
	err = s.ask(ctx, "list the plans", func(ctx context.Context) error {
		list = nil
		return s.rows(ctx, func(row pgx.Rows) error {
			var p nebula.PlanInfo
			var status string
			var steps, done, changed int64
			err := row.Scan(&p.ID, &p.Name, &status, &steps, &done, &changed)
			p.ID, p.Name, p.Status, p.Steps, p.Done, p.Changed = unword(p.ID), unword(p.Name), nebula.Stage(status), int(steps), int(done), record.Moment(changed)
			list = append(list, p)
			return err
		}, `SELECT id, name, status, steps, done, changed FROM nebula.plans WHERE team=$1 AND project=$2 ORDER BY changed DESC`, s.team, word(project))
	})
	return list, err
}

// RemovePlan forgets a plan.
func (s *Store) RemovePlan(ctx context.Context, project, id string) error {
	return s.change(ctx, "remove the plan", func(ctx context.Context, tx pgx.Tx, _ bool) error {
		full, _, err := s.planID(ctx, tx, project, id)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM nebula.plan_steps WHERE team=$1 AND project=$2 AND plan=$3`, s.team, word(project), word(full)); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `DELETE FROM nebula.plans WHERE team=$1 AND project=$2 AND id=$3`, s.team, word(project), word(full))
		return err
	})
}
