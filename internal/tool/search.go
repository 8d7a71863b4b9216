package tool

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/phrase"
	"nebula/internal/workspace"
)

type searchInDirectory struct {
	dir *workspace.Dir
	o   Options
}

// Spec implements nebula.Tool.
func (t *searchInDirectory) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{
		Name: "searchInDirectory", Aliases: []string{"search_in_directory"},
		Description: "Find files by name or text.",
		Params: []nebula.Param{
			param("directory", "string", true, ""),
			param("keyword", "string", true, ""),
			param("regex", "boolean", false, ""),
			param("glob", "string", false, ""),
			param("context", "integer", false, "lines"),
			{Name: "ignoreCase", Type: "boolean", Quiet: true},
		},
		Effect: nebula.Read,
	}
}

// Propose implements nebula.Tool.
func (t *searchInDirectory) Propose(ctx context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct {
		Directory, Keyword string
		Regex              bool
		Glob               string
		Context            int
		IgnoreCase         bool
	}
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	if in.Keyword == "" {
		return nebula.Proposal{}, mistake("There is nothing to search for: the keyword is empty.", "Give a word or a phrase.")
	}
	at, err := t.dir.Clean(in.Directory)
	if err != nil {
		return nebula.Proposal{}, err
	}
	if _, err := t.dir.Stat(at); err != nil {
		return nebula.Proposal{}, hinted(err, seeList)
	}
	named := at
	if at, err = t.dir.Real(named, true); err != nil {
		return nebula.Proposal{}, err
	}
	if t.secret(named) || t.secret(at) {
		return nebula.Proposal{}, mistakef("readFile asks the person for it.", "%q holds secrets: it is not searched.", at)
	}
	q := workspace.Query{Under: at, Keyword: in.Keyword, Regex: in.Regex, Glob: in.Glob, IgnoreCase: in.IgnoreCase}
	return nebula.Proposal{
		Effect:  nebula.Read,
		Targets: []nebula.Target{{Path: at, Kind: "read"}},
		Summary: said(v.Lang, "search %[2]s for %[1]q", in.Keyword, shown(at)),
		Do: func(ctx context.Context, _ nebula.Run) (nebula.Result, error) {
			r, err := (&searchInDirectory{t.dir, t.o.without(v)}).do(ctx, q, min(max(in.Context, 0), mostAround), v.Lang)
			if in.Context > mostAround && err == nil {
				r.Text += fmt.Sprintf("\n[%d lines on each side are the most; readFile shows more]", mostAround)
			}
			return r, err
		},
	}, nil
}

// collected is how many matches are looked at to say in which files the rest is.
const collected = 5_000

func (t *searchInDirectory) do(ctx context.Context, q workspace.Query, around int, lang string) (nebula.Result, error) {
	q.Limit = collected
	found, more, err := t.find(ctx, q)
	if err != nil {
		return nebula.Result{}, err
	}
	note := ""
	if len(found) == 0 && !q.IgnoreCase {
		q.IgnoreCase = true
		if found, more, err = t.find(ctx, q); err != nil {
			return nebula.Result{}, err
		}
		note = phrase.In(lang, "[no match with this case; without regard to it:]") + "\n"
	}
	if len(found) == 0 {
		return nebula.Result{Text: t.none(q, lang), Summary: said(lang, "%q: no matches", q.Keyword)}, nil
	}
	files := 1
	for i := range found[1:] {
		if found[i].Path != found[i+1].Path {
			files++
		}
	}
	count := amount(lang, len(found), "match|matches")
	if more {
		count = said(lang, "%s+ matches", number(len(found)))
	}
	return nebula.Result{
		Text:    note + t.text(found, around, more),
		Summary: said(lang, "%q: %s in %s", q.Keyword, count, amount(lang, files, "file|files")),
	}, nil
}

// find leaves out what is in files that hold secrets. Which of them match is not told either.
func (t *searchInDirectory) find(ctx context.Context, q workspace.Query) ([]workspace.Match, bool, error) {
	found, more, err := t.dir.Search(ctx, q)
	path, secret := "", false
	return lists.Drop(found, func(m workspace.Match) bool {
		if m.Path != path {
			path, secret = m.Path, t.secret(m.Path)
		}
		return secret
	}), more, err
}

//go:noinline
func (t *searchInDirectory) secret(path string) bool { return t.o.Secret != nil && t.o.Secret(path) }

func (t *searchInDirectory) none(q workspace.Query, lang string) string {
	out := worded(lang, "No line in %s contains %q.", shown(q.Under), q.Keyword)
	if q.Glob != "" {
		out = worded(lang, "No line in %s contains %q in files that match %s.", shown(q.Under), q.Keyword, q.Glob)
	}
	if t.o.Secret != nil {
		out += " " + phrase.In(lang, "Files that hold secrets are not searched.")
	}
	if !q.Regex && strings.ContainsAny(q.Keyword, `|*\[(^$`) {
		out += " " + phrase.In(lang, "It was searched for as it stands; for a regular expression set regex to true.")
	}
	return out
}

// text shows the first matches as path:line:text, fewer of them with lines around, and of the rest the files with the number of matches.
func (t *searchInDirectory) text(found []workspace.Match, around int, more bool) string {
	var b strings.Builder
	room := max(t.o.Matches/(2*around+1), 1)
	if len(found) > room { // what the code does itself comes before what tries it
		lists.Sort(found, func(a, b workspace.Match) int { return cmp.Compare(lateral(a.Path), lateral(b.Path)) })
	}
	here := found[:min(len(found), room)]
	if around > 0 {
		b.WriteString(t.passages(here, around))
	} else {
		for _, m := range here {
			fmt.Fprintf(&b, "%s:%d:%s\n", m.Path, m.Line, clip(strings.TrimRight(m.Text, " \t\r"), lineShown))
		}
	}
	rest := found[len(here):]
	if len(rest) == 0 && !more {
		return strings.TrimSuffix(b.String(), "\n")
	}
	fmt.Fprintf(&b, "[the first %s; more in:", plural(len(here), "match", "matches"))
	files := 0
	for i := 0; i < len(rest); {
		j := i
		for j < len(rest) && rest[j].Path == rest[i].Path {
			j++
		}
		if files++; files > 60 {
			b.WriteString(" and other files")
			break
		}
		fmt.Fprintf(&b, " %s (%d)", rest[i].Path, j-i)
		i = j
	}
	if more {
		b.WriteString(" …")
	}
	b.WriteString("; narrow with directory, glob or a longer keyword]")
	return b.String()
}

// clip cuts a line that is too long to read.
func clip(s string, limit int) string {
	s = strings.ToValidUTF8(s, "�")
	if len(s) <= limit {
		return s
	}
	cut := limit
	for cut > 0 && s[cut]&0xc0 == 0x80 {
		cut--
	}
	return s[:cut] + "…"
}
