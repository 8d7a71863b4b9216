package hook

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// mostSaid bounds what a model reads of a hook.
const mostSaid = 10_000

// said is what a hook answers in JSON.
type said struct {
	Decision, Reason, StopReason, SystemMessage string
	Continue                                    *bool
	Specific                                    struct {
		PermissionDecision, PermissionDecisionReason, AdditionalContext string
		UpdatedInput                                                    map[string]json.RawMessage
		Decision                                                        struct{ Behavior, Message string }
	} `json:"hookSpecificOutput"`
}

// decision is what an answer decides at a moment.
func (s said) decision(m nebula.Moment) string {
	switch d := strings.ToLower(strings.TrimSpace(cmp.Or(s.Specific.PermissionDecision, s.Specific.Decision.Behavior, s.Decision))); {
	case s.Continue != nil && !*s.Continue && m != nebula.AtStop && m != nebula.AtStepStop, d == "deny", d == "block":
		return "deny"
	case d == "ask":
		return "ask"
	case d == "allow", d == "approve":
		return "allow"
	}
	return ""
}

// mostRead bounds an answer. What is longer was cut, and what it decides may have stood behind that.
const mostRead = 64 << 10

// unread reports whether a text is meant as an answer, and is none: a piece of one, or a value that is no object. What programs print beside is not.
func unread(text string) bool {
	_, rest, has := strings.Cut("\n"+text, "\n{")
	return !has && (len(text) >= mostRead || json.Valid([]byte(text))) || has && json.NewDecoder(strings.NewReader("{"+rest)).Decode(&said{}) != nil
}

// answer is what an end says. A project's hook may only tighten.
func (h Hook) answer(m nebula.Moment, end End) (a nebula.Heeded) {
	text := strings.TrimSpace(end.Output)
	switch {
	case end.Failed != "" || end.Code != 0 && end.Code != 2:
		if h.Blocks {
			a.Decision, a.Why = "deny", cut(cmp.Or(end.Failed, text, "?"), mostSaid)
		}
		return a
	case end.Code == 2:
		return nebula.Heeded{Decision: "deny", Why: cut(cmp.Or(text, h.Line), mostSaid)}
	}
	var s said
	whole := strings.HasPrefix(text, "{") && json.Unmarshal([]byte(text), &s) == nil
	if !whole {
		if s = aside(text, m); s.decision(m) == "" {
			if m == nebula.OnMessage || m == nebula.OnStart {
				a.Context = cut(text, mostSaid)
			}
			return a
		}
	}
	a.Context, a.Why = cut(s.Specific.AdditionalContext, mostSaid), cut(cmp.Or(s.Specific.PermissionDecisionReason, s.Specific.Decision.Message, s.Reason, s.StopReason), mostSaid)
	if m == nebula.BeforeTool && len(s.Specific.UpdatedInput) > 0 {
		a.Input, _ = json.Marshal(s.Specific.UpdatedInput) // it was JSON
	}
	if a.Decision = s.decision(m); a.Decision == "allow" && !h.Own {
		a.Decision = ""
	}
	if s.SystemMessage != "" {
		a.Notes = append(a.Notes, nebula.Say("a hook of %s says: %s", string(m), phrase.OneLine(s.SystemMessage, 400)))
	}
	if whole {
		if left := s.left(m, []byte(text)); len(left) > 0 {
			a.Notes = append(a.Notes, nebula.Say(notDone, string(m), strings.Join(left, ", "), phrase.OneLine(h.Line, 80), h.From))
		}
	}
	return a
}

const notDone = "a hook of %s answers with %s, which is not done here: %s (%s)"

// What is read of an answer, at its top and of what is for its moment alone.
var (
	topRead      = []string{"decision", "reason", "stopReason", "continue", "suppressOutput", "systemMessage", "hookSpecificOutput"}
	specificRead = []string{"hookEventName", "permissionDecision", "permissionDecisionReason", "additionalContext", "updatedInput", "decision"}
	requestRead  = []string{"behavior", "message"}
	// hearing are the moments at which a model is told something.
	hearing = []nebula.Moment{nebula.BeforeTool, nebula.AfterTool, nebula.OnMessage, nebula.OnStart}
)

// left are the names of what an answer says and nothing here does.
func (s said) left(m nebula.Moment, raw []byte) (names []string) {
	var top, specific, request map[string]json.RawMessage
	_ = json.Unmarshal(raw, &top) // it was read before
	_ = json.Unmarshal(top["hookSpecificOutput"], &specific)
	_ = json.Unmarshal(specific["decision"], &request)
	for _, part := range []struct {
		says map[string]json.RawMessage
		read []string
	}{{top, topRead}, {specific, specificRead}, {request, requestRead}} {
		for _, name := range slices.Sorted(maps.Keys(part.says)) {
			if !lists.Has(part.read, name) {
				names = append(names, name)
			}
		}
	}
	if d := s.Specific.PermissionDecision; d != "" && s.decision(m) == "" {
		names = append(names, "permissionDecision "+phrase.OneLine(d, 20))
	}
	if s.Specific.AdditionalContext != "" && !lists.Has(hearing, m) {
		names = append(names, "additionalContext")
	}
	if len(s.Specific.UpdatedInput) > 0 && m != nebula.BeforeTool {
		names = append(names, "updatedInput")
	}
	if m == nebula.AfterTool && s.Continue != nil && !*s.Continue {
		names = append(names, "continue false")
	}
	return names
}

// aside is the strictest answer that stands among other lines: programs print what they notice beside it. It only tightens, since what else a hook
// prints may be what a model wrote.
func aside(text string, m nebula.Moment) (found said) {
	for rest := text; rest != ""; {
		if strings.HasPrefix(rest, "{") {
			var s said
			if json.NewDecoder(strings.NewReader(rest)).Decode(&s) == nil && s.decision(m) != "allow" && weight[s.decision(m)] > weight[found.decision(m)] {
				found = said{Decision: s.decision(m), Reason: cmp.Or(s.Specific.PermissionDecisionReason, s.Specific.Decision.Message, s.Reason, s.StopReason)}
			}
		}
		_, rest, _ = strings.Cut(rest, "\n")
	}
	return found
}
