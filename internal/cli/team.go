package cli

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/fleet"
	"nebula/internal/lists"
	"nebula/internal/record"
	"nebula/internal/sqlite"
)

// Linked is what one command has beside what every one has: what would make the others large.
type Linked struct {
	// Records open what record.url names, by the scheme of the address; the one of none is for all others. Whoever has a
	// record that is not among them is led to [fleet].
	Records map[string]Opener
	// Fleet reaches the engine that drives plans on workers, with the key that its histories are encrypted with.
	Fleet func(ctx context.Context, env config.Env, key string) (fleet.Engine, error)
}

// An Opener opens a record that does not lie in nebula's home.
type Opener func(ctx context.Context, address string, heads record.Heads) (record.Taker, error)

// opener is what opens an address; nil where this command has nothing for it.
func (l Linked) opener(address string) Opener {
	scheme, _, _ := strings.Cut(address, "://")
	if open, ok := l.Records[scheme]; ok {
		return open
	}
	return l.Records[""]
}

// fleetProgram is the command that has what the one for a single person does not.
const fleetProgram = "nebula-fleet"

// handOver has the fleet's command go on in the place of this one, where the record is on a server and this one cannot reach
// it. It comes back where that is not so, or where there is no such command: whoever opens the record tells.
func (p *program) handOver(address config.Secret) error {
	path := p.fleetPath()
	if !address.Set() || path == "" || p.linked.opener(address.Reveal()) != nil {
		return nil
	}
	return fail(exitRecord, "%s cannot be started (%w)", path, become(path, p.args, p.whole()))
}

// fleetPath is where that command is: beside this one, or where programs are; empty for nowhere.
func (p *program) fleetPath() string {
	name := fleetProgram
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if own, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(own); err == nil {
			own = real
		}
		if beside := filepath.Join(filepath.Dir(own), name); runnable(beside) {
			return beside
		}
	}
	path, _ := exec.LookPath(name) // one that lies in the folder one is in is an error, and not taken
	return path
}

func runnable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}

// opened opens a record on a server.
func (p *program) opened(ctx context.Context, c config.Config, address string) (record.Taker, error) {
	open := p.linked.opener(address)
	if open == nil {
		return nil, fail(exitRecord, "the record is on a PostgreSQL server, which takes %s, and that is not installed; put it beside nebula, or leave record.url out to record on this machine", fleetProgram)
	}
	if err := os.MkdirAll(c.Home.Record, 0o700); err != nil { // what else is kept of a folder lies there
		return nil, err
	}
	if u, err := url.Parse(address); err == nil && u.User != nil { // nothing of it is in the environment any more
		if _, has := u.User.Password(); !has && p.env("PGPASSWORD") != "" {
			u.User = url.UserPassword(u.User.Username(), p.env("PGPASSWORD"))
			address = u.String()
		}
	}
	return open(ctx, address, record.NewHeads(c.Home.Heads(), c.Heads, recordName(address)))
}

// recordName is what a record on a server is called: who reads it where, without the password.
func recordName(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "record.url"
	}
	u.User, u.RawQuery = url.User(u.User.Username()), url.Values{"host": u.Query()["host"], "port": u.Query()["port"]}.Encode()
	return u.String()
}

// password is what a record's address holds that nobody may read.
func password(address config.Secret) (list []string) {
	u, err := url.Parse(address.Reveal())
	if err != nil || !address.Set() {
		return nil
	}
	for _, word := range []string{first(u.User.Password()), u.Query().Get("password")} {
		if word != "" {
			list = append(list, word)
		}
	}
	return list
}

func first(text string, _ bool) string { return text }

func (p *program) recordCommand() *cobra.Command {
	root := group(&cobra.Command{
		Use:     "record",
		Short:   "Copy sessions between this machine's record and a team's",
		Example: "  nebula record copy local team\n  nebula record copy team local 20260102",
	}, nil)
	root.AddCommand(&cobra.Command{
		Use:   "copy FROM TO [ID…]",
		Short: "Copy sessions from one record to another",
		Long: "Copies sessions with what undo needs of them, the steps of plans included: all, or those that are named. FROM and TO are local for the record of\n" +
			"this machine, team for the one that record.url names, the path of another nebula.db, or a postgres:// address. The chain of each is checked before\n" +
			"it is copied and again where it arrives. What was copied before is gone on with; a session that went on otherwise there is left as it is.",
		Example: "  nebula record copy local team\n  nebula record copy team local 20260102",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usage("give where from and where to; nebula record copy local team copies what is here")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return p.copyRecord(c.Context(), args[0], args[1], args[2:])
		},
	})
	return root
}

func (p *program) copyRecord(ctx context.Context, from, to string, ids []string) error {
	c, err := p.here()
	if err != nil {
		return err
	}
	source, err := p.recordAt(ctx, c, from, false)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := p.recordAt(ctx, c, to, true)
	if err != nil {
		return err
	}
	defer target.Close()
	list, err := chosenSessions(ctx, source, ids)
	if err != nil {
		return err
	}
	var first error
	for _, info := range list {
		n, err := record.Copy(ctx, source, target, info.ID)
		switch {
		case ctx.Err() != nil:
			return err
		case err != nil && first == nil:
			first = err
			fallthrough
		case err != nil:
			fmt.Fprintln(p.out, p.say("%s  not copied: %s", info.ID, p.message(err)))
		default:
			fmt.Fprintln(p.out, p.say("%s  copied and whole, %s", info.ID, p.words(count(n))))
		}
	}
	return first
}

func count(n int64) nebula.Words { return many(int(n), "%d event", "%d events") }

// chosenSessions are those that were named, with those of their steps, or all of them, the first begun first.
func chosenSessions(ctx context.Context, store nebula.Store, ids []string) (list []nebula.SessionInfo, err error) {
	if len(ids) == 0 {
		list, err = store.AllSessions(ctx, "")
		lists.Sort(list, func(a, b nebula.SessionInfo) int { return a.Started.Compare(b.Started) })
		return list, err
	}
	for _, id := range ids {
		info, err := find(ctx, store, id)
		if err != nil {
			return nil, err
		}
		with, err := withSteps(ctx, store, info)
		if err != nil {
			return nil, err
		}
		list = append(list, with...)
	}
	return list, nil
}

// recordAt opens the record that a word of the command line stands for.
func (p *program) recordAt(ctx context.Context, c config.Config, word string, made bool) (record.Taker, error) {
	address, path := config.Secret{}, word
	switch {
	case word == "local":
		path = c.Home.Database()
	case word == "team" && !c.RecordURL.Set():
		return nil, usage("record.url is not set; set it, or give the postgres:// address")
	case word == "team":
		address = c.RecordURL
	case strings.Contains(word, "://"):
		address = config.NewSecret(word)
	}
	if address.Set() {
		if err := p.handOver(address); err != nil {
			return nil, err
		}
		return p.opened(ctx, c, address.Reveal())
	}
	if _, err := os.Stat(path); err != nil && !made {
		return nil, usage("there is no record at %s", path)
	}
	o := sqlite.Options{}
	if path == c.Home.Database() {
		o.Heads = record.NewHeads(c.Home.Heads(), c.Heads, path)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	store, err := sqlite.Open(ctx, abs, o)
	if err != nil {
		return nil, err
	}
	return store, nil
}
