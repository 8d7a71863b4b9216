package tool_test

import (
	"fmt"
	"strings"
	"testing"

	"nebula/internal/tool"
)

// Where not all is shown, tests do not crowd out the code that they try; where all is, it stands in its order.
func TestTestsDoNotCrowdOutTheCode(t *testing.T) {
	files := map[string]string{"zone/price.go": "package zone\n\nfunc Price() int { return 3 }\n"}
	for i := range 9 {
		files[fmt.Sprintf("a%d_test.go", i)] = strings.Repeat("// Price\n", 20)
		files[fmt.Sprintf("testdata/b%d.txt", i)] = "Price\n"
	}
	f := newFolder(t, tool.Options{Matches: 10}, files)
	text := f.must("searchInDirectory", args{"directory": ".", "keyword": "Price"}).Text
	if !strings.HasPrefix(text, "zone/price.go:3:func Price() int") || !strings.Contains(text, "a0_test.go:1:") || !strings.Contains(text, "testdata/b8.txt (1)") {
		t.Errorf("%s", text)
	}
	g := newFolder(t, tool.Options{}, map[string]string{"a_test.go": "Price\n", "b.go": "Price\n"})
	if text := g.must("searchInDirectory", args{"directory": ".", "keyword": "Price"}).Text; text != "a_test.go:1:Price\nb.go:1:Price" {
		t.Errorf("%s", text)
	}
}

// More lines around a match than are shown are not left out without a word.
func TestLinesAroundAMatchThatAreNotShownAreTold(t *testing.T) {
	f := newFolder(t, tool.Options{}, map[string]string{"a.go": strings.Repeat("x\n", 40) + "Price\n" + strings.Repeat("y\n", 40)})
	for around, told := range map[int]bool{10: false, 11: true, 50: true} {
		text := f.must("searchInDirectory", args{"directory": ".", "keyword": "Price", "context": around}).Text
		if strings.Contains(text, "10 lines on each side are the most; readFile shows more") != told || !strings.Contains(text, "a.go-31-x") || strings.Contains(text, "a.go-30-x") {
			t.Errorf("%d: %s", around, text)
		}
	}
}
