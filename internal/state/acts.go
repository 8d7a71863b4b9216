package state

import (
	"path"
	"slices"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// An act is something that commands do and that people have a word for.
type act struct {
	name    string // under which the gate tells it of a command
	verbs   string // in English, between spaces
	objects string // what has to stand behind the verb; empty where the verb alone says it
	done    string // as it is said of what it was done to
	lifts   string // what has to be allowed too where it is
}

// acts are the rows, those first that say more.
var acts = [...]act{
	{"commit", " make making create creating do doing ", " commit commits ", "", ""},
	{"request", " open opening create creating make making submit submitting file raise ", " pr prs pull-request pull-requests merge-request merge-requests ", "", "push network"},
	{"dependency", " add adding introduce introducing bring pull ", " dependency dependencies dep deps package packages library libraries ", "", "install network"},
	{"delete", " delete deleting remove removing rm ", " file files anything ", "", ""},
	{"create", " add adding create creating make making write writing ", " file files ", "", ""},
	{"rename", " rename renaming ", " file files anything folder folders ", " renamed ", ""},
	{"branch", " create creating make making open opening start starting switch switching change changing ", " branch branches ", "", ""},
	{"test", " run running execute executing ", " tests test-suite testsuite ", "", ""},
	{"serve", " start starting ", " server ", "", ""},
	{"network", " use using access accessing touch touching ", " network internet web ", "", ""},
	{"migrate", " run running execute executing apply applying ", " migration migrations ", "", ""},
	{"migrate", " migrate migrating ", " database db schema ", "", ""},
	{"commit", " commit commits committing commiting ", "", " committed commited ", ""},
	{"push", " push pushes pushing ", "", " pushed ", "network"},
	{"force", " force-push force-pushes force-pushing ", "", " force-pushed ", "push network"},
	{"amend", " amend amending ", "", " amended ", "commit"},
	{"merge", " merge merging ", "", " merged ", ""},
	{"rebase", " rebase rebasing ", "", " rebased ", ""},
	{"stash", " stash stashing ", "", " stashed ", ""},
	{"reset", " reset resetting ", "", "", ""},
	{"tag", " tag tagging ", "", " tagged ", ""},
	{"publish", " publish publishing release releasing ", "", " published ", "network"},
	{"deploy", " deploy deploying ", "", " deployed ", "network"},
	{"install", " install installing ", "", " installed ", "dependency network"},
}

// Words of sentences about acts, each list between spaces.
const (
	actFillers = " the any my our your of in to it this that these those change changes result results anything everything nothing all code work file files yet now for git github gitlab remote origin upstream here or and nor me please ever either at automatically yourself on own branch branches version new packages package dependencies dependency things stuff more else other further external additional extra third-party software libraries tools system globally a an again so far up out network internet access server servers host machine computer registry hub behalf directly --hard pls plz thx thanks "
	actBetween = " ever from please to you want anyone anybody nobody allowed permitted supposed should be do any git even go ahead and dare "
	actRuns    = " run running execute executing use using npm pip yarn git a the command "
	actAsk     = " i me my ask asks asking asked approval permission consent confirmation told ok "
	actThings  = " nothing it this that they these changes change anything code work result my your the all of must should may can shall is are to "
	actAllows  = " may can could allowed free welcome always "
	actLeads   = " please now then and ok okay yes also just ahead can may should you we do sure yep finally first next let's "
	actOthers  = " message messages hash hashes hashed id ids history log logs sha hook hooks style format title titles often only nothing none no "
	actTargets = " main master production prod trunk develop "
)

// An actReader reads acts that are forbidden from a token on.
type actReader func(list []token, i int) []Bar

// speaksOfActs reports whether a sentence has a word for an act at all, which most have not.
//
//go:noinline
func speaksOfActs(sentence string) bool {
	return mentions(sentence, actRoots)
}

// Roots of words, of which a sentence has one where an expression that is far slower to try can hold of it. Most have none.
var (
	actRoots = strings.Fields("commit push pr merg pull rebas amend stash tag publish deploy install dep pack librar delet remov network internet web offline upload releas reset renam file rm run execut call invok start launch use using branch migrat apply オフライン サーバーを起動 " +
		"コミット プッシュ マージ リベース スタッシュ タグ 公開 パブリッシュ デプロイ インストール プルリク 依存 パッケージ ライブラリ 削除 消 ネット")
	broadRoots = strings.Fields("hands fingers stay keep touch chang modif edit alter writ read look leave fix explain yet before 変 直 まだ 修正 編集 触 いじ 書き 読 見")
	aloneRoots = strings.Fields("only just simply merely solely purely nothing")
	otherRoots = strings.Fields("other else 他 ほか それ以外")
)

// mentions reports whether a sentence has one of these words in it, whatever the case of its letters.
func mentions(sentence string, roots []string) bool {
	low := strings.ToLower(sentence)
	return slices.ContainsFunc(roots, func(r string) bool { return strings.Contains(low, r) })
}

// actsOf reads which acts a sentence forbids, with the branch that alone is meant where it names one.
func actsOf(sentence string) (bars []Bar) {
	if asked := strings.TrimSpace(sentence); strings.HasSuffix(asked, "?") || strings.HasSuffix(asked, "？") || !speaksOfActs(sentence) {
		return nil
	}
	names := japaneseActs(sentence, refusesActs, true)
	if offline.In(sentence) {
		names = append(names, "network")
	}
	for _, name := range names {
		b := Bar{Act: name}
		if m := branchJapanese.For(sentence).FindStringSubmatch(sentence); m != nil {
			b.Of = strings.ToLower(m[1])
		}
		bars = append(bars, b)
	}
	list := tokens(joinedWords(whenDone.For(sentence).ReplaceAllString(sentence, "")))
	for i := range list {
		if relayed(list[:i]) {
			break
		}
		for _, read := range [...]actReader{actRefused, actDenied, actPassive, actMine, actAsked, actLeft, actRun} {
			bars = append(bars, read(list, i)...)
		}
	}
	return bars
}

// joinedWords is a sentence with words that are one joined.
func joinedWords(sentence string) string {
	sentence = twoWords.For(sentence).ReplaceAllString(sentence, "$1-$2")
	return holdOff.For(sentence).ReplaceAllString(sentence, "avoid")
}

// actRefused reads an act that is refused: never commit; don't open a pull request; without pushing.
func actRefused(list []token, i int) []Bar {
	t := list[i]
	if !t.is(refusals) || t.is(" cannot can't didn't forbidden prohibited ") && !(i > 0 && list[i-1].low == "you") || reports(list, i) {
		return nil
	}
	at := i + 1
	for at < len(list) && at < i+7 && list[at].is(actBetween) && !list[at-1].parts() {
		at++
	}
	if i > 0 && !list[i-1].stop() && !slices.ContainsFunc(list[i+1:at], func(t token) bool { return t.low == "want" }) &&
		(list[i-1].low == "i" || list[i-1].is(" should must may can shall will ") && !(i > 1 && list[i-2].is(" you we nebula please "))) {
		return nil // what somebody does, or what the program is to do
	}
	if slices.ContainsFunc(list[begin(list, i):i], func(t token) bool { return t.is(reasons + " that where which who ") }) || t.low == "without" && (offers(list[begin(list, i):i]) || slices.ContainsFunc(list[begin(list, i):i], func(t token) bool { return t.is(refusals) })) {
		return nil
	}
	if first := list[begin(list, i)]; t.low == "not" && first.is(" make have let ") && !list[i-1].is(" sure and but ") { // what the program is to leave
		return nil
	}
	if bars := actsFrom(list, at); bars != nil {
		return bars
	}
	for at < len(list) && list[at].is(actRuns) && !list[at].stop() { // don't run git commit
		at++
	}
	return actsFrom(list, at)
}

// offers reports whether words tell of something that lets somebody do a thing: an option to build.
func offers(list []token) bool {
	for i, t := range list {
		if t.low == "to" && i > 0 && list[i-1].is(" option options flag mode way ways switch setting parameter possibility ability able ") {
			return true
		}
	}
	return false
}

// actsFrom are the acts of which words tell from one on: commit, push or publish.
func actsFrom(list []token, at int) (bars []Bar) {
	for at < len(list) {
		name, next := actAt(list, at)
		if name == "" {
			return bars
		}
		of, end, ok := actObject(list, next)
		for n := next; n < min(end+2, len(list)); n++ { // another act of the same refusal
			listed := list[n-1].end == ',' && slices.ContainsFunc(list[n:], func(t token) bool { return t.is(" or nor ") })
			again := list[n].is(refusals) && list[n-1].is(" or and nor but ") // never commit and never push
			if more, _ := actAt(list, n); again || more != "" && (list[n-1].is(" or and nor git ") || listed) {
				of, end, ok = "", n, true
				break
			}
		}
		if !ok {
			return bars
		}
		bars = append(bars, Bar{Act: name, Of: of})
		at = max(end, at+1)
	}
	return bars
}

// actAt is the act that a verb says, and where what follows begins.
func actAt(list []token, at int) (name string, next int) {
	for _, a := range acts {
		switch {
		case !list[at].is(a.verbs):
		case a.objects == "":
			return a.name, at + 1
		default:
			for n := at + 1; n < min(at+7, len(list)) && !list[n-1].stop(); n++ {
				if list[n].is(a.objects) {
					return a.name, n + 1
				}
				if !list[n].is(actFillers) || list[n].low == "in" && n > at+1 { // what is told of where it is, is another thing
					break
				}
			}
		}
	}
	return "", 0
}

// actObject reads what stands behind an act: nothing, small words, a branch; anything else makes it another thing. What is forbidden until
// the person is asked is forbidden, what is forbidden under another condition is not.
func actObject(list []token, at int) (of string, end int, ok bool) {
	if at > 0 && at <= len(list) && list[at-1].stop() {
		return "", at, true
	}
	for i := at; i < len(list); i++ {
		t := list[i]
		switch {
		case t.is(depending + " until till before except but "):
			return of, len(list), slices.ContainsFunc(list[i+1:], func(t token) bool { return t.is(actAsk) })
		case t.low == "into" && i+1 < len(list) && list[i+1].is(actTargets):
		case t.low == "as" && i+1 < len(list) && list[i+1].is(" root admin administrator a an superuser daemon sudo "):
			return "", i, false // how it is done, and not whether
		case t.is(" because since as "):
			return of, len(list), true
		case t.is(actTargets), strings.HasPrefix(t.low, "origin/"):
			of = strings.TrimSpace(of + " " + strings.TrimPrefix(t.low, "origin/"))
		case !t.is(actFillers) && t.text != "":
			return "", i, false
		}
		if t.stop() {
			return of, i + 1, true
		}
	}
	return of, len(list), true
}

// actDenied reads an act of which there is to be none: no commits, please; commit nothing; stay offline.
func actDenied(list []token, i int) []Bar {
	t := list[i]
	switch {
	case t.low == "offline" && i > 0 && list[i-1].is(" stay work remain keep "):
		return []Bar{{Act: "network"}}
	case t.low == "nothing" && i > 0:
		if name, _ := actAt(list, i-1); name != "" && (i == 1 || list[i-2].stop() || list[i-2].is(actLeads)) {
			return []Bar{{Act: name}}
		}
	case t.low != "no" || i > 0 && !list[i-1].stop() && !list[i-1].is(" and but so please make want do just be with using needing requiring "):
		return nil
	}
	at := i + 1
	for at < len(list) && list[at].is(" git more further new other additional extra external third-party automatic ") {
		at++
	}
	if at >= len(list) || list[at].is(" web package library ") {
		return nil
	}
	for _, a := range acts {
		noun := a.objects == "" && list[at].is(a.verbs) && (list[at].stop() || at+1 == len(list) || strings.HasSuffix(list[at].low, "s") || strings.HasSuffix(list[at].low, "ing") || i > 0 && list[i-1].low == "be")
		if _, _, ok := actObject(list, at+1); ok && (noun || list[at].is(a.objects) && !strings.Contains(" delete rename test ", " "+a.name+" ") && (a.name != "create" || list[at-1].low != "no")) {
			return []Bar{{Act: a.name}}
		}
	}
	return nil
}

// actPassive reads what is not to be done: nothing may be committed; it must not be pushed.
func actPassive(list []token, i int) []Bar {
	said := list[begin(list, i):i]
	if len(said) == 0 || list[i-1].low != "be" || slices.ContainsFunc(said, func(t token) bool { return !t.is(actThings + refusals + " be yet ") }) ||
		!slices.ContainsFunc(said, func(t token) bool { return t.is(refusals + " nothing ") }) {
		return nil
	}
	for _, a := range acts {
		if of, _, ok := actObject(list, i+1); ok && list[i].is(a.done) {
			return []Bar{{Act: a.name, Of: of}}
		}
	}
	return nil
}

// actMine reads what the person keeps for themselves: I'll commit it; leave the commit to me.
func actMine(list []token, i int) []Bar {
	said := list[begin(list, i):i]
	has := func(words string) bool { return slices.ContainsFunc(said, func(t token) bool { return t.is(words) }) }
	if name, next := actAt(list, i); name != "" && (has(" i'll we'll ") || has(" i we ") && has(" will ")) && !has(" not if you when ") {
		if _, _, ok := actObject(list, next); ok {
			return []Bar{{Act: name}}
		}
	}
	if !(list[i].low == "myself" && has(" i i'll we we'll ")) && !(list[i].low == "me" && len(said) > 1 && list[i-1].low == "to" && has(" leave ")) {
		return nil
	}
	for n := range said {
		if name, _ := actAt(said, n); name != "" && !has(" as until ") {
			return []Bar{{Act: name}}
		}
	}
	return nil
}

// actAsked reads what the person wants to be asked about: ask me before you push.
func actAsked(list []token, i int) []Bar {
	has := func(words string) bool { return slices.ContainsFunc(list, func(t token) bool { return t.is(words) }) }
	if list[i].low != "before" || i+1 >= len(list) || !has(" ask confirm consult wait ") && !(has(" check ") && has(" me ")) {
		return nil
	}
	at := i + 1
	for at+1 < len(list) && list[at].is(" you any every ") {
		at++
	}
	return actsFrom(list, at)
}

// actLeft reads what is left out or left as it is: everything but the push; leave it uncommitted; committing is forbidden.
func actLeft(list []token, i int) []Bar {
	t, rest := list[i], list[i+1:]
	switch {
	case t.is(" uncommitted unpushed unmerged ") && slices.ContainsFunc(list[begin(list, i):i], func(t token) bool { return t.is(" leave keep stay remain ") }):
		return []Bar{{Act: map[string]string{"uncommitted": "commit", "unpushed": "push", "unmerged": "merge"}[t.low]}}
	case t.is(exceptions) && i > 0 && list[i-1].is(" everything all anything "):
		at := i + 1
		for at+1 < len(list) && list[at].is(" the for ") {
			at++
		}
		return actsFrom(list, at)
	case strings.HasSuffix(t.low, "ing") && (i == 0 || list[i-1].stop()) && len(rest) > 1 && rest[0].is(" is are ") && (rest[1].is(" forbidden prohibited taboo off-limits ") || rest[1].low == "not" && len(rest) > 2 && rest[2].is(" allowed permitted ")):
		if name, _ := actAt(list, i); name != "" {
			return []Bar{{Act: name}}
		}
	}
	return nil
}

// Run is the act of running a program at all.
const Run = "run"

// actRun reads a program that is not to be run: don't run npm; never use git; ask me before you run make.
func actRun(list []token, i int) []Bar {
	name := started(list, i)
	if name == "" {
		return nil
	}
	n := i - 1
	for n > 0 && list[n].is(actBetween+" you before me ") && !list[n].stop() {
		n--
	}
	asked := n >= 0 && list[n].is(" ask ") && list[i-1].is(" you before ")
	if n < 0 || !asked && (!list[n].is(refusals) || list[n].is(" didn't cannot can't not ") && !list[max(n-1, 0)].is(" do must should may can shall ") || reports(list, n)) {
		return nil
	}
	return []Bar{{Act: Run, Of: name}}
}

// started is the program of which a verb says that it is run, and nothing more; empty for none.
func started(list []token, i int) string {
	t, at := list[i], i+1
	for at < len(list) && list[at].is(" the any ") {
		at++
	}
	if !t.is(" run running execute executing call calling invoke invoking start starting launch launching use using ") || at >= len(list) || t.stop() {
		return ""
	}
	name, last := list[at], at+1 == len(list) || list[at].stop() || list[at+1].is(" command commands at please because now again here ")
	if !last || name.text == "" || name.is(" it this that them these those anything things code tests test ") || t.is(" use using ") && !tools.In(name.low) {
		return ""
	}
	return path.Base(name.low)
}

// In Japanese an act's word stands before what refuses it or allows it.
const (
	actWords = `(?:コミット|commit|プッシュ|push|マージ|merge|リベース|rebase|スタッシュ|stash|タグ付け|公開|パブリッシュ|publish|デプロイ|deploy|インストール|install|` +
		`(?:PR|プルリクエスト|プルリク)(?:の?(?:作成|提出))?|(?:依存(?:関係|パッケージ|ライブラリ)?|パッケージ|ライブラリ)(?:の?追加)?|(?:ファイル|何)(?:は|を|も|の)*(?:絶対に|勝手に|一切)*(?:削除|消去|消)|` +
		`(?:ネットワーク|インターネット|ネット)(?:の?(?:利用|使用|接続|アクセス))?|サーバーを起動)`
	actList  = `(?i)(^|[^ァ-ヴーA-Za-z])((?:` + actWords + `(?:や|と|・|、|か|or|,|/|\s|も|は)*)+)`
	actSmall = `(?:は|を|も|へ|に|まで|だけは|など|とか|、|まだ|絶対に?|勝手に|決して|一切|自動で|自動的に|後で|あとで|自分で|しばらく|今は|直接|\s)*`
	actEnd   = `(?:で|こと|ように?(?:して(?:ください|下さい|ね|。|$)|お願い|。|$)|です|。|$|[、!！])`
)

// actsJapanese are the acts by what is in their words.
var actsJapanese = [...]struct{ in, act string }{
	{"コミット", "commit"}, {"commit", "commit"}, {"プッシュ", "push"}, {"push", "push"}, {"マージ", "merge"}, {"merge", "merge"}, {"リベース", "rebase"}, {"rebase", "rebase"}, {"スタッシュ", "stash"}, {"stash", "stash"},
	{"タグ", "tag"}, {"公開", "publish"}, {"パブリッシュ", "publish"}, {"publish", "publish"}, {"デプロイ", "deploy"}, {"deploy", "deploy"}, {"インストール", "install"}, {"install", "install"},
	{"pr", "request"}, {"プルリク", "request"}, {"依存", "dependency"}, {"パッケージ", "dependency"}, {"ライブラリ", "dependency"}, {"削除", "delete"}, {"消", "delete"}, {"ネット", "network"}, {"サーバー", "serve"},
}

// japaneseActs are the acts of which a sentence says what an expression reads; of none that is said of one thing alone, where that counts.
func japaneseActs(sentence string, form *lazy.Pattern, things bool) (names []string) {
	if phrase.ASCII(sentence) {
		return nil
	}
	for _, at := range form.Re().FindAllStringSubmatchIndex(sentence, -1) {
		if leaves(sentence[at[0]:at[1]]) && !asksBehind(sentence[at[1]:]) {
			continue
		}
		before := strings.TrimSpace(sentence[:at[4]])
		if things && tellsOf.In(before) {
			continue
		}
		if thing := strings.TrimRight(before, "をの"); things && thing != before && !ofAll.In(thing) {
			continue
		}
		if place := strings.TrimRight(before, "にへ"); things && place != before && !ofPlace.In(place) {
			continue
		}
		words := strings.ToLower(sentence[at[4]:at[5]])
		for _, a := range actsJapanese {
			if strings.Contains(words, a.in) && !lists.Has(names, a.act) {
				names = append(names, a.act)
			}
		}
	}
	return names
}

var (
	tools    = &lazy.Pattern{X: `^(?:` + wordedTools + `|` + wordedTexts + `)$`}
	twoWords = &lazy.Pattern{X: `(?i)\b(pull|merge|force) (requests?|push(?:es|ing)?)\b`}
	holdOff  = &lazy.Pattern{X: `(?i)\b(?:hold off(?: on)?|wait with)\b`}
	// what a program does, or what comes of something
	tellsOf        = &lazy.Pattern{X: `(?i)(?:テスト|CI|ジョブ|フック|ツール|関数|クラス|コンストラクタ|プログラム|スクリプト|モジュール)(?:の中|内)?(?:では?|は|が)$|(?:ないと|れば|たら|場合は?|ときは?)、?$`}
	ofPlace        = &lazy.Pattern{X: `(?i)(?:main|master|production|prod|trunk|develop|origin|github|リモート|ブランチ|本番|サーバー?|レジストリ|リポジトリ|外部?|勝手|絶対|すぐ|自動的?|先|決して|まだ)$`}
	offline        = &lazy.Pattern{X: `オフラインで(?:作業|進め|行っ|やっ)`}
	ofAll          = &lazy.Pattern{X: `(?:変更|これ|それ|何も|結果|コード|作業|修正|差分|全部|内容|パッケージ|バージョン|ブランチ|git|自動|余計|勝手|新しい)$`}
	branchJapanese = &lazy.Pattern{X: `(?i)(main|master|production|prod|trunk|develop)\s*(?:ブランチ)?\s*(?:へ|に)`}
	refusesActs    = &lazy.Pattern{X: actList + actSmall + `(?:(?:し|実行し|行わ|やら|作ら|出さ|増やさ|足さ|加え|入れ|追加し|さ|使わ|つなが|接続し|アクセスし|作成し|触れ)ない` + actEnd +
		`|(?:し|追加し|使っ)ては?(?:いけない|いけません|ならない|なりません|だめ|駄目)|(?:する|追加する|使う|す)な|(?:せ|実行せ|追加せ|作成せ|接続せ|アクセスせ|行わ|やら|作ら|出さ|増やさ|足さ|入れ|使わ|つなが|繋が|触れ|さ)ず(?:に|、|。|$)|(?:し|実行し|やら|行わ)なくて(?:も)?(?:いい|よい|良い|結構|大丈夫|構)|抜き(?:で|に)|まだ(?:です|ね|よ)*(?:$|[。、!！])|なし(?:で(?:、|。|お願|作|実|やっ|進|修|直|$)|に|。|$)|禁止|不可|不要|(?:私|わたし|僕|俺|こちら|自分)(?:で|が)(?:(?:し|やり|行い)ます|(?:やる|する|行う)))`}
	allowsActs = &lazy.Pattern{X: actList + actSmall + `(?:まで|して|今|\s)*(?:(?:し|作っ|出し|追加し|入れ|使っ)て(?:$|[。、!！]|ください|下さい|いい|よい|良い|も(?:いい|よい|良い|構わ|かまわ)|おいて|から|(?:構わ|かまわ))|しましょう|お願いします|許可します)`}
)
