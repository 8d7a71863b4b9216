package judge

import (
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// TestWhatAsksForLeaveWaitsAndWhatAnnouncesRuns reads sentences that have their reader answer first (-) and such as announce, report or thank
// (+), in all languages, before and behind an action, alone and beside another sentence. Of those that wait 5 of 1,000 may run, of the
// others, most of which are asked about where they stand behind an action, 9 of 100 may be asked about.
func TestWhatAsksForLeaveWaitsAndWhatAnnouncesRuns(t *testing.T) {
	tools := nebulatest.Specs()
	all, wrong := map[string]int{}, map[string]int{}
	for _, line := range rows(t, "leave") {
		mark, text, _ := strings.Cut(line, " ")
		deletes := strings.Contains(text, "data.csv") || strings.Contains(text, "削除") || strings.Contains(text, "消") || strings.Contains(text, "delet") || strings.Contains(text, "remov")
		for _, l := range languages() {
			for _, reply := range amid(l.Name(), text, deletes) {
				all[mark]++
				if runs(l.decode(reply, tools), tools) != (mark == "+") {
					wrong[mark]++
					t.Logf("%s %s", l.Name(), line)
				}
			}
		}
	}
	t.Logf("of %v wrong: %v", all, wrong)
	if 1000*wrong["-"] > 5*all["-"] || 100*wrong["+"] > 9*all["+"] {
		t.Errorf("of %v wrong: %v", all, wrong)
	}
}

// amid are the replies in which a sentence stands beside an action.
func amid(language, text string, deletes bool) (list []nebula.Reply) {
	filler := "It is a small matter."
	if strings.ContainsFunc(text, func(r rune) bool { return r >= 0x3000 }) {
		filler = "これは小さな変更です。"
	}
	for _, place := range []string{"B", "A"} {
		for _, deed := range []string{"F", "W"} {
			if deed == "W" && deletes {
				continue
			}
			for _, say := range []string{text, filler + " " + text, text + "\n" + filler} {
				list = append(list, beside(language, place, deed, say, false))
			}
		}
	}
	return list
}

// TestFieldsThatWantLeaveWait reads fields of calls and of what stands around them that say that somebody has to agree.
func TestFieldsThatWantLeaveWait(t *testing.T) {
	tools := nebulatest.Specs()
	for field, waits := range map[string]bool{
		`"requires_approval":true`: true, `"needs_user_confirmation":"yes"`: true, `"approved":false`: true, `"status":"REQUIRES_USER_INPUT"`: true, `"user_confirmed":false`: true,
		`"requires_approval":false`: false, `"approved":true`: false, `"confirmation":"not required"`: false,
	} {
		call := `{"tool":"deleteFile",` + field + `,"args":{"path":"data.csv"}}`
		around := `{"rationale":"r","step":"EXECUTION","next_step":"continue","say":"",` + field + `,"actions":[{"operation":"deleteFile","args":{"path":"data.csv"},"reasoning":"r"}]}`
		for _, text := range []string{call, around} {
			in := named(t, "actionlist").decode(nebula.Reply{Parts: nebula.Text(text), Finish: "stop"}, tools)
			if runs(in, tools) == waits {
				t.Errorf("waits should be %v: %s: %s", waits, text, short(in))
			}
		}
	}
	for reply, protocol := range map[string]string{
		`{"rationale":"r","next_step":"wait_for_approval","say":"","actions":[{"operation":"deleteFile","args":{"path":"data.csv"},"reasoning":"r"}]}`:                "actionlist",
		`{"rationale":"r","next_step":"continue","say":"","question":"Delete it?","actions":[{"operation":"deleteFile","args":{"path":"data.csv"},"reasoning":"r"}]}`: "actionlist",
		"🦆▶️[D:decision=ask_user]◀️🦆\n🦆▶️[T:delete_file|data.csv]◀️🦆":                                                                                                 "dml",
		"~ 先にユーザーに確認が必要\n$ delete @ data.csv":                                                                                                                         "symops",
		"$ delete @ data.csv\nThe file is unused.\n\nMay I?\n\nIt can come back from git.":                                                                            "symops",
	} {
		if in := named(t, protocol).decode(nebula.Reply{Parts: nebula.Text(reply), Finish: "stop"}, tools); runs(in, tools) {
			t.Errorf("%s: %s", reply, short(in))
		}
	}
}
