package symops

import (
	"encoding/json"
	"fmt"
	"strings"

	"nebula"
)

// Correction is the text that asks the model to write its reply again with nothing but the format changed. It names
// every problem with its line.
func Correction(r nebula.Reply, in nebula.Intent, lang string) string {
	t := correctionWords[lang]
	if t.intro == "" {
		t = correctionWords["en"]
	}
	var b strings.Builder
	b.WriteString(t.intro + "\n")
	said := map[string]bool{}
	lines := strings.Split(r.Text, "\n")
	note := func(line int, text, hint string) {
		if key := fmt.Sprint(line, text); said[key] {
			return
		} else {
			said[key] = true
		}
		fmt.Fprintf(&b, "! %s %d: %s\n", t.line, line, oneLine(strings.TrimSpace(text+" "+hint)))
		if line >= 1 && line <= len(lines) && strings.TrimSpace(lines[line-1]) != "" {
			fmt.Fprintf(&b, "  | %s\n", clipLine(lines[line-1]))
		}
	}
	for _, p := range in.Problems {
		note(p.Line, p.Text, p.Hint)
	}
	for _, a := range in.Actions {
		if a.Inferred && a.Problem == "" {
			note(max(1, a.Src.Line), t.guessed, "")
		}
	}
	b.WriteString(t.rules)
	return b.String()
}

func clipLine(s string) string {
	s = oneLine(s)
	if len(s) > 120 {
		s = strings.ToValidUTF8(s[:120], "") + "…"
	}
	return s
}

var correctionWords = map[string]struct{ intro, line, guessed, rules string }{
	"en": {"Parts of your last reply could not be read:", "line", "this action could only be guessed",
		"Write the whole reply again in the format. Change the format only: the same actions, and every file's content to the letter."},
	"ja": {"直前の応答に読み取れない箇所があります:", "行", "このアクションは推測するしかありませんでした",
		"応答全体を正しい形式で書き直してください。変えてよいのは形式だけです。アクションも各ファイルの内容も一字一句同じにしてください。"},
}

// A ContentChange says that a correction went beyond the format.
type ContentChange struct{ Text string }

func (e *ContentChange) Error() string { return e.Text }

// SameContent refuses a correction that changes, drops or adds the content of a block: only the format may change.
func SameContent(before, after nebula.Intent) error {
	had := contents(before)
	for _, c := range contents(after) {
		i := indexOf(had, c)
		switch {
		case i < 0 && samePath(had, c):
			return &ContentChange{fmt.Sprintf("the correction changes the content of %s", c.path)}
		case i < 0:
			return &ContentChange{fmt.Sprintf("the correction adds %s", c.path)}
		}
		had = append(had[:i], had[i+1:]...)
	}
	if len(had) > 0 {
		return &ContentChange{fmt.Sprintf("the correction drops %s", had[0].path)}
	}
	return nil
}

type blockContent struct{ path, content string }

// contents are all payloads of an intent's actions: file contents, edits and commands.
func contents(in nebula.Intent) []blockContent {
	var out []blockContent
	for _, a := range in.Actions {
		var args map[string]json.RawMessage
		if json.Unmarshal(a.Args, &args) != nil {
			continue
		}
		for _, key := range []string{"content", "new_content", "edits", "command"} {
			raw, ok := args[key]
			if !ok {
				continue
			}
			var path string
			if key == "command" || json.Unmarshal(args["path"], &path) != nil {
				path = a.Tool
			}
			out = append(out, blockContent{path, string(raw)})
		}
	}
	return out
}

func indexOf(list []blockContent, c blockContent) int {
	for i, have := range list {
		if have.content == c.content {
			return i
		}
	}
	return -1
}

func samePath(list []blockContent, c blockContent) bool {
	for _, have := range list {
		if have.path == c.path {
			return true
		}
	}
	return false
}
