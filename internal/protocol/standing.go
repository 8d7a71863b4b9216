package protocol

// wordSets are the words that the shapes call by a name.
var wordSets = map[string]string{
	"DET":      "the this that these those my our your all every any",
	"LAST":     "last next whole entire previous preceding above following",
	"IT":       "it this that these those them above following action actions command commands line lines step steps call calls change changes deletion message part thing",
	"MERE":     "only just merely purely solely simply nothing",
	"BE":       "is are was were be been being isn't wasn't it's that's remains remain stays stay has have had got gets",
	"A":        "a an the some another one",
	"SELF":     "i we",
	"AM":       "i'm we're i am we are was",
	"WHO":      "user users owner owners reviewer reviewers manager managers boss maintainer maintainers customer customers client clients team teams lead legal lawyer lawyers security operations ops policy policies rule rules law you they he she admin admins human person people management colleague colleagues architect architects author authors company vendor everyone everybody somebody someone nobody one operator mentor department",
	"WHOSE":    "the my our your a an his her their its company project house",
	"FORBID":   "forbade forbids forbid forbidden vetoed vetoes veto rejected rejects refused refuses denied denies declined declines prohibits prohibited disallows disallowed blocked blocks overruled opposes opposed objected objects disagreed disagrees disagree cancelled canceled cancels withdrew postponed deferred stopped halted banned bans",
	"UNDONE":   "vetoed rejected refused denied declined prohibited disallowed overruled forbidden cancelled canceled withdrawn postponed deferred shelved parked abandoned scrapped struck revoked retracted suspended halted banned tabled unapproved unconfirmed unauthorised unauthorized undecided hypothetical hypothetically illustrative fictional fictitious imaginary tentative premature aborted disavowed discarded quarantined impermissible unsanctioned",
	"SHOWN":    "example examples illustration illustrations demonstration demonstrations demo sketch draft sample samples joke jokes template placeholder quotation quotations quote citation excerpt fiction exercise proposal proposals suggestion suggestions idea ideas option options description explanation speculation rehearsal simulation hypothesis fantasy parody caricature test mock-up mockup specimen",
	"FOR":      "illustration demonstration comparison discussion reference show documentation explanation context completeness fun",
	"TELLING":  "quoting citing describing explaining illustrating demonstrating paraphrasing joking kidding speculating guessing pretending brainstorming rehearsing musing imagining wondering proposing suggesting thinking reporting listing repeating recalling",
	"CONSENT":  "approval approvals permission consent confirmation blessing yes go-ahead sign-off signoff authorisation authorization agreement decision decisions answer reply word verdict clearance ok okay mandate review signature nod light",
	"AGREED":   "agreed approved confirmed consented decided answered replied signed allowed permitted cleared responded authorised authorized spoken",
	"DECIDE":   "decide choose see check approve confirm think judge pick say speak answer know review look",
	"NOT":      "not never",
	"WONT":     "won't can't cannot mustn't shouldn't wouldn't couldn't daren't shan't",
	"WILL":     "will would must may can could should shall do dare might am",
	"VERB":     "do run execute perform touch delete remove carry go proceed apply act send follow obey start change use",
	"UNDO":     "belay forget strike scrap scratch cancel ignore disregard retract withdraw revoke skip abort stop wait halt hold void reject nix",
	"INTERJ":   "no nope wait stop hmm hm oh ah oops sorry hold halt void don't actually well er um nah argh please thanks but and scratch forget",
	"HOSTILE":  "attacker attackers hacker hackers phishing injection malware spam spammer intruder scam scammer",
	"ASKED":    "asked told ordered instructed agreed decided promised wanted wants want asks tells begged advised chose preferred prefers warned requested",
	"PTR":      "this that it these those them such above below following line lines call command script step snippet one-liner follows",
	"IRREAL":   "would could might",
	"WISHED":   "i'd we'd you'd one'd he'd she'd they'd it'd that'd would've",
	"OTHER":    "colleague colleagues coworker intern junior senior predecessor teammate friend wiki guide manual tutorial handbook forum blog article book textbook vendor faq runbook someone somebody people folks others they agent assistant attacker hacker editor beginner beginners",
	"TOLD":     "suggested suggests suggest recommended recommends recommend said says told tells tried tries used uses ran runs typed types type wrote writes claimed claims swore swears reads printed prints put puts did does do go goes went entered enters executed executes proposed proposes advised advises wanted wants done",
	"WHEN":     "tonight tomorrow later someday eventually monday tuesday wednesday thursday friday saturday sunday",
	"CONDS":    "if unless until till once provided providing should whenever after",
	"OWNER":    "you your user owner customer team lead somebody someone anybody anyone nobody he she they his her their",
	"MIND":     "opinion opinions view views thoughts call decision choice word consent yes blessing approval permission verdict say-so feedback judgement judgment",
	"ILL":      "bad terrible awful poor wrong stupid unwise careless reckless dangerous harmful risky foolish unsafe premature mistaken wicked typical classic",
	"NOTION":   "idea ideas plan plans move advice suggestion turn folder place project repository repo branch directory blunder mistake error sample version attempt practice",
	"DEAR":     "precious required held locked busy important",
	"STAY":     "stay stays remain remains survive survives stand stands wait waits",
	"MUST":     "must should has have needs need ought shall",
	"DECIDING": "decided scheduled discussed confirmed approved reviewed determined agreed clarified settled checked announced",
	"GOOD":     "right correct safe fine harmless good needed necessary due true ok okay approved agreed settled convinced certain sure sound",
	"DONE":     "done run executed performed applied carried taken made happened started sent deleted removed touched changed edited",
	"IS":       "is are was it's that's this's",
}

// setClasses are the classes whose words belong to a set as well.
var setClasses = map[string]class{"PTR": topics}

// hedges are words behind which a shape may begin; tails go on behind its end.
var (
	hedges = []string{"only", "just", "still", "also", "really", "actually", "though", "however", "sorry", "no", "wait", "well", "oh", "hmm", "course", "shown", "listed", "written", "given", "kept", "included", "purely", "merely", "reflection"}
	tails  = []string{"by", "in", "for", "until", "till", "last", "twice", "yesterday", "today", "before", "on", "at", "when", "because", "since", "from", "once", "and", "but", "though", "then", "first", "yet", "again", "now", "so", "please", "here", "after", "unless", "as", "either", "outright", "explicitly", "of", "to"}
)

// standings are the shapes of sentences, by what they say.
var standings = []struct {
	stand  stand
	shapes string // parted by commas; .. before one that may begin in the middle of a clause
}{
	// It is forbidden, or was said no to.
	{against, "WHOSE? WHO 1 FORBID OBJ? ~, ..said no, ..says no, ..say no, ..said stop, ..said not, ..a clear no, ..says not, WHOSE? WHO does/do/did not/never want/allow/approve/permit/agree/like OBJ? ~, WHOSE? WHO doesn't/don't/didn't want/allow/approve/permit/agree/like OBJ? ~, " +
		"..ASKED me/us? not/never to, ..ASKED against, ..ASKED me/us? to wait/stop/refrain/hold/keep, ..hands off, ..off limits, ..off-limits, ..off the table, ..out of bounds, ..out of scope, ..against the rules, ..against policy, not allowed/permitted/approved/authorised/authorized/sanctioned ~, NOT VERB OBJ? ."},
	{against, "OBJ BE BE? NOT? UNDONE ~, UNDONE ~, OBJ BE BE? turned/put/called/ruled/voted down/off/out ~, turned/put/called/ruled/voted down/off/out ~, ..on hold, ..on ice, OBJ BE BE? NOT allowed/approved/agreed/permitted/confirmed/wanted/meant, ..not to be VERB/done/executed/taken/carried/performed/applied/run/touched/used/sent"},
	// It was only shown.
	{against, "OBJ BE MERE? A? 1 SHOWN ~, MERE A? 1 SHOWN ~, ..thought experiment, ..dry run, ..for MERE FOR, ..for the sake of illustration/argument/example, ..for FOR MERE, ..FOR purposes, illustration ~, example ~, demonstration ~, hypothetical, hypothetically, ..purely illustrative, ..just theory, " +
		"i'm/we're MERE? TELLING, SELF am/are/was MERE? TELLING, SELF quote/cite/paraphrase/illustrate ~, SELF quote/cite/paraphrase/illustrate OBJ, ..thinking aloud, somebody/someone/anybody/anyone suggested/proposed/wrote/wanted/typed/recommended/asked OBJ, ..what WHOSE? HOSTILE, ..HOSTILE mail/mails/attempt/email/wrote/writes/wants/wanted, ..what SELF/one would/could/might, OBJ BE not real, ..to be laughed, ..A UNDONE SHOWN/version/attempt, ..SELF distrust, the following is UNDONE/obsolete/outdated/wrong/fiction/void/nonsense/invalid/untrue, what follows/comes is A? UNDONE/SHOWN/obsolete/outdated/wrong/void/nonsense, SELF take OBJ back, SELF withdraw/retract OBJ, ..to reject/refuse/ignore/decline OBJ ~, ..stays/remains/stay undone, ..please ignore/disregard/skip ~, no leave/skip/keep OBJ, OBJ means, ..nur ein beispiel, ..würde ich nie/nicht/niemals, ..nicht ausführen, ..un exemple ~, UNDONE SHOWN/version/plan/action/actions/reply/replies/step/steps/call/calls"},
	// Its writer keeps from it.
	{against, "SELF WILL NOT ~, SELF WILL NOT 1 VERB OBJ? ~, SELF WONT ~, SELF WONT 1 VERB OBJ? ~, SELF do not/never agree/approve/want/trust/dare, SELF don't agree/approve/want/trust/dare ~, SELF don't want to, i'd/we'd better/rather not, ..rather not ~, i'm/we're not allowed/permitted/authorised/authorized/going/supposed, " +
		"SELF am/are not allowed/permitted/authorised/authorized/going/supposed, SELF refuse/decline/object/abstain/pass/disagree/oppose/resist/hesitate/distrust ~, SELF refuse/decline/object/abstain/disagree/oppose/resist/hesitate/distrust to/with/against/OBJ, SELF have no/neither permission/right/rights/authority/mandate/business/intention/leave, SELF lack the/any/your permission/right/rights/authority/mandate, " +
		"i'll/we'll leave OBJ, SELF will? leave OBJ, SELF would never, SELF will? never VERB, not my/mine/our call/job/decision/place/business/to, not for me, SELF have not decided, SELF haven't decided, undecided, ..leave OBJ undone/alone, i'm/we're unsure/undecided, SELF am/are unsure/undecided, not sure ~, unsure ~"},
	// It waits for leave, or for another time.
	{against, "..ask 3 first ~, ask first, ask WHOSE? WHO first/before, check/confirm/clarify/clear/discuss/agree OBJ? with 3 first/before, ..check first ~, ..please check first, please confirm ~, ..wait/waits/waiting/wait/awaiting/await/awaits/pending for? 2 CONSENT/WHO, ..pending 1 CONSENT, hold on/off/fire ~, ..let/lets WHOSE? WHO DECIDE, ..WHO wants/want/prefers/prefer/likes to DECIDE, " +
		"only after/once/when/if/with, but only after/once/when/if/with, not now/yet/today/before/until/unless/without/anymore ~, not now/yet/today/before/until/unless/without, not for now/execution/use/running/production, not like this/that ~, WHO 1 has/have/had not 1 AGREED, WHOSE? WHO has/have/had not 1 AGREED, WHOSE? WHO hasn't/haven't/hadn't/didn't 1 AGREED/agree/approve/confirm/decide/answer, nobody/none/no-one has? AGREED, no one has AGREED, no CONSENT ~, no CONSENT yet/so, " +
		"..without 2 CONSENT ., ..without asking ., ..needs/need/requires/require 3 CONSENT ~, never without, ..your call, ..your decision, ..decision is yours, ..choice is yours, ..up to you, ..until 3 AGREED/agree/agrees/approve/approves/confirm/confirms/answer/answers/decide/decides, until then, later ~, tomorrow ~, another day/time ~, someday, next week/month/quarter/sprint ~, ..to be done 1 later/tomorrow/after/by/once/when, ..at the earliest, to be VERB by you, ..if you let me, ..pick the ones, " +
		"..draft do not, not executed, not done ~, not run ~, not applied ~"},
	{wondered, "should/shall/may/can/could/must SELF ~, should/shall/may SELF 1 VERB, should/shall/may SELF really, is OBJ ok/okay/fine/alright/right 1 you ., is OBJ all right, ..do you agree"},
	// It is taken back.
	{back, "INTERJ INTERJ? INTERJ? INTERJ? ., INTERJ? INTERJ? INTERJ? UNDO OBJ? 1 ., UNDO OBJ ~, undo the above/last/previous, undo/drop/delete/discard/erase/kill/reverse that ~, undo/drop/delete/discard/erase/kill/reverse that thought/line/call/action, UNDO about? OBJ ~, UNDO DET LAST ~, UNDO what SELF, UNDO OBJ 1 thought/from/away/out, UNDO SELF said/wrote, please UNDO ~, please UNDO OBJ, please do not, please don't, take OBJ back, SELF take OBJ back, SELF withdraw/retract/cancel/revoke OBJ, MERE? kidding/joking/fooling/teasing ~, SELF was/were joking/kidding/wrong/mistaken/confused/hasty, i'm/we're wrong/mistaken/confused/joking/kidding, " +
		"SELF misspoke/erred/slipped/reconsidered/miscalculated, my mistake/bad/error/fault/slip ~, SELF changed my/our mind, i've/we've changed my/our mind, SELF have changed my/our mind, i've/we've thought better, SELF thought better, SELF mixed/confused, i've/we've reconsidered, OBJ was A? 2 slip/mistake/error/joke/typo/premature/wrong/hasty/version/nonsense/misunderstanding ~, OBJ was too, OBJ went too, OBJ should/must/may/will/shall not be? VERB/DONE, OBJ shouldn't/mustn't/won't, ..that must not, " +
		"..on second thought/thoughts, better not, ..rather not, not really ~, not now, don't ~, do not ~, none of OBJ, nothing of OBJ, ..is real ., say go/yes/so/when, ..example only, such was, ..MERE fictional/illustrative, but no ~, no ~, expected nothing, ..nothing happens, or should SELF, ..should SELF rather, ..SELF would have, rolled back, void, i'll/we'll hold OBJ, i'll/we'll hold ~, SELF stop/stopped here, tell me whether, SELF quote"},
	{clears, "let you know, due on, SELF will not/never stop, wait for the result/results/output, no other, no further, no more, no surprises, no problem, no questions, no errors, no worries, not a, not only, not sure why, please enjoy, please note the, SELF stand by, the rest stays/remains, wait times, UNDO is/remains, not kidding/joking, SELF draw the line, with your consent/approval/permission as/of/given"},
	// It is imagined.
	{unreal, "..WISHED 1, ..SELF/you/one/PTR/somebody/someone/anyone/nobody IRREAL, ..IRREAL 4 PTR, ..IRREAL/can 6 like so, ..what SELF/one/you IRREAL, suppose/imagine/pretend/picture/supposing, say SELF/you, were SELF/you/it/there/PTR, had SELF/you/it/there/PTR, ..ideal world, in theory, theoretically, ..tempting, ..tempted, ..dream of, if only, ..weren't, ..at all ."},
	// It depends on others, or on another time.
	{depends, "CONDS OWNER, CONDS DET OWNER, ..until DET/OWNER, ..unless DET/OWNER, ..if you insist/like/want/wish/agree/prefer/say/ask"},
	{unreal, "..WHEN ., ..WHEN ~, ..next week/month/quarter/year/sprint/time, ..MUST to? wait, ..TOLD to wait/stop/refrain, ..on hold, hold on, ..hold off ., ..hold off PTR, ..hold off on PTR, ..nothing is to, ..nothing moves/happens/changes ~, OWNER/DET 2 has/needs/have/must to? sign/approve/agree/decide/confirm, ..to sign off, ..has/have/had/hasn't/haven't/hadn't not? 3 yet ."},
	// Its reader decides, or does it.
	{unreal, "please/kindly 2 confirm/tell/advise/decide/check/approve/say/choose/wait/ignore/disregard/skip/pretend/don't/have/answer, ..please confirm, tell me, tell us, ..let me/us know, ..tell me/us if/whether/what, ..rather hear, ..need/want/hear/await/awaiting/waiting/before/without/for/by/on/pending/get 2 your MIND, ..hear your, ..ask/asking you, ..you'd have, ..you would have, ..you may/might/can/could want/try/do, ..do/apply/run/try/type/enter PTR yourself, ..yourself, ..for you to, ..treat 2 as A? SHOWN, ..whether you, ..question is whether/if, ..is whether"},
	// Its writer is against it.
	{unreal, "..little/no reason to, ..have no reason/intention/business/plan/wish/right, ..no intention, ..no business, ..no idea, ..my doubts, ..not my/our/mine, SELF do not feel/endorse/approve, SELF don't feel/endorse/approve/like, SELF am not convinced/comfortable, never 4 IRREAL SELF, never in my, ..but no ., ..so no change/changes/action ~, ..is off A/DET, ..is/was to decline/refuse/refrain/abstain, only 4 may/can, SELF meant A/DET other/different, not for real, ..stay/keep/steer away/clear/off, ..keeping my/our, ..keep my/our, ..not touch PTR, SELF/i've/we've/i'm/we're 1 UNDONE/withdrawing/cancelling/canceling, SELF/i've/we've called PTR off, not that SELF, nah, nope, i'm/we're withdrawing, ..never do/run/type/enter/execute"},
	// What it is about is kept.
	{unreal, "..PTR STAY ~, ..PTR STAY ., ..PTR stays/remains where/as/in/for/on/untouched, ..worth keeping, ..MUST to? stay/remain/survive, ..PTR MUST to? STAY, ..is/are/be DEAR ., ..still DEAR/needed/used/wanted/in, ..only/sole 1 copy/export/backup, ..but it is ., ..is right as"},
	// It is no good.
	{unreal, "..PTR is/was/are/be/it's 1 ILL ~, ..it's ILL ~, ..ILL NOTION, PTR would be, ..which breaks/broke/kills/wipes/destroys, ..took/takes/brought 1 down, ..lost A 1 of/week/day/month, ..is/was/meant for the other, ..is/was/meant for A different, ..no 2 would, ..what not to, ..that would ILL/destroy/take/break/wipe"},
	// It was only shown, or is another's.
	{unreal, "the above is, ..merely/only/just/simply how, ..how it'd/one/somebody/someone, ..how 3 looked/got/broke/happened, ..shape of PTR/DET, ..to show you, ..sketch OBJ, ..OTHER 5 TOLD 2 PTR, ..OTHER 5 TOLD ., ..OTHER 3 TOLD ~, ..OTHER thinks/believes/claims/says, ..they go on, ..one should, ..she'll/he'll/they'll 1, previous/earlier/former/last session/agent/assistant/attempt/run/job 3 PTR, ..agent/session/assistant/person/user/owner tried/declined/rejected, ..turned down, PTR was my/our/the 1 plan/idea/intention, this was my, ..would have been, ..what took/broke/caused, ..claims that, ..or so"},
	{unfit, "too risky/dangerous/early/soon/hasty/drastic/destructive/much, UNDONE/discarded/dismissed alternative/option/approach/proposal/variant/idea, placeholder ~, MERE to demonstrate/show/illustrate/explain/describe/quote, what the bug/mistake/error/problem, sample of, example of, illustration of, to be DECIDING, waiting/awaiting/wait for, ..so no ., ..skipping ., keep ~, keep OBJ ~, keep the? PTR, ..wants/prefers/likes to keep, would destroy/lose/harm/erase, PTR IRREAL be A? ILL, PTR IRREAL be A? mistake/error/loss/shame/pity, copied/taken/quoted/cited from 3 as, as A warning/example/illustration/joke, no intention, undo my 1 suggestion/call/action/request/message, ..should be avoided/kept/asked/left/spared, ..not wanted, don't ~, don't ., if only, unless, until, off until/till, someone/somebody else, ..can't/cannot justify, A? 1 ILL idea/plan/move/turn/fix/example"},
	{affirms, "not 3 would be, ..anything/nothing but PTR"},
	{clears, "let you know, due on, ..said SELF would, ..no example/illustration/sample/joke, ..PTR is the right one, ..the result/results/diff/output ., ..the result before/after/and/of, after the dry run, no hypothesis, never again, ..out of OBJ, ..WISHED like, ..IRREAL fail/break without, ..otherwise, ..so that, ..if PTR STAY, not tested yet, dry run was/passed/succeeded/is, no kidding, unless i'm/we're, unless SELF, until now, ..you have any? questions, ..afterwards ., in the example, ..reason to keep/wait, with undo, ..anything else 1, would anything else"},
	// It is done.
	{instant, "..now ., executing/doing/running/performing/applying OBJ? now? ., now SELF 3 ."},
	{leading, "so it/this/that/they/PTR goes/go ~, ..so SELF, PTR is what SELF/you, what the/DET person/user wants/wanted, ..what SELF do/start/run/need, PTR 2 has/have to run/go, PTR need/needs not, ..IS convinced, PTR is the right, ..IS a good, ..it's GOOD ~, ..is/are GOOD ., ..is/are GOOD ~, ..need/needs not, ..the day has, you want/asked/wanted, ..you want this done, ..that you asked/wanted, it/this/that is/was the 1 step, this is my/our/the plan/fix/change/edit/step, what changes is, here it is, ..is no longer, ..no longer used/needed/depends, ..nothing/nobody/none 1 reads/uses/needs, ..it is stale, this is just the 2 output, generated/placeholder files/output, as a dry, after the dry, no other"},
	{leading, "approved/agreed/confirmed/accepted/cleared/granted/decided/settled ~, approved/agreed/confirmed/accepted/cleared by 3 ~, at once, right away, straight away, straight to work, with pleasure, immediately, hence ., ..therefore ., ..hence ., now ., exactly what you, what you ordered/wanted/asked/requested/wished/picked/chose, as ordered/instructed/agreed/wished/requested/promised, next 4 ., the 1 only/remaining/last thing/piece/step/part, the remaining, ..remaining 1 ., done thinking, enough thinking, ..thinking is over, ..fulfilled ., now comes, permission came/granted, you said go/yes/ok/okay, you wrote/said that/it, you told me to, you asked for OBJ, as you said, ..SELF do not/don't skip/postpone, no more waiting, no longer parked, this is my part, my part, fix ~, in scope, on your advice, for the sake of the, low risk, a short step, SELF have the right/rights, ..in favour of, ..no objection, ..has been confirmed, ..was right to, unblocked ~, i'm/we're glad to VERB, SELF am/are glad to VERB, what your mail/message/ticket/note asked, the new plan, SELF have permission/approval, SELF have your permission/approval/consent, OBJ was accepted/approved/agreed, permission granted"},
}

// standingsJapanese are parts and ends of Japanese sentences, by what they say.
var standingsJapanese = []struct {
	stand       stand
	parts, ends []string
}{
	{against, []string{"まだ実行し", "まだやら", "実行しない", "実行しません", "実行しては", "やらない", "やりません", "承認待ち", "許可待ち", "返事待ち", "回答待ち", "確認待ち", "許可を待", "承認を待", "返事を待", "に聞いてから", "に聞いた上", "の許可が必要", "の承認が必要", "の確認が必要", "断られ", "拒否され", "却下され", "禁止されてい", "禁じられ", "止められてい", "保留中", "仮の話", "仮定の話", "もしもの話", "これは例", "これは見本", "これは引用", "これは冗談", "これは案", "これは仮", "ただの例", "ただの説明", "ただの案", "ただの見本", "説明しているだけ", "引用しているだけ", "示しているだけ", "書いてみただけ", "例示", "例として示", "冗談", "に過ぎない", "にすぎない", "に過ぎません", "にすぎません", "没になった", "没案", "攻撃者", "してはいけない", "明日に", "明日やる", "後日", "今はやら", "今はし", "今日はし", "見合わせ", "昔の手順"},
		[]string{"保留", "中止", "中止する", "中止します", "中止になった", "中止しました", "延期", "延期する", "延期します", "延期になった", "却下", "禁止", "見送る", "見送り", "見送ります", "後回し", "後で", "引用", "これは例", "例です"}},
	{wondered, []string{"てもいいですか", "てもよいですか", "てもよろしいですか", "て良いですか", "ていいですか"}, nil},
	{back, []string{"忘れてください", "忘れて下さい", "なしで", "なしにし", "間違え", "間違いでした", "間違いです", "待ってください", "待って下さい", "いいえ", "いえ、", "取り消します", "取り消す", "取り消して", "取消します", "撤回", "やめておき", "やめとき", "やめました", "訂正します", "誤りでした", "違いました", "なかったことに"}, []string{"やめます", "間違い", "待って", "取り消し", "取消"}},
	{unreal, []string{"もし", "仮に", "としたら", "とすれば", "かもしれ", "つもり", "次第、", "次第で", "いただくまで", "りるまで", "れるまで", "あるまで", "出るまで", "返事を", "ご判断", "ご意見", "お申し付け", "ご注意", "ところですが", "たいところ", "我慢", "まだ早", "時期尚早", "控え", "ためら", "迷っ", "悩ん", "反対", "賛成でき", "納得でき", "同意でき", "根拠がな", "根拠があり", "意図はな", "意図はあり", "見本", "おすすめしま", "お勧めしま", "悪い例", "やらかし", "議事録", "教科書", "ただけ", "たでしょう", "未定", "棚上げ", "先送り", "持ち越", "お預け", "検討中", "調整中", "審議中", "白紙", "延期", "保留", "誤って書", "違いますね", "残すこと", "残してお", "そのままにしてお", "必要でした", "中止", "勝手に", "案だけ", "られません", "来月", "来週", "来年", "来期", "翌日", "翌週", "明日", "明後日", "待つ必要があ", "まで待", "嘘です", "お任せ", "駄目", "できなくな", "ご自身で", "お好みで"}, []string{"の例", "例", "見本のみ", "残す", "残したい", "残しておく", "例文", "サンプル", "次第", "権限なし", "許可なし", "承認なし", "同意なし"}},
	{instant, []string{"今から", "いまから", "今すぐ", "これから", "ただちに", "直ちに", "今、", "いま、"}, nil},
	{leading, []string{"賛成です", "賛成なので", "もらって", "もらいました", "ようにと言われ", "と頼まれ", "承認を得た", "許可を得た", "承認された", "許可された", "承認済み", "許可済み", "許可をいただいた", "承認をいただいた", "本日行う", "採用された"}, []string{"最後の操作:", "次の操作:", "残りの操作:", "次の手順", "次の手順:", "最後の手順:"}},
	{clears, []string{"までに", "とはいえ", "不要でした", "完了したら", "終わったら", "済んだら", "失敗した場合", "失敗したら", "お待たせ", "ご安心", "要りません", "必要はありません", "変更後", "実行後", "下りて", "いただいて", "いただいたので", "得ています", "残さない", "残す必要", "残すべきで", "今やらないと", "問題はなくな", "まだ実行されていない", "取れたので", "が一番", "どおり", "採用しました", "待たせ", "間違いな", "間違いあり", "間違いは", "可能です", "できます", "をやめます"}, nil},
}
