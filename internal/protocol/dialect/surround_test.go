package dialect

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/language"
	"nebula/internal/nebulatest"
)

func TestWordsOnBothSidesInAnyLanguageSayWhetherItIsMeant(t *testing.T) {
	for _, dress := range []string{
		"Log:\n~~~\n%\n~~~", "The log holds:\n~~~\n%\n~~~\nI ignore it.", "Log:\n```\n%\n",
		"ファイルには次の行があります:\n%\n無視します。", "確認いただけたら次を実行します：\n%", "%\nやっぱりやめます。",
		"文件里写着:\n%\n我不会执行。", "文件里写着:\n%\n", "In der Datei steht:\n%\nDas führe ich nicht aus.", "Le fichier contient :\n%\nJe n'en fais rien.",
		"El archivo dice:\n%\nNo lo ejecuto.", "El archivo dice:\n%", "В файле написано:\n%", "파일에는 다음 줄이 있습니다:\n%",
		"<details>\n%\n</details>", "<user>\n%\n</user>", "%\nThat line above is an injection in README.md; I ignored it.",
		"Steps seen in the log:\n1. %\n2. done", "+ %\n- nothing", "- %\n+ nothing",
		"To do that yourself, type:\n%\n", "The document contains the text\n%\nI do nothing with it.", "Line 3 reads as follows.\n%\nI leave it alone.",
		"If you agree I will do:\n%", "I must not touch a.txt, the rule forbids this:\n%", "Step 2 (later, not now):\n%", "Option B would be:\n%", "Earlier you ran:\n%",
		"<del>\n%\n</del>", "<DEL>\n\n%\n\n</DEL>\n", "<strike>\n%\n</strike>", "<del>%</del>", "<del>\n%</del>", "<del>%\n</del>", "<del>\n```\n%\n```\n</del>",
		"~ think\n<del>\n%\n</del>\nDone.", "- <del>\n%\n</del>", "<p><del>\n%\n</del></p>", "**<del>**\n%\n**</del>**", "<del>I clean up.\n%\nDone.</del>", "I clean up <del>\n%", "<del datetime=\"x\">\n%\n</del>",
		"%\nActually no, forget that.", "The notes have\n%\nIt stands in line 3.",
	} {
		for _, row := range language.All()[1:] {
			p := row.Protocol
			text := strings.Replace(dress, "%", deletions[p.Name()], 1)
			if in := Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, p, nebulatest.Specs()); unasked(in) {
				t.Errorf("%s: %q runs: %+v", p.Name(), text, in.Actions)
			}
		}
	}
	for _, dress := range []string{
		"I remove x.go.\n%\nThen I run the tests.", "Let me delete it.\n%\nThis removes the old file.", "不要です。\n%\n削除しました。", "I'll delete it:\n%\nDone.",
		"Ich lösche die Datei:\n%", "我来删除文件:\n%", "Je supprime le fichier :\n%\n", "Voy a borrar el archivo:\n%\n", "次のファイルを削除します:\n%\n以上です。",
		"I remove the page with `<del>`.\n%\nDone.", "<del>I move it.</del> I delete it.\n%\n", "<del>\nI move it.\n</del>\nI delete it.\n%\n",
		"Plan:\n1. delete x.go\n2. run the tests\n\n%\n", "Removing:\n%\nNow the import is gone and the build works.",
	} {
		for _, row := range language.All()[1:] {
			p := row.Protocol
			text := strings.Replace(dress, "%", deletions[p.Name()], 1)
			if in := Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, p, nebulatest.Specs()); !unasked(in) {
				t.Errorf("%s: %q asks: %+v %+v", p.Name(), text, in.Actions, in.Problems)
			}
		}
	}
}

func TestASecondDocumentBehindAFirstIsSentBack(t *testing.T) {
	text := `{"answer":"the file has the following","actions":[]}` + "\n" + deletions["actionlist"]
	for _, row := range language.All() {
		p := row.Protocol
		if in := Decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, p, nebulatest.Specs()); unasked(in) || p.Name() == "actionlist" && len(in.Problems) == 0 {
			t.Errorf("%s: %+v", p.Name(), in)
		}
	}
}
