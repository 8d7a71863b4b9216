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
	idle  bool     // it has no word that tells anything about code
	whole bool     // it asks about the project as a whole
	makes bool     // it asks for something to be added or changed
	plans bool     // a plan is made for it
}

// A word is a term with its weight; words of one group stand for the same thing.
type word struct {
	term   term
	weight float64
	group  int
	text   string
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
		if low := strings.ToLower(w); !idle[low] && !greetings[low] {
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
		r.q.whole = r.q.whole || wholes[low]
		r.q.makes = r.q.makes || makings[low]
		r.add(w)
		for _, also := range means()[nameTerm(low)] {
			r.also(also, r.next-1)
		}
	}
	r.q.idle = meaning == 0
	r.glossary(text)
	r.q.areas = areas(text)
	r.q.whole = r.q.whole || strings.Contains(text, "プロジェクト") || strings.Contains(text, "全体")
	r.q.makes = r.q.makes || strings.Contains(text, "実装") || strings.Contains(text, "対応")
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
	text  string // that is being read
}

// add takes a word of the question with its parts. Where it is written without spaces these are its pairs of characters;
// kana alone are mostly grammar and weigh little.
func (r *asking) add(w string) {
	for runes := []rune(w); len(runes) > 0 && len(r.q.words) < maxWords; {
		wide, n := ideographic(runes[0]), 1
		for n < len(runes) && ideographic(runes[n]) == wide {
			n++
		}
		r.text = string(runes[:n])
		switch {
		case !wide:
			r.split.terms([]byte(r.text), func(t term) { r.put(t, 1, -1) })
		case n > 1:
			r.pairs(runes[:n])
		case len(runes) == len([]rune(w)) || !kana(runes[0]):
			r.put(hashed([]byte(r.text)), 1, -1)
		}
		runes = runes[n:]
	}
}

func (r *asking) pairs(runes []rune) {
	for i := range len(runes) - 1 {
		weight := 1.0
		switch a, b := kana(runes[i]), kana(runes[i+1]); {
		case a && b:
			weight = 0.1
		case a || b:
			weight = 0.4
		}
		r.put(hashed([]byte(string(runes[i:i+2]))), weight, -1)
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
	r.q.words = append(r.q.words, word{t, weight, group, r.text})
}

// also adds another word for those of a group.
func (r *asking) also(w string, group int) {
	r.text = w
	r.split.terms([]byte(w), func(t term) { r.put(t, 0.5, max(0, min(group, 63))) })
}

// glossary adds the English of Japanese words, which is what code is written in: for what the word's characters stand for
// already.
func (r *asking) glossary(text string) {
	if len(text) == utf8.RuneCountInString(text) {
		return
	}
	for _, g := range japanese {
		if !strings.Contains(text, g.word) {
			continue
		}
		group := -1
		if i, ok := r.at[hashed([]byte(string([]rune(g.word)[:min(2, utf8.RuneCountInString(g.word))])))]; ok {
			group = r.q.words[i].group
		}
		for i, w := range strings.Fields(g.english) {
			r.text = w
			r.q.makes = r.q.makes || i == 0 && makings[w]
			if i > 0 {
				r.also(w, group)
				continue
			}
			r.split.terms([]byte(w), func(t term) { r.put(t, 0.9, group) })
			if group < 0 {
				group = r.next - 1
			}
		}
	}
}
