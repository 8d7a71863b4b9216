package tool

import (
	"regexp"
	"slices"
	"strings"

	"nebula/internal/lazy"
)

// What comes into the new text of an edit on its way from a model and is no part of the file: marks of the form that the edit was given in,
// what ends a reply, words about it.

// strays are such lines, without the white space around them. Where the file or what is replaced has one of a row, the row is no sign.
var strays = []struct {
	line func() *regexp.Regexp
	not  func() *regexp.Regexp // kinds of files that rightly have such lines
}{
	{lazy.Regexp("^(?:```|~~~)"), papers},
	{lazy.Regexp(`^(?:<{4,9}|={7}|>{4,9}|(?:[<=>] ){3,8}[<=>]) ?(?:SEARCH|REPLACE|ORIGINAL|UPDATED|HEAD|OLD|NEW)?$`), markup},
	{lazy.Regexp(`^[\[(（【]残り[\])）】]$`), nil},
	{lazy.Regexp(`<\|\w+\|>|</s>$|<｜|◀️🦆|🦆▶️`), nil},
	{lazy.Regexp(`^</?(?:new|old|content|new_content|parameter|invoke|function|tool_call|arguments|replace|search|edits?|file|patch|diff)(?: \w+=[^<>]*|=[^<>]*)?>$`), markup},
	{lazy.Regexp(`^\*\*\* (?:Begin|End|Update|Add|Delete) (?:Patch|File)|^@@ .*@@`), papers},
	{lazy.Regexp(`^"\}[\]}]+$`), lazy.Regexp(`(?i)\.json$`)},
	{lazy.Regexp(`^(?i:search|replace|new|old|before|after|updated|original)(?: (?:text|code|lines))?:$`), lazy.Regexp(`(?i)\.(?:ya?ml|toml|ini|md|markdown|rst|txt|tex)$`)},
}

// remarked is a line of words: a sentence, or what leads up to something.
var remarked = lazy.Regexp(`^(?:\p{Lu}[\pL']*(?:[ ,]+[\pL'` + "`" + `.]+){2,}[.:!]|Done[.!]|(?:Here|Below)\b.*:|[\p{Hiragana}\p{Katakana}\p{Han}ー、\w ]{4,}[。：:])$`)

// stray is a line of a new text that hardly belongs to it, where neither what it replaces nor the file has one like it.
func (c *content) stray(old string) string {
	lines, was := full(c.lines()), append(strings.Split(old, "\n"), c.file.lines...)
	like := func(is func() *regexp.Regexp) bool {
		return slices.ContainsFunc(was, func(l string) bool { return is().MatchString(narrow(strings.TrimSpace(l))) })
	}
	for i, l := range lines {
		t := narrow(strings.TrimSpace(l))
		for _, s := range strays {
			if s.line().MatchString(t) && (s.not == nil || !s.not().MatchString(c.path)) && !like(s.line) {
				return t
			}
		}
		if (i == 0 || i == len(lines)-1) && l == t && len(lines) > 1 && c.outside(old) && remarked().MatchString(t) && !like(remarked) {
			return t
		}
	}
	return ""
}

// outside reports whether a line at the edge of the file cannot be one in the place of what is replaced: all of that is indented.
func (c *content) outside(old string) bool {
	lines := full(strings.Split(old, "\n"))
	return !papers().MatchString(c.path) && len(lines) > 0 && !slices.ContainsFunc(lines, func(l string) bool { return lead(l) == "" })
}
