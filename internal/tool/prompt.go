package tool

import (
	"os/exec"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"nebula/internal/lazy"
)

var (
	// prompt is what a terminal shows before a command; a shell would run the first word of it, and redirect what that says.
	prompt = &lazy.Pattern{X: `^\s*(?:\([\w.-]+\) )?(?:\[?[\w.-]+@[\w.-]+[^$#%❯>\n]*[$#%❯] |PS [^>\s]*> |[\w.-]*sh(?:-[\d.]+)?[$#] |[$%❯➜] )\s*`}
	// emptied is a redirection before anything else, into a file whose name has no ending, with something behind it.
	emptied = &lazy.Pattern{X: `^\s*> ([\w-]+) +[^\s<>|&;]`}
)

// unprompted is a command line without the prompt that was copied with it. Of several commands each has to have one: what has none may
// be what one of them printed.
func unprompted(line string) (string, error) {
	if m := emptied.For(line).FindStringSubmatch(line); m != nil {
		if _, err := exec.LookPath(m[1]); err == nil {
			return "", mistakef("Give the command without it.", "The command begins as in a terminal, and a shell would write into a file named %q.", m[1])
		}
	}
	first := prompt.For(line).FindString(line)
	if first == "" {
		return line, nil
	}
	bare := line[len(first):]
	if !strings.Contains(strings.TrimSpace(bare), "\n") || single(bare) {
		return bare, nil
	}
	var b strings.Builder
	for l := range strings.Lines(line) {
		p := prompt.For(l).FindString(l)
		if p == "" && strings.TrimSpace(l) != "" {
			return "", mistake("Lines of the command begin with a prompt, as in a terminal, and others do not.", "Give the commands alone, without prompts and without what they print.")
		}
		b.WriteString(l[len(p):])
	}
	return b.String(), nil
}

// single reports whether a script of several lines is one command, and none of its lines begins as the further ones do in a terminal.
func single(script string) bool {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(script), "")
	return err == nil && len(file.Stmts) == 1 && !strings.Contains(script, "\n> ")
}
