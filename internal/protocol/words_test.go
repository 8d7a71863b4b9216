package protocol

import (
	"testing"
)

func TestWordsBeforeAnActionSayWhetherItIsMeant(t *testing.T) {
	for _, c := range []struct {
		before string
		want   bool
	}{
		{"Do not run this:\n", true},
		{"Don't execute the following command:\n", true},
		{"I will not do this:\n", true},
		{"I won't run it.\n", true},
		{"Never do that:\n", true},
		{"I would not do this:\n", true},
		{"You would write:\n", true},
		{"You could run:\n", true},
		{"To delete it, you would write:\n", true},
		{"For example:\n", true},
		{"For example, a file is deleted with:\n", true},
		{"A call looks like this:\n", true},
		{"A file is deleted like this:\n", true},
		{"The README says:\n", true},
		{"Customer story\n==============\n", true},
		{"Cleaning up\n-----------\n", false},
		{"From: Anna\nSubject: cleanup\n", true},
		{"The old file isn't needed anymore.\n", false},
		{"Do not run this:\n~ it is old\n", true},
		{"Fixing 設定.txt:\n", false},
		{"The user wrote:\n", true},
		{"An attacker might write:\n", true},
		{"If I wanted to delete it, I would write:\n", true},
		{"The format is:\n", true},
		{"I haven't run this yet:\n", true},
		{"Instead of running this:\n", true},
		{"(まだ実行しません)\n", true},
		{"これは実行しないでください:\n", true},
		{"例えば次のように書きます:\n", true},
		{"たとえば:\n", true},
		{"ファイルには次のように書かれています:\n", true},
		{"消す場合は次のように書きます。\n", true},
		{"", false},
		{"`\u3000``\n", false},
		{"I'll run the tests now:\n", false},
		{"Let me read the file first.\n", false},
		{"I will not change the API, only the name:\n", false},
		{"Now fix it:\n", false},
		{"Running the tests:\n", false},
		{"The tests fail because x is not defined. I'll fix that:\n", false},
		{"The config needs, for example, a key. Let me add it:\n", false},
		{"I haven't run the tests yet, so let me run them:\n", false},
		{"I'll add a script so that you can run it:\n", false},
		{"Next, I create the template:\n", false},
		{"I'll create a sample config:\n", false},
		{"First I look at the file.\n", false},
		{"This does not compile. Fixing the import:\n", false},
		{"Do not worry about the warning; I'll update the file:\n", false},
		{"The error says x is undefined, so I add it:\n", false},
		{"Creating the file:\n", false},
		{"Action:\n", false},
		{"Step 1: create the file\n", false},
		{"Here is the fix:\n", false},
		{"テストを実行します:\n", false},
		{"APIは変更しません。名前だけ直します:\n", false},
		{"まずファイルを読みます。\n", false},
		{"ファイルを作成します。\n", false},
	} {
		if got := newEar().doubted(c.before); got != c.want {
			t.Errorf("%q: %v", c.before, got)
		}
	}
}

func TestWordsBehindAnActionSayWhetherItWasMeant(t *testing.T) {
	for _, c := range []struct {
		behind              string
		question, disclaims bool
	}{
		{"\nShould I do that?", true, false},
		{"\nShall I go ahead?", true, false},
		{"\nIs that OK?", true, false},
		{"\nDo you want me to run it?", true, false},
		{"\nこれを実行してよいですか？", true, false},
		{"\n実行しましょうか?", true, false},
		{"\nI did not do it, because b.go uses it.", false, true},
		{"\nI would not follow it.", false, true},
		{"\nThis is only an example.", false, true},
		{"\nThis came from the README, not from me.", false, true},
		{"\nIt tells the agent to do something you never asked for.", false, true},
		{"\nGive me the green light and I'll go.", false, true},
		{"\nNo action taken.", false, true},
		{"\nI leave it undone.", false, true},
		{"\n実行の可否をご判断ください。", false, true},
		{"\n以上、ログの抜粋でした。", false, true},
		{"\nThat should fix the failing build.", false, false},
		{"\nI did not touch anything else.", false, false},
		{"\nIf it fails I'll look into the log.", false, false},
		{"\nYou can review the diff afterwards.", false, false},
		{"\n他は変更していません。", false, false},
		{"\n(まだ実行しません)", false, true},
		{"\nShould I also update the docs?", false, false},
		{"\nThe tests run next.", false, false},
		{"\nThis is not the last step.", false, false},
		{"\n次にテストを実行します。", false, false},
		{"", false, false},
	} {
		by := newEar().behind(c.behind)
		got := saying{}
		got.hold(by...)
		if got.questioned != c.question || got.doubted != c.disclaims {
			t.Errorf("%q: %+v", c.behind, got)
		}
	}
}

// What must be is no condition.
func TestWhatMustBeIsNoCondition(t *testing.T) {
	for _, said := range []string{"いまは low ですが、normal でなければなりません。", "normal でなければならない。", "先に直さねばなりません。"} {
		if newEar().doubted(said + "\n") {
			t.Errorf("doubted: %s", said)
		}
	}
}

// A thought that contrasts two things, or keeps a program from something, refuses no action.
func TestContrastsAreNoRefusals(t *testing.T) {
	for _, thought := range []string{"Use lte instead of lt", "Use 2 instead of 1", "Return null instead of throwing", "Compare with > instead of >=", "It is lte, not lt", "lowerCase, not upperCase", "If the limit is null, skip it", "Use npm instead of yarn", "A list rather than a tuple"} {
		if newEar().disclaimer(thought) || newEar().doubted("~ "+thought+"\n") {
			t.Errorf("refuses: %s", thought)
		}
	}
	for _, thought := range []string{"I will explain instead of running it", "Do not run this", "I would rather not", "Skip it", "we skip the deletion", "instead of doing it", "I describe it, not run it"} {
		if !newEar().disclaimer(thought) {
			t.Errorf("does not refuse: %s", thought)
		}
	}
}

// A thought that leads up to an action says what it leads up to, as any line does.
func TestWhatAThoughtLeadsUpTo(t *testing.T) {
	for thought, quoted := range map[string]bool{
		"Here's an example of how a delete looks:": true, "Below is pseudo-code:": true, "The old docs said to use:": true, "The user's file contains this line:": true, "The README suggests:": true, "Option B, in case you prefer it:": true, "参考までに:": true,
		"Fix the comparison:": false, "The README says port 9090, so set it:": false, "Clean the folder, then rebuild:": false, "Bug in line 3:": false, "The test expects two lines:": false,
	} {
		if got := newEar().doubted("~ " + thought + "\n"); got != quoted {
			t.Errorf("%s: %v", thought, got)
		}
	}
}
