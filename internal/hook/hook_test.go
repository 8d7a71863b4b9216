package hook

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"nebula"
)

// As people write them.
const settings = `{
  "PreToolUse": [
    {"matcher": "Bash", "hooks": [{"type": "command", "command": "guard.sh", "timeout": 5}]},
    {"matcher": "Edit|Write|MultiEdit", "hooks": [{"type": "command", "command": "files.py"}]},
    {"matcher": "mcp__.*", "hooks": [{"type": "command", "command": "servers.sh"}]}
  ],
  "PostToolUse": [{"matcher": "Edit", "hooks": [{"type": "command", "command": "format.sh"}, {"type": "prompt", "prompt": "fine?"}]}],
  "Stop": [{"hooks": [{"type": "command", "command": "tests.sh"}]}],
  "WorktreeCreate": [{"hooks": [{"type": "command", "command": "x"}]}]
}`

func TestHooksAreReadAsPeopleWriteThem(t *testing.T) {
	list, left, err := Parse(json.RawMessage(settings), "settings.json", true)
	if err != nil || len(list) != 5 || len(left) != 2 {
		t.Fatalf("%d %v %v", len(list), left, err)
	}
	if list[0].Timeout != 5*time.Second || list[1].Timeout != usual {
		t.Errorf("%v %v", list[0].Timeout, list[1].Timeout)
	}
	for _, c := range []struct {
		names string
		want  []string
	}{{"Bash executeShell", []string{"guard.sh"}}, {"Write Edit editFile", []string{"files.py", "format.sh"}}, {"BashOutput", nil}} {
		var got []string
		for _, h := range list {
			if h.Moment != nebula.AtStop && h.Fits(strings.Fields(c.names)) {
				got = append(got, h.Line)
			}
		}
		if strings.Join(got, " ") != strings.Join(c.want, " ") {
			t.Errorf("%s: %q", c.names, got)
		}
	}
}

// Hooks run in the order of moments and of their lines, and what is left out is told in that of its names, however often it is read.
func TestHooksHaveOneOrder(t *testing.T) {
	text := json.RawMessage(`{"Z":[{}],"Y":[{}],"X":[{}],"W":[{}],"V":[{}],"Stop":[{"hooks":[{"command":"c"}]}],"PreToolUse":[{"hooks":[{"command":"a"},{"command":"b"}]}]}`)
	for range 20 {
		list, left, err := Parse(text, "f", true)
		lines, said := "", ""
		for _, h := range list {
			lines += h.Line
		}
		for _, w := range left {
			said += strings.TrimPrefix(w.String(), "f: hooks of ")[:1]
		}
		if err != nil || lines != "abc" || said != "VWXYZ" {
			t.Fatalf("%q, %q, %v", lines, said, err)
		}
	}
}

// What cannot be read is named and left out; the hooks beside it hold.
func TestAHookThatCannotBeReadTakesNoOtherWithIt(t *testing.T) {
	for _, bad := range []string{`{"matcher":"(","hooks":[]}`, `{"matcher":"^(?!Read)","hooks":[]}`, `{"hooks":[{"type":"command","command":"x","timeout":"30"}]}`, `7`} {
		list, left, err := Parse(json.RawMessage(`{"PreToolUse":[`+bad+`,{"hooks":[{"command":"guard.sh"}]}]}`), "f", true)
		if err != nil || len(list) != 1 || len(left) != 1 {
			t.Errorf("%s: %d hooks, %v, %v", bad, len(list), left, err)
		}
	}
}

// Words are whole names, everything else an expression that fits somewhere; what is no tool's is compared with its kind.
// A bound that is none, or longer than any, is no way to never end, nor to end at once.
func TestATimeoutIsOne(t *testing.T) {
	for said, want := range map[string]time.Duration{"0": time.Minute, "-5": time.Minute, "0.5": time.Second / 2, "10": 10 * time.Second, "60000": 10 * time.Minute, "1e300": 10 * time.Minute} {
		list, _, err := Parse(json.RawMessage(`{"Stop":[{"hooks":[{"command":"true","timeout":`+said+`}]}]}`), "f", true)
		if err != nil || len(list) != 1 || list[0].Timeout != want {
			t.Errorf("%s: %+v, %v", said, list, err)
		}
	}
}

func TestAMatcherFitsAsItDoesElsewhere(t *testing.T) {
	for _, c := range []struct{ matcher, fits, not string }{
		{"", "Bash", ""}, {"*", "Bash", ""}, {"Bash", "Bash", "BashOutput"}, {"Edit|Write", "Write", "MultiEdit"}, {"Edit, Write", "Write", "NotebookEdit"},
		{"^Notebook", "NotebookEdit", "MyNotebook"}, {"Edit.*", "MultiEdit", "Bash"}, {"mcp__memory__.*", "mcp__memory__read", "mcp__files__read"},
		{"mcp__memory", "mcp__memory", "mcp__memory__read"}, {"startup|resume", "resume", "compact"},
	} {
		h := Hook{Matcher: c.matcher}
		if !h.Fits([]string{c.fits}) || c.not != "" && h.Fits([]string{c.not}) {
			t.Errorf("%q: %q %v, %q %v", c.matcher, c.fits, h.Fits([]string{c.fits}), c.not, h.Fits([]string{c.not}))
		}
	}
	var in struct{ Source, Trigger, Reason string }
	ran := 0
	set := Set{Hooks: func() []Hook {
		return []Hook{{Moment: nebula.OnStart, Matcher: "startup"}, {Moment: nebula.AtShort, Matcher: "auto"}, {Moment: nebula.AtEnd, Matcher: "clear"}}
	}, Run: func(_ context.Context, _ Hook, data []byte) End { ran++; _ = json.Unmarshal(data, &in); return End{} }}
	for _, o := range []nebula.Occasion{{Moment: nebula.OnStart, Kind: "resume"}, {Moment: nebula.AtShort, Kind: "manual"}, {Moment: nebula.AtEnd, Kind: "other"}} {
		if set.At(context.Background(), o); ran != 0 {
			t.Errorf("a hook of another kind runs at %s", o.Moment)
		}
	}
	set.At(context.Background(), nebula.Occasion{Moment: nebula.OnStart, Kind: "startup"})
	set.At(context.Background(), nebula.Occasion{Moment: nebula.AtShort, Kind: "auto"})
	if set.At(context.Background(), nebula.Occasion{Moment: nebula.AtEnd, Kind: "clear"}); ran != 3 || in.Source != "startup" || in.Trigger != "auto" || in.Reason != "clear" {
		t.Errorf("%d %+v", ran, in)
	}
}

// asked is what hooks with these ends say together.
func asked(m nebula.Moment, hooks []Hook, ends ...End) nebula.Heeded {
	n := 0
	return Set{Dir: "/work", Hooks: func() []Hook { return hooks }, Names: func(nebula.Action) []string { return []string{"Bash", "executeShell"} },
		Run: func(context.Context, Hook, []byte) End { n++; return ends[n-1] }}.At(context.Background(), nebula.Occasion{Moment: m, Action: &nebula.Action{ID: "a1", Args: []byte(`{}`)}})
}

func TestTheStrictestAnswerCountsAndAProjectsOnlyTightens(t *testing.T) {
	own := Hook{Moment: nebula.BeforeTool, Line: "own", Own: true}
	theirs := Hook{Moment: nebula.BeforeTool, Line: "theirs"}
	firm := Hook{Moment: nebula.BeforeTool, Line: "firm", Blocks: true}
	says := func(d string) End {
		return End{Output: `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"` + d + `","permissionDecisionReason":"r"}}`}
	}
	for _, c := range []struct {
		about string
		hooks []Hook
		ends  []End
		want  string
	}{
		{"nothing said", []Hook{own}, []End{{}}, ""},
		{"exit 2", []Hook{theirs}, []End{{Code: 2, Output: "no rm\n"}}, "deny"},
		{"another exit decides nothing", []Hook{theirs}, []End{{Code: 1, Output: "broken"}}, ""},
		{"unless that is wanted", []Hook{firm}, []End{{Code: 1, Output: "broken"}}, "deny"},
		{"no end in time, by choice", []Hook{firm}, []End{{Failed: "slow"}}, "deny"},
		{"the person's allows", []Hook{own}, []End{says("allow")}, "allow"},
		{"the project's does not", []Hook{theirs}, []End{says("allow")}, ""},
		{"it asks", []Hook{theirs}, []End{says("ask")}, "ask"},
		{"the strictest counts", []Hook{own, theirs, own}, []End{says("allow"), says("deny"), says("ask")}, "deny"},
		{"the old way", []Hook{theirs}, []End{{Output: `{"decision":"block","reason":"r"}`}}, "deny"},
		{"of a request for permission", []Hook{own}, []End{{Output: `{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"r"}}}`}}, "deny"},
		{"continue", []Hook{theirs}, []End{{Output: `{"continue":false,"stopReason":"r"}`}}, "deny"},
		{"beside what it notices", []Hook{own}, []End{{Output: "warning: old node\n" + says("deny").Output + "\nend\n"}}, "deny"},
		{"over several lines", []Hook{own}, []End{{Output: "looking\n{\n  \"decision\": \"block\",\n  \"reason\": \"r\"\n}"}}, "deny"},
		{"what stands beside other lines allows nothing", []Hook{own}, []End{{Output: "rm x\n" + says("allow").Output}}, ""},
		{"a long reason", []Hook{own}, []End{{Output: `{"decision":"block","reason":"` + strings.Repeat("r", 2*mostSaid) + `"}`}}, "deny"},
		{"no answer that can be read", []Hook{own}, []End{{Output: `{"hookSpecificOutput":{"permissionDecision":"al`}}, ""},
		{"a piece of an answer, where one is wanted", []Hook{firm}, []End{{Output: `{"decision":"block","reason":"x`}}, "deny"},
		{"a piece behind a line", []Hook{firm}, []End{{Output: "looking\n{\"decision\":\"block\",\"rea"}}, "deny"},
		{"what is no object", []Hook{firm}, []End{{Output: "{bad"}}, "deny"},
		{"a list", []Hook{firm}, []End{{Output: "[]"}}, "deny"},
		{"null", []Hook{firm}, []End{{Output: "null\n"}}, "deny"},
		{"a decision that is no word", []Hook{firm}, []End{{Output: `{"decision":5}`}}, "deny"},
		{"more than is read", []Hook{firm}, []End{{Output: strings.Repeat("x", mostRead)}}, "deny"},
		{"what is printed beside is no answer", []Hook{firm}, []End{{Output: "[guard] looked at 3 files {a}"}}, ""},
		{"nor is a record", []Hook{firm}, []End{{Output: "{\"level\":\"info\"}\n{\"level\":\"info\"}"}}, ""},
		{"nothing, where an answer is wanted", []Hook{firm}, []End{{}}, ""},
		{"an answer that is one", []Hook{firm}, []End{{Output: `{}`}}, ""},
		{"in capitals", []Hook{own}, []End{says("Deny")}, "deny"},
		{"in capitals, allowed", []Hook{own}, []End{says("ALLOW ")}, "allow"},
	} {
		got := asked(nebula.BeforeTool, c.hooks, c.ends...)
		if got.Decision != c.want || len(got.Runs) != len(c.hooks) {
			t.Errorf("%s: %+v", c.about, got)
		}
		if got.Decision == "deny" && got.Why == "" {
			t.Errorf("%s: it is not said why", c.about)
		}
	}
}

func TestAFloodIsCut(t *testing.T) {
	got := asked(nebula.BeforeTool, []Hook{{Moment: nebula.BeforeTool, Line: "x"}}, End{Code: 2, Output: strings.Repeat("あ", 1<<20)})
	if len(got.Why) > mostSaid || len(got.Runs[0].Text) > 2000 {
		t.Errorf("%d bytes, %d in the record", len(got.Why), len(got.Runs[0].Text))
	}
}

func TestHooksReadWhatTheyKnow(t *testing.T) {
	var in map[string]any
	Set{Dir: "/work", Hooks: func() []Hook { return []Hook{{Moment: nebula.BeforeTool}} }, Names: func(nebula.Action) []string { return []string{"Write", "writeFile"} },
		Run: func(_ context.Context, _ Hook, data []byte) End {
			if strings.Count(string(data), "\n") != 1 || json.Unmarshal(data, &in) != nil {
				t.Errorf("%q", data)
			}
			return End{}
		}}.At(context.Background(), nebula.Occasion{Moment: nebula.BeforeTool, Session: "s1", Action: &nebula.Action{ID: "a1", Tool: "writeFile", Args: []byte(`{"path":"a/b.go","content":"x\ny <"}`)}})
	args, _ := in["tool_input"].(map[string]any)
	if in["tool_name"] != "Write" || in["hook_event_name"] != "PreToolUse" || in["session_id"] != "s1" || args["file_path"] != "/work/a/b.go" || args["content"] != "x\ny <" {
		t.Errorf("%v", in)
	}
}

// Each moment asks its own hooks and no others, and tells them by the names that they know what it is about.
func TestEachMomentIsToldToItsOwnHooks(t *testing.T) {
	act := &nebula.Action{ID: "a1", Tool: "executeShell", Args: []byte(`{"command":"ls"}`)}
	call := `"tool_input":{"command":"ls"},"tool_name":"Bash","tool_use_id":"a1"`
	for _, c := range []struct {
		o    nebula.Occasion
		name string
		want string
	}{
		{nebula.Occasion{Moment: nebula.BeforeTool, Action: act}, "PreToolUse", call},
		{nebula.Occasion{Moment: nebula.BeforeAsk, Action: act, Mode: nebula.PlanMode}, "PermissionRequest", call},
		{nebula.Occasion{Moment: nebula.AfterTool, Action: act, Result: &nebula.Result{Status: nebula.Done, Text: "out"}}, "PostToolUse", `"tool_input":{"command":"ls"},"tool_name":"Bash","tool_response":{"output":"out","status":"done","success":true},"tool_use_id":"a1"`},
		{nebula.Occasion{Moment: nebula.OnMessage, Text: "do it"}, "UserPromptSubmit", `"prompt":"do it"`},
		{nebula.Occasion{Moment: nebula.AtStop, Text: "Done.", Again: true}, "Stop", `"last_assistant_message":"Done.","stop_hook_active":true`},
		{nebula.Occasion{Moment: nebula.AtStepStop, Text: "Done."}, "SubagentStop", `"last_assistant_message":"Done.","stop_hook_active":false`},
		{nebula.Occasion{Moment: nebula.OnStart, Kind: "resume"}, "SessionStart", `"source":"resume"`},
		{nebula.Occasion{Moment: nebula.AtEnd, Kind: "other"}, "SessionEnd", `"reason":"other"`},
		{nebula.Occasion{Moment: nebula.AtShort, Kind: "manual", Text: "the tests"}, "PreCompact", `"custom_instructions":"the tests","trigger":"manual"`},
		{nebula.Occasion{Moment: nebula.OnAsk, Kind: "permission_prompt", Text: "May it?"}, "Notification", `"message":"May it?","notification_type":"permission_prompt"`},
	} {
		var all []Hook
		for _, m := range moments {
			all = append(all, Hook{Moment: m, Line: string(m)})
		}
		ran, read := "", map[string]any{}
		s := Set{Dir: "/w", Hooks: func() []Hook { return all }, Names: func(nebula.Action) []string { return []string{"Bash"} }, Run: func(_ context.Context, h Hook, in []byte) End {
			if ran += h.Line; json.Unmarshal(in, &read) != nil {
				t.Errorf("%s: %q", c.name, in)
			}
			return End{}
		}}
		s.At(t.Context(), c.o)
		mode := "default"
		if c.o.Mode == nebula.PlanMode {
			mode = "plan"
		}
		if read["hook_event_name"] != c.name || read["cwd"] != "/w" || read["permission_mode"] != mode {
			t.Errorf("%s: %v", c.name, read)
		}
		for _, name := range []string{"hook_event_name", "cwd", "permission_mode", "session_id"} {
			delete(read, name)
		}
		if got, _ := json.Marshal(read); ran != c.name || string(got) != "{"+c.want+"}" {
			t.Errorf("%s: %q ran, and read %s", c.name, ran, got)
		}
		// In a step nobody types, and its end is a step's.
		ran, s.Step = "", true
		want := map[nebula.Moment]string{nebula.OnMessage: "", nebula.OnStart: "", nebula.AtEnd: "", nebula.AtStop: "SubagentStop"}
		if _, other := want[c.o.Moment]; !other {
			want[c.o.Moment] = c.name
		}
		if s.At(t.Context(), c.o); ran != want[c.o.Moment] {
			t.Errorf("%s in a step: %q ran, want %q", c.name, ran, want[c.o.Moment])
		}
	}
}

// What a hook puts in the place of arguments has the names that the call has, and nothing that it left alone is another.
func TestAHookPutsOtherArgumentsInTheirPlace(t *testing.T) {
	long := strings.Repeat("x", longest+5)
	for _, c := range []struct{ args, says, want string }{
		{`{"command":"rm -rf x","reason":"r"}`, `{"command":"rm -i x"}`, `{"command":"rm -i x","reason":"r"}`},
		{`{"path":"a.txt","content":"x"}`, `{"file_path":"b.txt","path":"a.txt","content":"y"}`, `{"content":"y","path":"b.txt"}`},
		{`{"path":"a.txt","new_content":"x"}`, `{"content":"y"}`, `{"new_content":"y","path":"a.txt"}`},
		{`{"path":"a.txt","content":"` + long + `"}`, `{"path":"a.txt","file_path":"/work/a.txt","content":"` + long[:longest] + `"}`, ``},
		{`{"command":"x"}`, `{"command":"x"}`, ``},
	} {
		h := Hook{Moment: nebula.BeforeTool, Own: true}
		set := Set{Dir: "/work", Hooks: func() []Hook { return []Hook{h} }, Names: func(nebula.Action) []string { return []string{"Bash"} }, Run: func(context.Context, Hook, []byte) End {
			return End{Output: `{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":` + c.says + `}}`}
		}}
		got := set.At(context.Background(), nebula.Occasion{Moment: nebula.BeforeTool, Action: &nebula.Action{ID: "a1", Args: []byte(c.args)}})
		if string(got.Input) != c.want || (c.want != "") != got.Own {
			t.Errorf("%.60s: %.200s, own %v", c.args, got.Input, got.Own)
		}
	}
}

// What a hook says to the person is told, and so is, once, what of its answer is not done here: nothing is dropped unsaid.
func TestWhatIsNotDoneOfAnAnswerIsSaid(t *testing.T) {
	for _, c := range []struct {
		moment nebula.Moment
		says   string
		notes  string
	}{
		{nebula.BeforeTool, `{"systemMessage":"careful","suppressOutput":true}`, "a hook of PreToolUse says: careful"},
		{nebula.BeforeTool, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"r","additionalContext":"c","updatedInput":{"a":1}}}`, ""},
		{nebula.BeforeTool, `{"hookSpecificOutput":{"permissionDecision":"defer"}}`, "answers with permissionDecision defer, which is not done here: x (f)"},
		{nebula.AfterTool, `{"decision":"block","reason":"r","hookSpecificOutput":{"additionalContext":"c","updatedMCPToolOutput":"x"}}`, "answers with updatedMCPToolOutput, which is not done here: x (f)"},
		{nebula.AfterTool, `{"continue":false,"stopReason":"r"}`, "answers with continue false, which is not done here: x (f)"},
		{nebula.BeforeAsk, `{"hookSpecificOutput":{"decision":{"behavior":"allow","updatedPermissions":[]}}}`, "answers with updatedPermissions, which is not done here: x (f)"},
		{nebula.AtStop, `{"hookSpecificOutput":{"additionalContext":"c"}}`, "answers with additionalContext, which is not done here: x (f)"},
		{nebula.OnStart, `{"hookSpecificOutput":{"additionalContext":"c"}}`, ""},
	} {
		got := asked(c.moment, []Hook{{Moment: c.moment, Line: "x", From: "f", Own: true}}, End{Output: c.says})
		said := ""
		for _, w := range got.Notes {
			said += w.String()
		}
		if c.notes == "" && said != "" || !strings.HasSuffix(said, c.notes) {
			t.Errorf("%s: %q, want %q", c.says, said, c.notes)
		}
	}
	var told sync.Map
	s := Set{Hooks: func() []Hook { return []Hook{{Moment: nebula.AtStop}} }, Told: &told, Run: func(context.Context, Hook, []byte) End { return End{Output: `{"new":1,"systemMessage":"m"}`} }}
	if a, b := s.At(t.Context(), nebula.Occasion{Moment: nebula.AtStop}), s.At(t.Context(), nebula.Occasion{Moment: nebula.AtStop}); len(a.Notes) != 2 || len(b.Notes) != 1 {
		t.Errorf("%v, then %v", a.Notes, b.Notes)
	}
}

// A hook for some calls of a tool runs for those, and for what may be one; what may be one is allowed by nobody.
func TestAHookForSomeCallsRunsForThose(t *testing.T) {
	for _, c := range []struct {
		is, sure bool
		runs     int
		decision string
	}{{true, true, 1, "allow"}, {true, false, 1, ""}, {false, true, 0, ""}} {
		s := Set{Hooks: func() []Hook { return []Hook{{Moment: nebula.BeforeTool, If: "Bash(git *)", Own: true}} }, Names: func(nebula.Action) []string { return []string{"Bash"} },
			If:  func(string, nebula.Action) (bool, bool) { return c.is, c.sure },
			Run: func(context.Context, Hook, []byte) End { return End{Output: `{"decision":"approve"}`} }}
		if got := s.At(t.Context(), nebula.Occasion{Moment: nebula.BeforeTool, Action: &nebula.Action{}}); len(got.Runs) != c.runs || got.Decision != c.decision {
			t.Errorf("%+v: %+v", c, got)
		}
	}
	list, left, err := Parse(json.RawMessage(`{"Stop":[{"hooks":[{"type":"command","command":"node","args":["a b.js","it's"],"if":"Bash(git *)","async":true,"statusMessage":"..."}]}]}`), "f", true)
	if err != nil || len(left) != 1 || !strings.Contains(left[0].String(), "async") || list[0].Line != `node 'a b.js' 'it'\''s'` || list[0].If == "" {
		t.Errorf("%+v %v %v", list, left, err)
	}
}
