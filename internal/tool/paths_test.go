package tool_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/tool"
)

// A path is read without its dress, and the model is told; what only stands for one is sent back.
func TestPathsAreReadWithoutTheirDress(t *testing.T) {
	const back = ""
	for given, want := range map[string]string{
		`"q.py"`: "q.py", "'q.py'": "q.py", "`q.py`": "q.py", "path: q.py": "q.py", "file_path=\"q.py\"": "q.py", "ファイル：q.py": "q.py",
		`src\q.py`: "src/q.py", "q.py ": "q.py", " q.py": "q.py", "ｑ．ｐｙ": "q.py", "ｓｒｃ／ｑ．ｐｙ": "src/q.py", "「q.py」": "q.py", "@q.py": "q.py", "`@q.py`": "q.py", "@scope/q.py": "@scope/q.py",
		"<path>": back, "PATH": back, "path/to/file.py": back, "/path/to/file.py": back, "<file name>": back, "{path}": back, "your_file.py": back, "`path/to/q.py`": back,
		"q.py": "q.py", "仕様（案）.md": "仕様（案）.md", "a b.txt": "a b.txt", "it's.txt": "it's.txt", "Path.swift": "Path.swift", "[id].tsx": "[id].tsx",
	} {
		if runtime.GOOS == "windows" && strings.Contains(given, `\`) {
			continue
		}
		f := newFolder(t, tool.Options{}, map[string]string{"old.txt": ""})
		p, err := f.propose("writeFile", args{"path": given, "content": "x\n"})
		if m := (*nebula.Mistake)(nil); want == back {
			if !errors.As(err, &m) || !strings.Contains(m.Text, "stands for a path") {
				t.Errorf("%q: %v %v", given, p.Targets, err)
			}
			continue
		}
		if err != nil || p.Targets[len(p.Targets)-1].Path != want {
			t.Errorf("%q: %v %v", given, p.Targets, err)
			continue
		}
		r := f.must("writeFile", args{"path": given, "content": "x\n"})
		if told := strings.Contains(r.Text, "was read as"); told != (given != want) || f.text(want) != "x\n" {
			t.Errorf("%q: %q", given, r.Text)
		}
		if got := f.must("readFile", args{"path": given}); !strings.Contains(got.Text, "x") {
			t.Errorf("%q: %q", given, got.Text)
		}
	}
}

// What has such a name is what is meant.
func TestPathsThatStandAreTakenAsTheyAre(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such names there")
	}
	for _, name := range []string{`"q.py"`, "q.py ", `src\q.py`, "<path>", "PATH", "path/to/file.py", "@q.py"} {
		f := newFolder(t, tool.Options{}, map[string]string{name: "this\n", "q.py": "other\n", "src/q.py": "other\n"})
		if r := f.must("readFile", args{"path": name}); !strings.Contains(r.Text, "this") || strings.Contains(r.Text, "was read as") {
			t.Errorf("%q: %q", name, r.Text)
		}
	}
}
