package symops

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"nebula/internal/lists"
)

// strength is how surely a line is a construct of the language. What is weak needs its surroundings to agree.
type strength uint8

const (
	weak   strength = iota // a verb and a path without symbols: create auth.py
	medium                 // one symbol of two: $ create auth.py, $ npm install
	strong                 // $ verb @ target
)

// A head is an action line as read: the verb, its target, and what had to be repaired.
type head struct {
	verb     string // canonical, or the word as written
	path     string
	dep      string
	strength strength
	dollar   bool
	listed   bool // stood in a list, a quote or a thought
	marked   bool // a heading, bold or code span sets the line apart from prose
	bare     bool // a shell command without a verb
	opened   bool // the block's delimiter ended the line
	blank    bool // the placeholders of the grammar, not an action
	repairs  []string
}

func (h *head) repair(name string) { h.repairs = append(h.repairs, name) }

// writes reports whether an action makes no sense without content.
func writes(verb string) bool { return verb == create || verb == edit }

// readHead reads an action line; s has no surrounding blanks.
func readHead(s string) (h head, ok bool) {
	s = h.undress(s)
	if rest, ok := cutDollar(s); ok {
		h.dollar = true
		if rest != "" && rest[0] != ' ' && rest[0] != '\t' {
			h.repair("missing_space")
		}
		if !strings.HasPrefix(s, "$") {
			h.repair("fullwidth_symbol")
		}
		s = strings.TrimSpace(rest)
	}
	if s == "" || !h.dollar && !startsVerb(strings.TrimLeft(s, "*_`[")) && s[0] < 0x80 {
		return h, false
	}
	if h.dollar && h.readShell(s) {
		return h, true
	}
	if h.readAt(s) {
		return h, true
	}
	return h, h.readPlain(s)
}

// readLabelled reads the action behind "Action:": with its target, not a verb alone.
func readLabelled(s string) (head, bool) {
	h, ok := readHead(s)
	if !ok || h.blank || h.path == "" {
		return h, false
	}
	h.dollar, h.marked = true, true
	h.strength = max(h.strength, medium)
	h.repairs = lists.Drop(h.repairs, func(r string) bool { return r == "missing_dollar" })
	return h, true
}

func cutDollar(s string) (rest string, ok bool) {
	if strings.HasPrefix(s, "$$ ") {
		s = s[1:]
	}
	for _, sign := range []string{"$", "＄", `\$`} {
		if rest, ok = strings.CutPrefix(s, sign); ok {
			return rest, true
		}
	}
	return s, false
}

// undress takes off what Markdown and lists put around an action line.
func (h *head) undress(s string) string {
	for range 4 {
		rest, name := undressOnce(s)
		if name == "" {
			break
		}
		switch name {
		case "bullet_action", "numbered_action", "blockquote_action", "action_in_thought":
			h.listed = true
		default:
			h.marked = true
		}
		h.repair(name)
		s = rest
	}
	return s
}

// undressOnce takes off one of them, and tells its name.
func undressOnce(s string) (rest, name string) {
	if len(s) < 3 {
		return s, ""
	}
	end := len(s) - 1
	switch c := s[0]; {
	case c == '#':
		if t := strings.TrimLeft(s, "#"); len(s)-len(t) <= 6 && t != "" && t[0] == ' ' {
			if t := strings.TrimSpace(t); len(s)-1 == len(strings.TrimLeft(s, "#")) && strings.HasPrefix(t, "$ ") && strings.TrimRight(t, "#") == t {
				return t, "commented_action"
			}
			return strings.Trim(t, " #"), "heading_action"
		}
	case c == '*' && s[1] == '*':
		if i := strings.Index(s[3:], "**"); i >= 0 {
			return strings.TrimSpace(s[2:3+i] + s[5+i:]), "bold_action"
		}
	case c == '`':
		if i := strings.IndexByte(s[1:], c) + 1; i > 1 && strings.Trim(s[i+1:], " :.") == "" {
			return strings.TrimSpace(s[1:i]), "code_span_action"
		}
	case c == '[' && s[end] == ']' && strings.HasPrefix(s, "[$ "):
		return strings.TrimSpace(s[1:end]), "code_span_action"
	case (c == '*' || c == '_') && s[end] == c && s[1] != ' ' && strings.IndexByte(s[1:end], c) < 0:
		return strings.TrimSpace(s[1:end]), "bold_action"
	case (c == '-' || c == '*' || c == '+') && s[1] == ' ':
		return strings.TrimSpace(s[2:]), "bullet_action"
	case c == '>' && s[1] == ' ':
		return strings.TrimSpace(s[2:]), "blockquote_action"
	case c == '~':
		if t := strings.TrimLeft(s[1:], " \t"); strings.HasPrefix(t, "$ ") {
			return t, "action_in_thought"
		}
	case c >= 0x80:
		t := strings.TrimLeftFunc(s, ornament)
		if r, n := utf8.DecodeRuneInString(s); strings.ContainsRune("•・→►▶➜👉◆■●○", r) {
			return strings.TrimSpace(s[n:]), "bullet_action"
		} else if t != s && strings.HasPrefix(t, " ") {
			return strings.TrimSpace(t), "bullet_action"
		}
	default:
		t := s
		for _, word := range []string{"step ", "action "} {
			if len(s) > len(word) && c|0x20 == word[0] && strings.EqualFold(s[:len(word)], word) {
				t = s[len(word):]
			}
		}
		if t, ok := cutNumber(t); ok {
			return strings.TrimSpace(t), "numbered_action"
		}
	}
	return s, ""
}

// cutNumber cuts what stands before a numbered item: "1. ", "2) " or "(3) ".
func cutNumber(s string) (rest string, ok bool) {
	t := strings.TrimPrefix(s, "(")
	n := 0
	for n < len(t) && n < 4 && t[n] >= '0' && t[n] <= '9' {
		n++
	}
	if n < 1 || n > 3 || len(t) < n+2 || strings.IndexByte(".):", t[n]) < 0 || t[n+1] != ' ' && t[n+1] != '\t' {
		return s, false
	}
	return t[n+2:], true
}

// readAt reads "verb @ target".
func (h *head) readAt(s string) bool {
	i, width := indexAt(s)
	if i < 0 {
		return false
	}
	word := strings.Trim(strings.TrimSpace(s[:i]), "`*_:\"'[]<>")
	verb, known := canonical(word)
	target := strings.TrimSpace(s[i+width:])
	switch {
	case word == "" || target == "":
		if target != "" || !h.dollar || !known && !isWord(word) {
			return false
		}
		h.verb, h.strength = verb, medium
		return true
	case known:
	case h.dollar && isWordy(word):
		first, _, _ := strings.Cut(word, " ")
		verb, _ = canonical(first)
	case !h.dollar || strings.ContainsAny(word, " \t") || !isWord(word):
		return false
	}
	if word == "action" || word == "action_type" || word == "verb" || strings.HasPrefix(target, "[path]") {
		h.blank = true
	}
	h.verb, h.strength = verb, strong
	h.noteVerb(strings.TrimSpace(s[:i]))
	if i == 0 || s[i-1] != ' ' || i+width < len(s) && s[i+width] != ' ' {
		h.repair("missing_space")
	}
	if width > 1 {
		h.repair("fullwidth_symbol")
	}
	h.target(target)
	if !h.dollar {
		h.repair("missing_dollar")
		h.strength = medium
		return h.plausible()
	}
	return true
}

// isWordy reports whether a verb stands before words that add nothing: create a new file, run the tests.
func isWordy(s string) bool {
	first, rest, _ := strings.Cut(s, " ")
	if _, known := canonical(first); !known || len(s) > 40 {
		return false
	}
	for w := range strings.FieldsSeq(strings.ToLower(rest)) {
		if !fillers[w] {
			return false
		}
	}
	return rest != ""
}

var fillers = set("a", "an", "the", "new", "file", "files", "following", "command", "commands", "test", "tests", "script", "existing", "empty")

// noteVerb records a word that is not one of the five as they are taught.
func (h *head) noteVerb(word string) {
	if word == h.verb {
		return
	}
	if strings.EqualFold(word, h.verb) {
		h.repair("verb_case")
		return
	}
	if _, known := verbs[h.verb]; known {
		h.repair("verb_synonym")
	}
}

// indexAt finds the @ that parts verb and target.
func indexAt(s string) (i, width int) {
	if i = strings.IndexAny(s, "@＠"); i >= 0 {
		width = utf8.RuneLen(first(s[i:]))
	}
	return i, width
}

func canonical(word string) (string, bool) {
	if v, ok := verbs[word]; ok {
		return v, true
	}
	if v, ok := verbs[folded(word)]; ok {
		return v, true
	}
	return word, false
}

var unparted = strings.NewReplacer(" ", "", "_", "", "-", "")

// folded is a word as the tables of verbs and tools have it.
func folded(word string) string {
	for i := 0; i < len(word) && len(word) <= 40; i++ {
		if c := word[i]; c < 'a' || c > 'z' {
			return strings.ToLower(unparted.Replace(word))
		}
	}
	return word
}

func isWord(s string) bool {
	for i, r := range s {
		if !unicode.IsLetter(r) && r != '_' && r != '.' && r != '-' && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != "" && len(s) <= 40
}

// readShell reads a command that stands where the verb should: $ npm install.
func (h *head) readShell(s string) bool {
	word, rest, _ := strings.Cut(s, " ")
	rest = strings.TrimSpace(rest)
	if strings.HasPrefix(rest, "@ ") || strings.HasPrefix(rest, "＠") {
		return false
	}
	_, known := canonical(word)
	if !programs[word] && !strings.HasPrefix(word, "./") || known && strings.Contains(rest, " @ ") {
		return false
	}
	h.verb, h.path, h.strength, h.bare = run, s, medium, true
	h.repair("bare_command")
	return true
}

// readPlain reads "verb target" and a verb that stands alone.
func (h *head) readPlain(s string) bool {
	word, target, ok := cutVerb(s)
	if !ok {
		return h.dollar && h.readTool(s)
	}
	h.verb, _ = canonical(word)
	h.strength = weak
	if h.dollar {
		h.strength = medium
	} else {
		h.repair("missing_dollar")
	}
	h.noteVerb(word)
	for _, at := range []string{":", "：", "->", "=>", "=", "$ ", "file "} {
		if t, ok := strings.CutPrefix(target, at); ok {
			target = strings.TrimSpace(t)
		}
	}
	if target == "" {
		return h.dollar
	}
	h.repair("missing_at")
	h.target(target)
	return h.plausible()
}

// readTool reads "$ read path": a tool's word without the @.
func (h *head) readTool(s string) bool {
	word, target, _ := strings.Cut(s, " ")
	if !toolWords[folded(word)] {
		return false
	}
	h.verb, h.strength = word, medium
	h.repair("missing_at")
	h.target(strings.TrimSpace(target))
	return true
}

// cutVerb cuts the longest known verb, of up to three words, from the front.
func cutVerb(s string) (verb, rest string, ok bool) {
	end := 0
	for range 4 {
		i := end
		for i < len(s) && s[i] == ' ' {
			i++
		}
		for i < len(s) && !strings.ContainsRune(" \t:`\"'“‘(=", rune(s[i])) && !strings.HasPrefix(s[i:], "：") {
			i++
		}
		if i == end || i > 60 {
			break
		}
		end = i
		if word := strings.Trim(s[:end], "*_`[] "); len(word) > len(verb) {
			if _, known := canonical(word); known {
				verb, rest, ok = word, strings.TrimSpace(s[end:]), true
			}
		}
	}
	return verb, rest, ok
}

// plausible keeps prose that begins with a verb from being an action: without the symbols a path must look like one,
// and a command must be set apart.
func (h *head) plausible() bool {
	switch h.verb {
	case create, edit, remove:
		if h.dollar {
			return h.path != "" && (looksLikePath(h.path) || !strings.Contains(h.path, " "))
		}
		return looksLikePath(h.path) && !strings.ContainsAny(h.path, " \t")
	}
	if h.dollar || h.strength == medium {
		return true
	}
	return h.path != "" && !endsSentence(h.path)
}

func endsSentence(s string) bool {
	if strings.HasSuffix(s, "/...") || strings.HasSuffix(s, " .") || strings.HasSuffix(s, "/.") || strings.HasSuffix(s, " ..") {
		return false // where a command works
	}
	r, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".:;!?,。：！？、", r)
}

// looksLikePath reports whether s could be a file: it has a folder or an extension, or is a well-known name.
func looksLikePath(s string) bool {
	if s == "" || len(s) > 300 || strings.ContainsAny(s, "<>|\"`*\n") || strings.HasPrefix(s, "http") {
		return false
	}
	base := s[strings.LastIndexAny(s, `/\`)+1:]
	if knownFiles[base] {
		return true
	}
	i := strings.LastIndexByte(base, '.')
	if i < 0 {
		return strings.ContainsAny(s, `/\`) && !strings.ContainsAny(s, " ,;()") && base != ""
	}
	ext := base[i+1:]
	if ext == "" || len(ext) > 12 {
		return false
	}
	if strings.ContainsFunc(ext, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' }) {
		return false
	}
	return ext[0] > '9' || len(ext) > 1 || i == 0 || strings.ContainsAny(ext, "0123456789") && isWord(base[:i])
}

var knownFiles = set("Makefile", "Dockerfile", "LICENSE", "README", "CHANGELOG", "Gemfile", "Rakefile", "Procfile", "Vagrantfile", "Jenkinsfile",
	"Justfile", "justfile", "Caddyfile", "Brewfile", "Pipfile", "CODEOWNERS", "NOTICE", "AUTHORS", "CONTRIBUTING", "Containerfile", "BUILD", "WORKSPACE",
	"makefile", "GNUmakefile", "TODO", "VERSION", "Guardfile", "Podfile", "Fastfile", "hosts", "crontab")
