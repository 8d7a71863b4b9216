package confine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"nebula/internal/lists"
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
.cache/huggingface/token .cache/huggingface/stored_tokens .hex/hex.config .pub-cache/credentials.json .android/adbkey .local/share/uv/credentials
.luarocks/upload_config.lua .rustup/credentials .rvm/user snap
Library/Keychains Library/Cookies Library/Safari Library/Mail Library/Messages
`)

// tools are what a command sees of a person's home below names that begin with a dot: caches, and where tools and their
// versions are. So do what the variables of roots name, and folders of PATH. All else of that kind is not there, but for
// what these hold of hidden.
var tools = strings.Fields(`
.cache .gitconfig .config/git .config/go .config/mise .tool-versions .asdf .asdfrc .local/bin .local/lib .local/include .local/opt .local/pipx
.local/share/uv .local/share/pipx .local/share/pnpm .local/share/mise .local/share/fnm .local/share/virtualenv .local/share/virtualenvs
.local/share/pypoetry .local/share/gem .local/share/coursier .local/share/man .local/state/mise .local/state/fnm_multishells .local/state/nix
.cargo .rustup .npm .nvm .node-gyp .yarn/berry .yarn/bin .pnpm-store .bun .deno .volta .fnm .proto .nodenv .pyenv .rye .conda .virtualenvs .rbenv .rvm .gem
.bundle/cache .bundle/plugin .goenv .gvm .jenv .jabba .sdkman .jdks .m2/repository .m2/wrapper .gradle/caches .gradle/wrapper .gradle/jdks .gradle/native
.ivy2/cache .ivy2/local .sbt/boot .sbt/launchers .konan .android .hex .mix .kerl .kiex .elan .ghcup .cabal/packages .cabal/store .cabal/bin
.local/state/cabal .stack .opam .dotnet .nuget/packages .pub-cache .swiftpm .swiftly .julia .juliaup .zvm .xmake .emscripten .wasmer .wasmtime .luarocks
.nix-profile .nix-defexpr .guix-profile .linuxbrew .phpenv .perl5 .plenv .cpan .cpanm
`)

// roots are variables that say where a tool is.
var roots = strings.Fields(`GOROOT GOPATH CARGO_HOME RUSTUP_HOME NVM_DIR PYENV_ROOT VIRTUAL_ENV CONDA_PREFIX JAVA_HOME SDKMAN_DIR VOLTA_HOME BUN_INSTALL DENO_DIR PNPM_HOME
ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR RBENV_ROOT GEM_HOME OPAMROOT DOTNET_ROOT GRADLE_HOME MAVEN_HOME ANDROID_HOME ANDROID_SDK_ROOT FNM_DIR RYE_HOME UV_PYTHON_INSTALL_DIR`)

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

// registries are the hosts that package managers install from.
var registries = strings.Fields(`
registry.npmjs.org registry.yarnpkg.com jsr.io npm.jsr.io deno.land pypi.org files.pythonhosted.org proxy.golang.org sum.golang.org crates.io index.crates.io
static.crates.io rubygems.org index.rubygems.org repo.maven.apache.org repo1.maven.org plugins.gradle.org services.gradle.org api.nuget.org
repo.packagist.org repo.hex.pm pub.dev
`)

// Registries are these with the port at which they are spoken to.
func Registries() (hosts []string) {
	for _, name := range registries {
		hosts = append(hosts, name+":443")
	}
	return hosts
}

// users are the programs that use no cache but those, nil for none at all. Where any other program runs, it may use any.
var users = func() map[string][]string {
	all := map[string][]string{"go": {".cache", "go/pkg"}, "cargo": {".cache", ".cargo/registry", ".cargo/git"}}
	for _, quiet := range strings.Fields(`[ : alias awk b2sum base32 base64 basename break cat cd chmod cksum cmp comm continue cp csplit cut date dd df diff diff3
dirname du echo egrep exit expand export expr factor false fgrep file find fmt fold git grep gunzip gzip head hexdump hostname id install jq
join kill less ln local logname ls md5sum mkdir mkfifo mktemp mv nl nproc od paste patch pathchk pr printenv printf ps pwd read readlink realpath
return rev rg rm rmdir sed seq set sha1sum sha256sum sha512sum shift shuf sleep sort split stat strings sum sync tac tail tar tee test touch tr
tree true truncate tsort tty type uname unexpand uniq unlink unset unzip uptime wait wc which whoami xxd yes zcat zip`) {
		all[quiet] = nil
	}
	return all
}()

// uses reports whether one of the programs may use a cache, which may be in a place of the person's choice.
func uses(programs []string, cache string) bool {
	return programs == nil || slices.ContainsFunc(programs, func(program string) bool {
		of, known := users[program]
		return !known || of != nil && (lists.Has(of, cache) || !lists.Has(caches, cache))
	})
}

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
	Stays      []string            // what of them may be written, and not deleted or moved away
	Sockets    []string            // of other programs, in the folders
	Trees      []string            // folders in them in which git has what belongs to a work tree
	Bare       []string            // folders in them that are a repository themselves
	Hidden     []string            // in the folders
	Hosts      []string            // that can be reached, host:port each
	Write      []string            // what the person gives beside, to change
	Read       []string            // and to read
	Repository bool                // repositories may be changed
	Limits     Limits
	Weaker     bool     // see [Box]
	Programs   []string // that are run and no others; nil where that is not known
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
	for _, whole := range lists.Concat([]string{home, "/dev", "/proc", "/sys", "/usr", "/etc"}, temporary) {
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
	b := Box{Hosts: p.Hosts, Folder: folder, Private: temporary, Shared: p.Shared, Limits: p.Limits, Weaker: p.Weaker}
	for _, path := range p.Further {
		if real, err := filepath.EvalSymlinks(path); err == nil && !within(home, real) {
			b.Write = append(b.Write, real)
		}
	}
	b.Layers = p.layers(home)
	b.Hide = lists.Concat(sealed, others(home, folder, b.Layers), p.Own)
	for _, name := range hidden {
		b.Hide = append(b.Hide, filepath.Join(home, name))
	}
	seen := lists.Concat([]string{folder}, b.Write, repository(folder))
	for _, l := range b.Layers {
		seen = append(seen, l.Path)
	}
	b.Hide = append(b.Hide, concealed(home, home, append(seen, p.toolsOf(home)...))...)
	b.ReadOnly = append(b.ReadOnly, p.Pins...)
	b.Fixed = append(b.Fixed, p.Stays...)
	b.Hide = lists.Concat(b.Hide, p.Sockets, p.Hidden)
	b.repositories(p)
	b.give(p, home)
	return b, true
}

// give adds what the person gave by name. What holds their home is not given, and what is below a hidden place stays hidden
// unless it was named itself.
func (b *Box) give(p Place, home string) {
	for i, path := range lists.Concat(p.Write, p.Read) {
		real, err := filepath.EvalSymlinks(path)
		if err != nil || within(home, real) || within(b.Folder, real) {
			continue
		}
		if i < len(p.Write) {
			b.Write = append(b.Write, real)
			continue
		}
		b.Read = append(b.Read, real)
		b.Hide = lists.Drop(b.Hide, func(h string) bool { return h == real && !lists.Has(p.Own, h) })
	}
}

// repositories says what of repositories may be changed: by git commands all but what git runs later, by others nothing.
func (b *Box) repositories(p Place) {
	groups := [][]string{repository(b.Folder)}
	for _, dir := range p.Trees {
		if !lists.Has(groups[0], dir) {
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
		if dir := filepath.Dir(path); !lists.Has(dirs, dir) && !lists.Has(b.Fixed, dir) {
			b.Fixed = append(b.Fixed, dir)
		}
	}
}

// toolsOf are where tools are in a home.
func (p Place) toolsOf(home string) (paths []string) {
	for _, name := range tools {
		paths = append(paths, filepath.Join(home, name))
	}
	dirs := filepath.SplitList(p.Environ("PATH"))
	for _, name := range roots {
		dirs = append(dirs, filepath.SplitList(p.Environ(name))...)
	}
	for _, dir := range dirs {
		dir = filepath.Clean(dir)
		paths = append(paths, dir)
		root := filepath.Dir(dir)
		if base := filepath.Base(dir); (base == "bin" || base == "shims") && !lists.Has(shared, strings.TrimPrefix(root, home+"/")) {
			paths = append(paths, root) // what runs there is beside it
		}
	}
	return lists.Drop(paths, func(path string) bool { return within(home, path) })
}

// shared are folders of a home in which many programs keep what is theirs.
var shared = strings.Fields(`.local .config .local/share .local/state`)

// concealed are what stands in a folder below home under names that begin with a dot, as far as nothing of it is to be
// seen. A link out of there leads to what is seen by its own name.
func concealed(home, dir string, seen []string) (hide []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case dir == home && !strings.HasPrefix(e.Name(), "."), within(path, seen...), e.Type()&os.ModeSymlink != 0 && !fileIn(path, home):
		case slices.ContainsFunc(seen, func(s string) bool { return within(s, path) }):
			hide = append(hide, concealed(home, path, seen)...)
		default:
			hide = append(hide, path)
		}
	}
	return hide
}

// fileIn reports whether a link leads to a file in a folder.
func fileIn(link, folder string) bool {
	real, err := filepath.EvalSymlinks(link)
	if err != nil || !within(real, folder) {
		return false
	}
	info, err := os.Stat(real)
	return err == nil && info.Mode().IsRegular()
}

// others are the homes of other people, but for caches in them that the person's own environment names.
func others(home, folder string, caches []Layer) (found []string) {
	var named []string
	for _, l := range caches {
		named = append(named, l.Path)
	}
	hide := func(path string) {
		if slices.ContainsFunc(named, func(cache string) bool { return within(cache, path) }) {
			found = append(found, concealed("", path, named)...)
			return
		}
		found = append(found, path)
	}
	for _, dir := range []string{"/home", "/Users"} {
		list, _ := os.ReadDir(dir)
		for _, e := range list {
			if path := filepath.Join(dir, e.Name()); !within(home, path) && !within(folder, path) {
				hide(path)
			}
		}
	}
	if !within(home, "/root") && !within(folder, "/root") {
		hide("/root")
	}
	return found
}

// layers are the caches that are there: in the home, and where the person's environment says.
func (p Place) layers(home string) (found []Layer) {
	named := []string{p.Environ("GOCACHE"), p.Environ("GOMODCACHE"), p.Environ("CARGO_HOME") + "/registry", p.Environ("npm_config_cache"), p.Environ("PIP_CACHE_DIR"), p.Environ("XDG_CACHE_HOME")}
	paths := lists.Clone(named)
	for _, name := range caches {
		paths = append(paths, filepath.Join(home, name))
	}
	for i, path := range paths {
		real, err := filepath.EvalSymlinks(path)
		if err != nil || !filepath.IsAbs(path) || within(home, real) || !within(real, home) && (i >= len(named) || !owned(real)) {
			continue
		}
		if info, err := os.Stat(real); err != nil || !info.IsDir() || within(p.Folder, real) || within(real, p.Folder) {
			continue
		}
		if slices.ContainsFunc(found, func(l Layer) bool { return within(real, l.Path) }) || !uses(p.Programs, strings.TrimPrefix(real, home+"/")) {
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
	env = lists.Drop(lists.Clone(env), func(v string) bool {
		name, value, _ := strings.Cut(v, "=")
		if name == "HOME" {
			home = value
		}
		return lists.Has(outward, name)
	})
	for name, variable := range elsewhere {
		set := slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, variable+"=") })
		if _, err := os.Stat(filepath.Join(home, name)); err != nil && !set {
			env = append(env, variable+"=/tmp/"+name)
		}
	}
	return env
}
