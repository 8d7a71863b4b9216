package state

import (
	"regexp"
	"strings"
	"sync"

	"nebula/internal/lazy"
)

// A rewording is another way to say what the readers of sentences know in one: P are paths, V a verb of changing, A an act, E where a
// statement ends, which stays.
type rewording struct {
	has string // words of which one stands in the sentence, parted by |
	of  string // with places, see wordedParts and spokenParts
	as  string
}

// expression is what the row is looked for by.
func (r rewording) expression() *regexp.Regexp {
	return lazy.Once(r.of, func(of string) string {
		return `(?i)` + wordedParts().Replace(spokenParts().Replace(clauseParts().Replace(clauseParts().Replace(of))))
	}).Re()
}

// wordedParts are the places in rewordings.
var wordedParts = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("{P}", "("+wordedPaths+")", "{V}", `(touch|change|modify|edit|alter|rewrite)`, "{A}", `((?:commit|push|pull request|merge|rebas|stash|publish|deploy|install|deploy|delet|tagg?|amend|releas)\w*)`,
		"{E}", `(?:,? (?:please|pls|thanks|thx))?(\W*$|[,;!]\s)`, "{T}", wordedTools, "{U}", "(?:"+wordedTools+"|"+wordedTexts+")", "{D}", wordedDeeds, "{R}", wordedTested, "{S}", wordedServer, "{.}", `(\s|[.,;:!?)]+(?:\s|$)|$)`, "{F}", `(?:use|change|edit|modify|touch|alter|work (?:in|on|with)|(?:stay|keep) (?:in|within|to)|stick to|extend|limit yourself to)`, "{not}", `(?:must not|mustn't|should not|shouldn't|may not|shall not|cannot|can't|can not)`)
})

const (
	wordedPath   = `\x60?(?:[\w@+*./-]*[\w@+*-]?[./][\w@+*./-]*[\w*]/?|[\w@+*.-]+/|Makefile|Dockerfile|LICENSE)\x60?`
	wordedPaths  = `(?:` + wordedPath + `(?:, and |, or |, | and | or |、|と|や)?)+`
	wordedTools  = `(git|npm|npx|pnpm|yarn|bun|pip3?|uv|poetry|cargo|go|make|gh|docker|podman|kubectl|terraform|curl|wget|brew|apt|apt-get|sudo|ssh|sed|awk|perl|grep|rg|tee|jq|xargs)`
	wordedTexts  = `(python3?|ruby|node|php)` // languages too: only what is used is meant, not what is done without
	wordedServer = `(?:(?:the|a|an|any|my|our|your|another|second|new|dev|development|debug|local|web|api|http|https|test|app|application|backend|frontend|flask|django|rails|node|express|fastapi|vite|next|preview|live|mock|docs) )*(?:(?:dev|web)-?)?(?:servers?|app|application|backend|frontend|daemon)`
	wordedTested = `\x60?(?:(?:(?:npm|pnpm|yarn|bun)(?: run)?|go|cargo|make|just|mvn|gradle|\./gradlew|deno|mix|rake|dotnet|swift) tests?|make check|python3? -m (?:pytest|unittest)|node --test|npx (?:jest|vitest|mocha))(?: \./\.\.\.)?\x60?`
	wordedDeeds  = `(?:touch|chang|modify|edit|alter|writ|rewrit|overwrit|updat|delet)(?:e|ing)?(?: to| into| in)?`
	wordedStill  = `((?:is|are) (?:frozen|off[- ]limits|read-only|untouchable|taboo)(?: (?:for|to) you| for now)?(?:\W*$|[,;!]\s)|(?:must|should|may|shall) not be (?:changed|touched|edited|modified)|(?:must |should )?stays? (?:as|un))`
	wordedDirs   = `(migrations?|fixtures|docs|schemas?|snapshots|examples|assets|scripts|configs?|protos?|templates|styles|translations|locales|workflows|generated)`
	wordedGit    = "never commit, and never push, and never merge, and never rebase, and never stash, and never tag$1"
)

// rewordings are read from above to below, each of what those before it left.
var rewordings = []rewording{
	{"・|／|，|及び|および|とか|＆", `([A-Za-z0-9_*/][\x60」』]?)\s*(?:・|／|，|及び|および|とか|＆)\s*([\x60「『]?[\w.*/])`, "$1、$2"},
	{"さわ", `さわ([らるっり])`, "触$1"},
	{"stdlib", `\bstdlib\b`, "standard library"},
	// How something is to be done, and not whether.
	{"same|one |single|time|once|together|directly|hand|manually", `\b(?:never|don't|do not|dont|avoid) {D} {P} (?:in (?:the same|one|a single) (?:commit|pr|pull request|change|patch|go|step|call)|at the same time|at once|together|(?:directly|by hand|manually)(?:[,;:]| -)? (?:but |and |instead |rather |please )*(?:use|run|call|go through|through|via|with|let))\b`, "mind the way of $1"},
	{"同じ|同時|一緒|一度に", `{P}\s*(?:は|を)(?:同じ(?:コミット|PR|変更)で|同時に|一緒に|一度に)[^。、]{0,2}(?:変更し|編集し|修正し|触ら|変え)ない(?:で|こと)(?:ください)?`, "${1}は別々に"},
	{"直接|手で|手動", `{P}\s*(?:は|を)(?:直接|手で|手動で)(?:変更し|編集し|修正し|触ら|変え|書き換え)(?:ないで|ずに)(?:ください)?、([^。]{1,20}(?:使|経由|通し|実行))`, "${1}は$2"},
	{"test", `\b(?:never|don't|do not|avoid|without) (?:run|us|execut)(?:e|n?ing)? {R}[,;:]? (?:but |and |instead |rather |please |just )*(?:use|run|call|go through)\b`, "mind the way of the tests: use"},
	// Never, in more words.
	{"not a single|zero", `\b(?:not a single|zero) {A}`, "no $1"},
	{"nobody", `\bnobody (?:is to )?(touch|change|edit|modif)(?:es|s|ies|y)?\b`, "nobody may $1"},
	{"modif", `\bmodif\b`, "modify"},
	{"to be", `\b(?:isn't|is not|aren't|are not) to be\b`, "must not be"},
	{"circumstance|by no means|in no case|at no|on no account", `\b(?:under no circumstances?|by no means|in no case|at no (?:time|point)|on no account)\b`, "never"},
	{"any |ever", `\b(never|do not|don't|dont|please not|{not}|without|must never|no)((?: \S+)*?),? (?:(?:under|in) any circumstances?|at any (?:time|point)|in any (?:way|case|event|form)|for any (?:reason|purpose)|on any account|by any means|ever(?: again)?)(?:,? (?:whatsoever|at all))?([ ,.;!]|$)`, "$1$2$3"},
	{"never", `\bnever (?:may|must|should|shall|can|is|are) {P} (?:to )?be (\w+)`, "$1 must never be $2"},
	{"forbidden|prohibited|allowed|permitted", `\bit(?:'s| is) (?:forbidden|prohibited|not allowed|not permitted) to\b`, "never"},
	{"neither", `\bneither {P}\s*nor {P}\s*(?:may|must|should|shall|can|is to|are to) be\b`, "$1 and $2 must not be"},
	{"neither", `\b{V} neither {P}\s*nor {P}`, "never $1 $2 or $3"},
	{"neither", `\bneither {V} {P}\s*nor {P}`, "never $1 $2 or $3"},
	{"neither", `\bneither {A} nor {A}{E}`, "never $1 and never $2$3"},
	{"no ", `\bno {A} (?:or|and|nor|or any) {A}{E}`, "no $1, no $2$3"},
	// No need to ask is a permission.
	{"before", `\b(?:no need to|don't|do not|never|needn't|need not|don't (?:need|have) to|do not (?:need|have) to|stop|no longer) (?:ask(?:ing)?|check(?:ing)?|confirm(?:ing)?|consult(?:ing)?)\b[^.;]*? before (?:you )?`, "you may "},
	// Whoever is to be asked first.
	{"before", `^\W*before (?:you )?(.{3,40}?), (?:please )?(?:ask|check with|consult|talk to|tell|confirm with) me\b`, "ask me before you $1; "},
	{"before", `(^|[.,;!—:] ?|\W- |\b(?:please|and|but|then|you|should|must|always|first|also|so|i|i'd like|still) )(?:check(?: in)? with|consult(?: with)?|confirm with|talk to|speak to|tell|let|ask|run (?:it|this|that) by|wait for|get|want to|need to) (?:me|my|be asked|be told|know|see|ok|okay|approval|permission|go|consent|confirmation)\b[^.;]{0,30}? before (?:you )?(?:(run|use|call|start)(?:ning|ing)? )?`, "${1}ask me before you $2 "},
	{"before", `\bask(?: first)? before (?:you )?`, "ask me before you "},
	{"only", `\bonly {A} (?:it |anything )?(?:after asking|after my|when i|if i|once i|with my|after i|on my|when asked|if asked|on request)\b`, "ask me before you $1; i"},
	{"only|needs|need|require", `\b{A} (?:only (?:after|with|on)|needs?|requires?) my (?:ok|okay|approval|permission|go|consent|word|review)\b`, "ask me before you $1"},
	{"need", `\byou need my (?:ok|okay|approval|permission|go|consent) (?:to|before you|for) {A}`, "ask me before you $1"},
	{"no need", `\bno need to\b`, "you don't need to"},
	{"before", `\bask me before you +{T}{E}`, "ask me before you run $1$2"},
	{"before", `\bask me before you +{D} {P}{E}`, "never touch $1$2"},
	// A file that is to stay as it is.
	{"folder|directory", `\b(?:the|our|my) ([\w@+.-]+) (?:folder|directory) ` + wordedStill, "$1/ $2"},
	{"are ", `(^\W*|[,;] |\b(?:and|but|so|please) )(?:the|our|my|all) ` + wordedDirs + ` ` + wordedStill, "$1$2/ $3"},
	{"out of", `\b(?:leave|keep) {P} out of (?:this|it|that)\b`, "never touch $1"},
	{"exist", `\b(never|don't|do not|without|avoid) {D} (?:(?:any|the|of|my|our|these) )*(?:(?:existing|present) files?|files? that (?:already )?exists?(?: already)?){E}`, "$1 change *.file$2"},
	{"chang", `\b{not} change{E}`, "must not be changed$1"},
	{"sure|take care|see to it", `\b(?:ensure|make sure|be sure|see to it|take care)(?: that)? {the}{P} (?:is not|isn't|are not|aren't|does not|doesn't|do not|don't) (?:be )?(change|touch|modifi|edit|alter)(?:e?d)?{E}`, "$1 must not be changed$3"},
	{"sure|take care|see to it", `\b(?:ensure|make sure|be sure|see to it|take care)(?: that)? {the}{P} (stays?|remains?)\b`, "$1 must stay"},
	{"be left|be kept", `\b(?:must|should|shall|has to|have to|is to|are to|needs? to) be (?:left|kept) (as|alone|untouched|unchanged|intact)\b`, "must stay $1"},
	{"alone", `\bmust stay alone\b`, "must stay untouched"},
	{"the way", `\bthe way (?:it is|it was|they are)\b`, "as it is"},
	{"not |n't|never", `^\W*{P}\s*(?:[:;–—-]|is [\w ]+?[,;])\s*(?:please )?{never} {V}(?: it)?{E}`, "never $2 $1$3"},
	{"don't|never|not ", `\b{never} {V} (?:it|them|these|this): {P}`, "never $1 $2"},
	{"are|is", `^\W*(?:the following|these|this)(?: files?| paths?| folders?)? (?:are|is) (off[- ]limits|read-only|taboo|frozen|untouchable)\s*: {P}`, "$2 are $1"},
	{"no ", `^\W*{P}\s*[:–—-]+\s*no {K}{E}`, "no changes to $1$2"},
	{"- d|: d|; d|, d|– d|— d", `(^\W*|[;.,] ){P}\s*(?:--?|[–—:;,])\s*(?:just |please )*(?:don't|do not|dont)(?: (?:you )?(?:even )?(?:think (?:about|of) it|dare))?{E}`, "${1}never touch $2$3"},
	{"even", `\b(?:don't|do not|dont|never) even (?:open|read|look (?:at|into)|peek (?:at|into)|think (?:about|of) (?:touching|opening)) {the}{P}{E}`, "never touch $1, and never read $1$2"},
	{"start|begin", `\b(?:files?|anything|everything)(?: or folders?)?(?: (?:with|of|whose|where|that have|which have|having)(?: (?:a|the|its|their))? (?:file ?)?names?)?(?: (?:that|which))? (?:start|begin)(?:s|ning|ing)? (?:off )?with (?:the (?:word|prefix|letters?) )?['"\x60]?([\w-][\w.-]*)\*?['"\x60]?`, "$1*"},
	{"name", `\b(?:files?|anything|everything)(?: (?:with|of|whose|where|that have|which have|having)(?: (?:a|the|its|their))? (?:file ?)?names?)(?: (?:that|which))? end(?:s|ing)? (?:in|with) ['"\x60]?\*?([\w.-]*[\w-])['"\x60]?`, "*$1"},
	{"go near|bounds|sacrosanct", `\bgo near\b`, "touch"},
	{"bounds|sacrosanct", `\b(?:out of bounds|sacrosanct)\b`, "off-limits"},
	{"busines|not yours", `{P} is (?:none of your business|not yours to \w+){E}`, "never touch $1$2"},
	{"busines", `\byou have no business (?:in|with) {P}`, "never touch $1"},
	{"nothing in", `\bnothing (?:in|under|inside|below) {P} (?:may|must|should|shall|can|is to) (?:be )?(?:changed?|touched|edited)`, "$1 must not be changed"},
	{"make |making ", `\bma(?:ke|king) (?:any |some |further )?{K} (only )?(?:to|in|on)\b`, "${1}change"},
	{"add", `\badd(?:ing)? (?:anything )?to {P}`, "write to $1"},
	{"mess|fiddle|tamper|lay|meddle|tinker|interfere", `\b(?:mess(?: around)? with|fiddle with|tamper with|lay a (?:hand|finger) on|meddle with|tinker with|interfere with)\b`, "touch"},
	{"ignore|avoid|skip", `^\W*(?:please )?(?:ignore|avoid) {P}{E}|^\W*(?:please )?(?:ignore|avoid|skip) {P} (?:when|while|for|during|in|as) (?:you |the |your )*(?:re)?(?:format|lint|edit|chang|fix|refactor|renam|clean|tidy|updat|writ|sort|migrat|convert|modif)\w*(?: (?:the|everything|rest|others?|code|all|files?|up))*{E}`, "never touch $1$3$2$4"},
	{"existing", `\bexisting (?:unit |integration )?(tests?)\b`, "$1"},
	{"test", `\b(never|don't|do not|without|avoid) ((?:touch|chang|modify|edit|alter|writ|updat)(?:e|ing)?) (?:(?:the|any|my|our|all|existing|unit|of|integration) )*test (?:files?|code|suites?|cases?){E}`, "$1 $2 the tests$3"},
	{"test", `\b(?:(?:the|any|my|our|all|existing|unit|integration|these) )*test(?:s| files?| code| suite) ((?:must not|mustn't|should not|shouldn't|may not|shall not|cannot|can't) be (?:changed|touched|edited|modified|altered)|are (?:off|frozen|read-only|taboo)|(?:must |should )?stay (?:as|un))`, "*_test.* $1"},
	{"追加", `テスト(?:ファイル|コード|ケース)?(?:は|の|を)?(?:追加(?:も|や|・|、|および)?(?:変更|編集|修正)|(?:変更|編集|修正)(?:も|や|・|、|および)?追加)(?:は|も)?(?:しない(?:で|こと)|せず|禁止|不可)`, "; never touch the tests. "},
	{"テスト", `(^|[^ァ-ヴーA-Za-z])テスト(?:ファイル|コード|ケース)?((?:は|を|には|に)[^。]{0,6}?(?:変更|編集|修正|触|変え|いじ|書き換え|手を|そのまま|更新))`, "$1 *_test.*$2"},
	{"code", `\b(never|don't|do not|without|avoid) ((?:touch|chang|modify|edit|alter|writ|updat)(?:e|ing)?) (?:(?:the|any|my|our|all|existing|production|source|actual) )*(?:code|source(?: files?| code)?)(?: itself)?{E}`, "$1 $2 *.code$3"},
	{"code", `^\W*(?:(?:please )?leave (?:(?:the|my|all) )?code|(?:the )?(?:source )?code (?:must |should )?(?:stays?|remains?)) (as it is|as is|alone|untouched|unchanged){E}`, "never change *.code$2"},
	{"既存", `既存の?ファイル((?:は|を|には|に)[^。]{0,6}?(?:変更|編集|修正|触|変え|いじ|書き換え|手を|更新))`, " *.file$1"},
	{"コード", `(^|[^ァ-ヴーA-Za-z])(?:ソース)?コード((?:は|を|には|に)[^。]{0,6}?(?:変更|編集|修正|触|変え|いじ|書き換え|手を|そのまま))`, "$1 *.code$2"},
	// What alone may change.
	{"only", `\b(?:only work|work only|only stay) (?:in|on|with) {P}`, "only change $1"},
	{"only", `\b(?:work|stay) (?:in|on|with) {P} only\b`, "only change $1"},
	{"only allowed", `\byou(?:'re| are) only allowed to {V}`, "only $1"},
	{"keep", `^\W*(?:please )?keep (?:your|all|the) (?:changes|edits) (?:to|in|within) {P}{E}`, "only change $1$2"},
	{"stick to", `^\W*(?:please )?stick to {P}{E}`, "only change $1$2"},
	{"changes", `\b(?:all changes (?:must|should|have to) be|changes only) (?:in|to) {P}`, "only change $1"},
	{"stay|remain", `^\W*(?:please )?(?:stay|remain) (?:inside|within|in)(?: of)? {P}{E}`, "only change $1$2"},
	{"the only", `{P} is the only (?:file|folder|one|thing) (?:that |which )?(?:you )?(?:may|can|is allowed to|should|are allowed to) (?:be )?(?:change|touch|edit|modif)`, "only change $1; that is all to touch"},
	{"no ", `\bno (?:other )?files? (?:other |else )?(?:than|but|except) {P} (?:may|must|should|shall|can) (?:be )?(?:change|touch|edit|modif)`, "only change $1; that is all to touch"},
	{"any", `^\W*any(?: file|thing) (?:but|except(?: for)?|besides|other than|apart from) {P} (may|can) be\b`, "everything except $1 $2 be"},
	{"any|every|all", `^\W*(?:(?:please|you (?:may|can|are (?:free|allowed) to)|feel free to) )*{V} (?:any(?:thing| files?)|every(?:thing| file)|all(?: the)? files)(?: (?:you (?:like|want)|here|in (?:this|the) (?:folder|project|repo|repository)))?,? (?:but|except(?: for)?|besides|other than|apart from|save(?: for)?)(?: not)? {the}{P}{E}`, "never $1 $2$3"},
	{"only there|nowhere else", `\b(?:in|on) {P}\s*,?(?: and|,) (?:only there|nowhere else)\b`, "by this: only change $1"},
	{" too| as well", `^\W*{Y}{P},? (?:too|as well),? now\W*$`, "now change $1"},
	{"the same|likewise|same ", `^\W*(?:(?:now|then|and|next|please|also|ok|okay|yes|do|make|apply|repeat)\W+)*(?:the )?(?:very )?(?:same|likewise)(?: (?:thing|change|changes|fix|edit|edits))?(?: again)? (?:in|for|to|with|on) {P}`, "now change $1"},
	{"同じ|同様", `{P}\s*(?:の?(?:ファイル|方|ほう))?(?:で|に)?(?:は|も|を)(?:同じ(?:こと|変更|修正)(?:を)?|同様に|同じように)(?:(?:し|やっ|行っ|変更し|修正し|直し)て(?:ください|下さい|ほしい|欲しい)?|お願い(?:します)?|頼みます)`, "${1}を変更してください"},
	// Acts in other words.
	{"erase|wipe", `\b(never|don't|do not) (?:erase|wipe)\b`, "$1 delete"},
	{"delet|remov|rm", `\bno (?:file )?(?:deletions?|deleting|removals?|removing|rm)(?: of (?:any )?files?)?{E}`, "don't delete anything$1"},
	{"delet", `\bdelete nothing{E}`, "don't delete anything$1"},
	{"delet|remov", `\b(?:nothing|no files?) (?:may|must|should|shall|can|is to|are to) be (?:deleted|removed){E}`, "don't delete anything$1"},
	{"delet|remov", `^\W*files (?:must|may|should|shall|are) not (?:to )?be (?:deleted|removed){E}`, "don't delete anything$1"},
	{"delet|remov", `^\W*(?:deleting|removing) (?:any )?files is (?:forbidden|prohibited|not allowed){E}`, "don't delete anything$1"},
	{"remote|origin|upstream|server|github", `(^\W*|[,;] (?:but |and )?|\bbut )(?:(?:send |push )?nothing (?:(?:goes|gets|(?:is to|may|must|should|shall) (?:go|be sent|be pushed)) )?to|nothing (?:must|may|should) reach|(?:never|do not|don't) send anything to) (?:the )?(?:remote|origin|upstream|server|github)(?: (?:today|tonight|for today|this week))?\b`, "${1}never push"},
	{"remote", `\b{never} touch the remote{E}|\bleave the remote alone{E}`, "never push$1$2"},
	{"local", `\b(?:keep (?:it|this|everything|all|the changes|the commits?|your work) local|work locally only|stay local|commit locally only|only commit locally){E}`, "never push$1"},
	{"leaves", `\bnothing leaves (?:this|my|the) (?:machine|computer|laptop|host){E}`, "never push, and never use the network$1"},
	{"upload", `\b{never} upload anything{E}|\bno uploads{E}`, "never push$1$2"},
	{"no ", `^\W*(?:please )?(?:create|add|make|write|introduce) no (?:(?:new|extra|other|additional|more|further) )*files?{E}`, "don't create new files$1"},
	{"new|file", `\b(never|don't|do not|without|avoid) (?:creat|add|mak|writ|introduc)(?:e|ing)? (?:(?:anything|something) new|(?:a |any )?(?:new )?files? to (?:the|this|my|our) (?:repo|repository|project|folder|codebase|tree)){E}`, "$1 create new files$2"},
	{"existing", `(^\W*|[.,;:!—–] ?|\b(?:but|and|so|please|then) )(?:(?:(?:only|just) {F}|work (?:only|just|solely) (?:in|on|with|within)|{F} (?:only|just|solely|nothing but)) (?:(?:in|on|to|the|my|our|those|that) )*existing (?:(?:source|code) )?files|(?:{F} (?:the )?|(?:work |stay )?(?:in |within |with )?)existing (?:(?:source|code) )?files only)(\W*$|[,;:!.—–]|\s(?:and|but|please|to)\b)`, "${1}don't create new files; $2"},
	{"git", `\b(?:leave git alone|hands off git|keep your hands off git|{never} touch git){E}`, wordedGit},
	{"my job|is mine|are mine|up to me", `\b(?:the )?{A} (?:is|are) (?:my job|mine|my business|up to me){E}`, "leave committing to me; never $1$2"},
	{"i ", `^\W*i (?:do|make|handle|take care of) (?:all )?the {A}(?: myself)?{E}`, "never $1$2"},
	{"install", `\bno (?:npm |pip |cargo |go )?install(?:s|ation|ations)?(?: of (?:any )?(?:packages?|software|anything))?{E}`, "don't install anything$1"},
	{"migrat", `\b(?:the|any|my|our|all|database|db|schema|pending|new|alembic|django|rails|prisma) (?:(?:database|db|schema|pending|new|alembic|django|rails|prisma) )*migrations?\b`, "the migrations"},
	{"migrat", `^\W*(?:please )?(?:no (?:db |database )?migrations?(?: run)?|(?:leave|keep) (?:the )?migrations? unapplied|the migrations (?:must|may|should|are) not (?:to )?be (?:run|applied|executed)){E}`, "don't run the migrations$1"},
	{"マイグレ", `マイグレーション(?:は|を|も)?(?:の?(?:実行|適用)(?:は|を)?)?(?:し|実行し|適用し|走らせ|流さ|当て)(?:ない(?:で|こと)|ずに)(?:ください)?`, "; don't run the migrations. "},
	{"実行し|走らせ|動かさ", `([\w./-]+\.(?:sh|bash|py|rb|js|ts|pl|php|ps1))\s*(?:は|を)(?:まだ|絶対に|勝手に)*(?:実行し|走らせ|動かさ)ない(?:で|こと)(?:ください|下さい)?`, "; never run $1. "},
	{"deploy", `(^\W*|[.,;:!(] ?|\b(?:but|and) )no deploy(?:s|ments?){E}`, "${1}don't deploy$2"},
	{"librar", `^\W*(?:use |only use )?(?:only the|the) standard library(?: only)?{E}|^\W*standard library only{E}`, "no new dependencies$1$2"},
	{"dependenc", `^\W*without (?:any )?new dependencies{E}`, "no new dependencies$1"},
	{"online|internet|network", `\b(?:{never} go online|stay off the (?:internet|network|web|net)){E}`, "don't use the network$1"},
	{"nothing", `^\W*nothing (?:over|through|via|from) the (?:network|internet|web|net){E}`, "don't use the network$1"},
	{"script|job|pipeline|step|command", `\b(never|don't|do not) (?:run|execute|call|start|use) (?:the |any |my |our )?deploy(?:ment|ing)? (?:scripts?|jobs?|pipeline|steps?|commands?){E}`, "$1 deploy$2"},
	{"server|app|backend|frontend|daemon", `\b(?:(?:re)?start|launch|run|boot|spin|fire|bring|spawn)(?:n?ing)?(?: up)? {S}(?: (?:up|process(?:es)?))?{.}`, "start the server$1"},
	{"npm|pnpm|yarn|bun|flask|rails|manage.py|http.server|compose|vite|next", `\b(?:run|use|start|execute|call)(?:n?ing)? \x60?(?:(?:npm|pnpm|yarn|bun)(?: run)? (?:start|dev|serve)|flask run|(?:bin/)?rails s(?:erver)?|(?:python3? )?(?:\./)?manage\.py runserver|python3? -m http\.server|docker[ -]compose up|(?:npx )?(?:vite|next dev))\x60?{.}`, "start the server$1"},
	{"start the server is", `^\W*start the server is (?:forbidden|prohibited|not allowed|taboo){E}`, "don't start the server$1"},
	{"server|app", `^\W*(?:please )?(?:no {S}|(?:leave|keep) {S} (?:off|stopped|down)|{S} (?:(?:must|should|has to|is to) )?(?:stays?|remains?) (?:off|stopped|down)){E}`, "don't start the server$1"},
	{"server|app", `(^\W*|[,;] |\b(?:and|but|so) ){S} (?:(?:must|should|may|shall|can|is|are) ?(?:not|never)|mustn't|shouldn't|cannot|can't) (?:to )?be (?:re)?(?:started|launched|run|booted|spun up|brought up){E}`, "${1}don't start the server$2"},
	{"nothing|anything|any|no ", `\b(?:{never} (?:run|execute) (?:anything|any (?:commands?|programs?|scripts?)|commands)|(?:run|execute) nothing){E}|^\W*no (?:shell )?commands{E}`, "never run *$1$2"},
	{"renam", `^\W*no (?:file )?(?:renames?|renaming)(?: of (?:any )?files)?{E}`, "don't rename anything$1"},
	{"name", `\b(?:keep|leave) the (?:function |method |class |variable )?name (?:of )?(?:the )?(?:function |method |class |variable )?\x60?([A-Za-z_$][\w$]*)\x60?(?: (?:as it is|as is|alone|unchanged))?{E}`, "don't rename the function $1$2"},
	{"name", `(^|[\s\x60])([A-Za-z_$][\w$]*)\x60? (?:(?:must|should|has to|is to) keep|keeps) (?:its|the|that) name{E}`, "$1; don't rename the function $2$3"},
	{"branch", `(^\W*|[.,;:!] ?|\b(?:but|and|so|please) )(?:stay|remain|keep|work) (?:only )?on (?:this|the current|the same|my|our) branch(?: only)?{E}`, "${1}don't switch branches$2"},
	{"access", `\bno (?:web|internet|network|net) access{E}`, "don't use the network$1"},
	{"download|fetch", `\b{never} (?:download|fetch) anything(?: from the (?:web|internet|net|network))?{E}|\bno downloads{E}`, "don't use the network$1$2"},
	{"no ", `^\W*(?:please )?no {T}(?: commands?| calls?)?(?: please)?{E}`, "never use $1$2"},
	{"without", `\bwithout {T}{E}`, "; never use $1$2"},
	// Japanese, where the words that others are made of are said in English.
	{"フォルダ|ディレクトリ", `([A-Za-z0-9_@+.-]*[A-Za-z0-9_])[\x60」』]?\s*の?(?:フォルダー?|ディレクトリー?)(?:の?(?:中身?|内|以下|配下|下)|の(?:全て?の?|すべての)?ファイル)?(は|を|に|も|と|や|、|だけ|のみ|以外)`, "$1/$2"},
	{"ファイル", `([A-Z][a-z]+file|LICENSE|README|CODEOWNERS)の?ファイル(は|を|に|も|と|や|、|だけ|のみ|以外)`, "$1 $2"},
	{"前に", `([A-Za-z]+)\s*を?(?:実行|使用|使|起動)(?:する|う)?前に{聞}`, "ask me before you run $1; "},
	{"前に", `{P}\s*(?:を|に)(?:変更|編集|修正|書き換え|触|変え|更新)(?:する|る)?前に(?:は)?{聞}`, "${1}は変更しないで。"},
	{"前に", `(コミット|プッシュ|push|commit|インストール|マージ|デプロイ|公開)(?:する|の)?前に{聞}`, "${1}しないで。"},
	{"コミット前|プッシュ前|push前", `(コミット|プッシュ|push)前に{聞}`, "${1}しないで。"},
	{"聞いてから", `(コミット|プッシュ|push|インストール|マージ|デプロイ|公開)は(?:必ず)?(?:私に|先に)?聞いてから`, "${1}しないで"},
	{"リモート", `リモートへの(プッシュ|push)`, "$1"},
	{"許可|確認|承認", `(?:私の|こちらの)?(?:許可|確認|承認)(?:が)?(?:なし(?:に|で)|なく)(?:は)?`, ""},
	{"使わない|実行しない", `(?:^|[^A-Za-z ]){U}\s*(?:コマンド)?(?:は|を)\s*(?:使わない|実行しない)で`, "never use $1$2. "},
	{"git", `\bgit\s*(?:に)?(?:は|には|を|に)\s*(?:触ら|触れ|いじら)ないで`, strings.TrimSuffix(wordedGit, "$1") + ". "},
	{"削除|消", `^[\s・*-]*(?:ファイルの)?(?:削除(?:は|を)?(?:禁止|しないで|不可)|消さないで|削除しないで)`, "don't delete anything. "},
	{"リモート", `(?:(?:今日|今回|今)は)?(?:何も)?リモート(?:に|へ)は?(?:何も)?(?:送らない|触らない|触れない|上げない)で`, "never push. "},
	{"ローカル", `ローカル(?:だけ|のみ)で(?:作業|進め|行)`, "never push. "},
	{"ファイル", `(?:新しい|新規の?|新たな)ファイル(?:は|を)?(?:作ら|作成し|追加し|増やさ)(?:ないで|ないこと)|^[\s・*-]*ファイル(?:は|を)(?:作ら|作成し|追加し|増やさ)ないで`, "don't create new files. "},
	{"既存", `既存の?ファイル(?:だけ|のみ)(?:を|に|で)?[^。、]{0,6}?(?:変更し|編集し|修正し|更新し|使っ|使用し|直し|変え|触っ|書き換え|対応し)(?:て|、|ます)`, "don't create new files. "},
	{"新規ファイル", `新規ファイル(?:の?(?:作成|追加))?(?:は|も)?(?:禁止|不可|なし(?:で|に|。|$))`, "don't create new files. "},
	{"名前|名は|名を|リネーム|改名", `(^|[^A-Za-z0-9_$./])([A-Za-z_$][\w$]*)[\x60」』]?\s*(?:という)?(?:関数|変数|メソッド|クラス|フィールド|定数|型)?(?:(?:の?名前?)(?:は|を|も)[^。、]{0,6}?(?:変え|変更し|変更せ|改名し|リネームし)|(?:は|を|も)[^。、]{0,6}?(?:改名|リネーム)[しせ])(?:ない(?:で|こと)|ずに)(?:ください)?`, "$1. Don't rename the function $2. "},
	{"リネーム|ファイル名", `(?:リネーム(?:は)?し|ファイル名(?:は|を)(?:変更し|変え))ないで`, "don't rename anything. "},
	{"test|check", `\b(never|don't|do not|without|avoid) (?:run|us|execut)(?:e|n?ing)? {R}(?: here| at all| again| for now)?{E}`, "$1 run the tests$2"},
	{"test", `(^\W*|[,;] (?:but |and )?|\b(?:and|but) )(?:please )?(?:skip|run no|execute no)(?: (?:the|all|any|running the|running any|running))? tests?(?: for now| this time| here)?{E}`, "${1}don't run the tests$2"},
	{"reset|リセット", `(?:^[\s・*-]*|git\s*|(?:作業|変更)(?:内容)?を)(?:reset|リセット)(?:は)?しないで`, "never reset. "},
	{"テスト|test", `(?:テスト|{R})\s*(?:は|を)?\s*(?:(?:実行し|走らせ|回さ)ない(?:で|こと)|(?:実行せ|走らせ|回さ)ず(?:に|、))|テストの?実行(?:は|も)?(?:不要|禁止|しない(?:で|こと))`, "don't run the tests. "},
	{"ブランチ", `ブランチ(?:は|を|の)?(?:作ら|作成し|作成は?し|切ら|切り替え|変え|移動し)ない(?:で|こと)`, "don't switch branches. "},
	{"サーバ|server", `(?:(?:開発|テスト|デバッグ|ローカル|web|api|http|アプリ|バックエンド|フロントエンド|dev|development|django|flask|rails|node|vite|next(?:\.js)?|モック)(?:用)?(?:の)?\s*)*(?:サーバー?|server)\s*(?:は|を|も|の)?(?:まだ|勝手に|絶対に|決して|今は|もう|一切)*(?:の)?(?:再)?(起動|立ち上げ|動か|走ら|実行|スタート)`, "サーバーを$1"},
	{"npm|pnpm|yarn|flask|uvicorn|vite|runserver", `(^|[^A-Za-z ])\s*\x60?(?:(?:npm|pnpm|yarn)(?: run)? (?:start|dev|serve)|flask run|uvicorn|vite|(?:python3? )?manage\.py runserver)\x60?\s*(?:は|を|も)?(?:実行|起動)`, "${1}サーバーを起動"},
	{"サーバ", `サーバー?(?:は|を)(私|わたし|僕|俺|こちら|自分)(?:が|で)(?:起動|立ち上げ)(?:します|ます|する|る)`, "サーバーを起動は${1}がします"},
	{"サーバ", `サーバーを(?:立ち上げ|動かさ|走らせ|実行し|スタートし)ない`, "サーバーを起動しない"},
	{"サーバ", `サーバーを(?:立ち上げ|動かさ|走らせ|実行せ|スタートせ)ず`, "サーバーを起動せず"},
	{"サーバ", `サーバーを(?:立ち上げ|動かし|走らせ|実行し|スタートし)て`, "サーバーを起動して"},
	{"何も", `何も(?:実行しない|走らせない)で`, "never run *. "},
	{"ネットワーク", `ネットワーク(?:に|へ)は?(?:何も|一切)?(?:触らない|送らない|出ない)で`, "don't use the network. "},
	{"標準ライブラリ", `標準ライブラリ(?:だけ|のみ)で`, "don't add any dependencies. "},
	{"ダウンロード", `^[\s・*-]*(?:何も)?ダウンロード(?:は)?しないで`, "don't use the network. "},
	{"変更して|編集して|触って", `(?:変更して|編集して|修正して|触って)(?:も)?(?:いい|よい|良い|構わない)(?:の|ファイル)は、?` + "{P}" + `\s*(?:だけ|のみ)`, "only change $1. "},
	{"て|ちゃ", `(?:触っ|変え|変更し|編集し|修正し|いじっ|書き換え|削除し|消し)(?:て|ちゃ)(?:は)?(?:いけ(?:ない|ません)|だめ|ダメ|駄目|なら(?:ない|ません))`, "変更しないで"},
	{"書き換え|放って", `書き換え(?:は|を)?(?:禁止|不可)|放って[おい]いて`, "変更しないで"},
}

// reword is a sentence in the words that are read.
func reword(sentence string) string {
	return rewordedBy(rewordings, kinds(rewordedBy(clauseRows, sentence)))
}

// otherwise is what a sentence says of all that is not named beside it, which is to stay.
var otherwise = &lazy.Pattern{X: `(?i)\b(?:don't|do not|never) (?:touch|change|modify|edit) (?:any )?(?:others?\b(?: files?)?|(?:anything|files?) else)(?:\W*$|[,;])|\b(?:leave|keep) (?:everything|anything|all) else (?:alone|as it is|as is|untouched|unchanged)|,? nothing else\W*$|` +
	`(?:他|ほか|それ以外)(?:の(?:ファイル|部分|もの))?(?:は|には|を)?(?:触ら|触れ|変更し|変え|いじら|編集し|修正し)ない(?:で|こと)`}

// listed joins a heading with the list of paths below it, and a file that is told of with what is said of it behind.
func joined(text string) string {
	text = listedPaths.For(text).ReplaceAllStringFunc(text, func(found string) string {
		head, items, _ := strings.Cut(found, "\n")
		var names []string
		for item := range strings.Lines(items) {
			names = append(names, strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(item), "-*• ")))
		}
		return strings.TrimRight(strings.TrimSpace(head), ":：") + " " + strings.Join(names, ", ") + "\n"
	})
	if strings.Contains(text, "server") {
		text = servedAlready.For(text).ReplaceAllString(text, "$1 $2 start the server")
	}
	return toldOf.For(text).ReplaceAllString(text, "${1}${2} ${3}. ${4} ${5} ${2}")
}

var (
	listedPaths   = &lazy.Pattern{X: `(?m)^.*\b(?:files?|folders?|these|following|paths?)\b.*[:：][ \t]*\n(?:[ \t]*[-*•][ \t]+` + wordedPath + `[ \t]*(?:\n|$))+`}
	servedAlready = &lazy.Pattern{X: `(?i)(\bservers?\b[^!?\n]{0,80}?[.!;,]) ((?:so |please )?(?:never|don't|do not|no need to)) (?:re)?(?:start|launch|run) (?:it(?: again)?|another(?: one)?|a (?:second|new)(?: one)?)\b`}
	toldOf        = &lazy.Pattern{X: `(?mi)(^|[.!] )((?:the (?:file|folder) )?` + wordedPath + `) ((?:is|was|comes|belongs)\b[^.!?\n]*)[.!;,] ((?:please )?(?:never|don't|do not|you must not)) (touch|change|modify|edit|alter) (?:it|them|that)\b`}
)
