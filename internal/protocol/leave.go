package protocol

import (
	"encoding/json"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// What an action's own words say of whether it is to be done: its reason, a remark in its line, what is said beside a call that
// has no place in the text. They give reasons, so only a refusal or a condition of somebody's leave counts.

// account adds to every action the rows that its own words need.
func (s *settler) account() {
	if len(s.in.Actions) == 0 {
		return // an answer alone is weighed by nobody
	}
	d := s.in.Decision
	put := d != nil && (s.ear.disowned(d.Rationale, s.in.Actions) || breaks(d.ConstraintCheck) || breaks(d.GoalConsistency) || awaits(d)) || slices.ContainsFunc(s.in.Errors, unapproved) ||
		slices.ContainsFunc(s.in.Questions, func(q nebula.Question) bool { return s.ear.leavesThis(q.Text) }) ||
		d != nil && d.StateDelta != nil && d.StateDelta.OpenQuestions != nil && slices.ContainsFunc(*d.StateDelta.OpenQuestions, s.ear.leavesThis)
	plain := withoutChanges(s.in.Say, s.in.Actions...)
	heard := s.ear.disowned(plain, s.in.Actions) || len(s.ear.denying(plain)) > 0 // else no single call is spoken against
	invented := s.imitated(s.in.Say) || d != nil && s.imitated(d.Rationale)
	all, document := s.ear.takenBack(s.in.Say), json.Valid([]byte(s.reply.Text()))
	var row lineup // of what is said of the reply as a whole
	if document || slices.ContainsFunc(s.in.Actions, native) {
		row = lineupEach(s.in.Actions)
	}
	for i := range s.in.Actions {
		a := &s.in.Actions[i]
		native := native(*a)
		whole, say := native || document, plain
		if whole {
			say = s.ear.without(say, row, i)
		}
		if whole && invented && a.Problem == "" {
			a.Problem = voidProblem
		}
		told := native && mild(*a)
		label := told || whole && runs(*a) && mild(*a)
		disclaims := !label && s.ear.disclaimer(a.Reason)
		unfounded := s.ear.unfounded
		switch {
		case told && !runs(*a):
			unfounded = s.ear.refused
		case label:
			unfounded = s.ear.postponed
		}
		if put || whole && (all || s.ear.retained(say, row.members[i]) || d != nil && s.spared(d, *a, row.members[i])) || disclaims || doubtful.In(a.Reason) || unfounded(a.Reason) {
			Need(a, "place_words")
		}
		if disclaims {
			a.Reason = ""
		}
		if whole && grave(*a) && s.ear.unsaid(say) {
			Need(a, "place_unsaid")
		}
		switch {
		case told && s.ear.barred(say, s.in.Actions[i:i+1]):
			Need(a, "place_words")
		case heard && native && !told:
			Withhold(s.in.Actions[i:i+1], say, "")
		}
		if whole {
			s.retracted(i, row, label)
		}
		if native && slices.ContainsFunc(s.in.Actions[i+1:], func(b nebula.Action) bool { return s.ear.begs(b, *a) }) {
			Need(a, "place_question")
		}
		s.ear.quote(a, withoutChanges(s.beside())+"\n"+a.Reason, "")
	}
}

// spared reports whether a decision says of what an action is about that it stays.
func (s *settler) spared(d *nebula.Decision, a nebula.Action, m member) bool {
	path := reportAction(a).Path
	return slices.ContainsFunc([]string{d.Rationale, d.GoalConsistency, d.ConstraintCheck}, func(words string) bool {
		return s.ear.retained(words, m) || path != "" && slices.ContainsFunc(s.ear.denying(words), func(s *sentence) bool { return strings.Contains(s.text, path) })
	})
}

// leavesThis reports whether a question asks for leave to do what the reply does.
func (e *ear) leavesThis(question string) bool {
	return slices.ContainsFunc(e.sentences(question), func(s *sentence) bool {
		return s.leaves() && (s.japanese || anyOf(s.words, topics|demonstratives|pronouns))
	})
}

// beside is what is said of the reply as a whole.
func (s *settler) beside() string {
	if s.in.Decision == nil {
		return s.in.Say
	}
	return s.in.Decision.Rationale + "\n" + s.in.Say
}

// weigh adds the rows that the words before and behind an action need.
func (e *ear) weigh(a *nebula.Action, by saying, before, behind string) {
	if by.doubted {
		Need(a, "place_words")
	}
	if grave(*a) && e.unsaid(before) {
		Need(a, "place_unsaid")
	}
	if by.questioned {
		Need(a, "place_question")
	}
	e.quote(a, before, behind)
	if a.Against == "" && by.by != nil && slices.ContainsFunc(a.Repairs, func(name string) bool { return lists.Has(byWords, name) }) {
		a.Against, a.Waits = Clip(by.by.text, longestQuote), by.by.leaves()
	}
}

// quote attaches the words that stand against an action, where its place needed a row: those before and behind it.
func (e *ear) quote(a *nebula.Action, before, behind string) {
	if a.Against != "" || !slices.ContainsFunc(a.Repairs, func(name string) bool { return lists.Has(byWords, name) }) {
		return
	}
	all := append(e.lastSentences(before), e.firstSentences(behind)...)
	for i, stands := range []func(*sentence) bool{(*sentence).leaves, func(s *sentence) bool { return s.takes() || s.takesBack() || s.keeps() }, func(s *sentence) bool { return !s.does() && !s.offered }} {
		for _, s := range slices.Backward(all) {
			if stands(s) {
				a.Against, a.Waits = Clip(s.text, longestQuote), i == 0
				return
			}
		}
	}
}

// byWords are the rows of what is said beside an action, longestQuote how much of it is said again.
var byWords = []string{"place_words", "place_question", "place_unsaid"}

const longestQuote = 160

// begs reports whether a question to the person, as a call, asks for leave to do an action that stands before it.
func (e *ear) begs(asked, a nebula.Action) bool {
	if asked.Tool != "askUser" {
		return false
	}
	question := textOf(asked.Args, `"question":`)
	return slices.ContainsFunc(e.sentences(question), (*sentence).leaves) ||
		slices.ContainsFunc(e.sentences(question), func(s *sentence) bool {
			return s.questions() && slices.ContainsFunc(wordFields(s.text), func(w string) bool {
				w = strings.Trim(w, "`?!.,\"")
				return fileLike(w) && strings.Contains(string(a.Args), w) || len(w) > 3 && strings.Contains(strings.ToLower(a.Tool), w) || lists.Has(following, w)
			})
		})
}

// unapproved reports whether an error that a model reports is that it has no leave: AwaitingApproval.
func unapproved(text string) bool {
	low := strings.ToLower(text)
	return containsAny(low, []string{"approval", "permission", "confirmation", "consent"}) && containsAny(low, []string{"await", "pending", "need", "requir", "missing"})
}

// awaits reports whether a decision says that its writer waits for the person.
func awaits(d *nebula.Decision) bool {
	return d.Step == "AWAITING_APPROVAL" || d.NextStep == "pending_user"
}

// native reports whether an action is a call beside the text.
func native(a nebula.Action) bool { return a.Src.End <= a.Src.Start }

// forbears reports whether a sentence says that what it is about waits for somebody, or is kept from.
func (s *sentence) forbears() bool {
	if s.stands(affirms) {
		return false
	}
	if s.stands(against) || s.stands(wondered) {
		return true
	}
	if s.japanese {
		return s.waits() || containsAny(s.text, withheldJapanese) && !containsAny(s.text, givenJapanese)
	}
	words, heard := s.words, s.heard
	if len(words) == 0 {
		return false
	}
	spoken := anyOf(words, selves)
	for i, w := range words {
		spoken = spoken || (i == 0 || words[i-1].stop) && (w.text == "do" || w.is(negatives))
	}
	if heard.directed && !heard.resolved && spoken && !s.mentions(elsewhere) {
		return true
	}
	return s.waits()
}

// staysInside reports whether a sentence says that nothing leaves the machine, beside actions of which none sends anything: I will not push anything.
func (s *sentence) staysInside(actions []nebula.Action) bool {
	said := s.japanese && containsAny(strings.ToLower(s.text), outwardJapanese) && endsWith(strings.TrimRight(s.text, "。"), []string{"はしません", "は行いません", "はしていません"})
	for i, w := range s.words {
		said = said || !s.japanese && i > 0 && s.words[i-1].is(negatives) && lists.Has(outward, w.text) && i+2 == len(s.words) && s.words[i+1].text == "anything"
	}
	return said && !anyOf(s.words, topics) && !slices.ContainsFunc(actions, sends)
}

// sends reports whether an action may do more than change files here: it runs what is none of a few commands.
func sends(a nebula.Action) bool {
	command := textOf(a.Args, `"command":`)
	words := strings.Fields(command)
	return len(words) > 0 && (strings.ContainsAny(command, ";&|`$()") || !lists.Has(fileCommands, words[0]) && !(words[0] == "git" && len(words) > 1 && lists.Has([]string{"checkout", "restore", "mv", "rm"}, words[1])))
}

var (
	fileCommands    = []string{"rm", "mv", "cp", "sed", "mkdir", "rmdir", "touch", "truncate", ":"}
	outward         = []string{"push", "commit", "publish", "deploy", "upload", "install", "send"}
	outwardJapanese = []string{"push", "commit", "プッシュ", "コミット", "デプロイ", "公開"}
)

// breaks reports whether the answer to whether the rules or the goal are kept is no.
func breaks(check string) bool {
	no, broken := answersNo.In(check), breach.In(check)
	return (no || broken && !unbroken.In(check)) && !noBreach.In(check)
}

// Answers that begin with a no or a doubt, those that name what is broken, and those that deny it.
var (
	doubtful  = &lazy.Pattern{X: `(?i)^[\s\pP]*(?:no|doubt\w*|nein|non|いいえ|疑問|迷い|아니요|否)\s*[:：—]`}
	answersNo = &lazy.Pattern{X: `(?i)^[\s\pP]*(?:no|nope|false|doubt\w*|nein|non|いいえ|疑問|迷い|아니요|아니오|否|不是)(?:\s*[\pP—]|\s*$)`}
	breach    = &lazy.Pattern{X: `(?i)^[\s\pP]*(?:(?:fail(?:s|ed)?|violat\w+|breaks|conflicts|contradicts|inconsistent|forbidden|against|not (?:consistent|okay|ok|allowed|met|permitted|satisfied|in line|kept))\b|ng\b|❌|✗)|禁じられて|禁止されて|違反|矛盾|反する|反します|违反|不符|不一致|위반|위배`}
	noBreach  = &lazy.Pattern{X: `(?i)^[\s\pP]*no[\pP\s]+(?:no|nothing|none(?: (?:is|are|broken|violated).*)?)[\pP\s]*$|(?:not|n't) (?:violate|break|conflict|contradict|touch|affect)|no (?:violation|conflict|constraint|rule (?:forbids|is))|nothing (?:is (?:violated|broken)|forbids)`}
	unbroken  = &lazy.Pattern{X: `(?:なし|無し|ありません|ません|いない|しない|なく)[。.]?$|(?:不|没有|未|无)违反|不矛盾|(?:위반|위배)(?: 없|하지|되지)`}
)

// The words of leave: what else a refusal may be about, and in Japanese what waits for it and what says that it was given.
var (
	elsewhere        = []string{"else", "other", "others", "rest", "more", "further", "worry", "yet another"}
	withheldJapanese = []string{"確認後", "承認後", "許可後", "同意後", "了承後", "確認が取れ", "確認を取って", "許可があ", "許可を得て", "許可を得たら", "許可されたら", "承認があ", "承認を得て", "承認を得たら", "承認されたら", "同意を得て", "同意したら", "同意があ", "お待ち", "ご返事", "お返事", "返事を待", "返答を待", "まだ実行しません", "まだ実行しない", "実行しません", "実行しないで", "実行しないこと", "例です", "例であり"}
	givenJapanese    = []string{"ました", "済", "頂いた", "いただいた", "得たので", "ため", "テスト確認後", "動作確認後"}
)

// remark is a unit's own line behind the mark of a remark, where the action ends in that line.
func remark(text string, u unit) string {
	line, _, _ := strings.Cut(text[u.Start:], "\n")
	if !strings.HasPrefix(line, "$") && !strings.HasPrefix(line, "＄") {
		return ""
	}
	at := -1
	for _, mark := range []string{" #", " //", " <!--", " /*", " — ", " – ", " (", "（"} {
		if i := strings.Index(line, mark); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	if at < 0 {
		return ""
	}
	return line[at:]
}
