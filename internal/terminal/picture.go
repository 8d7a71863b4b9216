package terminal

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/png"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"
	"github.com/charmbracelet/x/ansi/sixel"

	"nebula"
	"nebula/internal/lists"
)

// Graphics is how a terminal draws pictures.
type Graphics int

// The ways to draw: Kitty keeps a picture and draws it wherever cells of text stand for it, the others draw it once, where the
// cursor is.
const (
	NoGraphics Graphics = iota
	Kitty
	ITerm
	Sixel
)

// GraphicsOf is how a terminal is known to draw pictures. NEBULA_GRAPHICS says it for others: kitty, iterm, sixel, or none.
// Through another program that draws a terminal of its own (tmux, GNU screen) there are none.
func GraphicsOf(env func(string) string) Graphics {
	switch env("NEBULA_GRAPHICS") {
	case "kitty":
		return Kitty
	case "iterm":
		return ITerm
	case "sixel":
		return Sixel
	}
	if settled(env) || env("TERM") == "dumb" {
		return NoGraphics
	}
	program, term := env("TERM_PROGRAM"), env("TERM")
	switch {
	case strings.Contains(term, "kitty") || program == "ghostty" || strings.Contains(term, "ghostty"):
		return Kitty
	case program == "iTerm.app" || program == "WezTerm" || program == "rio":
		return ITerm
	}
	return NoGraphics
}

// settled reports whether what the terminal says of itself decides nothing: the person said it, or another program draws it.
//
//go:noinline
func settled(env func(string) string) bool {
	return env("NEBULA_GRAPHICS") != "" || env("TMUX") != "" || env("STY") != ""
}

// Answered is how a terminal draws pictures that said by itself what it is (DA1): with sixels at least, where it names them.
func Answered(known Graphics, attributes []int, env func(string) string) Graphics {
	if known == NoGraphics && lists.Has(attributes, 4) && !settled(env) {
		return Sixel
	}
	return known
}

// A Drawing is a picture as a terminal draws it.
type Drawing struct {
	Ahead string   // is written once, and moves nothing
	Rows  []string // of cells that stand for it, behind Ahead
	Once  string   // where there are no such cells: draws it below the cursor and leaves that at its last row
}

// The most of a screen that a picture takes.
const (
	pictureCols = 60
	pictureRows = 15
)

// usualCell is how many pixels a cell has where the terminal does not tell: rather too few, since a picture that is too large
// would stand on what follows it.
var usualCell = image.Pt(8, 16)

// Pictures is how many pictures are told apart.
const Pictures = 240

// Draw makes the nth picture for a terminal of so many columns, of cells of so many pixels. The error says why the picture cannot be drawn: its form is not read here, say.
func (g Graphics) Draw(i nebula.Image, nth, width int, cell image.Point) (Drawing, error) {
	if cell.X <= 0 || cell.Y <= 0 {
		cell = usualCell
	}
	if g == Kitty && Width(string(kitty.Placeholder)) != 1 {
		return Drawing{}, errors.New("the terminal draws what stands for a picture too wide")
	}
	w, h := i.Size()
	if w <= 0 || h <= 0 {
		return Drawing{}, errors.New("the picture is damaged")
	}
	cols, rows := takes(w, h, min(width, pictureCols), cell)
	long := max(w, h)
	fits := min(float64(cols*cell.X)/float64(w), float64(rows*cell.Y)/float64(h))
	small := i.Within(max(1, int(float64(long)*fits)))
	if g == ITerm {
		return Drawing{Once: below(rows, fmt.Sprintf("\x1b]1337;File=inline=1;size=%d;width=%d;height=%d;preserveAspectRatio=1:%s\a",
			len(small.Data), cols, rows, base64.StdEncoding.EncodeToString(small.Data)))}, nil
	}
	m, _, err := image.Decode(bytes.NewReader(small.Data))
	if err != nil {
		return Drawing{}, err
	}
	var b bytes.Buffer
	if g == Sixel {
		if m.Bounds().Dx() > cols*cell.X || m.Bounds().Dy() > rows*cell.Y { // a form that is never made smaller
			return Drawing{}, errors.New("the picture is too large to be drawn")
		}
		err := (&sixel.Encoder{}).Encode(&b, m)
		return Drawing{Once: below(rows, ansi.SixelGraphics(0, 1, 0, b.Bytes()))}, err
	}
	if err := png.Encode(&b, m); err != nil {
		return Drawing{}, err
	}
	return Drawing{Ahead: sent(b.Bytes(), pictureID(nth), cols, rows), Rows: standing(pictureID(nth), cols, rows)}, nil
}

// takes is how many columns and rows a picture takes that keeps its shape, and is not made larger.
func takes(w, h, most int, cell image.Point) (cols, rows int) {
	cols = max(1, min(most, (w+cell.X-1)/cell.X))
	up := func(n, by int) int { return (n + by - 1) / by }
	rows = max(1, up(h*cols*cell.X, w*cell.Y))
	if whole := up(h, cell.Y); rows > whole {
		rows = max(1, whole)
	}
	if rows > pictureRows {
		cols, rows = max(1, cols*pictureRows/rows), pictureRows
	}
	return cols, rows
}

// below makes room for so many rows and draws in it, which may leave the cursor anywhere.
func below(rows int, drawn string) string {
	up, down := "", ""
	if n := rows - 1; n > 0 {
		up, down = "\x1b["+strconv.Itoa(n)+"A", "\x1b["+strconv.Itoa(n)+"B"
	}
	return strings.Repeat("\r\n", rows-1) + up + "\x1b7" + drawn + "\x1b8" + down
}

// pictureID is the id of a picture: the number of a colour that is none of the first sixteen, which have other ways to be said.
func pictureID(nth int) uint8 { return uint8(256 - Pictures + nth%Pictures) } //nolint:gosec // at most 255

// sent gives a terminal a picture to keep, in pieces as it takes them, to be drawn where cells stand for it.
func sent(data []byte, id uint8, cols, rows int) string {
	const piece = 4096
	text := base64.StdEncoding.EncodeToString(data)
	var b strings.Builder
	for at := 0; at < len(text); at += piece {
		end := min(at+piece, len(text))
		options := []string{"m=1", "q=2"}
		if end == len(text) {
			options[0] = "m=0"
		}
		if at == 0 {
			options = append(options, "a=T", "U=1", "f=100", fmt.Sprintf("i=%d", id), fmt.Sprintf("c=%d", cols), fmt.Sprintf("r=%d", rows))
		}
		b.WriteString(ansi.KittyGraphics([]byte(text[at:end]), options...))
	}
	return b.String()
}

// standing are the cells that stand for a picture: their colour is its id, their marks are row and column.
func standing(id uint8, cols, rows int) []string {
	all := make([]string, rows)
	for y := range all {
		var b strings.Builder
		for x := range cols {
			b.WriteRune(kitty.Placeholder)
			b.WriteRune(kitty.Diacritic(y))
			b.WriteRune(kitty.Diacritic(x))
		}
		all[y] = Paint(ansi.Style{}.ForegroundColor(ansi.IndexedColor(id)).String(), b.String())
	}
	return all
}

// Forget has a terminal that keeps pictures let go of as many, from the first on.
func Forget(n int) string {
	var b strings.Builder
	for nth := range min(n, Pictures) {
		b.WriteString(ansi.KittyGraphics(nil, "a=d", "d=I", "q=2", fmt.Sprintf("i=%d", pictureID(nth))))
	}
	return b.String()
}
