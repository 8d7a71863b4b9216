package tool

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/workspace"
)

// mostShown bounds the files of which lines are shown: what is more nobody reads, and it counts as unshown.
const mostShown = 200

// tried is what a command did on a view, for whoever decides on it.
type tried struct {
	effects *workspace.Effects
	lang    string
	paths   []string // what changed, with how, of what is looked at
	ignored int      // how many files more
	ran     finished
	opened  string // files with secrets that it opened
	keep    nebula.Proposal
}

// proposed has what a command did on a view kept or dropped.
func proposed(ctx context.Context, e *workspace.Effects, f finished, line string) (*nebula.Effects, error) {
	t := &tried{effects: e, lang: f.lang, ran: f, opened: some(f.exit.Opened, 5), keep: nebula.Proposal{Effect: nebula.Write, Ran: line, Targets: e.Grants()}}
	if err := t.show(ctx); err != nil {
		e.Drop()
		return nil, err
	}
	t.keep.Summary = said(t.lang, "keep what `%s` did: %s", line, t.counted())
	t.keep.Do = t.do
	all := &nebula.Effects{Keep: t.keep, Drop: t.drop}
	if t.opened != "" {
		all.Opened = &nebula.Opened{Tell: t.telling(line), Hide: t.hide}
	}
	return all, nil
}

// telling is the proposal that the model is told what the command printed, which is shown, and that what it did is kept.
func (t *tried) telling(line string) nebula.Proposal {
	p := t.keep
	p.Risks = append(slices.Clip(p.Risks), string(nebula.NewCode(nebula.Opens, t.opened)))
	p.Summary = said(t.lang, "tell the model what `%s` printed", line)
	if len(p.Targets) > 0 {
		p.Summary += said(t.lang, ", and keep what it did: %s", t.counted())
	} else {
		p.Effect = nebula.Read
	}
	var b strings.Builder
	for l := range strings.Lines(strings.TrimRight(t.ran.output(), "\n")) {
		b.WriteString("| " + strings.TrimRight(l, "\n") + "\n")
	}
	p.Diff = worded(t.lang, "(how it ended:)") + " " + t.ran.headline() + "\n" + worded(t.lang, "(what it printed:)") + "\n" + b.String() + p.Diff
	return p
}

// show fills in what the proposal shows: the lines that change, and what lines do not tell.
func (t *tried) show(ctx context.Context) error {
	e := t.effects
	e.Ignore()
	var some []nebula.Change
	for i, c := range e.Changes {
		target := &t.keep.Targets[i]
		if target.Ignored = c.Ignored; target.Ignored {
			if c.OfFile() {
				t.ignored++
			}
			continue
		}
		t.paths = append(t.paths, c.Kind+" "+c.Path)
		if c.OfFile() && len(some) < mostShown {
			some = append(some, c)
		} else {
			target.Unshown = c.OfFile()
		}
		if runs(c, e) && len(t.keep.Risks) == 0 {
			t.keep.Risks = []string{nebula.Executable}
		}
	}
	diff, shown, err := Tried(ctx, e, some)
	if err != nil {
		return err
	}
	told := make(map[string]nebula.Target, len(shown))
	for _, s := range shown {
		told[s.Path] = s
	}
	for i, c := range e.Changes {
		if old := e.Renames[c.Path]; old != "" && !c.Ignored {
			t.keep.Targets[i].From = old
		}
		if s, ok := told[c.Path]; ok && !c.Ignored {
			at := &t.keep.Targets[i]
			at.Add, at.Del, at.Size, at.Was, at.Unshown = s.Add, s.Del, s.Size, s.Was, s.Unshown
		}
		if at := &t.keep.Targets[i]; c.OfFile() && !c.Ignored && at.Size == 0 { // too large to be held, or not looked into
			was, now := e.Size(c)
			at.Was, at.Size = max(at.Was, was), now
		}
	}
	t.keep.Diff = diff
	return nil
}

// runs reports whether a file can be run by its mode that could not before, here or where it stood.
func runs(c nebula.Change, e *workspace.Effects) bool {
	from := e.Renames[c.Path]
	was := slices.IndexFunc(e.Changes, func(o nebula.Change) bool { return from != "" && o.Path == from })
	return c.OfFile() && fs.FileMode(c.ModeAfter).IsRegular() && c.ModeAfter&0o111 != 0 && c.ModeBefore&0o111 == 0 && (was < 0 || e.Changes[was].ModeBefore&0o111 == 0)
}

// counted says how much there is to decide on.
func (t *tried) counted() string {
	switch n := len(t.paths); {
	case n == 0:
		return amount(t.lang, max(t.ignored, 1), "path|paths")
	case n <= 3:
		return strings.Join(t.paths, ", ")
	default:
		return amount(t.lang, n, "path|paths")
	}
}

// do keeps it. What it is not, because somebody changed it meanwhile, is said.
func (t *tried) do(ctx context.Context, r nebula.Run) (nebula.Result, error) {
	covered := func(c nebula.Change) bool {
		_, ok := r.Grant.Covers(c.Name())
		return ok
	}
	made, left, aside, err := t.effects.Keep(context.WithoutCancel(ctx), r.Grant, covered)
	ignored := map[string]bool{}
	for _, c := range t.effects.Changes {
		ignored[c.Name()] = c.Ignored
	}
	for i, c := range made {
		made[i].Ignored = ignored[c.Name()]
	}
	f := finished{changes: made, lang: t.lang, exit: workspace.Exit{Aside: aside}}
	out := nebula.Result{Changes: made, Text: f.notes(Options{}), Summary: f.effects(t.lang)}
	for i, c := range t.effects.Changes {
		if !covered(c) && !t.keep.Targets[i].Ignored {
			out.Dropped = append(out.Dropped, c.Path)
		}
	}
	if len(out.Dropped) > 0 {
		out.Text += "\n[" + worded(t.lang, "the user kept only some of what it changed; dropped, the folder has as before: %s", some(out.Dropped, 20)) + "]"
		out.Summary += said(t.lang, ", dropped %s", amount(t.lang, len(out.Dropped), "path|paths"))
	}
	var paths []string
	for _, l := range left {
		if l.Why == nebula.InPart {
			l.Text = worded(t.lang, "it was changed only in part") + ": " + l.Text
		}
		paths = append(paths, strings.TrimSuffix(l.Path+": "+l.Text, ": "))
	}
	if len(paths) > 0 {
		out.Text += "\n[" + worded(t.lang, "not kept, since it was changed meanwhile or stands in the way: %s", some(paths, 10)) + "]"
		out.Summary += said(t.lang, "; not kept: %s", some(paths, 5))
	}
	return out, err
}

// drop takes it away.
func (t *tried) drop(why string) nebula.Result {
	t.effects.Drop()
	all := t.paths
	if t.ignored > 0 {
		all = append(all[:len(all):len(all)], amount(t.lang, t.ignored, "ignored file|ignored files"))
	}
	if len(all) == 0 {
		return nebula.Result{}
	}
	out := nebula.Result{Text: "\n[" + worded(t.lang, "what it changed was dropped, the folder is as it was (%s): %s", why, some(all, 20)) + "]"}
	for i, c := range t.effects.Changes {
		if !t.keep.Targets[i].Ignored {
			out.Dropped = append(out.Dropped, c.Path)
		}
	}
	out.Summary = said(t.lang, ", dropped %s", amount(t.lang, max(len(out.Dropped), t.ignored), "path|paths"))
	return out
}

// hide takes it away with what it printed. Nothing is told of how it ended either, how long it took, or what it called what it made: it could have
// made that say what it read.
func (t *tried) hide(why string) nebula.Result {
	t.effects.Forget()
	if !strings.Contains(why, t.opened) { // the person's own words
		why = strings.TrimSuffix(worded(t.lang, "it opened %s", t.opened)+": "+why, ": ")
	}
	out := nebula.Result{Text: worded(t.lang, "It ran; what it came to is not told.") + "\n[" + worded(t.lang, "what it printed and changed was dropped, and /tmp is empty again (%s); leave the file out, or name it in the command for the user to allow", why) + "]"}
	out.Summary = said(t.lang, "it ran; not told: it opened %s", t.opened)
	return out
}

// some names what comes first of a list, and says how much more there is.
func some(all []string, limit int) string {
	n, size := 0, 0
	for ; n < min(len(all), limit); n++ {
		if size += len(all[n]); n > 0 && size > mostNamed {
			break
		}
	}
	if len(all) > n {
		return strings.Join(all[:n], ", ") + fmt.Sprintf(" and %d more", len(all)-n)
	}
	return strings.Join(all, ", ")
}

// mostNamed bounds how long what is named of a list is, in bytes, but for the first of it.
const mostNamed = 1000
