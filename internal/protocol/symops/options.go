package symops

import "strings"

// option takes a line of a list under a question.
func (b *builder) option(i int, s string) bool {
	t, ok := cutNumber(s)
	if !ok {
		t, ok = cutBullet(s)
	}
	if !ok {
		t, ok = cutLetter(s)
	}
	if !ok {
		t, ok = cutWideNumber(s)
	}
	if !ok && i <= b.asked+2 && optionWords[strings.ToLower(strings.Trim(s, "*_:： "))] {
		b.asked = i
		return true
	}
	if !ok || b.lines[i].kind != item && b.lines[i].indent == 0 && !ok || i > b.asked+1 {
		b.asked = -1
		return false
	}
	q := &b.doc.Questions[len(b.doc.Questions)-1]
	q.Options = append(q.Options, t)
	b.asked = i
	return true
}

func cutBullet(s string) (string, bool) {
	for _, mark := range []string{"- ", "* ", "+ ", "• ", "・", "[ ] ", "○ ", "◯ "} {
		if t, ok := strings.CutPrefix(s, mark); ok {
			t = strings.TrimPrefix(strings.TrimSpace(t), "[ ] ")
			return t, true
		}
	}
	return s, false
}

func cutLetter(s string) (string, bool) {
	t := strings.TrimPrefix(s, "(")
	if len(t) > 3 && (t[0] >= 'a' && t[0] <= 'h' || t[0] >= 'A' && t[0] <= 'H') && (t[1] == ')' || t[1] == '.') && t[2] == ' ' {
		return strings.TrimSpace(t[3:]), true
	}
	for _, r := range []string{"①", "②", "③", "④", "⑤", "⑥"} {
		if t, ok := strings.CutPrefix(s, r); ok {
			return strings.TrimSpace(t), true
		}
	}
	return s, false
}

// optionWords stand alone above a question's options.
var optionWords = set("options", "choices", "option", "choose one", "選択肢", "选项", "선택지")

// cutWideNumber cuts "１．" and "[1]" from the front.
func cutWideNumber(s string) (string, bool) {
	t := fold(strings.TrimLeft(s, "　"))
	if strings.HasPrefix(t, "[") {
		n := strings.TrimLeft(t[1:], "0123456789")
		if len(n) < len(t)-1 && strings.HasPrefix(n, "] ") {
			return strings.TrimSpace(n[2:]), true
		}
		return s, false
	}
	if len(t) == len(s) {
		return s, false
	}
	r := []rune(strings.TrimLeft(s, "　"))
	n := 0
	for n < len(r) && r[n] >= '０' && r[n] <= '９' {
		n++
	}
	if n == 0 || n > 2 || n == len(r) || !strings.ContainsRune("．.、)）：:", r[n]) {
		return s, false
	}
	return strings.TrimSpace(string(r[n+1:])), true
}
