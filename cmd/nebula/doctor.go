package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"nebula/internal/config"
	"nebula/internal/sqlite"
)

func (p *program) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check what works here: key, model, record, folder, terminal",
		Long:  "Checks one thing after another and says what to do about what does not work. Nothing is changed. Exit code 1 when something does not work.",
		Args:  atMost(0),
		RunE:  func(c *cobra.Command, _ []string) error { return p.doctor(c.Context()) },
	}
}

// A check is one line of the doctor's: what was looked at and how it is. A warning does not keep nebula from working.
type check struct {
	name, found, next string
	warning           bool
}

func (p *program) doctor(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	failed := 0
	say := func(c check) {
		sign := "ok  "
		switch {
		case c.next != "" && c.warning:
			sign = "warn"
		case c.next != "":
			sign = "FAIL"
			failed++
		}
		line := fmt.Sprintf("%s  %-9s %s", sign, c.name, oneLine(c.found))
		if c.next != "" {
			line += "; " + oneLine(c.next)
		}
		_, _ = fmt.Fprintln(p.out, line)
	}
	say(check{name: "nebula", found: version()})
	conf, err := p.checkSettings(say)
	if err == nil {
		p.checkModel(ctx, conf, say)
		p.checkRecord(ctx, conf, say)
	}
	p.checkFolder(say)
	p.checkPrograms(say)
	p.checkTerminal(say)
	if failed > 0 {
		return &exit{exitFailed, fmt.Sprintf("%d of these do not work; each line says what to do", failed)}
	}
	return nil
}

func (p *program) checkSettings(say func(check)) (config.Config, error) {
	dir, err := folder("")
	if err != nil {
		dir = ""
	}
	c, err := config.Load(config.Input{Env: p.env, Dir: dir, Terminal: p.person()})
	if err != nil {
		say(check{name: "settings", found: err.Error(), next: "nebula does not start without them"})
		return c, err
	}
	for _, w := range c.Warnings {
		say(check{name: "settings", found: "", next: w, warning: true})
	}
	if len(c.Warnings) == 0 {
		say(check{name: "settings", found: c.Home.File() + " (" + c.Home.Why + ")"})
	}
	return c, nil
}

func (p *program) checkModel(ctx context.Context, c config.Config, say func(check)) {
	at, _, err := resolve(c, p.env, c.Model)
	if err != nil {
		say(check{name: "key", found: c.Model, next: err.Error()})
		return
	}
	if at.Key == "" {
		say(check{name: "key", found: "none, and " + c.Model + " is on a server that may not need one"})
	} else {
		say(check{name: "key", found: "set for " + c.Model})
	}
	for _, f := range p.discover(ctx, c) {
		switch {
		case f.Err != nil:
			say(check{name: "model", found: f.Server, next: f.Err.Error(), warning: f.Local && f.Provider != at.Provider})
		default:
			say(check{name: "model", found: fmt.Sprintf("%s answers and has %d models", f.Server, len(f.Models))})
		}
	}
}

func (p *program) checkRecord(ctx context.Context, c config.Config, say func(check)) {
	if !exists(c) {
		dir := c.Home.Record
		for !isFolder(dir) && dir != filepath.Dir(dir) {
			dir = filepath.Dir(dir)
		}
		say(checkWritable("record", dir, c.Home.Database()+" will be made on first use"))
		return
	}
	store, err := sqlite.Open(ctx, c.Home.Database(), sqlite.Options{})
	if err != nil {
		say(check{name: "record", found: err.Error(), next: "see above"})
		return
	}
	defer store.Close()
	if n := store.Opened().Notice; n != "" {
		say(check{name: "record", found: "", next: n, warning: true})
	}
	list, err := store.Sessions(ctx, "")
	if err != nil {
		say(check{name: "record", found: err.Error(), next: "see above"})
		return
	}
	if info, err := os.Stat(c.Home.Record); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		say(check{name: "record", found: c.Home.Record + " can be read by others", next: "run chmod 700 " + c.Home.Record, warning: true})
	}
	say(check{name: "record", found: fmt.Sprintf("%s, %d sessions", c.Home.Database(), len(list))})
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// checkWritable makes a file and takes it away again.
func checkWritable(name, dir, found string) check {
	f, err := os.CreateTemp(dir, ".nebula-doctor-*")
	if err != nil {
		return check{name: name, found: fmt.Sprintf("%s cannot be written (%v)", dir, errors.Unwrap(err)), next: "make it writable or choose another"}
	}
	_ = f.Close()
	_ = os.Remove(f.Name())
	return check{name: name, found: found}
}

func (p *program) checkFolder(say func(check)) {
	dir, err := folder("")
	if err != nil {
		say(check{name: "folder", found: err.Error(), next: "see above"})
		return
	}
	c := checkWritable("folder", dir, dir+" can be written")
	c.warning = true // reading and planning still work
	say(c)
}

func (p *program) checkPrograms(say func(check)) {
	for name, why := range map[string]string{"git": "the model cannot look at the project's history"} {
		if path, err := exec.LookPath(name); err == nil {
			say(check{name: name, found: path})
		} else {
			say(check{name: name, found: "not found", next: why, warning: true})
		}
	}
}

func (p *program) checkTerminal(say func(check)) {
	found := "none: approvals cannot be asked, --approve decides"
	if p.person() {
		found = "approvals are asked"
		if !p.colour(p.outTerminal) {
			found += ", without colours"
		}
	}
	say(check{name: "terminal", found: found})
}
