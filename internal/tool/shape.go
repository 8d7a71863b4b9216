package tool

import (
	"cmp"
	"encoding/json"
	"errors"
	"go/parser"
	"go/scanner"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"nebula/internal/index"
	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// A grammar is the little that is known of a kind of files to tell that a text is none: no program is compiled for it.
type grammar struct {
	run   int             // so many words in a row that are none of the language's are no code; 0 where they may be
	words map[string]bool // the language's own
	never *lazy.Pattern   // what no line outside of strings and comments looks like
	edge  *lazy.Pattern   // what every line at the left edge looks like
}

// grammars are chosen by the extension; what has a parser is in [wrongAt].
var grammars = sync.OnceValue(func() map[string]grammar {
	scriptWords := wordSet(braced)
	all := map[string]grammar{}
	add := func(g grammar, extensions string) {
		for e := range strings.FieldsSeq(extensions) {
			all["."+e] = g
		}
	}
	add(grammar{run: 2, never: &lazy.Pattern{X: `^\s*[\pL\pN_.]+\s*:\s*(?:$|(?:return|raise|import|from|def|class|while|for|with|try|assert|del|pass|break|continue)\b)`},
		words: wordSet("and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass print exec raise return try type while with yield _")}, "py pyi pyw")
	add(grammar{run: 3, never: &lazy.Pattern{X: `;\s*=>|;\s*->`}, words: scriptWords}, "js mjs cjs jsx ts tsx mts cts")
	add(grammar{run: 4, words: scriptWords}, "java kt kts c h cc cpp cxx hpp cs rs swift dart zig lua sol")
	add(grammar{edge: &lazy.Pattern{X: `^(?:#|;|\[|[\w."' -]+\s*=|[\])}"'])`}}, "toml")
	add(grammar{edge: &lazy.Pattern{X: `^(?:#|;|\[|[^\s=:][^=:]*[=:]|\S+$)`}}, "ini cfg conf")
	add(grammar{edge: &lazy.Pattern{X: `^(?:#|(?:export\s+)?\w[\w.]*=)`}}, "env")
	add(grammar{edge: &lazy.Pattern{X: `^(?:#|---|\.\.\.|%|[-?](?:\s|$)|["'{}\[\]]|[^\s:#]+(?: [^\s:#]+){0,2}:(?:\s|$))`},
		never: &lazy.Pattern{X: `^[\w./ -]+: +[^"'&*!|>{\[#\s][^"'#{\[]*[^\s"'#{\[]: `}}, "yml yaml")
	return all
})

// braced are the words of languages with braces, all of them: one that a language has not is not its loss.
const braced = "abstract accessor any as asserts async auto await base bool boolean break by byte case catch char class companion const consteval constexpr constructor continue crate data debugger declare default defer delegate delete do " +
	"double dyn else enum explicit export extends extension extern external false fileprivate final finally float fn for friend from fun func function get global go goto guard if impl implements import in infer infix inline inout inner instanceof int interface internal " +
	"is it keyof lateinit let local long loop match mod module move mut mutable namespace native new noexcept not null object of open operator optional or out override package partial private protected protocol pub public readonly record ref register repeat " +
	"require required restrict return satisfies sealed self set short signed sizeof static struct super suspend switch synchronized template then this throw throws trait transient true try type typealias typedef typeof typename undefined union unique unsafe " +
	"unsigned until use using val var vararg virtual void volatile weak when where while with yield nil and end elseif mixin late factory"

// wrongAt is the first line, from 1, where a text cannot be what its file's name says; 0 where there is none, or where nobody can tell.
func wrongAt(at, text string) int {
	if n := misspelt(at, text); n > 0 {
		return n
	}
	return unnested(at, text)
}

// misspelt is wrongAt for what the lines of a text say.
func misspelt(at, text string) int {
	ext := strings.ToLower(path.Ext(at))
	if base := strings.ToLower(path.Base(at)); base == ".env" || strings.HasPrefix(base, ".env.") {
		ext = ".env"
	}
	switch ext {
	case ".go":
		return notGo(text)
	case ".json":
		return notJSON(text)
	case ".html", ".htm", ".xml", ".svg", ".xhtml", ".plist":
		return outsideTags(text)
	}
	g, ok := grammars()[ext]
	if !ok {
		return 0
	}
	return g.wrong(at, text)
}

func notGo(text string) int {
	_, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if list := (scanner.ErrorList)(nil); errors.As(err, &list) && len(list) > 0 {
		return max(list[0].Pos.Line, 1)
	}
	return 0
}

func notJSON(text string) int {
	var any json.RawMessage
	if err := (*json.SyntaxError)(nil); errors.As(json.Unmarshal([]byte(text), &any), &err) {
		return 1 + strings.Count(text[:min(int(err.Offset), len(text))], "\n")
	}
	return 0
}

// outsideTags is a line before the first tag of a page or behind its last one.
func outsideTags(text string) int {
	all := strings.Split(strings.TrimRight(text, " \t\r\n"), "\n")
	for i, l := range all {
		if l = strings.TrimSpace(l); l != "" && !strings.Contains(l, "{{") && !strings.Contains(l, "{%") && (i == 0 || strings.TrimSpace(strings.Join(all[:i], "")) == "") {
			if l[0] != '<' {
				return i + 1
			}
			break
		}
	}
	if last := all[len(all)-1]; len(text) > 0 && !strings.ContainsAny(last, "<>{}") && strings.Contains(text, "<") && prose(last) {
		return len(all)
	}
	return 0
}

// wrong is the first line that the grammar has not.
func (g grammar) wrong(at, text string) int {
	code, known := index.Code(at, []byte(text))
	if !known {
		code = text
	}
	if strings.Contains(code, "</") || strings.Contains(code, "/>") {
		g.run = 0 // words stand between tags
	}
	deep, scalar := 0, -1 // brackets that are open, the indentation of a block of text
	for i, l := range strings.Split(code, "\n") {
		l = strings.TrimRight(l, " \t\r")
		if scalar >= 0 && (l == "" || len(lead(l)) > scalar) {
			continue
		}
		scalar = -1
		switch {
		case l == "":
			continue
		case g.run > 0 && g.prose(l), g.never != nil && deep == 0 && !g.block(l) && g.never.In(l),
			g.edge != nil && deep == 0 && lead(l) == "" && !g.edge.In(l):
			return i + 1
		}
		if g.edge == nil || !strings.HasPrefix(l, "#") {
			deep += open(l)
		}
		if !known && (strings.HasSuffix(l, "|") || strings.HasSuffix(l, ">") || strings.HasSuffix(l, "|-") || strings.HasSuffix(l, ">-") || strings.HasSuffix(l, "|+")) {
			scalar = len(lead(l))
		}
		if strings.Count(l, `"""`)%2 == 1 || strings.Count(l, `'''`)%2 == 1 {
			return 0 // what follows is text, up to where nobody looked
		}
	}
	return 0
}

// block reports whether a line is the head of a block that begins with a word of the language.
func (g grammar) block(l string) bool {
	first := strings.FieldsFunc(l, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return len(first) > 0 && g.words[first[0]]
}

// prose reports whether words stand in a row in a line, with nothing between them, that are none of the language.
func (g grammar) prose(l string) bool {
	run, foreign := 0, false
	for at := 0; at < len(l); {
		end := at
		for end < len(l) && wordByte(l[end]) {
			end++
		}
		switch w := l[at:end]; {
		case end == at:
			if l[at] != ' ' && l[at] != '\t' {
				run, foreign = 0, false
			}
			end++
		case g.words[w]:
			run, foreign = 0, false
		default:
			run++
			foreign = foreign || w[len(w)-1] >= 0x80
			if run >= g.run || run > 1 && (foreign || strings.Trim(w, "0123456789") == "") {
				return true
			}
		}
		at = end
	}
	return false
}

//go:noinline
func wordByte(b byte) bool {
	return b == '_' || b == '$' || b >= 0x80 || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// misshapen is a line of a content that shows that it is no file of its kind, where the file is one.
func (c *content) misshapen() string {
	if len(full(c.file.lines)) == 0 {
		return ""
	}
	n := wrongAt(c.path, c.text)
	if n == 0 || wrongAt(c.path, c.file.text) > 0 {
		return ""
	}
	all := c.lines()
	for _, l := range all[min(n, len(all))-1:] {
		if strings.TrimSpace(l) != "" {
			return strings.TrimSpace(l)
		}
	}
	if left := full(all); len(left) > 0 { // it ends too early
		return strings.TrimSpace(left[len(left)-1])
	}
	return ""
}

// breaks sends edits back that make of a file of its kind one that is none.
func (c *content) breaks(next string) error {
	whole := *c
	whole.text = unix(next)
	if line := cmp.Or(whole.misshapen(), whole.flushed()); line != "" {
		return c.refuse("Give in new only the lines as they shall be, and edits that belong together in one call.", "With this change %q would be no %s any more, which the file is: %q.", c.path, kindOf(c.path), phrase.OneLine(line, 80))
	}
	return nil
}

// unframed is a content without the words above and below it, and without the file's name, where it is a file of its kind without
// them and none with them. only is whether there is no telling, but that the file begins below the words.
func (c *content) unframed() (text string, only bool) {
	all := c.lines()
	from, to := 0, len(all)
	name := func(l string) bool {
		bare := strings.Trim(strings.TrimSpace(l), "`*:： ")
		return bare == path.Base(c.path) || bare == c.path
	}
	stray := func(l string) bool {
		t := strings.TrimSpace(l)
		return t == "" || !c.was[t] && !noted.In(l) && (prose(t) || name(l) || naming.In(t) && strings.ContainsAny(t[len(t)-1:], ":`"))
	}
	for from < to && stray(all[from]) {
		from++
	}
	for to > from && stray(all[to-1]) {
		to--
	}
	inside := full(all[from:to])
	if len(inside) == 0 {
		return "", false
	}
	text = strings.Join(inside, "\n") + "\n"
	around := append(filledLines(all[:from]), filledLines(all[to:])...)
	if c.misshapen() != "" && wrongAt(c.path, text) == 0 || len(around) == 1 && from > 0 && name(around[0]) {
		return text, false
	}
	was, above := full(c.file.lines), from > 0
	if len(inside) > 1 && fenceEnd.In(inside[0]) && fenceEnd.In(inside[len(inside)-1]) {
		inside, around, above = inside[1:], append(around, inside[0]), true
	}
	sentences := markup.In(c.path) || strings.EqualFold(path.Ext(c.path), ".txt") // of which one below the rest may be a new one
	return "", len(was) > 0 && inside[0] == was[0] && len(around) > 0 && (above || !sentences)
}

// sentence is a run of words, as no head of a definition is one.
var sentence = &lazy.Pattern{X: `(?:\pL{2,} ){2,}\pL{2,}\s*$`}

// unlike reports whether a content of a line or two, of a file that is longer, defines nothing where the file does, or has not one of
// its words: it hardly is what becomes of it.
func (c *content) unlike() bool {
	given, was := len(filledLines(c.lines())), len(filledLines(c.file.lines))
	defines := len(index.Definitions(c.path, []byte(c.text))) > 0 && !sentence.In(c.text)
	if given == 0 || given > 2 || 2*given > was || defines || c.keepsAll() {
		return false
	}
	if len(index.Definitions(c.path, []byte(c.file.text))) > 0 {
		return true
	}
	if path.Ext(c.path) == "" || markup.In(c.path) {
		return false
	}
	letters := func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	has := map[string]bool{}
	for _, w := range strings.FieldsFunc(c.file.text, letters) {
		has[w] = true
	}
	return !slices.ContainsFunc(strings.FieldsFunc(c.text, letters), func(w string) bool { return len(w) > 1 && has[w] })
}

// lost are the definitions of the file that a content has not, where they would be missed: what is left uses them, or another file
// does, or the content is a part of the file in which something else was changed, with fewer new ones of its own.
func (c *content) lost() (names []string) {
	now, was := map[string]bool{}, map[string]bool{}
	for _, s := range index.Definitions(c.path, []byte(c.text)) {
		now[s.Parent+"."+s.Name] = true
	}
	kept, alone := 0, true // nothing but one member of what is kept is lost
	for _, s := range index.Definitions(c.path, []byte(c.file.text)) {
		name := s.Parent + "." + s.Name
		switch {
		case was[name], s.Name == "_":
		case now[name], s.Sign != "" && strings.Contains(c.text, s.Sign):
			kept++
		default:
			names = append(names, s.Name)
			alone = s.Parent != "" && len(names) == 1
		}
		was[name] = true
	}
	_, quoted, versions, added := c.against()
	switch {
	case len(names) == 0, c.spoken(names):
		return nil
	case len(names) <= len(now)-kept, c.brings(names): // they have other names now, or stand elsewhere
		return nil
	case versions+added > 0 && kept+quoted > 0 && !alone:
		return names
	case markup.In(c.path), len(now) == 0:
		return nil
	}
	return lists.Drop(names, func(name string) bool { return !c.missed(name) })
}

// brings reports whether a content brings in from elsewhere all of some names.
//
//go:noinline
func (c *content) brings(names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		return !slices.ContainsFunc(c.lines(), func(l string) bool {
			return bringing.In(l) && lists.Has(strings.FieldsFunc(l, func(r rune) bool { return !wordRune(r) }), name)
		})
	})
}

func wordRune(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// keepsAll reports whether a content has all that its file defines, or brings it in.
func (c *content) keepsAll() bool {
	now := map[string]bool{}
	for _, s := range index.Definitions(c.path, []byte(c.text)) {
		now[s.Name] = true
	}
	was := index.Definitions(c.path, []byte(c.file.text))
	return len(was) > 0 && !slices.ContainsFunc(was, func(s index.Symbol) bool { return !now[s.Name] && !c.brings([]string{s.Name}) })
}

// missed reports whether a name that the content does not define any more is used in it, or in another file.
func (c *content) missed(name string) bool {
	word, err := regexp.Compile(`(?m)^.*(?:^|[^\pL\pN_.$])` + regexp.QuoteMeta(name) + `(?:$|[^\pL\pN_$]).*$`)
	if err != nil || len(name) < 2 {
		return false
	}
	code, known := index.Code(c.path, []byte(c.text))
	if !known {
		code = c.text
	}
	if path.Ext(c.path) != ".go" { // where what another file of the folder defines is known too
		for _, l := range word.FindAllString(code, -1) {
			return !bringing.In(l) && !strings.Contains(c.text, "import *")
		}
	}
	return c.elsewhere != nil && c.elsewhere(name)
}

// bringing is a line that brings a name in from elsewhere, or that gives it its meaning in another way.
var bringing = &lazy.Pattern{X: `\b(?:import|require|include|using|use|from|global|as)\b|^\s*[\w, ]+ = `}

// against compares the lines of a content with those of the file: how many of the file's it has not, how many it has as they are, how
// many in another version, and how many are none of the file's.
func (c *content) against() (lost, quoted, versions, added int) {
	left, was := filledLines(c.lines()), filledLines(c.file.lines)
	for _, l := range was {
		if i := slices.Index(left, l); i == 0 {
			left, quoted = left[1:], quoted+1
		} else if i > 0 {
			left, quoted = lists.Delete(left, i, i+1), quoted+1
		} else {
			lost++
		}
	}
	if len(left) > comparedLines || len(was) > comparedLines {
		return lost, quoted, 0, len(left)
	}
	for _, l := range was {
		if i := slices.IndexFunc(left, func(o string) bool { return !c.was[o] && near(o, l) }); i >= 0 {
			left, versions, lost = lists.Delete(left, i, i+1), versions+1, lost-1
		}
	}
	return lost, quoted, versions, len(left)
}

// comparedLines bounds the files of which each line is compared with each.
const comparedLines = 400

// thinned reports whether a content is some lines of the file, one of them changed, and hardly anything else: half of the file or more
// would be gone.
func (c *content) thinned() bool {
	given, was := len(filledLines(c.lines())), len(filledLines(c.file.lines))
	if was < 2 || given >= was || given == 0 || c.keepsAll() && !markup.In(c.path) {
		return false
	}
	lost, quoted, versions, added := c.against()
	return 2*lost >= was && versions+added > 0 && (quoted > 0 || given == 1 && versions > 0) && 2*added <= lost
}

// filledLines are lines with something on them, without the white space around them.
//
//go:noinline
func filledLines(lines []string) (out []string) {
	for _, l := range lines {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}

// farewell is how the words beside a change say that something goes.
var farewell = &lazy.Pattern{X: `(?i)\b(?:remov|delet|drop|unused|dead|obsolete|clean|strip|trim|shorten|shrink|simplif|reduc|cut|mov(?:e|ing)|extract|split|merg|inlin|consolidat|get rid|no longer|start over|from scratch|rewrit|slim)` +
	`|削除|除去|消し|消す|取り除|移動|移す|整理|書き直|不要|統合|簡素|簡略|短く|分割|切り出|減ら`}

// spoken reports whether the words beside the change say that something of these goes, or name one of them, or a remark of the content
// says that something is gone.
func (c *content) spoken(names []string) bool {
	if slices.ContainsFunc(c.lines(), func(l string) bool {
		return noted.In(l) && gone.In(l) && !c.was[strings.TrimSpace(l)]
	}) {
		return true
	}
	return farewell.In(c.said) || slices.ContainsFunc(names, func(n string) bool { return len(n) > 2 && strings.Contains(c.said, n) })
}

// kindOf names the kind of a file for the model.
func kindOf(at string) string {
	if ext := strings.TrimPrefix(path.Ext(at), "."); ext != "" {
		return ext + " file"
	}
	return path.Base(at)
}
