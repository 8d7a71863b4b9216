package state

import "testing"

// A sentence that is to hold on is a rule in many words, which stays when a message becomes small; one that asks for work, tells or asks is none.
func TestWhatIsToHoldOnIsARule(t *testing.T) {
	for said, rule := range map[string]bool{
		"Whatever you do, leave LICENSE alone.": true, "Leave the LICENSE file alone.": true, "Whatever happens, leave schema.sql alone.": true, "Hands off the vendor folder!": true, "It is forbidden to change the schema.": true, "Nothing in docs/ may change.": true, "Please leave a.go alone.": true,
		"vendor フォルダーには手を出すな。": true, "docs/ の中身は変えちゃだめ。": true, "Windows でも動かす必要があります。": true, "プッシュはするな。": true, "答えは短めがいいです。": true, "Python 3.8 で動くようにすること。": true, "ポートは 8080 のままにしておいて。": true,
		"Leave a comment in a.go.": false, "Why did they leave LICENSE alone?": false, "The page says that it is forbidden.": false, "A hands-on guide.": false, "Nothing in docs/ is wrong.": false, "Fix whatever is broken.": false, "The test leaves it alone.": false, "Does it leave the file alone?": false,
		"手を出すなと言われた。": false, "a.py を修正する必要があります。": false, "このままだと落ちます。": false, "答えは 3 です。": false, "動くようにして。": false, "エラーになるのはなぜですか？": false,
	} {
		if got := Rules(said); (len(got) > 0) != rule {
			t.Errorf("%s: %q", said, got)
		}
		weight := Weighed(said)
		if rule && (len(weight) != 1 || weight[0].Weight != Rule) {
			t.Errorf("%s weighs %v", said, weight)
		}
	}
}
