package dialect

import (
	"strings"

	"nebula"
	"nebula/internal/protocol"
)

// maxFailures bounds how often a line that only opens like a call is looked through.
const maxFailures = 16

// printed reads native calls that a model printed into its text.
func printed(r nebula.Reply, tools []nebula.ToolSpec) (nebula.Intent, bool) {
	start, thoughts := protocol.Body(r)
	p := printer{text: r.Text(), tools: tools, in: nebula.Intent{Thoughts: thoughts, Strategy: nebula.Repaired}}
	p.line = 1 + strings.Count(r.Text()[:start], "\n")
	p.read(start)
	if len(p.in.Actions) == 0 {
		return nebula.Intent{}, false
	}
	p.in.Say = strings.TrimSpace(p.say.String())
	return p.in, true
}

type printer struct {
	text  string
	tools []nebula.ToolSpec
	in    nebula.Intent
	say   strings.Builder
	line  int
	fails int
	fence string // the open code block's mark
}

func (p *printer) read(pos int) {
	for pos < len(p.text) {
		trimmed := strings.TrimLeft(p.text[pos:], " \t")
		at := len(p.text) - len(trimmed)
		if p.fence == "" {
			if next, ok := p.calls(at); ok {
				p.line += strings.Count(p.text[pos:next], "\n")
				pos = next
				continue
			}
		}
		end := len(p.text)
		if i := strings.IndexByte(p.text[pos:], '\n'); i >= 0 {
			end = pos + i + 1
		}
		p.prose(p.text[pos:end])
		p.line += strings.Count(p.text[pos:end], "\n")
		pos = end
	}
}

func (p *printer) prose(line string) {
	trimmed := strings.TrimSpace(line)
	if n := len(trimmed) - len(strings.TrimLeft(trimmed, "`")); n >= 3 {
		switch {
		case p.fence == "":
			p.fence = trimmed[:n]
		case strings.HasPrefix(trimmed, p.fence):
			p.fence = ""
		}
	}
	p.say.WriteString(line)
}

// calls reads the wrapper or the call that begins at a place.
func (p *printer) calls(at int) (next int, ok bool) {
	rest := p.text[at:]
	if rest == "" {
		return 0, false
	}
	if p.fails >= maxFailures {
		return 0, false
	}
	calls, end, ok := protocol.Printed(p.text, at, p.tools)
	if n := protocol.Wrapper(rest); !ok && n > 0 {
		return at + n + blank(rest[n:]), true
	}
	if !ok {
		if rest[0] == '<' || rest[0] == '[' {
			p.fails++
		}
		return 0, false
	}
	for _, c := range calls {
		p.in.Actions = append(p.in.Actions, c.Action(nebula.Span{Start: at, End: end, Line: p.line}, p.tools))
	}
	return end + blank(p.text[end:]), true
}

// blank is the white space up to the next line or the next call on this one.
func blank(text string) int {
	n := len(text) - len(strings.TrimLeft(text, " \t\r"))
	if strings.HasPrefix(text[n:], "\n") {
		n++
	}
	return n
}
