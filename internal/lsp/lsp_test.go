package lsp

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"nebula/internal/helper"
	"nebula/internal/nebulatest"
)

// open makes the hub of a folder with real servers, in no box.
func open(t *testing.T, files map[string]string) (*Hub, string) {
	t.Helper()
	programs, err := nebulatest.LanguageServers()
	if err != nil {
		nebulatest.Missing(t, err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		write(t, dir, name, text)
	}
	h := New(Options{Dir: dir, First: time.Minute, Usual: 30 * time.Second, Find: func(name string) string { return programs[name] },
		Launch: func(command []string) (helper.Launch, error) {
			return helper.Launch{Command: command, Env: os.Environ(), Dir: dir}, nil
		}})
	t.Cleanup(func() {
		h.Close()
		for end := time.Now().Add(time.Minute); len(h.Running()) > 0 && time.Now().Before(end); {
			time.Sleep(10 * time.Millisecond)
		}
	})
	return h, dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	at := filepath.Join(dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// edit changes a file as a tool does, and asks what that made wrong.
func edit(t *testing.T, h *Hub, dir, name, before, after string) []Problem {
	t.Helper()
	write(t, dir, name, after)
	e := Edit{Path: name, After: []byte(after)}
	if before != "" {
		e.Before = []byte(before)
	}
	return h.Fresh(t.Context(), []Edit{e})
}

func TestRealServersTellWhatAChangeMadeWrong(t *testing.T) {
	for name, c := range map[string]struct {
		files             map[string]string
		file, after, says string
		other             string // a file in which the change makes something wrong; the file itself where empty
		line              int
		fine              string // the file mended
		used              string // a name in it, and where it is used
		useLine           int
		usedPlaces        []Place
	}{
		"gopls": {
			files: map[string]string{"go.mod": "module m\n\ngo 1.21\n", "a.go": "package m\n\nvar old int = \"wrong before\"\n\nfunc f(n int) int { return n }\n", "b.go": "package m\n\nvar x = f(1)\n"},
			file:  "a.go", after: "package m\n\nvar old int = \"wrong before\"\n\nfunc f(n, k int) int { return n + k }\n", other: "b.go", line: 3, says: "not enough arguments",
			fine: "package m\n\nvar old int = \"wrong before\"\n\nfunc f(n int) int { return n + 1 }\n", usedPlaces: []Place{{"a.go", 5}, {"b.go", 3}}, useLine: 5, used: "f(",
		},
		"typescript": {
			files: map[string]string{"tsconfig.json": `{"compilerOptions":{"strict":true}}`, "a.ts": "export function f(n: number): number { return n; }\n"},
			file:  "a.ts", after: "export function f(n: number): number { return \"n\"; }\n", line: 1, says: "not assignable",
			fine: "export function f(n: number): number { return n + 1; }\n",
		},
		"python": {
			files: map[string]string{"a.py": "def f(n: int) -> int:\n    return n\n"},
			file:  "a.py", after: "def f(n: int) -> int:\n    return missing\n", line: 2, says: "missing",
			fine: "def f(n: int) -> int:\n    return n + 1\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, dir := open(t, c.files)
			found := edit(t, h, dir, c.file, c.files[c.file], c.after)
			where := c.file
			if c.other != "" {
				where = c.other
			}
			if len(found) != 1 || found[0].Path != where || found[0].Line != c.line || !strings.Contains(found[0].Text, c.says) {
				t.Errorf("found %+v", found)
			}
			if found := edit(t, h, dir, c.file, c.after, c.fine); len(found) != 0 {
				t.Errorf("of what was mended it says %+v", found)
			}
			if c.used != "" {
				places, ok := h.Places(t.Context(), false, c.file, []byte(c.fine), c.useLine, c.used)
				slices.SortFunc(places, func(a, b Place) int { return strings.Compare(a.Path, b.Path) })
				if !ok || !slices.Equal(places, c.usedPlaces) {
					t.Errorf("used at %+v", places)
				}
			}
		})
	}
}

// TestWithoutAServerNothingIsSaid also holds that nothing runs before it is needed, and nothing after.
func TestWithoutAServerNothingIsSaid(t *testing.T) {
	before := runtime.NumGoroutine()
	looked := 0
	h := New(Options{Dir: t.TempDir(), Find: func(string) string { looked++; return "" }})
	if runtime.NumGoroutine() != before || looked != 0 {
		t.Error("something began before it was needed")
	}
	for range 3 {
		if found := h.Fresh(t.Context(), []Edit{{"a.go", []byte("a"), []byte("b")}, {"a.txt", nil, []byte("b")}}); found != nil {
			t.Errorf("%+v", found)
		}
	}
	if looked != 1 {
		t.Errorf("a server that is not there was looked for %d times", looked)
	}
	h.Close()
}

// TestServersThatMisbehaveHoldNobodyUp: one that says nothing, one that ends, one that floods, and one that speaks nonsense.
func TestServersThatMisbehaveHoldNobodyUp(t *testing.T) {
	for name, script := range map[string]string{
		"silent":   "sleep 60",
		"gone":     "exit 1",
		"nonsense": "echo 'Content-Length: -5'; echo; sleep 60",
		"huge":     "printf 'Content-Length: 99999999999\\r\\n\\r\\n'; cat /dev/zero",
		"flood":    "cat /dev/zero",
	} {
		t.Run(name, func(t *testing.T) {
			h := New(Options{Dir: t.TempDir(), First: time.Second, Usual: time.Second, Find: func(string) string { return "/bin/sh" },
				Launch: func([]string) (helper.Launch, error) {
					return helper.Launch{Command: []string{"/bin/sh", "-c", script}, Env: os.Environ(), Dir: "/"}, nil
				}})
			defer h.Close()
			start := time.Now()
			for range 3 {
				if found := h.Fresh(context.Background(), []Edit{{"a.go", []byte("a"), []byte("b")}}); found != nil {
					t.Errorf("%+v", found)
				}
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}

// The person's own program goes before one that the folder brings, and what lies in the folder is none of the person's.
func TestThePersonsServerGoesBeforeTheFolders(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	theirs, own := filepath.Join(dir, "node_modules", ".bin", "gopls"), filepath.Join(home, "gopls")
	for _, path := range []string{theirs, own} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for at, want := range map[string]string{own: own, theirs: theirs, filepath.Join(dir, "gopls"): theirs, "": theirs} {
		if at != "" {
			if err := os.WriteFile(at, nil, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if got := Find(dir, func(string) (string, error) { return at, nil })("gopls"); got != want {
			t.Errorf("where the person's is %q, %q is taken", at, got)
		}
	}
}

// What the folder keeps of its own is named as it would be started: where the person has none, and no other goes before it.
func TestTheFoldersOwnServersAreNamed(t *testing.T) {
	dir := t.TempDir()
	none := func(string) (string, error) { return "", os.ErrNotExist }
	if got := Own(dir, none); got != nil {
		t.Errorf("%q", got)
	}
	bin := filepath.Join(dir, "node_modules", ".bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"typescript-language-server", "basedpyright-langserver", "pylsp", "gopls", "other"} {
		if err := os.WriteFile(filepath.Join(bin, name), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	got := Own(dir, func(name string) (string, error) {
		if name == "gopls" {
			return "/usr/bin/gopls", nil
		}
		return none(name)
	})
	want := [][]string{{filepath.Join(bin, "typescript-language-server"), "--stdio"}, {filepath.Join(bin, "basedpyright-langserver"), "--stdio"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}
