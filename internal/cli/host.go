package cli

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/lists"
	"nebula/internal/model"
	"nebula/internal/tool"
	"nebula/internal/workspace"
)

// A host is what every front end works on. What it needs is opened when it is first asked for, so that the person can
// begin to type at once. It implements nebula.Host.
type host struct {
	*session
	far    nebula.Host // of another process, which is shown in the place of this one; nil for none
	mu     sync.Mutex
	ready  bool
	opened []*openSession

	doubted string // a key that could not be tried
}

var _ nebula.Host = (*host)(nil)

// shown is what a front end works on.
func (h *host) shown() nebula.Host {
	if h.far != nil {
		return h.far
	}
	return h
}

// prepared opens what sessions share, once it can be opened.
func (h *host) prepared(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ready {
		return nil
	}
	if h.store != nil {
		_, err := h.models.named(h.config.Model)
		h.ready = err == nil
		return err
	}
	err := h.prepare(ctx)
	h.ready = err == nil
	return err
}

// seat opens a session that is left with the host.
func (h *host) seat(ctx context.Context, id string) (*openSession, error) {
	if err := h.prepared(ctx); err != nil {
		return nil, err
	}
	h.mu.Lock()
	_, err := h.enter()
	h.mu.Unlock()
	if err != nil {
		return nil, err
	}
	d, err := h.begin(ctx, id)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.opened = append(h.opened, d)
	return d, nil
}

// leave ends the sessions that have not ended. The error is what broke one.
func (h *host) leave() (err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, d := range h.opened {
		err = errors.Join(err, d.leave())
	}
	h.opened = nil
	return err
}

// cancel ends what is under way in the open sessions, and reports whether there is one.
func (h *host) cancel(signal string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, d := range h.opened {
		_ = d.Send(context.Background(), nebula.Cancel{Signal: signal}) // it is taking commands or has ended
	}
	return len(h.opened) > 0
}

// conversation is an open session by its id.
func (h *host) conversation(id string) (*openSession, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, d := range slices.Backward(h.opened) {
		if d.ID() == id {
			return d, nil
		}
	}
	return nil, nebula.Errorf("session %s: %w", id, nebula.ErrNoSession)
}

// Folder implements nebula.Host.
func (h *host) Folder(context.Context) (nebula.Folder, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.config
	return nebula.Folder{
		Dir: h.dir, Branch: branch(h.dir), Empty: h.empty(), Note: h.broad, Model: c.Model, Protocol: c.Protocol, Mode: c.Mode, Approve: c.Approve,
		Protocols: language.Choices(), Providers: model.KeySources(),
	}, nil
}

// branch is what a folder's repository is on: a branch's name, or the beginning of a commit's; empty where that is not told.
func branch(dir string) string {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return ""
	}
	defer root.Close()
	f, err := root.Open(".git/HEAD")
	if err != nil {
		return ""
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 1000))
	text := strings.TrimSpace(string(head))
	if name, ok := strings.CutPrefix(text, "ref: refs/heads/"); ok && err == nil {
		return name
	}
	if _, bad := hex.DecodeString(text); bad != nil || err != nil || len(text) < 40 {
		return ""
	}
	return text[:7]
}

// Open implements nebula.Host.
func (h *host) Open(ctx context.Context, id string) (_ nebula.Conversation, err error) {
	defer h.translate(&err)
	d, err := h.seat(ctx, id)
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Sessions implements nebula.Host. There are none where nothing was ever recorded.
func (h *host) Sessions(ctx context.Context, words string) (_ []nebula.SessionInfo, err error) {
	defer h.translate(&err)
	if !exists(h.config) {
		return nil, nil
	}
	if err := h.prepared(ctx); err != nil {
		return nil, err
	}
	list, err := h.store.Sessions(ctx, h.dir)
	return lists.Drop(list, func(s nebula.SessionInfo) bool {
		return slices.ContainsFunc(strings.Fields(words), func(w string) bool {
			return !strings.Contains(strings.ToLower(s.Title), strings.ToLower(w))
		})
	}), err
}

// Plans implements nebula.Host.
func (h *host) Plans(ctx context.Context) (_ []nebula.PlanInfo, err error) {
	defer h.translate(&err)
	if !exists(h.config) {
		return nil, nil
	}
	if err := h.prepared(ctx); err != nil {
		return nil, err
	}
	return h.store.Plans(ctx, h.dir)
}

// Models implements nebula.Host.
func (h *host) Models(ctx context.Context) ([]nebula.ModelInfo, error) { return h.usable(ctx) }

// Settings implements nebula.Host.
func (h *host) Settings(ctx context.Context, args []string) (string, error) {
	return h.configure(ctx, args)
}

// Status implements nebula.Host.
func (h *host) Status(ctx context.Context, session string) (string, error) {
	d, err := h.conversation(session)
	if err != nil {
		return "", err
	}
	st, err := d.Session.Status(ctx)
	return st.Text(h.config.Lang) + h.lending(d) + h.besides(d), err
}

// Undoable implements nebula.Host.
func (h *host) Undoable(ctx context.Context, session string, redo bool) (nebula.Undoable, error) {
	d, err := h.conversation(session)
	if err != nil {
		return nebula.Undoable{}, err
	}
	turn, err := d.Session.Undoable(ctx, redo)
	if err != nil || turn.Turn == 0 {
		return nebula.Undoable{}, err
	}
	diff, files, _, err := tool.TakenBack(ctx, d.work, turn.Changes)
	return nebula.Undoable{Turn: turn.Turn, Files: files, Diff: diff}, err
}

// Model implements nebula.Host.
func (h *host) Model(_ context.Context, name string) (nebula.ModelInfo, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, info, err := resolve(h.config, h.env, h.words, name)
	if err != nil {
		return nebula.ModelInfo{Name: name}, nil
	}
	return info, nil
}

// filesMax is how many files are offered for completion.
const filesMax = 20_000

// Files implements nebula.Host.
func (h *host) Files(ctx context.Context) (_ []string, err error) {
	defer h.translate(&err)
	if err := h.prepared(ctx); err != nil {
		return nil, err
	}
	work, err := workspace.Open(h.dir, h.store, h.own()...)
	if err != nil {
		return nil, err
	}
	defer work.Close()
	if err := h.widen(work); err != nil {
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

// Image implements nebula.Host.
func (h *host) Image(_ context.Context, path string) (img nebula.Image, err error) {
	defer h.translate(&err)
	if img, err = h.picture(path); err != nil {
		return img, nebula.Errorf("%s is not shown: %w", path, cause(err))
	}
	return img, nil
}

// Keep implements nebula.Host. What sessions begin with holds for those of this run too.
func (h *host) Keep(ctx context.Context, key, value string) (err error) {
	defer h.translate(&err)
	if name, ok := strings.CutPrefix(key, "providers."); ok {
		return h.setKey(ctx, strings.TrimSuffix(name, ".key"), value)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	switch key {
	case "model":
		h.config.Model, h.ready = value, false
	case "protocol":
		h.config.Protocol = value
	}
	return setting(h.config.Home, key, value)
}

// setKey keeps a provider's key that works, as a login does, and looks anew at what can be reached. One that could not be tried is
// kept when it is given again.
func (h *host) setKey(ctx context.Context, name, text string) error {
	key, err := readKey(text)
	if err != nil {
		return err
	}
	h.mu.Lock()
	conf, again := h.config, h.doubted == key
	h.mu.Unlock()
	untried, err := h.tryKey(ctx, conf, name, key)
	h.mu.Lock()
	defer h.mu.Unlock()
	if err == nil && untried != nil && !again {
		h.doubted = key
		err = nebula.Errorf("the key could not be tried: %w; give it again to keep it all the same", untried)
	}
	if err != nil {
		return err
	}
	if _, err := keepKey(conf, name, key); err != nil {
		return err
	}
	if conf.PlugIn(name).Key.Set() { // it would go over the new one
		if err := setting(conf.Home, "providers."+name+".key", ""); err != nil {
			return err
		}
	}
	c, err := h.settings(h.dir, h.given)
	if err != nil {
		return err
	}
	h.config = c
	h.models = newModels(h.program, c)
	h.ready = false
	return nil
}
