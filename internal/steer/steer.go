// Package steer knows the names of files that say what other programs do later, or whom agents obey: settings of version
// control, editors, agents, shells, build tools and build servers. The gate asks about a change of any of them; a confined
// command changes none of those that are held, at whatever depth they stand.
package steer

import (
	"path"
	"slices"
	"strings"

	"nebula/internal/lists"
)

// held are names that no build makes in passing. How they are written: see [Fits].
var held = strings.Fields(`
.git/ .nebula/ .nebulaignore .gitmodules .gitattributes .githooks/ .husky/ .pre-commit-config.yaml .pre-commit-hooks.yaml lefthook.yml .lefthook.yml
agents.md agents.override.md agent.md claude.md claude.local.md gemini.md nebula.md conventions.md copilot-instructions.md .cursorrules .windsurfrules
.clinerules .goosehints .rules .roomodes .augment-guidelines .aider.conf.yml .aiderignore .cursorignore opencode.json opencode.jsonc .mcp.json mcp.json
.claude/ .codex/ .cursor/ .windsurf/ .gemini/ .continue/ .roo/ .opencode/ .amazonq/ .kiro/ .junie/ .trae/ .augment/ .goose/ .clinerules/
.vscode/ .idea/ .zed/ .fleet/ .vs/ *.code-workspace *.sublime-project .nvim.lua .nvimrc .exrc .vimrc .dir-locals.el .gdbinit .lldbinit
.envrc .mise.toml mise.toml .mise.local.toml .tool-versions .devcontainer/ .devcontainer.json .gitpod.yml
.github/ .gitlab-ci.yml .gitlab/ .circleci/ .travis.yml azure-pipelines.yml bitbucket-pipelines.yml .drone.yml .woodpecker.yml .woodpecker/
.buildkite/ appveyor.yml .appveyor.yml cloudbuild.yaml buildspec.yml .semaphore/ .teamcity/ jenkinsfile
.npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.js bunfig.toml .cargo/config .cargo/config.toml .bundle/config .mvn/ sitecustomize.py usercustomize.py
`)

// asked are further names, which tools make or change themselves, or which say something only in some places.
var asked = strings.Fields(`
.editorconfig.d/ renovate.json .lintstagedrc .gitconfig .gitignore .mailmap .hgrc head config config.worktree commondir .sublime-project
.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .inputrc
.xprofile .xinitrc .pam_environment config.fish .config/fish/ .env.vault .direnv/ .mise/ .asdfrc .xonshrc profile.ps1 microsoft.powershell_profile.ps1
.tmux.conf .screenrc .wgetrc .curlrc *.service *.timer *.socket *.path *.plist launchagents/ launchdaemons/ systemd/ autostart/ udev/
conftest_plugins.py *.pth .pythonrc.py pip.conf pip.ini .pypirc .condarc build.rs .gemrc .irbrc .pryrc .rspec .m2/ settings.gradle.d/ init.gradle .gradle/
gradle-wrapper.properties maven-wrapper.properties nuget.config directory.build.props directory.build.targets .bazelrc .bazeliskrc .buckconfig .sbtopts
.jvmopts .rprofile .renviron .julia/ .ghci .ocamlinit .perltidyrc .octaverc .babelrc.d/
`)

// filled are folders that package managers fill, and take away as a whole: what packages bring there, nobody opens as a
// project of their own. Repositories are held in them too.
var filled = strings.Fields(`node_modules bower_components site-packages dist-packages vendor .venv venv .tox .nox pods`)

// File reports whether a file steers other programs.
func File(file string) bool {
	low := strings.ToLower(file)
	fits := func(n string) bool { return Fits(n, low) }
	return slices.ContainsFunc(held, fits) || slices.ContainsFunc(asked, fits)
}

// Fits reports whether a pattern names a file, whose path is in lower case with slashes. A pattern with a slash at its end
// is a folder on the way to the file; one with a slash elsewhere is the whole end of a path; one that begins with a star and
// a dot is an ending.
func Fits(pattern, file string) bool {
	switch {
	case strings.HasPrefix(pattern, "*."):
		return path.Ext(file) == pattern[1:]
	case strings.HasSuffix(pattern, "/"):
		return strings.HasPrefix(file, pattern) || strings.Contains(file, "/"+pattern)
	case strings.Contains(pattern, "/"):
		return file == pattern || strings.HasSuffix(file, "/"+pattern)
	}
	return path.Base(file) == pattern
}

// Held reports whether what stands under a name in a folder is held, a file and a folder alike. In some folders only
// repositories are.
func Held(folder, name string, filled bool) bool {
	if !slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(name, e) }) && !initials[name[0]|0x20] {
		return false // most names end here
	}
	low := strings.ToLower(name)
	if filled {
		return low == ".git"
	}
	return names[low] || names[strings.ToLower(folder)+"/"+low] || names["*"+path.Ext(low)]
}

// Filled reports whether a folder is one that package managers fill.
func Filled(name string) bool { return lists.Has(filled, strings.ToLower(name)) }

var (
	names    = index()
	initials = firsts()
	endings  = []string{".code-workspace", ".sublime-project"}
)

func index() map[string]bool {
	all := make(map[string]bool, len(held))
	for _, n := range held {
		all[strings.TrimSuffix(n, "/")] = true
	}
	return all
}

func firsts() (first [256]bool) {
	for n := range names {
		first[path.Base(n)[0]] = true
	}
	first['.'|0x20] = true
	return first
}
