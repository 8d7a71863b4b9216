package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A folder in which nothing changed is not read again, and whatever changes in one is found.
func TestPinsAreFoundWhereverAFolderChanged(t *testing.T) {
	d := opened(t)
	laid(t, d, map[string]string{"a/b/c": "1", "a/AGENTS.md": "1", "f/g": "1", "quiet/x": "1"})
	at := func(p string) string { return filepath.Join(d.Path(), p) }
	look := func() string {
		pins, secrets := d.pins()
		for _, p := range pins {
			kind := map[pinKind]string{bare: " bare", link: " link", led: " led", veil: " veil"}[p.kind]
			secrets = append(secrets, p.path+kind)
		}
		for i, s := range secrets {
			secrets[i] = strings.TrimPrefix(s, d.real+"/")
		}
		slices.Sort(secrets)
		return strings.Join(slices.Compact(secrets), ", ")
	}
	for _, step := range []struct {
		deed func() error
		want string
	}{
		{func() error { return nil }, "a/AGENTS.md"},
		{func() error { return os.WriteFile(at("f/.env"), []byte("A=1"), 0o600) }, "a/AGENTS.md, f/.env"},
		{func() error { return os.WriteFile(at("a/b/claude.md"), nil, 0o600) }, "a/AGENTS.md, a/b/claude.md, f/.env"},
		{func() error { return os.Link(at("a/AGENTS.md"), at("f/hard")) }, "a/AGENTS.md, a/AGENTS.md led, a/b/claude.md, f/.env, f/hard led"},
		{func() error { return errors.Join(os.Remove(at("f/hard")), os.Rename(at("a/b"), at("f/b"))) }, "a/AGENTS.md, f/.env, f/b/claude.md"},
		{func() error {
			return errors.Join(os.Remove(at("f/b/claude.md")), os.Symlink("../g", at("f/b/claude.md")))
		}, "a/AGENTS.md, f/.env, f/b/claude.md link, f/g led"},
		{func() error { return os.WriteFile(at(".nebulaignore"), []byte("g\n"), 0o600) }, ".nebulaignore, a/AGENTS.md, f/.env, f/b/claude.md link, f/g led, f/g veil"},
		{func() error { return os.WriteFile(at(".nebulaignore"), []byte("quiet\n"), 0o600) }, ".nebulaignore, a/AGENTS.md, f/.env, f/b/claude.md link, f/g led, quiet veil"},
		{func() error {
			return errors.Join(os.Mkdir(at("quiet/objects"), 0o700), os.Mkdir(at("quiet/refs"), 0o700), os.WriteFile(at("quiet/HEAD"), nil, 0o600), os.Remove(at(".nebulaignore")))
		}, "a/AGENTS.md, f/.env, f/b/claude.md link, f/g led, quiet bare"},
	} {
		if err := step.deed(); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if is := look(); is != step.want {
				t.Errorf("%s\nwant\n%s", is, step.want)
			}
		}
		shift(t, d) // from now on times tell
		look()
	}
	was := *d.noticed.Load()
	look()
	for p, n := range *d.noticed.Load() {
		if was[p] != n {
			t.Errorf("%s was read again", p)
		}
	}
	if len(was) == 0 {
		t.Error("nothing is known of any folder")
	}
}
