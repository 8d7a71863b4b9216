package dml

import "strings"

// A section is what a label of the reason-act cycle says of the lines behind it.
type section uint8

const (
	saying section = iota
	thinking
	acting
	observing
)

// labels are the words that begin a section, in English and Japanese.
var labels = map[string]section{
	"thought": thinking, "thoughts": thinking, "thinking": thinking, "reasoning": thinking, "思考": thinking, "考え": thinking,
	"action": acting, "actions": acting, "行動": acting, "アクション": acting,
	"observation": observing, "observations": observing, "観察": observing,
	"answer": saying, "final answer": saying, "response": saying, "回答": saying, "最終回答": saying, "応答": saying,
}

// readLabel reads a label at a line's start, bold or as a heading or not, and returns how many bytes it takes.
func readLabel(line string) (n int, s section) {
	rest := strings.TrimLeft(line, " \t*_#")
	colon, width := strings.IndexByte(rest[:min(len(rest), 48)], ':'), 1
	if wide := strings.Index(rest[:min(len(rest), 48)], "："); wide >= 0 && (colon < 0 || wide < colon) {
		colon, width = wide, len("：")
	}
	if colon < 0 {
		return 0, 0
	}
	word := strings.ToLower(strings.Trim(rest[:colon], " \t*_"))
	s, ok := labels[word]
	if !ok {
		return 0, 0
	}
	n = len(line) - len(rest) + colon + width
	for n < len(line) && (line[n] == '*' || line[n] == '_') {
		n++
	}
	return n, s
}
