package protocol

import (
	"strings"
	"testing"
)

// A bit beyond the last would be none, and a name that no set has would be a word: neither would ever match.
func TestEverySetOfWordsCanMatch(t *testing.T) {
	named := map[string]bool{"OBJ": true}
	for name, bit := range setBits() {
		if named[name] = true; bit == 0 {
			t.Errorf("%s has no bit: there is room for 64 sets", name)
		}
	}
	for _, row := range standings() {
		for part := range strings.FieldsSeq(strings.NewReplacer(",", " ", "..", " ", "/", " ", "?", " ").Replace(row.shapes)) {
			if part != strings.ToLower(part) && !named[part] {
				t.Errorf("no set is called %s", part)
			}
		}
	}
}
