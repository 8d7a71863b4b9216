package state

import (
	"strings"
	"sync"

	"nebula/internal/lazy"
)

// The rows of what an answer says was done: each kind of work once, with its words in each language.

// Parts of the forms below.
const (
	ofWork    = `(?:(?:all|the|my|these|this|it|and|of|your|code|latest|new|above) )*(?:changes?|fix(?:es)?|work|results?|everything|all|this|it|code|commits?|branch|release|edits?)\b,? (?:` + hasBeen + `)?(?:\w+ and )?`
	workEnds  = `(?:$|[,;:(]| (?:and|to|on|as|with|locally|successfully|too|in (?:git|one|two|a)|into)\b)`
	workDone  = `(?:it|this|that|them|these|everything|all|(?:the|my) (?:\w+ )?(?:changes?|fix(?:es)?|work|results?|files?|code|edits?|patch|branch|commits?|tag|refactoring|release|feature|pr|pull request)`
	hasBeen   = `(?:is|are|was|were|has been|have been|got)(?: (?:now|also|all|both|just|successfully|safely))* `
	lintWord  = `(?:lint|\bvet\b|ruff|flake8|mypy|pyright|black|clippy|check|rubocop|prettier|biome|tsc|style|stan|\bmake\b|\bjust\b|\brun\b|\.sh\b|\btox\b|\bnox\b|pre-commit)`
	linters   = "`?(?:(?:linters?|lint(?:ing)?|static analysis|style checks?|type[- ]?check(?:s|ing|er)?)|(?:ruff|mypy|flake8|pylint|pyright|eslint|stylelint|biome|golangci-lint|staticcheck|go vet|(?:cargo )?clippy|rubocop|shellcheck|tsc)(?: check| run)?(?: \\.[./]*)?)`?"
	platforms = `(?:windows|mac ?os|os ?x|macs?\b|ios\b|iphones?|ipads?|android|raspberry)`
	measures  = `time|bench|perf|profil|python|node|\bab\b|\bwrk\b|\bhey\b|\bk6\b|\brun\b|\btest|durations|\bdu\b|\bwc\b|size|explain|sql`
	measured  = `(?:runtime|time|startup|latency|memory|performance|speed|throughput)`
	noneOf    = `no (?:[\w-]+ ){0,2}(?:errors?|issues?|warnings?|problems?|findings|complaints)`
)

const (
	// saidBy is what stands before a word for work that is the writer's, saidOfIt before how things stand.
	saidBy   = `(?:^|\band |, |: | [-–—] |\bthen |\b(?:i|we)(?:['’]ve| have)? )(?:(?:also|just|now|then|successfully) )*`
	saidOfIt = `(?:^|, |: | [-–—] |\band |\bbut )(?:(?:also|now|so|and|with) )*`
	// saidFile is a file as an answer names it, by an ending that only files have, or one that every project has.
	saidFile = "[`*\"“(（]*([\\w./-]*\\w\\.(?:go|pyi?|[mc]?[jt]sx?|vue|rs|[ch]|cc|cpp|hpp|java|kts?|scala|swift|cs|rb|php|pl|lua|dart|exs?|hs|sh|sql|md|rst|txt|json|ya?ml|toml|ini|cfg|html?|css)\\b|\\breadme\\b|\\bchangelog\\b|\\b(?-i:LICENSE|Makefile|Dockerfile)\\b)[`*\"”)）]*"
	saidOf   = `(?:(?:a|an|the|new|old|missing|separate|small|additional|unit|test|tests|regression|file|files|module|script|both|in|called|named|unused|obsolete|dead|whole|existing|project|stale)[ :]+)*`
	saidPart = `(?:(?:a|an|the|some|more|new|unit|regression|usage|short|\d+|two|three|four|five|[\w-]+) ){0,3}(?:sections?|entry|entries|notes?|paragraphs?|examples?|tests?|cases?|documentation|docs|description|instructions|usage)\b(?: (?:on|about) [\w ` + "`" + `-]{1,40}?)?`
)

// saidWorked are verbs for what a file comes to that stood there before.
const saidWorked = `updated|edited|modified|changed|rewrote|rewritten|extended|adjusted|fixed|documented|simplified|refactored|reworked|cleaned up|tidied(?: up)?|improved|polished|streamlined|optimi[sz]ed|shortened|restructured|reorgani[sz]ed|corrected|patched|adapted|reformatted|moderni[sz]ed`

// lookedAt is that its writer looked at files or through all of them, of so many where it says so; lookedJa that in Japanese.
var (
	lookedAt = form(saidBy, `(?:read|opened|searched|grepped|scanned|inspected|reviewed|examined|went through|looked (?:at|into|through|over)) (?:(?:through|all|every|each|the|whole|entire|complete|of) )*(?:(both|two|three|four|five|six|seven|eight|nine|ten|\d+) )?(?:of )?(?:(?:the|source|project|other) )*(?:(?:files?|project|code(?:base)?|repo(?:sitory)?|sources?|folder|director(?:y|ies))\b|{F})`)
	lookedJa = form("", `(?:(\d+)\s?(?:つ|個|件|本)の)?(?:(?:プロジェクト|コード|リポジトリ|ファイル|フォルダ)(?:の)?(?:全体|すべて|全て|全部)?|{F})\s?を\s?(?:すべて|全て|全部)?(?:検索し|調べ|読み|確認し)ました`)
)

// saidPlaced is where an answer says that something new is used, tested and told of.
const saidPlaced = `(?:used|called|tested|covered|documented|described|told of|mentioned|explained) in (?:the )?{F}`

// saidChanged is the head of a list of files that were changed.
const saidChanged = `(?:(?:here are )?(?:the |all )?(?:changed|modified|updated|edited|touched)(?: files)?|(?:the |all )?files (?:i )?(?:changed|modified|updated|edited|touched)|(?:変更|修正|更新|編集)(?:した)?(?:ファイル|箇所)(?:は|一覧)?)\**\s*[:：]\s*\**`

// foundThere tells where something was found that was mended elsewhere, or what something is like; listHead and listItem are such a list's, and
// leftAsIs is an item of what was not.
var (
	foundThere = &lazy.Pattern{X: `(?i)\b(?:tests?|errors?|fail\w*|warnings?|crash\w*|exceptions?|bugs?|imports?|imported|used|call(?:s|ed|ers?)|uses?|found|caused?|reported|shown|seen|that|which|as|from|like)\b|参考|元に|もとに|基に|例に|ベース|合わせ|とおり|通り|通る|まま`}
	listHead   = form(`^[\s\pP]*`, saidChanged+`$`)
	listItem   = &lazy.Pattern{X: `^\s*(?:[-*•·]|\d+[.)])\s+`}
	leftAsIs   = &lazy.Pattern{X: `(?i)\b(?:unchanged|untouched|not|only read|read only|no changes?)\b|変更なし|変更して(?:い)?ません|読んだだけ`}
)

// addings are what an answer says it added without naming a file, and how the files are called of which one is touched where that is so.
var addings = [...]struct {
	form, in *lazy.Pattern
	own      bool
}{
	{form(saidBy, `(?:added|wrote|created) (?:(?:a|an|some|more|new|unit|regression|several|few|additional|further|\d+|two|three|four|five) ){0,4}tests?(?: cases?)?(?: (?:for|covering|that cover) [^,;.]*)?$`), ofTestFiles, true},
	{form(saidOfIt, `(?:(?:the|our|all|existing|unit) )*(?:test )?(?:suite|tests|cases) now (?:also )?(?:covers?|checks?|includes?|exercises?|asserts?)\b`), ofTestFiles, false},
	{form("", `テスト(?:ケース)?(?:も|を)\s?(?:新しく|新たに)?\s?(?:[\d０-９一二三四五]+\s?[件個本つ])?(?:ほど)?\s?(?:追加し|書き)ました`), ofTestFiles, false},
	{form("", `(?:変更|更新)履歴(?:も|を)\s?(?:更新|追記)しました`), &lazy.Pattern{X: `(?i)change|histor|news|release|履歴`}, false},
}

// ofTestFiles are files that may have tests in them.
var ofTestFiles = &lazy.Pattern{X: `(?i)test|spec|\.(?:rs|feature|zig|d)$`}

var (
	fileMore = &lazy.Pattern{X: `(?i)^(?:(?:, and|,| and| &) |[、と])` + saidOf + saidFile}
	// fileEnds is what stands behind a file that the sentence is about, and not a part of it, or its place in another thing.
	fileEnds = &lazy.Pattern{X: `(?i)^\s*(?:$|[,;:(—–-]|(?:and|with|for|that|which|so|since|because|as it|as they|accordingly|too|as well|containing|covering|successfully)\b)`}
	fileUses = &lazy.Pattern{X: `(?i)^\s+to (?:use|match|reflect|say|mention|cover|include|return|call|set)\b|^\s+to [\x60"'\d]|^\s+to (?:true|false)\b`}

	// own is how a sentence begins that tells of its writer's work.
	own = &lazy.Pattern{X: `(?i)^[\s\pP\pS\d]*(?:(?:also|just|now|then|finally|additionally|in addition|successfully|and|done|fixed|so|first|next|lastly|summary|all done|everything works now, and|as (?:you )?(?:requested|asked|wished)|all set|all good|while (?:at it|i was (?:there|at it))|(?:along|on) the way|by the way|besides|(?:the )?(?:change|task|work) is (?:complete|done)[:,]) *[:,;–—-]? *)*(?:(?:i|we)(?:['’]ve| have)?\b|(?:added|created|wrote|updated|edited|modified|changed|simplified|refactored|reworked|cleaned up|tidied|improved|deleted|removed|committed|pushed|ran|executed|verified|tested|set|fixed|implemented|made|renamed|replaced|moved|extracted|split|merged|tagged|opened|installed|deployed|published|released|launched|started|emailed|sent|restarted|formatted|reformatted|documented|described|rewrote|extended|refactored|adjusted|corrected|applied|bumped|raised|lowered|switched|enabled|disabled|noted|reflected|dropped|split|got rid of|checked|viewed|loaded|visited|gave)\b)|^[^,;]{1,60}[,:] (?:and )?(?:then )?(?:i|we)(?:['’]ve| have)?\b`}
	// heldBefore are words before what is said to be done with which it is not said, heldBehind those behind it.
	heldBefore = &lazy.Pattern{X: `(?i)\b(?:not|never|nothing|none|neither|cannot|could|would|should|will|can|may|might|must|if|when|once|unless|until|whether|says?|said|shows?|suggest|propose|plan|e\.g|undid|reverted|took back|tried|meant|to|yesterday|the last|earlier|previously|before)\b|n['’]t\b`}
	heldBehind = &lazy.Pattern{X: `(?i)\b(?:earlier|previously|already|last|yesterday|ago|once|if|unless|failed|in (?:v?\d|commit|version|release|[0-9a-f]{7}|the (?:last|previous|first|initial|old))|before (?:that|this|i|you)|the former)\b|\bby (?:the|you|your|a|an|[A-Z])`}
	heldJa     = &lazy.Pattern{X: `ません|」と|以前|前回|最後の|先ほど|さっき|昨日|すでに|既に|によって|担当|作者|(?:人|者|あなた|彼|さん|チーム)(?:が|は|も)|なら|たら|` + hypotheticJa + `|場合|予定|例えば|たとえば`}
	heldMore   = &lazy.Pattern{X: `(?i)\b(?:nicht|kein\w*|noch|wenn|falls|wird|werden|soll\w*|kann|bevor|laut|sagt|ne|pas|rien|aucune?|si|sera|avant|selon|dit|hier|gestern|von|par)\b|würde|könnte|n['’]|没|未|不|如果|请|可以|应该|要|之前|以前|昨天|你|您|会|说`}
	// noErrors is that something found nothing, which is no denial.
	noErrors = &lazy.Pattern{X: `(?:エラー|警告|問題|指摘)(?:は|が|も)?(?:1件も)?(?:ありません(?:でした)?|ないこと|なし)`}
)

// testsPass are the forms of an answer for that tests pass, where nothing ran that may have run them, and behind what was changed.
var testsPass = &lazy.Pattern{X: `(?i)(?:^[\s\pP\pS]*|^(?:i |we )?(?:fixed|changed|added|set|updated|made) [^;:]{1,60}?(?:[,:] | and ))(?:(?:yes|done|fixed|now|and|so|finally|great news|all good|all set|it['’]s|it is)[:,]? )*(?:green (?:across the board|everywhere|all round)` + saidEnds + `|(?:(?:(?:all|the|every|my|your|our|of|\d+|both|whole|full|entire|unit|integration|test) )*(?:suites?|tests?)(?: (?:suite|run|cases))?|everything|it all|all(?: (?:the )?checks)?):? (?:(?:is|are|was|were|runs?|ran|now|all|still|also|comes?|came|back|through|\d+)[ ,]+)*(?:green|pass(?:es|ed|ing)?|succeed(?:s|ed)?|ok|clean|successful)` + saidEnds + `|\d+ (?:tests? )?(?:passed|passing|ok)` + saidEnds + `)|` +
	`テスト(?:スイート)?(?:は|が|も|、|：|:)?\s?(?:[\d０-９]+\s?[件本個]|すべて|全て|全部|全|とも|が|中|の|、)*\s?(?:通(?:りました|ります|って(?:います|おり))|成功(?:しました|しています|です)|パス(?:しました|しています)|緑|グリーン|合格し)|(?:すべて|全て|全部)の?テスト[^。、]{0,4}(?:通(?:りま|って(?:いま|お))|成功し(?:まし|てい)|パスし)|^[\s\pP\pS]*(?:すべて|全て|全部|全件)(?:の?(?:チェック|検証))?(?:は|が|も)?(?:問題なく|正常に|無事)?\s?(?:(?:通り|成功し|パスし|合格し)ました|(?:通っ|成功し|パスし)ています|成功です)(?:$|、)|^[\s\pP\pS]*オールグリーン`}

// testsMore are those in German, French, Chinese.
var testsMore = &lazy.Pattern{X: `(?i)\btests?\b[^,.;]{0,25}\b(?:durch|bestanden|erfolgreich)|\btests?\b[^,.;]{0,15}grün|\btests?\b[^,.;]{0,20}(?:passent|passés?|réussi|\bverts?)(?:$|[^a-z])|测试[^，。]{0,6}(?:通过|成功)`}

// saidEnds is what stands behind a word for how things stand, and makes nothing else of it.
const saidEnds = `(?:$|[,;:(/]| (?:now|again|too|as well|and|with|in \d|without|locally|fine|cleanly|successfully)\b)`

// fileGone is that a file is gone, which the request names.
var fileGone = &lazy.Pattern{X: `(?i)^[\s\pP]*(?:done[:,]? )?(?:the|that|this|your)(?: old)? (?:file|script|module) (?:no longer exists|does not exist any ?more|is (?:now )?(?:gone|deleted|removed)|(?:has been|was) (?:deleted|removed))|(?:(?:ファイル|それ)(?:は|も)?(?:もう|既に|すでに)?|\.[a-z]\w*[\x60」]?\s?(?:は|も)もう)(?:ありません|存在しません|消えました|削除(?:しました|されました|済み))|(?:datei|fichier)\b[^,.;]{0,20}(?:gelöscht|entfernt|supprimé|nicht mehr|n['’]existe plus)|文件已(?:经)?(?:被)?(?:删除|不存在)`}

// fileNamed is a file as a request names it.
var fileNamed = &lazy.Pattern{X: saidFile}

// rowParts are the parts of the rows of said.txt.
func rowParts() *strings.Replacer {
	return strings.NewReplacer("{hasBeen}", hasBeen, "{lintWord}", lintWord, "{linters}", linters, "{measured}", measured, "{measures}", measures,
		"{noneOf}", noneOf, "{ofWork}", ofWork, "{platforms}", platforms, "{saidBy}", saidBy, "{saidChanged}", saidChanged,
		"{saidEnds}", saidEnds, "{saidFile}", saidFile, "{saidOfIt}", saidOfIt, "{saidOf}", saidOf, "{saidPart}", saidPart,
		"{saidPlaced}", saidPlaced, "{saidWorked}", saidWorked, "{workDone}", workDone, "{workEnds}", workEnds)
}

// A saying is a kind of work that commands do, and how an answer says that it was done.
type saying struct {
	does, is, ja, more, by *lazy.Pattern
	tried, tests, work     bool
}

// sayings are the rows of said.txt.
var sayings = sync.OnceValue(func() (list []saying) {
	parts := rowParts()
	for _, row := range tables()["sayings"] {
		for i := range row {
			row[i] = parts.Replace(row[i])
		}
		has := func(flag string) bool { return strings.Contains(row[5], flag) }
		list = append(list, saying{form(saidBy, row[0]), form(saidOfIt, row[1]), form("", row[2]), form("", row[3]), &lazy.Pattern{X: row[4]},
			has("tried"), has("tests"), has("work")})
	}
	return list
})

// A fileSaying is a form in which something is said to be done with a file.
type fileSaying struct {
	form            *lazy.Pattern
	verb            string // empty for the form's first group
	own, ends, more bool
}

// fileSayings are the rows of said.txt.
var fileSayings = sync.OnceValue(func() (list []fileSaying) {
	parts := rowParts()
	for _, row := range tables()["fileSayings"] {
		has := func(flag string) bool { return strings.Contains(row[3], flag) }
		list = append(list, fileSaying{form(parts.Replace(row[0]), parts.Replace(row[1])), row[2], has("own"), has("ends"), has("more")})
	}
	return list
})
