package state_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/state"
)

// A sentence of the person's that names a path and forbids changing it holds until a later word of theirs lets it go; one that forbids
// something else of it, or under a condition, does not.
func TestWhatThePersonForbidsToChange(t *testing.T) {
	edit := func(path string) nebula.Target { return nebula.Target{Path: path, Kind: "edit"} }
	for _, c := range []struct {
		said string // messages, parted by |
		held string // paths that are, parted by spaces
		free string
	}{
		{"Never touch keep.txt. Fix the rest.", "keep.txt sub/keep.txt", "a.txt keep.txt.bak"},
		{"Fix it. Don't touch keep.txt.", "keep.txt", "a.txt"},
		{"Fix it, but you must not change keep.txt under any circumstances.", "keep.txt", "a.txt"},
		{"Fix it. Do not change anything but a.txt.", "b.txt dir/c.go", "a.txt"},
		{"Only change a.go and b.go.", "c.go", "a.go b.go"},
		{"Leave the rest alone, fix a.go.", "b.go n_test.go", "a.go"},
		{"Leave everything else as it is and just fix add in a.go.", "b.go", "a.go"},
		{"Fix add in a.go, leave the rest alone.", "b.go", "a.go"},
		{"Leave everything but a.go alone.", "b.go", "a.go"},
		{"Leave the rest alone for now. What does a.go do?", "", "a.go b.go"},
		{"Leave the rest alone, fix the bug.", "", "a.go b.go"},
		{"Please don't modify `vendor/` or go.mod", "vendor/x/y.go go.mod", "go.sum"},
		{"Never edit files in docs.", "docs/a.md", "a.md"},
		{"keep.txt must not be changed", "keep.txt", "b"},
		{"Leave config.yml as it is.", "config.yml", "b.yml"},
		{"Make sure not to touch *.lock", "yarn.lock a/b.lock", "lock.go"},
		{"Fix the bug without changing api/v1/types.go", "api/v1/types.go", "api/v2/types.go"},
		{"keep.txtには触らないでください。他は直してよいです。", "keep.txt", "a.txt"},
		{"`src/api.ts` は絶対に変更しないこと", "src/api.ts", "src/b.ts"},
		{"a.txt以外は変更しないで", "b.txt", "a.txt"},
		{"Never touch keep.txt.|Now change keep.txt too.", "", "keep.txt"},
		{"Never touch keep.txt.|You may edit keep.txt now.", "", "keep.txt"},
		{"Never touch main.py.|OK now you may change main.py: say 3 teas", "", "main.py"},
		{"Never touch main.py.|Now change main.py to say 3 teas", "", "main.py"},
		{"Never touch main.py.|Change main.py so it says 3 teas", "", "main.py"},
		{"Never touch main.py.|Change README.md to say: you may change main.py", "main.py", "README.md"},
		{"Never touch main.py.|Bob says: change main.py", "main.py", ""},
		{"Only change cart.py.|Now also fix main.py to say 3 teas and add a README.md", "b.py", "main.py cart.py"},
		{"Never touch keep.txt or b.txt.|keep.txtも変更してください", "b.txt", "keep.txt"},
		{"Never touch keep.txt.|What does keep.txt say?|Fix a.txt", "keep.txt", "a.txt"},
		{"Don't change anything but a.txt.|Now add the feature.", "b.txt", "a.txt"},
		{"Only change a.go.|Go on.", "b.go", "a.go"},
		{"Only change a.go.|Now change b.go, too.", "c.go", "a.go b.go"},
		{"Only change a.go.|You may change other files, too.", "", "a.go b.go"},
		{"Only change a.go.|Only change b.go.", "a.go", "b.go"},
		{"Only fix the bug.", "", "a.go"},
		{"Only change the tests.", "a.go", "x_test.go"},
		{"Only change a.go and the tests.", "b.go", "a.go x_test.go"},
		{"Don't change the API in a.go. Don't use panic in b.go.", "", "a.go b.go"},
		{"Don't change a.txt's format", "", "a.txt"},
		{"Don't change keep.txt unless the tests need it", "", "keep.txt"},
		{"Why did you not change keep.txt?", "", "keep.txt"},
		{"The test does not touch keep.txt", "", "keep.txt"},
		{"Do not change it.", "", "it them/x"},
		{"Don't change any code.", "a.go src/b.py", "README.md go.mod"},
		{"Fix the README. Do not touch the code!", "a.go a_test.go", "README.md"},
		{"Explain this without changing the code.", "a.go README.md", ""},
		{"コードは一切変更しないでください", "a.go", "README.md"},
		{"Add tests for a.go. Don't change the code.", "a.go", "a_test.go"},
		{"Don't change any code.|Now fix it.", "", "a.go"},
		{"Don't change any code.|Now fix b.go.", "a.go", "b.go"},
		{"Don't change any code.|Now add tests.", "a.go", "a_test.go"},
		{"Don't change code that works. Do not change the code style. It does not change the code.", "", "a.go"},
		{"Don't edit by hand, use gofmt", "", "a.go"},
		{"keep.txtを変更しないとテストが通りません", "", "keep.txt"},
		{"The migrations are frozen.", "migrations/1.sql db/migrations/2.sql", "a.go"},
		{"The migrations folder is read-only for you. Fix the rest.", "migrations/1.sql", "a.go"},
		{"api フォルダには手を付けないで", "api/a.go", "a.go"},
		{"api フォルダ以外は変更しないで", "a.go", "api/a.go"},
		{"Don't edit existing files. Add what is missing.", "a.go README.md Makefile", ""},
		{"既存のファイルは変更しないで、新しいファイルだけ追加して。", "a.go Makefile", ""},
		{"既存のファイルには触らないで", "a.go Makefile", ""},
		{"Don't edit existing files.|Now change a.go.", "b.go", "a.go"},
		{"Please make the changes without touching any existing files.", "a.go Makefile", ""},
		{"Don't write any code yet, tell me first how you'd do it.|OK, do it.", "", "a.go"},
		{"Don't write any code yet.|OK", "", "a.go"},
		{"Wait for my OK before changing anything.|Yes, go ahead.", "", "a.go"},
		{"Wait for my OK before changing anything.|OK", "", "a.go"},
		{"変更する前に確認してください。|はい、お願いします。", "", "a.go"},
		{"Wait for my OK before changing anything.|Why?", "a.go", ""},
		{"Wait for my OK before changing anything.|OK, but what does A do?", "a.go", ""},
		{"Don't modify anything.|OK", "a.go", ""},
	} {
		s := state.New()
		for n, text := range strings.Split(c.said, "|") {
			s.Apply(nebula.Event{Body: nebula.Submitted{Turn: n + 1, Text: text}})
		}
		for _, path := range strings.Fields(c.held) {
			if s.Barred(edit(path)) == "" {
				t.Errorf("%s: %s is free", c.said, path)
			}
		}
		for _, path := range strings.Fields(c.free) {
			if why := s.Barred(edit(path)); why != "" {
				t.Errorf("%s: %s is held: %s", c.said, path, why)
			}
		}
	}
}

// A rule about a file is one in whatever words it is said: what keeps off it, leaves it out, or limits the work to another. What only tells
// of it, quotes it or forbids something else is none.
func TestARuleAboutAFileIsOneInManyWords(t *testing.T) {
	for _, said := range []string{
		"Hands off version.py.", "version.py is off limits.", "version.py must stay as it is.", "Tidy up, without touching version.py.",
		"No changes to version.py.", "Please make no changes in dotenv/version.py", "Fix the tests, but not in version.py.", "The only file you may change is pyproject.toml.",
		"I don't want version.py to be changed.", "I don't want any changes in version.py.", "Please keep version.py untouched.", "Never touch the dotenv folder.",
		"Don't touch *.py.", "Do not edit files under dotenv/.", "Nothing outside pyproject.toml may change.", "Avoid changing version.py.",
		"version.py: read-only.", "Bump everything except version.py.", "Do not alter dotenv/version.py under any circumstances", "Don't bump version.py",
		"Don't change anything in dotenv/ except main.py", "Only change pyproject.toml, nothing else", "You must not write to version.py.", "Do not write to version.py.",
		"DON'T TOUCH VERSION.PY", "dont touch version.py", "Dont edit version.py thx", "never ever modify `version.py`", "Version.py I handle myself.",
		"Leave everything in dotenv alone", "Change only pyproject.toml.", "Bump the version to 1.3.0; only change pyproject.toml, nothing else.", "Don't change version.py yet.",
		"Don't touch version.py until I say so.", "Leave version.py alone for now.", "Don't touch version.py, I'm working on it.", "In this task don't touch version.py.",
		"Set the version in pyproject.toml; version.py stays.", "Leave version.py to me.", "Let version.py be.", "Somebody is editing version.py; don't touch it.", "Stay out of dotenv/.",
		"Keep your hands off version.py", "Changing version.py is forbidden.", "Nobody may change version.py.", "You are not allowed to change version.py.", "Change pyproject.toml, not version.py.",
		"version.py is not to be changed", "Restrict your changes to pyproject.toml.", "Only pyproject.toml may be changed.", "Touch nothing but pyproject.toml.", "Treat version.py as read-only.",
		"Stop editing version.py.", "Refrain from changing version.py", "I'd rather you didn't touch version.py.", "- version.py: hands off", "Rules:\n- never touch version.py",
		"version.pyは触らないで。", "version.pyはそのままにしてください。", "version.pyは読み取り専用です。", "pyproject.tomlだけ変更してください。", "version.py以外を更新してください。",
		"version.pyは自分で直します。", "version.pyには手を出さないで", "version.pyは変更禁止", "pyproject.toml以外はそのままで", "version.pyを除いて全部更新して",
	} {
		s := state.New()
		s.Apply(nebula.Event{Body: nebula.Submitted{Turn: 1, Text: said}})
		s.Apply(nebula.Event{Body: nebula.Submitted{Turn: 2, Text: "Go on."}})
		if s.Barred(nebula.Target{Path: "dotenv/version.py", Kind: "edit"}) == "" {
			t.Errorf("not held: %s", said)
		}
	}
	for _, said := range []string{
		"The tests never touch version.py; see whether that is so.", "Nobody changed version.py since May.", "Why does the README say 'never touch version.py'?",
		"> Never touch version.py\n\nThat is an old note; ignore it.", "Don't forget to change version.py.", "Don't change version.py without bumping pyproject.toml too.",
		"Never say never: version.py needs a bump", "I would not leave version.py as it is.", "Nothing but version.py needs a change.", "Change only version.py", "version.py is no longer off limits.",
		"The bug is in pyproject.toml, not in version.py.", "Run all tests except version.py.", "Don't change the format of version.py's output.", "The README says “never touch version.py”.",
		"There were no changes to version.py.", "Don't read version.py.", "Do it, no problem, in version.py.", "Change version.py and nothing else.", "Only version.py may be changed.",
		"version.pyだけ変更してください。", "version.pyを更新してください。", "version.pyが変更されていないのはなぜですか。", "pyproject.toml以外を更新してください。",
	} {
		s := state.New()
		s.Apply(nebula.Event{Body: nebula.Submitted{Turn: 1, Text: said}})
		if why := s.Barred(nebula.Target{Path: "dotenv/version.py", Kind: "edit"}); why != "" {
			t.Errorf("held by: %s", why)
		}
	}
}

// A rule is let go of by a plain word for now: an order that names the file as what is to be changed, or a permission. A condition, another's
// word or a question lets go of nothing, and a leave for once ends with its turn.
func TestWhatLetsGoOfARule(t *testing.T) {
	held := func(said ...string) bool {
		s := state.New()
		for n, text := range said {
			s.Apply(nebula.Event{Body: nebula.Submitted{Turn: n + 1, Text: text}})
		}
		return s.Barred(nebula.Target{Path: "dotenv/version.py", Kind: "edit"}) != ""
	}
	for _, rule := range []string{"Leave parser.py and version.py as they are.", "Never touch version.py, please.", "Never touch dotenv/.", "Only change pyproject.toml.", "version.pyは触らないで。"} {
		for _, said := range []string{
			"Set the version in version.py to 1.3.0.", "Set the version in version.py and pyproject.toml to 1.3.0.", "Set the version in version.py (and pyproject.toml) to 1.3.0.",
			"Change version.py to 1.3.0.", "Now bump version.py to 1.3.0, please.", "You may change version.py now.", "version.py is fine to edit now; set 1.3.0",
			"Forget what I said about version.py; set it to 1.3.0", "Put 1.3.0 into version.py.", "Update __version__ in dotenv/version.py to 1.3.0", "ok, go ahead with version.py",
			"Yes, do it in version.py as well", "Write 1.3.0 to version.py", "My colleague is done with version.py, so now you may change it.", "version.py may be changed now.",
			"version.py is no longer off limits.", "Change version.py, not pyproject.toml.", "No problem, change version.py.",
			"version.pyを1.3.0に変更してください", "version.pyは変更していいです。1.3.0にして", "version.pyを変更しても構わないです。", "version.pyも直してください", "さっきのversion.pyの件は忘れて。1.3.0にして", "version.pyの制限は取り消します",
		} {
			if held(rule, said) {
				t.Errorf("%s: not let go of: %s", rule, said)
			}
		}
		for _, said := range []string{
			"What does version.py say? Bump it in pyproject.toml.", "Why did you want to change version.py?", "Set the version in pyproject.toml to 1.3.0; version.py stays.",
			"Update the docs: they should say that version.py has 1.3.0", "Is it OK to change version.py? Tell me what would break.", "Don't change version.py yet, but prepare it",
			"Explain how I would set the version in version.py", "After Friday you may change version.py", "If the tests pass you may change version.py", "You may change version.py once the tests pass.",
			"My boss says: change version.py. I say no.", "Compare version.py with pyproject.toml and set the version there to 1.3.0", "version.py is fine as it is.", "You may look at version.py.",
			"Update pyproject.toml from version.py.", "Change pyproject.toml so that it matches version.py.", "> change version.py", "Change pyproject.toml, not version.py.", "Go on.",
			"テストが通ったらversion.pyを変更していいです", "version.pyを変更してもいいですか", "上司はversion.pyを変更してと言っています", "version.pyの件を忘れないで", "version.pyの話を続けて", "READMEの件は忘れて", "version.pyを見て、pyproject.tomlを変更して",
		} {
			if !held(rule, said) {
				t.Errorf("%s: let go of: %s", rule, said)
			}
		}
		for _, once := range []string{"You may change version.py once, just for this.", "今回だけversion.pyを変更してください"} {
			if held(rule, once) || !held(rule, once, "Go on with the docs.") {
				t.Errorf("%s: %s", rule, once)
			}
		}
	}
}

// A rule for this turn ends with it; one for now holds until the person says otherwise. The same that was done elsewhere is leave for where it
// is asked for next.
func TestARuleForThisTurnEndsWithIt(t *testing.T) {
	held := func(said ...string) bool {
		s := after(said...)
		return s.Barred(nebula.Target{Path: "dotenv/version.py", Kind: "edit"}) != "" || s.ForbiddenAct("commit", "git commit") != ""
	}
	for _, rule := range []string{
		"Don't touch version.py in this turn.", "In this turn, only change pyproject.toml.", "Don't commit this time.", "This time don't touch version.py.", "Just this once, leave version.py alone.", "Don't change anything in this turn.", "Only change pyproject.toml for this request.",
		"今回はversion.pyを触らないで", "今回はコミットしないで。", "今回はpyproject.tomlだけ変更してください",
	} {
		if !held(rule) || held(rule, "Go on.") {
			t.Errorf("%s: in its turn %v, after it %v", rule, held(rule), held(rule, "Go on."))
		}
	}
	for _, rule := range []string{"Don't touch version.py for now.", "Don't commit for now.", "In this task don't touch version.py.", "In this project never commit.", "このプロジェクトではコミットしないで"} {
		if !held(rule, "Go on.", "And the docs.") {
			t.Errorf("let go of with its turn: %s", rule)
		}
	}
	for _, rule := range []string{"Only change pyproject.toml.", "Don't touch version.py."} {
		for _, said := range []string{"Now the same in version.py.", "Do the same in version.py.", "Now do the same for version.py, please.", "Do it in version.py as well.", "Apply the same change to version.py", "Now the same fix in version.py", "The same for version.py", "version.pyも同じように変更してください", "version.pyにも同じことをしてください", "version.pyも同様にお願いします"} {
			if held(rule, said) {
				t.Errorf("%s: not let go of: %s", rule, said)
			}
		}
		for _, said := range []string{"Why is it the same in version.py?", "Is the same in version.py?", "If it works, do the same in version.py.", "Don't do the same in version.py.", "The same in setup.py."} {
			if !held(rule, said) {
				t.Errorf("%s: let go of: %s", rule, said)
			}
		}
	}
}

// A file in a folder that is known only when the line runs is one that is forbidden by its name.
func TestAFileSomewhereIsKnownByItsName(t *testing.T) {
	s := state.New()
	s.Apply(nebula.Event{Seq: 1, Body: nebula.Submitted{Turn: 1, Text: "Never touch src/keep.txt. Fix the rest."}})
	for word, held := range map[string]bool{"*/keep.txt": true, "src/keep.txt": true, "*/a.txt": false, "keep.txt": false} {
		if said := s.Named(word); (said != "") != held {
			t.Errorf("%s: %q", word, said)
		}
	}
}

// What is forbidden is known by every name that the folder has for a command in it, and by what the shell makes of a pattern.
func TestWhatIsForbiddenIsKnownByItsOtherNames(t *testing.T) {
	s := state.New()
	s.Apply(nebula.Event{Seq: 1, Body: nebula.Started{Session: "s1", Dir: "/home/w"}})
	s.Apply(nebula.Event{Seq: 2, Body: nebula.Submitted{Turn: 1, Text: "Never touch db/. Fix the rest."}})
	for word, held := range map[string]bool{
		"db/1": true, "./sub/../db/1": true, "/home/w/db/1": true, "../w/db/1": true, "~+/db/1": true, "/proc/self/cwd/db/1": true, "/proc/self/root/home/w/db/1": true,
		"d?/1": true, "*/1": true, "**/1": true, "[a-d]b/x/1": true,
		"dc/1": false, "../v/db/1": false, "/proc/self/root/home/v/db/1": false, "/db/1": false, "d?c/1": false, "*.go": false, "src/*.go": false, "~/db/1": false,
	} {
		if said := s.Named(word); (said != "") != held {
			t.Errorf("%s: %q", word, said)
		}
	}
	s = state.New()
	s.Apply(nebula.Event{Seq: 1, Body: nebula.Submitted{Turn: 1, Text: "Never touch notes.md. Fix the rest."}})
	if said := s.Named("*/x.go"); said != "" {
		t.Errorf("a file holds no others: %q", said)
	}
}

// Who spares the tests that stand already lets new ones come, in files of their own and in theirs. Who names the files that alone may change
// says nothing of git's own record.
func TestWhatStandsAlreadyIsHeldAlone(t *testing.T) {
	added := "--- a/calc_test.go\n+++ b/calc_test.go\n@@ -1,1 +1,2 @@\n package calc\n+func TestSub() {}\n"
	changed := "--- a/calc_test.go\n+++ b/calc_test.go\n@@ -1,1 +1,1 @@\n-func TestAdd() {}\n+func TestSub() {}\n"
	of := func(s *state.State, diff string) string {
		return s.Barred(state.Adding([]nebula.Target{{Path: "calc_test.go", Kind: "edit"}}, diff)[0])
	}
	for _, said := range []string{"don't touch existing tests; add Sub and a test for it", "Don't change the existing tests. Add new ones.", "Do not modify any existing tests, add Sub", "leave the existing unit tests unchanged and add Sub",
		"without changing existing tests, add Sub", "既存のテストは変更しないで、Sub関数とそのテストを追加してください", "既存テストに手を加えずにSubを追加して", "Do not modify existing test files."} {
		s := after(said)
		if s.Barred(nebula.Target{Path: "sub_test.go", Kind: "create"}) != "" || of(s, added) != "" {
			t.Errorf("%s: a new test is held", said)
		}
		if of(s, changed) == "" {
			t.Errorf("%s: a test that stands is not held", said)
		}
	}
	if s := after("Don't touch the tests."); of(s, added) == "" || s.Barred(nebula.Target{Path: "sub_test.go", Kind: "create"}) == "" {
		t.Error("tests that are to be left alone get new ones")
	}
	for said, held := range map[string]bool{"Fix Sub. Don't add tests.": true, "Don't write any new tests.": true, "Don't create test files.": true, "テストは追加しないで": true, "テストを作らずに sub.go を直して": true, "Don't add or change tests.": true, "Don't add tests that need a network.": false, "Add Sub, and don't forget to add tests.": false} {
		s := after(said)
		if (s.Barred(nebula.Target{Path: "sub_test.go", Kind: "create"}) != "") != held || (of(s, added) != "") != held {
			t.Errorf("%s: a new test is held, or not", said)
		}
		if more := strings.Replace(changed, "+func", "+func TestAdd() { }\n+func", 1); (of(s, more) != "") != (held || strings.Contains(said, "change")) {
			t.Errorf("%s: a new test below one that changes is held, or not", said)
		}
		if (of(s, changed) != "") != strings.Contains(said, "change") {
			t.Errorf("%s: a test that stands is held, or not", said)
		}
	}
	for _, said := range []string{"Don't edit existing files.", "既存のファイルは変更しないで"} {
		if s := after(said); of(s, added) == "" || of(s, changed) == "" || s.Barred(nebula.Target{Path: "sub.go", Kind: "create"}) != "" {
			t.Errorf("%s: a file that stands is not held, or a new one is", said)
		}
	}
	s := after("only change a.go, then commit it")
	for path, held := range map[string]bool{".git/index": false, ".git/objects/1e/ac": false, ".git/COMMIT_EDITMSG": false, ".git/hooks/pre-commit": true, ".git/config": true, "b.go": true, "a.go": false} {
		if got := s.Barred(nebula.Target{Path: path, Kind: "edit"}) != ""; got != held {
			t.Errorf("%s is held: %v", path, got)
		}
	}
}

// What the person forbade holds in a first turn of somebody else's, but for what they let go of in this one.
func TestBarsAreLent(t *testing.T) {
	other := state.State{Denies: after("Never commit. Never push.", "Push it.", "Commit it.").Lent()}
	other.Turn.Number = 1
	if commit, push := other.ForbiddenAct("commit", "git commit"), other.ForbiddenAct("push", "git push"); commit != "" || push == "" {
		t.Errorf("%q, %q", commit, push)
	}
	if !other.HoldsActs() {
		t.Error("no act is held")
	}
}
