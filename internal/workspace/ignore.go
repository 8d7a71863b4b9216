package workspace

import (
	"bytes"
	"strings"
)

// A rule is one line of a .gitignore file.
type rule struct {
	glob    glob
	negated bool
	dirOnly bool
	byPath  bool // matched against the path from the rule's directory, not the name alone
}

// newRule reads a pattern as git does: ! negates, / at the end is for directories only, / elsewhere anchors.
func newRule(p string) (rule, bool) {
	var r rule
	if strings.HasPrefix(p, "!") {
		r.negated, p = true, p[1:]
	}
	if p == "" {
		return rule{}, false
	}
	if strings.HasSuffix(p, "/") {
		r.dirOnly, p = true, p[:len(p)-1]
	}
	r.byPath = strings.Contains(p, "/")
	if r.byPath {
		p = strings.TrimPrefix(p, "/")
	}
	r.glob = compile(p, r.byPath, foldsCase)
	return r, true
}

func (r *rule) match(rel, name string, dir bool) bool {
	if r.dirOnly && !dir {
		return false
	}
	if r.byPath {
		return r.glob.match(rel)
	}
	return r.glob.match(name)
}

// rules reads an ignore file.
func rules(data []byte) []rule {
	var all []rule
	data = trimBOM(data)
	for len(data) > 0 {
		var l []byte
		l, data, _ = bytes.Cut(data, []byte("\n"))
		s := string(bytes.TrimSuffix(l, []byte("\r")))
		if s == "" || s[0] == '#' {
			continue
		}
		if r, ok := newRule(trimSpaces(s)); ok {
			all = append(all, r)
		}
	}
	return all
}

// trimSpaces drops spaces at the end, unless a \ stands before them.
func trimSpaces(s string) string {
	end := 0
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			i++
			end = min(i+1, len(s))
		} else if s[i] != ' ' {
			end = i + 1
		}
	}
	return s[:end]
}

// A ruling is what a level of rules says of a path.
type ruling int8

const (
	silent ruling = iota
	shown
	ignored
)

// decide asks the rules in turn, the last first.
func decide(rules []rule, rel, name string, dir bool) ruling {
	for i := len(rules) - 1; i >= 0; i-- {
		if rules[i].match(rel, name, dir) {
			if rules[i].negated {
				return shown
			}
			return ignored
		}
	}
	return silent
}

// A level is the rules of one directory, with those of the directories above it. Rules below beat rules above; those of
// .nebulaignore at any level beat those of git.
type level struct {
	up     *level
	base   int    // length of the directory's path with its slash: the path of its rules begins there
	prefix string // or what has to come before a path, for directories above the folder
	git    []rule
	own    []rule
	repo   bool // git's rules from above end here: it is a repository of its own
}

// ignores reports whether a path is ignored. Whether a directory above it is has been asked before.
func (l *level) ignores(rel string, dir bool) bool {
	name := rel[strings.LastIndexByte(rel, '/')+1:]
	for at := l; at != nil; at = at.up {
		if len(at.own) > 0 {
			if r := decide(at.own, at.relative(rel), name, dir); r != silent {
				return r == ignored
			}
		}
	}
	for at := l; at != nil; at = at.up {
		if len(at.git) > 0 {
			if r := decide(at.git, at.relative(rel), name, dir); r != silent {
				return r == ignored
			}
		}
		if at.repo {
			break
		}
	}
	return false
}

func (l *level) relative(rel string) string {
	if l.prefix != "" {
		return l.prefix + rel
	}
	return rel[l.base:]
}

// Names of ignore files.
const (
	gitIgnore    = ".gitignore"
	nebulaIgnore = ".nebulaignore"
)

// maxIgnoreFile is how much of an ignore file is read.
const maxIgnoreFile = 1 << 20
