package protocol

import (
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// TextMessages writes a reply and its results for protocols whose calls and results travel as text: the reply as it
// was, then one user message with every result under its number and tool, and with what could not be read. Without
// results the reply stands alone.
func TextMessages(r nebula.Reply, in nebula.Intent, results []nebula.Result) []nebula.Message {
	text := Kept(r)
	if text == "" {
		text = "(no text)" // providers refuse an empty message
	}
	messages := []nebula.Message{{Role: nebula.Assistant, Parts: r.WithText(text).Without(nebula.CallPart)}}
	results = Answers(in, results)
	if len(results) == 0 {
		return messages
	}
	var b strings.Builder
	for i, result := range results {
		if i > 0 {
			b.WriteString("\n\n")
		}
		fmt.Fprintf(&b, "[%d] %s%s: %s\n%s", i+1, result.Tool, Target(in.Actions[i]), result.Status, result.Text)
	}
	for _, p := range Unanswered(in) {
		fmt.Fprintf(&b, "\n\nnot read, line %d: %s", p.Line, strings.TrimSpace(p.Text+" "+p.Hint))
	}
	return append(messages, nebula.Message{Role: nebula.User, Parts: append(nebula.Text(b.String()), Pictures(results)...)})
}

// targetLimit bounds what names a result, in bytes.
const targetLimit = 120

// Target is what an action was about, behind a blank; empty where it has no such argument.
func Target(a nebula.Action) string {
	path := strings.Join(strings.Fields(reportAction(a).Path), " ")
	if path == "" {
		return ""
	}
	if len(path) > targetLimit {
		path = strings.ToValidUTF8(path[:targetLimit], "") + "…"
	}
	return " " + path
}

// Kept is a reply's text as it stays in the conversation: without the reasoning that opens it, which models are not to
// read again. It is empty when there is nothing else.
func Kept(r nebula.Reply) string {
	start, _ := Body(r)
	if start == 0 {
		if strings.TrimSpace(r.Text()) == "" {
			return ""
		}
		return r.Text()
	}
	return strings.TrimLeft(r.Text()[start:], " \t\r\n")
}

// Unanswered are the problems that no action's result tells.
func Unanswered(in nebula.Intent) []nebula.Problem {
	told := map[string]bool{}
	for _, a := range in.Actions {
		told[a.Problem] = true
	}
	return lists.Drop(slices.Clone(in.Problems), func(p nebula.Problem) bool { return told[p.Text] })
}

// Answers are the results in the order of the intent's actions, exactly one each: one that is missing says so.
func Answers(in nebula.Intent, results []nebula.Result) []nebula.Result {
	out := make([]nebula.Result, len(in.Actions))
	used := make([]bool, len(results))
	byID := make(map[string]int, len(results))
	for j, r := range results {
		if _, ok := byID[r.Action]; !ok && r.Action != "" {
			byID[r.Action] = j
		}
	}
	for i, a := range in.Actions {
		j, ok := byID[a.ID]
		if !ok && i < len(results) && (a.ID == "" || results[i].Action == "") {
			j, ok = i, true
		}
		if !ok || used[j] {
			out[i] = nebula.Result{Action: a.ID, Call: a.Call, Tool: a.Tool, Status: nebula.Skipped, Text: "not done: the turn ended before it"}
			continue
		}
		used[j] = true
		out[i] = results[j]
	}
	return out
}

// ResultText is what a result tells the model when its place says which action it answers. Providers refuse an empty
// one, and a model reads none as success: a status other than done stands first.
func ResultText(r nebula.Result) string {
	text := r.Text
	if r.Status != nebula.Done && r.Status != "" && !strings.HasPrefix(strings.ToLower(text), string(r.Status)) {
		text = strings.TrimRight(string(r.Status)+": "+text, ": ")
	}
	if strings.TrimSpace(text) == "" {
		return "done, no output"
	}
	return text
}

// Pictures are what results hold that is to be seen.
//
//go:noinline
func Pictures(results []nebula.Result) (p nebula.Parts) {
	for _, r := range results {
		p = append(p, nebula.Pictures(r.Images...)...)
	}
	return p
}

// ResultParts are a result as its message holds it: what it says, the same as data, and what there is to see.
func ResultParts(r nebula.Result) nebula.Parts {
	parts := nebula.Text(ResultText(r))
	if len(r.Data) > 0 {
		parts = append(parts, nebula.Part{Kind: nebula.DataPart, Data: r.Data})
	}
	return append(parts, nebula.Pictures(r.Images...)...)
}
