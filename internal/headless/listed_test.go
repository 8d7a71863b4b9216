package headless

import (
	"fmt"
	"strings"
	"testing"
)

// Names of files are never cut: those that do not fit are counted.
func TestNamesAreListedWholeOrCounted(t *testing.T) {
	var names []string
	for n := range 120 {
		names = append(names, fmt.Sprintf("made_file_number_%d.txt", n))
	}
	got := listed(names)
	shown := strings.Count(got, "made_file")
	if shown < 10 || len(got) > mostNoted-20 || !strings.HasSuffix(got, fmt.Sprintf(".txt (+%d)", 120-shown)) {
		t.Errorf("%s", got)
	}
	if got := listed(names[:3]); got != "made_file_number_0.txt, made_file_number_1.txt, made_file_number_2.txt" {
		t.Error(got)
	}
}
