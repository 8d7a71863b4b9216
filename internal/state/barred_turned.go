package state

// turnedTexts are read of a whole message before its other rows: what stands for a name that was just said, what is taken back, and tests that
// are not to be added, which is told of by the words that are left.
var turnedTexts = []rewording{
	{"’", `’`, "'"},
	{"&|/|+", `(\.\w+\x60?) [&/+] (\x60?[\w*-])`, "$1 and $2"},
	{"test", `(?:,? (?:but |and |please )*|{B})(?:without adding |no (?:new|additional|more|extra|further) |{n} (?:add|write|create) |(?:i'll|i will|let me) (?:write|add|do) )(?:(?:the|any|a|my|new|more|unit) )*tests?(?: cases?| files?)?(?: for (?:it|this|that|them)| myself)?(?:,? please)?(?:[.!;]+|\s*(?:\n|$))`, ". Don't add tests.\n"},
	{"test", `\b(tests?\b[^.\n]{0,60}?\b(?:{n}|without) {D} (?:the |any (?:of the )?)?(?:existing|present|old|current)) ones?\b`, "$1 tests"},
	{"please|pls|plz", `(?m)(\w) (?:please|pls|plz)([.!]?\s*)$`, "$1, please$2"},
	{"exactly as", `\bexactly as\b`, "as"},
	{"either|any of", `\b({n} {D}) (?:either(?: one)?(?: of them)?|any of them){end}`, "$1 them$2"},
	{"触れず", `{P}には?(?:一切|絶対に)?触れず(?:に)?[、,]?\s*`, "${1}は変更しないで。"},
	{"以外|ほか|他|残り", `{P}((?:の[^。、\s]{1,20}?)?\s*(?:を|のみ|だけ)\s*(?:修正|直す|変更|編集|(?:直し|修正し|変更し|変え)て(?:ください)?))[。、]\s*(?:それ以外|ほか|他|残り)(?:のファイル)?は(?:一切)?(?:触らない|いじらない|変更しない|編集しない|変えない|そのまま)(?:こと|で|に)?`, "$1$2。${1}だけ変更してください"},
	{"テスト", `テスト以外(?:は|なら)(?:自由に|何でも|好きに)?(?:変え|変更し|触っ|編集し|いじっ)て(?:も)?(?:いい|OK|ok|よい|良い|構わない|大丈夫)(?:です)?`, "テストは変更しないで"},
	{"do|may|can", `\b{n} {D} {P}[.!,;:–—-]+ ?(?:(?:or|no|wait|well)\W+)*(?:rather|actually|wait|no)\W+(?:please )?(?:do(?: it)?|you (?:may|can))\b`, "Change $1"},
	{"と言", `{P}\s*(?:は|を)[^。\n]{0,14}?ない(?:で|こと)と(?:言い?|言って)[^、。\n]{0,6}?(?:けれ?ど|が)、?\s*(?:やっぱり|やはり)?`, "${1}を変更してください。"},
	{"t", `{seen}({P}|tests?(?: files?)?\b)([^./\n]{0,60}?(?:\. )?[^./:\n]{0,20}?)\b(?:{n} {D} {it}|leave {it}(?:{Z})?){end}`, "$1$2${4}never change $2$5"},
	{"それ|これ|その", `{P}([^。\n]{1,40})。\s*(?:それ|これ|そのファイル|このファイル)(?:は|も|には?){触}`, "$1$2。${1}は触らないで"},
}

// turnedRows are read of a sentence before its other rows.
var turnedRows = []rewording{
	// What is refused of one file alone, and what of all but one.
	{"only|one|sole", `\bthe (?:only|one|sole) (?:file|folder|path|thing|one)s? (?:that |which )?(?:you )?(?:(?:(?:must|should|may|shall|can|are|is) ?)?not|cannot|(?:must|should|ca|are|is)n't) (?:allowed )?(?:to )?(?:be )?{V}(?:e?d)? (?:is|are) {P}`, "never touch $2"},
	{"everything|all|any", `{B}{all} {butAll} {P} {as}`, "${1}only change $2"},
	{"everything|all|any", `{B}{all} {as}[^;]*? {butAll} {P}{E}`, "${1}only change $2$3"},
	{"leave|keep", `^\W*{butAll} {P},? (?:please )?(?:leave|keep) (?:everything|all(?: the)? files|the rest|all)(?: else)?{Z}`, "only change $1"},
	{"any|every|all", `^\W*{all} {butAll} {P} (?:is|are) (?:fine|ok|okay|free|open|yours|good|allowed)(?: (?:to|for) \w+)*{E}`, "never touch $1$2"},
	{"しか", `{P}\s*(?:の中|ファイル)?しか(?:触|変え|変更|編集|修正|いじ|書き換え)[^。、]{0,3}?(?:ないで|ないこと|ず(?:に|、)|(?:ちゃ|ては?)(?:だめ|ダメ|駄目|いけ|なら))[^。、]{0,6}`, "only change $1. "},
	{"だけで", `{P}\s*(?:は|を)\s*(?:読む|見る|(?:参照|参考に)する)だけで、?(?:絶対に|決して)?(?:触ら|(?:変更|編集|修正)(?:は|を)?し|変え|いじら)ないで(?:ください)?`, "${1}は変更しないで"},
	{"nobody|no one", `{B}(?:nobody|no one) (?:may|can|should|must|is allowed to) {V} {P}{E}`, "${1}never touch $3$4"},
	{"だけ", `{P}\s*(?:は|を)\s*(?:読む|見る|(?:参照|参考に)する)だけ(?:に(?:して|する)(?:おいて|ください)*|です|で?(?:[、。]|$))(?:、?(?:変更|編集|修正)(?:は|を)?しないで(?:ください)?)?`, "${1}は変更しないで。"},
	// Lists.
	{"neither", `\bneither (?:the )?({test}|{p}) nor (?:the )?({test}|{p}) (?:may|must|should|shall|can|is to|are to) (?:be )?{V}(?:e?d)?`, "never change $1 or $2"},
	{"neither", `{P}\s*[,;]? (?:but |and )?{V} neither{E}`, "$1; never touch $1$3"},
	{"needed|necess|need be", `{P}\s*,? (?:and|or),? if (?:really |absolutely )?(?:needed|necessary|need be),? {1}`, "$1 and $2"},
	// Tests.
	{"test", `{B}(?:no {K} (?:to|in|of) {test}|{D} {test} is (?:cheating|{banned})|{test}(?: ?[:–—-]+ {never} {V}(?: them| it)?| (?:are not|aren't) yours(?: to \w+)?)){E}`, "${1}never change the tests$3"},
	{"test", `\b({n} {V}) {test} (?:just |only |simply )?(?:(?:in order )?to (?:make|get|have|let) (?:them|it|everything|the suite)|so (?:that )?they) [^;,.]*`, "$1 the tests"},
	{"expect|assert", `\b({n} {V}) (?:(?:the|any|my|our) )*(?:expected (?:values?|results?|outputs?)|assertions?|expectations?)(?: (?:in|of) {test})?{E}`, "$1 the tests$3"},
	{"テスト", `{テ}(?:は|を|には)?(?:対象外|ノータッチ|範囲外)(?:です|で|に|と)?([。、!！]|$)`, "テストは変更しないで$1"},
	// Other words.
	{"?", `((?:\bno |n't |\bnot |\bnever )[^?]*),? (?:ok|okay|alright|got it|understood|deal)\?\W*$`, "$1."},
	{"no ", `\bthere (?:should|must|shall|may|is to) be no (?:diffs?|{K}) (?:in|to|of) {P}`, "never touch $1"},
	{"i mean|i meant", `\b({n} {D}) {1},? (?:(?:no|sorry|er|uh|oops|wait)\W+)*i meant? {1}`, "$1 $3"},
	{"nothing", `\bdo nothing (?:to|with|in) {P}{E}`, "never touch $1$2"},
	{"is ", `{B}{D} {the}{P} is {banned}{E}`, "${1}never touch $2$3"},
	{"forbid", `\bi forbid you (?:to|from) `, "never "},
	{"no ", `{B}you have no (?:permission|right|authority|licen[cs]e) to `, "${1}never "},
	{"solely|exclusively|just", `{B}(?:solely|exclusively|just) {P} (?:may|can|must|should|is to|are to) be {V}(?:e?d)?{E}`, "${1}only change $2$4"},
	{"only|just|solely", `^\W*(?:please )?(?:just|only|solely) {P},? ?(?:please)?\s*(?:[:–—;-]|$)`, "only change $1; "},
	{"のは|ことは", `{P}\s*を(?:変える|(?:変更|編集|修正)する|触る|いじる|書き換える)(?:の|こと)は(?:禁止|だめ|ダメ|駄目|NG|不可|厳禁)(?:です|で|だ)?`, "${1}は変更しないで"},
	{"ない", `(?:触ら|変更し|編集し|変え|いじら)ない(?:ファイル|もの|フォルダー?)\s*(?:は|[:：])\s*{P}`, "${1}は変更しないで"},
	{"ずに", `^[\s・*-]*((?:変更せ|編集せ|修正せ|触ら|変え|直さ|いじら)ずに)`, "何も$1"},
	{"修改|改动|更改|编辑", `(?:不要|请勿|别|勿|禁止)(?:修改|改动|更改|编辑)\s*{P}`, ". Never touch $1"},
	{"shell|terminal|bash", `(^\W*|[,;] (?:and |but )?)(?:no |without (?:(?:the|any|a) )?)(?:shell|terminal|bash)(?: (?:commands|access))?{E}`, "$1; never run *$2"},
	// What is let go of.
	{"restrict|rule|ban", `\b(?:never mind|forget|drop|ignore|lift) (?:the |that |my )?(?:restrictions?|rules?|ban) (?:on|for|about) {P}`, "you may change $1"},
	{"test", `{B}(?:the )?tests? (?:may|can) (?:now )?be (?:changed|edited|modified|touched)(?: now)?{E}`, "${1}you may change the tests$2"},
	{"thought|said", `^\W*(?:i|we) (?:\w+ )?(?:thought|said)(?: that)? [^;]*?{P},? but (?:now |please )*(go ahead|do|you may|you can)\b`, "you may change $1; $2"},
	{"except|other than|apart|aside|but", `\b{n} {D} {P},? {butAll} (?:for )?(?:the )?(?-i:[A-Z_]{2,})\b`, "you may change $1"},
	{" is ", `\b({n} {D} {1}), {1} is (?:ok|okay|fine|allowed|free)(?: to \w+)?{E}`, "$1; you may change $3$4"},
	{"の", `{P}\s*の(?:件の)?(?:制限|ルール|禁止|指示)(?:は|を)(?:解除|撤回|取り?消)[^。]{0,6}`, "${1}を変更していい"},
	{"now", `^\W*(?:(?:ok|okay|yes|and|then|so|please)\W+)*now,? {P},? (?:too|as well)\W*$`, "now change $1"},
	{"now", `^\W*(?:(?:ok|okay|yes|and|then|so|please)\W+)*now,? (?:set )?(?:the )?\x60?\w+\x60? in {P}\s*[:=]+ ?`, "change $1: "},
}
