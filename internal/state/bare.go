package state

import (
	"slices"

	"nebula/internal/lazy"
)

// AsksBare reports whether a message asks for a body that does nothing yet: for a stub, for pass.
func AsksBare(text string) bool {
	return asksBare.In(text) && slices.ContainsFunc(sentencesOf(withoutPastes(withoutQuotes(text))), func(one string) bool {
		at := asksBare.For(one).FindStringIndex(one)
		return at != nil && !asksOnly.In(one) && !notBare.In(one[:at[0]]) && !bareBehind.In(one[at[1]:])
	})
}

var (
	asksBare = &lazy.Pattern{X: `(?i)\bstub(?:s|bed)?\b(?: out\b)?|\b(?:a|an|as|with|to|by|only|just|=) \x60?(?:pass|\.{3}|placeholders?|no-?op|NotImplementedError|todo!\(\)|unimplemented!\(\))\x60?(?:$|[\s,.;!)])|\bempty (?:body|bodies|functions?|methods?|skeleton)\b|\b(?:body|bodies|inside)\b[^.\n]{0,20}\bempty\b|\braise \x60?NotImplementedError|スタブ|空実装|空の(?:関数|本体|中身|メソッド)|(?:中身|本体)(?:は|を)[^。\n]{0,8}(?:空|pass)|pass\x60?\s*(?:だけ|のみ|に(?:して|置|変|差))|(?:骨組み|雛形|ひな形)(?:だけ|のみ|に|を)`}
	// notBare is what stands before it where it is what is to go, or not to come, bareBehind what stands behind it then.
	notBare    = &lazy.Pattern{X: `(?i)\b(?:no|not|never|without|don['’]t|dont|avoid|instead of|rather than|why|where)\b[^,;]{0,30}$|\b(?:implement|fill in|fix|remove|replace|tests)\b[^,;]{0,6}(?:\b(?:the|each|every|all|these|those))? ?$`}
	bareBehind = &lazy.Pattern{X: `(?i)^(?:s|\(s\))?\s*(?:is|are) (?:not|forbidden|wrong)|^[^。\n]{0,12}(?:しない|せず|なしで|禁止|ではなく|じゃなく|を(?:実装|埋め|消|削除|置き換え))`}
)
