package tool

import (
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// documents are files that rightly show what is no part of them: prose, and what tests read.
var documents = &lazy.Pattern{X: `(?i)\.(?:md|markdown|mdx|rst|adoc|txt)$|(?:^|/)(?:testdata|__?fixtures__|fixtures?|golden|__snapshots__|snapshots)/`}

// literally is how the words beside a content say that it is meant as it stands.
var literally = &lazy.Pattern{X: `(?i)\b(?:literal|verbatim|word for word|to the letter)|文字(?:どおり|通り)`}

// marked are the risks of a content that was given again after it was sent back for what it looks like: none where it adds to a document, less
// where the words beside it say that it is meant so, and these are listened to.
//
//go:noinline
func (c *content) marked(adds, listened bool) []string {
	switch {
	case adds:
		return nil
	case listened && literally.In(c.said):
		return []string{nebula.Literal}
	}
	return []string{nebula.Marked}
}

// adds reports whether a text for a document has all that another one says.
func (c *content) adds(was, now string) bool {
	given := strings.Split(unix(now), "\n")
	for i, l := range given {
		given[i] = strings.TrimSpace(l)
	}
	return documents.In(c.path) && !slices.ContainsFunc(strings.Split(unix(was), "\n"), func(l string) bool { return words(l) > 0 && !lists.Has(given, strings.TrimSpace(l)) })
}

// amid reports whether a text that looks like an edit has words of its own before it, as a document has that shows one.
func (c *content) amid(text string) bool {
	for line := range strings.Lines(strings.TrimSpace(unix(text))) {
		line = strings.TrimSpace(line)
		if sign(line+"\n", c.path) || strings.HasPrefix(line, "<<<") {
			return false
		}
		if words(line) >= partWords && strings.Count(line, " ") > 1 {
			return true
		}
	}
	return false
}

// illustrates reports whether a page begins as the file does, with a line of its own, and has what looks like an edit only in fences below it: it can
// be the whole page as well as a change of it.
func (c *content) illustrates() bool {
	given, was := full(c.lines()), full(c.file.lines)
	if !papers.In(c.path) || len(given) == 0 || len(was) == 0 || words(was[0]) == 0 || given[0] != was[0] {
		return false
	}
	fenced, marks := false, false
	for _, l := range given {
		switch t := strings.TrimSpace(l); {
		case fenceEnd.In(t):
			fenced = !fenced
		case sign(t+"\n", c.path):
			if !fenced {
				return false
			}
			marks = true
		}
	}
	return marks
}
