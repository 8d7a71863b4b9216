package line

import (
	"nebula/internal/phrase"
	"nebula/internal/transcript"
)

// words are the texts of the interface in one language. A field that is empty is a defect (a test looks).
type words struct {
	transcript.Words
	Header, Earlier, Hint, PlanHint, Closed, Prompt, GatePrompt, AskPrompt, PickPrompt, SearchPrompt, Working, Interrupting string
	Gate, GateKeys, GateOnce, NotNow, No, Question, QuestionKeys, More, StepAsks, StepAnswer                                string
	PickSession, NoSessions, Messages, NoTasks, PickModel, NoModels, OtherModel, OrRequest, Usage, Busy, CtrlC              string
	NotAvailable, PlanAgain, Status                                                                                         string

	You, Thinks, NoteWord, WarningWord, ErrorWord, TurnWord, Still string // before lines that are listened to

	Help, Leads []string
}

func wordsFor(lang string) words {
	return phrase.Pick(lang, map[string]words{"en": english, "ja": japanese})
}

var english = words{
	Words:        transcript.WordsIn("en"),
	Header:       "nebula · %s",
	Hint:         "enter sends · alt+enter new line · /help",
	StepAsks:     "Step %s asks:",
	StepAnswer:   "/answer %d yes · no · or say why not; it can wait",
	Prompt:       "› ",
	GatePrompt:   "allow? ",
	AskPrompt:    "answer: ",
	PickPrompt:   "choose: ",
	SearchPrompt: "history (%s): ",
	Working:      "thinking",
	Interrupting: "stopping",
	Gate:         "Permission needed: %s",
	GateKeys:     "yes · no · always (this session) · no, and why",
	GateOnce:     "yes · no · no, and why",
	No:           "no",
	Question:     "nebula asks",
	QuestionKeys: "a number, or your own words",
	NotNow:       "Answer first, or stop the turn with Ctrl-C.",
	PickSession:  "Earlier sessions in this folder", NoTasks: "Nothing works in the background.",
	PickModel: "Models", NoModels: "No model is known here. Name one: /model NAME", OtherModel: "a number, or the name of any other model",
	OrRequest:  "a number, or a request for a new session",
	NoSessions: "No earlier sessions in this folder.", Messages: "%d messages",
	Usage: "Usage: %s",
	Busy:  "A turn is under way: stop it first with Ctrl-C.", CtrlC: "Ctrl-C again to leave",
	NotAvailable: "%s is not available here.", Closed: "The session has ended.",
	PlanAgain: "This is what would be approved. Type the same again to approve exactly this.",
	Earlier:   "earlier in this session", PlanHint: "plan mode: nothing is changed",
	Status: "session %s\nfolder  %s\nmode    %s\nstep    %s\nmodel   %s\nprotocol %s\nturns   %d\ntokens  %s in, %s cached, %s out\ncost    $%.4f\napproval %s",
	More:   "… %d more lines",
	You:    "you", Thinks: "thinking", NoteWord: "note", WarningWord: "warning", ErrorWord: "error", TurnWord: "turn", Still: "still at work, %s",
	Leads: []string{"command", "with it", "added", "removed", "same", "lines", "file", "note", "effect"},
	Help: []string{
		"enter sends · alt+enter, ctrl+j or \\ at the end: new line · tab completes commands",
		"up/down, ctrl+r: history · Ctrl-C: stop the turn · what you send meanwhile joins the turn",
	},
}

var japanese = words{
	Words:        transcript.WordsIn("ja"),
	Header:       "nebula · %s",
	Hint:         "Enter 送信 · Alt+Enter 改行 · /help",
	StepAsks:     "ステップ %s からの確認:",
	StepAnswer:   "/answer %d はい · いいえ · または理由。後でもかまいません",
	Prompt:       "› ",
	GatePrompt:   "許可しますか？",
	AskPrompt:    "回答: ",
	PickPrompt:   "選択: ",
	SearchPrompt: "履歴 (%s): ",
	Working:      "考えています",
	Interrupting: "止めています",
	Gate:         "許可が必要です: %s",
	GateKeys:     "はい · いいえ · 常に（このセッション中） · いいえ、理由",
	GateOnce:     "はい · いいえ · いいえ、理由",
	No:           "いいえ",
	Question:     "nebula からの質問",
	QuestionKeys: "番号、または自由に",
	NotNow:       "先に答えてください。Ctrl-C で止められます。",
	PickSession:  "このフォルダーの以前のセッション", NoTasks: "バックグラウンドの作業はありません。",
	PickModel: "モデル", NoModels: "使えるモデルが見つかりません。名前で指定できます: /model 名前", OtherModel: "番号、または他のモデルの名前",
	OrRequest:  "番号、または新しいセッションへの依頼",
	NoSessions: "このフォルダーに以前のセッションはありません。", Messages: "メッセージ %d 件",
	Usage: "使い方: %s",
	Busy:  "処理中です。先に Ctrl-C で止めてください。", CtrlC: "もう一度 Ctrl-C で終了",
	NotAvailable: "%s はここでは使えません。", Closed: "セッションは終わりました。",
	PlanAgain: "これが承認される内容です。同じ言葉をもう一度入力すると、この内容で承認します。",
	Earlier:   "これまでの会話", PlanHint: "plan モード: 何も変更しません",
	Status: "セッション %s\nフォルダー %s\nモード %s\nステップ %s\nモデル %s\nプロトコル %s\nターン %d\nトークン 入力 %s、キャッシュ %s、出力 %s\n費用 $%.4f\n許可の方針 %s",
	More:   "… あと %d 行",
	You:    "あなた", Thinks: "思考", NoteWord: "お知らせ", WarningWord: "注意", ErrorWord: "エラー", TurnWord: "ターン", Still: "作業中です。%s 経過",
	Leads: []string{"コマンド", "許可に含む", "追加", "削除", "同じ", "行", "ファイル", "注", "結果"},
	Help: []string{
		"Enter 送信 · Alt+Enter、Ctrl+J、行末の \\: 改行 · Tab: コマンド補完",
		"上下キー、Ctrl+R: 履歴 · Ctrl-C: 止める · 処理中に送った文はそのターンに加わる",
	},
}
