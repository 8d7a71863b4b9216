package tool

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
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
	kept := "sum_test.go:4: a log\n--- SKIP: TestLater (0.00s)\nan ok line of the program\n"
	for _, line := range []string{
		"=== RUN   TestSums", "--- PASS: TestSums (0.00s)", "    --- PASS: TestSums/none (0.00s)", "PASS", "test sums::none ... ok",
		"test_none (test_sum.Sum.test_none) ... ok", "tests/test_sum.py::test_none PASSED  [ 50%]", "ok 1 - none", "✔ none (0.4ms)", "ok  \tdemo\t0.1s", "ok  \tdemo/a\t(cached)", "?   \tdemo/b\t[no test files]",
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
