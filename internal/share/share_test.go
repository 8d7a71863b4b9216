package share_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/share"
	"nebula/internal/transcript"
)

// hostile is what a model, a file or a person could write into a page.
var hostile = []string{
	"<script>alert(1)</script>", "</pre></div><img src=x onerror=alert(1)>", "\"><svg onload=alert(1)>", "</title><script>alert(1)</script>",
	"```\n</pre><script>alert(1)</script>\n```", "[a](javascript:alert(1))", "</style><script>alert(1)</script>", "&lt;script&gt;", "\x1b[31mred\u202e",
}

func session(text string) *transcript.Transcript {
	t := transcript.New("en")
	at := time.Unix(0, 0)
	diff := "--- a/" + text + "\n+++ b/" + text + "\n@@ -1 +1 @@\n-" + text + "\n+" + text + "\n"
	args, _ := json.Marshal(map[string]string{"path": text})
	action := nebula.Action{ID: "1", Tool: "editFile", Args: args, Reason: text}
	run := nebula.Action{ID: "2", Tool: "executeShell", Reason: text}
	for i, b := range []nebula.Body{
		nebula.Started{Session: "s", Dir: "/home/ann/shop", Lang: "en"},
		nebula.Submitted{Turn: 1, Text: text},
		nebula.Replied{Turn: 1, Intent: nebula.Intent{Say: "before\n" + text + "\nafter", Thoughts: []string{text}}},
		nebula.Proposed{Proposal: nebula.Proposal{Action: action, Effect: nebula.Write, Summary: text, Diff: diff}},
		nebula.Finished{Result: nebula.Result{Action: "1", Status: nebula.Done, Summary: text}},
		nebula.Proposed{Proposal: nebula.Proposal{Action: run, Effect: nebula.Execute, Command: "echo " + text}},
		nebula.Finished{Result: nebula.Result{Action: "2", Status: nebula.Done, Text: text}},
		nebula.Noted{Level: "warning", Text: text},
		nebula.Ended{Outcome: nebula.Outcome{Status: nebula.TurnFailed, Text: text}},
	} {
		t.Apply(nebula.Event{Seq: int64(i + 1), At: at, Body: b})
	}
	return t
}

// tags are all that a page is made of.
var tags = map[string]bool{"!doctype": true, "html": true, "head": true, "meta": true, "title": true, "style": true, "body": true, "header": true,
	"h1": true, "p": true, "main": true, "div": true, "pre": true, "span": true, "details": true, "summary": true}

func TestPagesHoldNothingThatRuns(t *testing.T) {
	for _, text := range hostile {
		page := share.HTML(session(text), share.Options{Lang: "en", Title: text, About: []string{text}, Contents: true, Clean: func(s string) string { return s }})
		for rest := page; ; {
			_, after, ok := strings.Cut(rest, "<")
			if !ok {
				break
			}
			tag, _, _ := strings.Cut(after, ">")
			name := strings.TrimPrefix(strings.ToLower(strings.Fields(tag + " x")[0]), "/")
			if !tags[name] || strings.Contains(strings.ToLower(tag), " on") {
				t.Errorf("%q makes <%s>", text, tag)
			}
			rest = after
		}
		if strings.ContainsAny(page, "\x1b\u202e") {
			t.Errorf("%q: what hides is in the page", text)
		}
	}
}

func TestWhatIsSharedIsWhatWasSaidAndDone(t *testing.T) {
	seen := session("look")
	for name, written := range map[string]func(*transcript.Transcript, share.Options) string{"html": share.HTML, "markdown": share.Markdown} {
		clean := func(s string) string { return strings.ReplaceAll(s, "shop", "•") }
		all := written(seen, share.Options{Lang: "en", Title: "a shop", Contents: true, Clean: clean})
		for _, part := range []string{"a •", "look", "before", "+look", "echo look", "failed"} {
			if !strings.Contains(all, part) {
				t.Errorf("%s: without %q", name, part)
			}
		}
		if without := written(seen, share.Options{Lang: "en", Clean: clean}); strings.Contains(without, "+look") {
			t.Errorf("%s: contents that were to be left out are there", name)
		}
	}
}
