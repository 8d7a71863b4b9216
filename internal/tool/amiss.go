package tool

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"nebula/internal/index"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// What a whole content has around it or is in place of a file, told alike for a file that is there and for one that is not.

var (
	// idleWord is a content of one line that only stands for one, of whatever kind the file is.
	idleWord = &lazy.Pattern{X: `(?i)^\W{0,3}(?:todo|tbd|fixme|undefined|str|string|placeholder|unchanged|no changes?(?: needed)?|object object|(?:see|as|same as|like)\s+(?:the\s+)?(?:above|before|below|previous|original|shown|earlier)|` +
		`同上|(?:上記|前述)(?:の?(?:通り|とおり|参照))?)\W{0,3}$|^(?:# ?|// ?)?[（(<＜【［\[「](?:ここに|こちらに|ここへ).{1,30}[）)>＞】］\]」]$|^\$(?:\w*(?:content|file|code|text)\w*|\{\w*(?:content|file|code|text)\w*\})$|^\{\{\s*\w*(?:content|file|code|text)\w*\s*\}\}$`}
	// idleCode is one for which a program stands nowhere.
	idleCode = &lazy.Pattern{X: `^(?:None|null|nil|pass|\.{3}|…|pass\s*\.{3})$`}
	// apology is how a model says that it gives nothing.
	apology = &lazy.Pattern{X: `(?i)^(?:(?:i['’]?m|i am|we are)\s+(?:very |so )?sorry\b|sorry,|i (?:can(?:no|['’])t|won['’]t|am (?:un|not )able to)\s+(?:help|assist|do|comply|provide|create|edit|write|fulfil|access)\b|申し訳(?:あり|ござ)|すみませんが|ごめんなさい|お手伝いできません)`}
	// bullet is the mark of an item, which may be a remark on those behind it.
	bullet = &lazy.Pattern{X: `^(?:[-*+]|\d+[.)])\s+`}
	// ruled is a line around a file that draws a frame, with or without words in it.
	ruled = &lazy.Pattern{X: `^(?:[-=*~_+]{2,}|(?:={2,}|-{2,}|\*{2,}|~{2,}) ?\S.* ?(?:={2,}|-{2,}|\*{2,}|~{2,}))$`}
	// ruledToo are kinds of files that rightly have such lines.
	ruledToo = &lazy.Pattern{X: `(?i)\.(?:sql|lua|hs|sh|bash|zsh)$`}
	// called is the head of a file in a reply.
	called = &lazy.Pattern{X: `(?i)^(?:file|file ?name|path|ファイル名?)\s*[:：]\s*\S+$|^\$ \w+ @ \S+$`}
	// envelope are the names that a content has in a call.
	envelope = []string{"content", "new_content", "file_content", "code", "text", "body"}
)

// blank is the one line of a content that only stands for one, or the first of an apology; empty where the file's name or kind makes it right.
func (c *content) blank() string {
	lines := full(c.lines())
	if len(lines) == 0 || len(lines) > severalThen || c.was[strings.TrimSpace(lines[0])] || sets.In(c.path) {
		return ""
	}
	l := strings.TrimSpace(lines[0])
	switch base := path.Base(c.path); {
	case apology.In(l):
		return l
	case len(lines) > 1 || strings.EqualFold(strings.TrimSuffix(base, path.Ext(base)), l):
		return ""
	case idleWord.In(l), idleCode.In(l) && program.In(c.path) && !strings.HasSuffix(c.path, ".pyi"):
		return l
	}
	return ""
}

// sets are kinds of files of which a word alone can be all.
var sets = &lazy.Pattern{X: `(?i)\.(?:json|ya?ml)$`}

// around is a line of a content that shows that it is no program as it stands: what is at its edge is none of it, each line has a sign before
// it, it is in a string or in a call, or it is there twice.
func (c *content) around() string {
	if line := c.wrapping(); line != "" || !program.In(c.path) {
		return line
	}
	lines := filledLines(c.lines())
	if len(lines) == 0 {
		return ""
	}
	for _, l := range []string{lines[0], lines[len(lines)-1]} {
		if c.was[l] || noted.In(l) && !ruled.In(l) {
			continue
		}
		name := strings.Trim(l, "`*:： ")
		if ruled.In(l) && !ruledToo.In(c.path) || called.In(l) || len(lines) > 1 && (name == path.Base(c.path) || name == c.path) {
			return l
		}
	}
	if c.signedAll(lines) || c.inString() || c.inCall() {
		return lines[0]
	}
	if line := c.twice(lines); line != "" {
		return line
	}
	return c.spoiled()
}

// signedAll reports whether each line has the sign of a quotation or of a new line before it.
func (c *content) signedAll(lines []string) bool {
	return slices.ContainsFunc([]string{"> ", "+", "| "}, func(sign string) bool {
		return len(lines) > 1 && !slices.ContainsFunc(lines, func(l string) bool { return !strings.HasPrefix(l+" ", sign) })
	})
}

// inString reports whether a whole program stands in one string or remark.
func (c *content) inString() bool {
	t := strings.TrimSpace(c.text)
	for _, q := range [][2]string{{`"""`, `"""`}, {"'''", "'''"}, {"/*", "*/"}} {
		inner, ok := strings.CutPrefix(t, q[0])
		if inner, closed := strings.CutSuffix(inner, q[1]); ok && closed && !strings.Contains(inner, q[1]) {
			return len(index.Definitions(c.path, []byte(inner))) > 0 && wrongAt(c.path, inner) == 0
		}
	}
	return false
}

// inCall reports whether a content is the object of the call that it was to be given in.
func (c *content) inCall() bool {
	var object map[string]any
	return path.Ext(c.path) != ".json" && json.Unmarshal([]byte(c.text), &object) == nil && slices.ContainsFunc(envelope, func(name string) bool { _, has := object[name].(string); return has })
}

// twice is the line with which a program begins again.
func (c *content) twice(lines []string) string {
	names := index.Definitions(c.path, []byte(c.text))
	at := slices.Index(lines[1:], lines[0]) + 1
	if half := len(names) / 2; at == 0 || half == 0 || len(names)%2 == 1 || words(lines[0]) == 0 {
		return ""
	} else if 2*at == len(lines) && lists.Equal(lines[:at], lines[at:]) || half > 1 && slices.EqualFunc(names[:half], names[half:], func(a, b index.Symbol) bool { return a.Name == b.Name && a.Parent == b.Parent }) {
		return lines[at]
	}
	return ""
}

// spoiled is a line of words above or below what would be a new file of its kind without it.
func (c *content) spoiled() string {
	if len(c.file.lines) > 0 || wrongAt(c.path, c.text) == 0 { // of a file that is there, see [content.misshapen]
		return ""
	}
	all := full(c.lines())
	for _, cut := range [][2]int{{1, 0}, {0, 1}, {1, 1}} {
		if len(all) <= cut[0]+cut[1] {
			continue
		}
		for _, l := range append(all[:cut[0]:cut[0]], all[len(all)-cut[1]:]...) {
			if noted.In(l) || !prose(l) && (strings.ContainsAny(l, "{}()[];=") || lead(l) != "") {
				return ""
			}
			if wrongAt(c.path, strings.Join(all[cut[0]:len(all)-cut[1]], "\n")+"\n") == 0 {
				return strings.TrimSpace(l)
			}
		}
	}
	return ""
}

// itemLeft reports whether a line of a document stands for lines of was, as an item or a sentence: fewer are given than were.
func (c *content) itemLeft(was, lines []string, i int) bool {
	t := strings.TrimSpace(lines[i])
	if !papers.In(c.path) || c.was[t] || !setOff.In(t) || len(filledLines(lines)) >= len(filledLines(was)) || head.In(t) {
		return false
	}
	body := remark(strings.Trim(bullet.For(t).ReplaceAllString(t, ""), "_* "))
	return body != "" && (leaves(body, func(string) bool { return false }) || elidedJa.In(body) || others.In(body) || onAndOn.In(body)) ||
		body == "" && bullet.In(t) && dotted(bullet.For(t).ReplaceAllString(t, ""))
}

// setOff is a line that is an item, is set off by signs, or is a sentence.
var setOff = &lazy.Pattern{X: `^(?:[-*+]|\d+[.)])\s|^[_*([（【].*[_*)\]）】]$|^\p{Lu}.* .*\.$|[。…]$`}

// onAndOn is how a list says that it goes on.
var onAndOn = &lazy.Pattern{X: `(?i)^(?:and so (?:on|forth)|etc|et cetera|(?:the )?(?:other|remaining|rest of the) (?:list|entries|items|lines|ones|points|one|two|three|four|five|\d+)|など|等々?)$`}
