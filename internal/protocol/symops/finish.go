package symops

import (
	"cmp"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/protocol"
)

// finish keeps what is meant and drops what was only mentioned. How sure the reading is, the rows say that it needed.
func (b *builder) finish() *Document {
	d := b.doc
	b.drop()
	b.once()
	if len(d.Actions) == 0 {
		b.extract()
	}
	for _, s := range b.loose {
		b.tell(s)
	}
	gapes := b.gapes()
	for i := range d.Actions {
		if gapes && d.Actions[i].Src.Line >= b.gaping { // all behind the opener may be the file's
			d.Actions[i].Rows = append(d.Actions[i].Rows, "ambiguous_end")
		}
		b.fix(d.Actions[i].Rows, b.lineOf(&d.Actions[i]))
	}
	d.Say = b.spoken()
	if len(b.src.repairs) > 0 { // what was read may have more lines than what came
		last := b.src.line + 1 + strings.Count(b.src.came[b.src.base:], "\n")
		for i := range b.repairs {
			b.repairs[i].Line = min(b.repairs[i].Line, last)
		}
		for i := range d.Problems {
			d.Problems[i].Line = min(d.Problems[i].Line, last)
		}
	}
	lists.Sort(b.repairs, func(x, y nebula.Repair) int { return cmp.Or(x.Line-y.Line, cmp.Compare(x.Name, y.Name)) })
	d.Repairs = lists.Compact(b.repairs)
	d.Repairs = d.Repairs[:min(len(d.Repairs), mostRepairs)]
	b.attach()
	return d
}

// gapes reports whether a block that nothing closes may hold the actions behind it: its file is a text, or one of them deletes.
func (b *builder) gapes() bool {
	text := false
	return b.gaping > 0 && slices.ContainsFunc(b.doc.Actions, func(a Action) bool {
		if a.Src.Line == b.gaping {
			text = protocol.Prose(a.Path)
		}
		return a.Src.Line > b.gaping && (text || a.Type == remove || strings.HasPrefix(a.Path, "rm "))
	})
}

// mostRepairs is how many repairs are worth telling.
const mostRepairs = 10_000

// attach gives every action the rows of its lines.
func (b *builder) attach() {
	next := 0
	for i := range b.doc.Actions {
		a := &b.doc.Actions[i]
		rows := slices.Clone(a.Rows)
		for ; next < len(b.doc.Repairs) && b.doc.Repairs[next].Line < a.Src.Line; next++ {
		}
		for _, r := range b.doc.Repairs[next:] {
			if r.Line > a.Src.Line+b.height(a) {
				break
			}
			rows = append(rows, r.Name)
		}
		slices.Sort(rows)
		a.Rows = lists.Compact(rows)
	}
}

// height is how many lines an action spans below its first.
func (b *builder) height(a *Action) int {
	if b.src.lines == nil {
		return 0
	}
	i, _ := slices.BinarySearchFunc(b.src.lines, a.Src.End-b.src.base, func(l line, end int) int { return int(l.start) - end })
	return max(0, i-1-b.lineOf(a))
}

// drop gives lines that look like actions and were prose back to the text.
func (b *builder) drop() {
	protocol := len(b.doc.Thoughts) > 0 || len(b.doc.Vitals) > 0
	sure, styled := false, false
	for _, a := range b.doc.Actions {
		sure = sure || a.kept == always
		styled = styled || a.kept == withBlock && a.HasBlock && writes(a.Type)
	}
	dropped := map[int]bool{} // lines
	b.doc.Actions = lists.Drop(b.doc.Actions, func(a Action) bool {
		file := writes(a.Type) || a.Type == ""
		drop := a.Type == "" || a.Path == "" && !a.HasBlock && a.Args == nil && (asTaught(a.Type) && a.Type != test || a.kept != always)
		switch a.kept {
		case withBlock:
			drop = drop || file && !a.HasBlock || !file && !styled
		case withProtocol:
			drop = drop || !protocol && !sure
		case withoutOthers:
			drop = drop || sure
		}
		if drop {
			for i := b.lineOf(&a); i <= b.lineOf(&a)+b.height(&a); i++ {
				dropped[i] = true
			}
			b.says(b.lineOf(&a), strings.TrimSpace(b.src.came[a.Src.Start:a.Src.End]))
		}
		return drop
	})
	if len(dropped) > 0 {
		b.repairs = lists.Drop(b.repairs, func(r nebula.Repair) bool { return dropped[r.Line-1-b.src.line] })
	}
}

// once drops what a model that repeats itself says again: the same action with the same content, or its cut beginning. A
// command may be meant twice, but not with nothing between, or once as a line and once as a call.
func (b *builder) once() {
	type same struct {
		word, path string
		block      bool
	}
	d := b.doc
	seen := map[same]int{}
	again := false
	kept := d.Actions[:0]
	for _, a := range d.Actions {
		key := same{a.Type, a.Path, a.HasBlock}
		j, had := seen[key]
		if had && (a.HasBlock || j == len(kept)-1 && string(a.Args) == string(kept[j].Args) || (a.Args == nil) != (kept[j].Args == nil)) && (kept[j].Content == a.Content || a.Truncated && strings.HasPrefix(kept[j].Content, a.Content)) {
			again = true
			b.repair("duplicate_action", b.lineOf(&a))
			continue
		}
		seen[key] = len(kept)
		kept = append(kept, a)
	}
	if !again {
		return
	}
	d.Actions = kept
	had := map[string]bool{}
	d.Thoughts = lists.Drop(d.Thoughts, func(t string) bool {
		twice := had[t]
		had[t] = true
		return twice
	})
}

// spoken is the text for the person, in the order in which it was written.
func (b *builder) spoken() string {
	lists.Sort(b.say, func(x, y saying) int { return x.line - y.line })
	var lines []string
	for _, s := range b.say {
		if s.text != "" || len(lines) > 0 && lines[len(lines)-1] != "" {
			lines = append(lines, s.text)
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
