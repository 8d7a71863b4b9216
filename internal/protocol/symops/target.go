package symops

import (
	"slices"
	"strings"

	"nebula/internal/lazy"
)

// target reads what follows the @: a path with its dependency, or a command as it stands.
func (h *head) target(s string) {
	if h.verb == run || h.verb == test {
		h.command(s)
		return
	}
	if t, ok := cutOpener(s); ok {
		h.opened = true
		h.repair("delimiter_on_action_line")
		s = t
	}
	if lab, rest := readLabel(s); lab == pathLabel {
		h.repair("label_line")
		s = rest
	}
	path, dep := h.dependency(unwrap(s))
	h.path = h.cleanPath(path)
	if dep != "" {
		h.dep = h.cleanPath(strings.TrimLeft(dep, "@ "))
	}
}

// isCommand reports whether a text begins with a program, and not with a word of prose.
func isCommand(s string) bool {
	word, _, _ := strings.Cut(s, " ")
	return programs[word] || strings.ContainsAny(word, "./=")
}

// unwrap takes off what other languages put around a target: ("a.py"), : a.py, `a.py`;
func unwrap(s string) string {
	if t, ok := strings.CutPrefix(s, "("); ok {
		t, shut := strings.CutSuffix(strings.TrimRight(t, "; "), ")")
		if p := unquote(t); shut && p != t && looksLikePath(p) {
			return p
		}
	}
	if t, ok := strings.CutPrefix(s, ": "); ok {
		return strings.TrimSpace(t)
	}
	if t, ok := strings.CutSuffix(s, ";"); ok && looksLikePath(unquote(t)) {
		return t
	}
	return s
}

// command keeps everything after the @: pipes, redirections and @ are the shell's.
func (h *head) command(s string) {
	s = h.field(s)
	if t, ok := strings.CutPrefix(s, "$ "); ok {
		h.repair("quoted_command")
		s = t
	}
	if word, rest, _ := strings.Cut(s, " "); !programs[word] {
		next, _, _ := strings.Cut(rest, " ")
		if _, verb := canonical(word); verb && fillers[next] {
			h.repair("worded_command")
		}
	}
	h.path = s
	if m := quotedCommand.For(s).FindStringSubmatch(s); m != nil {
		h.path = strings.TrimSpace(strings.Join(m[1:], ""))
		h.repair("quoted_command")
	}
}

// field takes off what names the command, as in a row of fields: executeShell | Command: ls. A row that has further ones stays as
// it is.
func (h *head) field(s string) string {
	t, parted := strings.CutPrefix(s, "|")
	lab, rest := readLabel(strings.TrimSpace(t))
	if lab != commandLabel || rest == "" || parted && further.In(rest) {
		return s
	}
	h.repair("label_line")
	return rest
}

// further is what stands between two fields of a row, or ends one.
var further = &lazy.Pattern{X: `\|\s*(?:[*_]*[\pL_]+[*_]*:[*_]*(?:\s|$)|$)`}

// quotedCommand is a command in quotation marks or brackets as a whole.
var quotedCommand = &lazy.Pattern{X: "^(?:`([^`]+)`[ :]*|“([^“”]+)”[ :]*|「([^「」]+)」[ :]*|\\[([^ \\[\\]][^\\[\\]]*)\\]|\"([^\"\\\\]+)\")$"}

// cutOpener cuts a delimiter off the end of the action line.
func cutOpener(s string) (string, bool) {
	t := strings.TrimRight(s, "-")
	if n := len(s) - len(t); n >= 2 && t != "" && (strings.HasSuffix(t, " ") || strings.HasSuffix(t, "\t")) {
		return strings.TrimSpace(t), true
	}
	return s, false
}

// dependency parts the path from what it depends on, at the last " > ".
func (h *head) dependency(s string) (path, dep string) {
	if i := strings.LastIndex(s, " > "); i >= 0 {
		return strings.TrimSpace(s[:i]), strings.TrimSpace(s[i+3:])
	}
	if !strings.ContainsAny(s, " >＞（") { // as every arrow has
		return s, ""
	}
	if t, ok := strings.CutSuffix(s, " >"); ok {
		h.repair("empty_dependency")
		return strings.TrimSpace(t), ""
	}
	for _, arrow := range arrows {
		i := strings.Index(s, arrow.text)
		if i <= 0 {
			continue
		}
		path, dep = strings.TrimSpace(s[:i]), strings.TrimSpace(s[i+len(arrow.text):])
		dep = strings.TrimSpace(strings.TrimRight(strings.TrimLeft(dep, ": @"), ")]"))
		if dep == "" || !looksLikePath(strings.Trim(path, "`'\"“”")) || !looksLikePath(strings.Trim(firstPart(dep), "`'\"“”")) {
			continue
		}
		h.repair(arrow.repair)
		return strings.TrimRight(path, " ("), dep
	}
	return s, ""
}

// arrows stand between a file and what it depends on, in the order in which they are looked for.
var arrows = []struct{ text, repair string }{
	{" ＞ ", "fullwidth_symbol"}, {"＞", "fullwidth_symbol"}, {" -> ", "dependency_word"}, {" => ", "dependency_word"}, {" → ", "dependency_word"},
	{" <- ", "dependency_word"}, {" >> ", "dependency_word"}, {" ← ", "dependency_word"}, {" (depends on", "dependency_word"},
	{" [depends on", "dependency_word"}, {", depends on", "dependency_word"}, {", depends:", "dependency_word"}, {" after ", "dependency_word"},
	{" depends on", "dependency_word"}, {" depends_on", "dependency_word"}, {" depends:", "dependency_word"}, {" (depends:", "dependency_word"},
	{" (after", "dependency_word"}, {" (requires", "dependency_word"}, {" requires", "dependency_word"}, {" (依存", "dependency_word"},
	{"（依存", "dependency_word"}, {" >", "missing_space"}, {"> ", "missing_space"}, {">", "missing_space"},
}

func firstPart(s string) string {
	first, _, _ := strings.Cut(s, ",")
	return strings.TrimSpace(first)
}

// cleanPath takes off quotes, Markdown and trailing remarks.
func (h *head) cleanPath(s string) string {
	s = strings.TrimSpace(s)
	if t := cutRemark(s); t != s {
		h.repair("path_remark")
		if about := strings.ToLower(s[len(t):]); writes(h.verb) && strings.Contains(about, "line") || h.verb == remove && partial.In(about) {
			h.repair("path_lines")
		}
		s = t
	}
	if t := unquote(s); t != s {
		h.repair("quoted_path")
		s = t
	}
	return s
}

// partial is a remark behind a file's name that says which part of it is meant.
var partial = &lazy.Pattern{X: `\b(?:lines?|only|just|functions?|methods?|class|section|part|block)\b|行|だけ|のみ|関数|部分`}

// quotes are the pairs that models put around paths.
var quotes = []struct{ open, shut string }{
	{"`", "`"}, {`"`, `"`}, {"'", "'"}, {"“", "”"}, {"‘", "’"}, {"「", "」"}, {"『", "』"}, {"**", "**"}, {"<", ">"}, {"”", "”"}, {"„", "“"}, {"«", "»"}, {"*", "*"},
}

//go:noinline
func unquote(s string) string {
	for range 3 {
		t := unquoteOnce(s)
		if t == s {
			break
		}
		s = t
	}
	return s
}

func unquoteOnce(s string) string {
	if s == "" || isLetter(s[0]) {
		return s
	}
	for _, q := range quotes {
		t, ok := strings.CutPrefix(s, q.open)
		if !ok {
			continue
		}
		if t, ok = strings.CutSuffix(t, q.shut); ok && t != "" && !strings.Contains(t, q.open) {
			return strings.TrimSpace(t)
		}
	}
	if t, ok := strings.CutPrefix(s, "["); ok { // [file.py] and [file.py](file.py), but not [id].tsx
		if i := strings.IndexByte(t, ']'); i > 0 && looksLikePath(t[:i]) {
			if tail := t[i+1:]; tail == "" || tail[0] == '(' && tail[len(tail)-1] == ')' {
				return t[:i]
			}
		}
	}
	return s
}

// cutRemark cuts what is said about a path after it: a comment, a note in brackets, a colon.
func cutRemark(s string) string {
	if !strings.ContainsAny(s, " \t（:：") {
		return s
	}
	for _, mark := range []string{" # ", "\t# ", " // ", " <!--", " /* ", " — ", " – ", " ← ", "  (", " #", "（"} {
		if i := strings.Index(s, mark); i > 0 && looksLikePath(unquote(strings.TrimSpace(s[:i]))) {
			s = strings.TrimSpace(s[:i])
		}
	}
	if i := strings.LastIndex(s, " ("); i > 0 && strings.HasSuffix(s, ")") && looksLikePath(unquote(s[:i])) {
		s = strings.TrimSpace(s[:i])
	}
	if t := strings.TrimRight(s, ":："); t != s && t != "" {
		s = strings.TrimSpace(t)
	}
	return s
}

// splitPaths parts a target that names several files.
func splitPaths(s string) []string {
	if !strings.ContainsAny(s, ",、 ") {
		return nil
	}
	for _, sep := range []string{", ", "、", ",", " & ", " and ", " "} {
		parts := strings.Split(s, sep)
		if len(parts) > 200 {
			return nil
		}
		for i, p := range parts {
			parts[i] = unquote(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(p), "and ")))
		}
		if len(parts) > 1 && !slices.ContainsFunc(parts, func(p string) bool {
			return !looksLikePath(p) || strings.Contains(p, " ") || sep == " " && !strings.Contains(p, ".")
		}) {
			return parts
		}
	}
	return nil
}
