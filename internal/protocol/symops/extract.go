package symops

import (
	"slices"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/protocol"
)

// extract is the last resort (§5.3): a reply without any action whose fenced code has a file's name near it. What
// has no name stays text.
func (b *builder) extract() {
	for _, s := range b.loose {
		path, how := b.nameOf(s)
		if path == "" {
			b.tell(s)
			continue
		}
		a := Action{Type: create, Path: path, HasBlock: true, Content: b.src.join(b.lines, s.first, s.last, b.margin(s.open, s.first, s.last))}
		if isPatch(a.Content) {
			a.Type = edit
		}
		a.Src, a.Block = b.src.span(s.open, s.end), b.src.span(s.first, s.last-1)
		if how == "extracted_diff" && len(b.loose) == 1 && b.alone() {
			how = "diff_reply"
		}
		a.Rows = []string{how}
		b.doc.Actions = append(b.doc.Actions, a)
	}
	b.loose = nil
}

// alone reports whether a reply with one snippet says nothing else to anybody.
func (b *builder) alone() bool {
	return len(b.doc.Actions)+len(b.doc.Questions)+len(b.doc.Errors) == 0 && !slices.ContainsFunc(b.say, func(s saying) bool { return strings.TrimSpace(s.text) != "" })
}

// tell gives a snippet back to the text it stands in.
func (b *builder) tell(s snippet) {
	for i := s.open; i <= s.end && i < len(b.lines); i++ {
		b.says(i, b.lines[i].text(b.src.text))
	}
	if len(b.doc.Actions) == 0 && b.lines[s.open].is(worded) && !shells[infoWord(b.info(s.open))] && len(b.doc.Thoughts)+len(b.doc.Vitals) > 0 {
		b.problem(s.open, "a code block without an action", "write `$ create @ path` or `$ edit @ path` above it, and -- instead of the fence")
	}
}

var shells = set("bash", "sh", "shell", "console", "zsh", "powershell", "text", "txt", "output", "plaintext", "log")

func (b *builder) info(i int) string {
	return strings.TrimSpace(strings.TrimLeft(b.lines[i].trimmed(b.src.text), "`~"))
}

func infoWord(s string) string {
	word, _, _ := strings.Cut(strings.ToLower(s), " ")
	return word
}

// nameOf reads a snippet's file name off its label, its first line, or the line before it.
func (b *builder) nameOf(s snippet) (path, how string) {
	info := b.info(s.open)
	if shells[infoWord(info)] {
		return "", ""
	}
	if p := b.patched(s); p != "" {
		return p, "extracted_diff"
	}
	if p := labelPath(info); p != "" {
		return p, "extracted_label"
	}
	if p := b.announced(s); p != "" {
		return p, "extracted_heading"
	}
	if s.first < s.last {
		if p := commentPath(b.lines[s.first].trimmed(b.src.text)); p != "" {
			return p, "extracted_comment"
		}
	}
	return "", ""
}

// changed are the lines of a diff that name the file it changes.
var changed = &lazy.Pattern{X: `(?m)^(?:\+\+\+ (?:b/)?|\*\*\* Update File: )(\S+)`}

// patched reads the one file that a diff changes.
func (b *builder) patched(s snippet) string {
	if s.last <= s.first {
		return ""
	}
	text := b.src.text[b.lines[s.first].start:b.lines[s.last-1].end]
	if m := changed.For(text).FindAllStringSubmatch(text, 2); len(m) == 1 && isPatch(text) && looksLikePath(m[0][1]) {
		return m[0][1]
	}
	return ""
}

// labelPath reads python:src/a.py, python src/a.py, title="src/a.py" and src/a.py.
func labelPath(info string) string {
	for _, word := range strings.FieldsFunc(info, func(r rune) bool { return strings.ContainsRune(" {},=:", r) }) {
		if p := unquote(word); looksLikePath(p) {
			return p
		}
	}
	return ""
}

// makes are words that say that a file is to be written.
var makes = &lazy.Pattern{X: `(?i)creat|save|write|add |put |updat|replac|modif|edit|chang|作成|保存|編集|更新`}

// announced reads the name off the prose directly before the fence: only where it says that the file is to be
// written, and names one file.
func (b *builder) announced(s snippet) string {
	i := s.open - 1
	for i >= 0 && b.lines[i].kind == blank {
		i--
	}
	if i < 0 || i != s.prose || i < s.open-2 {
		return ""
	}
	l := b.lines[i].trimmed(b.src.text)
	if introduces(l) > 0 || !strings.HasSuffix(strings.TrimRight(l, "*_ "), ":") && !strings.HasSuffix(l, "：") {
		return ""
	}
	if !makes.In(l) {
		return ""
	}
	found := ""
	for _, word := range strings.FieldsFunc(l, func(r rune) bool { return strings.ContainsRune(" `\"'*()“”「」,、：", r) }) {
		word = strings.TrimRight(word, ":.")
		if looksLikePath(word) {
			if found != "" && found != word {
				return ""
			}
			found = word
		}
	}
	return found
}

var comment = &lazy.Pattern{X: `^(?:#|//|--|/\*|<!--|;|%)\s*(?:(?:filename|[Ff]ile|path):\s*)?(\S+?)\s*(?:\*/|-->)?$`}

// commentPath reads a file name off a comment line: # src/a.py, // a.js, <!-- a.html -->.
func commentPath(s string) string {
	if m := comment.Re().FindStringSubmatch(clip(s)); m != nil && looksLikePath(m[1]) {
		return m[1]
	}
	return ""
}

// isPatch reports whether a block says what to change instead of what a file holds.
func isPatch(s string) bool {
	return protocol.Marker(s) == '<' || strings.HasPrefix(s, "--- ") && strings.Contains(s, "\n+++ ") ||
		strings.HasPrefix(s, "@@ ") || strings.HasPrefix(s, "diff --git ") || strings.HasPrefix(s, "*** Begin Patch")
}
