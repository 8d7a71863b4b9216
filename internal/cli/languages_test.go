package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/trust"
	"nebula/internal/workspace"
)

// A language server that the folder keeps is started once the person agreed to just that one, and the person's own without.
func TestAFoldersLanguageServerNeedsAYes(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, "node_modules", ".bin", "zls")
	put := func(text string) {
		if err := os.WriteFile(own, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(own), 0o755); err != nil {
		t.Fatal(err)
	}
	put("one")
	s := &session{dir: dir}
	s.config.Home = config.Home{Settings: t.TempDir()}
	if s.consented([]string{own}) == nil {
		t.Error("it may run before anybody agreed")
	}
	things := s.languagesOf(dir, "")
	if len(things) != 1 || things[0].From != "node_modules/.bin/zls" {
		t.Fatalf("%+v", things)
	}
	if err := ledger(s.config).Agree(dir, things); err != nil {
		t.Fatal(err)
	}
	if err := s.consented([]string{own}); err != nil {
		t.Error(err)
	}
	if s.consented([]string{own, "--other"}) == nil {
		t.Error("another command was agreed to")
	}
	put("two")
	if s.consented([]string{own}) == nil {
		t.Error("it is another program by now")
	}
	if err := s.consented([]string{"/usr/bin/gopls"}); err != nil {
		t.Error(err)
	}
	if all, err := (trust.Ledger{File: s.config.Home.Trust()}).Look(dir, s.languagesOf(dir, "")); err != nil || len(all) != 1 || all[0].Before == nil {
		t.Errorf("%+v %v", all, err)
	}
}

// What is no JSON any more is told where no server of a language is.
func TestABrokenJSONFileIsToldWithoutAServer(t *testing.T) {
	s := &session{program: &program{env: func(string) string { return "" }}, dir: t.TempDir()}
	work, err := workspace.Open(s.dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, told := range map[string]bool{"{\n\"a\": 1,\n}\n": true, "{\"a\": 1}\n": false} {
		if err := os.WriteFile(filepath.Join(s.dir, "a.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		wrong, _ := s.finds(&project{work: work})(t.Context(), []nebula.Change{{Path: "a.json", Kind: "create", After: nebula.Hash([]byte(text))}})
		if strings.Contains(wrong, "a.json:3: ") != told || (wrong != "") != told {
			t.Errorf("%q: told %q", text, wrong)
		}
	}
}
