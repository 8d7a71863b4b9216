package tool

import (
	"bytes"
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

// TestWholeDiffIsShown up to the size that is compared at all; beyond it the target says that its change cannot be.
func TestWholeDiffIsShown(t *testing.T) {
	line := strings.Repeat("x", 99) + "\n"
	for _, c := range []struct {
		lines   int
		unshown bool
	}{{10, false}, {30_000, false}, {50_000, true}} {
		target := nebula.Target{Path: "a.txt", Kind: "create"}
		diff := compared(&target, nil, []byte(strings.Repeat(line, c.lines)+"the end\n"))
		if target.Unshown != c.unshown || strings.HasSuffix(diff, "+the end\n") == c.unshown || target.Add != c.lines+1 {
			t.Errorf("%d lines: unshown %v, %d added, a diff of %d bytes that ends %q", c.lines, target.Unshown, target.Add, len(diff), diff[max(len(diff)-60, 0):])
		}
	}
}

// A file of which only the rights change has no lines to show, however large it is.
func TestWhatStaysIsNotTooLarge(t *testing.T) {
	target, data := nebula.Target{Path: "a.bin", Kind: "edit"}, bytes.Repeat([]byte("x"), diffBytes)
	if diff := compared(&target, data, data); diff != "" || target.Unshown || target.Was != diffBytes || target.Size != diffBytes {
		t.Errorf("%q %+v", diff, target)
	}
}

// What nobody can read line by line is named with its sizes.
func TestBinaryIsNotShown(t *testing.T) {
	for _, data := range []string{"\x00\x01", "\x89PNG\r\n\x1a\n\x00"} {
		target := nebula.Target{Path: "a.bin", Kind: "edit"}
		diff := compared(&target, []byte("text\n"), []byte(data))
		if strings.Contains(diff, data) || !strings.Contains(diff, "(binary: 5 B become ") || target.Unshown || target.Size != int64(len(data)) {
			t.Errorf("%q %+v", diff, target)
		}
	}
}

// A path stands on one line of a diff's head, whatever is in it: it says nothing of its own.
func TestAPathDrawsNoLineOfADiff(t *testing.T) {
	target := nebula.Target{Path: "a\n+++ b/other\n@@ -1 +1 @@\n+x", Kind: "edit"}
	diff := compared(&target, []byte("a\n"), []byte("b\n"))
	if strings.Count(diff, "\n") != 5 || !strings.HasPrefix(diff, `--- a/a\n+++ b/other\n@@ -1 +1 @@\n+x`+"\n+++ b/a") {
		t.Errorf("%s", diff)
	}
}
