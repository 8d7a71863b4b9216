package terminal

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"

	"nebula"
)

func TestTerminalsThatDrawPictures(t *testing.T) {
	for env, want := range map[string]Graphics{
		"TERM=xterm-kitty": Kitty, "TERM=xterm-ghostty": Kitty, "TERM_PROGRAM=iTerm.app": ITerm, "TERM_PROGRAM=WezTerm": ITerm,
		"TERM=xterm-256color": NoGraphics, "TERM=xterm-kitty TMUX=x": NoGraphics, "TERM=xterm-kitty STY=x": NoGraphics, "TERM=dumb": NoGraphics,
		"TERM=xterm-256color NEBULA_GRAPHICS=sixel": Sixel, "TERM=xterm-kitty NEBULA_GRAPHICS=none": NoGraphics, "NEBULA_GRAPHICS=what": NoGraphics, "": NoGraphics,
	} {
		if got := GraphicsOf(environment(env)); got != want {
			t.Errorf("%s: %d, want %d", env, got, want)
		}
	}
	for _, test := range []struct {
		known      Graphics
		attributes []int
		env        string
		want       Graphics
	}{
		{NoGraphics, []int{62, 4, 22}, "", Sixel}, {NoGraphics, []int{62, 22}, "", NoGraphics}, {Kitty, []int{62, 4}, "", Kitty},
		{NoGraphics, []int{62, 4}, "TMUX=x", NoGraphics}, {NoGraphics, []int{62, 4}, "NEBULA_GRAPHICS=none", NoGraphics},
	} {
		if got := Answered(test.known, test.attributes, environment(test.env)); got != test.want {
			t.Errorf("%v: %d, want %d", test, got, test.want)
		}
	}
}

func environment(text string) func(string) string {
	set := map[string]string{}
	for _, one := range strings.Fields(text) {
		name, value, _ := strings.Cut(one, "=")
		set[name] = value
	}
	return func(name string) string { return set[name] }
}

// TestPicturesKeepTheirShape: none is wider than its screen, none is made larger, and all keep the proportion of their sides as
// nearly as cells allow.
func TestPicturesKeepTheirShape(t *testing.T) {
	cell := image.Pt(10, 20)
	for _, test := range []struct{ w, h, width, cols, rows int }{
		{640, 400, 100, 47, 15}, {100, 20, 100, 10, 1}, {1, 1, 100, 1, 1}, {2000, 10, 100, 60, 1}, {10, 2000, 100, 1, 15}, {600, 300, 20, 20, 5}, {300, 300, 100, 30, 15},
	} {
		cols, rows := takes(test.w, test.h, min(test.width, pictureCols), cell)
		if cols != test.cols || rows != test.rows {
			t.Errorf("%d×%d on %d columns takes %d×%d cells, want %d×%d", test.w, test.h, test.width, cols, rows, test.cols, test.rows)
		}
	}
}

func TestPicturesAreDrawnInTheirCells(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, 300, 100))); err != nil {
		t.Fatal(err)
	}
	i := nebula.Image{Type: "image/png", Data: b.Bytes()}
	d, err := Kitty.Draw(i, 7, 80, image.Pt(10, 20))
	if err != nil || len(d.Rows) != 5 || d.Once != "" || !strings.Contains(d.Ahead, "i=23,c=30,r=5") {
		t.Fatalf("%d rows, %v, ahead %.60q", len(d.Rows), err, d.Ahead)
	}
	for _, row := range d.Rows {
		if Bare(row) != 30 || !strings.HasPrefix(row, "\x1b[38;5;23m") {
			t.Errorf("a row of %d columns: %.40q", Bare(row), row)
		}
	}
	for _, g := range []Graphics{ITerm, Sixel} {
		d, err := g.Draw(i, 7, 80, image.Point{})
		if err != nil || d.Ahead != "" || d.Rows != nil || strings.Count(d.Once, "\n") != 6 {
			t.Errorf("%d: %v, %d rows of room, %.60q", g, err, strings.Count(d.Once, "\n")+1, d.Once)
		}
	}
	for _, g := range []Graphics{Kitty, ITerm, Sixel} {
		for _, data := range []string{"", "no picture", b.String()[:40], "RIFF\x00\x00\x00\x00WEBPVP8L\x00\x00\x00\x00\x2f\x00\x00\x00\x00\x00\x00\x00\x00"} {
			if d, err := g.Draw(nebula.Image{Type: "image/png", Data: []byte(data)}, 1, 80, image.Pt(10, 20)); err == nil && g != ITerm {
				t.Errorf("%d draws %q: %.40q", g, data, d)
			}
		}
	}
}
