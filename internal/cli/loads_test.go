package cli

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula/internal/mcp"
)

// What a folder's program imports is agreed to with it: another byte of it asks again, and what is no code of it does not.
func TestWhatAProgramLoadsIsAgreedToWithIt(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		_ = os.MkdirAll(filepath.Dir(path), 0o700)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("hooks/check.py", "import helper")
	put("hooks/lib/helper.py", "1")
	put("tools/server/__main__.py", "from . import x")
	put("tools/server/x.py", "1")
	put("run.py", "1")
	put("other.py", "1")
	put("serve/index.js", "1")
	put("serve/lib.js", "1")
	put("bin.js", "1")
	put("hooks/run.txt", "1")
	put("err.txt", "1")
	put("run.txt", "1")
	_ = os.Symlink("/etc/hostname", filepath.Join(dir, "hooks/out.py"))
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, tt := range []struct {
		words  []string
		change string
		counts bool
	}{
		{[]string{"python3", "hooks/check.py"}, "hooks/lib/helper.py", true},
		{[]string{"python3", "hooks/check.py"}, "hooks/new.py", true},
		{[]string{"python3", "hooks/check.py"}, "hooks/state.log", false},
		{[]string{"python3", "hooks/check.py"}, "other.py", false},
		{[]string{"python3", "-m", "tools.server"}, "tools/server/x.py", true},
		{[]string{"node", "tools/server"}, "tools/server/x.py", true},
		{[]string{"python3", "run.py"}, "run.py", true},
		{[]string{"python3", "run.py"}, "other.py", false}, // at the top: it stands for itself
		{[]string{"npx", "-y", "files", ".."}, "hooks/check.py", false},
		{[]string{"npx", "--no-install", "zz"}, "node_modules/.bin/zz", true},
		{[]string{"npm", "run", "srv"}, "package.json", true},
		{[]string{"npm", "run", "srv"}, "serve/index.js", true},
		{[]string{"npm", "run", "srv"}, "serve/lib.js", true},
		{[]string{"npx", "."}, "bin.js", true},
		{unwritten("sh run.sh >> hooks/run.txt 2> err.txt"), "hooks/run.txt", false},
		{unwritten("sh run.sh >> hooks/run.txt 2> err.txt"), "err.txt", false},
		{unwritten("sh run.sh >> 'hooks/run.txt'; . hooks/run.txt"), "hooks/run.txt", true},
		{unwritten("python3 run.py run.txt"), "run.txt", false},
		{unwritten("python3 run.py run.txt"), "run.py", true},
		{unwritten("python3 run.py | tee -a run.txt"), "run.txt", false},
		{unwritten("python3 run.py | tee -a hooks/state.json"), "hooks/state.json", false}, // a program that only writes
		{unwritten("tee hooks/state.json < run.txt; python3 run.py hooks/state.json"), "hooks/state.json", true},
		{unwritten("python3 run.py | tee hooks/check.py"), "hooks/check.py", true},
		{unwritten("python3 run.py hooks/state.json"), "hooks/state.json", true}, // it may be what decides what runs
		{unwritten("python3 run.py > hooks/state.json"), "hooks/state.json", false},
		{unwritten("python3 run.py --to err.txt hooks/new.log"), "hooks/new.log", false},
		{unwritten("hooks/check.py run.txt"), "run.txt", false},
		{unwritten("python3 run.py hooks/rules.json"), "hooks/rules.json", true},
		{unwritten("sh run.txt err.txt"), "run.txt", true},
		{unwritten("sh -x run.txt"), "run.txt", true},
		{unwritten("node -r ./bin.js run.txt"), "run.txt", true},
		{unwritten("cat run.py run.txt | sh"), "run.txt", true},
		{unwritten("python3 run.py; . ./run.txt"), "run.txt", true},
		{unwritten("python3 run.py\nsh run.txt"), "run.txt", true},
		{unwritten("python3 run.py < run.txt"), "run.txt", true},
		{unwritten("python3 run.py;true"), "run.py", true},
		{unwritten("python3 run.py >>run.txt 2>err.txt"), "run.txt", false},
		{unwritten("sh <> run.txt"), "run.txt", true},
		{unwritten("sh -c 'sh $1' '>' run.txt"), "run.txt", true},
		{[]string{"make", "-s", "srv"}, "Makefile", true},
		{[]string{"python3", "run.py"}, "package.json", false},
		{parts([]string{"sh", "-c", "exec python3 './run.py'"}), "run.py", true},
		{parts([]string{"sh", "-c", "cd tools/server && ./run"}), "tools/server/x.py", true},
	} {
		put("package.json", `{"bin": {"srv": "./bin.js"}, "scripts": {"srv": "node serve/index.js --at 1"}}`)
		was := loads(root, tt.words)
		put(tt.change, t.Name()+tt.change+was)
		if is := loads(root, tt.words); (is != was) != tt.counts {
			t.Errorf("%q, %s: %q is %q", tt.words, tt.change, was, is)
		}
	}
	for range mostCode + 1 {
		f, _ := os.CreateTemp(filepath.Join(dir, "hooks"), "*.py")
		_ = f.Close()
	}
	if hash, n := codeIn(root, "hooks"); hash != "" || n != 0 {
		t.Error("a folder with too much in it is taken for one script's")
	}
}

// A folder's server runs in a box whatever it says itself, and where it looks for what it loads counts.
func TestAFoldersServerTakesNoRightByItself(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{".mcp.json": `{"mcpServers":{"x":{"command":"python3","args":["-m","srv"],"env":{"PYTHONPATH":"lib:src"},"outside":true}}}`, "src/srv.py": "1"} {
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	list, left := projectServers(root)
	if len(list) != 1 || list[0].Outside || len(left) != 1 {
		t.Fatalf("%+v, %v", list, left)
	}
	was := serverThing(root, list[0])
	if err := os.WriteFile(filepath.Join(dir, "src/srv.py"), []byte("2"), 0o600); err != nil {
		t.Fatal(err)
	}
	if is := serverThing(root, list[0]); is.Text == was.Text || strings.Contains(is.Text, "outside") {
		t.Error(is.Text)
	}
}

// A server that is started in a folder of the project is agreed to with what lies there, and runs there; one that a folder brings
// is started nowhere else.
func TestAServerIsStartedWhereItSays(t *testing.T) {
	dir := t.TempDir()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, text := range map[string]string{"tools/server.js": "1", "tools/lib.js": "1", "other.js": "1"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/", filepath.Join(dir, "away")); err != nil {
		t.Fatal(err)
	}
	s := &session{program: &program{env: func(string) string { return "" }}, dir: dir}
	for _, tt := range []struct {
		cwd, change string // of the code that it is agreed to with; none where it is not started
		home        bool
		in          string
	}{
		{"", "", false, dir},
		{"tools", "tools/server.js", false, dir + "/tools"},
		{"./tools/", "tools/lib.js", false, dir + "/tools"},
		{"${workspaceFolder}/tools", "tools/lib.js", false, dir + "/tools"},
		{dir + "/tools", "tools/lib.js", false, dir + "/tools"},
		{"..", "", false, ""},
		{"/", "", false, ""},
		{"away", "", false, ""},
		{"nowhere", "", false, ""},
		{"/", "", true, "/"},
	} {
		list, left, err := mcp.Parse([]byte(`{"mcpServers":{"x":{"command":"node","args":["server.js"],"cwd":`+quotedJSON(t, tt.cwd)+`}}}`), ".mcp.json")
		if err != nil || len(list) != 1 {
			t.Fatalf("%v %v", left, err)
		}
		list[0].Home = tt.home
		meant, _ := list[0].Expanded(s.variable)
		if in, err := s.placeOf(meant); in != tt.in || (err == nil) != (tt.in != "") {
			t.Errorf("%q is started in %q (%v), not %q", tt.cwd, in, err, tt.in)
		}
		if tt.change == "" {
			continue
		}
		was := serverThing(root, list[0])
		if err := os.WriteFile(filepath.Join(dir, tt.change), []byte(was.Text), 0o600); err != nil {
			t.Fatal(err)
		}
		if is := serverThing(root, list[0]); is.Text == was.Text {
			t.Errorf("%q: %s may change unseen:\n%s", tt.cwd, tt.change, is.Text)
		}
	}
}

func quotedJSON(t *testing.T, text string) string {
	t.Helper()
	data, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// What a server seems to need by how it is started is proposed, and nothing of its secrets with it.
func TestWhatAServerNeedsIsProposed(t *testing.T) {
	for want, s := range map[string]mcp.Server{
		"registry.npmjs.org:443":                            {Command: "npx", Args: []string{"-y", "@x/files", "."}},
		"pypi.org:443 files.pythonhosted.org:443":           {Command: "/usr/bin/uvx", Args: []string{"tracker"}},
		"registry.npmjs.org:443 db.example:5432":            {Command: "npx", Args: []string{"x", "postgresql://me:secret@db.example/all"}},
		"localhost:7000 api.example:443 cache.example:6379": {Command: "./srv", Args: []string{"--at=http://localhost:7000/x", "plain", "a=b"}, Env: map[string]string{"A": "https://api.example/v1?k=secret", "B": "redis://cache.example", "C": "file:///etc", "D": "https://api.example"}},
		"": {Command: "node", Args: []string{"server.js", "${URL}"}},
	} {
		if got := strings.Join(wants(s), " "); got != want {
			t.Errorf("%s: %q, not %q", s.What(), got, want)
		}
	}
}
