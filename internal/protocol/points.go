package protocol

import (
	"encoding/json"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// points are the names under which models say what an action is for, what could be done instead, and whether they doubt that it
// is what was wanted. Doubts are written where there are any: what is well costs nothing (Duckflow v3 §7.1).
var points = map[string]func(p *nebula.Points, text string){
	"intent": intended, "purpose": intended, "意図": intended, "目的": intended,
	"alternative": instead, "alternatives": instead, "代替案": instead, "代わり": instead,
	"doubt": doubted("doubts_goal"), "懸念": doubted("doubts_goal"),
	"goalconsistency": unless("doubts_goal"), "goal_consistency": unless("doubts_goal"),
	"constraintcheck": unless("doubts_constraint"), "constraint_check": unless("doubts_constraint"),
}

func intended(p *nebula.Points, text string) { p.Intent = text }

func instead(p *nebula.Points, text string) {
	p.Alternatives = once(p.Alternatives, nebula.Code(text))
}

func doubted(what nebula.Code) func(*nebula.Points, string) {
	return func(p *nebula.Points, text string) {
		if !lists.Has(undoubted, strings.ToLower(strings.TrimRight(text, ".。 "))) {
			p.Doubts = once(p.Doubts, what)
		}
	}
}

// undoubted are the words for having no doubt.
var undoubted = []string{"none", "no", "nothing", "no doubt", "no doubts", "n/a", "-", "なし", "無し", "特になし", "ない", "ありません"}

// once is a list with one more code, where it has it not.
//
//go:noinline
func once(list []nebula.Code, c nebula.Code) []nebula.Code {
	if lists.Has(list, c) {
		return list
	}
	return append(list, c)
}

// unless is the doubt of a check that does not begin with yes.
func unless(what nebula.Code) func(*nebula.Points, string) {
	return func(p *nebula.Points, text string) {
		if nebula.Negative(text) || breaks(text) {
			p.Doubts = once(p.Doubts, what)
		}
	}
}

var pointLine = &lazy.Pattern{X: `(?mi)^[\s~*-]*(intent|purpose|alternatives?|doubt|goal_consistency|constraint_check|意図|目的|代替案|代わり|懸念)\s*[:：]\s*(.+?)\s*$`}

// doubtIn finds a doubt behind another sentence of its line.
var doubtIn = &lazy.Pattern{X: `(?mi)[.。;；!！?？]\s*(doubt|goal_consistency|constraint_check|懸念)\s*[:：]\s*(.+?)\s*$`}

// PointsOf are the points that a reason says; nil where it says none.
func PointsOf(reason string) *nebula.Points { return pointsIn(nil, reason) }

// pointsIn adds to the points that a call's arguments had those of its reason, from lines that begin with their names, a doubt also behind a sentence. nil
// where there are none.
func pointsIn(known *nebula.Points, reason string) *nebula.Points {
	var found nebula.Points
	if known != nil {
		found = *known
	}
	if strings.ContainsAny(reason, ":：") {
		for _, m := range lists.Concat(pointLine.For(reason).FindAllStringSubmatch(reason, -1), doubtIn.For(reason).FindAllStringSubmatch(reason, -1)) {
			points[strings.ToLower(m[1])](&found, m[2])
		}
	}
	if found.Intent == "" && found.Alternatives == nil && found.Doubts == nil {
		return nil
	}
	return &found
}

// point adds to points what a field of a call says of it, in its arguments or beside them, and reports whether it is such a field, and whether
// it says that the call breaks a rule.
func (f field) point(to **nebula.Points) (known, breaking bool) {
	set, known := points[f.folded]
	if !known {
		return false, false
	}
	for _, text := range textsOf(f.value) {
		if *to == nil {
			*to = &nebula.Points{}
		}
		set(*to, text)
		breaking = breaking || f.folded == "constraintcheck" && breaks(text)
	}
	return true, breaking
}

// textsOf are the texts of a value: one, or those of a list.
func textsOf(value json.RawMessage) []string {
	var text string
	var list []string
	if json.Unmarshal(value, &text) == nil {
		list = []string{text}
	} else if json.Unmarshal(value, &list) != nil {
		return nil
	}
	out := list[:0]
	for _, t := range list {
		if t = strings.TrimSpace(t); t != "" {
			out = append(out, t)
		}
	}
	return out
}
