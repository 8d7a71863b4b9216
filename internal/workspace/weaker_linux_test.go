package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula/internal/confine"
	"nebula/internal/nebulatest"

	"golang.org/x/sys/unix"
)

// Where the system refuses a layer, commands run in no box, and so are asked about; halfway the one that meets that does not run and
// says why. Only settings make the layers that are left enough.
func TestFewerLayersAreEnoughOnlyWhereSettingsSaySo(t *testing.T) {
	for _, layer := range []struct {
		name     string
		call     uintptr
		argument int
		value    uint32
		held     confine.Held
	}{
		{"landlock", unix.SYS_LANDLOCK_CREATE_RULESET, 2, unix.LANDLOCK_CREATE_RULESET_VERSION, confine.Landlock},
		{"landlock", unix.SYS_LANDLOCK_RESTRICT_SELF, 1, 0, confine.Landlock},
		{"seccomp", unix.SYS_SECCOMP, 0, unix.SECCOMP_SET_MODE_FILTER, confine.Seccomp},
	} {
		for _, weaker := range []bool{false, true} {
			for _, halfway := range []bool{false, true} {
				d := opened(t)
				d.Guarded()
				place := confine.Place{Home: os.Getenv("HOME"), Environ: os.Getenv, Kept: t.TempDir(), Weaker: weaker}
				if !d.Confine(place, func() (confine.Held, error) { return confine.Given(weaker) }) {
					t.Fatal("no box")
				}
				if halfway && d.CanView() != nil {
					t.Fatal("no box before")
				}
				nebulatest.Refused(t, layer.call, layer.argument, layer.value, unix.EPERM, func() {
					if halfway && !weaker {
						e, err := d.Run(t.Context(), executing(t), Command{Line: "echo > ran", View: true}, nil)
						if _, ran := os.Stat(filepath.Join(d.Path(), "ran")); err == nil || e.Started || ran == nil || !strings.Contains(err.Error(), layer.name) || !strings.Contains(err.Error(), "sandbox=weaker") {
							t.Errorf("%s: %+v %v", layer.name, e, err)
						}
					}
					e, err := d.Run(t.Context(), executing(t), Command{Line: "echo hi"}, nil)
					want := confine.Held(0)
					if weaker {
						want = confine.All &^ layer.held
					}
					if err != nil || string(e.Output) != "hi\n" || e.Held != want || (d.CanView() == nil) != weaker {
						t.Errorf("%s, weaker %v, halfway %v: %s, %q, %v, %v", layer.name, weaker, halfway, e.Held, e.Output, err, d.CanView())
					}
				})
			}
		}
	}
}
