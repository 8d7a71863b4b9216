package gate

import (
	"slices"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// lines are the command lines that git is given to run by its words: as the value of a setting or of an option, or behind a verb. They are read
// as lines are, so that what they do is told of the line that gives them.
func lines(words []string) (list []string) {
	verb := ""
	for i, w := range words {
		rest := words[i+1:]
		option, value, joined := strings.Cut(w, "=")
		switch behind := append(slices.Clip(rest), "")[0]; {
		case verb == "" && (w == "-c" || w == "--config-env"):
			if key, said, ok := strings.Cut(behind, "="); ok && runsSetting.In(key) {
				list = append(list, ran(key, said))
			}
		case verb == "" && isVerb(words, i):
			verb = w
		case verb == "bisect" && w == "run":
			return append(list, quoted(rest))
		case verb == "submodule" && w == "foreach":
			return append(list, strings.Join(lists.Drop(lists.Clone(rest), func(w string) bool { return strings.HasPrefix(w, "--") }), " "))
		case verb == "config" && runsSetting.In(w):
			list = append(list, ran(w, behind))
		case verb == "rebase" && w == "-x", verb == "difftool" && w == "-x", takesLine.In(option) && !joined:
			list = append(list, behind)
		case takesLine.In(option):
			list = append(list, value)
		case verb == "rebase" && strings.HasPrefix(w, "-x"), verb == "grep" && strings.HasPrefix(w, "-O"):
			list = append(list, w[2:])
		}
	}
	return list
}

// isVerb reports whether a word of git's is no option, and no value of one that stands before its verb.
func isVerb(words []string, i int) bool {
	return !strings.HasPrefix(words[i], "-") && (i == 0 || !lists.Has(beforeVerb, words[i-1]))
}

// aroundVerb are git's words before its verb, that, and those behind it.
func aroundVerb(words []string) (before []string, verb string, behind []string) {
	for i, w := range words {
		if isVerb(words, i) {
			return words[:i], w, words[i+1:]
		}
	}
	return words, "", nil
}

// beforeVerb are git's options before its verb that have a value in the word behind them.
var beforeVerb = []string{"-c", "-C", "--git-dir", "--work-tree", "--namespace"}

// ran is the line that a setting has git run: an alias is one of git's own verbs where it is not marked as a line.
func ran(key, value string) string {
	if line, ok := strings.CutPrefix(value, "!"); ok || !strings.HasPrefix(strings.ToLower(key), "alias.") {
		return line
	}
	return "git " + value
}

// quoted are words as one line of a shell.
func quoted(words []string) string {
	var list []string
	for _, w := range words {
		list = append(list, phrase.Quote(w))
	}
	return strings.Join(list, " ")
}

// heldLines are variables of which the value is a line that git, or a program that asks as git does, runs.
var heldLines = strings.Fields("GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_EXTERNAL_DIFF GIT_SSH_COMMAND GIT_SSH GIT_ASKPASS GIT_PROXY_COMMAND SSH_ASKPASS EDITOR VISUAL PAGER MANPAGER BROWSER")

// steered takes in the value of a variable.
func (r *reading) steered(name, value string) {
	if steers(name) {
		r.add(Unclear)
	}
	if lists.Has(heldLines, name) {
		r.line(value)
	}
}

var (
	// runsSetting tells the settings of git that are lines it runs.
	runsSetting = &lazy.Pattern{X: `(?i)^(?:alias\.|pager\.|core\.(?:fsmonitor|editor|pager|sshcommand|askpass|gitproxy)$|sequence\.editor$|uploadpack\.packobjectshook$|(?:diff|difftool|mergetool|merge|filter|gpg|credential|trailer|sendemail|web|browser|man|interactive|tar|remote)\..*(?:external|textconv|cmd|command|driver|clean|smudge|process|program|helper|difffilter|editor|vcs)$)`}
	takesLine   = &lazy.Pattern{X: `^--(?:exec|extcmd|open-files-in-pager|upload-pack|receive-pack|sendmail-cmd|to-cmd|cc-cmd|header-cmd|(?:tree|index|msg|env|commit|parent|tag-name)-filter)$`}
)
