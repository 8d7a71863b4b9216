package protocol

import (
	"bytes"
	"maps"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"unicode"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// What a sentence says by its shape of the action it stands beside, wherever that is: above or behind it, in a thought, as its
// reason. The shapes are rows of standing.go.

// A stand is what a shape says.
type stand uint8

const (
	against  stand = iota // it is not done, not yet, not by its writer, or was only shown
	wondered              // its writer asks whether to do it
	back                  // it is taken back: what says so only behind an action
	clears                // it looks like one of these and is none
	instant               // it is done now
	leading               // it is done: what says so only right above an action
	unreal                // it is imagined, another's, another time's, or its reader's to decide
	unfit                 // it is no reason to do it
	depends               // it waits for somebody or something
	affirms               // it denies that it is not done
	plainly               // it is not done, in words that say nothing else, wherever they stand
	asked                 // it is asked about, or waits, wherever what says so stands
	grounds               // why it can be done: with a colon, that leads up to it
)

// A piece is one part of a shape.
type piece struct {
	words []string // any of these
	sets  uint64   // or one of these sets
	class class    // or one of these classes
	maybe bool     // or nothing
	gap   int      // so many words at most, within a clause
	end   bool     // the clause ends, or goes on with when, where or by whom
	stop  bool     // the clause ends
	last  bool     // the sentence ends
}

// A shape is a row, taken apart.
type shape struct {
	stand  stand
	inside bool // it may begin in the middle of a clause
	pieces []piece
}

// A shapeIndex has the rows by what they begin with: a word, one of a set, one of a class.
type shapeIndex struct {
	words   map[string][]*shape
	sets    [64][]*shape
	classes []*shape
}

var shapes = sync.OnceValue(func() *shapeIndex {
	all := &shapeIndex{words: map[string][]*shape{}}
	for _, row := range standings() {
		for text := range strings.SplitSeq(row.shapes, ",") {
			text, inside := strings.CutPrefix(strings.TrimSpace(text), "..")
			all.add(&shape{row.stand, inside, piecesOf(text)})
		}
	}
	return all
})

func (k *shapeIndex) add(s *shape) {
	for _, p := range s.pieces {
		for _, word := range p.words {
			k.words[word] = append(k.words[word], s)
		}
		for i := range k.sets {
			if p.sets&(1<<i) != 0 {
				k.sets[i] = append(k.sets[i], s)
			}
		}
		if p.class != 0 {
			k.classes = append(k.classes, s)
		}
		if !p.maybe {
			return
		}
	}
}

// into notes with every word of a lexicon, and with those that the rows alone have, which rows can begin with it.
func (k *shapeIndex) into(all map[string]entry) {
	for word := range k.words {
		if _, known := all[word]; !known {
			all[word] = entry{}
		}
	}
	for word, e := range all {
		list := slices.Clone(k.words[word])
		for rest := e.sets; rest != 0; rest &= rest - 1 {
			list = append(list, k.sets[bits.TrailingZeros64(rest)]...)
		}
		if len(list) > 0 {
			e.first = &list
			all[word] = e
		}
	}
}

// at gives the rows that can begin with a word, some of them more than once.
func (k *shapeIndex) at(w word, each func(*shape)) {
	run := func(list []*shape) {
		for _, s := range list {
			each(s)
		}
	}
	if w.first != nil {
		run(*w.first)
	}
	if of, is := strings.CutSuffix(w.text, "'s"); is {
		run(k.words[of])
		for rest := w.sets; rest != 0; rest &= rest - 1 {
			run(k.sets[bits.TrailingZeros64(rest)])
		}
	}
	if w.is(topics | makings | persons) {
		run(k.classes)
	}
}

// setBits number the sets.
var setBits = sync.OnceValue(func() map[string]uint64 {
	all := map[string]uint64{}
	for i, name := range slices.Sorted(maps.Keys(wordSets())) {
		all[name] = 1 << i
	}
	return all
})

// piecesOf takes a row apart: NAME stands for the words of a set, a/b for either word, ? behind a part for its absence, 3 for up
// to so many words, ~ and | for the end of a clause, with or without what goes on, and . for that of the sentence.
func piecesOf(text string) (list []piece) {
	for part := range strings.FieldsSeq(text) {
		switch {
		case part == "OBJ":
			list = append(list, piecesOf("DET? LAST? IT IT?")...)
			continue
		case part == "OBJ?":
			list = append(list, piecesOf("DET? LAST? IT? IT?")...)
			continue
		case part == "~":
			list = append(list, piece{end: true})
			continue
		case part == "|":
			list = append(list, piece{stop: true})
			continue
		case part == ".":
			list = append(list, piece{last: true})
			continue
		case digits(part):
			list = append(list, piece{gap: int(part[0] - '0')})
			continue
		}
		part, maybe := strings.CutSuffix(part, "?")
		var words []string
		var of class
		var sets uint64
		for name := range strings.SplitSeq(part, "/") {
			if _, known := wordSets()[name]; known {
				sets |= setBits()[name]
				of |= setClasses[name]
			} else {
				words = append(words, name)
			}
		}
		list = append(list, piece{words: words, sets: sets, class: of, maybe: maybe})
	}
	return list
}

// stands reports whether a sentence has a shape of a stand.
func (s *sentence) stands(want stand) bool {
	if !s.weighed {
		s.weighed = true
		if s.japanese {
			s.taken = japaneseStands(s.plain)
		} else {
			s.taken = standsOf(s.words)
			if told := abroad(s.text); told == 1<<leading {
				s.taken = told
			} else {
				s.taken |= told
			}
		}
	}
	return s.taken&(1<<want) != 0
}

// standsOf is the set of what words say by their shapes. What is done in the end outweighs what was said before it.
func standsOf(words []word) (found uint16) {
	all := shapes()
	var last [grounds + 1]int // where the last shape of a stand begins
	for i := range words {
		all.at(words[i], func(s *shape) {
			if last[s.stand] <= i && s.begins(words, i) && fits(words, i, s.pieces) && (s.stand == depends || s.stand == clears || s.stand == asked || !resolves(words[i+1:])) {
				found |= 1 << s.stand
				last[s.stand] = i + 1
			}
		})
	}
	for _, take := range []stand{against, unreal} {
		if done := max(last[instant], last[leading]); done > last[take] && parts(words[max(0, last[take]-1):done]) {
			found &^= 1 << take
		}
	}
	switch {
	case found&(1<<affirms) != 0:
		return found & (1<<affirms | 1<<leading)
	case found&(1<<clears) != 0:
		return found &^ (1<<back | 1<<unreal | 1<<depends)
	}
	return found
}

// begins reports whether a shape may begin at a word: not behind a negation, and where it does not say otherwise at the
// beginning of a clause.
func (s *shape) begins(words []word, i int) bool {
	if i == 0 || words[i-1].stop {
		return true
	}
	prior := words[i-1]
	switch {
	case s.stand == unreal && prior.is(negatives):
		return false
	case s.inside:
		return true
	case s.stand == unfit && prior.text == "to", s.stand == back && (prior.text == "to" || prior.is(starters)): // to keep it
		return false
	}
	return prior.is(starters|fillers) || lists.Has(hedges, prior.text)
}

// parts reports whether a clause ends among words.
func parts(words []word) bool {
	for i, w := range words {
		if w.stop && i+1 < len(words) || i > 0 && lists.Has([]string{"so", "and", "but"}, w.text) {
			return true
		}
	}
	return false
}

// resolves reports whether a later clause says that its writer acts.
func resolves(words []word) bool {
	for i := 1; i < len(words); i++ {
		if (words[i-1].stop || lists.Has([]string{"so", "but", "therefore", "hence"}, words[i-1].text)) && concludes(words[i:]) {
			return true
		}
	}
	return false
}

// fits reports whether the words from i on are of a shape's pieces.
func fits(words []word, i int, pieces []piece) bool {
	if len(pieces) == 0 {
		return true
	}
	p, rest := pieces[0], pieces[1:]
	closed := i >= len(words) || i > 0 && words[i-1].stop
	switch {
	case p.last:
		return i >= len(words)
	case p.stop:
		return closed && fits(words, i, rest)
	case p.end:
		return (closed || lists.Has(tails, words[i].text)) && fits(words, i, rest)
	case p.gap > 0:
		for n := 0; n <= p.gap; n++ {
			if fits(words, i+n, rest) {
				return true
			}
			if i+n >= len(words) || n > 0 && words[i+n-1].stop || words[i+n].is(nos) { // this is no example
				return false
			}
		}
		return false
	}
	if i < len(words) {
		if words[i].among(p) && fits(words, i+1, rest) {
			return true
		}
	}
	return p.maybe && fits(words, i, rest)
}

// among reports whether a word is one of a piece's.
func (w *word) among(p piece) bool {
	if w.sets&p.sets != 0 || w.is(p.class) || lists.Has(p.words, w.text) {
		return true
	}
	of, is := strings.CutSuffix(w.text, "'s")
	return is && lists.Has(p.words, of)
}

// onLeave is a sentence that does it only where its reader is content, and names no other thing.
var onLeave = &lazy.Pattern{X: `^[^、]+(?:[ただ]ら|れば|次第|後|あと)、(?:これが)?次(?:の(?:操作|手順|コマンド|変更|編集|作業))?(?:は|を)|^(?:では、)?(?:もし)?(?:よろしければ|よければ|問題なければ|問題がなければ|差し支えなければ|異論がなければ|異論なければ|(?:ご確認|ご了承|ご承認)いただければ|(?:ご確認|ご了承|ご承認)いただけたら)、?(?:(?:これを|こちらを|この(?:変更|操作|コマンド)を|次を|以下を|上記を)?(?:実行|変更|適用|編集|削除|反映|開始|更新|作成|修正)します|(?:進め|始め|直し|消し|行い|やり)ます)$`}

// japaneseStands is the set of what a Japanese sentence says by its parts.
func japaneseStands(plain string) (found uint16) {
	text := strings.TrimRight(plain, ".:：")
	if lists.Has(plainlyWhole(), withoutInterjection(text)) || containsAny(text, plainlyParts()) || deniesThis.In(text) || onLeave.In(text) || onlyCan.In(text) || notSo.In(plain) {
		found |= 1 << plainly
	}
	if doneIn(text) {
		text = turned(text)
	}
	for _, row := range japaneseStatings() {
		if containsAny(text, row.parts) || endsWith(text, row.edges) {
			found |= 1 << row.stand
		}
	}
	if !inJapaneseWords(plain) {
		found |= chineseStands(plain)
	}
	if deniesDeed(text) && !containsAny(text, []string{"他のファイル", "ほかのファイル", "他の部分"}) {
		found |= 1 << unreal
	}
	if found&(1<<clears) != 0 {
		return found &^ (1<<back | 1<<unreal | 1<<depends)
	}
	return found
}

func concludes(words []word) bool {
	heard := hear(words)
	return heard.verdict() == resolve
}

// stems are how the words begin that name what actions are about: the words of their paths and commands.
func stems(actions []nebula.Action) (list []string) {
	for _, a := range actions {
		named := textOf(a.Args, `"path":`) + " " + textOf(a.Args, `"command":`)
		for _, word := range strings.FieldsFunc(strings.ToLower(named), func(r rune) bool { return !unicode.IsLetter(r) }) {
			if len(word) >= stemLength && len(list) < maxStems {
				list = append(list, word[:min(len(word), stemLength+2)])
			}
		}
	}
	return list
}

// textOf is the text of a member of an object, as it is written: a quote within a text is never bare, so that its name is found without
// reading what stands beside it, which may be a whole file.
func textOf(object []byte, name string) string {
	i := bytes.Index(object, []byte(name))
	if i < 0 {
		return ""
	}
	rest := bytes.TrimLeft(object[i+len(name):], " \t\r\n")
	for n := 1; n < len(rest) && rest[0] == '"'; n++ {
		switch rest[n] {
		case '\\':
			n++
		case '"':
			return string(rest[1:min(n, namesIn)])
		}
	}
	return ""
}

// namesIn is how much of a text is looked at for names.
const namesIn = 400

// maxStems bounds what one reply's actions name.
const maxStems = 64
