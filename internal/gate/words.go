package gate

import (
	"slices"
	"strings"

	"nebula"
)

// Says is what a policy means, in the words of lang. The zero policy asks.
func Says(a Approve, lang string) string {
	i := max(0, slices.Index(Choices(), string(a)))
	return word(lang, policies[i].en, policies[i].ja)
}

// policies are all there are, as they are offered: how much each lets run, and what it means in words.
var policies = [...]struct {
	name   Approve
	loose  int
	en, ja string
}{
	{Ask, 1, "asks before it acts", "実行前に確認"},
	{Edits, 2, "edits without asking", "編集は確認なし"},
	{All, 3, "acts without asking", "すべて確認なし"},
	{None, 0, "refuses what needs approval", "許可が要るものは拒否"},
}

// Choices are the names of the policies.
func Choices() (names []string) {
	for _, p := range policies {
		names = append(names, string(p.name))
	}
	return names
}

// Stricter reports whether a policy lets less run than another.
func (a Approve) Stricter(than Approve) bool { return a.loose() < than.loose() }

func (a Approve) loose() int { return policies[max(0, slices.Index(Choices(), string(a)))].loose }

// In is a verdict in the words of lang.
func In(v nebula.Verdict, lang string) nebula.Verdict {
	v.Why = Said(v.Why, lang)
	risks := make([]string, len(v.Risks))
	for i, r := range v.Risks {
		risks[i] = Said(r, lang)
	}
	if len(risks) > 0 {
		v.Risks = risks
	}
	return v
}

// Said is a verdict's reason, or a danger, in lang. What is not known here stays as it is.
func Said(why, lang string) string {
	if lang != "ja" {
		return why
	}
	if ja, ok := inJapanese(why); ok {
		return ja
	}
	var said strings.Builder
	for i, p := range strings.Split(why, ", ") {
		switch end := said.String(); {
		case i > 0 && strings.HasPrefix(p, "and nobody") && (strings.HasSuffix(end, "ます") || strings.HasSuffix(end, "せん")):
			said.WriteString("が、")
		case i > 0:
			said.WriteString("、")
		}
		if ja, ok := inJapanese(p); ok {
			p = ja
		}
		said.WriteString(p)
	}
	return said.String()
}

func inJapanese(why string) (string, bool) {
	if ja, ok := dangersJa[Danger(why)]; ok {
		return ja, true
	}
	ja, ok := reasonsJa[why]
	return ja, ok
}

var reasonsJa = map[string]string{
	"plan mode changes nothing":                                      "plan モードでは何も変更しません",
	"nebula's own settings and record are never changed":             "nebula 自身の設定と記録は変更しません",
	"a script that it runs was changed since it was allowed, unseen": "実行するスクリプトが、許可の後に確認なしで変更されています",
	"secrets are never remembered":                                   "秘密の値は記憶しません",
	"a question":                                                     "質問です",
	"it had to be guessed from the reply":                            "返答から推測した操作です",
	"changes nothing":                                                "何も変更しません",
	"later sessions would be told":                                   "以後のセッションに伝わります",
	"allowed for this session":                                       "このセッションでは許可済みです",
	"it changes files":                                               "ファイルを変更します",
	"it runs a command":                                              "コマンドを実行します",
	"what it does is not known":                                      "何をするのか分かりません",
	"and nobody is there to allow it":                                "許可できる人がいません",
	"the model says that it does not fit the goal":                   "モデルが目的に合わないと言っています",
	"the model says that it breaks a constraint":                     "モデルが制約に反すると言っています",
}
