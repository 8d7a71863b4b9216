package workspace

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Environment is what a command gets of environ: everything but what names or holds a secret, and nothing that opens
// a prompt, a pager or colours. secrets are values that are known to be secret, such as keys from the settings.
func Environment(environ, secrets []string) []string {
	env := make([]string, 0, len(environ)+len(quiet))
	for _, v := range environ {
		name, value, ok := strings.Cut(v, "=")
		if !ok || name == "" || secretName(name) || secretValue(name, value, secrets) || replaced(name) {
			continue
		}
		env = append(env, v)
	}
	return append(env, quiet...)
}

// quiet keeps programs from waiting for a person who cannot answer.
var quiet = []string{
	"TERM=dumb", "NO_COLOR=1", "PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true",
	"GCM_INTERACTIVE=never", "DEBIAN_FRONTEND=noninteractive", "PYTHONUNBUFFERED=1",
}

// unset are variables that change what a command line means, or that ask a person.
var unset = []string{"BASH_ENV", "ENV", "PROMPT_COMMAND", "PWD", "OLDPWD", "COLORTERM", "CLICOLOR_FORCE", "FORCE_COLOR", "LS_COLORS", markName}

func replaced(name string) bool {
	if slices.Contains(unset, name) {
		return true
	}
	return slices.ContainsFunc(quiet, func(q string) bool { return strings.HasPrefix(q, name+"=") })
}

// providers are the first words of names that configure access to models and clouds.
var providers = []string{
	"OPENAI", "ANTHROPIC", "AWS", "AZURE", "GEMINI", "GOOGLE", "VERTEX", "MISTRAL", "GROQ", "OPENROUTER", "DEEPSEEK",
	"COHERE", "HF", "HUGGINGFACE", "HUGGINGFACEHUB", "XAI", "TOGETHER", "FIREWORKS", "PERPLEXITY", "CEREBRAS", "REPLICATE",
	"MOONSHOT", "DASHSCOPE", "ZHIPUAI", "VOYAGE", "NEBULA", "CLAUDE", "CODEX",
}

// secretWords end a part of a name that holds a secret: DB_PASSWORD, GITHUB_TOKEN, MYAPIKEY.
var secretWords = []string{
	"APIKEY", "TOKEN", "TOKENS", "SECRET", "SECRETS", "PASSWORD", "PASSWD", "PASSPHRASE", "PASS", "CREDENTIAL", "CREDENTIALS", "COOKIE",
}

// keptNames look like secrets and are none.
var keptNames = []string{"SSH_AUTH_SOCK", "HF_HOME"}

func secretName(name string) bool {
	name = strings.ToUpper(name)
	if slices.Contains(keptNames, name) {
		return false
	}
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == '.' || r == ':' })
	for i, part := range parts {
		switch {
		case i == 0 && len(parts) > 1 && slices.Contains(providers, part):
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
var keyShapes = lazily(`(?:^|[^A-Za-z0-9])(?:sk-[A-Za-z0-9_-]{16,}|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}|gh[pousr]_[A-Za-z0-9]{20,}|` +
	`github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abeprs]-[A-Za-z0-9-]{10,}|A[KS]IA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{30,}|` +
	`hf_[A-Za-z0-9]{20,}|gsk_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{30,}|` +
	`eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.|-----BEGIN [A-Z ]*PRIVATE KEY)`)

var urlPassword = lazily(`[A-Za-z][A-Za-z0-9+.-]*://[^/\s:@]*:[^/\s@]+@([^/\s:?]+)`)

func secretValue(name, value string, secrets []string) bool {
	for _, s := range secrets {
		if len(s) >= 6 && strings.Contains(value, s) {
			return true
		}
	}
	if keyShapes().MatchString(value) {
		return true
	}
	if strings.HasSuffix(strings.ToUpper(name), "_PROXY") {
		return false // without it nothing reaches the network, and the proxy's password opens nothing else
	}
	m := urlPassword().FindStringSubmatch(value)
	return m != nil && m[1] != "localhost" && m[1] != "127.0.0.1"
}

// lazily compiles an expression when it is first used: a start of the program should not pay for all of them.
func lazily(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
