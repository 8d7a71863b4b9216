package phrase_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Where people read Japanese, one thing has one word, the one that people use, and full-width text ends full-width.
func TestJapaneseHasOneWordForAThing(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.ja.md")
	if err != nil || len(files) < 15 {
		t.Fatal(files, err)
	}
	for _, name := range append(files, "../../README.ja.md", "lang/ja.txt") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			for of, want := range map[string]string{
				`コンテクスト|文脈長`: "コンテキスト", `バックグランド|裏側で実行`: "バックグラウンド", `砂場|隔離|サンドボクス`: "サンドボックス", `利用者|ユーザ([^ー]|$)`: "ユーザー", `体力`: "余力", `録画`: "記録",
				`フォルダ([^ー]|$)`: "フォルダー", `サーバ([^ー]|$)`: "サーバー", `ブラウザ([^ー]|$)`: "ブラウザー", `コンピュータ([^ー]|$)`: "コンピューター", `[ぁ-んァ-ヶ一-龠]\?`: "？", `[ぁ-んァ-ヶ一-龠]!`: "！",
			} {
				if found := regexp.MustCompile(of).FindString(line); found != "" {
					t.Errorf("%s:%d: %s, and not %s: %s", name, i+1, found, want, line)
				}
			}
		}
	}
}
