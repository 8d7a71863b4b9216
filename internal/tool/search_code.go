package tool

import (
	"context"
	"strings"

	"nebula"
	"nebula/internal/index"
	"nebula/internal/lists"
	"nebula/internal/phrase"
)

type searchCode struct{ o Options }

// Spec implements nebula.Tool.
func (t *searchCode) Spec() nebula.ToolSpec {
	return nebula.ToolSpec{
		Name: "searchCode", Aliases: []string{"search_code"},
		Description: "Find code by meaning.",
		Params: []nebula.Param{
			param("query", "string", true, ""),
			param("limit", "integer", false, ""),
		},
		Effect: nebula.Read,
	}
}

// Bounds of an answer.
const (
	placesUsual = 8
	placesMost  = 30
)

// Propose implements nebula.Tool.
func (t *searchCode) Propose(_ context.Context, a nebula.Action, v nebula.View) (nebula.Proposal, error) {
	var in struct {
		Query string
		Limit int
	}
	if err := arguments(a, t.Spec(), &in); err != nil {
		return nebula.Proposal{}, err
	}
	if strings.TrimSpace(in.Query) == "" {
		return nebula.Proposal{}, mistake("There is nothing to search for: the query is empty.", "Say in words or names what the code does.")
	}
	if in.Limit < 0 {
		return nebula.Proposal{}, mistake("limit cannot be negative.", "Leave it out for the usual number of places.")
	}
	if in.Limit == 0 {
		in.Limit = placesUsual
	}
	return nebula.Proposal{
		Effect:  nebula.Read,
		Targets: []nebula.Target{{Path: ".", Kind: "read"}},
		Summary: said(v.Lang, "find code: %s", in.Query),
		Do: func(ctx context.Context, _ nebula.Run) (nebula.Result, error) {
			return t.do(ctx, in.Query, min(in.Limit, placesMost), v)
		},
	}, nil
}

func (t *searchCode) do(ctx context.Context, query string, limit int, v nebula.View) (nebula.Result, error) {
	a, err := t.o.Code.Search(ctx, query, limit)
	if err != nil {
		return nebula.Result{}, err
	}
	if o := t.o.without(v); o.Secret != nil { // a name that it has beside the one that says so
		a.Places = lists.Drop(a.Places, func(p index.Place) bool { return o.Secret(p.Path) })
	}
	if len(a.Places) == 0 {
		return nebula.Result{
			Text:    "Nothing found. Try other words, or searchInDirectory for an exact text. " + a.Age.String(),
			Summary: said(v.Lang, "%s: nothing found", phrase.OneLine(query, 60)),
		}, nil
	}
	text, refs := t.o.Code.Show(query, a, t.o.Found, t.o.Count)
	return nebula.Result{Text: text, Seen: together(v, refs), Summary: said(v.Lang, "%s: %s, first %s",
		phrase.OneLine(query, 60), amount(v.Lang, len(a.Places), "place|places"), a.Places[0].Path)}, nil
}

// together joins the lines that are shown with those that were before.
func together(v nebula.View, refs []nebula.FileRef) []nebula.FileRef {
	for i, r := range refs {
		if v.Ref == nil {
			break
		}
		old, ok := v.Ref(r.Path)
		if !ok || old.Hash != r.Hash {
			continue
		}
		if len(old.Lines) == 0 {
			refs[i].Lines = nil
			continue
		}
		refs[i].Lines = joined(append(r.Lines, old.Lines...))
	}
	return refs
}
