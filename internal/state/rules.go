package state

import (
	"slices"
	"strings"

	"nebula/internal/lazy"
)

// rulesKept bounds the person's rules that are listed.
const rulesKept = 40

// document is how many bytes a message has that is read as a pasted document from there on, not as the person's words.
const document = 20_000

// Words that make a sentence of the person a rule for the whole conversation.
var marks = []string{
	"always ", "never ", "must ", "must not", "do not ", "don't ", "from now on", "remember", "make sure", "only use", "important:",
	"必ず", "絶対", "常に", "決して", "禁止", "ないで", "今後", "覚えて", "厳守", "ルール",
}

// wishes are weaker: in a message that cannot stay whole they tell what of it has to.
var wishes = []string{
	" no ", " not ", " only ", " keep ", " use ", " every ", " each ", " all ", " prefer ", " avoid ", " at most ", " at least ", " should ", " shall ", " ensure ", " without ", " instead ", " cannot ",
	" please ", " let ", " stay", " need", "n't ",
	"して", "せよ", "しろ", "こと", "ください", "下さい", "ない", "のみ", "だけ", "べき", "ずに", "まで", "以内", "以下", "なしで", "場合", "全て", "すべて", "使",
}

// announced begin what holds from then on: the whole line, and where it ends in a colon all up to the next empty line.
var announced = []string{"rule", "convention", "constraint", "requirement", "guideline", "ルール", "決まり", "規則", "規約", "制約", "方針", "約束", "条件"}

var (
	item   = &lazy.Pattern{X: `^\s*(?:[-*•・–]|\(?\d{1,2}[.):）．、]|[（(]\d{1,2}[)）]|[①-⑳])\s*\S`}
	inline = &lazy.Pattern{X: `[（(]\d{1,2}[)）]|(?:^|\s)\d{1,2}[.)]\s|[①-⑳]`}
	ends   = &lazy.Pattern{X: `[.!?]+\s+|[。！？]`}
)

// lasting are other words of such a sentence.
var lasting = &lazy.Pattern{X: `(?i)\bwhatever (?:you do|happens)\b|^\W*(?:(?:please|but|and|just)[, ]+)*(?:leave [^,;!?]{1,40}? alone\b|hands off\b|it is forbidden\b|nothing in \S+ (?:may|should|can|is to) (?:be )?change)|手を(?:出す|付ける|つける)な(?:よ)?[。！!]?$|(?:変え|触っ|消し|いじっ)ちゃ(?:だめ|ダメ|駄目)|でも動(?:かす|く|作する)必要があ|[はを]するな(?:よ)?[。！!]?$|^[^。、]{0,8}(?:答え|回答|返事|説明)は[^。、]{1,8}(?:めが(?:いい|よい|良い)|めで)|ようにすること[。！!]?$|のままにして(?:おいて|ください)`}

// A clause is a sentence or an item of a list, word for word.
type clause struct {
	text   string
	listed bool // an item of a list
	told   bool // announced as something that holds
}

// rules reports whether the clause is meant to hold from then on.
func (c clause) rules() bool {
	return c.told || holds(strings.ToLower(c.text)+" ", marks) || lasting.In(c.text)
}

// clauses are a message's, in order.
func clauses(text string) (list []clause) {
	block := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			block = false
			continue
		}
		announces := holds(strings.ToLower(line), announced)
		switch {
		case block || announces:
			list = append(list, clause{line, item.In(line), true})
			block = block || strings.HasSuffix(line, ":") || strings.HasSuffix(line, "：") || strings.HasSuffix(line, "。")
		case item.In(line) || lazy.Any("(|（|. |) |.\t|)\t|\xe2\x91", line) && len(inline.Re().FindAllString(line, 3)) > 1:
			list = append(list, clause{line, true, false})
		default:
			for _, one := range sentences(line) {
				list = append(list, clause{text: one})
			}
		}
	}
	return list
}

// sentences are those of a line, each with its end.
func sentences(line string) (list []string) {
	from := 0
	if lazy.Any(". |! |? |.\t|!\t|?\t|。|！|？", line) {
		for _, at := range ends.Re().FindAllStringIndex(line, -1) {
			list = append(list, strings.TrimSpace(line[from:at[1]]))
			from = at[1]
		}
	}
	if rest := strings.TrimSpace(line[from:]); rest != "" {
		list = append(list, rest)
	}
	return list
}

// Rules are the clauses of a message that are meant to hold from then on.
func Rules(text string) (found []string) {
	if len(text) > document {
		return nil // a pasted document, not a person's rule
	}
	for _, c := range clauses(text) {
		if c.rules() {
			found = append(found, c.text)
		}
	}
	return found
}

// Obligations are the clauses of a message that ask for something that may hold on, word for word, in their order.
func Obligations(text string) (found []string) {
	for _, c := range Weighed(text) {
		if c.obliges {
			found = append(found, c.Text)
		}
	}
	return found
}

// How much it counts that a clause stays, the most first: a rule, the first and last words of a message with something long in it that is no
// word of the person's, what bounds how something is done, what else obliges, and what stands by those words.
const (
	Rule = iota
	Beside
	Bound
	Wish
	Near
	Weights // how many there are
)

// A Clause is one of a message that may hold on.
type Clause struct {
	Text    string
	Weight  int
	obliges bool
}

// What stands before and behind something long is the person's own, in whatever words: surely and maybe so much of it, in bytes, of a message
// of that length.
const (
	beside = 100
	near   = 300
	pasted = 1000
)

// keepsFrom is how a Japanese sentence ends that keeps from something.
var keepsFrom = &lazy.Pattern{X: `ない(?:こと|よう)に?(?:して|お願い|ください|下さい|します)*[。！!]?$`}

// Weighed are the clauses of a message that may hold on, in their order. Of a pasted document only the beginning and the end are the person's.
func Weighed(text string) (found []Clause) {
	const ends = 2000
	if len(text) > document {
		text = strings.ToValidUTF8(text[:ends]+"\n\n"+text[len(text)-ends:], "")
	}
	at, whole := 0, clauses(text)
	length := 0
	for _, c := range whole {
		length += len(c.text)
	}
	long := length > pasted && strings.Contains(text, "\n")
	for _, c := range whole {
		from := at
		at += len(c.text)
		low := " " + strings.ToLower(c.text) + " "
		obliges := c.told || c.listed || holds(low, marks) || holds(low, wishes)
		switch {
		case c.rules() || keepsFrom.In(c.text) || each.In(c.text):
			found = append(found, Clause{c.text, Rule, obliges})
		case bounds(c.text):
			found = append(found, Clause{c.text, Bound, obliges})
		case long && (at <= beside || length-from <= beside):
			found = append(found, Clause{c.text, Beside, obliges})
		case obliges:
			found = append(found, Clause{c.text, Wish, true})
		case long && (at <= near || length-from <= near):
			found = append(found, Clause{c.text, Near, false})
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

// Wrote reports whether the person wrote the message with that index.
//
//go:noinline
func (s *State) Wrote(message int) bool {
	_, found := slices.BinarySearch(s.Said, message)
	return found
}

// inPath reports whether a rule's letter can be one of a folder's name; one of a script without spaces is a word's beside it.
func inPath(r rune) bool {
	return r < 0x80 && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+@", r))
}
