//go:build !windows

package tui

import (
	"slices"
	"testing"

	"nebula/internal/terminal"
)

// TestADroppedPictureIsNamed as a terminal pastes its path; other text stays what it is.
func TestADroppedPictureIsNamed(t *testing.T) {
	for pasted, want := range map[string]string{
		"/tmp/shot.png": "@/tmp/shot.png ", "/tmp/shot.PNG ": "@/tmp/shot.PNG ", "'/tmp/my shot.png'": `@"/tmp/my shot.png" `, `"/tmp/my shot.jpg"`: `@"/tmp/my shot.jpg" `,
		`/tmp/my\ shot\(1\).png `: `@"/tmp/my shot(1).png" `, "file:///tmp/my%20shot.webp": `@"/tmp/my shot.webp" `, "/tmp/画像.png": "@/tmp/画像.png ",
		"/tmp/notes.txt": "", "shot.png": "", "see /tmp/shot.png": "", "/tmp/a.png\n/tmp/b.png": "", "/a b.png": "", "": "", "'": "", "https://example.org/a.png": "", `/tmp/a"b.png`: "",
	} {
		if got := dropped(pasted); got != want {
			t.Errorf("%q becomes %q, want %q", pasted, got, want)
		}
	}
	a := staged("en", 80)
	a.queue, a.pending = nil, nil
	a.paste("'/tmp/my shot.png'")
	a.paste("/tmp/b.gif")
	if got := terminal.Mentioned("look at " + a.editor.Text()); !slices.Equal(got, []string{"/tmp/my shot.png", "/tmp/b.gif"}) {
		t.Errorf("%q names %q", a.editor.Text(), got)
	}
	if got := terminal.Mentioned("@a.png, (see @b.jpeg) me@c.png @notes.txt"); !slices.Equal(got, []string{"a.png", "b.jpeg"}) {
		t.Errorf("%q", got)
	}
}
