package tool

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// A placeholder is a line that stands for others. dots are one by themselves, words only in a comment, brackets or dots.
var (
	dots   = &lazy.Pattern{X: `^(?:(?://+|#+|--+|/\*+|\*|<!--|;+|%+|\{/\*|\(\*|'|"|REM)\s*)?[\[({<（【]?\s*(?:\.{3,}|…+|⋮|︙|〜|・{3,})\s*[\])}>）】]?\s*(?:\*/\}?|-->|\*\)|"|-\})?$`}
	framed = &lazy.Pattern{X: `^(?://+|#+|--+|/\*+|\*|<!--|;+|%+|\{/\*|\(\*|'|"|REM\b)?\s*[\[({<（【「]*\s*(?:\.{3,}|…+)[^.…].{0,70}(?:\.{3,}|…+)\W*$`}
	spread = &lazy.Pattern{X: `^[\[({]?\.{3}[\pL_$(\[{]`}
	frame  = &lazy.Pattern{X: `^(?://+|#+|--+|/\*+|\*|<!--|;+|%+|\{/\*|\(\*|\{-|'|REM\b|"""|[\[(（【「〜～~]|\.{3,}|…)`}
	tag    = &lazy.Pattern{X: `^<[^<>/]+>$`}
	head   = &lazy.Pattern{X: `^#{1,6} \p{Lu}`}
	others = &lazy.Pattern{X: `(?i)^(?:(?:le )?reste (?:du (?:code|fichier) )?(?:inchangée?|identique|sans changement)|(?:der )?rest (?:des codes |der datei )?(?:bleibt )?(?:unverändert|gleich|wie (?:bisher|gehabt|vorher))|wie bisher|(?:el )?resto (?:del código )?(?:sin cambios|igual|no cambia)|` +
		`(?:其余|其他|剩余|原有|现有|以下)(?:的)?(?:代码|部分|内容|函数|方法)?(?:保持)?(?:不变|省略|相同|同上)|(?:此处|中间)?(?:代码)?省略)$`}
	elidedJa = &lazy.Pattern{X: `^(?:(?:以下|以降|以上|中|後|前|途中|ここは?|この間は?)?(?:は)?(?:、)?(?:省略|略)(?:します|しています|済み)?|` +
		`(?:これ)?(?:ここから(?:下|先|後)|この(?:下|先|後)|以下|以降|残り|のこり|その他|それ以外|変更箇所以外|ほか|他|既存|上|元)(?:の)?(?:コード|部分|行|処理|内容|関数|実装|メソッド|テスト|ファイル|もの)?(?:は|が|を|も)?(?:、)?(?:すべて|全て|全部)?(?:の)?` + staysJa + `|` +
		`(?:前|上|以前|先ほど|従来|これまで|元)(?:と|の)?(?:コードと?)?(?:同じ|同様|通り|とおり|まま)(?:です)?|` + staysJa + `|` +
		`(?:既存|残り|元)の?(?:コード|処理|実装|内容|行)|(?:ここ|以下)[にはも]?既存のコード|以下同文|以下同じ|以下略)$`}
	namedJa = &lazy.Pattern{X: `^([\w.()、 ]{1,60}?)(?:関数|メソッド|クラス|の部分)?(?:は|も)` + staysJa + `$`}
)

// staysJa says in Japanese that something is as it was.
const staysJa = `(?:変更なし|変更無し|変更ありません|変更しない|変更しません|変わらず|変わりません|変わらない|(?:元の|その)まま(?:です|残す|維持)?|同じ(?:です)?|同様(?:です)?|同文|省略|略|維持)`

// remark is what a line says, without the signs around it.
func remark(t string) string {
	return strings.TrimSpace(strings.TrimPrefix(strings.Trim(t, " \t/*#-<>!;%'\"(){}[]~〜～（）【】「」…．。.,:=_|—–"), "REM "))
}

// kept reports whether a line, of which t is what counts, says that lines of the file stay.
func (c *content) kept(lines []string, i int, t string) bool {
	if len(t) < 3 || len(t) > 120 || !frame.In(t) && (!tag.In(t) || markup.In(c.path)) || markup.In(c.path) && head.In(t) {
		return false
	}
	named := func(name string) bool {
		return len(name) > 1 && holds(c.file.lines, name, -1) && (!holds(lines, name, i) || alone(lines, i) && strings.Contains(lines[ending(lines[:i])-1], name))
	}
	body := remark(t)
	if leaves(body, named) || elidedJa.In(body) || others.In(body) {
		return true
	}
	m := namedJa.For(body).FindStringSubmatch(body)
	return m != nil && slices.ContainsFunc(strings.FieldsFunc(m[1], func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }), named)
}

// holds reports whether one of the lines, but for one, has a name as a word that something follows which a definition has.
func holds(lines []string, name string, but int) bool {
	for i, l := range lines {
		for at := 0; i != but; {
			n := strings.Index(l[at:], name)
			if n < 0 {
				break
			}
			at += n + len(name)
			before, _ := utf8.DecodeLastRuneInString(l[:at-len(name)])
			if rest := strings.TrimLeft(l[at:], " "); before != '_' && !unicode.IsLetter(before) && !unicode.IsDigit(before) && (rest == "" || strings.ContainsRune("(:={<[", rune(rest[0]))) {
				return true
			}
		}
	}
	return false
}

// dotted reports whether a line, without white space around it, stands for others by its dots alone.
func dotted(t string) bool {
	if len(t) < 3 || len(t) > 120 || spread.In(t) && !strings.HasSuffix(t, "...") {
		return false
	}
	return strings.ContainsAny(t, ".…⋮︙〜・") && (dots.In(t) && t != "〜" || framed.In(t))
}

// anchors bounds how many lines beside a placeholder tell where it stands.
const anchors = 12

// merged puts what a text leaves out of base back in. left is the first placeholder, empty when there is none; the merged
// text is empty when it is not clear what one stands for. It is where the lines before it are in the base, up to where
// those behind it are; the beginning and the end of the text are those of the base.
func (c *content) merged(base, text string) (whole, left string) {
	lines, was := strings.Split(text, "\n"), strings.Split(strings.TrimSuffix(base, "\n"), "\n")
	stands := func(i int) bool {
		says, dots := c.leftOut(lines, i)
		return says || dots || c.itemLeft(was, lines, i)
	}
	var out []string
	at, last := 0, -1 // what of base is done, and the last placeholder
	for i := range lines {
		if !stands(i) {
			continue
		}
		if left == "" {
			left = strings.TrimSpace(lines[i])
		}
		before, next := lines[last+1:i], i+1
		for next < len(lines) && !stands(next) {
			next++
		}
		from, ok := behind(was, at, before, last < 0)
		to, found := ahead(was, from, lines[i+1:next])
		if base == "" || !ok || !found {
			return "", left
		}
		if last >= 0 {
			before = full(before)
		}
		out = append(append(out, before[:ending(before)]...), was[from:to]...)
		at, last = to, i
	}
	switch rest := lines[last+1:]; {
	case left == "":
		return "", ""
	case len(full(rest)) > 0:
		first, _ := edges(rest)
		return strings.Join(append(out, rest[first:]...), "\n"), left
	case strings.HasSuffix(base, "\n"):
		out = append(out, "")
	}
	return strings.Join(out, "\n"), left
}

// leftOut reports whether a line of a content stands for others, by what it says or by its dots alone. One that the file has
// does not, nor do dots in a longer comment or, where there is no file yet, any dots by themselves.
func (c *content) leftOut(lines []string, i int) (says, dots bool) {
	t := strings.TrimSpace(lines[i])
	if rest, ok := strings.CutPrefix(t, "pass "); ok && strings.HasPrefix(strings.TrimSpace(rest), "#") { // a body that only a remark has
		t = strings.TrimSpace(rest)
	}
	if c.was[strings.TrimSpace(lines[i])] || c.python(lines, i) || c.endsDocument(lines, i) {
		return false, false
	}
	beside := func(j int) bool { return j >= 0 && j < len(lines) && c.remarks(lines, j, t) }
	return c.kept(lines, i, t) && !(i > 0 && goesOn(lines[i-1], t)), dotted(t) && len(c.file.lines) > 0 && !beside(i-1) && !beside(i+1)
}

// endsDocument reports whether a line of dots is the end of a document of YAML, with nothing of the file gone that could stand there.
func (c *content) endsDocument(lines []string, i int) bool {
	if lines[i] != "..." || !isYAML(c.path) || len(filledLines(lines)) <= len(filledLines(c.file.lines)) {
		return false
	}
	rest := full(lines[i+1:])
	return len(rest) == 0 || strings.HasPrefix(rest[0], "---")
}

// idle reports whether the placeholders of a content, all of them dots, stand for nothing: without them it is all that it becomes, so that
// they are remarks of its own.
func (c *content) idle(whole string) bool {
	if lost, _, _, _ := c.against(); whole == "" && lost > 0 {
		return false
	}
	lines, rest := c.lines(), []string(nil)
	if end := full(lines); documents.In(c.path) && len(end) > 1 && strings.Trim(end[len(end)-1], ".…") == "" { // nobody ends a text with them
		return false
	}
	for i, l := range lines {
		says, dots := c.leftOut(lines, i)
		if says {
			return false
		}
		if !dots {
			rest = append(rest, l)
		}
	}
	return whole == "" || lists.Equal(filledLines(rest), filledLines(strings.Split(whole, "\n"))) && whole != c.file.text
}

// above reports whether a new text for one line begins with dots in a remark, and has more below it: they stand for nothing of that line.
func above(old, now string) bool {
	lines := filledLines(strings.Split(now, "\n"))
	return len(filledLines(strings.Split(old, "\n"))) == 1 && len(lines) > 1 && noted.In(lines[0]) && dotted(lines[0]) &&
		!slices.ContainsFunc(lines[1:], dotted)
}

// remarks reports whether a line is a comment with something in it, as the one that begins like t is.
func (c *content) remarks(lines []string, i int, t string) bool {
	l := strings.TrimSpace(lines[i])
	for _, mark := range []string{"//", "#", "--", "*", ";", "%"} {
		if strings.HasPrefix(t, mark) {
			return strings.HasPrefix(l, mark) && words(l) > 1 && !dotted(l) && !c.kept(lines, i, l)
		}
	}
	return false
}

// alone reports whether a line is all that is below a line which stands farther out.
func alone(lines []string, i int) bool {
	above, next := ending(lines[:i])-1, i+1
	for next < len(lines) && strings.TrimSpace(lines[next]) == "" {
		next++
	}
	return above >= 0 && len(lead(lines[above])) < len(lead(lines[i])) && (next == len(lines) || len(lead(lines[next])) < len(lead(lines[i])))
}

// wrapped is how long a line is, at least, that a sentence was broken at.
const wrapped = 40

// goesOn reports whether a comment is the rest of the sentence that the line above begins.
func goesOn(above, t string) bool {
	mark := t[:len(t)-len(strings.TrimLeft(t, "/#*;%-"))]
	begun, found := strings.CutPrefix(strings.TrimSpace(above), mark)
	text := strings.TrimSpace(t[len(mark):])
	return mark != "" && found && len(begun) > wrapped && text != "" && unicode.IsLower([]rune(text)[0]) && !strings.ContainsRune(".:!?)", rune(begun[len(begun)-1]))
}

// ending is where the empty lines at the end begin.
func ending(lines []string) int {
	n := len(lines)
	for n > 0 && strings.TrimSpace(lines[n-1]) == "" {
		n--
	}
	return n
}

// python reports whether a line of dots is the body of a definition that the file does not have: nothing but its head, and
// perhaps its description, is above it.
func (c *content) python(lines []string, i int) bool {
	if t := strings.TrimSpace(lines[i]); t != "..." || !strings.HasSuffix(c.path, ".py") && !strings.HasSuffix(c.path, ".pyi") {
		return false
	}
	above := ending(lines[:i]) - 1
	if above < 0 {
		return false
	}
	t := strings.TrimSpace(lines[above])
	for described := strings.HasSuffix(t, `"""`) && above > 0; described; described = above > 0 && !strings.HasSuffix(t, ":") {
		above--
		t = strings.TrimSpace(lines[above])
	}
	return strings.HasSuffix(t, ":") && len(lead(lines[above])) < len(lead(lines[i])) && (!c.was[t] || c.stub(lines[:above+1]))
}

// stub reports whether what is above makes a body of dots right, whatever the file has there.
func (c *content) stub(above []string) bool {
	if strings.HasSuffix(c.path, ".pyi") {
		return true
	}
	for i := len(above) - 1; i >= 0; i-- {
		switch t := strings.TrimSpace(above[i]); {
		case strings.HasPrefix(t, "class "):
			return strings.Contains(t, "Protocol") || strings.Contains(t, "ABC")
		case strings.HasPrefix(t, "@"):
			return strings.Contains(t, "overload") || strings.Contains(t, "abstract")
		}
	}
	return false
}

// behind finds the line of base, from at on, behind the lines that stand before a placeholder: the longest end of them
// that is there once. Before the first placeholder nothing need stand.
func behind(base []string, at int, before []string, first bool) (int, bool) {
	before = full(before)
	if len(before) == 0 {
		return at, first
	}
	for n := min(len(before), anchors); n > 0; n-- {
		if place, ok := once(base[at:], before[len(before)-n:]); ok {
			return at + place[1], true
		}
	}
	return closing(base[at:], before, at)
}

// closing finds the end of a piece whose last lines were changed, but for the one that ends it: the next one like it
// behind the last line of the piece that tells where it is.
func closing(base, piece []string, at int) (int, bool) {
	last := strings.TrimRight(piece[len(piece)-1], " \t")
	for n := len(piece) - 2; n >= 0; n-- {
		place, ok := once(base, piece[n:n+1])
		if !ok {
			continue
		}
		near := base[place[1]:min(place[1]+2*(len(piece)-n)+anchors, len(base))]
		i := slices.IndexFunc(near, func(l string) bool { return strings.TrimRight(l, " \t") == last })
		return at + place[1] + i + 1, i >= 0
	}
	return 0, false
}

// ahead finds the line of base, from at on, where the lines behind a placeholder begin. Nothing behind it is the end.
func ahead(base []string, at int, next []string) (int, bool) {
	next = full(next)
	if len(next) == 0 {
		return len(base), true
	}
	for n := min(len(next), anchors); n > 0; n-- {
		if place, ok := once(base[at:], next[:n]); ok {
			return at + place[0], true
		}
	}
	return 0, false
}

// full are lines without the empty ones at both ends.
func full(lines []string) []string {
	first, last := edges(lines)
	if last < first || strings.TrimSpace(lines[first]) == "" {
		return nil
	}
	return lines[first : last+1]
}

// once finds the one place where lines stand in base, white space at their ends apart, as the indexes of the first and
// of the one behind the last. Lines without a word tell nothing.
func once(base, lines []string) (place [2]int, ok bool) {
	if !slices.ContainsFunc(lines, func(l string) bool { return words(l) >= 2 }) {
		return place, false
	}
	same := func(a, b string) bool { return strings.TrimRight(a, " \t") == strings.TrimRight(b, " \t") }
	for i := 0; i+len(lines) <= len(base); i++ {
		if !slices.EqualFunc(base[i:i+len(lines)], lines, same) {
			continue
		}
		if ok {
			return place, false
		}
		place, ok = [2]int{i, i + len(lines)}, true
	}
	return place, ok
}
