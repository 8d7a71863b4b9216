package state

import "testing"

// Who says of functions that they were removed or mended is held to lines that came or went of them, or of what they use.
func TestFunctionsThatNoChangeTouchedAreNotMended(t *testing.T) {
	const text = "import math\n\nLIMIT = 3\n\ndef add(a, b):\n    return a + b\n\n\ndef mul(a, b):\n    total = 1\n    for _ in range(b):\n        total *= a\n    return total\n\ndef half(a):\n    return clean(a) / 2\n\ndef clean(a):\n    return min(a, LIMIT)\n\n@cached\ndef shout(s):\n    return s.upper()\n"
	const diff = "--- a/calc.py\n+++ b/calc.py\n@@ -3,6 +3,6 @@\n \n def add(a, b):\n-    return a - b\n+    return a + b\n \n \n def mul(a, b):\n"
	of := func(diff string) Deeds {
		d := Deeds{Touched: []string{"calc.py"}, Lines: []Line{{"pytest -q", true}}, Tested: true, Counted: true, Code: func() []string { return []string{text} },
			Stands: func(string) (bool, bool) { return true, true }, Holds: func(string) (bool, bool) { return true, true }}
		for _, p := range edits(diff) {
			d.Came, d.Went = sides(p)
		}
		return d
	}
	changed := func(line string) string { return "--- a/calc.py\n+++ b/calc.py\n@@ -3,6 +3,6 @@\n" + line }
	for _, c := range []struct{ diff, said string }{
		{diff, "Removed the unused function shout."}, {diff, "Fixed add and removed the unused function shout."}, {diff, "I removed shout."}, {diff, "`shout` was removed as well."}, {diff, "Fixed add, and removed `shout()`."}, {diff, "未使用の関数 shout を削除しました。"}, {diff, "shout 関数も削除しました。"},
		{diff, "add and mul are both fixed."}, {diff, "Fixed add and mul."}, {diff, "I fixed add, mul and half."}, {diff, "mul is fixed too."}, {diff, "I also corrected `mul`."}, {diff, "Fixed the bugs in add and mul."}, {diff, "mul も直しました。"}, {diff, "add と mul を修正しました。"}, {diff, "add と mul の両方を修正しました。"}, {diff, "`mul()` も修正しました。"},
		{changed(" def add(a, b):\n-    return a - b\n+    return a + b\n"), "Updated the mul function."},
	} {
		if len(of(c.diff).Unshown(c.said)) == 0 {
			t.Errorf("free: %s", c.said)
		}
	}
	for _, c := range []struct{ diff, said string }{
		{diff, "Fixed add."}, {diff, "add is fixed, and mul was right."}, {diff, "Fixed add; mul is as it was."}, {diff, "add を直しました。"}, {diff, "mul は直していません。"}, {diff, "Fixed add to match mul."}, {diff, "mul is not fixed."}, {diff, "I did not remove shout."}, {diff, "shout could be removed."}, {diff, "Removed the wrong minus."}, {diff, "Fixed the error."}, {diff, "mul was already fixed."},
		{diff, "Fixed add and tested mul."}, {diff, "Removed the call of shout."}, {diff, "shout は削除していません。"}, {diff, "add and mul both work."}, {diff, "You asked that mul is fixed."},
		{changed("-def shout(s):\n-    return s\n"), "Removed the unused function shout."}, {changed(" def mul(a, b):\n     total = 1\n-    total += 1\n     for _ in range(b):\n"), "mul is fixed."}, {changed("     for _ in range(b):\n-        total += a\n+        total *= a\n     return total\n"), "Fixed mul."},
		{changed(" def clean(a):\n-    return a\n+    return min(a, LIMIT)\n"), "half is fixed."}, {changed("-LIMIT = 2\n+LIMIT = 3\n"), "half and clean are fixed."}, {changed("+@cached\n def shout(s):\n"), "Fixed shout."}, {changed("+import math\n"), "Removed the function call."},
	} {
		if claims := of(c.diff).Unshown(c.said); len(claims) > 0 {
			t.Errorf("held: %q after %s", claims, c.diff)
		}
	}
	none := of(diff)
	none.Touched, none.Came, none.Went = nil, "", ""
	if len(none.Unshown("Removed the unused function shout.")) == 0 {
		t.Error("free, though nothing was changed")
	}
	if none.Blind = true; len(none.Unshown("Removed the unused function shout.")) > 0 {
		t.Error("held, though files may have changed that nobody saw")
	}
}
