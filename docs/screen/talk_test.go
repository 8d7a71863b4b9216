package main

import (
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"testing"
)

func TestTalkSaysWhatTheDemoSays(t *testing.T) {
	for _, lang := range []string{"en", "ja"} {
		partner, err := newTalk(lang, "")
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.Post("http://"+partner.address+"/v1/chat/completions", "application/json", strings.NewReader(`{"messages": [{"role": "user", "content": "`+partner.topics[0].To+`"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		for _, want := range []string{`"name":"list"`, `\"reason\":`, `"finish_reason":"tool_calls"`, "data: [DONE]"} {
			if !strings.Contains(string(body), want) || err != nil {
				t.Errorf("%s lacks %s: %v\n%s", lang, want, err, body)
			}
		}
		if err := partner.close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(partner.dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left behind", partner.dir)
		}
	}
}

// What is said is chosen by what a line of the last message begins with, in both languages alike.
func TestTopicsAreFoundByTheBeginningOfALine(t *testing.T) {
	for _, lang := range []string{"en", "ja"} {
		topics, err := topicsOf(lang, "plan."+lang+".json")
		if err != nil || len(topics) != 5 {
			t.Fatalf("%s: %d topics, %v", lang, len(topics), err)
		}
		partner := &talk{topics: topics}
		said := []message{{Role: "user", Content: topics[0].To}, {Role: "assistant"}, {Role: "user", Content: "### The step\n" + topics[1].To + ": a due date"}}
		if in, n, ok := partner.next(said); !ok || n != 0 || len(in.Actions) != 1 || in.Actions[0].Tool != "writeFile" {
			t.Errorf("%s: a step is answered with %+v, %d", lang, in, n)
		}
		if in, n, ok := partner.next(append(said, message{Role: "assistant"}, message{Role: "user", Content: "goal: " + topics[0].To})); !ok || n != 1 || in.Say == "" {
			t.Errorf("%s: what quotes a message is answered with %+v, %d", lang, in, n)
		}
	}
}
