package acp

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"nebula"
	"nebula/internal/phrase"
	"nebula/internal/terminal"
	"nebula/internal/transcript"
)

// A screen is what an editor was told of a session so far.
type screen struct {
	seen *transcript.Transcript
	rows int // of the transcript that were looked at
	live bool
	told map[*transcript.Row]int // bytes of what is streamed; changes of an action
	acts map[string]*transcript.Row
	last map[*transcript.Row]drawn
	plan []sdk.PlanEntry
	mode nebula.Mode
}

// A drawn action is how an action was shown last.
type drawn struct {
	status sdk.ToolCallStatus
	at     time.Time
}

// pace is how often the output of a running command is shown anew.
const pace = 200 * time.Millisecond

// take tells what is new.
func (s *screen) take() (all []sdk.SessionUpdate) {
	for ; s.rows < len(s.seen.Rows); s.rows++ {
		all = append(all, s.row(s.seen.Rows[s.rows])...)
	}
	if r := s.seen.Live; r != nil {
		all = append(all, s.row(r)...)
	}
	for id, r := range s.acts {
		if s.told[r] != r.Changes {
			all = append(all, s.action(r)...)
		}
		if r.Action.Result != nil {
			delete(s.acts, id)
		}
	}
	if m := s.seen.Mode; m != s.mode {
		if s.mode = m; s.live {
			all = append(all, sdk.SessionUpdate{CurrentModeUpdate: &sdk.SessionCurrentModeUpdate{CurrentModeId: sdk.SessionModeId(m), SessionUpdate: "current_mode_update"}})
		}
	}
	if p := plan(s.seen.Beside); !reflect.DeepEqual(p, s.plan) {
		s.plan = p
		all = append(all, sdk.UpdatePlan(p...))
	}
	s.live = true
	return all
}

// row tells what is new of a row.
func (s *screen) row(r *transcript.Row) []sdk.SessionUpdate {
	text := r.Text
	switch r.Kind {
	case transcript.Person:
		if s.live { // the editor shows what it sent
			return nil
		}
		return []sdk.SessionUpdate{sdk.UpdateUserMessageText(text)}
	case transcript.Say:
		return s.streamed(r, sdk.UpdateAgentMessageText)
	case transcript.Thought:
		return s.streamed(r, sdk.UpdateAgentThoughtText)
	case transcript.Act:
		return s.action(r)
	case transcript.Question:
		if len(r.Question.Options) > 0 { // is a choice of the editor's
			return nil
		}
		return []sdk.SessionUpdate{sdk.UpdateAgentMessageText("\n\n**?** " + text + "\n\n")}
	case transcript.End:
		if r.Outcome.Status == nebula.TurnDone || r.Outcome.Status == nebula.Cancelled {
			return nil
		}
		return []sdk.SessionUpdate{sdk.UpdateAgentMessageText("\n\n" + r.Mark + " " + text + "\n\n")}
	}
	said := r.Said(terminal.Visible, terminal.OneRow)
	switch {
	case r.Known || r.Mark == "→":
		return nil // is shown by the editor itself
	case r.Tone == transcript.Warning || r.Tone == transcript.Bad:
		return []sdk.SessionUpdate{sdk.UpdateAgentMessageText("\n\n⚠ " + said + "\n\n")}
	}
	return []sdk.SessionUpdate{sdk.UpdateAgentThoughtText(said + "\n")}
}

// streamed tells what was added to a row since it was last told.
//
//go:noinline
func (s *screen) streamed(r *transcript.Row, say func(string) sdk.SessionUpdate) []sdk.SessionUpdate {
	from, known := s.told[r]
	if len(r.Text) <= from {
		return nil
	}
	s.told[r] = len(r.Text)
	text := r.Text[from:]
	if !known && s.rows > 0 {
		text = "\n\n" + text // it begins a paragraph of its own
	}
	return []sdk.SessionUpdate{say(text)}
}

// action tells how an action stands.
func (s *screen) action(r *transcript.Row) []sdk.SessionUpdate {
	a := *r.Action
	id := sdk.ToolCallId(a.Proposal.Action.ID)
	_, known := s.told[r]
	is := status(a)
	was := s.last[r]
	if known && is == sdk.ToolCallStatusInProgress && was.status == is && time.Since(was.at) < pace {
		return nil
	}
	s.told[r] = r.Changes
	if s.last == nil {
		s.last = map[*transcript.Row]drawn{}
	}
	s.last[r] = drawn{is, time.Now()}
	if a.Result != nil {
		delete(s.last, r)
	} else {
		s.acts[string(id)] = r
	}
	kind, where, content := kind(a), locations(s.seen.Started, a), contents(s.seen.Started, a)
	if !known {
		options := []sdk.ToolCallStartOpt{sdk.WithStartKind(kind), sdk.WithStartStatus(is), sdk.WithStartLocations(where), sdk.WithStartContent(content)}
		if len(a.Proposal.Action.Args) > 0 {
			options = append(options, sdk.WithStartRawInput(a.Proposal.Action.Args))
		}
		return []sdk.SessionUpdate{sdk.StartToolCall(id, title(a), options...)}
	}
	return []sdk.SessionUpdate{sdk.UpdateToolCall(id, sdk.WithUpdateTitle(title(a)), sdk.WithUpdateKind(kind), sdk.WithUpdateStatus(is),
		sdk.WithUpdateLocations(where), sdk.WithUpdateContent(content))}
}

// decided is an action as the person decides on it: its points in words, then exactly what would happen.
func decided(at nebula.Started, who string, a transcript.Action, lang string) sdk.ToolCallUpdate {
	var b strings.Builder
	for _, p := range a.Explained(transcript.WordsIn(lang)) {
		fmt.Fprintf(&b, "- **%s** %s\n", p.Name, terminal.OneRow(strings.Join(p.Texts, "; ")))
	}
	content := append([]sdk.ToolCallContent{text(b.String())}, exact(at, a, lang)...)
	return sdk.ToolCallUpdate{ToolCallId: sdk.ToolCallId(a.Proposal.Action.ID), Title: sdk.Ptr(signed(who, title(a))), Kind: sdk.Ptr(kind(a)), Status: sdk.Ptr(sdk.ToolCallStatusPending), Content: content, Locations: locations(at, a)}
}

func title(a transcript.Action) string {
	command, said := a.Title()
	if command = terminal.OneRow(command); command != "" && said != "" {
		return "`" + command + "` · " + terminal.OneRow(said)
	} else if command != "" {
		return "`" + command + "`"
	}
	return terminal.OneRow(said)
}

func status(a transcript.Action) sdk.ToolCallStatus {
	switch {
	case a.Result == nil && a.Running:
		return sdk.ToolCallStatusInProgress
	case a.Result == nil:
		return sdk.ToolCallStatusPending
	case a.Result.Status == nebula.Done:
		return sdk.ToolCallStatusCompleted
	}
	return sdk.ToolCallStatusFailed
}

func kind(a transcript.Action) sdk.ToolKind {
	deletes := func(t nebula.Target) bool { return t.Kind == "delete" }
	switch p := a.Proposal; {
	case p.Remote != nil:
		return sdk.ToolKindOther
	case p.Effect == nebula.Read:
		return sdk.ToolKindRead
	case p.Effect == nebula.Execute && p.Ran == "":
		return sdk.ToolKindExecute
	case len(p.Targets) > 0 && !slices.ContainsFunc(p.Targets, func(t nebula.Target) bool { return !deletes(t) }):
		return sdk.ToolKindDelete
	case p.Effect == nebula.Write, p.Ran != "":
		return sdk.ToolKindEdit
	case p.Effect == nebula.Update, p.Effect == nebula.Arrange, p.Effect == nebula.Ask:
		return sdk.ToolKindThink
	}
	return sdk.ToolKindOther
}

func locations(at nebula.Started, a transcript.Action) []sdk.ToolCallLocation {
	var all []sdk.ToolCallLocation
	for _, t := range a.Proposal.Targets {
		all = append(all, sdk.ToolCallLocation{Path: path(at, t.Path)})
	}
	return all
}

// path is a path as the editor knows it.
func path(at nebula.Started, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(at.Dir, filepath.FromSlash(name))
}

// resultMax bounds what is shown of what an action said, in bytes; the model reads what it asked for.
const resultMax = 16 << 10

// contents are what an action would do or did, and what came of it.
func contents(at nebula.Started, a transcript.Action) []sdk.ToolCallContent {
	all := diffs(a.Proposal.Diff, func(name string) string { return path(at, name) })
	said := a.Output
	if r := a.Result; r != nil && (len(all) == 0 || r.Status != nebula.Done) {
		said = r.Text
	}
	if said = strings.TrimRight(said, "\n"); said != "" {
		if len(said) > resultMax {
			said = strings.ToValidUTF8(said[:resultMax], "") + "\n…"
		}
		all = append(all, text(phrase.Fenced("", said)))
	}
	return all
}

// effectWidth is how wide the rows are that say what becomes of files: an editor breaks them as it likes.
const effectWidth = 1 << 10

// exact is what would happen, to the letter.
func exact(at nebula.Started, a transcript.Action, lang string) (all []sdk.ToolCallContent) {
	if runs := a.Proposal.Exact(); runs != "" {
		all = append(all, text(phrase.Fenced("", terminal.Visible(runs))))
	}
	if rows := terminal.Effects(a.Proposal, effectWidth, lang); len(rows) > 0 {
		var b strings.Builder
		for _, r := range rows {
			b.WriteString(r.Lead + r.Text + "\n")
		}
		all = append(all, text(phrase.Fenced("", b.String())))
	}
	all = append(all, diffs(a.Proposal.Diff, func(name string) string { return path(at, name) })...)
	if shown := terminal.Visible(a.Proposal.Diff); shown != a.Proposal.Diff || len(all) == 0 && shown != "" {
		all = append(all, text(phrase.Fenced("", shown))) // an editor may draw characters that deceive, and no file that is not text
	}
	return all
}

//go:noinline
func text(s string) sdk.ToolCallContent { return sdk.ToolContent(sdk.TextBlock(s)) }

// diffs are the changes of a unified diff, file by file: the lines that it shows, before and after.
func diffs(unified string, name func(string) string) (all []sdk.ToolCallContent) {
	var file string
	var before, after strings.Builder
	created := false
	end := func() {
		if file != "" && before.Len()+after.Len() > 0 {
			c := sdk.ToolDiffContent(name(file), after.String(), before.String())
			if created {
				c = sdk.ToolDiffContent(name(file), after.String())
			}
			all = append(all, c)
		}
		before.Reset()
		after.Reset()
		file, created = "", false
	}
	left, right := 0, 0 // lines of the hunk that are to come
	for line := range strings.Lines(unified) {
		switch {
		case left <= 0 && right <= 0 && strings.HasPrefix(line, "--- "):
			end()
			file, created = named(line), strings.HasPrefix(line, "--- /dev/null")
		case left <= 0 && right <= 0 && strings.HasPrefix(line, "+++ "):
			if !strings.HasPrefix(line, "+++ /dev/null") {
				file = named(line)
			}
		case strings.HasPrefix(line, "@@ "):
			left, right = spans(line)
		case left <= 0 && right <= 0:
		case strings.HasPrefix(line, "-"):
			before.WriteString(line[1:])
			left--
		case strings.HasPrefix(line, "+"):
			after.WriteString(line[1:])
			right--
		case strings.HasPrefix(line, " "), line == "\n":
			rest := strings.TrimPrefix(line, " ")
			before.WriteString(rest)
			after.WriteString(rest)
			left, right = left-1, right-1
		}
	}
	end()
	return all
}

// named is the file of a diff's head line.
func named(line string) string {
	name, _, _ := strings.Cut(strings.TrimRight(line[4:], "\r\n"), "\t")
	for _, side := range []string{"a/", "b/"} {
		name = strings.TrimPrefix(name, side)
	}
	return name
}

// spans are how many lines a hunk has before and after.
func spans(head string) (before, after int) {
	fields := strings.Fields(head)
	if len(fields) < 3 {
		return 0, 0
	}
	for i, n := range []*int{&before, &after} {
		*n = 1
		if _, count, ok := strings.Cut(fields[i+1], ","); ok {
			if _, err := fmt.Sscan(count, n); err != nil {
				return 0, 0
			}
		}
	}
	return before, after
}

// plan is the plan beside the conversation as an editor shows it.
func plan(b transcript.Beside) (all []sdk.PlanEntry) {
	if b.Plan == nil {
		return nil
	}
	for _, step := range b.Plan.Steps {
		e := sdk.PlanEntry{Content: step.Name, Priority: sdk.PlanEntryPriorityMedium, Status: sdk.PlanEntryStatusPending}
		switch step.Status {
		case nebula.InProgress:
			e.Status = sdk.PlanEntryStatusInProgress
		case nebula.Completed, nebula.StageSkipped:
			e.Status = sdk.PlanEntryStatusCompleted
		}
		all = append(all, e)
	}
	return all
}
