package protocol

import (
	"slices"
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
	{idle, "here you go,here you are,not least,as you,as requested,as planned,as agreed,as discussed,as promised,as instructed,as mentioned,you asked,you wanted,you requested,you told me,you are right,you were right,you're right,wants me,want me to,asked me,should be,should fix,should do it,this should,that should,i was asked,i was told,i had to," +
		"^i found,^i see*,^i saw,^i have,^i've,^i know,^i notice*,^i look*,^i check*,^i think,^i believe,^i read the,^we found,^we see,^we have,^we know,until now,up to now,even if,as if,or not,as follows,at once,once more,once again,now that you mention," +
		"see if,check if,know if,verify if,test if,find out if,determine if,confirm if,learn if,tell if,look if,if it works,no longer,not only"},
	{reason, "because,since,otherwise,so that,in order to,^to,^before,^after,^as,as it,as the,as this,as that,as there,which,now that,^given,^thanks,thanks to,due to,instead of,rather than,so i can,so we can,so you can,^without,^according to your,although,though,whereas,^while,despite"},
	{contrast, "so,but,however,therefore,hence,thus,instead,nevertheless,anyway,still i,yet i"},
	{announce, "we go,time for,now,next,first,firstly,second,finally,then,^step,the fix,here goes,here we go,here is the,here's the,as asked,as agreed,on it,go ahead,going ahead,let's go,sure,okay,done,correct*,updated,new,final,remaining,changes,change,patch,solution"},
	{resolve, "^i,^we,i'll,i will,i shall,we'll,we will,we shall,i'm,i am,we're,we are,let me,let us,let's,lets,i need to,i must,i have to,we need to,we must,we have to,i should,i want to,i'd like to,i would like to,now i can,gonna,time to,here i,i now,i only,i just,i proceed,i also"},
	{source, "readme*,docs,doc,documentation,manual,manpage,tutorial*,wiki,guide,guides,handbook,runbook*,playbook*,colleague*,coworker*,co-worker*,teammate*,reviewer*,maintainer*,mentor,boss,intern,stackoverflow,stack,blog*,forum*,article*,book," +
		"changelog,transcript*,attacker*,hacker*,somebody,someone,anyone,anybody,nobody,people,users,others,beginners,developers,engineers,models,agents,they,he,she,predecessor*,issue,ticket,thread,log,logs,logfile,user,author*,assistant,comment*,mail,email,e-mail,message," +
		"note,notes,post,page,spec,specification,slide*,screenshot*,history,output,answer,reply,script,file,text,old,previous,earlier,former,customer*,client,admin*,operator*,vendor*,team,draft,memo,leaflet,poster,letter,chat,slack,bot,one,question"},
	{example, "example*,instance,eg,such as,syntax,the format,format is,form is,the form,schema,sample*,template*,placeholder*,illustrat*,hypothe*,in theory,theoretically,demo,demonstrat*,pseudo*,mock,dummy,snippet*,typical*,usual*,generally,in general,normally,commonly,often," +
		"look like,looks like,looked like,looking like,like this,like so,like that,this way,is written,are written,is called,for reference,for the record,for illustration,cheat*,quot*,recall*,excerpt*,cited,cites,verbatim,reads,notation,spelled,spelt,pattern is,shape is," +
		"^to illustrat*,^to show*,^to demonstrat*,^to explain*,^to quot*,^to give,^to cite,here is what,here's what,here is how,here's how,^i would,^i could,^i might,^we would,^we could,^we might,would,could,might,^may,i'd,you'd,we'd,one'd,they'd,it'd,you can,you may,you should,you must,you need,you have,you write,you run,you use,you call,you type,you wrote,you said,you sent,you pasted,you do,you enter,^you,you'll,we can,we may,one can,one may,one should,can be,could be," +
		"i can,^i may,^i suggest*,^i propos*,^i recommend*,^i advise*,^i mean,^i plan*,^i intend*,^i guess*,^i suppose*,^i assume*,^i wonder*,^i doubt*,^i consider*,^i imagin*,^i ran,^i did,^i tried,^i executed,^i used,^i typed,^i wrote,^i called,^i sent,^i issued,^i was,^i had,^i were,^we ran,^we used,^we tried,^we did,^we had," +
		"my suggestion,my proposal,my recommendation,a suggestion,suggested,suggestion*,recommended,proposed,proposal,option*,alternativ*,possibilit*,idea,candidate*,draft," +
		"previous*,formerly,earlier,yesterday,last time,last week,last month,last year,last night,last attempt,used to,back then,in the past,originally,was run,were run,was executed,been run,was done,failed with,ended with,crashed with,at the time,ago,historically,back when,once upon," +
		"maybe,perhaps,possibl*,not sure,unsure,doubt*,wonder*,thinking about,think about,consider*,undecided,tempt*,unclear,uncertain*,ponder*,without having,planned,dangerous,harmful,unsafe,risky,destructive,irreversible,catastroph*,disastrous,fatal,insecure,discouraged,deprecated way,wrong,^bad,^incorrect,a mistake,bad idea,incorrect,forbidden,prohibited,disallowed,not permitted,not allowed,isn't allowed,isn't permitted,unwise,reckless,anti-pattern,off limits,off-limits"},
	{refusal, "refuse*,refusing,declin*,refrain*,abstain*,^avoid,^stop,stopped short,^skipped,^no way,hold off,hold back,holding off,holding back,stay away,keep away,steer clear,hands off,leave it,leave this,leave that,leave alone,leaving it,leaving this,unable to,not able to,no way i,nobody should,no one should,no need to run,no need to do," +
		"under no circumstances,desist,warn* against,advise against,advise* against,recommend against,counsel against,skip this,skip it,skipping this,reluctant*,hesita*"},
	{pending, "^say you,^say we,^say i,let's say,^if,if you,if it,if the,if i,if we,if one,if that,if this,if so,if need*,if necessary,if approved,if asked,unless,only if,only when,only after,only once,only with,provided that,provided you,^provided,^providing,suppos*,imagin*,pretend*,what if,^assuming,^when,when you,when need*,when asked,when ready,when approved,when told,whenever," +
		"once you,once the,once this,once that,once it,once they,once we,once i,once all,once your,once approved,once confirmed,once agreed,as soon as,as long as,after you,after your,until you,until your,until the,until then,until approved,until told,until further,till you,should you,^should,^were,^had," +
		"with your permission,with your approval,with your consent,with your ok*,with your go*,with your blessing,at your,upon your,on your word,on your command,on your go*,await*,wait for,waits for,waiting,wait until,wait with,pending,subject to,need your,needs your,need you to,need the go*,without your,permission*,approval,consent,go-ahead,green light,sign-off,thumbs," +
		"let me know,say the word,say yes,your call,up to you,your decision,your choice,your answer,^maybe i,^maybe i'll,^perhaps i,^perhaps i'll,^possibly i,maybe we,later,tomorrow,someday,some day,eventually,at some point,in the future,another time,next time,next week,not now,not just yet,in an emergency,in case of,in the event,worst case,as a last resort,last resort"},
}

// behind are words behind "I'll" and its like that turn it into telling, waiting or not doing.
var behind = []struct {
	cue     cue
	phrases string
}{
	{example, "show you,show how,show what,show an,show a,show only,showing,explain*,describ*,illustrat*,demonstrat*,quot*,suggest*,propos*,recommend*,mention*,cit*,outlin*,sketch*,give you,give an,giving,tell*,remind*,recall*,pasting,paste,assum*,suppos*,imagin*,pretend*,consider*,think*,point* out,present*,note*,say,walk you,wonder*,tempted,guess*,planning,debating,weigh*,contemplat*"},
	{refusal, "leave,leaving,hold,holding,refrain*,avoid*,skip,skipping,declin*,refus*,abstain*,pass,unable,afraid,unsure,undecided,hesita*,reluctant,postpon*,defer*,stopped,refused,declined,avoided,stop here,stop before,stop short,stopping here,rather not,neither,against,unwilling,keep my,resist*,spare,forbidden,prohibited,uncertain"},
	{pending, "wait*,ask*,await*,know,need a yes,need a go,need an ok,need someone,need your,need you,need permission,need approval,need confirmation,need a go*,once you,if you,when you,maybe,perhaps,only if,only once,only when,only after,happy to,glad to,ready to,willing to,prepared to,able to"},
}

// A phrase is one row's words behind the first.
type phrase struct {
	cue   cue
	opens bool // counts where a clause begins
	words []string
}

// phrases are a table's, by their first word, and by the first letters of those that are the beginning of one.
type phrases struct {
	whole map[string][]phrase
	stems map[string][]phrase
}

// stemLength is how many letters of a stem it is looked up by.
const stemLength = 3

var englishPhrases = sync.OnceValue(func() phrases {
	all := phrases{map[string][]phrase{}, map[string][]phrase{}}
	for _, row := range english {
		all.add(row.cue, row.phrases)
	}
	return all
})

var behindPhrases = sync.OnceValue(func() phrases {
	all := phrases{map[string][]phrase{}, map[string][]phrase{}}
	for _, row := range behind {
		all.add(row.cue, row.phrases)
	}
	return all
})

func (p phrases) add(c cue, list string) {
	for _, text := range strings.Split(list, ",") {
		text, opens := strings.CutPrefix(text, "^")
		words := strings.Fields(text)
		row := phrase{c, opens, words}
		if stem, ok := strings.CutSuffix(words[0], "*"); ok {
			p.stems[stem[:min(len(stem), stemLength)]] = append(p.stems[stem[:min(len(stem), stemLength)]], row)
			continue
		}
		p.whole[words[0]] = append(p.whole[words[0]], row)
	}
}

// find is the longest phrase that words begin with; starts says that a clause begins there.
func (p phrases) find(words []word, starts bool) (found cue, n int) {
	first := words[0].text
	for _, list := range [][]phrase{p.whole[first], p.stems[first[:min(len(first), stemLength)]]} {
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
	{pending, []string{"もし", "仮に", "場合", "なら", "たら", "れば", "許可", "承認", "同意", "了承", "次第", "お待ち", "待って", "待ち", "指示があ", "指示をい", "確認が取れ", "確認を取", "確認させて", "確認してから", "後で", "あとで", "のちほど", "後ほど", "いずれ", "将来", "予定", "つもり", "迷って", "検討", "かもしれ", "自信", "必要に応じ", "念のため聞", "とすれば", "としたら", "と仮定", "ときは", "とき、", "時は、", "際は", "やると", "と壊れ", "と消え"}},
	{example, []string{"例えば", "たとえば", "例:", "例：", "例です", "例として", "の例", "具体例", "一例", "例を", "サンプル", "書式", "形式", "構文", "文法", "のように書", "のように記", "のようになり", "のような", "のようにあり", "こう書", "と書", "と入力", "と打", "とあり", "とある", "と言", "と述べ", "と記", "とのこと", "だそう", "らしい", "引用", "抜粋", "転載", "見本", "雛形", "ひな形", "テンプレート", "説明用", "参考", "イメージ",
		"示し", "載せ", "見せ", "貼り", "お伝え", "記し", "紹介", "説明します", "挙げます", "記述があ", "記載", "には次の", "通常", "普通は", "ふつうは", "一般に", "一般的", "多くの人", "誰か", "攻撃者", "他の人", "前回は", "以前は", "以前、", "昨日", "先日", "かつて", "過去に", "当時", "従来", "さっきは", "実行しました", "試しました", "行いました", "実行された", "走らせました", "使いました", "使われていた", "間違い", "おすすめしません", "お勧めしません", "私なら", "でしょう", "分かりません", "わかりません", "ではありません",
		"ことができ", "こともでき", "できます", "可能です", "てもよい", "てもいい", "ばよい", "ばいい", "するとよい", "すると良い", "といい", "ください", "とよい", "案です", "提案", "候補", "想定", "失敗したコマンド", "失敗しました:", "たとえ"}},
	{refusal, []string{"実行しない", "実行しません", "実行するな", "実行しては", "実行はし", "まだ実行", "しないで", "しないこと", "やりません", "やらない", "行いません", "行わない", "てはいけ", "てはなら", "ではいけ", "べきではな", "べきでな", "やめて", "やめま", "やめてお", "使わない", "使いません", "書きません", "消しません", "削除しません", "変更しません", "触りません", "しませんでした", "していません", "せずに", "せず、", "禁止", "危険", "控え", "見送", "避け", "中止", "保留", "断り", "拒否", "お断り", "厳禁", "ダメ", "だめ", "まだ行", "まだし", "許されて", "できません"}},
}

// innocent are parts of Japanese words that look like cues.
var innocent = strings.NewReplacer("なければなら", "", "なければいけ", "", "もたら", "", "新たら", "", "ばならない", "", "例の", "", "例外", "", "通り", "", "一例目", "")

// turns are the ends of parts of a Japanese sentence behind which it says what follows from them.
var turns = []string{"ので、", "ので", "ため、", "から、", "ですが、", "ますが、", "そこで", "したがって", "よって、", "今回は"}

// doing are the ends of Japanese sentences that say what their writer does, when they say nothing else.
var doingJapanese = []string{"ます", "ましょう", "しよう", "する", "していく", "直す", "行う", "変える", "消す", "進める", "したい", "たいと思います"}

// asking are phrases of a question whether to do something; aside says that it is about something else.
var (
	asking = []string{"i", "we", "this", "that", "it", "these", "ok", "okay", "go ahead", "proceed", "agree", "approve", "confirm", "which", "permission", "all right", "alright", "sound good", "sounds good", "look good", "looks good", "good", "fine", "right", "correct", "objections", "me to", "ready", "shall", "sure", "yes", "thoughts"}
	aside  = []string{"also", "next", "then", "more", "another", "further", "afterwards", "else", "besides", "too", "additionally", "why", "where", "他に", "ほかに", "次に", "さらに", "また", "なぜ", "どこ"}
	// retractions say behind an action that it was only shown, or that it waits.
	retractions = []string{"only an example", "just an example", "an example", "example only", "not executed", "not run", "not done", "would be", "would do", "would run", "for illustration", "don't actually", "only shown", "merely"}
	waits       = []string{"waiting for your", "wait for your", "await your", "awaiting your", "let me know if i should", "let me know whether", "tell me if i should", "tell me whether", "say the word", "your approval", "your permission", "your go-ahead", "once you confirm", "once you agree", "if you agree", "if you approve", "if you want that", "if that is ok", "if that's ok", "if you say yes", "say yes", "before i run", "before i do"}
	pointers    = []string{"this", "that", "it", "these", "those", "them", "such", "anything", "so", "yet", "any", "what", "out", "as", "like", "one", "either", "here", "now", "by", "any"}
	near        = []string{"following", "command", "commands", "call", "action", "line", "lines", "above", "below", "out", "next", "kind", "thing", "snippet", "block", "example", "code", "step", "change", "deletion", "operation", "one", "steps"}
	knowing     = []string{"see", "find", "think", "know", "need", "worry", "have", "believe", "expect", "understand", "remember", "care", "mind", "forget", "seem", "be", "exist", "cover", "matter", "get", "contain", "work", "hesitate", "guess", "rush", "only", "just"}
	ill         = []string{"run", "executed", "done", "applied", "performed", "carried", "meant", "intended", "advised", "recommended", "safe", "wise", "advisable", "this", "like", "how", "sent", "issued"}
	// carriers stand between a clause's beginning and the one who says it.
	carriers = []string{"the", "a", "an", "our", "your", "my", "this", "that", "in", "from", "per", "according", "to", "on", "by", "at", "of", "one", "another", "some", "official", "their", "his", "her", "its", "as", "most", "many", "what", "how", "internal", "other", "line", "project's", "last", "quoted", "quoting", "copied", "taken", "found", "seen", "git", "shell", "bash", "upstream", "user's", "these", "every"}
	// imperatives begin a line that says what is done.
	imperatives = []string{"add", "apply", "build", "bump", "change", "check", "clean", "clear", "commit", "compile", "copy", "correct", "create", "define", "delete", "deploy", "disable", "drop", "edit", "enable", "execute", "extend", "extract", "fix", "format", "implement", "import", "inline", "insert", "install", "introduce", "list", "look", "make", "merge", "migrate", "modify", "move", "open", "overwrite", "patch", "push", "read", "refactor", "remove", "rename", "replace", "restart", "restore", "revert", "rewrite", "run", "save", "search", "set", "split", "start", "store", "switch", "test", "tidy", "try", "update", "upgrade", "use", "verify", "wire", "wrap", "write",
		"修正", "実行", "作成", "削除", "追加", "変更", "更新", "移動", "書き換え", "確認", "対応", "開始", "コマンド", "ステップ", "アクション", "内容", "整理", "適用", "導入", "置き換え", "置換", "分かりました", "わかりました", "見つけました", "確認しました", "了解しました", "承知しました", "準備ができました", "完了しました", "終わりました"}
	adverbs = []string{"now", "then", "just", "also", "only", "first", "simply", "quickly", "merely", "still", "currently", "here", "really", "gladly", "therefore", "already", "to", "going", "about", "be", "do"}
	nouns   = []string{"during", "nothing", "something", "anything", "everything", "string", "according", "regarding", "including", "following", "missing", "warning", "meaning", "interesting", "existing", "being", "having", "depending", "showing", "quoting", "thinking", "considering", "wondering", "waiting", "asking", "planning", "guessing", "suggesting", "proposing", "recommending", "illustrating", "demonstrating", "explaining", "describing", "hesitating", "citing", "recalling", "speaking", "judging", "assuming", "supposing", "imagining", "pending", "awaiting", "morning", "evening", "avoiding", "refusing", "declining", "skipping", "postponing", "leaving", "holding", "using", "providing"}
)

// reporting are last words that hand over to somebody's text.
var reporting = []string{"says", "said", "say", "wrote", "writes", "reads", "read", "contains", "shows", "showed", "suggests", "suggested", "was", "were", "is", "are", "answered", "answers", "replied", "mentions", "mentioned", "states", "stated", "recommends", "recommended", "recommend", "advises", "advised", "prints", "printed", "quotes", "lists", "listed", "told", "tells", "reports", "reported",
	"instructs", "of", "what", "like", "which", "whether", "instruction", "instructions", "warns", "warned", "claims", "claimed", "posted", "pasted", "proposes", "proposed", "describes", "described", "documents", "documented", "typed", "entered", "noted", "notes", "has", "had", "did", "ran", "used", "tried", "executed", "unsafe", "bad"}

// has reports whether a list has a word.
func has(list []string, w string) bool { return slices.Contains(list, w) }
