package postgres

import (
	"context"
	"embed"
	"errors"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"

	"nebula"
)

//go:embed migrations/*.sql
var migrations embed.FS

// latest is the version that the migrations lead to. One that was released is never changed.
const latest = 1

// versions is the table that says how far they went.
const versions = "nebula.goose_db_version"

// migrate brings the tables to the version of this nebula. Several that begin at once do it one after the other.
func (s *Store) migrate(ctx context.Context) error {
	at, err := s.version(ctx)
	switch {
	case err != nil:
		return s.fault("open", err)
	case at > latest:
		return &Fault{Kind: Newer, Server: s.server, Err: nebula.Errorf("version %d of its tables", at)}
	case at == latest:
		return nil
	}
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, key("", "migrations")); err != nil {
			return err
		}
		return s.build(ctx)
	})
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == codeForbidden {
		return &Fault{Kind: Bare, Server: s.server, Err: err}
	}
	return s.fault("make the tables", err)
}

// version is 0 where there is no table yet.
func (s *Store) version(ctx context.Context) (at int64, err error) {
	err = s.pool.QueryRow(ctx, `SELECT max(version_id) FROM `+versions+` WHERE is_applied`).Scan(&at)
	var missing *pgconn.PgError
	if errors.As(err, &missing) && (missing.Code == codeNoTable || missing.Code == codeNoSchema || missing.Code == codeForbidden) {
		return 0, nil
	}
	return at, err
}

func (s *Store) build(ctx context.Context) error {
	if _, err := s.pool.Exec(ctx, `CREATE SCHEMA IF NOT EXISTS nebula`); err != nil {
		return err
	}
	db := stdlib.OpenDBFromPool(s.pool)
	defer db.Close()
	steps, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	store, err := database.NewStore(goose.DialectPostgres, versions)
	if err != nil {
		return err
	}
	p, err := goose.NewProvider("", db, steps, goose.WithStore(store))
	if err != nil {
		return err
	}
	_, err = p.Up(ctx)
	return err
}
