package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/agent"
	"nebula/internal/confine"
	"nebula/internal/gate"
	"nebula/internal/headless"
	"nebula/internal/index"
	"nebula/internal/lists"
	"nebula/internal/model"
	"nebula/internal/phrase"
	"nebula/internal/prompt"
	"nebula/internal/sqlite"
	"nebula/internal/tool"
	"nebula/internal/workspace"
)

func (p *program) replayCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "replay ID",
		Short: "Run a recorded session again against its recorded replies",
		Long: "Runs a session again in a copy of its folder, brought back to how it was when the session began: the replies are the\n" +
			"recorded ones, the answers at the gate too, and everything else really happens. Says where it goes another way than\n" +
			"it did; exit code 1 when it does. Commands of the session run again, in the copy.",
		Example:           "  nebula replay 20260102",
		Args:              exactly(1, "a session's ID"),
		ValidArgsFunction: p.sessionIDs,
		RunE: func(c *cobra.Command, args []string) error {
			return p.withSession(c.Context(), args[0], func(store nebula.Store, info nebula.SessionInfo) error {
				return p.replay(c.Context(), store, info)
			})
		},
	}
}

// A take is what a session's events say that is needed to run it again, and to compare.
type take struct {
	started  nebula.Started
	replies  []nebula.Reply
	inputs   []nebula.Body // Submitted and Switched of the person, in order
	verdicts map[string]nebula.Verdict
	viewed   map[string]bool          // what ran unasked, since it could change nothing but a view of the folder
	answers  map[string]nebula.Answer // by action, and by question in the order of asking under "?N"
	results  []nebula.Result

	at    int64 // how far the events of the new run were followed
	asked int   // questions asked in it
}

func read(ctx context.Context, store nebula.Store, id string) (take, error) {
	t := take{verdicts: map[string]nebula.Verdict{}, viewed: map[string]bool{}, answers: map[string]nebula.Answer{}}
	var asked nebula.Asked
	questions := 0
	for e, err := range store.Load(ctx, id) {
		if err != nil {
			return t, err
		}
		switch b := e.Body.(type) {
		case nebula.Started:
			if t.started.Session == "" {
				t.started = b
			}
		case nebula.Submitted, nebula.Switched:
			t.inputs = append(t.inputs, b)
		case nebula.Replied:
			if b.By == "" { // else no model said it
				t.replies = append(t.replies, b.Reply)
			}
		case nebula.Proposed:
			t.verdicts[b.Proposal.Action.ID] = b.Verdict
			t.viewed[b.Proposal.Action.ID] = b.Proposal.Viewed || b.Proposal.Ran != ""
		case nebula.Asked:
			asked = b
		case nebula.Answered:
			key := asked.Action
			if asked.Question != nil {
				questions++
				key = fmt.Sprintf("?%d", questions)
			}
			t.answers[key] = nebula.Answer{Answer: b.Answer, Text: b.Text, By: b.By, Command: b.Command}
		case nebula.Finished:
			t.results = append(t.results, b.Result)
		}
	}
	return t, nil
}

func (p *program) replay(ctx context.Context, store nebula.Store, info nebula.SessionInfo) error {
	t, err := read(ctx, store, info.ID)
	if err != nil {
		return err
	}
	if len(t.replies) == 0 {
		return fail(exitFailed, "session %s has no replies to replay", info.ID)
	}
	scratch, err := os.MkdirTemp("", "nebula-replay-")
	if err != nil {
		return fail(exitRecord, "no room for a copy of the folder (%v); free the disk or set TMPDIR", errors.Unwrap(err))
	}
	defer os.RemoveAll(scratch)
	dir := filepath.Join(scratch, "folder")
	if err := copyFolder(ctx, info.Dir, dir); err != nil {
		return err
	}
	for _, path := range rewind(ctx, store, dir, t.results) {
		p.warn("%s is not as the session left it: the replay begins with what is there now", path)
	}
	again, err := p.perform(ctx, t, dir, filepath.Join(scratch, "nebula.db"))
	if err != nil {
		return err
	}
	return p.compare(info.ID, t.results, again)
}

// copyFolder copies what the tools can see of a folder; links stay links.
func copyFolder(ctx context.Context, from, to string) error {
	if _, err := folder(from); err != nil {
		return err
	}
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(target, 0o700)
		case d.Type()&fs.ModeSymlink != 0:
			link, err := os.Readlink(path)
			if err != nil {
				return err
			}
			return os.Symlink(link, target)
		case d.Type().IsRegular():
			return copyFile(path, target)
		}
		return nil // pipes and devices are not part of a project
	})
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o200)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// rewind takes a session's changes back in the copy, the last first, and names what was another by then.
func rewind(ctx context.Context, keep nebula.Contents, dir string, results []nebula.Result) (others []string) {
	for _, r := range slices.Backward(results) {
		for _, c := range slices.Backward(r.Changes) {
			if !takenBack(ctx, keep, filepath.Join(dir, filepath.FromSlash(c.Path)), c) && !lists.Has(others, c.Path) {
				others = append(others, c.Path)
			}
		}
	}
	return others
}

func takenBack(ctx context.Context, keep nebula.Contents, path string, c nebula.Change) bool {
	data, err := os.ReadFile(path)
	switch {
	case c.Kind == "mkdir":
		return os.Remove(path) == nil
	case c.Kind == "rmdir":
		return os.Mkdir(path, 0o755) == nil
	case c.After == "" && !errors.Is(err, fs.ErrNotExist), c.After != "" && (err != nil || nebula.Hash(data) != c.After):
		return false
	case c.Before == "":
		return os.Remove(path) == nil
	}
	before, err := keep.Content(ctx, c.Before)
	mode := fs.FileMode(c.ModeBefore).Perm()
	if mode == 0 {
		mode = 0o644
	}
	return err == nil && os.WriteFile(path, before, mode) == nil && os.Chmod(path, mode) == nil
}

// perform runs the session in the copy with a record of its own, and gives the results of its actions.
func (p *program) perform(ctx context.Context, t take, dir, database string) ([]nebula.Result, error) {
	store, err := sqlite.Open(ctx, database, sqlite.Options{})
	if err != nil {
		return nil, err
	}
	defer store.Close()
	work, err := workspace.Open(dir, store, database)
	if err != nil {
		return nil, err
	}
	defer work.Close()
	if s := (session{program: p}); confine.Supported {
		if s.config, err = p.settings(t.started.Dir, nil); err != nil {
			return nil, err
		}
		if place := s.boxPlace(dir); s.config.Sandbox {
			work.Guarded()
			place.Kept = database + ".layers"
			work.Confine(place, s.layers)
		}
	}
	code := index.New(work, database+".index")
	defer code.Close()
	player := model.Replies(t.replies, model.ReplayOptions{Info: nebula.ModelInfo{Name: t.started.Model, Native: true}})
	begin := t.started
	begin.Dir, begin.Session, begin.Resumed = dir, "", false
	again, err := agent.Open(ctx, agent.Setup{
		Store: store, Model: func(string) (nebula.Model, error) { return player, nil }, Protocol: speak, Tools: tool.All(work, tool.Options{Code: code, Secret: gate.Full.Secret, Fills: gate.Matches, Selects: gate.Full.Selects, Reads: gate.ReadsFiles, Boxed: work.Confines()}),
		Restore: work.Restore, Ready: work.Ready, Prompt: &prompt.Builder{Facts: facts(work), Count: model.Estimate}, Approve: gate.Ask, Begin: begin,
	}, "")
	if err != nil {
		return nil, err
	}
	for _, in := range t.inputs {
		if player.Left() == 0 {
			break
		}
		if err := t.play(ctx, again, in); err != nil {
			return nil, err
		}
	}
	_ = again.Send(ctx, nebula.Close{}) // Wait tells how it ended
	if err := again.Wait(); err != nil {
		return nil, err
	}
	var results []nebula.Result
	for e := range again.Events(ctx, 0) {
		if b, ok := e.Body.(nebula.Finished); ok {
			results = append(results, b.Result)
		}
	}
	return results, nil
}

// play gives the session one of the person's inputs and carries it through.
func (t *take) play(ctx context.Context, c *agent.Session, in nebula.Body) error {
	switch b := in.(type) {
	case nebula.Switched:
		if b.Mode == "" && b.Protocol == "" {
			return nil
		}
		return c.Send(ctx, nebula.Switch{Mode: b.Mode, Protocol: b.Protocol})
	case nebula.Submitted:
		if b.Steer {
			return nil // it joined a turn whose replies come as they came
		}
		end, err := headless.Run(ctx, c, headless.Request{
			Prompt: b.Text, Images: b.Images, After: t.at, Output: headless.JSON, Stdout: io.Discard, Stderr: io.Discard,
			Person: func(_ context.Context, q headless.Question) nebula.Answer {
				if q.Asked.Question != nil {
					t.asked++
					return t.answers[fmt.Sprintf("?%d", t.asked)]
				}
				return t.answer(q.Asked.Action, q.Proposed.Proposal)
			},
		})
		t.at = end.Seq
		return err
	}
	return nil
}

// answer is what let or kept an action from acting in the recording.
func (t *take) answer(action string, p nebula.Proposal) nebula.Answer {
	if t.viewed[action] && p.Effect == nebula.Execute { // nobody has allowed it to run on a folder itself
		return nebula.Answer{Answer: nebula.No, By: "recording", Text: "it ran confined, and cannot here"}
	}
	if a, ok := t.answers[action]; ok {
		return a
	}
	if t.verdicts[action].Ruling == nebula.Allow {
		return nebula.Answer{Answer: nebula.Yes, By: "recording"}
	}
	return nebula.Answer{Answer: nebula.No, By: "recording", Text: gate.Why(t.verdicts[action], "en")}
}

func (p *program) compare(id string, before, now []nebula.Result) error {
	differ := 0
	say := func(format string, args ...any) {
		differ++
		_, _ = fmt.Fprintln(p.out, p.say(format, args...))
	}
	for i := range max(len(before), len(now)) {
		switch {
		case i >= len(now):
			say("%s %s: was %s, now it is not reached", before[i].Action, before[i].Tool, before[i].Status)
		case i >= len(before):
			say("%s %s: is new, %s", now[i].Action, now[i].Tool, now[i].Status)
		default:
			if how := difference(before[i], now[i]); how.Format != "" {
				say("%s %s: %s", before[i].Action, before[i].Tool, how)
			}
		}
	}
	if differ > 0 {
		return fail(exitFailed, "session %s goes another way in %d of %d actions", id, differ, max(len(before), len(now)))
	}
	_, err := fmt.Fprintln(p.out, p.say("session %s goes the same way: %s", id, many(len(before), "%d action", "%d actions")))
	return err
}

// difference compares what two runs of an action did; times and wordings may differ.
func difference(a, b nebula.Result) nebula.Words {
	switch {
	case a.Tool != b.Tool:
		return nebula.Say("is now %s", b.Tool)
	case a.Status != b.Status:
		return nebula.Say("was %s, is now %s: %s", a.Status, b.Status, phrase.OneLine(cmp.Or(b.Summary, b.Text), 0))
	case a.Exit != nil && b.Exit != nil && *a.Exit != *b.Exit:
		return nebula.Say("ended with %d, ends now with %d", *a.Exit, *b.Exit)
	case !slices.EqualFunc(a.Changes, b.Changes, func(x, y nebula.Change) bool { return x.Path == y.Path && x.Kind == y.Kind && x.After == y.After }):
		return nebula.Say("changes other files, or changes them otherwise")
	}
	return nebula.Words{}
}
