package state

import (
	"testing"

	"nebula"
)

func TestWhatIsMissingIsSaidInThePersonsLanguage(t *testing.T) {
	edited := Evidence{}.Finished(nebula.Action{}, nebula.Result{Changes: []nebula.Change{{Path: "a.go", Kind: "edit"}}})
	failed := edited.Finished(nebula.Action{}, nebula.Result{Tests: &nebula.TestReport{Failed: 1}})
	for _, c := range []struct {
		e      Evidence
		en, ja string
	}{
		{Evidence{}, "", ""},
		{edited, "a.go was changed after the last check", "最後の検証のあとで a.go が変更されています"},
		{failed, "the last test run failed", "最後のテストが失敗しています"},
	} {
		if c.e.Missing("en") != c.en || c.e.Missing("ja") != c.ja {
			t.Errorf("%q, %q; want %q, %q", c.e.Missing("en"), c.e.Missing("ja"), c.en, c.ja)
		}
	}
}

// That something ended well is evidence only where it could have shown otherwise.
func TestOnlyWhatCouldFailIsEvidence(t *testing.T) {
	edited := Evidence{}.Finished(nebula.Action{}, nebula.Result{Changes: []nebula.Change{{Path: "calc.conf", Kind: "edit"}}})
	after := func(p played) string { return edited.Finished(p.action, p.result).Missing("en") }
	for _, command := range []string{"true", ":", "echo ok", "ls -la", "cd sub && ls", "echo done; true", "cat a.go | head -5", "printf ok", "exit 0",
		`command="python3 -m unittest -q"`, "# run the tests", `tests="all; make"`, "X=1", "X=1 Y='go test' true", "true 2>&1", "python3 -m unittest >/dev/null 2>&1; echo OK", "./run.sh || true", "./run.sh 2>/dev/null || :", "./run.sh\necho done", "export CI=1", "true # go test ./...", "git status || true", "test -d sub || ./run.sh", "python3 -c 'assert 1'", "git -C sub diff", "ls && python3 --version", "python3 -c 'print(0)'", "grep -n mean calc.py", "node -e 'console.log(1)'", "echo 'go test ./... && make'", "\n", "CI=1 && : ; echo \"make; make\""} {
		if after(ran(command, 0, "")) == "" {
			t.Errorf("%s is taken for evidence", command)
		}
	}
	for _, command := range []string{"go build ./...", "cd sub && make check", "python a.py | cat", "./run.sh", "CI=1 go vet ./...", "# all of them\nmake check", "X='a b' ./run.sh", "(cd sub; make)", "./run.sh && echo OK", "./run.sh 2>&1", "echo begin; ./run.sh", "./run.sh &> log", "git bisect run make", "python3 -c 'import calc; print(calc.mean([]))'"} {
		if why := after(ran(command, 0, "")); why != "" {
			t.Errorf("%s: %s", command, why)
		}
	}
	for _, hidden := range [][2]string{
		{"python3 test_a.py 2>&1 | tail -5", "Traceback (most recent call last):\n  File \"test_a.py\", line 3\nAssertionError"}, {"python3 test_a.py | head -2", "AssertionError: -1"},
		{"go vet ./... 2>&1 | cat", "panic: none"}, {"make 2>&1 | tail -3", "make: *** [all] Error 1"}, {"cargo build 2>&1 | tail", "error[E0308]: mismatched types"},
		{"./run.sh | tee log", "--- FAIL: TestX"}, {"python3 test_a.py &", ""}, {"nohup ./run.sh > log &", ""},
	} {
		if after(ran(hidden[0], 0, hidden[1])) == "" {
			t.Errorf("%s, which says %q, is taken for evidence", hidden[0], hidden[1])
		}
	}
	for _, shown := range [][2]string{{"python3 test_a.py 2>&1 | tail -5", "Ran 3 tests in 0.1s\n\nOK"}, {"make | tail -3", "0 errors, 0 failures"}, {"./run.sh || ./again.sh", "fine"}} {
		if why := after(ran(shown[0], 0, shown[1])); why != "" {
			t.Errorf("%s, which says %q: %s", shown[0], shown[1], why)
		}
	}
	uncounted := tested(0, "ok")
	uncounted.result.Tests.Passed, uncounted.result.Tests.Failed = -1, -1
	if after(uncounted) == "" {
		t.Error("a test run without tests is taken for evidence")
	}
	failed := edited.Finished(nebula.Action{}, tested(1, "FAIL").result)
	if failed.Finished(uncounted.action, uncounted.result).Missing("en") != "the last test run failed" {
		t.Error("a test run without tests makes up for one that failed")
	}
	uncounted.action = ran("python3 a_test.py", 0, "").action
	if why := after(uncounted); why != "" {
		t.Errorf("a command that tells of no tests counts as one that ran, also as a test: %s", why)
	}
	if failed.Finished(uncounted.action, uncounted.result).Missing("en") != "the last test run failed" {
		t.Error("a command without tests makes up for a test run that failed")
	}
	if uncounted.action = ran("true", 0, "").action; after(uncounted) == "" {
		t.Error("nothing is taken for evidence as a test")
	}
	uncounted.result.Tests.Chosen = true
	if why := after(uncounted) + after(tested(0, "ok")); why != "" {
		t.Error(why)
	}
	ok := tested(0, "ok  \tpkg\t0.1s")
	ok.result.Tests.Passed, ok.result.Tests.Failed = -1, 0
	if why := after(ok) + failed.Finished(ok.action, ok.result).Missing("en"); why != "" {
		t.Errorf("a run that tells of its packages and not of its tests is none: %s", why)
	}
}

// A test that fails as it did when that was faced is no news, until something else fails or something is changed.
func TestWhatWasFacedIsFacedUntilSomethingChanges(t *testing.T) {
	fails := func(how string) nebula.Result { return tested(1, "--- FAIL: "+how+" (0.01s)").result }
	faced := Evidence{}.Finished(nebula.Action{}, fails("TestBroken"))
	faced.Faced = true
	changed := faced.Finished(nebula.Action{}, nebula.Result{Changes: []nebula.Change{{Path: "a.go", Kind: "edit"}}})
	for name, c := range map[string]struct {
		e     Evidence
		then  nebula.Result
		faced bool
	}{
		"the same":         {faced, fails("TestBroken"), true},
		"another":          {faced, fails("TestOther"), false},
		"behind a change":  {changed, fails("TestBroken"), false},
		"behind a success": {faced.Finished(nebula.Action{}, tested(0, "ok").result), fails("TestBroken"), false},
	} {
		if got := c.e.Finished(nebula.Action{}, c.then).Faced; got != c.faced {
			t.Errorf("%s: faced %v", name, got)
		}
	}
}

// What ended well on a view says nothing of the folder when what it changed there was dropped; what failed there failed.
func TestWhatRanOnDroppedFilesIsNoEvidence(t *testing.T) {
	zero, one := 0, 1
	edited := Evidence{}.Finished(nebula.Action{}, nebula.Result{Changes: []nebula.Change{{Path: "a.go", Kind: "edit"}}})
	test := nebula.Action{Tool: "runTests", Args: []byte(`{"command":"go test ./..."}`)}
	passed := nebula.Result{Exit: &zero, Tests: &nebula.TestReport{Passed: 3, OK: true}}
	if e := edited.Finished(test, passed); e.Missing("en") != "" {
		t.Errorf("tests that passed: %s", e.Missing("en"))
	}
	passed.Dropped = []string{"fix.go"}
	if e := edited.Finished(test, passed); e.Missing("en") == "" {
		t.Error("tests that passed with what was dropped are evidence")
	}
	if e := edited.Finished(test, nebula.Result{Exit: &one, Tests: &nebula.TestReport{Failed: 1}, Dropped: []string{"fix.go"}}); e.Tests == nil || e.Tests.OK {
		t.Error("tests that failed are forgotten")
	}
}

// Where nobody can be asked, what a command changed in vain lacks an approval; what a test run left behind lacks none.
func TestWhatWasDroppedForWantOfAWordIsLacking(t *testing.T) {
	for want, r := range map[int]nebula.Result{
		1: {Action: "a1", Status: nebula.Done, Dropped: []string{"a.go"}},
		0: {Action: "a1", Status: nebula.Done, Dropped: []string{"report.xml"}, Tests: &nebula.TestReport{Passed: 1, OK: true}},
	} {
		s := New()
		s.Apply(nebula.Event{Seq: 1, Body: nebula.Submitted{Turn: 1, Text: "go"}})
		s.Apply(nebula.Event{Seq: 2, Body: nebula.Proposed{Proposal: nebula.Proposal{Action: nebula.Action{ID: "a1"}, Effect: nebula.Write, Ran: "make"}, Verdict: nebula.Verdict{Ruling: nebula.Deny, Missing: true}}})
		s.Apply(nebula.Event{Seq: 3, Body: nebula.Finished{Result: r}})
		if len(s.Turn.Lacking) != want {
			t.Errorf("%+v: lacking %q", r, s.Turn.Lacking)
		}
	}
}

// The model is told in each language to begin a line so, and in its language it is heard.
func TestWhatIsSaidToBeUncheckedIsHeardInEveryLanguage(t *testing.T) {
	for _, say := range []string{"Done.\nUnverified: no Go here", "完了。\n未確認: ここには Go がありません", "- 未検証：道具がない", "Fixed, but I could not verify it.", "直しました。動作確認はしていません。", "直しましたが、確認できていません。"} {
		if why, ok := Excused(say); !ok || why == "" {
			t.Errorf("%q is not heard", say)
		}
	}
	for _, say := range []string{"未確認", "直しました。READMEは確認していません。", "All tests pass. I could not verify it.", "The old code did not check it.", "I could not verify why it was so."} {
		if _, ok := Excused(say); ok {
			t.Errorf("%q is heard", say)
		}
	}
}

// An answer that names what fails, or says that nothing was checked and why, is plain, whatever its form; one that only claims is not.
func TestWhatSpeaksAgainstDoneMayBeSaidInAnyForm(t *testing.T) {
	fails := func(names ...string) Evidence {
		return Evidence{Unchecked: []string{"a.go"}, Tests: &nebula.TestReport{Failed: len(names), Failing: names}}
	}
	open := Evidence{Unchecked: []string{"a.go"}}
	for _, c := range []struct {
		e     Evidence
		say   string
		plain bool
	}{
		{fails("github.com/gobwas/glob/match/debug"), "Two bugs.\n\nLeft: match/debug fails go vet, which is older than these bugs.", true},
		{fails("x TestGlob/#31", "x TestGlob/#43"), "CompileFold is there. TestGlob #31 and #43 still fail, as before.", true},
		{fails("tests/test_a.py::test_old"), "Fixed. `test_old` fails without the network.", true},
		{fails("x TestOld"), "TestOld は以前から失敗しています。", true},
		{fails("x TestOld", "x TestNew"), "TestOld failed before.", false},
		{fails("x TestOld"), "All tests pass now.", false},
		{fails("x TestOld"), "TestOld is fixed.", false},
		{fails(), "Something fails.", false},
		{open, "Not tested, because there is no compiler here.", true},
		{open, "I could not run the tests, since commands are refused.", true},
		{open, "コマンドが拒否されるため、確認できていません。", true},
		{open, "I have not run the tests; whether all tests pass I cannot say.", true},
		{open, "I could not run the tests here, so this is untested.", true},
		{open, "テストは実行できていません。", true},
		{open, "I have not run the tests, but all tests pass.", false},
		{open, "I have not checked the weather.", false},
		{open, "I did not run the formatter.", false},
		{open, "Not tested yet.", false},
		{open, "Done.", false},
		{open, "The value is not nil because it is set.", false},
	} {
		if got := c.e.Admitted(c.say); got != c.plain {
			t.Errorf("%q: %v", c.say, got)
		}
	}
}

// Who says that a test fails, and that what it wants was not asked for, is not asked for it; who says of a file that nothing was done to it has said so.
func TestWhatWasNotDoneMayBeSaid(t *testing.T) {
	failed := Evidence{Tests: &nebula.TestReport{Failed: 1, Failing: []string{"tests/test_cart.py::test_pay"}}}
	for say, want := range map[string]bool{
		"test_pay still fails: cart.py divides by 10, which was not asked for.": true, "test_pay は失敗のままです。その修正は依頼の範囲外です。": true,
		"test_pay still fails; I could not fix it.": true, "It still fails, and I can't work out why.": true, "Two tests fail. I was unable to make them pass.": true, "test_pay は失敗のままです。直せませんでした。": true,
		"test_pay still fails. I will fix it next.": false, "I could not fix it at first. All tests pass now.": false,
		"test_pay still fails.": false, "All tests pass; nothing else was asked for.": false,
	} {
		if got := failed.Beyond(say); got != want {
			t.Errorf("%q: %v", say, got)
		}
	}
	for say, want := range map[string]bool{
		"../other.txt could not be deleted: it is outside the folder.": true, "I could not change other.txt.": true, "The edit failed. Nothing was changed.": true, "other.txt は削除できませんでした。": true,
		"Deleted ../other.txt.": false, "other.txt is gone; a.py could not be read.": false, "削除しました。": false,
	} {
		if got := TellsUnmade(say, "../other.txt"); got != want {
			t.Errorf("%q: %v", say, got)
		}
	}
}

// What is said to be unchecked excuses no word that the last run speaks against.
func TestNothingElseThatIsUncheckedCoversAFailure(t *testing.T) {
	failed := Evidence{Tests: &nebula.TestReport{Failed: 2, Failing: []string{"a", "b", "c"}}}
	for say, against := range map[string]bool{
		"All tests pass.\nUnverified: the UI was not looked at": true, "Unverified: I could not run the tests. All tests pass.": true, "テストはすべて通りました。\n未確認: 画面は見ていません": true, "It builds.\nUnverified: no test of Twice exists": true, "All tests pass, with no failures.\nUnverified: the UI": true,
		"Unverified: the tests need a network": false, "Two tests fail.\nUnverified: why": false, "The tests of cart pass; test_a fails.\nUnverified: the cause": false, "Unverified: whether the tests pass": false,
	} {
		if got := failed.Contradicted(say); got != against {
			t.Errorf("%q: %v", say, got)
		}
	}
	if (Evidence{Tests: &nebula.TestReport{OK: true}}).Contradicted("All tests pass.") || (Evidence{}).Contradicted("All tests pass.") {
		t.Error("nothing failed")
	}
}
