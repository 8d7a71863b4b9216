package tool

import (
	"path"
	"strings"

	"nebula"
	"nebula/internal/lazy"
)

// What is hardly a file of a kind of which nobody knows what it looks like: a line or two in place of many, words about a change.

var (
	// telling is a line that tells a change, or asks for one.
	telling = &lazy.Pattern{X: `(?i)^[\s#(\[>*/-]*(?:please|kindly|change[ds]?|replace[ds]?|update[ds]?|set|make|made|add(?:ed)?|insert(?:ed)?|append(?:ed)?|remove[ds]?|delete[ds]?|rename[ds]?|move[ds]?|put|fix(?:ed)?|switch(?:ed)?|bump(?:ed)?|edit(?:ed)?|modify|modified)\s+\S+` +
		`|(?:変更|置換|置き換え|追加|削除|修正|更新|変え|直し|書き換え)(?:なし|はありません|しました|ました|ます|します|して(?:ください|下さい)?|てください|する|る)?。?$`}
	// versus is a line of what was and what shall be.
	versus = &lazy.Pattern{X: `(?i)\b(?:should (?:be|say|read|become)|instead of|is now|becomes)\b|\((?:was|formerly|before:|old:|add|at the end)\b|~~[^~]+~~`}
	// laidOut is a line of an edit that is laid out as settings or as a form.
	laidOut = &lazy.Pattern{X: `(?i)^(?:-\s+)?(find|replace|search|old|new|from|to|path|value|before|after)(?:[_ ](?:text|string|str|content|line|value))?\s*[:：]`}
	// sided is a table of what is and what shall be.
	sided = &lazy.Pattern{X: `(?i)^\|\s*(?:before|old|from|was|current|旧|変更前|修正前)\s*\|\s*(?:after|new|to|now|updated|新|変更後|修正後)\s*\|`}
	added = &lazy.Pattern{X: `^[+-]\s?\S`}
)

// Bounds of what counts as words about a change.
const (
	toldLines   = 2 // so many lines of words
	laidLines   = 6 // so many of an edit that is laid out
	severalThen = 3 // lines that the file has, at least, or more than that for what could be it
)

// onlyDescribes reports whether a content is words about a change, or an edit in no known form, in place of a file of several lines.
func (c *content) onlyDescribes() bool {
	given, was := filledLines(c.lines()), filledLines(c.file.lines)
	if len(given) == 0 || len(given) > laidLines || len(was) < severalThen || len(given) >= len(was) {
		return false
	}
	names := map[string]bool{}
	for _, l := range given {
		if m := laidOut.For(l).FindStringSubmatch(l); m != nil && !c.was[l] && !laidOut.In(strings.Join(was, "\n")) {
			names[strings.ToLower(m[1])] = true
		}
	}
	if len(names) > 1 || sided.In(given[0]) {
		return true
	}
	if len(given) > toldLines {
		return false
	}
	for _, l := range given {
		remark := strings.HasPrefix(l, "#") && !markup.In(c.path) || strings.HasPrefix(l, "//")
		tells := telling.In(l) || remark || added.In(l)
		if c.was[l] || !versus.In(l) && (!tells || like(l, was)) {
			return false
		}
	}
	return true
}

// like reports whether lines of a file begin with the word that a line begins with: it is one of theirs.
func like(l string, was []string) bool {
	head, _, _ := strings.Cut(l, " ")
	for _, o := range was {
		if old, _, _ := strings.Cut(o, " "); old == head {
			return true
		}
	}
	return false
}

// scant reports whether a content is a line or two in place of several, of a kind of which nobody knows what it looks like, with half of the
// file or more gone.
func (c *content) scant() bool {
	given, was := len(filledLines(c.lines())), len(filledLines(c.file.lines))
	if given == 0 || given > toldLines || was <= severalThen || 2*given > was || path.Ext(c.path) == "" || program.In(c.path) {
		return false
	}
	if of, new := full(c.file.lines)[0], full(c.lines())[0]; heading.In(of) && heading.In(new) && level(of) == level(new) {
		return false // another page, with its title
	}
	lost, _, _, _ := c.against()
	return 2*lost >= was
}

// goneLines is said of a content that was given twice, where it has hardly anything of what the file had.
var goneLines = nebula.Say("It was given twice, so it is the whole file now: what it has not is gone.")
