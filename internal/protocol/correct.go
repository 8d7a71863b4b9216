package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// nothingSaid is the problem of a reply that holds nothing to be read.
const nothingSaid = "the reply holds neither an answer nor an action."

// Correction is the text that asks the model to write its reply again with nothing but the format changed. It names
// every problem with its line, and shows a guessed action as the language writes it. write is that language's writer.
func Correction(r nebula.Reply, in nebula.Intent, lang string, write func(nebula.Intent, []nebula.ToolSpec) nebula.Reply) string {
	w := phrase.Pick(lang, correctionWords)
	if empty(r, in) {
		if r.Finish == malformed {
			return phrase.In(lang, malformedProblem)
		}
		if text := written(r); r.Finish == "length" && text != "" {
			return fmt.Sprintf(w.limit, phrase.Ending(text))
		}
		return w.nothing
	}
	var b strings.Builder
	b.WriteString(w.intro + "\n")
	said := map[string]bool{}
	lines := strings.Split(r.Text(), "\n")
	note := func(line int, text string) {
		text = strings.Join(strings.Fields(text), " ")
		key := fmt.Sprint(line, text)
		if said[key] || len(said) == maxProblems {
			return
		}
		said[key] = true
		fmt.Fprintf(&b, "! %s %d: %s\n", w.line, line, text)
		if line >= 1 && line <= len(lines) && strings.TrimSpace(lines[line-1]) != "" {
			fmt.Fprintf(&b, "  | %s\n", Clip(strings.Join(strings.Fields(lines[line-1]), " "), 120))
		}
	}
	for _, p := range in.Problems {
		note(p.Line, phrase.Problem(lang, p))
	}
	for _, a := range in.Actions {
		switch {
		case !a.Inferred || a.Problem != "":
		case Misplaced(a):
			note(max(1, a.Src.Line), w.shown)
		default:
			why := w.guessed
			if lists.Has(a.Repairs, "cut_block") {
				why = fmt.Sprintf(w.cut, phrase.Ending(r.Text()))
			}
			note(max(1, a.Src.Line), why)
			if form := write(nebula.Intent{Actions: []nebula.Action{{Tool: a.Tool, Args: Unfinished(a).Args}}}, nil).Text(); form != "" && len(form) <= longestForm {
				fmt.Fprintf(&b, "  %s\n%s\n", w.form, strings.TrimRight(form, "\n"))
			}
		}
	}
	b.WriteString(w.rules)
	return b.String()
}

// Misplaced reports whether nothing but what stands around an action makes it a guess: its form is right, and whoever
// only showed it or refused it is not to be told how to write it.
func Misplaced(a nebula.Action) bool {
	guesses := 0
	for _, name := range a.Repairs {
		if _, place := placeRows[name]; Guessed(name) && !place {
			return false
		} else if place && Guessed(name) {
			guesses++
		}
	}
	return guesses > 0
}

// Unfinished is an action as its form is shown: of one in whose content the reply ended, the content is only named, so that no
// half of a file is taught as the whole.
func Unfinished(a nebula.Action) nebula.Action {
	fields, err := objectFields(a.Args)
	if !lists.Has(a.Repairs, "cut_block") || err != nil {
		return a
	}
	var out bytes.Buffer
	for _, f := range fields {
		if f.folded == "content" || f.folded == "newcontent" {
			f.value = Quote("(the complete content, to its end)\n")
		}
		appendField(&out, f.key, f.value)
	}
	if out.Len() > 0 {
		a.Args = append(out.Bytes(), '}')
	}
	return a
}

// longestForm is how long an action may be that is shown in the language's own form.
const longestForm = 600

// maxProblems bounds how many problems a correction lists.
const maxProblems = 20

var correctionWords = map[string]struct{ intro, line, guessed, cut, shown, form, rules, nothing, limit string }{
	"en": {"Parts of your last reply could not be read:", "line", "this action could only be guessed", "the reply ended inside this content, behind %s: its last line -- is missing", "what stands around this action reads as if it were only shown, put off or asked about; leave it out unless you do it", "If it is meant, write:",
		"Write the whole reply again in the format. Change the format only: the same actions, and every file's content to the letter.",
		"Your last reply held neither an answer nor an action. Act, or answer in words.",
		"Your last reply was cut at the output limit, behind %s, so nothing of it was done. Write less in one reply: one action at a time, long contents in parts."},
	"ja": {"直前の応答に読み取れない箇所があります:", "行", "このアクションは推測するしかありませんでした", "この内容の途中（%s の後）で応答が終わっており、最後の行 -- がありません", "前後の文からは、示しただけ・保留・質問と読めます。実際に行うのでなければ省いてください", "意図したものなら次のように書いてください:",
		"応答全体を正しい形式で書き直してください。変えてよいのは形式だけです。アクションも各ファイルの内容も一字一句同じにしてください。",
		"直前の応答には回答もアクションもありませんでした。アクションを書くか、文で答えてください。",
		"直前の応答は出力の上限により %s の後で切れたため、何も実行していません。1回の応答を短くし、アクションは1つずつ、長い内容は分けて書いてください。"},
}

// empty reports whether a reply held nothing that a correction could keep.
func empty(r nebula.Reply, in nebula.Intent) bool {
	if len(in.Actions) > 0 {
		return false
	}
	if say, _ := Thoughts(r); say == "" || r.Finish == "length" || r.Finish == malformed {
		return true
	}
	for _, p := range in.Problems {
		if p.Text != nothingSaid {
			return false
		}
	}
	return true
}

// A ContentChange says that a correction went beyond the format.
type ContentChange struct{ Text string }

// Error implements error.
func (e *ContentChange) Error() string {
	return e.Text + ", and only the format was to change. Nothing was done. If it is meant so, write the action again."
}

// Same refuses a correction that changes, drops or adds the content of a block: only the format may change. What could
// not be read of the first reply is compared with its text. A reply that held nothing binds to nothing, and one that ends inside of an
// object to no more than stands before that.
func Same(r nebula.Reply, before, after nebula.Intent) error {
	if empty(r, before) {
		return nil
	}
	had, torn := contents(before), tornObject(r)
	if len(had) == 0 && !torn {
		return within(r, after, false)
	}
	begun := len(contentKey.Re().FindAllString(r.Text(), -1)) - len(had) // contents that it ends in
	for _, c := range contents(after) {
		i := indexOf(had, c)
		switch {
		case i < 0 && torn && !samePath(had, c):
			if begun--; begun < 0 {
				continue
			}
			if err := within(r, nebula.Intent{Actions: []nebula.Action{c.action}}, true); err != nil {
				return err
			}
			continue
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

// contentKey begins a content in an object.
var contentKey = &lazy.Pattern{X: `"(?:content|new_content|edits|command)"\s*:`}

// tornObject reports whether a reply ends inside of an object.
func tornObject(r nebula.Reply) bool {
	text := strings.TrimSpace(r.Text())
	i := strings.IndexAny(text, "{[")
	return i >= 0 && cutObject(text[i:])
}

// within refuses contents of files that the text of the first reply does not hold, as it stands or with its escapes
// undone; of one that is torn not all texts need to be begun. A command that comes along is one like any other: it goes through the gate.
func within(r nebula.Reply, after nebula.Intent, torn bool) error {
	text := strings.ReplaceAll(r.Text(), "\r\n", "\n")
	for _, c := range r.Calls() {
		text += "\n" + c.Arguments
	}
	forms := []string{text, unescaped.Replace(text), html.UnescapeString(text)}
	for _, c := range contents(after) {
		if c.command {
			continue
		}
		all, strange := phrase.Texts([]byte(c.content)), 0
		for _, s := range all {
			if !stands(forms, strings.TrimRight(strings.ReplaceAll(s, "\r\n", "\n"), "\n")) {
				strange++
			}
		}
		if strange > 0 && (!torn || strange == len(all)) {
			return &ContentChange{fmt.Sprintf("the correction writes another content for %s", c.path)}
		}
	}
	return nil
}

// unescaped undoes the escapes of JSON strings.
var unescaped = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\"`, `"`, `\/`, "/", `\r`, "")

// stands reports whether a content stands in one of the forms of a text, not as a part of longer words, or begins where
// the text was cut.
func stands(forms []string, s string) bool {
	for _, form := range forms {
		if goesOn(form, s) {
			return true
		}
		for at := 0; ; at++ {
			i := strings.Index(form[at:], s)
			if i < 0 {
				break
			}
			at += i
			if border(form[:at], s, form[at+len(s):]) {
				return true
			}
		}
	}
	return false
}

// cutAfter is how many bytes of a content must stand before a cut to tell that it is the one.
const cutAfter = 4

// goesOn reports whether a text ends in the middle of a content.
func goesOn(form, s string) bool {
	if len(s) < cutAfter {
		return false
	}
	for at := 0; ; at++ {
		i := strings.Index(form[at:], s[:cutAfter])
		if i < 0 {
			return false
		}
		if at += i; strings.HasPrefix(s, form[at:]) {
			return true
		}
	}
}

func border(before, s, after string) bool {
	word := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	first, _ := utf8.DecodeRuneInString(s)
	end, _ := utf8.DecodeLastRuneInString(s)
	return s == "" || !(word(last) && word(first)) && !(word(end) && word(next))
}

type blockContent struct {
	path, content string
	command       bool
	action        nebula.Action
}

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
			out = append(out, blockContent{path, string(raw), key == "command", a})
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
