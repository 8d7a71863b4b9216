package protocol

import (
	"encoding/json"
	"testing"

	"nebula"
)

// The reason of a command that is called is a label: it holds the call where it waits or forbids it, and not for a negation, a condition or
// a question in it.
func TestAReasonOfACommandIsALabel(t *testing.T) {
	held := func(command, reason string) bool {
		args, _ := json.Marshal(map[string]string{"command": command}) // strings always marshal
		in := nebula.Intent{Actions: []nebula.Action{{Tool: "executeShell", Args: args, Reason: reason}}}
		Settle(nebula.Reply{Parts: nebula.PartsOf("", "", nebula.Call{ID: "1", Name: "executeShell", Arguments: string(args)})}, &in)
		return in.Actions[0].Inferred
	}
	for _, reason := range []string{
		"still there?", "tests without vet", "build without cache", "the tests without network", "dry run", "not yet clear which branch runs", "a run without tests",
		"git log without merges", "is the file still there", "list files not tracked", "does it compile?", "if it fails, the cause is elsewhere", "ネットワークなしでテスト", "まだあるか確認", "動くか?",
	} {
		if held("go test ./...", reason) {
			t.Errorf("held: %s", reason)
		}
	}
	for _, reason := range []string{"Please confirm first.", "May I run this?", "once you have approved it", "waiting for your approval", "I will not run this.", "Do not run this.", "実行しません。", "ご承認をお待ちします。"} {
		if !held("go test ./...", reason) {
			t.Errorf("not held: %s", reason)
		}
	}
	if !held("git push", "dry run") {
		t.Error("what has consequences is not held")
	}
}

// What a model says beside an edit that it calls, and why, tells of the work: the call is meant, unless the words say that it waits or is
// not done.
func TestASentenceBesideACalledEditTellsOfTheWork(t *testing.T) {
	args := `{"path":"a.txt","edits":[{"old":"x","new":"y"}]}`
	held := func(say, reason string) bool {
		in := nebula.Intent{Say: say, Actions: []nebula.Action{{Tool: "patchFile", Args: json.RawMessage(args), Reason: reason}}}
		Settle(nebula.Reply{Parts: nebula.PartsOf("", say, nebula.Call{ID: "1", Name: "patchFile", Arguments: args})}, &in)
		return in.Actions[0].Inferred
	}
	for _, said := range besideEdits {
		if held(said, "fix") {
			t.Errorf("said: %s", said)
		}
	}
	for _, why := range reasonsOfEdits {
		if held("", why) {
			t.Errorf("reason: %s", why)
		}
	}
	for _, shown := range []string{"Here is an example patch:", "An example patch:", "I looked at it. Here is an example patch:", "Here is a sample diff:", "Here is an example fix:", "Here is what it would look like:", "Here's an example of the change:", "Here is an illustrative rewrite:"} {
		if !held(shown, "fix") {
			t.Errorf("only shown: %s", shown)
		}
	}
	for _, meant := range []string{"Here is the patch:", "Here is the fix for the example:", "I fix the example:", "Here's the edit:", "Patching the example file:", "I add an example:", "Now the example test:"} {
		if held(meant, "fix") {
			t.Errorf("meant: %s", meant)
		}
	}
	for _, refused := range editsRefused {
		if !held(refused, "fix") || !held("", refused) {
			t.Errorf("ran: %s", refused)
		}
	}
}

var (
	besideEdits    = []string{"Since the flag is off by default nothing changes for callers.", "I could also rewrite this, but the smallest fix is one line.", "I would have expected 0 here.", "The question is whether Index merges.", "the literal a is right and my expectation was not", "The docs say it must not be called twice.", "If the list is empty it would never run.", "The loop ends too early. If the list is empty it would never run.", "My first guess was wrong: the pool is fine.", "That did not help. Next hypothesis: the lexer.", "Before the change it returned nil, which callers relied on.", "Is the list inverted? It is: I swap the bounds.", "I will not touch the test file.", "This should be `<`, not `<=`.", "The test expects 0, we return -1.", "The fix would be in a.go.", "Should the list be empty, it must return nil.", "Nobody calls this with a nil map, so the check is not needed.", "I don't change the signature, callers depend on it.", "Not pretty, but it keeps the API.", "The old name stays as an alias, so nothing breaks.", "This can't be done without a second pass, so I add one.", "An alternative would be a mutex; the channel is simpler.", "It should never have been exported.", "I haven't run the tests yet.", "Tests come next.", "Not sure that this is all of it; the tests will tell.", "I'm not sure whether the cache is needed, but without it the test fails.", "Hopefully this is the last one.", "Wait, the index is off by one.", "Hm, that isn't it. The real cause is the lexer.", "I first thought of a regexp, but a scanner is shorter.", "To keep the diff small I only change the condition.", "Let me undo my last change and try another way.", "The example in the README is wrong too.", "For example, `a[0]` panics today.", "The user asked not to change the API, so I add a new function.", "You said that keep.txt must not be touched, so I change only a.txt.", "I skip the refactoring and fix only the bug.", "The caller decides what happens with nil.", "We do not know the type here, so it becomes any.", "Later we might want to cache this.", "It's only a typo.", "Only a comment changes.", "Just the import is missing.", "That's the bug: the deferred unlock never runs.", "Two of the three cases pass; this is the third.", "変更はこの行だけです。", "呼び出し側には影響しません。", "テストはまだ実行していません。", "空のリストの場合、このループは実行されません。", "他のファイルは変更しません。", "もう一つの案もありますが、こちらが小さいです。", "前の修正は間違っていました。", "ここは0になるはずでした。"}
	reasonsOfEdits = []string{"still there?", "y was not handled", "new list, without the header", "loop ran without a bound", "was never called", "not used any more", "no caller left", "nil was not checked", "an example for the docs", "if empty, return nil", "off by one", "the test without network", "unless closed", "avoid a copy", "never nil", "example was wrong", "skip hidden files", "do not panic on nil", "don't close twice", "wait for the goroutine", "wait until the server is up", "retry before giving up", "not exported", "missing case", "might be nil", "could be empty", "should return an error", "would panic", "try another order", "guess the type", "draft of the changelog", "sketch of the API", "TODO removed", "tests for later use", "quote the name", "no longer needed", "scratch, not part of the work", "my scratch", "asked for", "unused", "only used by the test that is gone", "dead code, nothing imports it", "temporary, made by me", "keep the old name", "keep order", "undo my change", "revert: did not help", "nilの場合の処理がない", "使われていない", "例を直す", "空なら返す", "確認用", "もう不要", "テスト用に作ったもの", "まだ未対応だった"}
	editsRefused   = []string{"May I delete it?", "I will not do this.", "Do not apply this.", "Shall I go on?", "Please confirm first.", "I wait for your approval.", "Once you have approved it I apply it.", "I won't apply this edit.", "I'd rather not change a.txt.", "Here is how the edit would look; I don't apply it.", "Should I apply this?", "Not applying this before you confirm.", "この変更は適用しません。", "適用してもよいですか?", "ご承認をお待ちします。", "これは例です。実行しません。"}
)
