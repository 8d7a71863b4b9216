package state

import (
	"strings"
	"sync"

	"nebula/internal/lazy"
)

// spokenParts are further places in rewordings: 1 is one path, B where a statement begins, refused a refusal with what it names first, M what
// must be.
var spokenParts = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("{all}", `(?:everything|anything|(?:all|any|every)(?: (?:of )?the)?(?: other)? files?)(?: else)?`, "{butAll}", `(?:but|besides|save(?: for)?|except(?:ing)?(?: for)?|other than|barring|(?:apart|aside) from|with the exception of)`,
		"{as}", `(?:(?:(?:is|are)|(?:(?:must|should|ha(?:s|ve) to|needs? to) (?:be|stay|remain)|stays?|remains?)) (?:off[- ]limits|read-only|frozen|locked|untouchable|taboo|forbidden|un(?:touched|changed|modified)|intact|the same|as (?:it is|they are|is))(?: (?:for|to) you)?)`,
		"{end}", `(\W*(?:$|\n)|[.,;!]+\s)`, "{it}", "(?:it|them|that|these|those)", "{banned}", `(?:not (?:allowed|permitted|ok|okay|acceptable|an option)|forbidden|prohibited|off[- ]limits|taboo|out of the question)`, "{test}", `(?:(?:the|any|all|my|our|existing) )*tests?(?: files?)?`, "{p}", wordedPath,
		"{seen}", `((?:^|[.!?,;:\n] ?|\b(?:and|but|read|open|look at|look into|see|check|review|inspect|study|use|run|view|there is|there are|there's|consult|mind|note) )(?:(?:the|all|my|our|file|files|existing) )*)`, "{deDo}", deDo, "{deDone}", deDone, "{deOrder}", deOrder, "{deStill}", deStill, "{frOrder}", frOrder, "{frDo}", frDo, "{esDo}", esDo, "{esNot}", esNot, "{esOrder}", esOrder,
		"{1}", "("+wordedPath+")", "{ordered}", `((?:^|[.!?\n] ?|\b(?:please|and|then|now) )(?:fix|change|edit|update|modify|simplify|rewrite|refactor|improve|(?:re)?format|clean up|tidy up|correct)`,
		"{K}", `(?:changes?|edits?|modifications?)`, "{Z}", ` (?:alone|un(?:touched|changed|modified)|intact|as (?:it is|they are|is))`, "{I}", `(?:in|under|inside|within)`, "{Y}", `(?:(?:ok|okay|yes|now|and|then|so|please)\W+)*`, "{the}", `(?:the (?:file|folder) )?`,
		"{テ}", `テスト(?:ファイル|コード)?`, "{は}", `(には|に|は|を|も)`, "{触}", `(?:触[られ]|変更[しせ]|編集[しせ]|修正[しせ]|変え|いじら|書き換え)(?:ない(?:で|こと)(?:ください)?|ずに?)`, "{聞}", `(?:必ず|一度|私に|まず)*(?:聞いて|確認(?:して|を|$)|相談して)`, "{never}", `(?:never|do not|don't)`, "{but}", `(?:except(?:ing)?(?: for)?|other than|barring|(?:apart|aside) from|with the exception of)`, "{B}", `(^\W*|[.,;:!(] ?|\b(?:and|but|please|bitte|und|aber|et|mais|y|pero) )`, "{M}", `(?:must|should|shall|has to|have to|is to|are to|needs? to)`,
		"{refused}", `((?:^|[^\w'])(?:don't|do not|dont|never|hands off|without) (?:touch|chang|modify|edit|alter)?(?:e|ing)? ?`+wordedPaths+`)`,
		"{refuses}", `\b(never|do not|don't|dont|must not|not to|without)(?: ever)? `, "{O}", "(?:(?:all|any|the|my) )*other tests?(?: files?)?", "{n}", "(?:don't|do not|dont|never)", "{and}", `(?:,? (?:or|and|nor) (?:even )?|, )`,
		"{C}", `(?:touch|chang|modify|edit|alter|writ|rewrit|overwrit|updat|mov|renam|delet|remov|copy)(?:e|ing)?(?:,? (?:or|and|nor) (?:even )?|,? )`, "{G}", `(?:mov|renam|delet|remov)(?:e|ing)?`, "{L}", `(?:read|open|view|inspect|look at)(?:ing)?`,
		"{N}", `(?:files|folders|paths|things|what)(?: you| that)?(?: are| must| should)? not (?:to )?(?:be )?(?:touch|chang|modif|edit|alter)\w*`, "{die}", `(?:(?:bitte|die datei|den ordner|le fichier|le dossier|el archivo|la carpeta|à|a|le|la|el|de) )*`)
})

// spokenRows are read before the other rewordings, each of what those before it left.
var spokenRows = []rewording{
	{"w/o", `\bw/o(?:ut)?\s`, "without "},
	// The tests, and many at once.
	{"test", `\btests? (?:themselves|itself) `, "tests "},
	{"no |without", `(?:{B}no|[–—-] ?no|\bwith(?:out(?: any)?| no)) (tests?|{P}) {K}{E}`, "$1; never touch $2$4"},
	{"test", `\b(tests?(?: files?| suite)?) {M} (?:remain|stay|be left){Z}`, "$1 must not be changed"},
	{"test", `{B}{n} (?:add|write|create) (?:(?:any|new|more|unit) )*tests?(?: files?)?(\W*$|; )`, "${1}never touch the tests$2"},
	{"test", `({n}) {D} (?:the |any )?tests?,? (?:except|but)(?: for)? {P}`, "$1 change *_test.* except $2"},
	{"test", `(^|[^\w./-])tests?\s*{は}`, "${1}テスト$2"},
	{"テスト", `{テ}以外{は}[^。、]{0,6}?{触}`, " *test*、tests/、*.spec.*だけ変更して"},
	{"テスト", `{テ}[とや、も]\s*{P}\s*{は}`, " *_test.*、$1$2"},
	{"テスト", `テスト(?:ファイル|コード|ケース)?(?:は|を)(?:新しく|新規に|新たに)?(?:追加し|作成し|作ら|書か|足さ)ない`, "*_test.*は変更しない"},
	{"テスト", `テスト(?:ファイル|コード|ケース)?(?:は|を)(?:新しく|新規に|新たに)?(?:追加せ|作成せ|作ら|書か|足さ)ずに?`, "*_test.*は変更せずに"},
	{"も", `{1}\s*も、?\s*{1}\s*も`, "$1、${2}は"},
	{"：|:", `{触}\s*[：:]\s*{P}`, "${1}は触らないで。"},
	{"ドキュメント|文書", `(^|[^ァ-ヴー一-龠])(?:ドキュメント|文書){は}`, "$1 docs/、README.*、*.md$2"},
	{"generated|vendored", `({n}) {D} (?:the )?(?:generated|vendored) (?:code|files?) {I} {P}`, "$1 touch $2"},
	{"files in|files under", `\bonly {V} (?:the )?files {I} (?:the )?([\w-]*(?:src|libs?|docs?|apps?|tests?|web|api))(?: folder)?{E}`, "only $1 $2/$3"},
	{"コマンド", `コマンド(?:は|を)(?:実行し|走らせ)ない(?:で|こと)`, " never run *. "},
	// Two languages in one sentence.
	{"touch|change|edit", `(?:touch|change|edit)\s*(しない|せず|禁止|不可)`, "変更$1"},
	{"don't|do not|never", `は\s*{n} {V}\s*(?:で|です)?([\s、。]|$)`, "は変更しないで、$2"},
	// What else may be said of a file.
	{"=", `{P}\s*=+>? ?(?:{n} {V}|hands off|read-only){E}`, "; never touch $1$3"},
	{"nothing", `\b(?:make sure|ensure|see to it)(?: that)? nothing {I} {P} (?:changes|(?:is|gets) \w+ed){E}`, "; never touch $1$2"},
	{"skip|leave|ignore", `(^\W*|[;,(] ?){P} (?:is|are) [\w ]+?[,;] (?:skip|leave|ignore) (?:it|them){E}`, "${1}never touch $2$3"},
	{"残して", `{P}\s*(?:は|を)残して、\s*(他|ほか|残り)`, "${1}は触らないで、$2"},
	{"ことなく", `(?:触れ?る|変える|(?:変更|編集|修正)する)ことなく`, "変更せずに"},
	// All that is not named, and what alone may change.
	{"everything|all", `\b(?:leave|keep) (?:everything|all(?: the)? files) (?:but|{but}) {P}{Z}`, "only change $1"},
	{"others|other files|else", `\b(?:(?:leave|keep) (?:all )?(?:the )?(?:others|other files)|(?:everything|anything) else (?:{M} )?(?:stays?|remains?)){Z}`, "leave everything else alone"},
	{"any of the other", `\b({n} {V}) any of the other files`, "$1 other files"},
	{"いいの", `(?:直し|修正し|変更し|編集し|変え)ても?いいの(は|が)`, "触っていいの$1"},
	{"限", `(?:変更|修正|編集)は\s*{P}\s*(?:だけ)?に限(?:ります|る|定|って)`, "only change $1. "},
	// What is let go of again.
	{"also", `^\W*{Y}also {P}(?:,? (?:too|now|please))?\W*$`, "now change $1"},
	{"lifted|gone|over", `\b(?:ban|restriction|lock|rule) on {P} (?:is|has been)(?: now)? (?:lifted|gone|over)\b`, "$1 may be changed"},
	{"in ", `^\W*{Y}in {P},? \x60?\w+\x60? (?:should|needs to|has to) be (['"\x60]?[\w.-]+['"\x60]?\W*)$`, "change $1 to $2"},
	{"解禁", `{P}\s*は(?:もう)?解禁(?:です|します|する)?([、。]|$)`, "${1}を変更していい$2"},
	{"but you", `\b{n} {D} {P},? but you (?:may|can) (\w+ its (?-i:[A-Z_]{2,}|version|value|comments?))\b`, "you may change $1: $2"},
	{"without", `\bwithout (?:(?:any|making|further) )*{K} to `, "without changing "},
	{"rather|prefer", `\b(?:i|we)(?:'d| would)? (?:rather|prefer)(?: it)?(?: that| if)? you (?:did not|didn't|do not|don't|not)\b`, "please don't"},
	{"need", `{B}(?:(?:there(?:'s| is) )?no need(?: for you)?|you (?:don't|do not) (?:need|have)) to {V} {P}{E}`, "${1}never $2 $3$4"},
	{"needs no|need", `{B}{P} (?:needs? no|(?:doesn't|does not|don't|do not) need (?:any|to be|to)) (?:changes?|changed|edits?|edited){E}`, "${1}never touch $2$3"},
	{"exception", `{B}(?:the )?(?:only |one |sole )?exceptions?(?::| is| are) {P}{E}`, "${1}never touch $2$3"},
	{"ignor", `^(\W*(?:please )?(?:format|reformat|change|edit|update|fix|tidy|clean|refactor|migrate|lint)\b[^.;?]*?)(?:[;,] (?:but |and )?| but )ignor(?:e|ing) {P}{E}`, "$1; never touch $2$3"},
	{"fine|good|ok", `{B}(?:(?:the|all|my|our|existing) )*tests? (?:is|are) (?:fine|good|ok|okay) (?:just )?as (?:they are|it is|is){E}`, "${1}never touch *_test.*$2"},
	{"ず", `((?:触ら|触れ|変更せ|編集せ|修正せ|変え|いじら|書き換え|作成せ|作ら|追加せ|増やさ|消さ|削除せ)ず)(?:\s+|([A-Za-z\x60]))`, "${1}に$2"},
	{"ずに", `ずに(、?)(?:全部|すべて|全て)?(?:通る|パスする|成功する|動く)ように`, "ずに${1}直"},
	{"られ", `ずには?(?:いられ|おけ)(?:ない|ません)`, "る"},
	{"このまま", `(は|を)このまま(で|に)`, "${1}そのまま$2"},
	{"以下|配下", `(^|[^\w./-])([A-Za-z][\w-]*)\s*(?:以下|配下)(?:の(?:全て?の?|すべての)?(?:ファイル|もの))?(は|を|に|も)`, "$1$2/$3"},
	{"除", `{P}\s*(?:は|を)(?:除いて|除いた|除き|除く|除外して)、?(?:の)?\s*(全|すべて|他|ほか|残り)`, "${1}は触らないで、$2"},
	{"除", `(^[\s・*-]*|(?:ただし|但し)、?\s*|[（(]\s*){P}\s*(?:は|を)?(?:除く|除いて|除外)(?:こと|ください|する)?([。、）)]|$)`, "$1${2}は触らないで$3"},
	{"例外", `例外(?:は|：|:)\s*{P}(?:だけ|のみ)?(?:です|だ)?([。、）)]|$)`, "${1}は触らないで$2"},
	{"ファイル", `(?:新しい|新規の?|新たな|^[\s・*-]*)ファイル(?:は|を)?(?:作ら|作成せ|追加せ|増やさ)ず(?:に|、)\s*((?:[\w./\x60]+\s*を)?(?:直|修正|変更|実装|対応|書き換え))`, "don't create new files. $1"},
	{"if |when ", `^\W*(?:if|when|where) {P} (?:needs? no|(?:doesn't|does not) (?:need|require)|requires? no|is (?:already )?(?:fine|ok|right|correct|good)\b)[^,;]*, (?:please |then |just )*(?:{n}|leave|keep) [^.;]*`, ""},
	// What stands in brackets is a statement of its own.
	{"(", `\(((?:please |but |and )*{the}{P} ?(?:{M}|is|are|stays?|remains?|may|can)\b[^()]*)\)`, "; $1; "},
	{"(", `{1} ?\((?:please )?(?:{never} (?:touch|change|edit|modify|alter)(?: (?:it|this))?|off[- ]limits|hands off|read-only|frozen|leave (?:it )?alone|leave as is|keep as is)[.!]?\)`, "; never touch $1; "},
	// What is forbidden, before which it is.
	{"limits|only|frozen|untouchable", `{B}(?:off[- ]limits|read-only|frozen|untouchable)(?: (?:are|is))?: ?{P}`, "${1}never touch $2"},
	{"not to|not be", `^\W*{N}:? {P}`, "never touch $1"},
	// Many verbs of one refusal, reading among them or not.
	{"read|open|view|inspect", `{refuses}((?:{C})+(?:{L}(?:{and}| ))+|(?:{L}{and})+(?:{C})+)(?:{C})*{the}{P}{E}`, "$1 touch $3; never read $3$4"},
	{", |or |and |nor ", `{refuses}(?:{C})+(?:{C})+{the}{P}`, "$1 touch $2"},
	// What is not to be read.
	{"be ", `{B}{the}{P} (?:must|should|may|shall|can|is|are) ?(?:not|never) (?:to )?be (?:read|opened|viewed|inspected|printed|shown|displayed|looked (?:at|into))(?: or \w+)*{E}`, "${1}never read $2$3"},
	{"read|open|view|print|look", `{P} ?(?:--|[-—–:,]) ?(?:please )?{n} (?:read|open|view|inspect|print|look (?:at|into))(?: (?:it|this|that))?{E}`, "; never read $1$2"},
	{"out of|away from", `{B}(?:stay|keep)(?: well)? (?:out of|away from) (?:the )?{P}(?: (?:folder|directory))?{E}`, "${1}stay out of $2; never read $2$3"},
	{"want you to", `\b(?:don't|do not|dont) want you to (?:see|read|open|view|print|look (?:at|into)) (?:the file )?{P}{E}`, "; never read $1$2"},
	// As it is said every day.
	{"byte", `\b(stays?|remains?) byte[- ](?:for|by)[- ]byte(?: the same| identical)?`, "$1 unchanged"},
	{"no code", `\b(?:only|just) (?:the )?(?:docs|documentation)\b[^.]*?[,;:—–] ?(?:and )?no code{E}`, "never change *.code$1"},
	{"yours", `{P} (?:is not|isn't|are not|aren't) yours(?: to (?:touch|change|edit|modify|alter|fix))?{E}`, "never touch $1$2"},
	{"paws", `\bpaws off `, "hands off "},
	{"belong", `{P} belongs? to [^.;,!?]{1,40}[,;:—–] ?(?:so )?(?:please )?(?:stay|keep) (?:out|away){E}`, "never touch $1$2"},
	{"though", `{B}not {P},? though{E}`, "${1}never touch $2$3"},
	{"さわら|弄ら", `(?:さわら|弄ら)(ない|ん|ず)`, "触ら$1"},
	{"ほっとい|放っとい", `(?:ほっとい|放っとい)て`, "放っておいて"},
	{"んと", `((?:触|いじ)ら|変え|書き換え|直さ|消さ|動かさ)んと(?:いて|って)(?:や|な|ね|くれ|ください)*`, "${1}ないで"},
	{"あかん|アカン", `(触|いじ)ったら(?:あかん|アカン)`, "${1}らないで"},
	{"担当|仕事|管轄", `{P}\s*は(?:あなた|君|きみ|お前|そっち)の(?:担当|仕事|管轄)(?:では|じゃ)(?:ない|ありません)(?:です|から|ので|よ|、)*([。、!！]|$)`, "${1}は変更しないで$2"},
	{"だめ|ダメ|駄目|NG", `{P}\s*[—–:：]+\s*(?:だめ|ダメ|駄目|NG)(?:です|だ|よ|ね)*([。、!！]|$)`, "${1}は変更しないで$2"},
	{"不要", `{P}\s*の(?:変更|編集|修正|更新)(?:は|も)不要(?:です|で)?([。、!！]|$)`, "${1}は変更しないで$2"},
	{"nothing", `\bnothing (?:in|inside|within) (?:here|(?:this|the) (?:folder|directory|repo|repository|project|tree)) (may|can|shall|{M})\b`, "nothing $1"},
	{"nothing", `\bnothing (?:in|under|inside|below|within) (?:the )?{P}(?: (?:folder|directory))? (?:may|can|shall|{M}) (?:be )?(?:chang|touch|edit|alter|modif|delet|mov)\w*{E}`, "$1 must not be changed$2"},
	{"nothing", `\bnothing (?:in|under|inside|below|within) (?:the )?([\w-]{3,})(?: (?:folder|directory))? (?:may|can|shall|{M}) (?:be )?(?:chang|touch|edit|alter|modif|delet|mov)\w*{E}`, "$1/ must not be changed$2"},
	{"scope|part of", `(^\W*|[;,] ){P} (?:is|are) (?:out of|outside(?: of)?|beyond|not (?:with)?in|not part of) (?:(?:the|our|this|my) )?(?:scope|task|job|work)(?: of (?:this|the) (?:task|job|work|change))?(?: here| for (?:now|this(?: \w+)?))?(\W*$|;)`, "${1}never touch $2$3"},
	{"team|group|department|else", `(^\W*|[;,] ){P} (?:belongs? to|(?:is|are)(?: owned by)?) (?:the other|the \w+|another|a different|somebody|someone) (?:team|group|department|else)(?:'s)?(\W*$|;)`, "${1}never touch $2$3"},
	{"除外|範囲外|スコープ外|そっと|チーム|部署|の人", `{P}\s*は(?:除外(?:で|して(?:ください|おいて)?)?|(?:範囲|スコープ)外|そっとしておいて(?:ください)?|(?:他|別|ほか)の?(?:チーム|部署|人|グループ)の(?:もの|担当|管轄|所有|ファイル))(?:です|だ|よ|ね|なので|ので|から)*([。、!！]|$)`, "${1}は変更しないで$2"},
	{"locked", `(^\W*|[;,] ){P} (?:is|are|stays?) locked(?: (?:down|for you|for now))*(\W*$|;)`, "${1}never touch $2$3"},
	{"freeze|protect|preserve|safeguard", `{B}(?:freeze|protect|preserve|safeguard) {the}{P}(?: from (?:(?:any|all|further|being) )?(?:changes?|changed|edits?|edited)| (?:exactly )?as (?:it |they )?(?:is|are)| exactly)?{E}`, "${1}never touch $2$3"},
	{"preserved|protected|identical|the same", `{P} {M} (?:(?:be|stay|remain) (?:\w+ )?(?:preserved|protected|(?:byte[- ](?:for[- ]byte )?)?identical|the same))(?: as before| afterwards?| after (?:that|this))?{E}`, "$1 must not be changed$2"},
	{"important|essential|crucial|vital|critical", `\bit(?:'s| is) (?:important|essential|crucial|vital|critical)(?: to me)? that {P} (?:does not|doesn't|do not|don't|not|is not|isn't) (?:be )?(?:chang|modif|touch|edit|alter)\w*{E}`, "$1 must not be changed$2"},
	{"append", `\b(?:append|prepend)(?:ing)? (?:(?:anything|lines?|text) )?to {P}`, "write to $1"},
	{"you", `{P} you (?:can't|cannot|can not|must not|mustn't|may not|shouldn't|should not)(?: (?:touch|change|edit|modify))?{E}`, "never touch $1$2"},
	{"except|other than|apart|aside|barring|exception", `^\W*{but} {the}\x60?([\w@+*./-]*\w/?)\x60?,? *(?:please )?(?:(?:you )?(?:{not}|must never|do not|don't|never) {V} (?:any|files)\w*|(?:every|any)thing (?:{M} )?(?:not|stays?|remains?|is (?:off[- ]limits|frozen|read-only))|(?:nothing|no files?) (?:may|can|{M}) (?:be )?(?:chang|touch|edit|modif))[^.;]*`, "only change $1"},
	{"except|other than|apart|aside|barring|exception", `^\W*{but} {the}\x60?([\w@+*./-]*\w/?)\x60?,? *(?:please )?(?:(?:you (?:may|can|are (?:free|allowed) to) |feel free to )?{V} (?:any|every|all|what)|(?:everything|anything|all(?: the)? files|the rest) (?:may|can) (?:be )?(?:chang|touch|edit|modif))[^.;]*`, "never touch $1"},
	{"may change|can change", `^\W*(?:[^,.;]*, )?{P} (?:may|can) change(?: now)?{E}`, "$1 may be changed$2"},
	{"以外も", `{P}\s*以外も`, "${1}と他も"},
	{"以外|のほか|の他", `{P}\s*(?:以外(?:は|なら)?|のほかは?|の他は)、?(?:何を|何でも|どれを|どれでも|自由に|好きに|すべて|全部|全て)*(?:触っ|変え|変更し|直し|編集し|いじっ)ても?(?:いい|よい|良い|OK|構[わい]|かま[わい]|ください|$|[。、!！])`, "${1}は触らないで。"},
	{"except|other than|apart|aside", `^\W*(?:except(?:ing)?(?: for)?|other than|(?:apart|aside) from) {P} *,? *(?:please )?((?:fix|change|edit|update|modify|rewrite|refactor|format|reformat|bump|clean|tidy|migrate) .*)`, "never touch $1; $2"},
	{"excluded|exempt|excepted", `(?:,| -| with) {P} (?:excluded|excepted|exempt(?:ed)?){E}`, "; never touch $1$2"},
	{"(", `\((?:but )?(?:not|except(?: for)?|without|excluding) {1}\)`, ", not $1"},
	{"test", `\b(?:only {V}|{V} only) (?:(?:the|my|our|existing|unit) )*tests?(?: files?)?{E}`, "only change *test*, tests/, *.spec.*, spec/$3"},
	{"テスト", `(^|[。、\s])テスト(?:ファイル|コード)?(だけ|のみ)(を?(?:変更|編集|修正|直し|触))`, "$1 *test*、tests/、*.spec.*$2$3"},
	// What sounds as if it forbade.
	{"just|only|merely|simply|solely", `\b{n} (?:just|only|merely|simply|solely) (\w)`, "$1"},
	{"なく|ならず", `(?:だけ(?:で(?:は)?|じゃ)なく(?:て)?|のみならず)(?:、)?`, "と"},
	{"say|said|read|complain|warn|print|tell", `^\W*(?:the|our|a|an|this) (?:\w+ )?(?:linter|compiler|formatter|tests?|tool|error|message|logs?|docs|readme|comment|output|warning|ci|script|build|header|banner)(?: \w+)? (?:says?|said|reads?|complains?|warns?|prints?|tells? \w+)\b[^;]*`, ""},
}

// spokenTexts are read of a whole message: what a list or a sentence adds to what was forbidden before it.
var spokenTexts = []rewording{
	{"\n", `(?m)(^|[.!] )(?:please )?(?:{never} {V}(?: (?:these|the following)(?: files)?)?|off[- ]limits|hands off|read-only|frozen|untouchable|leave alone|{N})(?: \([^)\n]*\))?[ \t]*[:：][ \t]*\n((?:[ \t]*(?:[-*•]|\d+[.)])[ \t]+` + wordedPath + `[ \t]*(?:\n|$))+)`, "${1}Never touch these files:\n$3"},
	// What an order is kept to behind it.
	{"run |read", `\b((?:run|read) (?:[^,.;!?\n]|\.\w)*),? (?:only|just) {P}`, "$1 ($2)"}, // what is only run or read
	{"only|just", `{ordered} (?:[^,.;!?()\n]|\.\w){1,60}?)(?:[.,;:]| [-–—]+| \() ?(?:(?:only|just) (?:in |(?:touch|edit|change|modify) )?{P}|{P} only)\)?{E}`, "$1; only change $2$3$4"},
	{"just", `^(\W*)just (?:touch|change|edit|modify) {P}([.;,!]+ (?:please |and |then )*{order} )`, "${1}only change $2$3"},
	{" only", `{ordered} (?:(?:the|all) )*\w+(?: (?:and \w+|bugs?|errors?|functions?))*) in {P} only{E}`, "$1; only change $2$3"},
	{"だけ|のみ", `(^\s*|(?:直し|修正し|変更し|対応し)て(?:ください)?[、。]\s*){P}\s*(?:だけ|のみ)(?:です|で)?([、。\s]|$)`, "${1}\nonly change $2. $3"},
	{"触|変|いじ|編集", `(^|[。\n]\s*){P}\s*は([^。\n]{1,30})。\s*{触}`, "$1${2}は触らないで"},
	{"the latter", `{1}( (?:and|or) ){1}((?:[^.!?;\n]|\.\w){0,60}[.!;]) (?:please )?{n} {D} the latter`, "$1$2$3$4 Never touch $3"},
	{"the former", `{1}( (?:and|or) ){1}((?:[^.!?;\n]|\.\w){0,60}[.!;]) (?:please )?{n} {D} the former`, "$1$2$3$4 Never touch $1"},
	{"他|ほか", `((?:他|ほか)のファイル(?:に)?は(?:触ら|変更せ|変え))ずに?、?\s*([^。\n]*{P}[^。\n]*)`, "$2。${1}ないで"},
	{"; if|; when", `; (if|when)\b`, ". $1"}, // what is said before it holds in any case
	{"otherwise|else|if not", `\b(?:if|when) (?:[^.;?!\n]|\.\w){2,80}?, (?:then |please )*(?:{n}|leave|keep) (?:[^.;?!\n]|\.\w){2,60}?[.;] (otherwise|else|if not)\b`, "$1"},
	{"なければ|違えば", `{P}[^。]{0,12}?(?:なら|れば|場合は?)、?(?:触ら|触れ|変更し|変え|いじら)ない(?:で|こと)[^。]{0,6}[。、](そうでなければ|違えば|さもなければ|でなければ)`, "$2"},
	// Tests that are spoken of before it is said that they are to stay.
	{"test", `\b((?:make|get|have|let|keep) (?:\w+ ){0,3}tests? (?:to )?(?:pass|succeed|run|work|(?:go |be )?green)(?:ing)?(?: again)?)[.,;]? (?:but |and |please )*(?:without|{n}) {D} (?:them|it)\b`, "$1. Don't change the tests"},
	{"test", `\b((?:existing |current )?tests) (?:must|should|have to|need to) (?:still |all )?(?:(?:keep|stay|remain|be|continue to) )?(?:pass|passing|green) (?:unmodified|unchanged|untouched|as they are|as is|without (?:modifications?|changes|being (?:changed|modified|edited)))`, "$1 must not be changed"},
	{"un|as |without", `\b(?:make sure|ensure|be sure|see to it|make|get|keep|have)(?: that)? (?:(?:the|all|our|my|of|existing|current) )*tests? (?:(?:all|still|to|keep|stay) )*(?:pass|passing|succeed|run|work|green) (?:un(?:modified|changed|touched|edited)|as (?:is|they are)|without (?:any )?(?:modifications?|changes|edits)){E}`, "the tests must not be changed$1"},
	{"add|creat|writ", `\b(?:{n}|without|avoid) (?:add|creat|writ)(?:e|ing)? (?:or|and|nor) {D} (?:(?:any|the|new|my|our|existing|of) )*(?:tests?|test files?){E}|\b(?:{n}|without|avoid) {D} (?:or|and|nor) (?:add|creat|writ)(?:e|ing)? (?:(?:any|the|new|my|our|existing|of) )*(?:tests?|test files?){E}`, "never touch the tests$1$2"},
	{"other test", `([\w/.-]*(?:test|spec)[\w/-]*\.\w+)\b([^?]{0,80}?)\b(?:(?:leave|keep) {O} (?:alone|untouched|unchanged|as (?:they are|is))|{n} {D} {O}|{O} (?:must |should )?(?:stay|remain) (?:unchanged|untouched|as they are))`, "$1${2}don't touch *_test.* except $1"},
	{"のテスト", `([\w/.-]*(?:test|spec)[\w/-]*\.\w+)([^？]{0,40}?)(?:他|ほか|それ以外)のテスト(?:ファイル)?(?:(?:に?は|を|に)(?:触ら|触れ|変更し|編集し|修正し|変え|いじら|書き換え)ない(?:で|こと)|は(?:その|今の)まま(?:で|に(?:して)?))(?:ください)?`, "$1$2。Don't touch *_test.* except $1 "},
	{"not|nor|neither|either|same|likewise|ditto", `{refused}(?:[.;,]? (?:[-–—] )?(?:and |but |or )?(?:also not|nor|neither|(?:the )?same (?:(?:goes |holds |applies )?(?:for|to|with))|likewise(?: for)?|ditto(?: for)?) {1}|[;,]? (?:[-–—] )?(?:and |but )?(?:not )?{1} (?:n?either)\b)`, "$1. Never touch $2$3"},
}

// rewordedBy is a text in which each row finds its words, from above to below.
func rewordedBy(rows []rewording, text string) string {
	for _, r := range rows {
		if lazy.Any(r.has, text) {
			text = r.expression().ReplaceAllString(text, r.as)
		}
	}
	return text
}
