package workspace

import (
	"slices"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// Environment is what a command gets of environ: the variables that programs and tools work with, those named in more,
// and nothing that opens a prompt, a pager or colours. What holds a secret is never passed on, what is named like one
// only when more names it. secrets are values that are known to be secret.
func Environment(environ, more, secrets []string) []string {
	env := make([]string, 0, len(environ)+len(quiet))
	for _, v := range environ {
		name, value, ok := strings.Cut(v, "=")
		if ok && !replaced(name) && passes(name, more) && !secretValue(name, value, secrets) {
			env = append(env, v)
		}
	}
	return append(env, quiet...)
}

// Passes reports whether a variable may be seen by commands, and by whoever looks at a process's environment.
func Passes(name, value string) bool {
	return passes(name, nil) && !secretValue(name, value, nil)
}

// Secret reports whether a variable is named like a secret or holds one.
func Secret(name, value string) bool { return secretName(name) || secretValue(name, value, nil) }

func passes(name string, more []string) bool {
	if lists.Has(more, name) {
		return true
	}
	upper := strings.ToUpper(name)
	if secretName(upper) {
		return false
	}
	return lists.Has(commonNames, upper) ||
		slices.ContainsFunc(toolPrefixes, func(p string) bool { return strings.HasPrefix(upper, p) })
}

// commonNames are the variables that commands get, in capitals.
var commonNames = strings.Fields(`
PATH HOME USER LOGNAME SHELL TMPDIR TMP TEMP LANG LANGUAGE TZ HOSTNAME CI COLUMNS LINES
HTTP_PROXY HTTPS_PROXY FTP_PROXY ALL_PROXY NO_PROXY SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE REQUESTS_CA_BUNDLE
XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR XDG_CONFIG_DIRS XDG_DATA_DIRS
GOPATH GOROOT GOBIN GOFLAGS GOPROXY GOPRIVATE GONOPROXY GONOSUMDB GOSUMDB GOINSECURE GOVCS GOCACHE GOMODCACHE GOTMPDIR
GOENV GOWORK GOTOOLCHAIN GOOS GOARCH GOAMD64 GOARM GOARM64 GO386 GOEXPERIMENT GODEBUG GOMAXPROCS GOMEMLIMIT GOGC
GOTRACEBACK GOCOVERDIR GOTELEMETRY GO111MODULE GOFIPS140
VIRTUAL_ENV JAVA_HOME JDK_HOME JAVA_TOOL_OPTIONS M2_HOME MAVEN_HOME MAVEN_OPTS ANT_HOME KOTLIN_HOME SCALA_HOME
CC CXX CPP AR LD AS NM RANLIB STRIP CFLAGS CXXFLAGS CPPFLAGS LDFLAGS LIBRARY_PATH LD_LIBRARY_PATH DYLD_LIBRARY_PATH
C_INCLUDE_PATH CPLUS_INCLUDE_PATH CPATH MAKEFLAGS MAKEOPTS MANPATH INFOPATH PERL5LIB PERL5OPT LUA_PATH LUA_CPATH GHC_PACKAGE_PATH
BUNDLE_PATH BUNDLE_GEMFILE BUNDLE_WITHOUT BUNDLE_JOBS MIX_ENV HEX_HOME REBAR_CACHE_DIR ERL_AFLAGS TOKENIZERS_PARALLELISM
DOCKER_HOST DOCKER_BUILDKIT CUDA_HOME CUDA_VISIBLE_DEVICES OMP_NUM_THREADS RAILS_ENV RACK_ENV APP_ENV FLASK_APP FLASK_ENV
DJANGO_SETTINGS_MODULE SOURCE_DATE_EPOCH WSL_DISTRO_NAME
SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT OS USERNAME USERPROFILE USERDOMAIN HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA
PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES COMMONPROGRAMFILES(X86) COMMONPROGRAMW6432
ALLUSERSPROFILE PUBLIC COMPUTERNAME NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE PROCESSOR_IDENTIFIER PSMODULEPATH
`)

// toolPrefixes begin the names that belong to one tool, in capitals.
var toolPrefixes = strings.Fields(`
LC_ CGO_ PKG_CONFIG CMAKE_ CTEST_ MESON_ NINJA_ CCACHE_ LLVM_ RUST CARGO_ NODE_ NPM_CONFIG_ NVM_ VOLTA_ FNM_ YARN_ PNPM_ COREPACK_
BUN_ DENO_ JEST_ VITEST_ PYTHON PYTEST_ PIP_ PIPENV_ PIPX_ POETRY_ UV_ PYENV_ CONDA_ MAMBA_ TOX_ NOX_ MYPY_ RUFF_ RUBY GEM_ RBENV_
RVM_ PHP_ COMPOSER_ GRADLE_ SDKMAN_ ANDROID_ DOTNET_ NUGET_ MSBUILD SWIFT_ ZIG_ NIX_ OPAM_ STACK_ CABAL_ ELIXIR_ ASDF_ MISE_
HOMEBREW_ BAZEL TF_CLI_ TF_PLUGIN_ PLAYWRIGHT_ CYPRESS_ GIT_AUTHOR_ GIT_COMMITTER_ GIT_SSL_CA
`)

// quiet keeps programs from waiting for a person who cannot answer.
var quiet = []string{
	"TERM=dumb", "NO_COLOR=1", "PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true",
	"GCM_INTERACTIVE=never", "DEBIAN_FRONTEND=noninteractive", "PYTHONUNBUFFERED=1",
	"NPM_CONFIG_UPDATE_NOTIFIER=false", "NO_UPDATE_NOTIFIER=1", "PIP_DISABLE_PIP_VERSION_CHECK=1", // what they would say stands where a failure is looked for
}

// unset are variables that change what a command line means, or that ask a person.
var unset = []string{"BASH_ENV", "ENV", "PROMPT_COMMAND", "PWD", "OLDPWD", "COLORTERM", "CLICOLOR_FORCE", "FORCE_COLOR", "LS_COLORS", markName}

func replaced(name string) bool {
	if lists.Has(unset, name) {
		return true
	}
	return slices.ContainsFunc(quiet, func(q string) bool { return strings.HasPrefix(q, name+"=") })
}

// clouds are the first words of names that configure access to clouds and to other agents. Those of the services that
// nebula itself speaks to are known to package model.
var clouds = []string{
	"AWS", "GOOGLE", "COHERE", "HF", "HUGGINGFACE", "HUGGINGFACEHUB", "PERPLEXITY", "REPLICATE", "DASHSCOPE", "ZHIPUAI", "VOYAGE",
	"NEBULA", "CLAUDE", "CODEX",
}

// secretWords end a part of a name that holds a secret: DB_PASSWORD, GITHUB_TOKEN, MYAPIKEY.
var secretWords = []string{
	"APIKEY", "TOKEN", "TOKENS", "SECRET", "SECRETS", "PASSWORD", "PASSWD", "PASSPHRASE", "PASS", "CREDENTIAL", "CREDENTIALS", "COOKIE",
}

// keptNames look like secrets and are none. An agent's socket opens whatever its keys do: commands get it when the settings
// name it.
var keptNames = []string{"SSH_AUTH_SOCK", "HF_HOME"}

func secretName(name string) bool {
	name = strings.ToUpper(name)
	if lists.Has(keptNames, name) {
		return false
	}
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == '.' || r == ':' })
	for i, part := range parts {
		switch {
		case i == 0 && len(parts) > 1 && lists.Has(clouds, part):
			return true
		case part == "KEY" || part == "KEYS" || part == "AUTH" || part == "PAT" || part == "DSN":
			return true
		case part == "PWD" && len(parts) > 1:
			return true
		case slices.ContainsFunc(secretWords, func(w string) bool { return strings.HasSuffix(part, w) }):
			return true
		}
	}
	return false
}

// keyShapes are the shapes of well-known keys and tokens.
var keyShapes = &lazy.Pattern{X: `(?:^|[^A-Za-z0-9])(?:sk-[A-Za-z0-9_-]{16,}|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}|gh[pousr]_[A-Za-z0-9]{20,}|` +
	`github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeprs]-[A-Za-z0-9-]{10,}|A[KS]IA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{30,}|` +
	`hf_[A-Za-z0-9]{20,}|gsk_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{30,}|` +
	`eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.|-----BEGIN [A-Z ]*PRIVATE KEY)`}

// keySigns are in everything that has one of the shapes: where none is, the expression need not even be compiled, which
// a start of the program would notice.
var keySigns = []string{
	"sk-", "_live_", "_test_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox", "AKIA", "ASIA", "AIza", "hf_",
	"gsk_", "xai-", "npm_", "pypi-", "eyJ", "PRIVATE KEY",
}

func keyShaped(value string) bool {
	return slices.ContainsFunc(keySigns, func(sign string) bool { return strings.Contains(value, sign) }) && keyShapes.In(value)
}

var urlPassword = &lazy.Pattern{X: `[A-Za-z][A-Za-z0-9+.-]*://[^/\s:@]*:[^/\s@]+@([^/\s:?]+)`}

func secretValue(name, value string, secrets []string) bool {
	for _, s := range secrets {
		if len(s) >= 6 && strings.Contains(value, s) {
			return true
		}
	}
	if keyShaped(value) {
		return true
	}
	if strings.HasSuffix(strings.ToUpper(name), "_PROXY") {
		return false // without it nothing reaches the network, and the proxy's password opens nothing else
	}
	if !strings.Contains(value, "@") {
		return false
	}
	m := urlPassword.Re().FindStringSubmatch(value)
	return m != nil && m[1] != "localhost" && m[1] != "127.0.0.1"
}
