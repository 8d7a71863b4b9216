package dialect

import (
	"strings"

	"nebula"
	"nebula/internal/protocol"
)

// fenced reads a reply whose only actions stand in code blocks of it, behind words, as it would be read without the blocks' fences. Only
// what those words do not hold is meant, and it is inferred, unless they say that it is done: a block is where quotes stand.
func fenced(r nebula.Reply, taught nebula.Protocol, tools []nebula.ToolSpec) (nebula.Intent, bool) {
	text, first := unfenced(r.Text(), tools)
	if first < 0 {
		return nebula.Intent{}, false
	}
	in := Decode(nebula.Reply{Parts: nebula.Text(text), Finish: r.Finish}, taught, tools)
	start, _ := protocol.Body(r)
	announced := protocol.Announces(text[min(start, first):first])
	if len(in.Actions) == 0 { // it could not be read
		return in, announced && len(in.Problems) > 0
	}
	if !sound(in, tools) {
		return nebula.Intent{}, false
	}
	last := in.Actions[len(in.Actions)-1].Src.End
	rest := strings.TrimSpace(text[min(last, len(text)):])
	does := announced && len(in.Actions) == 1 && last > 0 && protocol.Wrapper(rest) == len(rest)
	for i := range in.Actions {
		a := &in.Actions[i]
		does = does && !a.Inferred
		for _, row := range a.Repairs {
			if strings.HasPrefix(row, "place_") && row != "place_dress" && !(row == "place_prose" && announced) {
				return nebula.Intent{}, false
			}
		}
		if !does { // by words and one call below them, and nothing else
			protocol.Need(a, "fenced_call")
		}
	}
	return in, true
}

// unfenced is a text with blanks for the fences of the code blocks that begin as calls do, and where the first of them begins; -1 for none.
func unfenced(text string, tools []nebula.ToolSpec) (plain string, first int) {
	var b strings.Builder
	mark, call := "", false
	first = -1
	for pos := 0; pos < len(text); {
		line := text[pos:]
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		pos += len(line)
		fence := strings.TrimSpace(line)
		n := len(fence) - len(strings.TrimLeft(fence, "`"))
		switch {
		case n < 3 || mark != "" && fence != mark:
			b.WriteString(line)
			continue
		case mark == "":
			mark, call = fence[:n], protocol.BeginsCall(text[pos:], tools)
		default:
			mark = ""
		}
		if !call {
			b.WriteString(line)
			continue
		}
		if first < 0 {
			first = pos - len(line)
		}
		b.WriteString(strings.Repeat(" ", len(strings.TrimRight(line, "\r\n"))) + line[len(strings.TrimRight(line, "\r\n")):])
	}
	if mark != "" {
		first = -1
	}
	return b.String(), first
}
