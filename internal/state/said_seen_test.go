package state

import "testing"

// Who says that something was seen in a browser, or how much the tests cover, is held to a command that may have shown it.
func TestWhatIsSaidToBeSeenIsHeldAgainstTheDeeds(t *testing.T) {
	d := Deeds{Touched: []string{"a.html"}, Tested: true, Counted: true, Lines: []Line{{"pytest -q", true}}, Stands: func(string) (bool, bool) { return true, true }}
	for _, said := range []string{
		"I opened it in the browser and it looks right.", "Opened the page in a browser.", "I tested it in Chrome's browser and opened it in the browser.", "I checked the layout in a headless browser.", "Fixed a.html and verified it in the browser.",
		"ブラウザで開いて確認しました。", "ブラウザで表示を確認しました。", "ブラウザを開いて確認しました。",
		"I raised test coverage to 92 %.", "I increased the coverage from 70 to 85 %.", "カバレッジを92%に引き上げました。",
	} {
		if len(d.Unshown(said)) == 0 {
			t.Errorf("free: %s", said)
		}
		shown := d
		shown.Lines = []Line{{"chromium --headless --screenshot a.html", true}, {"pytest --cov", true}}
		if claims := shown.Unshown(said); len(claims) > 0 {
			t.Errorf("held, though it was shown: %s", said)
		}
	}
	for _, said := range []string{
		"Open it in a browser to see it.", "You can open a.html in the browser.", "I have not opened it in a browser.", "I could not check it in a browser here.", "Once you have opened it in the browser, the button works.", "It opens in the browser.",
		"The page is shown in the browser as a table.", "To check it, open a.html in your browser.", "It was tested in a browser by the former author.", "If I had opened it in the browser, I would know.", "I changed how links open in the browser.", "I opened a.html and looked for the button.",
		"Please check it in the browser.", "I added a hint for old browsers.", "The file can be opened in any browser.", "Nothing was opened in a browser.", "I tested it with pytest.", "I checked the browser check in a.html.", "You said you opened it in the browser.", "Last week I opened it in the browser.",
		"I fixed what opened it in the browser twice.", "This should be checked in a browser.", "I loaded the file and replaced the title.", "The test opens the page in a browser.", "I would check it in a browser next.",
		"ブラウザで開いてください。", "ブラウザで確認していません。", "ブラウザでの確認はまだです。", "ブラウザで開くと表が表示されます。", "ブラウザで開けば確認できます。", "ブラウザで確認することをお勧めします。", "ブラウザを開いて確認してください。", "ブラウザで開けるようにしました。", "以前ブラウザで開いて確認しました。", "担当者がブラウザで確認しました。",
		"Coverage is not measured here.", "I added tests, which should raise the coverage.", "I did not measure the coverage.", "The README says that coverage is 80 %.", "Coverage may rise by a few percent.", "I added a coverage target to the Makefile.", "The coverage was 80 % before.", "Run pytest --cov to measure coverage.", "You asked to raise coverage to 90 %.", "I could not raise the coverage to 90 %.",
		"I raised the limit to 92.", "I improved the coverage of edge cases.", "I increased the timeout from 70 to 85.", "I brought the docs up to date.", "The former author raised coverage to 92 %.", "Coverage would rise to 92 % with two more tests.", "I removed the coverage badge.",
		"カバレッジは測定していません。", "カバレッジを上げるにはテストが必要です。", "カバレッジを90%に上げることができます。", "カバレッジの設定を追加しました。", "カバレッジを測定してください。", "以前カバレッジを90%に引き上げました。", "テストを追加したのでカバレッジは上がるはずです。", "カバレッジは README に書かれています。",
	} {
		if claims := d.Unshown(said); len(claims) > 0 {
			t.Errorf("held: %q", claims)
		}
	}
}
