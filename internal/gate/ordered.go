package gate

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

// ordersNames reports whether an action puts nothing but other names in the place of names, each by the words of the person's request, which orders
// that: however many files it goes over, it is what was asked for.
func ordersNames(asked string, a nebula.Action) bool {
	type pair struct{ Old, New, From, To string }
	var in struct {
		pair
		Edits   []pair
		Command string
	}
	if !ordersRename.In(asked) || json.Unmarshal(a.Args, &in) != nil {
		return false
	}
	names := []string{in.Old + in.From, in.New + in.To}
	if len(in.Edits) > 0 {
		names = nil
	}
	for _, e := range in.Edits {
		names = append(names, e.Old, e.New)
	}
	if m := sedNames.For(in.Command).FindAllStringSubmatch(in.Command, -1); len(m) > 0 {
		names = nil
		for _, s := range m {
			names = append(names, s[1], s[2])
		}
	}
	return !slices.ContainsFunc(names, func(name string) bool {
		return !aName.In(name) || !regexp.MustCompile(`(?:^|[^\p{L}\p{N}_$])`+regexp.QuoteMeta(name)+`(?:$|[^A-Za-z0-9_$])`).MatchString(asked)
	})
}

// ordersGone reports whether the person's request orders by its name that a file is deleted: the name stands behind the verb, and nothing is only
// taken out of it.
func ordersGone(asked, file string) bool {
	if asked == "" || file == "" {
		return false
	}
	name := regexp.QuoteMeta(path.Clean(file))
	of := regexp.MustCompile(`(?im)` + orderAt + `(?:delete|remove|git rm|rm) (?:(?:the|old|unused|obsolete|files?) )*` + namesBefore + `[\x60"']?(?:\./)?` + name + `[\x60"']?(?:[,.;:!]\s[^\n]*|[.!]?$| and [^\n]*| (?:it|as|because|since|please|too|now)\b[^\n]*)` +
		`|(?:^|[\s。、と]|ずに)[\x60「]?` + name + `[\x60」]?\s*(?:を|は|(?:だけ|のみ)を?)(?:削除し|消し)て`)
	return orders(asked, of)
}

// ordersScripts reports whether all that a change makes and that can be run by its name is a plain script in sight: one that the person's request
// names, or one that is new where it orders a script. What gets the right to be run is none.
func ordersScripts(asked string, p nebula.Proposal) bool {
	return asked != "" && !lists.Has(p.Risks, nebula.Executable) && !slices.ContainsFunc(p.Targets, func(t nebula.Target) bool {
		if t.Ignored || !lists.Has(called(t), Runs) {
			return false
		}
		named := regexp.MustCompile(`(?:^|[^\w.-])` + regexp.QuoteMeta(path.Base(t.Path)) + `(?:$|[^\w-])`).MatchString(asked)
		return t.Link != "" || t.Named != "" || strings.HasPrefix(t.Path, ".") || strings.Contains(t.Path, "/.") || t.ModeAfter&0o111 != 0 || t.Kind != "create" && t.Kind != "edit" ||
			!plainScript.In(t.Path) || !named && (t.Kind != "create" || !ordersScript.In(asked))
	})
}

// orders reports whether a request has an order, whole, and of the model: not what a program is to do, or what somebody else said.
func orders(asked string, of *regexp.Regexp) bool {
	at := of.FindStringIndex(asked)
	if at == nil || halfOrder.In(asked[at[0]:at[1]]) {
		return false
	}
	before := asked[:at[0]]
	for _, end := range []string{"\n", ". ", "! ", "? ", "。"} {
		before = before[max(0, strings.LastIndex(before, end)):]
	}
	if strings.ContainsRune(".!;", rune(asked[at[0]])) { // what is to stay is told of in a statement that has ended
		before = spares.For(before).ReplaceAllString(before, "")
	}
	return !ofOthers.In(before)
}

// ordersFiles reports whether a line does nothing but delete or move by git the files of which the person's request orders that by their names.
func ordersFiles(asked, line string) bool {
	if asked == "" {
		return false
	}
	r := read(line)
	if len(r.calls) != 1 || len(r.wrote)+len(r.emptied)+len(r.vars) > 0 {
		return false
	}
	c, words := r.calls[0], texts(r.calls[0].args)
	if c.name != "git" || c.at != "" && c.at != "." || len(words) < 2 || slices.ContainsFunc(c.args, func(a arg) bool { return !a.known || strings.ContainsAny(a.text, wild) }) {
		return false
	}
	verb, files := words[0], lists.Drop(words[1:], func(w string) bool { return w == "-q" || w == "--" })
	switch {
	case len(files) == 0:
		return false
	case verb == "rm":
		return !slices.ContainsFunc(files, func(w string) bool { return strings.HasPrefix(w, "-") || !ordersGone(asked, w) })
	case verb == "mv" && len(files) == 2:
		of := regexp.MustCompile(`(?im)` + orderAt + `(?:move|rename|git mv) (?:the )?(?:file )?[\x60"']?` + regexp.QuoteMeta(files[0]) + `[\x60"']? (?:to|into|as) [\x60"']?` + regexp.QuoteMeta(files[1]) + `(?:[\x60"',;!\s]|\.?$|\.\s)`)
		return orders(asked, of)
	}
	return false
}

// ordersCommit reports whether a line that does nothing but commit takes in only files of which the person's request orders that by their names.
func ordersCommit(asked, line string) bool {
	files := 0
	for _, c := range read(line).calls {
		for _, w := range silent("git", c.args)[1:] {
			name := regexp.QuoteMeta(path.Clean(w.text))
			of := regexp.MustCompile(`(?im)` + orderAt + `commit (?:(?:only|just|the|file|files|changes?|to|of|my) )*` + namesBefore + `[\x60"']?(?:\./)?` + name + `[\x60"']?(?:[,;!]\s[^\n]*|[.!]?\s*$|\.\s|(?:, and |, | and )[\w./]+\.\w)` +
				`|(?:^|[\s。、と]|て)[\x60「]?` + name + `[\x60」]?\s*(?:を|だけを?|のみを?)コミットして`)
			if strings.HasPrefix(w.text, "-") && !lists.Has([]string{"-m", "-q", "-qm", "-v"}, w.text) || !strings.HasPrefix(w.text, "-") && !orders(asked, of) {
				return false
			}
			if !strings.HasPrefix(w.text, "-") {
				files++
			}
		}
	}
	return asked != "" && files > 0
}

// namesBefore are other files of the same order.
const namesBefore = `(?:[\x60"']?[\w./-]+[\x60"']?(?:, and |, | and ))*`

// orderAt is where an order begins.
const orderAt = `(?:^|[.!;]\s+|\b(?:and|then|please|now|just|can you|could you),? +)`

var (
	halfOrder    = &lazy.Pattern{X: `(?i)\b(?:from|if|unless|in)\b`}
	ofOthers     = &lazy.Pattern{X: `(?i)\b(?:should|must|would|to|that|which|explain|how|why|sa(?:id|ys?)|tells?|scripts?|function|whether|never|not|don't|without|makes?|have|if|unless|when)\b|["“「>]`}
	spares       = &lazy.Pattern{X: `(?i)(?:^\W*|[,;] ?)(?:(?:but|and|please) )*(?:don't|do not|dont|never) (?:delete|remove|touch|change|edit|modify|move|rename)\b[^"“「>:]*$`}
	sedNames     = &lazy.Pattern{X: `\bs[/|#](?:\\[b<])?([^/|#\\]+)(?:\\[b>])?[/|#]([^/|#]+)[/|#]`}
	ordersRename = &lazy.Pattern{X: `(?i)(?:^|[.!;:,\n]\s*|\b(?:and|then|please|now|just|can you|could you) +)(?:renam(?:e|ing)|replace|change|call)\b|(?:リネーム|改名|変更|置換|置き換え|変え)(?:し?て|を?お願い)`}
	plainScript  = &lazy.Pattern{X: `(?i)\.(?:(?:ba|z|fi)?sh|ps1|bat|cmd)$`}
	ordersScript = &lazy.Pattern{X: `(?i)\b(?:write|create|add|make|need|want|give me|provide|generate|put)\b[^.!?;\n]{0,40}\b(?:an?|another|some|new) (?:[\w-]+ ){0,4}scripts?\b|スクリプト[^。\n]{0,12}(?:作|書|追加|用意|生成)`}
	aName        = &lazy.Pattern{X: `^[\p{L}_$][\p{L}\p{N}_$.-]{2,}$`}
)
