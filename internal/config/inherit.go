package config

import (
	"os"
	"strings"
)

// Inherit takes this process's environment over and returns it as it was. What is not open is overwritten where the
// system shows a process's environment to others, and what is secret is not in [os.Environ] any more, so that nothing
// that is started inherits it; kept are the names of that. It is called once, before anything else runs.
func Inherit(open, secret func(name, value string) bool) (env Env, kept []string) {
	all := map[string]string{}
	for _, v := range os.Environ() {
		name, value, ok := strings.Cut(v, "=")
		if !ok || name == "" {
			continue
		}
		all[name] = value
		if secret(name, value) {
			_ = os.Unsetenv(name) // its name is one that was set
			kept = append(kept, name)
		}
	}
	overwrite(open)
	return func(name string) string {
		if value, ok := all[name]; ok {
			return value
		}
		return os.Getenv(name)
	}, kept
}
