package cli

import "nebula/internal/phrase"

// demoWords are what the demo says around the conversation.
type demoWords struct{ Intro, Model, NoGo, Passed, Untested, Failed, End, Else string }

func demoWordsFor(lang string) demoWords {
	return phrase.Pick(lang, map[string]demoWords{
		"ja": {
			Intro: "これは記録です。モデルと人の言葉はあらかじめ録られたもの(プロトコルは %s)で、\n" +
				"それ以外(検索、差分、許可、ファイル、テスト)は今ここで実際に行われます。",
			Model: "記録",
			End:   "記録はここまでです。見て回るのも /undo も自由です · Ctrl-D で終了",
			Else:  "これは記録なので、決まったメッセージにしか答えられません。自分のプロジェクトで nebula を起動して試してください。終了は Ctrl-D です。",
			NoGo:  "Go が見つからないため、テストの実行の手前までを示します。 https://go.dev/dl から入れると最後まで動きます。",
			Passed: "以上が記録でした。変更とテストの結果は本物です。\n" +
				"  できたもの   %s\n" +
				"  試すには     go run ./cmd/todo add -p high 母に電話 (できたフォルダで)\n" +
				"  次は         自分のプロジェクトで nebula、または nebula doctor で準備を確認\n" +
				"  片づけ       rm -r %s",
			Untested: "サンプルのテストは Go がないため実行していません。 https://go.dev/dl から Go を入れて nebula demo をもう一度。できたものは %s",
			Failed:   "サンプルのテストが通りませんでした。 %s で go test ./... を実行して確かめてください",
		},
		"en": {
			Intro: "This is a recording: the words of the model and of the person are recorded (protocol: %s).\n" +
				"All the rest happens here and now: searching, diffs, permission, files, tests.",
			Model: "recording",
			End:   "That was the recording. Look around, or try /undo · Ctrl-D leaves",
			Else:  "I am a recording, and answer my own messages only. Start nebula in a project of yours to talk to a model; Ctrl-D leaves.",
			NoGo:  "Go was not found, so this shows everything up to the test run. With Go from https://go.dev/dl it goes to the end.",
			Passed: "That was a recording; the changes and the tests are real.\n" +
				"  the result   %s\n" +
				"  try it       go run ./cmd/todo add -p high call mother (in that folder)\n" +
				"  next         nebula in a project of yours; nebula doctor says what it needs\n" +
				"  clean up     rm -r %s",
			Untested: "the sample's tests did not run, because Go is missing; install it from https://go.dev/dl and run nebula demo again; the result is in %s",
			Failed:   "the sample's tests do not pass; run go test ./... in %s to see why",
		},
	})
}
