// Package cost counts what the same actions cost in tokens in every protocol, beside what no protocol can save: the
// paths, contents and commands themselves.
package cost

import (
	"encoding/json"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/protocol"
)

// A Writer is a protocol's name and how somebody who knows it writes in it.
type Writer struct {
	Name  string
	Write func(in nebula.Intent, tools []nebula.ToolSpec) nebula.Reply
}

// A Table holds what each set of actions costs, by protocol.
type Table struct {
	Sets     []string
	Actions  []int // in each set
	Floor    []int // the tokens of all values: paths, contents, commands
	Contents []int // the tokens of file contents alone
	Rows     []Row
}

// A Row is one protocol's tokens for each set.
type Row struct {
	Protocol string
	Tokens   []int
}

// Compare writes every set in every protocol and counts. With reasons, each action says why in the way its protocol
// has for it: an argument, a field, or a thought.
func Compare(writers []Writer, sets []Set, tools []nebula.ToolSpec, reasons bool, count func(string) int) Table {
	t := Table{}
	for _, s := range sets {
		floor, contents := values(s.Actions, reasons, count)
		t.Sets = append(t.Sets, s.Name)
		t.Actions = append(t.Actions, len(s.Actions))
		t.Floor = append(t.Floor, floor)
		t.Contents = append(t.Contents, contents)
	}
	for _, w := range writers {
		row := Row{Protocol: w.Name}
		for _, s := range sets {
			row.Tokens = append(row.Tokens, tokens(w, s, tools, reasons, count))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// tokens counts what a model has to write: the text, and names and arguments of native calls. What a provider adds
// around a native call is not published and not counted.
func tokens(w Writer, s Set, tools []nebula.ToolSpec, reasons bool, count func(string) int) int {
	in := nebula.Intent{Actions: s.Actions}
	r := w.Write(intent(in, false), tools)
	if reasons {
		r = w.Write(in, tools)
		if !carries(r, s.Actions) {
			r = w.Write(intent(in, true), tools)
		}
	}
	n := count(r.Text())
	for _, c := range r.Calls() {
		n += count(c.Name) + count(c.Arguments)
	}
	return n
}

// intent takes the reasons out of the actions and, where a protocol has no other place for them, into the thoughts.
//
//go:noinline
func intent(in nebula.Intent, thoughts bool) nebula.Intent {
	out := nebula.Intent{}
	for _, a := range in.Actions {
		if thoughts {
			out.Thoughts = append(out.Thoughts, a.Reason)
		}
		a.Reason = ""
		out.Actions = append(out.Actions, a)
	}
	return out
}

// carries reports whether a reply says why, wherever.
func carries(r nebula.Reply, actions []nebula.Action) bool {
	text := r.Text()
	for _, c := range r.Calls() {
		text += c.Arguments
	}
	return len(actions) > 0 && strings.Contains(text, actions[0].Reason)
}

// values counts the arguments' values alone, and the contents among them.
func values(actions []nebula.Action, reasons bool, count func(string) int) (all, contents int) {
	for _, a := range actions {
		var fields map[string]any
		if json.Unmarshal(a.Args, &fields) != nil {
			continue
		}
		if reasons {
			all += count(a.Reason)
		}
		for name, v := range fields {
			n := leaves(v, count)
			all += n
			if strings.Contains(name, "content") || name == "edits" {
				contents += n
			}
		}
	}
	return all, contents
}

func leaves(v any, count func(string) int) int {
	n := 0
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			n += leaves(item, count)
		}
	case map[string]any:
		for _, item := range v {
			n += leaves(item, count)
		}
	default:
		return count(fmt.Sprint(v))
	}
	return n
}

// Markdown is the table: whole replies, what they come to, and the same without the file contents, which cost as good
// as the same in every protocol. The first protocol is what the others are compared with.
func (t Table) Markdown() string {
	var b strings.Builder
	b.WriteString("| |")
	for i, s := range t.Sets {
		fmt.Fprintf(&b, " %s (%d) |", s, t.Actions[i])
	}
	b.WriteString(" all | | without contents | | over the floor, per action |\n|---|" + strings.Repeat("---:|", len(t.Sets)+5) + "\n")
	contents, actions := sum(t.Contents), max(1, sum(t.Actions))
	row := func(name string, tokens []int, share, bare string) {
		fmt.Fprintf(&b, "| %s |", name)
		for _, n := range tokens {
			fmt.Fprintf(&b, " %d |", n)
		}
		all := sum(tokens)
		fmt.Fprintf(&b, " %d | %s | %d | %s | %.1f |\n", all, share, all-contents, bare, float64(all-sum(t.Floor))/float64(actions))
	}
	row("values alone", t.Floor, "", "")
	for _, r := range t.Rows {
		all, first := sum(r.Tokens), sum(t.Rows[0].Tokens)
		row(r.Protocol, r.Tokens, Percent(all, first), Percent(all-contents, first-contents))
	}
	return b.String()
}

// Percent is how much more or less n is than of.
func Percent(n, of int) string {
	if n == of || of == 0 {
		return "–"
	}
	return strings.Replace(fmt.Sprintf("%+.0f %%", 100*float64(n-of)/float64(of)), "-", "−", 1)
}

func sum(list []int) int {
	n := 0
	for _, v := range list {
		n += v
	}
	return n
}

// JSON writes the actions of an intent as the shortest JSON that could be taught: what a language of its own is measured
// against.
func JSON(in nebula.Intent, _ []nebula.ToolSpec) nebula.Reply {
	var list []string
	for _, a := range in.Actions {
		args := a.Args
		if a.Reason != "" {
			args = protocol.AddField(args, "reason", protocol.Quote(a.Reason))
		}
		one := `{"tool":` + string(protocol.Quote(a.Tool)) + "," + strings.TrimPrefix(strings.TrimSpace(string(args)), "{")
		list = append(list, strings.Replace(one, ",}", "}", 1))
	}
	return nebula.Reply{Parts: nebula.Text("[" + strings.Join(list, ",") + "]")}
}
