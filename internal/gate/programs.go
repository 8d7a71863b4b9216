package gate

import (
	"path"
	"slices"
	"strings"
	"sync"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// A program is what is known of one by its name: what it does whatever it is given, and which of its arguments make it
// do something else than that. The zero program reads the files that it is given.
type program struct {
	does    []Danger
	writes  bool                // its arguments are files that it changes
	unknown bool                // or that it may only read
	says    bool                // its arguments are no files
	skip    int                 // so many of its first arguments that are no options are no files
	other   *lazy.Pattern       // an argument that lets it run or write something else
	verbs   map[string][]Danger // what it does by its first word; an unknown one is a danger
	wraps   bool                // it runs the program that its arguments name
	chooses bool                // its words choose what of the project runs: others are another command
	judge   string              // where a table does not do: which of the readings of judged
}

// projects are the options with which what builds and tests a project runs something else.
var projects = &lazy.Pattern{X: `^--?(?:exec|toolexec|vettool|plugin|plugins|require|r|config|config-file|c|rcfile|init-script|I|eval|e|wrapper|fplugin.*|specs.*|command|cmd|global[Ss]etup|globalTeardown|setupFiles|rulesdir|load-plugins|import|loader|experimental-loader|overlay|manifest-path|f|file|makefile|script-shell|shell|settings|s|D\w*|resolve-plugins-relative-to|ignore-scripts=false|p|runner|testRunner|transform|environment|env|reporter|reporters|target-dir|profile|o|out|output|outDir|outFile|B)(?:[=:].*)?$|^@|^-f(?:-|/dev/)|^-(?:fplugin|specs|wrapper|B|I|D)\S+|^(?:SHELL|MAKEFLAGS|CC|CXX|LD|AR|\w*FLAGS)=`}

// programs are the programs that are known, by their names.
var programs = sync.OnceValue(func() map[string]program {
	table := map[string]program{}
	for _, row := range []struct {
		names string
		program
	}{
		{"cat head tail wc ls stat du df cmp comm cut tr column fold nl od hexdump strings basename dirname realpath readlink tac rev paste join expand unexpand fmt pr tsort numfmt md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum cksum b2sum sum file more zcat bzcat xzcat zless tree diff look nm size objdump readelf ldd otool tokei cloc scc exa eza", program{other: &lazy.Pattern{X: `^-(?:o|-output|C|-compile|-files0-from|-process|-magic-file|m$)|^--(?:pre|pager)`}}},
		{"grep egrep fgrep zgrep rg ag ack", program{skip: 1, other: &lazy.Pattern{X: `^--(?:pre|pager|hostname-bin|search-zip|output|ackrc|env|type-add|open-files-in-pager)|^-z$`}}},
		{"bc", program{}},
		{"jq gron", program{skip: 1, other: &lazy.Pattern{X: `^(?:-f|--from-file|-L|--run-tests)`}}},
		{"sort uniq", program{other: &lazy.Pattern{X: `^-o|^--(?:output|compress-program|files0-from|temporary-directory)`}}},
		{"date hostname", program{says: true, other: &lazy.Pattern{X: `^(?:-s|--set.*|-F|--file.*|-b|[^+-].*)$`}}},
		{"echo printf true false : test [ seq sleep expr pwd uname whoami id which type arch nproc free uptime locale tput getconf tty groups users who w cal factor yes logname", program{says: true}},
		{"cd pushd popd dirs read shift break continue return exit wait set unset local export readonly declare typeset let times umask ulimit shopt jobs fg bg disown getopts", program{judge: "builtin"}},
		{"mkdir touch", program{writes: true}},
		{"gofmt goimports gofumpt rustfmt shfmt prettier black isort clang-format", program{writes: true, other: projects}},
		{"cp mv ln install tee patch split csplit tar unzip zip gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd 7z ar cpio ed ex sponge dos2unix unix2dos rename mktemp mkfifo", program{does: []Danger{Alters}, writes: true, other: &lazy.Pattern{X: `^(?:--?(?:filter|to-command|checkpoint-action|checkpoint|use-compress-program|rsh-command|rsh|info-script|new-volume-script|rmt-command|unzip-command|exec|e|suffix|program|strip-program|TT|T|F|I)(?:=.*)?$|--to-c|--use-c|--checkpoint-a)`}}},
		{"sed gsed", program{skip: 1, judge: "sed"}},
		{"awk gawk mawk nawk", program{skip: 1, judge: "awk"}},
		{"find gfind", program{judge: "find"}},
		{"fd fdfind", program{skip: 1, other: &lazy.Pattern{X: `^-[xX]|^--exec`}}},
		{"xxd", program{other: &lazy.Pattern{X: `^-r|^-revert`}}},
		{"yq", program{skip: 1, other: &lazy.Pattern{X: `^(?:-i|--inplace|--in-place|-f|--from-file|-s|--split.*)$`}}},
		{"ps top pgrep lsof netstat ss ip ifconfig vmstat iostat dmesg lscpu lsblk sw_vers", program{says: true, does: []Danger{Outside}}},
		{"rm rmdir unlink shred dd truncate mkfs del rd format fdisk parted wipefs dropdb srm blkdiscard sfdisk gdisk mke2fs badblocks", program{does: []Danger{Destroys}, writes: true, other: &lazy.Pattern{X: `^--rsh`}}},
		{"kill pkill killall xkill skill shutdown reboot halt poweroff init telinit", program{does: []Danger{Destroys}, says: true}},
		{"chmod chown chgrp chattr setfacl setcap crontab at batch systemctl service launchctl iptables nft mount umount modprobe insmod sysctl usermod useradd passwd chsh visudo losetup swapon setenforce update-alternatives loginctl systemd-run xattr csrutil defaults spctl scutil dscl networksetup security tccutil osascript automator schtasks reg sc net icacls takeown wmic", program{does: []Danger{Privileged}, writes: true}},
		{"sudo doas su pkexec runas sg gosu su-exec", program{does: []Danger{Privileged}, wraps: true}},
		{"curl wget ssh scp sftp rsync nc ncat netcat telnet ftp tftp npx uvx pipx bunx gh glab hub lynx w3m links elinks aria2c axel http https xh httpie nslookup dig host ping traceroute whois openssl socat websocat ngrok cloudflared tailscale rclone s3cmd mail sendmail mutt msmtp irssi nmap masscan finger rsh rlogin rexec smbclient ldapsearch git-remote-https svn hg cvs fossil", program{does: []Danger{Network}, writes: true, other: &lazy.Pattern{X: `^-o(?:Proxy|Local|Permit)|ProxyCommand|LocalCommand|^--rsh|^-e$|^--(?:exec|sh-exec|config|use-askpass|post-file|upload-file|data-binary|engine|upload)|^-[KTFd]$|^@|EXEC:|SYSTEM:|^-c$`}}},
		{"terraform tofu pulumi kubectl oc helm ansible ansible-playbook salt vagrant packer serverless sls firebase vercel netlify heroku fly flyctl wrangler doctl nomad consul vault eksctl cdk sam", program{does: []Danger{Publishes}}},
		{"aws gcloud az gsutil bq ibmcloud oci", program{does: []Danger{Publishes, Network}}},
		{"env nohup time nice ionice timeout setsid stdbuf exec command builtin unbuffer chronic chrt taskset gtimeout caffeinate strace ltrace faketime xargs gxargs watch flock script parallel entr doit chroot unshare nsenter firejail bwrap proot fakeroot busybox toybox catchsegv valgrind perf rlwrap dbus-run-session xvfb-run ssh-agent systemd-inhibit numactl prlimit cgexec setarch linux64 cpulimit ld.so", program{wraps: true}},
		{"sh bash zsh dash fish ksh mksh ash csh tcsh rbash pwsh powershell cmd nu elvish xonsh", program{judge: "shell", writes: true}},
		{"python python2 python3 pypy pypy3 node nodejs deno bun perl ruby php lua luajit tclsh wish expect r rscript julia ghci runghc irb jshell groovy scala kotlin swift osascript guile racket sbcl clisp elixir iex erl escript raku crystal nim dart ocaml java jjs jrunscript mono csi fsi dotnet-script qjs d8 js v8 wasmtime wasmer ts-node tsx m4 dc gdb lldb pdb ipython jupyter sqlite3 psql mysql mongo mongosh redis-cli vim vi nvim nano emacs ed ex less man info pico joe view rvim vimdiff screen tmux cscope ctags make-kpkg latex pdflatex tex xelatex lualatex gnuplot octave matlab ffmpeg convert magick ghostscript gs exiftool pandoc cpan gcore", program{judge: "interpreter", writes: true}},
		{"eval trap", program{does: []Danger{Unclear}, judge: "spoken"}},
		{"source . alias unalias enable hash bind complete compgen fc history mapfile readarray coproc logger zmodload autoload", program{does: []Danger{Unclear}}},
		{"git", program{judge: "git"}},
		{"go", program{verbs: goVerbs(), other: projects}},
		{"cargo", program{verbs: cargoVerbs(), other: projects}},
		{"npm pnpm yarn", program{verbs: npmVerbs(), other: projects, chooses: true}},
		{"pip pip3 uv poetry pdm hatch conda mamba gem bundle bundler composer brew apt apt-get aptitude dpkg rpm dnf yum zypper pacman apk snap flatpak port nix nix-env nix-shell choco scoop winget opam cabal stack luarocks cpanm asdf mise nvm rbenv pyenv rustup sdk volta", program{verbs: managerVerbs()}},
		{"docker podman nerdctl buildah skopeo docker-compose podman-compose lxc lxd incus multipass colima limactl", program{verbs: containerVerbs()}},
		{"make gmake ninja bazel bazelisk just task rake invoke tox nox mvn mvnw gradle gradlew sbt ant lein meson cmake ctest scons xcodebuild msbuild dotnet swiftc turbo nx lerna rush gulp grunt", program{verbs: buildVerbs(), other: projects, chooses: true}},
		{"pytest py.test jest vitest mocha ava tap phpunit rspec tsc tsgo eslint stylelint biome oxlint ruff mypy pyright pyre flake8 pylint bandit golangci-lint staticcheck errcheck revive javac kotlinc scalac gcc cc g++ c++ clang clang++ ld as rustc clippy-driver shellcheck hadolint markdownlint yamllint actionlint vale codespell checkstyle ktlint detekt swiftlint swift-format cppcheck clang-tidy include-what-you-use cppclean unittest nose2 gotestsum gotest playwright cypress karma jasmine webpack vite rollup esbuild swc parcel", program{other: projects}},
		{"coverage", program{other: projects, chooses: true}},
		{"nebula", program{judge: "self"}},
	} {
		for _, name := range strings.Fields(row.names) {
			if _, there := table[name]; !there {
				table[name] = row.program
			}
		}
	}
	return table
})

func (r *reading) run(c call) {
	if r.owns(c.name) {
		r.add(Own)
	}
	name := base(c.name)
	if strings.Contains(c.name, "/") && !usual(c.name) && name != "ld.so" {
		if outside(c.name) {
			r.add(Outside)
		}
		if r.add(RunsCode); !strings.HasSuffix(name, "gradlew") && !strings.HasSuffix(name, "mvnw") {
			r.files(program{writes: true, unknown: true}, c.args)
			return
		}
	}
	p, ok := programs()[name]
	r.fed(name, p, c.args)
	if !ok {
		r.add(Unknown)
		r.files(program{writes: true, unknown: true}, c.args)
		return
	}
	r.add(p.does...)
	r.reckoned(name, c.args)
	switch {
	case p.judge != "":
		r.judged(p.judge, name, c.args)
	case p.wraps:
		r.wrapped(name, c.args)
	case p.verbs != nil:
		r.verb(p, c.args)
	}
	r.files(p, silent(name, c.args))
	if p.other == nil {
		return
	}
	for _, a := range c.args {
		if a.known && p.other.In(a.text) {
			r.add(Unclear)
		}
	}
}

// judged reads a program for which a row of the table does not do.
func (r *reading) judged(how, name string, args []arg) {
	switch how {
	case "builtin":
		r.builtin(name, args)
	case "sed":
		r.sed(args)
	case "spoken":
		if name == "trap" {
			args = args[:min(len(args), 1)]
		}
		if !slices.ContainsFunc(args, func(a arg) bool { return !a.known }) {
			r.line(strings.Join(texts(args), " "))
		} else if name == "eval" {
			r.unnamed = append(r.unnamed, name)
		}
	case "awk":
		r.awk(args)
	case "find":
		r.find(args)
	case "shell":
		r.shell(args)
	case "interpreter":
		r.interpreter(args)
	case "git":
		r.git(args)
	case "self":
		r.self(args)
	}
}

// usual reports whether a program is where programs are.
func usual(name string) bool {
	return lists.Has([]string{"/usr/bin", "/bin", "/usr/local/bin", "/usr/sbin", "/sbin"}, path.Dir(name))
}

// files looks at the files that a program is given.
func (r *reading) files(p program, args []arg) {
	if p.says {
		return
	}
	skip := p.skip
	if p.skip > 0 && slices.ContainsFunc(args, func(a arg) bool { return scripted.In(a.text) }) {
		skip = 0 // what it looks for or runs is said by an option
	}
	for _, a := range args {
		option := strings.HasPrefix(a.text, "-") && len(a.text) > 1
		if m := scripted.For(a.text).FindStringSubmatch(a.text); p.skip > 0 && m != nil && m[2] == "" && !strings.HasSuffix(m[1], "f") && !strings.HasSuffix(m[1], "file") {
			skip = 1
		}
		switch {
		case !a.known:
			if p.judge == "" || p.skip > 0 {
				r.add(Unclear)
			}
			r.file(a.text, p.writes)
		case option:
			if value := strings.TrimLeft(a.text, "-"); len(value) > 1 && strings.ContainsAny(value, "/~=") {
				r.file(strings.TrimLeft(value[1:], "="), p.writes)
			}
			r.file(a.text, p.writes)
		case skip > 0:
			skip--
		default:
			r.file(a.text, p.writes)
		}
	}
}

// scripted are the options that say what a program looks for or runs, or in which file that stands.
var scripted = &lazy.Pattern{X: `^(-\w*?[ef]|--regexp|--expression|--file|--from-file)(.*)$`}

// verb looks up what a program does by its first word.
func (r *reading) verb(p program, args []arg) {
	verb := ""
	for _, a := range args {
		if !a.known {
			r.add(Unclear)
			return
		}
		if !strings.HasPrefix(a.text, "-") || p.verbs[a.text] != nil {
			verb = a.text
			break
		}
	}
	does, ok := p.verbs[verb]
	if !ok && verb != "" {
		r.add(RunsCode)
	}
	r.add(does...)
	texts := texts(args)
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return lists.Has(texts, w) })
	}
	switch verb {
	case "env":
		if has("-w", "-u") {
			r.add(Privileged, Unclear)
		}
	case "mod", "work":
		if has("download", "tidy", "vendor") {
			r.add(Network)
		} else if has("edit", "init", "use", "replace") {
			r.add(Alters)
		}
	case "run", "run-script":
		if len(args) == 2 && lists.Has([]string{"test", "tests", "build", "lint", "typecheck", "type-check", "check", "format", "compile"}, args[1].text) {
			r.found = lists.Drop(r.found, func(d Danger) bool { return d == RunsCode && len(r.calls) == 1 })
		}
	}
	for _, a := range args {
		if words := p.verbs[a.text]; a.text != verb && len(words) > 0 && words[0] != RunsCode && words[0] != Network {
			r.add(words...)
		}
	}
}

//go:noinline
func texts(args []arg) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = a.text
	}
	return out
}

// amount is a number or a time, which belongs to the options of a wrapper.
var amount = &lazy.Pattern{X: `^\d[\d.]*[smhd]?$`}

// harmless are the wrappers that change nothing about what they run.
var harmless = []string{"nohup", "time", "nice", "timeout", "gtimeout", "command", "builtin", "stdbuf", "unbuffer", "chronic", "ionice"}

// foremost are those of them that are given a file or a folder first.
var foremost = []string{"flock", "chroot"}

// wrapped reads a program that runs another: the options and what belongs to them first, then the other.
func (r *reading) wrapped(name string, args []arg) {
	inspects := name == "command" && len(args) > 0 && (args[0].text == "-v" || args[0].text == "-V")
	if inspects || name == "env" && len(args) == 0 || name == "exec" && len(args) == 0 {
		if name == "env" {
			r.add(Unclear) // what it shows are values that commands are given, and no file
		}
		return
	}
	if !lists.Has(harmless, name) && programs()[name].does == nil {
		r.add(Unclear)
	}
	if with := r.appended(name, args); len(with) != len(args) {
		args = with
		defer func(in arg) { r.stdin = in }(r.stdin)
		r.stdin = arg{}
	}
	for i, a := range args {
		switch {
		case strings.HasPrefix(a.text, "-"), amount.In(a.text), i == 0 && lists.Has(foremost, name) && len(args) > 1:
		case strings.Contains(a.text, "="):
			key, value, _ := strings.Cut(a.text, "=")
			r.steered(key, value)
		case strings.ContainsAny(a.text, " \t;|"):
			r.line(a.text)
			return
		default:
			if _, known := programs()[base(a.text)]; known || lists.Has(harmless, name) || i == 0 || !a.known || strings.ContainsAny(a.text, "*?[") {
				r.call(args[i:])
				return
			}
		}
	}
}

// shell reads a shell: what it runs, when it is said, and that it is one.
func (r *reading) shell(args []arg) {
	r.add(Unclear)
	for i, a := range args {
		if strings.HasPrefix(a.text, "-") && !strings.HasPrefix(a.text, "--") && strings.Contains(a.text, "c") {
			n := slices.IndexFunc(args[i+1:], func(a arg) bool {
				return !a.known || !strings.HasPrefix(a.text, "-") && !strings.HasPrefix(a.text, "+")
			})
			switch {
			case n < 0:
			case args[i+1+n].known:
				r.line(args[i+1+n].text)
				return
			default:
				r.unnamed = append(r.unnamed, "sh")
			}
		}
	}
	if len(args) > 0 {
		r.add(RunsCode)
	}
}

// tested are what an interpreter may be told that runs no more than a project's tests, or nothing.
var tested = [][]string{{"-m", "pytest"}, {"-m", "unittest"}, {"-m", "mypy"}, {"-m", "py_compile"}, {"-m", "compileall"}, {"-m", "ruff"}, {"-m", "black"}, {"-m", "flake8"}, {"--test"}, {"--version"}, {"-V"}, {"-v"}, {"--check"}, {"-l"}, {"test"}, {"check"}, {"lint"}, {"fmt"}}

// interpreter reads a program that runs what it is given.
func (r *reading) interpreter(args []arg) {
	texts := texts(args)
	for _, t := range tested {
		if len(texts) >= len(t) && lists.Equal(texts[:len(t)], t) && !slices.ContainsFunc(texts[len(t):], projects.In) {
			return
		}
	}
	r.add(RunsCode)
	if len(args) == 0 || strings.HasPrefix(args[0].text, "-") {
		r.add(Unclear)
	}
	r.mentions(strings.Join(texts, "\n"))
}

var plainSed = &lazy.Pattern{X: `^(?:(?:\d+|\$|/[^/]*/)?(?:,(?:\d+|\$|/[^/]*/))?\s*(?:[pdq=]|s([/|,#])[^\n]*[/|,#][gpiI0-9]*)\s*;?\s*)+$`}

func (r *reading) sed(args []arg) {
	script := false
	for _, a := range args {
		switch t := a.text; {
		case strings.HasPrefix(t, "-i"), strings.HasPrefix(t, "--in-place"), strings.HasPrefix(t, "-n") && strings.Contains(t, "i"), strings.HasPrefix(t, "-E") && strings.Contains(t, "i"):
			r.add(Alters)
		case t == "-f", strings.HasPrefix(t, "--file"):
			r.add(Unclear)
		case strings.HasPrefix(t, "-"):
		case !script:
			script = true
			if !a.known || !plainSed.In(t) || strings.Contains(t, "\n") {
				r.add(Unclear)
				r.mentions(t)
				for _, m := range sedRuns.For(t).FindAllStringSubmatch(t, -1) {
					r.line(m[1])
				}
				if sedMade.In(t) {
					r.unnamed = append(r.unnamed, "sed")
				}
			}
		}
	}
	if lists.Has(r.found, Alters) {
		for _, a := range args {
			if !strings.HasPrefix(a.text, "-") {
				r.file(a.text, true)
			}
		}
	}
}

var plainAwk = &lazy.Pattern{X: `system|getline|close|printf?[^;}]*[|>]|\||>\s*"|@|^-[fiElo]|^--(?:file|include|load|exec|source)|fflush|ENVIRON`}

func (r *reading) awk(args []arg) {
	for _, a := range args {
		if !a.known || plainAwk.In(a.text) {
			r.add(Unclear)
		}
		if awkRuns.In(a.text) {
			for _, m := range awkTexts.For(a.text).FindAllStringSubmatch(a.text, -1) {
				r.line(strings.ReplaceAll(m[1], `\"`, `"`))
			}
		}
		r.mentions(a.text)
	}
}

// What awk and sed give to a shell.
var (
	awkRuns  = &lazy.Pattern{X: `\bsystem\s*\(|\|`}
	awkTexts = &lazy.Pattern{X: `"((?:[^"\\]|\\.)*)"`}
	sedMade  = &lazy.Pattern{X: `s([/|,#]).*[/|,#][gpIm\d]*e[gpIm\d]*\s*(?:$|[;}\n])|^[\d$]*\s*e$`} // what comes of a line is run
	sedRuns  = &lazy.Pattern{X: `(?m)(?:^|[;\d/$}{])\s*e\s+(.+)$`}
)

func (r *reading) find(args []arg) {
	for i, a := range args {
		switch t := a.text; {
		case t == "-delete":
			r.add(Destroys)
		case strings.HasPrefix(t, "-exec"), strings.HasPrefix(t, "-ok"):
			if r.add(Unclear); i+1 < len(args) {
				r.call(args[i+1:])
			}
			return
		case strings.HasPrefix(t, "-fprint"), t == "-fls", t == "-files0-from", !a.known:
			r.add(Unclear)
		}
	}
}

// self reads nebula's own command line: what changes its settings or its record is never done for a model.
func (r *reading) self(args []arg) {
	words := lists.Drop(texts(args), func(w string) bool { return strings.HasPrefix(w, "-") })
	r.add(RunsCode)
	changes := map[string][]string{"config": {"set", "unset", "edit"}, "memory": {"rm", "add", "edit", "clear"}, "sessions": {"rm"}, "rules": {"rm", "add"}, "login": {""}, "logout": {""}, "undo": {""}, "update": {""}}
	for i, verb := range words {
		for _, w := range changes[verb] {
			if w == "" || lists.Has(words[i:], w) {
				r.add(Own)
			}
		}
	}
}
