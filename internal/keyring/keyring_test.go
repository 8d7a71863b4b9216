package keyring

import (
	"os"
	"os/exec"
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

// A real Secret Service keeps a key from one process to the next, with nothing of it in the file.
func TestASecretServiceKeepsAKey(t *testing.T) {
	for _, program := range []string{"dbus-run-session", "gnome-keyring-daemon"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program + " is not installed")
		}
	}
	home := t.TempDir()
	c := exec.Command("dbus-run-session", "--", "sh", "-ec",
		`printf pass | gnome-keyring-daemon --unlock --components=secrets >/dev/null; for part in keep read forget; do NEBULA_RING=$part "$0" -test.run '^TestInsideASession$' -test.v; done`, os.Args[0])
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_RUNTIME_DIR=" + home, "KEYS=" + filepath.Join(home, "keys.json")}
	out, err := c.CombinedOutput()
	if err != nil || strings.Count(string(out), "--- PASS") != 3 {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestInsideASession(t *testing.T) {
	k := Keeper{os.Getenv("KEYS")}
	switch os.Getenv("NEBULA_RING") {
	case "keep":
		if inRing, err := k.Keep("openai", "sk-秘密"); err != nil || !inRing {
			t.Fatal(inRing, err)
		}
		if data, err := os.ReadFile(k.File); err != nil || strings.Contains(string(data), "秘密") {
			t.Errorf("%v\n%s", err, data)
		}
	case "read":
		if key, err := k.Key("openai"); err != nil || key != "sk-秘密" {
			t.Error(key, err)
		}
	case "forget":
		if was, err := k.Forget("openai"); err != nil || !was {
			t.Error(was, err)
		}
		if key, err := keyring.Get(service, "openai"); err == nil {
			t.Errorf("the ring still has %q", key)
		}
	default:
		t.Skip("a part of TestASecretServiceKeepsAKey")
	}
}
