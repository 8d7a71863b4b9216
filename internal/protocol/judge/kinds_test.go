package judge

import (
	"encoding/json"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// sameDeeds are one deed to a file in many ways: what is said of it means the same of each.
var sameDeeds = []string{"rm data.csv", ": > data.csv", "truncate -s 0 data.csv", "sed -i s/a/b/ data.csv", "mv data.csv old.csv", `python -c 'open("data.csv","w")'`, "git checkout data.csv", "editFile", "deleteFile"}

// deedOf is a deed as deeds has them.
func deedOf(way string) [4]string {
	switch way {
	case "editFile":
		return [4]string{"editFile", `{"path":"data.csv","new_content":"a,b\n"}`, "$ edit @ data.csv\n--\na,b\n--", "T:edit_file|data.csv|a,b\n"}
	case "deleteFile":
		return [4]string{"deleteFile", `{"path":"data.csv"}`, "$ delete @ data.csv", "T:delete_file|data.csv"}
	}
	b, _ := json.Marshal(map[string]string{"command": way}) // strings always marshal
	return [4]string{"executeShell", string(b), "$ run @ " + way, "T:execute_shell|" + way}
}

// TestWhatIsSaidMeansTheSameOfEveryDeed reads pairs of sentences, of which the first takes back what stands beside it and the second means it,
// beside one deed in many ways, in all languages and as what a model wrote in another one than it was taught. What is
// said beside an edit that is called tells of the work, so that only there some of the first run; words of a model that writes as it was not taught
// must say that it is done.
func TestWhatIsSaidMeansTheSameOfEveryDeed(t *testing.T) {
	tools := nebulatest.Specs()
	names := []string{"symops", "dml", "actionlist", "toolcall", "dialect"}
	ran, asked, n := map[string]int{}, map[string]int{}, 0
	for i, line := range rows(t, "kinds") {
		f := strings.Split(line, "|")
		if len(f) != 3 {
			t.Fatalf("no pair: %s", line)
		}
		var shown [2][]string
		n++
		for _, way := range sameDeeds {
			for _, name := range names {
				for k := range 2 {
					in := amidDeed(t, name, f[0], deedOf(way), f[k+1], i%2 == 1, tools)
					if runs(in, tools) == (k == 1) {
						continue
					}
					first, _, _ := strings.Cut(way, " ")
					shown[k] = append(shown[k], first+"/"+name[:1])
					for _, key := range []string{name, first, f[0], "all"} {
						map[int]map[string]int{0: ran, 1: asked}[k][key]++
					}
				}
			}
		}
		for k := range 2 {
			if len(shown[k]) > 0 {
				t.Logf("%c %d %s %s %v", "-+"[k], len(shown[k]), f[0], f[k+1], shown[k])
			}
		}
	}
	t.Logf("of %d sentences, each in %d replies, that take back run: %v\nof as many that mean it are asked about: %v", n, len(names)*len(sameDeeds), ran, asked)
	if ran["all"] > ran["editFile"] || ran["editFile"] > 26 {
		t.Errorf("%d run though taken back", ran["all"])
	}
	if all := n * 4 * len(sameDeeds); 100*(asked["all"]-asked["dialect"]) > 4*all {
		t.Errorf("of %d that mean it %d are asked about", all, asked["all"]-asked["dialect"])
	}
}

// amidDeed is what is read of a reply in which a sentence stands beside a deed; dialect is a call in the words of one who was taught calls.
func amidDeed(t *testing.T, name, where string, d [4]string, sentence string, rationale bool, tools []nebula.ToolSpec) nebula.Intent {
	if name != "dialect" {
		return named(t, name).decode(besideDeed(name, where, d, sentence, rationale), tools)
	}
	if where == "R" {
		where = "B"
	}
	r := besideDeed("symops", where, d, sentence, false)
	return named(t, "toolcall").decode(r, tools)
}
