package gate

import (
	"path"
	"slices"
	"strings"
)

// A kind of files, and how their names tell. A name with a slash is a folder on the way to them, or the whole end of a
// path; one that begins with a dot and a star is an ending; all is in lower case.
var named = []struct {
	danger Danger
	names  []string
}{
	{Secret, strings.Fields(".netrc _netrc .npmrc .pypirc .pgpass .my.cnf .htpasswd .vault-token .dockercfg .git-credentials credentials credentials.json credentials.toml service-account.json client_secret.json secrets.yaml secrets.yml secrets.json secrets.toml secrets.env " +
		"id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk known_hosts authorized_keys shadow master.key .bash_history .zsh_history .python_history .psql_history wallet.dat " +
		"*.pem *.key *.p12 *.pfx *.p8 *.keystore *.jks *.kdbx *.kdb *.ppk *.asc *.gpg *.ovpn *.keychain *.keychain-db *.tfstate *.tfvars .ssh/ .aws/ .gnupg/ .kube/ .azure/ gcloud/ .docker/config.json gh/hosts.yml")},
	{Runs, strings.Fields("*.exe *.bat *.cmd *.com *.sh *.bash *.zsh *.fish *.ps1 *.psm1 *.vbs *.scr *.msi *.app *.command *.desktop *.scpt *.reg *.jar")},
	{System, strings.Fields("dockerfile containerfile docker-compose.yml docker-compose.yaml crontab sudoers hosts jenkinsfile cron.d/")},
	{Steers, strings.Fields(".mcp.json mcp.json agents.md agent.md claude.md claude.local.md gemini.md copilot-instructions.md conventions.md .cursorrules .windsurfrules .clinerules .goosehints .aider.conf.yml .roomodes .rules .idea/ .vscode/ .zed/ .fleet/ .cursor/ .claude/ .codex/ .gemini/ .windsurf/ .continue/ .roo/ .opencode/ .amazonq/ .kiro/ .nebulaignore .aiderignore .cursorignore *.code-workspace .sublime-project .vimrc .nvimrc .exrc .nvim.lua .dir-locals.el .editorconfig.d/ " +
		".github/workflows/ .github/actions/ .github/dependabot.yml .gitlab-ci.yml .gitlab/ .circleci/ .travis.yml azure-pipelines.yml bitbucket-pipelines.yml .drone.yml .woodpecker.yml .woodpecker/ .buildkite/ appveyor.yml .appveyor.yml cloudbuild.yaml buildspec.yml .semaphore/ .teamcity/ .devcontainer/ .devcontainer.json .gitpod.yml renovate.json " +
		".pre-commit-config.yaml .pre-commit-hooks.yaml .husky/ .githooks/ lefthook.yml .lefthook.yml .lintstagedrc .git/ .gitmodules .gitattributes .gitconfig .gitignore .mailmap .hgrc " +
		"head config config.worktree commondir " + // with HEAD any folder is a repository, whose config says what git runs
		".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .inputrc .xprofile .xinitrc .pam_environment config.fish .config/fish/ .envrc .env.vault .direnv/ .tool-versions .mise.toml mise.toml .mise/ .asdfrc .xonshrc profile.ps1 microsoft.powershell_profile.ps1 .tmux.conf .screenrc .wgetrc .curlrc " +
		"*.service *.timer *.socket *.path *.plist launchagents/ launchdaemons/ systemd/ autostart/ udev/ sitecustomize.py usercustomize.py conftest_plugins.py *.pth .pythonrc.py pip.conf pip.ini .pypirc .condarc .cargo/config .cargo/config.toml build.rs .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.js bunfig.toml .bundle/config .gemrc .irbrc .pryrc .rspec .m2/ settings.gradle.d/ init.gradle .gradle/ gradle-wrapper.properties maven-wrapper.properties nuget.config directory.build.props directory.build.targets .bazelrc .bazeliskrc .buckconfig .sbtopts .jvmopts .mvn/ .rprofile .renviron .julia/ .ghci .ocamlinit .perltidyrc .octaverc .gdbinit .lldbinit .babelrc.d/")},
}

// Secret reports whether a file's name says that it holds secrets: reading it asks, at this level.
func (p Protection) Secret(file string) bool {
	return p.has(Extensions) && slices.Contains(names(file), Secret)
}

// names are the dangers that a file's name tells of.
func names(file string) []Danger {
	low := strings.ToLower(strings.ReplaceAll(file, `\`, "/"))
	name, ext := path.Base(low), path.Ext(low)
	var found []Danger
	for _, kind := range named {
		if slices.ContainsFunc(kind.names, func(n string) bool { return fits(n, low, name, ext) }) {
			found = append(found, kind.danger)
		}
	}
	sample := ext == ".example" || ext == ".sample" || ext == ".template" || ext == ".dist"
	if (strings.HasPrefix(name, ".env") && name != ".envrc" || ext == ".env") && !sample && !slices.Contains(found, Secret) {
		found = slices.Insert(found, 0, Secret)
	}
	if ext == ".pub" {
		found = slices.DeleteFunc(found, func(d Danger) bool { return d == Secret })
	}
	return found
}

func fits(pattern, file, name, ext string) bool {
	switch {
	case strings.HasPrefix(pattern, "*."):
		return ext == pattern[1:]
	case strings.HasSuffix(pattern, "/"):
		return strings.HasPrefix(file, pattern) || strings.Contains(file, "/"+strings.TrimPrefix(pattern, "/"))
	case strings.Contains(pattern, "/"):
		return file == pattern || strings.HasSuffix(file, "/"+pattern)
	}
	return name == pattern
}
