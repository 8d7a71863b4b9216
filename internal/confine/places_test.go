package confine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func homeWith(t *testing.T, files ...string) string {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

// Of a home, what begins with a dot is seen where tools need it, and nothing else of it.
func TestOnlyWhatToolsNeedOfAHomeIsSeen(t *testing.T) {
	home := homeWith(t, "work/x", "other/x", ".cache/pip/x", ".cache/huggingface/token", ".cargo/bin/cargo", ".cargo/credentials.toml", ".rustup/x", ".m2/settings.xml", ".m2/repository/x",
		".kaggle/kaggle.json", ".config/pip/pip.conf", ".config/git/config", ".config/git/credentials", ".local/bin/x", ".local/share/com.vercel.cli/auth.json", ".local/share/uv/tools/x",
		".bashrc", ".env", ".new-tool/token", ".foo/bin/foo", ".foo/lib/x", ".bar/token", ".nvm-here/x", ".gitconfig")
	if err := os.Symlink(home+"/other", home+"/.linked"); err != nil {
		t.Fatal(err)
	}
	environ := func(name string) string {
		return map[string]string{"PATH": home + "/.foo/bin:/usr/bin", "NVM_DIR": home + "/.nvm-here"}[name]
	}
	b, ok := For(Place{Folder: home + "/work", Home: home, Environ: environ})
	if !ok {
		t.Fatal("no box")
	}
	for name, seen := range map[string]bool{
		"work/x": true, "other/x": true, ".cache/pip/x": true, ".cache/huggingface/token": false, ".cargo/bin/cargo": true, ".cargo/credentials.toml": false, ".rustup/x": true,
		".m2/settings.xml": false, ".m2/repository/x": true, ".kaggle/kaggle.json": false, ".config/pip/pip.conf": false, ".config/git/config": true, ".config/git/credentials": false,
		".local/bin/x": true, ".local/share/com.vercel.cli/auth.json": false, ".local/share/uv/tools/x": true, ".bashrc": false, ".env": false, ".new-tool/token": false,
		".foo/bin/foo": true, ".foo/lib/x": true, ".bar/token": false, ".nvm-here/x": true, ".gitconfig": true,
	} {
		if got := !within(filepath.Join(home, name), b.Hide...); got != seen {
			t.Errorf("%s: seen %v", name, got)
		}
	}
	if slices.Contains(b.Hide, home+"/.linked") || slices.Contains(b.Hide, home+"/other") {
		t.Error("what a link leads to is hidden")
	}
}

// A command has layers over the caches that its programs may use.
func TestCachesAreOverlaidForThoseWhoUseThem(t *testing.T) {
	home := homeWith(t, "work/x", ".cache/x", ".npm/x", "go/pkg/x", ".cargo/registry/x", "mine/x")
	environ := func(name string) string { return map[string]string{"GOCACHE": home + "/mine"}[name] }
	for programs, want := range map[string]string{
		"":         "mine .cache .npm .cargo/registry go/pkg",
		"ls git":   "none",
		"ls go":    "mine .cache go/pkg",
		"cargo cd": "mine .cache .cargo/registry",
		"make ls":  "mine .cache .npm .cargo/registry go/pkg",
	} {
		p := Place{Folder: home + "/work", Home: home, Environ: environ, Programs: strings.Fields(programs)}
		if programs == "" {
			p.Programs = nil
		}
		b, _ := For(p)
		var got []string
		for _, l := range b.Layers {
			got = append(got, strings.TrimPrefix(l.Path, home+"/"))
		}
		if s := strings.Join(got, " "); s != want && (want != "none" || s != "") {
			t.Errorf("%q: %s", programs, s)
		}
	}
}

// A cache that the person's environment names has its layer wherever it is; what a link of the home leads to outside has none.
func TestCachesOutsideTheHomeAreOverlaidWhereTheEnvironmentNamesThem(t *testing.T) {
	elsewhere := homeWith(t, "cache/x", "linked/x", "home/work/x")
	home := elsewhere + "/home"
	if err := os.Symlink(elsewhere+"/linked", home+"/.npm"); err != nil {
		t.Fatal(err)
	}
	environ := func(name string) string {
		return map[string]string{"GOCACHE": elsewhere + "/cache", "GOMODCACHE": elsewhere}[name]
	}
	b, ok := For(Place{Folder: home + "/work", Home: home, Environ: environ})
	if !ok || len(b.Layers) != 1 || b.Layers[0].Path != elsewhere+"/cache" {
		t.Errorf("layers over %v", b.Layers)
	}
}

// A folder that holds the person's home, or that is the system's or another's, is nobody's to be changed by commands.
func TestNoBoxIsMadeOfWhatIsNoProject(t *testing.T) {
	home := homeWith(t, "work/x", "another/x")
	for folder, want := range map[string]bool{
		home + "/work": true, home: false, filepath.Dir(home): false, "/": false, "/usr": false, "/etc": false, "/tmp": false, "/proc/self": false, "/dev": false, "/sys/kernel": false, home + "/nowhere": false,
	} {
		if _, err := os.Stat(folder); err != nil && want {
			t.Fatal(err)
		}
		if _, ok := For(Place{Folder: folder, Home: home, Environ: func(string) string { return "" }}); ok != want {
			t.Errorf("%s: %v", folder, ok)
		}
	}
	if _, ok := For(Place{Folder: home + "/work", Environ: os.Getenv}); ok {
		t.Error("a box is made for a person whose home nobody knows")
	}
	if os.Geteuid() == 0 && os.Chown(home+"/another", 4242, 4242) == nil {
		if _, ok := For(Place{Folder: home + "/another", Home: home, Environ: os.Getenv}); ok {
			t.Error("root's commands change a folder of another's")
		}
	}
}

// Neither other people's homes nor the system's own secrets and sockets are seen, and nebula's not even where that was asked for by name.
func TestWhatIsNotThePersonsIsNotSeen(t *testing.T) {
	home := homeWith(t, "work/x", "own/nebula.db", "keys/k", ".ssh/id")
	b, ok := For(Place{Folder: home + "/work", Home: home, Environ: func(string) string { return "" }, Own: []string{home + "/own"}, Read: []string{home + "/own", home + "/.ssh"}})
	if !ok {
		t.Fatal("no box")
	}
	for path, seen := range map[string]bool{"/run/docker.sock": false, "/var/run/x": false, "/etc/shadow": false, "/etc/ssh/ssh_host_key": false, "/root/x": false, "/etc/passwd": true, home + "/own/nebula.db": false, home + "/keys/k": true, home + "/.ssh/id": true} {
		if got := !within(path, b.Hide...); got != seen {
			t.Errorf("%s: seen %v", path, got)
		}
	}
}

// No variable leads a command to what speaks for the person, and tools that find no cache keep theirs where they may write.
func TestNoVariableLeadsOut(t *testing.T) {
	home := homeWith(t, ".npm/x")
	kept := []string{"HOME=" + home, "PATH=/bin", "LANG=ja_JP.UTF-8"}
	env := slices.Clone(kept)
	for _, name := range strings.Fields("SSH_AUTH_SOCK SSH_AGENT_PID DBUS_SESSION_BUS_ADDRESS DOCKER_HOST XDG_RUNTIME_DIR DISPLAY WAYLAND_DISPLAY XAUTHORITY GPG_AGENT_INFO TMPDIR TMP TEMP GOTMPDIR") {
		env = append(env, name+"=/run/x")
	}
	if got, want := (Box{}).Environment(env), append(kept, "XDG_CACHE_HOME=/tmp/.cache"); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := (Box{}).Environment([]string{"HOME=" + home, "XDG_CACHE_HOME=/mine"}); len(got) != 2 {
		t.Errorf("%q", got)
	}
}

// What is asked for is a host with its port, and none that serves the machines beside it.
func TestWhatCanBeReached(t *testing.T) {
	for host, want := range map[string]bool{
		"registry.npmjs.org:443": true, "192.0.2.1:80": true, "localhost:8080": true, "a.example": false, "a.example:0": false, "a.example:99999": false, ":80": false, "a b:80": false, "*.example:443": false,
		"169.254.169.254:80": false, "100.100.100.200:80": false, "224.0.0.1:80": false, strings.Repeat("a", 254) + ":1": false,
	} {
		if got := Reachable(host); got != want {
			t.Errorf("%s: %v", host, got)
		}
	}
}
