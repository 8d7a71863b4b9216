package skill

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"unicode"

	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// Tell is what a request says of the skills, within room tokens: all of them where there is room, else those first that
// are most like the request, and of the others the names as far as they fit. Empty where there is none.
func (s Shelf) Tell(request, lang string, room int, count func(string) int) string {
	list := lists.Drop(lists.Clone(s), func(k Skill) bool { return !k.Unasked })
	if len(list) == 0 {
		return ""
	}
	text := phrase.In(lang, "Skills: instructions for kinds of work. Before work that one is for, take it up with useSkill and its name.") + "\n"
	lists.Sort(list, func(a, b Skill) int { return strings.Compare(a.Name, b.Name) })
	lines := make([]string, len(list))
	for i, k := range list {
		lines[i] = fmt.Sprintf("- %s: %s\n", k.Name, k.About)
	}
	if all := text + strings.Join(lines, ""); count(all) <= room {
		return all
	}
	return text + list.some(request, lang, room-count(text), count)
}

// fits is what of the room descriptions may take where not all have room: the names are worth more.
const fits = 3

// some are the likeliest with what they are for, and the names of others.
func (s Shelf) some(request, lang string, room int, count func(string) int) string {
	ranked := s.Ranked(request)
	text, told := "", 0
	for _, k := range ranked {
		line := fmt.Sprintf("- %s: %s\n", k.Name, phrase.OneLine(k.About, 120))
		if count(text+line) > room/fits {
			break
		}
		text += line
		told++
	}
	more := phrase.In(lang, "Others (useSkill with words tells of those that fit):")
	for i, k := range ranked[told:] {
		rest := fmt.Sprintf(phrase.In(lang, " and %d more"), len(ranked)-told-i)
		if count(text+more+" "+k.Name+","+rest) > room {
			more += rest
			break
		}
		more += " " + k.Name
	}
	return text + more + "\n"
}

// Ranked are the skills, the one first that is most like a text. A word counts the more the fewer have it.
func (s Shelf) Ranked(text string) Shelf {
	had := map[string]int{}
	of := make([]map[string]bool, len(s))
	for i, k := range s {
		of[i] = words(k.Name + " " + k.About)
		for w := range of[i] {
			had[w]++
		}
	}
	score := map[string]float64{}
	for i, k := range s {
		for w := range words(text) {
			if of[i][w] {
				score[k.Name] += math.Log(1 + float64(len(s))/float64(had[w]))
			}
		}
	}
	ranked := lists.Clone(s)
	lists.Sort(ranked, func(a, b Skill) int { return cmp.Compare(score[b.Name], score[a.Name]) })
	return ranked
}

// words are those of a text in small letters; of a script that sets none apart, each two letters that stand together.
func words(text string) map[string]bool {
	found := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if runes := []rune(w); runes[0] > unicode.MaxLatin1 {
			for i := range len(runes) - 1 {
				found[string(runes[i:i+2])] = true
			}
		} else if len(w) > 1 {
			found[strings.TrimSuffix(w, "s")] = true
		}
	}
	return found
}
