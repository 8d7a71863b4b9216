package state

import (
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// ofRules are the tools that rules of settings name with paths, as they are called elsewhere, and whether what holds there is that they read.
var ofRules = map[string]bool{"read": true, "grep": true, "edit": false, "write": false, "multiedit": false, "notebookedit": false, "notebookread": true}

// RuledBar is what a rule of settings that denies comes to, as in Read(./.env), Edit(src/**) or Bash(rm:*), told from a folder, and whether it is
// one of files or of a program: it holds as the person's words would.
func RuledBar(rule, dir string) (b Bar, ok bool) {
	name, inner, within := strings.Cut(strings.TrimSuffix(strings.TrimSpace(rule), ")"), "(")
	reads, files := ofRules[strings.ToLower(name)]
	b.Words = nebula.Denies + strings.TrimSpace(rule)
	if files && (!within || inner == "*") { // the whole tool: nothing may change, or be read
		within, inner = true, "**"
		if strings.HasPrefix(strings.ToLower(name), "notebook") {
			inner = "**/*.ipynb"
		}
	}
	switch {
	case !within || inner == "" || inner == "*":
		return b, false
	case files:
		at := ruledPath(inner, dir)
		if b.Paths = []string{at}; reads {
			b.Act, b.Of = Look, at
		}
		return b, at != ""
	}
	words, open := strings.CutSuffix(inner, "*")
	b.Act, b.Of = Run, strings.Join(strings.Fields(strings.TrimSuffix(words, ":")), " ")
	if open = open || strings.Contains(inner, "*"); strings.Contains(b.Of, "*") {
		b.Of = strings.Replace(inner, ":*", "*", 1)
	}
	return b, strings.EqualFold(name, "bash") && open && strings.Trim(b.Of, "* ") != "" && !strings.ContainsAny(b.Of, "?|&;<>`$\\'\"")
}

// Ruled are the rules that one of settings comes to: without blanks in its brackets, and where it is of files with each of what braces say beside it.
func Ruled(rule string) []string {
	name, inner, within := strings.Cut(strings.TrimSuffix(strings.TrimSpace(rule), ")"), "(")
	if !within {
		return []string{rule}
	}
	inner = strings.TrimSpace(inner)
	list := []string{name + "(" + inner + ")"}
	end := strings.IndexByte(inner, '}')
	begin := strings.LastIndexByte(inner[:max(end, 0)], '{')
	if _, files := ofRules[strings.ToLower(strings.TrimSpace(name))]; !files || begin < 0 || strings.Count(inner, ",")+strings.Count(inner, "{") > 12 { // more are too many together
		return list
	}
	for one := range strings.SplitSeq(inner[begin+1:end], ",") {
		list = append(list, Ruled(name+"("+inner[:begin]+one+inner[end+1:]+")")...)
	}
	return list
}

// RuledAbove is a rule of settings that stand in a folder above another as it is to be said in that: with its path from the root on, where it is
// one from the folder on that it stands in. What names a folder that the other lies in is everything there.
func RuledAbove(rule, above, dir string) string {
	name, inner, within := strings.Cut(strings.TrimSuffix(strings.TrimSpace(rule), ")"), "(")
	if _, files := ofRules[strings.ToLower(name)]; !files || !within || strings.HasPrefix(inner, "//") || strings.HasPrefix(inner, "~") {
		return rule
	}
	bare := strings.TrimSuffix(inner, "/")
	if !strings.Contains(bare, "/") {
		for _, at := range strings.Split(strings.Trim(strings.TrimPrefix(dir, above), "/"), "/") {
			if is, err := path.Match(bare, at); is && err == nil && bare != "*" {
				return name + "(**)"
			}
		}
		return rule
	}
	if strings.HasPrefix(inner, "**/") {
		return rule
	}
	return name + "(/" + escaped.Replace(above) + path.Clean("/"+inner) + ")"
}

// escaped is a path as a pattern of its own.
var escaped = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`)

// ruledPath is the path of a rule, which begins with a slash where it is one from the folder on; empty for one that leads elsewhere.
func ruledPath(inner, dir string) string {
	if inner = strings.ReplaceAll(inner, `\/`, "/"); strings.Contains(inner, "/../") || strings.LastIndex(inner, "//") > 0 {
		root := "./"
		switch {
		case strings.HasPrefix(inner, "//"):
			root = "/"
		case strings.HasPrefix(inner, "/"):
			root = ""
		}
		inner = root + path.Clean(inner)
	}
	if abs, ok := strings.CutPrefix(inner, "//"); ok {
		parts := strings.Split(strings.Trim(abs, "/"), "/")
		for _, at := range strings.Split(strings.Trim(dir, "/"), "/") {
			if len(parts) == 0 || parts[0] == "**" { // the folder is in what it names, or may be anywhere in it
				break
			}
			if is, err := path.Match(parts[0], at); dir == "" || err != nil || !is {
				return ""
			}
			parts = parts[1:]
		}
		if inner = "/" + strings.Join(parts, "/"); len(parts) == 0 {
			inner = "**"
		}
	}
	rooted := strings.Contains(strings.TrimSuffix(inner, "/"), "/")
	inner = strings.Trim(strings.TrimPrefix(inner, "./"), "/")
	for strings.HasSuffix(inner, "/**") {
		inner = strings.TrimSuffix(inner, "/**")
	}
	if rest, anywhere := strings.CutPrefix(inner, "**/"); anywhere && !strings.Contains(rest, "/") {
		rooted, inner = false, rest
	}
	switch {
	case inner == "" || strings.HasPrefix(inner, "~") || strings.HasPrefix(inner, "../"):
		return ""
	case rooted || inner == "**":
		return "/" + inner
	}
	return inner
}

// ruled reports whether settings say it, not the person.
//
//go:noinline
func (b Bar) ruled() bool { return strings.HasPrefix(b.Words, nebula.Denies) }

// bars are all that hold now, the person's and those of settings.
//
//go:noinline
func (s *State) bars() []Bar { return lists.Concat(s.placed(s.Bars()), s.placed(s.Denies)) }

// Bound reports whether anything is forbidden.
//
//go:noinline
func (s *State) Bound() bool { return len(s.Bars())+len(s.Denies) > 0 }

// Barring is a state that knows of nothing but what holds now.
func (s *State) Barring() *State {
	return &State{barred: s.placed(s.Bars()), Denies: s.placed(s.Denies), Turn: s.Turn}
}

// falls reports whether a path is, or lies in, what the parts of a pattern come to, where ** stands for any number of them.
func falls(pattern, parts []string) bool {
	switch {
	case len(pattern) == 0:
		return true
	case pattern[0] == "**":
		return falls(pattern[1:], parts) || len(parts) > 0 && falls(pattern, parts[1:])
	case len(parts) == 0:
		return false
	}
	is, err := path.Match(pattern[0], parts[0])
	return err == nil && is && falls(pattern[1:], parts[1:])
}

// comesTo reports whether a pattern in which a star stands for any text is what a program is run by, alone or behind others.
func comesTo(pattern string, words []string) bool {
	line := "; " + strings.Join(words, " ")
	for i, part := range strings.Split(strings.ToLower(pattern), "*") {
		at := strings.Index(line, part)
		if i == 0 && part != "" {
			at = len("; ")
			if !strings.HasPrefix(line[at:], part) {
				return false
			}
		}
		if at < 0 {
			return false
		}
		line = line[at+len(part):]
	}
	return line == "" || strings.HasSuffix(pattern, "*")
}

// begins reports whether words begin with those of a program and what it is to do.
func begins(words []string, of string) bool {
	want := strings.Fields(strings.ToLower(of))
	return len(words) >= len(want) && lists.Equal(words[:len(want)], want)
}

// optioned reports whether a program, what it is to do and its options are those of a rule, in whatever order the options stand: rm -rf, rm -fr,
// rm -r -f.
func optioned(words []string, rule string) bool {
	of, wanted := byOption(strings.Fields(strings.ToLower(rule)))
	does, given := byOption(words)
	return len(wanted) > 0 && begins(does, strings.Join(of, " ")) && !slices.ContainsFunc(wanted, func(o string) bool {
		return !slices.ContainsFunc(given, func(g string) bool { return g == o || strings.HasPrefix(g, o+"=") }) && !bundled(o, given)
	})
}

// byOption are words that are no options, and those that are; of what has a short name and a long one the short one stands for both.
//
//go:noinline
func byOption(words []string) (rest, options []string) {
	for _, w := range words {
		switch {
		case w == "--recursive" || w == "--force":
			options = append(options, w[1:3])
		case strings.HasPrefix(w, "-"):
			options = append(options, w)
		default:
			rest = append(rest, w)
		}
	}
	return rest, options
}

// bundled reports whether the letters of a short option stand among those of short ones.
func bundled(option string, given []string) bool {
	letters := ""
	for _, g := range given {
		if len(g) <= 5 && !strings.HasPrefix(g, "--") {
			letters += g[1:]
		}
	}
	return len(option) <= 4 && !strings.HasPrefix(option, "--") && !strings.ContainsFunc(option[1:], func(r rune) bool { return !strings.ContainsRune(letters, r) })
}
