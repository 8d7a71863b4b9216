package plan

// inJapanese says the codes of plans and steps.
var inJapanese = map[string]string{
	"proposed": "提案", "edited": "編集", "changed": "変更", "added": "追加", "removed": "削除", "approved": "承認", "steered": "指示を追加", "skipped": "省略", "retried": "やり直し",
	"running": "実行開始", "resumed": "再開", "paused": "一時停止", "under way": "実行中", "ended": "終了", "failed": "失敗", "cancelled": "中止",
	"draft": "下書き", "in_progress": "実行中", "pending": "待機", "completed": "完了", "not checked": "未確認", "began": "開始", "tasks": "タスクを作成",
	"interrupted": "中断", "limit": "上限に達して停止", "needs_approval": "許可待ち", "needs_input": "回答待ち",
	"api_error": "モデルの API の失敗で停止",

	"cut_off":      "中断: 実行中に nebula が終了しました。続きから再開できます",
	"was_changed":  "計画が変更されたため、承認が必要です",
	"nothing_runs": "実行できるステップがありません",
	"plan_mode":    "plan モードでは実行しません",
	"waits":        "質問が回答を待っています",

	Absent: "%s がありません", AllAbsent: "%s がありません", CheckFailed: "検証に失敗しました: %s", RanNoTest: "検証でテストが一つも実行されませんでした\n%s",
	TaskFailed: "%s が失敗しました: %s", Refused: "%s は拒否されました: %s", NotJoined: "フォルダーに取り込めませんでした: %s", Unsettled: "%s にはまだ両方の版が残っています",

	StepTasks: "%s: %s / %s 件のタスクが成功しました", StepVerified: "%s: %s / %s 件のタスクが成功しました。確認: %s (%s)", WithoutIt: "許可されませんでしたが、確認はそれなしで通りました: %s",
	NotItsFiles: "ステップ %s のファイルではありません: %s", InItsCopy: "行った変更はフォルダーにはなく、そのコピーにあります: %s",
	NothingToShow: "確かめられることを何も行わなかったため未確認。担当の説明: %s", NobodyCanTell: "プログラムでは確かめられないため未確認: %s",

	Skipped: "省略 %s", Retried: "やり直し %s", Added: "追加 %s", Removed: "削除 %s", Altered: "変更 %s",
	StepFailed: "ステップ %s: %s", NeedsYes: "%s に許可が必要です", StepWaits: "ステップ %s が回答を待っています: %s",
	StepTokens: "ステップ %s が %s トークンを使いました (上限 %s)", StepCost: "ステップ %s の費用は $%s でした (上限 $%s)", StepTime: "ステップ %s が %s 動きました (上限 %s)",
	PlanTokens: "計画が %s トークンを使いました (上限 %s)", PlanCost: "計画の費用は $%s でした (上限 $%s)",
}
