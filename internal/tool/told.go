package tool

import (
	"strconv"
	"strings"
	"unicode"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// A change that is told in words: the line that it is of, or what it is from and to.
var (
	ofLine  = &lazy.Pattern{X: `(?i)^(?:line|ln|row|l)\.?\s*(\d+)\s*[:：]\s?(.*)$|^(\d+)\s*行目?\s*[:：]\s?(.*)$`}
	asWords = []*lazy.Pattern{
		{X: `(?i)^(?:please\s+)?(?:(?:replace|change|update|set|modify|rename|bump|switch|edit)\s+)?(?:from\s+)?(.+?)\s+(?:with|to|into|by|becomes?|is now)\s+(.+)$`},
		{X: `^(.+?)\s*(?:を|から)\s*(.+?)\s*(?:に|へ)\s*(?:変更|置換|置き換え|更新|修正|変え|する).*$`},
	}
)

// bareWords are words that a change is told with, without the quotes around them.
func bareWords(s string) string {
	s = strings.TrimSpace(s)
	for _, q := range []string{"`", `"`, "'", "「」", "“”"} {
		open, end := q, q
		if r := []rune(q); len(r) == 2 {
			open, end = string(r[0]), string(r[1])
		}
		if len(s) <= len(open)+len(end) || !strings.HasPrefix(s, open) || !strings.HasSuffix(s, end) {
			continue
		}
		if inside := strings.TrimSuffix(strings.TrimPrefix(s, open), end); !strings.Contains(inside, open) {
			return inside
		}
	}
	return s
}

// byLine reads a content that tells each of its lines by number: it is that change where each is another version of the file's.
func (c *content) byLine() (edits []replacement, looks bool) {
	for _, l := range full(c.lines()) {
		m := ofLine.Re().FindStringSubmatch(strings.TrimSpace(l))
		if m == nil || c.was[strings.TrimSpace(l)] {
			return nil, false
		}
		if !looks {
			edits, looks = []replacement{}, true
		}
		n, err := strconv.Atoi(m[1] + m[3])
		if err != nil || n < 1 || n > len(c.file.lines) {
			edits = nil
		}
		if edits == nil {
			continue
		}
		old, new := c.file.lines[n-1], bareWords(m[2]+m[4])
		if from, to, ok := c.parted(new); ok && strings.Contains(old, from) {
			new = strings.Replace(old, from, to, 1)
		}
		if !near(strings.TrimSpace(old), strings.TrimSpace(new)) || strings.Count(c.file.text, old) != 1 {
			edits = nil
			continue
		}
		edits = append(edits, replacement{Old: old, New: lead(old) + strings.TrimLeft(new, " \t")})
	}
	return edits, looks
}

// parted reads one line that says what a passage is to become, by an arrow, a rule or words between the two. Of several places where
// it can be parted, that is meant where the file has what stands before it, once.
func (c *content) parted(l string) (from, to string, ok bool) {
	try := func(old, new, sign string) bool {
		from, to = bareWords(old), bareWords(new)
		if words(from) == 0 || from == to || strings.Count(c.file.text, from) != 1 {
			return false
		}
		to, ok = turned(from, new, !strings.Contains(from, strings.TrimSpace(sign)))
		return ok
	}
	for _, sign := range []string{" -> ", " => ", " → ", " ⇒ "} {
		for at := range l {
			if !strings.HasPrefix(l[at:], sign) || strings.Contains(c.file.text, strings.TrimSpace(l[:at])+strings.TrimRight(sign, " ")) {
				continue
			}
			if new := strings.TrimSpace(l[at+len(sign):]); new != "" && try(l[:at], new, sign) {
				return from, to, true
			}
		}
	}
	return "", "", false
}

// turned is what a passage becomes by what stands behind its arrow: that, where it is another version of the passage; or, where a
// value may stand for it, the passage with that value in the place of its own. It is false where neither can be told.
func turned(from, given string, value bool) (string, bool) {
	to := bareWords(given)
	mark := strings.TrimLeft(from, "#*->.+ ") != from && from[0] == to[0]
	if mark || shapeOf(from) == shapeOf(to) || firstWord(from) == firstWord(to) && (strings.ContainsAny(to, " \t=:(") || !strings.ContainsAny(from, " \t=:(")) {
		return to, true
	}
	bare := strings.TrimRight(from, ",;\"'`")
	for at := 1; value && at < len(bare); at++ {
		rest := bare[at:]
		if strings.ContainsRune(" \t=:>\"'`", rune(bare[at-1])) && (shapeOf(rest) == shapeOf(to) || wordRune(rune(rest[0])) && firstWord(rest) == firstWord(to) && !strings.Contains(rest, ": ")) {
			return bare[:at] + strings.TrimRight(to, ",;\"'`") + from[len(bare):], true
		}
	}
	if m := headAndValue.For(from).FindStringSubmatch(from); value && m != nil && !headAndValue.In(to) {
		new := strings.TrimRight(strings.TrimSpace(given), ",;")
		if q := m[2][:1]; strings.Contains("\"'", q) && strings.HasSuffix(m[2], q) && bareWords(new) == new {
			new = q + new + q
		}
		return m[1] + new + m[3], true
	}
	return to, near(from, to)
}

// headAndValue is a passage of what stays, as a key, a mark or a word of the language, and what it has.
var headAndValue = &lazy.Pattern{X: `^((?:#+|[-*+>]|\d+\.)\s+|(?:return|FROM|from|import|export|let|const|var|RUN|CMD|ENTRYPOINT)\s+|["']?[\w.$@/ -]+["']?\s*(?::=|=>|:|=)\s*)(\S.*?)([,;]?)$`}

// firstWord is the first word of a text, in small letters.
func firstWord(s string) string {
	return strings.ToLower(strings.FieldsFunc(s+" x", func(r rune) bool { return !wordRune(r) })[0])
}

// inWords reads one line that tells a change in words, of a file that has no such words.
func (c *content) inWords(l string) (from, to string, ok bool) {
	for _, form := range asWords {
		m := form.Re().FindStringSubmatch(strings.TrimRight(l, ".。!"))
		if m == nil {
			continue
		}
		from, to = bareWords(m[1]), bareWords(m[2])
		if from != to && words(from) > 0 && strings.Count(c.file.text, from) == 1 && (from != strings.TrimSpace(m[1]) && to != strings.TrimSpace(m[2]) || shapeOf(from) == shapeOf(to)) {
			return from, to, true
		}
	}
	return "", "", false
}

// shapeOf is what a text looks like whatever it says: 1.2.3 and 10.0.4 are one.
func shapeOf(s string) string {
	var b strings.Builder
	last := rune(0)
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			r = '0'
		case unicode.IsLetter(r):
			r = 'a'
		}
		if r != last || r != '0' && r != 'a' {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// oneWord is what a file of one word becomes by a content of several: the one of them that looks like it and is another. looks is
// whether it is such a content; value is empty where several could be meant, or none.
func (c *content) oneWord() (value string, looks bool) {
	was := filledLines(c.file.lines)
	if len(was) != 1 || strings.ContainsAny(was[0], " \t=") || program.In(c.path) || markup.In(c.path) {
		return "", false
	}
	if shapeOf(was[0]) == "a" || japanese(c.text) && !strings.Contains(c.text, was[0]) && !japanese(was[0]) {
		return "", japanese(c.text) && !japanese(was[0])
	}
	var found []string
	for _, l := range filledLines(c.lines()) {
		parts := strings.FieldsFunc(l, func(r rune) bool {
			return unicode.IsSpace(r) || strings.ContainsRune("`\"'「」“”,;()=", r) || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
		})
		looks = looks || len(parts) > 1 || len(parts) == 1 && strings.Trim(l, "`\"'") != l
		for _, p := range parts {
			if p = strings.TrimRight(p, ".:!?"); p != was[0] && shapeOf(p) == shapeOf(was[0]) && !lists.Has(found, p) {
				found = append(found, p)
			}
		}
	}
	if !looks || len(found) != 1 {
		return "", looks && (len(found) > 0 || strings.ContainsAny(strings.TrimSpace(c.text), " \t"))
	}
	return found[0], true
}

//go:noinline
func japanese(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) })
}

// spelledOut reads a content that tells a change in place of the file.
func (c *content) spelledOut() (edits []replacement, form nebula.Words) {
	if len(full(c.file.lines)) == 0 {
		return nil, nebula.Words{}
	}
	if edits, ok := c.byLine(); ok {
		return edits, nebula.Say("lines that are told by their numbers")
	}
	if edits, ok := c.labels(); ok {
		return edits, nebula.Say("an old text and a new one")
	}
	if edits := c.doubled(); edits != nil {
		return edits, nebula.Say("an old text and a new one")
	}
	if value, ok := c.oneWord(); ok {
		if value == "" {
			return nil, nebula.Say("words about it")
		}
		return []replacement{{Old: filledLines(c.file.lines)[0], New: value}}, nebula.Say("words about it")
	}
	return nil, nebula.Words{}
}
