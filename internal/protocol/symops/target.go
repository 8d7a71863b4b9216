package symops

import "strings"

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
	for _, q := range []string{"`", "“”", "「」"} {
		open, shut := q, q
		if len(q) > 1 {
			rs := []rune(q)
			open, shut = string(rs[0]), string(rs[1])
		}
		t, ok := strings.CutPrefix(strings.TrimRight(s, " :"), open)
		if !ok || !strings.HasSuffix(t, shut) {
			continue
		}
		if t = strings.TrimSuffix(t, shut); t != "" && !strings.Contains(t, open) && !strings.Contains(t, shut) {
			h.path = strings.TrimSpace(t)
			h.repair("quoted_command")
			return
		}
	}
	if len(s) > 2 && s[0] == '[' && s[len(s)-1] == ']' && s[1] != ' ' && s[1] != '[' && !strings.ContainsAny(s[1:len(s)-1], "[]") {
		h.path = s[1 : len(s)-1]
		h.repair("quoted_command")
		return
	}
	if len(s) > 2 && s[0] == '"' && s[len(s)-1] == '"' && strings.Count(s, `"`) == 2 && !strings.Contains(s, `\`) {
		h.path = s[1 : len(s)-1]
		h.repair("quoted_command")
	}
}

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
	if t, ok := strings.CutSuffix(s, " >"); ok {
		h.repair("empty_dependency")
		return strings.TrimSpace(t), ""
	}
	if !mayDepend(s) {
		return s, ""
	}
	words := dependWords(s)
	for _, arrow := range arrows {
		if !words && arrow.word {
			continue
		}
		i := strings.Index(s, arrow.text)
		if i < 0 && arrow.word {
			i = indexFold(s, arrow.text)
		}
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

var arrows = []struct {
	text, repair string
	word         bool
}{
	{" ＞ ", "fullwidth_symbol", false}, {"＞", "fullwidth_symbol", false}, {" -> ", "dependency_word", false}, {" => ", "dependency_word", false},
	{" → ", "dependency_word", false}, {" <- ", "dependency_word", false}, {" >> ", "dependency_word", false}, {" ← ", "dependency_word", false},
	{" (depends on", "dependency_word", true}, {" [depends on", "dependency_word", true}, {", depends on", "dependency_word", true}, {", depends:", "dependency_word", true}, {" after ", "dependency_word", true},
	{" depends on", "dependency_word", true}, {" depends_on", "dependency_word", true}, {" depends:", "dependency_word", true},
	{" (depends:", "dependency_word", true}, {" (after", "dependency_word", true}, {" (requires", "dependency_word", true},
	{" requires", "dependency_word", true}, {" (依存", "dependency_word", false}, {"（依存", "dependency_word", false},
	{" >", "missing_space", false}, {"> ", "missing_space", false}, {">", "missing_space", false},
}

func dependWords(s string) bool {
	return strings.IndexByte(s, ' ') >= 0 && (strings.Contains(s, "epend") || strings.Contains(s, "equires") || strings.Contains(s, "after"))
}

// mayDepend looks for what every sign of a dependency holds.
func mayDepend(s string) bool {
	if strings.IndexByte(s, '>') >= 0 || strings.IndexByte(s, '<') >= 0 || dependWords(s) {
		return true
	}
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return true
		}
	}
	return false
}

func firstPart(s string) string {
	first, _, _ := strings.Cut(s, ",")
	return strings.TrimSpace(first)
}

// indexFold finds an ASCII-lower-case needle whatever the case of s.
func indexFold(s, lower string) int {
	if i := strings.Index(s, lower); i >= 0 {
		return i
	}
	for i := 0; i+len(lower) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(lower)], lower) {
			return i
		}
	}
	return -1
}

// cleanPath takes off quotes, Markdown and trailing remarks.
func (h *head) cleanPath(s string) string {
	s = strings.TrimSpace(s)
	if t := cutRemark(s); t != s {
		h.repair("path_remark")
		if writes(h.verb) && strings.Contains(strings.ToLower(s[len(t):]), "line") {
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

// quotes are the pairs that models put around paths.
var quotes = []struct{ open, shut string }{
	{"`", "`"}, {`"`, `"`}, {"'", "'"}, {"“", "”"}, {"‘", "’"}, {"「", "」"}, {"『", "』"}, {"**", "**"}, {"<", ">"}, {"”", "”"}, {"„", "“"}, {"«", "»"}, {"*", "*"},
}

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
	for _, q := range quotes[:8] { // after a quoted path anything is a remark
		t, ok := strings.CutPrefix(s, q.open)
		if !ok || q.open == "**" {
			continue
		}
		if i := strings.Index(t, q.shut); i > 0 && i+len(q.shut) < len(t) && !strings.HasPrefix(t[i+len(q.shut):], ",") {
			rest := t[i+len(q.shut):]
			if rest[0] == ' ' && !strings.Contains(rest, q.open) || strings.Trim(rest, " :.") == "" {
				return s[:len(q.open)+i+len(q.shut)]
			}
		}
	}
	for _, mark := range []string{" # ", "\t# ", " // ", " <!--", " /* ", " — ", " – ", " ← ", "  (", " #", "（"} {
		if i := strings.Index(s, mark); i > 0 && looksLikePath(unquote(strings.TrimSpace(s[:i]))) {
			s = strings.TrimSpace(s[:i])
		}
	}
	if i := strings.LastIndex(s, " ("); i > 0 && strings.HasSuffix(s, ")") && looksLikePath(unquote(s[:i])) {
		s = strings.TrimSpace(s[:i])
	}
	if i := strings.Index(s, " - "); i > 0 && looksLikePath(unquote(s[:i])) && !looksLikePath(s) {
		s = strings.TrimSpace(s[:i])
	}
	if t := strings.TrimRight(s, ":："); t != s && t != "" {
		s = strings.TrimSpace(t)
	}
	if t, ok := strings.CutSuffix(s, "**"); ok && !strings.Contains(t, "**") {
		s = t
	}
	if strings.HasSuffix(s, "`") && strings.Count(s, "`") == 1 {
		s = strings.TrimSuffix(s, "`")
	}
	return s
}

// splitPaths parts a target that names several files.
func splitPaths(s string) []string {
	var parts []string
	for _, sep := range []string{", ", "、", ",", " & ", " and ", " "} {
		if !strings.Contains(s, sep) {
			continue
		}
		parts = strings.Split(s, sep)
		if len(parts) > 200 {
			return nil
		}
		all := true
		for i, p := range parts {
			p = strings.TrimPrefix(strings.TrimSpace(p), "and ")
			parts[i] = unquote(strings.TrimSpace(p))
			if !looksLikePath(parts[i]) || strings.Contains(parts[i], " ") && sep != " " {
				all = false
			}
			if sep == " " && !strings.Contains(parts[i], ".") || strings.HasPrefix(parts[i], "(") {
				all = false
			}
		}
		if all && len(parts) > 1 {
			return parts
		}
	}
	return nil
}
