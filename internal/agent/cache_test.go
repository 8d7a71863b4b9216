package agent_test

import (
	"strings"
	"testing"
	"time"

	"nebula"
)

// What a provider reads anew though its cache should have it stands in the record, with where the request changed; nobody is
// disturbed by it.
func TestACacheThatDoesNotHitIsTold(t *testing.T) {
	cached := []int{0, 9_000, 0, 0, 0}
	replies := make([]nebula.Reply, len(cached))
	for i, n := range cached {
		replies[i] = nebula.Reply{Parts: nebula.Text("Well. " + strings.Repeat("It goes on. ", 200)), Finish: "stop", Usage: nebula.Usage{Input: 10_000 + 600*i, Cached: n, Output: 10}}
	}
	st := newStage(t, replies...)
	st.script.Infos = func(m nebula.ModelInfo) nebula.ModelInfo { m.InputUSD, m.CachedUSD = 1, 0.1; return m }
	now := time.Now()
	st.setup.Now = func() time.Time { return now }
	missed := func(request string) (m *nebula.Missed) {
		t.Helper()
		for _, e := range st.say(request, nil) {
			switch b := e.Body.(type) {
			case nebula.Replied:
				m = b.Missed
			case nebula.Noted:
				t.Errorf("a note: %s", b.Text)
			}
		}
		return m
	}
	if m := missed("first"); m != nil {
		t.Errorf("the first request: %+v", m)
	}
	if m := missed("second"); m != nil {
		t.Errorf("a hit: %+v", m)
	}
	if m := missed("third"); m == nil || m.Tokens < 5_000 || m.Part != "" {
		t.Errorf("forgotten: %+v", m)
	}
	if err := st.session.Send(t.Context(), nebula.Switch{Mode: nebula.PlanMode}); err != nil { // another beginning
		t.Fatal(err)
	}
	m := missed("fourth")
	if m == nil || m.Tokens < 5_000 || m.Part != "system" || m.At == 0 || m.Was == m.Is {
		t.Errorf("another beginning: %+v", m)
	}
	now = now.Add(time.Hour)
	if m := missed("fifth"); m != nil {
		t.Errorf("after an hour: %+v", m)
	}
	status, err := st.session.Status(t.Context())
	if err != nil || len(status.Misses) != 2 || !strings.Contains(status.Text("en"), "cache: 2 requests were read anew") || !strings.Contains(status.Text("ja"), "キャッシュ: 2 回") {
		t.Errorf("%+v, %v\n%s", status.Misses, err, status.Text("en"))
	}
}

// Usage that nebula counted itself, because the server told none, says nothing of the server's cache.
func TestACacheIsJudgedByWhatTheServerSaysAlone(t *testing.T) {
	st := newStage(t)
	st.setup.Prompt.Count = func(text string) int { return len(text) }
	st.script.Infos = func(m nebula.ModelInfo) nebula.ModelInfo { m.InputUSD, m.CachedUSD = 1, 0.1; return m }
	st.script.Answers = func(n int, _ nebula.Prompt) *nebula.Reply {
		r := nebula.Reply{Parts: nebula.Text(strings.Repeat("It goes on. ", 1000)), Finish: "stop"}
		if n == 1 {
			r.Usage = nebula.Usage{Input: 13_000, Output: 3_000}
		}
		return &r
	}
	for n, request := range []string{"first", "second", "third", "fourth"} {
		for _, e := range st.say(request, nil) {
			if b, ok := e.Body.(nebula.Replied); ok && b.Missed != nil {
				t.Errorf("request %d, %+v: %+v", n, b.Reply.Usage, b.Missed)
			}
		}
	}
}
