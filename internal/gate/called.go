package gate

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// Called are the lines that a command line has run by scripts, recipes and code that it calls, one level deep: of a shell's as they stand, of
// another language's those that run a program or change files, as a shell would write them. text gives what stands in a file, "" for none.
// What they make up only when they run is not known.
func Called(line string, text func(file string) string) (lines []string) {
	r := read(line)
	for _, c := range r.calls {
		at := workdir{at: c.into()}
		file := func(word string) string {
			name := path.Clean(at.from(word))
			if own, there := r.laid[name]; there {
				return own.text
			}
			return text(name)
		}
		name, args := base(c.name), texts(c.args)
		switch judge := programs()[name].judge; {
		case strings.Contains(c.name, "/") && !usual(c.name):
			lines = append(lines, script(file(c.name), true)...)
		case name == "source" || name == ".":
			lines = append(lines, script(file(operand(args)), true)...)
		case name == "make" || name == "gmake":
			lines = append(lines, recipes(args, func(word string) string {
				if standard(word) {
					return c.in.text
				}
				return file(word)
			})...)
		case judge == "shell":
			if !lists.Has(args, "-c") {
				lines = append(lines, script(file(operand(args)), true)...)
			}
		case judge == "interpreter":
			coded := false
			for i, a := range args {
				m := codeGiven.For(a).FindStringSubmatch(a)
				if m == nil {
					continue
				}
				coded = coded || m[1] == ""
				lines = append(lines, code(m[2])...)
				if m[2] == "" && i+1 < len(args) {
					lines = append(lines, code(args[i+1])...)
				}
			}
			if word := operand(args); !coded {
				if lines = append(lines, script(file(word), false)...); word == "" || standard(args[0]) {
					lines = append(lines, code(c.in.text)...)
				}
			}
		case lists.Has([]string{"npm", "pnpm", "yarn", "bun"}, name):
			lines = append(lines, packaged(args, file("package.json"))...)
		case name == "git":
			lines = append(lines, configured(args, file(settingsOf(args)), text)...)
		}
	}
	return lines
}

// Hides reports whether a line does not show all that it runs. Code that stands in it and runs no other program does, as does a shell's that shows it.
func Hides(line string) bool {
	unclear := func(found []Danger) bool {
		return lists.Has(found, Unclear) || lists.Has(found, Unreadable)
	}
	r, told := read(line), false
	for _, c := range r.calls {
		if !unclear(c.found) {
			continue
		}
		judge := programs()[base(c.name)].judge
		i := slices.IndexFunc(c.args, func(a arg) bool { return a.text == "-c" || a.text == "-e" })
		if i < 0 || i+1 >= len(c.args) || !c.args[i+1].known || judge != "shell" && judge != "interpreter" {
			return true
		}
		if text := c.args[i+1].text; judge == "shell" && Hides(text) || judge == "interpreter" && (codeRuns.In(text) || codeHides.In(text)) {
			return true
		}
		told = true
	}
	return !told && unclear(r.found)
}

// operand is the first word that is no option.
//
//go:noinline
func operand(args []string) string {
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			return a
		}
	}
	return ""
}

// script are the lines of a file that is run: by a shell or not, where its own first line does not say otherwise.
func script(text string, shell bool) []string {
	first, _, _ := strings.Cut(text, "\n")
	if strings.HasPrefix(first, "#!") {
		shell = shellLine.In(first)
	}
	if text == "" || !shell {
		return code(text)
	}
	return []string{text}
}

var shellLine = &lazy.Pattern{X: `\b(?:ba|da|z|k|a)?sh\b`}

// recipes are the lines of the targets that make is asked for, or of the first, with those that they need at once.
func recipes(args []string, file func(string) string) (lines []string) {
	text := ""
	args = lists.Clone(args)
	for i := 0; i < len(args); i++ {
		m := makeGiven.For(args[i]).FindStringSubmatch(args[i])
		if m == nil {
			continue
		}
		value, to := m[2], i+1
		if value == "" && to < len(args) {
			value, to = args[to], to+1
		}
		if m[1] != "--eval" {
			value = file(value)
		}
		text += value + "\n"
		args = lists.Delete(args, i, to)
		i--
	}
	for _, name := range []string{"GNUmakefile", "makefile", "Makefile"} {
		if text == "" {
			text = file(name)
		}
	}
	of, needs, first := map[string][]string{}, map[string][]string{}, ""
	var now []string
	for l := range strings.Lines(text) {
		l = strings.TrimRight(l, "\n")
		if recipe, ok := strings.CutPrefix(l, "\t"); ok {
			for _, t := range now {
				of[t] = append(of[t], strings.TrimLeft(recipe, "@-+ \t"))
			}
			continue
		}
		if m := makeRule.For(l).FindStringSubmatch(l); m != nil {
			now = strings.Fields(m[1])
			behind, recipe, _ := strings.Cut(m[2], ";")
			for _, t := range now {
				if needs[t] = append(needs[t], strings.Fields(behind)...); strings.TrimSpace(recipe) != "" {
					of[t] = append(of[t], strings.TrimSpace(recipe))
				}
				if first == "" && !strings.HasPrefix(t, ".") {
					first = t
				}
			}
		}
	}
	var asked []string
	for i, a := range args {
		if !strings.HasPrefix(a, "-") && !strings.Contains(a, "=") && (i == 0 || !lists.Has(makeValued, args[i-1])) {
			asked = append(asked, a)
		}
	}
	if len(asked) == 0 {
		asked = []string{first}
	}
	for _, t := range asked {
		for _, t := range append(lists.Clone(needs[t]), t) {
			lines = append(lines, of[t]...)
		}
	}
	return lines
}

// makeValued are the options of make that a value follows.
var makeValued = strings.Fields("-C --directory -j --jobs -l --load-average -o --old-file -W --what-if -I --include-dir")

// makeGiven is how make is told what it reads, or rules themselves.
var makeGiven = &lazy.Pattern{X: `^(-f|--(?:make)?file|--eval)=?(.*)$`}

var makeRule = &lazy.Pattern{X: `^([^\s#:=][^#:=]*?)\s*::?([^=].*)?$`}

// packaged is the line of a package's script that is asked for, with those that run before and behind it.
func packaged(args []string, text string) (lines []string) {
	var in struct{ Scripts map[string]string }
	if json.Unmarshal([]byte(text), &in) != nil {
		return nil
	}
	words := lists.Drop(lists.Clone(args), func(a string) bool { return strings.HasPrefix(a, "-") || a == "run" || a == "run-script" })
	if len(words) == 0 {
		return nil
	}
	name := map[string]string{"t": "test", "i": "install", "ci": "install"}[words[0]]
	if name == "" {
		name = words[0]
	}
	for _, n := range []string{"pre" + name, name, "post" + name} {
		if line := in.Scripts[n]; line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// code are the lines of a text in another language than the shell's that run a program, by its words as they stand in quotes, or change
// files.
func code(text string) (lines []string) {
	for l := range strings.Lines(text[:min(len(text), mostTold)]) {
		l = strings.TrimSpace(l)
		if codeRuns.In(l) {
			var words []string
			for _, m := range quotes.For(l).FindAllStringSubmatch(l, -1) {
				if words = append(words, m[1]); strings.Contains(m[1], " ") {
					lines = append(lines, m[1])
				}
			}
			if len(words) > 0 && strings.HasSuffix(words[0], ".py") { // run as a file, and no program
				words = append([]string{"python3"}, words...)
			}
			lines = append(lines, strings.Join(words, " "))
		}
		if codeDeletes.In(l) {
			for _, m := range quotes.For(l).FindAllStringSubmatch(l, -1) {
				lines = append(lines, "rm '"+m[1]+"'")
			}
			lines = append(lines, "rm *.*")
		}
		if codeWrites.In(l) {
			lines = append(lines, "python3 -c '"+strings.ReplaceAll(l, "'", `"`)+"'")
		}
	}
	return lists.Drop(lines, func(l string) bool { return l == "" })
}

var (
	// codeRuns is how code runs another program.
	codeRuns = &lazy.Pattern{X: `\b(?:system|popen|exec\w*|spawn\w*|subprocess|check_call|check_output|run|run_path|execfile|call|Popen|Command|shell|sh|qx|execa|backtick)\b\s*\(?|%x|` + "`"}
	// codeGiven is how an interpreter is given code, by itself or in the next word; behind -r it may be another thing.
	codeGiven = &lazy.Pattern{X: `^(?:-[a-zA-Z0-9]*[ceE]|--?(?:eval|command|execute|expression|print)=?|-p|-ex|eval|-Command|(-r))$|^(?:-[lnpiw]*e|--(?:eval|execute|command)=)(.+)$`}
	codeHides = &lazy.Pattern{X: `\beval|__|getattr|import(?:lib|_module)|ctypes|builtins|Function|child_process|\bpty\b`}
	// codeDeletes is how code deletes files.
	codeDeletes = &lazy.Pattern{X: `\bos\.(?:remove|unlink|rmdir|removedirs)\b|\bshutil\.rmtree\b|\.(?:unlink|rmdir)\s*\(|\bfs\.(?:promises\.)?(?:rm|unlink|rmdir)(?:Sync)?\s*\(|\b(?:rm|unlink|rmdir)Sync\s*\(|\bFile\.(?:delete|rm)|\bfile:delete|\bfile delete\b|\bdelete-file\b|\bremove_tree\b|\brmtree\b|\bremoveSync\b|(?:^|[^\w.])rm(?:_rf?)?\s*\(|\bFileUtils\.rm|\bunlink\b`}
)
