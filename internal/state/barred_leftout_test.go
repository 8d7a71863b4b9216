package state_test

import (
	"strings"
	"testing"

	"nebula"
)

// What is left out of what may change is held, and what is left out of what may not is free; what was said last is let go of where it is to be forgotten.
func TestWhatIsLeftOutAndWhatIsForgotten(t *testing.T) {
	for _, c := range []struct{ said, held, free string }{
		{"Except for x you may change everything.", "x", "a.txt"},
		{"Except for x.txt you may change everything.", "x.txt", "a.txt"},
		{"You may change everything except x.txt.", "x.txt", "a.txt"},
		{"Except x.txt, change what you like.", "x.txt", "a.txt"},
		{"Apart from x.txt you can edit anything.", "x.txt", "a.txt"},
		{"Other than x.txt, you are free to change everything.", "x.txt", "a.txt"},
		{"Aside from api/ you may touch anything.", "api/a", "a.txt"},
		{"Change anything but x.txt.", "x.txt", "a.txt"},
		{"Everything except x.txt may be changed.", "x.txt", "a.txt"},
		{"With the exception of x.txt everything may change.", "x.txt", "a.txt"},
		{"Except for x.txt, all files may be edited.", "x.txt", "a.txt"},
		{"Feel free to change everything, except for x.txt.", "x.txt", "a.txt"},
		{"Barring x.txt you may edit everything.", "x.txt", "a.txt"},
		{"Except for x.txt everything is broken; fix it.", "", "x.txt a.txt"},
		{"Except for x.txt all files pass the linter.", "", "x.txt a.txt"},
		{"Except for x.txt you may not change anything.", "a.txt", "x.txt"},
		{"Except for x.txt, don't change anything.", "a.txt", "x.txt"},
		{"Except for x.txt everything must stay.", "a.txt", "x.txt"},
		{"You may change everything, x.txt too.", "", "x.txt a.txt"},
		{"x.txt 以外は何を変えてもいいです。", "x.txt", "a.txt"},
		{"x.txt以外は変更してかまいません。", "x.txt", "a.txt"},
		{"x.txt を除いて自由に変更してください。", "x.txt", "a.txt"},
		{"x.txt以外なら何でも触っていいよ。", "x.txt", "a.txt"},
		{"x.txt のほかは好きに直して。", "x.txt", "a.txt"},
		{"x.txt以外は変更しないで。", "a.txt", "x.txt"},
		{"x.txt以外も変更して。", "", "x.txt a.txt"},
		{"x.txtはいじらんといて", "x.txt", "a.txt"},
		{"Xはいじらんといて", "X/a", "a.txt"},
		{"api はいじらんといて", "api/a", "a.txt"},
		{"api/ is not yours", "api/a", "a.txt"},
		{"x.txtは触らないで。|x.txt を 2 に。|", "x.txt", ""},
		{"Don't touch x.txt.|forget that", "", "x.txt"},
		{"Don't touch x.txt.|Forget that.", "", "x.txt"},
		{"Don't touch x.txt.|Forget what I said about x.txt.", "", "x.txt"},
		{"Don't touch x.txt.|Forget that rule.", "", "x.txt"},
		{"Don't touch x.txt.|Never mind that.", "", "x.txt"},
		{"Don't touch x.txt.|Scratch that, x.txt may change.", "", "x.txt"},
		{"Don't touch x.txt. Forget that.", "", "x.txt"},
		{"x.txt は触らないで。|今のは忘れて。", "", "x.txt"},
		{"x.txt は触らないで。|さっきのは忘れてください。", "", "x.txt"},
		{"x.txt は触らないで。|さっきのルールは取り消します。", "", "x.txt"},
		{"x.txt は触らないで。|forget that", "", "x.txt"},
		{"keep.py は触らないで|「keep.py に触らないで」は忘れてください", "", "keep.py"},
		{"Don't touch keep.py.|Forget that.", "", "keep.py"},
		{"keep.py は触らないで|forget that", "", "keep.py"},
		{"keep.py に触らないで|forget that", "", "keep.py"},
		{"「keep.py に」触らないで|forget that", "", "keep.py"},
		{"keep.py に触らないで。|それは忘れて", "", "keep.py"},
		{"keep.py に触らないで。|忘れて", "", "keep.py"},
		{"keep.py には触らないで。|Forget that.", "", "keep.py"},
		{"keep.py には変更を加えないで|Forget about that.", "", "keep.py"},
		{"keep.py は触らないで|keep.py の x を 2 に|forget that", "", "keep.py"},
		{"Don't touch keep.py.|Set x to 2 in other.py.|Forget that.", "keep.py", "other.py"},
		{"Don't touch keep.py.|What is in keep.py?|Forget that.", "", "keep.py"},
		{"keep.py は触らないで。|keep.py を 2 に。|忘れて。", "", "keep.py"},
		{"Don't touch x.txt.|Forget the bug, look at a.txt.", "x.txt", "a.txt"},
		{"Don't touch x.txt.|Don't forget that.", "x.txt", "a.txt"},
		{"Don't touch x.txt.|Never forget that rule.", "x.txt", "a.txt"},
		{"Don't touch x.txt.|それを忘れないで。", "x.txt", "a.txt"},
		{"Don't touch x.txt.|Change a.txt. Forget that.", "x.txt", "a.txt"},
	} {
		s := after(append(strings.Split(strings.TrimSuffix(c.said, "|"), "|"), "Go on.")...)
		for _, path := range strings.Fields(c.held) {
			if s.Barred(nebula.Target{Path: path, Kind: "edit"}) == "" {
				t.Errorf("%s: %s is free", c.said, path)
			}
		}
		for _, path := range strings.Fields(c.free) {
			if said := s.Barred(nebula.Target{Path: path, Kind: "edit"}); said != "" {
				t.Errorf("%s: %s is held by %q", c.said, path, said)
			}
		}
	}
}
