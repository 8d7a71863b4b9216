package state_test

import (
	"testing"

	"nebula"
)

// What people write where they want something left as it is, or not done: each sentence with the file or the act that it holds.
func TestWordingsOfWhatIsForbidden(t *testing.T) {
	for said, what := range map[string]string{
		"コミットせずに a.txt を直して": "commit", "a.txt を直して。コミットは抜きで。": "commit", "コミットまではしなくてよい。": "commit", "push せずに修正だけお願いします。": "push", "リモートには push しないで。": "push",
		"サーバーへプッシュしないでください。": "push", "何もインストールせずにテストを動かして": "install", "新しいパッケージを入れずに実装してください": "dependency", "ライブラリを足さないで。": "dependency", "ファイルは消さずに整理して": "delete",
		"デプロイは絶対にしないこと。": "deploy", "ネットにつながずに調べて": "network", "PR は出さずに、ブランチだけ作って": "request", "マージせずに差分だけ見せて": "merge",
		"config.yml を変えずに直して": "config.yml", "config.yml はそのままで。": "config.yml", "config.yml はそのままにして、a.txt を直して": "config.yml", "config.yml には手を付けないで": "config.yml", "config.yml に触れずに済ませて": "config.yml", "config.yml は変更不可です。": "config.yml",
		"config.yml をいじらずに a.txt を修正": "config.yml", "config.yml は現状維持で": "config.yml", "config.yml 以外を直して": "config.yml",
		"do not push to the server": "push", "Fix a.txt without committing it.": "commit", "Tidy up, but without pushing to the server.": "push", "Please do not push anything to GitHub.": "push", "Don't commit on my behalf.": "commit", "Refrain from committing.": "commit",
		"No pushing to any server, please.": "push", "Don't install any software on this machine.": "install", "Do this without installing new packages.": "install", "You are not allowed to deploy.": "deploy", "You may not push.": "push", "There is to be no commit.": "commit",
		"Leave config.yml alone.": "config.yml", "Leave config.yml as it is.": "config.yml", "Keep config.yml unchanged.": "config.yml", "Fix it without changing config.yml.": "config.yml", "Stay away from config.yml.": "config.yml", "config.yml must stay as it is.": "config.yml",
		"Please keep your hands off config.yml.": "config.yml", "config.yml is off limits.": "config.yml", "Everything except config.yml may change.": "config.yml", "config.yml stays untouched.": "config.yml", "Don't you change config.yml.": "config.yml", "Work around config.yml, don't edit it.": "config.yml",
	} {
		s := after(said, "Go on.")
		held := s.ForbiddenAct(what, map[string]string{"commit": "git commit", "push": "git push origin x", "install": "npm install", "dependency": "npm install x", "delete": "rm a", "deploy": "fly deploy", "network": "curl x", "request": "gh pr create", "merge": "git merge x"}[what])
		if what == "config.yml" {
			held = s.Barred(nebula.Target{Path: what, Kind: "edit"})
		}
		if held == "" || s.Barred(nebula.Target{Path: "other.txt", Kind: "edit"}) != "" {
			t.Errorf("%s: %s: %q", said, what, held)
		}
	}
	for _, said := range []string{
		"コミットせずに終わっていた変更を確認して", "コミットし忘れずにお願いします。", "コミットを忘れずに", "テストを変えずに通るようにするにはどうすればいい？", "値が変えずに残るバグを直して", "そのままで動くか確認して", "push せずに落ちるバグがあります。直して", "プッシュ通知が届かない不具合を直して",
		"インストールせずに動く版はありますか", "インストール手順を README に書いて", "サーバーへの接続処理を直して", "キャッシュを消さずに更新する関数を書いて", "依存を追加するコマンドを説明して", "マージ処理のテストを足して", "デプロイ手順を教えて", "config.yml を忘れずに更新して", "config.yml はそのままでは動かないので直して", "config.yml を変えて", "config.yml 以外も見て", "config.yml はそのまま使えますか？",
		"The server does not push to clients; fix that.", "Fix the push to the server.", "Why does it exit without committing?", "The job ends without pushing its result; mend that.", "Add an option to build without installing.", "Explain how to leave a room.", "Leave a comment in config.yml.", "Leave the office scene out of the game.", "Leave config.yml to me? No, change it.",
		"Keep config.yml up to date.", "Keep the connection alone.", "config.yml must not stay as it is.", "Do not leave config.yml as it is.", "Don't keep config.yml unchanged, fix it.", "The transaction is left open without committing; close it.", "Don't push the server too hard in the load test.", "Write a test that nothing is pushed to the server.", "Users should be able to leave config.yml alone.",
		"Is config.yml off limits?", "Do not stop before everything is pushed.", "Rename the install step.", "Without installing anything users see an error; document that.", "The client must not push to the server before login.",
	} {
		s := after(said)
		for act, by := range map[string]string{"commit": "git commit", "push": "git push origin x", "install": "npm install", "dependency": "npm install x", "delete": "rm a", "deploy": "fly deploy", "network": "curl x", "merge": "git merge x"} {
			if why := s.ForbiddenAct(act, by); why != "" {
				t.Errorf("%s: %s is held", said, act)
			}
		}
		if why := s.Barred(nebula.Target{Path: "config.yml", Kind: "edit"}); why != "" {
			t.Errorf("%s: the file is held", said)
		}
	}
}
