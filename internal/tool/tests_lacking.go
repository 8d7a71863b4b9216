package tool

import (
	"os/exec"
	"strings"

	"nebula"
	"nebula/internal/lazy"
)

// lacking is how interpreters and shells say that what is to run the tests is not there: no test has failed then.
var lacking = &lazy.Pattern{X: `(?m)^\S*python[\d.]*(?:\.exe)?: No module named '?([\w.-]+)'?$|^(?:/\S+/)?(?:ba|da|z|k)?sh: (?:\d+: |line \d+: )?([\w./-]+): (?:command )?not found$|^npm (?:error|ERR!) Missing script: "(\S+)"|^error: no such command: .([\w-]+).$`}

// lacks is the program, or the module, that a run of tests was to be made with and that is not there; empty where tests ran.
func lacks(done finished, sum *nebula.TestReport) string {
	if done.ok() || sum.Passed >= 0 {
		return ""
	}
	m := lacking.Re().FindStringSubmatch(done.output())
	return strings.Join(m[min(1, len(m)):], "")
}

// remedy says where else a missing program is, where that is known, and else what to do about it.
func remedy(lang, what string) string {
	if what == "pytest" {
		for _, name := range []string{"pytest", "pytest-3", "py.test-3"} {
			if _, err := exec.LookPath(name); err == nil {
				return worded(lang, "Here it is `%s`: give that as the command.", name)
			}
		}
	}
	return worded(lang, "No test failed. Give a command that runs them with what is there, or say to the user what has to be installed.")
}
