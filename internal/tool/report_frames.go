package tool

import (
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// What a stack says of the machinery that runs tests (the language's own, the runner's) tells nothing of why one failed.
var (
	// ofMachinery is a line that tells of it alone.
	ofMachinery = &lazy.Pattern{X: `^\s+(?:at )?(?:async )?(?:\S.* )?\(?node:[\w/:-]+:\d+:\d+\)?$|^\s+(?:at )?new (?:Safe)?Promise \(<anonymous>\)$|^\s+at .*[/(]node_modules/[^:]+:\d+:\d+\)?$|` +
		`^note: (?:Some details are omitted, run with|run with) .RUST_BACKTRACE=|^\s+(?:duration_ms: [\d.]+|failureType: '\w+'|type: '(?:suite|test)')$`}
	// atMachinery is the place of a frame that stands in the line above.
	atMachinery = &lazy.Pattern{X: `^\t\S*go[^/\s]*/src/(?:testing|runtime)/\S+:\d+(?: \+0x[0-9a-f]+)?$|^\s+at \S*(?:/rustc/|/rustlib/src/)\S+:\d+(?::\d+)?$`}
)

// withLine adds a line to lines that tell of a failure, without what tells of the machinery.
func withLine(lines []string, l string) []string {
	switch {
	case ofMachinery.In(l):
		return lines
	case atMachinery.In(l) && len(lines) > 0:
		return lines[:len(lines)-1]
	}
	return append(lines, l)
}

// untold are the names of failing tests that stand nowhere in what is told of them.
func untold(names []string, details string) []string {
	return lists.Drop(lists.Clone(names), func(name string) bool { return strings.Contains(details, name) })
}

// changesInWords are changes of files, in words: one that went and stands elsewhere as it was has moved.
func changesInWords(changes []nebula.Change) (list []string) {
	changes = lists.Drop(lists.Clone(changes), func(c nebula.Change) bool { return !c.OfFile() || c.Cache() || nebula.OfGit(c.Path) })
	from, to := map[string][]string{}, map[string][]string{}
	for _, c := range changes {
		switch c.Kind {
		case "delete":
			from[c.Before] = append(from[c.Before], c.Path)
		case "create":
			to[c.After] = append(to[c.After], c.Path)
		}
	}
	moved := func(hash string) bool { return hash != "" && len(from[hash]) == 1 && len(to[hash]) == 1 }
	for _, c := range changes {
		switch {
		case c.Kind == "delete" && moved(c.Before):
			list = append(list, "move "+c.Path+" to "+to[c.Before][0])
		case c.Kind != "create" || !moved(c.After):
			list = append(list, c.Kind+" "+c.Path)
		}
	}
	return list
}

// sameMost is how many new files of one folder are named each.
const sameMost = 6

// grouped are changes, with those that made many files in one folder as one: what a build writes is told by where it is.
func grouped(changes []string) (list []string) {
	in := map[string]int{}
	of := func(c string) string {
		p, made := strings.CutPrefix(c, "create ")
		top, _, below := strings.Cut(p, "/")
		if !made || !below {
			return ""
		}
		return top
	}
	for _, c := range changes {
		in[of(c)]++
	}
	for _, c := range changes {
		switch n := in[of(c)]; {
		case of(c) == "" || n > 0 && n <= sameMost:
			list = append(list, c)
		case n > sameMost:
			list = append(list, fmt.Sprintf("create %d in %s/", n, of(c)))
			in[of(c)] = 0
		}
	}
	return list
}
