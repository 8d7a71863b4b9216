package tool

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/workspace"
)

type list struct {
	dir *workspace.Dir
	o   Options
}

// Spec implements nebula.Tool.
func (t *list) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{
		Name: "list", Aliases: []string{"list_files", "file_ops.list_files"},
		Description: "List files.",
		Params: []nebula.Param{
			param("path", "string", false, ""),
			param("recursive", "boolean", false, ""),
			param("pattern", "string", false, "glob"),
		},
		Effect: nebula.Read,
	}
}

// Propose implements nebula.Tool.
func (t *list) Propose(_ context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct {
		Path      string
		Recursive bool
		Pattern   string
	}
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	at, err := t.dir.Clean(cmp.Or(in.Path, "."))
	if err != nil {
		return nebula.Proposal{}, err
	}
	if _, err := t.dir.Stat(at); err != nil {
		return nebula.Proposal{}, hinted(err, seeList)
	}
	walk := workspace.Walk{Under: at, Recursive: in.Recursive, Pattern: in.Pattern, Hidden: true}
	return nebula.Proposal{
		Effect:  nebula.Read,
		Targets: []nebula.Target{{Path: at, Kind: "read"}},
		Summary: said(v.Lang, "list %s", shown(at)),
		Do: func(ctx context.Context, _ nebula.Run) (nebula.Result, error) {
			return t.do(ctx, walk, v.Lang)
		},
	}, nil
}

// shown is a path for the person.
//
//go:noinline
func shown(p string) string {
	if p == "." {
		return "./"
	}
	return p
}

// counted is how many entries are looked at to say what is left out.
const counted = 100_000

func (t *list) do(ctx context.Context, w workspace.Walk, lang string) (nebula.Result, error) {
	var b strings.Builder
	n, rest := 0, map[string]int{}
	for e, err := range t.dir.List(ctx, w) {
		if err != nil {
			if ctx.Err() != nil || n == 0 {
				return nebula.Result{}, err
			}
			fmt.Fprintf(&b, "(%v)\n", err)
			continue
		}
		if n++; n > counted {
			break
		}
		if n > t.o.Entries {
			rest[below(w.Under, e.Path)]++
			continue
		}
		b.WriteString(e.Path)
		switch {
		case e.Dir:
			b.WriteByte('/')
		case e.Link != "":
			b.WriteString(" -> " + e.Link)
		}
		b.WriteByte('\n')
	}
	switch {
	case n == 0 && w.Pattern != "":
		fmt.Fprintf(&b, "(nothing in %s matches %s)\n", shown(w.Under), w.Pattern)
	case n == 0:
		fmt.Fprintf(&b, "(%s is empty, or all of it is ignored)\n", shown(w.Under))
	case n > t.o.Entries:
		b.WriteString(t.more(n, rest))
	}
	return nebula.Result{
		Text:    strings.TrimSuffix(b.String(), "\n"),
		Summary: said(lang, "%s: %s", shown(w.Under), entries(lang, n)),
	}, nil
}

func entries(lang string, n int) string {
	return amount(lang, n, "entry|entries")
}

// below names the directory directly under dir that an entry is in; "" for one in dir itself.
func below(dir, entry string) string {
	if dir != "." {
		entry = strings.TrimPrefix(entry, dir+"/")
	}
	first, _, deeper := strings.Cut(entry, "/")
	if !deeper {
		return ""
	}
	return path.Join(dir, first)
}

// more says what was left out, and how to see it.
func (t *list) more(n int, rest map[string]int) string {
	total := number(n)
	if n > counted {
		total = "over " + number(counted)
	}
	out := fmt.Sprintf("[the first %s of %s; ", number(t.o.Entries), total)
	delete(rest, "")
	if len(rest) == 0 {
		return out + "see the others with a pattern, such as a*]\n"
	}
	dirs := slices.Sorted(maps.Keys(rest))
	var parts []string
	for _, d := range dirs[:min(len(dirs), 40)] {
		parts = append(parts, fmt.Sprintf("%s/ (%s)", d, number(rest[d])))
	}
	return out + "list these for the others: " + strings.Join(parts, ", ") + "]\n"
}
