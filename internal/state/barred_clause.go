package state

import (
	"slices"
	"strings"
	"sync"
)

// clauseParts are the places in clauses: name is one, G are some, tests among them; no refuses and yes permits what stands beside it, as だ and い
// do in Japanese, where いい permits what needs no name; still is how it is to stay, rest and 他 are all that is not named, order and 直 are orders.
var clauseParts = sync.OnceValue(func() *strings.Replacer {
	const name = `(?:(?:(?:the|any|all|of|my|our|your|these|existing|current|unit|files?) )*(?:` + wordedPath + `|tests(?: files?| suite| code| cases?)?\b|test (?:files?|suite|code|cases?)\b|README\b)|(?:the|any|my|our) test\b|テスト(?:ファイル|コード)?)`
	return strings.NewReplacer("{name}", name, "{G}", "("+name+`(?:(?:,? (?:and|or|nor) |, | ?& ?|と|や|、)`+name+`)*)`,
		"{no}", `(?:no|not|nope|never|don't|do not|dont|hands off|(?:(?:is|are) )?off[- ]limits|(?:(?:please )?(?:don't|do not|dont|never|not to be|no) )(?:touch|change|modify|edit|alter)(?:s|e?d)?(?: (?:it|them))?|(?:please )?(?:leave|keep|let) (?:it|them)(?: {still})?|(?:leave|keep) {still})`,
		"{code}", `(?:the )?(?:(?:function|method|class) )?\x60?([A-Za-z_]\w*)\x60?(?:\(\))?(?: (?:function|method|class))?`, "{コード}", `\x60?([A-Za-z_]\w*)\x60?(?:\(\))?(?:関数|メソッド|クラス)?`,
		"{yes}", `(?:(?:is |are )?(?:yes|ok(?:ay)?|fine|allowed|free|fair game))`, "{still}", `(?:alone|as (?:is|it is|they are)|un(?:touched|changed|modified)|intact|be)`,
		"{order}", `(?:fix|repair|correct|change|edit|update|modify|simplify|rewrite|refactor|improve|add|implement|make|clean up|extend)`,
		"{rest}", `(?:(?:all )?(?:the )?(?:rest|others|other files)(?: of the (?:code|files|project|repo))?|(?:every|any|all)(?:thing)? else)`,
		"{他}", `(?:その)?(?:他|ほか|残り|(?:それ|これ)以外)(?:の(?:ファイル|部分|もの|コード|箇所|ところ))?(?:には|は|も|を)?、?`,
		"{い}", `(?:(?:触っ|いじっ|変え|直し|変更し|編集し|修正し)ても?)?(?:OK|いい|よい|良い|大丈夫|構わない|構いません)(?:です|よ|けど|が)*`,
		"{だ}", `(?:(?:変更|編集|修正|触るの)(?:は|も)?)?(?:NG|だめ|ダメ|駄目|禁止|不可|厳禁|ノータッチ|触らない|いじらない|変えない|変更しない|編集しない)(?:で|です|だ|よ|こと|ください)*`,
		"{いい}", `(?:触っ|いじっ|変え|変更し|編集し|修正し|直し)ても?(?:いい|よい|良い|OK|大丈夫|構わない|構いません|かまわない|かまいません)(?:です|よ|から|ね|、)*`,
		"{直}", `(?:直|修正|対応|変更|編集|実装|書き換え|変え)し?(?:て|す|する)?(?:ください|下さい|ほしい|ね|くれ)*`)
})

// freesIt is a permission for what was forbidden last, which it does not name.
var freesIt = rewording{"", `^\W*(?:(?:ok|okay|yes|actually|and|now|please|well|then|sure|fine|so)\W+)*(?:(?:(?:you (?:may|can|could|are (?:now )?(?:free|allowed) to)|you're (?:now )?(?:free|allowed) to|feel free to|go ahead and|it(?:'s| is) (?:ok(?:ay)?|fine|allowed) (?:for you )?to) (?:now )?)?{V} (it|that|that file|them|these|those)|(it|they)(?:'s|'re| is| are) (?:now )?(?:free|open|allowed)|you (?:can|may) now|now you (?:can|may))(?: now| again| too| please)*\W*$|` +
	`^(?:もう|やっぱり|やはり|それは|そのファイルは|今は|はい|じゃあ|、)*{いい}[。!！]*$`, ""}

// frees lets go of what the message before forbade, or one whose files that named, where a sentence permits it without a name.
func (s *State) frees(sentence string, before []string, turn int) {
	m := freesIt.expression().FindStringSubmatch(sentence)
	if m == nil || len(namesOf(tokens(strings.Join(before, " ")))) > 0 {
		return
	}
	last := 0
	for _, b := range s.Files() {
		if b.Turn < turn && !b.ruled() {
			last = max(last, b.Turn)
		}
	}
	var names []string
	for _, b := range s.barred {
		if b.Turn == last && b.Act == "" && !b.But && (last+1 == turn || slices.ContainsFunc(b.Paths, func(p string) bool { return s.heard.turn+1 == turn && strings.Contains(s.heard.text, p) })) {
			names = append(names, b.Paths...)
		}
	}
	if one := strings.ToLower(m[2] + m[3]); len(names) > 1 && strings.HasPrefix(one, "it") {
		return
	}
	s.let(leave{names: names}, turn, sentence)
}
