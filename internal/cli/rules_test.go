package cli

import (
	"os"
	"path/filepath"
	"testing"

	"nebula/internal/config"
	"nebula/internal/gate"
	"nebula/internal/trust"
)

// What the person allowed from now on is kept in their home, for one folder, by exactly what it says.
func TestRulesAreThePersonsOwn(t *testing.T) {
	home := t.TempDir()
	c := config.Config{Home: config.Home{Settings: home, Record: home, State: home}}
	book := func(dir string) rulebook {
		return rulebook{trust.Ledger{File: c.Home.Rules()}, dir, c}
	}
	rule := gate.Rule{Tool: "executeShell", Line: "go test ./...", Open: true}
	if err := book("/a").Add(rule); err != nil {
		t.Fatal(err)
	}
	if all := book("/a").All(); len(all) != 1 || all[0].String() != "go test …" {
		t.Errorf("%v", all)
	}
	if all := book("/b").All(); len(all) > 0 {
		t.Errorf("another folder has %v", all)
	}
	file := filepath.Join(home, "rules.json")
	data, err := os.ReadFile(file)
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
	if err != nil || os.WriteFile(file, []byte(string(data[:len(data)-20])), 0o600) != nil {
		t.Fatal(err)
	}
	if all := book("/a").All(); len(all) > 0 {
		t.Errorf("a broken book allows %v", all)
	}
}
