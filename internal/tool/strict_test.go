package tool

import "testing"

// A line is taken for what its words say where it gives git nothing to run, and runs nothing that could run git.
func TestALineSaysItselfWhatGitDoes(t *testing.T) {
	for _, line := range []string{
		"git add -A && git commit -m 'fix: it'", `cd sub && git -C .. commit -am "x $(date)"`, "git -c user.name=a -c user.email=a@b commit -m x", "git cherry-pick -x side", "git clean -fdx",
		"git --no-pager log; git stash", "git checkout -b new; mv a b; git add b", "git rebase main", "git commit -c HEAD", "git -c core.quotepath=off add .",
	} {
		if !saysAll(line) {
			t.Errorf("%q does not", line)
		}
	}
	for _, line := range []string{
		"git -c alias.x='!rm a' x", "git -c core.fsmonitor='git commit' status", "git --no-pager -c core.pager=x log", "GIT_EDITOR=x git commit --amend", "export GIT_EDITOR=x; git rebase -i main", "GIT_EDITOR=x; git rebase -i main",
		"git rebase -x 'git commit' HEAD~1", "git rebase --exec='git commit' HEAD~1", "git bisect run sh x", "git submodule foreach 'git commit'", "git add . && npm test", "git add x; sh x", "git() { sh x; }; git add .",
		"git $X commit", "$GIT commit; git add .", "git -c $X commit", "git --exec-path=. x", "git difftool -x sh", "git fetch --upload-pack=./x .", "git clone --template=t . x", "git -calias.x=!sh x", "git add .; env git x", "git '",
	} {
		if saysAll(line) {
			t.Errorf("%q does", line)
		}
	}
}
