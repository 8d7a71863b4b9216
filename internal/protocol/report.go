package protocol

import (
	"encoding/json"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// A Report is what `nebula protocol decode` prints of a reply, whatever protocol it was read by.
type Report struct {
	Protocol   string            `json:"protocol"`
	Strategy   nebula.Strategy   `json:"strategy"`
	Confidence float64           `json:"confidence"`
	Say        string            `json:"say"`
	Thoughts   []string          `json:"thoughts"`
	Vitals     ReportVitals      `json:"vitals"`
	Decision   *nebula.Decision  `json:"decision"`
	Questions  []nebula.Question `json:"questions"`
	Errors     []string          `json:"errors"`
	Actions    []ReportAction    `json:"actions"`
	Repairs    []nebula.Repair   `json:"repairs"`
	Problems   []nebula.Problem  `json:"problems"`
}

// ReportVitals are the vitals that were given.
type ReportVitals struct {
	Confidence *float64 `json:"confidence,omitempty"`
	Mood       *float64 `json:"mood,omitempty"`
	Focus      *float64 `json:"focus,omitempty"`
	Stamina    *float64 `json:"stamina,omitempty"`
}

// A ReportAction is an action in Sym-Ops' words (Type, Path, DependsOn, Content, HasBlock) and in the tool's.
type ReportAction struct {
	Type       string          `json:"type"`
	Path       string          `json:"path"`
	DependsOn  *string         `json:"depends_on"`
	Content    string          `json:"content"`
	HasBlock   bool            `json:"has_block"`
	Tool       string          `json:"tool"`
	Args       json.RawMessage `json:"args"`
	Confidence float64         `json:"confidence"`
	Inferred   bool            `json:"inferred,omitempty"`
	Problem    string          `json:"problem,omitempty"`
}

// ReportOf reports an intent. Type and path follow from what the arguments hold: whoever knows better sets them.
func ReportOf(in nebula.Intent, name string) Report {
	r := Report{Protocol: name, Strategy: in.Strategy, Confidence: in.Confidence, Say: in.Say, Thoughts: in.Thoughts,
		Vitals: ReportVitals(in.Vitals), Decision: in.Decision, Errors: in.Errors, Repairs: in.Repairs, Problems: in.Problems}
	if in.Dialect != "" {
		r.Protocol = in.Dialect
	}
	for _, q := range in.Questions {
		q.Options = filled(q.Options)
		r.Questions = append(r.Questions, q)
	}
	for _, a := range in.Actions {
		r.Actions = append(r.Actions, reportAction(a))
	}
	r.Thoughts, r.Questions, r.Errors = filled(r.Thoughts), filled(r.Questions), filled(r.Errors)
	r.Actions, r.Repairs, r.Problems = filled(r.Actions), filled(r.Repairs), filled(r.Problems)
	return r
}

// Empty reports whether nothing at all could be read.
func (r Report) Empty() bool {
	return len(r.Thoughts)+len(r.Questions)+len(r.Errors)+len(r.Actions) == 0 && strings.TrimSpace(r.Say) == "" &&
		r.Vitals == ReportVitals{} && r.Decision == nil
}

// filled makes an empty list print as [] and not as null.
func filled[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// reportAction tells the word and the target from the arguments' names: every tool that changes a file or runs a
// command takes path, content, new_content, edits or command.
func reportAction(a nebula.Action) ReportAction {
	out := ReportAction{Type: a.Tool, Tool: a.Tool, Args: a.Args, Confidence: a.Confidence, Inferred: a.Inferred, Problem: a.Problem}
	if !json.Valid(out.Args) {
		out.Args = json.RawMessage("{}")
	}
	var args map[string]json.RawMessage
	if err := json.Unmarshal(out.Args, &args); err != nil {
		args = nil
	}
	if len(a.DependsOn) > 0 {
		dep := strings.Join(a.DependsOn, ", ")
		out.DependsOn = &dep
	}
	tool := strings.ToLower(a.Tool)
	for _, key := range []string{"path", "command", "directory", "question", "query", "goal", "step_id"} {
		if raw, ok := args[key]; ok && json.Unmarshal(raw, &out.Path) == nil {
			break
		}
	}
	for _, key := range []string{"content", "new_content", "edits"} {
		raw, ok := args[key]
		if !ok {
			continue
		}
		out.HasBlock = true
		if json.Unmarshal(raw, &out.Content) != nil {
			out.Content = string(raw)
		}
		out.Content = strings.TrimSuffix(out.Content, "\n")
	}
	switch {
	case args["content"] != nil:
		out.Type = "create"
	case args["new_content"] != nil, args["edits"] != nil:
		out.Type = "edit"
	case strings.Contains(tool, "test"):
		out.Type = "test"
	case args["command"] != nil:
		out.Type = "run"
	case lists.Has([]string{"delete", "remove"}, tool) || strings.HasPrefix(tool, "delete") && args["path"] != nil:
		out.Type = "delete"
	}
	return out
}
