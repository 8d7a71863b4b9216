package agent

import (
	"regexp"
	"slices"
	"sync"

	"nebula"
)

// claimed is how an answer says that its writer has changed or run something, or is about to.
var claimed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:i|we)(?:['’]ve| have)?(?: (?:just|now|already|successfully))? (?:fixed|changed|updated|edited|created|added|removed|deleted|implemented|refactored|renamed|replaced|modified|rewrote|rewritten|ran|executed)\b|` +
		`\b(?:i|we)(?:['’]ll| will| am going to|['’]m going to)(?: (?:now|then|first))? (?:fix|change|update|edit|create|add|remove|delete|implement|refactor|rename|replace|modify|rewrite|run|execute)\b|` +
		`\ball (?:\d+ )?tests (?:now )?pass\b|(?:修正|変更|更新|編集|作成|追加|削除|実装|置換|実行)(?:しました|いたしました)|(?:修正|変更|更新|編集|作成|追加|削除|実装)(?:します|していきます)。?$`)
})

// boasts reports whether an answer tells of work where none was done: nothing was changed in the session, and nothing was
// tried in the turn.
func (s *Session) boasts(in nebula.Intent) bool {
	if len(s.state.Journal) > 0 || s.state.Mode != nebula.AgentMode || !claimed().MatchString(in.Say) {
		return false
	}
	return !s.tried()
}

// tried reports whether the turn has tried more than to read.
func (s *Session) tried() bool {
	return slices.ContainsFunc(s.state.Turn.Lines, func(l nebula.ActionLine) bool { return s.effect(l.Tool) != nebula.Read })
}
