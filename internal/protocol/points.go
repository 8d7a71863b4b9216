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

func instead(p *nebula.Points, text string) { p.Alternatives = append(p.Alternatives, text) }

var pointLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?mi)^[\s~*-]*(intent|purpose|alternatives?|意図|目的|代替案|代わり)\s*[:：]\s*(.+?)\s*$`)
})

// pointsIn takes the points for the person's decision out of an action: from arguments that its tool has no use for, and
// from lines of its reason that begin with their names. nil where there are none.
func pointsIn(raw json.RawMessage, reason string, spec nebula.ToolSpec) *nebula.Points {
	var found nebula.Points
	if names(string(raw), `"`) {
		fields, problem := fieldsOf(raw, spec)
		if problem != "" {
			return nil
		}
		for _, f := range strangers(fields, spec) {
			if set, ok := points[f.folded]; ok {
				for _, text := range textsOf(f.value) {
					set(&found, text)
				}
			}
		}
	}
	if names(reason, "") {
		for _, m := range pointLine().FindAllStringSubmatch(reason, -1) {
			points[strings.ToLower(m[1])](&found, m[2])
		}
	}
	if found.Intent == "" && found.Alternatives == nil {
		return nil
	}
	return &found
}

// names is the cheap look before the thorough one: whether a point's name stands behind a mark.
func names(text, mark string) bool {
	for _, name := range []string{"intent", "Intent", "INTENT", "purpose", "Purpose", "alternative", "Alternative", "ALTERNATIVE", "意図", "目的", "代替案", "代わり"} {
		if strings.Contains(text, mark+name) {
			return true
		}
	}
	return false
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
