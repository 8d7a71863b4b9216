package gate

import (
	"path"
	"strings"
)

// A workdir is the folder that a line has come to, told from the one that it begins in, and the one before: "" and "." are that one itself.
type workdir struct{ at, was string }

// anywhere stands for a folder that is known only when the line runs.
const anywhere = "*"

// from is a path as it is told from the folder that the line begins in.
func (p workdir) from(word string) string {
	if p.at == "" || strings.HasPrefix(word, "/") || strings.HasPrefix(word, "~") {
		return word
	}
	return path.Join(p.at, word)
}

// enter goes where a builtin leads.
func (r *reading) enter(name string, args []arg) {
	switch name {
	case "cd", "pushd":
	case "popd":
		args = []arg{{"-", true}}
	default:
		return
	}
	to := arg{"~", true}
	for _, a := range args {
		if to = a; !strings.HasPrefix(a.text, "-") || a.text == "-" {
			break
		}
	}
	next := anywhere
	switch {
	case to.text == "-":
		next = r.was
	case to.known && !strings.ContainsAny(to.text, wild):
		next = r.from(to.text)
	}
	r.workdir = workdir{next, r.at}
}

// call looks one program up, with the arguments it is given.
func (r *reading) call(words []arg) {
	if !words[0].known || strings.ContainsAny(words[0].text, "*?[{") && words[0].text != "[" {
		r.add(Unclear)
		r.unnamed = append(r.unnamed, words[0].text)
		for _, w := range words[1:] {
			r.file(w.text, true)
		}
		return
	}
	c := call{name: words[0].text, args: words[1:], at: r.at, in: r.stdin, fed: r.given}
	if verb, ok := strings.CutPrefix(base(c.name), "git-"); ok && ownVerb(verb) { // git's own programs by their long names
		c.name, c.args = "git", append([]arg{{text: verb, known: true}}, c.args...)
	}
	i, before := len(r.calls), r.found
	r.calls, r.found = append(r.calls, c), nil
	if r.funcs[c.name] {
		r.files(program{}, c.args)
	} else {
		r.run(c)
	}
	r.calls[i].found, r.found = r.found, before
	r.add(r.calls[i].found...)
}
