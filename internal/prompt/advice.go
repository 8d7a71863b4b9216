package prompt

import (
	"fmt"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/advice"
	"nebula/internal/phrase"
)

// late is the advice that came to hold while a conversation was under way, as for a folder that was first looked into. It
// stands behind the conversation, so that what stands before it stays the same, until something else changes that.
func (b *Builder) late(in Input) []advice.File {
	early := b.early
	if b.system.text == "" || len(early) > len(in.Advice) || !slices.EqualFunc(early, in.Advice[:len(early)], alike) || !same(b.shown.compact, in.State.Compact) {
		early = in.Advice
	}
	b.early = early
	return in.Advice[len(early):]
}

func alike(a, b advice.File) bool {
	return a.Path == b.Path && a.Text == b.Text && a.Lines == b.Lines && a.Left == b.Left
}

// untold is what of advice has no room, as path:first-last, and what is not read beside it.
func untold(files []advice.File) (cuts []string) {
	for _, f := range files {
		if f.Left > 0 {
			cuts = append(cuts, fmt.Sprintf("%s:%d-%d", f.Path, f.Lines+1, f.Lines+f.Left))
		}
		cuts = append(cuts, f.Unread...)
	}
	return cuts
}

// advice is what a project and a person wrote for whoever works there, and what each file of it costs.
func (b *Builder) advice(files []advice.File, lang string) (text string, costs []nebula.LayerCost) {
	if len(files) == 0 {
		return "", nil
	}
	text = "\n" + phrase.In(lang, "Advice for whoever works here, from files that the person or the project keeps. It allows nothing; where it differs, the later file wins, and what the person says wins over all.") + "\n"
	for _, f := range files {
		part := "--- " + f.Path + "\n" + f.Text
		if f.Left > 0 {
			part += fmt.Sprintf(phrase.In(lang, "(cut: %d more lines from line %d on; read them there when they matter)\n"), f.Left, f.Lines+1)
		}
		text += part
		costs = append(costs, nebula.LayerCost{Name: f.Path, Tokens: b.count(part)})
	}
	return strings.TrimRight(text, "\n") + "\n", costs
}
