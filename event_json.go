package nebula

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// Form is the version of the form in which bodies are written. Form 1, which said nothing of itself, had a message's text,
// reasoning and calls each in a field of its own.
const Form = 2

// form stands first in every body that is written.
var form = fmt.Appendf(nil, `{"v":%d`, Form)

// EncodeBody writes a body as it is stored and sent: JSON that says first in which form it is. What it holds of code is not
// escaped for web pages.
func EncodeBody(b Body) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	out.Write(form)
	if err := enc.Encode(b); err != nil {
		return nil, fmt.Errorf("event %s: %w", b.Name(), err)
	}
	data := bytes.TrimSuffix(out.Bytes(), []byte("\n"))
	if data[len(form)] = ','; len(data) == len(form)+2 {
		return append(data[:len(form)], '}'), nil
	}
	return data, nil
}

// MarshalJSON writes {"seq","at","type","v",…} with the body's fields beside them.
func (e Event) MarshalJSON() ([]byte, error) {
	body, err := EncodeBody(e.Body)
	if err != nil {
		return nil, err
	}
	head := fmt.Appendf(nil, `{"seq":%d,"at":%q,"type":%q,`, e.Seq, e.At.UTC().Format(time.RFC3339Nano), e.Body.Name())
	return append(head, body[1:]...), nil
}

// DecodeBody reads a body that was stored as JSON under its name, in its present form or an earlier one.
func DecodeBody(name string, data []byte) (Body, error) {
	read, ok := bodies[name]
	if !ok {
		return nil, fmt.Errorf("unknown event type %q: written by a newer nebula?", name)
	}
	v, err := formOf(data)
	switch {
	case err != nil:
	case v > Form:
		return nil, fmt.Errorf("event %s is in form %d, this nebula knows %d: written by a newer one?", name, v, Form)
	case v == 1 && firstForm[name] != nil:
		read = firstForm[name]
	}
	var b Body
	if err == nil {
		b, err = read(data)
	}
	if err != nil {
		return nil, fmt.Errorf("event %s: %w", name, err)
	}
	return b, nil
}

// formOf is the version that a body says it is in.
func formOf(data []byte) (int, error) {
	if bytes.HasPrefix(data, form) && data[len(form)] == ',' {
		return Form, nil
	}
	body := struct {
		V int `json:"v"`
	}{1}
	err := json.Unmarshal(data, &body)
	return body.V, err
}

func decode[B Body](data []byte) (Body, error) {
	var b B
	err := json.Unmarshal(data, &b)
	return b, err
}

var bodies = map[string]func([]byte) (Body, error){
	"started": decode[Started], "submitted": decode[Submitted], "requested": decode[Requested],
	"streamed": decode[Streamed], "retried": decode[Retried], "replied": decode[Replied],
	"proposed": decode[Proposed], "asked": decode[Asked], "answered": decode[Answered], "began": decode[Began],
	"finished": decode[Finished], "observed": decode[Observed], "switched": decode[Switched],
	"moved": decode[Moved], "updated": decode[Updated], "compacted": decode[Compacted],
	"planned": decode[Planned], "stepped": decode[Stepped], "tasked": decode[Tasked], "queued": decode[Queued], "reported": decode[Reported],
	"superseded": decode[Superseded], "undone": decode[Undone], "hooked": decode[Hooked], "noted": decode[Noted], "ended": decode[Ended], "closed": decode[Closed],
}
