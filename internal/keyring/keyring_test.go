package keyring

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"
)

func TestKeysAreKeptWhereThePersonAloneReads(t *testing.T) {
	for name, bus := range map[string]string{"in the ring": "unix:path=/nowhere", "in a file": ""} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("DBUS_SESSION_BUS_ADDRESS", bus)
			t.Setenv("XDG_RUNTIME_DIR", "")
			keyring.MockInit() // the library's own, in memory
			k := Keeper{filepath.Join(t.TempDir(), "home", "keys.json")}
			if list, err := k.Providers(); err != nil || len(list) != 0 {
				t.Fatal(list, err)
			}
			for _, provider := range []string{"openai", "anthropic"} {
				if inRing, err := k.Keep(provider, "sk-"+provider); err != nil || inRing != (bus != "") {
					t.Fatal(inRing, err)
				}
			}
			data, _ := os.ReadFile(k.File)
			info, err := os.Stat(k.File)
			if err != nil || info.Mode().Perm() != 0o600 || strings.Contains(string(data), "sk-") != (bus == "") {
				t.Errorf("%v %v\n%s", info.Mode(), err, data)
			}
			if key, err := k.Key("anthropic"); err != nil || key != "sk-anthropic" {
				t.Error(key, err)
			}
			if was, err := k.Forget("openai"); err != nil || !was {
				t.Error(was, err)
			}
			if was, err := k.Forget("openai"); err != nil || was {
				t.Error("forgotten twice", err)
			}
			if key, err := k.Key("openai"); err != nil || key != "" {
				t.Error(key, err)
			}
			if was, err := k.Forget("anthropic"); err != nil || !was {
				t.Error(was, err)
			}
			if _, err := os.Stat(k.File); !os.IsNotExist(err) {
				t.Error("the file of no keys is left", err)
			}
		})
	}
}

func TestARingThatFailsIsNoReasonToForget(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
	k := Keeper{filepath.Join(t.TempDir(), "keys.json")}
	keyring.MockInitWithError(os.ErrPermission)
	if inRing, err := k.Keep("openai", "sk-1"); err != nil || inRing {
		t.Fatal(inRing, err)
	}
	if key, err := k.Key("openai"); err != nil || key != "sk-1" {
		t.Error(key, err)
	}
	if err := os.WriteFile(k.File, []byte(`{"openai": "sk-secret`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Keep("groq", "x"); err == nil || strings.Contains(err.Error(), "sk-secret") {
		t.Error(err)
	}
}
