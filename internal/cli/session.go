package cli

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"nebula"
	"nebula/internal/answer"
	"nebula/internal/config"
	"nebula/internal/headless"
	"nebula/internal/lists"
	"nebula/internal/mcp"
	"nebula/internal/model"
	"nebula/internal/phrase"
	"nebula/internal/record"
	"nebula/internal/sqlite"
	"nebula/internal/workspace"
)

// A session holds the flags that run and an interactive session share, and what was opened for them.
type session struct {
	*program
	given    map[string]string // settings' flags, by name
	output   string
	resume   bool
	id       string
	again    string // the session of --resume: its ID, or chosen
	record   string
	replay   string
	dir      string
	inline   bool
	broad    string   // why the folder is not gone through unasked; empty for a project's
	first    string   // the request to begin with
	images   []string // files of --image
	attached []nebula.Image
	keys     *os.File
	page     *os.File // where the person types, and what they look at

	fitting string                                                 // --schema: the file that says what the answer has to be
	schema  *answer.Schema                                         // what it holds; nil for any answer
	began   bool                                                   // a turn was begun, which says itself how it ends
	plans   bool                                                   // run --plan: the request is a goal to plan for
	actions []nebula.Action                                        // carried out in the place of a request
	cutOff  string                                                 // what becomes of commands of a plan that were cut off
	alone   bool                                                   // nobody is there to answer
	clean   bool                                                   // nothing that the person or the folder added takes part: a measurement
	hidden  []string                                               // further folders of nebula's, which nothing reaches
	waits   bool                                                   // what runs in the background is waited for: nobody stays to see it
	draft   *nebula.Plan                                           // the plan that is to run, where nobody approved it
	agreed  bool                                                   // the person approved the plan that is to run
	heard   func(context.Context, headless.Question) nebula.Answer // what a person said before, where nobody is there; nil for nothing
	lent    []mcp.Server                                           // of an editor's
	buffers workspace.Buffers                                      // likewise; nil without one

	config  config.Config
	store   nebula.Store
	models  *models
	closing func() error

	hooksTold sync.Once // what of the hooks was left out

	project *project // the folder, once it is open
}

// flags declares them. Settings are checked where all settings are.
func (s *session) flags(f *pflag.FlagSet) {
	for set := range config.Settings() {
		if set.Flag != "" {
			f.VarP(&word{kind: kinds[set.Kind], list: set.Kind == config.List}, set.Flag, shorthands[set.Flag], tongue(nil).describe(set))
		}
	}
	f.StringArrayVar(&s.images, "image", nil, "show the model the picture in `FILE`, with run and -p")
	f.BoolVarP(&s.resume, "continue", "c", false, "go on with this folder's last session")
	f.StringVarP(&s.id, "session", "s", "", "go on with the session `ID`")
	f.StringVar(&s.record, "record", "", "write what the model says to `FILE`")
	f.StringVar(&s.replay, "replay", "", "take what the model says from `FILE`")
}

// shorthands are the settings' flags that have a letter.
var shorthands = map[string]string{"model": "m"}

// A word is the value of a setting's flag as it was typed; its kind stands for it in the help.
type word struct {
	text, kind string
	list       bool // each time that it is given adds to it: folders
}

// String implements pflag.Value.
func (w *word) String() string { return w.text }

// Set implements pflag.Value.
func (w *word) Set(text string) error {
	if abs, err := filepath.Abs(text); w.list && err == nil && text != "" {
		if text = abs; w.text != "" {
			text = w.text + "," + text
		}
	}
	w.text = text
	return nil
}

// Type implements pflag.Value.
func (w *word) Type() string { return w.kind }

var kinds = map[config.Kind]string{
	config.Text: "NAME", config.Choice: "WORD", config.Count: "N", config.Amount: "USD", config.Duration: "TIME", config.List: "DIR",
}

// chosen is --resume without an ID: the person chooses.
const chosen = "true"

// A later is the value of --resume: pflag shows none of what stands for a missing ID where the flag is a switch.
type later struct{ id *string }

// String implements pflag.Value.
func (l later) String() string {
	if l.id == nil {
		return ""
	}
	return *l.id
}

// Set implements pflag.Value.
func (l later) Set(text string) error { *l.id = text; return nil }

// Type implements pflag.Value.
func (l later) Type() string { return "bool" }

// resumed takes the session that --resume names out of the words: its ID may stand apart, as other programs have it.
func (s *session) resumed(args []string) []string {
	switch {
	case s.again == chosen && len(args) > 0 && phrase.ASCII(args[0]) && !strings.ContainsAny(args[0], " \n"):
		s.id, s.again, args = args[0], "", args[1:]
	case s.again != chosen && s.again != "":
		s.id, s.again = s.again, ""
	}
	return args
}

// settle reads the settings for a command with session flags.
func (s *session) settle(c *cobra.Command) error {
	s.given = map[string]string{}
	for set := range config.Settings() {
		if f := c.Flags().Lookup(set.Flag); set.Flag != "" && f != nil && f.Changed {
			s.given[set.Flag] = f.Value.String()
		}
	}
	if s.resume && s.id != "" {
		return usage("--continue and --session name two sessions; give one of them")
	}
	if s.again == chosen && !s.inTerminal {
		return usage("--resume without an ID needs a terminal to choose in; name the session, or use --continue for the last one")
	}
	if s.record != "" && s.replay != "" {
		return usage("--record and --replay exclude each other; give one of them")
	}
	dir, err := folder(s.at)
	if err != nil {
		return err
	}
	s.dir = dir
	if s.config, err = s.settings(dir, s.given); err != nil {
		return err
	}
	s.broad = s.program.broad(dir)
	return nil
}

// settleModel reads them for a command that asks a model.
func (s *session) settleModel(c *cobra.Command) error {
	err := s.settle(c)
	if err == nil && s.replay == "" && !s.resume && s.id == "" {
		s.openAhead(c.Context(), s.config)
		s.config = s.nearby(c.Context(), s.config)
	}
	return err
}

// settings loads them and tells what was left out.
func (p *program) settings(dir string, flags map[string]string) (config.Config, error) {
	if err := p.putBack(); err != nil {
		return config.Config{}, err
	}
	if lang := langFlag(p.args); lang != "" && flags["lang"] == "" { // every command takes it
		flags = maps.Clone(flags)
		if flags == nil {
			flags = map[string]string{}
		}
		flags["lang"] = lang
	}
	c, err := config.Load(config.Input{Env: p.env, Dir: dir, Flags: flags, Terminal: p.person()})
	if err != nil {
		return c, err
	}
	p.handed.Do(func() { err = p.handOver(c.RecordURL) })
	if err != nil {
		return c, err
	}
	for _, w := range c.Warnings {
		p.warn("%s", w)
	}
	for _, q := range c.Providers {
		if q.KeyEnv != "" {
			_ = os.Unsetenv(q.KeyEnv) // p.env still has it, and nothing that is started inherits it
		}
	}
	return p.assumed(p.withKept(c)), nil
}

// assumed begins with a model of the provider that there is a key for, where nobody chose a model, and says so at the
// first start.
func (p *program) assumed(c config.Config) config.Config {
	if c.Provider != "" {
		return c
	}
	settings := known(c, p.env, p.words)
	name, from := model.First(settings)
	if name == c.Model || from == "" {
		return c
	}
	if strings.Contains(from, "_") {
		from = "env " + from
	}
	before := c.Model
	if c = c.Assume("model", name, from); c.Model != before && !exists(c) {
		p.warn("the model is %s, since there is a key for it (%s); nebula config set model NAME chooses another", name, p.tongue().source(from))
	}
	return c
}

// folder is the absolute path of the folder to work in.
func folder(dir string) (string, error) {
	if dir == "" {
		here, err := os.Getwd()
		if err != nil {
			return "", fail(exitNoFolder, "the folder you are in does not exist any more; change to another one or use --dir")
		}
		dir = here
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", usage("--dir %s: %v", dir, err)
	}
	info, err := os.Stat(abs)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", fail(exitNoFolder, "folder %s does not exist; make it or name another with --dir", abs)
	case err != nil:
		return "", fail(exitNoFolder, "folder %s cannot be opened (%v); name another with --dir", abs, errors.Unwrap(err))
	case !info.IsDir():
		return "", fail(exitNoFolder, "%s is not a folder; name one with --dir", abs)
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real // one folder is one folder, however it was come to
	}
	return abs, nil
}

// open opens the record and says what was found amiss with it.
func (p *program) open(ctx context.Context, c config.Config) (nebula.Store, error) {
	if c.RecordURL.Set() {
		return p.opened(ctx, c, c.RecordURL.Reveal())
	}
	begun := p.ahead
	if p.ahead = nil; begun == nil {
		begun = func() (*sqlite.Store, error) { return onDisk(ctx, c) }
	}
	store, err := begun()
	if err != nil {
		return nil, err
	}
	if n := store.Opened().Notice; n.Format != "" {
		p.warn("%s", n)
	}
	p.damaged = p.damaged || store.Opened().Damaged
	return store, nil
}

func onDisk(ctx context.Context, c config.Config) (*sqlite.Store, error) {
	return sqlite.Open(ctx, c.Home.Database(), sqlite.Options{Heads: heads(c)})
}

// openAhead begins to open the record that there is, and what else a session's beginning would have to wait for, while servers are asked
// for their models and the folder is looked at.
func (p *program) openAhead(ctx context.Context, c config.Config) {
	go record.Ready()
	if c.RecordURL.Set() || !exists(c) {
		return
	}
	open := sync.OnceValues(func() (*sqlite.Store, error) { return onDisk(ctx, c) })
	p.ahead = open
	go func() {
		if store, err := open(); err == nil {
			store.Ready(ctx)
		}
	}()
}

// exists reports whether there is a record at all, so that looking at it does not make one.
func exists(c config.Config) bool {
	if c.RecordURL.Set() {
		return true // whether it can be reached is said where it is opened
	}
	_, err := os.Stat(c.Home.Database())
	return err == nil
}

// choose is the id of the session to go on with; empty for a new one.
func (s *session) choose(ctx context.Context, store nebula.Store) (string, error) {
	switch {
	case s.id != "":
		info, err := find(ctx, store, s.id)
		if err != nil {
			return "", err
		}
		if info.Dir != s.dir {
			return "", usage("session %s belongs to %s; go on with it there, or add --dir %s", info.ID, info.Dir, info.Dir)
		}
		return info.ID, nil
	case s.resume:
		list, err := store.Sessions(ctx, s.dir)
		if err != nil {
			return "", err
		}
		if len(list) == 0 {
			return "", usage("no earlier session in %s; leave --continue out", s.dir)
		}
		return list[0].ID, nil
	}
	return "", nil
}

// there is the session that was named, if one was, or why it cannot be gone on with.
func (s *session) there(ctx context.Context) (info nebula.SessionInfo, err error) {
	switch {
	case s.id == "":
		return info, nil
	case !exists(s.config):
		return info, usage("no session %q; nebula sessions --all lists them", s.id)
	}
	err = s.consult(ctx, func(store nebula.Store) error {
		info, err = find(ctx, store, s.id)
		return err
	})
	return info, err
}

// consult opens the record for a question about it.
func (s *session) consult(ctx context.Context, ask func(nebula.Store) error) error {
	store, err := s.open(ctx, s.config)
	if err != nil {
		return err
	}
	return errors.Join(ask(store), store.Close())
}

// find looks a session up by its id or the beginning of it, and names the nearest when there is none.
func find(ctx context.Context, store nebula.Store, id string) (nebula.SessionInfo, error) {
	info, err := store.Find(ctx, id)
	if !errors.Is(err, nebula.ErrNoSession) {
		return info, err
	}
	list, listErr := store.Sessions(ctx, "")
	if listErr != nil {
		return info, listErr
	}
	ids := make([]string, len(list))
	for i, s := range list {
		ids[i] = s.ID
	}
	if near := config.Nearest(id, ids); near != "" {
		return info, usage("no session %q; did you mean %s?", id, near)
	}
	return info, usage("no session %q; nebula sessions --all lists them", id)
}

// completions offers the values of flags to a shell.
func (s *session) completions(c *cobra.Command) {
	fixed := func(names ...string) cobra.CompletionFunc {
		return cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)
	}
	offer := func(flag string, f cobra.CompletionFunc) { _ = c.RegisterFlagCompletionFunc(flag, f) }
	for set := range config.Settings() {
		if set.Flag != "" && set.Kind == config.Choice {
			offer(set.Flag, fixed(set.Choices...))
		}
	}
	offer("session", s.sessionIDs)
	offer("model", s.modelNames)
}

// sessionIDs completes sessions of this folder.
func (p *program) sessionIDs(c *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	dir, err := folder(p.at)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	conf, err := config.Load(config.Input{Env: p.env, Dir: dir})
	if err != nil || !exists(conf) || p.handOver(conf.RecordURL) != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	store, err := p.open(c.Context(), conf)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defer store.Close()
	list, _ := store.Sessions(c.Context(), dir)
	var ids []string
	for _, s := range list {
		if strings.HasPrefix(s.ID, begun) {
			ids = append(ids, s.ID+"\t"+s.Title)
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// modelNames completes the models that are set up.
func (p *program) modelNames(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	conf, err := config.Load(config.Input{Env: p.env})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	names := []string{conf.Model, conf.ComplexModel}
	for _, q := range conf.Providers {
		names = append(names, q.Models...)
	}
	names = lists.Drop(names, func(n string) bool { return !strings.HasPrefix(n, begun) })
	slices.Sort(names)
	return lists.Compact(names), cobra.ShellCompDirectiveNoFileComp
}
