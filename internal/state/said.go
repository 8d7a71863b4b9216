package state

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"nebula/internal/lazy"
)

// What an answer says was done in its turn, against what is known of it. Only a plain word of the answer's own work counts: what is denied,
// planned, told of others or of earlier days is none, and where something was done that cannot be seen into, nothing is held against it.

// Deeds are what is known of what was done.
type Deeds struct {
	Touched []string                              // files that actions changed, or wrote anew as they were
	Tried   []string                              // what ran, in small letters
	Tested  bool                                  // something ran that may have run tests
	Asked   bool                                  // the person asked whether they pass
	Counted bool                                  // tests were counted
	Stands  func(file string) (there, known bool) // whether a file stands in the folder
}

// A saying is a form in which something is said to be done; its shown tells what makes it true.
type saying struct {
	form  func() *regexp.Regexp
	shown func(d Deeds) bool
}

// runs are the deeds that a command does, behind the beginning of a sentence that tells of its writer's work.
var runs = [...]saying{
	{lazy.Regexp(`(?i)` + saidBy + `committed(?: (?:it|this|them|everything|all|the (?:changes?|fix|work|result)|and pushed|as|to|with)\b|$)|コミット(?:し|済み)`), ranWith(`commit|merge|rebase|revert|cherry-pick|\bgit am|\.sh\b|\bmake\b|\bjust\b|release|\brun\b`)},
	{lazy.Regexp(`(?i)` + saidBy + `pushed(?: (?:it|this|them|everything|all|the (?:changes?|branch|commits?|fix)|to)\b|$)|プッシュ(?:し|済み)`), ranWith(`push|\.sh\b|\bmake\b|\bjust\b|release|deploy|\bgh\b|\brun\b`)},
	{lazy.Regexp(`(?i)` + saidBy + `(?:ran|executed) (?:both )?(?:the )?linters?\b|(?:リンター|リント|lint)を(?:実行|かけ)`), ranWith(`lint|\bvet\b|ruff|flake8|mypy|black|clippy|check|rubocop|prettier|biome|tsc|style|stan|\bmake\b|\bjust\b|\brun\b|\.sh\b|\btox\b|\bnox\b|pre-commit`)},
	{lazy.Regexp(`(?i)` + saidBy + `(?:ran|executed|verified|tested)\b.* (?:in|with|using) docker\b|dockerで(?:テストを)?(?:実行|確認)`), ranWith(`docker|podman|compose|\bmake\b|\bjust\b|\.sh\b|\brun\b`)},
	{lazy.Regexp(`(?i)\b(?:verified|confirmed|checked|tested) (?:it|this|that|them|everything)(?: all)? (?:by|with) (?:running|executing|a run of)\b|` + saidBy + `(?:ran|executed) (?:(?:all|the|whole|full|entire|complete) )*(?:(?:test )?suite|(?:unit |integration )?tests|pytest|unittest|(?:go|cargo|npm|yarn|make) test|jest|vitest|mocha|tox|rspec)\b|(?:テスト|スイート)を実行し(?:て確認し)?ました`), func(d Deeds) bool { return len(d.Tried) > 0 || d.Counted }},
}

func ranWith(words string) func(Deeds) bool {
	of := lazy.Regexp(words)
	return func(d Deeds) bool { return slices.ContainsFunc(d.Tried, of().MatchString) }
}

const (
	// saidBy is what stands before a word for work that is the writer's.
	saidBy = `(?:^|\band |, |: |\bthen |\b(?:i|we)(?:['’]ve| have)? )(?:(?:also|just|now|then|successfully) )*`
	// saidFile is a file as an answer names it, by an ending that only files have.
	saidFile = "[`*\"“]*([\\w./-]*\\w\\.(?:go|pyi?|[mc]?[jt]sx?|vue|rs|[ch]|cc|cpp|hpp|java|kts?|scala|swift|cs|rb|php|pl|lua|dart|exs?|hs|sh|sql|md|rst|txt|json|ya?ml|toml|ini|cfg|html?|css))[`*\"”]*"
	saidOf   = `(?:(?:a|an|the|new|old|missing|separate|small|additional|unit|test|tests|regression|file|files|module|script|both|in|called|named)[ :]+)*`
)

var (
	// fileDone is that something was done with a file itself, in English.
	fileDone = lazy.In(`(?i)` + saidBy + `(added|created|wrote|updated|edited|modified|changed|deleted|removed)[ :]+` + saidOf + saidFile)
	fileMore = lazy.In(`(?i)^(?:, and|,| and| &) ` + saidOf + saidFile)
	// fileEnds is what stands behind a file that the sentence is about, and not a part of it, or its place in another thing.
	fileEnds = lazy.In(`(?i)^\s*(?:$|[,;:(—–-]|(?:and|with|for|that|which|so|accordingly|too|as well|containing|covering|successfully)\b)`)
	fileUses = lazy.In(`(?i)^\s+to (?:use|match|reflect|say|mention|cover|include|return|call|set)\b`)
	fileJa   = lazy.In("(?i)" + saidFile + `\s*(?:も|を)\s*(?:新規に?|新しく)?\s*(追加|作成|更新|編集|変更|修正|削除)(?:し(?:ました|、|て、)|済み)`)

	// own is how a sentence begins that tells of its writer's work.
	own = lazy.Regexp(`(?i)^[\s\pP\pS\d]*(?:(?:also|just|now|then|finally|additionally|successfully|and|done|fixed|so|first|everything works now, and|(?:the )?(?:change|task|work) is (?:complete|done)[:,]) *[:,;]? *)*(?:(?:i|we)(?:['’]ve| have)?\b|(?:added|created|wrote|updated|edited|modified|changed|deleted|removed|committed|pushed|ran|executed|verified|tested|set|fixed|implemented|made|renamed|replaced)\b)`)
	// others are words for that a sentence tells of something else than what was done now.
	others = lazy.Regexp(`(?i)\b(?:not|never|nothing|no longer|none|cannot|could|would|should|will|can|may|might|must|if|when|once|unless|until|whether|earlier|previous(?:ly)?|before|already|former|last|yesterday|ago|by the|someone|somebody|was|were|had|suggest|propose|plan|example|e\.g|undid|reverted|took back|taken back|tried|meant|failed)\b|n['’]t\b|ません|ない|以前|前回|先ほど|さっき|昨日|すでに|既に|によって|担当|作者|れて|れま|(?:人|者|あなた|彼|さん|チーム)(?:が|は|も)|なら|たら|れば|場合|予定|例えば|たとえば`)
)

// Unshown is the first thing that an answer says was done and that what is known stands against, as it says it; empty for none.
func (d Deeds) Unshown(say string) string {
	fenced := false
	for line := range strings.Lines(say) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		if fenced || strings.HasPrefix(strings.TrimSpace(line), ">") {
			continue
		}
		for _, sentence := range saidParts(line).FindAllString(line, -1) {
			if what := d.unshown(strings.Trim(sentence, " \t\r\n.。!！-*•·✅✓")); what != "" {
				return what
			}
		}
	}
	return ""
}

// saidParts are the sentences of a line, of which a point within a name is no end.
var saidParts = lazy.In(`(?:[^.。!！;]|[.;!]\S)+(?:[.。!！;]|$)`)

func (d Deeds) unshown(sentence string) string {
	if strings.ContainsAny(sentence, "?？") || others().MatchString(sentence) {
		return ""
	}
	if !d.Counted && !d.Tested && (TellsOfTests(sentence) && allPass(sentence).MatchString(sentence) || d.Asked && saysYes(sentence).MatchString(sentence)) {
		return sentence
	}
	for _, m := range fileJa(sentence).FindAllStringSubmatch(sentence, -1) {
		if d.against(m[2], m[1]) {
			return sentence
		}
	}
	plain := own().MatchString(sentence)
	for _, r := range runs {
		at := r.form().FindStringIndex(sentence)
		if at != nil && (plain || sentence[at[0]] >= 0x80) && !r.shown(d) {
			return sentence
		}
	}
	if plain && d.files(sentence) {
		return sentence
	}
	return ""
}

// allPass is that tests pass, said of them alone: who reads it in a log says so.
var allPass = lazy.In(`(?i)^[\s\pP\pS]*(?:(?:done|fixed|now|and|so|finally|great news)[:,]? )*(?:all|the|every|\d+)\b[^,:]{0,20}\btests?\b|(?:すべて|全て|全部)の?テスト|テスト(?:は|が|も)?(?:すべて|全て|全部)?(?:通|成功|パス)`)

// AsksOfTests reports whether a message asks whether tests pass, and for nothing else.
func AsksOfTests(text string) bool { return asksOfTests(text).MatchString(text) }

var (
	asksOfTests = lazy.In(`(?i)^\W*(?:(?:so|and|ok|okay|now|please|can you tell me|tell me|check|could you check|can you check|if|whether)\W+)*(?:(?:do|does|are|is|did|will|would)\b[^.?!\n]{0,30})?(?:the |all |our |my |these )*(?:unit |integration )?tests?(?: suite)?\b[^.?!,\n]{0,20}\b(?:pass(?:es|ing|ed)?|green|ok(?:ay)?|succeed(?:s|ing)?|work(?:s|ing)?|fail(?:s|ing)?|red|broken)\b[^.!\n]{0,30}[.?]?\s*$|^[^。\n]{0,12}テスト[^。\n]{0,12}(?:通|成功|パス|失敗|落ち)[^。\n]{0,12}(?:か|？|\?)[。？?]?\s*$`)
	saysYes     = lazy.In(`(?i)^\W*(?:yes|yep|yeah|no|nope|they (?:do|don't|all|are)|all (?:of them |\d+ )?(?:do|pass|green|are)|everything (?:passes|is green))\b|^\W*(?:はい|いいえ|すべて通|全て通|全部通)`)
)

// files reports whether a sentence says of a file that it was changed, and it was not.
func (d Deeds) files(sentence string) bool {
	for _, at := range fileDone(sentence).FindAllStringSubmatchIndex(sentence, -1) {
		verb, list, end := sentence[at[2]:at[3]], []string{sentence[at[4]:at[5]]}, at[1]
		for more := fileMore(sentence[end:]).FindStringSubmatchIndex(sentence[end:]); more != nil; more = fileMore(sentence[end:]).FindStringSubmatchIndex(sentence[end:]) {
			list, end = append(list, sentence[end+more[2]:end+more[3]]), end+more[1]
		}
		rest := sentence[end:]
		if !fileEnds(rest).MatchString(rest) && !fileUses(rest).MatchString(rest) {
			continue
		}
		if slices.ContainsFunc(list, func(file string) bool { return d.against(strings.ToLower(verb), file) }) {
			return true
		}
	}
	return false
}

// against reports whether what is known stands against that something was done with a file.
func (d Deeds) against(verb, file string) bool {
	if file = path.Clean(file); path.IsAbs(file) || strings.HasPrefix(file, "..") {
		return false
	}
	if slices.ContainsFunc(d.Touched, func(t string) bool {
		return t == file || strings.HasSuffix(t, "/"+file) || strings.HasSuffix(file, "/"+t)
	}) {
		return false
	}
	there, known := d.Stands(file)
	switch verb {
	case "added", "created", "wrote", "追加", "作成":
		return known && !there
	case "deleted", "removed", "削除":
		return known && there
	}
	return known
}
