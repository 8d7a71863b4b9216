package task_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/task"
)

// What the agent of a step that failed said last stands with its failure, wherever the person reads of it; and who says that it could not
// mend it is not sent for it once more.
func TestTheLastWordsOfAStepThatFailedAreRead(t *testing.T) {
	if _, err := exec.LookPath("/usr/bin/pytest"); err != nil {
		t.Skip("pytest is not installed")
	}
	t.Setenv("PATH", "/usr/bin:"+os.Getenv("PATH"))
	const english, japanese = "I could not fix it: I do not know what add should do; nothing was changed.", "直せませんでした。add が何をすべきか分かりません。何も変更していません。"
	for name, c := range map[string]struct {
		says   string
		verify nebula.Verify
		runs   bool // its agent runs the tests itself
		turns  int
	}{
		"english":                  {english, nebula.Verify{Tests: true}, false, 2},
		"english, by a command":    {english, nebula.Verify{Command: "pytest -q"}, false, 2},
		"english, own run":         {english, nebula.Verify{Tests: true}, true, 2},
		"japanese":                 {japanese, nebula.Verify{Tests: true}, false, 2},
		"japanese, own run":        {japanese, nebula.Verify{Tests: true}, true, 2},
		"no verification":          {english, nebula.Verify{Person: "look"}, false, 2},
		"long":                     {english + strings.Repeat(" and more", 1000), nebula.Verify{Tests: true}, false, 2},
		"found nothing":            {"I could not find what is wrong with it.", nebula.Verify{Tests: true}, false, 3},
		"as it should be, it says": {"It is as it should be.", nebula.Verify{Tests: true}, false, 3},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.check = func() bool { return true }
			o.put("calc.py", "def add(a, b):\n    return a - b\n")
			o.put("test_calc.py", "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n")
			o.says = c.says
			turns := 0
			o.agent = func(_ string, n int) []nebula.Task {
				switch {
				case n > 0:
				case c.runs:
					turns++
					return []nebula.Task{do("runTests")}
				default:
					turns++
					return []nebula.Task{do("readFile", "path", "calc.py")}
				}
				return nil
			}
			o.open()
			s := step("a", nil)
			s.Name, s.Files, s.Verify = "fix add", []string{"calc.py"}, c.verify
			o.planned(s)
			e := o.run(task.Request{})
			data, err := json.Marshal(e.Plan)
			if err != nil || stages(e.Plan) != "a failed" || turns != c.turns {
				t.Fatalf("%v: %s after %d turns", err, stages(e.Plan), turns)
			}
			words := c.says[:min(len(c.says), 70)]
			for where, text := range map[string]string{"show": task.Text(e.Plan, time.Now(), "en"), "JSON": string(data), "run": events[nebula.Reported](o)[0].Report.Said} {
				if strings.HasPrefix(words, "It is") { // it tells of no trouble
					words = ""
				}
				if !strings.Contains(text, strings.ToValidUTF8(words, "")) || len(text) > 5000 {
					t.Errorf("%s: %s", where, text)
				}
			}
		})
	}
}
