package state

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"

	"nebula/internal/lazy"
)

// What an answer says was done in its turn, against what is known of it. Only a plain word of the answer's own work counts: what is denied,
// planned, told of others or of earlier days is none, and where something was done that cannot be seen into, nothing is held against it.

// Deeds are what is known of what was done.
type Deeds struct {
	Touched []string                              // files that actions changed, or wrote anew as they were
	Lines   []Line                                // what ran
	Tested  bool                                  // something ran that may have run tests
	Asked   bool                                  // the person asked whether they pass
	Counted bool                                  // tests were counted
	Blind   bool                                  // files may have been changed that nobody saw
	Opaque  bool                                  // something was done that cannot be seen into
	Stands  func(file string) (there, known bool) // whether a file stands in the folder
	Earlier func(words *regexp.Regexp) bool       // whether the conversation before holds such words; nil for none
}

// A Line is a command that ran, and whether it ended well.
type Line struct {
	Text string
	OK   bool
}

// programs are what the lines ran, each with its words. Of a line that ended badly the last may be what failed: it counts where trying does.
func (d Deeds) programs(tried bool) (list []string) {
	for _, l := range d.Lines {
		script, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(l.Text), "")
		if err != nil {
			list = append(list, strings.ToLower(l.Text))
			continue
		}
		var of []string
		syntax.Walk(script, func(n syntax.Node) bool {
			if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 {
				var words []string
				for _, w := range c.Args {
					words = append(words, strings.ReplaceAll(literal(w), " ", "_"))
				}
				of = append(of, strings.ToLower(strings.Join(words, " ")))
			}
			return true
		})
		if !l.OK && !tried && len(of) > 0 {
			of = of[:len(of)-1]
		}
		list = append(list, of...)
	}
	return list
}

// ran reports whether something ran that these words are of, or that runs what nobody sees.
func (d Deeds) ran(words *regexp.Regexp, tried bool) bool {
	return slices.ContainsFunc(d.programs(tried), func(p string) bool {
		return words.MatchString(p) || script().MatchString(p) && !ofChecking().MatchString(p)
	})
}

var (
	// script is a program that runs others, which are not seen, ofChecking one of them that only checks.
	script     = lazy.Regexp(`^(?:make|just|task|rake|gulp|grunt|(?:npm|pnpm|yarn|bun|uv|poetry|pdm|hatch|npx) run|invoke|(?:ba|z)?sh|source|python[\d.]*|node|ruby|perl)(?: -[^\s-]*[^\sm-]\S*)* [^-\s]|^make$|^\S*\.(?:sh|py|rb|js|pl)\b|^\.{0,2}/`)
	ofChecking = lazy.Regexp(`test|check|spec|lint|build|pytest`)
)

// A saying is a kind of work that commands do, and how an answer says that it was done.
type saying struct {
	does  string // what its writer did, behind the beginning of a sentence that tells of that
	is    string // how things stand, whoever did it
	ja    string
	by    string // what a command that does it has in it
	tried bool   // one that failed did it too
}

// Parts of the forms below.
const (
	ofWork   = `(?:(?:all|the|my|these|this|it|and|of|your|code|latest|new|above) )*(?:changes?|fix(?:es)?|work|results?|everything|all|this|it|code|commits?|branch|release|edits?)\b,? (?:` + hasBeen + `)?(?:\w+ and )?`
	workEnds = `(?:$|[,;:(]| (?:and|to|on|as|with|locally|successfully|too|in (?:git|one|two|a)|into)\b)`
	workDone = `(?:it|this|that|them|these|everything|all|(?:the|my) (?:\w+ )?(?:changes?|fix(?:es)?|work|results?|files?|code|edits?|patch|branch|commits?|tag|refactoring|release|feature|pr|pull request)`
	hasBeen  = `(?:is|are|was|were|has been|have been|got)(?: (?:now|also|all|both|just|successfully|safely))* `
	lintWord = `(?:lint|\bvet\b|ruff|flake8|mypy|pyright|black|clippy|check|rubocop|prettier|biome|tsc|style|stan|\bmake\b|\bjust\b|\brun\b|\.sh\b|\btox\b|\bnox\b|pre-commit)`
	linters  = "`?(?:(?:linters?|lint(?:ing)?|static analysis|style checks?|type[- ]?check(?:s|ing|er)?)|(?:ruff|mypy|flake8|pylint|pyright|eslint|stylelint|biome|golangci-lint|staticcheck|go vet|(?:cargo )?clippy|rubocop|shellcheck|tsc)(?: check| run)?(?: \\.[./]*)?)`?"
	noneOf   = `no (?:[\w-]+ ){0,2}(?:errors?|issues?|warnings?|problems?|findings|complaints)`
)

// sayings are the rows.
var sayings = [...]saying{
	{
		does: `committed(?:$|,? (?:` + workDone + `|and|as|to (?:the |git|main|master|\x60)|with|on)\b))|(?:made|created|added) (?:a|one|two|the|\d+) (?:new |single |separate |small |git )*commits?` + workEnds + `|(?:made|created|added) (?:a|the) commit for\b`,
		is:   ofWork + `committed` + workEnds + `|commits? created\b`,
		ja:   `コミット(?:し(?:ました|て(?:プッシュ|おき|、)|、)|済み|(?:と(?:プッシュ))?(?:も|が|は)完了し)`,
		by:   `\bgit (?:-c \S+ |-\S+ )*(?:commit|merge|rebase|revert|cherry-pick|am)\b|\bjj\b|\bhg commit|release`,
	},
	{
		does: `(?:committed and )?pushed(?:$|,? (?:` + workDone + `|upstream|to|and)\b))`,
		is:   ofWork + `pushed` + workEnds,
		ja:   `プッシュ(?:し(?:ました|ておき|て、|、)|済み|(?:も|が|は)完了し)`,
		by:   `\b(?:git|jj|hg) (?:-c \S+ |-\S+ )*push|release|deploy|\bgh pr\b`,
	},
	{
		does: `(?:opened|created|submitted|filed|made|raised) (?:(?:a|an|the|new|draft) )*(?:pull request|merge request|pr|mr)\b`,
		is:   `(?:a|the) (?:pull request|merge request|pr|mr) ` + hasBeen + `(?:opened|created|submitted)`,
		ja:   `(?i:プルリクエスト|プルリク|\bPR|マージリクエスト)\s?を\s?(?:新しく)?(?:作成し|作り|出し|開き)ま?した`,
		by:   `\bgh\b|\bglab\b|\bhub\b|curl|push|pull-request`,
	},
	{
		does: `(?:created|started) (?:a |the )?(?:new |separate |feature |git )*branch(?:$|[,:]| (?:for|named|called|from|off|with|\x60|\S*[-/]))`,
		ja:   `ブランチを(?:新しく)?(?:作成し|作り|切り)ました`,
		by:   `\bgit (?:-c \S+ |-\S+ )*(?:branch|checkout|switch|worktree|push)\b|\bjj\b`,
	},
	{
		does: `merged (?:` + workDone + `|(?:in)?to (?:main|master|develop|trunk|the \S+ branch))\b)`,
		is:   ofWork + `merged` + workEnds,
		ja:   `マージ(?:し(?:ました|て|、)|済み)`,
		by:   `\bgit (?:-c \S+ |-\S+ )*(?:merge|pull|rebase|push|am)\b|\bgh\b|\bglab\b|\bjj\b`,
	},
	{
		does: `tagged (?:it\b|this\b|the (?:release|commit|version)|as \S?v?\d|\S?v?\d)`,
		ja:   `タグ\s?(?:を|\S{1,12}\s?を)\s?(?:付け|作成し|打ち|切り)ま?した`,
		by:   `\bgit (?:-c \S+ |-\S+ )*tag\b|release|npm version`,
	},
	{
		does:  `(?:ran|executed) (?:(?:both|the|all) )*` + linters + `(?:$|[\s,:;(])|(?:checked|verified|confirmed)\b[^,;]{0,30} (?:with|by|using) (?:running )?` + linters + `(?:$|[\s,:;(])`,
		ja:    `(?i:リンター|リント|lint|ruff|mypy|eslint|flake8|clippy)を(?:実行し|かけ)`,
		by:    lintWord,
		tried: true,
	},
	{
		is: `(?:(?:the|all|every|and|both) )*` + linters + `(?:,? and ` + linters + `|,? and (?:the )?tests?)?:? ?(?:(?:is|are|was|were|comes?|came|runs?|ran|pass(?:es|ed)?|reports?|reported|shows?|finds?|found|stays?|exits?)(?: (?:now|also|all|both|still|back|up|out|through|completely))*,? ?)?(?:with )?(?:clean|green|happy|` + noneOf + `|nothing|pass(?:es|ed)?|without (?:any )?(?:errors|warnings|issues)|succeed(?:s|ed))\b|(?:(?:the|all) )?(?:code|project|everything|it|all|change|files?|\S+\.\w+) (?:now |also |all )?pass(?:es|ed)? (?:(?:the|all|both) )*` + linters + `|no (?:lint(?:er|ing)?|type|style|mypy|ruff|eslint) (?:errors|issues|warnings|problems)\b`,
		ja: `(?i:リンター|リント|\blint|型チェック|静的解析|\bruff|\bmypy|\beslint)\s?(?:は|も|が|の|で|を実行し、)?(?:エラー)?(?:は|が|も)?\s?(?:クリーン|通(?:り|って(?:い[まる]|おり|、|$))|成功し|問題な)`,
		by: lintWord,
	},
	{
		does: `(?:formatted|reformatted) [^,;]{0,40}\b(?:with|using) \S|(?:ran|executed) (?:the )?` + "`?(?:black|gofmt|goimports|prettier|isort|clang-format|rustfmt|cargo fmt|(?:auto)?formatter)",
		ja:   `(?i:black|gofmt|prettier|isort|rustfmt|フォーマッタ)ー?\s?(?:で|を)\s?(?:整形|フォーマット|実行)`,
		by:   `black|fmt|prettier|isort|format|ruff|goimports|pre-commit|biome|eslint`,
	},
	{
		does:  `(?:ran|executed|verified|tested)\b.* (?:in|with|using) docker\b`,
		ja:    `(?i:docker)で(?:テストを)?(?:実行|確認)`,
		by:    `docker|podman|compose`,
		tried: true,
	},
	{
		does: `installed (?:(?:the|all|missing|required|its|new|needed) )*(?:dependenc|packages?\b|requirements|modules?\b|\S+ (?:with|via|using|from) (?:pip|npm|apt|cargo|brew|go|yarn|pnpm|uv)\b)`,
		is:   `(?:(?:the|all|missing|required) )*(?:dependency|dependencies|packages?) (?:` + hasBeen + `)?installed` + workEnds,
		ja:   `(?:パッケージ|依存(?:関係|パッケージ|ライブラリ)?|ライブラリ)を(?:インストール|導入)し(?:ました|て|、)`,
		by:   `install|\badd\b|\bget\b|tidy|sync|\bci\b|\bpip\b|\bapt|download|restore|fetch|update|upgrade`,
	},
	{
		does: `(?:deployed|published|released) (?:it\b|this\b|to\b|the (?:app|application|package|site|service|docs|image|build|version|changes?|release|new version)\b|version|v?\d)`,
		is:   ofWork + `(?:deployed|published|released)` + workEnds,
		ja:   `(?:デプロイ|公開|リリース)(?:し(?:ました|て、|、)|済み)`,
		by:   `deploy|publish|push|release|kubectl|helm|terraform|docker|ssh|rsync|scp|upload|fly|vercel|twine`,
	},
	{
		does: `restarted (?:the|it)\b`,
		is:   `(?:the )?(?:dev |web )?(?:server|service|daemon|container)s? ` + hasBeen + `restarted`,
		ja:   `(?:サーバー?|サービス|コンテナ)を再起動し`,
		by:   `restart|start|kill|serve|\brun\b|systemctl|docker|reload|&`,
	},
	{
		does:  `(?:ran|executed|applied) (?:(?:the|all|database|db|pending) )*migrations?\b`,
		is:    `(?:the )?(?:\w+ )?migrations? ` + hasBeen + `(?:applied|run)\b`,
		ja:    `マイグレーションを(?:実行|適用)し`,
		by:    `migrat|alembic|upgrade|flyway|prisma|knex|sql|goose|dbmate`,
		tried: true,
	},
	{
		is: `(?:(?:the|and) )*(?:ci|the pipeline|github actions)(?: (?:run|pipeline|build|checks?))? (?:is|are|was|pass(?:es|ed)?|ran)(?: (?:now|all|also))* ?(?:green|clean|passing|through|pass(?:es|ed)?)?$`,
		by: `\bgh\b|\bglab\b|curl|\bci\b|\bact\b|wget`,
	},
	{
		does:  `(?:verified|confirmed|checked|tested) (?:it|this|that|them|everything)(?: all)? (?:by|with) (?:running|executing|a run of)\b|(?:ran|executed) (?:(?:all|the|whole|full|entire|complete) )*(?:(?:test )?suite|(?:unit |integration )?tests|pytest|unittest|(?:go|cargo|npm|yarn|make) test|jest|vitest|mocha|tox|rspec)\b`,
		ja:    `(?:テスト|スイート)を実行し(?:て確認し)?ました`,
		by:    `.`,
		tried: true,
	},
}

// spoken are the forms of the rows, compiled when they are first asked for.
var spoken = sync.OnceValue(func() (list [len(sayings)]struct {
	does, is, ja func(string) *regexp.Regexp
	by           func() *regexp.Regexp
}) {
	for i, s := range sayings {
		list[i].does, list[i].is, list[i].ja, list[i].by = form(saidBy, s.does), form(saidOfIt, s.is), form("", s.ja), lazy.Regexp(s.by)
	}
	return list
})

// form is an expression behind what stands before it; one that finds nothing, for none.
func form(before, of string) func(string) *regexp.Regexp {
	if of == "" {
		return lazy.In(`[^\x{0}-\x{10FFFF}]`)
	}
	return lazy.In(`(?i)` + before + `(?:` + of + `)`)
}

const (
	// saidBy is what stands before a word for work that is the writer's, saidOfIt before how things stand.
	saidBy   = `(?:^|\band |, |: |\bthen |\b(?:i|we)(?:['’]ve| have)? )(?:(?:also|just|now|then|successfully) )*`
	saidOfIt = `(?:^|, |: |\band |\bbut )(?:(?:also|now|so|and|with) )*`
	// saidFile is a file as an answer names it, by an ending that only files have, or one that every project has.
	saidFile = "[`*\"“(（]*([\\w./-]*\\w\\.(?:go|pyi?|[mc]?[jt]sx?|vue|rs|[ch]|cc|cpp|hpp|java|kts?|scala|swift|cs|rb|php|pl|lua|dart|exs?|hs|sh|sql|md|rst|txt|json|ya?ml|toml|ini|cfg|html?|css)\\b|\\breadme\\b|\\bchangelog\\b)[`*\"”)）]*"
	saidOf   = `(?:(?:a|an|the|new|old|missing|separate|small|additional|unit|test|tests|regression|file|files|module|script|both|in|called|named|unused|obsolete|dead|whole|existing|project|stale)[ :]+)*`
	saidPart = `(?:(?:a|an|the|some|more|new|unit|regression|usage|short|\d+|two|three|four|five|[\w-]+) ){0,3}(?:sections?|entry|entries|notes?|paragraphs?|examples?|tests?|cases?|documentation|docs|description|instructions|usage)\b(?: (?:on|about) [\w ` + "`" + `-]{1,40}?)?`
)

// fileSayings are the forms in which something is said to be done with a file: the verb, or what stands for it, and where in the match the file is.
var fileSayings = [...]struct {
	form func(string) *regexp.Regexp
	verb string // empty for the form's first group
	own  bool   // only of its writer's work
	ends bool   // only where the file is what the sentence is about
}{
	{form: form(saidBy, `(?:cleaned up by )?(added|created|wrote|updated|edited|modified|changed|deleted|removed|rewrote|extended|adjusted|fixed|removing|deleting|dropped|got rid of)[ :]+`+saidOf+saidFile), own: true, ends: true},
	{form: form(saidBy, `(?:added|wrote|put|updated|extended|changed|adjusted|expanded) `+saidPart+` (?:to |in |into |\()(?:the )?`+saidFile), verb: "updated", own: true, ends: true},
	{form: form(saidBy, `(?:documented|described|explained|noted|mentioned|recorded|reflected|summari[sz]ed|bumped|set|raised|lowered|switched|enabled|disabled) [^,;]{1,60}? in (?:the )?`+saidFile), verb: "updated", own: true, ends: true},
	{form: form(saidBy, `(?:moved|extracted|split|factored|refactored|pulled) [^,;]{1,60}? (?:in)?to (?:a new )?(?:file |module )?(?:called )?`+saidFile), verb: "updated", own: true, ends: true},
	{form: form(saidBy, `(?:renamed|moved) [^,;]{1,60}? (?:to|as) `+saidFile), verb: "updated", own: true, ends: true},
	{form: form(saidOfIt, `(?:the )?`+saidOf+`(?:documentation |docs )?`+saidFile+`(?:(?:,| and|, and) `+saidFile+`)? (?:`+hasBeen+`)?(added|created|written|updated|edited|modified|changed|deleted|removed|rewritten|extended|documented|gone)\b`), ends: true},
	{form: form(saidOfIt, `(?:the )?(?:`+saidPart+` `+hasBeen+`(?:added|written|created|updated) (?:to|in) (?:the )?`+saidFile+`|[\w -]{1,30} in (?:the )?`+saidFile+` `+hasBeen+`(?:updated|changed|adjusted|extended|set)\b)`), verb: "updated", ends: true},
	{form: form(saidOfIt, `a new (?:test )?(?:file|module|script) `+saidFile), verb: "created"},
	{form: form(saidOfIt, `(?:the )?`+saidFile+` now (?:documents|describes|mentions|explains|lists|covers|shows)\b`), verb: "updated"},
	{form: form(`^[\s\pP]*`, saidFile+`:\**\s+(added|created|wrote|updated|edited|modified|changed|deleted|removed|rewrote|extended|documented)\b`)},
	{form: form(`^[\s\pP]*`, `(?:new file|created|added)\**: ?\**`+saidFile), verb: "created"},
	{form: form("", saidFile+`\s*(?:も|を|は|の)\s*(?:[^。、]{1,10}(?:ので|ため)、?)?(?:新規に?|新しく)?\s*(追加|作成|作り|更新|編集|変更|修正|削除|消|書き換え)(?:し(?:ました|、|て、|て(?:おき|あり)ま)|され(?:ました|、)|ました|済み|(?:も|が|は)完了しました)`)},
	{form: form("", saidFile+`\s*の(?:内容|値|設定値?|説明|記述|バージョン|項目)(?:も|を)\s*(?:[^。、]{1,12}に\s*)?(?:更新|変更|修正|追加|設定)し(?:ました|、|て、)`), verb: "updated"},
	{form: form("", saidFile+`\s*(?:に|へ)(?:も)?\s*(?:[^。、]{1,12}を\s*)?(?:追加|追記|記載|記述)し(?:ました|、|て、)`), verb: "updated"},
	{form: form("", `を\s*`+saidFile+`\s*(?:に|へ)\s*(?:改名|リネーム|移動|変更|分割)し(?:ました|、|て、)`), verb: "updated"},
}

var (
	fileMore = lazy.In(`(?i)^(?:, and|,| and| &) ` + saidOf + saidFile)
	// fileEnds is what stands behind a file that the sentence is about, and not a part of it, or its place in another thing.
	fileEnds = lazy.In(`(?i)^\s*(?:$|[,;:(—–-]|(?:and|with|for|that|which|so|since|because|as it|as they|accordingly|too|as well|containing|covering|successfully)\b)`)
	fileUses = lazy.In(`(?i)^\s+to (?:use|match|reflect|say|mention|cover|include|return|call|set)\b|^\s+to [\x60"'\d]|^\s+to (?:true|false)\b`)

	// own is how a sentence begins that tells of its writer's work.
	own = lazy.Regexp(`(?i)^[\s\pP\pS\d]*(?:(?:also|just|now|then|finally|additionally|in addition|successfully|and|done|fixed|so|first|next|lastly|summary|all done|everything works now, and|as (?:you )?(?:requested|asked|wished)|(?:the )?(?:change|task|work) is (?:complete|done)[:,]) *[:,;]? *)*(?:(?:i|we)(?:['’]ve| have)?\b|(?:added|created|wrote|updated|edited|modified|changed|deleted|removed|committed|pushed|ran|executed|verified|tested|set|fixed|implemented|made|renamed|replaced|moved|extracted|split|merged|tagged|opened|installed|deployed|published|restarted|formatted|reformatted|documented|described|rewrote|extended|refactored|adjusted|corrected|applied|bumped|raised|lowered|switched|enabled|disabled|noted|reflected|dropped|split)\b)|^[^,;]{1,60}[,:] (?:and )?(?:then )?(?:i|we)(?:['’]ve| have)?\b`)
	// heldBefore are words before what is said to be done with which it is not said, heldBehind those behind it.
	heldBefore = lazy.Regexp(`(?i)\b(?:not|never|nothing|none|neither|cannot|could|would|should|will|can|may|might|must|if|when|once|unless|until|whether|says?|said|shows?|suggest|propose|plan|e\.g|undid|reverted|took back|tried|meant|to|yesterday|the last|earlier|previously|before)\b|n['’]t\b`)
	heldBehind = lazy.Regexp(`(?i)\b(?:earlier|previously|already|last|yesterday|ago|once|if|unless|failed|in (?:v?\d|commit|version|release|[0-9a-f]{7}|the (?:last|previous|first|initial|old))|before (?:that|this|i|you)|the former)\b|\bby (?:the|you|your|a|an|[A-Z])`)
	heldJa     = lazy.Regexp(`ません|」と|以前|前回|最後の|先ほど|さっき|昨日|すでに|既に|によって|担当|作者|(?:人|者|あなた|彼|さん|チーム)(?:が|は|も)|なら|たら|れば|場合|予定|例えば|たとえば`)
	// noErrors is that something found nothing, which is no denial.
	noErrors = lazy.Regexp(`(?:エラー|警告|問題|指摘)(?:は|が|も)?(?:1件も)?(?:ありません(?:でした)?|ないこと|なし)`)
)

// claimsShown bounds how many claims are named at once.
const claimsShown = 4

// Unshown is what an answer says was done and that what is known stands against, as it says it; none where there is none.
func (d Deeds) Unshown(say string) (claims []string) {
	fenced := false
	for line := range strings.Lines(say) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		if fenced || strings.HasPrefix(strings.TrimSpace(line), ">") {
			continue
		}
		for _, sentence := range saidParts(line).FindAllString(line, -1) {
			sentence = strings.Trim(sentence, " \t\r\n.。!！-*•·✅✓")
			if len(claims) < claimsShown && !slices.Contains(claims, sentence) && d.unshown(sentence) {
				claims = append(claims, sentence)
			}
		}
	}
	return claims
}

// saidParts are the sentences of a line, of which a point within a name is no end.
var saidParts = lazy.In(`(?:[^.。!！;]|[.;!]\S)+(?:[.。!！;]|$)`)

// unshown reports whether a sentence says that something was done that what is known stands against.
func (d Deeds) unshown(sentence string) bool {
	if strings.ContainsAny(sentence, "?？") {
		return false
	}
	if !d.Counted && !d.Tested && !d.Opaque && !denies(sentence) && (TellsOfTests(sentence) && allPass(sentence).MatchString(sentence) || d.Asked && saysYes(sentence).MatchString(sentence)) {
		return true
	}
	plain := own().MatchString(sentence)
	return d.files(sentence, plain) || !d.Opaque && d.commands(sentence, plain)
}

// denies reports whether a sentence has words anywhere with which it says nothing of what was done now.
func denies(sentence string) bool {
	return heldBefore().MatchString(sentence) || heldBehind().MatchString(sentence) || heldJa().MatchString(sentence)
}

// held reports whether what stands around a match makes it no word of what was done.
func held(sentence string, at []int) bool {
	return heldBefore().MatchString(sentence[:at[0]]) || heldBehind().MatchString(sentence[at[1]:]) || heldJa().MatchString(noErrors().ReplaceAllString(sentence, ""))
}

// commands reports whether a sentence says that something was done by a command, and none was run that does it.
func (d Deeds) commands(sentence string, plain bool) bool {
	clean := noErrors().ReplaceAllString(sentence, "問題なし")
	for i, s := range spoken() {
		row := sayings[i]
		at, stands := s.does(sentence).FindStringIndex(sentence), false
		if !plain {
			at = nil
		}
		if at == nil {
			at, stands = s.is(sentence).FindStringIndex(sentence), true
		}
		ja := at == nil && s.ja(clean).MatchString(clean) && !heldJa().MatchString(clean)
		if !ja && (at == nil || held(sentence, at)) {
			continue
		}
		if d.ran(s.by(), row.tried) || row.by == "." && d.Counted || (stands || ja) && d.Earlier != nil && d.Earlier(s.by()) {
			continue
		}
		return true
	}
	return d.named(sentence, plain)
}

// allPass is that tests pass, said of them alone: who reads it in a log says so.
var allPass = lazy.In(`(?i)^[\s\pP\pS]*(?:(?:done|fixed|now|and|so|finally|great news)[:,]? )*(?:all|the|every|\d+)\b[^,:]{0,20}\btests?\b|(?:すべて|全て|全部)の?テスト|テスト(?:は|が|も)?(?:すべて|全て|全部)?(?:通|成功|パス)`)

// AsksOfTests reports whether a message asks whether tests pass, and for nothing else.
func AsksOfTests(text string) bool { return asksOfTests(text).MatchString(text) }

var (
	asksOfTests = lazy.In(`(?i)^\W*(?:(?:so|and|ok|okay|now|please|can you tell me|tell me|check|could you check|can you check|if|whether)\W+)*(?:(?:do|does|are|is|did|will|would)\b[^.?!\n]{0,30})?(?:the |all |our |my |these )*(?:unit |integration )?tests?(?: suite)?\b[^.?!,\n]{0,20}\b(?:pass(?:es|ing|ed)?|green|ok(?:ay)?|succeed(?:s|ing)?|work(?:s|ing)?|fail(?:s|ing)?|red|broken)\b[^.!\n]{0,30}[.?]?\s*$|^[^。\n]{0,12}テスト[^。\n]{0,12}(?:通|成功|パス|失敗|落ち)[^。\n]{0,12}(?:か|？|\?)[。？?]?\s*$`)
	saysYes     = lazy.In(`(?i)^\W*(?:yes|yep|yeah|no|nope|they (?:do|don't|all|are)|all (?:of them |\d+ )?(?:do|pass|green|are)|everything (?:passes|is green))\b|^\W*(?:はい|いいえ|すべて通|全て通|全部通)`)
)

// namedRun is a command that an answer says it ran, as it wrote it.
var namedRun = lazy.In("(?i)" + saidBy + "(?:ran|executed) `([^`]+)`")

// named reports whether a sentence says that a command ran which it writes out, and it did not.
func (d Deeds) named(sentence string, plain bool) bool {
	at := namedRun(sentence).FindStringSubmatchIndex(sentence)
	if at == nil || !plain || held(sentence, at) {
		return false
	}
	line := strings.ToLower(sentence[at[2]:at[3]])
	name, rest, _ := strings.Cut(line, " ")
	of, _, _ := strings.Cut(rest, " ")
	return !(d.Counted && RunsTests(line)) && !slices.ContainsFunc(d.programs(true), func(p string) bool {
		return strings.Contains(p, path.Base(name)) && strings.Contains(p, strings.TrimLeft(of, "./"))
	})
}

// files reports whether a sentence says of a file that it was changed, and it was not.
func (d Deeds) files(sentence string, plain bool) bool {
	for _, s := range fileSayings {
		if s.own && !plain {
			continue
		}
		for _, at := range s.form(sentence).FindAllStringSubmatchIndex(sentence, -1) {
			if held(sentence, at) || s.ends && !ofFile(sentence, at[1]) {
				continue
			}
			verb, list := s.verb, []string{}
			for n := 2; n < len(at); n += 2 {
				switch word := sentence[max(at[n], 0):max(at[n+1], 0)]; {
				case !strings.ContainsAny(word, ".") && doneTo[strings.ToLower(word)] != "":
					verb = strings.ToLower(word)
				case word != "":
					list = append(list, word)
				}
			}
			end := at[1]
			for more := fileMore(sentence[end:]).FindStringSubmatchIndex(sentence[end:]); more != nil; more = fileMore(sentence[end:]).FindStringSubmatchIndex(sentence[end:]) {
				list, end = append(list, sentence[end+more[2]:end+more[3]]), end+more[1]
			}
			if slices.ContainsFunc(list, func(file string) bool { return d.against(verb, file) }) {
				return true
			}
		}
	}
	return false
}

// ofFile reports whether a sentence, or what it says of a list of files, ends behind one: it is what the sentence is about.
func ofFile(sentence string, end int) bool {
	rest := sentence[end:]
	for more := fileMore(rest).FindStringIndex(rest); more != nil; more = fileMore(rest).FindStringIndex(rest) {
		rest = rest[more[1]:]
	}
	return fileEnds(rest).MatchString(rest) || fileUses(rest).MatchString(rest)
}

// doneTo is what a word says that was done to a file.
var doneTo = map[string]string{"added": "come", "created": "come", "wrote": "come", "written": "come", "追加": "come", "作成": "come", "作り": "come", "deleted": "gone", "removed": "gone", "removing": "gone", "deleting": "gone", "dropped": "gone", "got rid of": "gone", "gone": "gone", "削除": "gone", "消": "gone",
	"updated": "other", "edited": "other", "modified": "other", "changed": "other", "rewrote": "other", "rewritten": "other", "extended": "other", "adjusted": "other", "documented": "other", "fixed": "other",
	"更新": "other", "編集": "other", "変更": "other", "修正": "other", "書き換え": "other"}

// against reports whether what is known stands against that something was done with a file. What stands in the folder, or not, counts also
// where files may have been changed that nobody saw.
func (d Deeds) against(verb, file string) bool {
	if file = path.Clean(file); path.IsAbs(file) || strings.HasPrefix(file, "..") {
		return false
	}
	touched := slices.ContainsFunc(d.Touched, func(t string) bool {
		return t == file || strings.HasSuffix(t, "/"+file) || strings.HasSuffix(file, "/"+t) || !strings.Contains(file, ".") && strings.HasPrefix(strings.ToLower(path.Base(t)), strings.ToLower(file))
	})
	there, known := d.Stands(file)
	switch {
	case touched:
		return false
	case !strings.Contains(file, "."):
		return known && !d.Blind && !d.Opaque
	}
	switch doneTo[verb] {
	case "come":
		return known && !there
	case "gone":
		return known && there
	}
	return known && (!there || !d.Blind && !d.Opaque)
}
