package update

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"nebula"
)

// keepers are managers of packages by a part of the paths at which they put programs, and what brings a newer one.
var keepers = []struct{ part, how string }{
	{"/node_modules/", "npm install -g nebula-agent@latest"},
	{"/Cellar/", "brew upgrade nebula"},
	{"/nix/store/", "nix profile upgrade nebula"},
	{"/scoop/apps/", "scoop update nebula"},
}

// Keeper is the command by which the program at a path is kept up to date; empty where it may be replaced. What the system's
// own folders hold is the system's.
func Keeper(at string) string {
	slashed := filepath.ToSlash(at)
	for _, k := range keepers {
		if strings.Contains(slashed, k.part) {
			return k.how
		}
	}
	if slashed == "/usr/bin/nebula" {
		return "apt, dnf, apk"
	}
	return ""
}

// Replace puts a binary in the place of the program at a path, after it was seen to start and to be the version it should
// be: at every moment the whole old or the whole new program stands there.
func Replace(ctx context.Context, at string, binary []byte, version string) (err error) {
	info, err := os.Stat(at)
	if err != nil {
		return nebula.Errorf("%s cannot be replaced: %w", at, err)
	}
	f, err := os.CreateTemp(filepath.Dir(at), ".nebula-*"+filepath.Ext(at))
	if err != nil {
		return nebula.Errorf("%s cannot be written: %w", filepath.Dir(at), err)
	}
	beside := f.Name()
	defer func() {
		if err != nil {
			_ = os.Remove(beside) // it was never in use
		}
	}()
	_, err = f.Write(binary)
	if err = errors.Join(err, f.Chmod(info.Mode().Perm()), f.Sync(), f.Close()); err != nil {
		return nebula.Errorf("%s cannot be written: %w", beside, err)
	}
	said, err := exec.CommandContext(ctx, beside, "version").Output()
	if err != nil || !strings.HasPrefix(string(said), "nebula "+version+" ") {
		return nebula.Errorf("release %s does not start here, so %s stays", version, at)
	}
	if err = swap(beside, at); err != nil {
		return nebula.Errorf("%s cannot be replaced: %w", at, err)
	}
	return nil
}

// swap renames over a program. Windows lets nobody write over one that runs, but rename it.
func swap(from, at string) error {
	if runtime.GOOS != "windows" {
		return os.Rename(from, at)
	}
	old := at + ".old"
	_ = os.Remove(old) // of the update before
	if err := os.Rename(at, old); err != nil {
		return err
	}
	if err := os.Rename(from, at); err != nil {
		return errors.Join(err, os.Rename(old, at))
	}
	return nil
}
