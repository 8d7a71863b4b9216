package gate_test

import (
	"slices"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/gate"
)

// writesHistory are lines by which git writes history or moves a branch, readsHistory those by which it does neither; $1 is a commit.
const (
	writesHistory = `git commit -m x
git commit --amend --no-edit
git commit --fixup HEAD
git -C . commit -m x
git stash
git stash -u
git stash -m wip
git stash push a.txt
git stash save wip
git stash create
git stash store abc
git stash branch x
git reset --hard other
git reset --hard HEAD~1
git reset --soft HEAD^
git reset --mixed origin/main
git reset --keep other
git reset --merge abc1234
git reset -q --hard ORIG_HEAD
git reset HEAD~2
git reset origin/main
git reset @{1}
git reset main
git fetch . other:main
git fetch . +other:main
git fetch origin main:main
git fetch -q --update-head-ok . refs/heads/other:refs/heads/main
git push . HEAD:main
git push . other:refs/heads/main
git update-ref refs/heads/main other
git update-ref -d refs/heads/main
echo update refs/heads/main x | git update-ref --stdin
git merge other
git merge --ff-only other
git merge --ff other
git merge --no-ff other
git merge --no-commit other
git merge --continue
git cherry-pick other
git cherry-pick -x other
git cherry-pick --continue
git revert HEAD
git revert --no-edit HEAD
git am a.patch
git am < a.patch
git am --continue
git rebase other
git rebase -i HEAD~2
git rebase --onto a b c
git rebase --continue
git pull
git pull --rebase
git pull --ff-only
git pull . other
git notes add -m x
git notes append -m x HEAD
git notes --ref review add -m x
git notes copy a b
git notes remove HEAD
git commit-tree HEAD^{tree} -m x
git mktag < x
git hash-object -t commit -w --stdin
git branch -f main other
git branch --force main other
git branch -M other main
git branch -C other main
git branch -D other
git checkout -B main other
git switch -C main other
git switch --force-create main
git worktree add -B main ../x other
git symbolic-ref HEAD refs/heads/other
git replace HEAD other
git replace --graft HEAD
git reflog expire --expire=now --all
git reflog delete HEAD@{1}
git filter-branch --tree-filter true
git filter-repo --path a
git fast-import
git subtree add --prefix=x . other
git subtree split --prefix=x -b y
git quiltimport
git history reword HEAD
git lfs migrate import
/usr/lib/git-core/git-commit -m x
git-merge --ff-only other
echo abc > .git/refs/heads/main
cp .git/refs/heads/other .git/refs/heads/main
printf 'ref: refs/heads/other' > .git/HEAD
rm .git/refs/heads/main
sed -i s/a/b/ .git/packed-refs
sh -c 'git stash'
env A=b git merge --ff-only other
timeout 5 git update-ref refs/heads/main other
cd sub && git reset --hard other
git log && git cherry-pick other
if true; then git pull; fi`

	readsHistory = `git status
git log --oneline -5
git log --all --graph
git show HEAD
git show HEAD~1:a.txt
git diff
git diff HEAD~1 HEAD
git diff other...main
git blame a.txt
git branch
git branch -a -vv
git branch --list 'x*'
git branch --contains HEAD
git branch --show-current
git branch new
git branch -r --format '%(refname)'
git stash list
git stash show -p
git stash pop
git stash apply
git reset
git reset a.txt
git reset HEAD
git reset HEAD a.txt
git reset -q -- a.txt
git reset --hard
git reset --hard HEAD
git reset HEAD~1 a.txt
git fetch
git fetch origin
git fetch --all --prune
git fetch origin main
git fetch origin +refs/heads/*:refs/remotes/origin/*
git fetch git@example.com:a/b.git
git fetch https://example.com/a/b.git main
git checkout main
git checkout -b fix
git checkout -- a.txt
git switch main
git switch -c fix
git switch fix
git restore a.txt
git worktree list
git worktree add ../x
git symbolic-ref HEAD
git symbolic-ref --short HEAD
git replace -l
git reflog
git reflog show main
git notes show
git notes list
git notes --ref review show
git hash-object a.txt
git hash-object -w a.txt
git cat-file -p HEAD
git rev-parse HEAD
git rev-list --count HEAD
git for-each-ref
git show-ref
git merge-base main other
git merge --abort
git merge --squash other
git rebase --abort
git cherry-pick --abort
git cherry-pick -n other
git revert --no-commit HEAD
git am --abort
git add -A
git ls-files
git grep reset
git config user.name
git describe --tags
git commit --dry-run
git clean -n
cat .git/HEAD
cat .git/refs/heads/main
grep -r x .git/refs/heads`
)

// What git records in a step's copy of the folder is lost with it: it is refused there, whatever the policy, and what only reads is not.
func TestNothingIsRecordedWhereItIsLost(t *testing.T) {
	for line, lost := range map[string]bool{
		"git add -A && git commit -m x": true, "git tag v1": true, "git stash && make test; git stash pop": false, "git checkout -b x": true, "git merge x": true, "cd a && git commit -qam x": true,
		"git status": false, "git diff": false, "git log --oneline": false, "git tag": false, "git branch": false, "git add a.go": false, "go test ./...": false, "git checkout -- a.go": false, "": false,
	} {
		p := nebula.Proposal{Action: nebula.Action{Tool: "executeShell"}, Effect: nebula.Execute, Command: line}
		for _, apart := range []bool{true, false} {
			v := gate.Judge(gate.Rules{Mode: nebula.AgentMode, Approve: gate.All, Apart: apart}, p)
			if got := v.Why == "lost_apart" && v.Ruling == nebula.Deny; got != (lost && apart) {
				t.Errorf("%q, apart %v: %+v", line, apart, v)
			}
		}
	}
}

// Whoever is not to commit is not to write history in another way, nor to move a branch; all that only reads it is free.
func TestWhatWritesHistoryIsACommit(t *testing.T) {
	for lines, want := range map[string]bool{writesHistory: true, readsHistory: false} {
		for line := range strings.SplitSeq(lines, "\n") {
			if got := slices.ContainsFunc(gate.Acts(line), func(a gate.Act) bool { return a.Name == "commit" }); got != want {
				t.Errorf("%s: %v", line, got)
			}
		}
	}
}
