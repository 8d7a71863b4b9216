package tool_test

import (
	"testing"

	"nebula"
	"nebula/internal/tool"
)

const (
	wrongAdd = "func Add(a, b int) int { return a - b }"
	rightAdd = "func Add(a, b int) int { return a + b }"
)

// shownEdits are texts that show an action which they do not call.
var shownEdits = map[string]string{
	"old and new in fences":       "In `calc.go`:\n\nOLD:\n```go\n" + wrongAdd + "\n```\nNEW:\n```go\n" + rightAdd + "\n```\n",
	"a diff in a fence":           "I fix it.\n```diff\n--- a/calc.go\n+++ b/calc.go\n@@ -3,2 +3,2 @@\n-" + wrongAdd + "\n+" + rightAdd + "\n```\n",
	"a diff without heads":        "In calc.go:\n```diff\n-" + wrongAdd + "\n+" + rightAdd + "\n```",
	"a bare diff":                 "--- calc.go\n+++ calc.go\n@@ -1,1 +1,1 @@\n-" + wrongAdd + "\n+" + rightAdd,
	"tags in a line":              `<edit path="calc.go"><old>` + wrongAdd + `</old><new>` + rightAdd + `</new></edit>`,
	"tags on lines":               "<edit file=\"calc.go\">\n<search>\n" + wrongAdd + "\n</search>\n<replace>\n" + rightAdd + "\n</replace>\n</edit>",
	"brackets":                    "[EDIT calc.go]\n[OLD]\n" + wrongAdd + "\n[/OLD]\n[NEW]\n" + rightAdd + "\n[/NEW]",
	"brackets in a line":          "[EDIT calc.go][OLD]" + wrongAdd + "[/OLD][NEW]" + rightAdd + "[/NEW]",
	"signs and names":             "calc.go\n--- OLD\n" + wrongAdd + "\n+++ NEW\n" + rightAdd + "\n",
	"names in one fence":          "calc.go\n```\nOLD\n" + wrongAdd + "\nNEW\n" + rightAdd + "\nEND\n```",
	"bare search, replace":        "calc.go\nSEARCH\n" + wrongAdd + "\nREPLACE\n" + rightAdd + "\n",
	"labels with their text":      "File: calc.go\nOLD: " + wrongAdd + "\nNEW: " + rightAdd + "\n",
	"words around fences":         "Replace this in calc.go:\n```go\n" + wrongAdd + "\n```\nwith:\n```go\n" + rightAdd + "\n```\nI have applied the change.",
	"words around spans":          "Replace this in `calc.go`:\n`" + wrongAdd + "`\nwith:\n`" + rightAdd + "`",
	"search and signs":            "calc.go\n```go\n<<<<<<< SEARCH\n" + wrongAdd + "\n=======\n" + rightAdd + "\n>>>>>>> REPLACE\n```",
	"in Japanese":                 "calc.go\n変更前:\n```go\n" + wrongAdd + "\n```\n変更後:\n```go\n" + rightAdd + "\n```\n",
	"a bare sed":                  "sed -i 's/a - b/a + b/' calc.go",
	"sed in a fence":              "Run:\n```bash\n$ sed -i -e 's/a - b/a + b/' calc.go\n```",
	"the function as it shall be": "The sign is wrong. Here's the corrected code:\n\n```go\n" + rightAdd + "\n```",
	"the file as it shall be":     "calc.go:\n\npackage calc\n\n" + rightAdd + "\n",
	"two lines of a diff":         "Done!\n-" + wrongAdd + "\n+" + rightAdd,
	"data":                        `{"file":"calc.go","old":"a - b","new":"a + b"}`,
	"a command and its prompt":    "Step 1\n$ rm calc.go",
	"a command in a sentence":     "Now I run `sed -i 's/a - b/a + b/' calc.go` to fix it.",
	"a file from a shell":         "```sh\ncat > calc.go <<'EOF'\npackage calc\nEOF\n```",
}

// onlyTold are answers, which show nothing of the kind.
var onlyTold = map[string]string{
	"an explanation":         "`Add` lives in calc.go:\n\n```go\n" + wrongAdd + "\n```\n\nIt subtracts: the sign is wrong.",
	"two passages":           "calc.go has\n```go\n" + wrongAdd + "\n```\nand its test calls it:\n```go\nif Add(1, 2) != 3 { t.Fatal() }\n```\n",
	"before and after":       "Before: three tests failed.\nAfter: all of them pass.",
	"a list":                 "- one\n- two\n+ three",
	"how to run it":          "```bash\ngo test ./...\ngo run . 2>/dev/null\n```",
	"sed in a sentence":      "sed -i edits a file in place; use it with care.",
	"sed that prints":        "```sh\nsed -n 's/x/y/p' calc.go\n```",
	"a page with headings":   "## Old\n\nThe parser read lines.\n\n## New\n\nIt reads tokens.\n",
	"generic code":           "```go\ntype Map[K comparable, V any] struct{ old, new V }\n```",
	"horizontal rules":       "First part.\n\n---\n\nSecond part.\n\n---\n\nThird part.",
	"a table":                "| old | new |\n|---|---|\n| `a - b` | `a + b` |\n",
	"another function":       "A helper could be:\n```go\nfunc Sub(a, b int) int { return a - b - 0 - 0 - 0 - 0 - 0 - 0 - 0 }\n```\n",
	"a command to know":      "To take it away, run `rm calc.go`.",
	"a command that shows":   "$ ls -la",
	"the beginning of it":    "It begins with\n```go\npackage calc\n```\n",
	"nothing but a sentence": "Add subtracts.",
}

// What shows an edit or a changing command is told from an answer by its shape.
func TestWhatIsShownAndNotCalledIsSpotted(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"calc.go": "package calc\n\n" + wrongAdd + "\n"})
	spots := func(text string) bool {
		for _, each := range f.tools {
			if s, ok := each.(nebula.Spotter); ok {
				if got, ok := s.Spots(text, []string{"calc.go"}); ok {
					if got.Form.Tool == "patchFile" && got.Path != "calc.go" {
						t.Errorf("spotted in %q:\n%s", got.Path, text)
					}
					return true
				}
			}
		}
		return false
	}
	for name, text := range shownEdits {
		if !spots(text) {
			t.Errorf("%s is not spotted:\n%s", name, text)
		}
	}
	for name, text := range onlyTold {
		if spots(text) {
			t.Errorf("%s is spotted:\n%s", name, text)
		}
	}
}
