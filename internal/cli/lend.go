package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/index"
	"nebula/internal/mcp"
	"nebula/internal/model"
	"nebula/internal/phrase"
	"nebula/internal/state"
	"nebula/internal/tool"
	"nebula/internal/workspace"
)

// mapLent is how many tokens of the map others get who name none.
const mapLent = 1000

// lends are the tools that others may use. All but run only read, and no known key is in what they say, nor what the folder's settings do not
// let be read.
func (s *session) lends(work *workspace.Dir, code *index.Index) []mcp.Lent {
	clean, known := s.redactor(s.config), workspace.NewSecrets(work)
	own := &denied{dir: s.dir}
	told := func(text string) string {
		text = known.Text(clean.Text(text))
		if denies := s.denies(own); denies != nil {
			if held := (&state.State{Denies: denies()}); held.HoldsReading() {
				return known.Unread(nebula.Result{Text: text}, held.Withheld, func(string) bool { return false }).Text
			}
		}
		return text
	}
	made := func(name, about, params string, do func(context.Context, json.RawMessage) (string, error)) mcp.Lent {
		return mcp.Lent{Name: name, Description: about, Schema: json.RawMessage(`{"type":"object","properties":{` + params + `},"additionalProperties":false}`),
			Do: func(ctx context.Context, args json.RawMessage, _ mcp.Ask) (string, error) {
				text, err := do(ctx, args)
				return told(text), err
			}}
	}
	return []mcp.Lent{
		made("search_code", "Find code in the folder by meaning: the definitions that a question in words or names is about.",
			`"query":{"type":"string"},"limit":{"type":"integer"}`, s.searchLent(work, code)),
		made("map", "The files that everything in the folder refers to, with what they define, those first that a request is about.",
			`"request":{"type":"string"},"tokens":{"type":"integer","minimum":1,"maximum":20000}`, mapOf(code)),
		made("plans", "The plans of this folder and how they stand.", ``, func(ctx context.Context, _ json.RawMessage) (string, error) {
			return s.plansLent(ctx)
		}),
		made("sessions", "The latest sessions of this folder, by their first words.", ``, func(ctx context.Context, _ json.RawMessage) (string, error) {
			return s.sessionsLent(ctx)
		}),
		s.runLent(),
	}
}

// searchLent is the tool that a model has.
func (s *session) searchLent(work *workspace.Dir, code *index.Index) func(context.Context, json.RawMessage) (string, error) {
	tools := tool.All(work, tool.Options{Code: code, Found: s.config.Budget.Search, Count: model.Estimate, Secret: protection(s.config.Protection).Secret})
	return func(ctx context.Context, args json.RawMessage) (string, error) {
		for _, t := range tools {
			if t.Spec().Name != "searchCode" {
				continue
			}
			p, err := t.Propose(ctx, nebula.Action{ID: "a1", Tool: t.Spec().Name, Args: args}, nebula.View{Lang: s.config.Lang})
			if err != nil {
				return "", err
			}
			r, err := p.Do(ctx, nebula.Run{})
			return r.Text, err
		}
		return "", nil
	}
}

func mapOf(code *index.Index) func(context.Context, json.RawMessage) (string, error) {
	return func(ctx context.Context, args json.RawMessage) (string, error) {
		in := struct {
			Request string
			Tokens  int
		}{Tokens: mapLent}
		if err := json.Unmarshal(args, &in); err != nil && len(args) > 0 {
			return "", err
		}
		files, _, err := code.Map(ctx, in.Request)
		if err != nil {
			return "", err
		}
		return index.Fit(files, in.Tokens, model.Estimate), nil
	}
}

// mostLent bounds lists.
const mostLent = 50

func (s *session) plansLent(ctx context.Context) (string, error) {
	if s.store == nil {
		return "", nil
	}
	list, err := s.store.Plans(ctx, s.dir)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, p := range list[:min(len(list), mostLent)] {
		fmt.Fprintf(&b, "%s  %s  %d/%d  %s\n", p.ID, p.Status, p.Done, p.Steps, phrase.OneLine(p.Name, 200))
	}
	return b.String(), nil
}

func (s *session) sessionsLent(ctx context.Context) (string, error) {
	if s.store == nil {
		return "", nil
	}
	list, err := s.store.Sessions(ctx, s.dir)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, i := range list[:min(len(list), mostLent)] {
		fmt.Fprintf(&b, "%s  %s\n", i.ID, phrase.OneLine(i.Title, 200))
	}
	return b.String(), nil
}
