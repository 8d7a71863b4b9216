package tool

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"nebula"
	"nebula/internal/lazy"
)

// How a text shows an edit or a command that it does not call.
var (
	pathWord  = &lazy.Pattern{X: "`?(?:[\\w.-]+/)*[\\w-][\\w.-]*\\.[A-Za-z]\\w{0,7}`?"}
	halfTag   = &lazy.Pattern{X: `</?([A-Za-z]\w*)[^<>\n]*>|\[/?([A-Z][A-Z_]*)(?: [^\[\]\n]*)?\]`}
	diffHead  = &lazy.Pattern{X: `(?m)^--- \S.*\n\+\+\+ \S.*$|^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@`}
	diffFence = &lazy.Pattern{X: "(?ms)^```(?:diff|patch|udiff)\\s*$.*?^```"}
	codeSigns = &lazy.Pattern{X: "[(){}\\[\\];=<>\"`]|^\\s*[-+]"}
	shells    = &lazy.Pattern{X: "^```(?:sh|bash|shell|zsh|console|terminal)\\s*$"}
)

// Spots implements [nebula.Spotter]: a passage and what replaces it, between marks of whatever kind, a diff, or code that is
// another version of what a file holds.
func (t *patchFile) Spots(text string, known []string) (nebula.Spotted, bool) {
	text = unix(text)
	file := t.named(text)
	if data, _ := asData(text); len(data) == 0 && !diffed(text) && !t.parted(text, file) {
		if file = t.revised(text, append([]string{file}, known[:min(len(known), revisable)]...)); file == "" {
			return nebula.Spotted{}, false
		}
	}
	args, _ := json.Marshal(map[string]any{"path": file, "edits": []replacement{{Old: "the lines as they are", New: "the lines as they shall be"}}}) // strings always marshal
	if file == "" {
		args = json.RawMessage(strings.Replace(string(args), `"path":""`, `"path":"the file"`, 1))
	}
	return nebula.Spotted{Path: file, Form: nebula.Action{Tool: t.Spec().Name, Args: args, Reason: "why"}}, true
}

// revisable is how many of the files that a session has read are looked at.
const revisable = 32

// revised is the first of some files that a text shows another version of: code in a fence that begins as something in the
// file does and goes on otherwise, or a line that is taken out and one that is put in.
func (t *patchFile) revised(text string, files []string) string {
	shown := blocksOf(text)
	for _, file := range files {
		if file == "" || !program.In(file) {
			continue
		}
		data, _, err := t.dir.Read(file, 1<<20)
		if err != nil {
			continue
		}
		c := newContent(file, text, string(data), nebula.View{})
		if slices.ContainsFunc(shown, c.revises) || c.turned() {
			return file
		}
	}
	return ""
}

// blocksOf are the lines of a text's fenced blocks, or of all of it that stands below a line which ends in a colon.
func blocksOf(text string) (blocks [][]string) {
	var block []string
	fenced := false
	for _, l := range strings.Split(text, "\n") {
		switch fence := fenceEnd.In(strings.TrimSpace(l)); {
		case fence && fenced:
			blocks, fenced = append(blocks, full(block)), false
		case fence:
			block, fenced = nil, true
		case fenced:
			block = append(block, l)
		}
	}
	if first, rest, ok := strings.Cut(text, "\n"); ok && len(blocks) == 0 && strings.HasSuffix(strings.TrimSpace(first), ":") {
		blocks = append(blocks, full(strings.Split(rest, "\n")))
	}
	return blocks
}

// revises reports whether lines begin as some of the file do and are not all of them there.
func (c *content) revises(block []string) bool {
	if len(block) == 0 || words(block[0]) < partWords {
		return false
	}
	fresh := func(l string) bool { return words(l) >= partWords && !c.was[strings.TrimSpace(l)] }
	if _, one := once(c.file.lines, block[:1]); one {
		return slices.ContainsFunc(block, fresh)
	}
	return len(block) == 1 && fresh(block[0]) && slices.ContainsFunc(c.file.lines, func(l string) bool { return near(strings.TrimSpace(l), strings.TrimSpace(block[0])) })
}

// turned reports whether a line of the text takes one of the file's out, and the next puts another in its place.
func (c *content) turned() bool {
	lines := c.lines()
	for i, l := range lines[:len(lines)-1] {
		out, taken := strings.CutPrefix(l, "-")
		in, put := strings.CutPrefix(lines[i+1], "+")
		if taken && put && words(out) >= partWords && c.was[strings.TrimSpace(out)] && strings.TrimSpace(in) != "" && !c.was[strings.TrimSpace(in)] {
			return true
		}
	}
	return false
}

// named is the first file of the folder that a text names, as the folder names it.
func (t *patchFile) named(text string) string {
	for _, p := range pathWord.For(text).FindAllString(text, 64) {
		p = strings.Trim(p, "`")
		for _, p := range []string{p, strings.TrimPrefix(strings.TrimPrefix(p, "a/"), "b/")} {
			if e, err := t.dir.Stat(p); err == nil && !e.Dir {
				return path.Clean(p)
			}
		}
	}
	return ""
}

// diffed reports whether a text holds a diff with something taken out or put in.
func diffed(text string) bool {
	changes := func(part string) bool {
		return slices.ContainsFunc(strings.Split(part, "\n"), func(l string) bool {
			return (strings.HasPrefix(l, "-") || strings.HasPrefix(l, "+")) && !strings.HasPrefix(l, "---") && !strings.HasPrefix(l, "+++") && words(l) > 0
		})
	}
	if at := diffHead.For(text).FindStringIndex(text); at != nil && changes(text[at[0]:]) && !halved(text[at[0]:at[1]]) {
		return true
	}
	return slices.ContainsFunc(diffFence.For(text).FindAllString(text, -1), changes)
}

// halved reports whether the two lines above a passage name its halves, and not two files.
func halved(head string) bool {
	first, _, _ := strings.Cut(head, "\n")
	return halfOf(strings.Trim(first, decoration)) != nothing
}

// parted reports whether a text holds a passage that is marked as what is replaced, or stands in the file that the text
// names, and another behind it that is marked as what replaces it.
func (t *patchFile) parted(text, file string) bool {
	was := ""
	if file != "" {
		if data, _, err := t.dir.Read(file, 1<<20); err == nil {
			was = unix(string(data))
		}
	}
	c := newContent("x.go", apart(text), "", nebula.View{}) // in a program a label is no key of data
	var old, new []string
	now, sure := nothing, false
	for _, l := range append(c.lines(), "end") {
		m := c.markOf(l)
		if m.role == nothing {
			switch now {
			case older:
				old = append(old, l)
			case newer:
				new = append(new, l)
			}
			continue
		}
		if now == newer && replaces(old, new, was, sure) {
			return true
		}
		switch {
		case now == older && len(passage(old)) > 0 && (m.role == newer || m.role == either || m.role == signs || m.role == shut):
			sure = sure || m.role == newer
			if m.role == shut { // the other half is still to come
				continue
			}
			now, new = newer, nil
		case m.role == older || m.role == either || m.role == signs && strings.HasPrefix(strings.TrimSpace(l), "<<"):
			now, old, new, sure = older, nil, nil, m.role == older
		default:
			now, old, new, sure = nothing, nil, nil, false
		}
		if m.rest != "" && now == older {
			old = append(old, m.rest)
		} else if m.rest != "" && now == newer {
			new = append(new, m.rest)
		}
	}
	return false
}

// replaces reports whether two passages are the halves of an edit: they differ, and the first stands in the file, or is
// code where a mark names its half.
func replaces(old, new []string, was string, sure bool) bool {
	o, n := strings.Join(passage(old), "\n"), strings.Join(passage(new), "\n")
	if o == "" || n == "" || o == n {
		return false
	}
	return was != "" && words(o) > 0 && strings.Contains(was, o) || sure && codeSigns.In(o) && codeSigns.In(n)
}

// passage are the lines of code between two marks: those of the fence, where there is one.
func passage(lines []string) []string {
	isFence := func(l string) bool { return fenceEnd.In(strings.TrimSpace(l)) }
	if from := slices.IndexFunc(lines, isFence); from >= 0 && from+1 < len(lines) {
		inside := lines[from+1:]
		if to := slices.IndexFunc(inside, isFence); to > 0 {
			return inside[:to]
		}
		if len(full(inside)) == 0 {
			inside = lines[:from] // it is the fence around both halves that ends here
		}
		return full(inside)
	}
	found := full(lines)
	if len(found) == 1 {
		return []string{strings.Trim(strings.TrimSpace(found[0]), "`")}
	}
	return found
}

// apart puts the tags of a text that name a half on lines of their own, and takes the paths out of the lines that end in a
// colon: what is left of them may be a mark.
func apart(text string) string {
	text = halfTag.For(text).ReplaceAllStringFunc(text, func(tag string) string {
		name := tagName(tag)
		if halfOf(name) == nothing {
			return tag
		}
		if strings.Contains(tag, "/"+name) {
			return "\n</" + name + ">\n"
		}
		return "\n<" + name + ">\n"
	})
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if t := strings.TrimSpace(l); strings.HasSuffix(t, ":") || strings.HasSuffix(t, "：") {
			lines[i] = pathWord.For(l).ReplaceAllString(l, "")
		}
	}
	return strings.Join(lines, "\n")
}

func tagName(tag string) string {
	m := halfTag.For(tag).FindStringSubmatch(tag)
	return m[1] + m[2]
}

// changers are programs that change files, with the option or word that one needs for it, if any.
var changers = map[string]*lazy.Pattern{
	"sed": {X: `^(?:-[a-zA-Z]*i|--in-place)`}, "perl": {X: `^-[a-zA-Z]*i`}, "awk": {X: `^inplace$`}, "gawk": {X: `^inplace$`},
	"git": {X: `^(?:apply|am|mv|rm)$`}, "gofmt": {X: `^-w$`}, "patch": nil, "tee": nil, "mv": nil, "rm": nil, "cp": nil, "ed": nil, "truncate": nil,
}

// Spots implements [nebula.Spotter]: a command that changes files, in a block of a shell or as a line of its own.
func (t *executeShell) Spots(text string, _ []string) (nebula.Spotted, bool) {
	var block []string
	fenced, shell := false, false
	for _, l := range append(strings.Split(unix(text), "\n"), "```") {
		line := strings.TrimSpace(l)
		fence := fenceEnd.In(line)
		switch {
		case fence && fenced && shell && changing(strings.Join(block, "\n")):
			return t.spotted(), true
		case fence:
			fenced, shell, block = !fenced, shells.In(line), nil
		case fenced:
			block = append(block, strings.TrimPrefix(line, "$ "))
		case quotedScript.In(line) && changing(strings.TrimPrefix(line, "$ ")):
			return t.spotted(), true
		case prompted.In(line) && changing(prompted.For(line).ReplaceAllString(line, "")):
			return t.spotted(), true
		}
		if m := tellsOf.For(line).FindStringSubmatch(line); m != nil && !fenced && changing(m[1]) {
			return t.spotted(), true
		}
	}
	return nebula.Spotted{}, false
}

// quotedScript is a line that begins with an editor of files and has its script in quotation marks, as no prose does.
var quotedScript = &lazy.Pattern{X: `^(?:\$ )?(?:sed|perl|awk|gawk) -.*['"].+['"]`}

// prompted is what stands before a command in a terminal, tellsOf a command of which somebody says to run it now.
var (
	prompted = &lazy.Pattern{X: `^(?:[\w.-]+@[\w.-]+:\S*)?\$ `}
	tellsOf  = &lazy.Pattern{X: "\\bI(?:'ll|'m going to| will)?(?: now)? (?:run|execute) `([^`]+)`"}
)

//go:noinline
func (t *executeShell) spotted() nebula.Spotted {
	args := json.RawMessage(`{"command":"the command"}`)
	return nebula.Spotted{Form: nebula.Action{Tool: t.Spec().Name, Args: args, Reason: "why"}}
}

// changing reports whether a script of a shell has a command that changes files.
func changing(script string) bool {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(script), "")
	if err != nil {
		return false
	}
	found := false
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Redirect:
			writes := n.Op == syntax.RdrOut || n.Op == syntax.AppOut || n.Op == syntax.RdrAll || n.Op == syntax.AppAll
			found = found || writes && n.Word != nil && !strings.HasPrefix(n.Word.Lit(), "/dev/")
		case *syntax.CallExpr:
			found = found || alters(n.Args)
		}
		return !found
	})
	return found
}

// alters reports whether the words of a command call one of the changers as it changes files.
func alters(call []*syntax.Word) bool {
	if len(call) < 2 {
		return false
	}
	need, known := changers[call[0].Lit()]
	if !known || need == nil {
		return known
	}
	return slices.ContainsFunc(call[1:], func(w *syntax.Word) bool { return need.In(w.Lit()) })
}
