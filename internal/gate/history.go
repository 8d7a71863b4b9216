package gate

import (
	"slices"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// moving are the ways in which git moves a branch, or writes what history is made of, by a verb that does not always: the verb, the options
// of which one has to be there, any where none is named, what one of the words behind has to be, and what they must not begin with.
var moving = [...]struct {
	verb, options string
	of            *lazy.Pattern
	but           string
}{
	{"stash", "", nil, "list show pop apply drop clear"}, // a stash is two commits
	{"branch", "-f --force -M -C -D", nil, ""},
	{"checkout", "-B", nil, ""},
	{"switch", "-C --force-create", nil, ""},
	{"worktree", "-B", nil, ""},
	{"reset", "--hard --soft --mixed --merge --keep", &lazy.Pattern{X: `^(?:[^H@]|H[^E]|HEA.{2,}|@.)`}, ""},
	{"reset", "", &lazy.Pattern{X: `[~^]|@\{|^[0-9a-f]{7,40}$|^(?:origin|upstream|refs|tags)/|^(?:main|master|develop|trunk|(?:ORIG|FETCH|MERGE)_HEAD)$`}, ""},
	{"fetch", "", &lazy.Pattern{X: `^\+?[^:]*:(?:[^r/]|r[^e]|refs/[^rt])`}, ""},
	{"push", "", &lazy.Pattern{X: `^\.{1,2}/?$`}, ""},
	{"symbolic-ref", "", &lazy.Pattern{X: `^refs/|^-d$`}, ""},
	{"replace", "", &lazy.Pattern{X: `.`}, ""},
	{"hash-object", "-w", &lazy.Pattern{X: `^(?:commit|tag)$`}, ""},
}

// moves reports whether git, by its words and arguments, does one of them.
func moves(words, args []string) bool {
	if len(words) == 0 {
		return false
	}
	rest := words[1:]
	_, _, args = aroundVerb(args)
	for _, m := range moving {
		if m.verb != words[0] || len(rest) > 0 && lists.Has(strings.Fields(m.but), rest[0]) ||
			m.options != "" && !slices.ContainsFunc(strings.Fields(m.options), func(o string) bool { return slices.ContainsFunc(args, func(a string) bool { return option(a, o) }) }) {
			continue
		}
		switch at := rest; {
		case m.of == nil:
			return true
		case m.verb == "reset" && (m.options == "" && len(rest) != 1 || lists.Has(args, "--")):
		case m.verb == "replace" && slices.ContainsFunc(args, func(a string) bool { return a == "-l" || a == "--list" }):
		case m.verb == "fetch" && len(rest) > 0:
			at = rest[1:] // behind whom it is fetched from
			fallthrough
		default:
			if slices.ContainsFunc(at, m.of.In) {
				return true
			}
		}
	}
	return false
}

// records reports whether a line has git write something into the repository that is kept by nothing but the repository.
func records(line string) bool {
	return slices.ContainsFunc(Acts(line), func(a Act) bool {
		return lists.Has([]string{"commit", "tag", "branch", "merge", "rebase"}, a.Name) && !strings.HasPrefix(a.By, "git stash") // which is taken back
	})
}

// leavesBranch reports whether git checks out another branch, or a new one, and not files: those stand behind --, or are more than one word.
func leavesBranch(words, args []string) bool {
	if len(words) == 0 || words[0] != "checkout" || lists.Has(args, "--") {
		return false
	}
	return slices.ContainsFunc(args, func(a string) bool { return a == "-" || option(a, "-b") || option(a, "-B") || a == "--orphan" }) ||
		len(words) == 2 && !strings.Contains(words[1], ".") && !strings.HasSuffix(words[1], "/")
}

// refFile is a file of git's in which it is written where a branch stands.
var refFile = &lazy.Pattern{X: `(?:^|/)\.git/(?:[A-Z_]*HEAD$|packed-refs$|refs/|reftable/|logs/|worktrees/.*HEAD$)`}

// withoutCommit reports whether what else commits is told not to, or takes back what was begun.
func withoutCommit(words, args []string) bool {
	given := func(list string) bool {
		return slices.ContainsFunc(args, func(a string) bool { return lists.Has(strings.Fields(list), a) })
	}
	switch words[0] {
	case "merge", "pull":
		return given("--abort --quit --squash") || given("--no-commit") && given("--no-ff") // without that one the branch may be moved ahead
	case "cherry-pick", "revert":
		return given("--no-commit -n --abort --quit")
	case "rebase", "am":
		return given("--abort --quit --show-current-patch")
	}
	return false
}
