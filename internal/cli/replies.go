package cli

import (
	"cmp"
	"context"
	"errors"
	"os"
	"sync"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/model"
	"nebula/internal/redact"
	"nebula/internal/task"
)

// Models are the models of a session by name, each made once so that its connection stays open.
type models struct {
	config config.Config
	env    config.Env
	say    model.Tongue
	wrap   func(nebula.Model) nebula.Model // records, where that was asked for
	only   nebula.Model                    // answers for every name, where a recording is replayed

	redactor redact.Redactor // knows the keys

	made sync.Map // the models, by name
	told sync.Map // their windows, as their servers declared them
}

func newModels(p *program, c config.Config) *models {
	m := &models{config: c, env: p.env, say: p.words, redactor: p.redactor(c)}
	for name, window := range p.windows {
		m.told.Store(name, window)
	}
	return m
}

// replies tells where replies come from: servers, recorded where that was asked for, or a recording.
func (s *session) replies() (m *models, closing func() error, err error) {
	m = newModels(s.program, s.config)
	closing = func() error { return nil }
	switch {
	case s.replay != "":
		m.only, err = s.player()
	case s.record != "":
		var f *os.File
		if f, err = s.recording(); err == nil {
			closing = f.Close
			m.wrap = func(made nebula.Model) nebula.Model { return model.Record(made, f) }
		}
	}
	return m, closing, err
}

// player answers from a recording, and tells where it is asked something else than was recorded.
func (s *session) player() (nebula.Model, error) {
	f, err := os.Open(s.replay)
	if err != nil {
		return nil, usage("recording %s: %v; name a file that --record wrote", s.replay, errors.Unwrap(err))
	}
	defer f.Close()
	player, err := model.Replay(f, model.ReplayOptions{Lang: s.config.Lang, Say: s.words, Diverged: func(d model.Divergence) { s.warn("%w", &d) }})
	if err != nil {
		return nil, usage("recording %s: %v; record it again with --record", s.replay, err)
	}
	return player, nil
}

// recording begins a file, or goes on with one when the session goes on. Nothing that is there is written over.
func (s *session) recording() (*os.File, error) {
	how := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if s.resume || s.id != "" {
		how = os.O_WRONLY | os.O_CREATE | os.O_APPEND
	}
	f, err := os.OpenFile(s.record, how, 0o600)
	switch {
	case errors.Is(err, os.ErrExist):
		return nil, usage("recording %s exists already; name another file, or remove it", s.record)
	case err != nil:
		return nil, fail(exitRecord, "recording %s: %v; name a file that can be written", s.record, errors.Unwrap(err))
	}
	return f, nil
}

// named gives the model that a name means.
func (m *models) named(name string) (nebula.Model, error) {
	if m.only != nil {
		return m.only, nil
	}
	if made, ok := m.made.Load(name); ok {
		return made.(nebula.Model), nil
	}
	at, info, err := resolve(m.config, m.env, m.say, name)
	if err != nil {
		return nil, err
	}
	made := model.Veil(model.New(at, info, model.Options{Say: m.say, Effort: m.config.EffortOf(name, info.Name), Attempts: m.attempts(name), Patience: cmp.Or(m.config.Patience, -1), Bounds: bounds(m.config.Limits)}), m.redactor)
	if m.wrap != nil {
		made = m.wrap(made)
	}
	first, _ := m.made.LoadOrStore(name, made)
	return first.(nebula.Model), nil
}

// ask asks a model once, and while it has no capacity the models in its place.
func (m *models) ask(ctx context.Context, name string, p nebula.Prompt, instead task.Instead) (r nebula.Reply, err error) {
	var failed *nebula.APIError
	for _, one := range append([]string{name}, m.config.InPlace(name)...) {
		made, wrong := m.named(one)
		if wrong != nil {
			if err == nil {
				err = wrong
			}
			continue
		}
		if failed != nil {
			instead(name, failed.Text, one)
		}
		r, err = nebula.Collect(made.Stream(ctx, p), nil)
		r.Usage.Cost = made.Info().Cost(r.Usage)
		api, ok := errors.AsType[*nebula.APIError](err)
		if !ok || api.Kind != "quota" && api.Kind != "server" {
			break
		}
		name, failed = one, api
	}
	return r, err
}

// attempts is how often a request is sent at most; 0 for as often as usual. Where another model stands ready, it is not waited long; one
// without a key does not.
func (m *models) attempts(name string) int {
	for _, other := range m.config.InPlace(name) {
		if _, _, err := resolve(m.config, m.env, m.say, other); err == nil {
			return 2
		}
	}
	return 0
}

// declared is the window that a model's server says it has; it is asked until it knows.
func (m *models) declared(ctx context.Context, name string) (window int, why string) {
	if window, ok := m.told.Load(name); ok {
		return window.(int), ""
	}
	at, _, err := resolve(m.config, m.env, m.say, name)
	if err != nil || m.only != nil {
		return 0, ""
	}
	window, wider := model.Declared(ctx, at, known(m.config, m.env, m.say))
	if window > 0 || model.Settles(at) {
		m.told.Store(name, window)
	}
	if wider.Format != "" {
		why = m.say.Words(wider)
	}
	return window, why
}

func bounds(l config.Limits) model.Bounds {
	return model.Bounds{Reply: cmp.Or(l.Reply, -1), Calls: cmp.Or(l.Calls, -1), Arguments: cmp.Or(l.Arguments, -1)}
}
