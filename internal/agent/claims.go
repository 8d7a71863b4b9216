package agent

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"nebula"
)

// done are the words for work that is done.
const done = `(?:fixed|changed|updated|edited|created|added|removed|deleted|implemented|refactored|renamed|replaced|modified|rewrote|rewritten|ran|executed|applied|made|written|moved|corrected|adjusted)\b`

// claimed is how an answer says that its writer has changed or run something, or is about to.
var claimed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:i|we)(?:['’]ve| have)?(?: (?:just|now|already|successfully))? ` + done + `|` +
		`\b(?:i|we)(?:['’]ll| will| am going to|['’]m going to)(?: (?:now|then|first))? (?:fix|change|update|edit|create|add|remove|delete|implement|refactor|rename|replace|modify|rewrite|run|execute|apply|make|write)\b|` +
		`\ball (?:\d+ )?tests (?:now )?pass\b|(?:修正|変更|更新|編集|作成|追加|削除|実装|置換|実行|適用)(?:しました|いたしました)|(?:修正|変更|更新|編集|作成|追加|削除|実装|適用)(?:します|していきます)。?$`)
})

// become is how an answer says that things are otherwise now, whoever did it. Where something was asked, that is what it says.
var become = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?im)\b(?:is|are) now\b|\b(?:has|have) (?:now |just )?been (?:successfully )?` + done + `|^\W*(?:successfully )?` + done + ` \S|^\W*fixed[.!]|^\W*(?:all |the |your )?(?:tasks?|work|changes?|edits?|fix(?:es)?)(?: (?:is|are|was|were|has|have|been|successfully|now|all))* (?:saved|complete|completed|in place|` + done + `)|^\W*(?:successfully )?completed\b|\bnow (?:returns|works|handles|passes|raises|accepts)\b|` +
		`(?:修正|変更|更新|編集|作成|追加|削除|実装|置換|適用)(?:し、|済み|されました|が完了)|テスト(?:も|は|が)(?:すべて|全て)?(?:通り|成功し)ました|に(?:なりました|なっています)|直し(?:ました|ておきました|てあります)|(?:対応済み(?:です)?|完了(?:です|しました|いたしました))(?:[。！!\s]|$)`)
})

// announced is how an answer ends that says what its writer does next, and does nothing.
var announced = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:let me|i['’]ll|i will|i am going to|i['’]m going to|let['’]s)(?: (?:now|then|first|just|quickly|also|start by|begin by))* ` +
		`(?:look|check|read|open|search|inspect|examin|fix|updat|chang|edit)(?:e|ing)?\b[^.?!\n]*(?:\.\w[^.?!\n]*)*[.!…:]?\s*$|(?:^|[。\n])\s*(?:まず|では|それでは|これから|最初に)[^。\n]*ます[。：:]?\s*$`)
})

// bare is an answer that says that it is done, and nothing else.
var bare = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^[\s\pP\pS]*(?:(?:all|it['’]s|it is|ok(?:ay)?,?|sure[,.!]?|task|work) )?(?:done|fixed|finished|completed?)(?: successfully)?[\s\pP\pS]*$|` +
		`^[\s\pP\pS]*(?:(?:作業|対応|修正|変更|実装)(?:が|は|を)?)?(?:完了|終了|対応|修正)(?:いた)?(?:です|しました|済みです)?[\s\pP\pS]*$|^[\s\pP\pS]*(?:でき|終わり|直し)ました[\s\pP\pS]*$`)
})

// hollow reports whether an answer tells of work, and there is none that it could tell of: nothing was tried in the turn.
// A bare word is one of the turn, where nothing was even read; whoever says more may mean what the session did before. A
// step of a plan has its own acceptance instead.
func (s *Session) hollow(in nebula.Intent, doubted bool) bool {
	if s.state.Mode != nebula.AgentMode || s.tried() {
		return false
	}
	asks := strings.ContainsAny(s.state.Turn.Asks, "?？") || strings.HasSuffix(strings.TrimRight(s.state.Turn.Asks, " \n。"), "か")
	word := !asks && len(s.state.Turn.Lines) == 0 && !strings.HasPrefix(s.state.Session, nebula.StepPrefix) && bare().MatchString(in.Say)
	return doubted || word || len(s.state.Journal) == 0 && boasts(in.Say, asks)
}

// boasts reports whether an answer tells of work. Of an answer to a question, what it says of things is no such word.
func boasts(say string, asked bool) bool {
	return claimed().MatchString(say) || announced().MatchString(say) || !asked && become().MatchString(say)
}

// tried reports whether the turn has tried more than to read.
func (s *Session) tried() bool {
	return slices.ContainsFunc(s.state.Turn.Lines, func(l nebula.ActionLine) bool { return s.effect(l.Tool) != nebula.Read })
}
