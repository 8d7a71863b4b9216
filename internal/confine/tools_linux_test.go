package confine

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// What people build and test with works in a box, with their own caches.
func TestToolsWorkInside(t *testing.T) {
	able(t)
	for _, tt := range []struct {
		tool  string
		files map[string]string
		line  string
	}{
		{"go", map[string]string{"go.mod": "module m\n\ngo 1.26\n", "a.go": "package m\n", "a_test.go": "package m\n\nimport (\n\t\"net\"\n\t\"os\"\n\t\"testing\"\n)\n\nfunc Test(t *testing.T) {\n\tl, err := net.Listen(\"tcp\", \"127.0.0.1:0\")\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tif _, err := net.Dial(\"tcp\", l.Addr().String()); err != nil {\n\t\tt.Fatal(err)\n\t}\n\tif err := os.WriteFile(t.TempDir()+\"/x\", nil, 0o600); err != nil {\n\t\tt.Fatal(err)\n\t}\n}\n"}, "go build ./... && go vet ./... && go test ./..."},
		{"git", map[string]string{"a": "x"}, "git init -q . && git add a && git config user.name a && git config user.email a@b && git commit -qm x && git log --oneline && git diff HEAD && echo y > a && git status --short && git diff --stat && git stash -q && git stash pop -q && git checkout -qb b && git commit --amend --no-edit -qa && git gc -q"},
		{"make", map[string]string{"Makefile": "all: a.o\n\t./a.o\na.o: a.c\n\tcc -o a.o a.c\n", "a.c": "int main(){return 0;}\n"}, "make"},
		{"python3", map[string]string{"test_a.py": "import unittest, tempfile, subprocess, multiprocessing\nclass A(unittest.TestCase):\n    def test(self):\n        with tempfile.TemporaryDirectory(): pass\n        subprocess.check_call(['true'])\n        with multiprocessing.Pool(2) as p: self.assertEqual(p.map(abs, [-1]), [1])\n"}, "python3 -m unittest && python3 -m venv --without-pip v && v/bin/python -c 'import ssl'"},
		{"node", map[string]string{"package.json": `{"name":"x","version":"1.0.0","scripts":{"test":"node --test"}}`, "a.test.js": "const test = require('node:test');\ntest('good', async () => { const s = require('http').createServer((q, r) => r.end('x')); await new Promise(d => s.listen(0, d)); await fetch('http://127.0.0.1:' + s.address().port); s.close(); });\n"}, "npm test && npm ls && npm pack --silent"},
		{"npm", map[string]string{"package.json": `{"name":"x","version":"1.0.0","dependencies":{"y":"file:./y"}}`, "y/package.json": `{"name":"y","version":"1.0.0","scripts":{"postinstall":"node -e 1"}}`, "y/index.js": "module.exports = 1\n"}, "npm install --offline --no-audit --no-fund && node -e 'process.exit(require(\"y\") - 1)' && npm ci --offline --no-audit --no-fund"},
		{"pip", map[string]string{"wheel.py": "import zipfile\nz = zipfile.ZipFile('p-1-py3-none-any.whl', 'w')\nz.writestr('p.py', 'x = 1\\n')\nz.writestr('p-1.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: p\\nVersion: 1\\n')\nz.writestr('p-1.dist-info/WHEEL', 'Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')\nz.writestr('p-1.dist-info/RECORD', 'p.py,,\\np-1.dist-info/METADATA,,\\np-1.dist-info/WHEEL,,\\np-1.dist-info/RECORD,,\\n')\n"}, "python3 wheel.py && $(python3 -c 'import sys; print(sys.executable)') -m pip install --quiet --no-index --target t ./p-1-py3-none-any.whl && PYTHONPATH=t python3 -c 'import p'"},
		{"pytest", map[string]string{"test_b.py": "def test(tmp_path): (tmp_path / 'x').write_text('y')\n"}, "pytest -q"},
		{"chromium", map[string]string{"a.html": "<p id=p>no</p><script>p.textContent = 'y' + 'es'</script>"}, "chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir=/tmp/profile --dump-dom file://$PWD/a.html | grep yes"},
		{"cargo", map[string]string{"Cargo.toml": "[package]\nname = \"m\"\nversion = \"0.1.0\"\nedition = \"2021\"\n", "src/lib.rs": "#[test]\nfn t() { assert_eq!(1, 1); }\n"}, "cargo test --offline"},
		{"tar", map[string]string{"a": "x", "d/b": "y"}, "tar czf /tmp/x.tgz a d && mkdir e && tar xzf /tmp/x.tgz -C e && mv e f && cp -a f g && rm -rf f && find g -type f | xargs grep -c . && ln -s a l && touch a && chmod 755 a"},
	} {
		t.Run(tt.tool, func(t *testing.T) {
			if _, err := exec.LookPath(tt.tool); err != nil || exec.Command(tt.tool, "--version").Run() != nil && exec.Command(tt.tool, "version").Run() != nil {
				t.Skip(tt.tool + " is not here")
			}
			home, _ := os.UserHomeDir()
			b, ok := For(Place{Folder: t.TempDir(), Home: home, Environ: os.Getenv, Kept: t.TempDir(), Repository: tt.tool == "git"})
			if !ok {
				t.Fatal("no box")
			}
			for name, text := range tt.files {
				path := filepath.Join(b.Folder, name)
				_ = os.MkdirAll(filepath.Dir(path), 0o755)
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if out, status, _ := run(t, order{Box: b, Command: sh(b.Folder, tt.line)}); status.ExitStatus() != 0 {
				t.Errorf("%d: %s", status.ExitStatus(), out)
			}
		})
	}
}
