package confine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// hidden are what of a person's home no command sees: keys, passwords, what a person did, and what speaks for them.
var hidden = strings.Fields(`
.ssh .aws .azure .gnupg .pki .kube .docker .netrc .authinfo .authinfo.gpg .git-credentials .npmrc .yarnrc.yml .pypirc .pgpass .my.cnf
.mylogin.cnf .vault-token .terraformrc .terraform.d .password-store .s3cfg .boto .fly .oci .bluemix .databrickscfg .snowflake
.cargo/credentials .cargo/credentials.toml .gem/credentials .m2/settings-security.xml .gradle/gradle.properties .composer/auth.json
.config/gcloud .config/gh .config/glab-cli .config/hub .config/git/credentials .config/rclone .config/op .config/doctl .config/heroku
.config/netlify .config/containers .config/composer/auth.json .config/github-copilot .config/age .config/sops .config/solana
.config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge .config/vivaldi .config/opera .config/Signal
.config/Slack .config/discord .config/1Password .config/Bitwarden .config/keepassxc .config/Code/User/globalStorage
.mozilla .thunderbird .local/share/keyrings .local/share/kwalletd .local/share/fish/fish_history .local/share/atuin
.cache/google-chrome .cache/chromium .cache/mozilla .cache/BraveSoftware .cache/microsoft-edge .cache/keyring
.claude .claude.json .codex .gemini .config/nebula .local/share/nebula .local/state/nebula
.bash_history .zsh_history .history .python_history .node_repl_history .psql_history .mysql_history .sqlite_history .rediscli_history
.viminfo .lesshst .wget-hsts .Xauthority .ICEauthority .bitcoin .electrum .ethereum
Library/Keychains Library/Cookies Library/Safari Library/Mail Library/Messages
`)

// sealed are what of the system no command sees: where sockets of programs are that act for whoever reaches them, and
// what only the system's own programs read.
var sealed = strings.Fields(`
/run /var/run /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d /etc/ssh /etc/ssl/private
/var/spool/cron /var/lib/docker /var/lib/containerd /var/lib/lxd /var/lib/NetworkManager /etc/NetworkManager/system-connections
/var/lib/sss /etc/krb5.keytab /sys/kernel/debug /sys/kernel/tracing /sys/firmware/efi/efivars
`)

// temporary are where a command has a folder of its own.
var temporary = []string{"/tmp", "/var/tmp"}

// caches are what tools keep below a person's home and work slowly without: a private layer stands over them. None holds
// programs that a person runs.
var caches = strings.Fields(`
.cache .npm .yarn/berry/cache .pnpm-store .local/share/pnpm/store .bun/install/cache .cargo/registry .cargo/git go/pkg
.m2/repository .gradle/caches .ivy2/cache .nuget/packages .sbt/boot .stack/pantry .cabal/packages .hex .gem/specs .bundle/cache .deno
`)

// processes is how many a command may have: more than any build, fewer than a machine can bear.
const processes = 4096

// A Place is what a box is made for.
type Place struct {
	Folder     string
	Home       string              // of the person
	Environ    func(string) string // where tools have their caches
	Own        []string            // of nebula: nobody else sees it
	Kept       string              // the folder that has the private layers, below Own; "" for none that last
	Further    []string            // other folders that may be changed
	Shared     string              // see [Box]
	Pins       []string            // what of the folders is not to be changed
	Sockets    []string            // of other programs, in the folders
	Trees      []string            // folders in them in which git has what belongs to a work tree
	Bare       []string            // folders in them that are a repository themselves
	Repository bool                // repositories may be changed
	Programs   []string            // that are run and no others; nil where that is not known
}

// For makes the box of a folder. A folder that holds the person's home, or one of the system's, cannot be one's own.
func For(p Place) (Box, bool) {
	folder, err := filepath.EvalSymlinks(p.Folder)
	if err != nil || p.Home == "" {
		return Box{}, false
	}
	home, err := filepath.EvalSymlinks(p.Home)
	if err != nil {
		home = filepath.Clean(p.Home)
	}
	for _, whole := range slices.Concat([]string{home, "/dev", "/proc", "/sys", "/usr", "/etc"}, temporary) {
		if within(whole, folder) {
			return Box{}, false
		}
	}
	if within(folder, "/dev", "/proc", "/sys") {
		return Box{}, false
	}
	if !owned(folder) {
		return Box{}, false
	}
	b := Box{Folder: folder, Private: temporary, Shared: p.Shared, Limits: Limits{Processes: processes}}
	for _, path := range p.Further {
		if real, err := filepath.EvalSymlinks(path); err == nil && !within(home, real) {
			b.Write = append(b.Write, real)
		}
	}
	b.Hide = slices.Concat(sealed, others(home, folder), p.Own)
	for _, name := range hidden {
		b.Hide = append(b.Hide, filepath.Join(home, name))
	}
	b.Layers = p.layers(home)
	b.ReadOnly = append(b.ReadOnly, p.Pins...)
	b.Hide = append(b.Hide, p.Sockets...)
	b.repositories(p)
	return b, true
}

// repositories says what of repositories may be changed: by git commands all but what git runs later, by others nothing.
func (b *Box) repositories(p Place) {
	groups := [][]string{repository(b.Folder)}
	for _, dir := range p.Trees {
		if !slices.Contains(groups[0], dir) {
			groups = append(groups, []string{dir})
		}
	}
	places := append([]string{b.Folder}, b.Write...)
	for _, dirs := range groups {
		switch {
		case p.Repository:
			b.Write = append(b.Write, dirs...)
			b.keep(kept(dirs), dirs)
		case len(dirs) == 1 && within(dirs[0], places...):
			b.ReadOnly = append(b.ReadOnly, dirs...)
		default:
			b.Read = append(b.Read, dirs...)
		}
	}
	for _, dir := range p.Bare {
		b.keep(kept([]string{dir}), []string{dir})
	}
}

// keep has paths in some folders stay as they are, and so the folders on the way to them.
func (b *Box) keep(paths, dirs []string) {
	b.ReadOnly = append(b.ReadOnly, paths...)
	for _, path := range paths {
		if dir := filepath.Dir(path); !slices.Contains(dirs, dir) && !slices.Contains(b.Fixed, dir) {
			b.Fixed = append(b.Fixed, dir)
		}
	}
}

// others are the homes of other people.
func others(home, folder string) (found []string) {
	for _, dir := range []string{"/home", "/Users"} {
		list, _ := os.ReadDir(dir)
		for _, e := range list {
			if path := filepath.Join(dir, e.Name()); !within(home, path) && !within(folder, path) {
				found = append(found, path)
			}
		}
	}
	if !within(home, "/root") && !within(folder, "/root") {
		found = append(found, "/root")
	}
	return found
}

// layers are the caches that are there.
func (p Place) layers(home string) (found []Layer) {
	paths := []string{p.Environ("GOCACHE"), p.Environ("GOMODCACHE"), p.Environ("CARGO_HOME") + "/registry", p.Environ("npm_config_cache"), p.Environ("PIP_CACHE_DIR"), p.Environ("XDG_CACHE_HOME")}
	for _, name := range caches {
		paths = append(paths, filepath.Join(home, name))
	}
	for _, path := range paths {
		real, err := filepath.EvalSymlinks(path)
		if err != nil || !filepath.IsAbs(path) || !within(real, home) || real == home {
			continue
		}
		if info, err := os.Stat(real); err != nil || !info.IsDir() || within(p.Folder, real) || within(real, p.Folder) {
			continue
		}
		if slices.ContainsFunc(found, func(l Layer) bool { return within(real, l.Path) }) {
			continue
		}
		l := Layer{Path: real}
		if p.Kept != "" {
			name := strings.ReplaceAll(strings.TrimPrefix(real, "/"), "/", "%")
			l.Upper, l.Work = filepath.Join(p.Kept, name, "changed"), filepath.Join(p.Kept, name, "work")
		}
		found = append(found, l)
	}
	return found
}

// outward are variables that lead out of the box, or to what is not in it.
var outward = []string{"SSH_AUTH_SOCK", "SSH_AGENT_PID", "DBUS_SESSION_BUS_ADDRESS", "DOCKER_HOST", "XDG_RUNTIME_DIR", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "GPG_AGENT_INFO", "TMPDIR", "TMP", "TEMP", "GOTMPDIR"}

// elsewhere are the variables that tell tools to keep a cache in another place than below home, which cannot be changed
// where nothing is to put a layer over.
var elsewhere = map[string]string{".cache": "XDG_CACHE_HOME", ".npm": "npm_config_cache"}

// Environment is what of an environment a command in the box gets.
func (b Box) Environment(env []string) []string {
	home := ""
	env = slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		name, value, _ := strings.Cut(v, "=")
		if name == "HOME" {
			home = value
		}
		return slices.Contains(outward, name)
	})
	for name, variable := range elsewhere {
		set := slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, variable+"=") })
		if _, err := os.Stat(filepath.Join(home, name)); err != nil && !set {
			env = append(env, variable+"=/tmp/"+name)
		}
	}
	return env
}
