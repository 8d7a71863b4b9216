package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/terminal"
	"nebula/internal/tui"
)

// An aside keeps what is said while the screen belongs to the interface.
type aside struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (a *aside) Write(b []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.text.Write(b)
}

// screen hands the session over to the full-screen interface.
func (s *session) fullscreen(ctx context.Context, in, out *os.File) error {
	f := &host{session: s}
	id := ""
	if s.id != "" || s.resume { // a wrong name is said before the screen is taken
		if err := f.prepared(ctx); err != nil {
			return err
		}
		var err error
		if id, err = s.choose(ctx); err != nil {
			return err
		}
	}
	before := s.err
	said := &aside{}
	s.err = said
	err := tui.Run(ctx, f.options(in, out, id))
	s.err = before
	_, _ = before.Write(said.text.Bytes())
	err = errors.Join(err, f.leave())
	if stop, ok := errors.AsType[*tui.Stop](err); ok {
		if n, ok := stop.Signal.(syscall.Signal); ok {
			err = fail(exitSignal+int(n), "")
		}
	}
	return errors.Join(err, s.close())
}

func (h *host) options(in, out *os.File, id string) tui.Options {
	s := h.session
	o := tui.Options{
		In: in, Out: out, Env: s.env, Lang: s.config.Lang, Depth: tui.DepthOf(s.env), Theme: s.config.Theme, Inline: s.inline, Ambiguous: s.config.Ambiguous,
		Dir: s.dir, Empty: s.empty(), History: terminal.HistoryFile(s.config.Home.State, s.dir), Session: id, Choose: s.again == chosen, First: s.first, Note: s.broad, Approve: s.config.Approve,
		Begin: nebula.Started{Dir: s.dir, Model: s.config.Model, Protocol: s.config.Protocol, Mode: s.config.Mode},
		Host:  h, Providers: sellers, Demo: h.demo,
		Protocols: language.Choices(),
	}
	if s.config.Theme == "plain" {
		o.Depth = tui.NoColor
	}
	return o
}

// sellers are where a key can be had.
var sellers = []tui.Provider{
	{Name: "openai", Title: "OpenAI", Where: "platform.openai.com/api-keys"},
	{Name: "openrouter", Title: "OpenRouter", Where: "openrouter.ai/keys"},
	{Name: "anthropic", Title: "Anthropic", Where: "console.anthropic.com/settings/keys"},
	{Name: "gemini", Title: "Gemini", Where: "aistudio.google.com/apikey"},
}

// demo shows the recorded conversation in a process of its own, as it changes that process's environment.
func (h *host) demo(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	in, out := h.in.(*os.File), h.out.(*os.File)
	cmd := exec.CommandContext(ctx, self, "demo", "--lang", h.config.Lang)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, out
	failed := cmd.Run()
	_, _ = fmt.Fprint(out, "\n[enter] ")
	_, _ = bufio.NewReader(in).ReadString('\n') // any answer goes on
	return failed
}
