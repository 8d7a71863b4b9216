package tool

import (
	"slices"
	"strings"

	"nebula/internal/index"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// What comes into the new text of an edit on its way from a model and is no part of the file: marks of the form that the edit was given in,
// what ends a reply, words about it.

// strays are such lines, without the white space around them. Where the file or what is replaced has one of a row, the row is no sign.
var strays = []struct {
	line *lazy.Pattern
	not  *lazy.Pattern // kinds of files that rightly have such lines
}{
	{&lazy.Pattern{X: "^(?:```|~~~)"}, papers},
	{&lazy.Pattern{X: `^(?:<{4,40}|={7}|>{4,40}|(?:[<=>] ){3,8}[<=>]) ?(?:SEARCH|REPLACE|ORIGINAL|UPDATED|HEAD|OLD|NEW)?$|^(?:<{2,3} ?SEARCH|>{2,3} ?REPLACE)$`}, markup},
	{&lazy.Pattern{X: `^[\[(（【]残り[\])）】]$`}, nil},
	{&lazy.Pattern{X: `<\|\w+\|>|</s>$|<｜|◀️🦆|🦆▶️`}, nil},
	{protocolTag, markup},
	{&lazy.Pattern{X: `^<(?:new|new_content|new_string|new_text|replace|replacement|content)>.*</(?:new|new_content|new_string|new_text|replace|replacement|content)>$`}, markup},
	{&lazy.Pattern{X: `^\*\*\* (?:Begin|End|Update|Add|Delete) (?:Patch|File)|^@@ .*@@`}, papers},
	{&lazy.Pattern{X: `(?i)^</?(?:file[_-]?contents?|think|thinking|new[_-]?file)(?: \w+=[^<>]*)?>|^<!\[CDATA\[|^\]\]>$`}, markup},
	{&lazy.Pattern{X: `^(?:cat\b.*)?<<-?\s*(?:'\w+'|"\w+"|EOF)(?:\s*>.*)?$`}, heredocs},
	{&lazy.Pattern{X: `^"\}[\]}]+$`}, &lazy.Pattern{X: `(?i)\.json$`}},
	{&lazy.Pattern{X: `^(?i:search|replace|new|old|before|after|updated|original)(?: (?:text|code|lines))?:$`}, &lazy.Pattern{X: `(?i)\.(?:ya?ml|toml|ini|md|markdown|rst|txt|tex)$`}},
}

// heredocs are kinds of files that rightly have here-documents.
var heredocs = &lazy.Pattern{X: `(?i)\.(?:sh|bash|zsh|ksh|rb|pl|php|md|markdown|rst|txt|ya?ml|tf|hcl)$|(?i)(?:^|/)(?:Dockerfile|Makefile)`}

// protocolTag is one of the tags that calls and edits are written with.
var protocolTag = &lazy.Pattern{X: `^</?(?:new|old|content|new_content|parameter|invoke|function|tool_call|arguments|replace|search|edits?|file|patch|diff)(?: \w+=[^<>]*|=[^<>]*)?>$`}

// remarked is a line of words: a sentence, or what leads up to something.
var remarked = &lazy.Pattern{X: `^(?:\p{Lu}[\pL']*(?:[ ,]+[\pL'` + "`" + `.]+){2,}[.:!]|Done[.!]|(?:Here|Below)\b.*:|[\p{Hiragana}\p{Katakana}\p{Han}ー、\w ]{4,}[。：:])$`}

// stray is a line of a new text that hardly belongs to it, where neither what it replaces nor the file has one like it.
func (c *content) stray(old string) string {
	lines, was := full(c.lines()), append(strings.Split(old, "\n"), c.file.lines...)
	like := func(is *lazy.Pattern) bool {
		return slices.ContainsFunc(was, func(l string) bool { return is.In(narrow(strings.TrimSpace(l))) })
	}
	for i, l := range lines {
		t := narrow(strings.TrimSpace(l))
		if i > 0 && i == len(lines)-1 && l == "EOF" && !heredocs.In(c.path) && !lists.Has(was, l) {
			return l
		}
		for _, s := range strays {
			if s.line.In(t) && (s.not == nil || !s.not.In(c.path)) && !like(s.line) {
				return t
			}
		}
		if (i == 0 || i == len(lines)-1) && l == t && len(lines) > 1 && c.outside(old) && remarked.In(t) && !like(remarked) {
			return t
		}
	}
	return ""
}

// strayed is a line of a content for the whole of a file that hardly belongs to it: one of the strays outside of strings and remarks, the end of
// a tag that is begun nowhere, or a fence that is not closed, where the file has nothing like it.
func (c *content) strayed() string {
	bare := *c
	if code, known := index.Code(c.path, []byte(c.text)); known {
		lines := c.lines()
		for i, l := range strings.Split(code, "\n") {
			if i < len(lines) && strings.TrimSpace(l) == "" {
				lines[i] = ""
			}
		}
		bare.text = strings.Join(lines, "\n")
	}
	if line := bare.stray(""); line != "" || !markup.In(c.path) {
		return line
	}
	fences, was := 0, 0
	for _, l := range c.file.lines {
		was += strings.Count(l[:min(len(lead(l))+3, len(l))], "```")
	}
	last := ""
	for _, l := range c.lines() {
		t := strings.TrimSpace(l)
		if name, closes := strings.CutPrefix(t, "</"); closes && protocolTag.In(t) && !c.was[t] && !strings.Contains(c.text, "<"+strings.TrimSuffix(name, ">")) {
			return t
		}
		if strings.HasPrefix(t, "```") {
			fences, last = fences+1, t
		}
	}
	if fences%2 == 1 && was%2 == 0 {
		return last
	}
	return ""
}

// wrapping is the first or last line of a content where it is no part of one: a stray, or words above or below a program.
func (c *content) wrapping() string {
	if patches.In(c.path) {
		return ""
	}
	lines := filledLines(c.lines())
	if len(lines) < 2 {
		return ""
	}
	edges := *c
	edges.text = lines[0] + "\n" + lines[len(lines)-1]
	if line := edges.stray(""); line != "" || !program.In(c.path) {
		return line
	}
	for _, l := range []string{lines[0], lines[len(lines)-1]} {
		if !c.was[l] && !noted.In(l) && remarked.In(l) {
			return l
		}
	}
	return ""
}

// patches are kinds of files that hold edits.
var patches = &lazy.Pattern{X: `(?i)\.(?:diff|patch|rej|orig)$`}

// outside reports whether a line at the edge of the file cannot be one in the place of what is replaced: all of that is indented there.
func (c *content) outside(old string) bool {
	lines := full(strings.Split(old, "\n"))
	return !papers.In(c.path) && len(lines) > 0 && !slices.ContainsFunc(lines, func(l string) bool { return lead(l) == "" && lists.Has(c.file.lines, l) })
}

// sign reports whether a text looks like an edit by itself.
func sign(text, path string) bool {
	_, form := (&content{path: path, text: text, file: newDocument(""), was: map[string]bool{}}).edits()
	return form.Format != ""
}
