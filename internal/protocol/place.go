package protocol

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// place adds to every action the rows that its place in the reply needs: what stands directly before and behind it, and
// around it when its form is one that nobody taught.
func (s *settler) place(holders []nebula.Span) {
	text := s.reply.Text()
	units := s.units(holders)
	voidAt, voidLine := s.imitation(units)
	body, _ := Body(s.reply)
	if voidAt >= 0 { // the reply ends there, but for what takes back what stands before it
		text, units = text[:voidAt], units[:sort.Search(len(units), func(n int) bool { return units[n].Start >= voidAt })]
	}
	put := s.said(text, body, units)
	s.takenBack(put, units, voidAt)
	frames, recited := framed(text, units, body), s.recited(text, body, units)
	prose := -1 // not looked for
	for i := range s.in.Actions {
		a := &s.in.Actions[i]
		if voidAt >= 0 && a.Src.Start > voidAt {
			a.Problem = cmp.Or(a.Problem, voidProblem)
			continue
		}
		if a.Src.End <= a.Src.Start || a.Src.End > len(text) {
			continue
		}
		n := sort.Search(len(units), func(n int) bool { return units[n].End > a.Src.Start })
		if n == len(units) {
			continue
		}
		before, behind := around(text, body, units, n)
		dress := quotation(before)
		if marked(text[units[n].Start:]) || inFrame(frames, units[n]) || recited[n] || inListing(text, units[n], body) {
			dress = "place_quotation"
		}
		if file := fileBefore(before); file != "" && !changes(a, file) {
			dress = "place_quotation"
		}
		if dress != "" && !(s.repaired("blockquote_reply") && allQuoted(before)) {
			Need(a, dress)
		}
		if continues(behind) || listed(text, units[n]) {
			Need(a, "place_sentence")
		}
		if surrounded(text, units[n], before, behind) || besideFence(text, units[n]) || s.ear.unfounded(remark(text, units[n])) {
			Need(a, "place_words")
		}
		s.ear.weigh(a, put[n], before, behind)
		if fenced := formOf(*a) != "" && strings.Contains(phrase.LastLine(before), "```"); !fenced && !s.foreign(a) && !units[n].wrapped {
			continue
		}
		if prose < 0 {
			prose = 0
			if amongProse(text, units) && !s.announced(text, units, body) {
				prose = 1
			}
		}
		if prose == 1 {
			Need(a, "place_prose")
		}
		if dressed(text, units[n], body) {
			Need(a, "place_dress")
		}
	}
	if voidAt >= 0 && len(s.in.Actions) > 0 {
		s.in.Problems = append(s.in.Problems, nebula.Problem{Line: voidLine, Text: voidProblem})
	}
}

// A saying is what the words before and behind a unit say of it.
type saying struct {
	doubted, questioned bool
	by                  *sentence // of another action's words
}

// hold takes in what sentences say of a unit.
//
//go:noinline
func (s *saying) hold(by ...heldBy) {
	for _, h := range by {
		s.doubted, s.questioned, s.by = s.doubted || !h.asks, s.questioned || h.asks, h.sentence
	}
}

// said judges every unit by the words beside it. What is said above a list or below one is said of all of it, up to words that say that
// others are done; what names some of the units is said of these (scope.go).
func (s *settler) said(text string, body int, units []unit) []saying {
	list, row := make([]saying, len(units)), s.lineup(units)
	texts := make([]string, len(units)+1) // above and below each unit
	for n := range units {
		texts[n], texts[n+1] = around(text, body, units, n)
	}
	s.ear.holding(texts, row, func(n int, by *sentence) { list[n].hold(heldBy{by, false}) })
	var from []*sentence // what holds the unit above from above it
	for n := range units {
		above, _ := around(text, body, units, n)
		above = s.ear.without(above, row, n)
		said := s.ear.lastSentences(above)
		shown, below, is := lastShown(above)
		switch {
		case is && s.ear.against(shown) && s.ear.reaches(s.ear.lastSentences(shown), below):
			from, list[n].doubted = s.ear.lastSentences(shown), true
		case s.ear.against(above) && tongue(beside(above, false)) != ours:
			from, list[n].doubted = said, true
		case n > 0 && s.ear.reaches(from, above):
			list[n].hold(heldBy{from[len(from)-1], false})
		default:
			from = s.ear.early(stretch(text, body, units, n), row, n).alone()
			list[n].doubted = list[n].doubted || from != nil
		}
	}
	var of []heldBy // what holds the unit below from below it
	for n := len(units) - 1; n >= 0; n-- {
		_, below := around(text, body, units, n)
		by := s.ear.behind(s.ear.without(s.ear.here(below, n+1 < len(units)), row, n))
		by = append(by, s.ear.late(s.ear.here(stretch(text, body, units, n+1), n+1 < len(units)), row, n)...)
		if of = row.about(of, n); s.ear.reaches(sentencesOf(of), below) {
			by = append(by, of...)
		}
		of = by
		list[n].hold(by...)
		list[n].doubted = list[n].doubted || choice(beside(below, true))
	}
	return list
}

// lineup are the units by what names the actions in them.
func (s *settler) lineup(units []unit) lineup {
	rows := make([][]nebula.Action, len(units))
	for _, a := range s.in.Actions {
		if n := sort.Search(len(units), func(n int) bool { return units[n].End > a.Src.Start }); n < len(units) && a.Src.End > a.Src.Start {
			rows[n] = append(rows[n], a)
		}
	}
	return lineupOf(rows...)
}

// against reports whether the words before an action say that it is not meant, or not yet.
func (e *ear) against(before string) bool {
	return !labelled(before) && (e.doubted(before) || e.unmeant(before))
}

const voidProblem = "from here on the reply invents what only the program or the person can say, so nothing behind it counts and nothing of it was done. Stop behind your actions; the results come next."

// foreign reports whether an action is in a form that nobody taught.
func (s *settler) foreign(a *nebula.Action) bool {
	return s.in.Dialect != "" || slices.ContainsFunc(a.Repairs, func(name string) bool {
		row, _ := RowOf(name)
		return row.Kind&Foreign != 0
	})
}

// A unit is an outermost span of the reply in which actions stand, with the wrappers of calls around it.
type unit struct {
	Start, End int
	wrapped    bool
}

// repaired reports whether the reply needed a repair.
func (s *settler) repaired(name string) bool {
	return slices.ContainsFunc(s.in.Repairs, func(r nebula.Repair) bool { return r.Name == name })
}

// units are in order.
func (s *settler) units(holders []nebula.Span) []unit {
	spans := slices.Clone(holders)
	for _, a := range s.in.Actions {
		if a.Src.End > a.Src.Start && a.Src.End <= len(s.reply.Text()) {
			spans = append(spans, a.Src)
		}
	}
	lists.Sort(spans, func(x, y nebula.Span) int { return cmp.Or(x.Start-y.Start, y.End-x.End) })
	var kept []unit
	for _, span := range spans {
		from := 0
		if len(kept) > 0 {
			from = kept[len(kept)-1].End
		}
		if span.Start >= from {
			kept = append(kept, grown(s.reply.Text(), span, from))
		}
	}
	return kept
}

// grown is a span without blanks before it and with the wrappers around it, none of them before from.
func grown(text string, span nebula.Span, from int) unit {
	u := unit{Start: span.Start, End: span.End}
	u.Start += len(text[u.Start:u.End]) - len(strings.TrimLeft(text[u.Start:u.End], " \t\r\n"))
	for {
		before, behind := strings.TrimRight(text[min(from, u.Start):u.Start], " \t\r\n"), strings.TrimLeft(text[u.End:], " \t\r\n")
		open, calls := wrapped(before, opener, strings.HasSuffix)
		closed, called := wrapped(behind, closer, strings.HasPrefix)
		if open > 0 {
			u.Start = min(from, u.Start) + len(before) - open
		}
		if closed > 0 {
			u.End = len(text) - len(behind) + closed
		}
		u.wrapped = u.wrapped || calls || called
		if open == 0 && closed == 0 {
			return u
		}
	}
}

// nearby is how far around an action is looked for words about it.
const nearby = 600

// around is the text directly before and behind a unit, up to its neighbours, and to where the reply's body begins.
func around(text string, body int, units []unit, n int) (before, behind string) {
	if n >= len(units) {
		return "", ""
	}
	from, to := min(units[n].Start, max(body, units[n].Start-nearby)), min(len(text), units[n].End+nearby)
	if n > 0 {
		from = max(from, units[n-1].End)
	}
	if n+1 < len(units) {
		to = min(to, units[n+1].Start)
	}
	return text[from:units[n].Start], text[units[n].End:max(units[n].End, to)]
}

// lastOf is the last line of a text that says something, within which wrappers and list marks say nothing.
func lastOf(text string) string {
	for text != "" {
		i := strings.LastIndexByte(strings.TrimRight(text, "\n"), '\n') + 1
		line := text[i:]
		if !hollow(line) {
			return line
		}
		text = text[:i]
	}
	return ""
}

// hollow reports whether a line has no words: white space, a fence, a tag, a label, a list's mark.
func hollow(line string) bool {
	line = strings.TrimSpace(line)
	if len(line) > labelWidth && letter(line[0]|0x20) && !strings.EqualFold(line[:len("action:")], "action:") {
		return false
	}
	line = strings.Trim(line, " \t\r\n*_#>-+=•・0123456789.)(（）\u3000\ufeff")
	switch {
	case line == "", strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
		return true
	case strings.HasPrefix(line, "<") && strings.HasSuffix(line, ">"), strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
		return !strings.ContainsAny(line, " .")
	}
	if len(line) >= len("action:") && strings.EqualFold(line[:len("action:")], "action:") && !strings.Contains(strings.TrimSpace(line[len("action:"):]), " ") {
		return true
	}
	label := strings.TrimRight(line, ":： *_")
	return len(label) < labelWidth && (label != line || label != strings.ToLower(label)) && lists.Has(labels, strings.ToLower(label))
}

// labelWidth is more bytes than a label has.
const labelWidth = 24

// labels announce actions and say nothing of them.
var labels = []string{"action", "actions", "action input", "tool", "tools", "tool call", "tool calls", "commentary", "final", "answer", "行動", "アクション", "ツール"}

// quotation names the row of an action that stands in a quotation: in tags for shown text, or in a line of a listing.
func quotation(before string) string {
	if strings.ContainsAny(before, "<[") && shows(strings.ToLower(before)) {
		return "place_quotation"
	}
	line := strings.TrimLeft(before[strings.LastIndexByte(before, '\n')+1:], " \t")
	if numbered(line) || marked(line) || lists.Has(cuts, phrase.LastLine(before)) {
		return "place_quotation"
	}
	return ""
}

// cuts are lines above what was cut out of a text.
var cuts = []string{`"""`, "...", "…", "[...]", "[…]"}

// marked reports whether a line begins with the mark of a quotation, or a listing's number.
func marked(line string) bool {
	if rest := strings.TrimLeft(line, "0123456789"); rest != line && strings.IndexAny(rest, ":|│") == 0 {
		return true
	}
	return strings.HasPrefix(line, ">") && !strings.HasPrefix(line, ">>>")
}

// shows reports whether a tag around text that is shown is open at a text's end.
func shows(low string) bool {
	for _, tag := range quoting {
		for _, bracket := range []string{"<", "["} {
			if open := strings.LastIndex(low, bracket+tag); open >= 0 && !strings.Contains(low[open:], bracket+"/"+tag) {
				return true
			}
		}
	}
	open := strings.LastIndex(low, "<!--")
	return open >= 0 && !strings.Contains(low[open:], "-->")
}

// quoting are the tags around text that is shown.
var quoting = []string{"pre", "code", "blockquote", "example", "quote", "sample", "document", "output", "file", "log", "kbd", "samp", "details", "user", "human", "issue", "doc", "![cdata["}

// numbered reports whether what stands before an action in its line is a listing's number: 3:, 12|, a.go:3:.
func numbered(line string) bool {
	line = strings.TrimRight(line, " \t")
	if line == "" || !strings.ContainsRune(":|│", lastRune(line)) {
		return false
	}
	word := line[strings.LastIndexAny(line, " \t")+1:]
	word = strings.TrimRight(word, ":|│")
	digits := word[strings.LastIndexByte(word, ':')+1:]
	if word == "" { // 12 |
		digits = strings.TrimRight(strings.TrimRight(line, ":|│"), " \t")
	}
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// amongProse reports whether anything but actions is said in a reply: thoughts, labels and wrappers are not.
func amongProse(text string, units []unit) bool {
	from, _ := Body(nebula.Reply{Parts: nebula.Text(text)})
	for i := 0; i <= len(units); i++ {
		to := len(text)
		if i < len(units) {
			to = units[i].Start
		}
		if from < to && spoken(text[from:to]) {
			return true
		}
		if i < len(units) {
			from = max(from, units[i].End)
		}
	}
	return false
}

// announced reports whether the words around a reply's actions, in a form that nobody taught, do no more than introduce them and go on behind
// them: the sentences above say that something is done, or why; none of them takes it back, hands over to what follows, or asks.
func (s *settler) announced(text string, units []unit, body int) bool {
	for n := range units {
		if n > 0 && spoken(text[units[n-1].End:max(units[n].Start, units[n-1].End)]) {
			return false
		}
	}
	above, below := text[body:max(body, units[0].Start)], text[units[len(units)-1].End:]
	open := !strings.Contains(phrase.LastLine(above), "```") // in no code block, where what follows a nod is only shown
	for _, of := range s.ear.lastSentences(below) {
		if !of.offered && !of.does() && !(open && of.nods()) || of.takesBack() || of.questions() {
			return false
		}
	}
	list := s.ear.lastSentences(above)
	switch {
	case len(list) == 0, labelled(above), open && len(list) == 1 && list[0].nods():
		return true
	case s.ear.against(above), !open && !Announces(above): // in a code block what was only spoken of is shown
		return false
	}
	end, leads := list[len(list)-1], leadsUp(strings.TrimSpace(lastOf(above)), list)
	if at := text[units[0].Start:]; !Opens(at) && Wrapper(at) == 0 { // could be quoted as well: it must be said that it is done
		return !spoken(below) && len(list) < 3 && end.cue == resolve && (end.stands(instant) || end.japanese || end.undertakes())
	}
	return end.offered || end.does() && (!leads || end.japanese || len(end.words) != 1) || !leads && !end.showsNext()
}

// showsNext reports whether a sentence points at what follows without doing it: 次の記述があります。
func (s *sentence) showsNext() bool {
	return containsAny(s.text, pointingJapanese) || slices.ContainsFunc(s.words, func(w word) bool { return lists.Has(following, w.text) })
}

// spoken reports whether a text between actions has words for the person.
func spoken(text string) bool {
	for line := range strings.Lines(text) {
		line = unwrapped(line)
		line = strings.TrimSpace(line)
		if hollow(line) || strings.Trim(line, ",;[](){}|`") == "" {
			continue
		}
		if !muted(line) {
			return true
		}
	}
	return false
}

// muted reports whether a line is for the program.
func muted(line string) bool {
	low := strings.ToLower(line[:min(len(line), 16)])
	return slices.ContainsFunc(silent, func(mark string) bool { return strings.HasPrefix(low, mark) })
}

// silent begin lines that are for the program: thoughts, vitals, rules.
var silent = []string{"confidence:", "mood:", "focus:", "stamina:", "~", "～", "#c", "#m", "#f", "#s", "thought:", "thoughts:", "thinking:", "reasoning:", "思考:", "思考：", "考え:", "考え：", "---", "==="}

// dressed reports whether a unit stands in a sentence, a list or an indented block, in a text that begins at from.
func dressed(text string, u unit, from int) bool {
	before := text[min(u.Start, max(from, strings.LastIndexByte(text[:u.Start], '\n')+1)):u.Start]
	if words := strings.TrimSpace(before); words != "" {
		return !strings.ContainsRune(".!。！", lastRune(words)) // behind whole sentences it is in none
	}
	return strings.HasPrefix(before, "    ") || strings.Contains(before, "\t")
}

// continues reports whether a text goes on in the middle of a sentence.
func continues(behind string) bool {
	for line := range strings.Lines(behind) {
		if hollow(line) {
			continue
		}
		first, _ := utf8.DecodeRuneInString(strings.TrimLeft(line, " \t"))
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		return unicode.IsLower(first) && !inJapaneseWords(line) && !fileLike(word) && !strings.HasPrefix(strings.TrimSpace(line), "ok ")
	}
	return false
}

// listed reports whether a unit is an item of a list whose neighbours are words: one of several ideas.
func listed(text string, u unit) bool {
	at := strings.LastIndexByte(text[:u.Start], '\n') + 1
	if !item(text[at:u.Start], false) {
		return false
	}
	above := strings.TrimRight(text[:at], "\n")
	below := strings.TrimLeft(text[u.End:], " \t\r\n")
	below, _, _ = strings.Cut(below, "\n")
	return item(above[strings.LastIndexByte(above, '\n')+1:], true) || item(below, true)
}

// item reports whether a line is a list's item, and has words where spoken says so.
func item(line string, spoken bool) bool {
	rest := strings.TrimLeft(line, " \t")
	mark := strings.TrimLeft(rest, "-*+•・0123456789.)")
	if mark == rest || !strings.HasPrefix(mark, " ") {
		return false
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(mark, " *_"))
	return !spoken || unicode.IsLetter(first) && !strings.ContainsAny(mark, "$`[{<|@")
}
