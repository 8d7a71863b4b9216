package state

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// The words of an answer for what fails, for what was not checked, and for why.
var (
	failsNow  = &lazy.Pattern{X: `(?i)\bfail(?:s|ed|ing|ures?)?\b|\b(?:does|do) not (?:build|compile|pass)\b|\bdoesn['’]t (?:build|compile|pass)\b|失敗|通(?:らない|りません|っていません)|エラー`}
	unchecked = &lazy.Pattern{X: `(?i)\b(?:not|never|n['’]t)\b[^.!?\n]{0,20}\b(?:tested|checked|verified|run|test|check|verify)\b|\bun(?:tested|checked|verified)\b|(?:確認|検証|テスト)[^。\n]{0,10}(?:できて|して|行って|行え)(?:い)?(?:ない|ません)`}
	builds    = &lazy.Pattern{X: `(?im)^\W*(?:it|everything|the (?:code|project|program|package)|all)(?: now| all)? (?:builds|compiles)\b|^\W*the build (?:passes|succeeds|is green)\b|ビルド(?:は|も|が)?(?:すべて)?(?:通りました|通ります|成功しました|成功します)`}
	unrun     = &lazy.Pattern{X: `(?i)\b(?:i|we) (?:have not|haven['’]t|could not|couldn['’]t|cannot|can['’]t|did not|didn['’]t) (?:yet )?(?:run|execute) (?:the|any|its|all|these|those) (?:\w+ )?tests?\b|テスト(?:は|を)(?:まだ)?実行(?:でき|し)て(?:い)?(?:ません|ない)`}
	noFailure = &lazy.Pattern{X: `(?i)\b(?:no|0|zero|without(?: any)?) (?:tests? )?(?:fail\w*|errors?)|(?:失敗|エラー)(?:は|も)?(?:ありません|なし)`}
	because   = &lazy.Pattern{X: `(?i)\b(?:because|since|as (?:there|the|no|it|commands?)|due to|for lack of|for want of|is refused|are refused|there (?:is|are) no|cannot be|can['’]t be)\b|(?:ため|ので|から)`}
)

// admittedNames bounds how many failing tests an answer can name each.
const admittedNames = 5

// Admitted reports whether an answer says plainly what speaks against done: it names all that failed last as failing, or says that nothing
// was checked and why, or that no tests ran.
func (e Evidence) Admitted(say string) bool {
	if e.Tests == nil || e.Tests.OK {
		if at := unrun.For(say).FindStringIndex(say); at != nil && !TellsOfTests(say[:at[0]]) && !TellsOfTests(say[at[1]:]) {
			return true
		}
		for line := range strings.FieldsFuncSeq(say, func(r rune) bool { return strings.ContainsRune("\n.!?。", r) }) {
			if unchecked.In(line) && because.In(line) {
				return true
			}
		}
		return false
	}
	names := e.Tests.Failing
	return len(names) > 0 && len(names) <= admittedNames && !slices.ContainsFunc(names, func(name string) bool { return !toldFailing(say, name) })
}

// red are the tests that failed before the turn's first change, after a run of all of them, or of some.
func (e Evidence) red(all bool) []string {
	failing := e.failing()
	switch {
	case !all && e.since:
		return e.Red
	case e.since: // what passes now and fails later was broken
		return lists.Drop(lists.Clone(e.Red), func(name string) bool { return !lists.Has(failing, name) })
	case !all:
		return append(lists.Clone(e.Red), failing...)
	}
	return failing
}

// failing are the names of what failed last; an empty one where something did and has none.
//
//go:noinline
func (e Evidence) failing() []string {
	switch {
	case e.Tests == nil || e.Tests.OK:
		return nil
	case len(e.Tests.Failing) == 0:
		return []string{""}
	}
	return e.Tests.Failing
}

// Broke reports whether something fails since a file was changed of which nothing shows that it failed before, and of which the request does
// not say so: no word of the answer makes that done.
func (e Evidence) Broke(asks string) bool {
	return e.since && slices.ContainsFunc(e.failing(), func(name string) bool { return !lists.Has(e.Red, name) && !toldFailing(asks, name) })
}

// asBefore are words of an answer for that something was so before its writer changed anything.
var asBefore = &lazy.Pattern{X: `(?i)\b(?:as|like|just as|same as) (?:before|(?:it|they) (?:did|was|were)\b)|\b(?:already|previously|beforehand)\b|\bbefore (?:this|that|the|my|any|too)\b|\b(?:was|were|did|is|are|failed|failing|broken|red|so|that way)\b[^.!?\n]{0,24}\bbefore\b(?:\W*$|[.,;!)\n])|\bpre-?exist\w*|\bunrelated\b|\b(?:not|nothing) (?:related|caused|due|to do with)\b|以前|[はが、]前(?:も|にも|から)|^前(?:も|から)|元から|もともと|前から|従来|既存|変わらず|関係(?:が|は)?(?:ない|なく|ありません)|無関係|(?:が|による)原因では(?:ない|なく|ありません)`}

// Predates reports whether an answer names what fails as what the last run shows, and says that it did before, where no test ran before the change:
// nothing speaks against that, and nothing for it. What the request names is the work itself.
func (e Evidence) Predates(asks, say string) bool {
	return e.Broke(asks) && !e.Known && e.Admitted(say) && asBefore.In(say) && !TellsOfTests(say) &&
		!slices.ContainsFunc(e.Tests.Failing, func(name string) bool { return strings.Contains(asks, shortOf(name)) })
}

// Words of an answer for that something did not go well, words of good news that hold such, programs that only look, and lines of which a bad
// end says nothing: what they looked for was not there, or they were to be stopped.
var (
	unwell   = &lazy.Pattern{X: `(?i)\b(?:fail\w*|errors?|exit\w*|problems?|issues?|warnings?|rais\w+|crash\w*|broken?|wrong|abort\w*|time[ds]? ?out|missing|red|cannot|unable|not|never|nothing|none|no|sorry|refus\w*|denied|stop\w*|exceptions?|reproduc\w*|needs?|lacks?|until|nicht|kein\w*|fehl\w*|pas|échou\w*|erreurs?)\b|n['’]t\b|échec|falló|失敗|エラー|例外|落ち|ません|でき(?:ず|ない)|失败|错误|没|未|不|실패|오류|못|않`}
	allWell  = &lazy.Pattern{X: `(?i)\b(?:no|without(?: any)?|zero|0) (?:\w+ )?(?:errors?|problems?|issues?|warnings?|failures?|complaints)\b|(?:エラー|警告|問題)(?:は|も|が)?(?:なく|なし|ありません)|(?:没有|无)(?:错误|问题)`}
	onlyLook = strings.Fields("grep awk sed sort uniq diff cmp comm ps pgrep kill pkill id type hash command jq git ss lsof du df")
	badly    = &lazy.Pattern{X: `\b(?:timeout|kill) |--version|--help|(?:^|[|;&] ?)(?:[ef]?grep|rg|test|\[\[?|diff|cmp)\b[^|;&\n]*$`}
)

// Spoils reports whether that a command failed stands against the work: it was to do something.
func Spoils(line string) bool {
	return !badly.In(line) && slices.ContainsFunc(Deeds{Lines: []Line{{line, true}}}.programs(true), func(p string) bool {
		name, _, _ := strings.Cut(p, " ")
		return !lists.Has(onlyLook, name) && !lists.Has(looks, name) && !lists.Has(shows, name) && !lists.Has(passers, name)
	})
}

// Unspoken reports whether an answer has no word for that something went wrong.
func Unspoken(say string) bool {
	return !unwell.For(say).MatchString(allWell.For(say).ReplaceAllString(say, ""))
}

// Builds reports whether an answer says that something builds, or that tests pass.
func Builds(say string) bool { return builds.In(say) || TellsOfTests(say) }

// Contradicted reports whether an answer tells of tests that pass, or of a build that ends well, and of nothing that fails, where the last run failed.
func (e Evidence) Contradicted(say string) bool {
	return e.Tests != nil && !e.Tests.OK && (TellsOfTests(say) || builds.In(say)) && !failsNow.In(noFailure.For(say).ReplaceAllString(say, ""))
}

// Owned reports whether an answer says that tests fail, or that something of them does, where the last run failed.
func (e Evidence) Owned(say string) bool {
	return e.Tests != nil && !e.Tests.OK && failsNow.In(noFailure.For(say).ReplaceAllString(say, "")) && !TellsOfTests(say)
}

// Counts reports whether an answer says of the last run how many tests failed in it.
func (e Evidence) Counts(say string) bool {
	n := failCount.For(say).FindStringSubmatch(say)
	return e.Owned(say) && n != nil && n[1] == strconv.Itoa(e.Tests.Failed)
}

var failCount = &lazy.Pattern{X: `(?i)(\d+) ?(?:件|個|本|つ)?(?:(?:of|out of) \d+ )?(?:の?テスト|の|が|は|tests? )*(?:(?:is|are|was|were) )?(?:fail|失敗)`}

// Beyond reports whether an answer says that tests fail, and that what they want was not asked for, or that its writer could not mend it, or
// tried in vain: to ask for it brings work that nobody wanted, or the same words.
func (e Evidence) Beyond(say string) bool {
	return e.Owned(say) && (notAsked.In(say) || gaveUp.In(say) || e.Admitted(say) && inVain.In(say))
}

// GaveUp reports whether an answer says that its writer could not mend something: who found nothing may yet be shown it.
func GaveUp(say string) bool {
	said := gaveUp.For(say).FindString(say)
	return said != "" && !strings.HasSuffix(said, "find")
}

// TellsUnmade reports whether an answer says of a file that what was tried on it was not done. Of a call any word of what was not done tells.
func TellsUnmade(say, file string) bool {
	name := strings.ToLower(path.Base(file))
	if strings.HasSuffix(file, "()") {
		name = ""
	}
	for line := range strings.FieldsFuncSeq(strings.ToLower(say), func(r rune) bool { return r == '\n' || r == ';' }) {
		for _, one := range sentences(line) {
			if noneMade.In(one) || strings.Contains(one, name) && notMade.In(one) {
				return true
			}
		}
	}
	return false
}

var (
	notAsked = &lazy.Pattern{X: `(?i)\b(?:not|never|n['’]t) (?:been )?(?:asked|requested|ordered)\b|\b(?:outside|beyond|not part of|no part of|out of scope)\b|\bunrelated\b|頼まれて|依頼(?:の範囲)?(?:外|に(?:は)?(?:ない|含まれ))|範囲外|無関係`}
	gaveUp   = &lazy.Pattern{X: `(?i)\b(?:(?:could|was|am|did|do)(?: not|n['’]t)|can(?:not| not|['’]t)|unable to|failed to|no idea how to)\b[^.!?\n]{0,40}\b(?:fix|solve|repair|resolve|mend|pass|find|work out|figure|manage|succeed)\b|\bg(?:iv(?:e|ing)|ave) up\b|(?:直|解決|修正|修復|通)[^。\n]{0,12}(?:ません|なかった|できない)`}
	inVain   = &lazy.Pattern{X: `(?i)\b(?:but|yet|however|though)\b[^.!?\n]*\bstill (?:fail|red\b|broken\b)|\b(?:did|does|do)(?: not|n['’]t) (?:work|help)\b|が、?[^。\n]*(?:まだ|依然)[^。\n]{0,6}(?:失敗|通|落ち)`}
	notMade  = &lazy.Pattern{X: `(?i)\b(?:could|can|was|were|is|are|did|has|have)(?: ?not|n['’]t)\b|\b(?:unable|impossible|cannot)\b|\bfail(?:ed|s)\b|でき(?:ません|なかった)|(?:され|し|なり|変わり)ませんでした|(?:され|し)ていません|失敗し`}
	noneMade = &lazy.Pattern{X: `(?i)\b(?:nothing|no file) (?:was|has been|is) (?:changed|made|deleted|written|done)\b|何も(?:変更|削除|修正)?(?:して|され)いません`}
)

// TellsKept reports whether an answer says of the file that something was about that it is as it was.
func TellsKept(say, about string) bool {
	name := path.Base(lastOf(strings.Fields(about), 1)[0])
	return slices.ContainsFunc(strings.FieldsFunc(say, func(r rune) bool { return strings.ContainsRune("\n;。", r) }), func(part string) bool {
		return strings.Contains(part, name) && asItWas.In(part)
	})
}

var asItWas = &lazy.Pattern{X: `(?i)\b(?:un(?:changed|touched|modified)|as (?:it|they) (?:is|was|are|were)|left (?:\S+ )?alone|not (?:been )?(?:changed|touched|modified|edited)|n['’]t (?:change|touch|modify|edit))\b|そのまま|(?:変更|編集)していません|触(?:れ|っ)ていません|手を付けていません`}

// toldFailing reports whether a line of an answer says of a failing test, or a package, that it fails. A subtest is told of by its parent's name.
func toldFailing(say, name string) bool {
	short := shortOf(name)
	return slices.ContainsFunc(strings.Split(say, "\n"), func(line string) bool {
		return strings.Contains(line, short) && failsNow.In(line)
	})
}

// shortOf is the name of a failing test, or a package, as an answer writes it.
func shortOf(name string) (short string) {
	if pkg, test, both := strings.Cut(name, " "); both && strings.HasPrefix(test, "Test") {
		short, _, _ = strings.Cut(test, "/")
	} else if parts := strings.FieldsFunc(pkg, func(r rune) bool { return strings.ContainsRune(":›>", r) }); len(parts) > 1 {
		short = strings.TrimSpace(parts[len(parts)-1])
	} else {
		short = strings.Join(lastOf(strings.Split(pkg, "/"), 2), "/")
	}
	if at := strings.LastIndexByte(short, '.'); at > 0 && !strings.Contains(short, "/") && strings.HasPrefix(strings.ToLower(short[at+1:]), "test") {
		short = short[at+1:] // module, class and method, as unittest and JUnit write it
	}
	return short
}

// Against says what stands against an answer that ends the work: what is missing, or that it tells of tests that pass where none were counted
// since a file was changed, or of all where some were picked.
func (e Evidence) Against(say, lang string) string {
	if missing := e.Missing(lang); missing != "" {
		return missing
	}
	if n := e.invented(say); n > 0 {
		return fmt.Sprintf(phrase.In(lang, "%d tests are said to pass, and all runs since the last change told of %d"), n, e.Counted)
	}
	if !TellsOfTests(say) {
		return ""
	}
	if part := e.overstated(say); part != "" {
		return fmt.Sprintf(phrase.In(lang, "all tests are said to pass, and only those of `%s` ran"), part)
	}
	if n := len(e.Left); n > 0 && !tellsOfLeaving(say, e.Left[n-1]) {
		return fmt.Sprintf(phrase.In(lang, "tests are said to pass, and some of %s were taken out or are skipped now, which the answer does not say"), e.Left[n-1])
	}
	if len(e.Untested) == 0 {
		return ""
	}
	return fmt.Sprintf(phrase.In(lang, "tests are said to pass, and none were counted since %s was changed"), e.Untested[len(e.Untested)-1])
}

// Passes is the sentence of an answer that says that tests pass, or how many, where nothing shows it; empty for none.
func (e Evidence) Passes(say string) string {
	if e.Against(say, "") == "" {
		return ""
	}
	for line := range strings.FieldsFuncSeq(say, func(r rune) bool { return strings.ContainsRune("\n!。", r) }) {
		for one := range strings.SplitSeq(line, ". ") {
			if e.invented(one) > 0 || TellsOfTests(one) && e.Against(one, "") != "" {
				return strings.Trim(one, " .")
			}
		}
	}
	return ""
}

// The words of an answer for that something works now which did not, and of it and of what was asked for that building is all it takes.
var (
	mended   = &lazy.Pattern{X: `(?i)\b(?:fix(?:ed|es)|resolve[sd]|solve[sd]|repaired|works|behaves|returns the (?:right|correct|expected))\b|(?:修正|解決)(?:し|済み)|直(?:し|り)(?:ました|て)|正しく(?:動|返|な)`}
	ofBuilds = &lazy.Pattern{X: `(?i)\b(?:typos?|comments?|spelling|format\w*|gofmt|lint\w*|vet|warnings?|builds?|compil\w*|imports?|doc\w*|types?|typing|renam\w*|unused)\b|ビルド|コンパイル|コメント|誤字|型|名前|整形|書式|警告`}
)

// Unrun is the last file that an answer says works now and that nothing ran since it was changed; empty for none, and where what was asked
// for is shown by building it.
func (e Evidence) Unrun(asked, say string) string {
	if len(e.Built) == 0 || ofBuilds.In(asked) {
		return ""
	}
	for line := range strings.FieldsFuncSeq(say, func(r rune) bool { return strings.ContainsRune("\n.!?。", r) }) {
		if at := mended.For(line).FindStringIndex(line); at != nil && !notNow.In(line[:at[1]]) && !ofBuilds.In(line) {
			return e.Built[len(e.Built)-1]
		}
	}
	return ""
}

// The words of an answer for that tests pass now, and for that this is not so, or not known.
var (
	passNow = &lazy.Pattern{X: `(?i)\b(?:tests?|suites?)\b(?: suites?| cases?| runs?)?:?[^.!?\n,;:]{0,30}\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?)\b|\bpass(?:es|ed|ing)? (?:all|every|each|the)\b[^.!?\n]{0,20}\btests?\b|\b(?:all|everything) (?:(?:is |are )?green\b|passes\b)|テスト[^。\n]{0,12}(?:通りました|通ります|通っています|通った|成功しました|成功しています|パスしました|パスします)`}
	notNow  = &lazy.Pattern{X: `(?i)\b(?:not|never|no|none|nothing|cannot|without|un(?:tested|verified|checked)|should|would|will|may|might|must|could|if|when|once|until|unless|whether|so that|to see|to check|to verify|to confirm|make sure|ensure[sd]?|expect(?:ed|s)?|before|previously|earlier|already|please|fail\w*|remain\w*)\b|n['’]t\b|はず|なら|たら|` + hypotheticJa + `|ように|まで|以前|ません|ない`}

	provided = &lazy.Pattern{X: `(?i)\b(?:if|when|once|until|unless|except|but|before|provided)\b`}
)

const (
	// advises is how a sentence begins that tells the person what to do.
	advises = `replace|change|use|edit|run (?:[a-z]+test|the|all|it|go|npm|python|cargo|make)|remove|swap|make|rename|install|try|to (?:check|verify|make|fix)`
	// hypotheticJa is that something would come of a change.
	hypotheticJa = `[えけせてねべめれげ]ば|(?:直す|[変替換]える|(?:修正|変更|置換)する)と[^。\n]{0,30}(?:通り?る|通ります|成功します|パスします)`
)

// Advises reports whether a sentence tells the person what to do, or what would come of it.
//
//go:noinline
func Advises(line string) bool { return advice.In(line) }

// Dotted is a text whose points end sentences alone.
func Dotted(say string) string { return dotted.For(say).ReplaceAllString(say, "${1}_$2") }

var advice = &lazy.Pattern{X: `(?i)^[\s\pP\pS\d]*(?:(?:just|simply|then|please) )*(?:` + advises + `)\b|\b(?:should|would|if|once)\b`}

// dotted is a point within a name, which ends no sentence.
var dotted = &lazy.Pattern{X: `(\w)\.(\w)`}

// Hypothetic is a text without its sentences on what would become of tests, or that tell the person what to do.
func Hypothetic(say string) string { return supposed.For(say).ReplaceAllString(say, "") }

var supposed = &lazy.Pattern{X: `(?im)\b(?:if|once|would|could|should) [^.!?\n]{1,120}\btests? pass\b|(?:^|[.!;:] )[\pP\d ]*(?:` + advises + `)\b[^!?\n]{1,120}\btests? pass\b`}

// TellsOfTests reports whether a sentence of an answer says plainly that tests pass.
func TellsOfTests(say string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(Dotted(say), func(r rune) bool { return strings.ContainsRune("\n.!。", r) }), func(line string) bool {
		at := passNow.For(line).FindStringIndex(line)
		return at != nil && !notNow.In(line[:at[1]]) && !Advises(line[:at[1]]) && !provided.In(line[at[1]:]) && !strings.ContainsAny(line, "?？")
	})
}
