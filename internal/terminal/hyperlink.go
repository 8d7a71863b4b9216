package terminal

import (
	"strconv"
	"strings"
)

// Hyperlinks reports whether a terminal is known to take links in text (OSC 8). FORCE_HYPERLINK says it for others: 0 for no.
func Hyperlinks(env func(string) string) bool {
	if force := env("FORCE_HYPERLINK"); force != "" {
		return force != "0"
	}
	program, term := env("TERM_PROGRAM"), env("TERM")
	if term == "dumb" || env("STY") != "" { // GNU screen
		return false
	}
	if env("TMUX") != "" {
		return program == "tmux" && since(env("TERM_PROGRAM_VERSION"), 3, 4)
	}
	for _, known := range []string{"iTerm.app", "WezTerm", "vscode", "ghostty", "rio", "Tabby", "Hyper", "WarpTerminal"} {
		if program == known {
			return true
		}
	}
	for _, known := range []string{"kitty", "alacritty", "foot", "contour", "ghostty", "wezterm"} {
		if strings.Contains(term, known) {
			return true
		}
	}
	vte, _ := strconv.Atoi(env("VTE_VERSION")) // 0.50, in which links came, is 5000
	return vte >= 5000 || env("WT_SESSION") != "" || env("KONSOLE_VERSION") != "" || env("DOMTERM") != ""
}

// since reports whether a version, as "3.4a", is no older than another.
func since(version string, major, minor int) bool {
	first, rest, _ := strings.Cut(version, ".")
	a, _ := strconv.Atoi(first)
	b, _ := strconv.Atoi(strings.TrimRight(rest, "abcdefghijklmnopqrstuvwxyz-"))
	return a > major || a == major && b >= minor
}

// The sequences around a link.
const (
	linkOpens  = "\x1b]8;;"
	linkTarget = "\x1b\\"
	linkCloses = linkOpens + linkTarget
)

// Hyperlink makes text open an address, which must be printable ASCII; what holds anything else opens nothing.
func Hyperlink(address, text string) string {
	for i := range len(address) {
		if address[i] <= ' ' || address[i] > '~' {
			return text
		}
	}
	return linkOpens + address + linkTarget + text + linkCloses
}

// hyperlink is the beginning or the end of a link that s begins with.
func hyperlink(s string) string {
	if !strings.HasPrefix(s, linkOpens) {
		return ""
	}
	_, after, ok := strings.Cut(s, linkTarget)
	if !ok {
		return ""
	}
	return s[:len(s)-len(after)]
}

// Unlinked is a row without its links.
func Unlinked(row string) string { return without(row, hyperlink) }
