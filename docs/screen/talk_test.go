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
		resp, err := http.Post(partner.URL+"/chat/completions", "application/json", strings.NewReader(`{"messages": [{"role": "user", "content": "`+partner.Topics[0].To+`"}]}`))
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
