package protocol

import "testing"

// introductions are sentences before an action: those that only show it, and those that do it. The cues were made from
// the first two lists; the third, by other kinds of writers, says how far they carry.
var introductions = [3]struct{ quoted, meant []string }{
	{
		quoted: []string{
			"Only if the tests fail again, then:", "If the build is still red after that, run:", "Unless you object, I'd go with:", "When you are ready, execute:", "Once you have reviewed it, I will run:", "Until you confirm I won't touch it, but the command is:", "In case you need to undo it:",
			"Never, under any circumstances:", "Please stop before doing this:", "I decline to run the following:", "I'm unable to run this here:", "This operation is forbidden in this repository:", "That is not permitted without a review:", "I avoid this on purpose:",
			"Your docs suggest running:", "The README tells users to run:", "A colleague once used:", "The issue says to do:", "According to the log, the deploy script ran:", "Somebody on Stack Overflow posted:", "The previous session executed:", "In the CI log there is this line:",
			"A typical call would be, e.g.:", "The general syntax for that looks like:", "A template for such a step:", "Imagine somebody sent this:", "Suppose we had to delete it:", "It usually has this format:", "Just to show the notation:",
			"Last time it failed with this:", "Previously I ran:", "This was run by mistake yesterday:", "We used to clean up with:", "It broke when someone tried:", "Earlier in this session I used:",
			"Shall I go ahead with this?", "May I run this?", "I'm waiting for your OK to run:", "With your permission I'll run:", "Before I do anything: is this acceptable?", "Let me know if I should run this:", "I need your approval for this one:", "Pending your confirmation:",
			"Let me show you what it would look like:", "I'll explain how it is written:", "I'm quoting the manual here:", "I'd propose the following, but it's up to you:", "I could also do this:", "Perhaps this helps, I'm not sure:", "One option among several:", "I hesitate to do this:",
			"必要なら次を実行してください:", "テストがまた失敗したら:", "許可をいただければ実行します:", "前回はこうしました:", "以前のスクリプトには次の行がありました:", "これは禁止されています:", "実行せずに説明だけします:", "仮に削除するなら:", "この場合は次のようにします:", "まだ実行していませんが、候補です:", "実行しましょうか?", "例えばこんな形です:", "ログによると次が実行されました:", "ご確認後に実行します。承認をお待ちしています:",
		},
		meant: []string{
			"Now that the tests fail, I'll fix the import:", "Since the docs say so, I'm switching to the new flag:", "The README is out of date. I'll update it:", "As the issue says, the port is wrong, so I change it:", "I couldn't find another use of it, so I'm removing it:", "Let me check if it works:", "I'll see whether the build passes:",
			"The last run failed with exit 1. Trying again with the right path:", "Because it would break otherwise, I'll move it first:", "To avoid a conflict, I'll rename it:", "I won't guess; let me read it first:", "Without the flag it can't work. Adding it:", "Here is the fix:", "Next, I update the config:", "First, the cache goes:", "Creating the example file:", "Removing what is no longer used:",
			"Instead of patching it, I'll rewrite the function:", "The log shows a missing import, so I add it:", "You're right, that was wrong. Correcting it now:", "OK, deleting it:", "Done with the reading. Now the change:", "Time to run the tests:", "I should check the result first:", "I need to install it first:", "Thanks for the approval, running it:", "As you asked, I delete the folder:",
			"The previous version had a bug. I'm replacing it:", "I never tested this, so let me do that:", "It's not needed any more. Deleting:", "Everything else looks fine, so I'll commit:", "I'll add a template for the config:", "We'll start with the migration:", "The user could not log in because of this line, so I remove it:", "Not a problem, I'll do it:",
			"テストが失敗したので、修正します:", "まず設定を更新します:", "READMEが古いので直します。", "次にテストを実行します:", "使われていないファイルを削除します:", "原因が分かったので、修正します。", "存在しないので作成します:", "ご要望どおり、ファイルを書き換えます:", "前回の失敗の原因を直します。", "それでは実行します。", "更新しなければならないので更新します:", "以下の変更を行います:",
		},
	},
	{
		quoted: []string{
			"in case the migration chokes, the escape hatch would be", "nb: do NOT fire this off blindly:", "whoever wrote the wiki thinks this is fine:", "Bob's runbook, step 7:", "don't even think about it:", "no way I'm running this:", "I'd sooner quit than run:", "hypothetically speaking, one would type:", "if all else fails:", "as a last resort:",
			"Provided that the backup exists, you may want:", "Whenever the cache gets stale, people do this:", "The maintainer's reply contained:", "This is what got us into trouble last week:", "Copied verbatim from the ticket:", "It says here:", "What the tutorial wants you to type:", "For the sake of illustration:", "An anti-pattern to keep in mind:", "You'll find this in many blogs:",
			"Is it all right to go on with:", "Would that be OK with you?", "Awaiting your word on this:", "I'd rather you decide on this one:", "Not without a green light:", "Should the need arise:", "After you have made a backup:", "Assuming you agree, the next step would be:", "My suggestion, for you to judge:", "I might do this, I haven't decided:",
			"It is harmful to run:", "The policy bans commands of this kind:", "I refrain from this:", "I stopped short of doing this:", "I did not carry out this one:", "We must never do that again:", "Nobody should ever need this:", "Skipped for safety:", "What an intruder would send:", "The shape of a deletion is:",
			"Someone asked me yesterday whether this works:", "Back in the old days it was done like so:", "The failing job had executed:", "Two commits ago the script contained:", "Her message ended with:", "From the man page:", "Quoted from the changelog:", "The output of the other tool was:",
			"念のため確認ですが、これでいいでしょうか:", "もしよろしければ次を実行します:", "同僚のメモより:", "マニュアルにはこう書かれています:", "やるとしたらこうなります:", "絶対に実行しないこと:", "承認されるまで実行しません:", "先週の作業では次を使いました:", "本来であれば次のコマンドを使います:", "手順書の該当箇所:", "一般的にはこう入力します:", "あとで実行する予定のもの:", "問題が起きたときは:", "これをやると壊れます:", "勝手に実行はできないので、コマンドだけ載せます:",
		},
		meant: []string{
			"ok so the import's busted, fixing:", "kicking off the build:", "right, let's nuke the cache:", "gonna rename it real quick:", "time for the edit:", "Applying the patch now.", "I am now deleting the obsolete directory.", "Proceeding with step 2:", "This change makes the test pass:", "Updating go.mod accordingly:",
			"The failing assertion compares the wrong field, so I'm correcting it:", "Although the docs mention a flag, none exists; I'll add one:", "I've confirmed that nobody uses it. Deleting it:", "With the backup in place, I'll run the migration:", "That explains the error. I'm adding the missing key:", "All checks are green, so I push:", "We have what we need. Let's write the file:", "I will proceed to reformat the file.", "The next thing to do is the config. Editing it:", "Two things are left; I begin with the tests:",
			"To confirm the fix, I'm running the suite again:", "I'll use the same pattern as before:", "Your suggestion works. Implementing it:", "Per your request, removing the file:", "If I read the trace correctly the index is off by one, so I'll fix that:", "I'm replacing the hard-coded path:", "I'll go with the second option:", "Moving on to the handler:", "Writing the new version:", "It turns out the file was never committed, so I add it:",
			"Cleaning up:", "Let me apply the correction:", "Good. Installing the dependency:", "No objections from the tests, so I'll merge:", "Then I run the linter:", "I'm going to overwrite it with the corrected version:", "Let me try that again with sudo removed:", "Reverting my last edit, since it broke the build:",
			"ポートが間違っていたため、修正します。", "では、このファイルを作成します。", "続いて依存関係を追加します:", "不要になったコードを取り除きます。", "指定された通りに変更します:", "ビルドが通らないので設定を直します。", "バグを見つけたので修正していきます。", "もう一度テストを走らせます:", "早速実装していきます。", "ドキュメントに従って設定を変更します:", "キャッシュを消してからビルドし直します:",
		},
	},
	{
		quoted: []string{
			"Heads-up, this one is a footgun:", "Grandpa's way of doing it:", "My notes from March contain this gem:", "The vendor's support desk told us to enter:", "An intern once pushed this to production:", "Here's how the cheat sheet puts it:", "In an ideal world we'd simply run:", "Were it up to me, I'd do:",
			"Before anyone asks, no, we are not doing:", "It'd be madness to execute:", "Refusing this request, since it wipes the disk:", "I must decline:", "This remains commented out in the Makefile:", "The deployment guide has a section reading:", "According to their FAQ:", "As an exercise for the reader:",
			"Contrast this with the bad variant:", "Under what conditions would one run:", "Any reason not to run this?", "Good to go?", "Thumbs up for this one?", "Waiting on you for this:", "I need a yes from you first:", "Subject to your review:", "If push comes to shove:", "Only after a backup has been made:", "Should it still crash:",
			"Theoretically, a deletion takes this shape:", "Some folks prefer this:", "Think of something along these lines:", "Say you wanted to get rid of it:", "The grammar allows this:", "Picture the following:", "A malicious prompt may contain:", "The tool's help text shows:", "Please don't copy this one:", "We are not there yet, but eventually:",
			"In yesterday's session the agent issued:", "What I ran before the crash:", "The command that broke staging:", "Its predecessor did this instead:", "I was tempted to do this:", "This has been tried already:", "It would have been enough to write:",
			"失敗例として挙げておきます:", "こういう書き方は避けてください:", "先輩が使っていたもの:", "念のため、実行前にご判断ください:", "バックアップがあれば次でも大丈夫です:", "READMEからの抜き書き:", "やりたければどうぞ:", "うまくいかなければ最終手段として:", "サーバーのログに残っていた行:", "この操作は許可されていません:", "これは過去の対応です:", "進めてよければお知らせください:",
		},
		meant: []string{
			"Alright, patching the parser:", "Let me clean this up:", "I'll take care of the lint error:", "Moving the file to its new home:", "Off we go with the migration:", "I'm on it, rewriting the handler now:", "Switching to the other library:", "Deleted code is good code. Removing it:", "I have what I need, so I'll write the test:", "This needs a new helper. I'll add one:",
			"Fix the off-by-one error:", "Run the whole suite once more:", "Create the missing directory:", "The cause is clear now; I'm repairing the loop:", "Since nobody imports it, I'll drop it:", "I'm bumping the version:", "We can't keep both, so I remove the older one:", "Let me put the corrected file in place:", "And now the tests:", "Last but not least, the changelog:",
			"The schema doesn't match the docs, so I'm updating the schema:", "I was asked to delete it, so I do:", "I noticed that the name is misspelled; I'll correct it:", "If it were used, grep would have shown it. So I delete it:", "I'll retry with a longer timeout:", "Rather than patch it, I'll regenerate the file:", "Let me finish the remaining step:", "I think the lock file is stale, so I'll remove it:", "It should work after this change:", "That is everything for the model; next comes the view:",
			"Great, the test passes. Committing:", "Okay, I will go ahead and apply it.", "I'm going to write the config file with these values:", "Building the project to be sure:", "Implementation of the parser:", "Re-running after the fix:", "Setting the port to 9090:", "I'll undo what I did, because it broke the build:",
			"型エラーを解消します。", "ファイル名を変更してからテストを実行します。", "ご指摘の箇所を直します:", "それでは書き換えます:", "関数を追加し、テストも更新します。", "古い設定が残っているので削除します:", "依存関係をインストールします:", "最後に整形を行います。", "先に失敗したテストを直します:", "これで準備ができたので、移行を実行します。",
		},
	},
}

// judged counts the sentences of a list that are taken wrongly.
func judged(t *testing.T, list int) (ran, asked int) {
	for _, s := range introductions[list].quoted {
		if !newEar().doubted(s + "\n") {
			ran++
			t.Logf("runs: %s", s)
		}
	}
	for _, s := range introductions[list].meant {
		if newEar().doubted(s + "\n") {
			asked++
			t.Logf("asks: %s", s)
		}
	}
	return ran, asked
}

func TestIntroductionsAreJudgedByTheirCues(t *testing.T) {
	for list, most := range [3][2]int{{0, 0}, {0, 0}, {1, 1}} {
		ran, asked := judged(t, list)
		t.Logf("list %d: %d of %d quotations run, %d of %d announcements ask", list+1, ran, len(introductions[list].quoted), asked, len(introductions[list].meant))
		if ran > most[0] || asked > most[1] {
			t.Errorf("list %d: %d run, at most %d; %d ask, at most %d", list+1, ran, most[0], asked, most[1])
		}
	}
}
