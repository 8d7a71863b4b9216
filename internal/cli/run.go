package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/command"
	"nebula/internal/config"
	"nebula/internal/gate"
	"nebula/internal/headless"
	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/state"
	"nebula/internal/terminal"
	"nebula/internal/tool"
)

func (p *program) runCommand() *cobra.Command {
	s, apart := &session{program: p}, false
	c := &cobra.Command{
		Use:   "run [flags] PROMPT…",
		Short: "Carry out one request and end",
		Long: "Sends one request, follows it to its end and exits. The answer goes to standard output, everything else to standard error.\n" +
			"What comes in on standard input, as a file or through a pipe, joins the request; a word that is - waits for it.\n\n" +
			"Exit codes: 0 done (also when unchecked), 1 failed, 3 an approval or answer is missing, 4 the model's API failed, 5 something\n" +
			"could not be recorded or is damaged, 6 a limit was reached, 64 wrong usage, 128+n ended by signal n.",
		Example: "  nebula run \"what does this project do?\"\n  nebula run --approve edits --output json \"rename Foo to Bar\"\n  git diff | nebula run \"review this\"",
		RunE: func(c *cobra.Command, args []string) error {
			if apart {
				return s.detach(c, args)
			}
			return s.run(c, args)
		},
	}
	s.flags(c.Flags())
	c.Flags().BoolVar(&apart, "detach", false, "hand the request to nebula serve, print the session's ID, and end; nebula attach looks at it")
	oneOf(c, &s.output, "output", "o", "text", "what goes to standard output", headless.Outputs...)
	c.Flags().StringVar(&s.fitting, "schema", "", "have the answer be JSON that fits the JSON Schema in `FILE`")
	c.Flags().BoolVar(&s.plans, "plan", false, "plan for the request as a goal, and carry the plan out once it is approved")
	s.completions(c)
	return c
}

func (s *session) run(c *cobra.Command, args []string) (err error) {
	defer func() { s.unbegun(err) }()
	if err := choice("output", s.output, headless.Outputs); err != nil {
		return err
	}
	if err := s.settleModel(c); err != nil {
		return err
	}
	text, err := s.prompt(args)
	if err == nil {
		text, err = s.spelled(text)
	}
	if err != nil {
		if _, unknown := s.there(c.Context()); unknown != nil { // without the session, no request helps
			return unknown
		}
		return err
	}
	if s.broad != "" {
		s.warn("%s", s.broad)
	}
	if s.plans {
		s.actions = planning(text)
	}
	if s.attached, err = s.pictures(text); err != nil {
		return err
	}
	if s.fitting != "" {
		if s.schema, err = s.shape(s.fitting); err != nil {
			return err
		}
	}
	s.first, s.waits = text, true
	return s.through(c.Context(), once())
}

// unbegun tells a program that reads standard output how a request ended that never became a turn.
func (s *session) unbegun(err error) {
	if err == nil || s.began {
		return
	}
	o := nebula.Outcome{Status: nebula.TurnFailed, Text: s.message(err), Mode: s.config.Mode, Model: s.config.Model, Protocol: s.config.Protocol}
	if code(err) == exitAPI {
		o.Status = nebula.APIFailed
	}
	headless.Unbegun(s.out, headless.Output(s.output), o)
}

const noText = "what came on standard input is no text; put it into a file in the folder and name that in the request"

// prompt puts the request together. Without words it comes from standard input, unless that is a terminal.
func (s *session) prompt(args []string) (string, error) {
	bare := len(args) == 0
	if bare {
		if s.inTerminal {
			return "", usage("no request; write nebula run \"what is to be done\", or - to read it from standard input")
		}
		args = []string{"-"}
	}
	var words []string
	for _, a := range args {
		if a != "-" {
			words = append(words, a)
		}
	}
	text := strings.Join(words, " ")
	came, err := s.piped(len(words) < len(args))
	switch {
	case err != nil:
		return "", err
	case phrase.Binary(came):
		return "", usage(noText)
	case len(came) > nebula.TextMax:
		return "", usage("the request is longer than %d MiB; put the bulk of it into a file in the folder", nebula.TextMax>>20)
	case len(came) > 0:
		input := strings.ToValidUTF8(string(came), "\uFFFD")
		if strings.TrimSpace(text) == "" {
			text = strings.TrimSpace(input)
		} else if strings.TrimSpace(input) != "" {
			text = state.WithInput(text, input)
		}
	}
	if strings.TrimSpace(text) == "" {
		if bare {
			return "", usage("there is no request; write nebula run \"what is to be done\", or start nebula in a terminal")
		}
		return "", usage("the request is empty; write what is to be done")
	}
	return s.unkeyed(text), nil
}

// spelled is the request that a command of the table stands for. One that asks the model for nothing is wrong here: there is
// no session that it could change before it ends.
func (s *session) spelled(text string) (string, error) {
	name, args, _ := command.Read(text)
	title := "/" + name
	row, known := command.Find(name)
	switch {
	case !command.Slashed(text):
		return text, nil
	case !known:
		return text, s.unknownCommand(text, name)
	}
	does, fits := row.Sends(args, s.config.Lang)
	if m, asks := does.(nebula.Submit); asks && fits {
		return m.Text, nil
	}
	if row.Shell == "" {
		return "", usage("%s is of use in a session in a terminal only; start one with nebula", title)
	}
	return "", usage("%s is for a session in a terminal; here it is: %s", title, row.Shell)
}

// commandWord is what the name of a command looks like.
var commandWord = &lazy.Pattern{X: `^[a-z][a-z0-9_-]+$`}

// unknownCommand is the error of a message that begins like a command and is none: a model would make something up for it. What stands behind a
// blank, and the name of a file, is a message.
func (s *session) unknownCommand(text, name string) error {
	if !strings.HasPrefix(text, "/") || !commandWord.In(name) {
		return nil
	}
	if _, err := os.Stat("/" + name); err == nil {
		return nil
	}
	customs := s.customs()
	if _, ok := customs.Named(name); ok {
		return nil
	}
	var names []string
	for _, c := range customs {
		names = append(names, c.Name, c.Name[strings.LastIndex(c.Name, ":")+1:])
	}
	for _, k := range s.shelf() {
		names = append(names, strings.ToLower(k.Name))
	}
	if lists.Has(names, name) {
		return nil
	}
	for _, r := range command.Rows {
		names = append(names, r.Name)
	}
	if near := config.Nearest(name, names); near != "" {
		return usage("there is no command /%s; did you mean /%s? With a blank before it, it is sent as a message", name, near)
	}
	return usage("there is no command /%s; with a blank before it, it is sent as a message", name)
}

// piped is what comes in on standard input: all of it where the words ask for it, and else what a file or a pipe has
// that gives something, or its end, before long.
func (s *session) piped(asked bool) ([]byte, error) {
	in := io.LimitReader(s.in, nebula.TextMax+1)
	if !asked {
		if !gives(s.in) {
			return nil, nil
		}
		if info, err := s.in.(*os.File).Stat(); err == nil && !info.Mode().IsRegular() {
			first, came := soon(in, stdinPatience)
			if !came {
				s.warn("standard input gives nothing and does not end; going on without it (a request that is - waits for it)")
				return nil, nil
			}
			in = io.MultiReader(bytes.NewReader(first), in)
		}
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, nebula.Errorf("standard input: %w", err)
	}
	return data, nil
}

// gives reports whether an input may hold something that nobody types: a file or a pipe. A closed one does not, nor /dev/null.
func gives(in io.Reader) bool {
	file, ok := in.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&(os.ModeCharDevice|os.ModeDir) == 0
}

// stdinPatience is how long a pipe that nobody named may take to give its first bytes.
const stdinPatience = time.Second

// soon reads what comes first, and gives up on a pipe that stays silent: what it says later is for nobody.
func soon(in io.Reader, patience time.Duration) (first []byte, came bool) {
	read := make(chan []byte, 1)
	go func() {
		buffer := make([]byte, 4096)
		n, _ := in.Read(buffer) // the next read meets the error again
		read <- buffer[:n]
	}()
	select {
	case first = <-read:
		return first, true
	case <-time.After(patience):
		return nil, false
	}
}

func (s *session) request() headless.Request {
	r := headless.Request{
		Prompt: s.first, Images: s.attached, Actions: s.actions, Output: headless.Output(s.output), Stdout: s.out, Stderr: s.err,
		Live: s.outTerminal, Colour: s.colour(s.errTerminal), Lang: s.config.Lang, Approve: gate.Approve(s.config.Approve),
	}
	if s.person() {
		t := &headless.Terminal{In: bufio.NewReader(s.in), Out: s.screen(), Lang: s.config.Lang, Colour: s.colour(true)}
		s.attentive(t)
		r.Person = t.Answer
	} else if s.heard != nil {
		r.Person = s.heard
	} else if s.agreed {
		r.Person = begins
	}
	return r
}

// attentive has a person take no answer that was typed before the question was on the screen.
func (s *session) attentive(t *headless.Terminal) {
	if in, ok := s.in.(*os.File); ok {
		t.Flush = func() bool { return terminal.Flush(in) }
	}
	if out, ok := s.screen().(*os.File); ok {
		t.Size = func() (int, int) { return terminal.Size(out) }
	}
}

// verdict is what the exit code and the last line on standard error say of an outcome.
func (s *session) verdict(o nebula.Outcome) error {
	n := headless.Code(o.Status)
	switch o.Status {
	case nebula.TurnDone:
		if s.person() && !s.script && turnedDown(o) { // a script goes on with its other requests
			return fail(headless.Code(nebula.NeedsApproval), "%s was refused, and nothing else was done", refused(o))
		}
		if len(o.Unfounded) > 0 { // what is done all the same is the person's to know
			s.warn("%s", parting(o))
		}
		return nil
	case nebula.TurnUnchecked:
		if len(o.Unfounded) == 0 { // that has been told
			s.warn("%s", parting(o))
		}
		return nil
	case nebula.NeedsApproval:
		if o.Cause == nebula.Forbidden { // no policy allows it
			return fail(n, "%s goes against what you said; if it may be done all the same, say so: nebula run --session %s \"…\"", refused(o), o.Session)
		}
		if o.Cause == nebula.Guessed { // what it would do is not clear
			return fail(n, "%s was not done: from how it was written it is not clear that it was meant; say so: nebula run --session %s \"…\"", refused(o), o.Session)
		}
		how := nebula.Say("--approve edits or --approve all")
		if s.config.Approve == string(gate.Edits) || slices.ContainsFunc(o.Actions, runs) {
			how = nebula.Say("--approve all")
		}
		if s.config.Approve == string(gate.All) { // what was given was not enough
			return fail(n, "%s needs approval: it asks under --approve all, too; go on in a terminal with nebula --session %s", refused(o), o.Session)
		}
		return fail(n, "%s needs approval; allow it with %s, or go on in a terminal with nebula --session %s", refused(o), how, o.Session)
	case nebula.NeedsInput:
		return fail(n, "the model waits for an answer; give it with nebula run --session %s \"…\"", o.Session)
	case nebula.LimitReached:
		return fail(n, "a limit was reached: %s; go on with nebula run --session %s \"go on\"", limit(o), o.Session)
	case nebula.Cancelled:
		return fail(n, "")
	}
	if text := parting(o); text != "" {
		return &exit{n, nebula.Say(text)}
	}
	return fail(n, "the turn failed; nebula sessions show %s tells how", o.Session)
}

// limit is what was reached.
func limit(o nebula.Outcome) nebula.Words {
	if text := parting(o); text != "" && o.Cause != nebula.ReplyCut {
		return nebula.Say(strings.TrimRight(text, ".。"))
	}
	return nebula.Say("the longest reply")
}

// parting is what the program said of a turn's end, behind what the model said last.
func parting(o nebula.Outcome) string {
	last := strings.TrimSpace(o.Text)
	return phrase.OneLine(last[strings.LastIndexByte(last, '\n')+1:], 0)
}

// turnedDown reports whether all that a turn would have done was refused: what else it did only looked.
func turnedDown(o nebula.Outcome) bool {
	return slices.ContainsFunc(o.Actions, func(a nebula.ActionLine) bool { return a.Status == nebula.Denied }) &&
		!slices.ContainsFunc(o.Actions, func(a nebula.ActionLine) bool {
			return a.Status == nebula.Done && !slices.ContainsFunc(tool.Specs(), func(t nebula.ToolSpec) bool { return t.Name == a.Tool && t.Effect == nebula.Read })
		})
}

// runs reports whether an action is a command that was refused: no leave to edit allows it.
func runs(a nebula.ActionLine) bool {
	return a.Status == nebula.Denied && slices.ContainsFunc(tool.Specs(), func(t nebula.ToolSpec) bool { return t.Name == a.Tool && t.Effect == nebula.Execute })
}

func refused(o nebula.Outcome) nebula.Words {
	var what []string
	for _, a := range o.Actions {
		if a.Status == nebula.Denied || a.Dropped > 0 {
			what = append(what, named(a))
		}
	}
	if len(what) == 0 {
		return nebula.Say("an action")
	}
	return nebula.Say(strings.Join(what, ", "))
}

// named is an action with what it would do: its command or its path.
func named(a nebula.ActionLine) string {
	var args struct{ Command, Path string }
	if json.Unmarshal(a.Args, &args) != nil {
		return a.Tool
	}
	if object := phrase.OneLine(cmp.Or(args.Command, args.Path), 0); object != "" {
		return fmt.Sprintf("%s (%s)", a.Tool, object)
	}
	return a.Tool
}

// A watcher turns signals into a clean end: the first cancels the turn, so that everything is recorded and commands
// are ended; the next ends the session; if even that takes too long, the process.
type watcher struct {
	came atomic.Int32
	sigs chan os.Signal
	done chan struct{}
}

// signals are those that nobody at the keyboard sends.
var signals = map[syscall.Signal]string{syscall.SIGTERM: "SIGTERM", syscall.SIGHUP: "SIGHUP"}

// patience is how long a second signal waits for the session to end.
const patience = 2 * time.Second

func watch(h *host, stop context.CancelFunc) *watcher {
	w := &watcher{sigs: make(chan os.Signal, 4), done: make(chan struct{})}
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(sig) { // nohup and background jobs mean it
			signal.Notify(w.sigs, sig)
		}
	}
	go func() {
		for count := 1; ; count++ {
			select {
			case <-w.done:
				return
			case sig := <-w.sigs:
				w.take(h, sig, count, stop)
			}
		}
	}()
	return w
}

func (w *watcher) take(h *host, sig os.Signal, count int, stop context.CancelFunc) {
	number, _ := sig.(syscall.Signal)
	if count == 1 {
		w.came.Store(int32(number))
		go func() {
			if !h.cancel(signals[number]) { // nothing was begun
				w.leave(number, stop)
			}
		}()
		return
	}
	w.leave(number, stop)
}

// leave ends the session, or the process.
func (w *watcher) leave(number syscall.Signal, stop context.CancelFunc) {
	stop()
	time.AfterFunc(patience, func() { os.Exit(exitSignal + int(number)) })
}

// signal is the one that came; 0 for none, also where nobody watches.
func (w *watcher) signal() int {
	if w == nil {
		return 0
	}
	return int(w.came.Load())
}

func (w *watcher) end() {
	signal.Stop(w.sigs)
	close(w.done)
}
