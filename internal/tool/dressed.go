package tool

import (
	"encoding/json"
	"html"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// Fences and languages: what models name a language, by the extension of its files.
var (
	program = &lazy.Pattern{X: `(?i)\.(?:go|pyi?|[cm]?js|jsx|[cm]?ts|tsx|java|kts?|c|h|cc|cpp|hpp|cs|rs|rb|php|swift|scala|sh|bash|zsh|ps1|pl|lua|sql|s?css|less|zig|hs|exs?|erl|clj|dart|json|toml)$`}
	markup  = &lazy.Pattern{X: `(?i)\.(?:html?|xhtml|xml|svg|vue|svelte|jsx|tsx|md|markdown|mdx|rst|adoc|txt|plist|tmpl|php|xaml|csproj)$`}
	papers  = &lazy.Pattern{X: `(?i)\.(?:md|markdown|mdx|rst|adoc|txt|tmpl|php)$`}
	pages   = &lazy.Pattern{X: `(?i)\.(?:html?|xhtml|xml|svg|vue|svelte|plist|xaml|csproj)$`}
	opening = &lazy.Pattern{X: "^(`{3,}|~{3,})\\s*([\\w+#.-]*)[^`]*$"}
	escaped = &lazy.Pattern{X: `&(?:quot|lt|gt|amp|apos|#39|#34);`}
)

var languages = map[string][]string{
	".py": {"python", "python3"}, ".go": {"golang"}, ".js": {"javascript", "node"}, ".ts": {"typescript"}, ".rb": {"ruby"}, ".rs": {"rust"},
	".sh": {"bash", "shell", "zsh"}, ".kt": {"kotlin"}, ".cs": {"csharp", "c#"}, ".cpp": {"c++"}, ".h": {"c", "cpp", "c++"}, ".hpp": {"cpp", "c++"},
	".yml": {"yaml"}, ".yaml": {"yml"}, ".htm": {"html"}, ".ps1": {"powershell"}, ".pl": {"perl"}, ".hs": {"haskell"}, ".jsx": {"javascript", "js"},
	".tsx": {"typescript", "ts"}, ".mjs": {"javascript", "js"}, ".pyi": {"python", "py"}, ".ex": {"elixir"}, ".exs": {"elixir"}, ".json": {"json5", "jsonc"},
}

// undressed is a content without what models put around it or write it as: the block between words, the text that a
// JSON string holds, the characters that entities name. how is empty where it has none of these for certain.
func (c *content) undressed() (text, how string) {
	if text, ok := c.quoted(); ok {
		return text, "It was read as the text of a JSON string."
	}
	if blocks, _, ok := c.blocks(); ok && len(blocks) == 1 && len(c.file.text) > 0 && fits(c.path, blocks[0].language) {
		return blocks[0].text, onlyBlock
	}
	if text, ok := c.named(); ok {
		return text, "Its entities were read as the characters that they name."
	}
	return "", ""
}

// onlyBlock says what was taken of a content with a block in it.
const onlyBlock = "Only the block of code in it was taken."

// surely reports whether a block is all that can be meant: nothing is around it, or with it around the content is no file of its kind.
func (c *content) surely(block string) bool {
	_, around, ok := c.blocks()
	return ok && around == 0 || c.misshapen() != "" && wrongAt(c.path, block) == 0
}

// quoted reads a file's text that was given as one JSON string.
func (c *content) quoted() (text string, ok bool) {
	t := strings.TrimSpace(c.text)
	if len(t) < 2 || t[0] != '"' || path.Ext(c.path) == ".json" || strings.HasPrefix(strings.TrimSpace(c.file.text), `"`) || json.Unmarshal([]byte(t), &text) != nil {
		return "", false
	}
	return text, strings.Contains(text, "\n")
}

// A fenced is code between fences.
type fenced struct{ language, text string }

// blocks are the fenced blocks of a content that is nothing but them and words about them, of which around counts the
// lines. A file that has fences, or whose kind has them, has them in its content.
func (c *content) blocks() (blocks []fenced, around int, ok bool) {
	if papers.In(c.path) || slices.ContainsFunc(c.file.lines, func(l string) bool { return fenceEnd.In(l) }) {
		return nil, 0, false
	}
	var inside []string
	mark := ""
	for _, l := range c.lines() {
		t := strings.TrimSpace(l)
		m := opening.For(t).FindStringSubmatch(t)
		switch {
		case mark != "" && t == mark:
			blocks[len(blocks)-1].text = strings.Join(append(inside, ""), "\n")
			inside, mark = nil, ""
		case mark != "":
			inside = append(inside, l)
		case m != nil && strings.HasPrefix(l, m[1]):
			blocks, mark = append(blocks, fenced{language: m[2]}), m[1]
		case t == "":
		case c.was[t] || !prose(t) && !naming.In(t):
			return nil, 0, false
		default:
			around++
		}
	}
	return blocks, around, len(blocks) > 0 && mark == ""
}

// prose reports whether a line is words to a reader, and no code for certain: a sentence or a heading of one.
func prose(l string) bool {
	l = strings.TrimSpace(strings.Trim(l, "*#_ "))
	first, last := rune(0), rune(0)
	for _, r := range l {
		if first == 0 {
			first = r
		}
		last = r
	}
	switch {
	case l == "" || strings.ContainsAny(l, ";{}=") || !strings.ContainsRune(".:!?。：！？", last):
		return false
	case unicode.In(first, unicode.Han, unicode.Hiragana, unicode.Katakana):
		return true
	}
	return unicode.IsUpper(first) && (strings.Contains(l, " ") || strings.ContainsRune(":：", last))
}

// fits reports whether a block's language is that of a file.
func fits(at, language string) bool {
	ext, language := strings.ToLower(path.Ext(at)), strings.ToLower(language)
	return language == "" || ext == "."+language || lists.Has(languages[ext], language) || language == strings.ToLower(path.Base(at))
}

// named reads entities in a file that has none, where the characters that they name are never written plainly and a
// line of the file, or its quotes, shows that these are meant.
func (c *content) named() (text string, ok bool) {
	if !c.entities() {
		return "", false
	}
	if strings.Contains(c.text, "&quot;") && strings.Contains(c.file.text, `"`) {
		return html.UnescapeString(c.text), true
	}
	for _, l := range c.lines() {
		if plain := html.UnescapeString(l); plain != l && c.was[strings.TrimSpace(plain)] {
			return html.UnescapeString(c.text), true
		}
	}
	return "", false
}

// entities reports whether a content writes characters as in a page, and none of them plainly.
func (c *content) entities() bool {
	if len(c.file.text) == 0 || markup.In(c.path) || escaped.In(c.file.text) {
		return false
	}
	found := escaped.For(c.text).FindAllString(c.text, -1)
	return len(found) > 0 && !slices.ContainsFunc(found, func(e string) bool {
		return e != "&amp;" && strings.Contains(c.text, html.UnescapeString(e))
	})
}

// pageOfEntities reports whether a page or a program has entities for each of the characters that tags are made of.
func (c *content) pageOfEntities() bool {
	return (pages.In(c.path) || program.In(c.path)) && strings.Contains(c.text, "&lt;") && strings.Contains(c.text, "&gt;") && !strings.ContainsAny(c.text, "<>")
}

// brokenByHand reports whether a content is one line that ends with a line break written out, which none outside a string does.
func (c *content) brokenByHand() bool {
	line := strings.TrimRight(c.text, "\n")
	return program.In(c.path) && strings.HasSuffix(line, `\n`) && !strings.HasSuffix(line, `\\n`) && !strings.Contains(line, "\n")
}

// looks reads a content that is to be a whole file as the edit, or the words about one, that it looks like.
func (c *content) looks() (edits []replacement, form nebula.Words) {
	if edits, form = c.edits(); form.Format != "" {
		return edits, form
	}
	if edits, form = c.spelledOut(); form.Format != "" {
		return edits, form
	}
	if edits, ok := c.change(); ok {
		return edits, nebula.Say("a passage and what it is to become")
	}
	if blocks, _, ok := c.blocks(); ok && len(c.file.text) > 0 && !fits(c.path, blocks[0].language) {
		return nil, nebula.Say("a block of another language")
	}
	if c.standsIn() {
		return nil, nebula.Say("words that stand for it")
	}
	return nil, nebula.Words{}
}

// What stands for a file, or tells of one, without being it.
var (
	standing = &lazy.Pattern{X: `(?i)^\W*(?:` +
		`(?:see|as|same as|like|per|from|use)\s+(?:the\s+|it\s+)*(?:above|before|below|previous|original|shown|earlier)\b.{0,40}|` +
		`(?:(?:the|your|insert|put|paste)\s+)*(?:(?:full|complete|entire|whole|new|updated|modified|actual|file|remaining|same)[\s_-]+)+(?:file|content|contents|code|text|source|program|version)\b.{0,40}|` +
		`(?:file|the|new|your)?[\s_-]*(?:content|contents|code)(?:[\s_-]+(?:goes\s+)?here)?|unchanged|no changes?|placeholder|tbd|` +
		`(?:上記|前述)(?:の(?:通り|とおり|コード|内容))?(?:を?参照)?|同上|(?:ここに)?(?:新しい|完全な|変更後の)?(?:ファイル|コード)?(?:の)?(?:全文|内容)(?:を?ここに.{0,10})?` +
		`)\W*$`}
	hole  = &lazy.Pattern{X: `^<\pL[\pL\pN _.,'-]*>$|^\[\pL[\pL\pN_.,'-]* [\pL\pN _.,'-]*\]$|^\{\{.*\}\}$`}
	arrow = &lazy.Pattern{X: `^(.{2,200}?) (?:->|=>|→|⇒) (.{1,200})$`}
	bar   = &lazy.Pattern{X: `^([^|]{2,200})\|([^|]{1,200})$`}
	order = &lazy.Pattern{X: `(?i)^(?:please |then |and )?(?:replace|change|update|modify|edit|set|insert|add|remove|delete|move|rename|put)\b.{0,120}?(?:\b(?:line|lines|row|rows)\s+\d+|\b(?:function|method|class)\b.*\b(?:with|to|so that)\b)|` +
		`^(?:replace|change|rename)\s+["'` + "`" + `].+["'` + "`" + `]\s+(?:with|to|by|into)\s+["'` + "`" + `]?\S|^.{0,40}\d+\s*行目?.{0,80}(?:変更|置換|置き換え|修正|削除|追加)(?:する|します|してください|せよ)?。?$`}
	swap = &lazy.Pattern{X: `^s(?:/[^/]+/[^/]*/|\|[^|]+\|[^|]*\||#[^#]+#[^#]*#)[gim]*;?$`}
)

// only is the one line of a content that says something, where there is no other and the file has it not.
func (c *content) only() string {
	if lines := full(c.lines()); len(lines) == 1 && !c.was[strings.TrimSpace(lines[0])] {
		return strings.TrimSpace(lines[0])
	}
	return ""
}

// placeholder reports whether a content is one line that stands for what it shall be.
func (c *content) placeholder() bool {
	l := c.only()
	return l != "" && (standing.In(l) && (l[0] == '<' || l[0] == '[' || program.In(c.path)) || hole.In(l) && !markup.In(c.path))
}

// standsIn tells what only stands for a file, or speaks of it, from the file.
func (c *content) standsIn() bool {
	if c.placeholder() {
		return true
	}
	if !program.In(c.path) {
		return false
	}
	said := 0
	for _, l := range c.lines() {
		if l = strings.TrimSpace(l); l == "" {
			continue
		}
		if said++; !prose(l) && !order.In(l) || c.was[l] || strings.HasPrefix(l, "#") || strings.HasPrefix(l, "*") {
			return false
		}
	}
	return said > 0
}

// change reads one passage and what it is to become, with an arrow, a rule or a fence between them.
func (c *content) change() (edits []replacement, looks bool) {
	if len(c.file.text) == 0 {
		return nil, false
	}
	if l := c.only(); l != "" {
		if from, to, ok := c.parted(l); ok {
			return []replacement{{Old: from, New: to}}, true
		}
		if from, to, ok := c.inWords(l); ok && !papers.In(c.path) {
			if len(filledLines(c.file.lines)) == 1 {
				edits = []replacement{{Old: from, New: to}}
			}
			return edits, true // of a longer file it may be more than that one place
		}
		for sign, form := range map[string]*regexp.Regexp{"": arrow.Re(), "|": bar.Re()} {
			m := form.FindStringSubmatch(l)
			if m != nil && strings.Contains(c.file.text, strings.TrimSpace(m[1])) && !c.signed(l, form) && (sign == "" || !strings.Contains(c.file.text, sign)) {
				return []replacement{{Old: strings.TrimSpace(m[1]), New: strings.TrimSpace(m[2])}}, true
			}
		}
		return nil, swap.In(l)
	}
	if edits, ok := c.versus(); ok {
		return edits, true
	}
	if edits, ok := c.barred(); ok {
		return edits, true
	}
	if blocks, _, ok := c.blocks(); ok && len(blocks) > 1 {
		if len(blocks) == 2 && strings.Contains(c.file.text, strings.TrimSpace(blocks[0].text)) {
			edits = []replacement{{Old: blocks[0].text, New: blocks[1].text}}
		}
		return edits, true
	}
	return nil, c.data()
}

// signed reports whether the file itself has the passage of a line with the sign behind it: then the sign is code.
func (c *content) signed(line string, form *regexp.Regexp) bool {
	at := form.FindStringSubmatchIndex(line)
	return strings.Contains(c.file.text, strings.TrimSpace(line[:at[4]]))
}

// data reports whether a content is JSON where the file is none: what was to be said of it.
func (c *content) data() bool {
	t := strings.TrimSpace(c.text)
	return program.In(c.path) && path.Ext(c.path) != ".json" && t != "" && strings.ContainsRune("{[", rune(t[0])) && !json.Valid([]byte(c.file.text)) && json.Valid([]byte(t))
}

// barred reads two passages with nothing but a bar between them, of which a file that has no bars holds the first.
func (c *content) barred() (edits []replacement, looks bool) {
	old, new, ok := strings.Cut(c.text, "|")
	if !ok || strings.ContainsAny(c.file.text+new, "|") || words(old) < partWords || strings.Count(c.file.text, strings.Trim(old, "\n")) != 1 {
		return nil, false
	}
	return []replacement{{Old: strings.Trim(old, "\n") + "\n", New: strings.Trim(new, "\n") + "\n"}}, true
}
