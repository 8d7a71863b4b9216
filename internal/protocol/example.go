package protocol

import (
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lazy"
)

// withoutChanges is what is said beside calls without the changes that it shows, so that what introduces these is what was said last: diffs and
// patches, in a code block or not. One that is not offered and that an action makes tells of it, and stays.
func withoutChanges(say string, actions ...nebula.Action) string {
	if !showsChange(say) || len(actions) > 0 && !offersChange.In(say) && slices.ContainsFunc(actions, func(a nebula.Action) bool { return makes(a, say) }) {
		return say
	}
	var b strings.Builder
	for _, p := range paragraphs(say) {
		if !showsChange(p) {
			b.WriteString(p)
		}
	}
	return b.String()
}

// showsChange reports whether a text has a mark of a diff, a patch, or a pair to search and replace, at a line's beginning.
func showsChange(text string) bool {
	for line := range strings.Lines(text) {
		for _, mark := range []string{"```diff", "```patch", "@@", "+++ ", "*** Begin Patch", "<<<<<<< "} {
			if strings.HasPrefix(line, mark) {
				return true
			}
		}
	}
	return false
}

// offersChange has the words with which a change is shown that somebody could make.
var offersChange = &lazy.Pattern{X: `(?i)\b(?:would|could|might|may|can|examples?|illustrat\w*|suggest\w*|propos\w*|if|sketch|like me to)\b|例|提案|もし|場合`}

// makes reports whether an action makes a change that a text shows: it has a line that the change adds.
func makes(a nebula.Action, text string) bool {
	args := strings.ReplaceAll(string(a.Args), `\"`, `"`)
	pair := strings.Contains(text, "<<<<<<< ")
	for line := range strings.Lines(text) {
		if added := strings.TrimSpace(strings.TrimPrefix(line, "+")); (pair || strings.HasPrefix(line, "+")) && len(added) > 3 && strings.Contains(args, added) {
			return true
		}
	}
	return false
}

// paragraphs are the parts of a text, each with what ends it: code blocks, patches, and what stands between empty lines.
func paragraphs(text string) (list []string) {
	start, pos, until := 0, 0, "" // the line that ends a block
	end := func() {
		if pos > start {
			list = append(list, text[start:pos])
		}
		start = pos
	}
	for line := range strings.Lines(text) {
		mark := strings.TrimSpace(line)
		switch {
		case until != "":
			if pos += len(line); mark == until || until == ">>>>>>> " && strings.HasPrefix(mark, until) {
				until = ""
				end()
			}
			continue
		case strings.HasPrefix(mark, "```"):
			end()
			until = "```"
		case strings.HasPrefix(mark, "*** Begin Patch"):
			end()
			until = "*** End Patch"
		case strings.HasPrefix(mark, "<<<<<<< "):
			until = ">>>>>>> "
		case mark == "":
			end()
		}
		pos += len(line)
	}
	end()
	return list
}
