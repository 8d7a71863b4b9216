package line

import (
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/terminal"
)

func (v *view) streamed(b nebula.Streamed) {
	v.busy = true
	switch b.Kind {
	case "output":
		v.running(b.Text)
		return
	case "text", "thought":
	default:
		return
	}
	if b.Kind != v.kind {
		v.flush()
	}
	v.kind, v.shown[b.Kind] = b.Kind, true
	v.partial += b.Text
	if b.Kind == "text" {
		v.said += b.Text
	}
	for {
		line, rest, ok := strings.Cut(v.partial, "\n")
		if !ok {
			break
		}
		v.say(v.kind, line)
		v.partial = rest
	}
	if len(v.partial) > longest {
		if i := strings.LastIndexByte(v.partial, ' '); i > 0 {
			v.say(v.kind, v.partial[:i])
			v.partial = v.partial[i+1:]
		} else {
			v.say(v.kind, v.partial)
			v.partial = ""
		}
	}
}

// longest is how many bytes of a line are kept moving until its end; a longer one is printed as far as it has come.
const longest = 4000

// outputRows is how much of a running command's output is shown while it runs.
const outputRows = 4

func (v *view) running(text string) {
	if len(v.output) == 0 {
		v.output = []string{""}
	}
	lines := strings.Split(text, "\n")
	v.output[len(v.output)-1] += lines[0]
	v.output = append(v.output, lines[1:]...)
	if extra := len(v.output) - outputRows - 1; extra > 0 {
		v.output = v.output[extra:]
	}
}

// say prints one whole line of an answer or a thought.
func (v *view) say(kind, line string) {
	line = strings.TrimSuffix(line, "\r")
	if kind == "thought" {
		v.print(terminal.Paint(v.palette.dim, terminal.Visible(line)))
		return
	}
	v.print(v.prose.line(line))
}

// flush ends the line under way.
func (v *view) flush() {
	if strings.TrimSpace(v.partial) != "" {
		v.say(v.kind, v.partial)
	}
	v.partial, v.kind = "", ""
}

func (v *view) replied(b nebula.Replied) {
	v.answer = b.Intent.Say
	v.flush()
	if !v.shown["thought"] {
		for _, t := range b.Intent.Thoughts {
			v.all("thought", t)
		}
	}
	if rest, ok := strings.CutPrefix(b.Intent.Say, strings.TrimRight(v.said, " \n")); ok && strings.TrimSpace(rest) != "" {
		v.all("text", strings.TrimLeft(rest, "\n")) // what could only be told at the reply's end
	}
	v.prose.fence = ""
	for _, e := range b.Intent.Errors {
		v.note(v.palette.warn, terminal.Visible(e))
	}
	if n := len(b.Intent.Problems); n > 0 {
		v.note(v.palette.dim, fmt.Sprintf(v.words.Problems, n))
	}
}

func (v *view) all(kind, text string) {
	for l := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		v.say(kind, l)
	}
}
