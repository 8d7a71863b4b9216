package state

import (
	"strings"

	"nebula/internal/lazy"
)

// refusedLists says of each item below, or behind, a heading that refuses what it heads that it is refused: Don't: and two items are two sentences.
func refusedLists(text string) string {
	form := rewordings("refusedItems")[0]
	if !lazy.Any(form.has, text) {
		return text
	}
	return form.expression().ReplaceAllStringFunc(text, func(found string) string {
		m := form.expression().FindStringSubmatch(found)
		items := strings.Split(m[2], "\n")
		if m[2] == "" {
			items = strings.FieldsFunc(m[3], func(r rune) bool { return r == ',' || r == '、' })
		}
		said := m[1]
		for _, item := range items {
			if item = strings.TrimSpace(itemMark.For(item).ReplaceAllString(item, "")); item != "" {
				said += refusedItem(item) + "\n"
			}
		}
		return said
	})
}

// refusedItem is a sentence that refuses what an item of a list names or does.
func refusedItem(item string) string {
	for _, r := range rewordings("itemRows") {
		if of := r.expression(); of.MatchString(item) {
			return of.ReplaceAllString(item, r.as)
		}
	}
	return item
}

var itemMark = &lazy.Pattern{X: `^[ \t]*(?:[-*•・]|\d+[.)])[ \t]*`}
