package terminal

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// Width is how many columns of the terminal s takes. It must hold no escape sequences.
//
//go:noinline
func Width(s string) int { return measure().String(s) }

// Clip cuts s to at most max columns and says so with an ellipsis.
func Clip(s string, max int) string {
	if max < 1 {
		return ""
	}
	return measure().TruncateString(s, max, "…")
}

// OneLine is the first line of s that says something, clipped.
func OneLine(s string, max int) string {
	for l := range strings.Lines(s) {
		if l = strings.TrimSpace(l); l != "" {
			return Clip(l, max)
		}
	}
	return ""
}

// TabWidth is how many columns a tab goes on to.
const TabWidth = 4

// Wrap breaks text into rows of at most max columns: at spaces, and between wide characters, but never so that a row
// begins with a character that closes (Japanese kinsoku). Styles (SGR sequences, ours: foreign text went through
// [Visible] before) take no room, and a row ends with the styles closed and the next opens them again.
func Wrap(text string, max int) []string {
	max = min(max, 1<<20)
	if max < 2 {
		max = 2
	}
	var rows []string
	for line := range strings.SplitSeq(text, "\n") {
		w := wrapper{max: max}
		w.line(line)
		rows = append(rows, w.rows...)
	}
	return rows
}

type wrapper struct {
	max    int
	rows   []string
	row    strings.Builder
	cols   int
	style  string // the styles that are open at the end of row
	breaks mark   // the last place where row may be broken
}

// A mark is a place in the row under way: bytes and columns before it, and the style there. Skip is how many bytes
// after it are dropped when the row is broken there (a space).
type mark struct {
	at, cols, skip int
	style          string
	ok             bool
}

func (w *wrapper) line(text string) {
	wide := false // the last cluster was
	for text != "" {
		if seq := SGR(text); seq != "" {
			w.row.WriteString(seq)
			w.style = restyle(w.style, seq)
			text = text[len(seq):]
			continue
		}
		cluster := First(text)
		text = text[len(cluster):]
		shown := cluster
		if cluster == "\t" {
			shown = strings.Repeat(" ", min(TabWidth-w.cols%TabWidth, w.max))
		}
		cols := Width(shown)
		if cluster == " " {
			w.breaks = mark{at: w.row.Len(), cols: w.cols, skip: 1, style: w.style, ok: w.cols > 0}
		} else if (cols == 2 || wide) && w.cols > 0 && !strings.ContainsAny(cluster, closers) {
			w.breaks = mark{at: w.row.Len(), cols: w.cols, style: w.style, ok: true}
		}
		wide = cols == 2
		if w.cols+cols > w.max {
			w.fold(cluster == " ")
			if cluster == " " {
				continue
			}
		}
		w.row.WriteString(shown)
		w.cols += cols
	}
	w.emit(w.row.String(), w.style)
}

// closers may not begin a row.
const closers = "、。，．・：；！？」』）］｝〉》】〕”’ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.:;!?)]}…"

// fold ends the row at the last break, or here when there is none.
func (w *wrapper) fold(atSpace bool) {
	text := w.row.String()
	w.row.Reset()
	if atSpace || !w.breaks.ok || w.cols-w.breaks.cols >= w.max {
		w.emit(text, w.style)
		w.row.WriteString(w.style)
		w.cols, w.breaks = 0, mark{}
		return
	}
	b := w.breaks
	w.emit(text[:b.at], b.style)
	w.row.WriteString(b.style + text[b.at+b.skip:])
	w.cols, w.breaks = w.cols-b.cols-b.skip, mark{}
}

func (w *wrapper) emit(row, style string) {
	if style != "" {
		row += Reset
	}
	w.rows = append(w.rows, row)
}

// Chop breaks a line without styles into rows of at most max columns, wherever that is, and loses nothing.
func Chop(line string, max int) []string {
	var rows []string
	var row strings.Builder
	cols := 0
	for line != "" {
		cluster := First(line)
		line = line[len(cluster):]
		w := Width(cluster)
		if cols+w > max && cols > 0 {
			rows = append(rows, row.String())
			row.Reset()
			cols = 0
		}
		row.WriteString(cluster)
		cols += w
	}
	return append(rows, row.String())
}

// Reset ends all styles.
const Reset = "\x1b[0m"

// SGR is the style sequence that s begins with, or one of a link: what takes no room.
func SGR(s string) string {
	if !strings.HasPrefix(s, "\x1b[") {
		return hyperlink(s)
	}
	end := strings.IndexByte(s, 'm')
	if end < 0 || strings.Trim(s[2:end], "0123456789;") != "" {
		return ""
	}
	return s[:end+1]
}

func restyle(style, seq string) string {
	if seq == Reset {
		return ""
	}
	return style + seq
}

// First is the cluster that s, which is not empty, begins with: what a person takes for one character.
func First(s string) string {
	if s[0] < 0x80 && (len(s) == 1 || s[1] < 0x80) {
		return s[:1]
	}
	g := displaywidth.StringGraphemes(s)
	g.Next()
	return g.Value()
}

// Bare is the width of a row without its styles.
func Bare(row string) int { return Width(Unpainted(row)) }

// Unpainted is a row without its styles and links.
//
//go:noinline
func Unpainted(row string) string { return without(row, SGR) }

// without is a row without the sequences of a kind: that which a text begins with, or none.
func without(row string, kind func(string) string) string {
	if strings.IndexByte(row, '\x1b') < 0 {
		return row
	}
	var b strings.Builder
	for row != "" {
		if seq := kind(row); seq != "" {
			row = row[len(seq):]
			continue
		}
		b.WriteByte(row[0])
		row = row[1:]
	}
	return b.String()
}

// Paint puts s in a style, a sequence, line by line. An empty style changes nothing.
func Paint(style, s string) string {
	if style == "" || s == "" {
		return s
	}
	return style + strings.ReplaceAll(s, "\n", Reset+"\n"+style) + Reset
}

// Break breaks a line with styles into rows of at most max columns wherever that is, and loses nothing: for code and
// for what must be seen to the letter.
func Break(line string, max int) []string {
	var rows []string
	var row strings.Builder
	cols, style := 0, ""
	emit := func() {
		if style != "" {
			row.WriteString(Reset)
		}
		rows = append(rows, row.String())
		row.Reset()
		row.WriteString(style)
		cols = 0
	}
	for line != "" {
		if seq := SGR(line); seq != "" {
			row.WriteString(seq)
			style = restyle(style, seq)
			line = line[len(seq):]
			continue
		}
		cluster := First(line)
		line = line[len(cluster):]
		w := Width(cluster)
		if cols+w > max && cols > 0 {
			emit()
		}
		row.WriteString(cluster)
		cols += w
	}
	emit()
	return rows
}
