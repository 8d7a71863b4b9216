package state

import "strings"

// rulesKept bounds the person's rules.
const rulesKept = 10

// marks make a sentence of the person a rule for the whole conversation.
var marks = []string{
	"always ", "never ", "must ", "must not", "do not ", "don't ", "from now on", "remember", "make sure", "only use", "important:",
	"必ず", "絶対", "常に", "決して", "禁止", "しないで", "今後", "覚えて", "厳守", "使わないで", "ルール",
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
