package state

import (
	"slices"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// A leave is what a sentence of the person's allows to change again.
type leave struct {
	names  []string
	any    bool                // whatever was forbidden, or
	others bool                // whatever else
	once   bool                // in this turn
	acts   map[string][]string // what of it is to be made, deleted or renamed, by act
}

// Words of English sentences that allow changes, each list between spaces.
const (
	origins   = " from for using with like as per by matching than via against see reads about imports read compare so because since that which what "
	looking   = " explain describe show tell compare list find check review read look print think consider plan prepare imagine suppose say "
	retracts  = " forget lift drop scrap cancel ignore disregard "
	retracted = " said rule ban restriction bar words note "
	granted   = " ok okay fine free allowed open "
	done      = " changed modified edited altered rewritten overwritten bumped updated fixed patched replaced adapted deleted removed renamed moved touched written "
	speech    = " say says said tell tells told want wants wrote suggests recommends thinks asks asked claims "
	waiting   = " if when until unless provided assuming tomorrow later someday eventually soon "
)

// leaveOf reads what a sentence allows now: an order or a permission, not a condition, another's word or what something is to say.
func leaveOf(sentence string) (l leave) {
	if asksOnly.In(sentence) {
		return l
	}
	l.once = onceOnly.In(sentence)
	for _, m := range letsJapanese.For(sentence).FindAllStringSubmatch(sentence, -1) {
		if plain := notNegated.For(m[2]).ReplaceAllString(m[2], ""); !refusedJapanese.In(plain) && !waitsJapanese.In(sentence) {
			l.names = append(l.names, pathsIn(m[1])...)
		}
	}
	list := contents(tokens(sentence))
	if len(list) == 0 || list[0].is(looking) || waits(list) || relayed(list) {
		return l
	}
	for i, t := range list {
		switch {
		case denied(list, i):
		case t.is(changing) || t.low == "ahead":
			names := ordered(list, i)
			l.names = append(l.names, names...)
			for _, a := range acts {
				if len(names) > 0 && strings.Contains(" create delete rename ", " "+a.name+" ") && t.is(a.verbs) {
					l.made(a.name, names)
				}
			}
			if len(names) > 0 && t.is(" overwrite replace ") {
				l.made("delete", names)
			}
			if names, ok := meant(list, i+1); ok {
				l.names = append(l.names, names...)
			}
			l.general(list, i)
		case t.is(retracts):
			if n := slices.IndexFunc(list[i:], func(t token) bool { return t.is(retracted) }); n > 0 {
				l.names = append(l.names, ahead(list[i+n+1:], "")...)
			}
		case t.is(done) && list[max(i-1, 0)].low == "be", t.is(granted) && i > 0 && list[i-1].is(" is are "), t.low == "longer" && i > 0 && list[i-1].low == "no":
			if !stood(list[i+1:]) || t.low == "longer" {
				l.names = append(l.names, subject(list, i)...)
			}
		}
	}
	l.names = plain(append(l.names, renamed(sentence, list)...))
	return l
}

// forget lets go of what was forbidden last, in the sentence before this one or in the last message: forget that. A rule is one that is older too.
func (s *State) forget(words string, before []string, turn int) {
	last, prior := 0, ""
	for _, b := range s.barred {
		last = max(last, b.Turn)
	}
	if len(before) > 0 {
		prior, _ = Cut(before[len(before)-1], barWords)
	}
	s.barred = lists.Drop(lists.Clone(s.barred), func(b Bar) bool {
		if prior != "" {
			return b.Turn == turn && b.Words == prior
		}
		named := slices.ContainsFunc(b.Paths, func(p string) bool { // here, or in what was refused for it
			return strings.Contains(words, p) || s.heard.turn+1 == turn && strings.Contains(s.heard.text, p)
		})
		return b.Turn == last && last < turn && (last+1 == turn || named || ofRule.In(words))
	})
}

// Orders reports whether the message at work orders by its name that a file is changed.
func (s *State) Orders(file string) bool {
	return slices.ContainsFunc(sentencesOf(withoutPastes(withoutQuotes(s.Turn.Asks))), func(words string) bool {
		said := reword(words)
		return ordersChange.In(said) && slices.ContainsFunc(leaveOf(said).names, func(n string) bool { return called(n, file) })
	})
}

// made takes in what is to be made, deleted or renamed.
func (l *leave) made(act string, names []string) {
	if l.acts == nil {
		l.acts = map[string][]string{}
	}
	l.acts[act] = append(l.acts[act], names...)
}

// contents are the words before those that tell what a file named there is to say: change a.go to say three.
func contents(list []token) []token {
	for i, t := range list {
		if t.is(" say says ") && i > 0 && (list[i-1].end == ':' || list[i-1].is(" to it ")) && slices.ContainsFunc(list[:i], func(t token) bool { return t.path() != "" }) {
			return list[:i]
		}
	}
	return list
}

// general reads a permission for anything, or for anything else.
func (l *leave) general(list []token, i int) {
	behind := list[i+1 : min(i+4, len(list))]
	if !slices.ContainsFunc(list[begin(list, i):i], func(t token) bool { return t.is(" may can allowed free ") }) || slices.ContainsFunc(list[i:], func(t token) bool { return t.is(exceptions) || t.path() != "" }) {
		return
	}
	for n, t := range behind {
		switch {
		case t.is(" other others else rest "):
			l.any, l.others = true, true
		case t.is(" any anything every everything all ") && (n+1 == len(behind) || !behind[n+1].is(" in of ")):
			l.any = true
		}
	}
}

// ordered are the paths that an order names as what is to be changed.
func ordered(list []token, i int) []string {
	if i+1 < len(list) && (list[i+1].low == "sure" || list[i].parts()) {
		return nil
	}
	from := origins
	if list[i].low == "ahead" {
		from = ""
	}
	return ahead(list[i+1:], from)
}

// ahead are the paths up to where a statement ends; none behind a word that says that only what they hold is meant.
func ahead(list []token, origins string) (names []string) {
	for _, t := range list {
		name := t.path()
		if name == "" && t.is(origins) {
			break
		}
		if name != "" {
			names = append(names, name)
		}
		if t.parts() {
			break
		}
	}
	return names
}

// doubts are words behind which a verb is no order: I wonder whether to change it; how we commit.
const doubts = " wonder wondering whether maybe perhaps might how who "

// denied reports whether a verb stands behind a refusal, or what is no order: not to touch.
func denied(list []token, i int) bool {
	for n := i - 1; n >= max(0, i-5) && !list[n].stop(); n-- {
		if list[n].is(refusals+doubts+" no ") && !(list[n].low == "no" && n+1 < len(list) && list[n+1].low == "longer") {
			return true
		}
	}
	return false
}

// waits reports whether what is said holds under a condition, or at another time.
func waits(list []token) bool {
	for i, t := range list {
		next := token{}
		if i+1 < len(list) {
			next = list[i+1]
		}
		switch {
		case t.low == "if" && next.low == "you" && i+2 < len(list) && list[i+2].is(" like want need must wish "):
		case t.is(waiting):
			return true
		case t.low == "after" && !next.is(" that this all "):
			return true
		case t.low == "once" && !t.stop() && next.low != "" && !next.is(" just only for in and now more this "):
			return true
		}
	}
	return false
}

// relayed reports whether somebody else says it, or something is to say it.
func relayed(list []token) bool {
	for i, t := range list {
		if t.is(speech) && i > 0 && !slices.ContainsFunc(list[max(0, i-2):i], func(t token) bool { return t.is(" i i've we i'd ") }) {
			return true
		}
	}
	return false
}

var (
	letsJapanese = &lazy.Pattern{X: namesJapanese + `(?:は|を|に|には|も|の)*([^。、]{0,25}?(?:(?:変更|編集|修正|更新|追加|削除|対応|作成)(?:して|する|し|も|を|可|OK)|(?:触っ|直し|変え|消し|書き換え|書い|上げ)て|にして|(?:いい|よい|構わない|かまわない)|(?:件|話|ルール|制限|指示)(?:は|を|なら)?(?:もう)?(?:忘れて|なしで|取り消))[^。、]{0,12})`}
	forgets      = &lazy.Pattern{X: `(?i)^\W*(?:(?:ok|okay|actually|no|sorry|wait|please|you can|well|oh)\W+)*(?:forget(?: about)?|scratch|never ?mind|disregard|cancel|drop|lift|revert|undo|withdraw|retract) (?:that|this|what i (?:just )?said|(?:that|this|the|my) (?:last )?(?:rule|ban|restriction))(?: (?:again|please|now))*\W*$|` +
		`^(?:(?:やっぱり|すみません|さっき|今|先ほど|前|それ|その|この|ルール|制限|指示|禁止|こと|件|話)|「[^」]*」|という|[のはをも、])*(?:忘れて(?:ください|下さい|いい)?|なかったことに(?:して(?:ください)?)?|取り消し(?:ます|て(?:ください)?)?|撤回(?:します)?)[よね。!！]*$`}
	ofRule          = &lazy.Pattern{X: `(?i)rule|ban|restriction|ルール|制限|禁止`}
	refusedJapanese = &lazy.Pattern{X: `ない|禁止|せず|ずに|不可`}
	notNegated      = &lazy.Pattern{X: `構わない|かまわない|問題ない|問題はない|差し支えない|なければならない|ないといけない`}
	waitsJapanese   = &lazy.Pattern{X: `たら|れば|なら|場合|後で|あとで|てから|次第|ときは|時は|と言って|と言い|によると|らしい|そうです|明日|来週`}
	onceOnly        = &lazy.Pattern{X: `(?i)\b(?:once|(?:just|only) (?:this time|for this|this once|for now|now)|this (?:time|once|turn)|one time)\b|今回(?:だけ|のみ|限り)|(?:一度|1回|一回)だけ`}
	thisTurn        = &lazy.Pattern{X: `(?i) ?\b(?:(?:in|for|during) this (?:turn|request|message|reply|one)|this (?:turn|time)|(?:just |only )?(?:for )?this (?:time|once))\b,?|(?:今回|このターン|この(?:依頼|指示))(?:で|だけ|のみ|限り)?(?:は、?)?`}
	asksOnly        = &lazy.Pattern{X: `(?i)[?？]\W*$|^\W*(?:did|do (?:you|we|they|i|the)|does|have|has|had|is|are|was|were|why|what|which|who|where|how)\b|(?:ですか|ましたか|のか)[。]?$`}
)
