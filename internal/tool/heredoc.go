package tool

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

// heredocs looks at what a command writes over files of the folder out of its own text: lines that stand for others are sent back
// once, as they are in an edit.
func (t *executeShell) heredocs(line string, v nebula.View) (risks []string, err error) {
	if !strings.Contains(line, "<<") {
		return nil, nil
	}
	script, wrong := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if wrong != nil {
		return nil, nil // the shell says what is wrong with it
	}
	syntax.Walk(script, func(n syntax.Node) bool {
		stmt, ok := n.(*syntax.Stmt)
		if !ok || err != nil {
			return err == nil
		}
		text := ""
		for _, r := range stmt.Redirs {
			if r.Hdoc != nil {
				text = line[r.Hdoc.Pos().Offset():r.Hdoc.End().Offset()]
			}
		}
		for _, path := range overwritten(stmt) {
			var more []string
			if more, err = t.elided(path, text, line, v); err != nil {
				return false
			}
			risks = append(risks, more...)
		}
		return true
	})
	return lists.Compact(risks), err
}

// overwritten are the files that a statement writes anew, as far as they stand in it.
func overwritten(stmt *syntax.Stmt) (paths []string) {
	for _, r := range stmt.Redirs {
		if r.Op == syntax.RdrOut || r.Op == syntax.RdrClob || r.Op == syntax.RdrAll {
			paths = append(paths, r.Word.Lit(), quotedWord(r.Word))
		}
	}
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 || call.Args[0].Lit() != "tee" || slices.ContainsFunc(call.Args, func(w *syntax.Word) bool { return w.Lit() == "-a" || w.Lit() == "--append" }) {
		return paths
	}
	for _, w := range call.Args[1:] {
		paths = append(paths, w.Lit(), quotedWord(w))
	}
	return paths
}

// quotedWord is a word that is one text in quotes.
func quotedWord(w *syntax.Word) string {
	if len(w.Parts) != 1 {
		return ""
	}
	switch q := w.Parts[0].(type) {
	case *syntax.SglQuoted:
		return q.Value
	case *syntax.DblQuoted:
		return (&syntax.Word{Parts: q.Parts}).Lit()
	}
	return ""
}

// elided reports what a text that becomes a file of the folder leaves out of it.
func (t *executeShell) elided(path, text, line string, v nebula.View) ([]string, error) {
	if path == "" || strings.TrimSpace(text) == "" {
		return nil, nil
	}
	e, data, _, err := existing(t.dir, path)
	if err != nil {
		return nil, nil // there is nothing that could be lost
	}
	c := newContent(e.Path, text, string(data), v)
	c.sent = line
	_, left := c.merged(c.file.text, c.text)
	switch {
	case left == "":
		return nil, nil
	case c.insisted():
		return []string{nebula.Marked}, nil
	}
	return nil, c.refuse("Write out all of it.", "The content of %q leaves a part out: %q.", e.Path, phrase.OneLine(left, 80))
}
