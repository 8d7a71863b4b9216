package page

import (
	"encoding/json"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"nebula"
	"nebula/internal/gate"
)

var frame = Frame{Lang: "en", Base: "/b"}

func seen(bodies ...nebula.Body) *View {
	v := frame.View()
	for i, b := range bodies {
		v.Apply(nebula.Event{Seq: int64(i + 1), At: time.Unix(int64(i), 0), Body: b})
	}
	return v
}

// hostile are texts that would become something else, if any could.
var hostile = []string{
	`<script>x</script>`, `"><img src=x onerror=x>`, `' onload='x`, "```\"><script>\nx\n```", "`<b>`", "**<b>**", "# <b>", "- <b>", "1. <b>", `[x](javascript:x)`, `javascript:x`, "https://x/\" onclick=\"x", "https://x/'onclick='x",
	"</pre></textarea></title>", "&lt;script&gt;", "\x00<b>\x1b", "<!--", "]]>", "data:text/html,<script>x</script>", "\u202e<b>",
}

// everything is all that pages of a session hold which is made of foreign texts.
func everything(x string) []string {
	p := nebula.Proposal{Action: nebula.Action{ID: "a", Tool: x, Reason: x, Points: &nebula.Points{Intent: x}}, Effect: nebula.Execute, Summary: x, Command: x, Diff: "--- a/" + x + "\n+++ b/" + x + "\n@@ -1,1 +1,1 @@\n-" + x + "\n+" + x + "\n",
		Targets: []nebula.Target{{Path: x, Kind: "delete"}}, List: []nebula.Item{{Text: x}}}
	plan := nebula.Plan{ID: x, Name: x, Goal: x, Status: nebula.Draft, Steps: []nebula.PlanStep{{ID: x, Name: x, DependsOn: []string{x}, Files: []string{x}, Verify: nebula.Verify{Command: x}, Report: &nebula.Report{Said: x}}}}
	running := plan
	running.Status = nebula.InProgress
	var all []string
	for _, bodies := range [][]nebula.Body{
		{nebula.Started{Session: x, Model: x}, nebula.Submitted{Turn: 1, Text: x}, nebula.Streamed{Kind: "thought", Text: x}, nebula.Streamed{Kind: "text", Text: x}, nebula.Replied{Intent: nebula.Intent{Say: x, Errors: []string{x}}},
			nebula.Proposed{Proposal: p, Points: &nebula.Points{Intent: x, Impact: []nebula.Code{nebula.Code(x)}}}, nebula.Asked{Ask: x, Action: "a"}, nebula.Planned{Plan: plan},
			nebula.Queued{Ask: x + "2", Step: x, Title: x, Question: &nebula.Question{Text: x, Options: []string{x, x}}}},
		{nebula.Started{Session: x}, nebula.Asked{Ask: x, Question: &nebula.Question{Text: x, Options: []string{x}}}, nebula.Answered{Ask: x, Answer: nebula.Told, Text: x, By: nebula.Decider(x)}, nebula.Proposed{Proposal: p},
			nebula.Finished{Result: nebula.Result{Action: "a", Status: nebula.Failed, Text: x, Summary: x}}, nebula.Noted{Text: x}, nebula.Ended{Outcome: nebula.Outcome{Status: nebula.TurnFailed, Text: x}}, nebula.Planned{Plan: running}, nebula.Streamed{Kind: "text", Text: x}},
	} {
		c := seen(bodies...).Take()
		for _, r := range c.Rows {
			all = append(all, r.Node.HTML())
		}
		for _, id := range slices.Sorted(maps.Keys(c.Parts)) {
			all = append(all, c.Parts[id].HTML())
		}
		for _, a := range *c.Asks {
			all = append(all, a.Node.HTML())
		}
	}
	all = append(all, frame.Search(x, []Hit{{nebula.SessionInfo{ID: x, Dir: x, Title: x}, []Spot{{x, x}}}}, time.Now()), frame.Costs([]Spending{{time.Now(), x, nebula.Usage{Input: 1, Cost: 1}}}, time.Now()),
		frame.Audit(x, x, Audit{Entries: []Entry{{time.Now(), x, x, x}}, Sum: x, Problem: x}))
	return append(all, frame.Session(x, x, x), frame.Problem(x), frame.Onward("dir="+x),
		frame.List(Places([]Listed{{SessionInfo: nebula.SessionInfo{ID: x, Dir: x, Title: x}}}, x), time.Now()))
}

// shape is a page without what is ours to choose by the text: how many of each element, and the names of its attributes.
func shape(t *testing.T, page string) map[string]int {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for n := range root.Descendants() {
		if n.Type == html.CommentNode {
			found["comment"]++
		}
		if n.Type != html.ElementNode {
			continue
		}
		found[n.Data]++
		for _, a := range n.Attr {
			found[n.Data+" "+a.Key]++
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "srcdoc" || (a.Key == "href" || a.Key == "src") && !strings.HasPrefix(a.Val, "/b/") && !strings.HasPrefix(a.Val, "https://x/") {
				t.Errorf("%s has %s=%q", n.Data, a.Key, a.Val)
			}
		}
	}
	return found
}

// A text stays a text wherever it is: no element comes of it that does not come of a harmless one, but those of Markdown.
func TestTextsStayTexts(t *testing.T) {
	marked := []string{"div", "p", "code", "strong", "pre", "span", "a", "body p"}
	harmless := everything("harmless")
	for _, x := range hostile {
		for i, page := range everything(x) {
			want := shape(t, harmless[i])
			for name, n := range shape(t, page) {
				ours := false
				for _, m := range marked {
					ours = ours || name == m || strings.HasPrefix(name, m+" ")
				}
				if !ours && n > want[name] {
					t.Errorf("%q makes %d of %s, not %d:\n%s", x, n, name, want[name], page)
				}
			}
		}
	}
}

func TestAddressesLeadOutOnlyWhereTheyAreSpelledOut(t *testing.T) {
	for said, want := range map[string]string{
		"see https://x.example/a?b=1.":        `<p>see <a href="https://x.example/a?b=1" rel="noreferrer noopener" target="_blank">https://x.example/a?b=1</a>.</p>`,
		"[x](https://x.example/)":             `<p>[x](<a href="https://x.example/" rel="noreferrer noopener" target="_blank">https://x.example/</a>)</p>`,
		"javascript:x":                        `<p>javascript:x</p>`,
		"`https://x.example`":                 `<p><code>https://x.example</code></p>`,
		"**b** and `c`":                       `<p><strong>b</strong> and <code>c</code></p>`,
		"~~~\n<b>\n~~~":                       "<pre tabindex=\"0\">\n&lt;b&gt;</pre>",
		"- a\n  - b\n2. c":                    `<p class="item in0"><span class="mark">• </span>a</p><p class="item in1"><span class="mark">• </span>b</p><p class="item in0"><span class="mark">2. </span>c</p>`,
		"## Two\nlines\nof it\n\nand another": `<p class="heading"><strong>Two</strong></p><p>lines` + "\n" + `of it</p><p>and another</p>`,
	} {
		var b strings.Builder
		for _, n := range markdown(said) {
			b.WriteString(n.HTML())
		}
		if b.String() != want {
			t.Errorf("%q:\n%s\n%s", said, b.String(), want)
		}
	}
}

// A page has the last rows of a long conversation, gets the older ones when it asks, and each of them once.
func TestALongConversationComesInParts(t *testing.T) {
	var bodies []nebula.Body
	for i := range 10_000 {
		bodies = append(bodies, nebula.Submitted{Turn: i + 1, Text: fmt.Sprint("message ", i)})
	}
	v := seen(bodies...)
	c := v.Take()
	if len(c.Rows) != window || c.First != 10_000-window {
		t.Fatalf("%d rows from %d", len(c.Rows), c.First)
	}
	v.Apply(nebula.Event{Seq: 10_001, Body: nebula.Noted{Text: "new"}})
	if c = v.Take(); len(c.Rows) != 1 || c.Rows[0].I != 10_000 || c.Asks != nil {
		t.Errorf("%+v", c)
	}
	if c = v.Take(); len(c.Rows)+len(c.Parts) != 0 || c.Live != nil {
		t.Errorf("what is known is told again: %+v", c)
	}
	got := map[int]bool{}
	for first := 10_000 - window; first > 0; first = c.First {
		for _, r := range v.Older().Rows {
			if got[r.I] {
				t.Fatalf("row %d came twice", r.I)
			}
			got[r.I] = true
		}
		c.First = v.first
	}
	if len(got) != 10_000-window {
		t.Errorf("%d older rows", len(got))
	}
}

func TestSpeechComesInPieces(t *testing.T) {
	v := seen(nebula.Started{Session: "s"}, nebula.Streamed{Kind: "text", Text: "one"})
	if l := v.Take().Live; l == nil || *l != (Live{"say", 0, "one"}) {
		t.Errorf("%+v", l)
	}
	v.Apply(nebula.Event{Seq: 2, Body: nebula.Streamed{Kind: "text", Text: " two"}})
	if l := v.Take().Live; l == nil || *l != (Live{"say", 3, " two"}) {
		t.Errorf("%+v", l)
	}
	v.Apply(nebula.Event{Seq: 3, Body: nebula.Replied{Intent: nebula.Intent{Say: "one two"}}})
	if c := v.Take(); c.Live == nil || c.Live.Kind != "" || len(c.Rows) != 1 {
		t.Errorf("%+v", c)
	}
}

// What is long is drawn in memory, and so in time, that grows with it: a copy of a table for each of its rows would take 8 GB for 256 KB.
func TestLongTextsTakeWhatGrowsWithThem(t *testing.T) {
	for _, unit := range []string{"| a | b |\n|---|---|\n", "|", "```\nx\n", "`a` ", "**", "\n\nab", "- x\n", "https://a.b/c "} {
		said := strings.Repeat(unit, (256<<10)/len(unit))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		markdown(said)
		if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 512<<20 {
			t.Errorf("%q takes %d MB", unit, (after.TotalAlloc-before.TotalAlloc)>>20)
		}
	}
}

// A draft begins when all that a yes to it covers was on the screen, and as it was shown.
func TestADraftBeginsAsItWasShown(t *testing.T) {
	draft := nebula.Plan{ID: "p", Name: "n", Goal: "g", Status: nebula.Draft, Steps: []nebula.PlanStep{{ID: "s1", Name: "one", Files: []string{"a"}}}}
	v := seen(nebula.Started{Session: "s"}, nebula.Planned{Plan: draft})
	key := v.asks()[0].key
	if _, held := v.Decide(Given{Key: key, Answer: nebula.Yes, Again: true}); held == nil || held.Hold != gate.Unread {
		t.Errorf("%+v", held)
	}
	if c, held := v.Decide(Given{Key: key, Answer: nebula.Yes, Saw: [][2]int{{0, 9}}}); held != nil || c != (nebula.Direct{Do: nebula.RunPlan, Plan: "p"}) {
		t.Errorf("%+v %+v", c, held)
	}
	draft.Steps = append(draft.Steps, nebula.PlanStep{ID: "s2", Name: "two", Verify: nebula.Verify{Command: "make"}})
	v.Apply(nebula.Event{Seq: 3, Body: nebula.Planned{Plan: draft}})
	if _, held := v.Decide(Given{Key: key, Answer: nebula.Yes, Saw: [][2]int{{0, 9}}}); held == nil {
		t.Error("it began otherwise than it was shown")
	}
	if c := v.Direct(nebula.RunPlan, "p"); c != nil {
		t.Error("a draft began without a look at it")
	}
	draft.Status = nebula.InProgress
	v.Apply(nebula.Event{Seq: 4, Body: nebula.Planned{Plan: draft}})
	if c := v.Direct(nebula.PausePlan, "p"); c != (nebula.Direct{Do: nebula.PausePlan, Plan: "p"}) || v.Direct(nebula.PausePlan, "other") != nil || v.Direct("steer", "p") != nil {
		t.Errorf("%+v", c)
	}
}

// A change is made as the person wrote it; what is no such change holds the answer.
func TestAChangeIsWrittenOtherwise(t *testing.T) {
	p := nebula.Proposal{Action: nebula.Action{ID: "a1"}, Effect: nebula.Write, Diff: "--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n one\n+two\n", Targets: []nebula.Target{{Path: "x", Kind: "edit"}}}
	v := seen(nebula.Started{Session: "s"}, nebula.Proposed{Proposal: p, Verdict: nebula.Verdict{Ruling: nebula.AskFirst}}, nebula.Asked{Ask: "q", Action: "a1"})
	key, own := v.asks()[0].key, strings.Replace(p.Diff, "two", "zwei", 1)
	c, held := v.Decide(Given{Key: key, Answer: nebula.Yes, Own: true, Command: own, Saw: [][2]int{{0, 9}}})
	if a, ok := c.(nebula.Answer); held != nil || !ok || a.Command != own {
		t.Errorf("%+v %+v", c, held)
	}
	if c, held := v.Decide(Given{Key: key, Answer: nebula.Yes, Own: true, Command: "ls", Saw: [][2]int{{0, 9}}}); held == nil || c != nil || !strings.Contains(held.Says, "no line of the change") {
		t.Errorf("%+v %+v", c, held)
	}
	if c, held := v.Decide(Given{Key: key, Answer: nebula.Yes, Own: true, Command: " ", Saw: [][2]int{{0, 9}}}); held == nil || c != nil {
		t.Errorf("an emptied box is a yes: %+v", c)
	}
	if c, held := v.Decide(Given{Key: key, Answer: nebula.Yes, Own: true, Command: own}); held == nil || c != nil {
		t.Errorf("what was on no screen is allowed: %+v", c)
	}
}

// What is sent for an element is read by the script as it stands here.
func TestANodeIsItsTagItsAttributesAndWhatItHolds(t *testing.T) {
	data, err := json.Marshal(el("p", text("<a>"), el("b").class("x")).set("id", "y"))
	if want := `["p",{"id":"y"},"\u003ca\u003e",["b",{"class":"x"}]]`; err != nil || string(data) != want {
		t.Errorf("%s %v", data, err)
	}
}

// What stands around a session says what it is: the policy in force, who asks, and a table as one.
func TestAPageSaysWhatIsInForceAndWhoAsks(t *testing.T) {
	v := frame.View()
	for _, c := range []struct{ told, kept, want string }{{"", "", `class="policy ">asks before it acts`}, {"", "edits", `class="policy warn">edits without asking`}, {"all", "ask", `class="policy bad">`}} {
		if v.Policy, v.seen.Approve = c.kept, c.told; !strings.Contains(v.state().HTML(), c.want) {
			t.Errorf("%+v: %s", c, v.state().HTML())
		}
	}
	p := nebula.Proposed{Proposal: nebula.Proposal{Action: nebula.Action{ID: "a"}, Effect: nebula.Execute, Command: "make"}}
	for want, b := range map[string]nebula.Body{
		"Allow this, which a step in the background asks for?": nebula.Queued{Ask: "q", Step: "s1", Title: "build", Proposed: &p},
		"A step in the background asks":                        nebula.Queued{Ask: "q", Step: "s1", Title: "build", Question: &nebula.Question{Text: "which?"}},
		"Question":                                             nebula.Asked{Ask: "q", Question: &nebula.Question{Text: "which?"}},
	} {
		if got := (*seen(nebula.Started{Session: "s"}, b).Take().Asks)[0].Node.HTML(); !strings.Contains(got, ">"+want) {
			t.Errorf("%s: %s", want, got)
		}
	}
	got := ""
	for _, n := range markdown("before\n| a | b |\n|--|-:|\n| `x` | **2** |\nafter") {
		got += n.HTML()
	}
	if want := `<p>before</p><div class="wide" tabindex="0"><table><tr><th>a</th><th class="right">b</th></tr><tr><td><code>x</code></td><td class="right"><strong>2</strong></td></tr></table></div><p>after</p>`; got != want {
		t.Error(got)
	}
}

// What is written while something waits becomes a message only where nobody can have meant it as an answer.
func TestAMessageIsNotTakenForAnAnswer(t *testing.T) {
	own := seen(nebula.Started{Session: "s"}, nebula.Asked{Ask: "q", Question: &nebula.Question{Text: "which?"}})
	beside := seen(nebula.Started{Session: "s"}, nebula.Queued{Ask: "q", Step: "s1", Question: &nebula.Question{Text: "which?"}})
	none := seen(nebula.Started{Session: "s"})
	for _, c := range []struct {
		v          *View
		said       string
		held, tell bool
	}{{own, "yes", true, false}, {own, "use tabs", true, false}, {beside, "yes", true, false}, {beside, "はい", true, false}, {beside, "2", true, false}, {beside, "use tabs", false, true}, {none, "yes", false, false}} {
		if held, tell := c.v.Said(c.said); (held != nil) != c.held || (tell != "") != c.tell {
			t.Errorf("%q: %+v %q", c.said, held, tell)
		}
	}
}

// What is said before several looks stands once: they need no reason of their own.
func TestLooksStandWithoutReasons(t *testing.T) {
	for effect, want := range map[nebula.Effect]bool{nebula.Read: false, nebula.Write: true, nebula.Execute: true} {
		v := seen(nebula.Started{Session: "s"}, nebula.Proposed{Proposal: nebula.Proposal{Action: nebula.Action{ID: "a", Reason: "to see"}, Effect: effect, Summary: "a.go"}})
		var all string
		for _, r := range v.Take().Rows {
			all += r.Node.HTML()
		}
		if strings.Contains(all, "to see") != want {
			t.Errorf("%s: %s", effect, all)
		}
	}
}
