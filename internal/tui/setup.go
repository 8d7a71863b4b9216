package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/terminal"
)

// noSession is what follows where no session could be opened: for want of a key, a way to one.
func (a *app) noSession(err error) {
	var api *nebula.APIError
	if errors.As(err, &api) && api.Kind == "auth" && a.keyed {
		a.keyed, a.needs = false, true
		a.pickModel() // the key is there, for other models than the chosen one
		return
	}
	if errors.As(err, &api) && api.Kind == "auth" {
		a.needs = true
		a.setup(terminal.Visible(err.Error()))
		return
	}
	a.failed(err)
	for _, text := range a.pending {
		a.editor.Insert(text)
	}
	a.pending = nil
}

// setup leads to a model that answers: a key, a local server, or the demo.
func (a *app) setup(why string) {
	p := &picker{title: a.words.SetupTitle}
	providers := a.folder.Providers
	for _, x := range providers {
		p.rows = append(p.rows, choice{fmt.Sprintf(a.words.KeyFor, x.Title), x.Where})
	}
	p.rows = append(p.rows, choice{a.words.LocalServer, a.words.LocalServerAbout})
	if len(a.options.Demo) > 0 {
		p.rows = append(p.rows, choice{a.words.ShowDemo, a.words.ShowDemoAbout})
	}
	fixed := len(p.rows)
	p.chosen = func(a *app, i int, name string) {
		switch i -= len(p.rows) - fixed; {
		case i < 0:
			a.setModel(name)
		case i < len(providers):
			a.askKey(providers[i])
		case i == len(providers):
			a.pickModel()
		default:
			a.demo()
		}
	}
	a.offer(p)
	a.findModels(p)
	if why != "" {
		a.hint = why
	}
}

// findModels puts the models that answer without a key above the other ways.
func (a *app) findModels(p *picker) {
	if a.options.Host == nil || !a.needs {
		return
	}
	a.apart(func(ctx context.Context) func() {
		found, _ := a.options.Host.Models(ctx) // that none answers is no fault here
		return func() {
			if a.picker != p || len(found) == 0 {
				return
			}
			var rows []choice
			for _, m := range found {
				rows = append(rows, choice{m.Name, strings.TrimPrefix(a.words.About(m, false)+" · "+a.words.Answers, " · ")})
			}
			if p.rows = append(rows, p.rows...); p.at > 0 {
				p.at += len(found)
			}
			p.search()
		}
	})
}

// askKey takes a provider's key, unseen, and tries again.
func (a *app) askKey(of nebula.KeySource) {
	a.offer(&picker{title: fmt.Sprintf(a.words.PasteKey, of.Title) + "  " + of.Where, free: true, secret: true, chosen: func(a *app, _ int, key string) {
		a.apart(func(ctx context.Context) func() {
			err := a.options.Host.Keep(ctx, "providers."+of.Name+".key", key)
			return func() {
				if err != nil {
					a.failed(err)
					a.askKey(of)
					return
				}
				a.hint, a.keyed = a.words.KeyKept, true
				if a.link == nil {
					a.open("")
				}
			}
		})
	}})
}

// demo lends the terminal to the demo.
func (a *app) demo() {
	if len(a.options.Demo) == 0 {
		return
	}
	if err := a.terminal.Lend(func() error { return shown(a.ctx, a.options) }); err != nil {
		a.failed(err)
	}
	a.screen.clear()
}
