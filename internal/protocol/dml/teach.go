package dml

import (
	"strings"

	"nebula"
	"nebula/internal/phrase"
	"nebula/internal/protocol"
)

// Teach describes the language, the tools by their positions, and one example.
func (p Protocol) Teach(tools []nebula.ToolSpec, lang string) (string, []nebula.ToolSpec) {
	w := phrase.Pick(lang, map[string]words{"en": english, "ja": japanese})
	var b strings.Builder
	b.WriteString(w.grammar)
	for _, t := range tools {
		b.WriteString("\n" + signature(t))
		if t.Description != "" {
			b.WriteString(" — " + t.Description)
		}
	}
	if !p.Bare {
		b.WriteString("\n\n" + w.example)
	}
	return b.String(), nil
}

// signature is a tool's macro body: its name and its arguments in order, optional ones with a question mark.
func signature(t nebula.ToolSpec) string {
	var b strings.Builder
	b.WriteString(taughtName(t))
	for _, p := range t.Taught() {
		b.WriteString("|" + p.Name)
		if !p.Required {
			b.WriteString("?")
		}
		if form := protocol.ItemForm(p); form != "" {
			b.WriteString(" " + form)
		}
	}
	return b.String()
}

type words struct{ grammar, example string }

var english = words{
	grammar: `# Acting: DML
Write plain text, and one macro per action on a line of its own: 🦆▶️[T:tool|arg|arg]◀️🦆
- Arguments go by position; write \| for a | inside one. The last argument, contents or a command, starts right after its | (or on the next line: that one line break is not part of it) and is taken to the character up to ]◀️🦆: no quoting, no escaping, line breaks are kept.
- Contents that hold 🦆▶️[ or ]◀️🦆: double the brackets, 🦆▶️[[T:…]]◀️🦆.
- {{F:name}} in a path or command stands for the file listed under that name.
- 🦆▶️[S:…]◀️🦆 is state, 🦆▶️[I:…]◀️🦆 a standing rule; only the program writes them.
- Thought: what you know and why this action. Action: the macros, then stop; results come next. Without macros your text is the answer.
- Where you stand, optional: 🦆▶️[D:step=PLANNING/EXECUTION/REVIEW/AWAITING_APPROVAL/DONE|next_step=done/pending_user/defer/continue|rationale=…|confidence=0..1]◀️🦆
- Macros in code spans, code blocks or thoughts do nothing.

Tools:`,
	example: `Example:
Thought: main.py must be read before it is changed.
Action:
🦆▶️[T:read_file|src/main.py]◀️🦆`,
}

var japanese = words{
	grammar: `# 行動のしかた: DML
普通の文章に、行動ごとに1行でマクロを書く: 🦆▶️[T:ツール|引数|引数]◀️🦆
- 引数は順番で決まる。引数の中の | は \| と書く。最後の引数(内容やコマンド)は | の直後(次の行から始めれば、その改行は除く)から ]◀️🦆 の直前までが一字一句そのまま使われる。引用符もエスケープも不要、改行可。
- 内容に 🦆▶️[ や ]◀️🦆 があるときは括弧を二重にする: 🦆▶️[[T:…]]◀️🦆
- パスとコマンドの {{F:名前}} は、その名前で示されたファイルを指す。
- 🦆▶️[S:…]◀️🦆 は状態、🦆▶️[I:…]◀️🦆 は常に守る指示。どちらもプログラムだけが書く。
- Thought: に分かっていることと理由、Action: にマクロを書いて止める。結果は次に届く。マクロがなければ文章が回答になる。
- 現在地(任意): 🦆▶️[D:step=PLANNING/EXECUTION/REVIEW/AWAITING_APPROVAL/DONE|next_step=done/pending_user/defer/continue|rationale=…|confidence=0..1]◀️🦆
- コードや思考の中のマクロは実行されない。

ツール:`,
	example: `例:
Thought: main.py は変更する前に読む必要がある。
Action:
🦆▶️[T:read_file|src/main.py]◀️🦆`,
}
