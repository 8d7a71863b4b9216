package symops

import (
	"regexp"
	"strings"
)

// option takes a line of a list under a question.
func (b *builder) option(i int, s string) bool {
	t, ok := cutMark(s)
	if !ok && i <= b.asked+2 && optionWords[strings.ToLower(strings.Trim(s, "*_:： "))] {
		b.asked = i
		return true
	}
	if !ok || i > b.asked+1 {
		b.asked = -1
		return false
	}
	q := &b.doc.Questions[len(b.doc.Questions)-1]
	q.Options = append(q.Options, t)
	b.asked = i
	return true
}

// mark is what stands before an item of a list: a number, a bullet, a letter, in any width.
var mark = regexp.MustCompile(`^　*(?:\(?\d{1,3}[.):][ \t]|(?:[-*+•○◯] |・|\[ \] ) *(?:\[ \] )?|\(?[A-Ha-h][).] |[①-⑥]|[０-９]{1,2}[．.、)）：:]|\[\d+\] )`)

// cutMark cuts an item's mark from the front.
func cutMark(s string) (string, bool) {
	m := mark.FindString(s)
	return strings.TrimSpace(s[len(m):]), m != ""
}

// optionWords stand alone above a question's options.
var optionWords = set("options", "choices", "option", "choose one", "選択肢", "选项", "선택지")
