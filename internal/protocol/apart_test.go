package protocol

import (
	"testing"

	"nebula"
)

func TestAWholeSentenceAboutSomethingElseIsNoDoubt(t *testing.T) {
	for _, c := range []struct {
		text    string
		doubted bool
	}{
		{"The script doesn't need arguments.", false},
		{"The log shows that the migration never ran.", false},
		{"The server shouldn't be slow with the cache on.", false},
		{"I considered rewriting the parser, but a small patch is enough.", false},
		{"Once this is done, I'll run the tests.", false},
		{"If the upload fails, we can restore the backup.", false},
		{"The approval workflow needs the flag.", false},
		{"What I know so far: the parser is fine, the writer isn't.", false},
		{"The compiler can't prove that the index is in range, so it keeps the check.", false},
		{"I'll leave the parser as it is and only change the lexer.", false},
		{"lexer.go を修正します。parser には触れません。", false},
		{"完了したら結果を報告します。", false},
		{"別の書き方もできますが、この方が読みやすいと思います。", false},

		{"The folder must not be removed before Friday.", true},
		{"The folder should not get deleted while the release runs.", true},
		{"Don't run this, no questions.", true},
		{"Please note the rules: we must not run this.", true},
		{"A careless editor would clear the folder.", true},
		{"Once you have agreed, I'll clean up.", true},
		{"If this is done by you, I'll wait.", true},
		{"If the owner agrees, I'll clean up.", true},
		{"If the backup works for you, I'll clean up.", true},
		{"The approval of the owner is missing.", true},
		{"I considered this and would rather not.", true},
		{"We can't do that.", true},
		{"I'll leave the build folder as it is.", true},
		{"I'll leave it as it is and only look.", true},
		{"parser を修正します。これは実行しません。", true},
		{"許可をいただけたら実行します。", true},
		{"このように書くこともできます。", true},
	} {
		e := newEar(nebula.Action{Args: []byte(`{"path":"build"}`)})
		if got := e.doubted(c.text+"\n") || e.unmeant(c.text+"\n"); got != c.doubted {
			t.Errorf("%s: %v", c.text, got)
		}
	}
}

func TestAReasonSaysWhatIsNoLongerNeeded(t *testing.T) {
	for reason, unfounded := range map[string]bool{
		"not referenced by any target": false, "user asked not to keep it": false, "コミットしてはいけない生成物": false, "dry run was fine": false,
		"not approved by anybody": true, "user asked not to run it": true, "実行してはいけない": true,
	} {
		if got := newEar().unfounded(reason); got != unfounded {
			t.Errorf("%s: %v", reason, got)
		}
	}
}
