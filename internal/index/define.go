package index

import "strings"

// define says whether a line begins a definition, and of what.
func (s *scanner) define(i int, text string) (name, kind string, ok bool) {
	text = s.skipModifiers(text)
	if text == "" {
		return "", "", false
	}
	word := firstWord(text)
	if kind, found := s.l.words[word]; found && s.allowed(kind) {
		if name := s.named(word, strings.TrimSpace(text[len(word):]), &kind); name != "" {
			return name, kind, true
		}
	}
	if s.l.special != nil {
		if name, kind := s.l.special(text, s.depth); name != "" {
			return name, kind, true
		}
	}
	if s.l.types || s.l.methods {
		if name := s.callable(i, text); name != "" {
			return name, "func", true
		}
	}
	return "", "", false
}

// allowed keeps the variables inside functions out.
func (s *scanner) allowed(kind string) bool {
	if kind != "var" && kind != "const" {
		return true
	}
	return s.definable()
}

// definable reports whether a line stands outside of all functions: at the top, or directly in a class.
//
//go:noinline
func (s *scanner) definable() bool {
	if len(s.open) == 0 {
		return s.depth == 0
	}
	top := s.top()
	return containers[s.found[top.symbol].Kind] && s.depth == top.depth+1
}

// skipModifiers cuts words that may stand before a definition, with annotations.
func (s *scanner) skipModifiers(text string) string {
	for range 12 {
		switch {
		case strings.HasPrefix(text, "#["), text[0] == '[' && s.l.name == "C#":
			end := strings.IndexByte(text, ']')
			if end < 0 {
				return ""
			}
			text = strings.TrimSpace(text[end+1:])
		case text[0] == '@' && s.l.words[firstWord(text)] == "":
			text = strings.TrimSpace(annotation(text))
		case strings.HasPrefix(text, "template<"), strings.HasPrefix(text, "template <"):
			text = strings.TrimSpace(angles(text[strings.IndexByte(text, '<'):]))
		default:
			word := firstWord(text)
			if !s.l.modifiers[word] || s.l.words[word] != "" && len(text) == len(word) {
				return text
			}
			rest := strings.TrimSpace(text[len(word):])
			if rest == "" || rest[0] == '(' || rest[0] == '=' || rest[0] == ':' || rest[0] == ',' {
				if strings.HasSuffix(word, ")") || rest == "" || word != "extern" {
					return text // it is a name here
				}
			}
			text = strings.TrimPrefix(rest, `"C"`)
			text = strings.TrimSpace(strings.TrimPrefix(text, `" "`))
		}
		if text == "" {
			return ""
		}
	}
	return text
}

// annotation cuts @Name(…) from the front.
func annotation(text string) string {
	i := 1
	for i < len(text) && (wordByte(text[i]) || text[i] == '.') {
		i++
	}
	if i < len(text) && text[i] == '(' {
		open := 0
		for ; i < len(text); i++ {
			switch text[i] {
			case '(':
				open++
			case ')':
				if open--; open == 0 {
					return text[i+1:]
				}
			}
		}
		return ""
	}
	return text[i:]
}

// angles cuts <…> from the front.
//
//go:noinline
func angles(text string) string {
	open := 0
	for i := range len(text) {
		switch text[i] {
		case '<':
			open++
		case '>':
			if open--; open == 0 && (i == 0 || text[i-1] != '-' && text[i-1] != '=') {
				return text[i+1:]
			}
		}
	}
	return ""
}

// firstWord is what stands before the first space or sign, with what belongs to keywords: function*, pub(crate), @interface.
func firstWord(text string) string {
	i := 0
	for i < len(text) && (wordByte(text[i]) || i == 0 && text[0] == '@') {
		i++
	}
	for _, tail := range []string{"*", "!", "(crate)", "(super)", "(self)", ":"} {
		if strings.HasPrefix(text[i:], tail) {
			if tail == ":" && strings.HasPrefix(text[i:], "::") {
				break
			}
			return text[:i+len(tail)]
		}
	}
	return text[:i]
}

//go:noinline
func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c >= 0x80
}

// named finds the name that follows a word of definition.
func (s *scanner) named(word, rest string, kind *string) string {
	switch {
	case word == "init" && s.l.name == "Swift":
		return "init"
	case *kind == "impl":
		if strings.HasPrefix(rest, "<") {
			rest = strings.TrimSpace(angles(rest))
		}
		if _, after, ok := strings.Cut(rest, " for "); ok {
			rest = after
		}
	case word == "typedef":
		return typedefName(rest, kind)
	case strings.HasPrefix(rest, "<"): // fun <T> name
		rest = strings.TrimSpace(angles(rest))
	case word == "const" && strings.HasPrefix(rest, "enum "):
		rest, *kind = rest[5:], "enum"
	case *kind == "enum" && (strings.HasPrefix(rest, "class ") || strings.HasPrefix(rest, "struct ")):
		_, rest, _ = strings.Cut(rest, " ")
	case word == "static" || word == "abstract" || word == "const" || word == "case":
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, "type "), "mut ")
	}
	if s.l.types && (*kind == "struct" || *kind == "enum" || *kind == "union" || *kind == "class") && !typeBody(rest) {
		return ""
	}
	name := dotted(strings.TrimLeft(rest, "&*# "))
	if after := strings.TrimPrefix(rest, name); *kind == "func" && strings.HasPrefix(after, "<") { // fun List<T>.name
		if tail := angles(after); strings.HasPrefix(tail, ".") {
			name = dotted(tail[1:])
		}
	}
	if *kind == "const" || *kind == "var" {
		*kind = functionValue(rest, *kind)
	}
	if *kind == "func" && name != "" && s.l.name != "Elixir" {
		name = lastName(name)
	}
	return name
}

// typeBody tells a definition of a type from its use: struct x *f(…), struct x y;
func typeBody(rest string) bool {
	if i := strings.IndexAny(rest, "{;(="); i >= 0 {
		return rest[i] == '{' || rest[i] == '(' && !strings.Contains(rest[:i], " ")
	}
	return true
}

func typedefName(rest string, kind *string) string {
	for _, word := range []string{"struct", "enum", "union"} {
		if after, ok := strings.CutPrefix(rest, word); ok && !strings.HasSuffix(rest, ";") {
			*kind = word
			return dotted(strings.TrimSpace(after))
		}
	}
	rest, ended := strings.CutSuffix(rest, ";")
	if !ended {
		return ""
	}
	if i := strings.Index(rest, "(*"); i >= 0 {
		return dotted(rest[i+2:])
	}
	rest, _, _ = strings.Cut(rest, "[")
	fields := strings.FieldsFunc(rest, func(r rune) bool { return r == ' ' || r == '*' || r == '\t' })
	if len(fields) < 2 {
		return ""
	}
	return dotted(fields[len(fields)-1])
}

// dotted is a name with the names of what it is in.
func dotted(text string) string {
	i := 0
	for i < len(text) && (wordByte(text[i]) || (text[i] == '.' || text[i] == ':' || text[i] == '\\') && i+1 < len(text) && (wordByte(text[i+1]) || text[i+1] == ':') ||
		(text[i] == '?' || text[i] == '!') && i > 0) {
		i++
	}
	return strings.TrimRight(text[:i], ".:?!")
}

//go:noinline
func lastName(name string) string {
	if i := strings.LastIndexAny(name, ".:\\"); i >= 0 {
		return name[i+1:]
	}
	return name
}

// functionValue tells const f = (…) => from other constants.
func functionValue(rest, kind string) string {
	_, value, ok := strings.Cut(rest, "=")
	if ok && (strings.Contains(value, "=>") || strings.HasPrefix(strings.TrimSpace(value), "function") || strings.HasPrefix(strings.TrimSpace(value), "async")) {
		return "func"
	}
	value = strings.TrimSpace(value)
	for _, word := range []string{"struct", "enum", "union"} {
		if strings.HasPrefix(value, word) {
			return word
		}
	}
	return kind
}

// notNames are words that stand before parentheses and define nothing.
var notNames = set("if for while switch catch return else do sizeof new throw await yield typeof delete case when using lock foreach fixed assert " +
	"super this function elif until unless defined alignof decltype static_assert print echo in is as not and or with select synchronized try")

// callable finds functions that no word announces: a type or nothing, a name, parentheses and then a body.
func (s *scanner) callable(i int, text string) string {
	open := strings.IndexByte(text, '(')
	if open <= 0 || !s.definable() || strings.ContainsAny(text[:1], "}])(.,;+-=|&!?:\"'`") {
		return ""
	}
	head := strings.TrimRight(text[:open], " ")
	if j := strings.IndexAny(head, "={;!\"|+%/"); j >= 0 && !strings.Contains(head, "operator") {
		return ""
	}
	if strings.HasSuffix(head, ">") { // generics before the parentheses
		if j := strings.IndexByte(head, '<'); j > 0 {
			head = head[:j]
		}
	}
	from := len(head)
	for from > 0 && (wordByte(head[from-1]) || head[from-1] == ':' || head[from-1] == '~' || head[from-1] == '.') {
		from--
	}
	name, before := strings.Trim(head[from:], ":."), strings.TrimSpace(head[:from])
	last := lastName(name)
	if last == "" || notNames[last] || last[0] >= '0' && last[0] <= '9' || notNames[firstWord(before)] || strings.HasSuffix(before, ",") {
		return ""
	}
	inside := len(s.open) > 0
	constructor := strings.Contains(name, "::") || inside && s.found[s.top().symbol].Name == last
	if before == "" && !constructor && !(s.l.methods && inside) {
		return ""
	}
	if s.l.methods && !s.l.types && strings.Trim(before, "*# ") != "" {
		return ""
	}
	if !s.body(i, text[open:], inside || s.l.name == "C++" && before != "") {
		return ""
	}
	return last
}

// body reports whether what follows the name is a function's: parentheses, and then a brace, an arrow or, for what is
// only declared, a semicolon.
func (s *scanner) body(i int, text string, declared bool) bool {
	open := 0
	for line := range 12 {
		for j := range len(text) {
			switch text[j] {
			case '(':
				open++
			case ')':
				open--
			case '{':
				if open == 0 {
					return true
				}
			case ';':
				if open == 0 {
					return declared && !strings.HasPrefix(strings.TrimSpace(s.code[i]), "return") || strings.Contains(text[:j], "=>")
				}
			case '=':
				if open == 0 && !strings.HasPrefix(text[j:], "=>") && !strings.HasPrefix(text[j:], "= 0") && !strings.HasPrefix(text[j:], "= default") && !strings.HasPrefix(text[j:], "= delete") {
					return false
				}
			}
		}
		if i+line+1 >= len(s.code) {
			return false
		}
		text = s.code[i+line+1]
		if open == 0 && line > 2 {
			return false
		}
	}
	return false
}
