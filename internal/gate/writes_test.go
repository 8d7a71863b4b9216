package gate_test

import (
	"path"
	"testing"

	"nebula/internal/gate"
)

// A line that names a file and changes it is told from one that only reads, tests or runs it.
func TestALineThatChangesAFileItNames(t *testing.T) {
	for line, want := range map[string]bool{
		"sed -i s/1.2.2/1.3.0/ dotenv/version.py": true, "echo x > dotenv/version.py": true, "echo '1.3.0' > t && mv t dotenv/version.py": true,
		"rm version.py": true, "cp a.py ./version.py": true, "tee version.py < a": true, "git checkout version.py": true, `sh -c "sed -i s/a/b/ version.py"`: true, "gofmt -w version.py": true,
		"cat version.py": false, "python -m pytest version.py": false, "./run version.py": false, "grep x version.py": false, "sed -i s/a/b/ other.py": false, "go test ./... 2>&1 | tail": false,
		"python3 -c \"open('version.py','w').write('x')\"": true, "python3 -c \"print(open('version.py').read())\"": false, "node -e \"require('fs').writeFileSync('version.py', '')\"": true,
		"python3 - <<'X'\nfrom pathlib import Path\nPath('version.py').write_text('x')\nX": true, "perl -pi -e 's/a/b/' version.py": true, "python3 -c \"import version; print(version.py)\"": false,
		"rm -rf dotenv": true, "rm -r dotenv/": true, "mv dotenv old": true, "rm -rf build": false, "mkdir -p dotenv": false, "cp -r dotenv backup": false, "ls dotenv": false, "git add dotenv": false, "git mv dotenv env": true,
	} {
		if got := gate.Writes(line, func(p string) bool { return path.Base(p) == "version.py" }, func(f string) bool { return path.Clean(f) == "dotenv" }); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}

// A line is held by where it has come to, whatever leads there, and what only reads is not: the file api/keep.txt is forbidden.
func TestALineIsHeldWhereItHasComeTo(t *testing.T) {
	for line, want := range map[string]bool{
		"cd api && echo x > keep.txt": true, "pushd api; sed -i s/a/b/ keep.txt; popd": true, "(cd api && rm keep.txt)": true, "cd api/sub && touch ../keep.txt": true, "git -C api checkout -- keep.txt": true,
		"make -C api keep.txt": false, "cd api && git checkout keep.txt": true, "git checkout -- api/keep.txt": true, "git restore api": true, "git restore .": true, "git reset --hard": true, "git -C api reset --hard HEAD": true,
		"cd api && git reset --hard": true, "git stash": true, "git stash push": true, "git checkout -f dev": true, "git checkout HEAD~2": true, "git checkout .": true, "git restore --source HEAD~1 .": true, "sh -c 'cd api && echo x > keep.txt'": true,
		"cp a.txt api/keep.txt": true, "cp x/keep.txt api/": false, "cd api && cp ../x/keep.txt .": true, "dd if=a.txt of=api/keep.txt": true, "install -m644 a.txt api/keep.txt": true, "ln -sf ../a.txt api/keep.txt": true, "cp -t api/keep.txt a.txt": true,
		"ls api/*.txt | xargs sed -i s/k/j/ api/keep.txt": true, "tar xf a.tar -C api keep.txt": true, "cd $X && echo x > keep.txt": true, "mv api/keep.txt b": true, "mv b api/keep.txt": true, "cd api; cd -; echo x > api/keep.txt": true, "gofmt -w api/keep.txt": true,
		"git clean -fd": true, "cd api && git clean -f": true,
		"sort -o api/keep.txt a": true, "sort api/keep.txt": false, "sed -n 'w api/keep.txt' a": true, "sed 's/a/b/w api/keep.txt' a": true, "sed -n p api/keep.txt": false,
		"awk '{print > \"api/keep.txt\"}' a": true, "awk '{print $1}' api/keep.txt": false, "awk '$1 > 2 {print}' api/keep.txt": false,

		"cd api && cat keep.txt": false, "cd sub && echo x > keep.txt": false, "(cd api); echo x > keep.txt": false, "pushd api; popd; echo x > keep.txt": false, "cp api/keep.txt b.txt": false, "cp api/keep.txt .": false, "tar czf /tmp/a.tgz api/keep.txt": false,
		"zip a.zip api/keep.txt": false, "git reset HEAD~1": false, "git reset api/keep.txt": false, "git checkout dev": false, "git checkout -b new": false, "git switch dev": false, "git restore --staged api/keep.txt": false, "git stash list": false, "git stash show -p": false,
		"git stash push api/keep.txt": true, "git stash push -- api/keep.txt": true, "git stash -- api/keep.txt": true, "git stash save wip": true, "git stash push -- other.txt": false, "git stash push other.txt": false, "git stash -- other.txt": false,
		"git checkout HEAD~2 -- other.txt": false, "git checkout HEAD~2 -- api/keep.txt": true, "git checkout deadbeef -- other.txt": false, "git checkout deadbeef": true, "git switch -c old HEAD~2": false, "git checkout -b deadbeef": false, "git checkout -- deadbeef": false, "git switch -c deadbeef": false,
		"git clean -n": false, "cd /tmp/x && git reset --hard": false, "git -C /tmp/x reset --hard": false, "cp -r api /tmp/b": false, "dd if=api/keep.txt of=b": false, "ln -s api/keep.txt b": false, "gofmt -l api/keep.txt": false, "sed -i s/a/b/ a.txt; cat api/keep.txt": false,
		"rm b.txt && diff api/keep.txt a.txt": false, "mkdir -p api": false, "cd sub && git checkout -- a.txt": false, "split api/keep.txt part": false, "cat api/keep.txt > b.txt": false,
	} {
		fits := func(p string) bool {
			return path.Clean(p) == "api/keep.txt" || p == "*/keep.txt"
		}
		holds := func(f string) bool {
			return path.Clean(f) == "." || path.Clean(f) == "api" || path.Clean(f) == "api/keep.txt"
		}
		if got := gate.Writes(line, fits, holds); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}
