package protocol

import (
	"strings"
	"sync"
)

// A cue is what a word or a few say of the action that a sentence introduces.
type cue uint8

const (
	nothing  cue = iota
	idle         // nothing, though its words say something elsewhere
	reason       // begins a part that says why or what for: nothing in it counts
	contrast     // what follows stands against what was said before
	announce     // something comes, whoever does it
	past         // its writer did something
	resolve      // it is being done
	source       // somebody else says it, as a sentence's subject
	example      // an example, a quotation, something of the past, or what could be done
	refusal      // it is not to be done
	pending      // it depends on what is not so yet
)

// An idiom is one phrase of a row.
type idiom struct {
	cue   cue
	opens bool // counts where a clause begins
	words []string
}

// idioms are a table's phrases, by their first word, and by the first letters of those that are the beginning of one.
type idioms struct {
	whole map[string][]idiom
	stems map[string][]idiom
}

// stemLength is how many letters of a stem it is looked up by.
const stemLength = 3

var englishPhrases = sync.OnceValue(func() idioms {
	all := idioms{map[string][]idiom{}, map[string][]idiom{}}
	for _, row := range tables()["cues"] {
		all.add(cueNamed(row[0]), row[1])
	}
	return all
})

var behindPhrases = sync.OnceValue(func() idioms {
	all := idioms{map[string][]idiom{}, map[string][]idiom{}}
	for _, row := range tables()["behind"] {
		all.add(cueNamed(row[0]), row[1])
	}
	return all
})

func (p idioms) add(c cue, list string) {
	for _, text := range strings.Split(list, ",") {
		text, opens := strings.CutPrefix(text, "^")
		words := strings.Fields(text)
		row := idiom{c, opens, words}
		if stem, ok := strings.CutSuffix(words[0], "*"); ok {
			p.stems[stem[:min(len(stem), stemLength)]] = append(p.stems[stem[:min(len(stem), stemLength)]], row)
			continue
		}
		p.whole[words[0]] = append(p.whole[words[0]], row)
	}
}

// find is the longest phrase that words begin with; starts says that a clause begins there.
func (p idioms) find(words []word, starts bool) (found cue, n int) {
	first := words[0].text
	for _, list := range [][]idiom{p.whole[first], p.stems[first[:min(len(first), stemLength)]]} {
		for _, row := range list {
			if len(row.words) > n && (starts || !row.opens) && begins(words, row.words) {
				found, n = row.cue, len(row.words)
			}
		}
	}
	return found, n
}

// begins reports whether words begin with those of a phrase, all in one clause.
func begins(words []word, phrase []string) bool {
	if len(words) < len(phrase) {
		return false
	}
	for i, want := range phrase {
		stem, open := strings.CutSuffix(want, "*")
		if words[i].text != want && !(open && strings.HasPrefix(words[i].text, stem)) || i+1 < len(phrase) && words[i].stop {
			return false
		}
	}
	return true
}

// japaneseCues are parts of sentences.
var japaneseCues = sync.OnceValue(func() (list []struct {
	cue   cue
	parts []string
}) {
	for _, row := range tables()["japaneseCues"] {
		list = append(list, struct {
			cue   cue
			parts []string
		}{cueNamed(row[0]), fieldOf(row[1])})
	}
	return list
})

// innocent are parts of Japanese words that look like cues.
var innocent = strings.NewReplacer("確認なしで進め", "進め", "参考までに", "参考に", "かどうか確", "", "かどうかを確", "", "かどうか、テスト", "", "かどうかをテスト", "", "かどうか調", "", "かどうかを調", "", "かどうか検証", "", "かどうか見", "", "最後で", "", "完了を待", "", "結果を待", "", "残すべきで", "", "待ち時間", "", "まだ実行されていない", "", "テストはまだ実行していません", "", "まだテストは実行していません", "", "やらないと", "", "しないと", "", "なければなら", "", "なければなり", "", "ばなりません", "", "なければいけ", "", "もたら", "", "新たら", "", "ばならない", "", "例の", "", "例外", "", "通り", "", "一例目", "", "禁止文字", "", "禁止語", "", "間違いありません", "", "間違いない", "", "間違いなく", "", "間違えない", "", "書き換え", "換え", "コミットしてはいけない", "", "公開してはいけない", "", "残してはいけない", "", "コミットしてはならない", "", "提案を反映", "反映", "提案を適用", "適用", "提案どおり", "", "提案のとおり", "", "提案の通り", "", "提案通り", "", "間違いの修正", "修正", "と言われます", "", "サンプルデータ", "データ")

// turns are the ends of parts of a Japanese sentence behind which it says what follows from them.
var turns = []string{"ので、", "ので", "ため、", "から、", "ですが、", "ますが、", "ましたが、", "ませんが、", "そこで", "したがって", "よって、", "せず、", "今回は"}

// doing are the ends of Japanese sentences that say what their writer does, when they say nothing else.
var doingJapanese = []string{"ます", "ましょう", "しよう", "する", "していく", "直す", "行う", "変える", "消す", "進める", "したい", "たいと思います"}

// asking are phrases of a question whether to do something; asideJapanese says that it is about something else, as the class asides.
var (
	asideJapanese = []string{"他に", "ほかに", "次に", "さらに", "また", "なぜ", "どこ"}
	asking        = []string{"but first", "first do", "first is", "i", "we", "this", "that", "it", "these", "ok", "okay", "go ahead", "proceed", "agree", "approve", "confirm", "which", "permission", "all right", "alright", "sound good", "sounds good", "look good", "looks good", "good", "fine", "right", "correct", "objections", "me to", "ready", "shall", "sure", "yes", "thoughts"}
	// choices are lines between two actions of which one is meant at most.
	choices = []string{"or", "or else", "either", "or instead", "or alternatively", "alternatively", "または", "もしくは", "あるいは", "それとも"}
	// recants take back what stands before them.
	recants = []string{"ignore it", "ignore that", "ignore this", "ignored it", "ignored that", "ignored this", "leave it", "left it", "leave that alone", "leave this alone", "do nothing", "did nothing", "forget that", "forget it", "never mind", "nevermind", "scratch that", "disregard", "cancel that", "on second thought", "actually no", "actually, no", "wait, no", "i take that back", "i take it back", "not mine", "only shown", "merely"}
)

var (
	// deedsJapanese end labels that name a deed.
	deedsJapanese = []string{"修正", "追記", "実行", "作成", "削除", "追加", "変更", "更新", "移動", "書き換え", "確認", "対応", "開始", "コマンド", "ステップ", "アクション", "修正内容", "変更内容", "整理", "テスト", "ビルド", "適用", "導入", "置き換え", "置換", "分かりました", "わかりました", "見つけました", "確認しました", "了解しました", "承知しました", "準備ができました", "完了しました", "終わりました"}
	// beingJapanese end sentences that say what is so, or what others do; pastJapanese what was.
	beingJapanese = []string{"です", "ています", "ております", "てある", "ている", "あります", "ございます", "なります", "されます", "思います", "言います", "省きます", "省く", "とします", "願います"}
	pastJapanese  = []string{"ました", "でした", "った", "した", "いた", "んだ"}
	// freshJapanese are parts of labels above a file that was just made; others say that a sentence is about something else.
	freshJapanese  = []string{"新しい", "修正版", "最終版", "修正後", "更新後", "変更後", "書き直し", "直した", "完成", "次の変更"}
	othersJapanese = []string{"他は", "他を", "他に", "他の", "残りは", "ほかは", "ほかに", "以外", "必要なら", "何か", "問題があれば"}
	// pointingJapanese point at what follows, thusJapanese at how it is said.
	aheadJapanese    = []string{"以上", "こんな", "そんな", "一行", "コマンド", "こう", "次", "以下", "下記", "この", "その", "これ", "それ", "あれ", "そう", "上の", "下の", "ください", "私なら"}
	pointingJapanese = []string{"こう", "次の", "以下", "下記", "このよう", "そう"}
	thusJapanese     = []string{"こう", "このよう", "そう"}
	// quotesJapanese say behind an action that it is another's text, leaveJapanese that it waits.
	quotesJapanese = []string{"引用", "抜粋", "転載", "例です", "例でした", "例示", "説明用", "資料", "内容です", "という文", "というのが", "手順書", "記述です", "原文", "一部です", "すぎません", "そのまま載せ", "書かれて", "書いてあ", "埋め込", "攻撃", "罠", "インジェクション", "無効", "無視", "従いません", "従わ", "取り消", "撤回", "見送り", "やめます", "やめておき"}
	leaveJapanese  = []string{"許可", "承認", "同意", "了承", "判断", "ご指示", "可否", "返答", "お答え", "ご返事", "お返事", "任せ", "お願い", "次第です", "ください", "下さい", "許し", "待ち", "待って", "よろしければ", "よければ"}
)
