package agent

// A phrase is something the session says to the model, in each language.
type phrase struct{ en, ja string }

// The phrases.
var (
	refused      = phrase{"Refused, nothing was done", "拒否されました。何も行われていません"}
	turnStopped  = phrase{"The person stopped the turn; this was not done.", "作業が止められたため、これは実行されていません。"}
	dependsOn    = phrase{"Not done: it depends on %s, which ended as %s.", "実行していません。前提の %s が %s に終わりました。"}
	changedSince = phrase{"Not done: the file, the command or the mode changed after the question was shown. Look again and propose it anew.", "実行していません。確認を求めた後に対象かモードが変わりました。見直してもう一度提案してください。"}
	noAnswer     = phrase{"Nobody answered.", "回答はありませんでした。"}
	endedBefore  = phrase{"Not done: nebula ended before it.", "実行していません。その前に nebula が終了しました。"}
	endedDuring  = phrase{"nebula ended while this ran; whether it took effect is not known. Check before doing it again.", "実行中に nebula が終了しました。効果があったかは不明です。やり直す前に確認してください。"}
	couldNotRead = phrase{"This could not be read as actions. Write it again in the format you were taught, with the same contents:", "操作として読めませんでした。内容は変えず、教わった書式で書き直してください。"}
	stoppedHere  = phrase{"[stopped here by the person]", "[ここで相手が止めました]"}
)

func (s *Session) say(p phrase) string {
	if s.state.Lang == "ja" {
		return p.ja
	}
	return p.en
}
