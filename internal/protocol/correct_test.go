package protocol_test

import (
	"encoding/json"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/protocol"
)

func TestCorrectionMayChangeTheFormOnly(t *testing.T) {
	wrong := []nebula.Problem{{Line: 1, Text: "not read"}}
	writes := func(pairs ...string) (in nebula.Intent) {
		for i := 0; i+1 < len(pairs); i += 2 {
			args, _ := json.Marshal(map[string]string{"path": pairs[i], "content": pairs[i+1]})
			in.Actions = append(in.Actions, nebula.Action{Tool: "writeFile", Args: args})
		}
		return in
	}
	edits := func(old, fresh string) nebula.Intent {
		args, _ := json.Marshal(map[string]any{"path": "a", "edits": []map[string]string{{"old": old, "new": fresh}}})
		return nebula.Intent{Actions: []nebula.Action{{Tool: "patchFile", Args: args}}}
	}
	unread := nebula.Intent{Problems: wrong}
	for name, c := range map[string]struct {
		text   string
		before nebula.Intent
		after  nebula.Intent
		ok     bool
	}{
		"the same":                    {"x", writes("a", "1"), writes("a", "1"), true},
		"under another path":          {"x", writes("a", "1"), writes("b", "1"), true},
		"changed":                     {"x", writes("a", "1"), writes("a", "2"), false},
		"added":                       {"x", writes("a", "1"), writes("a", "1", "b", "2"), false},
		"dropped":                     {"x", writes("a", "1", "b", "2"), writes("a", "1"), false},
		"in the text":                 {"write a:\none\ntwo\nend", unread, writes("a", "one\ntwo\n"), true},
		"not in the text":             {"write a:\none\ntwo\nend", unread, writes("a", "one\nthree\n"), false},
		"a part of a word":            {"write a python file", unread, writes("a", "y"), false},
		"escaped in the text":         {`{"content":"one\n\t\"two\""`, unread, writes("a", "one\n\t\"two\"\n"), true},
		"entities in the text":        {`<content>a &lt; b</content>`, unread, writes("a", "a < b"), true},
		"the text was cut in it":      {`{"content":"one\ntw`, unread, writes("a", "one\ntwo\nthree\n"), true},
		"the text was cut elsewhere":  {`{"content":"one\nxx`, unread, writes("a", "one\ntwo\nthree\n"), false},
		"cut before any content":      {`{"rationale":"r","actions":[{"operation":"wri`, unread, writes("a", "one\n"), true},
		"cut behind a content":        {`{"actions":[{"args":{"path":"a","content":"1"}},{"operation":"wri`, writes("a", "1"), writes("a", "1", "b", "2"), true},
		"cut, and the first changed":  {`{"actions":[{"args":{"path":"a","content":"1"}},{"operation":"wri`, writes("a", "1"), writes("a", "3", "b", "2"), false},
		"cut in the second":           {`{"actions":[{"args":{"path":"a","content":"1"}},{"args":{"path":"b","content":"two\nthr`, writes("a", "1"), writes("a", "1", "b", "two\nthree\n"), true},
		"cut in another second":       {`{"actions":[{"args":{"path":"a","content":"1"}},{"args":{"path":"b","content":"two\nthr`, writes("a", "1"), writes("a", "1", "b", "two\nfour\n"), false},
		"cut behind half an edit":     {`{"actions":[{"args":{"path":"a","edits":[{"old":"a - b"`, unread, edits("a - b", "a + b"), true},
		"cut behind another edit":     {`{"actions":[{"args":{"path":"a","edits":[{"old":"a - b"`, unread, edits("c - d", "c + d"), false},
		"a command comes along":       {"write a:\none\n", unread, nebula.Intent{Actions: append(writes("a", "one\n").Actions, nebula.Action{Tool: "runTests", Args: json.RawMessage(`{"command":"make test"}`)})}, true},
		"carriage returns":            {"x:\r\none\r\ntwo\r\n", unread, writes("a", "one\ntwo\n"), true},
		"an empty content":            {"x", unread, writes("a", ""), true},
		"nothing was there":           {"", nebula.Intent{Problems: wrong}, writes("a", "new"), true},
		"only reasoning was there":    {"<think>hm</think>", nebula.Intent{Problems: wrong}, writes("a", "new"), true},
		"an answer without an action": {"wrote it", unread, nebula.Intent{Say: "sorry"}, true},
	} {
		if err := protocol.Same(nebula.Reply{Parts: nebula.Text(c.text)}, c.before, c.after); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := protocol.Same(nebula.Reply{Parts: nebula.Text("x y"), Finish: "length"}, unread, writes("a", "new")); err != nil {
		t.Errorf("a cut reply binds: %v", err)
	}
}

// written writes every action as its tool's name in brackets.
func written(in nebula.Intent, _ []nebula.ToolSpec) nebula.Reply {
	return nebula.Reply{Parts: nebula.Text("<" + in.Actions[0].Tool + ">")}
}

func TestCorrectionNamesWhatWasNotRead(t *testing.T) {
	r := nebula.Reply{Parts: nebula.Text("one\ntwo three\nfour")}
	in := nebula.Intent{Problems: []nebula.Problem{{Line: 2, Text: "not closed", Hint: "Close it."}, {Line: 2, Text: "not closed", Hint: "Close it."}},
		Actions: []nebula.Action{{Tool: "look", Inferred: true, Src: nebula.Span{Line: 3}}}}
	for lang, rules := range map[string]string{"en": "Change the format only", "ja": "形式だけ", "": "Change the format only"} {
		text := protocol.Correction(r, in, lang, written)
		if strings.Count(text, "not closed Close it.") != 1 || !strings.Contains(text, "| two three") || !strings.Contains(text, "| four") || !strings.Contains(text, "<look>") || !strings.Contains(text, rules) {
			t.Errorf("%s:\n%s", lang, text)
		}
	}
	in.Actions[0].Repairs = []string{"place_words", "said_twice"}
	if text := protocol.Correction(r, in, "en", written); strings.Contains(text, "<look>") || !strings.Contains(text, "only shown") {
		t.Errorf("whoever only shows an action is told how to write it:\n%s", text)
	}
	if text := protocol.Correction(nebula.Reply{}, nebula.Intent{Problems: in.Problems}, "en", written); strings.Contains(text, "format") {
		t.Errorf("an empty reply has no format to change: %s", text)
	}
	many := nebula.Intent{}
	for i := range 1000 {
		many.Problems = append(many.Problems, nebula.Problem{Line: i, Text: "x"})
	}
	if text := protocol.Correction(r, many, "en", written); len(text) > 1000 {
		t.Errorf("%d bytes for many problems", len(text))
	}
}

// A call that the model could not write is asked for again as such, whatever stands before it, and binds to nothing.
func TestAnIllFormedCallIsAskedForAgain(t *testing.T) {
	for _, text := range []string{"", "I look at it."} {
		r, in := nebula.Reply{Parts: nebula.Text(text), Finish: "malformed_call"}, nebula.Intent{Say: text}
		protocol.Settle(r, &in)
		after := nebula.Intent{Actions: []nebula.Action{{Tool: "look"}}}
		if told := protocol.Correction(r, in, "en", written); len(in.Problems) != 1 || !strings.Contains(told, "ill-formed") || protocol.Same(r, in, after) != nil {
			t.Errorf("%q: %+v, %q, %v", text, in.Problems, told, protocol.Same(r, in, after))
		}
	}
	in := nebula.Intent{Actions: []nebula.Action{{Tool: "look"}}}
	if protocol.Settle(nebula.Reply{Finish: "malformed_call"}, &in); in.Actions[0].Problem == "" {
		t.Error("what stands beside an ill-formed call is done")
	}
}
