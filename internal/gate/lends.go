package gate

import (
	"path"
	"slices"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// lending are programs that run what a word of theirs says, or give a program another name, or do what another does: from which word on it
// can stand, any where none is named, what of a word it is, all where that is not said, and the program, where the word does not say it.
var lending = [...]struct {
	programs    string
	from, words *lazy.Pattern
	as          string
}{
	{"tar gtar bsdtar rsync zip alias ssh su runuser setpriv capsh setarch linux32 i386 x86_64 ld.so qemu-x86_64 qemu-i386 qemu-aarch64 qemu-arm systemd-run at batch script flock watch perf hyperfine ts xterm dbus-launch dotenv dotenvx env-cmd cross-env tmux screen vim vi nvim view ex ed gdb lldb sqlite3 psql mysql mariadb expect socat m4", nil, nil, ""},
	{"ln cp install mv", nil, &lazy.Pattern{X: `/bin/([^/]+)$`}, ""},
	{"hash", nil, &lazy.Pattern{X: `([^/]+)$`}, ""},
	{"fd fdfind", &lazy.Pattern{X: `^(?:-[xX]|--exec)`}, nil, ""},
	{"docker podman nerdctl conda mamba micromamba mise asdf rbenv pyenv nodenv direnv doppler op aws-vault chamber", &lazy.Pattern{X: `^(?:run|exec|x)$`}, nil, ""},
	{"npm pnpm yarn npx bunx nix nix-shell", &lazy.Pattern{X: `^(?:exec|x|dlx|-c|--call|--command|--run)$`}, nil, ""},
	{"go", &lazy.Pattern{X: `^-(?:exec|toolexec|vettool)`}, nil, ""},
	{"gcc cc g++ c++ clang clang++", &lazy.Pattern{X: `^-wrapper$`}, &lazy.Pattern{X: `^([^,]+)`}, ""},
	{"scp sftp", &lazy.Pattern{X: `^-[So]$`}, nil, ""},
	{"nc ncat netcat", &lazy.Pattern{X: `^(?:-[ec]|--(?:sh-)?exec)`}, nil, ""},
	{"sort split cpio wget make gmake less more man", &lazy.Pattern{X: `^(?:--(?:compress-program|filter|rsh-command|use-askpass)|[A-Z]+=|\+|-P)`}, nil, ""},
	{"find gfind", &lazy.Pattern{X: `^-delete$`}, &lazy.Pattern{X: `^-(delete)$`}, "rm"},
	{"cmake", &lazy.Pattern{X: `^-E$`}, &lazy.Pattern{X: `^(rm|remove|remove_directory)$`}, "rm"},
	{"unlink", nil, nil, "rm"},
}

// Of the words of a call so many are looked at, with so many of those behind each.
const (
	mostLent = 400
	mostRest = 8
)

// lends are the programs that a call can come to so, each with its words.
func lends(c call) (list []string) {
	name, args := base(c.name), texts(c.args)
	if len(args) > mostLent {
		args, list = args[:mostLent], append(list, Unnamed+name)
	}
	for _, l := range lending {
		if !lists.Has(strings.Fields(l.programs), name) {
			continue
		}
		begun := l.from == nil
		for i, a := range args {
			if begun = begun || l.from.In(a); !begun {
				continue
			}
			rest := args[i+1 : min(len(args), i+1+mostRest)]
			switch {
			case l.words == nil && l.as == "":
				list = append(list, lent(a, rest)...)
				continue
			case l.words != nil:
				m := l.words.Re().FindStringSubmatch(a)
				if m == nil {
					continue
				}
				a = m[1]
			}
			if l.as != "" {
				a = l.as
			}
			list = append(list, strings.Join(append([]string{a}, rest...), " "))
		}
		if begun && l.from == nil && l.words == nil && c.in.known {
			for line := range strings.Lines(bounded(c.in.text)) {
				list = append(list, lent(strings.TrimSpace(line), nil)...)
			}
		}
	}
	if programs()[name].wraps {
		list = append(list, foremostOf(args)...)
	}
	return append(list, c.untold(name)...)
}

// foremostOf are the programs that one may run which runs what its first word says that belongs to no option: the values of options are taken
// for words too.
func foremostOf(args []string) (list []string) {
	for i, a := range args {
		if !strings.HasPrefix(a, "-") && (!strings.Contains(a, "=") || strings.Contains(a, " ")) || strings.HasPrefix(a, "-S") || strings.HasPrefix(a, "--split") {
			list = append(list, lent(a, args[i+1:min(len(args), i+1+mostRest)])...)
		}
		if !strings.HasPrefix(a, "-") && !amount.In(a) && !strings.Contains(a, "=") && (i == 0 || !strings.HasPrefix(args[i-1], "-")) {
			break
		}
	}
	return list
}

// lent are the programs that a word may name: by itself, behind a sign or the name of what it is given for, or as a line.
func lent(word string, rest []string) (list []string) {
	word = strings.TrimLeft(lentSign.Re().ReplaceAllString(word, ""), "+:!\\ ")
	head, _, line := strings.Cut(word, " ")
	word = word[strings.LastIndexByte(head, '=')+1:]
	if word == "" || strings.HasPrefix(word, "-") {
		return nil
	}
	if !line && !strings.ContainsAny(word, ";|&\n\t$") {
		return []string{strings.Join(append([]string{path.Base(word)}, rest...), " ")}
	}
	for _, a := range Started(word) {
		list = append(list, a.By)
	}
	if _, behind, ok := strings.Cut(word, " "); ok { // .shell rm x
		list = append(list, strings.TrimSpace(path.Base(strings.Fields(behind + " .")[0])+" "+behind))
	}
	return list
}

// lentSign is what may stand before such a word.
var lentSign = &lazy.Pattern{X: `^(?:-[a-zA-Z]*S|(?:EXEC|SYSTEM|exec|system):|-P)`}

// untold is a call that may run any program: what it reads, or what it is given, is not known from the line.
func (c call) untold(name string) []string {
	args, judge := c.args, programs()[name].judge
	n, shell := len(args), judge == "shell"
	hidden := n > 0 && !args[0].known && (name == "source" || name == "." || shell) || n > 1 && name == "ln" && !args[n-2].known
	recipe := (name == "make" || name == "gmake") && slices.ContainsFunc(args, func(a arg) bool { return !a.known && a.text == "" || standard(a.text) && !c.in.known })
	fed := c.fed && !c.in.known && (shell && operand(texts(args)) == "" && !slices.ContainsFunc(args, func(a arg) bool { return a.text == "-c" }) || n > 0 && standard(args[0].text) && (shell || name == "source" || name == "."))
	if hidden || recipe || fed {
		return []string{Unnamed + name}
	}
	return nil
}

// runsUnknown reports whether a call runs, itself or by a shell, a file that the line wrote something to that is not known.
func (r *reading) runsUnknown(c call) bool {
	word, judge := c.name, programs()[base(c.name)].judge
	switch {
	case judge == "shell" || base(c.name) == "source" || c.name == ".":
		word = operand(texts(c.args))
	case !strings.Contains(word, "/"):
		return false
	}
	text, there := r.laid[path.Clean(workdir{at: c.at}.from(word))]
	return there && !text.known
}

// standard reports whether a word, or the value of an option, stands for what a program is given to read.
//
//go:noinline
func standard(word string) bool { return standardIn.In(word) }

var standardIn = &lazy.Pattern{X: `^(?:-f|--(?:make)?file=)?(?:-|/dev/(?:stdin|fd/0)|/proc/self/fd/0)$`}
