package actionlist

import (
	"slices"
	"strings"

	"nebula"
	"nebula/internal/protocol"
)

// A decoder goes through a reply's lines and reads the documents that begin at one.
type decoder struct {
	text  string
	tools []nebula.ToolSpec
	in    nebula.Intent

	say       strings.Builder
	documents []nebula.Span // that held something
	blocks    int           // of them, in code blocks
	lists     int           // of them, with a list of actions
	failures  int
	void      bool // a result was invented: what is behind it counts for nothing

	lines, counted int
}

// maxFailures bounds how often a line that only looks like a document is read to its broken place.
const maxFailures = 16

func (d *decoder) read(pos int) {
	for pos < len(d.text) {
		end := lineEnd(d.text, pos)
		line := d.text[pos:end]
		trimmed := strings.TrimSpace(line)
		switch {
		case fence(trimmed) != "":
			pos = d.block(pos, end, trimmed)
			continue
		case begins(trimmed):
			if next, ok := d.document(pos, len(d.text)); ok {
				pos = next
				continue
			}
		default:
			if at := behindSentence(line); at > 0 && len(d.documents) == 0 && d.acts(pos+at) {
				if next, ok := d.document(pos+at, len(d.text)); ok {
					d.say.WriteString(line[:at])
					pos = next
					continue
				}
			}
		}
		d.void = d.void || protocol.Imitates(line, d.in.Actions)
		d.say.WriteString(line)
		pos = end
	}
	d.ending()
}

// behindSentence is where in a line an object begins behind a whole sentence; 0 for none.
func behindSentence(line string) int {
	at := strings.IndexByte(line, '{')
	if before := strings.TrimRight(line[:max(at, 0)], " "); before == "" || !strings.HasSuffix(before, "!") && !strings.HasSuffix(before, ".") && !strings.HasSuffix(before, "。") && !strings.HasSuffix(before, "！") {
		return 0
	}
	return at
}

// acts reports whether the object at pos calls one of the tools, or has a list that does.
func (d *decoder) acts(pos int) bool {
	m, ok := protocol.Walk(d.text, pos, 1)
	for ok && d.failures < maxFailures && m.Next() {
		r, read := m.Read()
		if read && (protocol.NamesCall(m.Key, r.JSON, d.tools) || listNames[m.Key] && protocol.NamesTool(string(r.JSON), d.tools)) {
			return true
		}
		ok = read
	}
	d.failures++
	return false
}

// ending settles what depends on the whole: several documents in code blocks are as likely quotes as actions.
func (d *decoder) ending() {
	if rest := strings.TrimSpace(d.say.String()); rest != "" {
		if len(d.documents) > 0 {
			d.repair("list_text_around", 1)
		}
		d.in.Say = strings.TrimSpace(d.in.Say + "\n" + rest)
	}
	if d.lists > 1 && d.repeated() {
		d.lists = 1
	}
	if d.lists > 1 && d.blocks < 2 {
		for i := range d.in.Actions {
			d.in.Actions[i].Problem = "the reply has two documents with lists of actions; only one can be meant, so nothing was done."
		}
	}
	if d.blocks > 1 || d.blocks > 0 && len(d.documents) > d.blocks {
		for i := range d.in.Actions {
			protocol.Need(&d.in.Actions[i], "list_blocks")
		}
	}
}

// repeated drops the documents behind the first where all of them ask for just the same, and reports whether they do: a
// reply that was written twice is meant once.
func (d *decoder) repeated() bool {
	var first []nebula.Action
	for i, doc := range d.documents {
		var here []nebula.Action
		for _, a := range d.in.Actions {
			if a.Src.Start >= doc.Start && a.Src.Start < doc.End {
				here = append(here, a)
			}
		}
		if i == 0 {
			first = here
		}
		if len(first) == 0 || !slices.EqualFunc(first, here, func(a, b nebula.Action) bool {
			return a.Tool == b.Tool && a.Problem == b.Problem && string(a.Args) == string(b.Args)
		}) {
			return false
		}
	}
	d.in.Actions = first
	d.repair("said_twice", d.documents[1].Line)
	return true
}

// block reads a code block: a document, or a quote.
func (d *decoder) block(pos, inside int, opening string) (next int) {
	mark := fence(opening)
	end, next := len(d.text), len(d.text)
	for at := inside; at < len(d.text); {
		stop := lineEnd(d.text, at)
		if line := strings.TrimSpace(d.text[at:stop]); strings.HasPrefix(line, mark) && strings.Trim(line, mark[:1]) == "" {
			end, next = at, stop
			break
		}
		at = stop
	}
	line := d.lineOf(pos)
	info := strings.ToLower(strings.TrimSpace(strings.TrimLeft(opening, "`~")))
	if (info == "" || listLabels[info]) && !protocol.Example(d.say.String()) {
		from := inside + len(d.text[inside:end]) - len(strings.TrimLeft(d.text[inside:end], " \t\r\n"))
		if stop, ok := d.document(from, end); ok {
			d.blocks++
			d.repair("list_fence", line)
			return max(next, stop)
		}
	}
	d.say.WriteString(d.text[pos:next])
	return next
}

// listLabels are the labels of code blocks in which models put a list.
var listLabels = map[string]bool{"json": true, "jsonc": true, "json5": true, "jsonl": true, "javascript": true, "js": true, "tool_code": true, "tool_call": true, "tool_calls": true, "actions": true, "actionlist": true, "text": true, "python": true}

// document reads the document that begins at pos, and reports where it ends. ok is false when there is none: a value
// that is no document, or text that only begins like one.
func (d *decoder) document(pos, limit int) (next int, ok bool) {
	if d.failures >= maxFailures {
		return 0, false
	}
	line := d.lineOf(pos)
	root, entered := protocol.Walk(d.text[:limit], pos, line)
	if !entered {
		return 0, false
	}
	doc := document{decoder: d, root: root, pos: pos, line: line}
	if first := pos + leading(d.text[pos:limit]); strings.HasPrefix(d.text[first:], "[") || strings.HasPrefix(d.text[first:], "［") {
		doc.items(root, "")
	} else {
		doc.fields()
	}
	if !doc.holds() {
		d.failures++
		if doc.wraps() {
			if _, ok := d.document(doc.inside, root.Pos()); ok {
				d.repair("list_wrapped", line)
				d.documents[len(d.documents)-1] = nebula.Span{Start: pos, End: root.Pos(), Line: line}
				return root.Pos(), true
			}
			return 0, false
		}
		if doc.begins() {
			doc.broken()
		}
		return 0, false
	}
	if root.Err != nil || root.Cut || doc.cut {
		doc.broken()
		d.failures++
	}
	if doc.lists > 0 && !d.void {
		d.lists++
	}
	doc.deliver()
	next = root.Pos()
	if doc.lost {
		next = limit
	}
	d.documents = append(d.documents, nebula.Span{Start: pos, End: next, Line: line})
	return next, true
}

// begins reports whether a text can begin a document.
func begins(text string) bool {
	return text != "" && (text[0] == '{' || text[0] == '[' || strings.HasPrefix(text, "｛") || strings.HasPrefix(text, "［"))
}

//go:noinline
func leading(text string) int { return len(text) - len(strings.TrimLeft(text, " \t\r\n\ufeff")) }

func (d *decoder) problem(line int, text string) {
	d.in.Problems = append(d.in.Problems, nebula.Problem{Line: line, Text: text, Hint: form})
}

// form shows what an action looks like.
const form = `Write {"operation":"tool","args":{…},"reasoning":"why"}.`

func (d *decoder) repair(name string, line int) {
	d.in.Repairs = append(d.in.Repairs, nebula.Repair{Name: name, Line: line})
}

// lineOf is the 1-based line of a place.
func (d *decoder) lineOf(pos int) int {
	if pos < d.counted {
		return 1 + lineBreaks(d.text[:pos])
	}
	d.lines += lineBreaks(d.text[d.counted:pos])
	d.counted = pos
	return 1 + d.lines
}

//go:noinline
func lineBreaks(text string) int { return strings.Count(text, "\n") }

// lineEnd is where the line at pos ends, its line break included.
func lineEnd(text string, pos int) int {
	if i := strings.IndexByte(text[pos:], '\n'); i >= 0 {
		return pos + i + 1
	}
	return len(text)
}

// fence is the run of backticks or tildes that a line begins with, if it can open a code block.
func fence(line string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= 3 && !strings.Contains(line[n:], c) {
			return line[:n]
		}
	}
	return ""
}
