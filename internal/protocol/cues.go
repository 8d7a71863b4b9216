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

// english are the cues as phrases. A phrase that ends in * stands for every word that begins so; ^ asks for a clause's
// beginning. The longest phrase counts.
var english = []struct {
	cue     cue
	phrases string // parted by commas
}{
	{idle, "without further ado,as far as i,everything i need,all i need,^if i understand*,^if i read,^if i remember*,^if i recall,^if i see,^if i'm not,^if i am not,not least,that i haven't,never seen,as you see,as you know,as you can,as you will,^i think,^i believe,^i see,^i know,permission granted,have your approval,have your permission,have your ok,have your go-ahead,got your ok,got your approval,as mentioned,you asked,you want,you wanted,you requested,you told me,you are right,you were right,you're right,wants me,want me to,asked me,it should be,should fix,should do it,this should,that should,i was asked,i was told,i had to," +
		"until now,up to now,even if,as if,or not,as follows,at once,once more,once again,now that you mention," +
		"see if,check if,know if,verify if,test if,find out if,determine if,confirm if,learn if,tell if,look if,if it works,no longer,not only"},
	{example, "^to undo this,^to undo it,^to undo that,^to undo the change*,^to revert this,^to revert it,^to roll back,^to roll this back,^to go back"},
	{reason, "because,since,otherwise,so that,in order to,^to,^before,^after,^as,as it,as the,as this,as that,as there,which,now that,^given,^thanks,thanks to,due to,instead of,rather than,so i can,so we can,so you can,^without,^according to your,although,though,whereas,^while,despite"},
	{contrast, "which means,that means,this means,so,but,however,therefore,hence,thus,instead,nevertheless,anyway,still i,yet i"},
	{announce, "we go,here goes,here it goes,here you go,here we go,as asked,as agreed,as you,^after that,here it is,as requested,as planned,as discussed,as promised,as instructed,on it,go ahead,going ahead,let's go,sure,okay,^should be,^time for"},
	{resolve, "^i,^we,i can,we can,i'll,i will,i shall,we'll,we will,we shall,i'm,i am,we're,we are,let me,let us,let's,lets,i need to,i must,i have to,we need to,we must,we have to,we should,i should,i want to,i'd like to,i would like to,now i can,gonna,time to"},
	{source, "readme*,docs,doc,documentation,manual,manpage,tutorial*,wiki,guide,guides,handbook,runbook*,playbook*,colleague*,coworker*,co-worker*,teammate*,reviewer*,maintainer*,mentor,boss,intern,stackoverflow,stack,blog*,forum*,article*,book," +
		"changelog,transcript*,attacker*,hacker*,somebody,someone,anyone,anybody,nobody,people,users,others,beginners,developers,engineers,models,agents,they,he,she,predecessor*,issue,ticket,thread,log,logs,logfile,user,author*,assistant,comment*,mail,email,e-mail,message," +
		"note,notes,post,page,spec,specification,slide*,screenshot*,history,output,answer,reply,script,file,text,old,previous,earlier,former,customer*,client,admin*,operator*,vendor*,team,draft,memo,leaflet,poster,letter,chat,slack,bot,question"},
	{example, "example*,counterexample*,counter-example*,instance,eg,such as,syntax,the format,format is,form is,the form,schema,sample*,template*,placeholder*,illustrat*,hypothe*,in theory,theoretically,demo,demonstrat*,pseudo*,mock,dummy,snippet*,typical*,usual*,generally,in general,normally,commonly,often," +
		"look like,looks like,looked like,looking like,like this,like so,like that,this way,is written,are written,is called,for reference,for the record,for illustration,cheat*,quot*,recall*,excerpt*,cited,cites,verbatim,reads,notation,spelled,spelt,pattern is,shape is," +
		"^to illustrat*,^to show*,^to demonstrat*,^to explain*,^to quot*,^to give,^to cite,here is what,here's what,here is how,here's how,^i would,^i could,^i might,^we would,^we could,^we might,would,could,might,^may,i'd,you'd,we'd,one'd,they'd,it'd,you can,you may,you should,you must,you need,you have,you write,you run,you use,you call,you type,you wrote,you said,you sent,you pasted,you do,you enter,^you,you'll,we may,one can,one may,one should,can be,could be," +
		"^i may,^i intend*,^i doubt*,^please," +
		"my suggestion,my proposal,my recommendation,a suggestion,suggested,suggestion*,recommended,proposed,proposal,option*,alternativ*,possibilit*,idea,candidate*,draft," +
		"previous*,formerly,earlier,yesterday,last time,last week,last month,last year,last night,last attempt,used to,back then,in the past,originally,was run,were run,was executed,been run,was done,failed with,ended with,crashed with,at the time,ago,historically,back when,once upon," +
		"maybe,perhaps,possibl*,not sure,unsure,doubt*,wonder*,thinking about,think about,consider*,undecided,tempt*,unclear,uncertain*,ponder*,without having,planned,dangerous,harmful,unsafe,risky,destructive,irreversible,catastroph*,disastrous,fatal,insecure,discouraged,deprecated way,wrong,^bad,^incorrect,a mistake,bad idea,incorrect,forbidden,prohibited,disallowed,not permitted,not allowed,isn't allowed,isn't permitted,unwise,reckless,anti-pattern,off limits,off-limits"},
	{refusal, "refuse*,refusing,declin*,refrain*,abstain*,^no chance,^avoid,^stop,stopped short,^skipped,^no way,hold off,hold back,holding off,holding back,stay away,keep away,steer clear,hands off,leave it,leave this,leave that,leave alone,leaving it,leaving this,unable to,not able to,no way i,nobody should,no one should,no need to run,no need to do," +
		"under no circumstances,desist,warn* against,advise against,advise* against,recommend against,counsel against,skip this,skip it,skipping this,reluctant*,hesita*"},
	{pending, "^say you,^say we,^say i,let's say,^if,if you,if it,if the,if i,if we,if one,if that,if this,if so,if need*,if necessary,if approved,if asked,unless,only if,only when,only after,only once,only with,provided that,provided you,^provided,^providing,suppos*,imagin*,pretend*,what if,^assuming,^when,when you,when need*,when asked,when ready,when approved,when told,whenever," +
		"once you,once the,once this,once that,once it,once they,once we,once i,once all,once your,once approved,once confirmed,once agreed,as soon as,as long as,after you,after your,until you,until your,until the,until then,until approved,until told,until further,till you,should you,^should,^were,^had," +
		"with your permission,with your approval,with your consent,with your ok*,with your go*,with your blessing,at your,upon your,on your word,on your command,on your go*,await*,wait for,waits for,waiting,wait until,wait with,pending,subject to,need your,needs your,need you to,need the go*,without your,permission*,approval,consent,go-ahead,green light,sign-off,thumbs," +
		"let me know,say the word,say yes,your call,up to you,your decision,your choice,your answer,^maybe i,^maybe i'll,^perhaps i,^perhaps i'll,^possibly i,maybe we,later,tomorrow,on request,on demand,someday,some day,eventually,at some point,in the future,another time,next time,next week,not now,not just yet,in an emergency,in case of,in the event,worst case,as a last resort,last resort"},
}

// behind are words behind "I'll" and its like that turn it into telling, waiting or not doing.
var behind = []struct {
	cue     cue
	phrases string
}{
	{example, "thinking,walk you,tempted,give you,give an,give one,give some"},
	{refusal, "unable,afraid,unsure,undecided,reluctant,stopped,stop here,stop before,stop short,stopping here,rather not,neither,against,unwilling,keep my,uncertain,have no,no intention,no right,toying,staying out,staying away,turn this down,turn it down,turn that down"},
	{pending, "know,need a yes,need a go,need an ok,need someone,need your,need you,need permission,need approval,need confirmation,need a go*,once you,if you,when you,maybe,perhaps,only if,only once,only when,only after,happy to,glad to,ready to,willing to,prepared to,able to"},
}

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
	for _, row := range english {
		all.add(row.cue, row.phrases)
	}
	return all
})

var behindPhrases = sync.OnceValue(func() idioms {
	all := idioms{map[string][]idiom{}, map[string][]idiom{}}
	for _, row := range behind {
		all.add(row.cue, row.phrases)
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

// japanese are cues as parts of sentences.
var japanese = []struct {
	cue   cue
	parts []string
}{
	{pending, []string{"もし", "仮に", "場合", "なら", "たら", "れば", "許可", "承認", "同意", "了承", "次第", "お待ち", "待って", "待ち", "指示があ", "指示をい", "確認が取れ", "確認を取", "確認させて", "確認してから", "後で", "あとで", "のちほど", "後ほど", "いずれ", "将来", "予定", "つもり", "迷って", "検討", "かもしれ", "自信", "必要に応じ", "念のため聞", "お願い", "とすれば", "としたら", "と仮定", "ときは", "とき、", "時は、", "際は", "やると", "と壊れ", "と消え"}},
	{example, []string{"例えば", "たとえば", "例:", "例：", "例です", "例として", "の例", "具体例", "一例", "例を", "サンプル", "書式", "形式", "構文", "文法", "のように書", "のように記", "のようになり", "のような", "のようにあり", "こう書", "と書", "と入力", "と打", "とあり", "とある", "と言", "と述べ", "と記", "とのこと", "だそう", "らしい", "引用", "抜粋", "転載", "見本", "雛形", "ひな形", "テンプレート", "説明用", "参考", "イメージ",
		"示し", "載せ", "見せ", "貼り", "お伝え", "記し", "紹介", "説明します", "挙げます", "記述があ", "記載", "には次の", "通常", "普通は", "ふつうは", "一般に", "一般的", "多くの人", "誰か", "攻撃者", "他の人", "前回は", "以前は", "以前、", "昨日", "先日", "かつて", "過去に", "当時", "従来", "さっきは", "先ほど実行した", "さっき実行した", "先程実行した", "実行しました", "試しました", "行いました", "実行された", "走らせました", "使いました", "使われていた", "間違い", "おすすめしません", "お勧めしません", "私なら", "でしょう", "分かりません", "わかりません", "ではありません",
		"ことができ", "こともでき", "できます", "可能です", "てもよい", "てもいい", "ばよい", "ばいい", "するとよい", "すると良い", "といい", "ください", "とよい", "案です", "提案", "候補", "想定", "失敗したコマンド", "失敗しました:", "たとえ"}},
	{refusal, []string{"実行しない", "実行しません", "実行するな", "実行しては", "実行はし", "まだ実行", "しないで", "しないこと", "やりません", "やらない", "行いません", "行わない", "てはいけ", "てはなら", "ではいけ", "べきではな", "べきでな", "やめて", "やめま", "やめてお", "使わない", "使いません", "書きません", "消しません", "削除しません", "変更しません", "触りません", "しませんでした", "していません", "せずに", "せず、", "禁止", "禁じ", "危険", "危ない", "従えません", "止めて", "なかったこと", "選択肢", "控え", "見送", "避け", "中止", "保留", "断り", "拒否", "お断り", "厳禁", "見合わせ", "飛ばし", "対象外", "取り下げ", "却下", "反する", "ダメ", "だめ", "まだ行", "まだし", "許されて", "できません"}},
}

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
