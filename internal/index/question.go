package index

import (
	"strings"
	"unicode/utf8"
)

// A question is what is looked for, as terms.
type question struct {
	words []word
	tests bool     // it asks for tests
	prose bool     // it asks for documents
	areas []string // parts of paths that it names: internal/index, or what a colon follows at its beginning
}

// A word is a term with its weight; words of one group stand for the same thing.
type word struct {
	term   term
	weight float64
	group  int
}

// Bounds of a question. What is longer is cut.
const (
	maxQuestion = 4 << 10
	maxWords    = 48
	maxAreas    = 4
)

// ask reads a question.
func ask(text string) question {
	if len(text) > maxQuestion {
		text = strings.ToValidUTF8(text[:maxQuestion], "")
	}
	r := &asking{at: map[term]int{}}
	var plain []string
	for w := range strings.FieldsFuncSeq(text, func(c rune) bool { return c < 0x80 && kinds[byte(c)] == other }) {
		plain = append(plain, w)
	}
	meaning := 0
	for _, w := range plain {
		if !idle[strings.ToLower(w)] {
			meaning++
		}
	}
	for _, w := range plain {
		low := strings.ToLower(w)
		if meaning > 0 && idle[low] {
			continue
		}
		r.q.tests = r.q.tests || strings.HasPrefix(low, "test")
		r.q.prose = r.q.prose || low == "readme" || strings.HasPrefix(low, "document") || low == "docs" || low == "guide"
		r.add(w)
		for _, also := range means()[nameTerm(low)] {
			r.also(also)
		}
	}
	r.glossary(text)
	r.q.areas = areas(text)
	return r.q
}

// areas are the parts of the project that a question names.
func areas(text string) (all []string) {
	for i, w := range strings.Fields(text) {
		if len(all) == maxAreas {
			break
		}
		scope := i == 0 && strings.HasSuffix(w, ":")
		if _, inside, ok := strings.Cut(w, "("); ok && scope { // fix(parser): …
			w = inside
		}
		part := strings.Trim(w, "./,:;()`'\"")
		if part != "" && (scope || strings.Contains(part, "/")) {
			all = append(all, "/"+part+"/")
		}
	}
	return all
}

type asking struct {
	split splitter
	q     question
	at    map[term]int
	next  int
}

// add takes a word of the question with its parts. Kana alone are mostly grammar and weigh little.
func (r *asking) add(w string) {
	if len(r.q.words) >= maxWords {
		return
	}
	runes := []rune(w)
	if len(runes) > 1 && ideographic(runes[0]) {
		r.pairs(runes)
		return
	}
	r.split.terms([]byte(w), func(t term) { r.put(t, 1, -1) })
}

func (r *asking) pairs(runes []rune) {
	var rest []rune
	for i := 0; i < len(runes); i++ {
		if !ideographic(runes[i]) {
			rest = append(rest, runes[i:]...)
			break
		}
		if i+1 < len(runes) && ideographic(runes[i+1]) {
			weight := 1.0
			if kana(runes[i]) && kana(runes[i+1]) {
				weight = 0.1
			}
			r.put(hashed([]byte(string(runes[i:i+2]))), weight, -1)
		}
	}
	if len(rest) > 0 && len(rest) < len(runes) {
		r.add(string(rest))
	}
}

// put adds a term, in the group of the word it stands for or in one of its own.
func (r *asking) put(t term, weight float64, group int) {
	if i, ok := r.at[t]; ok {
		if group < 0 {
			r.q.words[i].weight = max(r.q.words[i].weight, weight)
		}
		return
	}
	if len(r.q.words) >= maxWords {
		return
	}
	if group < 0 {
		group = min(r.next, 63)
		r.next++
	}
	r.at[t] = len(r.q.words)
	r.q.words = append(r.q.words, word{t, weight, group})
}

// also adds another word for the last one.
func (r *asking) also(w string) {
	group := max(0, r.next-1)
	r.split.terms([]byte(w), func(t term) { r.put(t, 0.5, group) })
}

// glossary adds the English of Japanese words, which is what code is written in.
func (r *asking) glossary(text string) {
	if len(text) == utf8.RuneCountInString(text) {
		return
	}
	for _, g := range japanese {
		if strings.Contains(text, g.word) {
			for i, w := range strings.Fields(g.english) {
				if i == 0 {
					r.split.terms([]byte(w), func(t term) { r.put(t, 0.9, -1) })
				} else {
					r.also(w)
				}
			}
		}
	}
}
