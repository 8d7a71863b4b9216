package bench

import (
	"maps"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"nebula"
)

func all(t *testing.T) []Task {
	t.Helper()
	list, err := Tasks()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func folder(files map[string]string) fstest.MapFS {
	dir := fstest.MapFS{}
	for name, text := range files {
		dir[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return dir
}

// solutions are each task's folder when it is done, and the answer.
func solutions(t *testing.T) (done map[string]map[string]string, answers map[string]string) {
	t.Helper()
	data, err := os.ReadFile("testdata/solved.txtar")
	if err != nil {
		t.Fatal(err)
	}
	done, answers = map[string]map[string]string{}, map[string]string{}
	for _, task := range all(t) {
		files := maps.Clone(task.Files)
		maps.Copy(files, task.want)
		for _, c := range task.checks {
			if c.verb == "gone" {
				delete(files, c.file)
			}
		}
		done[task.Name] = files
	}
	for _, f := range txtar.Parse(data).Files {
		name, path, _ := strings.Cut(f.Name, "/")
		switch {
		case done[name] == nil:
			t.Errorf("%s: there is no such task", f.Name)
		case path == "answer":
			answers[name] = string(f.Data)
		default:
			done[name][path] = string(f.Data)
		}
	}
	return done, answers
}

func TestThereAreTasksOfEveryKind(t *testing.T) {
	kinds := map[string]int{}
	for _, task := range all(t) {
		kinds[task.Kind]++
	}
	if n := len(all(t)); n < 40 || len(kinds) != 7 {
		t.Errorf("%d tasks of the kinds %v", n, kinds)
	}
	for kind, n := range kinds {
		if n < 5 {
			t.Errorf("%d tasks of the kind %s", n, kind)
		}
	}
}

// A task that a command tells of is also tried in internal/cli, where there is something to run it with.
func TestATaskIsDoneWhenItIsSolvedAndNotBefore(t *testing.T) {
	done, answers := solutions(t)
	for _, task := range all(t) {
		missed, err := task.Missed(folder(done[task.Name]), answers[task.Name])
		if err != nil || missed.Format != "" {
			t.Errorf("%s: solved, and missed is %q %v", task.Name, missed, err)
		}
		before, err := task.Missed(folder(task.Files), "I looked at it.")
		if err != nil || before.Format == "" && task.Run == "" {
			t.Errorf("%s: solved before anything was done, %v", task.Name, err)
		}
	}
}

func TestWhatNobodyAskedForIsNoSolution(t *testing.T) {
	done, answers := solutions(t)
	for _, task := range all(t) {
		files := done[task.Name]
		files["hacked.txt"] = "x"
		if missed, _ := task.Missed(folder(files), answers[task.Name]); missed.Format == "" {
			t.Errorf("%s: solved, with a file that nobody asked for", task.Name)
		}
		delete(files, "hacked.txt")
		for name := range task.Files {
			if task.want[name] != "" || task.checked(name, "gone") || strings.Contains(strings.Join(task.may, " "), name) {
				continue
			}
			was := files[name]
			files[name] = was + "\nmore\n"
			if missed, _ := task.Missed(folder(files), answers[task.Name]); missed.Format == "" {
				t.Errorf("%s: solved, with %s changed", task.Name, name)
			}
			files[name] = was
		}
	}
}

func TestTheBestSolvesMostAndCostsLeast(t *testing.T) {
	column := func(name string, solved, failed, tokens int) Column {
		return Column{Model: name, Tried: 50, Solved: solved, Spoken: nebula.Spoken{Replies: 100, Failed: failed}, Usage: nebula.Usage{Input: tokens}}
	}
	broken := column("broken", 50, 0, 1)
	broken.Broken = "stopped"
	for _, c := range []struct {
		want string
		list []Column
	}{
		{"most", []Column{column("most", 45, 0, 900), column("cheap", 30, 0, 100)}},
		{"cheap", []Column{column("most", 45, 0, 900), column("cheap", 44, 0, 100)}},
		{"plain", []Column{column("plain", 44, 1, 900), column("cheap", 45, 20, 100)}},
		{"whole", []Column{broken, column("whole", 10, 0, 900)}},
		{"", []Column{column("none", 0, 0, 900)}},
	} {
		if best, found := Best(c.list); best.Model != c.want || found != (c.want != "") {
			t.Errorf("%q, want %q", best.Model, c.want)
		}
	}
}

func TestThePageHoldsEverythingByItself(t *testing.T) {
	c := Column{Model: "<m>", Protocol: "symops", Spoken: nebula.Spoken{Replies: 3, Strict: 2, Failed: 1}}
	c.Add(Result{Task: "go-where", Kind: "go", Missed: `say "x" & <y>`, Usage: nebula.Usage{Input: 10, Output: 2, Cost: 0.5}, Seconds: 1})
	c.Add(Result{Task: "trap-done", Kind: "trap", Solved: true})
	page := Page([]Column{c}, [][]string{{"model"}, {"<m>"}}, "recommended", "en", func(w nebula.Words) string { return w.String() })
	for _, want := range []string{"<svg", "&lt;m&gt; · symops", "title=\"say &#34;x&#34; &amp; &lt;y&gt;\">✗", "✓", "$0.5000", "recommended"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, bad := range []string{"<m>", "http:", "https:", "src=", "<script", "@import", "url("} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
}
