package state

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"nebula"
)

// A step of a played turn is one reply with one action.
type played struct {
	action nebula.Action
	result nebula.Result
}

func acted(tool, args string, r nebula.Result) played {
	r.Tool = tool
	if r.Status == "" {
		r.Status = nebula.Done
	}
	return played{nebula.Action{Tool: tool, Args: []byte(args)}, r}
}

func read(path string) played {
	return acted("readFile", fmt.Sprintf(`{"path":%q}`, path), nebula.Result{Text: "text of " + path, Seen: []nebula.FileRef{{Path: path}}})
}

func missed(tool, path, why string) played {
	return acted(tool, fmt.Sprintf(`{"path":%q}`, path), nebula.Result{Status: nebula.Failed, Text: why})
}

func edited(path, before, after string) played {
	return acted("editFile", fmt.Sprintf(`{"path":%q}`, path), nebula.Result{Text: "Changed.", Changes: []nebula.Change{{Path: path, Kind: "edit", Before: before, After: after}}})
}

func tested(failed int, text string) played {
	r := nebula.Result{Text: text, Exit: new(int), Tests: &nebula.TestReport{Failed: failed, Passed: 9, OK: failed == 0}}
	if failed > 0 {
		*r.Exit, r.Status = 1, nebula.Failed
	}
	return acted("runTests", `{}`, r)
}

func ran(command string, exit int, text string) played {
	r := nebula.Result{Text: text, Exit: &exit}
	if exit != 0 {
		r.Status = nebula.Failed
	}
	return acted("executeShell", fmt.Sprintf(`{"command":%q}`, command), r)
}

func TestLoopsAreSeenByWhatTheyComeTo(t *testing.T) {
	for name, turn := range map[string]func(n int) played{
		"edits that take each other back": func(n int) played {
			return edited("a.go", []string{"A", "B"}[n%2], []string{"B", "A"}[n%2])
		},
		"reads in a circle of six": func(n int) played { return read(fmt.Sprintf("f%d", n%6)) },
		"failing reads in turn":    func(n int) played { return missed("readFile", []string{"x", "./y"}[n%2], "not there") },
		"varied patches that do not fit": func(n int) played {
			return missed("patchFile", []string{"a.go", "./a.go"}[n%2], fmt.Sprintf("old text %d is not there", n))
		},
		"tests and a read in turn": func(n int) played {
			return []played{tested(2, fmt.Sprintf("exit 1 (%d.2 s)\n--- FAIL: TestA (0.%02ds)\n", n, n)), read("a.go")}[n%2]
		},
		"a listing in many spellings": func(n int) played {
			return ran([]string{"ls", "ls -la", "ls  .", "ls -l ./"}[n%4], 0, fmt.Sprintf("exit 0 (0.%d s)\n%d", n, n))
		},
		"the same plan, drafted anew": func(n int) played {
			return acted("proposePlan", `{"goal":"give the greeting a language"}`, nebula.Result{Text: fmt.Sprintf("greeting-%d: draft\n1. words", n)})
		},
		"the tool for it":  func(int) played { return acted("list", `{"path":"."}`, nebula.Result{Text: "a.go"}) },
		"the same command": func(n int) played { return ran("go vet ./...", 1, fmt.Sprintf("exit 1 (%d.31 s)\na.go:3: bad", n)) },
		"ever other tools that are not there": func(n int) played {
			return acted(fmt.Sprintf("foo%d", n), `{}`, nebula.Result{Status: nebula.Failed, Text: fmt.Sprintf(`there is no tool "foo%d". Tools: list, readFile.`, n)})
		},
		"ever other files that are not there": func(n int) played {
			return missed("readFile", fmt.Sprintf("no%d.py", n), fmt.Sprintf(`"no%d.py" does not exist.`, n))
		},
		"the same failing test under another comment": func(n int) played {
			p := acted("runTests", fmt.Sprintf(`{"command":"python3 a.py # %d"}`, n), nebula.Result{Status: nebula.Failed, Exit: new(int),
				Text:  fmt.Sprintf("Tests failed: python3 a.py # %d\nexit 1 (0.%d s)\nAssertionError\n", n, n),
				Tests: &nebula.TestReport{Command: fmt.Sprintf("python3 a.py # %d", n), Failed: -1, Passed: -1}})
			*p.result.Exit = 1
			return p
		},
		"the same command under another comment": func(n int) played {
			return ran(fmt.Sprintf("go vet ./... # %d", n), 1, "a.go:3: bad")
		},
		"a failing test, and remarks": func(n int) played {
			p := acted("patchFile", fmt.Sprintf(`{"path":"a.go","old":"x = 1","new":"x = 1 // try %d"}`, n), nebula.Result{Changes: []nebula.Change{{Path: "a.go", Kind: "edit", Before: fmt.Sprint(n), After: fmt.Sprint(n + 1)}}})
			return []played{tested(1, "--- FAIL: TestA"), p}[n%2]
		},
		"the same file under ever other names": func(n int) played {
			return acted("writeFile", fmt.Sprintf(`{"path":"try%d.py"}`, n), nebula.Result{Changes: []nebula.Change{{Path: fmt.Sprintf("try%d.py", n), Kind: "create", After: "A"}}})
		},
		"a file with ever another number": func(n int) played {
			return acted("writeFile", fmt.Sprintf(`{"path":"n.txt","content":"v%d\n"}`, n), nebula.Result{Changes: []nebula.Change{{Path: "n.txt", Kind: "edit", Before: fmt.Sprint(n), After: fmt.Sprint(n + 1)}}})
		},
		"a number that is counted up": func(n int) played {
			return acted("patchFile", fmt.Sprintf(`{"path":"a.go","edits":[{"old":"x := %d","new":"x := %d"}]}`, n, n+1), nebula.Result{Changes: []nebula.Change{{Path: "a.go", Kind: "edit", Before: fmt.Sprint(n), After: fmt.Sprint(n + 1)}}})
		},
		"ever other words that stand nowhere": func(n int) played {
			return acted("searchInDirectory", fmt.Sprintf(`{"directory":".","keyword":"w%d"}`, n), nebula.Result{Text: fmt.Sprintf(`No line in . contains "w%d".`, n)})
		},
		"ever other files that a command does not find": func(n int) played {
			return ran(fmt.Sprintf("cat nothere%d", n), 1, fmt.Sprintf("exit 1 (0.%d s)\ncat: nothere%d: No such file or directory\n", n, n))
		},
		"ever other ports": func(n int) played {
			return ran(fmt.Sprintf("curl -s localhost:%d", 8000+n), 7, fmt.Sprintf("exit 7 (0.%d s)\ncurl: (7) Failed to connect to localhost port %d after 0 ms: Couldn't connect to server\n", n, 8000+n))
		},
		"a number that is added to notes": func(n int) played {
			p := ran(fmt.Sprintf("echo step %d >> notes.md", n), 0, "")
			p.result.Changes = []nebula.Change{{Path: "notes.md", Kind: "edit", Before: fmt.Sprint(n), After: fmt.Sprint(n + 1)}}
			return p
		},
		"what is not kept, in ever other spellings": func(n int) played {
			p := ran(fmt.Sprintf("rm -f a.txt b%d", n), 0, fmt.Sprintf("exit 0 (0.%d s)\n1 path dropped: a.txt", n))
			p.result.Dropped = []string{"a.txt"}
			return p
		},
		"nothing, in echoes": func(n int) played { return ran(fmt.Sprintf("echo still %d", n), 0, fmt.Sprint(n)) },
	} {
		w, steered, stopped := Watch{}, 0, 0
		for n := 0; n < 50 && stopped == 0; n++ {
			p := turn(n)
			w = w.Heard(1).Finished(p.action, p.result)
			if w.Repeats == Steered && steered == 0 {
				steered = n + 1
			}
			if DefaultThresholds().Circles(w, "en") != "" {
				stopped = n + 1
			}
		}
		if steered == 0 || stopped <= steered {
			t.Errorf("%s: steered at %d, stopped at %d", name, steered, stopped)
		}
	}
}

// Who waits for something that comes is not stopped before it comes; who waits for ever is. Commands that fail in ways of their own are read and
// worked on.
func TestACommandThatIsAlwaysNewIsALoopInTheEnd(t *testing.T) {
	w, told, stopped := Watch{}, 0, 0
	for n := 1; n < 100 && stopped == 0; n++ {
		p := ran("uuidgen", 0, fmt.Sprintf("exit 0 (0.1 s)\n%s", nebula.Hash([]byte{byte(n)})))
		if w = w.Heard(1).Finished(p.action, p.result); DefaultThresholds().Circles(w, "en") != "" {
			stopped = n
		} else if w.Repeats >= Steered && told == 0 {
			told = n
		}
	}
	if told < 30 || stopped < 60 || stopped > 80 {
		t.Errorf("told after %d, stopped after %d", told, stopped)
	}
	w = Watch{}
	for n := range 100 { // with something done between
		for _, p := range []played{ran("uuidgen", 0, fmt.Sprintf("exit 0 (0.1 s)\n%s", nebula.Hash([]byte{byte(n)}))), read(fmt.Sprintf("f%d", n))} {
			if w = w.Heard(1).Finished(p.action, p.result); DefaultThresholds().Circles(w, "en") != "" {
				t.Fatalf("stopped after %d: %s", n, w.What)
			}
		}
	}
}

func TestWhatIsWaitedForMayCome(t *testing.T) {
	w, stopped := Watch{}, 0
	for n := 0; n < 100 && stopped == 0; n++ {
		p := ran("sleep 5; ls out", 0, fmt.Sprintf("exit 0 (5.%02d s)\nnothing\n", n))
		if w = w.Heard(1).Finished(p.action, p.result); DefaultThresholds().Circles(w, "en") != "" {
			stopped = n
		}
	}
	if stopped < 20 || stopped > 60 {
		t.Errorf("stopped after %d", stopped)
	}
	w = Watch{}
	for n := range 20 {
		p := ran(fmt.Sprintf("python3 try%d.py", n), 1, fmt.Sprintf("exit 1 (0.1 s)\nTraceback (most recent call last):\n  File try%d.py, line 1\nValueError: %d\n", n, n))
		if w = w.Heard(1).Finished(p.action, p.result); DefaultThresholds().Circles(w, "en") != "" {
			t.Fatalf("stopped after %d: %s", n, w.What)
		}
	}
}

// What is told of commands that only show something is what they had in common.
func TestLoopIsNamedByWhatWasTheSame(t *testing.T) {
	for name, lines := range map[string][2]string{
		"executeShell echo …":   {"echo 0", "echo 1"},
		"executeShell ls":       {"ls", "ls"},
		"executeShell ls src …": {"ls -la src", "ls -l ./src"},
		"executeShell ls > out": {"ls > out", "ls > out"},
		"executeShell go vet":   {"go vet", "go vet"},
	} {
		w := Watch{}
		for _, line := range lines {
			p := ran(line, 0, line)
			w = w.Heard(1).Finished(p.action, p.result)
		}
		if w.What != name || w.Repeats != 2 && !strings.HasPrefix(lines[0], "ls >") {
			t.Errorf("%s is named %q, %d times", lines[0], w.What, w.Repeats)
		}
	}
}

// slice is a look at some lines of a file.
func slice(path string, from, to int) played {
	return acted("readFile", fmt.Sprintf(`{"path":%q,"offset":%d}`, path, from), nebula.Result{Text: fmt.Sprintf("%s, lines %d to %d", path, from, to), Seen: []nebula.FileRef{{Path: path, Lines: [][2]int{{from, to}}}}})
}

// A file that is read again in ever other slices is a loop by the twentieth of them; one that is read through, or again behind a change, is none.
func TestAFileReadAgainInSlicesIsALoop(t *testing.T) {
	for name, c := range map[string]struct {
		turn func(n int) played
		ends bool
	}{
		"shifted":              {func(n int) played { return slice("a.py", 1+n*37%200, min(200, 51+n*37%200)) }, true},
		"of two files in turn": {func(n int) played { return slice([]string{"a.py", "b.py"}[n%2], 1+n*37%200, min(200, 51+n*37%200)) }, true},
		"behind the whole": {func(n int) played {
			if n == 0 {
				return read("a.py")
			}
			return slice("a.py", n*10, n*10+7)
		}, true},
		"a file read through": {func(n int) played { return slice("a.py", 1+n*50, 55+n*50) }, false},
		"behind edits": {func(n int) played {
			if n%10 == 9 {
				return edited("a.py", fmt.Sprint(n), fmt.Sprint(n+1))
			}
			return slice("a.py", 1+n*37%200, min(200, 51+n*37%200))
		}, false},
		"beside new files": {func(n int) played {
			if n%5 == 4 {
				return read(fmt.Sprintf("f%d.py", n))
			}
			return slice("a.py", 1+n*37%200, min(200, 51+n*37%200))
		}, false},
	} {
		w, told, stopped := Watch{}, 0, 0
		for n := 0; n < 50 && stopped == 0; n++ {
			p := c.turn(n)
			if w = w.Heard(1).Finished(p.action, p.result); w.Repeats >= Steered && told == 0 {
				told = n + 1
			}
			if DefaultThresholds().Circles(w, "en") != "" {
				stopped = n + 1
			}
		}
		if (stopped > 0) != c.ends || c.ends && (told == 0 || told >= stopped || stopped > 40) || !c.ends && told > 0 {
			t.Errorf("%s: told at %d, stopped at %d", name, told, stopped)
		}
	}
}

// Edits that differ, before tests of which the first to fail ends the run, are work: what the run does not come to may be right by now.
func TestEditsBeforeTheFirstFailingTestAreWork(t *testing.T) {
	first := func(line string) played {
		p := ran(line, 1, "FAILED test_a.py::test_one - assert 1 == 2\n!!!! stopping after 1 failures !!!!\n1 failed in 0.12s")
		p.result.Tests = &nebula.TestReport{Command: line, Failed: 1}
		return p
	}
	patch := func(n int, was, is string) played {
		return acted("patchFile", fmt.Sprintf(`{"path":"a.py","old":%q,"new":%q}`, was, is), nebula.Result{Changes: []nebula.Change{{Path: "a.py", Kind: "edit", Before: fmt.Sprint("b", n), After: fmt.Sprint("a", n)}}})
	}
	for name, turn := range map[string]func(n int) []played{
		"names": func(n int) []played {
			return []played{patch(n, fmt.Sprint("f", n), fmt.Sprint("g", n)), first("pytest -x")}
		},
		"numbers": func(n int) []played {
			return []played{patch(n, fmt.Sprint("x = ", n), fmt.Sprint("x = ", n+1)), first("pytest -x")}
		},
		"prints": func(n int) []played {
			return []played{patch(n, "f()", fmt.Sprintf("f()\nprint(%d)", n)), first("npx jest --bail")}
		},
		"by sed": func(n int) []played {
			p := ran(fmt.Sprintf("sed -i s/a%d/b/ a.py", n), 0, "")
			p.result.Changes = patch(n, "", "").result.Changes
			return []played{p, first("go test -failfast ./...")}
		},
		"and runs": func(n int) []played {
			p := first(fmt.Sprintf("sed -i s/a%d/b/ a.py && pytest -x", n))
			p.result.Changes = patch(n, "", "").result.Changes
			return []played{p}
		},
		"and reads": func(n int) []played {
			return []played{patch(n, fmt.Sprint("f", n), fmt.Sprint("g", n)), read("a.py"), first("pytest -x")}
		},
	} {
		w := Watch{}
		for n := range 30 {
			for _, p := range turn(n) {
				if w = w.Heard(1).Finished(p.action, p.result); w.Repeats >= Steered {
					t.Fatalf("%s, round %d: %d times %s", name, n, w.Repeats, w.What)
				}
			}
		}
	}
}

// Work that gets anywhere is never told to stop, asked about more than before, or sent back, however long it takes.
func TestProgressIsNeverALoop(t *testing.T) {
	for name, turn := range map[string]func(n int) []played{
		"edit, another failure": func(n int) []played {
			return []played{edited("a.go", fmt.Sprint(n), fmt.Sprint(n+1)), tested(2, fmt.Sprintf("--- FAIL: TestA\n a_test.go:%d: want 1", n))}
		},
		"edit, fewer failures": func(n int) []played {
			return []played{edited("a.go", fmt.Sprint(n), fmt.Sprint(n+1)), tested(40-n, "--- FAIL: TestA")}
		},
		"edit, the same failure": func(n int) []played {
			return []played{edited("a.go", fmt.Sprint(n), fmt.Sprint(n+1)), tested(1, "--- FAIL: TestA")}
		},
		"a look at one file beside new ones": func(n int) []played { return []played{read(fmt.Sprint(n)), read("a.go")} },
		"remarks everywhere": func(n int) []played {
			return []played{acted("patchFile", fmt.Sprintf(`{"path":"a.go","old":"func F%d()","new":"// F%d does it.\nfunc F%d()"}`, n, n, n), nebula.Result{Changes: []nebula.Change{{Path: "a.go", Kind: "edit", Before: fmt.Sprint(n), After: fmt.Sprint(n + 1)}}})}
		},
		"new files": func(n int) []played {
			return []played{acted("writeFile", fmt.Sprintf(`{"path":"%d.py"}`, n), nebula.Result{Changes: []nebula.Change{{Path: fmt.Sprint(n, ".py"), Kind: "create", After: fmt.Sprint(n)}}})}
		},
		"empty files": func(n int) []played {
			return []played{acted("writeFile", fmt.Sprintf(`{"path":"%d/__init__.py"}`, n), nebula.Result{Changes: []nebula.Change{{Path: fmt.Sprint(n, "/__init__.py"), Kind: "create", After: nebula.Hash(nil)}}})}
		},
		"one thing tried after another":    func(n int) []played { return []played{ran(fmt.Sprintf("make t%d", n), 2, "no rule")} },
		"commands that bring other things": func(n int) []played { return []played{ran("git log -1", 0, fmt.Sprintf("commit c%dx", n))} },
	} {
		w, m := Watch{Read: 1}, Start()
		for n := range 30 {
			for _, p := range turn(n) {
				w = w.Heard(1).Finished(p.action, p.result)
				if w.Progress || w.Fresh {
					m.Recovered = 0
				}
				if p.result.Status == nebula.Failed {
					m = m.After(m.Fail(DefaultTable(), Retries, "failed"))
				}
				v, th := w.Join(nebula.Vitals{}), DefaultThresholds()
				if why := th.Circles(w, "en"); why != "" || len(th.Low(v)) > 0 || th.Lost(v) || w.Repeats >= Steered || m.Status == NeedsInput {
					t.Fatalf("%s, round %d: %q %v, %d times, %s", name, n, why, th.Low(v), w.Repeats, m.Status)
				}
			}
		}
	}
}

func TestRecoveryTakesNoTransitionFromTheReply(t *testing.T) {
	m := Machine{Step: Execution, Status: InProgress}.Utter(false)
	m = m.After(m.Fail(DefaultTable(), Retries, "tests failed"))
	if m.Step != Planning {
		t.Fatal(m.Step)
	}
	if move := m.Request(DefaultTable(), Execution, "an action"); move == nil || move.Refused != "" {
		t.Errorf("the edit behind a failing test run is refused: %+v", move)
	}
}

// What is told apart from durations and times is what one expression over the whole text tells.
func TestTimesAreTakenOutOfATextAsOneExpressionWould(t *testing.T) {
	whole := regexp.MustCompile(`(?i)\b\d+(?:\.\d+)?\s?(?:ns|µs|us|ms|s|secs?|seconds?|m|min|minutes?)\b|\b\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\b|\b\d{4}-\d{2}-\d{2}T?|\b0x[0-9a-f]{4,}\b`)
	pieces := []string{"1", "23", "0x", "ab12", "ms", "S", " ", ".", ":", "-", "2026-11-22T", "07:05", "12:34:56.7", "é", "µs", "_", "x", "\n", "seconds", "日本", "0xdeadbeef", ","}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var s string
		for range rng.IntN(12) {
			s += pieces[rng.IntN(len(pieces))]
		}
		if got, want := timeless(s), whole.ReplaceAllString(s, "…"); got != want {
			t.Fatalf("%q: %q, want %q", s, got, want)
		}
	}
}

// What comes to something new each time is none, however alike it looks.
func TestWorkThatLooksAlikeIsNoLoop(t *testing.T) {
	write := func(path, content string, n int) played {
		return acted("writeFile", fmt.Sprintf(`{"path":%q,"content":%q}`, path, content), nebula.Result{Changes: []nebula.Change{{Path: path, Kind: "edit", Before: fmt.Sprint("b", n), After: fmt.Sprint("a", n)}}})
	}
	for name, turn := range map[string]func(n int) played{
		"the same short text in many folders": func(n int) played {
			return acted("writeFile", `{}`, nebula.Result{Changes: []nebula.Change{{Path: fmt.Sprintf("pkg%d/doc.txt", n), Kind: "create", After: "one"}}})
		},
		"numbered files":    func(n int) played { return write(fmt.Sprintf("case%d.json", n), fmt.Sprint(n), n) },
		"a file that grows": func(n int) played { return write("a.txt", strings.Repeat("line\n", n), n) },
		"a number, and what it brings": func(n int) played {
			return []played{write("a.go", fmt.Sprintf("x := %d", n), n), ran(fmt.Sprintf("go run . %d", n), 0, fmt.Sprintf("took %d rounds", n))}[n%2]
		},
		"a number, and tests that fail all the same": func(n int) played {
			return []played{write("a.go", fmt.Sprintf("try := %d", n), n), tested(1, "--- FAIL: TestA")}[n%2]
		},
		"a number in many places": func(n int) played {
			return acted("patchFile", fmt.Sprintf(`{"path":"a.csv","edits":[{"old":"row %d,","new":"row %d, 1"}]}`, n, n), nebula.Result{Changes: []nebula.Change{{Path: "a.csv", Kind: "edit", Before: fmt.Sprint(n), After: fmt.Sprint(n + 1)}}})
		},
		"six files that are not there": func(n int) played {
			if n%7 == 6 {
				return read(fmt.Sprintf("f%d.go", n))
			}
			return missed("readFile", fmt.Sprintf("no%d.py", n), fmt.Sprintf(`"no%d.py" does not exist.`, n))
		},
		"six words that stand nowhere": func(n int) played {
			if n%7 == 6 {
				return read(fmt.Sprintf("f%d.go", n))
			}
			return acted("searchInDirectory", fmt.Sprintf(`{"directory":".","keyword":"w%d"}`, n), nebula.Result{Text: fmt.Sprintf(`No line in . contains "w%d".`, n)})
		},
		"lines that are added to notes": func(n int) played {
			p := ran(fmt.Sprintf("echo '%s' >> notes.md", strings.Repeat("x", n+1)), 0, "")
			p.result.Changes = []nebula.Change{{Path: "notes.md", Kind: "edit", Before: fmt.Sprint(n), After: fmt.Sprint(n + 1)}}
			return p
		},
		"words that stand somewhere": func(n int) played {
			return acted("searchInDirectory", fmt.Sprintf(`{"directory":".","keyword":"w%d"}`, n), nebula.Result{Text: fmt.Sprintf("f%d.go:3: w%d", n, n)})
		},
		"words, and a look between them": func(n int) played {
			return []played{acted("searchInDirectory", fmt.Sprintf(`{"directory":".","keyword":"w%d"}`, n), nebula.Result{Text: "No line."}), read(fmt.Sprintf("f%d.go", n))}[n%2]
		},
	} {
		w := Watch{}
		for n := range 24 {
			p := turn(n)
			if w = w.Heard(1).Finished(p.action, p.result); w.Repeats >= Steered {
				t.Errorf("%s: %d times %s", name, w.Repeats, w.What)
				break
			}
		}
	}
}
