package tui

import (
	"strings"
	"unicode/utf8"

	"nebula/internal/terminal"
)

// A grammar is what the highlighter knows of a language: enough to tell words, strings, numbers and remarks apart.
type grammar struct {
	words  string // keywords, each between spaces
	line   string // what begins a remark to the end of the line, several between spaces
	open   string // what begins a remark of many lines
	shut   string // what ends it
	quotes string // what strings stand between
	long   string // quotes of strings over many lines, several between spaces
	fold   bool   // keywords in any case
}

const (
	cWords    = " auto bool break case char class const continue default delete do double else enum explicit export extern false final float for friend goto if import inline int interface long namespace new null nullptr operator override package private protected public register return short signed sizeof static struct super switch template this throw throws true try typedef typename union unsigned using virtual void volatile while string var async await implements extends abstract boolean byte fun val when object companion data sealed is in out ref readonly get set let func guard protocol extension init self nil "
	goWords   = " break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var nil true false any bool byte error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr append cap close copy delete len make max min new panic recover "
	jsWords   = " as async await break case catch class const continue debugger default delete do else enum export extends false finally for from function get if implements import in instanceof interface let new null of private protected public readonly return set static super switch this throw true try type typeof undefined var void while yield string number boolean any unknown never "
	pyWords   = " and as assert async await break class continue def del elif else except False finally for from global if import in is lambda match case None nonlocal not or pass raise return self True try while with yield "
	rustWords = " as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return Self self static struct super trait true type unsafe use where while bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize String Vec Option Some None Result Ok Err Box "
	shWords   = " case do done elif else esac export fi for function if in local return select set shift then until while cd echo exit source sudo unset trap "
	sqlWords  = " add all alter and as asc begin between by case check column commit constraint create default delete desc distinct drop else end exists foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer primary references right rollback select set table then transaction trigger union unique update using values view when where with integer text real blob varchar boolean "
	rbWords   = " alias and begin break case class def do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield require attr_accessor "
	dataWords = " true false null yes no on off "
)

// grammarFor knows the names that fences carry. An unknown language has only its strings and numbers painted.
func grammarFor(lang string) (grammar, bool) {
	if i := strings.IndexAny(lang, " {:,"); i >= 0 {
		lang = lang[:i]
	}
	c := grammar{line: "//", open: "/*", shut: "*/", quotes: "\"'`"}
	switch lang {
	case "go", "golang":
		c.words, c.long = goWords, "`"
	case "js", "javascript", "jsx", "ts", "typescript", "tsx", "mjs", "json5", "vue", "svelte":
		c.words, c.long = jsWords, "`"
	case "rs", "rust":
		c.words, c.quotes = rustWords, "\""
	case "c", "h", "cpp", "c++", "cc", "hpp", "java", "cs", "csharp", "kotlin", "kt", "swift", "scala", "dart", "php", "proto", "zig":
		c.words = cWords
	case "css", "scss", "less":
		c.line = ""
	case "py", "python", "python3":
		c = grammar{words: pyWords, line: "#", quotes: "\"'", long: "\"\"\" '''"}
	case "sh", "bash", "zsh", "shell", "console", "fish", "dockerfile", "make", "makefile":
		c = grammar{words: shWords, line: "#", quotes: "\"'"}
	case "rb", "ruby", "elixir", "ex", "crystal":
		c = grammar{words: rbWords, line: "#", quotes: "\"'"}
	case "sql":
		c = grammar{words: sqlWords, line: "--", open: "/*", shut: "*/", quotes: "'\"", fold: true}
	case "lua", "haskell", "hs":
		c = grammar{words: " and break do else elseif end false for function goto if in local nil not or repeat return then true until while where let case of module import data type instance class ", line: "--", quotes: "\"'"}
	case "json", "jsonc":
		c = grammar{words: dataWords, line: "//", quotes: "\""}
	case "yaml", "yml", "toml", "ini", "conf", "properties", "env":
		c = grammar{words: dataWords, line: "#", quotes: "\"'"}
	case "html", "xml", "svg":
		c = grammar{open: "<!--", shut: "-->", quotes: "\"'"}
	default:
		return grammar{}, false
	}
	return c, true
}

// highlight paints one line of code. Inside is what closes the remark or string that the line begins in; it returns the
// same for the next line.
func highlight(s style, lang, line, inside string) (string, string) {
	if lang == "diff" || lang == "patch" {
		return terminal.Paint(diffStyle(s, line), line), ""
	}
	g, ok := grammarFor(lang)
	if !ok || s.keyword == "" {
		return line, ""
	}
	p := painter{style: s, grammar: g, rest: line}
	if inside != "" {
		if inside = p.until(inside, inside == g.shut); inside != "" {
			return p.out.String(), inside
		}
	}
	for p.rest != "" {
		if inside = p.piece(); inside != "" {
			break
		}
	}
	return p.out.String(), inside
}

type painter struct {
	style   style
	grammar grammar
	rest    string
	out     strings.Builder
}

func (p *painter) put(style string, n int) {
	p.out.WriteString(terminal.Paint(style, p.rest[:n]))
	p.rest = p.rest[n:]
}

// until paints up to and with the end mark, and returns the mark when it is not on this line.
func (p *painter) until(mark string, remark bool) string {
	style := p.style.text
	if remark {
		style = p.style.remark
	}
	i := strings.Index(p.rest, mark)
	if i < 0 {
		p.put(style, len(p.rest))
		return mark
	}
	p.put(style, i+len(mark))
	return ""
}

// piece paints the next thing of the line, and returns what closes it when it goes on in the next.
func (p *painter) piece() string {
	g, rest := p.grammar, p.rest
	c := rest[0]
	if g.line != "" && strings.HasPrefix(rest, g.line) {
		p.put(p.style.remark, len(rest))
		return ""
	}
	if g.open != "" && strings.HasPrefix(rest, g.open) {
		p.put(p.style.remark, len(g.open))
		return p.until(g.shut, true)
	}
	for _, mark := range strings.Fields(g.long) {
		if strings.HasPrefix(rest, mark) {
			p.put(p.style.text, len(mark))
			return p.until(mark, false)
		}
	}
	switch {
	case strings.IndexByte(g.quotes, c) >= 0:
		p.put(p.style.text, quoted(rest))
	case c >= '0' && c <= '9':
		p.put(p.style.number, span(rest, "0123456789abcdefxABCDEFX_.obn"))
	case letter(c):
		n := 1
		for n < len(rest) && (letter(rest[n]) || rest[n] >= '0' && rest[n] <= '9') {
			n++
		}
		word := rest[:n]
		if g.fold {
			word = strings.ToLower(word)
		}
		style := ""
		if strings.Contains(g.words, " "+word+" ") {
			style = p.style.keyword
		}
		p.put(style, n)
	case c < utf8.RuneSelf:
		p.put("", 1)
	default:
		_, n := utf8.DecodeRuneInString(rest)
		p.put("", n)
	}
	return ""
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

// quoted is how long the string is that s begins with; to the end of the line when it is not closed.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		}
	}
	return len(s)
}

func span(s, of string) int {
	n := 1
	for n < len(s) && strings.IndexByte(of, s[n]) >= 0 {
		n++
	}
	return n
}
