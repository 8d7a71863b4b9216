package protocol

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// Which of several actions a sentence is about: those that it names, by their file, their command or their place in the row; else all of
// them, where it speaks of several, and else those that nothing parts from it that says that others are done.

// A lineup is what a reply is to do, in order, each entry by what names it.
type lineup struct {
	members []member
	known   map[*sentence][]bool // what the sentences name that were asked about
}

type member struct {
	names   []string // files and commands, as they are written
	stems   []string // how words begin that name it
	deletes bool
}

func lineupOf(rows ...[]nebula.Action) lineup {
	all := lineup{known: map[*sentence][]bool{}}
	for _, actions := range rows {
		m := member{stems: stems(actions)}
		for _, a := range actions {
			file := textOf(a.Args, `"path":`)
			for _, name := range []string{file, path.Base(file), textOf(a.Args, `"command":`)} {
				if len(name) > 2 {
					m.names = append(m.names, strings.ToLower(name))
				}
			}
			m.deletes = m.deletes || strings.Contains(strings.ToLower(a.Tool), "delete")
		}
		all.members = append(all.members, m)
	}
	return all
}

// lineupEach has an entry for each action.
func lineupEach(actions []nebula.Action) lineup {
	return lineupOf(slices.Collect(slices.Chunk(actions, 1))...)
}

// named are the entries that a sentence names, nil where it names none or speaks of several at once.
func (l lineup) named(s *sentence) []bool {
	if len(l.members) < 2 || len(l.members) > maxStems {
		return nil
	}
	list, known := l.known[s]
	if !known {
		list = l.names(s)
		l.known[s] = list
	}
	return list
}

// names is named where it was not asked yet.
func (l lineup) names(s *sentence) []bool {
	if s.several() {
		return nil
	}
	list, some, low := make([]bool, len(l.members)), false, strings.ToLower(s.text)
	for _, by := range []func(m member) bool{
		func(m member) bool { return containsAny(low, m.names) },
		func(m member) bool { return s.begins(m.stems) },
		func(m member) bool { return m.deletes && s.begins(deletions) },
	} {
		for i, m := range l.members {
			list[i] = by(m)
			some = some || list[i]
		}
		if some {
			return list
		}
	}
	if i := ordinal(low, len(l.members)); i >= 0 {
		list[i] = true
		return list
	}
	return nil
}

// deletions are how words begin that speak of a deletion.
var deletions = []string{"delet", "remov", "削除", "消"}

// begins reports whether a word of a sentence begins like one of some, or a Japanese sentence has one.
//
//go:noinline
func (s *sentence) begins(stems []string) bool {
	return slices.ContainsFunc(stems, func(stem string) bool {
		return slices.ContainsFunc(s.words, func(w word) bool { return strings.HasPrefix(w.text, stem) }) || s.japanese && strings.Contains(strings.ToLower(s.text), stem)
	})
}

// A heldBy is a sentence behind an action that takes it back, or asks about it.
type heldBy struct {
	*sentence
	asks bool
}

// behind are the first sentences behind an action that say that it is not meant.
func (e *ear) behind(text string) (by []heldBy) {
	first, asked := e.firstSentences(text), false
	for i, s := range first {
		if asksOn(first, i) {
			continue
		}
		if s.takesBack() {
			by = append(by, heldBy{s, false})
		}
		if s.questions() && !(i+1 < len(first) && (s.wonders(first[i+1]) || first[i+1].answers() && !s.leaves())) {
			by, asked = append(by, heldBy{s, true}), true
		}
	}
	if strings.ContainsAny(text, "?？") && !asked {
		last := e.lastSentences(text)
		for i, s := range last {
			if s.proposes() && !asksOn(last, i) {
				by = append(by, heldBy{s, true})
			}
		}
	}
	return by
}

// about are those of what holds a unit that hold the nth too: what names others alone does not.
func (l lineup) about(by []heldBy, n int) (kept []heldBy) {
	for i, named := range l.naming(sentencesOf(by)) {
		if named == nil || named[n] {
			kept = append(kept, by[i])
		}
	}
	return kept
}

// naming is what each of some sentences names. A few words behind one that names some are about the same: should a.txt go? Tell me first.
func (l lineup) naming(list []*sentence) [][]bool {
	out := make([][]bool, len(list))
	for i, s := range list {
		if out[i] = l.named(s); out[i] == nil && i > 0 && !s.several() && (len(s.words) < briefly && !s.japanese || s.japanese && len(s.text) < 3*4*briefly) {
			out[i] = out[i-1]
		}
	}
	return out
}

// sentencesOf are the sentences that hold a unit.
func sentencesOf(by []heldBy) (list []*sentence) {
	for _, h := range by {
		list = append(list, h.sentence)
	}
	return list
}

// ordinalWords are places in a row, as they are written, each with parts of which its writing has one.
var ordinalWords = []struct {
	place int // from 0; -1 for the last
	parts []string
	is    *lazy.Pattern
}{
	{0, []string{"first", "former", "1", "目", "最初", "前者"}, &lazy.Pattern{X: `\bthe (?:first|former)\b(?: (?:one|change|action|step|command|edit|call|of|only))?(?:\W|$)|\b(?:step|action|number|no\.|#) ?1\b|(?:最初|1つ目|一つ目|ひとつ目|1番目|一番目|前者)(?:の|は|を|だけ|に)`}},
	{1, []string{"second", "2", "目"}, &lazy.Pattern{X: `\b(?:the|this) second\b|\b(?:step|action|number|no\.|#) ?2\b|(?:2つ目|二つ目|ふたつ目|2番目|二番目)(?:の|は|を|だけ|に)`}},
	{2, []string{"third", "3", "目"}, &lazy.Pattern{X: `\bthe third\b|\b(?:step|action|number|no\.|#) ?3\b|(?:3つ目|三つ目|みっつ目|3番目|三番目)(?:の|は|を|だけ|に)`}},
	{-1, []string{"last", "latter", "final", "最後", "後者"}, &lazy.Pattern{X: `\bthe (?:last|latter|final)(?: (?:one|change|action|step|command|edit|call|of|only)\b|\W*$)|(?:最後|後者)(?:の(?:もの|変更|操作|削除|編集|手順|コマンド|一つ|ひとつ|ほう|方|だけ)|は|を|だけ)`}},
}

// ordinal is the entry, of so many, whose place a sentence in small letters names; -1 for none.
func ordinal(low string, of int) int {
	for _, row := range ordinalWords {
		if at := (row.place + of) % of; row.place < of && containsAny(low, row.parts) && row.is.In(low) {
			return at
		}
	}
	return -1
}

// several reports whether a sentence speaks of several actions at once.
func (s *sentence) several() bool {
	if s.japanese {
		return containsAny(s.text, severalJapanese)
	}
	return slices.ContainsFunc(s.words, func(w word) bool { return lists.Has(severalWords, w.text) })
}

// ofSeveral reports whether a sentence points at several actions.
func (s *sentence) ofSeveral() bool {
	if s.japanese {
		return s.several()
	}
	return slices.ContainsFunc(s.words, func(w word) bool {
		return lists.Has([]string{"both", "neither", "none", "these", "those", "them", "below", "above"}, w.text)
	})
}

// takenBack reports whether the last sentences beside several calls take all of them back.
func (e *ear) takenBack(say string) bool {
	if len(e.actions) < 2 {
		return false
	}
	list := e.lastSentences(say)
	for i, s := range slices.Backward(list) {
		switch {
		case asksOn(list, i):
		case s.ofSeveral() && (s.takes() || s.takesBack()):
			return true
		case s.does():
			return false
		}
	}
	return false
}

// single reports whether a sentence points at one action.
func (s *sentence) single() bool {
	if s.several() {
		return false
	}
	if s.japanese {
		return containsAny(s.text, []string{"これ", "この", "それ", "その"})
	}
	return slices.ContainsFunc(s.words, func(w word) bool { return lists.Has([]string{"this", "that", "it", "one"}, w.text) })
}

var (
	severalWords    = []string{"both", "all", "any", "none", "neither", "either", "each", "every", "everything", "anything", "nothing", "these", "those", "them", "they", "two", "three", "four", "steps", "actions", "changes", "commands", "calls", "edits", "examples", "such"}
	severalJapanese = []string{"どちら", "どれ", "どの", "いずれ", "すべて", "全て", "全部", "全体", "一切", "何も", "両方", "次の二", "次の三", "二つ挙げ", "三つ挙げ", "二つの", "三つの", "2つの", "3つの", "二件", "三件", "この二つ", "これら", "それら", "以上", "以下", "上の二", "上の三"}
)

// without is a text without the sentences that name other entries than the nth alone.
func (e *ear) without(text string, l lineup, n int) string {
	if len(l.members) < 2 || strings.IndexFunc(text, unicode.IsLetter) < 0 {
		return text
	}
	for _, list := range [][]*sentence{e.firstSentences(text), e.lastSentences(text)} {
		for i, named := range l.naming(list) {
			if named != nil && !named[n] {
				text = strings.Replace(text, list[i].whole, "", 1)
			}
		}
	}
	return text
}

// reaches reports whether what some sentences say of an action holds for its neighbour too, with a text between them: where that makes one
// list of both, or does not part them.
func (e *ear) reaches(by []*sentence, between string) bool {
	switch {
	case len(by) == 0:
		return false
	case joined(between):
		return true
	}
	single, several := slices.ContainsFunc(by, (*sentence).single), slices.ContainsFunc(by, (*sentence).several)
	return !slices.ContainsFunc(e.lastSentences(between), func(s *sentence) bool {
		return s.over() || single && s.does() || !several && (s.cue >= announce && s.cue <= resolve || s.stands(instant) || s.takes())
	})
}

// joined reports whether what stands between two units makes them one list: nothing but marks, or a word of choice.
func joined(between string) bool {
	return !strings.ContainsFunc(between, unicode.IsLetter) || !spoken(between) && !Announces(between) || choice(lastOf(between))
}

// over reports whether a sentence says that something is done already.
func (s *sentence) over() bool {
	if s.japanese {
		return endsWith(strings.TrimRight(s.text, "。"), pastJapanese) && containsAny(s.text, deedStems)
	}
	return anyOf(s.words, performed) && anyOf(s.words, states) && !anyOf(s.words, negatives|nos)
}

// holding marks the entries of which a sentence of some texts says, by their names, that they stay as they are, or that they are held: text g
// stands before entry g, so that it is heard beside that and the one before anyway.
func (e *ear) holding(texts []string, l lineup, mark func(n int, by *sentence)) {
	for g, text := range texts {
		for _, s := range append(e.firstSentences(text), e.lastSentences(text)...) {
			named := l.named(s)
			stays := s.retaining()
			for n, m := range l.members {
				held := named != nil && named[n] && n != g && n+1 != g && (s.takes() || s.takesBack() || s.keeps())
				if held || stays && s.retains(m) {
					mark(n, s)
				}
			}
		}
	}
}

// lastShown parts a text at the last action in it that was only shown, which is no part of either, nor is its block.
func lastShown(text string) (above, below string, shown bool) {
	at := -1
	for i := 0; i < len(text); {
		line, _, _ := strings.Cut(text[i:], "\n")
		if verb, _, is := strings.Cut(line, " @ "); is && strings.HasPrefix(verb, "$ ") && len(strings.Fields(verb)) == 2 {
			at = i
		}
		i += len(line) + 1
	}
	if at < 0 {
		return "", text, false
	}
	_, below, _ = strings.Cut(text[at:], "\n")
	if mark, block, opened := strings.Cut(below, "\n"); opened && len(mark) > 1 && strings.Trim(mark, "-") == "" {
		if _, behind, closed := strings.Cut("\n"+block, "\n"+mark+"\n"); closed {
			below = behind
		}
	}
	return text[:at], below, true
}

// here is a text behind an action without its last sentence, where another action follows and that leads up to it.
func (e *ear) here(text string, more bool) string {
	list := e.lastSentences(text)
	if !more || len(list) == 0 {
		return text
	}
	last := list[len(list)-1].whole
	if strings.ContainsRune(":：", lastRune(strings.TrimRight(last, "*_ "))) || endsWith(strings.TrimRight(last, "。"), []string{"次です", "次のとおりです", "次の通りです"}) {
		return text[:strings.LastIndex(text, last)]
	}
	return text
}

// retained reports whether a text beside calls says of what one of them is about that it stays as it is.
func (e *ear) retained(say string, m member) bool {
	return len(m.names) > 0 && slices.ContainsFunc(e.lastSentences(say), func(s *sentence) bool { return s.retains(m) })
}

// retains reports whether a sentence says that what it names stays as it is.
func (s *sentence) retains(m member) bool {
	if !s.retaining() {
		return false
	}
	for _, name := range m.names {
		if s.japanese {
			_, behind, is := strings.Cut(strings.ToLower(s.text), name)
			behind = strings.TrimLeft(behind, " `」』\"")
			if is && containsAny(behind[:min(len(behind), len("については"))], []string{"は", "を", "も", "だけ"}) {
				return true
			}
			continue
		}
		for i, w := range s.words {
			if w.text == name && (s.staysAt(i) || s.keptAt(i)) {
				return true
			}
		}
	}
	return false
}

// retaining reports whether a sentence has what says of something that it stays as it is.
func (s *sentence) retaining() bool {
	is := endsWith(strings.TrimRight(s.text, "。！! "), stayingJapanese)
	if !s.japanese {
		is = slices.ContainsFunc(s.words, func(w word) bool {
			return lists.Has(enduring, w.text) || lists.Has(keeping, w.text) || lists.Has(leaving, w.text)
		})
	}
	return is && !strings.ContainsAny(s.text, "?？") && !s.stands(instant)
}

// The words that say it.
var (
	enduring = []string{"stay", "stays", "remain", "remains"}
	keeping  = []string{"keep", "keeping", "retain", "retaining", "spare"}
	leaving  = []string{"leave", "leaving"}
)

// staysAt reports whether the word at i, as a subject, is said to stay.
func (s *sentence) staysAt(i int) bool {
	rest := s.words[i+1:]
	for len(rest) > 0 && lists.Has([]string{"should", "must", "will", "shall", "has", "needs", "to", "can", "itself"}, rest[0].text) {
		rest = rest[1:]
	}
	return len(rest) > 0 && lists.Has(enduring, rest[0].text)
}

// keptAt reports whether the word at i, as an object, is kept: keep a.txt, leave a.txt as it is, a.txt I keep.
func (s *sentence) keptAt(i int) bool {
	end := i+1 == len(s.words) || s.words[i].stop
	from := i
	for from > 0 && s.words[from-1].is(determiners) {
		from--
	}
	kept := func(w word) bool { return lists.Has(keeping, w.text) }
	left := func(w word) bool { return lists.Has(leaving, w.text) }
	if last := s.words[len(s.words)-1]; kept(last) && i+1 < len(s.words) && (s.words[i+1].is(selves) || s.words[i+1].is(modals)) {
		return !anyOf(s.words, negatives)
	}
	if from == 0 || from > 1 && (s.words[from-2].is(negatives) || s.words[from-2].of("NOT")) {
		return false
	}
	if from > 3 && s.words[from-2].text == "to" && lists.Has([]string{"reason", "need", "point"}, s.words[from-3].text) && anyOf(s.words[:from-3], negatives|nos) {
		return false // I see no reason to keep a.txt
	}
	verb := s.words[from-1]
	as := end || lists.Has([]string{"as", "untouched", "unchanged", "where", "alone", "intact", "for", "because", "since", "and", "here", "there", "until", "in", "out"}, s.words[i+1].text)
	return (kept(verb) || left(verb)) && as && !(i+2 < len(s.words) && lists.Has([]string{"sync", "mind", "line", "shape"}, s.words[i+2].text))
}

// stayingJapanese end what says that something stays.
var stayingJapanese = []string{"そのままで結構です", "そのままで構いません", "そのままで大丈夫です", "そのままでよいです", "のままで結構です", "のままで構いません", "のままで大丈夫です", "のままで問題ありません", "変えなくて大丈夫です", "変えなくて構いません", "残します", "残す", "残しましょう", "残しておきます", "残しておく", "残したいです", "残すべきです", "残すことにします", "そのままにします", "そのままにしておきます", "そのままです", "そのままで", "維持します", "取っておきます", "変えません", "変更しません", "触りません", "消しません", "削除しません", "保持します", "元のままにします"}
