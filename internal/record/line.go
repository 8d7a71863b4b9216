package record

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode"

	"nebula"
	"nebula/internal/lists"
)

// A Line is what a store knows of a session without reading its events: the fold of them.
type Line struct {
	nebula.SessionInfo
	nebula.Head
	Outcome nebula.EndStatus // of the last turn; empty while it is open, and when it was interrupted
	Files   int              // changed, over all turns
}

// Begin is the line of a session without events.
func Begin(info nebula.SessionInfo) (Line, error) {
	if info.ID == "" {
		return Line{}, errors.New("a session needs an id")
	}
	if info.Started.IsZero() {
		info.Started = time.Now()
	}
	info.Last, info.Ended, info.Messages, info.Title = info.Started, time.Time{}, 0, title(info.Title)
	return Line{SessionInfo: info, Head: nebula.Head{Link: Root(info.ID)}}, nil
}

// Added is what an event means beside its session's line.
type Added struct {
	Messages []Message      // of the conversation, as people read it with an SQL prompt
	Named    []string       // contents that stay as long as the session
	Spoken   *nebula.Spoken // a reply, to be counted
	Tally    Tally
}

// A Message is one of the conversation.
type Message struct {
	Role    nebula.Role
	Content string // of the person and the model
	Calls   string // JSON: [{"id","name","arguments"}]; empty for none
	Results string // JSON: {"call_id","text"}; empty for none
}

// A Tally is what is added to a folder's counts.
type Tally struct{ Sessions, Files, Done int }

// Take follows an event and its record, which gets its link. A record that is not the next one is [nebula.ErrInUse]: another
// writer's came first.
func (l *Line) Take(r *nebula.Record, e nebula.Event) (a Added, err error) {
	if r.Seq != l.Seq+1 {
		return a, nebula.Errorf("session %s: event %d does not follow %d: %w", l.ID, r.Seq, l.Seq, nebula.ErrInUse)
	}
	r.Link = Next(l.Link, *r)
	l.Head = nebula.Head{Seq: r.Seq, Link: r.Link}
	l.Last = Moment(r.At)
	switch b := e.Body.(type) {
	case nebula.Started:
		l.Ended = time.Time{}
		l.Model = cmp.Or(b.Model, l.Model)
	case nebula.Switched:
		l.Model = cmp.Or(b.Model, l.Model)
	case nebula.Closed:
		l.Ended = l.Last
	case nebula.Submitted:
		l.Title = cmp.Or(l.Title, title(b.Text))
		if !b.Steer {
			l.Outcome = "" // until it ends
		}
		a.Messages = []Message{{Role: nebula.User, Content: b.Text}}
	case nebula.Replied:
		a.Spoken = spoke(cmp.Or(b.Model, l.Model), b)
		a.Messages = []Message{{Role: nebula.Assistant, Content: b.Reply.Text(), Calls: calls(b)}}
	case nebula.Observed:
		for _, m := range b.Messages {
			if m.Role != nebula.Assistant { // it stands as its reply
				a.Messages = append(a.Messages, Message{Role: nebula.ToolRole, Results: results(m)})
			}
		}
	case nebula.Ended:
		l.Outcome = b.Status
		l.Files += len(b.ChangedFiles)
	case nebula.Finished:
		a.Tally, a.Named = tally(b.Result), named(b.Result.Changes)
	case nebula.Undone:
		a.Named = named(b.Changes)
	case nebula.Reported: // what a step changed is taken back from here, too
		a.Named = named(b.Changes)
	}
	l.Messages += len(a.Messages)
	return a, nil
}

// calls are a reply's native calls, or what stands for them in a language that writes actions as text.
func calls(b nebula.Replied) string {
	list := b.Reply.Calls()
	if len(list) == 0 {
		for _, a := range b.Intent.Actions {
			list = append(list, nebula.Call{ID: a.ID, Name: a.Tool, Arguments: string(a.Args)})
		}
	}
	if len(list) == 0 {
		return ""
	}
	return asJSON(list)
}

func results(m nebula.Message) string {
	return asJSON(struct {
		Call string `json:"call_id,omitempty"`
		Text string `json:"text"`
	}{m.CallID, m.Text()})
}

//go:noinline
func asJSON(v any) string {
	b, _ := json.Marshal(v) // strings only: always marshals
	return string(b)
}

func tally(r nebula.Result) (t Tally) {
	for _, c := range r.Changes {
		if c.Kind == "create" || c.Kind == "edit" {
			t.Files++
		}
	}
	if r.Status == nebula.Done {
		t.Done = 1
	}
	return t
}

func named(changes []nebula.Change) (hashes []string) {
	for _, c := range changes {
		for _, hash := range []string{c.Before, c.After} {
			if hash != "" && !lists.Has(hashes, hash) {
				hashes = append(hashes, hash)
			}
		}
	}
	return hashes
}

// titleRunes is how much of a first request names a session.
const titleRunes = 100

// title is a request on one line.
func title(request string) string {
	if len(request) > 16*titleRunes {
		request = strings.ToValidUTF8(request[:16*titleRunes], "")
	}
	blank := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	line := []rune(strings.Join(strings.FieldsFunc(request, blank), " "))
	if len(line) > titleRunes {
		return string(line[:titleRunes-1]) + "…"
	}
	return string(line)
}
