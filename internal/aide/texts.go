package aide

import "nebula/internal/phrase"

// looking are the tools, by names that other programs know them by, with which one only looks.
var looking = []string{"Read", "Glob", "LS", "Grep"}

// with are the aides that come with nebula.
func with(lang string) []Aide {
	w := phrase.Pick(lang, words)
	return []Aide{
		{Name: "explore", About: w.explores, Tools: looking, Reads: true, Small: true, Body: w.explore},
		{Name: "review", About: w.reviews, Tools: append([]string{"Bash"}, looking...), Reads: true, Body: w.review},
	}
}

type text struct{ explores, explore, reviews, review string }

var words = map[string]text{
	"en": {
		explores: "finds out, reads only",
		explore:  "You find something out in this project for somebody who reads nothing but your last message. Search widely first, then read the places that matter. Change nothing.",
		reviews:  "looks for faults in changes, reads only",
		review:   "You review work in this project for somebody who reads nothing but your last message. Look at what was changed and at what depends on it; run its tests if that tells you something. Name only faults that you are sure of, the gravest first: what goes wrong, and with what input. Change nothing.",
	},
	"ja": {
		explores: "調べる。読むだけ",
		explore:  "このプロジェクトで頼まれたことを調べます。依頼した相手が読むのは最後の報告だけです。まず広く検索し、要になる箇所を読みます。何も変更しません。",
		reviews:  "変更の誤りを探す。読むだけ",
		review:   "このプロジェクトの作業をレビューします。依頼した相手が読むのは最後の報告だけです。変更された箇所とそれに依存する箇所を見ます。役に立つならテストも実行します。確かな誤りだけを、重いものから順に、どの入力で何が起きるかとともに挙げます。何も変更しません。",
	},
}

// reporting is how an aide ends.
var reporting = map[string]string{
	"en": "End with a report of at most 900 words: the answer first, and behind each statement where it stands, as path:line. Say what you did not find or did not check.",
	"ja": "最後に1,500字以内で報告します。まず答えを述べ、どの記述にも根拠の場所を path:line の形で添えます。見つからなかったこと、確かめていないことも述べます。",
}

// asked stands before the task.
var asked = map[string]string{"en": "The task:", "ja": "作業:"}
