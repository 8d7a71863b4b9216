package terminal

import (
	"fmt"
	"iter"
	"strings"

	"nebula"
	"nebula/internal/phrase"
)

// A Row is a row of what a person decides on. What it belongs to stands before it, and nothing else can: a line that had
// to be broken goes on behind a lead of its own.
type Row struct {
	Lead, Text string
	Kind       byte // '$' a command, '!' what it is let do beside, '~' what becomes of a file, '+', '-', ' ' and '@' of a diff, 'f' a file's name, '.' what is said about the lines above
}

// The leads of rows, beside a line's own sign.
const (
	prompt  = "$ "
	allowed = "! "
	affects = "~ "
	further = "↳ "
	said    = "⋯ "
)

// Decision are the rows of at most width columns that a person decides on: the command, what a yes gives it beside, what
// becomes of the files as far as the diff does not tell, and the diff. The first firm ones, all but the diff, must have
// been seen before a yes; of what is not known nothing can be.
func Decision(p nebula.Proposal, given []string, width int, lang string) (rows []Row, firm int) {
	if exact := p.Exact(); exact != "" {
		rows = Lines(exact, width, lang)
	}
	rows = append(rows, Ran(p, width, lang)...)
	rows = append(append(rows, Given(given, width)...), Effects(p, width, lang)...)
	firm = len(rows)
	rows = append(rows, Changes(p.Diff, width)...)
	if firm == 0 && p.Diff == "" && p.Effect == "" {
		firm = len(rows) + 1
	}
	return rows, firm
}

// beside is how much of a title's width may go to what stands beside a command.
const beside = 24

// Ran are rows of at most width columns that show the command to the letter whose effects are decided on; none where a title
// of that width shows all of it.
func Ran(p nebula.Proposal, width int, lang string) []Row {
	if p.Ran == "" {
		return nil
	}
	rows := Lines(p.Ran, width, lang)
	if len(rows) == 1 && rows[0].Text == OneRow(p.Ran) && Width(rows[0].Text) <= width-beside {
		return nil
	}
	return rows
}

// Given are rows of at most width columns that name what a yes gives, each for itself.
func Given(given []string, width int) (rows []Row) {
	for _, g := range given {
		rows = append(rows, broken('!', allowed, blanks(OneRow(g)), width)...)
	}
	return rows
}

// Lines are rows of at most width columns that show a command to the letter. Nothing of it is lost or looks like anything
// else: blanks that nobody would see are signs, and what is there over and over stands there once, with how often.
func Lines(command string, width int, lang string) []Row {
	var rows []Row
	lines := strings.Split(command, "\n")
	for i := 0; i < len(lines); {
		n := 1
		for i+n < len(lines) && lines[i+n] == lines[i] {
			n++
		}
		shown := n
		if n > repeats {
			shown = 1
		}
		for range shown {
			rows = append(rows, broken('$', prompt, blanks(Exact(lines[i])), width)...)
		}
		if n > shown {
			rows = append(rows, broken('.', said, again(n-shown, lang), width)...)
		}
		i += n
	}
	return rows
}

// repeats is how often a line is shown that is there over and over; gap is the longest run of blanks that is in a command,
// indent in code.
const (
	repeats = 3
	gap     = 16
	indent  = 60
)

func again(n int, lang string) string {
	return fmt.Sprintf(phrase.In(lang, "the same line %d more times"), n)
}

// blanks makes those visible that a person would not see: tabs, those at the end of a line, and long runs.
func blanks(line string) string {
	line = fold(strings.ReplaceAll(line, "\t", "␉"), gap)
	text := strings.TrimRight(line, " ")
	return text + strings.Repeat("␠", len(line)-len(text))
}

// ExactLine is Exact for a line of code: a run of blanks that could push the rest of it out of sight is a sign.
func ExactLine(line string) string { return fold(Exact(line), indent) }

// fold makes a sign of every run of more blanks than most.
func fold(text string, most int) string {
	long := strings.Repeat(" ", most+1)
	if !strings.Contains(text, long) {
		return text
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, long)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		text = strings.TrimLeft(after, " ")
		fmt.Fprintf(&b, "⟦␠×%d⟧", len(long)+len(after)-len(text))
	}
}

// broken breaks a line into rows wherever that is.
func broken(kind byte, lead, text string, width int) []Row {
	var rows []Row
	for i, part := range Chop(text, max(width-Width(further), 4)) {
		if i > 0 {
			lead = further
		}
		rows = append(rows, Row{lead, part, kind})
	}
	return rows
}

// Changes are rows of at most width columns that show a unified diff to the letter.
func Changes(diff string, width int) []Row {
	var rows []Row
	for sign, line := range signed(diff) {
		lead := ""
		if strings.IndexByte(" +-", sign) >= 0 {
			lead = string(sign)
		}
		rows = append(rows, broken(sign, lead, strings.ReplaceAll(ExactLine(line), "\t", "    "), width)...)
	}
	return rows
}

// signed are the lines of a unified diff with what they are, as a row's kind; those of a file without their sign.
func signed(diff string) iter.Seq2[byte, string] {
	return func(yield func(byte, string) bool) {
		oldLeft, newLeft := 0, 0
		for line := range strings.Lines(diff) {
			line = strings.TrimSuffix(line, "\n")
			sign := byte('.')
			inside := oldLeft > 0 || newLeft > 0
			switch {
			case inside && line == "":
				sign, oldLeft, newLeft = ' ', oldLeft-1, newLeft-1
			case inside && strings.IndexByte(" +-", line[0]) >= 0:
				sign, line = line[0], line[1:]
				if sign != '+' {
					oldLeft--
				}
				if sign != '-' {
					newLeft--
				}
			case strings.HasPrefix(line, "@@"):
				sign, oldLeft, newLeft = '@', extent(line, '-'), extent(line, '+')
			case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
				sign = 'f'
			}
			if !yield(sign, line) {
				return
			}
		}
	}
}

// extent is how many lines a hunk's head "@@ -1,2 +3,4 @@" says it has of the version with that sign.
func extent(head string, sign byte) int {
	_, rest, _ := strings.Cut(head, " "+string(sign))
	rest, _, _ = strings.Cut(rest, " ")
	n := 1
	if _, count, ok := strings.Cut(rest, ","); ok {
		_, _ = fmt.Sscan(count, &n) // foreign text: a number or one line
	}
	return n
}
