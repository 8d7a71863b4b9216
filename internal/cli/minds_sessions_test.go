//go:build linux

package cli_test

import (
	"fmt"
	"regexp"
	"strings"

	"nebula"
)

// fees is a project of n functions that are each wrong in their own way, with a test each.
func fees(n int) map[string]string {
	files := map[string]string{"go.mod": "module fees\n\ngo 1.24\n", "README.md": "# Fees\n\nWhat the parts of an order cost.\n"}
	for i := 1; i <= n; i++ {
		files[fmt.Sprintf("fee%02d.go", i)] = fmt.Sprintf(`package fees

// rate%02[1]d is in a hundred, least%02[1]d in cents.
const (
	rate%02[1]d  = %[2]d
	least%02[1]d = %[3]d
)

// Fee%02[1]d is the fee for part %[1]d of an order of that amount, at least the least one.
func Fee%02[1]d(amount int) int {
	if amount <= 0 {
		return 0
	}
	return min(amount*rate%02[1]d/100, least%02[1]d)
}
`, i, i+2, 10*i)
		files[fmt.Sprintf("fee%02d_test.go", i)] = fmt.Sprintf(`package fees

import "testing"

func TestFee%02[1]d(t *testing.T) {
	for _, c := range []struct{ amount, fee int }{{0, 0}, {-5, 0}, {1, %[2]d}, {100000, %[3]d}} {
		if got := Fee%02[1]d(c.amount); got != c.fee {
			t.Errorf("Fee%02[1]d(%%d) = %%d, want %%d", c.amount, got, c.fee)
		}
	}
}
`, i, 10*i, 1000*(i+2))
	}
	return files
}

func repaired(i int) nebula.Action {
	return patch(fmt.Sprintf("fee%02d.go", i), "return min(amount", "return max(amount", "the fee is at least the least, not at most")
}

// debugging is a loop of edits and test runs: twelve of the runs fail, each with one failure less, and the thirteenth passes.
// The mind repairs what the results name first.
func (p *program) debugging() (rows []row) {
	const failures = 12
	failed := regexp.MustCompile(`TestFee(\d\d)`)
	for _, approve := range []string{"all", "edits"} {
		runs := 0
		g := p.game(fees(failures), "toolcall", 0, func(s sent) nebula.Intent {
			switch found := failed.FindStringSubmatch(s.news); {
			case runs == 0:
				runs++
				return does("I run the tests first.", tests())
			case found != nil && runs < 3*failures:
				runs++
				return does("", repaired(int(found[1][0]-'0')*10+int(found[1][1]-'0')), tests())
			}
			return does("All fees are right now.")
		})
		out, code := g.run("--approve", approve, "The tests fail. Repair the fees, one after another.")
		left := 0
		for i := 1; i <= failures; i++ {
			if strings.Contains(g.holds(fmt.Sprintf("fee%02d.go", i)), "min(amount*") {
				left++
			}
		}
		ok := code == 0 && left == 0 && runs == failures+1
		if !ok {
			p.t.Logf("approve %s: exit %d\n%s", approve, code, out)
		}
		rows = append(rows, row{"12 failing runs, --approve " + approve, "solved, never locked", fmt.Sprintf("exit %d, %d wrong, %d requests, %d tokens", code, left, len(g.requests), g.total()), ok})
	}
	return rows
}

// turns42 is a session of 42 requests in one piece of work: twenty functions are read, repaired and tested, one by one.
func (p *program) turns42() []row {
	const parts = 20
	n := 0
	g := p.game(fees(parts), "toolcall", 0, func(sent) nebula.Intent {
		n++
		switch part := n / 2; {
		case n == 1:
			return does("", reads("README.md")...)
		case n > 2*parts+1:
			return does("All twenty fees take at least the least fee now, and their tests pass.")
		case n%2 == 0:
			return does("", reads(fmt.Sprintf("fee%02d.go", part))...)
		default:
			run := why(action("runTests", map[string]any{"command": fmt.Sprintf("go test -run 'TestFee%02d$' .", part)}), "only this one is repaired yet")
			return does("", repaired(part), run)
		}
	})
	out, code := g.run("--approve", "all", "--max-steps", "0", "Each fee takes the smaller one of rate and least fee where it should take the larger one. Repair them one by one, each with its test.")
	if code != 0 {
		p.t.Logf("exit %d\n%s", code, out)
	}
	return []row{{"a session of 42 requests, one more to check", "≤ 130000 tokens sent", fmt.Sprintf("%d requests, %d tokens", len(g.requests), g.total()), code == 0 && len(g.requests) == 43 && g.total() <= 130_000}}
}

// ten are what the person wants to be kept to, in the first message of a session.
var ten = []string{
	"Exported names carry a doc comment that begins with their name.",
	"LICENSE and .github stay as they are.",
	"go.mod gets no new dependency.",
	"Each new function gets a table test with at least three rows.",
	`Error texts begin with "stock: ".`,
	"Amounts are int64, in the smallest unit.",
	`CHANGELOG.md gets one line for each feature, under "Unreleased".`,
	"Only functions whose names begin with Must may panic.",
	`The word "simply" is in no text of ours.`,
	"Tests are named Test<Type>_<Method>.",
}

// rules is a session of 60 requests in a window of 32,768 tokens: twelve messages, for each of which two files are read, one is
// looked through and changed, and what was learned is said.
func (p *program) rules() []row {
	const turns, window = 12, 32_768
	turn, n := 0, 0
	g := p.game(stock(turns), "toolcall", window, func(sent) nebula.Intent {
		n++
		file, other := fmt.Sprintf("shelf%02d.go", turn), fmt.Sprintf("shelf%02d.go", turn%turns+1)
		switch n {
		case 1:
			return does("I read the shelf.", reads(file)...)
		case 2:
			return does("And the one beside it, for how it is done there.", reads(other)...)
		case 3:
			return does("", action("searchInDirectory", map[string]any{"directory": ".", "keyword": fmt.Sprintf("Move%02d", turn)}))
		case 4:
			return does("", patch(file, fmt.Sprintf("return s.total%02d", turn), fmt.Sprintf("return max(0, s.total%02d)", turn), "a shelf never holds less than nothing"),
				why(action("executeShell", map[string]any{"command": "go vet . && echo vetted"}), "to see that it builds"))
		}
		return does(fmt.Sprintf("Shelf %d never tells less than nothing now: I chose the place where it is asked for and not those where it is changed, because %s does so too. `go vet` has nothing to say.\n\nUnverified: there are no tests for it yet.", turn, other))
	})
	first := "Rules for all work here, keep each of them:\n"
	for i, rule := range ten {
		first += fmt.Sprintf("%d. %s\n", i+1, rule)
	}
	for turn = 1; turn <= turns; turn++ {
		n = 0
		text := fmt.Sprintf("Shelf %d: Total is to be no less than nothing, however much was taken from it.", turn)
		args := []string{"--approve", "all", "-c", text}
		if turn == 1 {
			args = []string{"--approve", "all", first + "\n" + text}
		}
		if out, code := g.run(args...); code != 0 {
			p.t.Logf("turn %d: exit %d\n%s", turn, code, out)
		}
	}
	kept, most := len(ten), 0
	for _, s := range g.requests {
		found := 0
		for _, rule := range ten {
			if strings.Contains(s.all, rule) {
				found++
			}
		}
		kept, most = min(kept, found), max(most, s.tokens)
	}
	return []row{
		{"60 requests in a window of 32k: rules kept", "10 of 10, word for word", fmt.Sprintf("%d of 10 in each of %d requests, the largest %d", kept, len(g.requests), most), kept == 10 && len(g.requests) == 5*turns},
		{"60 requests in a window of 32k: tokens sent", "≤ 369000 (60 % of 615k)", fmt.Sprint(g.total()), g.total() <= 369_000},
	}
}

// stock is a project of files that are some pages long each.
func stock(n int) map[string]string {
	files := map[string]string{"go.mod": "module stock\n\ngo 1.24\n", "LICENSE": "Free to use.\n", "CHANGELOG.md": "# Changes\n\n## Unreleased\n"}
	for i := 1; i <= n; i++ {
		var b strings.Builder
		fmt.Fprintf(&b, "package stock\n\nimport \"errors\"\n\n// A Shelf%02[1]d holds goods of kind %[1]d.\ntype Shelf%02[1]d struct {\n\ttotal%02[1]d int64\n\tmoves   []int64\n}\n\n", i)
		fmt.Fprintf(&b, "// Total is how many pieces stand on the shelf.\nfunc (s *Shelf%02[1]d) Total() int64 { return s.total%02[1]d }\n\n// Move%02[1]d puts pieces on the shelf, or takes them.\nfunc (s *Shelf%02[1]d) Move%02[1]d(pieces int64) {\n\ts.total%02[1]d += pieces\n\ts.moves = append(s.moves, pieces)\n}\n\n", i)
		for k := 1; k <= 8; k++ {
			fmt.Fprintf(&b, "// Sum%[2]d is what the last %[2]d moves of shelf %[1]d come to together; with fewer moves it is an error.\nfunc (s *Shelf%02[1]d) Sum%[2]d() (int64, error) {\n\tif len(s.moves) < %[2]d {\n\t\treturn 0, errors.New(\"stock: shelf %[1]d has fewer than %[2]d moves\")\n\t}\n\tsum := int64(0)\n\tfor _, m := range s.moves[len(s.moves)-%[2]d:] {\n\t\tsum += m\n\t}\n\treturn sum, nil\n}\n\n", i, k)
		}
		files[fmt.Sprintf("shelf%02d.go", i)] = b.String()
	}
	return files
}
