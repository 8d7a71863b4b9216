package responses

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"strings"

	"nebula"
	"nebula/internal/model/transport"
)

// An event is one of a stream. Those of kinds that are not known yet are stepped over.
type event struct {
	Type     string          `json:"type"`
	Place    int             `json:"output_index"`
	Part     int             `json:"summary_index"`
	Delta    *string         `json:"delta"`
	Item     json.RawMessage `json:"item"`
	Response json.RawMessage `json:"response"`
}

// A response is a whole answer, or what is known of one by now.
type response struct {
	Model      string            `json:"model"`
	Status     string            `json:"status"`
	Error      json.RawMessage   `json:"error"`
	Output     []json.RawMessage `json:"output"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Usage json.RawMessage `json:"usage"`
}

type usage struct {
	Input        float64 `json:"input_tokens"`
	Output       float64 `json:"output_tokens"`
	InputDetails struct {
		Cached float64 `json:"cached_tokens"`
	} `json:"input_tokens_details"`
	OutputDetails struct {
		Reasoning float64 `json:"reasoning_tokens"`
	} `json:"output_tokens_details"`
}

// An output is one item of an answer.
type output struct {
	Type      string `json:"type"`
	ID        string `json:"call_id"`
	Status    string `json:"status"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
	Phase     string `json:"phase"` // of a message: whether it is the answer, or on the way to it
	Encrypted string `json:"encrypted_content"`
	Summary   []text `json:"summary"`
	Content   []text `json:"content"`
}

type text struct {
	Text    string `json:"text"`
	Refusal string `json:"refusal"`
}

// An item is an output under way.
type item struct {
	call int    // its number among the calls
	some bool   // some of its text or arguments came
	args []byte // of a call, as they came
	id   string // of the call, as the server named it
}

// A reader reads the events of one reply. Outputs are said one after the other: a part of a reply that another one breaks into is two.
type reader struct {
	out     *transport.Out
	items   map[int]*item // by their place among the outputs
	calls   int
	refused bool
	cut     bool      // an output is not all that it was to be
	last    int       // the place of what was said last
	open    int       // the place of the message or the thought under way, counted from one
	held    []event   // those of other outputs, which wait for its end
	end     *response // the answer at its end
}

// Event implements [transport.Reader].
func (r *reader) Event(_, data []byte) (ended bool, err error) {
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		if _, other := errors.AsType[*json.UnmarshalTypeError](err); !other || isDelta(e.Type) {
			return false, transport.NewDamaged(data)
		}
	}
	switch e.Type {
	case "response.created":
		var now response
		if json.Unmarshal(e.Response, &now) == nil && now.Model != "" {
			err = r.out.Say(nebula.Chunk{Model: now.Model})
		}
	case "response.output_item.added", itemDone, partAdded:
		err = r.piece(e)
	case "response.completed", "response.incomplete", "response.failed":
		return true, r.close(e.Response, e.Type)
	case "error":
		err = &transport.Said{Body: bytes.Clone(data)}
	default:
		if isDelta(e.Type) && e.Delta == nil {
			return false, transport.NewDamaged(data)
		} else if isDelta(e.Type) {
			err = r.piece(e)
		}
	}
	return false, err
}

const (
	itemDone  = "response.output_item.done"
	partAdded = "response.reasoning_summary_part.added"
)

// piece is one of an output, whose turn it may not be yet.
func (r *reader) piece(e event) error {
	switch {
	case r.open > 0 && r.open != e.Place+1:
		r.held = append(r.held, e)
		return nil
	case e.Delta != nil:
		return r.delta(e)
	case e.Type == partAdded && e.Part == 0:
		return nil
	case e.Type == partAdded:
		return r.think(e.Place, "\n\n")
	}
	if err := r.item(e.Place, e.Item, e.Type == itemDone); err != nil || e.Type != itemDone {
		return err
	}
	return r.release()
}

// release ends the turn of an output; those that waited have theirs.
func (r *reader) release() error {
	held := r.held
	r.open, r.held = 0, nil
	for _, e := range held {
		if err := r.piece(e); err != nil {
			return err
		}
	}
	return nil
}

// isDelta reports whether an event is a piece of the reply.
func isDelta(kind string) bool {
	switch kind {
	case "response.output_text.delta", "response.refusal.delta", "response.reasoning_summary_text.delta", "response.reasoning_text.delta",
		"response.function_call_arguments.delta":
		return true
	}
	return false
}

// delta is a piece of an output's text.
func (r *reader) delta(e event) error {
	said := *e.Delta
	switch e.Type {
	case "response.output_text.delta":
		return r.text(e.Place, said)
	case "response.refusal.delta":
		r.refused = true
		return r.text(e.Place, said)
	case "response.function_call_arguments.delta":
		return r.arguments(e.Place, said)
	}
	return r.think(e.Place, said)
}

// at is the output at a place.
//
//go:noinline
func (r *reader) at(place int) *item {
	if r.items[place] == nil {
		r.items[place] = &item{call: -1}
	}
	return r.items[place]
}

func (r *reader) text(place int, s string) error {
	if s == "" {
		return nil
	}
	r.at(place).some, r.last = true, place
	return r.out.Say(nebula.Chunk{Text: s})
}

func (r *reader) think(place int, s string) error {
	if s == "" {
		return nil
	}
	r.at(place).some, r.last = true, place
	return r.out.Say(nebula.Chunk{Reasoning: s})
}

func (r *reader) arguments(place int, s string) error {
	it := r.at(place)
	if it.call < 0 || s == "" {
		return nil
	}
	it.some, it.args = true, append(it.args, s...)
	return r.out.Say(nebula.Chunk{Call: &nebula.CallDelta{Index: it.call, Arguments: s}})
}

// item begins an output, or ends it: what did not come in pieces is in it whole.
func (r *reader) item(place int, raw json.RawMessage, done bool) error {
	var o output
	if json.Unmarshal(raw, &o) != nil {
		return transport.NewDamaged(raw)
	}
	it := r.at(place)
	r.cut = r.cut || done && o.Status == "incomplete"
	if !done && (o.Type == "message" || o.Type == "reasoning") {
		r.open = place + 1
	}
	switch o.Type {
	case "function_call":
		if it.call < 0 {
			r.last = place
			it.call, it.id, r.calls = r.calls, o.ID, r.calls+1
			if err := r.out.Say(nebula.Chunk{Call: &nebula.CallDelta{Index: it.call, ID: cmp.Or(o.ID, transport.NewID()), Name: o.Name}}); err != nil {
				return err
			}
		}
		if done && !it.some {
			return r.arguments(place, o.Arguments)
		}
		if done && !agree(it.args, o.Arguments) { // a piece was lost, or came twice
			return transport.NewDamaged(raw)
		}
	case "message":
		if done {
			return r.message(place, o)
		}
	case "reasoning":
		if done {
			return r.thought(place, o, raw)
		}
	}
	return nil
}

// agree reports whether the pieces of a call's arguments are what its end says that they were, if it does.
func agree(pieces []byte, whole string) bool {
	var came, said bytes.Buffer
	return string(pieces) == whole || json.Compact(&said, []byte(whole)) != nil || said.String() == "{}" ||
		json.Compact(&came, pieces) == nil && bytes.Equal(came.Bytes(), said.Bytes())
}

// message ends a text.
func (r *reader) message(place int, o output) error {
	if !r.at(place).some {
		for _, c := range o.Content {
			r.refused = r.refused || c.Refusal != ""
			if err := r.text(place, c.Text+c.Refusal); err != nil {
				return err
			}
		}
	}
	if o.Phase == "" || !r.at(place).some || r.last != place {
		return nil
	}
	return r.out.Say(nebula.Chunk{Opaque: &nebula.Opaque{Of: Name, Value: transport.AppendString(nil, o.Phase)}})
}

// thought ends what the model thought. Without its encrypted form the server, which stored nothing, would not know it again.
func (r *reader) thought(place int, o output, raw json.RawMessage) error {
	if !r.at(place).some {
		for i, s := range append(o.Summary, o.Content...) {
			if err := r.think(place, between(i)+s.Text); err != nil {
				return err
			}
		}
	}
	if o.Encrypted == "" {
		return nil
	}
	seal := &nebula.Opaque{Of: Name, Value: bytes.Clone(raw)}
	if !r.at(place).some || r.last != place {
		return r.out.Say(nebula.Chunk{Part: &nebula.Part{Kind: nebula.ReasoningPart, Opaque: seal}})
	}
	return r.out.Say(nebula.Chunk{Opaque: seal})
}

func between(n int) string {
	if n == 0 {
		return ""
	}
	return "\n\n"
}

// close takes the answer at its end. Outputs that did not come on the way are in it.
func (r *reader) close(raw json.RawMessage, kind string) error {
	var end response
	if json.Unmarshal(raw, &end) != nil {
		return transport.NewDamaged(raw)
	}
	if status := strings.TrimPrefix(kind, "response."); status != "completed" {
		end.Status = cmp.Or(status, end.Status) // of an event it is in its name
	}
	if end.Status == "failed" || end.Status == "cancelled" {
		return &transport.Said{Body: append(append([]byte(`{"error":`), fault(end.Error)...), '}')}
	}
	for len(r.held) > 0 { // what has no end has it here
		if err := r.release(); err != nil {
			return err
		}
	}
	for place, o := range end.Output {
		it, whole := r.items[place], output{}
		_ = json.Unmarshal(o, &whole)
		r.cut = r.cut || whole.Status == "incomplete"
		if it == nil || it.call >= 0 && whole.ID == it.id {
			if err := r.item(place, o, true); err != nil {
				return err
			}
		}
	}
	r.end = &end
	return nil
}

func fault(raw json.RawMessage) json.RawMessage {
	if transport.Present(raw) == nil {
		return json.RawMessage(`{"message":"the reply failed","code":"server_error"}`)
	}
	return raw
}

// Object implements [transport.Reader]: an answer that did not stream, or an error.
func (r *reader) Object(raw json.RawMessage) error {
	var whole response
	if json.Unmarshal(raw, &whole) != nil || whole.Output == nil {
		return &transport.Said{Body: bytes.Clone(raw)}
	}
	if whole.Model != "" {
		if err := r.out.Say(nebula.Chunk{Model: whole.Model}); err != nil {
			return err
		}
	}
	return r.close(raw, "")
}

// Whole implements [transport.Reader].
func (r *reader) Whole() bool { return r.end != nil }

// End implements [transport.Reader].
func (r *reader) End() error {
	if r.end == nil {
		return transport.ErrCut
	}
	var u usage
	if json.Unmarshal(r.end.Usage, &u) != nil {
		u = usage{}
	}
	told := nebula.Usage{Input: transport.Tokens(u.Input), Output: transport.Tokens(u.Output)}
	told.Cached = min(transport.Tokens(u.InputDetails.Cached), told.Input)
	told.Reasoning = min(transport.Tokens(u.OutputDetails.Reasoning), told.Output)
	if err := r.out.Say(nebula.Chunk{Usage: &told}); err != nil {
		return err
	}
	finish, err := r.finish()
	if err != nil {
		return err
	}
	return r.out.Say(nebula.Chunk{Finish: finish})
}

// finish is what the end means.
func (r *reader) finish() (string, error) {
	finish, err := transport.End(cmp.Or(r.end.Incomplete.Reason, r.end.Status, "completed")).Word()
	switch {
	case (r.cut || r.end.Status == "incomplete") && (finish == transport.Stop || finish == transport.Calls): // whatever it is called, it is not all
		finish = transport.Length
	case finish == transport.Length:
	case r.refused:
		finish = transport.Filtered
	case finish == transport.Stop && r.calls > 0:
		finish = transport.Calls
	}
	return finish, err
}
