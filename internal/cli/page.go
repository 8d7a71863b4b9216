package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/page"
	"nebula/internal/record"
	"nebula/internal/serve"
)

func (p *program) webCommand() *cobra.Command {
	s, port := &session{program: p}, 0
	c := &cobra.Command{
		Use: "web", Short: "Open the sessions that nebula serve holds in a browser", Args: atMost(0),
		Long: "Prints a link that opens the page once, within ten minutes; the browser that followed it stays let in. The page is at a port of this computer's loopback, and\nonly once this command asked for it. Where nebula serve does not run it is started.",
		RunE: func(c *cobra.Command, _ []string) error { return s.web(c, port) },
	}
	c.Flags().IntVar(&port, "port", 0, "the port of the loopback; without it any that is free")
	return c
}

// web prints a link to the page of the server.
func (s *session) web(c *cobra.Command, port int) error {
	if port < 0 || port > 1<<16-1 {
		return usage("%d is no port", port)
	}
	if err := s.settle(c); err != nil {
		return err
	}
	client, err := s.served(c.Context())
	if err != nil {
		return err
	}
	var at serve.WebAddress
	if err := client.Ask(c.Context(), http.MethodPost, "/v1/web", serve.WebLink{Dir: s.dir, Port: port}, &at); err != nil {
		return err
	}
	s.warn("this link opens the page once; nebula web prints another")
	_, err = fmt.Fprintln(s.out, at.URL)
	return err
}

// looks are what the page reads of the record.
//
//go:noinline
func (s *session) looks() serve.Looks {
	return serve.Looks{All: s.everywhere, Search: s.searched, Audit: s.audited, Spent: s.spent}
}

// reads does something with the record, of all folders.
func (s *session) reads(ctx context.Context, do func(nebula.Store) error) error {
	store, err := s.open(ctx, s.config)
	if err != nil {
		return err
	}
	return errors.Join(do(store), store.Close())
}

// everywhere are the sessions of all folders.
func (s *session) everywhere(ctx context.Context) (list []nebula.SessionInfo, err error) {
	err = s.reads(ctx, func(store nebula.Store) (err error) {
		list, err = store.Sessions(ctx, "")
		return err
	})
	return list, err
}

// searched are the sessions of all folders in which all words stand.
func (s *session) searched(ctx context.Context, words string) (hits []page.Hit, err error) {
	needles := needlesOf(words)
	err = s.reads(ctx, func(store nebula.Store) error {
		list, err := store.AllSessions(ctx, "")
		if err != nil {
			return err
		}
		for _, info := range list {
			places, err := look(ctx, store, info, needles)
			if err != nil {
				return err
			}
			if len(places) == 0 {
				continue
			}
			hit := page.Hit{SessionInfo: info}
			for _, p := range places {
				hit.Spots = append(hit.Spots, page.Spot{Who: p.Who, Text: around(p.Text, needles, 160, "")})
			}
			if hits = append(hits, hit); len(hits) == hitsMost {
				break
			}
		}
		return nil
	})
	return hits, err
}

// hitsMost is how many sessions a search on the page shows.
const hitsMost = 100

// audited is what was done in a session and its steps, and whether the record of it is what was written.
func (s *session) audited(ctx context.Context, id string) (a page.Audit, err error) {
	err = s.reads(ctx, func(store nebula.Store) error {
		info, err := store.Find(ctx, id)
		if err != nil {
			return err
		}
		list, err := withSteps(ctx, store, info)
		if err != nil {
			return err
		}
		audit, all := record.Auditor{Store: store, Heads: heads(s.config)}, approvals{}
		a.Noted = true
		for _, info := range list {
			a.Noted = a.Noted && audit.Noted(info.ID)
			if broken, bad := errors.AsType[*nebula.Broken](audit.Whole(ctx, info.ID)); bad && a.Problem == "" {
				a.Problem = s.say("%s  broken at event %d: %s", info.ID, broken.Seq, broken.Text)
			}
			of := newAuditor(info.ID, s.config.Lang)
			for e, err := range store.Load(ctx, info.ID) {
				if err != nil {
					break // the verification says where
				}
				if done, ok := of.take(e); ok {
					all.add(done)
					_, why, _ := strings.Cut(done.text(s.tongue()), "\n")
					a.Entries = append(a.Entries, page.Entry{At: done.At, Status: string(done.Status), What: done.Tool + " " + cmp.Or(done.What, done.Result), Why: why})
				}
			}
		}
		lists.Sort(a.Entries, func(x, y page.Entry) int { return x.At.Compare(y.At) })
		a.Sum = all.text(s.tongue())
		return nil
	})
	return a, err
}

// spent is what the turns took that ended since.
func (s *session) spent(ctx context.Context, since time.Time) (all []page.Spending, err error) {
	err = s.reads(ctx, func(store nebula.Store) error {
		list, err := store.AllSessions(ctx, "")
		if err != nil {
			return err
		}
		for _, info := range list {
			if info.Last.Before(since) {
				continue
			}
			d := record.NewDecoder()
			for r, err := range store.Records(ctx, info.ID, 0) {
				if err != nil {
					return err
				}
				if r.Type != "ended" || r.At < since.UnixNano() {
					continue
				}
				if b, err := d.Body(r.Type, r.Data); err == nil { // damage is what the audit tells of
					end := b.(nebula.Ended)
					all = append(all, page.Spending{At: time.Unix(0, r.At), Model: end.Model, Usage: end.Usage})
				}
			}
		}
		return nil
	})
	return all, err
}
