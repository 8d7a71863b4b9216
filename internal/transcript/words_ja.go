package transcript

func japanese() Words {
	return Words{
		Lang: "ja", Images: "（画像 %d 枚）", Resumed: "続き", Retry: "%s 後に再送: %s",
		Problems: "返答のうち %d か所が読めませんでした（モデルに伝えました）",
		Focus:    "着目", Compacted: "モデルに渡す会話を縮めました: %s から %s トークン",
		Mode: "モード", Model: "モデル", Protocol: "プロトコル", Approve: "許可の方針", Set: "%s: %s", Current: "現在",
		KeepHint: "このセッションのみ。/keep で既定になります", Kept: "今後のセッションは %s と %s で始まります。",
		Allowed: "許可", Refused: "拒否", AllowedAlways: "このセッション中は許可", By: "%s による",
		Failed: "失敗", Denied: "拒否", Skipped: "実行せず", Interrupted: "中断。どこまで進んだかは不明です",
		Intent: "目的", Rationale: "理由", Impact: "影響", Alternatives: "他の案", Risk: "危険度", High: "高", Medium: "中", LowRisk: "低", Rule: "規則",
		Done: "完了", TurnFailed: "失敗", NeedsApproval: "停止: 許可が得られていません", NeedsInput: "停止: 回答がありません",
		Limit: "停止: 上限に達しました", Circles: "停止: 同じことの繰り返しになりました", CutOff: "停止: 返答が最大の長さで切れました",
		API: "モデルに接続できません", Cancelled: "停止しました",
		Actions: "操作 %d 件", FilesChanged: "変更 %d ファイル", TokensUsed: "%s トークン",
		TakenBack: "取り消しました", BroughtBack: "元に戻しました", Others: "ほか %d 件", Left: "そのまま残しました", ChangedSince: "その後に変更されています",
		ChangedBetween: "変更と変更の間にほかから書き込まれたため、その後の変更だけを取り消しました",
		NeverKept:      "以前の内容が保存されていません", BeingWritten: "ほかのプログラムが書き込み中です", OtherOwner: "内容は戻しましたが、所有者は戻せませんでした",
		Already:   "すでに元どおりのため何もしていません",
		Unseen:    "変更を確認できなかったため、取り消しの対象外です",
		Apart:     "別のファイルとして元に戻しました。もとのファイルの別名にはできませんでした",
		PlanDraft: "承認待ち: /tasks run", PlanApproved: "承認済み: /tasks run", PlanRunning: "進行中", PlanStopped: "停止中、/tasks run で再開",
		Just: "たった今", Minutes: "%d 分前", Hours: "%d 時間前", Days: "%d 日前", NewSession: "新しいセッション",
		EmptyFolder: "このフォルダーは空です。作りたいものを一、二文で書いてください（何のためのもので、どう使うか）。足りないことは nebula が質問します。",
		Bye:         "セッション %s · 続けるには: nebula --continue", Pasted: "貼り付け: %d 行", History: "履歴ファイルが使えません: %v",
		Waiting: "モデルを待っています", NoSuchOption: "選択肢 %s はありません。1 から %d の番号、または自由に書いてください。",
		RowsLeft: "… あと %d 行: Enter で表示", SmallScreen: "端末が小さすぎて内容を表示できないため、「はい」は受け付けません。大きくして Enter を押すか、「いいえ」と答えてください。",
		RowsUnread: "「はい」の前にコマンド全体を表示する必要があります。まだの行: %s", RowsUnseen: "%s 行目は一度も表示されていません。もう一度 Enter か同じ答えで、それでも許可します。",
		Unclear: "はっきりした答えではないので「いいえ」とします。", TooEarly: "表示される前に入力したものは答えになりません。",
		DraftBack: "↑ で入力した文が戻ります", DraftKept: "先に入力した文は、あとで使えるように取ってあります。", Unknown: "%s というコマンドはありません。", Nearest: "%s ですか?",
		PickMode: "plan は読むだけ、agent は許可されたものを変更します", PickApprove: "確認なしで実行するもの", PickProtocol: "モデルが操作を書く言語",
	}
}
