package cli

import (
	"strings"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/model"
	"nebula/internal/web"
	"nebula/internal/workspace"
)

// online are the tools with which a model reads pages and searches the internet; none where the person did not switch them on.
func (s *session) online(work *workspace.Dir) []nebula.Tool {
	text := func(key string) string { v, _ := s.config.Value(key); return v.Text }
	o := web.Options{Fetch: text("web.fetch") == "true", Hosts: listed(text("web.hosts")), Near: listed(text("web.near"))}
	if name := text("web.search"); name != "" && name != "off" {
		if e, err := s.engine(s.config, name, text("web.search_url")); err != nil {
			s.warn("the internet is not searched: %w", err)
		} else {
			o.Search = &e
		}
	}
	if o.Fetch || o.Search != nil {
		own := secrets(s.config)
		o.Holds = func(text string) bool { return work.Redactor(own...).Text(text) != text }
	}
	return web.Tools(o)
}

// engine is who searches: one of those that do nothing else, or the provider of the session's model.
func (p *program) engine(c config.Config, name, address string) (web.Engine, error) {
	if name != "provider" {
		key, _ := c.Credential(name, web.Engines()[name]...)
		return web.Engine{Name: name, Key: key.Reveal(), URL: address}.Whole()
	}
	at, _, err := resolve(c, p.env, p.tongue().words, c.Model)
	if err != nil {
		return web.Engine{}, err
	}
	form, where, header := model.Searches(at)
	if form == "" {
		return web.Engine{}, nebula.Errorf("the model's server has no search of its own that is known here; choose another with web.search")
	}
	return web.Engine{Name: form, URL: where, Model: at.Model, Header: header}.Whole()
}

// listed are the parts of a setting that is a list.
func listed(text string) (list []string) {
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// searchKeys are the keys of those who search the internet.
func searchKeys(c config.Config) (list []string) {
	for name, names := range web.Engines() {
		if key, _ := c.Credential(name, names...); key.Reveal() != "" {
			list = append(list, key.Reveal())
		}
	}
	return list
}
