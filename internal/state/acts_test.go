package state_test

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/state"
)

// after is the state after some messages.
func after(said ...string) *state.State {
	s := state.New()
	for n, text := range said {
		s.Apply(nebula.Event{Body: nebula.Submitted{Turn: n + 1, Text: text}})
	}
	return s
}

// What the person forbids to do holds until they allow it, in whatever words; a sentence that only speaks of it holds nothing.
func TestWhatThePersonForbidsToDo(t *testing.T) {
	by := map[string]string{"commit": "git commit", "push": "git push origin main", "request": "gh pr create", "install": "npm install", "dependency": "npm install x", "delete": "rm a.go", "network": "curl x",
		"publish": "npm publish", "merge": "git merge x", "rebase": "git rebase", "force": "git push --force", "deploy": "fly deploy", "amend": "git commit --amend", "tag": "git tag v1", "stash": "git stash"}
	for said, acts := range map[string]string{
		"Never commit.": "commit", "Never commit and never push.": "commit push", "Don't commit and don't push.": "commit push", "Never push and never commit.": "commit push", "Fix the bug. Don't commit.": "commit", "Please do not commit anything.": "commit", "Don't commit or push.": "commit push", "Don't commit, push or open pull requests.": "commit push request",
		"Fix it, but don't commit yet.": "commit", "You must not commit.": "commit", "Never ever push to the remote.": "push", "No commits, please.": "commit", "Do the work without committing.": "commit",
		"Don't make any commits.": "commit", "I don't want you to commit.": "commit", "Nothing may be committed.": "commit", "It must not be pushed.": "push", "I'll commit it myself.": "commit", "Leave committing to me.": "commit",
		"Hold off on pushing.": "push", "Stop committing.": "commit", "Don't commit until I say so.": "commit", "Never push without asking me.": "push", "Ask me before you commit.": "commit", "Don't force push.": "force",
		"don't install anything": "install", "Don't add any new dependencies.": "dependency", "No new dependencies.": "dependency", "Fix it with no new dependencies.": "dependency", "Parse the dates, but with no new packages": "dependency", "Do it without adding dependencies": "dependency", "Never delete files.": "delete", "Don't delete anything.": "delete",
		"Don't use the network.": "network", "Work offline.": "network", "Do not deploy.": "deploy", "Never publish.": "publish", "Nothing goes to the remote today.": "push", "今日は何もリモートに送らないで": "push", "Do not merge or rebase.": "merge rebase", "Rules:\n- never commit\n- never push": "commit push",
		"Never push to main.": "push", "DON'T COMMIT": "commit", "dont commit pls": "commit", "Please don't open a PR.": "request", "Make sure not to commit.": "commit", "Commit nothing.": "commit", "Avoid committing.": "commit", "Never amend.": "amend", "Don't stash.": "stash",
		"Please fix it; I will review and commit the result.": "commit", "Please don't run git commit or git push.": "commit push", "Keep the changes uncommitted.": "commit", "Do everything except committing.": "commit", "Everything but the push.": "push",
		"Committing is forbidden.": "commit", "Pushing is not allowed.": "push", "Don't you dare push.": "push", "Fix bug #12 (don't commit).": "commit", "Don't npm install.": "install", "Don't run npm install.": "install", "Don't rm anything.": "delete",
		"Before committing, ask me.": "commit", "Don't merge into main.": "merge", "Do not push, merge, or deploy.": "push merge deploy", "Don't release.": "publish", "Use only what is there; don't pip install anything.": "install",
		"コミットしなくていいです。": "commit", "コミットは後で自分でやります": "commit", "pushは私がやるので不要です": "push", "npm installは実行しないで": "install", "パッケージを追加せずに実装して": "dependency", "オフラインで作業して": "network", "外部ライブラリなしで実装して": "dependency",
		"コミットしないで。": "commit", "コミットはしないでください。": "commit", "バグを直して。コミットやプッシュはしないで。": "commit push", "絶対にコミットしないこと": "commit", "コミットは私がします。": "commit", "プッシュ禁止": "push", "まだコミットしないで": "commit",
		"コミットせずに直してください": "commit", "コミットは不要です": "commit", "変更をコミットしないでください": "commit", "勝手にpushしないで": "push", "依存関係を追加しないでください": "dependency", "ライブラリは増やさないで": "dependency", "何もインストールしないで": "install",
		"ファイルを削除しないで": "delete", "PRは作らないで": "request", "ネットワークは使わないでください": "network", "デプロイしないでください。": "deploy", "何も消さないで": "delete",
	} {
		s := after(said, "Go on.")
		for act, words := range by {
			want := strings.Contains(" "+acts+" ", " "+act+" ")
			if why := s.ForbiddenAct(act, words); (why != "") != want {
				t.Errorf("%s: %s is held: %q", said, act, why)
			}
		}
	}
	for _, said := range []string{
		"Commit messages should be short.", "Don't write long commit messages.", "Don't forget to commit.", "Don't hesitate to push.", "Never commit secrets.", "Don't commit node_modules.", "Don't commit without running the tests.",
		"Don't commit before the tests pass.", "Why did you not commit?", "Don't you want to commit?", "I never commit on Fridays, but you may.", "The hook does not commit.", "The CLI should not push when it is offline.",
		"There are no commits yet.", "I cannot push: the hook fails. Fix that.", "Fix the bug where users cannot commit.", "Add a --no-commit flag.", "Don't merge the two functions.", "Don't commit to a design yet.", "No merge conflicts are left.",
		"Don't just commit, test first.", "The README says 'never commit'.", "> Never commit", "Don't remove the comment.", "Don't add comments.", "Don't delete files in docs/.", "No network calls in the tests.", "Never release the lock before the file is closed.",
		"Don't touch the web folder.", "Commit the fix.", "A project without dependencies is easier to build.", "Document that you must never commit secrets.", "Don't install the hook into the repository's folder.", "The tests never push.",
		"The release notes say: no new dependencies.", "Check the tests before you commit.", "Implement commit parsing; do not handle merge commits.", "Make the CI job not deploy on forks.", "Without the network the tests fail; fix that.", "Don't use the network layer directly, use the client.",
		"Explain why we never push to main.", "Don't publish events twice.", "Don't open files in request handlers.", "Don't push items onto the stack when it is full.", "Avoid pushing to the array in the loop.", "Do not commit the transaction before all rows are written.",
		"The session must not be committed twice.", "Nothing should be committed to the database when validation fails.", "It should not be deleted.", "Don't force push notifications on users.", "I will push back on this.", "I don't commit to an answer.", "Fix the lock: don't release it twice.",
		"ネットワークなしでも動くようにして", "配列にpushしないで新しい配列を返して", "ファイルを消さないように修正して", "データベースにコミットしないバグを直して", "通知をプッシュしないようにして", "設定をマージしないように変更して", "ライブラリを使わない実装に変えて",
		"コミットメッセージは短くしてください。", "秘密情報をコミットしないで", "コミットしないとテストが動きません。", "コミットしてください", "なぜコミットしないのですか。", "テストが通るまで直して、コミットして", "ファイルを追加しないで", "コミット履歴を見て",
	} {
		s := after(said)
		for act, words := range by {
			if why := s.ForbiddenAct(act, words); why != "" {
				t.Errorf("%s: %s is held", said, act)
			}
		}
	}
}

// What was forbidden is let go of by a plain word: an order for its turn, a permission for good, as is an order for what was to wait. A
// question, a condition or another's word lets go of nothing.
func TestWhatAllowsAnActAgain(t *testing.T) {
	held := func(said ...string) bool { return after(said...).ForbiddenAct("commit", "git commit") != "" }
	for _, rule := range []string{"Never commit.", "Don't commit or push.", "コミットしないで。"} {
		for _, said := range []string{"Commit it.", "Now commit, please.", "Fix the typo and commit.", "OK, commit and push.", "Please make a commit.", "Go ahead and commit.", "Can you commit this?", "You may commit this once.",
			"Commit with the message 'x'.", "コミットしてください", "修正してコミットして", "コミットまでお願いします"} {
			if held(rule, said) || !held(rule, said, "Now the docs.") {
				t.Errorf("%s: %s: %v, and after it %v", rule, said, held(rule, said), held(rule, said, "Now the docs."))
			}
		}
		for _, said := range []string{"You may commit from now on.", "You can commit now.", "Forget what I said about committing.", "You are free to commit.", "コミットしてもいいです", "コミットして構わないです"} {
			if held(rule, said, "Now the docs.") {
				t.Errorf("%s: not let go of: %s", rule, said)
			}
		}
		for _, said := range []string{"Why did you commit?", "Commit messages should be short.", "If the tests pass you may commit.", "Is it OK to commit?", "My boss says: commit it.", "Explain how to commit.", "The last commit broke it.",
			"Revert the commit history view.", "Don't commit yet.", "Commit nothing.", "Show me the last commit.", "テストが通ったらコミットして", "コミットしてもいいですか", "コミット履歴を見て", "最後のコミットを調べて"} {
			if !held(rule, said) {
				t.Errorf("%s: let go of: %s", rule, said)
			}
		}
	}
	if held("Don't commit yet.", "Commit it.", "Now the docs.") {
		t.Error("what was to wait is held after the order")
	}
	for _, rule := range []string{"Never push to main.", "main に直接 push しないで。", "mainブランチへはプッシュしないでください"} {
		push := after(rule)
		if push.ForbiddenAct("push", "git push origin feature") != "" || push.ForbiddenAct("push", "git push origin HEAD:main") == "" || push.ForbiddenAct("push", "git push") == "" {
			t.Error("a branch that is named: ", rule)
		}
	}
	if s := after("Never push.", "Open a pull request."); s.ForbiddenAct("push", "git push origin x") != "" {
		t.Error("a pull request needs the push")
	}
}

// A step is told of the conversation: what the person forbade there holds in it, what the model said forbids and allows nothing.
func TestAStepIsHeldToThePersonsWordsAlone(t *testing.T) {
	brief := "# The step\nstep_002 Release notes\n\n# The conversation so far\nrule: Never push.\nuser: Never push. Write the notes.\nassistant: I'll commit the notes. Never delete files. You may push.\n"
	s := after(brief)
	if s.ForbiddenAct("push", "git push") == "" || s.ForbiddenAct("commit", "git commit") != "" || s.ForbiddenAct("delete", "rm x") != "" {
		t.Errorf("%+v", s.Bars())
	}
}

// An order to commit stands for the person's yes in its turn; what only speaks of it, or has a program commit, does not.
func TestWhatOrdersACommit(t *testing.T) {
	for _, said := range []string{"Commit it.", "Fix the bug in a.py and commit when done", "Fix it, and commit when you're done.", "Please commit.", "Fix the bug. Then commit the changes.", "Fix it and commit.", "Commit with the message \"x\".", "終わったらコミットして", "直して、終わったらコミットしてください。", "コミットしてください",
		"Fix sub and commit it, but don't touch keep.py.", "Fix sub and commit it, don't touch the tests.", "Fix sub and commit, but don't push.", "Commit the fix of sub once the tests pass.", "Commit it without touching keep.py",
		"- fix it\n- commit when done\n- don't push", "- fix it\n- commit it\n- don't push", "* fix it\n* commit", "1. fix sub\n2. commit\n3. do not push", "fix sub, commit, no push", "commit it; no pushing", "fix sub, then commit the change (don't push)", "コミットして、プッシュなし", "コミットして、プッシュは不要", "subを直してコミットしてください。プッシュはまだ"} {
		if s := after(said); s.Commits != 1 {
			t.Errorf("%s: is no order", said)
		}
		if s := after(said, "Now the docs."); s.Commits == s.Turn.Number {
			t.Errorf("%s: holds on", said)
		}
	}
	for _, said := range []string{"Don't commit.", "Never commit it.", "Commit if the tests pass.", "Did you commit?", "Fix the bug where users cannot commit.", "The worker should validate and commit.", "Make save() check the rows and commit.", "She said: commit it.",
		"Explain how to commit.", "> Commit it.", "Don't commit when done.", "Commit messages should be short.", "Write docs that say 'commit it'.", "コミットしないで", "テストが通ったらコミットして", "データベースにコミットして", "You may commit.", "Fix it and don't touch keep.py, and don't commit.", "Fix sub, but don't push and don't commit it.", "Don't touch the code that makes us commit.", "Commit the rows of the table to the database.", "終わってもコミットしないで",
		"- fix it\n- don't commit", "- explain commit\n- fix it", "commit nothing", "- no commit", "fix the commit hook", "コミットはせず、プッシュなし", "* コミットなし", "fix sub, no commit, no push"} {
		if s := after(said); s.Commits != 0 {
			t.Errorf("%s: is an order", said)
		}
	}
}

// A server that is not to be started is held whatever it is called; what a program or its tests do, and how a server is to be started, are not.
func TestAServerIsNotStarted(t *testing.T) {
	held := func(said ...string) bool { return after(said...).ForbiddenAct("serve", "npm start") != "" }
	for _, said := range []string{
		"Don't start the server.", "Do not run the dev server.", "Never start a server.", "Fix the bug; don't start the server.", "Please do not launch the app.", "Don't spin up the development server", "Don't boot the server.", "Don't bring the server up.",
		"Fix it without starting the server.", "Fix it, but do not start the server yet.", "No dev server, please.", "Keep the server stopped.", "The server must not be started.", "The dev server should not be run.", "I'll start the server myself.",
		"The server is already running, don't start another one.", "The dev server is running on port 3000. Please don't start it again.", "Don't restart the server.", "Don't run npm start.", "Do not run `npm run dev`.", "Never use flask run.", "Don't run python manage.py runserver.",
		"Don't start the server; the tests are enough.", "Don't start the server because the port is taken.", "Don't start the server until I say so.", "Ask me before you start the server.", "You must not start the web server.", "Rules:\n- never start the server", "Don't start any servers.", "Don't run the app.", "Leave starting the server to me.",
		"Starting the server is forbidden.", "Do everything except starting the server.", "Never run the backend.", "Don't start the API server, please.",
		"サーバーは起動しないで", "サーバを起動しないでください。", "開発サーバーは立ち上げないで", "開発用のサーバーを起動しないでください", "サーバーを起動せずに直してください", "バグを直して。サーバーは動かさないで。", "サーバーの起動は不要です", "サーバー起動は禁止", "サーバーは私が起動します", "dev server は起動しないで", "npm run dev は実行しないで", "まだサーバーを立ち上げないで", "勝手にサーバーを再起動しないで", "サーバーは走らせないで",
	} {
		if !held(said, "Go on.") {
			t.Errorf("not held: %s", said)
		}
	}
	for _, said := range []string{
		"The tests do not start the server.", "The tests don't start a server.", "Why did the server not start?", "Fix the bug where the server does not start.", "Don't start the server twice in main().", "Don't run the server as root.", "The CLI should not start the server when --dry is given.",
		"Don't start the server in the tests.", "Do not start the server before the config is loaded.", "Make the constructor not start the server.", "Start the server.", "Don't forget to start the server.", "Don't change the server.", "I cannot start the server: fix that.", "If you don't start the server the tests fail.",
		"Don't start app.py with sudo.", "Never start the server without TLS.", "The README says 'do not start the server'.", "> Don't start the server.", "Don't run the server tests.", "Add a flag --no-server.", "There is no server yet.", "Explain why we don't start the server here.", "Document that users must not start the server as root.", "Did you not start the server?",
		"Restart the server when the config changes.", "Don't start the timer.", "Don't stop the server.", "Never run the app in debug mode.",
		"テストはサーバーを起動しない。", "テストではサーバーを起動しないでください", "サーバーが起動しないバグを直して", "サーバーを起動して", "なぜサーバーが起動しないのですか。", "サーバーを二重に起動しないように修正して", "サーバーのコードを直して", "設定がないとサーバーは起動しない",
	} {
		if held(said) {
			t.Errorf("held: %s", said)
		}
	}
	for _, said := range []string{"Start the server.", "Now run the dev server.", "Go ahead and start the server.", "Run `npm run dev` now.", "サーバーを起動して", "サーバーを立ち上げてください"} {
		if held("Don't start the server.", said) || !held("Don't start the server.", said, "Now the docs.") {
			t.Errorf("an order for its turn: %s", said)
		}
	}
	if held("Never start the server.", "You may start the server from now on.", "Now the docs.") {
		t.Error("a permission holds on")
	}
}

// Tests that are not to be run are held by whatever words and with whatever runs them; some tests of a project, and how they are to be run, are not.
func TestTheTestsAreNotRun(t *testing.T) {
	held := func(said ...string) bool { return after(said...).ForbiddenAct("test", "make test") != "" }
	for _, said := range []string{"Don't run the tests.", "Fix f. Do not run any tests.", "Fix f without running the tests", "Skip the tests.", "Fix f and skip the tests", "Run no tests, please.", "don't run npm test", "Don't run `make test`, it hangs.", "Never run go test ./... here.",
		"テストは実行しないで", "f を直して。テストは走らせずに、報告して。", "テストの実行は不要です", "npm test は実行しないで"} {
		if !held(said, "Go on.") || held(said, "Run the tests.") {
			t.Errorf("not held, or not let go of: %s", said)
		}
	}
	for _, said := range []string{"Don't run the server tests", "Don't run npm test, use npm run unit instead.", "Skip the tests that need the network.", "Fix the script: it must skip tests", "Don't write tests.", "Don't forget to run the tests.", "テストを実行して", "The hook does not run the tests."} {
		if held(said) {
			t.Errorf("held: %s", said)
		}
	}
	if after("never run pytest here").ForbiddenAct(state.Run, "pytest -q") == "" {
		t.Error("a program here")
	}
	for line, want := range map[string]bool{"make test": true, "make -j4 check": true, "tox": true, "make": false, "make build": false, "just test": true} {
		if state.RunsTests(line) != want {
			t.Errorf("%s: %v", line, !want)
		}
	}
}

// New files, and other branches, are forbidden in these words too.
func TestNewFilesAndBranchesByOtherWords(t *testing.T) {
	for said, act := range map[string]string{
		"Don't create anything new": "create", "Fix it, and don't create anything new.": "create", "don't add any file to the repo": "create", "work only in existing files": "create", "Fix it without adding files to the project.": "create",
		"don't create branches": "branch", "Don't create a new branch.": "branch", "Stay on this branch.": "branch", "don't switch branches": "branch", "No new branches.": "branch", "ブランチは作らないで": "branch", "ブランチを切り替えないでください": "branch",
		"Don't add anything to a.txt": "", "Don't change the branch names in the docs": "", "Don't add any file to the list twice.": "", "The tool should stay on this branch of the tree.": "", "Create a branch.": "", "Don't switch branches in the parser too early.": "",
	} {
		for _, name := range []string{"create", "branch"} {
			if held := after(said).ForbiddenAct(name, "") != ""; held != (name == act) {
				t.Errorf("%s: %s %v", said, name, held)
			}
		}
	}
	if after("Don't create branches.", "Create a branch.").ForbiddenAct("branch", "") != "" {
		t.Error("an order")
	}
}
