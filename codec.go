package nebula

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"
)

// CommandForm is the version of the form in which commands are written.
const CommandForm = 1

// commands are the commands by the names that they are sent under.
var commands = map[string]func([]byte) (Command, error){
	"submit": readCommand[Submit], "answer": readCommand[Answer], "cancel": readCommand[Cancel], "switch": readCommand[Switch],
	"undo": readCommand[Undo], "perform": readCommand[Perform], "shell": readCommand[Shell], "compact": readCommand[Compact], "inform": readCommand[Inform],
	"direct": readCommand[Direct], "job": readCommand[Job], "close": readCommand[Close],
}

func readCommand[C Command](data []byte) (Command, error) {
	var c C
	err := json.Unmarshal(data, &c)
	return c, err
}

// Commands are the zero values of all commands, by the names that they are sent under.
func Commands() map[string]Command {
	all := map[string]Command{}
	for name, read := range commands {
		all[name], _ = read([]byte("{}"))
	}
	return all
}

// Bodies are the zero values of all events' bodies, by name.
func Bodies() map[string]Body {
	all := map[string]Body{}
	for name, read := range bodies {
		all[name], _ = read([]byte("{}"))
	}
	return all
}

// EncodeCommand writes {"v","type",…} with the command's fields beside them.
func EncodeCommand(c Command) ([]byte, error) {
	for _, name := range slices.Sorted(maps.Keys(commands)) {
		if zero, _ := commands[name]([]byte("{}")); reflect.TypeOf(zero) == reflect.TypeOf(c) {
			return beside(fmt.Appendf(nil, `{"v":%d,"type":%q`, CommandForm, name), c)
		}
	}
	return nil, fmt.Errorf("unknown command %T", c)
}

// beside writes a value's fields behind those of an object that was begun.
func beside(head []byte, value any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return nil, err
	}
	fields := bytes.TrimSuffix(out.Bytes(), []byte("\n"))
	if len(fields) > 2 {
		head = append(head, ',')
	}
	return append(head, fields[1:]...), nil
}

// DecodeCommand reads a command as EncodeCommand writes it. What it does not know it refuses.
func DecodeCommand(data []byte) (Command, error) {
	var head struct {
		V    int    `json:"v"`
		Type string `json:"type"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("command: %w", err)
	}
	read, ok := commands[head.Type]
	switch {
	case !ok:
		return nil, fmt.Errorf("unknown command type %q", head.Type)
	case head.V < 1 || head.V > CommandForm:
		return nil, fmt.Errorf("command %s is in form %d, this nebula knows %d", head.Type, head.V, CommandForm)
	}
	c, err := read(data)
	if err != nil {
		return nil, fmt.Errorf("command %s: %w", head.Type, err)
	}
	return c, nil
}

// UnmarshalJSON reads an event as MarshalJSON writes it.
func (e *Event) UnmarshalJSON(data []byte) error {
	var head struct {
		Seq  int64     `json:"seq"`
		At   time.Time `json:"at"`
		Type string    `json:"type"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return err
	}
	body, err := DecodeBody(head.Type, data)
	if err != nil {
		return err
	}
	*e = Event{head.Seq, head.At, body}
	return nil
}

// An informed body is written as an event's is, with its type.
type informed struct {
	Type string          `json:"type"`
	Body json.RawMessage `json:"body"`
}

// MarshalJSON writes the bodies with their types.
func (i Inform) MarshalJSON() ([]byte, error) {
	list := make([]informed, len(i.Bodies))
	for n, b := range i.Bodies {
		data, err := EncodeBody(b)
		if err != nil {
			return nil, err
		}
		list[n] = informed{b.Name(), data}
	}
	return json.Marshal(map[string]any{"bodies": list})
}

// UnmarshalJSON refuses an answer whose command is empty: whoever sends one does not mean the command that was shown.
func (a *Answer) UnmarshalJSON(data []byte) error {
	type answer Answer
	var own struct{ Command *string }
	if err := errors.Join(json.Unmarshal(data, (*answer)(a)), json.Unmarshal(data, &own)); err != nil {
		return err
	}
	if own.Command != nil && *own.Command == "" {
		return Errorf("an answer with an empty command allows nothing: leave the field out to allow what was shown")
	}
	return nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (i *Inform) UnmarshalJSON(data []byte) error {
	var in struct {
		Bodies []informed `json:"bodies"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	for _, one := range in.Bodies {
		b, err := DecodeBody(one.Type, one.Body)
		if err != nil {
			return err
		}
		i.Bodies = append(i.Bodies, b)
	}
	return nil
}
