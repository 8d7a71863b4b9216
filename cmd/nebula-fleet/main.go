// Command nebula-fleet is nebula with what a team needs beside it: a record in PostgreSQL. The command nebula goes on as this
// one where record.url is set.
package main

import (
	"context"

	"nebula/internal/cli"
	"nebula/internal/postgres"
	"nebula/internal/record"
)

func main() {
	cli.Main(cli.Linked{Record: func(ctx context.Context, address string, heads record.Heads) (record.Taker, error) {
		store, err := postgres.Open(ctx, address, postgres.Options{Heads: heads})
		if err != nil {
			return nil, err
		}
		return store, nil
	}})
}
