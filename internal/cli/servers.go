package cli

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/confine"
	"nebula/internal/helper"
	"nebula/internal/lists"
	"nebula/internal/mcp"
	"nebula/internal/model"
	"nebula/internal/tool"
	"nebula/internal/trust"
	"nebula/internal/workspace"
)

// servers are those that can be used in the folder: the person's own, and what the folder brings and they agreed to. waiting
// are the names of those that they did not agree to, left is what cannot be used and why.
func (s *session) servers() (list []mcp.Server, waiting []string, left []nebula.Words) {
	list = lists.Clone(s.lent)
	if section := s.config.Section("mcp"); section != nil {
		own, without, err := mcp.Parse(section, s.config.Home.File())
		if err != nil {
			without = append(without, nebula.Say("%w", err))
		}
		left = without
		for _, o := range own {
			if o.Home = true; !o.Off {
				list = append(list, o)
			}
		}
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return list, nil, left
	}
	defer root.Close()
	brought, without := projectServers(root)
	for _, b := range brought {
		switch {
		case slices.ContainsFunc(list, func(o mcp.Server) bool { return o.Name == b.Name }):
		case ledger(s.config).Agrees(s.dir, serverThing(root, b)):
			list = append(list, b)
		default:
			waiting = append(waiting, b.Name)
		}
	}
	return list, waiting, append(left, without...)
}

// hub is where the folder's servers are used; nil where there are none. Nothing is started.
func (s *session) hub(work *workspace.Dir) *mcp.Hub {
	if s.bare() {
		return nil
	}
	list, waiting, left := s.servers()
	for _, w := range left {
		s.warn("%s", w)
	}
	if len(list)+len(waiting) == 0 {
		return nil
	}
	return s.hubOf(list, waiting, work)
}

func (s *session) hubOf(list []mcp.Server, waiting []string, work *workspace.Dir) *mcp.Hub {
	return mcp.New(mcp.Options{
		Servers: list, Waiting: waiting, Launch: s.launch(work), Env: s.variable, Lang: s.config.Lang, Count: model.Estimate, Found: s.config.Budget.Search,
		Cache: filepath.Join(s.config.Home.State, "mcp"), Logins: s.logins(), Warn: func(w nebula.Words) { s.warn("%s", w) },
	})
}

// variable is one as servers' settings refer to it: the folder has names there that no environment has.
//
//go:noinline
func (s *session) variable(name string) string {
	if folders[name] != "" {
		return s.dir
	}
	return s.env(name)
}

// folders are the names by which servers' settings call the folder, and what it is seen from there.
var folders = map[string]string{"workspaceFolder": ".", "CLAUDE_PROJECT_DIR": "."}

// errNotAgreed is of a server that is another by now than the person agreed to.
var errNotAgreed = nebula.Errorf("what starts it has changed, and nobody agreed to that; nebula trust shows it")

// launch says how a server's program is started: with the variables that commands get and its own, and in a box of its own.
//
//go:noinline
func (s *session) launch(work *workspace.Dir) func(mcp.Server) (helper.Launch, error) {
	return func(server mcp.Server) (helper.Launch, error) {
		if !server.Home && !s.stillAgreed(server) {
			return helper.Launch{}, errNotAgreed
		}
		keys := secrets(s.config)
		env := workspace.Environment(os.Environ(), s.config.Environment, keys)
		for name, value := range server.Env {
			if slices.ContainsFunc(keys, func(key string) bool { return strings.Contains(value, key) }) {
				return helper.Launch{}, nebula.Errorf("its variable %s holds the key of a provider of models, which no server gets", name)
			}
			env = append(env, name+"="+value)
		}
		dir, err := s.placeOf(server)
		if err != nil {
			return helper.Launch{}, err
		}
		l := helper.Launch{Command: append([]string{server.Command}, server.Args...), Env: env, Dir: dir}
		if strings.ContainsRune(server.Command, filepath.Separator) && !filepath.IsAbs(server.Command) {
			l.Command[0] = filepath.Join(dir, server.Command)
		}
		if server.Outside || !s.config.Sandbox || !confine.Supported {
			return l, nil
		}
		if _, err := s.layers(); err != nil {
			return l, nebula.Errorf("there can be no box for it here (nebula doctor says why); nebula mcp add --outside lets it run without one")
		}
		return s.box(l, server, work)
	}
}

// placeOf is the folder that a server is started in: one that a folder brings, in that folder alone.
func (s *session) placeOf(server mcp.Server) (string, error) {
	if server.Cwd == "" {
		return s.dir, nil
	}
	dir, err := filepath.EvalSymlinks(s.places([]string{server.Cwd})[0])
	if err != nil {
		return "", nebula.Errorf("it is to be started in %s: %w", server.Cwd, err)
	}
	if rel, err := filepath.Rel(s.dir, dir); !server.Home && (err != nil || !filepath.IsLocal(rel)) {
		return "", nebula.Errorf("it is to be started in %s, which is outside the folder", server.Cwd)
	}
	return dir, nil
}

// stillAgreed looks at what starts a server once more, right before it is started.
func (s *session) stillAgreed(server mcp.Server) bool {
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return false
	}
	defer root.Close()
	brought, _ := projectServers(root)
	return slices.ContainsFunc(brought, func(b mcp.Server) bool {
		return b.Name == server.Name && ledger(s.config).Agrees(s.dir, serverThing(root, b))
	})
}

// box has a server run in a box: it reads what commands read, and changes nothing but what it was given.
func (s *session) box(l helper.Launch, server mcp.Server, work *workspace.Dir) (helper.Launch, error) {
	needs := workspace.Needs{Hosts: reachable(server.Hosts), Write: s.places(server.Writes), Read: append(s.places(server.Reads), s.dir)}
	if server.Folder {
		b, ok := work.Box(needs)
		if !ok {
			return l, nebula.Errorf("there can be no box for this folder")
		}
		l.Box = &b
		return l, nil
	}
	own, err := os.MkdirTemp("", "nebula-server-")
	if err != nil {
		return l, err
	}
	l.Done = func() { _ = os.RemoveAll(own) }
	p := s.boxPlace(own)
	p.Kept = filepath.Join(s.config.Home.State, "layers", "mcp-"+server.Name)
	p.Hosts, p.Write, p.Read, p.Hidden = needs.Hosts, needs.Write, needs.Read, s.concealed()
	p.Limits.CPU, p.Limits.Output = 0, 0 // it may run for days
	b, ok := confine.For(p)
	if !ok {
		return l, errors.Join(nebula.Errorf("there can be no box for it"), os.RemoveAll(own))
	}
	l.Box = &b
	return l, nil
}

// registries are where programs fetch what they then run, once.
var registries = map[string][]string{
	"npx": {"registry.npmjs.org:443"}, "npm": {"registry.npmjs.org:443"}, "pnpm": {"registry.npmjs.org:443"}, "bunx": {"registry.npmjs.org:443"},
	"uvx": {"pypi.org:443", "files.pythonhosted.org:443"}, "uv": {"pypi.org:443", "files.pythonhosted.org:443"}, "pipx": {"pypi.org:443", "files.pythonhosted.org:443"},
}

// ports are those of addresses that name none.
var ports = map[string]string{"https": "443", "http": "80", "postgres": "5432", "postgresql": "5432", "mysql": "3306", "redis": "6379", "mongodb": "27017"}

// wants are the hosts with their ports that a server seems to need by how it is started: the registry that it comes from, and what addresses in its
// words and variables name.
func wants(s mcp.Server) (hosts []string) {
	hosts = lists.Clone(registries[filepath.Base(s.Command)])
	words := lists.Clone(s.Args)
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		words = append(words, s.Env[name])
	}
	for _, word := range words {
		if name, address, ok := strings.Cut(word, "="); ok && !strings.Contains(name, "://") {
			word = address
		}
		at, err := url.Parse(word)
		if err != nil || at.Hostname() == "" || ports[at.Scheme] == "" {
			continue
		}
		if host := net.JoinHostPort(at.Hostname(), cmp.Or(at.Port(), ports[at.Scheme])); !lists.Has(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// places are folders as they were given to a server: below the person's home, or below the folder.
func (s *session) places(names []string) (paths []string) {
	for _, name := range names {
		if rest, ok := strings.CutPrefix(name, "~/"); ok {
			name = filepath.Join(s.env("HOME"), rest)
		} else if !filepath.IsAbs(name) {
			name = filepath.Join(s.dir, name)
		}
		paths = append(paths, filepath.Clean(name))
	}
	return paths
}

// concealed are files of the folder that hold secrets: no server sees them.
func (s *session) concealed() (paths []string) {
	entries, _ := os.ReadDir(s.dir)
	secret := protection(s.config.Protection).Secret
	for _, e := range entries {
		if secret(e.Name()) {
			paths = append(paths, filepath.Join(s.dir, e.Name()))
		}
	}
	return paths
}

// trusts takes in what the person just agreed to.
func (s *session) trusts(things []trust.Thing) error {
	if err := agree(s.config, func(l trust.Ledger) error { return l.Agree(s.dir, things) }); err != nil {
		return err
	}
	if s.project != nil && s.project.servers != nil {
		list, waiting, _ := s.servers()
		s.project.servers.Use(list, waiting)
	}
	return nil
}

// Send implements nebula.Conversation. What a message names of servers is read with it.
func (d *openSession) Send(ctx context.Context, c nebula.Command) error {
	said, ok := c.(nebula.Submit)
	if ok {
		d.others.hears(said.Text)
	}
	if ok && d.servers != nil {
		text, err := d.servers.Spoken(ctx, said.Text)
		if err != nil {
			return err
		}
		said.Text = text
		c = said
	}
	return d.Session.Send(ctx, c)
}

// lending is what the status says of servers: a line where there are any.
func (h *host) lending(d *openSession) string {
	if d.servers == nil {
		return ""
	}
	return h.say("servers: %s", strings.Join(d.servers.Standing(h.say("running"), h.say("waits for you: nebula trust")), ", ")) + "\n"
}

// besides is what the status says of commands in the background: a line for each.
func (h *host) besides(d *openSession) (text string) {
	for line := range strings.Lines(tool.Listed(d.jobs, h.config.Lang)) {
		text += h.say("background: %s", strings.TrimSuffix(line, "\n")) + "\n"
	}
	return text
}
