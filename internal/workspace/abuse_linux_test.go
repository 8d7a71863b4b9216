package workspace

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// abuses are ways of everyday programs to write a file, as they are collected for those who live off the land. OUT is a path
// outside of the folder.
var abuses = strings.Split(strings.TrimSpace(`
echo x > OUT
cp seed OUT
mv copy OUT
ln -s /etc/passwd OUT
ln seed OUT
install -m 4755 seed OUT
tee OUT < seed
dd if=seed of=OUT
sed -n 'w OUT' seed
awk 'BEGIN { print "x" > "OUT" }'
awk 'BEGIN { system("echo x > OUT") }'
find . -maxdepth 1 -name seed -exec cp {} OUT \;
find . -maxdepth 1 -name seed -fprintf OUT x
xargs -I{} cp {} OUT < names
env cp seed OUT
timeout 5 cp seed OUT
nice cp seed OUT
nohup cp seed OUT
setsid -w cp seed OUT
stdbuf -o0 cp seed OUT
bash -c 'echo x > OUT'
sh -c 'exec 3> OUT; echo x >&3'
python3 -c 'open("OUT", "w").write("x")'
python3 -c 'import os; os.symlink("/etc/passwd", "OUT")'
python3 -c 'import ctypes; ctypes.CDLL(None).creat(b"OUT", 0o600)'
perl -e 'open(F, ">", "OUT") and print F "x"'
node -e 'require("fs").writeFileSync("OUT", "x")'
ruby -e 'File.write("OUT", "x")'
php -r 'file_put_contents("OUT", "x");'
tar cf OUT seed
tar cf /dev/null seed --checkpoint=1 --checkpoint-action=exec='cp seed OUT'
tar cf a.tar seed && tar xf a.tar -O --to-command='cat > OUT'
zip -q OUT.zip seed && mv OUT.zip OUT
gzip -c seed > OUT
split -b 1000 seed OUT. && mv OUT.aa OUT
csplit -s -f OUT. seed 1 && mv OUT.00 OUT
sort -o OUT seed
shuf -o OUT seed
uniq seed OUT
base64 -d names > OUT; echo x > OUT
mkfifo OUT
mknod OUT p
mkdir OUT
touch OUT
truncate -s 1 OUT
script -qc 'cp seed OUT' /dev/null
make -s -f - <<< 'a: ; @cp seed OUT'
git init -q r && git -C r config core.pager 'sh -c "cp ../seed OUT"' && cp seed OUT
git -c alias.x='!cp seed OUT' x
git -c core.sshCommand='sh -c "cp seed OUT"' ls-remote ssh://h/x
ed -s seed <<< 'w OUT'
vim -es -c ':w OUT' -c ':q' seed
openssl rand -out OUT 4
curl -s -o OUT file://$PWD/seed
wget -q -O OUT http://127.0.0.1:1/; cp seed OUT
rsync seed OUT
sqlite3 /dev/null '.output OUT' 'select 1'
gdb -batch -ex 'shell cp seed OUT'
strace -o OUT true
sh -c 'cd ..; cp "$OLDPWD/seed" OUT'
exec -a x cp seed OUT
(sleep 0.2; cp seed OUT) & sleep 0.5
trap 'cp seed OUT' EXIT
eval "$(printf 'c%s seed OUT' p)"
$(printf 'cp') seed OUT
ln -s DIR link && cp seed link/NAME
`), "\n")

// Whatever a line is called, on a view nothing of it is outside of the folder: each way is first seen to work without a box.
func TestAbusesOfEverydayProgramsEndAtTheView(t *testing.T) {
	d := boxed(t)
	laid(t, d, map[string]string{"seed": "seed\n", "names": "seed\n", "copy": "copy\n"})
	alive := 0
	for i, abuse := range abuses {
		dir, err := os.MkdirTemp("/var/tmp", "abuse") // in a box /tmp is another
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(dir) })
		out := filepath.Join(dir, "out")
		line := strings.NewReplacer("OUT", out, "DIR", dir, "NAME", "out").Replace(abuse)
		if _, err := d.Run(t.Context(), executing(t), Command{Line: "cp names copy; " + line, Outside: true}, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Lstat(out); err != nil {
			continue // the program is not here
		}
		alive++
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		for _, left := range []string{"r", "a.tar", "link"} {
			_ = os.RemoveAll(filepath.Join(d.Path(), left))
		}
		tried(t, d, line).Drop()
		if found, err := os.ReadDir(dir); err != nil || len(found) > 0 {
			t.Errorf("%d %s: %v %v", i, abuse, found, err)
		}
	}
	if alive < 35 {
		t.Errorf("only %d of %d ways work here", alive, len(abuses))
	}
}

// Which files nobody looks at is for the folder's own rules to say, and not for those that a command brings.
func TestIgnoredIsWhatTheFolderSays(t *testing.T) {
	d := boxed(t)
	laid(t, d, map[string]string{".gitignore": "out/\n*.log\n!kept.log\n", "sub/.gitignore": "/gen\n", "a.go": "a\n", "out/old": "old\n"})
	e := tried(t, d, `echo '*' > sub2.gitignore; mkdir new; echo '*' > new/.gitignore; echo x > new/x; echo x > out/x; rm out/old; mkdir -p out/deep/er; echo x > out/deep/er/y
echo x > a.log; echo x > kept.log; echo x > sub/gen; echo b >> a.go; mkdir -p p/__pycache__; echo x > p/__pycache__/a.pyc; echo x > a.o; touch -d 2001-01-01 sub/.gitignore`)
	defer e.Drop()
	var looked []string
	e.Ignore()
	for _, c := range e.Changes {
		if !c.Ignored && c.OfFile() {
			looked = append(looked, c.Path)
		}
	}
	if want := []string{"a.go", "kept.log", "new/.gitignore", "new/x", "out/old", "sub2.gitignore"}; !slices.Equal(looked, want) {
		t.Errorf("%q", looked)
	}
}

// What Python runs in the place of a file that is looked at is asked about, or dropped where it is made anew: it cannot be read whether it is made of it.
func TestCompiledIsNeverKeptUnseen(t *testing.T) {
	for _, rules := range []string{"", ".venv/\n__pycache__/\n*.pyc\n"} {
		d := boxed(t)
		laid(t, d, map[string]string{".gitignore": rules, "p/a.py": "a\n", "p/__pycache__/old.pyc": "o\n", "p/__pycache__/gone.pyc": "o\n", ".venv/lib/a.py": "a\n"})
		e := tried(t, d, `mkdir __pycache__ .venv/lib/__pycache__; for f in p/__pycache__/a.cpython-312.pyc p/__pycache__/old.pyc __pycache__/m.nbc __pycache__/evil.py yaml.pyc .venv/lib/__pycache__/a.pyc; do echo x > $f; done; rm p/__pycache__/gone.pyc`)
		kept := map[string]bool{}
		e.Ignore()
		for _, c := range e.Changes {
			if c.OfFile() {
				kept[c.Path] = c.Ignored
			}
		}
		e.Drop()
		want := map[string]bool{"p/__pycache__/gone.pyc": true, "__pycache__/evil.py": false, "yaml.pyc": false}
		if rules != "" {
			want[".venv/lib/__pycache__/a.pyc"] = true
		}
		if !maps.Equal(kept, want) {
			t.Errorf("%q: %v", rules, kept)
		}
	}
}

// What nobody looks at can do nothing by itself: no deletion, link or program, no file that is there and that somebody may have added
// to the repository all the same; and a folder that leaves everything out has no rules.
func TestIgnoredCanDoNothingByItself(t *testing.T) {
	for name, c := range map[string]struct {
		rules, line string
		want        []string
	}{
		"all":      {"*\n", "echo evil >> a.go; echo x > new.sh; mkdir sub; echo x > sub/y", []string{"a.go", "new.sh", "sub/y"}},
		"programs": {"out/\n", "echo x > out/p; chmod +x out/p; mkdir -p out/bin; echo x > out/bin/activate", []string{"out/bin/activate", "out/p"}},
		"links":    {"out/\n*.log\n", "ln -sf /etc/hostname a.log; ln -s /etc out/etc", []string{"a.log", "out/etc"}},
		"deleted":  {"out/\n", "rm out/old", []string{"out/old"}},
		"caches":   {"", "mkdir -p node_modules/.cache/x node_modules/a c/target/debug target/debug; for f in node_modules/.cache/x/y node_modules/.cache/x/run.js node_modules/a/i.js c/target/debug/b target/debug/b; do echo x > $f; done; chmod +x c/target/debug/b", []string{"c/target/debug/b", "node_modules/.cache/x/run.js", "node_modules/a/i.js", "target/debug/b"}},
		"crates":   {"", "mkdir -p c/target/debug; echo x > c/target/debug/b.d; echo x > c/target.rs", []string{"c/target.rs"}},
		"secrets":  {".env\n", "echo A=1 >> .env", []string{".env"}},
	} {
		d := boxed(t)
		laid(t, d, map[string]string{".gitignore": c.rules, "a.go": "a\n", "out/old": "old\n", ".env": "B=2\n", "c/Cargo.toml": "[package]\n"})
		e := tried(t, d, c.line)
		var looked []string
		e.Ignore()
		for _, change := range e.Changes {
			if !change.Ignored && change.OfFile() {
				looked = append(looked, change.Path)
			}
		}
		if e.Drop(); !slices.Equal(looked, c.want) {
			t.Errorf("%s: %q", name, looked)
		}
	}
}

// What the repository has is the project's, whatever it is called, and in whatever form git writes down what it has.
func TestTrackedIsNeverIgnored(t *testing.T) {
	files := []string{"__pycache__/data.bin", "dist/app.txt", "node_modules/.cache/v", "sub/__pycache__/x.pyc", "out.log", ".mypy_cache/a", ".mypy_cache/ab"}
	for name, line := range map[string]string{
		"as it is":     "true",
		"version 4":    "git update-index --index-version 4",
		"intended":     "git rm -q --cached dist/app.txt; git add -fN dist/app.txt",
		"split":        "git update-index --split-index; git add -f dist",
		"sha256":       "rm -rf .git; git init -q --object-format=sha256; git add -f .",
		"a work tree":  "git -c user.name=n -c user.email=a@b commit -qm x; git init -q --separate-git-dir=.apart",
		"a repository": "git -C sub init -q; git -C sub add -f .; git -C sub -c user.name=n -c user.email=a@b commit -qm x; git rm -rqf --cached sub",
		"damaged":      "head -c 100 .git/index > .git/z; mv .git/z .git/index",
	} {
		d := boxed(t)
		held := map[string]string{".gitignore": "dist/\n*.log\n"}
		for _, f := range files {
			held[f] = "old\n"
		}
		laid(t, d, held)
		c := exec.Command("/bin/sh", "-c", "git init -q; git add -f .; "+line)
		if c.Dir = d.Path(); c.Run() != nil {
			t.Fatal(name)
		}
		e := tried(t, d, "echo new | tee "+strings.Join(files, " ")+" __pycache__/new.bin >/dev/null; rm .mypy_cache/ab")
		var looked []string
		e.Ignore()
		for _, change := range e.Changes {
			if !change.Ignored && change.OfFile() {
				looked = append(looked, change.Path)
			}
		}
		want := slices.Sorted(slices.Values(files))
		if name == "damaged" {
			want = slices.Sorted(slices.Values(append(want, "__pycache__/new.bin")))
		}
		if e.Drop(); !slices.Equal(looked, want) {
			t.Errorf("%s: %q, not %q", name, looked, want)
		}
	}
}
