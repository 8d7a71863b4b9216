package trust

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func ledger(t *testing.T) Ledger { return Ledger{filepath.Join(t.TempDir(), "home", "trust.json")} }

var server = Thing{Kind: "server", Name: "files", From: ".mcp.json", Text: "npx -y files\n"}

func TestNothingIsAgreedToBeforeThePersonDoes(t *testing.T) {
	l := ledger(t)
	all, err := l.Look("/a", []Thing{server})
	if err != nil || len(Open(all)) != 1 || all[0].Diff() != "" {
		t.Fatalf("%+v, %v", all, err)
	}
	if _, err := os.Stat(l.File); err == nil {
		t.Error("looking made a file")
	}
	if err := l.Agree("/a", []Thing{server}); err != nil {
		t.Fatal(err)
	}
	if !l.Agrees("/a", server) {
		t.Error("not kept")
	}
	if l.Agrees("/b", server) {
		t.Error("what was agreed to in one folder holds in another")
	}
	if info, err := os.Stat(l.File); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
}

func TestAChangeAsksAgainAndShowsItself(t *testing.T) {
	l := ledger(t)
	if err := l.Agree("/a", []Thing{server}); err != nil {
		t.Fatal(err)
	}
	other := server
	other.Text = "npx -y files --all\n"
	all, err := l.Look("/a", []Thing{other})
	if err != nil || all[0].Agreed {
		t.Fatalf("%+v %v", all, err)
	}
	if d := all[0].Diff(); !strings.Contains(d, "-npx -y files\n") || !strings.Contains(d, "+npx -y files --all\n") {
		t.Errorf("diff %q", d)
	}
	if err := l.Agree("/a", []Thing{other}); err != nil {
		t.Fatal(err)
	}
	if !l.Agrees("/a", other) || l.Agrees("/a", server) {
		t.Error("the old word holds beside the new one")
	}
}

func TestAnotherNameOrFileIsAnotherThing(t *testing.T) {
	l := ledger(t)
	if err := l.Agree("/a", []Thing{server}); err != nil {
		t.Fatal(err)
	}
	for _, other := range []Thing{
		{Kind: "hook", Name: server.Name, From: server.From, Text: server.Text},
		{Kind: server.Kind, Name: "other", From: server.From, Text: server.Text},
		{Kind: server.Kind, Name: server.Name, From: "sub/.mcp.json", Text: server.Text},
	} {
		if l.Agrees("/a", other) {
			t.Errorf("%+v was never agreed to", other)
		}
	}
}

func TestWithdrawnIsGone(t *testing.T) {
	l := ledger(t)
	if err := l.Agree("/a", []Thing{server}); err != nil {
		t.Fatal(err)
	}
	if n, err := l.Withdraw("/a"); n != 1 || err != nil || l.Agrees("/a", server) {
		t.Errorf("%d, %v", n, err)
	}
}

func TestWhatCannotBeReadAgreesToNothing(t *testing.T) {
	l := ledger(t)
	if err := l.Agree("/a", []Thing{server}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(l.File, []byte(`{"/a":[`), 0o600); err != nil {
		t.Fatal(err)
	}
	if l.Agrees("/a", server) {
		t.Error("half a file agrees")
	}
	if err := l.Agree("/a", []Thing{server}); err == nil {
		t.Error("what cannot be read is written over")
	}
}

func TestTheCodeNamesWhatWasShown(t *testing.T) {
	other := server
	other.Text += "x"
	hook := Thing{Kind: "hook", Name: "stop"}
	if Code([]Thing{server}) == Code([]Thing{other}) || Code([]Thing{server, hook}) != Code([]Thing{hook, server}) || Code([]Thing{server}) == Code([]Thing{server, hook}) {
		t.Error("two lists under one code, or one under two")
	}
}

func TestALongTextIsDecidedByItsWhole(t *testing.T) {
	l := ledger(t)
	long := server
	long.Text = strings.Repeat("x", longest) + "a"
	if err := l.Agree("/a", []Thing{long}); err != nil {
		t.Fatal(err)
	}
	other := long
	other.Text = strings.Repeat("x", longest) + "b"
	if !l.Agrees("/a", long) || l.Agrees("/a", other) {
		t.Error("only the beginning counts")
	}
}
