package protocol

import (
	"slices"
	"strings"
	"unicode"

	"nebula/internal/lists"
)

// What stands on both sides of an action, in a language that the tables of words know or in another: an action between
// words that do not say that it is being done is likely somebody else's.

// surrounded reports whether what stands around a unit says that it is not meant: a list, a code block that nothing
// ends, or words in another language than English and Japanese.
func surrounded(text string, u unit, before, behind string) bool {
	intro, outro := beside(before, false), beside(behind, true)
	if listedWhole(text, u) || fencedOff(before, behind, intro) {
		return true
	}
	switch elsewhere := tongue(intro); {
	case elsewhere == theirs && (strings.HasSuffix(intro, ":") || strings.HasSuffix(intro, "：") || outro != ""), elsewhere == denial:
		return true
	}
	switch tongue(outro) {
	case denial:
		return true
	case theirs:
		return intro != ""
	}
	return false
}

// beside is the last line with words of a text, or the first.
func beside(text string, first bool) string {
	found := ""
	for line := range strings.Lines(text) {
		if hollow(line) || !spoken(line) || strings.IndexFunc(line, unicode.IsLetter) < 0 {
			continue
		}
		if found = strings.Trim(line, " \t\r\n*_`"); first {
			break
		}
	}
	return found
}

//go:noinline
func containsAny(s string, parts []string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(s, p) })
}

// listedWhole reports whether a unit that begins with a list's mark of its own stands among other items, of words.
func listedWhole(text string, u unit) bool {
	line, _, _ := strings.Cut(text[u.Start:], "\n")
	if !item(line, false) || u.End < u.Start+len(strings.TrimRight(line, " \t\r")) {
		return false
	}
	above := strings.TrimRight(text[:u.Start], " \t\r\n")
	below, _, _ := strings.Cut(strings.TrimLeft(text[u.End:], " \t\r\n"), "\n")
	return item(above[strings.LastIndexByte(above, '\n')+1:], true) || item(below, true)
}

// fencedOff reports whether a unit stands behind words in a code block of tildes, or in one that nothing ends.
func fencedOff(before, behind, intro string) bool {
	line := strings.TrimSpace(before)
	line = line[strings.LastIndexByte(line, '\n')+1:]
	switch {
	case intro == "":
		return false
	case strings.HasPrefix(line, "~~~"):
		return true
	}
	return strings.HasPrefix(line, "```") && !strings.Contains(behind, "```") && strings.Count(before, "```")%2 == 1
}

// A stance is what a line in another language than English and Japanese says of the action beside it.
type stance uint8

const (
	known  stance = iota // it is in English or Japanese, or cannot be told
	ours                 // its writer does something
	theirs               // it says something else
	denial               // it has a negation
)

// tongues are a few words of other languages, or parts of words where a script has no blanks: those of the first
// person, of negation, and such as tell the language; and the negations that say that something is no longer so, or wrong.
var tongues = []struct {
	script                *unicode.RangeTable
	ours, no, its, longer []string
}{
	{nil, []string{"ich", "wir", "jetzt", "nun"}, []string{"nicht", "kein", "keine", "nie", "niemals", "nein", "lieber", "bleiben", "vergiss", "doch"}, []string{"nicht", "nein", "lieber", "vergiss", "nie", "der", "das", "den", "dem", "steht", "ist", "im", "datei", "und", "sagt", "danach", "dann", "mache"}, []string{"nicht mehr", "keine mehr"}},
	{nil, []string{"je", "nous", "maintenant"}, []string{"pas", "jamais", "rien", "ne", "oubliez", "annulez", "abstiens"}, []string{"oubliez", "annulez", "abstiens", "jamais", "le", "les", "une", "du", "contient", "fichier", "dit", "est", "dans", "puis", "et"}, []string{"plus utilisé", "plus besoin", "plus nécessaire", "ne sert plus"}},
	{nil, []string{"voy", "vamos", "ahora", "yo"}, []string{"no", "nunca", "nada"}, []string{"el", "los", "las", "una", "dice", "contiene", "archivo", "está", "lo", "del", "que"}, []string{"ya no"}},
	{nil, []string{"vou", "agora", "eu"}, []string{"não", "nunca", "nada"}, []string{"o", "os", "uma", "diz", "contém", "arquivo", "ficheiro", "está"}, []string{"já não", "não é mais"}},
	{nil, []string{"sto", "adesso", "ora", "vado"}, []string{"non", "mai", "niente"}, []string{"il", "lo", "gli", "una", "dice", "contiene", "è", "nel", "del"}, []string{"non è più", "non serve più"}},
	{unicode.Cyrillic, []string{"я", "сейчас", "теперь", "мы"}, []string{"не", "никогда", "нельзя"}, nil, []string{"больше не", "не нужен", "не используется"}},
	{unicode.Hangul, []string{"겠습니다", "하겠", "제가", "이제", "합니다"}, []string{"않", "안 ", "마세요", "무시"}, nil, []string{"더 이상"}},
	{unicode.Han, []string{"我", "现在", "接下来", "让我", "首先"}, []string{"不", "没", "别", "勿", "忽略", "無視"}, nil, []string{"不再", "不必要", "不正确", "不需要的", "没有通过", "特别", "分别", "别的", "没用"}},
}

// assents say yes or offer more with the words of a negation, or with none of their writer.
var assents = strings.NewReplacer("kein problem", "", "keinen grund", "", "also los", "", "dann los", "", "los geht", "", "c'est parti", "", "pas de problème", "", "pas de souci", "", "pas d'autre", "", "n'hésitez pas", "", "n'hésite pas", "",
	"没问题", "我", "好的", "我", "当然", "我", "不用担心", "", "请放心", "")

// inEnglish are words that no line in English is long without.
var inEnglish = []string{"the", "an", "i", "i'll", "it", "this", "that", "to", "of", "and", "is", "are", "for", "with", "now", "let", "you", "file", "in", "on", "my", "we", "then", "done"}

// tongue tells the stance of a line.
func tongue(line string) stance {
	if line == "" || labelled(line) || inJapaneseWords(line) || endsWith(strings.TrimRight(line, ":： "), deedsJapanese) {
		return known
	}
	line = assents.Replace(strings.ToLower(line))
	var words []string
	for _, w := range wordFields(line) {
		words = append(words, strings.Trim(w, ".,;:!?…"))
	}
	has := func(table []string, script *unicode.RangeTable) bool {
		if script != nil && !unicode.Is(unicode.Cyrillic, []rune(table[0])[0]) {
			return containsAny(line, table)
		}
		return slices.ContainsFunc(words, func(w string) bool { return lists.Has(table, w) })
	}
	foreign := strings.IndexFunc(line, func(r rune) bool { return r >= 0x80 && unicode.IsLetter(r) }) >= 0
	for _, t := range tongues {
		is := t.script != nil && foreign && mostly(line, t.script) ||
			t.script == nil && has(t.its, nil) && !slices.ContainsFunc(words, func(w string) bool { return lists.Has(inEnglish, w) && !lists.Has(t.its, w) })
		switch {
		case !is:
		case t.script == unicode.Han && saysChinese(line), abroad(line) == 1<<leading:
			return ours
		case t.script == unicode.Han && chineseStands(line)&(1<<affirms|1<<leading) != 0:
			return known
		case has(t.no, t.script) && !containsAny(line, t.longer):
			return denial
		case has(t.ours, t.script):
			return ours
		default:
			return theirs
		}
	}
	return known
}

// mostly reports whether most letters of a line are of a script.
func mostly(line string, script *unicode.RangeTable) bool {
	all, of := 0, 0
	for _, r := range line {
		if unicode.IsLetter(r) {
			all++
			if unicode.Is(script, r) {
				of++
			}
		}
	}
	return 2*of > all
}

func wordFields(line string) []string {
	return strings.FieldsFunc(strings.ToLower(line), func(r rune) bool { return unicode.IsSpace(r) || r == '\'' || r == '’' })
}

// inJapaneseWords reports whether a line is Japanese: Chinese has no kana.
//
//go:noinline
func inJapaneseWords(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) })
}

// allQuoted reports whether every line of a text is marked as quoted.
func allQuoted(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '>' {
			return false
		}
	}
	return true
}
