package terminal

import (
	"slices"
	"testing"
)

// A picture is named in text that has no blanks, in quotes, and beside signs; an address and a longer name are none.
func TestPicturesAreNamedInAnyText(t *testing.T) {
	for text, want := range map[string][]string{
		"この@図.pngを見て":                          {"図.png"},
		"@図1.pngと@図2.PNG、@三.jpeg。":             {"図1.png", "図2.PNG", "三.jpeg"},
		`see @"two words.png", and @'x'`:       {"two words.png"},
		"「@shots/a.webp」と(@b.gif)":             {"shots/a.webp", "b.gif"},
		"me@c.png @a.png.bak @a.pngx @p.png/q": nil,
		"@v1.2/shot.2.png... @dir.png/x.gif!":  {"v1.2/shot.2.png", "dir.png/x.gif"},
		"@\"open.png and\nmore":                {"open.png"},
		"@ @. @":                               nil,
	} {
		if got := Mentioned(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
}
