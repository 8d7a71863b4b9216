package state

import "testing"

// What is said of two tasks, of how many and of nothing else is held to the changes of the turn, and free where they show it.
func TestWhatIsSaidOfAllIsHeldToTheChanges(t *testing.T) {
	const asks = "Fix sub in calc.py, set LIMIT to 20 in keep.py, remove unused and clamp from util.py, and create README.md and LICENSE"
	const sub = "--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,2 @@\n def sub(a, b):\n-    return a + b\n+    return a - b\n"
	const keep = "--- a/keep.py\n+++ b/keep.py\n@@ -1 +1 @@\n-LIMIT = 10\n+LIMIT = 20\n"
	const util = "--- a/util.py\n+++ b/util.py\n@@ -1,5 +1,1 @@\n-def unused():\n-    pass\n-def clamp(a):\n-    return a\n-def third(a):\n-    return a\n x = 1\n"
	const tests = "--- a/test_calc.py\n+++ b/test_calc.py\n@@ -1 +1,7 @@\n+def test_mul():\n+    assert mul(2, 3) == 6\n"
	const more = "+def test_mul_zero():\n+    assert mul(0, 3) == 0\n+def test_mul_one():\n+    assert mul(1, 3) == 3\n"
	of := func(diffs ...string) Deeds {
		d := Deeds{Asks: asks, Lines: []Line{{"pytest -q", true}}, Tested: true, Counted: true, Code: func() []string { return nil },
			Stands: func(file string) (bool, bool) { return file != "LICENSE", true }, Holds: func(string) (bool, bool) { return true, true }}
		for _, diff := range diffs {
			for _, p := range edits(diff) {
				came, went := sides(p)
				d.Came, d.Went, d.Touched = d.Came+came, d.Went+went, append(d.Touched, p.path)
			}
		}
		d.Changed = d.Touched
		return d
	}
	one, all := of(sub, tests), of(sub, keep, util, tests+more)
	all.Touched = append(all.Touched, "LICENSE", "README.md")
	all.Came += "\x00LICENSE\n\x00README.md\n"
	for _, said := range []string{
		"Both are fixed: sub subtracts and LIMIT is 20.", "Both bugs are fixed.", "I fixed both.", "両方とも直しました。", "両方とも修正しました。", "LIMIT も 20 にしました。", "`LIMIT` を 20 に変更しました。", "LIMIT in keep.py is now 20.", "`LIMIT` was raised to 20 in `keep.py`.", "Set `LIMIT` to 20.",
		"Done: calc.py (sub), keep.py (LIMIT = 20).", "I removed unused and clamp from util.py and fixed sub.", "Removed `unused()`; fixed `sub()`.", "README.md and LICENSE are created.", "I created LICENSE.", "Fixed sub in calc.py and in util.py.", "Fixed sub in calc.py and clamp in util.py.",
		"I removed 3 functions.", "I added 3 tests; all 3 pass.", "I added two tests, test_mul and test_mul_zero.", "I changed 4 files.",
	} {
		if len(one.Unshown(said)) == 0 {
			t.Errorf("free: %s", said)
		}
		if claims := all.Unshown(said); len(claims) > 0 {
			t.Errorf("held, though it is so: %q", claims)
		}
	}
	if len(of(sub).Unshown("Fixed both files.")) == 0 || len(all.Unshown("Fixed both files.")) > 0 {
		t.Error("Fixed both files.")
	}
	for _, said := range []string{"Only calc.py was changed.", "I only changed calc.py.", "I changed nothing.", "No files were changed.", "ファイルは何も変更していません。", "calc.py だけを変更しました。"} {
		if len(one.Unshown(said)) == 0 {
			t.Errorf("free: %s", said)
		}
		d := of(sub)
		if said[0] == 'I' && said[2:4] == "ch" || said[0] == 'N' || said[:3] == "フ" {
			d.Changed, d.Came, d.Went = nil, "", "" // it was another turn
		}
		if claims := d.Unshown(said); len(claims) > 0 {
			t.Errorf("held, though it is so: %q", claims)
		}
	}
	for _, said := range []string{
		"sub is fixed; LIMIT in keep.py is still 10.", "Both tests pass.", "Only one of both is fixed.", "Both would be fixed by this.", "I did not set `LIMIT` to 20.", "LIMIT はまだ 20 にしていません。", "LIMIT in keep.py is 10.", "I did not create LICENSE.", "I added a license header to calc.py.", "Both arguments are numbers.", "両方のテストが通ります。",
		"I changed nothing else.", "I changed nothing in keep.py.", "Nothing else was changed.", "calc.py 以外は何も変更していません。", "Only sub was wrong.", "I read 4 files.", "The module has 3 functions.", "I did not remove 3 functions.", "You could add 3 tests.", "Fixed sub in calc.py.", "Fixed the sign in calc.py, as test_calc.py wants.", "The file calc.py has two functions.", "I removed the plus from calc.py.", "Removed the wrong `+`.",
	} {
		if claims := one.Unshown(said); len(claims) > 0 {
			t.Errorf("held: %q", claims)
		}
	}
	ran := of(sub)
	ran.Changed = append(ran.Changed, ".pytest_cache/README.md")
	if claims := ran.Unshown("Only calc.py was changed."); len(claims) > 0 {
		t.Errorf("held for what a run of tests left behind: %q", claims)
	}
	back := of(sub, "--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,2 @@\n def sub(a, b):\n-    return a - b\n+    return a + b\n")
	back.Asks = "Two tests of test_calc.py fail; fix sub in calc.py to behave like util.py"
	for _, said := range []string{"I changed nothing.", "Both are fixed.", "I reverted calc.py.", "元に戻しました。"} {
		if claims := back.Unshown(said); len(claims) > 0 {
			t.Errorf("held: %q", claims)
		}
	}
}
