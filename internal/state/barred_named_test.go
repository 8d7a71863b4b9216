package state_test

import (
	"testing"
)

// A name of code that is to stay is held against what takes it from a file, and the rename of another is free.
func TestANameThatIsToStayIsNotRenamed(t *testing.T) {
	const (
		head    = "--- a/shop/cart.py\n+++ b/shop/cart.py\n@@ -1,2 +1,2 @@\n"
		defined = head + "-def getVal(x):\n+def get_val(x):\n     return x\n"
		called  = head + " import shop\n-print(getVal(total_cart(1)))\n+print(get_val(total_cart(1)))\n"
		moved   = head + " import shop\n-def getVal(x): return x\n+value = 3\n"
		other   = head + "-    return getVal(total_cart(1))\n+    return getVal(sum_cart(1))\n"
		wrapped = head + "-def getVal(x): return x\n+def get_val(x): return x\n+getVal = get_val\n"
		dropped = head + " import shop\n-print(getVal(1))\n+print(1)\n"
		part    = head + "-getValue(1)\n+get_value(1)\n"
	)
	for _, said := range []string{
		"Keep the name getVal.", "Tidy up; getVal must keep its name.", "getVal はリネームしないで a.py を整理して", "Don't rename getVal. Tidy up the rest.", "Never rename getVal.", "Tidy up, but don't rename getVal", "Don't rename getVal. Rename total_cart to sum_cart everywhere.", "Do not rename the function getVal", "Don't rename `getVal` in the API, tidy the rest",
		"Never rename total2 or getVal.", "Tidy up without renaming getVal.", "Don't remove getVal.", "getValの名前は変えないで", "getValという関数の名前は変更しないでください。他は直してください。", "getValをリネームしないで、整理して", "total_cartをsum_cartに変えて。getValの名前は変えずに",
	} {
		s := after(said, "Go on.")
		for _, diff := range []string{defined, called, moved} {
			if held, name, _ := s.Renames(diff); held == "" || name != "getVal" {
				t.Errorf("%s: %q %q is let go of\n%s", said, held, name, diff)
			}
		}
		for _, diff := range []string{other, wrapped, dropped, part} {
			if held, _, _ := s.Renames(diff); held != "" {
				t.Errorf("%s holds\n%s", said, diff)
			}
		}
		for _, free := range []string{"Now rename getVal to get_val.", "You may rename getVal.", "getValをget_valにリネームしてください"} {
			if held, _, _ := after(said, free).Renames(defined); held != "" {
				t.Errorf("%s: %s: still held", said, free)
			}
		}
	}
	for _, said := range []string{"Rename getVal to get_val.", "Don't rename it. Fix getVal.", "Don't rename getVal unless it clashes.", "Why did you not rename getVal?", "Don't rename the file where getVal is.", "getValの名前を変えて", "Don't forget to rename getVal."} {
		if held, _, _ := after(said).Renames(defined); held != "" {
			t.Errorf("%s: held: %s", said, held)
		}
	}
}
