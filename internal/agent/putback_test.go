package agent_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// ways are scripts, one a line, that change keep.txt, whose name is in $f, and are not seen to do so by what they say.
const ways = `echo z > "$f"
echo z >> "$f"
: > "$f"
rm "$f"
rm "$f"; mkdir "$f"
mv a.txt "$f"
mv "$f" moved.txt
cp a.txt "$f"
cp --attributes-only --preserve=mode x.sh "$f"; echo z >> "$f"
install -m 600 a.txt "$f"
echo z | tee "$f"
echo z | tee -a "$f"
echo z | dd of="$f"
truncate -s 0 "$f"
sed -i s/k/z/ "$f"
perl -pi -e s/k/z/ "$f"
perl -e 'open F, ">", $ARGV[0]; print F "z"' "$f"
awk -v f="$f" 'BEGIN { print "z" > f }'
python3 -c 'import sys; open(sys.argv[1], "w").write("z")' "$f"
python3 -c 'import os, sys; os.replace("a.txt", sys.argv[1])' "$f"
python3 -c 'import os, sys; fd = os.open(sys.argv[1], os.O_RDWR); os.pwrite(fd, b"z", 0)' "$f"
python3 -c 'import mmap, sys; f = open(sys.argv[1], "r+b"); m = mmap.mmap(f.fileno(), 0); m[0:1] = b"z"; m.flush()' "$f"
ln "$f" other; echo z > other
ln -s "$f" other; echo z > other
ln -sf a.txt "$f"
ln -f a.txt "$f"
printf -- '--- %s\n+++ %s\n@@ -1 +1 @@\n-k\n+z\n' "$f" "$f" | patch -s
sort -o "$f" a.txt
split -b 100 a.txt part; mv partaa "$f"
tar cf t.tar --transform "s/a.txt/$f/" a.txt; tar xf t.tar
find . -name "k??p.txt" -exec sh -c 'echo z > "$1"' - {} \;
echo "$f" | xargs -I{} sh -c 'echo z > {}'
git init -q; git add -A; git -c user.name=x -c user.email=x@x.example commit -qm x; echo z > "$f"; git add -A; git stash -q; git stash pop -q
exec 3<> "$f"; echo z >&3
(sleep 0.05; echo z > "$f") & wait
chmod 600 "$f"; echo z > "$f"
touch -d 2001-01-01 a.txt; cat a.txt > "$f"
(cd /tmp && echo z > "$OLDPWD/$f")
cp -l "$f" other; sed -i.bak s/k/z/ "$f"`

// What the person forbade is as it was after every command that runs in no box, whatever it is changed with, and that is said; what the
// command does beside that stays.
func TestWhatIsForbiddenIsPutBackAfterACommandInNoBox(t *testing.T) {
	n := 0
	for way := range strings.SplitSeq(ways, "\n") {
		n++
		p := newProject(t, languages()[0], map[string]string{"keep.txt": "k\n", "a.txt": "x\n", "x.sh": "f=$(printf 'ke%s' ep.txt)\n" + way + "\necho done > b.txt\n"},
			acts(act("executeShell", "command", "bash x.sh")), say("Unverified: nothing to check."))
		p.setup.Approve = gate.All
		if err := os.Chmod(filepath.Join(p.dir, "keep.txt"), 0o640); err != nil {
			t.Fatal(err)
		}
		told, refused := "", false
		for _, e := range p.sayAlone("Never touch keep.txt. Fix the rest.") {
			if f, ok := e.Body.(nebula.Finished); ok {
				told, refused = told+f.Result.Text, refused || f.Result.Status == nebula.Denied
			}
		}
		fi, err := os.Lstat(filepath.Join(p.dir, "keep.txt"))
		if err != nil || fi.Mode() != 0o640 || p.read("keep.txt") != "k\n" {
			t.Errorf("%s: %q, %v: %s", way, p.read("keep.txt"), fi, told)
		}
		if refused || !strings.Contains(told, "It was put back as it was") || !strings.HasSuffix(p.read("b.txt"), "done\n") {
			t.Errorf("%s: refused: %v, %q: %s", way, refused, p.read("b.txt"), told)
		}
	}
	if n < 35 {
		t.Errorf("%d ways", n)
	}
}

// A folder that is moved away comes back with what is forbidden in it, and nothing of that is lost on the way.
func TestAFolderIsPutBackWithWhatIsForbiddenInIt(t *testing.T) {
	for _, way := range []string{"mv db d2", "mv db/in d2", "mv db d2; mv d2 d3", "cp -r db d2; rm -r db"} {
		p := newProject(t, languages()[0], map[string]string{"db/in/keep.txt": "k\n", "db/in/a.txt": "a\n", "x.sh": way + "\n"}, acts(act("executeShell", "command", "bash x.sh")), say("Unverified: nothing to check."))
		p.setup.Approve = gate.All
		p.sayAlone("Never touch keep.txt. Fix the rest.")
		if !p.exists("db/in/keep.txt") || p.read("db/in/keep.txt") != "k\n" {
			t.Errorf("%s: it is gone", way)
		}
		if out, err := filepath.Glob(filepath.Join(p.dir, "d*", "keep.txt")); err != nil || len(out) > 0 {
			t.Errorf("%s: %v, %v", way, out, err)
		}
	}
}

// What one command gave another name, the next one does not change by it.
func TestAnotherNameOfWhatIsForbiddenChangesNothing(t *testing.T) {
	for _, c := range []struct{ first, then string }{
		{"f=$(printf 'ke%s' ep.txt); ln $f other", "echo z > other"}, {"f=$(printf 'ke%s' ep.txt); ln -s $f other", "echo z > other"}, {"f=$(printf 'ke%s' ep.txt); ln -s $PWD/$f other", "sed -i --follow-symlinks s/k/z/ other"},
		{"ln -s . here", "f=$(printf 'ke%s' ep.txt); echo z > here/$f"}, {"f=$(printf 'ke%s' ep.txt); ln $f /tmp/$$.other; ls -i /tmp/$$.other; mv /tmp/$$.other other", "echo z > other"},
	} {
		p := newProject(t, languages()[0], map[string]string{"keep.txt": "k\n", "x.sh": c.first + "\n", "y.sh": c.then + "\n"},
			acts(act("executeShell", "command", "bash x.sh")), acts(act("executeShell", "command", "bash y.sh")), say("Unverified: nothing to check."))
		p.setup.Approve = gate.All
		if p.sayAlone("Never touch keep.txt. Fix the rest."); p.read("keep.txt") != "k\n" {
			t.Errorf("%s, %s: %q", c.first, c.then, p.read("keep.txt"))
		}
	}
}

// A file that was not to be deleted comes back; one that alone was free to change stays changed, and what is new beside it is only said.
func TestOnlyWhatWasForbiddenIsPutBack(t *testing.T) {
	for said, want := range map[string]string{
		"Don't delete anything. Tidy up.": "z b n", "Only change a.txt.": "z b n", "Don't touch any .md file.": "z b n",
	} {
		p := newProject(t, languages()[0], map[string]string{"a.txt": "a", "b.md": "b", "x.sh": "f=$(printf 'b.%s' md); rm $f; printf n > new; printf z > a.txt\n"},
			acts(act("executeShell", "command", "bash x.sh")), say("Unverified: nothing to check."))
		p.setup.Approve = gate.All
		p.sayAlone(said)
		if got := p.read("a.txt") + " " + p.read("b.md") + " " + p.read("new"); got != want {
			t.Errorf("%s: %q, want %q", said, got, want)
		}
	}
}

// Of a move of which a part is forbidden nothing is kept.
func TestAMoveThatIsPartlyForbiddenIsNotKeptAtAll(t *testing.T) {
	for _, line := range []string{"mv .hid hid", "bash x.sh"} {
		for _, approve := range []gate.Approve{gate.Edits, gate.All} {
			p := newProject(t, languages()[0], map[string]string{".hid": "k\n", "x.sh": "f=.h\nmv ${f}id hid\n"},
				acts(act("executeShell", "command", line)), say("Unverified: nothing to check."))
			p.setup.Approve, p.setup.Alone = approve, true
			p.sayAlone("Tidy up, but don't touch hidden files.")
			if hid, old := p.read("hid"), p.read(".hid"); old != "k\n" || hid == "k\n" {
				t.Errorf("%s, %v: %q %q", line, approve, old, hid)
			}
		}
	}
}
