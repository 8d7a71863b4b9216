package sqlite

import (
	"context"
	"database/sql/driver"
	"slices"

	"nebula"
)

// A Spoken counts the replies of one model, at one server, that was taught one protocol and wrote in one dialect.
type Spoken struct {
	Model     string `json:"model"`
	Server    string `json:"server"`
	Protocol  string `json:"protocol"`          // the one taught
	Dialect   string `json:"dialect,omitempty"` // the one written, where it is another
	Replies   int    `json:"replies"`
	Strict    int    `json:"strict"`
	Repaired  int    `json:"repaired"`
	Inferred  int    `json:"inferred"`
	Corrected int    `json:"corrected"`
	Extracted int    `json:"extracted"`
	Failed    int    `json:"failed"`
	Actions   int    `json:"actions"`
	Tokens    int    `json:"tokens"` // written in replies with actions
}

// Spoken is what was counted for a model at a server; for empty names, for all. It is ordered by its first four fields.
func (s *Store) Spoken(ctx context.Context, model, server string) (list []Spoken, err error) {
	err = s.use(ctx, "read the statistics", func(db *conn) error {
		return db.query(func(row []driver.Value) bool {
			n := func(i int) int { return int(integer(row[i])) }
			list = append(list, Spoken{text(row[0]), text(row[1]), text(row[2]), text(row[3]), n(4), n(5), n(6), n(7), n(8), n(9), n(10), n(11), n(12)})
			return true
		}, `SELECT model, server, protocol, dialect, replies, strict, repaired, inferred, corrected, extracted, failed, actions, tokens
			FROM spoken WHERE (?1='' OR model=?1) AND (?1='' OR server=?2) ORDER BY 1, 2, 3, 4`, model, server)
	})
	return list, err
}

// unread reports whether nothing of a reply could be acted on: there are problems, and every action has one.
func unread(in nebula.Intent) bool {
	sound := func(a nebula.Action) bool { return a.Problem == "" }
	return len(in.Problems)+len(in.Actions) > 0 && !slices.ContainsFunc(in.Actions, sound)
}

// spoke counts a reply of the model.
func (c *conn) spoke(model string, b nebula.Replied) error {
	if b.By != "" || model == "" {
		return nil
	}
	dialect := b.Intent.Dialect
	if dialect == b.Protocol {
		dialect = ""
	}
	n := map[nebula.Strategy]int64{}
	var actions, tokens, failed int64
	if unread(b.Intent) {
		failed = 1
	} else {
		n[b.Intent.Strategy] = 1
		if actions = int64(len(b.Intent.Actions)); actions > 0 {
			tokens = int64(b.Reply.Usage.Output)
		}
	}
	_, err := c.exec(`INSERT INTO spoken VALUES (?1, ?2, ?3, ?4, 1, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) ON CONFLICT DO UPDATE SET
		replies=replies+1, strict=strict+?5, repaired=repaired+?6, inferred=inferred+?7, corrected=corrected+?8,
		extracted=extracted+?9, failed=failed+?10, actions=actions+?11, tokens=tokens+?12`,
		model, b.Server, b.Protocol, dialect, n[nebula.Strict], n[nebula.Repaired], n[nebula.Inferred], n[nebula.Corrected],
		n[nebula.Extracted], failed, actions, tokens)
	return err
}
