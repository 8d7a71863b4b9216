package agent

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/state"
)

// done are the words for work that is done.
const done = `(?:fixed|changed|updated|edited|created|added|removed|deleted|implemented|refactored|renamed|replaced|modified|rewrote|rewritten|ran|executed|applied|made|written|moved|corrected|adjusted)\b`

// claimed is how an answer says that its writer has changed or run something, or is about to.
var claimed = &lazy.Pattern{X: `(?i)\b(?:i|we)(?:['’]ve| have)?(?: (?:just|now|already|successfully))? ` + done + `|` +
	`\b(?:i|we)(?:['’]ll| will| am going to|['’]m going to)(?: (?:now|then|first))? (?:fix|change|update|edit|create|add|remove|delete|implement|refactor|rename|replace|modify|rewrite|run|execute|apply|make|write)\b|` +
	`\b(?:i|we)(?:['’]ve| have)(?: (?:just|now|already|successfully))? run\b|\ball (?:\d+ )?tests (?:now )?pass\b|(?:修正|変更|更新|編集|作成|追加|削除|実装|置換|実行|適用)(?:しました|いたしました)|(?:修正|変更|更新|編集|作成|追加|削除|実装|適用)(?:します|していきます)。?$`}

// become is how an answer says that things are otherwise now, whoever did it. Where something was asked, that is what it says.
var become = &lazy.Pattern{X: `(?im)\b(?:is|are) now\b|\b(?:has|have) (?:now |just )?been (?:successfully )?` + done + `|^\W*(?:successfully )?` + done + ` \S|^\W*(?:(?:the )?(?:files?|folders?|director(?:y|ies)) )?(?:fixed|deleted|removed|created|renamed|updated|added|committed|installed|applied)[.!]|^\W*(?:all |the |your )?(?:tasks?|work|changes?|edits?|fix(?:es)?)(?: (?:is|are|was|were|has|have|been|successfully|now|all))* (?:saved|complete|completed|in place|` + done + `)|^\W*(?:successfully )?completed\b|\bnow (?:returns|works|handles|passes|raises|accepts)\b|` +
	`(?:修正|変更|更新|編集|作成|追加|削除|実装|置換|適用)(?:し、|済み|されました|が完了)|テスト(?:も|は|が)(?:すべて|全て)?(?:通り|成功し)ました|に(?:なりました|なっています)|直し(?:ました|ておきました|てあります)|(?:対応済み(?:です)?|完了(?:です|しました|いたしました))(?:[。！!\s]|$)`}

// announced is how an answer ends that says what its writer does next, and does nothing.
var announced = &lazy.Pattern{X: `(?i)^\W*(?:(?:creat|writ|edit|updat|runn|patch|fix|read|delet|chang|apply|add|execut)ing) [^\n]*(?:\.\.\.|…)\s*$|\b(?:let me|i['’]ll|i will|i am going to|i['’]m going to|let['’]s)(?: (?:now|then|first|just|quickly|also|start by|begin by))* ` +
	`(?:look|check|read|open|search|inspect|examin|fix|updat|chang|edit)(?:e|ing)?\b[^.?!\n]*(?:\.\w[^.?!\n]*)*[.!…:]?\s*$|(?:^|[。\n])\s*(?:まず|では|それでは|これから|最初に)[^。\n]*ます[。：:]?\s*$`}

// bare is an answer that says that it is done, and nothing else.
var bare = &lazy.Pattern{X: `(?i)^[\s\pP\pS]*(?:(?:all|it['’]s|it is|ok(?:ay)?,?|sure[,.!]?|task|work) )?(?:(?:the )?(?:files?|folders?|director(?:y|ies)|branch) )?(?:done|fixed|finished|completed?|deleted|removed|created|renamed|updated|added|written|committed|installed|applied|gelöscht|entfernt|erledigt|fertig|supprimée?|terminé|(?:c['’]est )?fait|(?:已经?)?(?:删除|完成|修复|修改)了?)(?: successfully)?[\s\pP\pS\d]*$|` +
	`^[\s\pP\pS]*(?:(?:作業|対応|修正|変更|実装)(?:が|は|を)?)?(?:完了|終了|対応|修正|削除|作成|変更|更新|追加|適用)(?:いた)?(?:です|しました|済みです)?[\s\pP\pS\d]*$|^[\s\pP\pS]*(?:でき|終わり|直し)ました[\s\pP\pS\d]*$`}

// over is how an answer begins, or what is in it, that says that what was wanted is so now; idleTalk is how a request begins that wants no change.
var (
	over     = &lazy.Pattern{X: `(?i)^[\s\pP\pS]*(?:(?:all|it['’]s|it is|that['’]s) )?(?:done|fixed|finished|implemented|completed?)(?: it)?\s*[,:;.!—–-]|\b(?:change|fix|edit|correction|update)s? (?:is|are|was|were|has been) (?:now )?(?:in|made|at|applied|live|there)\b|\b[\w)\x60]+ (?:now [a-z]{2,}[^s\W]s|[a-z]{2,}[^s\W]s (?:[^\s.]+ )?now)\b|[にへ](?:直し|変え|変更し|修正し|し|置き換え|書き換え|切り替え)ました`}
	idleTalk = &lazy.Pattern{X: `(?i)^\W*(?:please )?(?:go|continue|hi|hello|hey|hallo|thanks?|ok(?:ay)?|yes|no|good|great|look|read|check|run|say|see|open|think|remember|verify|analy[sz]e|study|wait|stop|print|search|count|test|try|discuss)\b|(?:見て|読んで|確認して|調べて|実行して|続けて|考えて)(?:ください|下さい)?[。！!\s]*$|^(?:こんにちは|おはよう|ありがとう|はい|続き)`}
)

// finished reports whether an answer says that what was wanted is done: of a request that is no question, and wants more than a look.
func (s *Session) finished(say string) bool {
	asked := s.state.Turn.Asks
	if s.questioned() || inquiry.In(asked) || !wanted.In(asked) && idleTalk.In(asked) || strings.HasPrefix(s.state.Session, nebula.StepPrefix) {
		return false
	}
	return (bare.In(say) || over.In(say) || become.In(say)) && !excuses.In(say) && !strings.ContainsAny(say, "?？") && !s.toldOf(say)
}

// The words of a request that wants something changed, of one that asks for an answer alone, and of what is named as that which is to be
// changed: a file, a name as code has it.
var (
	wanted = &lazy.Pattern{X: `(?i)(?:^|[.!?:;,\n]\s*|\b(?:please|then|and|can you|could you|would you|will you|must|should|to|now|just|let['’]s|you)\s+)(?:also\s+|now\s+)?` +
		`(?:fix|change|add|remove|delete|rename|implement|update|edit|replace|refactor|create|write|move|make|correct|repair|modify|convert|extend|insert|append|bump|set|drop|split|merge|port|migrate|adjust|rewrite|improve|clean up|apply)\b|` +
		`(?:修正|変更|追加|削除|実装|更新|編集|作成|置換|移動|改名|適用|リファクタリング|リネーム)(?:を(?:お願い|して)|して|し(?:、|ろ)|せよ|する(?:こと|。|$)|お願い)|(?:直|消|移|書き換え|加え|作|変え)(?:して|って|て)(?:ください|下さい|ほしい|。|$)`}
	inquiry = &lazy.Pattern{X: `(?i)^\W*(?:analy[sz]e|debug|diagnose|investigate|look into|how|what|why|which|who|when|where|is|are|does|do|did|was|were|has|have|explain|describe|tell|show|list|summari[sz]e|review|find|compare|suggest|propose)\b|(?:ですか|ますか|でしょうか|のか|教えて(?:ください)?|説明して(?:ください)?)[？?。]?\s*$`}
	// explain begins a request, or a sentence of one, for an explanation alone, toDo what it may be about.
	explain = &lazy.Pattern{X: `(?i)^\W*(?:(?:please|can you|could you|would you) )*(?:how|what|why|which|who|when|where|explain|describe|tell me|show me)\b|(?:どうやって|どうすれば|どのように|方法|やり方|手順|書き方|とは)`}
	toDo    = &lazy.Pattern{X: `(?i)\bto [a-z]+\b|^\W*(?:please |can you |could you |would you )*[a-z]+`}
	// aside are words of a request that ask how something is done, or that it is written down, and not that it is done.
	aside = &lazy.Pattern{X: `(?i)\bhow(?: (?:would|could|should|can|do|does|must|is|best))?(?: (?:one|it|you|i|we))? (?:to )?\w+|\bwhat (?:would|does|do|must|should)(?: (?:it|one|you|i|we))?(?: (?:take|have|need|do|change|be done))* to \w+|\b(?:do not|don['’]t|without) (?:fix|chang|edit|touch)\w*|\b(?:write|note|record|document|put|jot)\b[^.,;\n]{0,40}\b(?:in|into|to) \S+\.(?:md|txt|rst)\b|\S+\.(?:md|txt|rst)\s?[にへ][^。、\n]{0,40}(?:書|記|追記|残)\S{0,8}`}
	// runOnly is a request for a run of tests and for nothing else, ofTests one that has a word of them.
	runOnly = &lazy.Pattern{X: `(?i)^\W*(?:(?:please|now|can you|could you) )*(?:re-?)?(?:run|execute)(?: [\w-]+){0,3} tests?(?: suite)?(?: (?:in|with|for|of|again|now|once|please)\b[^.,\n]*)?(?:,? (?:and|then) (?:tell|report|show|say|give)\b[^.\n]*)?[.!\s]*$|^[^。\n]{0,20}テストを?\s?(?:もう一度|すべて|全部)?(?:実行|走らせ|流し|回し)(?:し?て)?(?:みて)?(?:、?結果を(?:教え|報告し)て)?(?:ください|下さい)?[。！\s]*$`}
	ofTests = &lazy.Pattern{X: `(?i)\btests?\b|テスト|\bcheck`}
	object  = &lazy.Pattern{X: "[\\w-]+\\.[a-zA-Z]\\w{0,7}\\b|`[^`]+`|\\w+_\\w+|\\w+\\(\\)|\\w/\\w|[a-z][A-Z]"}
	excuses = &lazy.Pattern{X: `(?i)\b(?:cannot|can['’]?t|could ?n[o'’]t|unable|impossible|already|refuse|sorry|no [a-z]+|not (?:possible|needed|necessary|found|there|done|changed|fixed|exist|sure|clear|allowed|been|made)|nothing|n['’]t|did not|does not|won['’]t|will not|would (?:have to|need)|lacks?|missing|unverified|before i|need (?:to know|more|your)|please (?:tell|say|give|provide|confirm|clarify))\b|` +
		`できま(?:せん|せんでした)|ありません|いません|ません|不要|必要ない|すでに|既に|見つから|存在しない|未検証|教えて|お知らせ|ください|でしょうか`}
)

// owed reports whether the request of a turn wants something changed that it names, nothing of it was done, and the answer neither asks
// nor says why: whatever its words are, it ends as if it were done.
func (s *Session) owed(say string) bool {
	asked := s.state.Turn.Asks
	if say = strings.TrimSpace(say); say == "" || s.setup.Alone && strings.HasPrefix(s.state.Session, nebula.StepPrefix) {
		return false
	}
	named := object.In(asked) || slices.ContainsFunc(s.state.Turn.Lines, func(l nebula.ActionLine) bool {
		return strings.Contains(string(l.Args), `"path"`) && l.Status == nebula.Done // it looked at a file
	})
	return named && wanted.In(asked) && !inquiry.In(asked) && !excuses.In(say) && !strings.ContainsAny(say, "?？") && !s.toldOf(say)
}

// endMost is how much of an answer is looked at on either side for what it says of the work.
const endMost = 8 << 10

// ends are the beginning and the end of an answer: whoever tells of work does it there, and megabytes of text between would be read word by word.
func ends(say string) string {
	if len(say) <= 2*endMost {
		return say
	}
	return strings.ToValidUTF8(say[:endMost], "") + "\n" + strings.ToValidUTF8(say[len(say)-endMost:], "")
}

// toldOf reports whether an answer names a file that the session changed before.
//
//go:noinline
func (s *Session) toldOf(say string) bool {
	return slices.ContainsFunc(s.state.Journal, func(t state.TurnChanges) bool {
		return slices.ContainsFunc(t.Changes, func(c nebula.Change) bool { return strings.Contains(say, path.Base(c.Path)) })
	})
}

// hollow reports whether an answer tells of work, and there is none that it could tell of: nothing was tried in the turn.
// A bare word is one of the turn, where nothing was even read; whoever says more may mean what the session did before. A
// step of a plan has its own acceptance instead.
func (s *Session) hollow(in nebula.Intent, doubted bool) bool {
	if s.state.Mode != nebula.AgentMode || s.tried() {
		return false
	}
	asks := s.questioned()
	word := !asks && len(s.state.Turn.Lines) == 0 && !strings.HasPrefix(s.state.Session, nebula.StepPrefix) && bare.In(in.Say)
	return doubted || word || s.owed(in.Say) || s.finished(in.Say) || len(s.state.Journal) == 0 && boasts(in.Say, asks)
}

// questioned reports whether the person asked something.
func (s *Session) questioned() bool {
	return strings.ContainsAny(s.state.Turn.Asks, "?？") || strings.HasSuffix(strings.TrimRight(s.state.Turn.Asks, " \n。"), "か")
}

// explained reports whether a turn was asked something alone, changed nothing but notes, and says what it found: tests that fail may be just
// that.
func (s *Session) explained(say string) bool {
	turn, asked := s.state.Turn, s.state.Turn.Asks
	noted := aside.For(asked).ReplaceAllString(asked, "")
	for _, file := range turn.Changed {
		if !state.Prose(file) || noted == asked {
			return false
		}
		of := strings.FieldsFunc(strings.ReplaceAll(say, path.Base(file), "\x00"), func(r rune) bool { return strings.ContainsRune("\n.!。", r) })
		say = strings.Join(lists.Drop(of, func(part string) bool { return strings.Contains(part, "\x00") || bare.In(part) }), ". ")
	}
	ran := len(turn.Changed) == 0 && runOnly.In(asked) && s.state.Evidence.Counts(say) // that they fail is what was to be found out
	return (s.questioned() || inquiry.In(asked) || len(turn.Changed) > 0 || ran) && !wanted.In(noted) && len(turn.Lost) == 0 &&
		!bare.In(say) && !boasts(say, true) && !s.state.Evidence.Contradicted(say)
}

// boasts reports whether an answer tells of work. Of an answer to a question, what it says of things is no such word.
func boasts(say string, asked bool) bool {
	say = others.Re().ReplaceAllString(state.Hypothetic(say), "")
	return claimed.In(say) || announced.In(say) || !asked && become.In(say)
}

// others are words that are quoted, and those for that nothing was done.
var others = &lazy.Pattern{X: `"[^"\n]{12,}"|“[^”\n]{12,}”|「[^」\n]{4,}」|(?:すでに|既に)[^。\n]*|(?i)\b(?:i|we)(?:['’]ve| have)? (?:changed|edited|modified|ran|removed|added|fixed|updated|executed) (?:nothing|none|no \w+)\b`}

// tried reports whether the turn has tried more than to read.
//
//go:noinline
func (s *Session) tried() bool {
	return slices.ContainsFunc(s.state.Turn.Lines, func(l nebula.ActionLine) bool { return s.effect(l.Tool) != nebula.Read })
}

// Codes of what an answer says without that the turn shows it.
const (
	nothingDoneCode = "nothing_done"
	neverCalledCode = "never_called"
	neverRanCode    = "never_ran: "
	inventedCode    = "invented_result: "
	madeToFitCode   = "made_to_fit: "
)

var (
	// testers are programs that an answer says it has run, and their word for that they are content
	testers   = &lazy.Pattern{X: `(?i)\b(pytest|unittest|go test|go vet|cargo test|npm test|yarn test|jest|mocha|vitest|tox|rspec|phpunit|mvn test|gradle test|make test|ctest|mypy|eslint|tsc|ruff|flake8|golangci-lint)\b`}
	notRun    = &lazy.Pattern{X: `(?i)\bnot (?:yet )?(?:been )?(?:run|ran|tested|verified|checked)\b|\b(?:ran|run) no tests?\b|\bno tests? (?:was|were|has been|have been) (?:run|started|executed)\b|\bn['’]t run\b|テスト[^。\n]{0,6}(?:実行して|走らせて|行って|して)いません`}
	passedOf  = &lazy.Pattern{X: `(?i)\b[1-9]\d{0,4} (?:tests? )?(?:passed|passing)\b|[1-9]\d{0,4} ?件(?:の|すべて|全て|とも|が|も|テスト)*(?:成功し|通り|通って|パスし)`}
	content   = &lazy.Pattern{X: `(?i)\b(?:tested|verified|confirmed|checked) (?:it |this )?(?:with|by|using)\b|\b(?:i|we)(?:['’]ve| have)? (?:just |also |then )?(?:ran|run|executed|checked)\b|\b(?:pass(?:es|ed)?|green|succeed(?:s|ed)?|clean|no (?:errors|failures|warnings))\b|実行しました|実行し、|実行済み|通りました|通っています|成功しました|成功しています`}
	resultsOf = &lazy.Pattern{X: `(?im)<(?:tool_response|tool_result|tool_output|function_results?|function_response|observation)\b[^\n]*|^\s*(?:observation|tool (?:result|output|response)|function (?:result|output))\s*:[^\n]*`}
)

// doubtful tells the person what an answer says without that its turn shows it: a tool's result that is the model's own text, a test
// program that never ran, tests that pass since what they expect was changed. Of that a line is returned: it alone leaves the turn done.
func (s *Session) doubtful(say string) (told string) {
	say = ends(say)
	if shown := resultsOf.For(say).FindString(say); shown != "" {
		shown, _ = state.Cut(strings.TrimSpace(shown), state.LineLimit/2)
		s.unfounded(inventedCode+shown, inventedResult, shown)
	}
	if file := s.state.Evidence.MadeToFit(s.state.Turn.Asks, say); file != "" {
		s.unfounded(madeToFitCode+file, madeToFit, file)
		told = fmt.Sprintf(s.say(madeToFit), file)
	}
	_, owned := state.Excused(say)
	owned = owned || strings.Contains(say, "```") // what a block shows is looked at elsewhere
	for line := range strings.FieldsFuncSeq(state.Dotted(say), func(r rune) bool { return strings.ContainsRune("\n.!?。", r) }) {
		advised := state.Advises(line) && !claimed.In(line)
		if run := passedOf.For(line).FindString(line); run != "" && !owned && !advised && !excuses.In(line) && !notRun.In(line) && s.nothingRan() && !s.wasRead(run) {
			s.unfounded(neverRanCode+run, neverRan, "“"+run+"”")
			return told
		}
		name := strings.ToLower(testers.For(line).FindString(line))
		if name != "" && content.In(line) && !excuses.In(line) && !notRun.In(line) && !advised && !s.ranIt(name) {
			s.unfounded(neverRanCode+name, neverRan, name)
			return told
		}
	}
	return told
}

// ranIt reports whether a command of the session has a name in it, as far as it is known which ran.
func (s *Session) ranIt(name string) bool {
	if t := s.state.Evidence.Tests; t != nil && (t.Command == "" || strings.Contains(t.Command, name)) {
		return true
	}
	return slices.ContainsFunc(s.state.Turn.Lines, func(l nebula.ActionLine) bool {
		effect := s.effect(l.Tool)
		return strings.Contains(strings.ToLower(string(l.Args)), name) || effect != nebula.Read && effect != nebula.Write && !strings.Contains(string(l.Args), `"command"`)
	})
}

// nothingRan reports whether the turn has done nothing that may have run tests, and none were counted before.
//
//go:noinline
func (s *Session) nothingRan() bool {
	return s.state.Evidence.Tests == nil && !slices.ContainsFunc(s.state.Turn.Lines, func(l nebula.ActionLine) bool {
		effect := s.effect(l.Tool)
		return effect != nebula.Read && effect != nebula.Write && l.Status != nebula.Denied
	})
}

// unfounded notes for the person, and in how the turn ended, what an answer only says.
func (s *Session) unfounded(code string, p sentence, args ...any) {
	s.turn.unfounded = append(s.turn.unfounded, code)
	s.note(s.warns(p, args...))
}
