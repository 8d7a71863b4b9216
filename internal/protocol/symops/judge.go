package symops

import (
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
	for i := range d.Actions {
		b.fix(d.Actions[i].repairs, d.Actions[i].Src.Line-1)
	}
	d.Say = strings.TrimSpace(strings.Join(squeeze(b.say), "\n"))
	d.Repairs = tidy(b.repairs)
	grade(d)
	return d
}

// judge drops lines that look like actions but were prose.
func (b *builder) judge() {
	protocol := len(b.doc.Thoughts) > 0 || len(b.doc.Vitals) > 0
	sure, styled := false, false
	for _, a := range b.doc.Actions {
		sure = sure || a.kept == always
		styled = styled || a.kept == withBlock && a.HasBlock
	}
	b.doc.Actions = slices.DeleteFunc(b.doc.Actions, func(a Action) bool {
		drop := a.Type == "" || a.Path == "" && !a.HasBlock
		switch a.kept {
		case withBlock:
			drop = drop || !a.HasBlock && (!styled || a.Type == create || a.Type == edit)
		case withProtocol:
			drop = drop || !protocol && !sure
		case withoutOthers:
			drop = drop || sure
		}
		if drop {
			b.say = append(b.say, strings.TrimSpace(b.src.came[a.Src.Start:a.Src.End]))
		}
		return drop
	})
	for i := range b.doc.Actions {
		a := &b.doc.Actions[i]
		a.Inferred = a.kept != always || slices.ContainsFunc(a.repairs, inferring)
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
			b.repair("duplicate_action", a.Src.Line-1)
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

func squeeze(lines []string) []string {
	return slices.CompactFunc(lines, func(a, b string) bool { return a == "" && b == "" })
}

// tidy orders repairs by line and names each once a line.
func tidy(rs []nebula.Repair) []nebula.Repair {
	rs = slices.DeleteFunc(rs, func(r nebula.Repair) bool { return r.Name == "marked" })
	slices.SortStableFunc(rs, func(a, b nebula.Repair) int { return a.Line - b.Line })
	return slices.Compact(rs)
}
