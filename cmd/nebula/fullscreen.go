package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"mime"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/terminal"
	"nebula/internal/tool"
	"nebula/internal/tui"
	"nebula/internal/workspace"
)

// A stage is what the full-screen interface works on. What it needs is opened when it is first asked for, beside the
// interface, so that the person can begin to type at once.
type stage struct {
	*session
	mu    sync.Mutex
	ready bool
	desks []*desk
	said  aside
}

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
	f := &stage{session: s}
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
	s.err = &f.said
	err := tui.Run(ctx, f.options(in, out, id))
	s.err = before
	_, _ = before.Write(f.said.text.Bytes())
	for _, d := range f.desks {
		err = errors.Join(err, d.leave())
	}
	if stop, ok := errors.AsType[*tui.Stop](err); ok {
		if n, ok := stop.Signal.(syscall.Signal); ok {
			err = fail(exitSignal+int(n), "")
		}
	}
	return errors.Join(err, s.close())
}

func (f *stage) options(in, out *os.File, id string) tui.Options {
	s := f.session
	o := tui.Options{
		In: in, Out: out, Env: s.env, Lang: s.config.Lang, Depth: tui.DepthOf(s.env), Theme: s.config.Theme, Inline: s.inline, Ambiguous: s.config.Ambiguous,
		Dir: s.dir, Empty: s.empty(), History: terminal.HistoryFile(s.config.Home.State, s.dir), Session: id, Choose: s.again == chosen, First: s.first, Note: s.broad, Approve: s.config.Approve,
		Begin: nebula.Started{Dir: s.dir, Model: s.config.Model, Protocol: s.config.Protocol, Mode: s.config.Mode},
		Open:  f.open, Sessions: f.sessions, Models: s.usable, About: f.about, Config: s.configure,
		Keep: f.keep,
		Status: func(ctx context.Context, c nebula.Conversation) (string, error) {
			st, err := c.(*desk).Status(ctx)
			return st.Text(s.config.Lang), err
		},
		Undoable: func(ctx context.Context, c nebula.Conversation, redo bool) (tui.Undoing, error) {
			d := c.(*desk)
			turn, err := d.Undoable(ctx, redo)
			if err != nil || turn.Turn == 0 {
				return tui.Undoing{}, err
			}
			diff, files, err := tool.TakenBack(ctx, d.work, turn.Changes)
			return tui.Undoing{Turn: turn.Turn, Files: files, Diff: diff}, err
		},
		Files: f.files, Image: f.image, Providers: sellers, SetKey: f.setKey, Demo: f.demo,
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

// prepared opens what sessions share, once it can be opened.
func (f *stage) prepared(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ready {
		return nil
	}
	if f.store != nil {
		_, err := f.models.named(f.config.Model)
		f.ready = err == nil
		return err
	}
	err := f.prepare(ctx)
	f.ready = err == nil
	return err
}

func (f *stage) open(ctx context.Context, id string) (_ nebula.Conversation, err error) {
	defer f.told(&err)
	if err := f.prepared(ctx); err != nil {
		return nil, err
	}
	d, err := f.sit(ctx, id)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.desks = append(f.desks, d)
	return d, nil
}

// sessions are the folder's earlier ones; none where nothing was ever recorded.
func (f *stage) sessions(ctx context.Context) (_ []nebula.SessionInfo, err error) {
	defer f.told(&err)
	if !exists(f.config) {
		return nil, nil
	}
	if err := f.prepared(ctx); err != nil {
		return nil, err
	}
	return f.store.Sessions(ctx, f.dir)
}

// about is what is known of a model without asking its server.
func (f *stage) about(name string) nebula.ModelInfo {
	_, info, err := resolve(f.config, f.env, f.words, name)
	if err != nil {
		return nebula.ModelInfo{Name: name}
	}
	return info
}

// filesMax is how many files are offered for completion.
const filesMax = 20_000

func (f *stage) files(ctx context.Context) (_ []string, err error) {
	defer f.told(&err)
	if err := f.prepared(ctx); err != nil {
		return nil, err
	}
	work, err := workspace.Open(f.dir, f.store, f.own()...)
	if err != nil {
		return nil, err
	}
	defer work.Close()
	if err := f.widen(work); err != nil {
		return nil, err
	}
	var files []string
	for e, err := range work.Everything(ctx) {
		if err != nil || e.Dir {
			continue // what cannot be read cannot be named
		}
		if files = append(files, e.Path); len(files) == filesMax {
			break
		}
	}
	return files, nil
}

// imageMax is how large a picture may be.
const imageMax = 10 << 20

func (f *stage) image(_ context.Context, path string) (_ nebula.Image, err error) {
	defer f.told(&err)
	if !filepath.IsAbs(path) {
		path = filepath.Join(f.dir, filepath.FromSlash(path))
	}
	info, err := os.Stat(path)
	if err != nil {
		return nebula.Image{}, nebula.Errorf("picture: %w", err)
	}
	if info.Size() > imageMax {
		return nebula.Image{}, nebula.Errorf("picture %s is larger than %d MB; make it smaller", path, imageMax>>20)
	}
	data, err := os.ReadFile(path)
	return nebula.Image{Type: mime.TypeByExtension(filepath.Ext(path)), Data: data}, err
}

// keep has later sessions begin with a choice, those of this run too.
func (f *stage) keep(key, value string) (err error) {
	defer f.told(&err)
	f.mu.Lock()
	defer f.mu.Unlock()
	switch key {
	case "model":
		f.config.Model, f.ready = value, false
	case "protocol":
		f.config.Protocol = value
	}
	return setting(f.config.Home, key, value)
}

// setKey keeps a provider's key, and looks anew at what can be reached.
func (f *stage) setKey(_ context.Context, provider, key string) (err error) {
	defer f.told(&err)
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := setting(f.config.Home, "providers."+provider+".key", key); err != nil {
		return err
	}
	c, err := f.settings(f.dir, f.given)
	if err != nil {
		return err
	}
	f.config = c
	f.models = newModels(f.program, c)
	f.ready = false
	return nil
}

// demo shows the recorded conversation in a process of its own, as it changes that process's environment.
func (f *stage) demo(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	in, out := f.in.(*os.File), f.out.(*os.File)
	cmd := exec.CommandContext(ctx, self, "demo", "--lang", f.config.Lang)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, out
	failed := cmd.Run()
	_, _ = fmt.Fprint(out, "\n[enter] ")
	_, _ = bufio.NewReader(in).ReadString('\n') // any answer goes on
	return failed
}
