package gate

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"nebula"
	"nebula/internal/lists"
)

// A Rule is what the person allowed in a folder from then on, of commands that are confined: one line to the letter, or where
// Open a program that builds or tests, with its verb and these options, on other files of the folder too.
type Rule struct {
	Tool  string   `json:"tool"`
	Line  string   `json:"line"`
	Open  bool     `json:"open,omitempty"`
	Needs []string `json:"needs,omitempty"` // what it is let out of its box for
}

// RuleOf is the rule that would allow a proposal from now on, false where there may be none: what is not confined, what cannot be
// told from its line, and what runs other lines than the one that is seen.
func RuleOf(p nebula.Proposal) (Rule, bool) {
	r := Rule{Tool: p.Action.Tool, Line: p.Line()}
	if r.Line == "" || p.Action.Inferred || p.Effect != nebula.Execute && p.Ran == "" || p.Remote != nil {
		return Rule{}, false
	}
	for _, c := range p.Risks {
		switch {
		case nebula.Code(c).Is(nebula.Unconfined, nebula.Background, nebula.Feeds):
			return Rule{}, false
		case nebula.Beside(nebula.Code(c)):
			r.Needs = append(r.Needs, c)
		}
	}
	if p.Ran == "" && !p.Viewed && len(r.Needs) == 0 {
		return Rule{}, false // it may be in no box
	}
	slices.Sort(r.Needs)
	read := read(r.Line)
	if len(read.calls) == 0 || slices.ContainsFunc(read.found, func(d Danger) bool { return lists.Has(neverLasts, d) }) || slices.ContainsFunc(read.calls, runsOther) {
		return Rule{}, false
	}
	program, verb, _ := opened(r.Line)
	r.Open = program != "" && (verb != "" || programs()[program].verbs == nil)
	return r, true
}

// neverLasts are dangers that nobody decides on for the time to come.
var neverLasts = []Danger{Unclear, Unreadable, RunsCode, Privileged, Destroys, Publishes, Outside, Own, Unknown}

// runsOther reports whether a program runs what its line does not show: another program, code, or a file that may be another tomorrow.
func runsOther(c call) bool {
	p := programs()[base(c.name)]
	words := texts(c.args)
	git := base(c.name) == "git" && slices.ContainsFunc(words, func(w string) bool {
		return w == "-c" || w == "-C" || strings.HasPrefix(w, "--exec-path") || strings.HasPrefix(w, "--config-env")
	})
	return git || p.wraps || p.judge == "shell" || p.judge == "interpreter" || p.judge == "self" || len(scripts([]call{c})) > 0 ||
		p.judge == "find" && slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-exec") || strings.HasPrefix(w, "-ok") })
}

// opened takes a line apart that is one plain call of a program that builds or tests, in which nothing is a danger; its program is
// empty for every other, and where another word behind it is no other file but another target or script: that line stands to the letter.
func opened(line string) (program, verb string, options []string) {
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil || len(file.Stmts) != 1 {
		return "", "", nil
	}
	s := file.Stmts[0]
	c, plain := s.Cmd.(*syntax.CallExpr)
	r := read(line)
	if !plain || len(c.Assigns)+len(s.Redirs) > 0 || s.Background || s.Negated || s.Coprocess || len(r.calls) != 1 || len(r.found) > 0 {
		return "", "", nil
	}
	name := r.calls[0].name
	known, there := programs()[name]
	if !there || known.other == nil || known.writes || known.skip > 0 || known.judge != "" || known.wraps || known.says || known.chooses {
		return "", "", nil
	}
	if known.verbs == nil && known.other != projects {
		return "", "", nil // it only reads files, or writes them
	}
	for i, w := range texts(r.calls[0].args) {
		switch {
		case strings.HasPrefix(w, "-"):
			options = append(options, w)
		case i == 0 && known.verbs != nil:
			verb = w
		}
	}
	return name, verb, options
}

// Covers reports whether a rule allows a proposal.
func (r Rule) Covers(p nebula.Proposal) bool {
	o, ok := RuleOf(p)
	if !ok || o.Tool != r.Tool || !lists.Equal(o.Needs, r.Needs) {
		return false
	}
	if o.Line == r.Line || !r.Open || !o.Open {
		return o.Line == r.Line
	}
	program, verb, options := opened(r.Line)
	name, word, given := opened(o.Line)
	return name == program && word == verb && !slices.ContainsFunc(given, func(w string) bool { return !lists.Has(options, w) })
}

// String is what a rule allows, as a person reads it.
func (r Rule) String() string {
	text := r.Line
	if program, verb, options := opened(r.Line); r.Open && program != "" {
		text = strings.Join(append(strings.Fields(program+" "+verb), append(options, "…")...), " ")
	}
	for _, n := range r.Needs {
		if _, about := nebula.Code(n).Split(); len(about) > 0 {
			text += " (+ " + strings.Join(about, " ") + ")"
		}
	}
	return text
}

// stands reports whether one of the rules allows a proposal.
func stands(rules []Rule, p nebula.Proposal) bool {
	return slices.ContainsFunc(rules, func(r Rule) bool { return r.Covers(p) })
}
