package state

import (
	"slices"
	"strings"
	"sync"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// A broad is a way to say that nothing at all may change, which holds until a later message asks for a change.
type broad struct {
	of    *lazy.Pattern
	looks bool // only where the sentence asks to look at something
}

func broadly(of string, looks bool) broad {
	return broad{&lazy.Pattern{X: of, Fill: func(of string) string { return `(?i)` + broadParts().Replace(of) }}, looks}
}

// broadParts are the places in what broadly is given.
var broadParts = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer(
		"{S}", `(?:^\W*|[.,;:!—–]\s*|\b(?:but|and|so|please|just|then|now|you) +)`,
		"{V}", `(?:touch|chang|modify|edit|alter)(?:e|ing)?(?:,? (?:or|and|nor) (?:touch|change|modify|edit|alter|delete|add|create|commit|break)| (?:to|into))?`,
		"{E}", `(?:,? (?:please|pls|thanks|at all|yet|for now|here|today|this time|whatsoever|in (?:this|the) (?:folder|project|repo|repository|directory|tree|codebase)))*(?:\W*$|[,;:!—–]\s| - )`,
	)
})

// broads are the rows.
var broads = []broad{
	broadly(`{S}(?:never|don't|do not|dont|must not|mustn't|may not|should not|shouldn't|are not to|avoid) (?:ever |please )?(?:{V}|write|writing|writing to|write to) (?:anything|(?:any|the|my|a)(?: of (?:the|my|these|your))?(?: single)? files?|files|a thing){E}`, false),
	broadly(`{S}(?:no|zero|make no) (?:(?:file|code) )?(?:edits?|changes?|modifications?|editing|writes)(?: or (?:edits?|changes?|modifications?|writes))?(?: to (?:any(?:thing| files?)|(?:the|my) files))?{E}`, false),
	broadly(`{S}(?:nothing|no files?) (?:may|must|should|shall|can|is to|are to) (?:be )?(?:changed?|touched|modified|edited|altered){E}`, false),
	broadly(`^\W*(?:(?:please|strictly|this is|work|stay|in|a)[ ,]+)*read[- ]only(?: (?:task|session|review))?{E}`, false),
	broadly(`{S}(?:work|stay) in read[- ]only mode{E}`, false),
	broadly(`{S}(?:leave|keep) (?:everything|all files) (?:as (?:it )?is|alone|untouched|unchanged){E}`, false),
	broadly(`{S}(?:(?:keep|take|get) )?(?:your )?(?:hands|fingers) off (?:of )?(?:(?:all|any|every|each|the|my|our|these|this|of) )*(?:files?|code|sources?|everything|anything|project|repo|repository|code ?base|folder){E}`, false),
	broadly(`{S}(?:stay|keep) (?:away|clear|out) (?:from|of) (?:(?:all|any|the|my|our) )*(?:files?|code|sources?|everything){E}`, false),
	broadly(`{S}(?:change|edit|modify|touch|fix) nothing{E}`, false),
	broadly(`{S}(?:don't|do not|dont|never) (?:try to )?fix(?:ing)? anything{E}`, false),
	{notYet, false},
	broadly(`{S}ask me before you +(?:{V}|writ(?:e|ing)|mak(?:e|ing)) ?(?:anything|(?:any |the |your |more )*(?:files?|code|changes|edits)){E}`, false),
	broadly(`{S}no (?:code|coding) yet{E}`, false),
	{&lazy.Pattern{X: `(?:^|[、。]\s*)(?:(?:何か|ファイル|コード)(?:を|に)?)?(?:変更|編集|修正|実装)(?:する|を加える)?前に(?:は)?(?:必ず|一度|私に|まず)*(?:聞いて|確認(?:して|を)|相談して)`}, false},
	broadly(`{S}(?:only|just) (?:read|look|explain)\W*$`, false),
	broadly(`\bwithout (?:{V} (?:anything|any(?: of the)? files?|files|(?:the|any|my) code)|(?:making )?any (?:edits|changes|modifications)){E}`, true),
	broadly(`{S}(?:don't|do not|dont|never) (?:touch|change|modify|edit|fix)(?: it| them| any code| the code)?{E}`, true),
	{&lazy.Pattern{X: `(?:^|[、。,:：\s])(?:(?:何も|一切|いっさい|どのファイルも|(?:すべて|全て|全部)の?ファイル[をは]|ファイル(?:を|は|には))(?:一切|絶対に|勝手に|何も)*)(?:変更(?:は|を)?し|変更を加え|編集し|修正し|触ら|触れ|書き換え|変え|直さ|いじら)ない(?:で|こと)`}, false},
	{&lazy.Pattern{X: `(?:何も|ファイル(?:を|は|には)|コード(?:を|は|には))(?:一切|何も)*(?:変更せ|変更を加え|編集せ|修正せ|触ら|変え|直さ|いじら)ずに.{0,20}(?:説明|教え|レビュー|確認|調査|調べ|要約|まとめ)`}, false},
	{&lazy.Pattern{X: `(?:^|[、。])\s*(?:ファイルの|コードの)?(?:変更|編集|修正)(?:は|を)?(?:なし(?:で|に)|禁止|不要|しないで)|^[\s・*-]*読み取り(?:専用|のみ|だけ)(?:で|に|です|。|$)|(?:読む|見る)だけ(?:に|で)`}, false},
}

// lookingAlone holds what a message asks for by nothing but looking: only explain it; just a review, please; nothing more than a summary.
func (s *State) lookingAlone(sentences []string, turn int) {
	if !slices.ContainsFunc(sentences, func(one string) bool { return mentions(one, aloneRoots) }) {
		return
	}
	only := ""
	for _, words := range sentences {
		switch {
		case ordersChange.In(words), ordersTests.In(words), ordersThen.In(words), strings.HasSuffix(strings.TrimSpace(words), "?"):
			return
		case looksOnly.In(words):
			only = words
		}
	}
	if only != "" && !slices.ContainsFunc(s.barred, func(b Bar) bool { return b.But && b.Turn == turn }) {
		words, _ := Cut(only, barWords)
		s.hold(Bar{But: true, Words: words, Turn: turn, Brief: thisTurn.In(only)})
	}
}

const lookVerbs = `(?:explain|describe|review|summari[sz]e|analy[sz]e|tell|show|find|check|look|read|list|answer|investigate|inspect|audit|examine|diagnose|discuss|suggest|propose|report|comment|advise|walk|point|give me your|outline)`

var (
	ordersThen = &lazy.Pattern{X: `(?i)(?:\b(?:and|then|or|afterwards)|[,;:]) +(?:(?:please|also|then|and|finally) +)*(?:` + strings.TrimPrefix(orderVerbs, "(?:") + `\b`}
	looksOnly  = &lazy.Pattern{X: `(?i)^\W*(?:(?:please|now|but|so|ok|okay|for now|at first|today|you|should|can|could|may|would|will|i|we|want|need|like|'d|would like|to)[ ,]+)*` +
		`(?:(?:only|just|simply|merely|solely|purely)[ ,]+(?:(?:please|want|need|like|you|to|me|i|give|a|an|the|short|brief|quick|your|is|for)[ ,]+)*` + lookNouns + `|nothing (?:but|more than|except|besides) (?:(?:a|an|the|short|brief|quick|your) )*` + lookNouns +
		`|` + lookNouns + ` (?:[^;!?]* )?(?:only|and nothing (?:else|more)|nothing (?:else|more))(?:,? (?:please|thanks))*\W*$)`}
)

const lookNouns = `(?:` + lookVerbs + `|explanations?|descriptions?|summary|analysis|opinion|reports?|advice|suggestions?|diagnosis|discussion|overview|feedback|comments?|answers?)\b`

// Wide reports whether the bar lets nothing at all change.
//
//go:noinline
func (b Bar) wide() bool { return b.But && len(b.Paths) == 0 }

// broadBar reports whether a sentence forbids any change.
func broadBar(sentence string) bool {
	if !mentions(sentence, broadRoots) {
		return false
	}
	for _, row := range broads {
		at := row.of.For(sentence).FindStringIndex(sentence)
		if at == nil || row.looks && (!looksFirst.In(sentence) || slices.ContainsFunc(tokens(sentence), func(t token) bool { return t.path() != "" && strings.Contains(sentence[at[0]:], t.text) })) {
			continue
		}
		asked := strings.TrimRight(sentence, " \n")
		if (strings.HasSuffix(asked, "?") || strings.HasSuffix(asked, "？")) && at[1] >= len(asked) {
			continue
		}
		before := tokens(sentence[:at[0]])
		if relayed(before) || slices.ContainsFunc(before, func(t token) bool { return t.is(reasons + " which who that how option flag mode ") }) {
			continue
		}
		return true
	}
	return false
}

// widely takes in a sentence that forbids any change, but of what its message orders to change.
func widely(bars []Bar, sentence string, ordered []string) []Bar {
	if slices.ContainsFunc(bars, func(b Bar) bool { return b.But }) || !broadBar(sentence) {
		return bars
	}
	if notYet.In(sentence) { // what is ordered is what waits
		ordered = nil
	}
	return append(bars, Bar{Paths: plain(sure(ordered)), But: true})
}

// asksForChange lets go of what let nothing change in messages before, of tests where they are what is to be changed, and of code where no
// file of it is named.
func (s *State) asksForChange(sentence string, changes bool, turn int) {
	waits := func(b Bar) bool { return b.Turn < turn && b.wide() && forNow.In(b.Words) }
	if slices.ContainsFunc(s.barred, waits) && agrees.In(sentence) {
		s.barred = lists.Drop(lists.Clone(s.barred), waits)
	}
	tests := ordersTests.In(sentence)
	if !changes && !tests || waitsJapanese.In(sentence) || broadBar(sentence) {
		return
	}
	if tests { // what alone may change is more now
		s.barred = lists.Clone(s.barred)
		for i, b := range s.barred {
			if b.But && b.Turn < turn && !b.wide() {
				s.barred[i].Paths = append(slices.Clip(b.Paths), testFiles...)
			}
		}
	}
	all := changes && !tests && len(leaveOf(sentence).names) == 0
	s.barred = lists.Drop(lists.Clone(s.barred), func(b Bar) bool {
		return b.Turn < turn && (changes && b.wide() || tests && b.of(aTest) && !b.of(aCode) || all && b.of(aCode))
	})
}

// of reports whether a bar holds all files of a kind.
//
//go:noinline
func (b Bar) of(kind string) bool { return !b.But && lists.Has(b.Paths, kind) }

// sparesTests leaves the tests out of what holds all code, where they are what is to be changed.
func (s *State) sparesTests(sentences []string) {
	if !slices.ContainsFunc(s.barred, func(b Bar) bool { return b.of(aCode) }) || !slices.ContainsFunc(sentences, ordersTests.In) {
		return
	}
	s.barred = lists.Clone(s.barred)
	for i, b := range s.barred {
		if b.of(aCode) {
			s.barred[i].Except = append(slices.Clip(b.Except), testFiles...)
		}
	}
}

// aTest, aCode and aFile stand for all tests, all code and all files, testFiles and codeFiles are what they are usually called.
const (
	aTest = "*_test.*"
	aCode = "*.code"
	aFile = "*.file"
)

var (
	testFiles = []string{aTest, "test_*.*", "*_tests.*", "*.test.*", "*.spec.*", "*_spec.*", "*Test.java", "*Tests.cs", "conftest.py", "tests", "test", "__tests__", "spec"}
	codeFiles = strings.Fields(aCode + " *.go *.py *.pyi *.js *.jsx *.mjs *.cjs *.ts *.tsx *.mts *.vue *.svelte *.rs *.c *.h *.cc *.cpp *.cxx *.hpp *.m *.mm *.java *.kt *.kts *.scala *.groovy *.swift *.cs *.fs *.vb *.rb *.php *.pl *.pm *.lua *.r *.jl *.dart *.ex *.exs *.erl *.hs *.ml *.clj *.zig *.nim *.sql *.sh *.bash *.zsh *.ps1 *.asm *.s")
)

// withAll are names in which tests, and code, stand for all their files.
func withAll(names []string) []string {
	for _, all := range []struct {
		words string
		files []string
	}{{aTest + " tests test", testFiles}, {aCode, codeFiles}, {aFile, []string{"*"}}} {
		if slices.ContainsFunc(names, func(n string) bool { return lists.Has(strings.Fields(all.words), strings.ToLower(n)) }) {
			names = append(slices.Clip(lists.Drop(lists.Clone(names), func(n string) bool { return lists.Has(all.files, n) })), all.files...)
		}
	}
	return names
}

// unquoted is a text without what is only its object: what a comment says, what is to be translated.
func unquoted(text string) string {
	text = toTranslate.For(text).ReplaceAllString(text, "$1")
	text = objectSays.For(text).ReplaceAllString(text, "$1")
	return quotedJapanese.For(text).ReplaceAllString(text, "$1")
}

const (
	ordering   = `(?i)^\W*(?:(?:please|now|then|ok|okay|yes|and|also|just|so|alright|great|good|thanks|thank you|perfect|go|ahead|next|finally|first|right|you|may|can|could|would|will|let's|i want you to|i'd like you to)\W+)*`
	orderVerbs = `(?:change|edit|modify|alter|update|fix|rewrite|delete|remove|rename|add|adapt|correct|set|bump|move|replace|insert|append|patch|refactor|adjust|implement|create|clean|tidy|drop|extend|migrate|convert|upgrade|apply|overwrite|restore|revert|reformat|format|repair|mend|write)`
)

var (
	notYet = &lazy.Pattern{X: `(?i)(?:^\W*|[.,;:!—–]\s*|\b(?:but|and|so|please|just) +)(?:don't|do not|dont) (?:(?:do|start|begin|implement|apply|make|touch|change|edit|modify|fix|write|code)(?: on)?(?: it| this| that| anything| them| any of it| (?:any |the )?(?:code|files?|changes|edits)| coding| writing)?|start working|begin working)(?: yet| just yet| (?:before|until) i (?:say|tell you)(?: so| to)?)\W*(?:$|[,;:—–]\s)|^\s*(?:でも|ただし|ただ)?、?まだ(?:何も|(?:コード|ファイル)(?:を|は|には)?)?(?:し|やら|始め|着手し|実装し|変更し|変え|直さ|手を付け|書か|編集し|触ら)ないで`}

	agrees       = &lazy.Pattern{X: `(?i)^\W*(?:(?:ok(?:ay)?|yes|yep|sure|fine|go|go ahead|approved|granted|agreed|looks good|sounds good|lgtm|perfect|great|good|please|do it|do that|proceed|thanks)\b\W*)+$|^\s*(?:はい|いいよ|いいです|よいです|OK|了解|承認|進めて|お願い|です|します|ください|しました|、|。|！|!|\s)+$`}
	looksFirst   = &lazy.Pattern{X: `(?i)^\W*(?:(?:please|just|only|now|first|can you|could you)\W+)*(?:explain|describe|review|tell|show|find|check|look|analy[sz]e|summari[sz]e|read|plan|list|answer|investigate|inspect|audit|examine|think|suggest|propose)\b`}
	ordersChange = &lazy.Pattern{X: ordering + `(?:` + orderVerbs + ` \w|make (?:it|the|that|this|a|an)\b|(?:do|apply|fix|change|implement) (?:it|that|this|so)\b|(?:go ahead|proceed|edit|fix|implement|start|begin)\W*$)|(?:変更|編集|修正|更新|追加|削除|対応|実装|作成|適用)して(?:$|[。、!！]|ください|下さい|も?いい|も?よい|も?良い)|(?:直し|変え|消し|書い|書き換え|作っ)て(?:$|[。、!！]|ください|下さい)`}
	ordersTests  = &lazy.Pattern{X: ordering + orderVerbs + ` (?:(?:the|any|my|our|a|all|new|more|some|these|those|failing|existing|unit|both|missing|old)\s+)*tests?\b|テスト(?:ファイル|コード)?(?:を|も|は)(?:[^。、]{0,6})(?:変更|編集|修正|更新|追加|直)し?て`}
	ofExisting   = &lazy.Pattern{X: `(?i)\bexisting (?:(?:unit|integration|source|test) )*(?:tests?|files?|code|suites?|cases?)\b|既存の?(?:の|ユニット|単体)*(?:テスト|ファイル|コード)`}
	// rewrites is what is said of tests that stand already: a new file of them is no change of those.
	rewrites = &lazy.Pattern{X: `(?i)\b(?:don't|do not|dont|never|not|without|avoid) (?:rewrit|chang|edit|modif|alter)\w* (?:(?:the|any|my|our|all|of|unit|existing|integration|test) ){0,4}(?:tests?|files|suite|cases)\b|\btests? .*\b(?:un(?:modified|changed)|be (?:changed|modified|edited|altered|rewritten))\b|テスト[^。、追]{0,10}(?:書き換え|変更[しせはを]|変え|編集[しせ])`}
	// addsTests is that tests are not to be added, and nothing of those that stand.
	addsTests      = &lazy.Pattern{X: `(?i)^(?:[^.;]*\W)?(?:don't|do not|dont|never) (?:add|write|create) (?:(?:any|new|more|unit) )*tests?(?: files?)?\W*$|テスト(?:ファイル|コード|ケース)?(?:は|を)(?:新しく|新規に|新たに)?(?:(?:追加|作成)[しせ]|作ら|書か|足さ)(?:ない|ず)`}
	toTranslate    = &lazy.Pattern{X: `(?im)(^\W*(?:please )?(?:translate|proofread|paraphrase)\b[^:：\n]{0,60}[:：]).*$|((?:翻訳|英訳|和訳|訳)(?:して)?[^:：\n]{0,12}[:：]).*$`}
	objectSays     = &lazy.Pattern{X: `(?i)(\b(?:comment|line|note|text|message|banner|label|string|sentence|warning|hint|todo|paragraph|heading|docstring)s? (?:(?:that|which) (?:says?|reads?|states?|tells?)|saying|reading|stating)\b[:,]?) +[^.;\n]*`}
	quotedJapanese = &lazy.Pattern{X: `「[^」\n]*」((?:という|といった|との|と(?:表示|書い|出力|出す)|の?(?:文言|表示|文字列|メッセージ|コメント)|を(?:追加|表示|翻訳|英訳|出力)))`}
)
