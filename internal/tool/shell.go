package tool

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/workspace"
)

type executeShell struct {
	dir *workspace.Dir
	o   Options
}

// Spec implements nebula.Tool.
func (t *executeShell) Spec() nebula.ToolSpec {
	spec := nebula.ToolSpec{
		Name: "executeShell", Aliases: []string{"execute_shell", "run"},
		Description: "Run a shell command.",
		Params:      []nebula.Param{payload("command", ""), param("timeout", "number", false, "seconds")},
		Effect:      nebula.Execute,
	}
	if t.o.Jobs != nil {
		spec.Params = append(spec.Params, param("background", "string", false, "yes or tty: keeps running"))
	}
	if spec.Plans = t.o.Boxed; spec.Plans {
		spec.Params = append(spec.Params, param("outside", "boolean", false, "unconfined, if the user allows"), param("needs", "string", false, "host:port, /path"))
	}
	return spec
}

// Propose implements nebula.Tool.
func (t *executeShell) Propose(ctx context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct {
		Command string
		Timeout float64
		Outside bool
		Needs   string

		Background json.RawMessage
	}
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	limit, err := t.o.limit(in.Timeout)
	if err != nil {
		return nebula.Proposal{}, err
	}
	if in.Command, err = runnable(in.Command); err != nil {
		return nebula.Proposal{}, err
	}
	stands, err := t.heredocs(in.Command, v)
	if err != nil {
		return nebula.Proposal{}, err
	}
	c := workspace.Command{Line: in.Command, Timeout: limit, Cap: t.o.Output, Pass: t.o.Pass, Secrets: t.o.Secrets, Watch: true}
	filled := t.o.filled(t.dir, in.Command)
	c.Blank = len(filled) == 0 && t.o.Selects != nil && t.o.Selects(in.Command)
	t.o.masks(&c, v)
	background, terminal := beside(in.Background)
	lone := !c.Blank && len(filled) == 0 && t.o.Jobs != nil && v.Expected != nil && t.o.Jobs.Busy() && !v.Expected(in.Command)
	c.Blank = c.Blank || lone
	risks := lists.Concat(stands, t.o.boxed(t.dir, &c, v, in.Outside, in.Needs))
	if background {
		c.View, c.Terminal = false, terminal
		c.Repository = !c.Outside && t.o.Boxed && commits(c.Line) && (!v.Strict || saysAll(c.Line))
	}
	if t.o.Boxed && !c.Outside {
		more, err := Needed(t.dir, &c, in.Needs)
		if err != nil {
			return nebula.Proposal{}, err
		}
		risks = append(risks, more...)
	}
	p := nebula.Proposal{
		Effect: nebula.Execute, Command: in.Command, Risks: append(risks, filled...), Viewed: c.View,
		Tries:   t.o.Boxed && !background && strings.TrimSpace(in.Needs) != "" && !c.Outside && !c.View && !c.Repository && t.dir.CanView() == nil,
		Summary: said(v.Lang, "run %s", in.Command),
		Do: func(ctx context.Context, r nebula.Run) (nebula.Result, error) {
			return t.do(ctx, r, c, v.Lang, lone)
		},
	}
	if background {
		return t.inBackground(c, p, v.Lang)
	}
	bared(ctx, t.dir, &p)
	return p, nil
}

// filled are the risks of the files that a command line names by patterns.
//
//go:noinline
func (o Options) filled(d *workspace.Dir, line string) []string {
	if o.Fills == nil || !o.Fills(line, d.Confidential) {
		return nil
	}
	return []string{nebula.SecretFile}
}

// bared says what undo does not cover of what a command may change in the folder itself.
func bared(ctx context.Context, d *workspace.Dir, p *nebula.Proposal) {
	if p.Viewed {
		return
	}
	bare, whole := d.Uncovered(ctx)
	p.Uncovered, p.Bare, p.Blind, p.Begins = bare[:min(len(bare), uncoveredShown)], len(bare), !whole, d.Begins
}

// uncoveredShown bounds how many of the paths are named that undo does not cover.
const uncoveredShown = 10

// runnable is a command line as a shell takes it.
func runnable(line string) (string, error) {
	if strings.TrimSpace(line) == "" {
		return "", mistake("The command is empty.", "Give the command line to run.")
	}
	if strings.ContainsRune(line, 0) {
		return "", mistake("The command holds a NUL byte.", "Write the command as plain text.")
	}
	return unprompted(line)
}

// limit is how long a command may take that asks for some seconds. A number that only makes sense as milliseconds is
// taken for them.
//
//go:noinline
func (o Options) limit(seconds float64) (time.Duration, error) {
	switch {
	case seconds < 0:
		return 0, mistake("timeout cannot be negative.", "Give it in seconds.")
	case seconds == 0:
		return o.Timeout, nil
	case seconds >= 10_000:
		seconds /= 1000
	}
	return min(time.Duration(min(seconds, 1e6)*float64(time.Second)), o.Longest), nil
}

// do runs it. A lone command finds files with secrets empty because of what goes on beside it: what it told that of them a later one could ask for.
func (t *executeShell) do(ctx context.Context, r nebula.Run, c workspace.Command, lang string, lone bool) (nebula.Result, error) {
	done, err := ran(ctx, t.dir, r, c, lang, r.Output)
	done.lone = lone
	if err != nil {
		return nebula.Result{Changes: done.changes, Lost: done.lost, Blind: done.blind}, err
	}
	out := done.result()
	out.Text = done.headline() + "\n" + done.output() + done.notes(t.o)
	out.Summary = done.summary(lang)
	out.Tests = tested(c.Line, done)
	return out, nil
}

// tested is what a command of the model's own says of tests that it ran; nil for other commands, for those that only show what
// others wrote, and where the tests passed and something else failed.
func tested(line string, done finished) *nebula.TestReport {
	sum := Counted(line, done.output())
	none := sum.Failed <= 0 && (sum.Failed < 0 || sum.Passed == 0 || !done.ok())
	if none || !slices.ContainsFunc(programs(line), func(p string) bool { return !lists.Has(readers, p) }) {
		return nil
	}
	sum.OK = sum.Failed == 0
	return &sum
}

// readers are programs that show what others wrote.
var readers = strings.Fields("cat grep egrep rg head tail sed awk less more echo printf find jq git cd sort uniq wc tee cut tr")

// A ran command is how it ended, and what it changed.
type finished struct {
	exit    workspace.Exit
	limit   time.Duration
	changes []nebula.Change
	lost    []string
	signal  nebula.Signalled // from the system, that stopped it
	blind   bool             // what it changed could not be seen
	after   *nebula.Effects  // what it did on a view
	lang    string
	line    string   // that ran
	lone    bool     // see [executeShell.do]
	held    []string // what it was kept from changing because the person forbade that, told from the folder

	unhooked bool // git ran none of the repository's hooks
}

// ran runs a command between two looks at the folder.
func ran(ctx context.Context, d *workspace.Dir, r nebula.Run, c workspace.Command, lang string, out func([]byte)) (finished, error) {
	if !r.Grant.Runs() {
		return finished{}, nebula.ErrNoGrant
	}
	d.Prepare()
	c.ID = r.ID
	if c.View {
		return onView(ctx, d, r, c, lang, out)
	}
	before, blind := looked(ctx, d, r, lang)
	if err := ctx.Err(); err != nil {
		return finished{}, err
	}
	exit, err := d.Run(ctx, r.Grant, c, out)
	f := ended(ctx, d, c, exit, lang)
	f.blind = true
	if blind != nil {
		f.blind = exit.Started
		return f, err
	}
	if !exit.Started {
		before.Drop()
		f.blind = false
		return f, err
	}
	before.Except(exit.Untouched...)
	f.changes, blind = before.Changes(context.WithoutCancel(ctx)) // also what a command did that was stopped
	d.Ignore(f.changes)
	f.lost, f.blind = before.Lost(), !before.Whole() || blind != nil
	return f, err
}

// onView runs a command on a view. What it did there is proposed, if that is anything.
func onView(ctx context.Context, d *workspace.Dir, r nebula.Run, c workspace.Command, lang string, out func([]byte)) (finished, error) {
	exit, err := d.Run(ctx, r.Grant, c, out)
	f := ended(ctx, d, c, exit, lang)
	switch e := exit.Effects; {
	case e == nil:
	case len(e.Changes)+len(exit.Opened) == 0:
		e.Drop()
	default:
		f.after, err = proposed(context.WithoutCancel(ctx), e, f, c.Line)
	}
	return f, err
}

// patience is how long a look at the folder takes before the person is told what is waited for.
const patience = 2 * time.Second

// looked looks at the folder before a command, and says so where that takes long.
func looked(ctx context.Context, d *workspace.Dir, r nebula.Run, lang string) (*workspace.Snapshot, error) {
	done := make(chan struct{})
	var telling sync.WaitGroup
	telling.Go(func() {
		select {
		case <-done:
		case <-time.After(patience):
			if r.Output != nil {
				r.Output([]byte(said(lang, "[nebula: keeping this folder's files for undo before the command begins; Ctrl-C stops it]\n")))
			}
		}
	})
	s, err := d.Snapshot(ctx, r.ID)
	close(done)
	telling.Wait()
	return s, err
}

func (f finished) ok() bool {
	return f.exit.Code == 0 && !f.exit.TimedOut && !f.exit.Stopped && f.exit.Exceeded == ""
}

func (f finished) result() nebula.Result {
	code := f.exit.Code
	out := nebula.Result{Status: nebula.Done, Exit: &code, Changes: f.changes, Lost: f.lost, Blind: f.blind, Confined: f.exit.Held.String(), Effects: f.after}
	if !f.ok() {
		out.Status = nebula.Failed
	}
	return out
}

func (f finished) headline() string {
	took := f.exit.Took.Round(10 * time.Millisecond).Seconds()
	switch {
	case f.exit.TimedOut:
		return worded(f.lang, "Ended at its time limit of %g s.", f.limit.Seconds())
	case f.exit.Stopped && f.signal != "":
		return worded(f.lang, "Stopped: nebula was ended by %s, not by the person.", string(f.signal))
	case f.exit.Stopped:
		return worded(f.lang, "Stopped by the user.")
	case f.exit.Exceeded != "":
		return worded(f.lang, "Ended: %s.", worded(f.lang, exceeded[f.exit.Exceeded]))
	case f.exit.Signal != "":
		return worded(f.lang, "exit %d (%s, %.1f s)", f.exit.Code, f.exit.Signal, took)
	}
	return worded(f.lang, "exit %d (%.1f s)", f.exit.Code, took)
}

func (f finished) summary(lang string) string {
	switch {
	case f.exit.TimedOut:
		return said(lang, "ended at its time limit of %g s", f.limit.Seconds())
	case f.exit.Stopped && f.signal != "":
		return said(lang, "stopped: nebula was ended by %s", string(f.signal))
	case f.exit.Stopped:
		return said(lang, "stopped by the person")
	case f.exit.Exceeded != "":
		return said(lang, "ended: %s", worded(lang, exceeded[f.exit.Exceeded])) + f.effects(lang)
	}
	return said(lang, "exit %d", f.exit.Code) + f.effects(lang)
}

// effects say what it changed, and what of that undo cannot bring back.
func (f finished) effects(lang string) (s string) {
	n := 0
	for _, c := range f.changes {
		if c.Kind != "time" && !c.Cache() {
			n++
		}
	}
	if n += len(f.lost); n > 0 {
		s += said(lang, ", changed %s", amount(lang, n, "path|paths"))
	}
	if len(f.lost) > 0 {
		s += said(lang, "; undo cannot bring back %s", some(f.lost, 5))
	}
	if e := f.exit.Effects; e != nil && len(e.Lost)+len(e.Refused) > 0 {
		s += said(lang, "; not kept: %s", some(lists.Concat(e.Lost, e.Refused), 5))
	}
	if len(f.exit.Restored) > 0 {
		s += said(lang, "; it changed nebula's own settings, which were put back")
	}
	if len(f.exit.Aside) > 0 {
		s += said(lang, "; put aside, since commands may not make it (if you made it meanwhile, rename it back): %s", some(f.exit.Aside, 5))
	}
	if len(f.held) > 0 && !f.ok() {
		s += said(lang, "; as you said, nothing changes %s", some(f.held, 5))
	}
	if what := Kept(lang, blamed(f.telling(), f.output())); what != "" && !f.ok() {
		s += said(lang, "; confinement kept it from %s", what)
	}
	if f.blind {
		s += said(lang, "; what it changed could not be seen, so undo does not cover it")
	}
	return s
}

// output is the command's output as a model can read it.
func (f finished) output() string {
	if len(f.exit.Output) == 0 {
		return worded(f.lang, "(no output)")
	}
	if !f.exit.Cut {
		return strings.TrimRight(legible(f.exit.Output), "\n")
	}
	head, tail := f.exit.Output[:f.exit.Head], f.exit.Output[f.exit.Head:]
	left := worded(f.lang, "[%s left out here; to see it, send the output to a file or narrow it with grep, head or tail]", phrase.Bytes(f.exit.Total-int64(len(f.exit.Output))))
	return legible(head) + "\n" + left + "\n" + strings.TrimRight(legible(tail), "\n")
}

// wantsTerminal is how programs say that they have no terminal.
var wantsTerminal = &lazy.Pattern{X: `(?i)/dev/tty\b|\bnot a (?:tty|terminal)\b|inappropriate ioctl for device|\b(?:requires|needs|without|no) (?:a |an |any )?(?:interactive )?(?:tty|terminal)\b|must be (?:run|connected) (?:from|to|in) a (?:tty|terminal)|error opening terminal|terminal is required`}

// notes say what the model has to know beside the output.
func (f finished) notes(o Options) string {
	var b strings.Builder
	note := func(en string, args ...any) { b.WriteString("\n[" + worded(f.lang, en, args...) + "]") }
	if f.exit.TimedOut {
		note("a longer timeout can be given, up to %g s", o.Longest.Seconds())
	}
	switch {
	case len(f.exit.Blanked) > 0 && f.lone && !f.ok():
		note("empty for it, since a job in the background could pass on what stands there: %s; where it needs one, name it in the command for the user to allow", some(f.exit.Blanked, 5))
	case len(f.exit.Blanked) > 0 && !f.lone:
		note("not searched, since they hold secrets: %s", some(f.exit.Blanked, 5))
	}
	if files := concerned(f.exit.Unread, f.line, f.output()); len(files) > 0 {
		note("empty for it, since nobody is to read it: %s", some(files, 5))
	}
	if !f.ok() && wantsTerminal.In(f.output()) {
		note("it needs a terminal, and a command has none; give it what it would ask for by options, or run it with background: tty and write to it")
	}
	if f.unhooked {
		note("git ran none of the repository's hooks: they could do what the user forbids")
	}
	if f.exit.Left > 0 {
		note("%s that it left running ended with it", amount(f.lang, f.exit.Left, "process|processes"))
	}
	if paths := changesInWords(f.changes); len(paths) > 0 {
		note("files changed: %s", some(grouped(paths), 20))
	}
	if e := f.exit.Effects; e != nil {
		if len(e.Clashes) > 0 {
			note("changed by somebody else meanwhile, and left as they are: %s", some(e.Clashes, 10))
		}
		if len(e.Lost) > 0 {
			note("what it did to these was not kept, they are as they were before: %s", some(e.Lost, 10))
		}
		if len(e.Refused) > 0 {
			note("commands may not make these, and they are not there: %s", some(e.Refused, 10))
		}
	}
	if len(f.lost) > 0 {
		note("changed, but undo cannot bring back: %s", some(f.lost, 10))
	}
	if len(f.exit.Restored) > 0 {
		note("nebula's own settings were changed and have been put back: %s; only the user changes them", strings.Join(f.exit.Restored, ", "))
	}
	if len(f.exit.Aside) > 0 {
		note("commands may not make these, which were put aside as %s; writeFile can, if the user allows", strings.Join(f.exit.Aside, ", "))
	}
	if len(f.held) > 0 && !f.ok() {
		note("the user said that these stay as they are, so no command changes them: %s", some(f.held, 5))
	}
	if what := Kept(f.lang, f.telling()); what != "" && !f.ok() {
		note("confinement kept it from %s; %s", what, worded(f.lang, f.remedy()))
	}
	if f.blind {
		note("what it changed could not be seen, so undo does not cover it")
	}
	return b.String()
}

// legible makes an output text: valid UTF-8 without what only a terminal understands. Of a line that was overwritten,
// as progress bars are, the last state is left.
func legible(data []byte) string {
	s := strings.ToValidUTF8(string(data), "�")
	s = unescaped(s)
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if strings.IndexByte(s, '\r') >= 0 {
		lines := strings.Split(s, "\n")
		for i, l := range lines {
			l = strings.TrimRight(l, "\r")
			lines[i] = l[strings.LastIndexByte(l, '\r')+1:]
		}
		s = strings.Join(lines, "\n")
	}
	return strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, s)
}

// unescaped is a text without the sequences that steer a terminal.
func unescaped(s string) string {
	head, rest, found := strings.Cut(s, "\x1b")
	if !found {
		return s
	}
	var b strings.Builder
	for found {
		b.WriteString(head)
		n, _ := phrase.Sequence(rest)
		head, rest, found = strings.Cut(rest[n:], "\x1b")
	}
	return b.String() + head
}
