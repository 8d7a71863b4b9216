package workspace

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"nebula"

	"golang.org/x/sys/unix"
)

// shelf is a record of contents in files, which outlives the process.
type shelf string

func (s shelf) Keep(_ context.Context, data []byte) (string, error) {
	hash := nebula.Hash(data)
	temp := filepath.Join(string(s), fmt.Sprintf("%s.%d", hash, os.Getpid()))
	if err := os.WriteFile(temp, data, 0o600); err != nil {
		return "", err
	}
	return hash, os.Rename(temp, filepath.Join(string(s), hash))
}

func (s shelf) Content(_ context.Context, hash string) ([]byte, error) {
	return os.ReadFile(filepath.Join(string(s), hash))
}

// exactly shows everything of a folder that an undo has to bring back: kinds, modes, contents, links, times, attributes
// and which names are one file.
func exactly(t testing.TB, root string) map[string]string {
	t.Helper()
	all, first := map[string]string{}, map[uint64]string{}
	err := filepath.WalkDir(root, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fi, err := os.Lstat(p)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, p)
		st := fi.Sys().(*syscall.Stat_t)
		text := fmt.Sprintf("%s %d:%d", fi.Mode(), st.Uid, st.Gid)
		switch {
		case fi.Mode()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(p)
			text += " -> " + to
		case fi.Mode().IsRegular():
			data, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			value := make([]byte, 64)
			n, _ := unix.Getxattr(p, "user.note", value)
			text += fmt.Sprintf(" %s %q", nebula.Hash(data)[:12], value[:max(n, 0)])
			n, _ = unix.Getxattr(p, "system.posix_acl_access", value)
			text += fmt.Sprintf(" %x", value[:max(n, 0)])
			if !slices.Contains(edited, rel) { // what a file tool changed is new for whoever builds it, also when that is taken back
				text += " " + fi.ModTime().Format(time.RFC3339Nano)
			}
			if st.Nlink > 1 {
				if first[st.Ino] == "" {
					first[st.Ino] = rel
				}
				text += " = " + first[st.Ino]
			}
		}
		all[rel] = text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// edited are the files that file tools change: an ordinary one, one of two more names, one with attributes, a program, and
// somebody else's; and the other names, which have the time of the last.
var edited = []string{"src/f5.go", "t1", "src/f3.go", "run.sh", "src/f4.go", "t2", "src/t3"}

// differs are the lines in which two pictures are different.
func differs(was, is map[string]string) (lines []string) {
	for p, text := range was {
		if is[p] != text {
			lines = append(lines, fmt.Sprintf("%q\n  was %s\n  is  %s", p, text, is[p]))
		}
	}
	for p, text := range is {
		if was[p] == "" {
			lines = append(lines, fmt.Sprintf("%q\n  is  %s", p, text))
		}
	}
	slices.Sort(lines)
	return lines
}

// furnished makes a folder with everything that projects have.
func furnished(t testing.TB, top string) {
	t.Helper()
	script := `
umask 022
git init -q . 2>/dev/null
printf 'out/\n*.log\n.env\n' > .gitignore
printf 'KEY=1\n' > .env
mkdir -p src/deep/er out/obj empty 'with space' dir.d
for i in 1 2 3 4 5 6 7 8 9; do echo "package p$i" > src/f$i.go; echo $i > src/deep/er/g$i; head -c $((i*1000)) /dev/urandom > out/obj/o$i; done
head -c 2700000 /dev/urandom > out/big.bin
head -c 3000000 /dev/zero > large
ln -s src/f1.go link; ln -s nowhere dangling; ln -s src linkdir
echo twin > t1; ln t1 t2; ln t1 src/t3
echo x > a.log; echo run > run.sh; chmod 755 run.sh; echo ro > ro; chmod 444 ro
printf 'raw' > "$(printf 'na\377me')"; mkdir "$(printf 'd\376')"; echo in > "$(printf 'd\376')/x"
echo ü > über; echo s > 'with space/a b'; echo s > "quote'd"; echo none > none; chmod 000 none
git add -A 2>/dev/null; git -c user.name=n -c user.email=e commit -qm first 2>/dev/null; echo later >> src/f2.go; true`
	out, err := sh(top, script)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	_ = unix.Setxattr(filepath.Join(top, "src/f3.go"), "user.note", []byte("kept"), 0)
	// The owner, the user 1234, the group and the mask may do everything, others nothing: see acl(5).
	_ = unix.Setxattr(filepath.Join(top, "run.sh"), "system.posix_acl_access", []byte("\x02\x00\x00\x00"+
		"\x01\x00\x07\x00\xff\xff\xff\xff\x02\x00\x07\x00\xd2\x04\x00\x00\x04\x00\x07\x00\xff\xff\xff\xff\x10\x00\x07\x00\xff\xff\xff\xff\x20\x00\x00\x00\xff\xff\xff\xff"), 0)
	_, _ = sh(top, "chown 12:13 src/f4.go out/obj/o2; chown -h 5:6 src/deep link; chmod 4755 src/f4.go") // root alone may
}

// house is a furnished folder that is open. Whoever has it leaves it.
func house(t testing.TB) (d *Dir, top string) {
	t.Helper()
	top = t.TempDir()
	furnished(t, top)
	d, err := Open(top, inMemory())
	if err != nil {
		t.Fatal(err)
	}
	return d, top
}

func left(d *Dir) {
	_ = d.Close()
	_, _ = sh(d.Path(), "chmod -R u+rwx .")
	_ = os.RemoveAll(d.Path())
}

func sh(dir, script string) ([]byte, error) {
	script = within(script)
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	return cmd.CombinedOutput()
}

// within keeps a script to what an undo can bring back: what nobody but root may look into is named before as not covered.
func within(script string) string {
	if os.Geteuid() == 0 {
		return script
	}
	return strings.NewReplacer("chmod 000", "chmod 500", "mkdir -m 000", "mkdir -m 500").Replace(script)
}

// deeds are what commands do to folders. Some fail where what they need is gone: that is how commands are.
var deeds = []string{
	"rm -rf out", "rm -rf .git", "rm -f .env", "git clean -fdxq", "git checkout -q -- . ; git stash -q", "rm -rf src/deep", "chmod -R go-rwx .",
	"chmod -R a+x src", "chmod 000 src/deep", "chmod 000 src", "mv src lib", "mv out/obj obj; mv obj/o1 src/", "echo more >> t1", "rm t2", "rm src/t3; echo own > src/t3",
	"ln -sf .env link", "rm link; echo file > link", "rm -rf with\\ space; echo f > 'with space'", "rm large", "head -c 4000000 /dev/urandom > large2", "echo x >> out/big.bin",
	"for i in $(seq 1 40); do mkdir -p gen/$i; echo $i > gen/$i/f; done", "printf new > \"$(printf 'ne\\377w')\"", "rm -f na*me; mv d* dd", "touch src/*.go", "touch -d 2001-01-01 ro run.sh",
	"sed -i s/p/q/ src/*.go", "cp -a src copy", "rmdir empty", "mkdir -p a/b/c/d; echo e > a/b/c/d/e", "chmod 755 .", "git commit -qam second", "git gc -q", "rm -rf ./*", "rm -rf ./* .git .env .gitignore",
	"mkfifo pipe", "ln ro hard", "chmod 644 none; echo z > none", "chown 7:8 src/f6.go", "chown -R 9:10 src", "chmod 4711 run.sh", "dd if=/dev/zero of=large bs=1 seek=100 count=4 conv=notrunc 2>/dev/null", "mkdir -m 000 locked", "rm ro; mkdir ro; echo i > ro/i",
	"truncate -s 0 out/obj/*", "rename() { mv src/f1.go src/f1.go.bak; }; rename", "ln -s src/deep new; ln -sfn out linkdir", "find . -name 'f*' -newer .gitignore -delete", "echo 1 > x; echo 2 > x; rm x",
}

func TestUndoBringsBackEverythingThatCommandsDo(t *testing.T) {
	scripts := often(8, 25, 1000)
	from, _ := strconv.ParseUint(os.Getenv("NEBULA_SEED"), 10, 64) // to begin where one failed
	for seed := from; seed < from+uint64(scripts); seed++ {
		taken(t, rand.New(rand.NewPCG(seed, 12)), fmt.Sprint("seed ", seed))
	}
}

// taken makes a random script of commands and of the folder's own changes.
func taken(t *testing.T, r *rand.Rand, name string) {
	var script []string
	for range 1 + r.IntN(4) {
		if r.IntN(4) == 0 { // a file tool
			tools := []string{"write ", "write ", "write ", "delete "}
			script = append(script, tools[r.IntN(len(tools))]+edited[r.IntN(len(edited))])
		} else {
			script = append(script, within(deeds[r.IntN(len(deeds))]))
		}
	}
	thereAndBack(t, name, script)
}

// The names of a file are names of one file again, whichever commands told of which of them.
func TestHardLinksAreHardLinksAgain(t *testing.T) {
	for _, script := range [][]string{
		{"chmod go-r ro", "ln ro hard"},        // the first tells of no twin, the second of one name alone
		{"mv src lib", "rm t2"},                // the second's twin was made by the first
		{"rm -f t1 src/t3"},                    // both were twins of a third, that nothing tells of
		{"rm t2", "chmod 600 t1"},              // the second tells of fewer twins than there were
		{"ln -f t1 ro", "rm t1", "ln ro t1"},   // and back
		{"rm t1; cp -p t2 t1", "chmod 600 t2"}, // equal, and apart
		{"chmod -R go-rwx .", "rm src/t3; echo own > src/t3"},
		{"mv t1 t0; ln t0 t1", "rm t0", "rm t2"}, // one after the other
		{"mv src lib", "write t1"},               // nothing tells of the third, which was left alone
	} {
		thereAndBack(t, strings.Join(script, "; "), script)
	}
}

// thereAndBack runs a script, takes everything back, brings it back again, and takes it back again.
func thereAndBack(t *testing.T, name string, script []string) {
	d, top := house(t)
	defer left(d)
	was := exactly(t, top)
	var changes []nebula.Change
	for n, deed := range script {
		changes = append(changes, carried(t, d, n, deed)...)
	}
	_ = os.Remove(filepath.Join(top, "pipe"))
	is := exactly(t, top)
	for round := range 3 {
		made, left, err := d.Restore(t.Context(), restoring(t, changes), changes)
		if err != nil || len(left) > 0 {
			t.Fatalf("%s %q: round %d: %v, left %v", name, script, round, err, left)
		}
		want := was
		if round == 1 {
			want = is
		}
		if lines := differs(want, exactly(t, top)); len(lines) > 0 {
			t.Fatalf("%s %q: round %d:\n%s", name, script, round, strings.Join(lines[:min(len(lines), 20)], "\n"))
		}
		changes = made
	}
	if left := temps(d); len(left) > 0 {
		t.Errorf("%s: left %v", name, left)
	}
}

// What the person writes between a command and its undo is never lost, and is said.
func TestWhatThePersonWroteSinceIsLeft(t *testing.T) {
	top := t.TempDir()
	furnished(t, top)
	d, err := Open(top, inMemory())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	s, err := d.Snapshot(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = sh(top, "rm -rf out src/deep; sed -i s/p/q/ src/*.go; mkdir gen; echo 1 > gen/a; echo 1 > gen/b")
	changes, err := s.Changes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	mine := map[string]string{"src/f1.go": "mine", "gen/b": "mine", "gen/own": "mine", "out": "mine"}
	laid(t, d, mine)
	made, left, err := d.Restore(t.Context(), restoring(t, changes), changes)
	if err != nil || len(made) == 0 {
		t.Fatal(err)
	}
	var paths []string
	for _, l := range left {
		paths = append(paths, l.Path)
	}
	for p, text := range mine {
		if content(t, d, p) != text {
			t.Errorf("%s is lost", p)
		}
		if p != "gen/own" && !slices.Contains(paths, p) {
			t.Errorf("nobody says that %s was left: %v", p, paths)
		}
	}
	if content(t, d, "src/f2.go") != "package p2\nlater\n" || content(t, d, "src/deep/er/g1") != "1\n" {
		t.Error("the rest was not brought back")
	}
	if _, err := os.Stat(filepath.Join(top, "gen/a")); err == nil {
		t.Error("gen/a stayed")
	}
}

// A file that another program is writing is left to it, and said.
func TestFileThatIsBeingWrittenIsLeft(t *testing.T) {
	d := opened(t)
	laid(t, d, map[string]string{"log": "1\n", "a": "1\n"})
	s, err := d.Snapshot(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = sh(d.Path(), "echo 2 > a")
	log, err := os.OpenFile(filepath.Join(d.Path(), "log"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := log.WriteString("mine\n"); err != nil {
		t.Fatal(err)
	}
	changes, err := s.Changes(t.Context())
	if err != nil || len(changes) != 2 {
		t.Fatalf("%+v, %v", changes, err)
	}
	_, left, err := d.Restore(t.Context(), restoring(t, changes), changes)
	if want := []nebula.Left{{Path: "log", Why: nebula.BeingWritten}}; err != nil || !slices.Equal(left, want) || content(t, d, "log") != "1\nmine\n" || content(t, d, "a") != "1\n" {
		t.Errorf("left %v, %v", left, err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if _, left, err := d.Restore(t.Context(), restoring(t, changes), changes); err != nil || len(left) > 0 || content(t, d, "log") != "1\n" {
		t.Errorf("left %v, %v", left, err)
	}
}

// A change that the disk does not confirm is told like any other: it stands, and can be taken back.
func TestUnconfirmedChangeIsTold(t *testing.T) {
	d := opened(t)
	laid(t, d, map[string]string{"a": "old"})
	s, was := stood(t, d, "a")
	fd, err := unix.Open(d.Path(), unix.O_PATH|unix.O_DIRECTORY, 0) // one that cannot be synced
	if err != nil {
		t.Fatal(err)
	}
	s.dir.close()
	s.dir = &handle{f: os.NewFile(uintptr(fd), d.Path())}
	c, err := d.carry(t.Context(), s, was, state{mode: was.mode, hash: nebula.Hash([]byte("new")), data: []byte("new")}, t.Context().Err)
	if err == nil || c.Kind != "edit" || content(t, d, "a") != "new" {
		t.Fatalf("%+v, %v", c, err)
	}
	if _, left, err := d.Restore(t.Context(), restoring(t, []nebula.Change{c}), []nebula.Change{c}); err != nil || len(left) > 0 || content(t, d, "a") != "old" {
		t.Errorf("left %v, %v", left, err)
	}
}

// What another nebula changes while a command runs, itself or by a command of its own, is not the command's.
func TestOtherNebulasWorkIsNotTheCommands(t *testing.T) {
	j := job{Top: t.TempDir(), Home: t.TempDir()}
	one, other := j.open(t), j.open(t)
	defer one.Close()
	defer other.Close()
	laid(t, one, map[string]string{"a": "1", "b": "1", "c": "1"})
	long, err := one.Snapshot(t.Context(), "long")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Write(t.Context(), granting(t, other, "a"), "a", []byte("by the other")); err != nil {
		t.Fatal(err)
	}
	short, err := other.Snapshot(t.Context(), "short")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = sh(j.Top, "echo 2 > b")
	if changes, err := short.Changes(t.Context()); err != nil || len(changes) != 1 || changes[0].Path != "b" {
		t.Errorf("%+v %v", changes, err)
	}
	_, _ = sh(j.Top, "echo 2 > c")
	if changes, err := long.Changes(t.Context()); err != nil || len(changes) != 1 || changes[0].Path != "c" {
		t.Errorf("%+v %v", changes, err)
	}
}

// More files than anybody looks through: all are told, and all come back.
func TestManyRemovedFilesComeBack(t *testing.T) {
	files := often(1_000, 6_000, 20_000)
	d := opened(t)
	for i := range files {
		laid(t, d, map[string]string{fmt.Sprintf("d%d/f%d", i%100, i): fmt.Sprint(i)})
	}
	s, err := d.Snapshot(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = sh(d.Path(), "rm -rf d*")
	changes, err := s.Changes(t.Context())
	if err != nil || len(changes) != files+100 || len(s.Lost()) > 0 {
		t.Fatalf("%d changes, lost %d, %v", len(changes), len(s.Lost()), err)
	}
	from := time.Now()
	if _, left, err := d.Restore(t.Context(), restoring(t, changes), changes); err != nil || len(left) > 0 {
		t.Fatalf("left %d, %v", len(left), err)
	}
	t.Logf("%d files in %v", files, time.Since(from))
	for i := range files {
		if data, err := os.ReadFile(filepath.Join(d.Path(), fmt.Sprintf("d%d/f%d", i%100, i))); err != nil || string(data) != fmt.Sprint(i) {
			t.Fatalf("%d: %q %v", i, data, err)
		}
	}
}

// What a command changed that was told of, but could not be recorded, is told of to the next nebula: that the command's
// own nebula claimed it does not make it another's work.
func TestChangesThatCouldNotBeRecordedAreToldAgain(t *testing.T) {
	j := job{Top: t.TempDir(), Home: t.TempDir()}
	one := j.open(t)
	laid(t, one, map[string]string{"a": "1", "b": "1"})
	s, err := one.Snapshot(t.Context(), "run")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = sh(j.Top, "echo 2 > a; rm b")
	if changes, err := s.Changes(t.Context()); err != nil || len(changes) != 2 {
		t.Fatalf("%+v %v", changes, err)
	}
	if err := one.Close(); err != nil {
		t.Fatal(err)
	}
	next := j.open(t)
	defer next.Close()
	changes, lost, known := next.Left(t.Context(), "run", nil)
	if !known || len(lost) > 0 || len(changes) != 2 {
		t.Fatalf("%+v, lost %v, %v", changes, lost, known)
	}
}
