package terminal

import (
	"fmt"

	"nebula"
)

// UndoWords are what is said of an undo, in one language.
type UndoWords struct{ Back, Again, More, Left, Changed, Between, Lost, Open, Owner string }

// UndoWordsIn gives them in English or Japanese.
func UndoWordsIn(lang string) UndoWords {
	if lang == "ja" {
		return UndoWords{"取り消しました", "元に戻しました", "ほか %d 件", "そのまま残しました", "その後に変更されています", "変更と変更の間にほかから書き込まれたため、その後の変更だけを取り消しました", "以前の内容が保存されていません", "ほかのプログラムが書き込み中です", "内容は戻しましたが、所有者は戻せませんでした"}
	}
	return UndoWords{"taken back", "brought back", "and %d more", "left as it is", "it was changed since", "somebody else wrote it between two changes: only what came after that was taken back", "what it was before was not kept", "another program is writing it", "it was brought back, but not its owner"}
}

// undoneShown bounds the paths that are named.
const undoneShown = 50

// Undone are the lines that tell of an undo or a redo: what was brought back, and what was left and why. The paths are
// visible text.
func Undone(b nebula.Undone, w UndoWords) (lines []string) {
	word := w.Back
	if b.Redo {
		word = w.Again
	}
	told := map[string]bool{}
	for _, c := range b.Changes {
		if told[c.Path] || c.Kind == "time" {
			continue
		}
		if told[c.Path] = true; len(told) <= undoneShown {
			lines = append(lines, word+": "+Visible(c.Path))
		}
	}
	if more := len(told) - undoneShown; more > 0 {
		lines = append(lines, fmt.Sprintf(word+": "+w.More, more))
	}
	for i, l := range b.Left {
		if i == undoneShown {
			return append(lines, fmt.Sprintf(w.Left+": "+w.More, len(b.Left)-i))
		}
		lines = append(lines, fmt.Sprintf("%s: %s (%s)", w.Left, Visible(l.Path), Visible(w.Why(l))))
	}
	return lines
}

// Why says why a path was left.
func (w UndoWords) Why(l nebula.Left) string {
	switch l.Why {
	case nebula.ChangedSince:
		return w.Changed
	case nebula.ChangedBetween:
		return w.Between
	case nebula.NeverKept:
		return w.Lost
	case nebula.BeingWritten:
		return w.Open
	case nebula.OtherOwner:
		return w.Owner
	}
	return l.Text
}
