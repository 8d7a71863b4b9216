// Package hook reads hooks as people have them (the hooks of a settings.json): programs that are asked at the moments of a
// session, and what they answer. It runs nothing itself.
package hook

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/matter"
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
	If      string // a tool with what it is to be called with, as in Bash(git *); empty for all that fit
	Outside bool   // what it allows may leave the box
	Own     bool   // it is the person's, not the project's
	Denies  bool   // nothing runs: what its If says is denied, and Line says so
}

// usual is how long a hook may take that says nothing of it, and mostTime is the longest that one may say.
const (
	usual    = time.Minute
	mostTime = 10 * time.Minute
)

// moments are those that nebula has; others are read by other programs.
var moments = []nebula.Moment{nebula.BeforeTool, nebula.AfterTool, nebula.OnMessage, nebula.AtStop, nebula.AtStepStop, nebula.OnStart, nebula.BeforeAsk, nebula.AtEnd, nebula.AtShort, nebula.OnAsk}

// A group is hooks behind one matcher, as people write them down.
type group struct {
	Matcher string `json:"matcher"`
	Hooks   []struct {
		Type    string  `json:"type"`
		Command string  `json:"command"`
		Timeout float64 `json:"timeout"`
		Block   bool    `json:"block"`
		Outside bool    `json:"outside"`
		If      string  `json:"if"`
		// What is said of these is not done here, or only in part.
		Args  []string `json:"args"`
		Async bool     `json:"async"`
		Once  bool     `json:"once"`
		Shell string   `json:"shell"`
	} `json:"hooks"`
}

// Parse reads what stands under hooks. left names what is not read: the others hold without it.
func Parse(raw json.RawMessage, from string, own bool) (list []Hook, left []nebula.Words, err error) {
	if len(raw) == 0 {
		return nil, nil, nil
	}
	var doc map[nebula.Moment][]json.RawMessage
	if err := json.Unmarshal(raw, &doc); err != nil {
		return nil, nil, nebula.Errorf("%s: hooks: %w", from, matter.Misfit(err))
	}
	for _, moment := range slices.Sorted(maps.Keys(doc)) { // they are told in one order
		if !lists.Has(moments, moment) {
			left = append(left, nebula.Say("%s: hooks of %s are left out: there is no such moment here", from, string(moment)))
		}
	}
	for _, moment := range moments {
		for _, raw := range doc[moment] {
			var g group
			err := json.Unmarshal(raw, &g)
			if err == nil {
				_, err = matcher(g.Matcher)
			}
			if err != nil {
				left = append(left, nebula.Say("%s: hooks of %s, matcher %q, are left out: %w", from, string(moment), g.Matcher, matter.Misfit(err)))
				continue
			}
			for _, h := range g.Hooks {
				if h.Type != "command" && h.Type != "" || strings.TrimSpace(h.Command) == "" {
					left = append(left, nebula.Say("%s: a hook of %s is left out: only commands are run", from, string(moment)))
					continue
				}
				line := strings.Join(append([]string{h.Command}, quoted(h.Args)...), " ")
				for _, not := range []struct {
					is   bool
					name string
				}{{h.Async, "async"}, {h.Once, "once"}, {h.Shell != "" && h.Shell != "bash", "shell"}} {
					if not.is {
						left = append(left, nebula.Say("%s: a hook of %s says %s, which is not done here: it is run each time by the shell of commands and waited for", from, string(moment), not.name))
					}
				}
				limit := time.Duration(min(h.Timeout, mostTime.Seconds()) * float64(time.Second))
				if limit <= 0 {
					limit = usual
				}
				list = append(list, Hook{Moment: moment, Matcher: g.Matcher, Line: line, Timeout: limit, Blocks: h.Block, From: from, If: h.If, Outside: h.Outside && own, Own: own})
			}
		}
	}
	return list, left, nil
}

// quoted are words as a shell reads each as one.
func quoted(words []string) (list []string) {
	for _, w := range words {
		list = append(list, phrase.Quote(w))
	}
	return list
}

var listed = &lazy.Pattern{X: `^[\w\s,|-]*$`}

// matcher tells which names a matcher is for, as people know it: words are whole names, one or several of them; what has any other sign is an
// expression that fits somewhere in a name.
func matcher(text string) (fits func(name string) bool, err error) {
	switch text = strings.TrimSpace(text); {
	case text == "" || text == "*":
		return func(string) bool { return true }, nil
	case listed.In(text):
		words := strings.FieldsFunc(text, func(r rune) bool { return r == '|' || r == ',' })
		return func(name string) bool {
			return slices.ContainsFunc(words, func(w string) bool { return strings.TrimSpace(w) == name })
		}, nil
	}
	form, err := regexp.Compile(text)
	if err != nil {
		return nil, err
	}
	return form.MatchString, nil
}

// Fits reports whether a hook is for what has one of these names: a tool, or the kind of its occasion. What has no name is for all.
func (h Hook) Fits(names []string) bool {
	fits, err := matcher(h.Matcher)
	return err == nil && (len(names) == 0 || slices.ContainsFunc(names, fits))
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
	// If reports whether an action is what a hook's If says, and whether that is sure: what is not is asked about, but allowed by nobody.
	If func(rule string, a nebula.Action) (is, sure bool)
	// Denied reports whether an action is what a rule that denies says.
	Denied func(rule string, a nebula.Action) bool
	Told   *sync.Map // of what is not done here, what the person was told
	// Tell tells the person elsewhere that they are waited for, and gives what is noted of it, nil for nothing; or it is nil.
	Tell func(ctx context.Context, o nebula.Occasion) *nebula.Hooked
}

// At implements nebula.Hooks.
func (s Set) At(ctx context.Context, o nebula.Occasion) (all nebula.Heeded) {
	if s.Step && (o.Moment == nebula.OnMessage || o.Moment == nebula.OnStart || o.Moment == nebula.AtEnd) {
		return all
	}
	if s.Step && o.Moment == nebula.AtStop {
		o.Moment = nebula.AtStepStop
	}
	if s.Tell != nil && o.Moment == nebula.OnAsk {
		told := make(chan *nebula.Hooked, 1)
		go func() { told <- s.Tell(ctx, o) }()
		defer func() {
			if run := <-told; run != nil {
				all.Runs = append(all.Runs, *run)
			}
		}()
	}
	var names []string
	switch {
	case o.Action != nil:
		names = s.Names(*o.Action)
	case o.Kind != "":
		names = []string{o.Kind}
	}
	var input []byte
	for _, h := range s.Hooks() {
		if h.Moment != o.Moment || !h.Fits(names) || ctx.Err() != nil {
			continue
		}
		is, sure := s.meets(h, o.Action)
		if !is {
			continue
		}
		if input == nil {
			input = s.input(o, names)
		}
		end := s.run(ctx, h, input)
		said := h.answer(o.Moment, end)
		if said.Decision == "allow" && !sure {
			said.Decision = ""
		}
		all.Notes = append(all.Notes, s.untold(h, said.Notes)...)
		run := nebula.Hooked{Moment: o.Moment, Command: h.Line, From: h.From, Exit: end.Code, Failed: end.Failed,
			Decision: said.Decision, Text: phrase.OneLine(cmp.Or(said.Why, said.Context), 400), Took: end.Took.Milliseconds()}
		if o.Action != nil {
			run.Action = o.Action.ID
		}
		if run.Failed == "" && Fails(end.Code) {
			run.Failed = cmp.Or(Why(end.Output), "?")
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

// Fails reports whether a hook that ends with a code gave no answer.
func Fails(code int) bool { return code != 0 && code != 2 }

// mostWhy bounds what is told of a failure.
const mostWhy = 200

// Why is what a program that failed printed, on one line: of much the end, where programs say what is wrong.
func Why(output string) string {
	if output = strings.TrimSpace(output); len(output) > mostWhy {
		output = output[strings.LastIndexByte(output, '\n')+1:]
	}
	return phrase.OneLine(output, mostWhy)
}

// run is how a hook ended.
//
//go:noinline
func (s Set) run(ctx context.Context, h Hook, input []byte) End {
	if h.Denies {
		return End{Code: 2}
	}
	end := s.Run(ctx, h, input)
	if h.Blocks && end.Code == 0 && end.Failed == "" && unread(strings.TrimSpace(end.Output)) {
		end.Failed = phrase.OneLine(end.Output, mostWhy)
	}
	return end
}

// meets reports whether an action is what a hook is for, and whether that is sure.
func (s Set) meets(h Hook, a *nebula.Action) (is, sure bool) {
	switch {
	case h.Denies:
		return a != nil && s.Denied(h.If, *a), true
	case h.If != "" && a != nil && s.If != nil:
		return s.If(h.If, *a)
	}
	return true, true
}

// untold are notes without those that were made of the same hook before.
func (s Set) untold(h Hook, notes []nebula.Words) (list []nebula.Words) {
	for _, w := range notes {
		if s.Told != nil && w.Format == notDone {
			if _, had := s.Told.LoadOrStore(h.From+"\n"+h.Line+"\n"+fmt.Sprint(w.Args...), true); had {
				continue
			}
		}
		list = append(list, w)
	}
	return list
}

// weight is how strict a decision is.
var weight = map[string]int{"": 0, "allow": 1, "ask": 2, "deny": 3}

// longest bounds each text that a hook is told.
const longest = 16 << 10

// input is what hooks read: one line of JSON, with the names that they know.
func (s Set) input(o nebula.Occasion, names []string) []byte {
	in := map[string]any{"session_id": o.Session, "cwd": s.Dir, "hook_event_name": string(o.Moment), "permission_mode": "default"}
	if o.Mode == nebula.PlanMode {
		in["permission_mode"] = "plan"
	}
	switch o.Moment {
	case nebula.OnMessage:
		in["prompt"] = cut(o.Text, longest)
	case nebula.AtStop, nebula.AtStepStop:
		in["stop_hook_active"], in["last_assistant_message"] = o.Again, cut(o.Text, longest)
	case nebula.OnStart:
		in["source"] = o.Kind
	case nebula.AtEnd:
		in["reason"] = o.Kind
	case nebula.AtShort:
		in["trigger"], in["custom_instructions"] = o.Kind, cut(o.Text, longest)
	case nebula.OnAsk:
		in["message"], in["notification_type"] = cut(o.Text, longest), o.Kind
	}
	if o.Action != nil {
		in["tool_name"], in["tool_input"], in["tool_use_id"] = names[0], s.arguments(o.Action.Args), o.Action.ID
	}
	if r := o.Result; r != nil {
		in["tool_response"] = map[string]any{"success": r.Status == nebula.Done, "status": string(r.Status), "output": cut(r.Text, longest)}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(in) // it is made of texts
	return b.Bytes()
}

//go:noinline
func cut(text string, most int) string { return strings.ToValidUTF8(text[:min(len(text), most)], "") }

// arguments are a call's, with the names that hooks know beside.
func (s Set) arguments(raw json.RawMessage) map[string]any {
	var args map[string]any
	if json.Unmarshal(raw, &args) != nil {
		return map[string]any{}
	}
	for name, v := range args {
		if text, ok := v.(string); ok {
			args[name] = cut(text, longest)
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
