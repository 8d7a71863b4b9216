package symops

import (
	"html"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/protocol"
)

// A source is a reply as it is read: without what its way here did to it as a whole. It has the lines of the reply
// as it came, so that places can be named.
type source struct {
	text    string
	masked  func(int) bool // lines that are the model's reasoning; may be nil
	repairs []nebula.Repair
	came    string
	base    int    // the first byte that is read here
	line    int    // its line, from 0
	lines   []line // of what came from base on
}

// clean prepares what stands from a byte on, at the given line.
func clean(came string, base, line int) source {
	s := source{text: came[base:], came: came, base: base, line: line}
	s.fix(strings.TrimPrefix(s.text, "\ufeff"), "byte_order_mark")
	if crlf(s.text) {
		s.fix(strings.ReplaceAll(s.text, "\r\n", "\n"), "crlf")
	}
	s.fix(endless(s.text), "end_token")
	s.fix(unescaped(s.text), "escaped_newlines")
	s.fix(unquoted(s.text), quotedAs(s.text))
	s.fix(unslashed(s.text), "escaped_symbols")
	if escapedHTML(s.text) {
		s.fix(html.UnescapeString(s.text), "html_entities")
	}
	s.reasoning()
	return s
}

//go:noinline
func (s *source) fix(text, name string) {
	if text == s.text {
		return
	}
	s.text = text
	s.repairs = append(s.repairs, nebula.Repair{Name: name, Line: s.line + 1})
}

// endless cuts the tokens off with which chat templates end a reply.
func endless(s string) string {
	for {
		t := strings.TrimRight(s, " \t\r\n")
		cut := t
		for _, token := range []string{"<|im_end|>", "<|eot_id|>", "</s>", "<|endoftext|>", "<end_of_turn>", "<|end|>", "<eos>", "[/INST]", "<|end_of_text|>", "<｜end▁of▁sentence｜>"} {
			cut = strings.TrimSuffix(cut, token)
		}
		if cut == t {
			return s
		}
		s = cut
	}
}

// crlf reports whether carriage returns came with the transport: they end protocol lines, too.
func crlf(s string) bool {
	n := strings.Count(s, "\r\n")
	return n > 0 && n*10 >= strings.Count(s, "\n")*9
}

// unescaped turns a reply that came as one JSON string back into lines.
func unescaped(s string) string {
	t := strings.TrimSpace(s)
	if len(t) < 2 || t[0] != '"' || t[len(t)-1] != '"' || strings.Contains(t, "\n") || !strings.Contains(t, `\n`) {
		return s
	}
	r, err := protocol.Read(t)
	if err != nil || r.End != len(t) || len(r.Repairs)+len(r.Doubts) > 0 {
		return s
	}
	return protocol.Text(r.JSON)
}

// unquoted takes off Markdown's quote mark where it stands before the whole reply.
func unquoted(s string) string {
	if !strings.Contains(s, "> $ ") || !strings.HasPrefix(s, ">") && !strings.Contains(s, "\n> ~ ") && !strings.Contains(s, "\n> --") {
		return s
	}
	lines := strings.Split(s, "\n")
	quoted, plain := 0, 0
	for _, l := range lines {
		switch {
		case strings.HasPrefix(l, "$ "):
			return s // what is quoted beside it is another's
		case strings.HasPrefix(l, ">"):
			quoted++
		case strings.TrimSpace(l) != "":
			plain++
		}
	}
	if plain*4 > quoted {
		return s
	}
	for i, l := range lines {
		if t, ok := strings.CutPrefix(l, "> "); ok {
			lines[i] = t
		} else if t, ok := strings.CutPrefix(l, ">"); ok {
			lines[i] = t
		}
	}
	return strings.Join(lines, "\n")
}

// quotedAs is the row of a reply whose lines have Markdown's quote mark: with a thought or vitals of its own it is a reply, else a part of one
// that is shown.
func quotedAs(s string) string {
	if strings.Contains(s, "> ~ ") || strings.Contains(s, "> #c") {
		return "blockquote_reply"
	}
	return "blockquote_part"
}

// unslashed takes off the backslashes of a model that escapes the symbols as Markdown: \$ create \@ a.py. One symbol at
// the front of a line that is not escaped says that the others are meant as they stand.
func unslashed(s string) string {
	if !strings.Contains(s, `\$ `) {
		return s
	}
	for l := range strings.Lines(s) {
		if t := strings.TrimSpace(l); strings.HasPrefix(t, "$ ") || strings.HasPrefix(t, "~ ") {
			return s
		}
	}
	var b strings.Builder
	for l := range strings.Lines(s) {
		t := strings.TrimLeft(l, " \t")
		switch {
		case strings.HasPrefix(t, `\$ `):
			l = l[:len(l)-len(t)] + strings.NewReplacer(`\$ `, "$ ", `\@ `, "@ ", `\> `, "> ", `\_`, "_").Replace(t)
		case strings.HasPrefix(t, `\~ `), strings.HasPrefix(t, `\? `), strings.HasPrefix(t, `\! `), strings.HasPrefix(t, `\--`):
			l = l[:len(l)-len(t)] + t[1:]
		case strings.HasPrefix(t, `\#`):
			if v := strings.ReplaceAll(t, `\#`, "#"); strictVitals(strings.TrimSpace(v)) {
				l = v
			}
		}
		b.WriteString(l)
	}
	return b.String()
}

var entity = &lazy.Pattern{X: "^&(?:(lt|gt)|amp|quot|apos|nbsp|#x?[0-9A-Fa-f]+);"}

// escapedHTML reports whether the reply as a whole was escaped: entities, and not one character that they stand for.
func escapedHTML(s string) bool {
	if strings.IndexByte(s, '&') < 0 || strings.IndexByte(s, '<') >= 0 || strings.IndexByte(s, '>') >= 0 {
		return false
	}
	angles := 0
	for rest := s; ; {
		i := strings.IndexByte(rest, '&')
		if i < 0 {
			return angles > 2
		}
		m := entity.Re().FindStringSubmatch(rest[i:min(len(rest), i+10)])
		if m == nil {
			return false
		}
		if m[1] != "" {
			angles++
		}
		rest = rest[i+len(m[0]):]
	}
}

// join is the text of lines [first, last): a part of the reply where nothing has to be taken off its lines.
func (s *source) join(lines []line, first, last int, margin string) string {
	if last <= first {
		return ""
	}
	whole := s.text[lines[first].start:lines[last-1].end]
	crs := strings.Contains(whole, "\r\n")
	if margin == "" && !crs {
		return whole
	}
	if margin == "" { // carriage returns of this block only are its own
		return s.text[lines[first].start:s.through(int(lines[last-1].end))]
	}
	var b strings.Builder
	for i := first; i < last; i++ {
		if i > first {
			b.WriteByte('\n')
		}
		b.WriteString(strings.TrimPrefix(lines[i].text(s.text), margin))
	}
	return b.String()
}

// through keeps the carriage return of a block's last line when its other lines have one.
func (s *source) through(end int) int {
	if end < len(s.text) && s.text[end] == '\r' {
		return end + 1
	}
	return end
}

// span is where lines first to last stand in what came.
func (s *source) span(first, last int) nebula.Span {
	if s.lines == nil {
		s.lines = split(s.came[s.base:])
	}
	if first >= len(s.lines) || first < 0 {
		return nebula.Span{Start: s.base, End: len(s.came), Line: s.line + 1}
	}
	last = max(first, min(last, len(s.lines)-1))
	return nebula.Span{Start: s.base + int(s.lines[first].start), End: s.base + int(s.lines[last].end), Line: s.line + first + 1}
}

// reasoning masks what the model thought before it answered, where it came with the text. When only the end of its tags
// is there, the head was in the prompt.
func (s *source) reasoning() {
	to, _ := protocol.Body(nebula.Reply{Parts: nebula.Text(s.text)})
	name := "think_block"
	if to == 0 {
		for _, shut := range []string{"</think>", "</thinking>", "</reasoning>"} {
			before, behind, found := strings.Cut(s.text, shut)
			rest, _, _ := strings.Cut(behind, "\n")
			quoted := strings.ContainsAny(before[strings.LastIndexByte(before, '\n')+1:], "\"'`") || strings.Contains(before, "<"+shut[2:])
			if found && !quoted && strings.TrimSpace(rest) == "" && !inBlock(before) {
				to = len(before) + len(shut)
			}
		}
	} else if more, _ := protocol.Body(nebula.Reply{Parts: nebula.Text(s.text + "\n.")}); more > len(s.text) {
		name, to = "think_unclosed", paragraphs(s.text)
	}
	if rest, _, _ := strings.Cut(s.text[to:], "\n"); strings.TrimSpace(rest) != "" { // the answer goes on in this line: leave its line to it
		to = strings.LastIndexByte(s.text[:to], '\n')
	}
	if to <= 0 {
		return
	}
	last := strings.Count(s.text[:to], "\n")
	s.masked = func(i int) bool { return i <= last }
	s.repairs = append(s.repairs, nebula.Repair{Name: name, Line: s.line + 1})
}

// inBlock reports whether a text ends inside a block.
func inBlock(s string) bool {
	open := ""
	for l := range strings.Lines(s) {
		switch l = strings.TrimRight(l, " \r\n"); {
		case l == open:
			open = ""
		case open == "" && len(l) > 1 && strings.Trim(l, "-") == "":
			open = l
		}
	}
	return open != ""
}

// paragraphs measures reasoning that nothing ends: up to the first line of protocol.
func paragraphs(s string) int {
	at := 0
	for l := range strings.Lines(s) {
		t := strings.TrimSpace(l)
		if at > 0 && (strings.HasPrefix(t, "~ ") || strictVitals(t) || strings.HasPrefix(t, "$ ") && strings.Contains(t, " @ ")) {
			return max(0, at-1)
		}
		at += len(l)
	}
	return len(s)
}
