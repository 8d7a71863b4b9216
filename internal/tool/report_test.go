package tool

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nebula"
)

func TestReportsAreRead(t *testing.T) {
	tests := []struct {
		file                    string
		passed, failed, skipped int
		failing                 []string
		details                 string // something that the details have to hold
	}{
		{"go_json", 3, 4, 1, []string{"demo/a TestBad", "demo/a TestTable/y", "demo/broken", "demo/pan TestP"}, "got 1, want 2"},
		{"go_json", 3, 4, 1, []string{"demo/a TestBad", "demo/a TestTable/y", "demo/broken", "demo/pan TestP"}, "in return statement\nFAIL\tdemo/broken [build failed]"},
		{"go_json_parents", 2, 2, 0, []string{"x/p TestSub/inner", "x/q TestParent/bad"}, "--- FAIL: TestSub (0.00s)\npanic: assignment to entry in nil map"},
		{"go_json_parents", 2, 2, 0, []string{"x/p TestSub/inner", "x/q TestParent/bad"}, "a_test.go:8 +0x28"},
		{"go_json_parents", 2, 2, 0, []string{"x/p TestSub/inner", "x/q TestParent/bad"},
			"--- FAIL: TestParent (0.00s)\n    b_test.go:6: parent itself is wrong\n    b_test.go:9: and after\n--- FAIL: TestParent/bad (0.00s)\n    b_test.go:8: before\n    b_test.go:8: want 1"},
		{"go_json_ok", 1, 0, 1, nil, ""},
		{"go_json_vet", 1, 1, 0, []string{"demo/v"}, "call to fmt.Printf\nFAIL\tdemo/v [build failed]"},
		{"go_v", 3, 4, 1, []string{"TestBad", "TestTable/y", "TestP", "demo/broken"}, "got 1, want 2"},
		{"go_v", 3, 4, 1, []string{"TestBad", "TestTable/y", "TestP", "demo/broken"}, "--- FAIL: TestBad (0.00s)\n    a_test.go:4: got 1, want 2\n"},
		{"go_v_parents", 1, 3, 0, []string{"TestSub/inner", "TestParent/bad", "TestOther"}, "    --- FAIL: TestSub/inner (0.00s)\npanic: assignment to entry in nil map"},
		{"go_v_parents", 1, 3, 0, []string{"TestSub/inner", "TestParent/bad", "TestOther"}, "a_test.go:8 +0x28"},
		{"go_v_parents", 1, 3, 0, []string{"TestSub/inner", "TestParent/bad", "TestOther"},
			"--- FAIL: TestParent (0.00s)\n    b_test.go:6: parent itself is wrong\n    b_test.go:11: and after\n    --- FAIL: TestParent/bad (0.00s)\n    b_test.go:8: want 1\n--- FAIL: TestOther (0.00s)\n    b_test.go:14: other\n        in two lines\n"},
		{"go_plain_parents", -1, 3, -1, []string{"TestSub/inner", "TestParent/bad", "TestOther"}, "--- FAIL: TestParent (0.00s)\n    b_test.go:6: parent itself is wrong\n    --- FAIL: TestParent/bad (0.00s)\n        b_test.go:8: want 1"},
		{"unittest_end", 0, 3, 0, []string{"sum_test.Broken.setUpClass", "sum_test.Sum.test_a", "sum_test.Sum.test_b"}, "ValueError: no setup"},
		{"go_plain", -1, 4, -1, []string{"TestBad", "TestTable/y", "TestP", "demo/broken"}, "got 1, want 2"},
		{"pytest", 5, 2, 2, []string{"tests/test_cart.py::test_adds_item[3-apples]", "tests/test_price.py::test_total"}, "assert 3 == 4"},
		{"pytest_quiet", 6, 0, 0, nil, ""},
		{"unittest", 2, 2, 1, []string{"test_sum.Sum.test_error", "test_sum.Sum.test_breaks"}, "AssertionError: 2 != 3"},
		{"cargo", 1, 1, 1, []string{"tests::breaks"}, "sums differ"},
		{"cargo_broken", -1, -1, -1, nil, "mismatched types"},
		{"nextest", 1, 1, 1, []string{"demo tests::breaks"}, ""},
		{"mocha", 1, 2, 1, []string{"breaks", "fails too"}, "1 == 2"},
		{"jest", 1, 2, 1, []string{"Test suite failed to run", "sums › breaks", "alone"}, "Expected: 2"},
		{"vitest", 1, 2, 1, []string{"v/y.test.mjs > sums > breaks", "v/y.test.mjs > alone"}, "expected 1 to be 2"},
		{"node_spec", 2, 3, 1, []string{"breaks", "inner bad", "suite"}, "boom"},
		{"node_tap", 2, 3, 1, []string{"breaks", "inner bad", "suite"}, "2 == 3"},
		{"node_tap_nested", 5, 1, 0, []string{"adds", "sum"}, "2 !== 3"},
		{"bun", 1, 1, 1, []string{"sums > breaks"}, ""},
		{"maven", 4, 2, 1, []string{"org.demo.CartTest.adds", "org.demo.CartTest.boom"}, "expected: <3> but was: <2>"},
		{"gradle", 5, 1, 1, []string{"CartTest > adds()"}, "CartTest.java:12"},
		{"ctest", 2, 1, 0, []string{"prices"}, ""},
		{"dotnet", 3, 2, 1, []string{"Shop.Tests.PriceTests.Discounts", "Shop.Tests.PriceTests.Rounds(amount: 5, cents: True)"}, "Expected: 90\nActual:   100\n"},
		{"dotnet_older", 1, 1, 1, []string{"Discounts"}, "PriceTests.cs:line 14"},
		{"rspec", 2, 2, 1, []string{"./spec/cart_spec.rb:14 # Cart when empty has no first item", "./spec/cart_spec.rb:8 # Cart adds up"}, "undefined method `first' for nil"},
		{"nothing", -1, -1, -1, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("testdata", "runs", tt.file+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range []int{1, 7, 100_000} {
				r := newReport(nil)
				for chunk := range slices.Chunk(data, step) {
					r.write(chunk)
				}
				r.close()
				sum := r.sum("cmd", tt.failed <= 0)
				if sum.Passed != tt.passed || sum.Failed != tt.failed || sum.Skipped != tt.skipped {
					t.Errorf("%d passed, %d failed, %d skipped; want %d, %d, %d", sum.Passed, sum.Failed, sum.Skipped, tt.passed, tt.failed, tt.skipped)
				}
				slices.Sort(r.failing)
				slices.Sort(tt.failing)
				if !slices.Equal(r.failing, tt.failing) {
					t.Errorf("failing %q\nwant %q", r.failing, tt.failing)
				}
				if n := strings.Count(r.details("en"), tt.details); n == 0 || n > 1 && tt.details != "" && tt.file == "go_json_vet" {
					t.Errorf("details have no %q:\n%s", tt.details, r.details("en"))
				}
			}
		})
	}
}

// A stack is told without the frames of the language and of the runner.
func TestStacksAreToldWithoutTheMachinery(t *testing.T) {
	for file, want := range map[string][2]string{ // what is left out, and what stays
		"go_json_parents": {"testing.go:|created by testing|runtime/panic.go|panic({", "a_test.go:8 +0x28|x/p.TestSub.func1|panic: assignment to entry in nil map"},
		"go_v_parents":    {"testing.go:|created by testing|runtime/panic.go", "a_test.go:8 +0x28"},
		"node_tap":        {"duration_ms|failureType|node:internal", "2 == 3|boom"},
		"jest":            {"node_modules/", "Expected: 2"},
	} {
		data, err := os.ReadFile(filepath.Join("testdata", "runs", file+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		r := newReport(nil)
		r.write(data)
		r.close()
		details := r.details("en")
		for _, gone := range strings.Split(want[0], "|") {
			if strings.Contains(details, gone) {
				t.Errorf("%s: %q stands in\n%s", file, gone, details)
			}
		}
		for _, stays := range strings.Split(want[1], "|") {
			if !strings.Contains(details, stays) {
				t.Errorf("%s: no %q in\n%s", file, stays, details)
			}
		}
	}
	var lines []string
	for l := range strings.Lines("   3: core::panicking::assert_failed\n             at /rustc/5980/library/core/src/panicking.rs:394:5\n   4: calc::tests::adds\n             at ./src/lib.rs:8:17\n") {
		lines = withLine(lines, strings.TrimRight(l, "\n"))
	}
	if got := strings.Join(lines, "\n"); got != "   4: calc::tests::adds\n             at ./src/lib.rs:8:17" {
		t.Errorf("%q", got)
	}
}

// What a build makes is told by its folder, and each name of a failing test once.
func TestWhatIsManyIsToldOnce(t *testing.T) {
	changes := []string{"create Cargo.lock", "edit target/x"}
	for range 9 {
		changes = append(changes, "create target/debug/y")
	}
	if got := grouped(changes); !slices.Equal(got, []string{"create Cargo.lock", "edit target/x", "create 9 in target/"}) {
		t.Errorf("%q", got)
	}
	if few := []string{"create a/b", "create a/c", "delete a/d"}; !slices.Equal(grouped(few), few) {
		t.Errorf("%q", grouped(few))
	}
	moves := []nebula.Change{{Kind: "create", Path: "b", After: "1"}, {Kind: "delete", Path: "a", Before: "1"}, {Kind: "create", Path: "d", After: "2"}, {Kind: "delete", Path: "c", Before: "2"}, {Kind: "delete", Path: "e", Before: "2"}, {Kind: "edit", Path: ".git/index"}}
	if got := changesInWords(moves); !slices.Equal(got, []string{"move a to b", "create d", "delete c", "delete e"}) {
		t.Errorf("%q", got)
	}
	if got := untold([]string{"tests::adds", "x/p TestSub"}, "---- tests::adds stdout ----\n--- FAIL: TestSub\n"); !slices.Equal(got, []string{"x/p TestSub"}) {
		t.Errorf("%q", got)
	}
}

func FuzzReport(f *testing.F) {
	files, _ := filepath.Glob("testdata/runs/*.txt")
	for _, p := range files {
		data, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := newReport(nil)
		r.write(data)
		r.close()
		sum := r.sum("", true)
		if sum.Passed < -1 || sum.Failed < -1 || sum.Skipped < -1 || len(r.details("en")) > 64<<10 {
			t.Errorf("%+v, %d bytes of details", sum, len(r.details("en")))
		}
	})
}

func BenchmarkReport(b *testing.B) {
	data, err := os.ReadFile("testdata/runs/go_v.txt")
	if err != nil {
		b.Fatal(err)
	}
	data = []byte(strings.Repeat(string(data), 100))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		r := newReport(nil)
		r.write(data)
		r.close()
	}
}

func TestRunThatRanNoTestCountsNone(t *testing.T) {
	for output, want := range map[string]int{
		"ok  \tx\t0.002s [no tests to run]\n": 0, "testing: warning: no tests to run\nPASS\nok  \tx\t(cached) [no tests to run]\n?   \tx/y\t[no test files]\n": 0,
		"ok  \tx\t0.002s\nok  \ty\t0.002s [no tests to run]\n": -1, "three lines\n": -1, "Ran 0 tests in 0.000s\n\nOK\n": 0, "=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\nok  \tx\t0.1s\n": 1,
	} {
		if got := Counted("test", output); got.Passed != want || !got.OK {
			t.Errorf("%q: %+v, want %d passed", output, got, want)
		}
	}
}

func TestPassedTestsAreNotToldOneByOne(t *testing.T) {
	kept := "plugins: two\nsum.py is slow [50%]\n========= 2 passed, 1 warning in 0.1s =========\nsum_test.go:4: a log\n--- SKIP: TestLater (0.00s)\nan ok line of the program\n"
	for _, line := range []string{
		"=== RUN   TestSums", "--- PASS: TestSums (0.00s)", "    --- PASS: TestSums/none (0.00s)", "PASS", "test sums::none ... ok",
		"test_none (test_sum.Sum.test_none) ... ok", "tests/test_sum.py::test_none PASSED  [ 50%]", "ok 1 - none", "✔ none (0.4ms)", "ok  \tdemo\t0.1s", "ok  \tdemo/a\t(cached)", "?   \tdemo/b\t[no test files]",
		"============================= test session starts ==============================", "platform linux -- Python 3.13.5, pytest-8.3.5, pluggy-1.5.0", "cachedir: .pytest_cache", "rootdir: /tmp/x", "configfile: pyproject.toml",
		"plugins: anyio-4.8.0, cov-6.0.0", "collected 2 items", "collecting ... collected 1 item", "test_sum.py ..                                                           [100%]", "============================== 2 passed in 0.01s ===============================",
		"TAP version 13", "# Subtest: rows", "    # Subtest: row 0", "    ok 1 - row 0", "  ---", "      duration_ms: 7.28", "  type: 'suite'", "      ...", "    1..1",
	} {
		if got := quiet(line + "\n" + kept + line + "\r\n"); got != kept {
			t.Errorf("%q left\n%s", line, got)
		}
	}
}

func TestWhatATestSaidThatNeverEndedIsTold(t *testing.T) {
	r := newReport(nil)
	r.write([]byte("=== RUN   TestA\n    a_test.go:3: goes away\nFAIL\tdemo\t0.1s\nFAIL\n"))
	r.close()
	if got := r.details("en"); !strings.HasPrefix(got, "--- FAIL: TestA\n    a_test.go:3: goes away\n") {
		t.Errorf("%q", got)
	}
}

// What was to run the tests and is not there is no test that failed.
func TestARunnerThatIsNotThereFailsNoTest(t *testing.T) {
	for output, want := range map[string]string{
		"/usr/bin/python3: No module named pytest\n": "pytest", "python3.12: No module named 'pytest'\n": "pytest", "sh: 1: jest: not found\n": "jest", "bash: line 1: ctest: command not found\n": "ctest",
		"npm error Missing script: \"test\"\nnpm error\n": "test", "error: no such command: `nextest`\n": "nextest",
		"ModuleNotFoundError: No module named 'shop'\n": "", "cart.js: not found\n": "", "test result: FAILED. 1 passed; 1 failed; 0 ignored\nsh: 1: jest: not found\n": "",
	} {
		f := finished{lang: "en"}
		f.exit.Code, f.exit.Output = 1, []byte(output)
		sum := Counted("x", output)
		if got := lacks(f, &sum); got != want {
			t.Errorf("%q: %q, want %q", output, got, want)
		}
	}
}

// TestARunWithoutATestSaysThatNoneRan reads runs that find no test, which end badly all the same.
func TestARunWithoutATestSaysThatNoneRan(t *testing.T) {
	for _, c := range []struct{ command, output, want string }{
		{"pytest", "collected 0 items\n\n===== no tests ran in 0.01s =====\n", "No test ran (0 passed, 0 failed)"},
		{"pytest -q", "\nno tests ran in 0.00s\n", "No test ran (0 passed, 0 failed)"},
		{"python -m unittest", "\n----------------------------------------------------------------------\nRan 0 tests in 0.000s\n\nNO TESTS RAN\n", "No test ran (0 passed, 0 failed)"},
		{"pytest", "FAILED test_a.py::test_x - assert 0\n===== 1 failed in 0.01s =====\n", "Tests failed (0 passed, 1 failed)"},
		{"pytest", "===== 1 passed, 1 error in 0.01s =====\n", "Tests failed (1 passed, 1 failed)"},
		{"pytest", "Segmentation fault\n", "Tests failed"},
	} {
		r := Counted(c.command, c.output)
		if r.OK = false; verdict("en", &r) != c.want {
			t.Errorf("%s %q: %s", c.command, c.output, verdict("en", &r))
		}
	}
}
