package state

import (
	"slices"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// Names of code that an answer says it made, against the text of the files that were touched.

const (
	codeName   = `\x60?([A-Za-z_]\w*)(?:\(\))?\x60?`
	codeKind   = `(?:function|method|class|helper|constant|variable|field|type|struct|interface|parameter|argument|option|decorator|property)`
	codeEnds   = `(?:$|[,;:(]| (?:to|in|into|as|that|which|for|and|with|from|everywhere|throughout|too|now)\b)`
	kindsJa    = `(?:関数|メソッド|クラス|定数|変数|引数|フィールド|オプション|型)`
	addedSome  = `(?:added|wrote) (?:(?:a|an|the|some|more|new|missing|proper|short|its|all|basic|python|docstrings?|comments?|(?:type|return) (?:hints?|annotations?)|error handling|and|\d+),? )*`
	docTexts   = `"""|'''|/**|///|//`
	hintTexts  = `->|: int|: str|: float|: bool|: list|: dict|: tuple|: number|: any|: Any`
	guardTexts = `try|except|raise|catch|throw|rror|rescue|panic|err |if |assert|unwrap|Result`
	noteTexts  = `#|//|/*|--|;|"""|<!--|%`
	madeJa     = `(?:新しく|新たに)?(?:追加|実装|定義|作成)し(?:ました|て|、)`
)

// namings are the forms: the name is the group that is there, or one of the texts stands for it.
var namings = [...]struct {
	form  *lazy.Pattern
	own   bool
	texts string
}{
	{form(saidBy, `(?:added|wrote|created|implemented|introduced|defined) (?:(?:a|an|the|new|small|second|missing|private|public) )*`+codeKind+` (?:called |named )?`+codeName+codeEnds), true, ""},
	{form(saidBy, `(?:added|wrote|created|implemented|introduced|defined) (?:(?:a|the|new) )*\x60([A-Za-z_]\w*)(?:\(\))?\x60`), true, ""},
	{form(saidBy, `renamed [^,;]{1,40}? (?:to|as) `+codeName+codeEnds), true, ""},
	{form(saidOfIt, `(?:it|this|\x60?\w+\x60?|the \w+(?: \x60?\w+\x60?)?) (?:`+hasBeen+`renamed (?:to|as)|is now (?:called|named)) `+codeName+codeEnds), false, ""},
	{form("", codeName+`\s?(?:という)?`+kindsJa+`(?:も|を)\s?`+madeJa+`|`+kindsJa+`\s?`+codeName+`\s?(?:も|を)\s?`+madeJa+`|\x60([A-Za-z_]\w*)(?:\(\))?\x60\s?(?:も|を)\s?`+madeJa+`|`+codeName+`\s?に(?:改名|リネーム|名前を変更)し(?:ました|て|、)`), false, ""},
	{form(saidBy, `(?:`+addedSome+`|gave [\w\x60 ]{1,30} (?:a|its|their|proper) )docstrings?\b`), true, docTexts},
	{form(saidBy, addedSome+`(?:type|return[- ]type) (?:hints?|annotations?)\b`), true, hintTexts},
	{form("", `型(?:ヒント|注釈|アノテーション)(?:も|を)\s?(?:追加し|付け|つけ|書き)ました`), false, hintTexts},
	{form(saidBy, addedSome+`(?:error|exception)[- ]handling\b|(?:added|wrote) (?:(?:the|some|input|more|basic|proper) )*(?:validation|input checks)\b`), true, guardTexts},
	{form("", `(?:エラー|例外)(?:処理|ハンドリング)(?:も|を)\s?(?:追加し|入れ|書き|実装し)ました|(?:入力)?(?:の?検証|バリデーション)(?:も|を)\s?(?:追加し|入れ|書き|実装し)ました`), false, guardTexts},
	{form(saidBy, addedSome+`comments?`+codeEnds), true, noteTexts},
	{form("", `コメント(?:も|を)\s?(?:追加し|入れ|書き)ました`), false, noteTexts},
	{form(saidBy, addedSome+`logging\b`), true, `log`},
	{form(saidOfIt, `docstrings? `+hasBeen+`(?:added|written)\b`), false, docTexts},
	{form(saidOfIt, `(?:type|return[- ]type) (?:hints?|annotations?) `+hasBeen+`added\b`), false, hintTexts},
	{form(saidOfIt, `(?:error|exception)[- ]handling `+hasBeen+`added\b`), false, guardTexts},
	{form(saidOfIt, `comments? `+hasBeen+`added`+codeEnds), false, noteTexts},
	{form("", `\b(?:now has|has now|have now|now have) (?:a |its )?docstrings?\b|docstring\s?(?:も|を)\s?(?:追加し|書き)ました`), false, docTexts},
}

// noNames are words that stand where a name does.
var noNames = strings.Fields("that which to for in into and with as of so it this something another one on at from by called named returning using hint hints annotation annotations")

// names reports whether a sentence says that a piece of code was made or renamed, and no file touched has it.
func (d Deeds) names(sentence string, plain func() bool) bool {
	if d.Blind || d.Opaque || d.Answers || len(d.Touched) > 0 && d.Holds == nil {
		return false
	}
	if d.bodiless(sentence, plain) {
		return true
	}
	for _, s := range namings {
		holds := d.holds
		if s.texts != "" && d.shown() {
			holds = func(text string) bool { return strings.Contains(d.Came, text) } // it stood there before, elsewhere
		}
		for _, at := range s.form.For(sentence).FindAllStringSubmatchIndex(sentence, -1) {
			texts := strings.FieldsFunc(s.texts, func(r rune) bool { return r == '|' })
			for n := 2; n < len(at); n += 2 {
				if at[n] >= 0 {
					texts = append(texts, sentence[at[n]:at[n+1]])
				}
			}
			if len(texts) > 0 && !lists.Has(noNames, strings.ToLower(texts[0])) && !(s.own && !plain()) && !held(sentence, at) && !slices.ContainsFunc(texts, holds) {
				return true
			}
		}
	}
	return false
}

// shown reports whether all lines that came to what was touched are known.
//
//go:noinline
func (d Deeds) shown() bool {
	return len(d.Came) < cameMost && !slices.ContainsFunc(d.Touched, func(file string) bool { return !strings.Contains(d.Came, "\x00"+file+"\n") })
}

// holds reports whether a file that was touched has a text in it or in its name, or that cannot be told.
func (d Deeds) holds(text string) bool {
	if len(d.Touched) == 0 {
		return false
	}
	is, known := d.Holds(text)
	return is || !known || slices.ContainsFunc(d.Touched, func(file string) bool { return strings.Contains(file, text) })
}

// remembers is that something is kept for other conversations, toRemember that the request asks for that.
var (
	remembers  = &lazy.Pattern{X: `(?i)(?:^|[.,:;] ?)(?:(?:ok(?:ay)?|got it|sure|done|noted|yes)[,.!]? )*(?:(?:i['’]ll|i will|i have|i['’]ve)(?: now| also)? remember(?:ed)?|remembered|(?:i |i['’]ve |i have )?saved (?:it|this|that) (?:to|in) (?:my |the )?memory)\b|(?:^|[。、])[^。、]{0,20}(?:覚え(?:ました|ておきます|ておきました)|記憶し(?:ました|ておきます))`}
	toRemember = &lazy.Pattern{X: `(?i)\bremember\b|\bmemori[sz]e\b|覚えて|記憶して`}
)
