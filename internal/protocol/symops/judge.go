package symops

import (
	"cmp"
	"slices"
	"strings"

	"nebula"
)

// finish keeps what is meant, drops what was only mentioned, and says how sure the reading is.
func (b *builder) finish() *Document {
	d := b.doc
	b.judge()
	b.once()
	if len(d.Actions) == 0 {
		b.extract()
	}
	for _, s := range b.loose {
		b.tell(s)
	}
	for i := range d.Actions {
		b.fix(d.Actions[i].repairs, b.lineOf(&d.Actions[i]))
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
	d.Repairs = tidy(b.repairs)
	b.grade()
	return d
}

// height is how many lines an action spans below its first.
func (b *builder) height(a *Action) int {
	if b.src.lines == nil {
		return 0
	}
	first := b.lineOf(a)
	i, _ := slices.BinarySearchFunc(b.src.lines, a.Src.End-b.src.base, func(l line, end int) int { return int(l.start) - end })
	return max(0, i-1-first)
}

// judge drops lines that look like actions but were prose.
func (b *builder) judge() {
	protocol := len(b.doc.Thoughts) > 0 || len(b.doc.Vitals) > 0
	sure, styled := false, false
	for _, a := range b.doc.Actions {
		sure = sure || a.kept == always
		styled = styled || a.kept == withBlock && a.HasBlock && (a.Type == create || a.Type == edit)
	}
	dropped := map[int]bool{} // lines
	b.doc.Actions = slices.DeleteFunc(b.doc.Actions, func(a Action) bool {
		drop := a.Type == "" || a.Path == "" && !a.HasBlock && a.Args == nil && (asTaught(a.Type) && a.Type != test || a.kept != always)
		switch a.kept {
		case withBlock:
			file := a.Type == create || a.Type == edit || a.Type == ""
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
		b.repairs = slices.DeleteFunc(b.repairs, func(r nebula.Repair) bool { return dropped[r.Line-1-b.src.line] })
	}
	for i := range b.doc.Actions {
		a := &b.doc.Actions[i]
		a.Inferred = a.Truncated || a.kept != always || slices.ContainsFunc(a.repairs, inferring)
	}
}

// once drops what a model that repeats itself says again: the same action with the same content, or its cut beginning.
func (b *builder) once() {
	d := b.doc
	seen := map[string]int{}
	again := false
	var kept []Action
	for _, a := range d.Actions {
		if !a.HasBlock {
			kept = append(kept, a)
			continue
		}
		key := a.Type + "\x00" + a.Path
		j, had := seen[key]
		if had && (kept[j].Content == a.Content || a.Truncated && strings.HasPrefix(kept[j].Content, a.Content)) {
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
	d.Thoughts = slices.DeleteFunc(d.Thoughts, func(t string) bool {
		twice := had[t]
		had[t] = true
		return twice
	})
}

// spoken is the text for the person, in the order in which it was written.
func (b *builder) spoken() string {
	slices.SortStableFunc(b.say, func(x, y saying) int { return x.line - y.line })
	var lines []string
	for _, s := range b.say {
		if s.text != "" || len(lines) > 0 && lines[len(lines)-1] != "" {
			lines = append(lines, s.text)
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// tidy orders repairs by line and names each once a line.
func tidy(rs []nebula.Repair) []nebula.Repair {
	slices.SortFunc(rs, func(a, b nebula.Repair) int { return cmp.Or(a.Line-b.Line, cmp.Compare(a.Name, b.Name)) })
	rs = slices.Compact(rs)
	return rs[:min(len(rs), mostRepairs)]
}

// mostRepairs is how many repairs are worth telling.
const mostRepairs = 10_000
