package judge

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// places are how a sentence stands beside an action, % being the sentence, by its letter and the language.
var places = map[byte]map[string][]string{
	'a': {"symops": {"%\n\n$ delete @ keep.txt"}, "dml": {"%\n\n🦆▶️[T:delete_file|keep.txt]◀️🦆"}},
	't': {"symops": {"~ %\n$ delete @ keep.txt"}, "dml": {"Thought: %\n🦆▶️[T:delete_file|keep.txt]◀️🦆"}},
	'b': {"symops": {"$ delete @ keep.txt\n\n%"}, "dml": {"🦆▶️[T:delete_file|keep.txt]◀️🦆\n\n%"}},
	'r': {"actionlist": {`{"say":"","actions":[{"operation":"deleteFile","args":{"path":"keep.txt"},"reasoning":"%"}]}`, `{"rationale":"%","step":"EXECUTION","next_step":"continue","say":"","actions":[{"operation":"deleteFile","args":{"path":"keep.txt"},"reasoning":"r"}]}`}},
	's': {"actionlist": {`{"say":"%","actions":[{"operation":"deleteFile","args":{"path":"keep.txt"},"reasoning":"r"}]}`}, "toolcall": {"%"}},
}

// TestWordsBesideAnActionAreHeard reads sentences that take an action back or give a reason for it, in every place they can stand.
func TestWordsBesideAnActionAreHeard(t *testing.T) {
	for file, most := range map[string][2]int{"leave.txt": {0, 40}, "leave_more.txt": {0, 49}} {
		data, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(file, func(t *testing.T) { hears(t, string(data), most) })
	}
}

// hears counts the sentences that are taken wrongly, where so many that take back and that mean it may be.
func hears(t *testing.T, data string, most [2]int) {
	tools := nebulatest.Specs()
	var count, wrong [2]int
	for line := range strings.Lines(data) {
		mark, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		where, text, ok := strings.Cut(rest, " ")
		if mark != "-" && mark != "+" || !ok {
			continue
		}
		kind := strings.Index("-+", mark)
		for _, place := range []byte(where) {
			for language, dresses := range places[place] {
				for _, dress := range dresses {
					said := text
					if strings.HasPrefix(dress, "{") {
						b, _ := json.Marshal(text)
						said = strings.Trim(string(b), `"`)
					} else if place == 'a' && !strings.ContainsAny(text[len(text)-1:], ".:?!") && text[len(text)-1] < 0x80 {
						said = strings.ToUpper(text[:1]) + text[1:] + "."
					}
					reply := strings.ReplaceAll(dress, "%", said)
					r := nebula.Reply{Parts: nebula.Text(reply), Finish: "stop"}
					if language == "toolcall" {
						r = nebula.Reply{Parts: nebula.PartsOf("", reply, nebula.Call{ID: "c1", Name: "deleteFile", Arguments: `{"path":"keep.txt"}`}), Finish: "tool_calls"}
					}
					in := named(t, language).decode(r, tools)
					count[kind]++
					if runs(in, tools) != (kind == 1) {
						wrong[kind]++
						t.Logf("%s %c %s: %s (%d)", mark, place, language, text, len(in.Actions))
					}
				}
			}
		}
	}
	t.Logf("of %d that take back %d run; of %d that mean it %d do not", count[0], wrong[0], count[1], wrong[1])
	if wrong[0] > most[0] || wrong[1] > most[1] {
		t.Errorf("%d that take back run, %d that mean it are asked about", wrong[0], wrong[1])
	}
}
