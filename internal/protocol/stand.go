package protocol

import (
	"slices"
	"strings"
	"sync"
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
)

// A piece is one part of a shape.
type piece struct {
	words []string // any of these, sorted
	maybe bool     // or nothing
	gap   int      // so many words at most, within a clause
	end   bool     // the clause ends, or goes on with when, where or by whom
	last  bool     // the sentence ends
}

// A shape is a row, taken apart.
type shape struct {
	stand  stand
	inside bool // it may begin in the middle of a clause
	pieces []piece
}

// shapes are the rows by the words that they begin with.
var shapes = sync.OnceValue(func() map[string][]shape {
	all := map[string][]shape{}
	for _, row := range standings {
		for _, text := range strings.Split(row.shapes, ",") {
			text, inside := strings.CutPrefix(strings.TrimSpace(text), "..")
			s := shape{row.stand, inside, piecesOf(text)}
			for _, p := range s.pieces {
				for _, word := range p.words {
					all[word] = append(all[word], s)
				}
				if !p.maybe {
					break
				}
			}
		}
	}
	return all
})

// piecesOf takes a row apart: NAME stands for the words of a set, a/b for either word, ? behind a part for its absence, 3 for up
// to so many words, ~ and . for the ends of a clause and of the sentence.
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
		case part == ".":
			list = append(list, piece{last: true})
			continue
		case digits(part):
			list = append(list, piece{gap: int(part[0] - '0')})
			continue
		}
		part, maybe := strings.CutSuffix(part, "?")
		var words []string
		for name := range strings.SplitSeq(part, "/") {
			if set, known := wordSets[name]; known {
				words = append(words, strings.Fields(set)...)
			} else {
				words = append(words, name)
			}
		}
		slices.Sort(words)
		list = append(list, piece{words: words, maybe: maybe})
	}
	return list
}

// stands reports whether a sentence has a shape of a stand.
func (s *sentence) stands(want stand) bool {
	if !s.weighed {
		s.weighed = true
		if s.japanese {
			s.taken = japaneseStands(s.text)
		} else {
			s.taken = standsOf(s.words)
		}
	}
	return s.taken&(1<<want) != 0
}

// standsOf is the set of what words say by their shapes. What is done in the end outweighs what was said before it.
func standsOf(words []word) (found uint8) {
	all := shapes()
	for i := range words {
		starts := i == 0 || words[i-1].stop || words[i-1].is(starters) || words[i-1].is(fillers) || has(hedges, words[i-1].text)
		for _, s := range all[words[i].text] {
			if (starts || s.inside) && found&(1<<s.stand) == 0 && fits(words, i, s.pieces) && !resolves(words[i+1:]) {
				found |= 1 << s.stand
			}
		}
	}
	if found&(1<<clears) != 0 {
		return found &^ (1 << back)
	}
	return found
}

// resolves reports whether a later clause says that its writer acts.
func resolves(words []word) bool {
	for i := 1; i < len(words); i++ {
		if (words[i-1].stop || has([]string{"so", "but", "therefore", "hence"}, words[i-1].text)) && concludes(words[i:]) {
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
	case p.end:
		return (closed || has(tails, words[i].text)) && fits(words, i, rest)
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
		if _, of := slices.BinarySearch(p.words, words[i].text); of && fits(words, i+1, rest) {
			return true
		}
	}
	return p.maybe && fits(words, i, rest)
}

// japaneseStands is the set of what a Japanese sentence says by its parts.
func japaneseStands(text string) (found uint8) {
	text = innocent.Replace(strings.TrimRight(text, "。.!！ 　"))
	for _, row := range standingsJapanese {
		if containsAny(text, row.parts) || endsWith(text, row.ends) {
			found |= 1 << row.stand
		}
	}
	if found&(1<<clears) != 0 {
		return found &^ (1 << back)
	}
	return found
}

func concludes(words []word) bool {
	heard := hear(words)
	return heard.verdict() == resolve
}
