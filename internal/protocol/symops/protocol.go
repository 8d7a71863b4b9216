// Package symops is the Sym-Ops language: thoughts, vitals, actions with blocks, questions and errors in plain text,
// as models write it and as they should have.
//
// [Parse] reads a reply into the language's own words; [Document.Intent] puts them into the words of the tools. A
// block's content is a part of the reply: nothing inside a block is interpreted or rewritten. What models get wrong
// outside of blocks is repaired, each repair by its name and line; what had to be guessed is marked and asks.
package symops

import (
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/protocol"
)

// Protocol is Sym-Ops as a [nebula.Protocol].
type Protocol struct {
	Bare bool // taught without its example
}

// Name is the protocol's name.
func (Protocol) Name() string { return "symops" }

// Decode reads one reply.
func (Protocol) Decode(r nebula.Reply, tools []nebula.ToolSpec) nebula.Intent {
	return intentOf(r, Parse(r.Text(), tools), tools)
}

// Read is Decode without the last step, [protocol.Settle].
func (Protocol) Read(r nebula.Reply, tools []nebula.ToolSpec) nebula.Intent {
	return unsettled(r, Parse(r.Text(), tools), tools)
}

func intentOf(r nebula.Reply, d *Document, tools []nebula.ToolSpec) nebula.Intent {
	in := unsettled(r, d, tools)
	protocol.Settle(r, &in)
	return in
}

func unsettled(r nebula.Reply, d *Document, tools []nebula.ToolSpec) nebula.Intent {
	in := d.Intent(tools)
	if _, thoughts := protocol.Body(r); len(thoughts) > 0 && !lists.Has(in.Thoughts, thoughts[0]) {
		in.Thoughts = append(thoughts, in.Thoughts...)
	}
	return in
}

// Encode writes the reply as it was and the results in the language's own terse words: one line for each action, its
// output in a block whose delimiter is longer than any line of hyphens in it.
func (Protocol) Encode(r nebula.Reply, in nebula.Intent, results []nebula.Result) []nebula.Message {
	text := protocol.Kept(r)
	if text == "" {
		text = "~"
	}
	messages := []nebula.Message{{Role: nebula.Assistant, Parts: r.WithText(text).Without(nebula.CallPart)}}
	results = protocol.Answers(in, results)
	var b strings.Builder
	for i, res := range results {
		writeResult(&b, in.Actions[i], res)
	}
	if len(results) == 0 {
		return messages
	}
	for _, p := range protocol.Unanswered(in) {
		fmt.Fprintf(&b, "! NotRead @ line %d: %s\n", p.Line, oneLine(p.Text+" "+p.Hint))
	}
	return append(messages, nebula.Message{Role: nebula.User, Parts: append(nebula.Text(strings.TrimSuffix(b.String(), "\n")), protocol.Pictures(results)...)})
}

// failings are the words for results that are not done.
var failings = map[nebula.Status]string{nebula.Failed: "Failed", nebula.Denied: "Denied", nebula.Skipped: "Skipped", nebula.Interrupted: "Interrupted"}

func writeResult(b *strings.Builder, a nebula.Action, r nebula.Result) {
	kind, failed := failings[r.Status]
	if failed {
		fmt.Fprintf(b, "! %s @ %s%s", kind, r.Tool, protocol.Target(a))
	} else {
		fmt.Fprintf(b, "ok %s%s", r.Tool, protocol.Target(a))
	}
	body := strings.TrimSuffix(r.Text, "\n")
	if strings.TrimSpace(body) == "" {
		b.WriteByte('\n')
		return
	}
	fence := Fence(body)
	fence += strings.Repeat("-", max(0, 4-len(fence))) // four and more below a result are a quotation
	fmt.Fprintf(b, "\n%s\n%s\n%s\n", fence, body, fence)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Fence is a delimiter for a content: two hyphens, or one more than the longest line of hyphens in it.
func Fence(content string) string {
	longest := 1
	for l := range strings.Lines(content) {
		t := strings.TrimSpace(l)
		if t != "" && strings.Trim(t, "-") == "" {
			longest = max(longest, len(t))
		}
	}
	return strings.Repeat("-", longest+1)
}

// Correction implements [nebula.Corrector].
func (Protocol) Correction(r nebula.Reply, in nebula.Intent, lang string) string {
	return protocol.Correction(r, in, lang, Write)
}

// Same implements [nebula.Corrector].
func (Protocol) Same(r nebula.Reply, before, after nebula.Intent) error {
	return protocol.Same(r, before, after)
}

// Report reports a reply in the words it was written in, beside what they become with the tools on offer.
func Report(r nebula.Reply, tools []nebula.ToolSpec) protocol.Report {
	d := Parse(r.Text(), tools)
	in := intentOf(r, d, tools)
	in.Questions = d.Questions // with their quotation marks
	in.Thoughts = d.Thoughts   // not the reasoning, which is no part of what was written in the language
	out := protocol.ReportOf(in, Protocol{}.Name())
	order, _ := ordered(d.Actions)
	for i, j := range order {
		a, to := d.Actions[j], &out.Actions[i]
		to.Type, to.Path, to.DependsOn, to.Content, to.HasBlock = a.Type, a.Path, a.DependsOn, a.Content, a.HasBlock
	}
	return out
}
