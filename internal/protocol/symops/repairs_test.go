package symops

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula/internal/protocol"

	"nebula/internal/nebulatest"
)

// Every repair has a case of its own, a file that bears its name.
func TestEveryRepairHasACase(t *testing.T) {
	for name := range protocol.Rows("symops") {
		raw, err := os.ReadFile(filepath.Join("testdata/cases", name+".txtar"))
		if err != nil {
			t.Errorf("repair %s has no case: %v", name, err)
			continue
		}
		if _, parts := sections(string(raw)); !strings.Contains(parts["want"], "repair: "+name+" ") {
			t.Errorf("the case of %s does not show it", name)
		}
	}
}

// Every repair that the cases show is in the table.
func TestEveryRepairIsKnown(t *testing.T) {
	files, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, parts := sections(string(raw))
		for _, r := range Parse(parts["reply"], nebulatest.Specs()).Repairs {
			if _, ok := protocol.RowOf(r.Name); !ok {
				t.Errorf("%s: %s is not in the table", filepath.Base(file), r.Name)
			}
		}
	}
}

// The manual lists every repair.
func TestManualListsEveryRepair(t *testing.T) {
	raw, err := os.ReadFile("../../../docs/symops.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range protocol.Rows("symops") {
		if !strings.Contains(string(raw), "| `"+name+"` | "+string(r.Strategy)+" |") {
			t.Errorf("docs/symops.md does not list %s as %s", name, r.Strategy)
		}
	}
}
