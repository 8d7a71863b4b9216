package judge

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/sqlite"
)

// A law holds for every reply that its maker makes, in every language. It returns what is wrong, or nothing.
type law struct {
	name string
	n    int                // replies for each language
	most map[string]float64 // share that still breaks it in a language; none where nothing is said
	try  func(m *maker, l language) (fault string, reply nebula.Reply)
}

func (w law) test(t *testing.T) {
	for i, l := range languages() {
		t.Run(w.name+"/"+l.Name(), func(t *testing.T) {
			m := &maker{Rand: rand.New(rand.NewPCG(5, uint64(i))), tools: nebulatest.Specs()}
			broken, shown := 0, ""
			for range w.n {
				if fault, reply := w.try(m, l); fault != "" {
					broken++
					if broken <= 4 {
						shown += fmt.Sprintf("- %s\n````\n%s%s\n````\n", fault, reply.Text(), called(reply))
					}
				}
			}
			t.Logf("property %s, %s: %d of %d broken", w.name, l.Name(), broken, w.n)
			if float64(broken) > w.most[l.Name()]*float64(w.n) {
				t.Errorf("%d of %d replies break it, more than %.0f %%\n%s", broken, w.n, 100*w.most[l.Name()], shown)
			}
			if path := os.Getenv("NEBULA_JUDGED"); path != "" && broken > 0 {
				appendTo(t, path, fmt.Sprintf("## property: %s, %s: %d of %d broken\n%s", w.name, l.Name(), broken, w.n, shown))
			}
		})
	}
}

// TestLawsOfReading are the properties that can be seen in the decoding alone.
func TestLawsOfReading(t *testing.T) {
	for _, w := range []law{
		{"nothing behind an invented result runs", 150, nil, inventedResult},
		{"what was said in two forms is done once", 150, nil, saidTwice},
		{"a key that stands twice is no certainty", 100, nil, keyTwice},
		{"unknown members are not dropped silently", 100, nil, unknownMember},
		{"a call that was meant is read or asked again", 150, nil, meantCall},
		{"a cut reply does nothing", 150, nil, cutReply},
		{"a dressed content is the content or asked about", 150, nil, dressedContent},
		{"a content with actions in it is a content", 150, nil, contentWithActions},
		{"text beside native calls is not carried out", 100, nil, besideCalls},
		{"a disclaimer is no reason", 100, nil, disclaimer},
	} {
		w.test(t)
	}
}

// reply is the action as the language teaches it; calls are native where the language has them.
func (m *maker) wellFormed(l language, list ...nebula.Action) nebula.Reply {
	r := l.write(nebula.Intent{Actions: list}, m.tools)
	r.Finish = "stop"
	if len(r.Calls()) > 0 {
		r.Finish = "tool_calls"
	}
	return r
}

func plainly(in nebula.Intent, tools []nebula.ToolSpec) (n int) {
	for _, a := range in.Actions {
		if runs(nebula.Intent{Actions: []nebula.Action{a}}, tools) {
			n++
		}
	}
	return n
}

var results = []string{
	"Observation: %s\n", "<tool_result>\n%s\n</tool_result>\n", "<tool_response>\n%s\n</tool_response>\n", "[1] readFile: done\n%s\n", "Results:\n%s\n", "Result: %s\n", "Tool output:\n```\n%s\n```\n",
	"結果:\n%s\n", "<function_results>\n%s\n</function_results>\n", "ok readFile a.go\n----\n%s\n----\n", "観察: %s\n", "User: the output is\n%s\n", "[executeShell] exit 0\n%s\n",
}

func inventedResult(m *maker, l language) (string, nebula.Reply) {
	read := nebula.Action{Tool: "readFile", Args: json.RawMessage(`{"path":"a.go"}`)}
	r := m.wellFormed(l, read)
	r.Parts = r.WithText(r.Text() + "\n" + fmt.Sprintf(pick(m, results), pick(m, []string{"package main", "port: 8080", "ok, 3 files", "PASS"})) + pick(m, []string{"", "\nNow I know it.\n\n"}))
	r.Parts = r.WithText(r.Text() + m.taught(l, m.action()))
	in := l.decode(r, m.tools)
	if runs(in, m.tools) {
		return "runs: " + short(in), r
	}
	if !slices.ContainsFunc(in.Actions, func(a nebula.Action) bool { return a.Tool == "readFile" }) && len(in.Problems) == 0 {
		return "the model is not told: " + short(in), r
	}
	return "", r
}

func saidTwice(m *maker, l language) (string, nebula.Reply) {
	a := m.action()
	r := m.wellFormed(l, a)
	again := vendors[pick(m, wholeNames)](a.Tool, a.Args)
	if other := pick(m, languages()); other.Name() != l.Name() && m.IntN(2) == 0 {
		again = m.taught(other, a)
	}
	if len(r.Calls()) == 0 && m.IntN(2) == 0 {
		r.Parts = r.WithText(again + "\n" + r.Text())
	} else {
		r.Parts = r.WithText(r.Text() + pick(m, []string{"\n", "\nAgain, the same as a call:\n", "\nつまり:\n"}) + again)
	}
	if in := l.decode(r, m.tools); plainly(in, m.tools) > 1 {
		return "done twice: " + short(in), r
	}
	return "", r
}

func keyTwice(m *maker, l language) (string, nebula.Reply) {
	key, v, w := "path", pick(m, paths), pick(m, paths)
	for v == w {
		w = pick(m, paths)
	}
	args := fmt.Sprintf(`{%q:%q,%q:%q}`, key, v, key, w)
	if m.IntN(2) == 0 {
		args = fmt.Sprintf(`{%q:%q,"content":"x\n",%q:%q}`, key, v, key, w)
	}
	tool := "deleteFile"
	if strings.Contains(args, "content") {
		tool = "writeFile"
	}
	r := nebula.Reply{Parts: nebula.Text(vendors["hermes"](tool, json.RawMessage(args))), Finish: "stop"}
	switch {
	case l.Name() == "toolcall" && m.IntN(2) == 0:
		r = nebula.Reply{Parts: nebula.PartsOf("", "", nebula.Call{ID: "c", Name: tool, Arguments: args}), Finish: "tool_calls"}
	case l.Name() == "actionlist" && m.IntN(2) == 0:
		r.Parts = r.WithText(fmt.Sprintf(`{"rationale":"r","say":"ok","actions":[{"operation":%q,"args":%s,"reasoning":"w"}]}`, tool, args))
	case m.IntN(2) == 0:
		r.Parts = r.WithText(fmt.Sprintf("{\"tool\": %q, \"args\": %s}\n", tool, args))
	}
	if in := l.decode(r, m.tools); runs(in, m.tools) {
		return "runs: " + short(in), r
	}
	return "", r
}

func unknownMember(m *maker, l language) (string, nebula.Reply) {
	a := m.action()
	outer := pick(m, []string{"type", "kind", "do", "step", "run_tool", "action_type"})
	inner := pick(m, []string{"params", "with", "options", "payload", "data", "body"})
	r := nebula.Reply{Finish: "stop", Parts: nebula.Text(fmt.Sprintf(`{"rationale":"r","say":%q,"actions":[{%q:%q,%q:%s}]}`, pick(m, []string{"Done, I fixed it.", "終わりました。", "All is done."}), outer, a.Tool, inner, a.Args))}
	in := l.decode(r, m.tools)
	if len(in.Actions) == 0 && len(in.Problems) == 0 {
		return "ends as done: " + short(in), r
	}
	return "", r
}

// otherForms are notations that are rare: read or asked again, never an answer.
var otherForms = []func(tool string, args json.RawMessage) string{
	func(tool string, args json.RawMessage) string {
		return strings.NewReplacer("🦆", "🐦").Replace("🦆▶️[T:" + tool + "|" + values(args) + "]◀️🦆\n")
	},
	func(tool string, args json.RawMessage) string {
		return strings.NewReplacer("{", "｛", "}", "｝", `"`, "＂", ":", "：", ",", "，").Replace(fmt.Sprintf(`{"tool":%q,"args":%s}`, tool, args))
	},
	func(tool string, args json.RawMessage) string {
		return fmt.Sprintf("tool: %s\nargs:\n%s", tool, members(args, func(k, v string) string { return fmt.Sprintf("  %s: %q\n", k, v) }))
	},
	func(tool string, args json.RawMessage) string { return tool + "|" + values(args) + "\n" },
	func(tool string, args json.RawMessage) string {
		return "[" + tool + "(" + strings.TrimSuffix(members(args, func(k, v string) string { return fmt.Sprintf("%s=%q, ", k, v) }), ", ") + ")]\n"
	},
	func(string, json.RawMessage) string { return "*** Begin Patch\n*** Delete File: b.go\n*** End Patch\n" },
	func(tool string, args json.RawMessage) string {
		return fmt.Sprintf("{\"functionCall\": {\"name\": %q, \"args\": %s}}\n", tool, args)
	},
	func(tool string, args json.RawMessage) string {
		return fmt.Sprintf("<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>%s<｜tool▁sep｜>%s<｜tool▁call▁end｜><｜tool▁calls▁end｜>\n", tool, args)
	},
}

func values(args json.RawMessage) string {
	return strings.TrimSuffix(members(args, func(_, v string) string { return v + "|" }), "|")
}

func meantCall(m *maker, l language) (string, nebula.Reply) {
	a := m.action()
	r := nebula.Reply{Finish: "stop"}
	if m.IntN(2) == 0 {
		r.Parts = r.WithText(pick(m, otherForms)(a.Tool, a.Args))
	} else {
		r.Parts = r.WithText(vendors[pick(m, vendorNames)](a.Tool, a.Args))
	}
	if in := l.decode(r, m.tools); len(in.Actions) == 0 && len(in.Problems) == 0 {
		return "taken as an answer: " + short(in), r
	}
	return "", r
}

func cutReply(m *maker, l language) (string, nebula.Reply) {
	a := m.action()
	whole := m.taught(l, a)
	body := strings.TrimRight(whole, "\n")
	cut := 1 + m.IntN(len(body)-1)
	for !validEnd(body[:cut]) {
		cut--
	}
	r := nebula.Reply{Parts: nebula.Text(body[:cut]), Finish: "length"}
	if in := l.decode(r, m.tools); runs(in, m.tools) {
		return "runs: " + short(in), r
	}
	r.Finish = pick(m, []string{"content_filter", "error", "unknown"})
	r.Parts = r.WithText(whole)
	if in := l.decode(r, m.tools); runs(in, m.tools) {
		return "runs, finish " + r.Finish + ": " + short(in), r
	}
	return "", r
}

func validEnd(s string) bool { return strings.ToValidUTF8(s, "") == s }

// dressedContent dresses a file's content as models do, in the taught form; right is the content without the dress.
func dressedContent(m *maker, l language) (string, nebula.Reply) {
	file := pick(m, [][2]string{{"f.py", "def f():\n    return 1\n"}, {"x.go", "package x\n\nfunc F() {}\n"}, {"list.sh", "one\ntwo\nthree\n"}, {"p.html", "<p>\n  text\n</p>\n"}})
	content := file[1]
	written := content
	dress := m.IntN(4)
	switch {
	case dress == 0:
		written = "```" + pick(m, []string{"", "python", "go"}) + "\n" + content + "```\n"
	case dress == 1:
		written = strings.ReplaceAll(content, "\n", `\n`)
	case dress == 2 && l.Name() == "dml":
		written = "\n" + content
	case dress == 3 && l.Name() == "dml":
		written = "content=" + content
	}
	b, _ := json.Marshal(map[string]string{"path": file[0], "content": written}) // strings always marshal
	r := m.wellFormed(l, nebula.Action{Tool: "writeFile", Args: b})
	switch l.Name() { // their writers guard such contents
	case "symops":
		r.Parts = r.WithText("$ create @ " + file[0] + "\n--\n" + strings.TrimSuffix(written, "\n") + "\n--\n")
	case "dml":
		r.Parts = r.WithText("Action:\n🦆▶️[T:write_file|" + file[0] + "|" + written + "]◀️🦆\n")
	}
	in := l.decode(r, m.tools)
	for _, a := range in.Actions {
		var got struct{ Content string }
		if !a.Inferred && a.Problem == "" && json.Unmarshal(a.Args, &got) == nil && got.Content != content {
			return fmt.Sprintf("%q became %q", content, got.Content), r
		}
	}
	if len(in.Actions) == 0 && len(in.Problems) == 0 {
		return "nothing was read", r
	}
	return "", r
}

// contentWithActions writes a file that shows actions, as the language's own writer does: that content, and no more.
func contentWithActions(m *maker, l language) (string, nebula.Reply) {
	content := pick(m, []string{"# How to\n\n", "Notes:\n", ""}) + m.taught(pick(m, languages()), m.action()) + pick(m, []string{"", "and so on\n"}) + vendors[pick(m, vendorNames)]("deleteFile", json.RawMessage(`{"path":"b.go"}`))
	b, _ := json.Marshal(map[string]string{"path": "x.md", "content": content}) // strings always marshal
	a := nebula.Action{Tool: "writeFile", Args: b}
	r := m.wellFormed(l, a)
	in := l.decode(r, m.tools)
	if !(specimen{action: a}).isRead(in) {
		return short(in), r
	}
	return "", r
}

func besideCalls(m *maker, l language) (string, nebula.Reply) {
	if l.Name() != "toolcall" {
		return "", nebula.Reply{}
	}
	s := specimen{language: l, action: m.action()}
	text := pick(m, meaning) + "\n\n" + m.form(&s)
	r := nebula.Reply{Parts: nebula.PartsOf("", text, nebula.Call{ID: "c", Name: "readFile", Arguments: `{"path":"a.go"}`}), Finish: "tool_calls"}
	if in := l.decode(r, m.tools); runs(in, m.tools) {
		return "runs: " + short(in), r
	}
	return "", r
}

func disclaimer(m *maker, l language) (string, nebula.Reply) {
	said := pick(m, []string{"I will not touch the tests.", "I won't change anything else.", "Do not worry about the cache.", "I am not allowed to push.", "ほかのファイルは変更しません。", "I cannot run the server here."})
	r := m.wellFormed(l, m.action())
	r.Parts = r.WithText(said + "\n\n" + r.Text())
	for _, a := range l.decode(r, m.tools).Actions {
		if strings.Contains(a.Reason, strings.TrimRight(said, ".。")) {
			return "the reason is " + a.Reason, r
		}
	}
	return "", r
}

// TestEditsNeverBecomeTheFile are the laws that the tools keep with the decoders: near misses of an edit, and contents that
// leave something out, are carried out as meant or not at all.
func TestEditsNeverBecomeTheFile(t *testing.T) {
	s := store(t)
	for i, l := range languages() {
		for _, elide := range []bool{false, true} {
			name := map[bool]string{false: "near miss", true: "elision"}[elide]
			t.Run(name+"/"+l.Name(), func(t *testing.T) {
				m := &maker{Rand: rand.New(rand.NewPCG(7, uint64(i)))}
				lost, shown := editing(t, s, m, l, elide)
				t.Logf("property %s, %s: %d of %d broken", name, l.Name(), lost, edits)
				if lost > mostLost {
					t.Errorf("%d of %d edits became the file\n%s", lost, edits, shown)
				}
				if path := os.Getenv("NEBULA_JUDGED"); path != "" && lost > 0 {
					appendTo(t, path, fmt.Sprintf("## property: %s, %s: %d of %d broken\n%s", name, l.Name(), lost, edits, shown))
				}
			})
		}
	}
}

const (
	edits    = 40
	mostLost = 0
)

// editing lets a session edit one file many times, each time in a form that is nearly right.
func editing(t *testing.T, s *sqlite.Store, m *maker, l language, elide bool) (lost int, shown string) {
	var lines []string
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("func step%d() int { return %d }", i, i))
	}
	original := "package steps\n\n" + strings.Join(lines, "\n") + "\n"
	for n := range edits {
		if n%10 == 0 || m.p == nil { // a new session now and then: what a tool learned of a repeated try is forgotten
			if m.p != nil {
				m.p.close()
			}
			m.p = newProject(t, s, l, map[string]string{"steps.go": original}, false)
			m.p.know()
		}
		before := m.p.files()["steps.go"]
		body, wants := m.nearMiss(before, elide)
		b, _ := json.Marshal(map[string]string{"path": "steps.go", "new_content": body}) // strings always marshal
		r := l.write(nebula.Intent{Thoughts: []string{"The step changes."}, Actions: []nebula.Action{{Tool: "editFile", Args: b, Reason: "The step changes."}}}, m.p.specs)
		done := nebula.Reply{Parts: nebula.Text("That is all."), Finish: "stop"}
		m.p.script.Replies = append(m.p.script.Replies[:len(m.p.script.Prompts())], r, done, done, done)
		m.p.say(fmt.Sprintf("change %d", n))
		if after := m.p.files()["steps.go"]; after != before && !slices.Contains(wants, after) {
			lost++
			if lost <= 3 {
				shown += fmt.Sprintf("- the file became %q\n````\n%s\n````\n", after[:min(len(after), 200)], body)
			}
			m.p.close()
			m.p = nil
		}
	}
	if m.p != nil {
		m.p.close()
	}
	return lost, shown
}

// nearMiss is a content for the whole-file tool that is an edit, and what the file may become by it.
func (m *maker) nearMiss(before string, elide bool) (body string, wants []string) {
	lines := strings.Split(strings.TrimSuffix(before, "\n"), "\n")
	at := 4 + m.IntN(len(lines)-8)
	was := lines[at] + "\n"
	is := strings.Replace(was, "return ", fmt.Sprintf("return %d + ", 1+m.IntN(9)), 1)
	wants = []string{strings.Replace(before, was, is, 1)}
	if elide {
		dots := pick(m, []string{"// ... existing code ...", "// rest unchanged", "...", "// …", "// (他は変更なし)", "// 以下同じ", "/* ... */", "# rest of the file", "// unchanged", "// ... keep the other steps ...", "// 省略", "<!-- ... existing code ... -->"})
		head, tail := strings.Join(lines[:3], "\n")+"\n", strings.Join(lines[len(lines)-2:], "\n")+"\n"
		return pick(m, []string{
			dots + "\n" + is + dots + "\n", head + dots + "\n" + is + dots + "\n" + tail, is + dots + "\n", dots + "\n" + is,
			head + dots + "\n" + lines[at-1] + "\n" + is + "\n" + dots + "\n",
		}), wants
	}
	n := pick(m, []int{5, 6, 8, 9})
	blank := pick(m, []string{" ", "", "  "})
	open, middle, end := strings.Repeat("<", n)+blank+pick(m, []string{"SEARCH", "OLD", "ORIGINAL", "HEAD", "search", "FIND"}), strings.Repeat("=", n), strings.Repeat(">", n)+blank+pick(m, []string{"REPLACE", "NEW", "UPDATED", "feature", "replace"})
	around := func(open, middle, end string) string {
		return open + "\n" + was + middle + "\n" + is + strings.TrimLeft(end+"\n", "\n")
	}
	return pick(m, []string{
		around(open, middle, end), around(open, middle, end), "\n" + around("<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE"), "steps.go\n" + around("<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE"),
		around("------- SEARCH", "=======", "+++++++ REPLACE"), around("<old>", "</old>\n<new>", "</new>"), around("Before:", "After:", ""), around("SEARCH:", "REPLACE:", ""), around("変更前:", "変更後:", ""),
		"-" + was + "+" + is, " " + lines[at-1] + "\n-" + was + "+" + is + " " + lines[at+1] + "\n", "@@ -1 +1 @@ \n-" + was + "+" + is,
		fmt.Sprintf("{\"edits\":[{\"old\":%q,\"new\":%q}]}\n", was, is), fmt.Sprintf("%d | %s", at+1, is), "*** Begin Patch\n*** Update File: steps.go\n@@\n-" + was + "+" + is + "*** End Patch\n",
		"```diff\n-" + was + "+" + is + "```\n", around("＜＜＜＜＜＜＜ SEARCH", "＝＝＝＝＝＝＝", "＞＞＞＞＞＞＞ REPLACE"),
	}), wants
}

// TestReadingInAReplyMakesNothingKnown: an edit beside the first read of its file was not made from what the file says.
func TestReadingInAReplyMakesNothingKnown(t *testing.T) {
	s := store(t)
	for _, l := range languages() {
		t.Run(l.Name(), func(t *testing.T) {
			p := newProject(t, s, l, map[string]string{"a.txt": "one\ntwo\nthree\n"}, false)
			defer p.close()
			r := l.write(nebula.Intent{Actions: []nebula.Action{
				{Tool: "readFile", Args: json.RawMessage(`{"path":"a.txt"}`), Reason: "first"},
				{Tool: "editFile", Args: json.RawMessage(`{"path":"a.txt","new_content":"four\n"}`), Reason: "then"},
			}}, p.specs)
			p.script.Replies = []nebula.Reply{r, {Parts: nebula.Text("I see."), Finish: "stop"}, {Parts: nebula.Text("I see."), Finish: "stop"}}
			p.say("change it")
			if got := p.files()["a.txt"]; got != "one\ntwo\nthree\n" {
				t.Errorf("the file became %q", got)
			}
		})
	}
}

// TestTextAfterNativeCallsIsNotCarriedOut: a model that speaks natively in a turn is not acted for by its prose.
func TestTextAfterNativeCallsIsNotCarriedOut(t *testing.T) {
	s := store(t)
	l := named(t, "toolcall")
	m := &maker{Rand: rand.New(rand.NewPCG(9, 9)), tools: nebulatest.Specs()}
	broken := 0
	for range 20 {
		p := newProject(t, s, l, map[string]string{"a.go": "package a\n", "b.go": "package a\n"}, false)
		x := specimen{language: l, action: m.action()}
		read := nebula.Reply{Parts: nebula.PartsOf("", "", nebula.Call{ID: "c", Name: "readFile", Arguments: `{"path":"a.go"}`}), Finish: "tool_calls"}
		text := nebula.Reply{Parts: nebula.Text(pick(m, meaning) + "\n\n" + m.form(&x)), Finish: "stop"}
		done := nebula.Reply{Parts: nebula.Text("That is all."), Finish: "stop"}
		p.script.Replies = []nebula.Reply{read, text, done, done, done}
		before := p.files()
		p.say("look")
		if after := p.files(); len(p.Commands) > 0 || len(after) != len(before) {
			broken++
			t.Logf("%v ran, files %d\n%s", p.Commands, len(after), text.Text())
		}
		p.close()
	}
	t.Logf("property text after native calls: %d of 20 broken", broken)
	if broken > mostAfterCalls {
		t.Errorf("%d of 20 texts were carried out", broken)
	}
}

const mostAfterCalls = 0
