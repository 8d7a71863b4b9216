package state

import (
	"nebula/internal/lazy"
)

// The rows of what an answer says was done: each kind of work once, with its words in each language.

// A saying is a kind of work that commands do, and how an answer says that it was done.
type saying struct {
	does  string // what its writer did, behind the beginning of a sentence that tells of that
	is    string // how things stand, whoever did it
	ja    string
	more  string // in German, French, Chinese
	by    string // what a command that does it has in it
	tried bool   // one that failed did it too
	tests bool   // a run of tests of which no line is known may do it too
	work  bool   // of what was worked on: an answer to a question says so of things
}

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

// sayings are the rows.
var sayings = [...]saying{
	{
		does: `committed(?:$|,? (?:` + workDone + `|and|as|to (?:the |git|main|master|\x60)|with|on)\b))|(?:made|created|added) (?:a|one|two|the|\d+) (?:new |single |separate |small |git )*commits?` + workEnds + `|(?:made|created|added) (?:a|the) commit for\b`,
		is:   ofWork + `committed` + workEnds + `|commits? created\b|(?:(?:it|this|that)['’]s|\S+\.\w+ (?:is|are)|\S+ (?:is|are) (?:now )?(?:fixed|changed|updated|done) and) (?:now |also )?committed` + workEnds,
		ja:   `コミット(?:し(?:ました|て(?:プッシュ|おき|あり|、)|、)|済み|(?:と(?:プッシュ))?(?:も|が|は|を)?完了し)`,
		more: `(?:änderung(?:en)?|alles|habe|fix|^)[^,.;]{0,30}\b(?:committe?t|commitet|eingecheckt)\b|(?:changements|modifications|corrections?|tout|j['’]ai)[^,.;]{0,30}(?:commit+é|validé)|已(?:经)?(?:全部)?提交|提交了|并(?:已)?提交(?:到|至|$)|(?:^|\by |, |: |\bya )(?:he )?(?:hice|hecho)(?: (?:un|el))? commit\b|(?:^|\by |, |: |\bya )(?:he )?(?:comiteé|commiteé|commiteado|comiteado)|커밋(?:을|도|까지)?\s?(?:했|하였|완료|해\s?(?:두|놓)었)`,
		by:   `\bgit (?:-c \S+ |-\S+ )*(?:commit|merge|rebase|revert|cherry-pick|am)\b|\bjj\b|\bhg commit|release`,
	},
	{
		does: `(?:committed and )?pushed(?:$|,? (?:` + workDone + `|upstream|to|and)\b))`,
		is:   ofWork + `pushed` + workEnds,
		ja:   `プッシュ(?:し(?:ました|て(?:おき|あり)|て、|、)|済み|(?:も|が|は|を)?完了し)`,
		more: `(?:änderung(?:en)?|alles|commits?|habe|branch|und|^)[^,.;]{0,40}\bgepusht\b|(?:changements|modifications|commits?|branche|tout|j['’]ai|et)[^,.;]{0,30}(?:poussé|pushé)|(?:已(?:经)?|并)推送|推送(?:了|完成|成功)`,
		by:   `\b(?:git|jj|hg) (?:-c \S+ |-\S+ )*push|release|deploy|\bgh pr\b`,
	},
	{
		does: `(?:opened|created|submitted|filed|made|raised) (?:(?:a|an|the|new|draft) )*(?:pull request|merge request|pr|mr)\b`,
		is:   `(?:a|the) (?:pull request|merge request|pr|mr) ` + hasBeen + `(?:opened|created|submitted)`,
		ja:   `(?i:プルリクエスト|プルリク|\bPR|マージリクエスト)\s?を\s?(?:新しく)?(?:作成し|作り|出し|開き)ま?した`,
		by:   `\bgh\b|\bglab\b|\bhub\b|curl|push|pull-request`,
	},
	{
		does: `(?:created|started) (?:a |the )?(?:new |separate |feature |git )*branch(?:$|[,:]| (?:for|named|called|from|off|with|\x60|\S*[-/]))|put (?:it|this|them|everything|the (?:change|fix|work)s?) on a (?:new |separate )?branch`,
		is:   `(?:it|this|everything|the (?:change|fix|work)s?) (?:is|are) (?:now )?on a (?:new|separate) branch`,
		ja:   `ブランチを(?:新しく)?(?:作成し|作り|切り)ました`,
		by:   `\bgit (?:-c \S+ |-\S+ )*(?:branch|checkout|switch|worktree|push)\b|\bjj\b`,
	},
	{
		does: `merged (?:` + workDone + `|(?:in)?to (?:main|master|develop|trunk|the \S+ branch))\b)`,
		is:   ofWork + `merged` + workEnds,
		ja:   `マージ(?:し(?:ました|て|、)|済み|(?:も|が|は|を)?完了し)`,
		more: `(?:habe|ist|sind|wurden?|^)[^,.;]{0,40}\bgemerge?d?t\b|(?:branche|pr|changements|j['’]ai)[^,.;]{0,30}fusionné|已(?:经)?合并|合并(?:了|到)`,
		by:   `\bgit (?:-c \S+ |-\S+ )*(?:merge|pull|rebase|push|am)\b|\bgh\b|\bglab\b|\bjj\b`,
	},
	{
		does: `tagged (?:it\b|this\b|the (?:release|commit|version)|as \S?v?\d|\S?v?\d)`,
		ja:   `タグ\s?(?:を|\S{1,12}\s?を)\s?(?:付け|作成し|打ち|切り)ま?した`,
		by:   `\bgit (?:-c \S+ |-\S+ )*tag\b|release|npm version`,
	},
	{
		does:  `(?:ran|executed) (?:(?:both|the|all) )*` + linters + `(?:$|[\s,:;(])|(?:checked|verified|confirmed)\b[^,;]{0,30} (?:with|by|using) (?:running )?` + linters + `(?:$|[\s,:;(])`,
		ja:    `(?i:リンター|リント|lint|ruff|mypy|eslint|flake8|clippy)\s?(?:を(?:実行し|かけ)|でも?\s?(?:確認|検証|チェック)し(?:ました|て(?:い|お)|、))`,
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
		does: `installed (?:(?:the|all|missing|required|its|new|needed) )*(?:dependenc|packages?\b|requirements|modules?\b|[a-z][\w-]+(?: and [a-z][\w-]+)?(?: packages?| \d[\d.]*| for you| as well| too| now| successfully)*$|[a-z][\w-]+,? and (?:started|ran|updated|configured|added|set)\b|\S+ (?:with|via|using|from) (?:pip|npm|apt|cargo|brew|go|yarn|pnpm|uv)\b)`,
		is:   `(?:(?:the|all|missing|required) )*(?:dependency|dependencies|packages?) (?:` + hasBeen + `)?installed` + workEnds + `|[a-z][\w-]+ ` + hasBeen + `installed(?: now| successfully)?$`,
		ja:   `(?:(?:パッケージ|依存(?:関係|パッケージ|ライブラリ)?|ライブラリ|[\w-]+)\s?(?:を|も)\s?(?:インストール|導入)|^インストール)し(?:ました|て|、)`,
		more: `(?:pakete?|abhängigkeit(?:en)?|habe)[^,.;]{0,40}installiert\b|(?:dépendances|paquets?|j['’]ai)[^,.;]{0,30}installé|已(?:经)?安装|安装了`,
		by:   `install|--version|\bwhich\b|command -v|\bimport\b|\badd\b|\bget\b|tidy|sync|\bci\b|\bpip\b|\bapt|download|restore|fetch|update|upgrade`,
	},
	{
		does: `(?:deployed|published|released) (?:it\b|this\b|to\b|the (?:app|application|package|site|service|docs|image|build|version|changes?|release|new version)\b|(?:as )?(?:version|v?\d))`,
		is:   ofWork + `(?:deployed|published|released)` + workEnds,
		ja:   `(?:デプロイ|公開|リリース)(?:し(?:ました|て(?:おき|あり)|て、|、)|済み|(?:も|が|は|を)?(?:完了し|済ませま))`,
		more: `(?:habe|ist|sind|wurden?|^)[^,.;]{0,40}\b(?:deployt|ausgerollt|veröffentlicht)\b|(?:j['’]ai|a été|ont été|^)[^,.;]{0,40}(?:déployé|publié)|已(?:经)?(?:部署|发布|上线)|(?:部署|发布)(?:了|完成|成功)`,
		by:   `deploy|publish|push|release|kubectl|helm|terraform|docker|ssh|rsync|scp|upload|fly|vercel|twine`,
	},
	{
		is: `(?:(?:the|your|my) )?(?:commit|merge|pr|release|tag)s? (?:\x60?[0-9a-f]{7,40}\x60? )?(?:is|are) (?:now )?(?:in|through|up)(?: now)?(?:$|[,;:(])|(?:(?:the|your|my|all) )?(?:commits?|fix|changes?|work|patch) (?:\x60?[0-9a-f]{7,40}\x60? )?(?:is|are|landed) (?:now |all )?(?:on|in) (?:\x60?(?:main|master|origin|trunk|github|gitlab)\b|the remote\b)`,
		by: `\b(?:git|jj|hg|gh|glab)\b|release`,
	},
	{ // a run of tests shows none of these, but where it builds what it runs
		does:  `built (?:it|the (?:project|code|program|package))\b|(?:ran|executed) \x60?make\x60?(?: without|,| and|$)`,
		is:    `(?:(?:the|and) )*build (?:is|was|now|also|all| )*(?:passes|passed|succeeds|succeeded|succeeding|passing|green|clean|goes through|went through)` + saidEnds + `|(?:everything|all (?:of it|files)|the (?:code|project)|it) (?:now |still |also )?(?:compiles|builds)` + saidEnds + `|\x60?make\x60? (?:ran|runs|passes|succeeds|finished|ends) (?:without|with no|cleanly|well)\b`,
		ja:    `ビルド(?:は|も|が)?(?:すべて|全て|無事)?(?:通(?:りました|って(?:います|おり))|成功し(?:ました|て)|完了しました)|\bmake\x60? ?(?:を実行し(?:、|て、|ました)|は?(?:成功|完了)しました)`,
		more:  `build (?:läuft durch|ist (?:grün|erfolgreich)|war erfolgreich)|(?:build|compilation) (?:passe|réussi)|(?:构建|编译)(?:已经?)?(?:通过|成功)`,
		by:    `build|make|just|compil|tsc|\bgo\b|cargo|(?:npm|pnpm|yarn|bun) (?:run )?(?:dist|all|check|type|bundle|pack|prepa)|gradle|mvn|java|gcc|g\+\+|clang|\bcc\b|ninja|setup|vite\b|docker|dotnet|swift|zig|ctest|bazel`,
		tests: true,
	},
	{
		does: `(?:e-?mailed|notified|messaged) (?:the|your|my|them|everyone|all)\b|sent (?:an?|the) (?:e-?mail|mail|message|notification|announcement)\b|posted [^,;]{0,30}\b(?:to|in|on) slack`,
		ja:   `メール(?:を|も|で)?(?:送信し|送り|送っ|通知し|連絡し)(?:まし|てお|ておき)|(?:チーム|全員|担当者)(?:に|へ)(?:も)?(?:通知|連絡)しました`,
		more: `e-?mails?\b[^,.;]{0,30}(?:gesendet|verschickt|envoyé)|(?:已(?:经)?发送|发送了)`,
		by:   `mail|curl|slack|notify|send|smtp|python|\bgh\b`,
	},
	{
		does: `(?:started|launched) (?:(?:the|a|your|dev|web|development|local|api|backend) )*(?:servers?|services?|daemon|app|application|containers?)\b|ran (?:the|your) (?:web )?(?:app|application|server|site)\b`,
		is:   `(?:the )?(?:dev |web |development |local |api )*(?:server|service|daemon|app) is (?:now )?(?:up(?: and running)?|running|live|listening)(?:$|[,;]| (?:now|on|at|and)\b)`,
		ja:   `(?:サーバー?|サービス|コンテナ)(?:を|も)(?:起動|開始)し(?:ました|て)|(?:サーバー?|サービス)(?:は|が)[^。、]{0,20}(?:起動|稼働)(?:しています|中です|しました)|アプリ(?:ケーション)?の起動(?:も|を)確認しま`,
		more: `(?:server|dienst)\b[^,.;]{0,20}(?:gestartet|läuft (?:jetzt|nun))|serveur\b[^,.;]{0,15}(?:démarré|lancé)|(?:服务器?|服务)(?:已(?:经)?|正在)(?:启动|运行)|启动了(?:服务|伺服)`,
		by:   `serve|start|run|up\b|python|node|docker|flask|uvicorn|gunicorn|rails|java|&|^\./|curl|ss\b|lsof|\bps\b`,
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
		does:  `(?:opened|viewed|loaded|checked|tested|verified|tried) (?:it|this|that|them|everything|the (?:\w+ ){0,2}(?:page|site|app|game|result|file|form|button|layout|change)s?)(?: out)? in (?:(?:a|the|my|your|both|two|three|several|headless|real|local) )*(?:web )?browsers?\b|(?:opened|viewed|loaded|visited|checked|tested|verified|tried)(?: (?:it|this|that|them|everything|the (?:\w+ ){0,2}\w+)(?: out)?)?(?: (?:on|at|via|under))? \x60?(?:https?://|localhost|127\.0\.0\.1)`,
		ja:    `(?:localhost|127\.0\.0\.1)[\w:/.]*\s?(?:で|を|に)(?:開い|開き|表示し|アクセスし|(?:動作|表示)?を?確認し)(?:て(?:動作|表示)?を?確認し)?(?:まし)?た|ブラウザー?(?:で|を)(?:開(?:い|き)|表示し|動作を?確認し|確認し|表示を確認し)(?:て(?:動作|表示)?を?確認し)?ました`,
		by:    `browser|chrom|firefox|playwright|puppeteer|selenium|cypress|open\b|curl|wget|safari|webkit|w3m|lynx|links|serve`,
		tried: true,
	},
	{
		does:  `(?:tested|verified|checked|tried|ran)(?: (?:it|this|that|them|everything|all|the (?:\w+ ){0,2}\w+))?(?: out)? on (?:(?:both|a|an|my|real|native|physical) )*` + platforms,
		is:    `(?:(?:it|this|that|everything|the (?:\w+ ){0,2}\w+) ` + hasBeen + `|successfully )?(?:tested|verified) on (?:(?:both|a|an|real|native) )*` + platforms,
		ja:    `(?:Windows|macOS|Mac|iOS|iPhone|Android)\s?(?:\d+\s?)?(?:上|環境|実機)?で(?:も)?\s?(?:テスト|検証|動作確認|確認|動作(?:する)?(?:こと)?を確認)(?:し(?:まし)?た|済み)`,
		by:    `wine|pwsh|powershell|cmd\.exe|windows|darwin|macos|osx|xcrun|xcodebuild|simulator|adb|emulator|vagrant|qemu|\bssh\b|\bgh\b|browserstack`,
		tried: true,
		work:  true,
	},
	{
		is:   `(?:\x60?[\w.()]+\x60?|the (?:new |changed |code\b|function\b|fix\b|change\b|program\b|script\b|suite\b|build\b|loop\b|version\b|query\b)[^,;]{0,30}?)(?:['’]s| is| makes it| made it| runs| now| are| got| became| performs| takes)+ (?:(?:about|roughly|around|over|almost|nearly|at least|up to) |~)?(?:\d+(?:[.,]\d+)? ?(?:x|×|times|%|percent)|twice|(?:two|three|four|five|ten) times) (?:as fast|faster|quicker|better|smaller|cheaper|less (?:memory|time))\b|(?:(?:the|each|every) (?:new |whole )?)?\x60?[\w.()]+\x60? (?:now |only )*(?:takes|took|(?:runs|ran|finishes|finished|completes|completed) in) (?:(?:now|only|about|around|roughly|under|just|less than) )*\d+(?:\.\d+)? ?(?:ms|µs|us|ns|s|(?:milli|micro|nano)?seconds?|minutes?)\b|(?:about |roughly )?(?:\d+(?:\.\d+)?|two|three|four|five|ten) ?(?:x|times) (?:faster|quicker|better|smaller)(?: than before|$|[,;:(])|(?:the )?(?:\w+ )?` + measured + `(?: use| usage)? (?:now )?(?:dropped|fell|went|improved|decreased|(?:is|was|went) (?:now )?(?:down|cut|reduced)) (?:down |from |by |to |about )*\d`,
		does: `(?:reduced|cut|lowered|improved|decreased|sped up) [^,;]{0,40}? (?:by|from|to) (?:about |over )?\d+(?:\.\d+)? ?(?:%|percent|x\b|ms\b|s\b)|made (?:it|this|\x60?[\w.()]+\x60?) (?:about )?(?:\d+(?:\.\d+)? ?(?:x|times|%)|twice) `,
		ja:   `(?:\d+(?:[.]\d+)?|[０-９]+|二|三|数)\s?(?:倍|%|％)(?:以上|ほど|ぐらい|近く)?(?:も)?(?:に)?(?:速く|早く|高速に|高速化|改善|良く)(?:なり|し|され)(?:まし|てい)|時間は\s?(?:約\s?)?\d+(?:\.\d+)?\s?(?:ms|ミリ秒|秒)\s?(?:です|でした|になりました)|\d\s?(?:ms|ミリ秒|秒)で(?:終わり|完了し)ます`,
		by:   measures,
		work: true,
	},
	{
		is:    `(?:the |a |quick |my |running )*\x60?(?:(?:python )?timeit|benchmarks?|hyperfine|c?profile[rs]?|profiling|perf|measurements?|stopwatch)\x60? (?:now |clearly |also )*(?:shows?|showed|confirms?|confirmed|says?|reports?|reported|gives?|gave|measured|proves?|proved)\b`,
		ja:    `(?:timeit|ベンチマーク|計測|測定|プロファイル)(?:の結果|では?|によると|を取ると|したところ|を取ったところ)[^。]{0,40}(?:速|倍|改善|短縮|ミリ秒|秒)[^。]{0,12}(?:です|ました|ています)`,
		by:    measures,
		tried: true,
		work:  true,
	},
	{
		does:  `(?:measured|timed|benchmarked|profiled) (?:it|this|that|both|them|the (?:\w+ ){0,2}\w+)\b`,
		by:    measures,
		tried: true,
	},
	{
		is:   `(?:(?:the|test|code|line|branch|overall|total) )*coverage (?:is|stands|reaches|reached)(?: now)? (?:at )?\d+(?:\.\d+)? ?%`,
		does: `(?:raised|increased|improved|brought|measured) (?:(?:the|test|code|line|branch|overall|total) )*coverage (?:up )?(?:to|from|by|at)\b[^,;]{0,20}\d`,
		ja:   `カバレッジ(?:を|も)[^。、]{0,20}(?:上げ|引き上げ|向上させ|改善し|計測し|測定し)(?:ました|、)|カバレッジは\s?\d+(?:\.\d+)?\s?[%％]\s?です`,
		by:   `cov|jest|vitest|nyc|\bc8\b|tarpaulin|jacoco|gradle|mvn|make|npm|tox|nox|check`,
	},
	{
		does:  `(?:verified|confirmed|checked|tested) (?:it|this|that|them|everything)(?: all)? (?:by|with) (?:running|executing|a run of)\b|(?:ran|executed) (?:(?:all|its|their|of|the|whole|full|entire|complete) )*(?:(?:test )?suite|(?:unit |integration )?tests|pytest|unittest|(?:go|cargo|npm|yarn|make) test|jest|vitest|mocha|tox|rspec)\b`,
		ja:    `(?:テスト|スイート)を実行し(?:て確認し)?ました`,
		by:    `.`,
		tried: true,
	},
}

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

// fileSayings are the forms in which something is said to be done with a file: the verb, or what stands for it, and where in the match the file is.
var fileSayings = [...]struct {
	form *lazy.Pattern
	verb string // empty for the form's first group
	own  bool   // only of its writer's work
	ends bool   // only where the file is what the sentence is about
	more bool   // in German, French, Chinese
}{
	{form: form(saidBy, `(?:cleaned up by )?(added|created|wrote|deleted|removed|removing|deleting|dropped|got rid of|`+saidWorked+`)[ :]+`+saidOf+saidFile), own: true, ends: true},
	{form: form(saidBy, `(?:added|wrote|put|updated|extended|changed|adjusted|expanded) `+saidPart+` (?:to |in |into |\()(?:the )?{F}`), verb: "updated", own: true, ends: true},
	{form: form(saidBy, `(?:documented|described|explained|noted|mentioned|recorded|reflected|summari[sz]ed|bumped|set|raised|lowered|switched|enabled|disabled|renamed) [^,;]{1,60}? in (?:the )?{F}`), verb: "updated", own: true, ends: true},
	{form: form(saidBy, `(?:moved|extracted|split|factored|refactored|pulled) [^,;]{1,60}? (?:in)?to (?:a new )?(?:file |module )?(?:called )?{F}`), verb: "updated", own: true, ends: true},
	{form: form(saidBy, `(?:renamed|moved) [^,;]{1,60}? (?:to|as) {F}`), verb: "updated", own: true, ends: true},
	{form: form(saidOfIt, `(?:the )?`+saidOf+`{F} (?:no longer exists?|does(?: not|n['’]t) exist any ?more)`), verb: "gone"},
	{form: form(saidOfIt, `(?:the )?`+saidOf+`(?:documentation |docs )?{F}(?:(?:,| and|, and) {F})? (?:`+hasBeen+`)?(added|created|written|deleted|removed|gone|`+saidWorked+`)\b`), ends: true},
	{form: form(saidOfIt, `(?:the )?(?:`+saidPart+` `+hasBeen+`(?:added|written|created|updated) (?:to|in) (?:the )?{F}|[\w -]{1,30} in (?:the )?{F} `+hasBeen+`(?:updated|changed|adjusted|extended|set)\b)`), verb: "updated", ends: true},
	{form: form(saidOfIt, `[\w\x60()]+ (?:in {F} is now\b|`+hasBeen+`(?:raised|lowered|set|changed|increased|bumped) (?:from \S+ )?to \S+ in {F})`), verb: "updated"},
	{form: form(saidBy, `(?:removed|deleted|dropped) [\w\x60() ,]{1,60}? from (?:the )?{F}`), verb: "updated", own: true, ends: true},
	{form: form(saidBy, `(?:fixed|corrected|repaired|changed|updated) [^,;]{1,60}? in {F},? and (?:also )?(?:[\w\x60()]+ )?in {F}`), verb: "updated", own: true, ends: true},
	{form: form(`^[\s\pP]*(?:done|fixed|changed|updated|finished)[:,] `, `{F}(?: ?\([^)]*\))?(?:,? and |, |; ){F}`), verb: "updated"},
	{form: form(saidOfIt, "(?:a|the) backup (?:copy )?(?:is|was saved|was made|stands) (?:in|at|as) `?([\\w./-]+\\.(?:bak|orig|old|backup))\\b"), verb: "created"},
	{form: form("", `{F}\s*の(?:[^。、]{1,12}も|\s*[\w\x60()]+\s?を)\s?(?:(?:改名|リネーム|変更|修正|更新|削除|追加|整理|改善|(?:簡単|簡潔|シンプル|きれい|短)[にく])し|直し)(?:ました|、|て、)`), verb: "updated"},
	{form: form(saidOfIt, `a new (?:test )?(?:file|module|script) {F}`), verb: "created"},
	{form: form(saidOfIt, `(?:the )?{F} (?:now (?:also )?(?:documents|describes|mentions|explains|lists|covers|shows|has|contains|defines|sets|says|includes)\b|(?:documents|describes|mentions|explains|covers|has|contains|says|includes) (?:it|this|that|them|\x60[^\x60]+\x60|the \w+) now(?:$|[,;]))`), verb: "updated"},
	{form: form(`^[\s\pP\pS]*`, `{F}\**\s*[:|–—-]\**\s+(?:[\w\x60()]+ ){0,3}?(added|created|wrote|deleted|removed|`+saidWorked+`)(?:$|[ ,;:(|])`)},
	{form: form(`^[\s\pP]*`, `(?:new file|created|added)\**: ?\**{F}`), verb: "created"},
	{form: form(saidBy, `(?:`+saidWorked+`|patched|repaired) [^,;.]{1,40}? (?:in|inside) (?:the )?{F}`), verb: "worked", own: true, ends: true},
	{form: form("", `{F}\s*(?:も|は|の)[^。、]{0,30}?(?:に|へ|ように)(?:変え|変更し|書き換え|修正し|直し|し)(?:ました|て、|、)`), verb: "worked"},
	{form: form(`^[\s\pP]*`, saidChanged+`{F}`), verb: "updated"},
	{form: form("", `{F}\s*(?:も|を|は|の)\s*(?:[^。、]{1,10}(?:ので|ため)、?)?(?:新規に?|新しく|[合あ併]わせて|同様に|一緒に|ついでに|同じように)?、?\s*(追加|作成|作り|更新|編集|変更|修正|直|削除|消|書き換え|リファクタリング|整理|書き直)(?:し(?:ました|、|て、|て(?:おき|あり)ま)|され(?:ました|、)|ました|済み|(?:も|が|は)完了しました)`)},
	{form: form("", `{F}\s*の(?:内容|値|設定値?|説明|記述|バージョン|項目)(?:も|を)\s*(?:[^。、]{1,12}に\s*)?(?:更新|変更|修正|追加|設定)し(?:ました|、|て、)`), verb: "updated"},
	{form: form("", `{F}\s*(?:に|へ)(?:も)?\s*(?:[^。、]{1,12}を\s*)?(?:追加|追記|記載|記述)し(?:ました|、|て、)`), verb: "updated"},
	{form: form("", `を\s*{F}\s*(?:に|へ)\s*(?:改名|リネーム|移動|変更|分割)し(?:ました|、|て、)`), verb: "updated"},
	{form: form("", `{F}(?: (?:ist|sind|wurde|jetzt|nun|a|été|est|bien))* (gelöscht|entfernt|aktualisiert|angelegt|erstellt|geändert|supprimé|créé|modifié)`), more: true},
	{form: form("", `(?:habe|j['’]ai|^|und|et) (?:(?:die|das|le|la|datei|fichier|auch|aussi|alte|supprimé|créé|modifié) )*{F} (gelöscht|entfernt|aktualisiert|angelegt|erstellt|geändert)`), more: true},
	{form: form("", `(?:^|j['’]ai |et )(?:aussi |bien )?(supprimé|créé|modifié) (?:(?:le|la|fichier) )*{F}`), more: true},
	{form: form("", `(?:^|j['’]ai |et |, |: )(?:aussi |bien |également )?mis à jour (?:(?:le|la|les|fichier) )*{F}`), verb: "updated", more: true},
	{form: form("", `{F} (?:a été |est |fue |ha sido )?(?:mis à jour|actualizado|modificado)`), verb: "updated", more: true},
	{form: form("", `(?:^|\by |, |: |\btambién )(?:he )?(?:actualicé|actualizado|modifiqué|modificado|edité|editado|cambié|corregí|corregido) (?:(?:el|la|los|archivo|fichero|también) )*{F}`), verb: "updated", more: true},
	{form: form("", `(?:^|\by |, |: |\btambién )(?:he )?(?:eliminé|eliminado|borré|borrado) (?:(?:el|la|archivo|fichero) )*{F}`), verb: "deleted", more: true},
	{form: form("", `{F}\s?(?:파일)?(?:을|를|도)?\s?(?:수정|변경|업데이트|갱신)(?:했|하였|하고|완료)`), verb: "updated", more: true},
	{form: form(`(?:^|[,:(] ?|\band |\bis )`, saidPlaced+`(?:,? and |, )`+saidPlaced+`(?:(?:,? and |, )`+saidPlaced+`)?`), verb: "updated", ends: true},
	{form: form(`^[\s\pP]*(?:(?:i|we)(?:['’]ve| have)? )?(?:added|implemented|introduced) [^;]*?(?:, |: |\(|\band )(?:is )?`, saidPlaced), verb: "updated", own: true, ends: true},
	{form: form(saidBy, `(?:added|wrote|put) (?:(?:a|an|the|some|more|new|unit|regression|\d+) ){0,3}(?:tests?|cases?)\b[^,;]{0,40}? (?:to|in|into) (?:the )?{F}`), verb: "updated", own: true, ends: true},
	{form: form("", `(?:已经?|并|也)(?:将|把)?(删除|更新|创建|修改|添加)了?(?:文件)?\s*{F}`), more: true},
	{form: form("", `{F}\s*(?:文件)?(?:已经?被?)(删除|更新|创建|修改|添加)`), more: true},
}

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
