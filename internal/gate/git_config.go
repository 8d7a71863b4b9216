package gate

import (
	"path"
	"strings"

	"nebula/internal/lazy"
)

// repositorySettings is where a repository has its own.
const repositorySettings = ".git/config"

// settingsOf is where the repository has its settings in which a call of git runs, from the folder where it does: --git-dir names another one.
func settingsOf(args []string) string {
	args, _, _ = aroundVerb(args)
	for i, a := range args {
		option, value, joined := strings.Cut(a, "=")
		switch {
		case option == "--git-dir" && joined:
			return path.Join(value, "config")
		case option == "--git-dir" && i+1 < len(args):
			return path.Join(args[i+1], "config")
		}
	}
	return repositorySettings
}

// Steered reports whether the settings of a repository, as they stand in its file, name programs that git runs beside what it is asked for:
// what its output and its effects are is then for them to say.
func Steered(config string) bool {
	found := false
	settings(config, func(key, _ string) {
		found = found || runsSetting.In(key) && !strings.HasPrefix(key, "alias.") || strings.HasPrefix(key, "include")
	})
	return found
}

// configured are the lines that git runs for a call by the settings of its repository, and those that they call: an alias where it is called,
// what filters, compares, watches and signs at any call.
func configured(args []string, config string, text func(string) string) (lines []string) {
	_, verb, _ := aroundVerb(args)
	further := func(file string) string {
		if path.Base(file) == path.Base(repositorySettings) { // an alias may name itself
			return ""
		}
		return text(file)
	}
	settings(config, func(key, value string) {
		if alias, is := strings.CutPrefix(key, "alias."); !runsSetting.In(key) || is && !strings.EqualFold(alias, verb) {
			return
		}
		line := ran(key, value)
		lines = append(append(lines, line), Called(line, further)...)
	})
	return lines
}

// settings are the keys and values of a file of git's settings, keys in small letters but for what stands in quotation marks.
func settings(config string, each func(key, value string)) {
	section := ""
	for line := range strings.Lines(config) {
		line = strings.TrimSpace(line)
		if m := sectionOf.For(line).FindStringSubmatch(line); m != nil {
			section, line = strings.ToLower(m[1])+".", strings.TrimSpace(line[len(m[0]):])
			if m[2] != "" {
				section += m[2] + "."
			}
		}
		key, value, _ := strings.Cut(line, "=")
		value = strings.Trim(strings.TrimSpace(value), `"`)
		if key = strings.ToLower(strings.TrimSpace(key)); key != "" && value != "true" && value != "false" && !strings.ContainsAny(key[:1], "#;") {
			each(section+key, value)
		}
	}
}

var sectionOf = &lazy.Pattern{X: `^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]`}
