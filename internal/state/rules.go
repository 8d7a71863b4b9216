package state

import "strings"

// rulesKept bounds the person's rules.
const rulesKept = 10

// marks make a sentence of the person a rule for the whole conversation.
var marks = []string{
	"always ", "never ", "must ", "must not", "do not ", "don't ", "from now on", "remember", "make sure", "only use", "important:",
	"必ず", "絶対", "常に", "決して", "禁止", "ないで", "今後", "覚えて", "厳守", "ルール",
}

// rules are the sentences of a message that are meant to hold from then on.
func rules(text string) []string {
	if len(text) > 20_000 {
		return nil // a pasted document, not a person's rule
	}
	var found []string
	for _, sentence := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("\n。！!", r) }) {
		for _, one := range strings.Split(sentence, ". ") {
			low := strings.ToLower(one) + " "
			for _, mark := range marks {
				if strings.Contains(low, mark) {
					line, _ := Cut(one, LineLimit)
					found = append(found, line)
					break
				}
			}
		}
	}
	return found
}

// nots make a rule one that keeps away from what it names.
var nots = []string{"never", "not ", "don't", "決して", "禁止", "ないで"}

// Forbidden reports whether one of the person's rules names a folder that the path is in as one to keep away from.
func (s *State) Forbidden(file string) bool {
	for _, rule := range s.Rules {
		low := strings.ToLower(rule)
		if !holds(low, nots) {
			continue
		}
		for _, word := range strings.FieldsFunc(low, func(r rune) bool { return !inPath(r) }) {
			word = strings.Trim(strings.TrimPrefix(word, "./"), "/.,:;")
			if word != "" && strings.Contains("/"+strings.ToLower(file), "/"+word+"/") {
				return true
			}
		}
	}
	return false
}

// inPath reports whether a rule's letter can be one of a folder's name; one of a script without spaces is a word's beside it.
func inPath(r rune) bool {
	return r < 0x80 && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+@", r))
}
