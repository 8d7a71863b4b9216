package main

import (
	"strings"
	"testing"

	"nebula/docs/learn/played"
)

func TestChatSendsWhatWasSaidBefore(t *testing.T) {
	model := played.New(t, played.Says("Hello, Mika."), played.Says("Mika."))
	var out strings.Builder
	if err := chat(strings.NewReader("I am Mika.\nWho am I?\n"), &out, model.Base, model.Key, model.Model); err != nil {
		t.Fatal(err)
	}
	if want := "> Hello, Mika.\n> Mika.\n> "; out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
	second := model.Sent(1)
	if len(second) != 4 || second[1].Content != "I am Mika." || second[2].Content != "Hello, Mika." {
		t.Errorf("the second request carries %v", second)
	}
}

func TestARefusalOfTheServerEndsTheChat(t *testing.T) {
	model := played.New(t)
	if err := chat(strings.NewReader("hi\n"), &strings.Builder{}, model.Base, model.Key, model.Model); err == nil {
		t.Error("an error of the server was taken for an answer")
	}
}
