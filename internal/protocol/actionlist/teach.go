package actionlist

import (
	"strings"

	"nebula"
	"nebula/internal/phrase"
	"nebula/internal/protocol"
)

// Teach describes the document and the tools.
func (Protocol) Teach(tools []nebula.ToolSpec, lang string) (string, []nebula.ToolSpec) {
	var b strings.Builder
	b.WriteString(phrase.Pick(lang, map[string]string{"en": english, "ja": japanese}))
	for _, t := range tools {
		b.WriteString("\n" + t.Name + ": " + protocol.Signature(t))
		if t.Description != "" {
			b.WriteString(" — " + t.Description)
		}
	}
	return b.String(), nil
}

const english = `# Acting: action list
Reply with one JSON object and nothing else:
{"rationale":"why, one line","goal_consistency":"yes/no: why","constraint_check":"yes/no: why","step":"PLANNING|EXECUTION|REVIEW|AWAITING_APPROVAL|DONE","next_step":"done|pending_user|defer|continue","say":"what the person reads","actions":[{"operation":"patchFile","args":{"path":"a.py","edits":[{"old":"x = 1","new":"x = 2"}]},"reasoning":"why"}]}
- Actions run in order; results come next. When done: "actions":[], answer in say.
- Optional: "state_delta":{"goal","why_now","constraints","plan_brief","open_questions"} with what changed.
- Inside strings write \n, \" and \\. No comments, no code fence.

Operations and args:`

const japanese = `# 行動のしかた: アクションリスト
JSONオブジェクトを一つだけ返す:
{"rationale":"理由を1行","goal_consistency":"yes/no: 理由","constraint_check":"yes/no: 理由","step":"PLANNING|EXECUTION|REVIEW|AWAITING_APPROVAL|DONE","next_step":"done|pending_user|defer|continue","say":"人が読む文","actions":[{"operation":"patchFile","args":{"path":"a.py","edits":[{"old":"x = 1","new":"x = 2"}]},"reasoning":"理由"}]}
- actionsは順に実行され、結果は次に届く。終わったら "actions":[] とし、答えをsayに書く。
- 任意: "state_delta":{"goal","why_now","constraints","plan_brief","open_questions"} には変わったことだけ。
- 文字列の中では \n、\"、\\ と書く。コメントやコードフェンスは付けない。

operationとargs:`
