//go:build linux

package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nebula/internal/confine"
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
