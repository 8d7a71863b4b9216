package protocol

import (
	"slices"
	"strings"
	"unicode"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// What a reply can begin with that only the program says: a result that nobody has had yet.

// opens reports whether what stands before the first action of a reply holds an invented result: the program's own
// head of one, or a heading of its own with what was returned below.
func opens(line, below string) bool {
	line = strings.Trim(line, " \t\r\n*_#")
	low := strings.ToLower(line)
	if rest, ok := strings.CutPrefix(line, "ok "); ok {
		return toolLike(rest)
	}
	if rest, ok := strings.CutPrefix(line, "["); ok {
		number, rest, closed := strings.Cut(rest, "] ")
		return closed && number != "" && strings.Trim(number, "0123456789") == "" && strings.Contains(rest, ":") && toolLike(rest)
	}
	if !strings.HasSuffix(low, ":") && !strings.HasSuffix(low, "：") || strings.TrimSpace(below) == "" {
		return false
	}
	word := low[:len(low)-len(strings.TrimLeftFunc(low, unicode.IsLetter))]
	for _, h := range returned {
		if word == h && (len(low) == len(h)+1 || slices.ContainsFunc(ofWhat, func(of string) bool { return strings.HasPrefix(low[len(h):], of) })) {
			return true
		}
	}
	return slices.ContainsFunc(returnedJapanese, func(h string) bool { return strings.HasSuffix(strings.TrimRight(low, ":："), h) })
}

// returned are the first words of a heading above what a tool gave, which ofWhat goes on; in Japanese the last.
var (
	returned         = []string{"output", "result", "results", "response", "stdout"}
	ofWhat           = []string{" of ", " from ", " for "}
	returnedJapanese = []string{"の結果", "の出力"}
)

// toolLike reports whether a text begins with a word as tools are called: small letters with a capital or a _ among them.
func toolLike(text string) bool {
	word := text
	if i := strings.IndexAny(text, " :\r\n"); i >= 0 {
		word = text[:i]
	}
	if word == "" || !unicode.IsLower(rune(word[0])) {
		return false
	}
	return strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" && word != strings.ToLower(strings.ReplaceAll(word, "_", "A"))
}

// imitated reports whether what is said beside calls, which stand behind it, has a tool's result in it.
func (s *settler) imitated(say string) bool {
	for line := range strings.Lines(say) {
		if s.imitates(line) || inlineResult.In(line) {
			return true
		}
	}
	return false
}

// inlineResult is a result behind a sentence's end, in the line.
var inlineResult = &lazy.Pattern{X: `(?i)[.!。:] ?(?:observation|tool (?:result|output)|観察|実行結果)[:：]`}

// imitation is where a reply begins to say what only the program or the person can: a tool's result, or the next turn.
func (s *settler) imitation(units []unit) (at, line int) {
	text := s.reply.Text()
	pos := 0
	for i := 0; i <= len(units); i++ {
		to := len(text)
		if i < len(units) {
			to = units[i].Start
		}
		for pos < to {
			end := to
			if n := strings.IndexByte(text[pos:to], '\n'); n >= 0 {
				end = pos + n + 1
			}
			if s.imitates(text[pos:end]) || i > 0 && s.confirms(text[pos:end], pos) || i > 0 && i < len(units) && heads(text[pos:end]) || i == 0 && len(units) > 0 && opens(text[pos:end], text[end:to]) {
				return pos, 1 + strings.Count(text[:pos], "\n")
			}
			pos = end
		}
		if i < len(units) {
			pos = max(pos, units[i].End)
		}
	}
	return -1, 0
}

//go:noinline
func (s *settler) imitates(line string) bool { return Imitates(line, s.in.Actions) }

// Imitates reports whether a line of a reply with some actions begins to say what only the program or the person can.
func Imitates(line string, actions []nebula.Action) bool {
	line = strings.TrimLeft(line, " \t*_#>")
	if line == "" || line[0] < 0x80 && strings.IndexByte("<[othuOTHU", line[0]) < 0 { // the first letters of imitations
		return false
	}
	line = strings.ToLower(line[:min(len(line), longestMark)])
	for _, mark := range imitations {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	if i := strings.IndexAny(line, ":："); i > 0 && lists.Has(spokenFor, strings.TrimRight(line[:i], " *_0123456789")) {
		return true
	}
	if rest, ok := strings.CutPrefix(line, "ok "); ok {
		return acts(rest, actions)
	}
	if rest, ok := strings.CutPrefix(line, "["); ok {
		number, rest, _ := strings.Cut(rest, "] ")
		if strings.HasPrefix(rest, "exit ") || strings.HasPrefix(rest, "終了コード ") { // a command's end
			return true
		}
		return number != "" && strings.Trim(number, "0123456789") == "" && acts(rest, actions)
	}
	return false
}

// confirms reports whether a line says ok to an action above it, in a word that its tool is known by and with its target, or to a
// command with its exit code.
func (s *settler) confirms(line string, at int) bool {
	rest, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(line)), "ok ")
	if !ok {
		return false
	}
	word, target, _ := strings.Cut(rest, " ")
	if code := strings.Trim(target, " ():."); (word == "exit" || word == "(exit") && digits(code) {
		return true
	}
	return slices.ContainsFunc(s.in.Actions, func(a nebula.Action) bool {
		about := strings.ToLower(reportAction(a).Path)
		return a.Src.End <= at && about != "" && strings.HasPrefix(strings.TrimLeft(target, "@ "), about) && slices.ContainsFunc(toolWords, func(row []string) bool {
			return lists.Has(row, fold(word)) && lists.Has(row, fold(a.Tool))
		})
	})
}

// longestMark bounds where a mark at a line's beginning can end.
const longestMark = 80

// heads reports whether a line between two actions announces what the first gave.
func heads(line string) bool {
	line = strings.ToLower(strings.Trim(line[:min(len(line), longestMark)], " \t\r\n*_#"))
	return echoed.In(line) || slices.ContainsFunc(headings, func(h string) bool { return strings.HasPrefix(line, h) })
}

// echoed is a line that is all of it what the program or the person would say to the action above it.
var echoed = &lazy.Pattern{X: `^(?:(?:[✓✔✅☑→]|=>|->)\pM* ?(?:[a-z]\w* )?(?:ok|done|success|succeeded|applied|passed|approved|\d+ (?:passed|failed).*)|=* ?\d+ (?:passed|failed)\b.* in [\d.]+s.*|(?:approved|confirmed|granted|承認されました|許可されました|承認済み)|(?:the )?(?:person|user) (?:agree[sd]|approve[sd]|confirm(?:s|ed)|says yes|said yes)|> ?(?:yes|y|ok|はい)|\S{1,12}(?:に成功しました|が成功しました))[.!。！]?$`}

var headings = []string{"result:", "results:", "output:", "response:", "the result is", "the output is", "it returned", "it returns", "it prints", "結果:", "結果：", "出力:", "出力："}

// acts reports whether a line begins with the name of a tool that one of some actions calls.
func acts(line string, actions []nebula.Action) bool {
	word := line
	if i := strings.IndexAny(line, " :\n\r"); i >= 0 {
		word = line[:i]
	}
	return slices.ContainsFunc(actions, func(a nebula.Action) bool { return fold(a.Tool) == fold(word) })
}

// spokenFor are labels, numbered or not, of what others say than the model.
var spokenFor = []string{"observation", "observations", "観察", "観測", "观察", "관찰", "tool result", "tool results", "tool output", "ツールの結果", "実行結果", "user", "human", "ユーザー"}

// imitations begin a line of a tool's result or of another's turn.
var imitations = []string{
	"<observation", "<tool_result", "<tool_response", "<tool_output", "<function_result", "<function_response",
	"<function_output", "[tool_results]", "<|start|>functions", "<|start|>tool", "<|im_start|>tool", "<|im_start|>user", "<|start_header_id|>user", "<|start_header_id|>ipython",
	"<｜tool▁output", "<｜tool_output", "<|tool▁output", "<|tool_output", "<start_of_turn>user", "[inst]",
}

// takenBack holds the units of a reply whose rest is void where that takes them back.
func (s *settler) takenBack(list []saying, units []unit, voidAt int) {
	if voidAt < 0 {
		return
	}
	_, rest, _ := strings.Cut(s.reply.Text()[voidAt:], "\n")
	row := s.lineup(units)
	for n := range units {
		list[n].hold(s.ear.late(rest, row, n)...)
	}
}
