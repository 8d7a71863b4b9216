// Command nebula-fleet is nebula with what a team needs beside it: a record in PostgreSQL, and plans on workers, driven by
// Temporal. The command nebula goes on as this one where record.url is set, and for the commands that need it.
package main

import (
	"context"

	"nebula/internal/cli"
	"nebula/internal/config"
	"nebula/internal/fleet"
	"nebula/internal/postgres"
	"nebula/internal/record"
	"nebula/internal/telemetry"
	"nebula/internal/temporal"
)

func main() {
	cli.Main(cli.Linked{Records: map[string]cli.Opener{"": func(ctx context.Context, address string, heads record.Heads) (record.Taker, error) {
		store, err := postgres.Open(ctx, address, postgres.Options{Heads: heads})
		if err != nil {
			return nil, err
		}
		return store, nil
	}}, Fleet: func(ctx context.Context, env config.Env, key string) (fleet.Engine, error) {
		told, err := telemetry.Open(ctx, env)
		if err != nil {
			return nil, err
		}
		return temporal.Dial(ctx, temporal.Options{Env: env, Key: key, Told: told})
	}})
}
