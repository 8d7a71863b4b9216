package tui

import (
	"slices"
	"testing"
)

func TestPicturesAreNamedWithAnAtSign(t *testing.T) {
	got := pictures("look at @shots/A.PNG and @b.webp, not at c.png, @notes.md or @d.gif")
	if want := []string{"shots/A.PNG", "b.webp", "d.gif"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
