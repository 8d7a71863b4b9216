package prompt

import (
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/advice"
	"nebula/internal/phrase"
)

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
