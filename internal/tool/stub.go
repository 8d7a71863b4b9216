package tool

import (
	"strings"

	"nebula/internal/lazy"
)

// What stands in a body that nobody wrote yet, what opens one, and what opens a block that may well do nothing.
var (
	unwritten = &lazy.Pattern{X: `(?i)^(?:pass|\.{3}|…|raise NotImplementedError(?:\(.*\))?|throw new \w*(?:not_?implemented|unsupportedoperation)\w*\(.*\);?|throw (?:new )?\w*\(?["'` + "`" + `].*\b(?:not(?: yet)? implemented|unimplemented|todo)\b.*\);?|` +
		`(?:todo|unimplemented)!\(.*\);?|panic\(["` + "`" + `](?:todo|unchanged|as before|not(?: yet)? implemented|unimplemented)\b.*\)|fatalError\(.*\)|(?:#|//|--|/\*)\s*(?:todo|fixme|your code|implementation|implement)\b.*)$`}
	shortBody = &lazy.Pattern{X: `^(.*\S)\s*(?:(:)\s*(?:\.{3}|…|pass)|(\{)\s*(?:\.{3}|…|/\*.*\*/)?\s*\})\s*(?:#.*)?$`}
	control   = &lazy.Pattern{X: `^[}\s]*(?:if|elif|else|for|while|try|except|catch|finally|with|switch|match|case|default|do|select|loop|unless|until|rescue|ensure|when)\b`}
)

// hollowed is a definition whose body the file has and the content has only something for that stands for one.
func (c *content) hollowed() string {
	if c.stubs || !program.In(c.path) {
		return ""
	}
	lines := c.lines()
	for i, l := range lines {
		head := strings.TrimSpace(l)
		if m := shortBody.For(head).FindStringSubmatch(head); m != nil && !c.was[head] && !c.stub(lines[:i+1]) {
			for _, opened := range []string{m[1] + m[2] + m[3], m[1] + " " + m[2] + m[3]} {
				if opens(opened) && c.bodied(opened) {
					return head
				}
			}
			continue
		}
		if !opens(head) || !c.was[head] {
			continue
		}
		if stands, _ := stub(bodyOf(lines, i)); stands != "" && !c.stub(lines[:i+1]) && c.bodied(head) { // the whole file is looked through for few
			return head + " " + stands
		}
	}
	return ""
}

// opens reports whether a line is the head of something that has a body: of a definition, and not of a block that may do nothing.
func opens(head string) bool {
	return (strings.HasSuffix(head, ":") || strings.HasSuffix(head, "{")) && words(head) >= partWords && !control.In(head)
}

// bodied reports whether the file has a head once, and code below it.
func (c *content) bodied(head string) bool {
	at := -1
	for i, l := range c.file.lines {
		if strings.TrimSpace(l) == head {
			if at >= 0 {
				return false
			}
			at = i
		}
	}
	if at < 0 {
		return false
	}
	stands, empty := stub(bodyOf(c.file.lines, at))
	return stands == "" && !empty
}

// bodyOf are the lines below a head that stand deeper than it does.
func bodyOf(lines []string, head int) []string {
	end := head + 1
	for end < len(lines) && (strings.TrimSpace(lines[end]) == "" || len(lead(lines[end])) > len(lead(lines[head]))) {
		end++
	}
	return lines[head+1 : end]
}

// stub is what stands in a body that consists of nothing else, beside what describes it. empty tells one with nothing at all in it.
func stub(body []string) (stands string, empty bool) {
	described := ""
	for _, l := range body {
		l = strings.TrimSpace(l)
		if described != "" {
			if strings.HasSuffix(l, described) {
				described = ""
			}
			continue
		}
		if quote := l[:min(len(l), 3)]; quote == `"""` || quote == "'''" {
			if len(l) < 6 || !strings.HasSuffix(l, quote) {
				described = quote
			}
			continue
		}
		code, remark, _ := strings.Cut(l, "  #")
		switch {
		case l == "":
		case unwritten.In(l), unwritten.In(strings.TrimSpace(code)) && !gone.In(remark):
			stands = l
		case !noted.In(l) || gone.In(l):
			return "", false
		}
	}
	return stands, stands == ""
}
