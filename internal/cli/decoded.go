package cli

import (
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/lists"
	"nebula/internal/tool"
)

// A decoding is how one reply was read, for whoever looks into a language (Sym-Ops §8.2).
type decoding struct {
	row   language.Row
	reply nebula.Reply
	in    nebula.Intent
}

// show writes the reply as it came, what each repair made of its line, and the whole as the language writes what was read.
func (p *program) show(d decoding) {
	lines := strings.Split(strings.TrimSuffix(d.reply.Text(), "\n"), "\n")
	p.part("as it came")
	for i, l := range lines {
		fmt.Fprintf(p.out, "%4d  %s\n", i+1, l)
	}
	for _, c := range d.reply.Calls() {
		fmt.Fprintf(p.out, "      %s %s\n", c.Name, c.Arguments)
	}
	p.part("repairs")
	if len(d.in.Repairs) == 0 {
		fmt.Fprintln(p.out, p.say("none"))
	}
	for _, r := range d.in.Repairs {
		fmt.Fprintf(p.out, "%4d  %s\n", r.Line, r.Name)
		if r.Line < 1 || r.Line > len(lines) {
			continue
		}
		was := lines[r.Line-1]
		now := d.made(r, was)
		if was == "" {
			was, now = d.called(r)
		}
		fmt.Fprintf(p.out, "      - %s\n", was)
		for l := range strings.Lines(now) {
			fmt.Fprintf(p.out, "      + %s\n", strings.TrimSuffix(l, "\n"))
		}
	}
	p.part("after the repairs")
	whole := d.row.Write(d.in, tool.Specs())
	fmt.Fprintln(p.out, strings.TrimSuffix(whole.Text(), "\n"))
	for _, c := range whole.Calls() {
		fmt.Fprintf(p.out, "%s %s\n", c.Name, c.Arguments)
	}
	p.part("as it was read")
}

func (p *program) part(title string) { fmt.Fprintf(p.out, "== %s ==\n", p.say(title)) }

// made is what became of the line that a repair was made in: its action as the language writes it, or whatever else the line
// says by itself; nothing where it says nothing.
func (d decoding) made(r nebula.Repair, line string) string {
	for _, a := range d.in.Actions {
		if a.Src.Line == r.Line || lists.Has(a.Repairs, r.Name) && strings.Contains(d.source(a), line) {
			return d.row.Write(nebula.Intent{Actions: []nebula.Action{a}}, tool.Specs()).Text()
		}
	}
	alone := d.row.Protocol.Decode(nebula.Reply{Parts: nebula.Text(line)}, tool.Specs())
	alone.Say = "" // a delimiter or a fence that is left out
	return d.row.Write(alone, tool.Specs()).Text()
}

// called is a native call in which a repair was made, and what became of it.
func (d decoding) called(r nebula.Repair) (was, now string) {
	for _, a := range d.in.Actions {
		for _, c := range d.reply.Calls() {
			if whole := d.row.Write(nebula.Intent{Actions: []nebula.Action{a}}, tool.Specs()); c.ID == a.Call && lists.Has(a.Repairs, r.Name) && len(whole.Calls()) == 1 {
				return c.Name + " " + c.Arguments, whole.Calls()[0].Name + " " + whole.Calls()[0].Arguments
			}
		}
	}
	return "", ""
}

func (d decoding) source(a nebula.Action) string {
	text := d.reply.Text()
	if a.Src.Start < 0 || a.Src.End > len(text) || a.Src.Start > a.Src.End {
		return ""
	}
	return text[a.Src.Start:a.Src.End]
}
