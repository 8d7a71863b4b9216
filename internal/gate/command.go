package gate

import (
	"slices"
	"strings"
)

// command is what a shell command's words tell of it. It is for showing and for asking, never a boundary: whoever
// wants to hide something from it can. That is why a command that hides asks too.
func command(line string) []Danger {
	var found []Danger
	add := func(ds ...Danger) {
		for _, d := range ds {
			if !slices.Contains(found, d) {
				found = append(found, d)
			}
		}
	}
	for _, part := range simple(line) {
		add(program(part.words)...)
		for _, w := range part.words {
			if outside(w) {
				add(Outside)
			}
		}
		for _, w := range part.writes {
			if outside(w) {
				add(Outside)
			}
		}
		if part.empties() {
			add(Empties)
		}
		if part.piped && len(part.words) > 0 && shells[base(part.words[0])] {
			add(Unclear)
		}
	}
	if strings.Contains(line, "base64 -d") || strings.Contains(line, "eval ") || strings.ContainsAny(line, "\x00\x1b") {
		add(Unclear)
	}
	return found
}

// A part is one simple command of a line.
type part struct {
	words  []string
	writes []string // targets of > and >>
	over   []string // those of >
	piped  bool     // reads what another command writes
}

// empties reports whether a part writes nothing over a file: > a.go, : > a.go, cat /dev/null > a.go.
func (p part) empties() bool {
	silent := len(p.words) == 0 || p.words[0] == ":" || p.words[0] == "true" || slices.Equal(p.words, []string{"cat", "/dev/null"}) ||
		slices.Equal(p.words, []string{"echo", "-n"})
	return silent && slices.ContainsFunc(p.over, func(w string) bool { return !strings.HasPrefix(w, "/dev/") && !strings.HasPrefix(w, "&") })
}

// simple splits a line into its simple commands the way a shell would for plain lines: quotes are respected, and what
// stands in $( ) or backquotes counts as commands of its own.
func simple(line string) []part {
	var parts []part
	var now part
	var word strings.Builder
	inWord, redirect, add := false, false, false
	flush := func() {
		if !inWord {
			return
		}
		if redirect {
			now.writes = append(now.writes, word.String())
			if !add {
				now.over = append(now.over, word.String())
			}
		} else {
			now.words = append(now.words, word.String())
		}
		word.Reset()
		inWord, redirect = false, false
	}
	end := func(piped bool) {
		flush()
		if len(now.words)+len(now.writes) > 0 {
			parts = append(parts, now)
		}
		now = part{piped: piped}
	}
	var quote byte
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote == '\'' && c != '\'', quote == '"' && c != '"' && c != '`' && c != '$' && c != '\\':
			word.WriteByte(c)
		case c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, inWord = c, true
		case c == '\\' && i+1 < len(line):
			i++
			word.WriteByte(line[i])
			inWord = true
		case c == '`' || c == '$' && i+1 < len(line) && line[i+1] == '(' || quote == 0 && (c == ';' || c == '\n' || c == '(' || c == ')' || c == '{' || c == '}'):
			end(false)
		case quote == 0 && (c == '|' || c == '&'):
			end(c == '|' && (i+1 >= len(line) || line[i+1] != '|') && (i == 0 || line[i-1] != '|'))
		case quote == 0 && c == '>':
			flush()
			redirect, add = true, i+1 < len(line) && line[i+1] == '>'
			if add {
				i++
			}
		case quote == 0 && (c == ' ' || c == '\t'):
			flush()
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	end(false)
	return parts
}

var shells = map[string]bool{"sh": true, "bash": true, "zsh": true, "dash": true, "fish": true, "python": true, "python3": true, "node": true, "perl": true, "ruby": true, "pwsh": true, "powershell": true}

// wrappers run the command that follows them.
var wrappers = map[string]bool{"env": true, "nohup": true, "time": true, "nice": true, "xargs": true, "exec": true, "command": true, "builtin": true, "timeout": true, "setsid": true, "stdbuf": true, "then": true, "do": true, "else": true, "if": true, "while": true, "!": true}

func base(word string) string {
	word = word[strings.LastIndexByte(word, '/')+1:]
	return strings.TrimSuffix(strings.ToLower(word), ".exe")
}

// program is what the program of a simple command and its arguments tell.
func program(words []string) []Danger {
	for len(words) > 0 && (strings.Contains(words[0], "=") || wrappers[base(words[0])]) {
		words = skipOptions(words[1:])
	}
	if len(words) == 0 {
		return nil
	}
	name, rest := base(words[0]), words[1:]
	switch name {
	case "sudo", "doas", "su", "pkexec", "runas":
		return append([]Danger{Privileged}, program(skipOptions(rest))...)
	case "sh", "bash", "zsh", "dash", "fish", "pwsh", "powershell":
		if i := slices.Index(rest, "-c"); i >= 0 && i+1 < len(rest) {
			return command(rest[i+1])
		}
		return nil
	case "git":
		return git(rest)
	case "find":
		if slices.Contains(rest, "-delete") || slices.Contains(rest, "-exec") && slices.Contains(rest, "rm") {
			return []Danger{Destroys}
		}
		return nil
	}
	if d, ok := programs[name]; ok {
		return d
	}
	return manager(name, rest)
}

// skipOptions leaves out the options, numbers and assignments before a wrapped command.
func skipOptions(words []string) []string {
	for len(words) > 0 && (strings.HasPrefix(words[0], "-") || strings.Contains(words[0], "=") || strings.Trim(words[0], "0123456789.smhd") == "") {
		words = words[1:]
	}
	return words
}

var programs = map[string][]Danger{
	"rm": {Destroys}, "rmdir": {Destroys}, "unlink": {Destroys}, "shred": {Destroys}, "dd": {Destroys}, "truncate": {Destroys}, "mkfs": {Destroys},
	"del": {Destroys}, "rd": {Destroys}, "format": {Destroys}, "fdisk": {Destroys}, "parted": {Destroys}, "wipefs": {Destroys}, "dropdb": {Destroys},
	"kill": {Destroys}, "pkill": {Destroys}, "killall": {Destroys}, "shutdown": {Destroys}, "reboot": {Destroys}, "halt": {Destroys}, "poweroff": {Destroys},
	"chmod": {Privileged}, "chown": {Privileged}, "chattr": {Privileged}, "setcap": {Privileged}, "crontab": {Privileged}, "systemctl": {Privileged}, "launchctl": {Privileged}, "iptables": {Privileged}, "mount": {Privileged}, "umount": {Privileged},
	"curl": {Network}, "wget": {Network}, "ssh": {Network}, "scp": {Network}, "sftp": {Network}, "rsync": {Network}, "nc": {Network}, "ncat": {Network}, "telnet": {Network}, "ftp": {Network}, "npx": {Network}, "uvx": {Network}, "gh": {Network},
	"eval": {Unclear}, "source": {Unclear}, ".": {Unclear},
	"terraform": {Publishes}, "kubectl": {Publishes}, "helm": {Publishes}, "aws": {Publishes, Network}, "gcloud": {Publishes, Network}, "az": {Publishes, Network},
}

func git(rest []string) []Danger {
	for len(rest) > 1 && strings.HasPrefix(rest[0], "-") {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return nil
	}
	has := func(option string) bool { return slices.Contains(rest, option) }
	switch rest[0] {
	case "push":
		return []Danger{Publishes, Network}
	case "fetch", "pull", "clone", "submodule", "ls-remote":
		return []Danger{Network}
	case "clean", "gc", "filter-branch", "reflog", "rebase":
		return []Danger{Destroys}
	case "reset":
		if has("--hard") || has("--merge") {
			return []Danger{Destroys}
		}
	case "checkout", "restore", "switch":
		if has("--") || has(".") || has("-f") || has("--force") || rest[0] == "restore" {
			return []Danger{Destroys}
		}
	case "branch", "tag", "stash", "worktree", "remote":
		if has("-D") || has("-d") || has("--delete") || has("drop") || has("clear") || has("remove") {
			return []Danger{Destroys}
		}
	}
	return nil
}

// manager is what package managers and build tools do beside building.
func manager(name string, rest []string) []Danger {
	verb := ""
	for _, w := range rest {
		if !strings.HasPrefix(w, "-") {
			verb = w
			break
		}
	}
	switch name {
	case "npm", "pnpm", "yarn", "bun", "pip", "pip3", "uv", "poetry", "gem", "bundle", "cargo", "go", "apt", "apt-get", "brew", "dnf", "yum", "pacman", "apk", "composer", "docker", "podman", "mvn", "gradle", "dotnet", "make":
	default:
		return nil
	}
	switch verb {
	case "publish", "deploy", "push", "upload", "release":
		return []Danger{Publishes, Network}
	case "install", "i", "add", "get", "update", "upgrade", "ci", "fetch", "pull", "download", "sync", "dlx", "create", "x":
		return []Danger{Network}
	case "prune", "rm", "rmi", "system", "purge", "uninstall", "remove", "autoremove":
		return []Danger{Destroys}
	}
	return nil
}

// outside reports whether a word names a place outside the folder: an absolute path beyond the ones that every
// program uses, a home directory, or a way up.
func outside(word string) bool {
	if i := strings.IndexByte(word, '='); i > 0 && strings.HasPrefix(word, "-") {
		word = word[i+1:]
	}
	switch {
	case word == "..", strings.HasPrefix(word, "../"), strings.Contains(word, "/../"), strings.HasSuffix(word, "/.."):
		return true
	case word == "~", strings.HasPrefix(word, "~/"), strings.HasPrefix(word, "$HOME"), strings.HasPrefix(word, "${HOME}"):
		return true
	case len(word) > 2 && word[1] == ':' && (word[2] == '\\' || word[2] == '/'):
		return true
	case !strings.HasPrefix(word, "/"), strings.HasPrefix(word, "/dev/null"), strings.HasPrefix(word, "/dev/std"), strings.HasPrefix(word, "//"):
		return false
	}
	for _, usual := range []string{"/usr/bin/", "/bin/", "/usr/local/bin/"} {
		if strings.HasPrefix(word, usual) {
			return false
		}
	}
	return true
}
