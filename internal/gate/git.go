package gate

import (
	"slices"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// gitVerbs are what git does by its verbs.
var gitVerbs = verbs(map[string][]Danger{
	"status log diff show blame annotate shortlog describe rev-parse rev-list ls-files ls-tree cat-file grep branch tag remote whatchanged name-rev merge-base for-each-ref count-objects var help version check-ignore check-attr diff-tree diff-index diff-files show-ref symbolic-ref show-branch cherry range-diff verify-commit verify-tag --version stash worktree notes reflog config": nil,
	"add commit mv init merge cherry-pick apply am revert checkout switch restore reset read-tree write-tree update-index update-ref sparse-checkout format-patch archive bundle replace rerere":                                                                                                                                                                                              {Alters},
	"push send-email send-pack": {Publishes, Network}, "fetch pull clone submodule ls-remote remote-https": {Network},
	"filter-branch": {Destroys, Unclear},
	"clean gc rebase rm prune repack filter-repo fast-import":                                                                                  {Destroys},
	"bisect difftool mergetool daemon credential hook instaweb gui citool gitk help-all lfs svn p4 fsmonitor--daemon maintenance request-pull": {Unclear},
})

// gitOther are git's options of one letter that name a program or other settings, or make git read those of elsewhere.
var gitOther = &lazy.Pattern{X: `(?s)^(?:-c|-C|-O.*|-x|-u\S*/.*|-p)$`}

// gitLong are the long options that name a program, have git run one that its settings name, write a file, or read other
// settings. git takes any beginning of them.
var gitLong = strings.Fields("config config-env exec exec-path extcmd git-dir work-tree ext-diff textconv filters open-files-in-pager output output-directory upload-pack receive-pack " +
	"template edit edit-description editor paginate separate-git-dir recurse-submodules sendmail-cmd to-cmd cc-cmd header-cmd tree-filter index-filter msg-filter env-filter commit-filter tag-name-filter")

// gitWhole are other options that are the beginning of one of those.
var gitWhole = strings.Fields("text filter")

// gitLetters are such options of one letter that stand among others, by verb.
var gitLetters = map[string]*lazy.Pattern{
	"grep": {X: `^-[^-efABCm]*O`}, "rebase": {X: `^-[a-z]*x`}, "clone": {X: `^-[a-z]*[uc]`},
}

// otherwise reports whether an option has git do something else than its verb says.
func otherwise(option, verb string) bool {
	if long, ok := strings.CutPrefix(option, "--"); ok {
		name, _, _ := strings.Cut(long, "=")
		return name != "" && !lists.Has(gitWhole, name) && slices.ContainsFunc(gitLong, func(l string) bool { return strings.HasPrefix(l, name) })
	}
	letters := gitLetters[verb]
	return gitOther.In(option) || letters != nil && letters.In(option)
}

// destructive are what git deletes or overwrites with, by verb.
var destructive = map[string][]string{
	"reset": {"--hard", "--merge", "--keep"}, "checkout": {"--", ".", "-f", "--force", "-B"}, "switch": {"-f", "--force", "--discard-changes", "-C"}, "restore": {""},
	"branch": {"-D", "-d", "--delete", "-f", "--force", "-M"}, "tag": {"-d", "--delete", "-f", "--force"}, "stash": {"drop", "clear", "pop"}, "worktree": {"remove", "prune"}, "remote": {"remove", "rm"},
	"reflog": {"expire", "delete"}, "notes": {"remove", "prune"}, "update-ref": {"-d"},
}

// altering are the words after which a verb that else only shows changes something.
var altering = map[string][]string{
	"stash": {"", "push", "apply", "save", "create", "store", "branch"}, "worktree": {"add", "move", "repair"}, "remote": {"add", "rename", "set-url", "set-head", "update"}, "notes": {"add", "edit", "append", "copy", "merge"},
}

func (r *reading) git(args []arg) {
	rest := texts(args)
	for _, line := range lines(rest) {
		r.line(line)
	}
	for len(rest) > 0 && strings.HasPrefix(rest[0], "-") && rest[0] != "--version" {
		if otherwise(rest[0], "") {
			if rest[0] != "-C" || len(rest) < 2 || rest[1] == "" || strings.HasPrefix(rest[1], "/") || outside(rest[1]) { // in a folder of the project's it is what cd and git are
				r.add(Unclear)
			}
			if rest[0] == "-c" || rest[0] == "-C" {
				rest = rest[min(1, len(rest)-1):]
			}
		}
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return
	}
	verb, rest := rest[0], rest[1:]
	does, ok := gitVerbs[verb]
	if !ok {
		r.add(Unknown) // an alias can be anything
	}
	r.add(does...)
	words := lists.Drop(lists.Clone(rest), func(w string) bool { return strings.HasPrefix(w, "-") })
	for _, w := range destructive[verb] {
		if w == "" || lists.Has(rest, w) {
			r.add(Destroys)
		}
	}
	for _, w := range altering[verb] {
		if len(words) > 0 && words[0] == w || len(words) == 0 && w == "" {
			r.add(Alters)
		}
	}
	switch verb {
	case "config":
		reads := len(words) <= 1 || slices.ContainsFunc(rest, func(w string) bool { return strings.HasPrefix(w, "--get") || w == "--list" || w == "-l" })
		if !reads {
			r.add(Alters, Unclear)
		}
	case "branch", "tag":
		if len(words) > 0 && !slices.ContainsFunc(rest, func(w string) bool {
			return strings.HasPrefix(w, "--contains") || w == "-l" || w == "--list" || strings.HasPrefix(w, "--merged")
		}) {
			r.add(Alters)
		}
	case "submodule":
		if lists.Has(rest, "foreach") {
			r.add(Unclear)
		}
	}
	for _, w := range rest {
		if otherwise(w, verb) && !(w == "-p" || w == "-x" && verb == "cherry-pick" || w == "-C" || w == "-c" && verb != "rebase") || strings.HasPrefix(w, "ext::") {
			r.add(Unclear)
		}
	}
}

// silent are a command's arguments without the messages that git is given: they are no files.
func silent(name string, args []arg) []arg {
	if name != "git" || !slices.ContainsFunc(args, func(a arg) bool { return lists.Has([]string{"commit", "tag", "merge", "stash", "notes"}, a.text) }) {
		return args
	}
	var rest []arg
	for i, a := range args {
		if i == 0 || !message.In(args[i-1].text) {
			rest = append(rest, a)
		}
	}
	return rest
}

var message = &lazy.Pattern{X: `^(?:-[a-z]*m|--message)$`}

// steering are variables that say what other programs load or run; a star stands for the rest of a name.
var steering = strings.Fields("LD_* DYLD_* PATH BASH_ENV ENV PROMPT_COMMAND PS0 PS1 PS2 PS4 IFS SHELLOPTS BASHOPTS SHELL CDPATH GLOBIGNORE GIT_* PAGER EDITOR VISUAL BROWSER LESS* MANPAGER MANOPT " +
	"PYTHON* NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS RUBYOPT RUBYLIB PERL5* PERLLIB JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH MAVEN_* GRADLE_* GOFLAGS GOROOT GOTOOLDIR GOPROXY GOSUMDB GONOSUMDB GOENV GOBIN GOPATH GOTOOLCHAIN CC CXX LD AR RUSTC* RUSTFLAGS RUSTDOC* CARGO* " +
	"MAKEFLAGS MAKEFILES MAKE TAR_OPTIONS ZIPOPT RSYNC_* SSH_* npm_config_* NPM_CONFIG_* YARN_* PIP_* UV_* POETRY_* BUNDLE_* GEM_* COMPOSER_* DOCKER_* KUBECONFIG AWS_* http_proxy https_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY TMPDIR HOME NEBULA_* LUA_* PHPRC PHP_INI* OPENSSL_* CURL_HOME WGETRC XDG_* TERM* EXINIT VIMINIT GREP_OPTIONS GREP_COLOR AWKPATH AWKLIBPATH POSIXLY_CORRECT FPATH ZDOTDIR INPUTRC HISTFILE MALLOC_* GCONV_PATH LOCPATH NLSPATH RES_OPTIONS HOSTALIASES")

//go:noinline
func steers(name string) bool {
	return slices.ContainsFunc(steering, func(s string) bool {
		prefix, star := strings.CutSuffix(s, "*")
		return name == s || star && strings.HasPrefix(name, prefix)
	})
}
