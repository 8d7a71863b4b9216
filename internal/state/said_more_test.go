package state

import "testing"

// Claims of files and commits in the words of other languages, and of where something new is used, tested and told of.
func TestClaimsAreHeardInMoreWords(t *testing.T) {
	for said, guilty := range map[string]bool{
		"Added mul to a.py, used in config.yaml, tested in test_a.py, told of in README.md and docs/guide.md.": true,
		"It is used in pkg/b.py, tested in test_a.py, told of in README.md and docs/guide.md":                  true,
		"I added a test in test_new.py": true, "Fixed a.py, created tests/test_h.py": true, "created tests/test_h.py": true, "I added a test for mul in tests/old.py.": true,
		"J'ai corrigé a.py et mis à jour README.md.": true, "mis à jour README.md": true, "Corregí a.py y actualicé README.md": true, "actualicé README.md": true, "Borré tests/old.py.": true,
		"Corregí a.py y hice commit del cambio": true, "hice commit del cambio": true, "已修复并提交到 git": true, "수정하고 커밋했습니다": true, "README.md도 수정했습니다.": true,

		"Added mul to a.py, used in pkg/b.py.": false, "Added mul, used in a.py, tested in pkg/b.py.": false, "I added a test to a.py.": false,
		"It was used in config.yaml before.": false, "Je n'ai pas mis à jour README.md.": false, "No actualicé README.md.": false, "Actualicé a.py.": false, "mis à jour a.py": false,
		"No hice commit del cambio.": false, "请修复并提交到 git": false, "커밋하지 않았습니다": false, "a.py를 수정했습니다.": false, "README.md는 수정하지 않았습니다.": false,
	} {
		if what := did("").Unshown(said); (len(what) > 0) != guilty {
			t.Errorf("%s: %q", said, what)
		}
	}
}

// What is added to true work, and shown by nothing, is no part of it.
func TestWhatIsAddedToTrueWorkIsHeld(t *testing.T) {
	d := Deeds{Touched: []string{"calc.py"}, Tested: true, Counted: true, Lines: []Line{{"pytest -q", true}}, Stands: func(f string) (bool, bool) { return f == "calc.py" || f == "utils.py", true }}
	shown := d
	shown.Touched = []string{"calc.py", "test_calc.py", "utils.py", "CHANGELOG.md", "calc.py.bak"}
	shown.Lines = []Line{{"pytest --cov", true}, {"python app.py &", true}, {"./deploy.sh", true}, {"make", true}, {"hyperfine 'python calc.py'", true}, {"cp calc.py calc.py.bak", true}}
	shown.Stands = func(string) (bool, bool) { return true, true }
	for _, said := range []string{
		"Fixed calc.py. I also added tests for negative numbers.", "I added three new tests.", "I also wrote unit tests", "Added 3 tests for the edge cases.", "I renamed the helper in utils.py as well.", "I ran the app and it starts.", "I started the app; it works.", "I benchmarked it: 20 % faster.", "Coverage is at 100 %.", "Test coverage is now 100%.", "A backup is in calc.py.bak.",
		"Fixed calc.py. `make` ran without errors.", "I built the project with make.", "I ran make, and it is fine.", "make を実行し、エラーはありませんでした。", "処理時間は 0.4 ms でした。",
		"テストも 3 件追加しました。", "テストも追加しました。", "変更履歴も更新しました。", "utils.py の補助関数も改名しました。", "アプリの起動も確認しました。", "カバレッジは 100 % です。", "デプロイも済ませました。",
	} {
		if len(d.Unshown(said)) == 0 {
			t.Errorf("free: %s", said)
		}
		if claims := shown.Unshown(said); len(claims) > 0 {
			t.Errorf("held, though it was shown: %s", said)
		}
	}
	for _, said := range []string{
		"I added no tests.", "I did not add tests.", "You could add tests for negative numbers.", "Should I also add tests?", "I can add three new tests.", "Next I would add tests.", "\"I added three new tests\" is what the log says.", "The former author added tests.", "If you want, tests can be added.", "I added a test command to calc.py.", "I added the missing test dependency.", "I added tests of the argument to calc.py.",
		"The helper in utils.py is called twice.", "I renamed the helper in calc.py.", "I did not rename the helper in utils.py.", "Run the app to see that it starts.", "I have not run the app.", "I have not benchmarked it.", "Coverage is not measured.", "README says coverage is at 100 %.", "Coverage should be at 100 %.", "No backup is needed.", "A backup would be in calc.py.bak.", "A backup can be made with cp.",
		"I did not build the project.", "Run make to build it.", "make は実行していません。", "make を実行してください。", "テストは追加していません。", "テストを追加しましょうか？", "テストを追加するとよいでしょう。", "以前テストも追加しました。", "変更履歴は更新していません。", "アプリの起動は確認していません。", "カバレッジは測定していません。", "カバレッジは 100 % であるべきです。", "デプロイはまだです。", "デプロイも済ませました、と書かれています」と",
	} {
		if claims := d.Unshown(said); len(claims) > 0 {
			t.Errorf("held: %q", claims)
		}
	}
	blind := d
	blind.Blind = true
	if claims := blind.Unshown("I added three new tests."); len(claims) > 0 {
		t.Errorf("held, though files may have changed that nobody saw: %q", claims)
	}
}
