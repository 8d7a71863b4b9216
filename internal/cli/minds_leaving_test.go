//go:build linux

package cli_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"nebula"
)

// leaving plays a session that does not fit its window of 16,384 tokens by far, without and with a note of the model's own on
// what falls out of it: what each sends, how many of the person's rules and of the findings that the mind had told of are
// before it still, and how much of that note it is that costs.
func (p *program) leaving() (rows []row) {
	const turns, window = 36, 16_384
	for _, way := range []struct{ name, budget string }{{"what was said and done stands in lines", "0"}, {"the model notes what falls out", "600"}} {
		finding := regexp.MustCompile(`finding \d\d: the lock of shelf \d\d is held by \w+`)
		turn, n, notes, noted := 0, 0, 0, 0
		g := p.game(stock(turns), "toolcall", window, func(s sent) nebula.Intent {
			if !s.tools {
				notes++
				noted += s.tokens
				found := map[string]bool{}
				for _, f := range finding.FindAllString(s.all, -1) {
					found[f] = true
				}
				return does("## Decided and why\n" + strings.Join(slices.Sorted(maps.Keys(found)), "\n"))
			}
			n++
			file := fmt.Sprintf("shelf%02d.go", turn)
			switch n {
			case 1:
				return does("I read the shelf.", reads(file)...)
			case 2:
				return does("", patch(file, fmt.Sprintf("return s.total%02d", turn), fmt.Sprintf("return max(0, s.total%02d)", turn), "a shelf never holds less than nothing"),
					why(action("executeShell", map[string]any{"command": "go vet . && echo vetted"}), "to see that it builds"))
			}
			return does(fmt.Sprintf("A finding %02d: the lock of shelf %02d is held by Move%02d, so Total may wait for it; and more that nobody needs to know, told at some length so that the answer is as long as answers are. "+
				"finding %02d: the lock of shelf %02d is held by Move%02d\n\nUnverified: there are no tests.", turn, turn, turn, turn, turn, turn))
		})
		g.must("config", "set", "budget.summary", way.budget)
		for turn = 1; turn <= turns; turn++ {
			n = 0
			text := fmt.Sprintf("Shelf %d: Total is to be no less than nothing, however much was taken from it.", turn)
			args := []string{"--approve", "all", "-c", text}
			if turn == 1 {
				args = []string{"--approve", "all", "Rules for all work here, keep each of them:\n" + strings.Join(ten, "\n") + "\n\n" + text}
			}
			if out, code := g.run(args...); code != 0 {
				p.t.Logf("turn %d: exit %d\n%s", turn, code, out)
			}
		}
		last := g.requests[len(g.requests)-1]
		kept, known := 0, map[string]bool{}
		for _, rule := range ten {
			if strings.Contains(last.all, rule) {
				kept++
			}
		}
		for _, f := range finding.FindAllString(last.all, -1) {
			known[f] = true
		}
		rows = append(rows, row{way.name, "10 rules kept", fmt.Sprintf("%d requests (%d of them notes, %d tokens), %d tokens sent, %d rules, %d of %d findings", len(g.requests), notes, noted, g.total(), kept, len(known), turns-1), kept == 10})
	}
	return rows
}
