package sqlite

import (
	"cmp"
	"encoding/json"
	"strings"
	"unicode"

	"nebula"
)

// project writes what an event means for the tables of sessions and messages, and for the contents it names.
func (c *conn) project(session string, h *head, e nebula.Event) error {
	h.last = nanos(e.At)
	switch b := e.Body.(type) {
	case nebula.Started:
		h.ended = 0
		h.model = cmp.Or(b.Model, h.model)
	case nebula.Switched:
		h.model = cmp.Or(b.Model, h.model)
	case nebula.Closed:
		h.ended = h.last
	case nebula.Submitted:
		h.title = cmp.Or(h.title, title(b.Text))
		return c.message(session, h, message{role: nebula.User, content: b.Text})
	case nebula.Replied:
		if err := c.spoke(cmp.Or(b.Model, h.model), b); err != nil {
			return err
		}
		return c.message(session, h, message{role: nebula.Assistant, content: b.Reply.Text, calls: calls(b)})
	case nebula.Observed:
		for _, m := range b.Messages {
			if m.Role == nebula.Assistant {
				continue // stands as its reply
			}
			if err := c.message(session, h, message{role: nebula.ToolRole, results: results(m)}); err != nil {
				return err
			}
		}
	case nebula.Ended:
		h.outcome = string(b.Status)
		h.files += int64(len(b.ChangedFiles))
	case nebula.Finished:
		h.tally = h.tally.plus(b.Result)
		return c.names(session, b.Result.Changes)
	case nebula.Undone:
		return c.names(session, b.Changes)
	case nebula.Reported: // what a step changed is taken back from here, too
		return c.names(session, b.Changes)
	}
	return nil
}

// A message is a row of the table of messages; nil columns are NULL.
type message struct {
	role    nebula.Role
	content any
	calls   any
	results any
}

func (c *conn) message(session string, h *head, m message) error {
	h.messages++
	_, err := c.exec(`INSERT INTO messages (session_id, timestamp, role, content, tool_calls, tool_results, seq)
		VALUES (?, ?, ?, ?, ?, ?, ?)`, session, datetime(h.last), string(m.role), m.content, m.calls, m.results, h.seq)
	return err
}

// calls are a reply's native calls, or what stands for them in a language that writes actions as text.
func calls(b nebula.Replied) any {
	list := b.Reply.Calls
	if len(list) == 0 {
		for _, a := range b.Intent.Actions {
			list = append(list, nebula.Call{ID: a.ID, Name: a.Tool, Arguments: string(a.Args)})
		}
	}
	if len(list) == 0 {
		return nil
	}
	return asJSON(list)
}

func results(m nebula.Message) string {
	return asJSON(struct {
		Call string `json:"call_id,omitempty"`
		Text string `json:"text"`
	}{m.CallID, m.Text})
}

func asJSON(v any) string {
	b, _ := json.Marshal(v) // strings only: always marshals
	return string(b)
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
