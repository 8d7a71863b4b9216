package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"nebula/internal/lists"
)

// runless are the settings of git by which it runs nothing of a repository's beside what it was asked for; those who sign do it by git's own
// programs.
var runless = [...][2]string{
	{"core.hooksPath", os.DevNull}, {"core.fsmonitor", "false"}, {"gpg.program", "gpg"}, {"gpg.openpgp.program", "gpg"}, {"gpg.x509.program", "gpgsm"},
	{"gpg.ssh.program", "ssh-keygen"}, {"gpg.ssh.defaultKeyCommand", ""},
}

// unhooked is an environment in which git does so, behind the settings that stand in it.
func unhooked(env []string) []string {
	const count = "GIT_CONFIG_COUNT="
	n := 0
	for _, v := range env {
		if rest, ok := strings.CutPrefix(v, count); ok {
			n, _ = strconv.Atoi(rest)
		}
	}
	env = lists.Drop(lists.Clone(env), func(v string) bool {
		return strings.HasPrefix(v, count) || strings.HasPrefix(v, "GIT_CONFIG_PARAMETERS=")
	})
	for _, s := range runless {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", n, s[0]), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", n, s[1]))
		n++
	}
	return append(env, count+strconv.Itoa(n))
}

// Hooked reports whether the repository in the folder has hooks.
func (d *Dir) Hooked() bool {
	entries, _ := os.ReadDir(filepath.Join(d.real, ".git", "hooks"))
	if slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return filepath.Ext(e.Name()) != ".sample" && !strings.HasPrefix(e.Name(), ".")
	}) {
		return true
	}
	config, _ := os.ReadFile(filepath.Join(d.real, ".git", "config"))
	return strings.Contains(strings.ToLower(string(config)), "hookspath")
}
