package tool

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// A role is what a line of a content says of the lines below it. What the two halves of an edit are called, and what the
// names are decorated with, has no end: a mark is told by its shape.
type role int8

const (
	nothing role = iota // no mark
	older               // they are what is replaced
	newer               // they replace it
	either              // one of the two: old in front, new behind
	signs               // a line of signs alone
	shut                // they are none of either
)

// What the halves are called, what may stand beside that, and what ends one.
var (
	halfWords = map[role]map[string]bool{
		older:   wordSet("old older search find original before from current existing was previous prior source remove removed delete deleted have avant vorher alt antes origen viejo wrong bad broken buggy"),
		newer:   wordSet("new newer replacement with after updated to by becomes become into now want wanted desired fixed modified changed insert inserted add added target result proposed improved correct corrected right suggested après nachher neu después nuevo"),
		either:  wordSet("replace change edit patch"),
		nothing: wordSet("the this that it them code text string str content contents version line lines part section block passage snippet is here for begin start and as below following of in be instead should shall"),
		shut:    wordSet("end fin ende"),
	}
	olderJa = &lazy.Pattern{X: `^(?:この|次の|以下の|▼)?(?:(?:変更|修正|置換|編集|更新|修改)前|(?:置換|変更)元|検索(?:対象|する)?|旧|元|古い|現在|既存|原|查找|コード|部分|行)(?:の|的|コード|代码|内容|文字列|テキスト|部分|行|を|は|ここから)*$`}
	newerJa = &lazy.Pattern{X: `^(?:(?:変更|修正|置換|編集|更新)後|修改后|(?:置換|変更)先|置換|替换|替换为|新|新しい|更新|(?:次|以下|これ|こちら)(?:のよう)?に)(?:の|的|コード|代码|内容|文字列|テキスト|部分|行|を|は|へ|に|する|します|変更|置換|置き換え|置き換える|ここから)*$`}
	comment = &lazy.Pattern{X: `^\s*(?:#|//|--|/\*)`}
	// a line of which words are struck out or put in, or that an old diff marks as changed
	corrected = &lazy.Pattern{X: `^!\s|^\s*~~.+~~\s*$|\[-.*-\]\s*\{\+.*\+\}|^\*{15}$|^\d+[-+]\s`}
	writing   = &lazy.Pattern{X: `\bopen\(|write_?[tT]ext\(|writeFile(?:Sync)?\(|WriteFile\(|File\.write\(|Set-Content|\bsed\s+-i|\bperl\s+-p?i`}
	address   = &lazy.Pattern{X: `^:?(?:\d+|\$|%|/[^/]+/)(?:,(?:\d+|\$|\+\d+))?(?:[acdi]|[acd]\d+(?:,\d+)?|s/[^/]*/[^/]*/[gip\d]*)$|^\*\*\* \d+(?:,\d+)? \*+$`}
)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}

// A mark is a line that parts the halves of an edit.
type marking struct {
	role
	name bool   // it names its half
	rest string // what stands behind its colon
}

const decoration = "#*_<>=-+~[](){}【】「」『』《》〈〉‹›«»|/\\!:：.・▼▲■●◆→⇒↓⬇@%`— \t"

// markOf reads a line as a mark. Labels with more behind them, and small letters before a colon, are keys of data and
// comments of programs as often: they count where they begin with a capital, or where no data has keys.
func (c *content) markOf(line string) (m marking) {
	t := strings.TrimSpace(narrow(line))
	if t == "" || t[0] == '"' || len(t) > 80 || c.was[strings.TrimSpace(line)] || fenceEnd.In(t) {
		return m
	}
	bare := strings.Trim(t, decoration)
	if !strings.ContainsFunc(bare, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return marking{role: signsOf(t)}
	}
	if i := strings.IndexAny(bare, ":："); i > 0 && !strings.Contains(bare[i:], "//") {
		m.rest = strings.TrimSpace(strings.Trim(bare[i:], ":：*_ "))
		bare = strings.TrimRight(bare[:i], decoration)
	}
	first := []rune(bare)[0]
	if label := strings.TrimRight(t, ":： "); unicode.IsLower(first) && (m.rest != "" || label == bare && label != t && !program.In(c.path)) {
		return marking{}
	}
	m.role = halfOf(bare)
	if m.role != nothing && (strings.Contains(t, "</") || strings.Contains(t, "[/")) {
		m.role = shut
	}
	m.name = m.role == older || m.role == newer || m.role == either
	return m
}

// signsOf tells a line of signs that may part something from one that closes brackets, or is a bullet.
func signsOf(t string) role {
	if strings.ContainsFunc(t, func(r rune) bool { return r > 0x2000 && (unicode.Is(unicode.So, r) || unicode.Is(unicode.Sm, r)) }) || strings.ContainsAny(t, "→⇒↓⬇") || len(t) >= 2 && strings.ContainsAny(t, "<>=-+~|@*▼▲") && !strings.ContainsAny(t, "(){}[]/\\") {
		return signs
	}
	return nothing
}

// halfOf is the half that words name, where they say nothing else.
func halfOf(bare string) role {
	switch squeezed := strings.Join(strings.Fields(bare), ""); {
	case olderJa.In(squeezed):
		return older
	case newerJa.In(squeezed):
		return newer
	}
	found, letters := nothing, false
	fields := strings.FieldsFunc(strings.ToLower(bare), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for _, w := range fields {
		now, digits := nothing, strings.Trim(w, "0123456789") == ""
		for _, h := range []role{older, newer, either, shut} {
			if halfWords[h][w] {
				now = h
			}
		}
		letters = letters || !digits
		switch {
		case now == nothing && !halfWords[nothing][w] && !digits:
			return nothing
		case now == shut || found == shut:
			found = shut
		case found == nothing || found == either:
			if found = now; now == nothing {
				found = either
			}
		case (now == older || now == newer) && now != found:
			return nothing // it names both
		}
	}
	if !letters || len(fields) > 6 {
		return nothing
	}
	return found
}

// A piece is a mark and the lines up to the next one.
type piece struct {
	marking
	line  string
	lines []string
}

// pieces cuts a content at its marks. ok is false where something else stands before the first.
func (c *content) pieces() (out []piece, ok bool) {
	for _, l := range c.lines() {
		m := c.markOf(l)
		n := len(out)
		switch {
		case m.role != nothing && !(m.role == newer && n > 0 && out[n-1].role == newer) && !(m.role == either && !m.plainly(out)):
			out = append(out, piece{marking: m, line: l})
			if m.rest != "" {
				out[n].lines = []string{m.rest}
			}
		case n > 0:
			out[n-1].lines = append(out[n-1].lines, l)
		case !c.noise(l):
			return nil, false
		}
	}
	return out, len(out) > 1
}

// plainly reports whether words that name no half for certain can be a mark where they stand: as the first one, or behind
// what is replaced.
func (m marking) plainly(before []piece) bool {
	for len(before) > 0 && before[len(before)-1].role == shut && len(full(before[len(before)-1].lines)) == 0 {
		before = before[:len(before)-1] // what closes a half parts nothing
	}
	return len(before) == 0 || before[len(before)-1].role == older || before[len(before)-1].role == either
}

// placed gives every piece its half, by its name or by its place. sure is false where no mark names one.
func placed(all []piece) (out []piece, sure bool) {
	for _, p := range all {
		if n := len(out); n > 0 && p.name && !out[n-1].name && out[n-1].role != shut && len(full(out[n-1].lines)) == 0 {
			out = out[:n-1] // signs above a name
		}
		last := shut
		for n := len(out); n > 0 && (last == shut && (n == len(out) || len(full(out[n].lines)) == 0)); n-- {
			last = out[n-1].role // what closes a half, with nothing below it, is looked over
		}
		sure = sure || p.name
		switch {
		case p.role != either && p.role != signs:
		case last == older:
			p.role = newer
		case last == newer && !p.name:
			p.role = shut
		default:
			p.role = older
		}
		out = append(out, p)
	}
	return out, sure
}

// ownDress names the form of an edit whose marks nobody knows.
var ownDress = nebula.Say("an edit with marks of its own")

// pair names the form of an edit whose marks say which half is which.
var pair = nebula.Say("a pair of before and after")

// dressed reads a passage and what replaces it between marks of any kind, where the file has the passage and most of the
// rest of the file is not there.
func (c *content) dressed() (edits []replacement, form nebula.Words) {
	if first := full(c.lines()); len(first) > 0 && address.In(strings.TrimSpace(first[0])) && !c.was[strings.TrimSpace(first[0])] && c.lacks(nil) {
		return nil, nebula.Say("a script for an editor")
	}
	if c.changes() {
		return nil, nebula.Say("a script that changes it")
	}
	if program.In(c.path) && c.lacks(nil) && slices.ContainsFunc(c.lines(), func(l string) bool { return corrected.In(l) && !c.was[strings.TrimSpace(l)] }) {
		return nil, nebula.Say("a text with corrections marked in it")
	}
	all, ok := c.pieces()
	if !ok {
		if all, ok = c.mirrored(); !ok {
			return nil, form
		}
	}
	all, sure := placed(all)
	form = ownDress
	if sure || strings.HasPrefix(strings.TrimSpace(narrow(all[0].line)), "<<") {
		form = pair
	}
	edits, whole := c.paired(all)
	var olds []string
	for _, e := range edits {
		olds = append(olds, strings.Split(e.Old, "\n")...)
	}
	switch {
	case len(edits) == 0, !c.lacks(olds), !sure && !c.lacks(nil):
		return nil, nebula.Words{}
	case len(c.file.text) == 0:
		if !sure || !program.In(c.path) || comment.In(all[0].line) {
			return nil, nebula.Words{}
		}
	case !c.stand(edits) && (markup.In(c.path) || !sure):
		return nil, nebula.Words{}
	}
	if !whole || slices.ContainsFunc(edits, c.trailed) {
		return nil, form
	}
	return trimmed(edits), form
}

// trailed reports whether words stand behind the new half of an edit whose form has no end.
func (c *content) trailed(e replacement) bool {
	inner := *c
	inner.text = e.New
	return inner.stray(e.Old) != ""
}

// changes reports whether the content is a program that writes the file, while most of what the file holds is not in it.
func (c *content) changes() bool {
	name := path.Base(c.path)
	return len(c.file.text) > 0 && strings.Contains(c.text, name) && !strings.Contains(c.file.text, name) && writing.In(c.text) && c.lacks(nil)
}

// paired makes edits of pieces. whole is false where something stands beside them.
func (c *content) paired(all []piece) (edits []replacement, whole bool) {
	var old, new *piece
	whole = true
	flush := func() {
		if old != nil && new != nil {
			edits = append(edits, replacement{Old: part(old.lines), New: part(new.lines)})
			whole = whole && strings.TrimSpace(edits[len(edits)-1].Old) != ""
		} else {
			whole = whole && old == nil && new == nil
		}
		old, new = nil, nil
	}
	for i := range all {
		p := &all[i]
		switch {
		case p.role == shut:
			whole = whole && !slices.ContainsFunc(p.lines, func(l string) bool { return !c.noise(l) })
			continue
		case p.role == older && old != nil || p.role == newer && new != nil || old != nil && new != nil:
			flush()
		}
		if p.role == older {
			old = p
		} else {
			new = p
		}
	}
	if last := all[len(all)-1]; last.role == newer && len(full(last.lines)) == 0 {
		whole = false // it may go on
	}
	flush()
	return edits, whole
}

// mirrored finds two lines in one dress, with other words, of which the first is the content's first.
func (c *content) mirrored() (out []piece, ok bool) {
	lines := full(c.lines())
	for len(lines) > 0 && c.noise(lines[0]) {
		lines = lines[1:]
	}
	if len(lines) == 0 || markup.In(c.path) || lists.Has([]string{".toml", ".ini", ".cfg", ".conf"}, path.Ext(c.path)) {
		return nil, false
	}
	first := dressOf(lines[0])
	if first == "" || c.was[strings.TrimSpace(lines[0])] {
		return nil, false
	}
	for _, l := range lines {
		if !c.was[strings.TrimSpace(l)] && dressOf(l) == first && (len(out) == 0 || l != lines[0]) && len(out) < 2 {
			out = append(out, piece{marking: marking{role: signs}, line: l})
			continue
		}
		out[len(out)-1].lines = append(out[len(out)-1].lines, l)
	}
	return out, len(out) == 2
}

// dressOf is what stands around the one or two words of a line that can be no code: signs on both sides of them or before
// them, or capitals alone. Empty for any other line.
func dressOf(l string) string {
	t := strings.TrimSpace(narrow(l))
	bare := strings.Trim(t, decoration)
	at := strings.Index(t, bare)
	if bare == "" || len(t) > 40 || len(strings.Fields(bare)) > 3 || strings.ContainsFunc(bare, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != ' ' && r != '_' && r != '-'
	}) {
		return ""
	}
	before, after := t[:at], t[at+len(bare):]
	switch {
	case comment.In(t):
		return ""
	case before == "" && strings.Trim(after, ":：") == "":
		if first := []rune(bare)[0]; strings.ToUpper(bare) == bare && (strings.ToLower(bare) != bare || first > 0x2000) {
			return "AA" + after
		}
		return ""
	case len(before) < 2:
		return ""
	}
	return before + "a" + after
}

// lacks reports whether most of what the file holds, but for some lines, is not in the content. Of a file with nothing
// else in it, all is there.
func (c *content) lacks(but []string) bool {
	except, here := map[string]bool{}, map[string]bool{}
	for _, l := range but {
		except[strings.TrimSpace(l)] = true
	}
	for _, l := range c.lines() {
		here[strings.TrimSpace(l)] = true
	}
	all, kept := 0, 0
	for _, l := range c.file.lines {
		if t := strings.TrimSpace(l); words(t) > 0 && !except[t] {
			if all++; here[t] {
				kept++
			}
		}
	}
	return 2*kept < all || all == 0
}
