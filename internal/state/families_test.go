package state_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"nebula"
)

// Families of wording hold what they name and nothing else: each line of testdata/families.txt is one, with all that may stand in its places.
func TestFamiliesOfWording(t *testing.T) {
	text, err := os.ReadFile("testdata/families.txt")
	if err != nil {
		t.Fatal(err)
	}
	words := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		if name, list, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " "); ok && strings.HasPrefix(line, ":") {
			words[name[1:]] = strings.Split(list, " / ")
		}
	}
	seen, missed, wrong := 0, 0, 0
	for what, family := range rowsOf(t, "families.txt") {
		for _, said := range filled(family, words) {
			seen++
			held := heldOf(strings.Split(strings.ReplaceAll(said, `\n`, "\n"), " => "))
			if held == what {
				continue
			}
			for _, name := range strings.Fields(what) {
				if name != "nothing" && !strings.Contains(held, name) {
					missed++
					break
				}
			}
			for _, name := range strings.Fields(held) {
				if name != "nothing" && !strings.Contains(what, name) {
					wrong++
					break
				}
			}
			t.Errorf("%s: %s is held and not %s", said, held, what)
		}
	}
	t.Logf("%d sentences, %d held too little, %d too much", seen, missed, wrong)
	if seen < 300 {
		t.Errorf("%d sentences", seen)
	}
}

var inBraces = regexp.MustCompile(`\{(\w+)\}`)

// filled are the sentences that a family comes to: its places take turns, each as often as the longest list has words.
func filled(family string, words map[string][]string) (list []string) {
	list = []string{family}
	for _, m := range inBraces.FindAllStringSubmatch(family, -1) {
		var next []string
		for _, one := range list {
			for _, w := range words[m[1]] {
				next = append(next, strings.Replace(one, m[0], w, 1))
			}
		}
		list = next
	}
	return list
}

// heldOf is what is held of a handful of files and acts after messages.
func heldOf(messages []string) string {
	s := after(messages...)
	s.Seen = map[string]nebula.FileRef{"calc.py": {}, "keep.py": {}}
	s.Text = func(file string) string {
		return map[string]string{"calc.py": "def sub(a, b):\n    return a + b\n", "keep.py": "LIMIT = 10\n"}[file]
	}
	var held []string
	for _, name := range []string{"calc.py", "keep.py", "util.py", "README.md", "test_calc.py"} {
		if s.Barred(nebula.Target{Path: name, Kind: "edit"}) != "" {
			held = append(held, strings.TrimSuffix(strings.Split(name, ".")[0], "_calc"))
		}
	}
	for _, act := range []string{"commit", "push"} {
		if s.ForbiddenAct(act, "git "+act) != "" {
			held = append(held, act)
		}
	}
	if held == nil {
		return "nothing"
	}
	return strings.Join(held, " ")
}
