package experience

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"nebula"
)

func line(tool, args string, status nebula.Status) nebula.ActionLine {
	return nebula.ActionLine{Tool: tool, Args: []byte(args), Status: status}
}

func TestWhatATurnTaught(t *testing.T) {
	for name, c := range map[string]struct {
		request string
		outcome nebula.Outcome
		want    string // empty for nothing worth keeping
	}{
		"a failure and what worked": {"test it", nebula.Outcome{Status: nebula.TurnDone, Actions: []nebula.ActionLine{
			line("run", `{"command":"make check"}`, nebula.Failed), line("run", `{"command":"go test ./..."}`, nebula.Done)}},
			"“test it”: failed: make check · worked: go test ./..."},
		"a failure that was made good is none": {"test it", nebula.Outcome{Status: nebula.TurnDone, ChangedFiles: []string{"a"}, Actions: []nebula.ActionLine{
			line("run", `{"command":"go test"}`, nebula.Failed), line("write", `{"path":"a","content":"x"}`, nebula.Done), line("run", `{"command":"go test"}`, nebula.Done)}},
			"“test it”: worked: write a; go test"},
		"a way around a refusal": {"push it", nebula.Outcome{Status: nebula.TurnDone, ChangedFiles: []string{"a"}, Actions: []nebula.ActionLine{
			line("run", `{"command":"make"}`, nebula.Done), line("run", `{"command":"git push"}`, nebula.Denied), line("run", `{"command":"python3 -c push"}`, nebula.Done)}},
			"“push it”: worked: make"},
		"what was dropped": {"set it", nebula.Outcome{Status: nebula.TurnDone, ChangedFiles: []string{"a"}, Actions: []nebula.ActionLine{
			{Tool: "run", Args: []byte(`{"command":"sed -i s/a/b/ x"}`), Status: nebula.Done, Dropped: 1}, line("run", `{"command":"cp y x"}`, nebula.Done)}}, ""},
		"no end":              {"build a moon", nebula.Outcome{Status: nebula.LimitReached}, "“build a moon”: came to no end"},
		"only a look":         {"what is it?", nebula.Outcome{Status: nebula.TurnDone, Actions: []nebula.ActionLine{line("read", `{"path":"a"}`, nebula.Done)}}, ""},
		"stopped":             {"do it", nebula.Outcome{Status: nebula.Cancelled, Actions: []nebula.ActionLine{line("run", `{"command":"x"}`, nebula.Failed)}}, ""},
		"a secret in the ask": {"the password is hunter2hunter2", nebula.Outcome{Status: nebula.TurnFailed}, ""},
		"a secret in a command": {"call it", nebula.Outcome{Status: nebula.TurnDone, Actions: []nebula.ActionLine{
			line("run", `{"command":"curl -H 'Authorization: Bearer sk-abcdefghijklmnopqrstuvwx123456'"}`, nebula.Failed)}}, ""},
	} {
		e, ok := Of(c.request, c.outcome)
		if ok && !May(c.outcome) {
			t.Errorf("%s: it taught something, and may not have", c.request)
		}
		if got := e.Words().String(); ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s: %v %q", name, ok, got)
		}
	}
}

// No contents of files are kept, only their names.
func TestContentsAreNoExperience(t *testing.T) {
	e, ok := Of("write it", nebula.Outcome{Status: nebula.TurnFailed, Actions: []nebula.ActionLine{line("write", `{"path":".env","content":"TOKEN=abc"}`, nebula.Failed)}})
	if text := fmt.Sprint(e); !ok || strings.Contains(text, "TOKEN") || !slices.Equal(e.Failed, []string{"write .env"}) {
		t.Error(ok, text)
	}
}

func TestOnlyWhatIsLikeARequestIsFound(t *testing.T) {
	var all []Experience
	for i, r := range []string{"add a test for the parser", "優先度の並べ替えを直して", "translate the manual into French", "fix the parser's tests"} {
		all = append(all, Experience{ID: int64(i), At: time.Unix(int64(i), 0), Request: r, Failed: []string{r}})
	}
	for request, want := range map[string]string{
		"extend the test of the parser": "[3 0]", "優先度で並べ替えたい": "[1]", "what is the weather like in Paris?": "[]", "please add one": "[]", "": "[]",
		"update the French manual": "[2]",
	} {
		ids := []int64{}
		for _, e := range Like(request, all, 3) {
			ids = append(ids, e.ID)
		}
		if got := fmt.Sprint(ids); got != want {
			t.Errorf("%q: %s, want %s", request, got, want)
		}
	}
	if got := Like("the parser test", all, 1); len(got) != 1 {
		t.Errorf("%d of at most one", len(got))
	}
}

// What a folder keeps is bounded in number and age: what teaches least goes first, and of that the oldest; a failure that works by now is none.
func TestOldExperiencesGo(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	ago := func(days int) time.Time { return now.AddDate(0, 0, -days) }
	ids := func(all []Experience, e Experience) string {
		e.At = now
		var s []int64
		for _, l := range Leaving(all, e) {
			s = append(s, l.ID)
		}
		return fmt.Sprint(s)
	}
	few := []Experience{
		{ID: 1, At: ago(300), Request: "a", Failed: []string{"make"}, Worked: []string{"ninja"}},
		{ID: 2, At: ago(300), Request: "b", Failed: []string{"make"}},
		{ID: 3, At: ago(300), Request: "c", Ended: nebula.TurnDone, Worked: []string{"ninja"}},
		{ID: 4, At: ago(100), Request: "d", Failed: []string{"make", "npm test"}},
		{ID: 5, At: ago(100), Request: "e", Ended: nebula.LimitReached},
	}
	for want, e := range map[string]Experience{
		"[2 3]":   {Request: "new"},
		"[2 3 4]": {Request: "d"},
		"[1 2 3]": {Request: "new", Worked: []string{"make"}},
	} {
		if got := ids(few, e); got != want {
			t.Errorf("%q, worked %v: %s, want %s", e.Request, e.Worked, got, want)
		}
	}
	var full []Experience
	for i := range int64(Kept) {
		e := Experience{ID: i, At: ago(100), Request: fmt.Sprint(i), Failed: []string{"x"}, Worked: []string{"y"}}
		switch i {
		case 7:
			e.Worked = nil
		case 20, 30:
			e.Failed = nil
			e.Ended = nebula.TurnDone
		}
		full = append(full, e)
	}
	if got := ids(full, Experience{Request: "new"}); got != "[20]" {
		t.Errorf("of a full list %s go", got)
	}
	if got := ids(append(full, full[:2]...), Experience{Request: "new"}); got != "[20 30 7]" {
		t.Errorf("of too many %s go", got)
	}
	if got := ids(full[1:], Experience{Request: "new"}); got != "[]" {
		t.Errorf("%s go, and there is room", got)
	}
}
