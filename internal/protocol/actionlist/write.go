package actionlist

import (
	"bytes"
	"encoding/json"
	"strings"

	"nebula"
	"nebula/internal/protocol"
)

// Write writes an intent as one compact document. Fields without a value are left out.
func Write(in nebula.Intent, tools []nebula.ToolSpec) nebula.Reply {
	w := writer{}
	w.text("thought", strings.Join(in.Thoughts, "\n"))
	if d := in.Decision; d != nil {
		w.text("rationale", d.Rationale)
		w.text("goal_consistency", d.GoalConsistency)
		w.text("constraint_check", d.ConstraintCheck)
		w.text("step", d.Step)
		w.text("next_step", d.NextStep)
		w.text("prompt_pattern", d.PromptPattern)
		if d.StateDelta != nil {
			w.value("state_delta", d.StateDelta)
		}
	}
	if in.Vitals != (nebula.Vitals{}) {
		w.value("vitals", in.Vitals)
	}
	w.text("say", in.Say)
	if len(in.Questions) > 0 {
		w.value("questions", in.Questions)
	}
	w.field("actions", list(in.Actions))
	return nebula.Reply{Parts: nebula.Text("{" + w.b.String() + "}"), Finish: "stop"}
}

func list(actions []nebula.Action) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('[')
	for i, a := range actions {
		if i > 0 {
			b.WriteByte(',')
		}
		w := writer{}
		w.text("operation", a.Tool)
		w.field("args", a.Args)
		w.text("reasoning", a.Reason)
		if len(a.DependsOn) > 0 {
			w.value("depends_on", a.DependsOn)
		}
		b.WriteString("{" + w.b.String() + "}")
	}
	b.WriteByte(']')
	return b.Bytes()
}

type writer struct{ b bytes.Buffer }

func (w *writer) field(name string, value json.RawMessage) {
	if w.b.Len() > 0 {
		w.b.WriteByte(',')
	}
	w.b.Write(protocol.Quote(name))
	w.b.WriteByte(':')
	w.b.Write(value)
}

func (w *writer) text(name, value string) {
	if value != "" {
		w.field(name, protocol.Quote(value))
	}
}

func (w *writer) value(name string, v any) {
	raw, _ := json.Marshal(v) // values of this package's own vocabulary always marshal
	w.field(name, raw)
}

// Form implements nebula.Former.
func (Protocol) Form(a nebula.Action, tools []nebula.ToolSpec) string {
	return Write(nebula.Intent{Actions: []nebula.Action{a}}, tools).Text()
}
