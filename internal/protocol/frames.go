package protocol

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"nebula"
	"nebula/internal/lazy"
)

// A frame is a pair of lines around a text that is shown: what stands between them is likely somebody else's.

// frameSigns are lines that open a frame, whole, with the lines that close it.
var frameSigns = map[string]string{
	"/*": "*/", "/**": "*/", "(*": "*)", "{-": "-}", "#|": "|#", "--[[": "]]", "{{{": "}}}", "=begin": "=end", "<![cdata[": "]]>", "<!--": "-->",
	"“": "”", "‘": "’", "«": "»", "„": "“", "「": "」", "『": "』", "《": "》", "〈": "〉", "\"": "\"", `"""`: `"""`, "'''": "'''", ":::": ":::",
}

// framePatterns are lines that open a frame, with how the line begins that closes it, in which %s is what was named. All
// is in lower case. A line without the sign is none.
var framePatterns = []struct {
	sign  string
	open  *lazy.Pattern
	close string
}{
	{`\begin{`, &lazy.Pattern{X: `^\\begin\{(\w+\*?)\}`}, `\end{%s}`},
	{"#+begin_", &lazy.Pattern{X: `^#\+begin_(\w+)`}, "#+end_%s"},
	{"<", &lazy.Pattern{X: `^<([a-z][\w:-]*)(?:\s[^<>]*)?>$`}, "</%s>"},
	{"[", &lazy.Pattern{X: `^\[([a-z]\w*)(?:[= ][^\[\]]*)?\]$`}, "[/%s]"},
	{"<<", &lazy.Pattern{X: `(?:^|[^<])<<[-~]?\s*['"]?([\w.]+)['"]?$`}, "%s"},
	{":::", &lazy.Pattern{X: `^:::\s*(\w+)`}, ":::"},
	{"<<<", &lazy.Pattern{X: `^<<<\s*(\S.*)$`}, ">>>"},
	{">>>", &lazy.Pattern{X: `^>>>\s*(\S.*)$`}, "<<<"},
	{"begin", &lazy.Pattern{X: `^[^\pL\d]*begin(?: of)?\b(.{0,60})$`}, "end "},
	{"start", &lazy.Pattern{X: `^[^\pL\d]*start(?: of)?\b(.{0,60})$`}, "end "},
}

// ownTags name tags that models put around what they do or think.
var ownTags = &lazy.Pattern{X: `tool|func|call|action|invoke|answer|think|thought|reason|analysis|final|response|exec|command|bash|shell|message|assistant|step|plan|reply|edit|patch|write|run`}

// An open frame is one whose end has not been seen.
type openFrame struct {
	at    int
	rule  byte   // the sign of a rule
	bare  bool   // a rule of three dashes, which separates as well
	close string // how the line begins that closes another frame
}

// framed are the parts of a text behind from that stand between the lines of a frame.
func framed(text string, units []unit, from int) (frames []nebula.Span) {
	var open []openFrame
	strike := -1
	line := func(at int, raw string) {
		low := strings.ToLower(strings.TrimSpace(raw))
		if strike < 0 && strikes.In(low) {
			strike = at
		} else if strike >= 0 && strings.Contains(low, "</") && unstrikes.In(low) {
			frames, strike = append(frames, nebula.Span{Start: strike, End: at + len(raw)}), -1
		}
		for i := len(open) - 1; low != "" && i >= 0; i-- {
			f := open[i]
			if !f.ends(low) {
				continue
			}
			if !f.bare || parted(text, units, f.at, at) {
				frames = append(frames, nebula.Span{Start: f.at, End: at})
			}
			open = open[:i]
			return
		}
		if f, ok := opensFrame(low); ok && len(open) < 64 {
			f.at = at
			open = append(open, f)
		}
	}
	for i := 0; i <= len(units); i++ {
		to := len(text)
		if i < len(units) {
			to = units[i].Start
		}
		for at := from; at < to; {
			end := to
			if n := strings.IndexByte(text[at:to], '\n'); n >= 0 {
				end = at + n + 1
			}
			line(at, text[at:end])
			at = end
		}
		if i < len(units) {
			from = max(from, units[i].End)
		}
	}
	if strike >= 0 {
		frames = append(frames, nebula.Span{Start: strike, End: len(text)})
	}
	return frames
}

// What is struck out begins at the beginning or the end of a line, in lower case, and may end anywhere.
var (
	strikes   = &lazy.Pattern{X: "^[^\\pL\\d`<]*(?:<[a-z]+>)*<(?:del|s|strike)(?: [^<>]*)?>[^<]*$|[^`]<(?:del|s|strike)>$"}
	unstrikes = &lazy.Pattern{X: `</(?:del|s|strike)>`}
)

// inFrame reports whether a unit stands in one of the frames.
func inFrame(frames []nebula.Span, u unit) bool {
	return slices.ContainsFunc(frames, func(f nebula.Span) bool { return f.Start < u.Start && u.End <= f.End })
}

// parted reports whether nothing but units stands between two lines, in a text that says something before or behind.
func parted(text string, units []unit, from, to int) bool {
	first := slices.IndexFunc(units, func(u unit) bool { return u.Start > from })
	if first < 0 || units[first].End > to {
		return false
	}
	_, inside, _ := strings.Cut(text[from:units[first].Start], "\n")
	return !spoken(inside) && (spoken(text[:from]) || spoken(text[to:]))
}

// opensFrame reads a line, in lower case, that may open a frame.
func opensFrame(low string) (openFrame, bool) {
	if end, ok := frameSigns[low]; ok {
		return openFrame{close: end}, true
	}
	if sign, words := ruled(low); sign != 0 {
		return openFrame{rule: sign, bare: !words && low == "---"}, true
	}
	for _, p := range framePatterns {
		if !strings.Contains(low, p.sign) {
			continue
		}
		m := p.open.For(low).FindStringSubmatch(low)
		if m == nil || (low[0] == '<' || low[0] == '[') && (ownTags.In(m[1]) || Wrapper(low) > 0) {
			continue
		}
		return openFrame{close: strings.ReplaceAll(p.close, "%s", strings.TrimSpace(m[1]))}, true
	}
	return openFrame{}, false
}

// ends reports whether a line, in lower case, closes the frame.
func (f openFrame) ends(low string) bool {
	if f.rule != 0 {
		sign, _ := ruled(low)
		return sign == f.rule
	}
	switch f.close {
	case "end ":
		return strings.HasPrefix(strings.TrimLeftFunc(low, notWord)+" ", f.close)
	case ">>>", "<<<":
		return strings.HasPrefix(low, f.close) || strings.HasSuffix(low, f.close)
	}
	return low == f.close
}

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// ruled tells the sign of a line that is a rule, and whether words stand in it: ====, --- notes.md ---.
func ruled(line string) (sign byte, words bool) {
	if len(line) < 2 || !strings.ContainsRune("-=*_~", rune(line[0])) || line[len(line)-1] != line[0] {
		return 0, false
	}
	mark := line[:1]
	inside := strings.Trim(line, mark)
	left := len(line) - len(strings.TrimLeft(line, mark))
	switch {
	case inside == "" && (left > 2 && line[0] != '~' || line == "~~"):
		return line[0], false
	case inside != "" && left > 1 && (left > 2 || line[0] == '-' || line[0] == '=') && len(line) < 120:
		return line[0], true
	}
	return 0, false
}

// fileLine is a line that only names a file, however it is set.
var fileLine = &lazy.Pattern{X: "^[-=*_#>< `\\[(]*((?:[\\w\\-.@]+/)*[\\w\\-@]*\\.[A-Za-z][A-Za-z0-9]{0,7})[-=*_#>< `:：\\])]*$"}

// fileBefore is the file that the line before an action names, and nothing else.
func fileBefore(before string) string {
	lines := strings.Split(strings.TrimSpace(before), "\n")
	for i := len(lines) - 1; i >= 0 && i >= len(lines)-4; i-- {
		line := strings.TrimSpace(lines[i])
		if line == "" || strings.HasPrefix(line, "```") {
			continue
		}
		if m := fileLine.For(line).FindStringSubmatch(line); m != nil {
			return m[1]
		}
		break
	}
	return ""
}

// changes reports whether an action is about a file, which its heading may name.
func changes(a *nebula.Action, file string) bool {
	var args struct{ Path string }
	return json.Unmarshal(a.Args, &args) == nil && args.Path == file
}

// listingSigns begin the lines of a text that is shown.
var listingSigns = []string{"▌", "▍", "▎", "▏", "│", "┃", "| ", ": "}

// inListing reports whether the line in which a unit begins is one of a listing, or of a diff.
func inListing(text string, u unit, from int) bool {
	at := max(min(from, u.Start), strings.LastIndexByte(text[:u.Start], '\n')+1)
	line := text[at:]
	before := strings.TrimLeft(text[at:u.Start], " ")
	if digits := strings.TrimLeft(before, "0123456789"); digits != before && strings.TrimSpace(digits) == "" && (len(digits) > 1 || digits == "\t") {
		return true
	}
	line = strings.TrimLeft(line, " \t")
	if slices.ContainsFunc(listingSigns, func(s string) bool { return strings.HasPrefix(line, s) }) {
		return true
	}
	paragraph := text[min(from, at):at]
	if i := strings.LastIndex(paragraph, "\n\n"); i >= 0 {
		paragraph = paragraph[i+1:]
	}
	return strings.HasPrefix(paragraph, "@@ -") || strings.Contains(paragraph, "\n@@ -")
}
