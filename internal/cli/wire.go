package cli

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/agent"
	"nebula/internal/config"
	"nebula/internal/gate"
	"nebula/internal/index"
	"nebula/internal/lists"
	"nebula/internal/lsp"
	"nebula/internal/mcp"
	"nebula/internal/model"
	"nebula/internal/phrase"
	"nebula/internal/prompt"
	"nebula/internal/record"
	"nebula/internal/redact"
	"nebula/internal/task"
	"nebula/internal/tool"
	"nebula/internal/workspace"
)

// An openSession is one session in the folder.
type openSession struct {
	*agent.Session
	*project
	jobs    *workspace.Jobs
	resumed bool
	others  *aides // whom it can have do parts of its work; nil for nobody
}

// A project is the folder with everything in it that sessions share: it is opened once, so that whoever changes a file
// waits for the others, and what works in the background goes on when the person turns to another session.
type project struct {
	work *workspace.Dir
	code *index.Index
	loop *task.Loop

	servers *mcp.Hub // nil where none are set up

	denied *denied // nil until a session is made

	languages *lsp.Hub // nil where servers of languages are not asked
	secret    func(path string) bool

	steps *agent.Setup // of the steps' sessions, but for what their plan runs with; set before the loop has a conversation
}

// prepare opens what every session of this call shares.
func (s *session) prepare(ctx context.Context) (err error) {
	if err = s.unencrypted(ctx); err != nil {
		return err
	}
	if s.models, s.closing, err = s.replies(); err != nil {
		return err
	}
	if s.resume || s.id != "" {
		s.store, err = s.open(ctx, s.config)
		return err
	}
	if _, err := s.models.named(s.config.Model); err != nil {
		return err // before anything is made or recorded
	}
	s.store, err = s.open(ctx, s.config)
	return err
}

// close puts away what prepare opened, when nothing more follows in this process. The record stays open until the
// process ends: what was acknowledged is on disk, and closing would have SQLite copy its log into the database first,
// which takes longer than everything else here together. The log is copied when it has grown, or by the next command
// that closes.
func (s *session) close() error {
	var errs []error
	if s.project != nil {
		s.project.loop.Close()
		if s.project.servers != nil {
			s.project.servers.Close()
		}
		if s.project.languages != nil {
			s.project.languages.Close()
		}
		_ = s.project.code.Close() // it can be made again
		errs = append(errs, s.project.work.Close())
		s.project = nil
	}
	if s.closing != nil {
		errs = append(errs, s.closing())
	}
	return errors.Join(errs...)
}

// shut closes the record, in a process that goes on.
//
//go:noinline
func (s *session) shut() error {
	if s.store == nil {
		return nil
	}
	return s.store.Close()
}

// enter opens the folder, unless it is open. Who begins sessions side by side has it open before.
func (s *session) enter() (*project, error) {
	if s.project != nil {
		return s.project, nil
	}
	work, err := s.folder()
	if err != nil {
		return nil, err
	}
	at := &project{work: work, code: s.code(work), servers: s.hub(work), languages: s.languages(work)}
	at.loop = s.background(at)
	s.project = at
	return at, nil
}

// folder opens the folder as one of those that change it.
func (s *session) folder() (*workspace.Dir, error) {
	if own := s.config.Home.Holds(s.dir); own != "" {
		return nil, fail(exitNoFolder, "%s holds nebula's own settings and record, which no session works in; choose another folder with -C", own)
	}
	work, err := workspace.Open(s.dir, s.store, s.own()...)
	if err != nil {
		return nil, fail(exitNoFolder, "%w", err)
	}
	if err := s.widen(work); err != nil {
		return nil, errors.Join(err, work.Close())
	}
	if s.buffers != nil {
		work.In(s.buffers)
	}
	work.Guarded()
	work.Hold(s.config.Home.Held(), s.config.Home.Guarded(s.env, s.dir)...)
	if err := work.Share(s.config.Home.Database() + ".writing"); err != nil {
		s.warn("other nebulas in this folder do not wait for this one: %w", err)
	}
	work.Cover(s.config.Home.Database()+".images", int64(s.config.UndoDisk)<<20)
	if s.broad != "" {
		work.Forgo()
	}
	s.confine(work)
	return work, nil
}

// begin opens a session in the folder, a new one for id "".
func (s *session) begin(ctx context.Context, id string) (*openSession, error) {
	at, err := s.enter()
	if err != nil {
		return nil, err
	}
	setup := s.setup(s.models, at, id)
	setup.Tools = append(append(setup.Tools, at.foreign()...), s.online(at.work)...)
	if err := s.tune(&setup); err != nil {
		return nil, err
	}
	if setup.Prompt.Memory, err = s.memory(ctx, s.store, s.dir, id); err != nil {
		return nil, err
	}
	s.unsent(setup.Prompt)
	setup.Finds = s.finds(at)
	others := s.aides(at)
	at.join(&setup, s.waits, others)
	s.learn(&setup, at.work)
	var d *openSession
	jobs := at.work.Jobs(filepath.Join(s.config.Home.State, "jobs"), func(j *workspace.Job) {
		said := phrase.Said(tool.Notice(j))
		_ = d.Send(ctx, nebula.Inform{Bodies: []nebula.Body{nebula.Noted{Level: "info", Text: phrase.Told(s.config.Lang, said), Code: said}}}) // it may be over
	})
	setup.Tools, setup.Jobs = tool.Background(setup.Tools, jobs), tool.JobControl{Jobs: jobs}
	inner, err := agent.Open(ctx, setup, id)
	if err != nil {
		return nil, err
	}
	d = &openSession{inner, at, jobs, id != "", others}
	if err := errors.Join(s.fit(ctx, d), s.lead(ctx, d)); err != nil {
		return nil, errors.Join(err, d.leave())
	}
	if err := s.uncut(ctx, id); err != nil {
		return nil, errors.Join(err, d.leave())
	}
	at.loop.Attach(inner)
	if s.broad == "" {
		at.code.Warm(settling)
	}
	return d, nil
}

// foreign are the tools of other programs.
//
//go:noinline
func (at *project) foreign() (list []nebula.Tool) {
	if at.servers != nil {
		list = at.servers.Tools()
	}
	if at.languages != nil {
		list = append(list, at.languages.Tools(at.read, at.definition)...)
	}
	return list
}

// uncut warns of a continued session whose end is not what was written.
func (s *session) uncut(ctx context.Context, id string) error {
	if id == "" {
		return nil
	}
	cut, err := record.Auditor{Store: s.store, Heads: heads(s.config)}.Cut(ctx, id)
	if cut != nil {
		s.warn("%w", cut)
	}
	return err
}

// fit brings a continued session under the approval that holds now: an earlier, looser word does not carry over.
//
//go:noinline
func (s *session) fit(ctx context.Context, d *openSession) error {
	if !d.resumed {
		return nil
	}
	return d.Send(ctx, nebula.Switch{Approve: s.config.Approve})
}

// lead brings what works in the background under the mode and the policy of the session that the person turns to.
func (s *session) lead(ctx context.Context, d *openSession) error {
	st, err := d.Status(ctx)
	if err != nil {
		return err
	}
	return d.loop.Follow(ctx, nebula.Switched{Mode: st.Mode, Model: st.Model, Protocol: st.Protocol, Approve: s.config.Approve})
}

func (s *session) setup(models *models, at *project, id string) agent.Setup {
	work, code := at.work, at.code
	begin := nebula.Started{Dir: s.dir, Lang: s.config.Lang}
	if id == "" || s.given["model"] != "" {
		begin.Model = s.config.Model
	}
	if id == "" || s.given["protocol"] != "" {
		begin.Protocol = s.config.Protocol
	}
	if id == "" || s.given["mode"] != "" || s.planOnly() {
		begin.Mode = s.config.Mode
	}
	known := s.skills()
	options := tool.Options{Pass: s.config.Environment, Tests: s.config.Tests, Secrets: secrets(s.config), Secret: protection(s.config.Protection).Secret, Fills: gate.Matches, Selects: protection(s.config.Protection).Selects, Reads: gate.ReadsFiles, Notes: s.notebook(), Boxed: work.Confines(), Code: code, Found: s.config.Budget.Search, Count: model.Estimate}
	if known != nil {
		options.Skills = known
	}
	if at.secret = options.Secret; at.languages != nil {
		options.Rename = renamer{at}
	}
	tools := tool.All(work, options)
	prefix := ""
	if s.actions != nil {
		prefix = nebula.PlanPrefix
	}
	return agent.Setup{
		Store:    s.store,
		Prefix:   prefix,
		Model:    models.named,
		Declared: models.declared,
		Fallback: s.config.InPlace,
		Protocol: (&chooser{store: s.store, bare: !s.config.Examples}).speak,
		Tools:    tools,
		Shell:    "executeShell",
		Restore:  work.Restore,
		Ready:    work.Ready, Idle: work.Idle,
		Remains: work.Left,
		Views:   work.ExpectsView,
		Unboxed: !work.Confines(),
		Prompt:  &prompt.Builder{Facts: facts(work), Count: model.Estimate, Aliases: s.config.Aliases},
		Approve: gate.Approve(s.config.Approve),
		Rules:   s.rulebook(),
		Begin:   begin,
		Redact:  models.redactor.Body,
		Secrets: func() agent.Secrets { return workspace.NewSecrets(work) },
		Hidden:  redact.Hidden,
		Alone:   s.alone,

		Checkable: func() bool { return checkable(tools) },
		Evidence:  s.evidence(code),
		Advice:    s.advice(work), Unsaid: s.unsaid,
		Brings: s.brought,
		Expand: s.expand(s.included(work)),
		Skills: known.offers(),
		Fits:   tool.Fits,
		Script: func(file string) string {
			data, _, _ := work.Read(file, longestScript) // what cannot be read says nothing
			return string(data)
		},
		Hooks: s.hooks(work, at.holds(s.dir)), Denies: s.denies(at.holds(s.dir)),
		Stale: stale(work), Moved: moved(work),
		Named: aliased(work),
	}
}

// longestScript is how much of a script is looked at before it runs.
const longestScript = 256 << 10

// checkable reports whether the project has tests: whether they would be found without being named.
func checkable(tools []nebula.Tool) bool {
	for _, t := range tools {
		if t.Spec().Answers("runTests") {
			_, err := t.Propose(context.Background(), nebula.Action{ID: "a0", Tool: t.Spec().Name, Args: []byte(`{}`)}, nebula.View{})
			return err == nil
		}
	}
	return false
}

// planOnly reports whether the folder's own settings allow planning only, which holds for continued sessions too.
func (s *session) planOnly() bool {
	v, _ := s.config.Value("mode")
	return v.Source == config.ProjectFile(s.dir)
}

// own are nebula's files, which no tool reaches wherever they are.
func (s *session) own() []string {
	h := s.config.Home
	own := append([]string{h.Settings, h.Record, h.State}, s.hidden...)
	if s.config.Heads != "" {
		own = append(own, s.config.Heads)
	}
	return lists.Compact(own)
}

// secrets are the keys of every provider: no command sees them, and they are written down and shown nowhere.
func secrets(c config.Config) []string {
	list := append(searchKeys(c), password(c.RecordURL)...)
	if c.FleetKey.Set() {
		list = append(list, c.FleetKey.Reveal())
	}
	for _, name := range model.Providers() {
		for _, variable := range model.KeyNames(name) { // what is not used is as secret
			if key, _ := c.Credential(name, variable); key.Reveal() != "" && !lists.Has(list, key.Reveal()) {
				list = append(list, key.Reveal())
			}
		}
	}
	for _, p := range c.Providers {
		key, _ := c.Credential(p.Name, model.KeyNames(p.Name)...)
		for _, k := range []config.Secret{key, p.Key} {
			if k.Reveal() != "" && !lists.Has(list, k.Reveal()) {
				list = append(list, k.Reveal())
			}
		}
	}
	return list
}

// redactor knows what is written down, sent and shown nowhere: the keys, and what the environment names as one of some other program.
func (p *program) redactor(c config.Config) redact.Redactor {
	list := secrets(c)
	for _, variable := range p.whole() {
		name, value, _ := strings.Cut(variable, "=")
		if sealed(name) && !strings.ContainsAny(value[:min(1, len(value))], "/~.") { // a path leads to one
			list = append(list, value)
		}
	}
	return redact.New(lists.Drop(list, phrase.IsExample))
}

// sealed reports whether a variable is named as what nobody may read is.
func sealed(name string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc([]string{"_KEY", "_TOKEN", "_SECRET", "_PASSWORD", "_PASSWD", "_PAT", "_CREDENTIALS"}, func(end string) bool { return strings.HasSuffix(name, end) })
}

// bare reports whether the session goes without what the person or the folder added: it would not be the same elsewhere.
//
//go:noinline
func (s *session) bare() bool { return s.clean || s.record != "" || s.replay != "" }

// leave ends the session, if it has not ended. The error is what broke it.
func (d *openSession) leave() error {
	_ = d.Send(context.Background(), nebula.Close{}) // Wait tells how it ended
	defer d.jobs.Close()
	return d.Wait()
}
