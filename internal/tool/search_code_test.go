package tool_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula/internal/gate"
	"nebula/internal/tool"
)

var shop = map[string]string{
	"cart.go":  "package shop\n\n// AddItem puts a product into the cart.\nfunc AddItem(c *Cart, p Product) {\n\tc.items = append(c.items, p)\n}\n",
	"other.go": "package shop\n\n" + strings.Repeat("// a product that no cart has\n", 200) + "func Other() {}\n",
}

func TestWhatASearchShowedIsSeen(t *testing.T) {
	f := newFolder(t, tool.Options{}, shop)
	r := f.must("searchCode", args{"query": "add an item to the cart"})
	if !strings.HasPrefix(r.Text, "cart.go:3-6 func AddItem\n3: // AddItem puts") || !strings.HasSuffix(r.Text, "[index: 2 files, checked just now]") {
		t.Error(r.Text)
	}
	if ref, ok := f.view().Ref("cart.go"); !ok || len(ref.Lines) != 1 || ref.Lines[0] != [2]int{3, 6} {
		t.Error(ref)
	}
	f.must("patchFile", args{"path": "cart.go", "edits": []args{{"old": "append(c.items, p)", "new": "append(c.items, p, p)"}}})
}

func TestASearchStaysWithinItsTokens(t *testing.T) {
	count := func(s string) int { return len(s) / 3 }
	for _, most := range []int{30, 60, 200, 1000} {
		f := newFolder(t, tool.Options{Found: most, Count: count}, shop)
		if r := f.must("searchCode", args{"query": "a product that no cart has", "limit": 30}); count(r.Text) > most {
			t.Errorf("%d tokens of %d: %s", count(r.Text), most, r.Text)
		}
	}
}

// A file with secrets is found by none of its names.
func TestASearchTellsNothingOfASecretByAnotherName(t *testing.T) {
	f := newFolder(t, tool.Options{Secret: gate.Protection(0).Secret}, map[string]string{".env": "DB_PASSWORD=canary9182\n", "readme.md": "# The DB_PASSWORD\n\nIt is set elsewhere.\n"})
	if err := os.Link(filepath.Join(f.d.Path(), ".env"), filepath.Join(f.d.Path(), "hard.txt")); err != nil {
		t.Skip(err)
	}
	r := f.must("searchCode", args{"query": "DB_PASSWORD"})
	if strings.Contains(r.Text+r.Summary, "canary9182") || strings.Contains(r.Text+r.Summary, "hard.txt") || !strings.Contains(r.Text, "readme.md") {
		t.Error(r.Text, r.Summary)
	}
}
