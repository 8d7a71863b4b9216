package tui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"nebula/internal/terminal"
)

// A stretch is a part of a text, in bytes.
type stretch struct{ from, to int }

// Lines of a change are compared word by word when they are not longer than wordsMax, and matched up when a change has
// no more than pairsMax lines on either side.
const (
	wordsMax = 300
	pairsMax = 24
	alike    = 0.4 // the share of two lines that must be the same for one to be the other, changed
)

// match finds for the lines of a change which of the new ones an old one became, and marks in both what is not the same.
// Pairs never cross.
func match(was, is []diffLine) {
	if len(was) == 0 || len(is) == 0 {
		return
	}
	olds, news := split(was), split(is)
	if len(was) > pairsMax || len(is) > pairsMax {
		for i := range min(len(was), len(is)) {
			if likeness(olds[i], news[i]) >= alike {
				pair(&was[i], &is[i], olds[i], news[i])
			}
		}
		return
	}
	like := make([][]float64, len(was))
	best := make([][]float64, len(was)+1) // of what comes from here on
	for i := range best {
		best[i] = make([]float64, len(is)+1)
	}
	for i := len(was) - 1; i >= 0; i-- {
		like[i] = make([]float64, len(is))
		for j := len(is) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1])
			if like[i][j] = likeness(olds[i], news[j]); like[i][j] >= alike {
				best[i][j] = max(best[i][j], best[i+1][j+1]+like[i][j])
			}
		}
	}
	for i, j := 0, 0; i < len(was) && j < len(is); {
		switch {
		case like[i][j] >= alike && best[i][j] == best[i+1][j+1]+like[i][j]:
			pair(&was[i], &is[j], olds[i], news[j])
			i, j = i+1, j+1
		case best[i][j] == best[i+1][j]:
			i++
		default:
			j++
		}
	}
}

func split(lines []diffLine) [][]string {
	all := make([][]string, len(lines))
	for i, l := range lines {
		all[i] = pieces(terminal.ExactLine(l.text))
	}
	return all
}

// pieces are the words of a line and what stands between them.
func pieces(text string) []string {
	var all []string
	for text != "" {
		r, n := utf8.DecodeRuneInString(text)
		if class := classOf(r); class != 0 {
			for n < len(text) {
				next, size := utf8.DecodeRuneInString(text[n:])
				if classOf(next) != class {
					break
				}
				n += size
			}
		} else if cluster := terminal.First(text); len(cluster) > n {
			n = len(cluster)
		}
		all = append(all, text[:n])
		text = text[n:]
	}
	return all
}

// classOf sorts letters into those that make one word together. A Han character is a word by itself, as a sign is.
func classOf(r rune) int {
	switch {
	case unicode.Is(unicode.Han, r):
		return 0
	case unicode.In(r, unicode.Hiragana):
		return 1
	case unicode.In(r, unicode.Katakana) || r == 'ー':
		return 2
	case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_':
		return 3
	case r == ' ':
		return 4
	}
	return 0
}

// likeness is how much of two lines is the same, from 0 to 1; white space does not count.
func likeness(a, b []string) float64 {
	same, all := 0, 0
	for _, p := range append(a[:len(a):len(a)], b...) {
		all += weight(p)
	}
	if all == 0 {
		return 1
	}
	if len(a) > wordsMax || len(b) > wordsMax {
		return 0
	}
	inA, _ := shared(a, b)
	for i, in := range inA {
		if in {
			same += 2 * weight(a[i])
		}
	}
	return float64(same) / float64(all)
}

//go:noinline
func weight(piece string) int {
	if strings.TrimSpace(piece) == "" {
		return 0
	}
	return utf8.RuneCountInString(piece)
}

// shared tells of every piece of two lines whether it stands in their longest common subsequence.
func shared(a, b []string) (inA, inB []bool) {
	inA, inB = make([]bool, len(a)), make([]bool, len(b))
	from, toA, toB := 0, len(a), len(b)
	for from < min(toA, toB) && a[from] == b[from] {
		inA[from], inB[from] = true, true
		from++
	}
	for toA > from && toB > from && a[toA-1] == b[toB-1] {
		toA, toB = toA-1, toB-1
		inA[toA], inB[toB] = true, true
	}
	width := toB - from + 1
	length := make([]uint16, (toA-from+1)*width)
	for i := toA - 1; i >= from; i-- {
		for j := toB - 1; j >= from; j-- {
			at := (i-from)*width + j - from
			if length[at] = max(length[at+width], length[at+1]); a[i] == b[j] {
				length[at] = length[at+width+1] + 1
			}
		}
	}
	for i, j := from, from; i < toA && j < toB; {
		at := (i-from)*width + j - from
		switch {
		case a[i] == b[j]:
			inA[i], inB[j] = true, true
			i, j = i+1, j+1
		case length[at] == length[at+width]:
			i++
		default:
			j++
		}
	}
	return inA, inB
}

// pair marks two lines as one that was changed, and in each what the other has not.
func pair(was, is *diffLine, a, b []string) {
	was.paired, is.paired = true, true
	if len(a) > wordsMax || len(b) > wordsMax {
		return
	}
	inA, inB := shared(a, b)
	was.marks, is.marks = marksOf(a, inA), marksOf(b, inB)
}

// marksOf are the stretches of pieces that are not in; those that only a space parts are one.
func marksOf(all []string, in []bool) []stretch {
	var marks []stretch
	at := 0
	for i, p := range all {
		if !in[i] {
			if n := len(marks) - 1; n >= 0 && (marks[n].to == at || i > 0 && marks[n].to == at-1 && all[i-1] == " ") {
				marks[n].to = at + len(p)
			} else {
				marks = append(marks, stretch{at, at + len(p)})
			}
		}
		at += len(p)
	}
	return marks
}

// shownLine is a line of a change as it is drawn, with its marks moved to where they stand there. Tabs take their room;
// white space that changed, or that ends the line, is made visible.
func shownLine(d diffLine) (string, []stretch) {
	text := terminal.ExactLine(d.text)
	blank := len(text)
	if d.kind != ' ' {
		blank = len(strings.TrimRight(text, " \t"))
	}
	var b strings.Builder
	at := make([]int, len(text)+1) // where a byte of text stands in b
	for i := range len(text) {
		at[i] = b.Len()
		seen := i >= blank || onlySpace(text, d.marks, i)
		switch {
		case text[i] == '\t' && seen:
			b.WriteString("→   ")
		case text[i] == '\t':
			b.WriteString("    ")
		case text[i] == ' ' && seen:
			b.WriteString("·")
		default:
			b.WriteByte(text[i])
		}
	}
	at[len(text)] = b.Len()
	marks := make([]stretch, len(d.marks))
	for i, m := range d.marks {
		marks[i] = stretch{at[m.from], at[m.to]}
	}
	return b.String(), marks
}

// onlySpace reports whether place i is in a mark that holds nothing but white space.
func onlySpace(text string, marks []stretch, i int) bool {
	for _, m := range marks {
		if m.from <= i && i < m.to {
			return strings.TrimSpace(text[m.from:m.to]) == ""
		}
	}
	return false
}

// overlay puts a style on stretches of a painted line, over the styles that it has.
func overlay(painted string, marks []stretch, on string) string {
	if len(marks) == 0 || on == "" {
		return painted
	}
	var b strings.Builder
	open, at, inside := "", 0, false
	for painted != "" {
		if len(marks) > 0 && inside && at == marks[0].to {
			b.WriteString(terminal.Reset + open)
			inside, marks = false, marks[1:]
		}
		if len(marks) > 0 && !inside && at == marks[0].from {
			b.WriteString(on)
			inside = true
		}
		if seq := terminal.SGR(painted); seq != "" {
			b.WriteString(seq)
			painted = painted[len(seq):]
			if open += seq; seq == terminal.Reset {
				open = ""
			}
			if inside {
				b.WriteString(on)
			}
			continue
		}
		b.WriteByte(painted[0])
		painted, at = painted[1:], at+1
	}
	if inside {
		b.WriteString(terminal.Reset)
	}
	return b.String()
}
