package symops

import (
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lazy"
	"nebula/internal/lists"
)

//go:noinline
func (b *builder) startBlock(open, first int) {
	b.inside, b.open, b.first = true, open, first
	b.fencer = open >= 0 && b.lines[open].kind == fence
}

// closeBlock ends a block at its delimiter.
func (b *builder) closeBlock(i int) {
	if b.lines[i].kind == delim && b.open >= 0 && !b.fencer {
		b.delimiter(i)
	}
	b.unclosed = false
	b.endWith(i, i)
}

// delimiter names what is unusual about a block's last delimiter.
func (b *builder) delimiter(i int) {
	l, open := b.lines[i], b.lines[b.open]
	switch {
	case open.kind == delim && l.n != open.n:
		b.repair("delimiter_length", i)
	case !l.is(plainly) && open.is(plainly), l.is(worded):
		b.repair(b.unusual(l), i)
	}
	inner := false // inside a block that the content shows
	for j := b.first; j < i; j++ {
		k := b.lines[j]
		if k.kind != delim || k.n != l.n || k.indent != open.indent {
			continue
		}
		b.repair("lookahead_close", i)
		above, below := b.neighbour(j, -1, i), b.neighbour(j, 1, i)
		switch {
		case inner:
			inner = false
		case above.is(needing):
			inner = true
		case below.strength == strong:
			b.repair("ambiguous_end", i)
		}
	}
}

// ambiguous notes that the last block could end here instead of where it was closed: then what stands between is content.
//
//go:noinline
func (b *builder) ambiguous() {
	for i := len(b.doc.Actions) - 1; i >= 0; i-- {
		a := &b.doc.Actions[i]
		a.Rows = append(a.Rows, "ambiguous_end")
		if a.HasBlock {
			return
		}
	}
}

// neighbour is the action that stands directly above or below a line of the content.
//
//go:noinline
func (b *builder) neighbour(i, step, end int) line {
	for i += step; i >= b.first && i < end; i += step {
		if b.lines[i].kind == action {
			return b.lines[i]
		}
		if b.lines[i].kind != blank {
			break
		}
	}
	return line{}
}

func (b *builder) unusual(l line) string {
	switch {
	case l.trimmed(b.src.text)[0] >= 0x80:
		return "delimiter_dash"
	case l.is(worded):
		return "delimiter_label"
	case l.indent > 0:
		return "delimiter_indent"
	}
	return "delimiter_space"
}

// endBlock ends a block that has no delimiter: at line i something else begins, or the reply ends.
func (b *builder) endBlock(i int, cut bool) {
	last := i
	for last > b.first && b.lines[last-1].kind == blank {
		last--
	}
	if cut && last > b.first && b.lines[last-1].trimmed(b.src.text) == "-" { // the beginning of a delimiter
		last--
	}
	switch {
	case !cut && b.lines[i].kind == sentence && b.open >= 0:
		b.repair("prose_closes_block", max(last, b.first)-1)
	case cut:
		b.repair("missing_close", len(b.lines)-1)
	default:
		b.repair("missing_close", max(last, b.first)-1)
	}
	if b.cur != nil && cut {
		b.cur.Truncated = true
		b.cur.Rows = append(b.cur.Rows, "cut_block")
		if b.open < 0 && last <= b.first {
			b.inside = false
			return
		}
	}
	b.unclosed = true
	a, opened := b.cur, b.open >= 0
	b.endWith(last, i-1)
	if n := len(b.repairs); opened && a != nil && !cut && b.gaping == 0 && (n == 0 || b.repairs[n-1].Name != "fence_closes_block") {
		b.gaping = a.Src.Line
	}
}

// endWith gives the block of lines [first, last) to its action; end is the last line that belongs to it.
func (b *builder) endWith(last, end int) {
	b.inside = false
	open := b.open
	b.open, b.closed = -1, open
	if b.cur == nil {
		if b.fencer {
			b.loose = append(b.loose, snippet{open, b.first, last, end, b.prose})
			return
		}
		if last-b.first == 1 && open >= 0 && isPlaceholder(b.lines[b.first].trimmed(b.src.text)) { // the grammar's own
			return
		}
		b.ambiguous()
		b.problem(max(open, 0), "a block without an action line", "write `$ create @ path` or `$ edit @ path` above the block")
		return
	}
	a := b.cur
	if open >= 0 {
		b.opener(open)
	}
	first, last := b.unwrapped(b.first, last)
	each := *a
	each.HasBlock = true
	each.Content = b.src.join(b.lines, first, last, b.margin(open, first, last))
	each.Src = b.src.span(b.lineOf(a), end)
	each.Block = b.src.span(first, last-1)
	if last <= first {
		each.Block = nebula.Span{}
	}
	if b.several(each) {
		a.HasBlock = true
		b.cur, b.paths = nil, nil
		return
	}
	b.placed(&each)
	if args := each.object(open >= 0); args != nil { // it does end
		each.Args, each.Truncated = args, false
		each.Rows = append(lists.Drop(slices.Clone(each.Rows), func(row string) bool { return row == "cut_block" }), "json_call")
	}
	if b.closedTwice(open, first, last) {
		each.Rows = append(each.Rows, "ambiguous_end")
	}
	b.doc.Actions = append(b.doc.Actions, each)
	a.HasBlock = true
	if len(b.paths) > 1 {
		b.paths = b.paths[1:]
		return
	}
	b.cur, b.paths = nil, nil
}

// closedTwice reports whether the only delimiter in a content is its last line: the content may end before that.
func (b *builder) closedTwice(open, first, last int) bool {
	same := func(l line) bool { return l.kind == delim && l.n == b.lines[open].n }
	return open >= 0 && last > first && same(b.lines[last-1]) && !slices.ContainsFunc(b.lines[first:last-1], same)
}

// title is a line that names a file: # file: a.py, === a.py ===.
var title = &lazy.Pattern{X: "(?m)^[#/*=<>!;%`'\" \\t\\-\\[]*(?:(?:[Ff]ile|filename:|ファイル:):? *)?(\\S+?)[:#/*=<>!;%`'\" \\t\\-\\]]*$\n?"}

// several parts a block that holds several files, each under its name: those of the action line, those of the folder that
// is the target, or, where rules part them, the target and more.
func (b *builder) several(a Action) bool {
	folder := strings.HasSuffix(a.Path, "/")
	first, _, _ := strings.Cut(strings.TrimLeft(a.Content, "\n"), "\n")
	switch n := len(b.paths); {
	case n == 0 && (a.Type != create || !folder && !(divides(first) && strings.Contains(first, a.Path))), n == 1, n > 1 && a.Path != "" && b.paths[0] != splitPaths(a.Path)[0]:
		return false
	}
	var files []Action
	end := 0
	for _, m := range title.For(a.Content).FindAllStringSubmatchIndex(a.Content, -1) {
		line, name := a.Content[m[0]:m[1]], a.Content[m[2]:m[3]]
		switch {
		case len(b.paths) > 0 && (len(files) == len(b.paths) || name != b.paths[len(files)]):
			continue
		case len(b.paths) > 0:
		case !looksLikePath(name) || name == strings.TrimSpace(line) || !folder && !divides(line):
			continue
		case folder && !strings.HasPrefix(name, a.Path) || !folder && len(files) == 0 && name != a.Path || slices.ContainsFunc(files, func(f Action) bool { return f.Path == name }):
			return false
		}
		if len(files) > 0 {
			files[len(files)-1].Content = strings.Trim(a.Content[end:m[0]], "\n")
		} else if strings.TrimSpace(a.Content[:m[0]]) != "" {
			return false
		}
		end = m[1]
		each := a
		each.Path, each.Content, each.Rows = name, strings.Trim(a.Content[end:], "\n"), append(slices.Clone(a.Rows), "several_files")
		files = append(files, each)
	}
	if len(files) < max(2, len(b.paths)) {
		return false
	}
	b.doc.Actions = append(b.doc.Actions, files...)
	return true
}

// divides reports whether a title parts files: a rule around the name, or the word file before it.
func divides(line string) bool {
	t := strings.ToLower(strings.TrimSpace(line))
	return strings.HasPrefix(t, "===") && strings.HasSuffix(t, "===") || strings.HasPrefix(t, "--- ") && strings.HasSuffix(t, " ---") ||
		strings.HasPrefix(t, "*** ") && strings.HasSuffix(t, " ***") || strings.Contains(t[:min(len(t), 16)], "file: ")
}

// lineOf is the line of an action among those that are read here.
func (b *builder) lineOf(a *Action) int { return a.Src.Line - 1 - b.src.line }

// placed names the file of a block whose action line names several, or none.
func (b *builder) placed(a *Action) {
	if len(b.paths) > 0 {
		a.Path = b.paths[0]
		a.Rows = append(a.Rows, "multi_path")
	}
	if writes(a.Type) && !strings.Contains(a.Content, "\n") && strings.HasSuffix(strings.TrimSpace(a.Content), `\n`) {
		a.Rows = append(a.Rows, "escaped_content")
	}
	if a.Type == "" {
		a.Type = create
		if isPatch(a.Content) {
			a.Type = edit
		}
	}
	if a.Type == run && b.fencer && lists.Has(a.Rows, "missing_dollar") && shells[infoWord(b.info(b.closed))] && !isCommand(a.Path) {
		a.Path = "" // Run the script: the fence holds the command
	}
	blockless := a.Type == remove || a.Type == run && !shellWords[strings.ToLower(a.Path)]
	if last := len(b.doc.Actions) - 1; blockless && !b.fencer && last >= 0 && b.doc.Actions[last].HasBlock {
		b.ambiguous()
		a.Rows = append(a.Rows, "ambiguous_end")
	}
	if a.Type == test && strings.Contains(a.Path, " > ") {
		h := head{verb: create}
		path, dep := h.dependency(a.Path)
		if looksLikePath(path) && looksLikePath(dep) && !strings.Contains(path, " ") {
			a.Path, a.DependsOn = path, &dep
		}
	}
}

// opener names what is unusual about a block's first delimiter.
func (b *builder) opener(i int) {
	switch l := b.lines[i]; {
	case l.kind == fence && l.tick == '~':
		b.repair("tilde_fence", i)
	case l.kind == fence:
		b.repair("fence_block", i)
	case l.kind == delim && b.unusual(l) != "delimiter_space":
		b.repair(b.unusual(l), i)
	}
}

// unwrapped takes a Markdown fence off that stands just inside the delimiters, or delimiters just inside a fence.
func (b *builder) unwrapped(first, last int) (int, int) {
	from, to := first, last
	for from < to && b.lines[from].kind == blank {
		from++
	}
	for to > from && b.lines[to-1].kind == blank {
		to--
	}
	if to-from < 1 {
		return first, last
	}
	head, tail := &b.lines[from], &b.lines[to-1]
	if first := head.trimmed(b.src.text); b.closed < 0 && to-from > 1 && otherDelimiters[first] && first == tail.trimmed(b.src.text) {
		b.repair("delimiter_other", from)
		b.cur.Truncated = false // it does end
		b.cur.Rows = lists.Drop(b.cur.Rows, func(row string) bool { return row == "cut_block" })
		return from + 1, to - 1
	}
	if b.unclosed && tail.kind == fence && !tail.is(worded) && to-from > 1 && b.fencesIn(from, to) == 1 {
		b.repair("fence_closes_block", to-1)
		return first, to - 1
	}
	switch {
	case b.fencer && to-from > 1 && head.kind == delim && tail.kind == delim && head.n == tail.n:
		b.repair("delimiter_in_fence", from)
		return from + 1, to - 1
	case b.fencer || head.kind != fence:
		return first, last
	}
	markdown := b.cur != nil && (strings.HasSuffix(b.cur.Path, ".md") || strings.HasSuffix(b.cur.Path, ".mdx") || strings.HasSuffix(b.cur.Path, ".markdown"))
	if markdown && !strings.HasPrefix(strings.TrimLeft(head.trimmed(b.src.text), "`~"), "m") {
		return first, last
	}
	switch b.fenceEnd(from, to) {
	case to - 1:
		b.repair("fence_in_block", from)
		return from + 1, to - 1
	case -1:
		if head.is(worded) && !markdown {
			b.repair("fence_in_block", from)
			return from + 1, last
		}
	}
	return first, last
}

// otherDelimiters are lines that models put around a content in place of hyphens.
var otherDelimiters = set("===", "====", "=====", `"""`, "'''", "+++", "***", "%%%", "###")

func (b *builder) fencesIn(from, to int) int {
	n := 0
	for i := from; i < to; i++ {
		if b.lines[i].kind == fence {
			n++
		}
	}
	return n
}

// fenceEnd finds the line that closes the fence at from, stepping over fences in it; -1 for none.
func (b *builder) fenceEnd(from, to int) int {
	open := b.lines[from]
	depth := 0
	for i := from + 1; i < to; i++ {
		l := b.lines[i]
		if l.kind != fence || l.tick != open.tick || l.n < open.n {
			continue
		}
		switch {
		case l.is(worded):
			depth++
		case depth > 0:
			depth--
		default:
			return i
		}
	}
	return -1
}

// margin is the white space that stands before every line of a block because the block itself is indented.
func (b *builder) margin(open, first, last int) string {
	if open < 0 {
		return b.common(first, last)
	}
	l := b.lines[open]
	prefix := b.src.text[l.start : l.start+int32(l.indent)]
	if prefix == "" || !strings.HasPrefix(b.common(first, last), prefix) {
		return ""
	}
	b.repair("content_indent", open)
	return prefix
}

// common is the indentation that all lines of an unopened block share.
func (b *builder) common(first, last int) string {
	prefix, found := "", false
	for i := first; i < last; i++ {
		l := b.lines[i]
		if l.kind == blank {
			continue
		}
		white := b.src.text[l.start : l.start+int32(l.indent)]
		if !found {
			prefix, found = white, true
		}
		for !strings.HasPrefix(white, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	return prefix
}
