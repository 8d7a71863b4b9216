package agent

import "nebula"

// A phrase is something the session says to the model, in each language.
type phrase struct{ en, ja string }

// endings are the ways in which an action comes to no good end.
var endings = map[nebula.Status]phrase{
	nebula.Failed: {"failed", "失敗"}, nebula.Denied: {"denied", "拒否"}, nebula.Skipped: {"skipped", "未実行"}, nebula.Interrupted: {"interrupted", "中断"},
}

// The phrases.
var (
	refused        = phrase{"Refused, nothing was done", "拒否されました。何も行われていません"}
	refusedBefore  = phrase{"the person refused just this already in this turn, however it is written. Do something else, or ask", "同じ操作はこの回ですでに拒否されています。書き方を変えても同じです。別の方法をとるか、相手に尋ねてください"}
	turnStopped    = phrase{"The person stopped the turn; this was not done.", "作業が止められたため、これは実行されていません。"}
	dependsOn      = phrase{"Not done: it depends on %s, which ended as %s.", "実行していません。前提の %s は「%s」に終わりました。"}
	behindQuestion = phrase{"Not done: it stands behind the question of %s, whose answer you had not read. Read it, then do this only if it still holds.", "実行していません。%s の質問より後にあり、その回答をまだ読んでいません。回答を読み、なお必要な場合にだけ実行してください。"}
	behindFailure  = phrase{"Not done: it destroys something, and %s before it in this reply ended as %s. See to that first, then do this if it is still right.", "実行していません。失われるものがある操作で、この返答でその前にある %s は「%s」に終わりました。先にそれを解決し、なお正しい場合に実行してください。"}
	withoutChange  = phrase{"Not done: it was to run with the change of %s, which was refused.", "実行していません。%s の変更が拒否されたため、それを前提とするコマンドは見送りました。"}
	onOldFile      = phrase{"Not done: it was to run with the %s of %s, which failed, so the file is not what it was to be. Make that change, then run this.", "実行していません。前提の %s (%s) が失敗し、ファイルは目指した内容になっていません。変更してから実行してください。"}
	lastWord       = phrase{"This turn ends here (%s); nothing more is carried out in it. Report to the person now, in words alone: what is done, what is not, and what should come next.", "この回はここで終わりです (%s)。これ以上は実行されません。何が済み、何が残り、次に何をすべきかを、言葉だけで相手に報告してください。"}
	turnOver       = phrase{"Not done: the turn had come to its end.", "実行していません。この回は終わっていました。"}
	worn           = phrase{"Little is left of what this turn may use (%d %% is used). Finish what matters most, and report what is done and what is not.", "この回に使える分が残りわずかです (%d %% 使用済み)。最も重要なことを終え、済んだことと残りを報告してください。"}
	replyCut       = phrase{"the reply reached the longest that this model writes; \"go on\" continues it", "返答がこのモデルの最大の長さに達しました。「続けて」で先に進みます"}
	tooMany        = phrase{"the reply has %d actions, more than the %d that one may have, so nothing of it was done. Take fewer, smaller steps.", "返答に %d 個の操作があり、一度に許される %d 個を超えるため、何も実行していません。少しずつ進めてください。"}
	ranInstead     = phrase{"The person had this run instead: %s", "相手はこのコマンドに変えて実行しました: %s"}
	noCommandHere  = phrase{"only the command of a question that shows one can be changed", "コマンドを示した確認でだけ、コマンドを変えられます"}
	changedSince   = phrase{"Not done: the file, the command or the mode changed after the question was shown. Look again and propose it anew.", "実行していません。確認を求めた後に対象かモードが変わりました。見直してもう一度提案してください。"}
	noAnswer       = phrase{"Nobody answered.", "回答はありませんでした。"}
	endedBefore    = phrase{"Not done: nebula ended before it.", "実行していません。その前に nebula が終了しました。"}
	endedDuring    = phrase{"nebula ended while this ran; whether it took effect is not known. Check before doing it again.", "実行中に nebula が終了しました。効果があったかは不明です。やり直す前に確認してください。"}
	stoppedBefore  = phrase{"Stopped by the person.", "中止されました。"}
	endedAfter     = phrase{"Done: nebula ended before it could say so.", "完了しています。報告の前に nebula が終了しました。"}
	couldNotRead   = phrase{"This could not be read as actions. Write it again in the format you were taught, with the same contents:", "操作として読めませんでした。内容は変えず、教わった書式で書き直してください。"}
	stoppedHere    = phrase{"[stopped here by the person]", "[ここで相手が止めました]"}
	formAtFault    = phrase{"Not done: nobody is there to ask, and your form was the cause, since this had to be guessed from the reply. Write:", "実行していません。確認できる人がおらず、書式が原因です (返答から推測するしかありませんでした)。次のように書いてください:"}
	placeAtFault   = phrase{"Not done: nobody is there to ask, and what stands around this action reads as if it were only shown, put off or asked about. If you do it, write it again with nothing around it but a line directly above that says that you do it now; else go on without it.", "実行していません。確認できる人がおらず、前後の文からは、示しただけ・保留・質問と読めます。実際に行うなら、「今これを行う」という一行を直前に置き、ほかの文や枠なしで書き直してください。そうでなければ、無しで進めてください。"}
	sameAsAbove    = phrase{"The same as the result of %s %s above, in this reply.", "この返答の上にある %s %s の結果と同じです。"}
	noReason       = phrase{"no reason given; asked for was: %s", "理由の記載なし。依頼は: %s"}
	proveIt        = phrase{"Not accepted as done: %s. Run the tests, or a command that shows that it works. If that cannot be done, say so to the person in a line that begins with `Unverified:` and why.", "まだ完了とは認められません: %s。テストか、動くことを示すコマンドを実行してください。できない場合は「未確認: 理由」で始まる一行で相手に伝えてください。"}
	notProven      = phrase{"Ended without evidence: %s.", "確認のないまま終わりました: %s。"}
	nothingMade    = phrase{"Not accepted as done: the last change of %s failed, and was not made, or not all of it. Make it, or say to the person that it was not made.", "まだ完了とは認められません: 最後の %s の変更は失敗し、行われていないか、一部しか行われていません。変更をやり直すか、できなかったことを相手に伝えてください。"}
	nothingDone    = phrase{"You say that something is done, or that you do it, and nothing was: this turn has changed no file and run nothing. Do it now by actions, or say to the person that it was not done.", "行った、または行うとありますが、この回ではファイルの変更もコマンドの実行も一切していません。今ここで操作として行うか、行っていないことを相手に伝えてください。"}
	onlySaid       = phrase{"The model says that it did something, but in this turn nothing was changed and nothing was run.", "モデルは作業したと述べていますが、この回ではファイルの変更もコマンドの実行もありません。"}
	unmade         = phrase{"The last change of %s failed: it was not made, or not all of it.", "最後の %s の変更は失敗しました。行われていないか、一部だけです。"}
	stepBack       = phrase{"You repeat yourself. Step back: say what you know, what you expected, and plan anew before the next action.", "同じことを繰り返しています。一歩引いて、分かっていることと予想を述べ、次の操作の前に計画を立て直してください。"}
	notAllKept     = phrase{"Not all of the state was kept; cut was: %s. A line holds %d characters, an entry %d; there are at most %d constraints, %d steps of the plan and %d open questions.", "状態のすべては残せず、次を削りました: %s。一行は %d 文字、項目は %d 文字まで、制約 %d、計画 %d、未解決の問い %d 件までです。"}
	lowConfidence  = phrase{"Confidence is low (failures in a row that were there before: %d). Nothing is forbidden by it. What helps: read what the last error says and the files that it names, then take one small step that you can check.", "確信度が低くなっています (続けて繰り返した失敗: %d)。禁止されるものはありません。直前のエラーと、そこに挙がるファイルを読み、確かめられる小さな一歩を選んでください。"}
	lowMood        = phrase{"Mood is low (test runs in a row that failed in the same way: %d). Nothing is forbidden by it. What helps: read the failing test and the code that it runs, and look for another cause than the one assumed so far.", "気分が低くなっています (続けて同じように失敗したテスト: %d)。禁止されるものはありません。失敗しているテストと、それが動かすコードを読み、これまでの想定とは別の原因を探してください。"}
	circling       = phrase{"%s came to the same %d times now, with nothing new in between. Doing it again brings nothing: do something else, or say to the person what you lack.", "%s はこれで %d 回、間に新しいことのないまま同じ結果になりました。繰り返しても何も得られません。別の方法をとるか、足りないものを相手に伝えてください。"}
	choices        = phrase{"Stopped: %s. You can say how to go on, give a hint, switch the model, or undo this turn.", "停止しました: %s。続け方の指示、ヒント、モデルの変更、またはこの回の取り消しができます。"}
	stillFails     = phrase{"it still fails after %d attempts", "%d回試しても失敗します"}
	noTool         = phrase{"There is no tool %q.", "%q という道具はありません。"}
	keyHidden      = phrase{"Not done: a key stands here that you are not shown. Name the environment variable that holds it instead.", "実行していません。ここにはあなたに示されない鍵があります。代わりに、それを持つ環境変数の名前を書いてください。"}
	nothingAsked   = phrase{"Nothing was asked.", "質問がありません。"}
	noLonger       = phrase{"nothing waits for that answer any more", "その回答を待っているものはもうありません"}
	noUndo         = phrase{"nothing to take back: no turn of this session changed files", "取り消すものがありません。このセッションではファイルを変更していません"}
	noRedo         = phrase{"nothing to bring back: no undone turn", "戻すものがありません。取り消した回がありません"}
	cannotUndo     = phrase{"this session cannot take changes back", "このセッションでは変更を取り消せません"}
	underWay       = phrase{"a turn is under way; stop it first", "処理中です。先に止めてください"}
	somebodyThere  = phrase{"Approval: %s (%s). The person can answer.", "承認: %s (%s)。相手は回答できます。"}
	nobodyThere    = phrase{"Approval: %s (%s). Nobody is there to answer: what would be asked about is refused, so decide yourself.", "承認: %s (%s)。回答できる人がおらず、確認が要る操作は拒否されます。自分で判断してください。"}
	noTurn         = phrase{"nothing is under way that this could join", "処理中ではないため、加えられません"}
	noShell        = phrase{"no command can be run here", "ここではコマンドを実行できません"}
	noMode         = phrase{"no mode %q; there are plan and agent", "モード %q はありません。plan と agent があります"}
	noPolicy       = phrase{"no approval policy %q; there are ask, edits, all and none", "許可の方針 %q はありません。ask、edits、all、none があります"}
	onlyPlans      = phrase{"nothing is carried out in plan mode; switch to agent mode first", "plan モードでは実行しません。先に agent モードに切り替えてください"}
	tooLong        = phrase{"the conversation needs %d tokens and does not fit the window of %d tokens of %s", "会話に %d トークンが必要で、%[3]s の %[2]d トークンに収まりません"}
	larger         = phrase{"switch to a model with a larger window or begin a new session", "より大きなモデルに替えるか、新しいセッションを始めてください"}
	timeUp         = phrase{"stopped: the time limit was reached", "時間の上限に達したため停止しました"}
	stepsUp        = phrase{"stopped after %d steps (the limit)", "上限の %d 往復で停止しました"}
	tokensUp       = phrase{"stopped after %d tokens (the limit is %d)", "%d トークンで停止しました (上限 %d)"}
	costUp         = phrase{"stopped after $%.4f (the limit is $%.4f)", "$%.4f で停止しました (上限 $%.4f)"}
	unreadable     = phrase{"the model's replies could not be read; try another model or --protocol", "モデルの返答を読み取れませんでした。別のモデルか --protocol を試してください"}
	keepsAnswering = phrase{"%d replies in a row were written in %s", "%d 回続けて %s で返答がありました"}
	printsCalls    = phrase{"%d replies in a row wrote their calls as text", "%d 回続けて呼び出しがテキストで書かれました"}
	takesNoTools   = phrase{"%s was sent tools and refused: %s", "%s はツールの送信を拒みました: %s"}
	outOfDate      = phrase{"Changed since you read them, read them again before relying on them: %s", "読んだ後に変更されています。頼る前に読み直してください: %s"}
	outOfSight     = phrase{"No longer there, although you read them: %s", "読んだ後になくなっています: %s"}
	apiFailed      = phrase{"%s; %s", "%s。%s"}
	goOn           = phrase{"Go on.", "続けてください。"}
)

func (s *Session) say(p phrase) string {
	if s.state.Lang == "ja" {
		return p.ja
	}
	return p.en
}
