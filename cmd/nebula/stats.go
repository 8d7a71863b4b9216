package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"nebula"
	"nebula/internal/sqlite"
)

// A tally counts the replies of one model in one protocol.
type tally struct {
	model, protocol string
	replies         int
	by              map[nebula.Strategy]int
	failed          int
	actions, tokens int
}

func (p *program) protocolStats(ctx context.Context) error {
	return p.withStore(ctx, func(ctx context.Context, store *sqlite.Store, _ string) error {
		list, err := store.Sessions(ctx, "")
		if err != nil {
			return err
		}
		tallies := map[[2]string]*tally{}
		for _, info := range list {
			if err := count(ctx, store, info, tallies); err != nil {
				return err
			}
		}
		return p.writeTallies(tallies)
	}, func() error { return p.writeTallies(nil) })
}

func count(ctx context.Context, store *sqlite.Store, info nebula.SessionInfo, tallies map[[2]string]*tally) error {
	name := info.Model
	for e, err := range store.Load(ctx, info.ID) {
		if err != nil {
			return err
		}
		switch b := e.Body.(type) {
		case nebula.Started:
			name = b.Model
		case nebula.Switched:
			name = or(b.Model, name)
		case nebula.Replied:
			key := [2]string{name, b.Protocol}
			t := tallies[key]
			if t == nil {
				t = &tally{model: name, protocol: b.Protocol, by: map[nebula.Strategy]int{}}
				tallies[key] = t
			}
			t.add(b)
		}
	}
	return nil
}

func (t *tally) add(b nebula.Replied) {
	t.replies++
	if len(b.Intent.Problems) > 0 && len(b.Intent.Actions) == 0 {
		t.failed++
		return
	}
	t.by[b.Intent.Strategy]++
	if n := len(b.Intent.Actions); n > 0 {
		t.actions += n
		t.tokens += b.Reply.Usage.Output
	}
}

func (p *program) writeTallies(tallies map[[2]string]*tally) error {
	list := make([]*tally, 0, len(tallies))
	for _, t := range tallies {
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b *tally) int { return strings.Compare(a.model+"\x00"+a.protocol, b.model+"\x00"+b.protocol) })
	w := tabwriter.NewWriter(p.out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "model\tprotocol\treplies\tstrict\trepaired\tinferred\tcorrected\tfailed\ttokens/action")
	for _, t := range list {
		per := "-"
		if t.actions > 0 {
			per = fmt.Sprintf("%.1f", float64(t.tokens)/float64(t.actions))
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\n", t.model, t.protocol, t.replies, t.by[nebula.Strict], t.by[nebula.Repaired],
			t.by[nebula.Inferred], t.by[nebula.Corrected], t.failed, per)
	}
	return w.Flush()
}
