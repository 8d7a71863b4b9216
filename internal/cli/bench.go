package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/bench"
	"nebula/internal/config"
	"nebula/internal/gate"
	"nebula/internal/headless"
	"nebula/internal/language"
	"nebula/internal/lists"
	"nebula/internal/sqlite"
	"nebula/internal/workspace"
)

// A benching is one call of nebula bench.
type benching struct {
	*program
	protocols, names []string
	output, page     string
	set              bool
	most             float64 // US dollars of all of it; 0 is no limit

	config config.Config
	tasks  []bench.Task
	dir    string // where everything happens, and that is removed behind it
	spent  float64
}

func (p *program) benchCommand() *cobra.Command {
	b := &benching{program: p}
	c := &cobra.Command{
		Use:   "bench [MODEL…]",
		Short: "Measure how well models work in each protocol, with small tasks",
		Long: "Has each model do small tasks (Go, Python, JavaScript, Japanese texts, several files, long ones, traps) in each protocol, each in a\n" +
			"folder of its own that is removed afterwards. Commands run confined. A task whose check needs a program that is not there is\n" +
			"left out, and that is said. It ends with the setting that the figures speak for; --set keeps it. The record is not touched.",
		Example: "  nebula bench ollama/qwen3:8b --html bench.html\n  nebula bench gpt-4.1-nano gpt-4.1-mini --protocol symops,toolcall --task trap --set",
		RunE:    func(c *cobra.Command, args []string) error { return b.run(c.Context(), args) },
	}
	c.Flags().StringSliceVar(&b.protocols, "protocol", language.Names(), "the `NAMES` of the protocols")
	c.Flags().StringSliceVar(&b.names, "task", nil, "the `NAMES` of tasks, beginnings of them, or their kinds; all when not given")
	c.Flags().StringVar(&b.page, "html", "", "write a page with plots to `FILE`")
	c.Flags().BoolVar(&b.set, "set", false, "keep what the figures speak for in the settings")
	c.Flags().Float64Var(&b.most, "max-cost", 5, "end when this many `USD` were spent; 0 is no limit")
	oneOf(c, &b.output, "output", "o", "text", "what goes to standard output", "text", "json")
	_ = c.RegisterFlagCompletionFunc("protocol", cobra.FixedCompletions(language.Names(), cobra.ShellCompDirectiveNoFileComp))
	c.ValidArgsFunction = p.modelNames
	return c
}

func (b *benching) run(ctx context.Context, models []string) (err error) {
	if err := b.asked(); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	if b.dir, err = os.MkdirTemp("", "nebula-bench-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	if b.dir, err = filepath.EvalSymlinks(b.dir); err != nil {
		return err
	}
	if b.config, err = b.settings(b.dir, nil); err != nil {
		return err
	}
	if len(models) == 0 {
		models = []string{b.config.Model}
	}
	columns, err := b.measured(ctx, models)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return fail(exitSignal+int(syscall.SIGINT), "")
	}
	return b.tell(columns)
}

// asked checks what was asked for, before anything is made.
func (b *benching) asked() error {
	if err := choice("output", b.output, []string{"text", "json"}); err != nil {
		return err
	}
	for _, name := range b.protocols {
		if err := choice("protocol", name, language.Names()); err != nil {
			return err
		}
	}
	all, err := bench.Tasks()
	if err != nil {
		return err
	}
	tasks, unknown := bench.Select(all, b.names)
	if len(unknown) > 0 {
		return usage("--task: no task or kind %q; there are %s", unknown[0], strings.Join(kindsOf(all), ", "))
	}
	b.tasks = tasks
	return nil
}

func kindsOf(tasks []bench.Task) (list []string) {
	for _, t := range tasks {
		if !lists.Has(list, t.Kind) {
			list = append(list, t.Kind)
		}
	}
	return list
}

// measured are the columns, as far as they come.
func (b *benching) measured(ctx context.Context, models []string) (list []bench.Column, err error) {
	for _, name := range models {
		_, info, err := resolve(b.config, b.env, b.words, name)
		if err != nil {
			return nil, err
		}
		for _, protocol := range b.protocols {
			if protocol == language.Names()[0] && !info.Native {
				b.warn("%s takes no native calls: %s is left out", name, protocol)
				continue
			}
			c, err := b.column(ctx, name, protocol)
			if err != nil {
				return nil, err
			}
			list = append(list, c)
			if ctx.Err() != nil {
				return list, nil
			}
		}
	}
	return list, nil
}

// column has a model do all tasks in one protocol.
func (b *benching) column(ctx context.Context, name, protocol string) (c bench.Column, err error) {
	c = bench.Column{Model: name, Protocol: protocol}
	home := filepath.Join(b.dir, "home-"+strconv.Itoa(len(name))+"-"+protocol+"-"+nebula.Hash([]byte(name))[:8])
	conf := b.under(name, protocol, home)
	store, err := sqlite.Open(ctx, conf.Home.Database(), sqlite.Options{})
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	models := newModels(b.program, conf)
	for n, t := range b.tasks {
		if b.most > 0 && b.spent >= b.most {
			c.Broken = b.say("$%.2f were spent; --max-cost allows more", b.spent)
			break
		}
		s := &session{program: b.quiet(), config: conf, store: store, models: models, alone: true, clean: true, hidden: []string{b.config.Home.Record, b.config.Home.State},
			dir: filepath.Join(b.dir, fmt.Sprintf("work-%s-%d", nebula.Hash([]byte(name + protocol))[:8], n))}
		r, err := b.task(ctx, s, t)
		if err != nil {
			return c, err
		}
		if ctx.Err() != nil {
			c.Broken = b.say("it was stopped")
			break
		}
		c.Add(r)
		b.spent += r.Usage.Cost
		b.line(c, r)
		if r.Ended == nebula.APIFailed {
			c.Broken = r.Missed
			break
		}
	}
	spoken, err := store.Spoken(context.WithoutCancel(ctx), "", "")
	c.Heard(spoken)
	return c, err
}

// What a task may take that the settings do not bound.
const (
	benchSteps = 24
	benchTime  = 10 * time.Minute
	checkTime  = 2 * time.Minute
)

// under are the settings of a column: the person's, with a record of its own and nothing that they added.
func (b *benching) under(name, protocol, home string) config.Config {
	c := b.config
	c.Home.Record, c.Home.State = home, home
	c.Model, c.Protocol, c.Mode, c.Approve = name, protocol, nebula.AgentMode, string(gate.Edits)
	c.Folders, c.Tests, c.Environment, c.Heads, c.Sandbox = nil, "", nil, "", true
	if c.Limits.Steps == 0 {
		c.Limits.Steps = benchSteps
	}
	if c.Limits.Time == 0 || c.Limits.Time > benchTime {
		c.Limits.Time = benchTime
	}
	return c
}

// quiet is the program with nobody to hear it: what sessions warn of is no part of a measurement.
func (b *benching) quiet() *program {
	return &program{in: strings.NewReader(""), out: io.Discard, err: io.Discard, env: b.env, args: b.args}
}

// task has a model do one task, and looks at what came of it.
func (b *benching) task(ctx context.Context, s *session, t bench.Task) (r bench.Result, err error) {
	r = bench.Result{Task: t.Name, Kind: t.Kind}
	if _, err := exec.LookPath(t.Needs); t.Needs != "" && err != nil {
		r.Skipped = b.say("%s is not here", t.Needs)
		return r, nil
	}
	if err := laid(s.dir, t.Files); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	at, err := s.enter()
	if err != nil {
		return r, err
	}
	if t.Run != "" && !at.work.Confines() {
		r.Skipped = b.say("commands cannot be confined here")
		return r, nil
	}
	d, err := s.begin(ctx, "")
	if err != nil {
		return r, err
	}
	began := time.Now()
	end, err := headless.Run(ctx, d, headless.Request{Prompt: t.Ask, Output: headless.JSON, Stdout: io.Discard, Stderr: io.Discard, Lang: s.config.Lang, Approve: gate.Edits, Person: onlyFiles})
	r.Seconds, r.Ended, r.Steps, r.Usage = time.Since(began).Seconds(), end.Status, end.Steps, end.Usage
	if err = errors.Join(err, d.leave()); err != nil || ctx.Err() != nil {
		if ctx.Err() != nil {
			return r, nil
		}
		return r, err
	}
	missed, err := b.missed(ctx, at.work, s, t, end.Outcome)
	r.Missed, r.Solved = b.missing(missed), missed.Format == ""
	return r, err
}

// onlyFiles answers for the person: a task may do to its own folder's files what it likes, and nothing else that is asked about.
func onlyFiles(_ context.Context, q headless.Question) nebula.Answer {
	if q.Proposed.Proposal.Effect == nebula.Write && q.Asked.Question == nil {
		return nebula.Answer{Answer: nebula.Yes, By: nebula.Person}
	}
	return headless.Nobody(q)
}

// missing says what was missed, and nothing for nothing.
func (b *benching) missing(w nebula.Words) string {
	if w.Format == "" {
		return ""
	}
	return b.words(w)
}

// laid makes files in a folder.
func laid(dir string, files map[string]string) error {
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			return err
		}
	}
	return nil
}

// missed is why a task is not solved; nothing where it is.
func (b *benching) missed(ctx context.Context, work *workspace.Dir, s *session, t bench.Task, o nebula.Outcome) (nebula.Words, error) {
	if o.Status == nebula.APIFailed {
		return nebula.Say(strings.ReplaceAll(o.Text, "%", "%%")), nil
	}
	missed, err := t.Missed(os.DirFS(s.dir), o.Text)
	if err != nil || missed.Format != "" || t.Run == "" {
		return missed, err
	}
	if err := laid(s.dir, t.After); err != nil {
		return missed, err
	}
	p := nebula.Proposal{Action: nebula.Action{ID: "check"}, Effect: nebula.Execute, Command: t.Run}
	g := nebula.NewGrant("check", nebula.Person, p) // the check is nebula's own, in the box that holds what the model wrote
	if err := g.Open(p); err != nil {
		return missed, err
	}
	defer g.Close()
	ran, err := work.Run(ctx, g, workspace.Command{Line: t.Run, Timeout: checkTime, Secrets: secrets(s.config)}, nil)
	if err == nil && ran.Code != 0 {
		missed = nebula.Say("%s ended with %d", t.Run, ran.Code)
	}
	return missed, err
}

// line tells how a task went, while the others are to come.
func (b *benching) line(c bench.Column, r bench.Result) {
	mark, why := "✓", ""
	switch {
	case r.Skipped != "":
		mark, why = "–", r.Skipped
	case !r.Solved:
		mark, why = "✗", r.Missed
	}
	_, _ = fmt.Fprintln(b.err, strings.TrimRight(fmt.Sprintf("%s %s %-9s %-16s %5.1f s  %s", mark, c.Model, c.Protocol, r.Task, r.Seconds, why), " "))
}

// tell gives the figures, and what they speak for.
func (b *benching) tell(columns []bench.Column) error {
	best, found := bench.Best(columns)
	advice := b.say("nothing was solved: no setting can be recommended")
	if found {
		advice = b.say("recommended: %s with the protocol %s (%d of %d solved)", best.Model, best.Protocol, best.Solved, best.Tried)
	}
	rows := b.rows(columns)
	if b.page != "" {
		page := bench.Page(columns, rows, advice, b.config.Lang, b.words)
		if err := os.WriteFile(b.page, []byte(page), 0o644); err != nil {
			return fail(exitFailed, "--html %s: %w", b.page, cause(err))
		}
	}
	if err := b.figures(columns, rows, best, found); err != nil {
		return err
	}
	for _, c := range columns {
		if c.Broken != "" {
			b.warn("%s in %s is not at its end: %s", c.Model, c.Protocol, c.Broken)
		}
	}
	b.warn("%s", nebula.Say(strings.ReplaceAll(advice, "%", "%%")))
	if !found {
		return fail(exitFailed, "")
	}
	if !b.set {
		b.warn("nebula config set protocol %s keeps it; so does --set", best.Protocol)
		return nil
	}
	if err := setting(b.config.Home, "model", best.Model); err != nil {
		return err
	}
	return setting(b.config.Home, "protocol", best.Protocol)
}

func (b *benching) figures(columns []bench.Column, rows [][]string, best bench.Column, found bool) error {
	if b.output != "json" {
		return (&table{rows: rows}).print(b.out)
	}
	type advised struct {
		Model    string `json:"model"`
		Protocol string `json:"protocol"`
	}
	out := struct {
		Columns     []bench.Column `json:"columns"`
		Recommended *advised       `json:"recommended,omitempty"`
	}{Columns: columns}
	if found {
		out.Recommended = &advised{best.Model, best.Protocol}
	}
	enc := json.NewEncoder(b.out)
	enc.SetEscapeHTML(false)
	return enc.Encode(out)
}

// rows are the table, with its head.
func (b *benching) rows(columns []bench.Column) [][]string {
	rows := [][]string{strings.Split(b.say("model|protocol|solved|replies|strict|repaired|guessed|asked again|read|cached|written|USD|seconds"), "|")}
	for _, c := range columns {
		row := []string{c.Model, c.Protocol, fmt.Sprintf("%d/%d", c.Solved, c.Tried)}
		for _, n := range []int{c.Spoken.Replies, c.Spoken.Strict, c.Spoken.Repaired + c.Spoken.Corrected, c.Guessed(), c.Spoken.Failed, c.Usage.Input, c.Usage.Cached, c.Usage.Output} {
			row = append(row, strconv.Itoa(n))
		}
		rows = append(rows, append(row, fmt.Sprintf("%.4f", c.Usage.Cost), fmt.Sprintf("%.1f", c.Seconds)))
	}
	return rows
}
