package tool

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"nebula"
)

// TestHunksSayWhereTheyAre checks every hunk's line numbers against the contents it was made of.
func TestHunksSayWhereTheyAre(t *testing.T) {
	before := make([]string, 60)
	for i := range before {
		before[i] = fmt.Sprintf("line %d", i+1)
	}
	after := append([]string(nil), before...)
	after[0] = "another first line"
	after[4] = "line 5\nnew behind it\nand one more"
	after[7] = "line 8\nin the same hunk"
	after[30] = "changed"
	after[45] = "line 46\ninserted"
	old, new := strings.Join(before, "\n")+"\n", strings.Join(after, "\n")+"\n"
	diff := compared(&nebula.Target{Path: "a.txt", Kind: "edit"}, []byte(old), []byte(new))
	heads := regexp.MustCompile(`(?m)^@@ -(\d+),\d+ \+(\d+),\d+ @@\n(.*)\n`).FindAllStringSubmatch(diff, -1)
	if len(heads) != 3 {
		t.Fatalf("%d hunks in\n%s", len(heads), diff)
	}
	for i, h := range heads {
		from, _ := strconv.Atoi(h[1])
		to, _ := strconv.Atoi(h[2])
		if i == 0 {
			if from != 1 || to != 1 {
				t.Errorf("%s: want line 1 of both", h[0])
			}
			continue
		}
		if first := h[3][1:]; strings.Split(old, "\n")[from-1] != first || strings.Split(new, "\n")[to-1] != first {
			t.Errorf("%s: does not stand there", h[0])
		}
	}
}
