package line

import "nebula"

import "nebula/internal/terminal"

// words are the texts of the interface in one language. A field that is empty is a defect (a test looks).
type words struct {
	Header, Resumed, Earlier, EmptyFolder, Hint, PlanHint, Bye, Closed, Pasted, History string

	Prompt, GatePrompt, AskPrompt, PickPrompt, SearchPrompt string
	Working, Waiting, Interrupting                          string

	Gate, GateKeys, GateFlush, Unclear, NotNow, Lang, No                                string
	MoreRows, TooEarly, TooSmall, Unread, Unseen                                        string
	Risk, Intent, Rationale, Impact, Alternatives, Command                              string
	Allowed, Refused, AllowedAlways, By                                                 string
	Question, QuestionKeys, NoSuchOption                                                string
	Denied, Skipped, Interrupted, Failed, More                                          string
	Done, TurnFailed, NeedsApproval, NeedsInput, Limit, Circles, CutOff, API, Cancelled string
	Actions, Files, Tokens, Retry, Problems, Compacted                                  string
	Undo                                                                                terminal.UndoWords

	Mode, Model, Protocol, Approve, Set, Current                                  string
	PickSession, NewSession, NoSessions, Messages                                 string
	PickMode, PickApprove, NoTasks, PickModel, NoModels, PickProtocol, OtherModel string
	OrRequest                                                                     string
	Unknown, Nearest, Usage, Busy, CtrlC, NotAvailable, Status                    string
	Kept, KeepHint, StepAsks, StepAnswer                                          string
	Just, Minutes, Hours, Days                                                    string

	// Happened are the words of events about plans, which a step may follow; what is not there stands as it is.
	Happened map[string]string

	// Level are the words for how much a risk weighs.
	Level map[string]string

	Help []string
}

func wordsFor(lang string) words {
	if lang == "ja" {
		return japanese
	}
	return english
}

var english = words{
	Header:       "nebula · %s",
	Resumed:      "continued",
	EmptyFolder:  "This folder is empty. Describe what to build, in a sentence or two: what it is for and how it is used. nebula asks what is missing.",
	Hint:         "enter sends · alt+enter new line · /help",
	StepAsks:     "Step %s asks:",
	StepAnswer:   "/answer %d yes · no · or say why not; it can wait",
	Prompt:       "› ",
	GatePrompt:   "allow? ",
	AskPrompt:    "answer: ",
	PickPrompt:   "choose: ",
	SearchPrompt: "history (%s): ",
	Working:      "thinking",
	Waiting:      "waiting for the model",
	Interrupting: "stopping",
	Gate:         "Permission needed: %s",
	GateKeys:     "yes · no · always (this session) · no, and why",
	Lang:         "en",
	No:           "no",
	MoreRows:     "… %d more rows: enter shows them",
	TooEarly:     "What you typed before this was shown is no answer.",
	TooSmall:     "The terminal is too small to show what would be done: no yes is taken. Make it larger and press enter, or answer no.",
	Unread:       "The whole command must have been on the screen before a yes: rows %s were not.",
	Unseen:       "Rows %s were on no screen. Enter, or the same answer again, allows it all the same.",
	GateFlush:    "What you typed before is kept for afterwards.",
	Unclear:      "That was no clear answer, so it counts as no.",
	Risk:         "risk",
	Level:        map[string]string{"low": "low", "medium": "medium", "high": "high"},
	Rationale:    "why",
	Impact:       "effect",
	Alternatives: "or",
	Intent:       "to",
	Command:      "command",
	Allowed:      "allowed", Refused: "refused", AllowedAlways: "allowed for this session", By: "by %s",
	Question:     "nebula asks",
	QuestionKeys: "a number, or your own words",
	NoSuchOption: "There is no option %s. A number from 1 to %d, or your own words.",
	NotNow:       "Answer first, or stop the turn with Ctrl-C.",
	Denied:       "refused",
	Skipped:      "not tried",
	Interrupted:  "interrupted; what it did is not known",
	Failed:       "failed",

	Done: "done", TurnFailed: "failed", NeedsApproval: "stopped: an approval is missing", NeedsInput: "stopped: an answer is missing",
	Limit: "stopped: a limit was reached", Circles: "stopped: the work went in circles", CutOff: "stopped: the reply was cut off at its longest", API: "the model could not be reached", Cancelled: "stopped",
	Actions: "%d actions", Files: "%d files changed", Tokens: "%s tokens",

	Retry: "sent again in %s: %s", Problems: "%d parts of the reply could not be read; the model was told", Compacted: "the conversation was shortened for the model: %s to %s tokens",
	Undo: terminal.UndoWordsIn("en"),
	Kept: "Later sessions begin with %s and %s.", KeepHint: "in this session; /keep makes it the default",
	Mode: "mode", Model: "model", Protocol: "protocol", Approve: "approval", Set: "%s is now %s", Current: "now",
	PickSession: "Earlier sessions in this folder", NewSession: "a new session", PickMode: "plan reads only; agent changes what you allow", PickApprove: "What runs without being asked", NoTasks: "Nothing works in the background.",
	PickModel: "Models", NoModels: "No model is known here. Name one: /model NAME", PickProtocol: "How the model writes its actions", OtherModel: "a number, or the name of any other model",
	OrRequest:  "a number, or a request for a new session",
	NoSessions: "No earlier sessions in this folder.", Messages: "%d messages",
	Unknown: "There is no command %s.", Nearest: "Did you mean %s?", Usage: "Usage: %s",
	Busy: "A turn is under way: stop it first with Ctrl-C.", CtrlC: "Ctrl-C again to leave", Bye: "session %s · continue with: nebula --continue", Pasted: "pasted: %d lines",
	NotAvailable: "%s is not available here.", Closed: "The session has ended.", History: "The history file cannot be used: %v",
	Earlier: "earlier in this session", PlanHint: "plan mode: nothing is changed",
	Status: "session %s\nfolder  %s\nmode    %s\nstep    %s\nmodel   %s\nprotocol %s\nturns   %d\ntokens  %s in, %s cached, %s out\ncost    $%.4f\napproval %s",
	More:   "… %d more lines",
	Happened: map[string]string{"tasks": "tasks made", "limit": "stopped at a limit", "needs_approval": "waits for approval", "needs_input": "waits for an answer",
		"api_error": "stopped: the model's API failed"},
	Just: "just now", Minutes: "%d min ago", Hours: "%d h ago", Days: "%d days ago",
	Help: []string{
		"enter sends · alt+enter, ctrl+j or \\ at the end: new line · tab completes commands",
		"up/down, ctrl+r: history · Ctrl-C: stop the turn · what you send meanwhile joins the turn",
	},
}

var japanese = words{
	Header:       "nebula · %s",
	Resumed:      "続き",
	EmptyFolder:  "このフォルダーは空です。作りたいものを一、二文で書いてください（何のためのもので、どう使うか）。足りないことは nebula が質問します。",
	Hint:         "Enter 送信 · Alt+Enter 改行 · /help",
	StepAsks:     "ステップ %s からの確認:",
	StepAnswer:   "/answer %d はい · いいえ · または理由。後でもかまいません",
	Prompt:       "› ",
	GatePrompt:   "許可しますか? ",
	AskPrompt:    "回答: ",
	PickPrompt:   "選択: ",
	SearchPrompt: "履歴 (%s): ",
	Working:      "考えています",
	Waiting:      "モデルを待っています",
	Interrupting: "止めています",
	Gate:         "許可が必要です: %s",
	GateKeys:     "はい · いいえ · 常に（このセッション中） · いいえ、理由",
	Lang:         "ja",
	No:           "いいえ",
	MoreRows:     "… あと %d 行: Enter で表示",
	TooEarly:     "表示される前に入力したものは答えになりません。",
	TooSmall:     "端末が小さすぎて内容を表示できないため、「はい」は受け付けません。大きくして Enter を押すか、「いいえ」と答えてください。",
	Unread:       "「はい」の前にコマンド全体を表示する必要があります。まだの行: %s",
	Unseen:       "%s 行目は一度も表示されていません。もう一度 Enter か同じ答えで、それでも許可します。",
	GateFlush:    "先に入力した文は、あとで使えるように取ってあります。",
	Unclear:      "はっきりした答えではないので「いいえ」とします。",
	Risk:         "危険度",
	Level:        map[string]string{"low": "低", "medium": "中", "high": "高"},
	Rationale:    "理由",
	Impact:       "影響",
	Alternatives: "他の案",
	Intent:       "目的",
	Command:      "コマンド",
	Allowed:      "許可", Refused: "拒否", AllowedAlways: "このセッション中は許可", By: "%s による",
	Question:     "nebula からの質問",
	QuestionKeys: "番号、または自由に",
	NoSuchOption: "選択肢 %s はありません。1 から %d の番号、または自由に書いてください。",
	NotNow:       "先に答えてください。Ctrl-C で止められます。",
	Denied:       "拒否",
	Skipped:      "実行せず",
	Interrupted:  "中断されました。どこまで進んだかは不明です",
	Failed:       "失敗",

	Done: "完了", TurnFailed: "失敗", NeedsApproval: "停止: 許可が得られていません", NeedsInput: "停止: 回答がありません",
	Limit: "停止: 上限に達しました", Circles: "停止: 同じことの繰り返しになりました", CutOff: "停止: 返答が最大の長さで切れました", API: "モデルに接続できません", Cancelled: "停止しました",
	Actions: "操作 %d 件", Files: "変更 %d ファイル", Tokens: "%s トークン",

	Retry: "%s 後に再送: %s", Problems: "返答のうち %d か所が読めませんでした（モデルに伝えました）", Compacted: "モデルに渡す会話を縮めました: %s から %s トークン",
	Undo: terminal.UndoWordsIn("ja"),
	Kept: "今後のセッションは %s と %s で始まります。", KeepHint: "このセッションのみ。/keep で既定になります",
	Mode: "モード", Model: "モデル", Protocol: "プロトコル", Approve: "許可の方針", Set: "%s: %s", Current: "現在",
	PickSession: "このフォルダーの以前のセッション", NewSession: "新しいセッション", PickMode: "plan は読むだけ、agent は許可されたものを変更します", PickApprove: "確認なしで実行するもの", NoTasks: "裏の作業はありません。",
	PickModel: "モデル", NoModels: "使えるモデルが見つかりません。名前で指定できます: /model 名前", PickProtocol: "モデルが操作を書く言語", OtherModel: "番号、または他のモデルの名前",
	OrRequest:  "番号、または新しいセッションへの依頼",
	NoSessions: "このフォルダーに以前のセッションはありません。", Messages: "メッセージ %d 件",
	Unknown: "%s というコマンドはありません。", Nearest: "%s ですか?", Usage: "使い方: %s",
	Busy: "処理中です。先に Ctrl-C で止めてください。", CtrlC: "もう一度 Ctrl-C で終了", Bye: "セッション %s · 続けるには: nebula --continue", Pasted: "貼り付け: %d 行",
	NotAvailable: "%s はここでは使えません。", Closed: "セッションは終わりました。", History: "履歴ファイルが使えません: %v",
	Earlier: "これまでの会話", PlanHint: "plan モード: 何も変更しません",
	Status: "セッション %s\nフォルダー %s\nモード %s\nステップ %s\nモデル %s\nプロトコル %s\nターン %d\nトークン 入力 %s、キャッシュ %s、出力 %s\n費用 $%.4f\n許可の方針 %s",
	More:   "… あと %d 行",
	Happened: map[string]string{"proposed": "提案", "edited": "編集", "changed": "変更", "added": "追加", "removed": "削除", "approved": "承認", "steered": "指示を追加", "running": "実行開始",
		"resumed": "再開", "paused": "一時停止", "under way": "実行中", "ended": "終了", "failed": "失敗", "cancelled": "中止", "interrupted": "中断", "skipped": "省略", "retried": "やり直し",
		"limit": "上限に達して停止", "needs_approval": "承認待ち", "needs_input": "回答待ち", "api_error": "モデルの API の失敗で停止",
		"began": "開始", "completed": "完了", "tasks": "タスクを作成"},
	Just: "たった今", Minutes: "%d 分前", Hours: "%d 時間前", Days: "%d 日前",
	Help: []string{
		"Enter 送信 · Alt+Enter、Ctrl+J、行末の \\: 改行 · Tab: コマンド補完",
		"上下キー、Ctrl+R: 履歴 · Ctrl-C: 止める · 処理中に送った文はそのターンに加わる",
	},
}

// limit says what ended a turn that reached one.
func (w words) limit(cause nebula.EndCause) string {
	switch cause {
	case nebula.WentInCircles, nebula.StillFails:
		return w.Circles
	case nebula.ReplyCut:
		return w.CutOff
	}
	return w.Limit
}
