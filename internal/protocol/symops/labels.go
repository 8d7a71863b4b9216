package symops

import (
	"strings"
	"unicode/utf8"
)

// labelLine reads "Word: text".
func (l *line) labelLine(s string) bool {
	lab, rest := readLabel(s)
	switch lab {
	case noLabel:
		return false
	case inputLabel:
		if rest != "" && rest[0] != '{' {
			if !strings.Contains(strings.ToLower(s), "action") || strings.HasPrefix(rest, "|") {
				return false
			}
			lab = pathLabel // ReAct's, of a tool that takes no more
		}
	case verbLabel:
		verb, known := canonical(strings.Trim(rest, "`*\"' "))
		if h, ok := readLabelled(rest); ok && !known {
			verb, known = h.verb, true
		}
		if !known && !toolWords[folded(verb)] {
			return false
		}
		l.set(needing, writes(verb))
	}
	l.kind, l.label, l.strength = labelKinds[lab], lab, weak
	return true
}

var labelKinds = [...]kind{thoughtLabel: labelSays, questionLabel: labelSays, errorLabel: labelSays, vitalsLabel: labelSays, inputLabel: labelSays,
	verbLabel: labelVerb, pathLabel: labelTarget, commandLabel: labelTarget, contentLabel: labelDetail, dependencyLabel: labelDetail, headerLabel: labelHeader}

// readLabel reads "Word: text", with Markdown around the word.
func readLabel(s string) (label, string) {
	t := s
	for t != "" && strings.IndexByte("#*_- >`\"", t[0]) >= 0 {
		t = t[1:]
	}
	head := t[:min(len(t), 44)]
	i := strings.IndexByte(head, ':')
	if wide := strings.Index(head, "："); wide >= 0 && (i < 0 || wide < i) {
		i = wide
	}
	if i <= 0 && len(t) < 40 && s != "" && (s[0] == '#' || s[0] == '*') { // a heading
		switch lab := labels[strings.ToLower(strings.Trim(t, "*_`# "))]; lab {
		case thoughtLabel, vitalsLabel, headerLabel, questionLabel:
			return lab, ""
		}
	}
	if i <= 0 || i > 40 {
		return noLabel, ""
	}
	word := strings.ToLower(strings.TrimSpace(strings.Trim(t[:i], "*_`\" ")))
	lab, ok := labels[word]
	if !ok {
		lab, ok = labels[strings.TrimRight(word, " 0123456789")]
	}
	if !ok {
		return noLabel, ""
	}
	text := strings.TrimSpace(t[i+utf8.RuneLen(first(t[i:])):])
	text = strings.TrimSpace(strings.TrimPrefix(text, "**"))
	return lab, text
}

// label takes a "Word: text" line.
func (b *builder) label(i int, s string) {
	lab, rest := readLabel(s)
	if t, ok := strings.CutPrefix(s, "@ "); ok {
		b.repair("path_on_next_line", i)
		b.labelPath(i, strings.TrimSpace(t))
		return
	}
	if t, ok := strings.CutPrefix(s, "> "); ok && b.cur != nil && lab == noLabel {
		dep := unquote(strings.TrimSpace(t))
		b.cur.DependsOn = &dep
		b.repair("dependency_word", i)
		return
	}
	if lab != headerLabel {
		b.repair("label_line", i)
	}
	switch lab {
	case vitalsLabel:
		v, repairs, ok := readVitals(clip(rest))
		if !ok {
			v, repairs, _ = readVitals("#" + clip(rest))
		}
		b.vitals(v)
		b.fix(repairs, i)
	case thoughtLabel, questionLabel, errorLabel:
		if rest == "" {
			b.list = lab
			return
		}
		b.said(lab, rest)
		switch lab {
		case thoughtLabel:
			b.wrap = i + 1
		case questionLabel:
			b.asked = i
		}
	case verbLabel:
		if h, ok := readLabelled(rest); ok {
			h.repair("label_action")
			b.begin(i, h)
			return
		}
		verb, _ := canonical(strings.Trim(rest, "`*\"' "))
		b.begin(i, head{verb: verb, strength: medium, marked: true, dollar: true, repairs: []string{"label_action"}})
	case pathLabel, inputLabel:
		b.labelPath(i, rest)
	case commandLabel:
		if b.cur == nil || b.cur.Path != "" {
			b.begin(i, head{verb: run, strength: weak, repairs: []string{"label_action", "missing_dollar"}})
		}
		b.cur.Path = unquote(rest)
	case dependencyLabel:
		if dep := unquote(rest); b.cur != nil && dep != "" && !strings.EqualFold(dep, "none") && dep != "-" && dep != "null" {
			b.cur.DependsOn = &dep
		}
	}
}

func (b *builder) labelPath(i int, rest string) {
	if b.cur == nil || b.cur.Path != "" {
		b.barePath(i, unquote(rest))
		return
	}
	h := head{verb: b.cur.Type}
	h.target(rest)
	b.setTarget(h)
	b.fix(h.repairs, i)
}
