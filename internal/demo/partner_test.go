package demo

import (
	"encoding/json"
	"os"
	"testing"
)

// What is said is chosen by what a line of the last message begins with, in both languages alike.
func TestTopicsAreFoundByTheBeginningOfALine(t *testing.T) {
	for _, lang := range []string{"en", "ja"} {
		var topics []Topic
		data, err := os.ReadFile("../../docs/screen/plan." + lang + ".json")
		if err == nil {
			err = json.Unmarshal(data, &topics)
		}
		if err != nil || len(topics) != 5 {
			t.Fatalf("%s: %d topics, %v", lang, len(topics), err)
		}
		partner := &Partner{Topics: topics}
		said := []message{{Role: "user", Content: topics[0].To}, {Role: "assistant"}, {Role: "user", Content: "### The step\n" + topics[1].To + ": a due date"}}
		if in, n, ok := partner.next(said); !ok || n != 0 || len(in.Actions) != 1 || in.Actions[0].Tool != "writeFile" {
			t.Errorf("%s: a step is answered with %+v, %d", lang, in, n)
		}
		if in, n, ok := partner.next(append(said, message{Role: "assistant"}, message{Role: "user", Content: "goal: " + topics[0].To})); !ok || n != 1 || in.Say == "" {
			t.Errorf("%s: what quotes a message is answered with %+v, %d", lang, in, n)
		}
		other := []message{{Role: "user", Content: "something else"}}
		if _, _, ok := partner.next(other); ok {
			t.Errorf("%s: what begins no topic is answered", lang)
		}
		partner.Else = "I am a recording."
		if in, _, ok := partner.next(other); !ok || in.Say != partner.Else {
			t.Errorf("%s: what begins no topic is answered with %+v", lang, in)
		}
	}
}
