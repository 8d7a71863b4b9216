//go:build linux

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nebula/internal/confine"
	"nebula/internal/lists"
	"nebula/internal/nebulatest"

	"golang.org/x/sys/unix"
)

// What cannot be a host is none, and one word stands for all that packages come from.
func TestHostsThatCommandsReach(t *testing.T) {
	got := reachable([]string{"A.example:1", "registries", "no", "*:443"})
	if want := append([]string{"a.example:1"}, confine.Registries()...); !slices.Equal(got, want) || len(got) < 20 {
		t.Errorf("%q", got)
	}
	for _, host := range confine.Registries() {
		if !confine.Reachable(host) {
			t.Errorf("%s can be no host", host)
		}
	}
}

// The doctor lists what commands have beside the folder: the caches that they have layers over, and hosts.
func TestTheDoctorTellsWhatCommandsHave(t *testing.T) {
	if _, err := confine.Probe(); err != nil {
		t.Skip(err)
	}
	b := newBed(t)
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, ".npm"), 0o700); err != nil {
		t.Fatal(err)
	}
	c := b.command("doctor")
	c.Env = append(c.Env, "HOME="+home, "XDG_CACHE_HOME=", "GOCACHE=", "GOMODCACHE=", "npm_config_cache=", "PIP_CACHE_DIR=", "CARGO_HOME=")
	b.output("config", "set", "commands.hosts", "registries")
	out, _ := c.CombinedOutput()
	for _, want := range []string{"layers of their own over " + home + "/.npm\n", "commands reach registry.npmjs.org:443 "} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// Where the system does not give a layer, commands ask, and the doctor, the status and the rules say so; settings make the rest enough, and
// a project cannot.
func TestAWeakerBoxIsOneOnlyWhereSettingsSaySo(t *testing.T) {
	if _, err := confine.Given(false); err != nil {
		t.Skip(err)
	}
	b := newBed(t)
	_ = b.command("run", "hello").Run() // so that there is a session
	if err := os.MkdirAll(filepath.Join(b.folder, ".nebula"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.folder, ".nebula", "config.json"), []byte(`{"sandbox": "weaker"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	nebulatest.Refused(t, unix.SYS_LANDLOCK_CREATE_RULESET, 2, unix.LANDLOCK_CREATE_RULESET_VERSION, unix.ENOSYS, func() {
		for _, tt := range []struct {
			setting, command string
			want             []string
		}{
			{"on", "doctor", []string{"the system does not give landlock", "commands ask as if there were none"}},
			{"on", "status", []string{"the system does not give landlock", "commands ask as if there were none"}},
			{"on", "rules test true", []string{"held by: nothing"}},
			{"weaker", "doctor", []string{"commands run confined (users ", " seccomp)", "the system does not give landlock"}},
			{"weaker", "status", []string{" rights seccomp\n"}},
			{"weaker", "rules test true", []string{"held by: users ", " rights seccomp\n"}},
		} {
			b.output("config", "set", "sandbox", tt.setting)
			out, _ := b.command(strings.Fields(tt.command)...).CombinedOutput()
			for _, want := range tt.want {
				if !strings.Contains(string(out), want) {
					t.Errorf("%s: no %q in %s:\n%s", tt.setting, want, tt.command, out)
				}
			}
		}
	})
}

// On macOS the doctor says that the profile which is compiled in was run by nobody; it is made of the folder's box.
func TestTheDoctorSaysThatTheProfileWasNotRun(t *testing.T) {
	p := &program{at: t.TempDir(), env: func(name string) string { return map[string]string{"HOME": "/home/none"}[name] }}
	if said := p.profiled("linux").String(); said != "" {
		t.Error(said)
	}
	rules := 0
	if said := p.profiled("darwin").String(); !strings.Contains(said, "not run here; commands ask") || !lists.Has(strings.Fields(said), "rules") {
		t.Error(said)
	} else if _, err := fmt.Sscanf(said, "a profile of %d rules", &rules); err != nil || rules < 12 {
		t.Errorf("%s: %v", said, err)
	}
}
