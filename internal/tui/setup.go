package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"nebula"
	"nebula/internal/phrase"
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
		name, _, _ := strings.Cut(cmp.Or(a.wanted.Model, a.folder.Model), "/")
		if of, known := a.provider(name); known && of.Where == "" { // a model that the person named
			a.askKey(of)
			a.hint = terminal.Visible(err.Error())
			return
		}
		a.setup("")
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
	p := &picker{title: a.words.SetupTitle, free: true, names: true}
	var ways []func()
	way := func(label, detail string, do func()) {
		p.rows, ways = append(p.rows, choice{label, detail}), append(ways, do)
	}
	keys := func(told bool) { // those first of which is known where keys are
		for _, x := range a.folder.Providers {
			if (x.Where != "") == told {
				way(fmt.Sprintf(a.words.KeyFor, x.Title), x.Where, func() { a.askKey(x) })
			}
		}
	}
	keys(true)
	way(a.words.LocalServer, a.words.LocalServerAbout, a.pickModel)
	if len(a.options.Demo) > 0 {
		way(a.words.ShowDemo, a.words.ShowDemoAbout, a.demo)
	}
	keys(false)
	p.chosen = func(a *app, i int, name string) {
		switch i -= len(p.rows) - len(ways); {
		case i >= 0:
			ways[i]()
		case strings.ContainsAny(name, " \t\n"): // names are words; what was typed waits for a model
			a.setup(a.words.LocalServerAbout)
		default:
			a.setModel(name)
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

// provider is the one with a name.
func (a *app) provider(name string) (of nebula.KeySource, known bool) {
	for _, x := range a.folder.Providers {
		if x.Name == strings.ToLower(name) {
			return x, true
		}
	}
	return of, false
}

// keyOf asks for the key of the provider that is named, or which.
func (a *app) keyOf(args []string) {
	if of, known := a.provider(strings.Join(args, " ")); known {
		a.askKey(of)
		return
	}
	a.setup("")
}

// stray takes a key that was given where none is asked for, of the one provider whose keys begin so, or whose variable is set. Of any
// other text it says where keys are asked for.
func (a *app) stray(text string) (taken bool) {
	var of nebula.KeySource
	key, variable := phrase.Given(text)
	for _, x := range a.folder.Providers {
		begins := phrase.IsKey(key) && len(x.Begins) > len(of.Begins) && strings.HasPrefix(key, x.Begins)
		title, _, _ := strings.Cut(x.Title, " ")
		if begins || of.Begins == "" && key != "" && (strings.HasPrefix(variable, strings.ToUpper(x.Name)+"_") || strings.HasPrefix(variable, strings.ToUpper(title)+"_")) {
			of = x
		}
	}
	if a.hint = a.words.KeyElsewhere; a.picker != nil && len(a.folder.Providers) > 0 {
		a.hint = a.words.KeyWhose
	}
	if of.Name == "" || a.options.Host == nil {
		return false
	}
	a.picker, a.hint = nil, ""
	a.keep(of, text)
	return true
}

// askKey takes a provider's key, unseen, and tries again.
func (a *app) askKey(of nebula.KeySource) {
	a.offer(&picker{title: fmt.Sprintf(a.words.PasteKey, of.Title) + "  " + of.Where, free: true, secret: true, chosen: func(a *app, _ int, key string) { a.keep(of, key) }})
}

// keep keeps a key that works.
func (a *app) keep(of nebula.KeySource, key string) {
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
