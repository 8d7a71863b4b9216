package symops

import (
	"nebula"
	"nebula/internal/protocol"
)

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
