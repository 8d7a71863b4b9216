package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/language"
	"nebula/internal/line"
	"nebula/internal/terminal"
)

// interactive is nebula without a command. Where nobody can type, the one request comes from standard input.
func (s *session) interactive(c *cobra.Command, args []string) error {
	in, okIn := s.in.(*os.File)
	out, okOut := s.out.(*os.File)
	s.script = s.plain && !s.inTerminal && okIn && okOut
	if err := s.settle(c); err != nil {
		return err
	}
	s.first = strings.Join(args, " ")
	if s.script {
		return s.talk(c.Context(), in, out)
	}
	if !s.inTerminal {
		return s.run(c, args)
	}
	if !okIn || !okOut || !s.outTerminal {
		return usage("an interactive session needs a terminal for output too; write nebula run \"…\"")
	}
	if s.plain || s.env("TERM") == "dumb" {
		return s.talk(c.Context(), in, out)
	}
	return s.fullscreen(c.Context(), in, out)
}

// talk hands the session over to the line interface.
func (s *session) talk(ctx context.Context, in, out *os.File) error {
	defer s.close()
	h := &host{session: s}
	if err := h.prepared(ctx); err != nil {
		return err
	}
	id, err := s.choose(ctx)
	if err != nil {
		return err
	}
	var last nebula.Outcome
	var watched []*watcher
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if s.script { // a terminal gives its keys to the conversation, signals none
		h.sat = func(d *desk) { watched = append(watched, watch(d, stop)) }
	}
	err = line.Run(ctx, line.Options{
		In: in, Out: out, Script: s.script, Ended: func(o nebula.Outcome) { last = o }, Lang: s.config.Lang, Ambiguous: s.config.Ambiguous, Color: s.colour(s.outTerminal) && s.config.Theme != "plain", Empty: s.empty(),
		History: terminal.HistoryFile(s.config.Home.State, s.dir), Session: id, First: s.first, Note: s.broad, Approve: s.config.Approve,
		Host: h, Protocols: language.Choices(),
	})
	err = errors.Join(err, h.leave())
	for _, w := range watched {
		defer w.end()
		if n := w.signal(); n != 0 {
			return fail(exitSignal+n, "")
		}
	}
	switch {
	case errors.Is(err, line.ErrEmpty):
		return usage("there is no request; write it as the first line of standard input, or start nebula in a terminal")
	case err == nil && s.script && last.Session != "":
		return s.verdict(last)
	}
	return err
}

func (s *session) empty() bool {
	entries, err := os.ReadDir(s.dir)
	return err != nil || !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() != ".git" && e.Name() != ".nebula" })
}

// usable are the models that could answer now, under the names that --model takes.
func (s *session) usable(ctx context.Context) ([]nebula.ModelInfo, error) {
	list, faults := s.available(ctx, s.config, s.tongue())
	var infos []nebula.ModelInfo
	for _, o := range list {
		if o.Why == "" {
			o.Name = o.Use
			infos = append(infos, o.ModelInfo)
		}
	}
	if len(infos) == 0 && len(faults) > 0 {
		return nil, errors.New(strings.Join(faults, "; "))
	}
	return infos, nil
}

// configure is the config command of a session: nothing shows all, a key shows one, a key and a value set it.
func (s *session) configure(_ context.Context, args []string) (_ string, err error) {
	defer s.told(&err)
	switch len(args) {
	case 0:
		var b strings.Builder
		for _, v := range s.config.Values() {
			b.WriteString(s.setting(v) + "\n")
		}
		return b.String(), nil
	case 1:
		if _, _, err := config.Find(args[0]); err != nil {
			return "", err
		}
		v, ok := s.config.Value(args[0])
		if !ok {
			return s.say("%s is not set", args[0]), nil
		}
		return s.setting(v), nil
	}
	text := strings.Join(args[1:], " ")
	if err := setting(s.config.Home, args[0], text); err != nil {
		return "", err
	}
	return s.say("%s is written to %s and holds from the next start", args[0], filepath.Base(s.config.Home.File())), nil
}

func (s *session) setting(v config.Value) string {
	return s.say("%s = %s (from %s)", v.Key, v.Text, s.tongue().source(v.Source))
}
