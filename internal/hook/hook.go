// Package hook reads hooks as people have them (the hooks of a settings.json): programs that are asked at the moments of a
// session, and what they answer. It runs nothing itself.
package hook

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"nebula"
	"nebula/internal/phrase"
)

// A Hook is a program for a moment.
type Hook struct {
	Moment  nebula.Moment
	Matcher string // of a tool's name; empty or * for all
	Line    string
	Timeout time.Duration
	Blocks  bool   // an action is not done where the hook fails
	From    string // the file that it stands in
	Outside bool   // what it allows may leave the box
	Own     bool   // it is the person's, not the project's
}

// usual is how long a hook may take that says nothing of it.
const usual = time.Minute

// moments are those that nebula has; others are read by other programs.
var moments = []nebula.Moment{nebula.BeforeTool, nebula.AfterTool, nebula.OnMessage, nebula.AtStop, nebula.AtStepStop, nebula.OnStart, nebula.BeforeAsk, nebula.AtEnd, nebula.AtShort, nebula.OnAsk}

// Parse reads what stands under hooks. left names what is not read.
func Parse(raw json.RawMessage, from string, own bool) (list []Hook, left []nebula.Words, err error) {
	if len(raw) == 0 {
		return nil, nil, nil
	}
	var doc map[nebula.Moment][]struct {
		Matcher string `json:"matcher"`
		Hooks   []struct {
			Type    string  `json:"type"`
			Command string  `json:"command"`
			Timeout float64 `json:"timeout"`
			Block   bool    `json:"block"`
			Outside bool    `json:"outside"`
		} `json:"hooks"`
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		return nil, nil, nebula.Errorf("%s: hooks: %w", from, err)
	}
	for moment := range doc {
		if !slices.Contains(moments, moment) {
			left = append(left, nebula.Say("%s: hooks of %s are left out: there is no such moment here", from, string(moment)))
		}
	}
	for _, moment := range moments {
		for _, group := range doc[moment] {
			if _, err := regexp.Compile(group.Matcher); err != nil && group.Matcher != "*" {
				return nil, left, nebula.Errorf("%s: matcher %q: %w", from, group.Matcher, err)
			}
			for _, h := range group.Hooks {
				if h.Type != "command" && h.Type != "" || strings.TrimSpace(h.Command) == "" {
					left = append(left, nebula.Say("%s: a hook of %s is left out: only commands are run", from, string(moment)))
					continue
				}
				limit := cmp.Or(time.Duration(h.Timeout*float64(time.Second)), usual)
				list = append(list, Hook{moment, group.Matcher, h.Command, min(limit, 10*time.Minute), h.Block, from, h.Outside && own, own})
			}
		}
	}
	return list, left, nil
}

// Fits reports whether a hook is for a tool that has these names. The matcher has to fit a whole name.
func (h Hook) Fits(names []string) bool {
	if h.Matcher == "" || h.Matcher == "*" || len(names) == 0 {
		return true
	}
	form, err := regexp.Compile("^(?:" + h.Matcher + ")$")
	return err == nil && slices.ContainsFunc(names, form.MatchString)
}

// An End is how a hook's program ended.
type End struct {
	Code   int
	Output string
	Failed string // why it gave no answer: it did not start, or did not end in time
	Took   time.Duration
}

// A Set are hooks, with what runs them. It implements nebula.Hooks.
type Set struct {
	Step  bool // the session is a step's of a plan: nobody types there
	Dir   string
	Hooks func() []Hook                                       // those that may run now
	Names func(a nebula.Action) []string                      // all names of an action's tool, the best known first
	Run   func(ctx context.Context, h Hook, input []byte) End // runs one; its output is what it printed
}

// At implements nebula.Hooks.
func (s Set) At(ctx context.Context, o nebula.Occasion) (all nebula.Heeded) {
	if s.Step && (o.Moment == nebula.OnMessage || o.Moment == nebula.OnStart || o.Moment == nebula.AtEnd) {
		return all
	}
	if s.Step && o.Moment == nebula.AtStop {
		o.Moment = nebula.AtStepStop
	}
	var names []string
	if o.Action != nil {
		names = s.Names(*o.Action)
	}
	var input []byte
	for _, h := range s.Hooks() {
		if h.Moment != o.Moment || !h.Fits(names) || ctx.Err() != nil {
			continue
		}
		if input == nil {
			input = s.input(o, names)
		}
		end := s.Run(ctx, h, input)
		said := h.answer(o.Moment, end)
		run := nebula.Hooked{Moment: o.Moment, Command: h.Line, From: h.From, Exit: end.Code, Failed: end.Failed,
			Decision: said.Decision, Text: phrase.OneLine(cmp.Or(said.Why, said.Context), 400), Took: end.Took.Milliseconds()}
		if o.Action != nil {
			run.Action = o.Action.ID
		}
		if run.Failed == "" && end.Code != 0 && end.Code != 2 {
			run.Failed = phrase.OneLine(end.Output, 200)
			if run.Failed == "" {
				run.Failed = "?"
			}
		}
		all.Leaves = all.Leaves || h.Outside && said.Decision == "allow"
		if weight[said.Decision] > weight[all.Decision] {
			all.Decision, all.Why = said.Decision, said.Why
		}
		all.Context = strings.TrimSpace(all.Context + "\n" + said.Context)
		if said.Input != nil {
			own := h.Own && (all.Input == nil || all.Own)
			if meant := s.meant(o.Action.Args, all.Input, said.Input); meant != nil {
				all.Input, all.Own, run.Changed = meant, own, true
			}
		}
		all.Runs = append(all.Runs, run)
	}
	return all
}

// weight is how strict a decision is.
var weight = map[string]int{"": 0, "allow": 1, "ask": 2, "deny": 3}

// mostSaid bounds what a model reads of a hook.
const mostSaid = 10_000

// answer is what an end says. A project's hook may only tighten.
func (h Hook) answer(m nebula.Moment, end End) (a nebula.Heeded) {
	text := strings.TrimSpace(end.Output)
	text = strings.ToValidUTF8(text[:min(len(text), mostSaid)], "")
	switch {
	case end.Failed != "" || end.Code != 0 && end.Code != 2:
		if h.Blocks {
			a.Decision, a.Why = "deny", cmp.Or(end.Failed, text, "?")
		}
		return a
	case end.Code == 2:
		return nebula.Heeded{Decision: "deny", Why: cmp.Or(text, h.Line)}
	}
	var said struct {
		Decision, Reason, StopReason string
		Continue                     *bool
		Specific                     struct {
			PermissionDecision, PermissionDecisionReason, AdditionalContext string
			UpdatedInput                                                    map[string]json.RawMessage
			Decision                                                        struct{ Behavior, Message string }
		} `json:"hookSpecificOutput"`
	}
	if !strings.HasPrefix(text, "{") || json.Unmarshal([]byte(text), &said) != nil {
		if m == nebula.OnMessage || m == nebula.OnStart {
			a.Context = text
		}
		return a
	}
	a.Context, a.Why = said.Specific.AdditionalContext, cmp.Or(said.Specific.PermissionDecisionReason, said.Specific.Decision.Message, said.Reason, said.StopReason)
	if m == nebula.BeforeTool && len(said.Specific.UpdatedInput) > 0 {
		a.Input, _ = json.Marshal(said.Specific.UpdatedInput) // it was JSON
	}
	switch d := cmp.Or(said.Specific.PermissionDecision, said.Specific.Decision.Behavior, said.Decision); {
	case said.Continue != nil && !*said.Continue && m != nebula.AtStop && m != nebula.AtStepStop, d == "deny", d == "block":
		a.Decision = "deny"
	case d == "ask":
		a.Decision = "ask"
	case (d == "allow" || d == "approve") && h.Own:
		a.Decision = "allow"
	}
	return a
}

// longest bounds each text that a hook is told.
const longest = 16 << 10

// input is what hooks read: one line of JSON, with the names that they know.
func (s Set) input(o nebula.Occasion, names []string) []byte {
	in := map[string]any{"session_id": o.Session, "cwd": s.Dir, "hook_event_name": string(o.Moment), "permission_mode": map[nebula.Mode]string{nebula.PlanMode: "plan"}[o.Mode]}
	switch o.Moment {
	case nebula.OnMessage:
		in["prompt"] = cut(o.Text)
	case nebula.AtStop, nebula.AtStepStop:
		in["stop_hook_active"], in["last_assistant_message"] = o.Again, cut(o.Text)
	case nebula.AtShort:
		in["trigger"], in["custom_instructions"] = o.Kind, cut(o.Text)
	case nebula.OnAsk:
		in["message"], in["notification_type"] = cut(o.Text), o.Kind
	}
	if o.Action != nil {
		in["tool_name"], in["tool_input"], in["tool_use_id"] = names[0], s.arguments(o.Action.Args), o.Action.ID
	}
	if r := o.Result; r != nil {
		in["tool_response"] = map[string]any{"success": r.Status == nebula.Done, "status": string(r.Status), "output": cut(r.Text)}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(in) // it is made of texts
	return b.Bytes()
}

func cut(text string) string { return strings.ToValidUTF8(text[:min(len(text), longest)], "") }

// arguments are a call's, with the names that hooks know beside.
func (s Set) arguments(raw json.RawMessage) map[string]any {
	var args map[string]any
	if json.Unmarshal(raw, &args) != nil {
		return map[string]any{}
	}
	for name, v := range args {
		if text, ok := v.(string); ok {
			args[name] = cut(text)
		}
	}
	if name, ok := args["path"].(string); ok {
		if !filepath.IsAbs(name) {
			name = filepath.Join(s.Dir, filepath.FromSlash(name))
		}
		args["file_path"] = name
	}
	if text, ok := args["new_content"]; ok {
		args["content"] = text
	}
	return args
}

// meant are a call's arguments with what a hook puts in the place of some, under the names that the call has: those that were only
// added for hooks are no arguments. What a hook leaves as it was told it is as it was: long texts are cut for hooks.
func (s Set) meant(was, before, updated json.RawMessage) json.RawMessage {
	var args, said map[string]json.RawMessage
	if before == nil {
		before = was
	}
	if json.Unmarshal(before, &args) != nil || json.Unmarshal(updated, &said) != nil {
		return nil
	}
	told := s.arguments(was)
	for name, value := range said {
		var now any
		if json.Unmarshal(value, &now) != nil || reflect.DeepEqual(now, told[name]) {
			continue
		}
		_, known := args[name]
		switch {
		case known:
		case name == "file_path" && args["path"] != nil:
			name = "path"
		case name == "content" && args["new_content"] != nil:
			name = "new_content"
		}
		args[name] = value
	}
	out, _ := json.Marshal(args) // it was JSON
	if same(out, was) {
		return nil
	}
	return out
}

// same reports whether two texts of JSON say the same.
func same(a, b json.RawMessage) bool {
	var one, other any
	return json.Unmarshal(a, &one) == nil && json.Unmarshal(b, &other) == nil && reflect.DeepEqual(one, other)
}
