package tool

import (
	"path"
	"strings"

	"nebula/internal/lazy"
)

var (
	openKey   = &lazy.Pattern{X: `:\s*(?:[&!]\S*\s*)*(?:#.*)?$`}     // a key whose value stands below
	blockText = &lazy.Pattern{X: `(?:^|\s)[|>][-+0-9]*\s*(?:#.*)?$`} // a text stands below, deeper
)

func isYAML(at string) bool {
	ext := strings.ToLower(path.Ext(at))
	return ext == ".yaml" || ext == ".yml"
}

// An indented line has so many blanks before what it says.
type indentedLine struct {
	deep, at int
	bare     string
}

//go:noinline
func (l indentedLine) item() bool { return l.bare == "-" || strings.HasPrefix(l.bare, "- ") }

// yamlLines are the lines of YAML but for empty ones, remarks and blocks of text.
func yamlLines(text string) (out []indentedLine) {
	block := -1
	for i, l := range strings.Split(text, "\n") {
		bare := strings.TrimSpace(l)
		deep := len(l) - len(strings.TrimLeft(l, " "))
		if bare == "" || bare[0] == '#' || block >= 0 && deep > block {
			continue
		}
		if block = -1; blockText.In(bare) {
			block = deep
		}
		out = append(out, indentedLine{deep, i + 1, bare})
	}
	return out
}

// unlistedYAML is the first line of YAML that begins with a tab, or that is an item at the edge behind a key that has a value already; 0
// where there is none, or where a string or a bracket may go over lines.
func unlistedYAML(text string) int {
	if strings.Contains(text, "{{") || strings.Contains(text, "{%") {
		return 0
	}
	all, ended, below := strings.Split(text, "\n"), false, false
	for _, l := range yamlLines(text) {
		switch {
		case strings.Count(l.bare, `"`)%2 == 1 || strings.Count(l.bare, "'")%2 == 1 || open(l.bare) != 0:
			return 0
		case all[l.at-1][0] == '\t', l.deep == 0 && l.item() && ended:
			return l.at
		case l.deep > 0:
			ended = ended || below
		case l.item():
			ended, below = false, false
		default:
			below = openKey.In(l.bare)
			ended = !below && !strings.HasPrefix(l.bare, "---") && l.bare != "..."
		}
	}
	return 0
}

// flushed is a line of YAML that stood below a key, deeper than it, and stands beside it now.
func (c *content) flushed() string {
	if !isYAML(c.path) {
		return ""
	}
	inside := map[[2]string]bool{}
	pairs := func(text string, see func(key, l indentedLine)) {
		all := yamlLines(text)
		for i := range all {
			if i > 0 && openKey.In(all[i-1].bare) {
				see(all[i-1], all[i])
			}
		}
	}
	pairs(c.file.text, func(key, l indentedLine) { inside[[2]string{key.bare, l.bare}] = l.deep > key.deep })
	wrong := ""
	pairs(c.text, func(key, l indentedLine) {
		if wrong == "" && !l.item() && l.deep <= key.deep && inside[[2]string{key.bare, l.bare}] {
			wrong = l.bare
		}
	})
	return wrong
}
