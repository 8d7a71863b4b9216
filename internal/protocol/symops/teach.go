package symops

import (
	"encoding/json"
	"strings"

	"nebula"
	"nebula/internal/phrase"
)

// Teach describes the language and lists the tools by their words.
func (p Protocol) Teach(tools []nebula.ToolSpec, lang string) (string, []nebula.ToolSpec) {
	t := phrase.Pick(lang, map[string]lesson{"en": english, "ja": japanese})
	var b strings.Builder
	b.WriteString(t.grammar)
	for _, spec := range tools {
		b.WriteString("\n" + signature(spec))
	}
	if !p.Bare {
		b.WriteString("\n" + t.example + example)
	}
	return b.String(), nil
}

// signature is a tool's line: its word and what stands behind the @. Contents go into the block.
func signature(spec nebula.ToolSpec) string {
	word := spec.Name
	for _, v := range canon {
		if spec.Answers(v) {
			word = v
		}
	}
	var b strings.Builder
	b.WriteString("$ " + word + " @")
	for _, p := range spec.Taught() {
		if p.Name == "command" { // the rest of the line is the command: nothing can stand beside it
			b.WriteString(" " + p.Name)
			break
		}
		switch {
		case p.Payload:
			b.WriteString(" + block")
			if p.Type == "array" {
				b.WriteString(" {\"" + p.Name + "\":[" + itemOf(p) + "]}")
			}
		case p.Required:
			b.WriteString(" " + p.Name)
		default:
			b.WriteString(" " + p.Name + "=?")
		}
	}
	return b.String()
}

// itemOf shows what an array holds: an object with its required fields, where it has some.
func itemOf(p nebula.Param) string {
	var schema struct{ Items struct{ Required []string } }
	if json.Unmarshal(p.Schema, &schema) != nil || len(schema.Items.Required) == 0 {
		return "…"
	}
	return `{"` + strings.Join(schema.Items.Required, `":"…","`) + `":"…"}`
}

type lesson struct{ grammar, example string }

var english = lesson{
	grammar: `Answer in Sym-Ops. Every line begins with its symbol:
~ a thought
#c0.9 #m0.8 #f0.9 #s0.8   your confidence, mood, focus, stamina, 0 to 1
$ verb @ target > dependency   an action; the dependency is optional
--
the whole file, exactly, between two lines of hyphens
--
? "a question to the user", options below it as "  1. …"
! ErrorKind @ target
Plain text without a symbol is shown to the user.
Rules: no Markdown fences. If a content has a line of hyphens, use a longer one around it (---- …). edit takes SEARCH and REPLACE
pairs as below, old lines exactly as in the file, or the whole new file. A command is one line. Results come back as ok or ! lines; then
go on or finish in plain text.
Actions (=? is optional, written name=value):`,
	example: "Example:\n~ Pages need the new helper first\n",
}

var japanese = lesson{
	grammar: `Sym-Ops で答える。行は記号で始める:
~ 考え
#c0.9 #m0.8 #f0.9 #s0.8   確信度・気分・集中・体力 (0〜1)
$ 動詞 @ 対象 > 依存   アクション。依存は省略可
--
ファイルの全内容をそのまま、ハイフンの行ではさむ
--
? "ユーザーへの質問"。選択肢は下に「  1. …」
! エラー種別 @ 対象
記号のない行はユーザーに表示される。
規則: Markdown のコードフェンスは使わない。内容にハイフンだけの行があれば、より長いハイフンの行ではさむ (---- …)。edit には
下の例のように SEARCH と REPLACE の組 (元の行はファイルのまま) か、新しい全文を書く。コマンドは 1 行。結果は ok または ! の行で返る。続けるか、普通の文で終える。
アクション (=? は省略可、名前=値 で書く):`,
	example: "例:\n~ 先に補助関数が要る\n",
}

// example is the part of it that is the same in both languages.
const example = `$ create @ src/slug.py
--
def slug(text):
    return "-".join(text.lower().split())
--

$ edit @ src/page.py > src/slug.py
--
<<<<<<< SEARCH
    url = title
=======
    url = slug(title)
>>>>>>> REPLACE
--

$ test @ pytest -q`
