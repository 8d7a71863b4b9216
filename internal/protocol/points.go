package protocol

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	"nebula"
)

// points are the names under which models say what an action is for, and what could be done instead.
var points = map[string]func(p *nebula.Points, text string){
	"intent": intended, "purpose": intended, "意図": intended, "目的": intended,
	"alternative": instead, "alternatives": instead, "代替案": instead, "代わり": instead,
}

func intended(p *nebula.Points, text string) { p.Intent = text }

func instead(p *nebula.Points, text string) {
	p.Alternatives = append(p.Alternatives, nebula.Code(text))
}

var pointLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?mi)^[\s~*-]*(intent|purpose|alternatives?|意図|目的|代替案|代わり)\s*[:：]\s*(.+?)\s*$`)
})

// pointsIn adds to the points that a call's arguments had those of its reason, from lines that begin with their names. nil
// where there are none.
func pointsIn(found nebula.Points, reason string) *nebula.Points {
	if strings.ContainsAny(reason, ":：") {
		for _, m := range pointLine().FindAllStringSubmatch(reason, -1) {
			points[strings.ToLower(m[1])](&found, m[2])
		}
	}
	if found.Intent == "" && found.Alternatives == nil {
		return nil
	}
	return &found
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
