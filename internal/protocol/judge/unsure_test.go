package judge

import (
	"testing"

	"nebula/internal/nebulatest"
)

// Who is not sure is asked, in words and as a reason, in every language; who has no doubt is not.
func TestWhoIsNotSureIsAsked(t *testing.T) {
	deed := [4]string{"deleteFile", `{"path":"notes.txt"}`, "$ delete @ notes.txt", "T:deleteFile|notes.txt"}
	for _, c := range []struct {
		where, words string
		runs         bool
	}{
		{"B", "自信がありません。", false}, {"B", "本当に消してよいか不明です。", false},
		{"R", "本当に消してよいか不明", false}, {"R", "自信がない", false}, {"R", "まだ承認されていない", false}, {"R", "消してよいか確認が必要", false}, {"R", "I should ask before deleting", false}, {"D", "I should ask before deleting", false},
		{"B", "原因は不明でしたが、notes.txt は不要なので削除します。", true}, {"R", "不要になったため", true}, {"R", "動作確認が済んだため", true},
		{"B", "I don't see a reason to keep notes.txt.", true}, {"B", "Don't worry: only notes.txt is removed, README.md stays.", true}, {"A", "これで不要なファイルがなくなります。", true},
		{"B", "Don't remove notes.txt.", false}, {"A", "これは行いません。", false}, {"B", "I see a reason to keep notes.txt.", false},
	} {
		for _, l := range languages() {
			where := c.where
			if where == "D" {
				where = "B"
			}
			if got := runs(l.decode(besideDeed(l.Name(), where, deed, c.words, c.where == "D"), nebulatest.Specs()), nebulatest.Specs()); got != c.runs {
				t.Errorf("%s, %s %q: runs %v", l.Name(), c.where, c.words, got)
			}
		}
	}
}
