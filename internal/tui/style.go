package tui

import (
	"fmt"
	"image/color"
	"strings"
)

// Depth is how many colours a terminal shows.
type Depth int

// The depths.
const (
	NoColor   Depth = iota // no styles but the ones that carry meaning without colour
	Sixteen                // the terminal's own colours
	Indexed                // 256 colours
	TrueColor              // all of them
)

// DepthOf reads a terminal's depth from the environment; see no-color.org for NO_COLOR.
func DepthOf(env func(string) string) Depth {
	term, more := env("TERM"), env("COLORTERM")
	switch {
	case env("NO_COLOR") != "" || term == "dumb":
		return NoColor
	case more == "truecolor" || more == "24bit" || strings.Contains(term, "direct"):
		return TrueColor
	case strings.Contains(term, "256color") || strings.Contains(term, "kitty"):
		return Indexed
	}
	return Sixteen
}

// A style is the sequences of the interface. The zero style paints nothing.
type style struct {
	dim, bold, accent, good, bad, warn string
	add, del, addBack, delBack         string // lines of a diff; the backs leave the text its own colours
	addWord, delWord                   string // what changed within them: backs again, with a text of their own where they are strong, or inversion
	keyword, text, number, remark      string // of code
	code, link, invert, person         string
	band                               string // behind the chosen row of a list
	logo                               []string
}

// styleFor fits the styles to a terminal. Where there are no colours, weight and inversion still tell things apart.
func styleFor(d Depth, light bool) style {
	s := style{dim: "\x1b[2m", bold: "\x1b[1m", invert: "\x1b[7m", person: "\x1b[1m", band: "\x1b[7m", addWord: "\x1b[7m", delWord: "\x1b[7m",
		logo: []string{"\x1b[1m"}}
	if d == NoColor {
		return s
	}
	s.accent, s.good, s.bad, s.warn = "\x1b[36m", "\x1b[32m", "\x1b[31m", "\x1b[33m"
	s.add, s.del = "\x1b[32m", "\x1b[31m"
	s.keyword, s.text, s.number, s.remark = "\x1b[35m", "\x1b[32m", "\x1b[36m", "\x1b[2m"
	s.code, s.link = "\x1b[36m", "\x1b[4;34m"
	s.logo = []string{"\x1b[1;35m", "\x1b[1;35m", "\x1b[1;34m", "\x1b[1;34m", "\x1b[1;36m", "\x1b[1;36m"}
	if d == Sixteen {
		return s
	}
	if light {
		s.accent, s.good, s.bad, s.warn = "\x1b[38;5;25m", "\x1b[38;5;28m", "\x1b[38;5;124m", "\x1b[38;5;130m"
		s.add, s.del, s.addBack, s.delBack = "\x1b[38;5;22m", "\x1b[38;5;88m", "\x1b[48;5;194m", "\x1b[48;5;224m"
		s.addWord, s.delWord, s.band = "\x1b[48;5;157m", "\x1b[48;5;217m", "\x1b[48;5;254m"
		s.keyword, s.text, s.number, s.remark = "\x1b[38;5;90m", "\x1b[38;5;28m", "\x1b[38;5;24m", "\x1b[38;5;242m"
		s.code, s.dim, s.link = "\x1b[38;5;24m", "\x1b[38;5;242m", "\x1b[4;38;5;25m"
		s.logo = gradient("\x1b[1;38;5;%dm", 91, 55, 56, 26, 25, 31)
	} else {
		s.accent, s.good, s.bad, s.warn = "\x1b[38;5;80m", "\x1b[38;5;114m", "\x1b[38;5;203m", "\x1b[38;5;221m"
		s.add, s.del, s.addBack, s.delBack = "\x1b[38;5;114m", "\x1b[38;5;210m", "\x1b[48;5;22m", "\x1b[48;5;52m"
		s.addWord, s.delWord, s.band = "\x1b[38;5;231;48;5;28m", "\x1b[38;5;231;48;5;88m", "\x1b[48;5;237m"
		s.keyword, s.text, s.number, s.remark = "\x1b[38;5;176m", "\x1b[38;5;150m", "\x1b[38;5;116m", "\x1b[38;5;248m"
		s.code, s.dim, s.link = "\x1b[38;5;116m", "\x1b[38;5;245m", "\x1b[4;38;5;110m"
		s.logo = gradient("\x1b[1;38;5;%dm", 177, 141, 105, 111, 117, 80)
	}
	if d == TrueColor {
		s.soften(light)
	}
	return s
}

// soften takes quieter backs than the 256 colours have.
func (s *style) soften(light bool) {
	if light {
		s.addBack, s.delBack, s.band = "\x1b[48;2;226;244;229m", "\x1b[48;2;253;231;231m", "\x1b[48;2;226;230;238m"
		s.addWord, s.delWord = "\x1b[48;2;176;226;184m", "\x1b[48;2;247;188;188m"
		return
	}
	s.addBack, s.delBack, s.band = "\x1b[48;2;24;46;34m", "\x1b[48;2;55;28;33m", "\x1b[48;2;49;50;68m"
	s.addWord, s.delWord = "\x1b[48;2;38;92;58m", "\x1b[48;2;116;42;52m"
}

// gradient is a style for each of some colours.
func gradient(format string, colors ...any) []string {
	all := make([]string, len(colors))
	for i, c := range colors {
		all[i] = fmt.Sprintf(format, c)
	}
	return all
}

// light reports whether a background is so bright that dark text belongs on it.
func light(c color.Color) bool {
	if c == nil {
		return false
	}
	r, g, b, _ := c.RGBA()
	return 299*r+587*g+114*b > 500*0xffff
}

// lightBefore guesses the background before the terminal has told it.
func lightBefore(env func(string) string) bool {
	colours := env("COLORFGBG")
	back := colours[strings.LastIndexByte(colours, ';')+1:]
	return back == "7" || back == "15"
}
