package protocol

import "strings"

// setClasses are the classes whose words belong to a set as well.
var setClasses = map[string]class{"PTR": topics, "MAKING": makings, "POSS": possessives, "NAME": persons}

// hedges are words behind which a shape may begin; tails go on behind its end.
var (
	hedges = []string{"only", "just", "still", "also", "really", "actually", "though", "however", "sorry", "no", "wait", "well", "oh", "hmm", "course", "perhaps", "maybe", "again", "shown", "listed", "written", "given", "kept", "included", "purely", "merely", "reflection"}
	tails  = []string{"by", "in", "for", "until", "till", "last", "twice", "yesterday", "today", "before", "on", "at", "when", "because", "since", "from", "once", "and", "but", "though", "then", "first", "yet", "again", "now", "so", "please", "here", "after", "unless", "as", "either", "outright", "explicitly", "of", "to"}
)

// withoutInterjection is a Japanese sentence without what it breaks off with.
func withoutInterjection(text string) string {
	for _, word := range interjectionsJapanese {
		if rest, is := strings.CutPrefix(text, word); is {
			text = strings.TrimLeft(rest, "、,:： ")
		}
	}
	return text
}

var interjectionsJapanese = []string{"wait, ", "Wait, ", "wait、", "no, ", "No, ", "stop, ", "Stop, ", "あ、", "あっ、", "いや、", "おっと、", "すみません、", "ごめんなさい、", "失礼、", "失礼しました、", "やっぱり", "やはり", "訂正:", "訂正：", "訂正します:"}
