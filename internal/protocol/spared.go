package protocol

import (
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// What a sentence says of other things than the actions beside it: I leave main.py alone and change this; 他のファイルは変更しません. The clauses that say
// so are taken out of it before it is heard; where nothing is left, or nothing that says anything, it is no word against the actions.

// spare takes out of a sentence the clauses that say of something else that it is not done.
func (e *ear) spare(s *sentence) {
	if outright.In(s.text) || readsFirst.In(s.text) && !slices.ContainsFunc(e.actions, onlyLooks) {
		s.weighed, s.taken = true, 1<<plainly
		return
	}
	mere := !slices.ContainsFunc(e.actions, func(a nebula.Action) bool { return removes(a) || sends(a) || runs(a) })
	if e.elsewhere(s.text) || mere && (ofTheWork.In(s.text) || leftFiles.In(s.text) && !e.touches(s.text)) {
		s.spared, s.offered, s.weighed = true, true, true
		return
	}
	if strings.ContainsAny(s.text, "?？") {
		return
	}
	if ofOthers.In(s.text) && !slices.ContainsFunc(e.actions, removes) {
		s.spared, s.offered, s.weighed = true, true, true
		return
	}
	if s.japanese {
		e.spareJapanese(s, e.light())
		return
	}
	if !slices.ContainsFunc(s.words, word.denies) {
		return // only what is denied is spared
	}
	light := e.light()
	var kept []word
	for from, i := 0, 0; i < len(s.words); i++ {
		last := i+1 == len(s.words)
		if !last && !s.words[i].stop && !(lists.Has(joining, s.words[i+1].text) && i > from) {
			continue
		}
		clause, next := s.words[from:i+1], s.words[i+1:]
		if from = i + 1; e.sparing(s, clause, light) || contrasted(clause, next) {
			s.spared = true
		} else {
			kept = append(kept, clause...)
		}
	}
	if s.spared && len(kept) > 0 {
		s.words = kept
	}
	s.offered = s.spared && len(kept) == 0
}

// touches reports whether a word of a text is a file that an action is about.
func (e *ear) touches(text string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,:\x60、は", r) })
	return slices.ContainsFunc(e.actions, func(a nebula.Action) bool {
		return slices.ContainsFunc(words, func(w string) bool {
			return path.Base(strings.TrimRight(w, ".")) == path.Base(textOf(a.Args, `"path":`))
		})
	})
}

// onlyLooks reports whether an action only looks at something.
func onlyLooks(a nebula.Action) bool {
	return textOf(a.Args, `"new_content":`) == "" && !runs(a) && !removes(a) && a.Tool != "writeFile"
}

// elsewhere reports whether a sentence puts off, asks about or rejects something else than some edits, by its words or by a name that none of
// them has.
func (e *ear) elsewhere(text string) bool {
	said := sideWords.For(text).FindStringSubmatch(text)
	if said == nil || slices.ContainsFunc(e.actions, func(a nebula.Action) bool { return removes(a) || sends(a) }) {
		return false
	}
	name := said[1] + said[2] + said[3] + said[4]
	return !lists.Has(pronounced, strings.ToLower(name)) && (name == "" || !slices.ContainsFunc(e.actions, func(a nebula.Action) bool { return strings.Contains(string(a.Args), name) }))
}

var (
	// sideWords are such sentences, with what they name.
	sideWords = &lazy.Pattern{X: `(?i)^(?:the (?:rename|renaming|removal|refactoring|cleanup) of \x60?([\w./-]*\w)\x60? (?:i|we) (?:leave|keep|save) for later|not touching \x60?([\w./-]*\w)\x60?|(?:i|we) considered \w+ing \x60?([\w./-]*\w)\x60?(?: instead)?, but (?:decided|chose) against (?:it|that)|\x60?([\w./-]*\w)\x60?\s?の(?:件|改名|整理)は(?:後で|あとで|後ほど|別途)(?:対応|修正|実施)します)[.。]?$|` +
		`^(?:(?:この|その)?(?:後|あと)[でに]?、?(?:コミット|プッシュ)しても(?:よい|いい|良い)(?:です|でしょう)か[?？。]?$|テストは(?:この|その)?(?:後|あと)[でに]?(?:実行|追加|確認)します[。]?$|` +
		`before (?:i|we) (?:commit|push|publish|deploy|merge)\b[^:]*\bbut the (?:edit|change|fix) itself\b|` +
		`(?:fixing|changing|doing|renaming) (?:it|this|that) later would be (?:harder|worse|costlier|riskier)\b|let me know if you(?:['’]d| would)? (?:want|like|prefer) (?:it|this|that|them|anything) (?:\w+ )?(?:differently|otherwise|(?:in )?(?:an|some) ?other way)[.!]?$|this (?:cannot|can['’]t|must not) wait\b|` +
		`(?:first|now) (?:comes? )?(?:the )?(?:fix|edit|change|patch|code|correction)(?: itself)?, (?:and )?(?:then|later|afterwards|next)(?: comes?)? (?:the |its )?(?:docs|documentation|tests?|changelog|readme|rest|cleanup|refactoring|comments?)[.:]?$|` +
		`(?:this|it) (?:might|may|could) (?:look|seem|sound|appear) [^,:]*, but (?:it|this|that)(?:['’]s| is) (?:the (?:whole|entire|real|actual|only|right|correct) (?:bug|fix|cause|problem|change|thing)|enough|right|correct|all (?:it takes|there is))[.:]?$|` +
		`as you (?:asked|wanted|wished|said|requested)(?: me)?, without (?:asking|waiting)(?: you)? (?:again|any ?more|once more)[.:]?$|(?:instead of|rather than) [^,:]+,? it (?:must|has to|should|needs to|is to) (?:be|read|say|return) [^,.;:]*[+*/%=<>()\[\]-]|` +
		`let(?: me|['’]s| us)(?: now| then)? (?:check|see|verify|test|find out) (?:if|whether) (?:it|this|that|the \w+) (?:works?|pass(?:es)?|holds?|builds?|compiles?)(?: now| then| again)?\.$)|` +
		`^(?:まず|先に|最初に)[^、。]*(?:修正|変更|編集|直|追加|更新|適用)[^、。]*、(?:その)?(?:あと|後)[でに]?[^、。]*(?:テスト|確認|検証|ドキュメント|整理|コミット)[^、。]*します[:：。]?$|^(?:これは)?(?:とても|ごく)?(?:小さな|小さい|簡単な|単純な|軽微な|[一二三1-3]行の|[一二三1-3]行だけの)(?:変更|修正)です[:：]$`}
	// pronounced name what stands beside them.
	pronounced = strings.Fields("it this that these those them anything everything any all file files code")
)

// contrasted reports whether a clause says what is not done, and the next one what is done instead: I do not delete it, I only mark it.
func contrasted(clause, next []word) bool {
	return len(next) > 2 && next[0].is(selves) && lists.Has(solely, next[1].text) && next[2].kind <= works && next[2].tense == present &&
		anyOf(clause, negatives) && !anyOf(clause, topics|demonstratives|pronouns|near|readers)
}

// joining begin another clause.
var joining = []string{"and", "so", "but"}

// sparing reports whether a clause says of other things than what some actions are about that they stay as they are: it denies something,
// it names them, and it points at nothing else.
func (e *ear) sparing(s *sentence, clause []word, light bool) bool {
	denied, other, deed := false, false, false
	if lists.Has([]string{"when", "once", "until"}, clause[0].text) {
		return false // it says when
	}
	led := strings.ContainsRune(":：", lastRune(s.text))
	for i, w := range clause {
		prior := clause[max(0, i-1)].text
		switch {
		case w.is(topics | consentNouns), w.of("LEAVE"), w.of("AGREES") && w.text != "said", w.text == "yet" && !other, w.is(modals):
			return false
		case i > 0 && publishes(prior) && !led && (w.text == "it" || w.text == "them"):
		case w.is(demonstratives|pronouns) && !lists.Has(byMeans, prior) && w.text != "with" && w.text != "so" && !(i+1 < len(clause) && lists.Has(orderNames, clause[i+1].text)) && !(i == 0 && len(clause) > 1 && clause[1].text == "way"):
			return false
		}
		denied = denied || w.denies()
		later := publishes(w.text) && !led
		deed = deed || later || w.kind == works || w.kind == withholds || lists.Has(staying, w.text) || lists.Has(touching, w.text)
		other = other || lists.Has(others, w.text) || lists.Has(beyond, w.text) || later || light && lists.Has(spareable, w.text) || fileLike(w.text) || lists.Has(capitalized, w.text)
	}
	return denied && deed && other && !s.naming(clause, e)
}

// denies reports whether a word says that something is not so, or stays.
func (w word) denies() bool {
	return w.is(negatives|nos) || lists.Has(staying, w.text) || w.kind == withholds && w.tense != before
}

// light reports whether no action has consequences beyond what is shown of it.
//
//go:noinline
func (e *ear) light() bool {
	if e.grave == nil {
		is := slices.ContainsFunc(e.actions, grave)
		e.grave = &is
	}
	return !*e.grave
}

// naming reports whether a clause names a file that an action is about.
func (s *sentence) naming(clause []word, e *ear) bool {
	for _, a := range e.actions {
		args := strings.ToLower(textOf(a.Args, `"path":`) + " " + textOf(a.Args, `"command":`))
		if slices.ContainsFunc(clause, func(w word) bool { return fileLike(w.text) && strings.Contains(args, w.text) }) {
			return true
		}
	}
	return false
}

// publishes reports whether a word begins like one of a deed that comes after a change, and that no change does by itself.
//
//go:noinline
func publishes(word string) bool {
	return slices.ContainsFunc([]string{"commit", "push", "publish", "deploy", "pull", "merg", "tag"}, func(stem string) bool { return strings.HasPrefix(word, stem) })
}

var (
	// ofOthers is a sentence about something else than what is done: what its writer saw, a name that was chosen anew, warnings.
	ofOthers = &lazy.Pattern{X: `(?i)^(?:(?:i|we)(?:['’]ve| have)? changed (?:my|our) mind (?:about|on) (?:the|its) (?:\w+ )?(?:name|naming|wording|format|approach|style|order|layout|structure|title|place|location|path|value|type|design|colou?r|number|spelling|text)s?\b|` +
		`on second thoughts?, (?:[\w-]+[./][\w./-]+|the (?:name|wording|format|style|order)) (?:is|reads|fits) |(?:please |(?:you (?:can|may) |just )?(?:safely )?)(?:ignore|disregard) (?:(?:the|any|all|these|those) )?(?:[\w-]+ )?(?:warning|notice|output|hint|deprecation)s?\b|` +
		`[\w-]+[./][\w./-]+ it is[.!]?$|when (?:i|we) (?:looked|ran|read|checked|opened|searched|tried|tested|saw)\b[^,]*, .*\b(?:was|were|failed|had|did(?: not|n['’]t)|gave|showed|said)\b)|` +
		`^[^。、]*(?:警告|通知|ヒント)(?:は|を)無視|名前については考えが変わ|^[^。、]*(?:見|調べ|読ん|実行し|試し|確認し|検索し)[^。、]{0,4}(?:たら|だら|たところ|だところ)、[^。、と]*(?:ました|でした)[。:：]?$`}
	// byMeans stand before what names an action by which something else is not done, or a thing that was named: by this, as they are.
	byMeans = []string{"by", "with", "through", "as", "for", "of"}
	// beyond are what is left of something.
	beyond = []string{"rest", "outside", "beyond"}
	// orderNames are what somebody is asked to do, as a whole.
	orderNames  = []string{"task", "ticket", "issue", "request", "job"}
	capitalized = []string{"readme", "changelog", "makefile", "dockerfile", "license"}
	staying     = []string{"stay", "stays", "remain", "remains", "untouched", "unchanged", "alone", "keep", "keeping", "leave", "leaves", "leaving", "without", "off-limits", "limits", "skipping", "wait", "hands"}
	touching    = []string{"touch", "touching", "touched", "hands", "affect", "affects", "break", "breaks", "need", "needs", "concern", "concerns", "part", "rename", "delete"}
	// spareable are what beside an edit is said to stay as it is.
	spareable = []string{"tests", "docs", "documentation", "interface", "api", "signature", "signatures", "migrations", "dependency", "dependencies", "behaviour", "behavior", "schema", "sources", "database", "clients", "callers", "caller", "configuration", "settings"}
)

// spareJapanese is spare for a sentence in Japanese.
func (e *ear) spareJapanese(s *sentence, light bool) {
	var kept []string
	for clause := range strings.SplitSeq(s.text, "、") {
		if e.sparingJapanese(clause, light) {
			s.spared = true
		} else {
			kept = append(kept, clause)
		}
	}
	if s.spared && len(kept) > 0 {
		s.text = strings.Join(kept, "、")
	}
	s.offered = s.spared && (len(kept) == 0 || deedless(s.text))
}

// deedless reports whether what is left of a Japanese sentence says only why, or as whom it pleased.
func deedless(text string) bool {
	return endsWith(strings.TrimRight(text, "、:：。"), []string{"どおり", "通り", "とおり", "ように", "よう"})
}

func (e *ear) sparingJapanese(clause string, light bool) bool {
	if clause = remaining.Replace(clause); containsAny(clause, ownJapanese) || containsAny(strings.ToLower(clause), e.named) || containsAny(clause, leaveWords) || containsAny(clause, []string{"てから", "まで", "次第"}) {
		return false
	}
	other := containsAny(clause, otherThings) || light && containsAny(clause, spareableJapanese) || otherFile.In(clause) && !e.names(clause)
	return other && deniedJapanese.In(strings.TrimRight(clause, "。:： "))
}

// names reports whether a text has a file's name that an action is about.
func (e *ear) names(text string) bool {
	name := otherFile.For(text).FindString(text)
	for _, a := range e.actions {
		if strings.Contains(textOf(a.Args, `"path":`)+" "+textOf(a.Args, `"command":`), name) {
			return true
		}
	}
	return false
}

var (
	ownJapanese       = []string{"これ", "この", "それ", "その", "ここ", "こちら", "以下", "上記", "次の", "すべて", "全て", "何も", "だけ"}
	remaining         = strings.NewReplacer("それ以外は何も", "以外は", "これ以外は何も", "以外は", "それ以外", "以外", "これ以外", "以外", "ここ以外", "以外", "ほかは何も", "ほかは", "他は何も", "他は", "その他", "他の")
	otherThings       = []string{"他の", "他に", "他は", "他を", "他へ", "ほかの", "ほかに", "ほかは", "ほかを", "以外", "残りの", "残りは", "既存の"}
	spareableJapanese = []string{"テスト", "ドキュメント", "インターフェース", "インタフェース", "依存", "スキーマ", "呼び出し側", "ソース", "名前", "コミット", "動作"}
	otherFile         = &lazy.Pattern{X: `[\w/-]+\.[a-z]{1,5}\b|README|CHANGELOG|Makefile`}
	deniedJapanese    = &lazy.Pattern{X: `(?:せず|さず|らず|れず|けず|えず|やさず|ずに|ないで|ません|しない|らない|えない|れない|不要(?:です)?|そのまま(?:です|にして|残し|で)?|後回し(?:にして|です)?|ないとのこと(?:なので|です)?)$`}
	// onlyCan is a clause that says of what stands below or above it what it could do, or what would be lost with it.
	onlyCan = &lazy.Pattern{X: `(?:^|、|れば|なら)(?:次|以下|下記|上記)(?:の(?:操作|コマンド|手順|よう))?(?:で|に|を実行すれば)(?:(?:削除|消去)(?:でき|可能)|消(?:せ|すことができ|え))(?:ます|る|です)?$|(?:^|、)これを(?:する|やる|行う|実行する)と[^。、]{0,16}(?:失われ|消え|壊れ)(?:ます|る)$|` +
		`^(?:と(?:書くことも?でき|書け|することもでき|打てば消|やれば(?:消|削除)|すれば(?:消|削除))|のように(?:書け|書くことも?でき|(?:消|削除)|すれば)|を?(?:実行|使)(?:すれば|えば)(?:消|削除)|で(?:削除でき|消せ|消すことができ)|が必要になるかもしれ)(?:せ|え|でき)?(?:ます|る|ません|ない)$`}
	// notSo leads up to what is a draft, wrong or one way of some.
	notSo = &lazy.Pattern{X: `^(?:[^、。]*(?:間違った|誤った|悪い|駄目な|だめな|ダメな)(?:直し方|書き方|やり方|修正|方法|コード)は(?:こう|次|以下|これ)(?:の(?:とおり|通り))?(?:です|でした)?|(?:この|次の|以下の)(?:書き方|直し方|やり方|方法|修正|コード)は(?:誤り|間違い)です|(?:これは|以下は|次は)?(?:ドラフト|下書き|草案|サンプル)です|こう(?:する|書く|直す|変える)ことも(?:でき|可能で)(?:ます|す)) ?[:：]$`}
	// mistook says that another thing was meant than what stands beside it.
	mistook = &lazy.Pattern{X: `(?i)^(?:oops|wait|sorry|no|hmm|correction|actually|my mistake)\W+(?:(?:i|we) meant|(?:it|that|this) should (?:be|have been)|make (?:that|it))\b|^(?:すみません|失礼しました|おっと|訂正|間違えました)[、:：]\s*(?:正しくは)?[\s\x60「]*[\w./-]+\.\w+[\s\x60」]*(?:でした|です|のことでした)`}
	// deniesThis is a clause that says of what stands beside it that it is not done.
	deniesThis = &lazy.Pattern{X: `(?:^|、)(?:これ|こちら|この(?:ファイル|変更|操作|コマンド|作業|編集|削除))(?:は|には|を|も)(?:まだ|今は|一切|もう)?(?:変更|削除|編集|実行|修正|適用|実施|作成|更新|触ら|触り|触れ|直さ|直し|変え|消さ|消し|使わ|使い|行わ|行い|書か|書き|やら|やり|手を入れ|手を付け|手をつけ)(?:し|せ)?(?:ません|ない|ず)|(?:^|、|[:：] ?)上(?:記)?の(?:コマンド|操作|変更|編集|削除|手順|作業|アクション|呼び出し)は(?:不要|必要(?:あり|が?な)|間違い|誤り|要[らり]|い[らり]|無効|ミス)|(?:^|、)(?:これ|こちら)は残(?:します|す$|しておきます)`}
)
