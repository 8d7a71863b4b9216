package gate

import (
	"fmt"
	"strings"

	"nebula"
)

// Points are the five points a person decides on (Duckflow v3 §8.2): the diff is the proposal's own. Intent, rationale
// and alternatives are the model's where it gave them; the impact is computed.
func Points(p nebula.Proposal, dangers []Danger, lang string) nebula.Points {
	var said nebula.Points
	if p.Action.Points != nil {
		said = *p.Action.Points
	}
	points := nebula.Points{Intent: said.Intent, Rationale: said.Rationale, Alternatives: said.Alternatives}
	if points.Intent == "" {
		points.Intent = p.Summary
	}
	if points.Rationale == "" {
		points.Rationale = p.Action.Reason
	}
	points.Impact = impact(p, dangers, lang)
	if len(points.Alternatives) == 0 {
		points.Alternatives = []string{word(lang, "refuse with a reason, and the model will try another way", "理由を添えて断れば、別のやり方を試します")}
	}
	return points
}

// impact says what carrying a proposal out would do, in lines a person reads.
func impact(p nebula.Proposal, dangers []Danger, lang string) []string {
	var lines []string
	add, del := 0, 0
	counts := map[string]int{}
	for _, t := range p.Targets {
		add, del = add+t.Add, del+t.Del
		counts[t.Kind]++
	}
	for _, kind := range []struct{ kind, en, ja string }{
		{"create", "creates %d file(s)", "%d 個のファイルを作成"},
		{"edit", "changes %d file(s)", "%d 個のファイルを変更"},
		{"delete", "deletes %d file(s)", "%d 個のファイルを削除"},
		{"mkdir", "creates %d folder(s)", "%d 個のフォルダを作成"},
	} {
		if n := counts[kind.kind]; n > 0 {
			lines = append(lines, fmt.Sprintf(word(lang, kind.en, kind.ja), n))
		}
	}
	if add+del > 0 {
		lines = append(lines, fmt.Sprintf("+%d −%d", add, del))
	}
	if p.Effect == nebula.Memory {
		return append(lines, word(lang, "every later session reads it", "以後のセッションすべてが読みます"), word(lang, "nebula memory shows and removes it", "nebula memory で確認と削除ができます"))
	}
	if p.Command != "" {
		lines = append(lines, word(lang, "runs: ", "実行: ")+p.Command)
	}
	for _, d := range dangers {
		lines = append(lines, word(lang, string(d), dangersJa[d]))
	}
	return append(append(lines, undoable(p, dangers, lang)), uncovered(p, lang)...)
}

// uncovered names what a command could change in the folder without that undo can take it back.
func uncovered(p nebula.Proposal, lang string) []string {
	if p.Bare == 0 {
		return nil
	}
	names := strings.Join(p.Uncovered, ", ")
	if more := p.Bare - len(p.Uncovered); more > 0 {
		names += fmt.Sprintf(word(lang, " and %d more", " ほか %d 件"), more)
	}
	return []string{word(lang, "undo does not cover: ", "取り消しの対象外: ") + names}
}

func undoable(p nebula.Proposal, dangers []Danger, lang string) string {
	if p.Effect == nebula.Write {
		return word(lang, "can be undone", "取り消せます")
	}
	if p.Blind {
		return word(lang, "changes cannot be undone: the folder has too many files to be looked at, or its images cannot be kept", "変更は取り消せません: フォルダのファイルが多すぎるか、変更前の内容を保存できません")
	}
	for _, d := range dangers {
		if d == Destroys || d == Outside || d == Network || d == Publishes || d == Privileged {
			return word(lang, "what it does outside the folder's files cannot be undone", "フォルダのファイル以外への影響は取り消せません")
		}
	}
	return word(lang, "changes to the folder's files can be undone", "フォルダのファイルへの変更は取り消せます")
}

func word(lang, en, ja string) string {
	if lang == "ja" {
		return ja
	}
	return en
}

var dangersJa = map[Danger]string{
	Deletes: "ファイルを削除します", Secret: "秘密情報を含むファイルです", System: "システムやビルドの設定ファイルです", Runs: "実行できるファイルです",
	Shrinks: "ファイルが半分未満に縮みます", Empties: "ファイルが空になります", WritesSecret: "秘密の値らしいものを書き込みます", Unshown: "大きすぎて全体を表示できない変更です", Bulk: "一度に多くを変更します",
	Destroys: "データを壊しうるコマンドです", Outside: "フォルダの外に及びます", Network: "ネットワークを使います", Privileged: "強い権限を求めます",
	Publishes: "公開や送信を行います", Unclear: "何を実行するかが隠れています",
	Unreadable: "読み取れないコマンド行です", Unknown: "知られていないプログラムです", RunsCode: "ここに示されていないコードを実行します", Alters: "ファイルやリポジトリを変更します",
	Own: "nebula 自身の設定や記録を変更します", Steers: "ほかのツールの動きを決めるファイルです", Huge: "16 MB を超えるファイルです",
	FilledIn: "省略された部分を元のファイルから補いました", Marked: "編集の目印のような行を含みます", Part: "置き換えるファイルの一部だけの内容です",
}
