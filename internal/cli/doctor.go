package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/lists"
	"nebula/internal/model"
	"nebula/internal/phrase"
	"nebula/internal/record"
	"nebula/internal/sqlite"
)

func (p *program) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check what works here: key, model, record, folder, sandbox, terminal",
		Long:  "Checks one thing after another and says what to do about what does not work. Nothing is changed. Exit code 1 when something does not work.",
		Args:  atMost(0),
		RunE:  func(c *cobra.Command, _ []string) error { return p.doctor(c.Context()) },
	}
}

// A check is one line of the doctor's: what was looked at and how it is. A warning does not keep nebula from working.
type check struct {
	name        string
	found, next nebula.Words
	warning     bool
}

func (p *program) doctor(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	failed := 0
	say := func(c check) {
		sign := "ok  "
		switch {
		case c.next.Format != "" && c.warning:
			sign = "warn"
		case c.next.Format != "":
			sign = "FAIL"
			failed++
		}
		text := c.found
		switch {
		case c.found.Format == "":
			text = c.next
		case c.next.Format != "":
			text = nebula.Say("%s; %s", c.found, c.next)
		}
		_, _ = fmt.Fprintf(p.out, "%s  %s %s\n", sign, padded(p.say(c.name), 10), phrase.OneLine(p.words(text), 0))
	}
	say(check{name: "nebula", found: nebula.Say(version())})
	conf, err := p.checkSettings(say)
	if err == nil {
		p.checkModel(ctx, conf, say)
		p.checkRecord(ctx, conf, say)
	}
	p.checkFolder(say)
	p.checkSandbox(conf, say)
	p.checkPrograms(say)
	p.checkTerminal(say)
	if failed > 0 {
		return &exit{exitFailed, many(failed, "%d of these does not work; its line says what to do", "%d of these do not work; each line says what to do")}
	}
	return nil
}

func (p *program) checkSettings(say func(check)) (config.Config, error) {
	dir, err := folder(p.at)
	if err != nil {
		dir = ""
	}
	err = p.putBack() // before they are read
	var c config.Config
	if err == nil {
		c, err = config.Load(config.Input{Env: p.env, Dir: dir, Terminal: p.person()})
	}
	if err != nil {
		say(check{name: "settings", found: nebula.Say("%w", err), next: nebula.Say("nebula does not start without them")})
		return c, err
	}
	if err := p.handOver(c.RecordURL); err != nil {
		return c, err
	}
	for _, w := range c.Warnings {
		say(check{name: "settings", next: w, warning: true})
	}
	if len(c.Warnings) == 0 {
		say(check{name: "settings", found: nebula.Say("%s (%s)", c.Home.File(), c.Home.Why)})
	}
	return p.assumed(p.withKept(c)), nil
}

func (p *program) checkModel(ctx context.Context, c config.Config, say func(check)) {
	c = p.nearby(ctx, c)
	at, info, err := resolve(c, p.env, p.words, c.Model)
	switch {
	case err != nil:
		say(check{name: "key", next: nebula.Say("%w", err)})
	case at.Key == "":
		say(check{name: "key", found: nebula.Say("none, and %s is on a server that may not need one", c.Model)})
	case model.Foreign(at) != "":
		of := model.Foreign(at)
		say(check{name: "key", found: nebula.Say("set for %s", c.Model), next: nebula.Say("it has the form of those for %s: nebula login %s keeps it there, and nebula login %s asks for the right one", of, of, at.Provider)})
	default:
		say(check{name: "key", found: nebula.Say("set for %s", c.Model)})
	}
	var local []string
	for _, f := range p.discover(ctx, c, p.tongue()) {
		api, _ := errors.AsType[*nebula.APIError](f.Err)
		if api != nil && api.Status > 0 && api.Kind != "auth" && f.Server == info.Server { // it may answer without having a list
			f.Err = p.answers(ctx, at, info)
			if f.Err == nil {
				say(check{name: "model", found: nebula.Say("%s has no list of models, and %s answers", f.Server, c.Model)})
				continue
			}
		}
		switch {
		case f.Err != nil:
			say(check{name: "model", found: nebula.Say(f.Server), next: nebula.Say("%w", f.Err), warning: f.Server != info.Server && (f.Local || f.Own != "")})
		default:
			say(check{name: "model", found: nebula.Say("%s answers and has %s", f.Server, many(len(f.Models), "%d model", "%d models"))})
			if f.Server == info.Server && len(f.Models) > 0 && !has(f.Models, at.Model) {
				say(check{name: "model", found: nebula.Say("%s does not list %s", f.Server, at.Model), next: nebula.Say("nebula models shows what it has; nebula config set model NAME chooses"), warning: true})
			}
			if narrow := f.Narrow(); narrow.Format != "" && (at.Provider != f.Provider || len(f.Models) == 0) {
				say(check{name: map[bool]string{true: "model", false: "window"}[len(f.Models) == 0], next: narrow, warning: true})
			}
			if f.Local && f.Server == info.Server && info.Assumed {
				p.checkWindow(ctx, c, at, info, say)
			}
			if f.Local && !lists.Has(local, f.Title) && (f.Provider == "" || lists.Has(model.LocalServers(), f.Title)) {
				local = append(local, f.Title)
			}
		}
	}
	if len(local) > 0 {
		say(check{name: "local", found: nebula.Say("model servers run here: %s", strings.Join(local, ", "))})
	} else {
		say(check{name: "local", found: nebula.Say("no model server runs here (%s were looked for)", strings.Join(model.LocalServers(), ", "))})
	}
}

// checkWindow looks at how much a server on this machine gives the chosen model to read.
func (p *program) checkWindow(ctx context.Context, c config.Config, at model.Endpoint, info nebula.ModelInfo, say func(check)) {
	switch window, wider := model.Declared(ctx, at, known(c, p.env, p.words)); {
	case wider.Format != "":
		say(check{name: "window", next: wider, warning: true})
	case window > 0:
		say(check{name: "window", found: nebula.Say("%s reads up to %d tokens", c.Model, window)})
	case !model.Settles(at):
		say(check{name: "window", found: nebula.Say("how much %s reads is known once its server has loaded it; until then nebula takes it for %d tokens", c.Model, info.Window)})
	}
}

// has reports whether a server lists a model; some name a provider before it, or what it is served as behind it.
func has(list []nebula.ModelInfo, name string) bool {
	return slices.ContainsFunc(list, func(m nebula.ModelInfo) bool {
		return m.Name == name || strings.HasSuffix(m.Name, "/"+name) || strings.HasPrefix(m.Name, name+":") || strings.HasPrefix(m.Name, name+"-20")
	})
}

func (p *program) checkRecord(ctx context.Context, c config.Config, say func(check)) {
	if c.RecordURL.Set() {
		p.checkTeam(ctx, c, say)
		return
	}
	if !exists(c) {
		if ids := heads(c).Sessions(); len(ids) > 0 {
			say(check{name: "record", found: isGone(c, ids), next: nebula.Say(fromCopy)})
			return
		}
		dir := c.Home.Record
		for !isFolder(dir) && dir != filepath.Dir(dir) {
			dir = filepath.Dir(dir)
		}
		say(checkWritable("record", dir, nebula.Say("%s will be made on first use", c.Home.Database())))
		return
	}
	store, err := sqlite.Open(ctx, c.Home.Database(), sqlite.Options{Heads: heads(c)})
	if err != nil {
		say(check{name: "record", found: nebula.Say("%w", err), next: nebula.Say("see above")})
		return
	}
	defer store.Close()
	if n := store.Opened().Notice; n.Format != "" {
		say(check{name: "record", next: n, warning: true})
	}
	if ids, err := (record.Auditor{Store: store, Heads: heads(c)}).Missing(ctx); err == nil && len(ids) > 0 {
		say(check{name: "record", found: nebula.Say("%s missing from the record; it was cut, or an older copy was put in its place", many(len(ids), "%d session is", "%d sessions are")), next: nebula.Say("nebula audit --verify names them")})
	}
	list, err := store.Sessions(ctx, "")
	if err != nil {
		say(check{name: "record", found: nebula.Say("%w", err), next: nebula.Say("see above")})
		return
	}
	if info, err := os.Stat(c.Home.Record); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		say(check{name: "record", found: nebula.Say("%s can be read by others", c.Home.Record), next: nebula.Say("run chmod 700 %s", c.Home.Record), warning: true})
	}
	say(check{name: "record", found: nebula.Say("%s, %s", c.Home.Database(), many(len(list), "%d session", "%d sessions"))})
}

// isGone says that there is no record of sessions that there are notes of; fromCopy is the next step.
func isGone(c config.Config, ids []string) nebula.Words {
	return nebula.Say("%s is gone, with %s", c.Home.Database(), many(len(ids), "%d session", "%d sessions"))
}

const fromCopy = "put it back from a copy; nebula audit --verify names them"

// checkTeam looks at a record on a server.
func (p *program) checkTeam(ctx context.Context, c config.Config, say func(check)) {
	store, err := p.open(ctx, c)
	if err != nil {
		say(check{name: "record", found: nebula.Say("%w", err), next: nebula.Say("see above")})
		return
	}
	defer store.Close()
	list, err := store.Sessions(ctx, "")
	if err != nil {
		say(check{name: "record", found: nebula.Say("%w", err), next: nebula.Say("see above")})
		return
	}
	say(check{name: "record", found: nebula.Say("%s, %s", recordName(c.RecordURL.Reveal()), many(len(list), "%d session", "%d sessions"))})
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// checkWritable makes a file and takes it away again.
func checkWritable(name, dir string, found nebula.Words) check {
	f, err := os.CreateTemp(dir, ".nebula-doctor-*")
	if err != nil {
		return check{name: name, found: nebula.Say("%s cannot be written (%w)", dir, errors.Unwrap(err)), next: nebula.Say("make it writable or choose another")}
	}
	_ = f.Close()
	_ = os.Remove(f.Name())
	return check{name: name, found: found}
}

func (p *program) checkFolder(say func(check)) {
	dir, err := folder(p.at)
	if err != nil {
		say(check{name: "folder", found: nebula.Say("%w", err), next: nebula.Say("see above")})
		return
	}
	c := checkWritable("folder", dir, nebula.Say("%s can be written", dir))
	c.warning = true // reading and planning still work
	say(c)
}

func (p *program) checkPrograms(say func(check)) {
	if path, err := exec.LookPath("git"); err == nil {
		say(check{name: "git", found: nebula.Say(path)})
	} else {
		say(check{name: "git", found: nebula.Say("not found"), next: nebula.Say("the model cannot look at the project's history"), warning: true})
	}
}

func (p *program) checkTerminal(say func(check)) {
	found := nebula.Say("none: approvals cannot be asked, --approve decides")
	switch {
	case p.person() && p.colour(p.outTerminal):
		found = nebula.Say("approvals are asked")
	case p.person():
		found = nebula.Say("approvals are asked, without colours")
	}
	say(check{name: "terminal", found: found})
}
