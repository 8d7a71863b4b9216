package dialect

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	"nebula"
	"nebula/internal/protocol"
)

// handsOver is a line that hands over the new text of a file that it names.
var handsOver = sync.OnceValue(func() *regexp.Regexp {
	const file = "[`\"*「『]*([\\w][\\w./-]*\\.\\w{1,8})[`\"*」』]*"
	return regexp.MustCompile(`(?i)^(?:here(?:'s|’s| is)|this is|below is)\b.*\b(?:fixed|corrected|updated|new|full|complete|whole|modified|revised|final)\b[^.:]*?` + file + `\s*:?$|` +
		`^(?:修正|更新|変更)(?:した|後の|済みの)[^。:：]*?` + file + `[^。:：]{0,12}[:：。]?$|^` + file + `\s*(?:の全文|の修正版|の修正後|を修正しました|を更新しました)[^。:：]{0,12}[:：。]?$`)
})

// given reads a reply that hands over the whole of a file which it names, in its one code block. Its edit is inferred, and
// asks: the words may show no more than how it would be.
func given(r nebula.Reply, tools []nebula.ToolSpec) (nebula.Intent, bool) {
	start, thoughts := protocol.Body(r)
	text := r.Text()[start:]
	if strings.Count(text, "```") != 2 {
		return nebula.Intent{}, false
	}
	before, block, _ := strings.Cut(text, "```")
	label, inside, _ := strings.Cut(block, "\n")
	inside, behind, closed := strings.Cut("\n"+inside, "\n```")
	words := strings.TrimSpace(before)
	m := handsOver().FindStringSubmatch(strings.TrimSpace(words[strings.LastIndexByte(words, '\n')+1:]))
	spec, known := protocol.Find("editfile", tools)
	if m == nil || !closed || !known || spec.Effect != nebula.Write || strings.ContainsAny(label, " :") || strings.TrimSpace(inside) == "" || strings.ContainsAny(behind, "?？") {
		return nebula.Intent{}, false
	}
	args, err := json.Marshal(map[string]string{"path": m[1] + m[2] + m[3], "content": strings.TrimPrefix(inside, "\n") + "\n"})
	a := protocol.Resolve(nebula.Action{Tool: spec.Name, Args: args}, []nebula.ToolSpec{spec})
	if err != nil || a.Problem != "" {
		return nebula.Intent{}, false
	}
	at := start + len(before)
	a.Src = nebula.Span{Start: at, End: start + len(text) - len(behind), Line: 1 + strings.Count(r.Text()[:at], "\n")}
	protocol.Need(&a, "given_file")
	return nebula.Intent{Say: strings.TrimSpace(words + "\n" + strings.TrimSpace(behind)), Thoughts: thoughts, Actions: []nebula.Action{a}}, true
}

// changes reads a reply that is nothing but changes of files as other programs teach them: search and replace pairs below a file's name, diffs.
func changes(r nebula.Reply, tools []nebula.ToolSpec) (nebula.Intent, bool) {
	start, thoughts := protocol.Body(r)
	text := r.Text()[start:]
	if !strings.Contains(text, "\n=====") && !strings.Contains(text, "+++ ") {
		return nebula.Intent{}, false
	}
	calls, ok := protocol.WholeChanges(text)
	if !ok {
		return nebula.Intent{}, false
	}
	in := nebula.Intent{Thoughts: thoughts}
	at := nebula.Span{Start: start, End: len(r.Text()), Line: 1 + strings.Count(r.Text()[:start], "\n")}
	for _, c := range calls {
		a := c.Action(at, tools)
		protocol.Need(&a, "changes_alone")
		in.Actions = append(in.Actions, a)
	}
	protocol.Settle(r, &in)
	return in, true
}
