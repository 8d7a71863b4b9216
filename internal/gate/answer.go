package gate

import (
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"

	"nebula"
	"nebula/internal/lists"
)

// ReadAnswer reads what a person typed at the gate, in English or Japanese. Only a whole answer that says one clear
// thing is a yes; "no" may be followed by a reason. Everything else is no: clear is false, and the text is kept as
// the reason, for the model to read.
func ReadAnswer(text string) (answer nebula.Decided, reason string, clear bool) {
	folded := fold(text)
	if a, ok := whole()[folded]; ok && (a == nebula.No || !hedged(text)) {
		return a, "", true
	}
	if reason, ok := refusal(text); ok {
		return nebula.No, reason, !contradicts(reason)
	}
	if paths, ok := some(text); ok {
		return nebula.Some, paths, true
	}
	return nebula.No, strings.TrimSpace(text), false
}

// Allows reports whether a text is a yes and nothing else, which answers no question that has answers of its own.
func Allows(text string) bool {
	answer, _, clear := ReadAnswer(text)
	return clear && answer != nebula.No && answer != nebula.Some
}

// Counts reports whether a text is a number alone. It may be meant for a row of another screen, and is no answer, not even no.
func Counts(text string) bool {
	text = strings.TrimRight(strings.TrimSpace(text), ".)）")
	return text != "" && strings.IndexFunc(text, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
}

// hedged reports whether an answer trails off or is a quotation: then it may be meant otherwise.
func hedged(text string) bool {
	text = strings.TrimSpace(text)
	if strings.ContainsAny(text, "\"＂「」“”") || strings.Trim(text, "'’") != text {
		return true
	}
	return strings.HasSuffix(text, "..") || strings.HasSuffix(text, "…") || strings.HasSuffix(text, "。。") || strings.HasSuffix(text, "・・")
}

// whole are the answers that stand alone, as fold leaves them. What can be meant either way, such as いいです and
// 結構です, is not among them.
var whole = sync.OnceValue(func() map[string]nebula.Decided { return answers(standing) })

var standing = map[nebula.Decided][]string{
	nebula.Yes: {
		"y", "yes", "yes please", "yep", "yup", "yeah", "ok", "okay", "sure", "go", "go ahead", "go for it", "do it", "approve", "approved", "i approve", "allow", "allow it", "accept", "agree", "i agree", "agreed", "proceed", "please do",
		"yes do it", "yes go ahead", "ok do it", "ok go ahead", "okay go ahead", "okay do it", "sure go ahead", "please do it", "please go ahead", "please proceed",
		"はい", "はいお願いします", "お願いします", "お願い", "はいお願い", "はいどうぞ", "はい実行してください", "はい進めてください", "うん", "うんお願い", "ええ", "いいよ", "いいですよ", "よろしい", "許可", "許可する", "許可します", "同意", "同意する", "同意します", "承認", "承認する", "承認します", "実行", "実行して", "実行してください", "やって", "やってください", "どうぞ", "進めて", "進めてください", "オーケー", "オッケー", "okです", "おk", "了解", "了解です",
	},
	nebula.Always: {
		"a", "always", "always allow", "always this session", "always for this session", "yes always", "allow always", "for this session", "this session", "yes for this session", "allow for this session", "yes and dont ask again", "dont ask again",
		"常に", "常に許可", "常に許可します", "いつも", "いつも許可", "ずっと", "このセッション", "このセッション中は許可", "今後も許可", "以後許可", "常にはい", "はい常に",
	},
	nebula.Here: {
		"f", "from now on", "yes from now on", "in this folder", "in this folder from now on", "always in this folder", "always here",
		"これから", "これからずっと", "このフォルダー", "このフォルダーではずっと", "このフォルダーでは常に", "このフォルダーでこれから", "このフォルダでは常に",
	},
	nebula.Try: {
		"t", "try", "try it", "yes try", "yes try it", "try first", "try it first", "on a view", "yes on a view",
		"試す", "試して", "試してください", "まず試す", "まず試して", "試しに", "試しに実行",
	},
	nebula.Edits: {
		"all edits", "allow all edits", "yes all edits", "all edits in this session", "allow all edits in this session", "all edits from now on", "edits are free", "accept edits", "accept all edits",
		"編集はすべて", "編集はすべて許可", "編集はすべて許可します", "すべての編集を許可", "以後の編集はすべて許可",
	},
	nebula.No: {
		"n", "no", "nope", "nah", "no thanks", "no thank you", "deny", "denied", "refuse", "reject", "cancel", "stop", "dont", "do not", "never", "skip", "abort",
		"いいえ", "いえ", "いや", "だめ", "ダメ", "駄目", "拒否", "拒否する", "拒否します", "やめて", "やめる", "やめてください", "中止", "却下", "ノー", "不可", "しない", "禁止", "キャンセル",
	},
}

func answers(of map[nebula.Decided][]string) map[string]nebula.Decided {
	table := map[string]nebula.Decided{}
	for decided, words := range of {
		for _, w := range words {
			table[fold(w)] = decided
		}
	}
	return table
}

// fold brings an answer to the form the table is in: lower case, ASCII width, one space between words, without quotes
// and dashes, and without full stops, exclamation marks and commas at the end. A question mark stays: "yes?" is no yes.
func fold(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r >= '！' && r <= '～':
			r -= '！' - '!'
		case r == '’' || r == '\'' || r == '"' || r == '「' || r == '」':
			return -1
		case unicode.IsSpace(r) || r == ',' || r == '、' || r == '—' || r == '–':
			return ' '
		}
		return unicode.ToLower(r)
	}, text)
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), " - ", " ")
	text = strings.TrimRight(text, " .!。、")
	if text == "" || !unicode.Is(unicode.Hiragana, firstRune(text)) {
		return text
	}
	return strings.ReplaceAll(text, " ", "")
}

func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}

// refusal reads "no, and here is why".
func refusal(text string) (reason string, ok bool) {
	trimmed := strings.TrimSpace(text)
	for _, word := range []string{"no", "n", "いいえ", "いや", "だめ", "ダメ", "駄目", "拒否", "ノー"} {
		if len(trimmed) <= len(word) || !strings.EqualFold(trimmed[:len(word)], word) {
			continue
		}
		rest := trimmed[len(word):]
		if after := strings.TrimLeft(rest, " \t,;:.—–-、。，；：　\n"); after != rest && after != "" {
			return strings.TrimSpace(after), true
		}
	}
	return "", false
}

// some reads "keep these paths".
func some(text string) (paths string, ok bool) {
	trimmed := strings.TrimSpace(text)
	for _, word := range []string{"keep only ", "keep ", "残す ", "残す　", "残す: ", "残す：", "これだけ残す "} {
		if len(trimmed) > len(word) && strings.EqualFold(trimmed[:len(word)], word) && !hedged(text) {
			paths = strings.TrimSpace(trimmed[len(word):])
			return paths, paths != "" && !strings.HasSuffix(paths, "?") && !strings.HasSuffix(paths, "？")
		}
	}
	return "", false
}

// Chosen is what of a proposal to keep what a command did a person wants who named some paths, folders or patterns: with both
// ends of what was moved, the folders that are needed, and what nobody looks at. It is false where nothing of it fits.
func Chosen(p nebula.Proposal, paths string) (nebula.Proposal, bool) {
	words := strings.FieldsFunc(paths, func(r rune) bool { return r == ',' || r == '、' || unicode.IsSpace(r) })
	wanted, ends := map[string]bool{}, map[string]bool{}
	for _, t := range p.Targets {
		if !t.Ignored && (fitting(words, t.Path) || t.From != "" && fitting(words, t.From)) {
			wanted[t.Path] = true
			ends[t.From] = t.From != ""
		}
	}
	fits := len(wanted) > 0
	for _, t := range p.Targets {
		wanted[t.Path] = wanted[t.Path] || t.Ignored || ends[t.Path]
	}
	for _, t := range p.Targets {
		below := func(path string) bool { return wanted[path] && strings.HasPrefix(path, t.Path+"/") }
		if t.Kind == "mkdir" && slices.ContainsFunc(slices.Collect(maps.Keys(wanted)), below) {
			wanted[t.Path] = true
		}
	}
	p.Targets = lists.Drop(lists.Clone(p.Targets), func(t nebula.Target) bool { return !wanted[t.Path] })
	return p, fits
}

// fitting reports whether a path is one of some words, below one, or fits one that is a pattern.
//
//go:noinline
func fitting(words []string, at string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		w = path.Clean(w)
		fits, _ := path.Match(w, at)
		return fits || w == at || strings.HasPrefix(at, w+"/")
	})
}

// contradicts reports whether what follows a no takes it back. It stays a no; it is only not a clear one.
func contradicts(reason string) bool {
	a, ok := whole()[fold(reason)]
	return ok && a != nebula.No
}

// consents are messages that approve a plan by its name.
var consents = sync.OnceValue(func() map[string]bool {
	table := map[string]bool{}
	for _, text := range []string{
		"approve the plan", "i approve the plan", "approve this plan", "the plan is approved", "plan approved", "the plan is ok", "the plan is fine", "go ahead with the plan", "go on with the plan", "proceed with the plan", "carry out the plan", "run the plan", "execute the plan", "start the plan", "yes run the plan", "yes carry out the plan", "yes go ahead with the plan",
		"計画を承認", "計画を承認します", "この計画を承認します", "計画を承認する", "プランを承認します", "この計画でお願いします", "この計画で進めて", "この計画で進めてください", "計画どおり進めて", "計画どおり進めてください", "計画通り進めてください", "計画を実行して", "計画を実行してください", "はい計画を承認します", "はいこの計画で進めてください",
	} {
		table[fold(text)] = true
	}
	return table
})

// ReadConsent reports whether a message approves the plan that waits for it. A plain yes does only right after it was
// shown; what has any other word in it is no consent.
func ReadConsent(text string, shown bool) bool {
	answer, _, clear := ReadAnswer(text)
	return shown && clear && answer == nebula.Yes || consents()[fold(text)]
}
