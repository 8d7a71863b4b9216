package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/config"
	"nebula/internal/lists"
	"nebula/internal/mcp"
	"nebula/internal/terminal"
	"nebula/internal/workspace"
)

func (p *program) mcpCommand() *cobra.Command {
	m := &serving{session: &session{program: p}}
	root := group(&cobra.Command{
		Use:   "mcp",
		Short: "Set up servers whose tools the model may use, and be one",
		Long: "Servers that speak the Model Context Protocol lend the model their tools. A program runs in a box: it reads this folder, and\n" +
			"reaches and changes only what you name when you add it. Each call is shown and asked about. What a folder brings in .mcp.json,\n" +
			".cursor/mcp.json or .vscode/mcp.json counts once you agreed to it with nebula trust.",
		Example: "  nebula mcp add files -- npx -y @modelcontextprotocol/server-filesystem .\n  nebula mcp add docs https://example.org/mcp --header \"Authorization: Bearer \\${DOCS_TOKEN}\"\n  nebula mcp test files\n  nebula mcp import",
	}, m.list)
	output := func(c *cobra.Command) *cobra.Command {
		oneOf(c, &m.output, "output", "o", "text", "what goes to standard output", "text", "json")
		return c
	}
	output(root)
	add := &cobra.Command{Use: "add NAME [URL | -- COMMAND…]", Short: "Add a server, or put another in its place", Args: cobra.MinimumNArgs(2), RunE: m.add}
	f := add.Flags()
	f.StringArrayVarP(&m.env, "env", "e", nil, "`NAME=VALUE`: a variable of the program; ${NAME} stands for one of yours")
	oneOf(add, &m.transport, "transport", "t", "", "how the server is spoken to; its command or address says that, too", transports...)
	oneOf(add, &m.scope, "scope", "s", "user", "whose it is to be; project says what to write into .mcp.json", scopes...)
	f.StringArrayVarP(&m.headers, "header", "H", nil, "`NAME: VALUE`: what is sent to the address each time")
	f.StringArrayVar(&m.made.Hosts, "host", nil, "`HOST:PORT` that the program may reach")
	f.StringArrayVar(&m.made.Reads, "read", nil, "`DIR` that the program may read although it is hidden from commands")
	f.StringArrayVar(&m.made.Writes, "write", nil, "`DIR` that the program may change")
	f.BoolVar(&m.made.Folder, "folder", false, "the program may change the folder that you work in; undo does not cover it")
	f.BoolVar(&m.made.Outside, "outside", false, "the program runs in no box")
	root.AddCommand(
		output(&cobra.Command{Use: "list", Short: "List the servers of this folder", Args: atMost(0), RunE: m.list}),
		add,
		&cobra.Command{Use: "show NAME", Short: "Show how a server is started, and what it may", Args: exactly(1, "a server's name"), RunE: m.show},
		output(&cobra.Command{Use: "test NAME", Short: "Start a server and list its tools", Args: exactly(1, "a server's name"), RunE: m.test}),
		m.loginCommand(),
		&cobra.Command{Use: "logout NAME", Short: "Forget the login at a server", Args: exactly(1, "a server's name"), RunE: m.logout},
		&cobra.Command{Use: "remove NAME", Aliases: []string{"rm"}, Short: "Remove a server", Args: exactly(1, "a server's name"), RunE: m.remove},
		&cobra.Command{Use: "import [FILE…]", Short: "Take over servers from other programs' settings", Args: cobra.ArbitraryArgs, RunE: m.take},
		&cobra.Command{Use: "serve", Short: "Let other programs search this folder's code, read its plans and sessions, and have work done", Args: atMost(0), RunE: m.serve},
	)
	return root
}

// serving is the mcp command with its flags.
type serving struct {
	*session
	output       string
	env, headers []string
	transport    string // --transport and --scope, as another program has them
	scope        string
	at           []string // hosts at which the person logs in
	made         mcp.Server
}

// known are the servers that can be used in the folder, with those that wait for the person.
func (m *serving) known(c *cobra.Command) (list []mcp.Server, waiting []string, err error) {
	if err := m.settle(c); err != nil {
		return nil, nil, err
	}
	list, waiting, left := m.servers()
	for _, w := range left {
		m.warn("%s", w)
	}
	return list, waiting, nil
}

func (m *serving) list(c *cobra.Command, _ []string) error {
	if err := choice("output", cmp.Or(m.output, "text"), []string{"text", "json"}); err != nil {
		return err
	}
	list, waiting, err := m.known(c)
	if err != nil {
		return err
	}
	if m.output == "json" {
		type row struct {
			Name string `json:"name"`
			From string `json:"from"`
			mcp.Server
		}
		shown := struct {
			Servers []row    `json:"servers"`
			Waiting []string `json:"waiting,omitempty"`
		}{[]row{}, waiting}
		for _, s := range list {
			shown.Servers = append(shown.Servers, row{s.Name, s.From, s})
		}
		return json.NewEncoder(m.out).Encode(shown)
	}
	var t table
	for _, s := range list {
		t.row(s.Name, terminal.OneRow(s.What()), m.say("(from %s)", s.From))
	}
	for _, name := range waiting {
		t.row(name, m.say("waits for you: nebula trust"))
	}
	if len(t.rows) == 0 {
		_, err := fmt.Fprintln(m.err, m.say("no servers; nebula mcp add adds one, nebula mcp import takes over what other programs have"))
		return err
	}
	return t.print(m.out)
}

// named is one of the servers that can be used.
func (m *serving) named(c *cobra.Command, name string) (mcp.Server, error) {
	list, waiting, err := m.known(c)
	if err != nil {
		return mcp.Server{}, err
	}
	var names []string
	for _, s := range list {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	switch near := config.Nearest(name, names); {
	case lists.Has(waiting, name):
		return mcp.Server{}, usage("this folder brings the server %s, and nobody agreed to it; nebula trust shows it", name)
	case near != "":
		return mcp.Server{}, usage("no server %q; did you mean %s?", name, near)
	}
	return mcp.Server{}, usage("no server %q; nebula mcp lists them", name)
}

func (m *serving) show(c *cobra.Command, args []string) error {
	s, err := m.named(c, args[0])
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(m.out, terminal.Exact(s.Text()))
	return err
}

// section is what the person's settings say of servers.
func (m *serving) section() (map[string]json.RawMessage, error) {
	all := map[string]json.RawMessage{}
	if raw := m.config.Section("mcp"); raw != nil {
		if err := json.Unmarshal(raw, &all); err != nil {
			return nil, usage("%s: mcp is no object; correct it there", m.config.Home.File())
		}
	}
	return all, nil
}

// keep writes servers into the person's settings, unless a command runs, whose work it may be.
func (m *serving) keep(all map[string]json.RawMessage) error {
	if workspace.Holding(m.config.Home.Held()) {
		return fail(exitFailed, "a command that nebula runs is not over, and none may change the settings; try again when it has ended")
	}
	raw, err := json.Marshal(all)
	if len(all) == 0 {
		raw = nil
	}
	if err != nil {
		return err
	}
	return m.config.Home.SetSection("mcp", raw)
}

// What others' mcp add has: kept for one project is kept among the person's own here, too.
var (
	transports = []string{"stdio", "http", "sse"}
	scopes     = []string{"user", "local", "project"}
)

func (m *serving) add(c *cobra.Command, args []string) error {
	err := errors.Join(choice("transport", cmp.Or(m.transport, "stdio"), transports), choice("scope", m.scope, scopes))
	if err != nil {
		return err
	}
	if err := m.settle(c); err != nil {
		return err
	}
	s := m.made
	if m.transport == "sse" {
		s.Type = m.transport
	}
	if s.Name = args[0]; len(args) == 2 && (strings.Contains(args[1], "://") || m.transport == "http") {
		s.URL = args[1]
	} else {
		s.Command, s.Args = args[1], args[2:]
	}
	if s.Env, err = pairs(m.env, "="); err != nil {
		return err
	}
	if s.Headers, err = pairs(m.headers, ":"); err != nil {
		return err
	}
	for _, host := range s.Hosts {
		if len(reachable([]string{host})) == 0 {
			return usage("%q is no host with its port, as in example.org:443", host)
		}
	}
	raw, _ := json.Marshal(map[string]mcp.Server{s.Name: s}) // strings always marshal
	list, left, err := mcp.Parse(raw, m.config.Home.File())
	if err != nil || len(left) > 0 {
		return usage("%s", append(left, nebula.Say("%w", err))[0])
	}
	s.Name = list[0].Name
	if m.scope == "project" {
		return usage("nebula writes your own settings alone; what all who work in this folder are to have stands in its .mcp.json: {\"mcpServers\": %s}", string(raw))
	}
	all, err := m.section()
	if err != nil {
		return err
	}
	all[s.Name], _ = json.Marshal(s)
	if err := m.keep(all); err != nil {
		return err
	}
	if needs := lists.Drop(wants(s), func(host string) bool { return lists.Has(s.Hosts, host) }); len(needs) > 0 && !s.Outside {
		m.warn("server %s seems to need hosts that its box keeps it from; add it again with --host %s", s.Name, strings.Join(needs, " --host "))
	}
	m.warn("server %s is written to %s; nebula mcp test %s starts it and says what it lacks", s.Name, m.config.Home.File(), s.Name)
	return nil
}

// pairs are names with their values.
func pairs(list []string, between string) (map[string]string, error) {
	if len(list) == 0 {
		return nil, nil
	}
	all := map[string]string{}
	for _, text := range list {
		name, value, ok := strings.Cut(text, between)
		if !ok || strings.TrimSpace(name) == "" {
			return nil, usage("%q is no name with a value; write NAME%sVALUE", text, between)
		}
		all[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	return all, nil
}

func (m *serving) remove(c *cobra.Command, args []string) error {
	s, err := m.named(c, args[0])
	if err != nil {
		return err
	}
	if !s.Home {
		return usage("server %s comes from %s; nebula trust withdraw stops using what this folder brings", s.Name, s.From)
	}
	all, err := m.section()
	if err != nil {
		return err
	}
	delete(all, s.Name)
	if err := m.keep(all); err != nil || s.URL == "" {
		return err
	}
	_, err = m.logins().Forget(m.address(s))
	return err
}

func (m *serving) logout(c *cobra.Command, args []string) error {
	s, err := m.named(c, args[0])
	if err != nil {
		return err
	}
	was, err := m.logins().Forget(m.address(s))
	if err == nil && !was {
		m.warn("you are not logged in at %s", s.Name)
	}
	return err
}

// test starts a server, as a session would, and lists what it offers.
func (m *serving) test(c *cobra.Command, args []string) (err error) {
	if err := choice("output", cmp.Or(m.output, "text"), []string{"text", "json"}); err != nil {
		return err
	}
	s, err := m.named(c, args[0])
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	work, err := workspace.Open(m.dir, nil, m.own()...)
	if err != nil {
		return fail(exitNoFolder, "%w", err)
	}
	defer work.Close()
	m.confine(work)
	hub := m.hubOf([]mcp.Server{s}, nil, work)
	defer hub.Close()
	tools, err := hub.Look(ctx, s.Name)
	if err != nil {
		return fail(exitFailed, "%w", err)
	}
	if m.output == "json" {
		return json.NewEncoder(m.out).Encode(lists.Concat([]mcp.Tool{}, tools))
	}
	var t table
	for _, one := range tools {
		t.row(terminal.OneRow(one.Full()), terminal.OneLine(terminal.OneRow(strings.ReplaceAll(one.Description, "\n", " ")), 90))
	}
	m.warn("%s", many(len(tools), "%d tool", "%d tools"))
	return t.print(m.out)
}

// elsewhereKept is where other programs keep servers, below the person's home.
var elsewhereKept = []string{".claude.json", ".claude/settings.json", ".cursor/mcp.json", ".codeium/windsurf/mcp_config.json", ".gemini/settings.json", ".config/opencode/opencode.json", ".codex/config.toml", ".config/Claude/claude_desktop_config.json", "Library/Application Support/Claude/claude_desktop_config.json"}

// take takes servers over: from the files that are named, or else from where other programs keep theirs, and the folder's.
func (m *serving) take(c *cobra.Command, files []string) error {
	if err := m.settle(c); err != nil {
		return err
	}
	named := len(files) > 0
	if !named {
		for _, name := range elsewhereKept {
			files = append(files, filepath.Join(m.session.env("HOME"), filepath.FromSlash(name)))
		}
		for _, name := range serverFiles {
			files = append(files, filepath.Join(m.dir, name))
		}
	}
	all, err := m.section()
	if err != nil {
		return err
	}
	taken := 0
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil || !info.Mode().IsRegular() || info.Size() > largestImported {
			if named {
				return usage("%s: it cannot be read", file)
			}
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return usage("%s: %w", file, err)
		}
		parse := mcp.Parse
		if filepath.Ext(file) == ".toml" {
			parse = mcp.ParseTOML
		}
		list, left, err := mcp.Local(data, file, m.dir)
		if named || filepath.Ext(file) == ".toml" || mcp.Rooted(data) {
			more, without, wrong := parse(data, file)
			list, left, err = append(list, more...), append(left, without...), errors.Join(err, wrong)
		}
		if err != nil {
			left = append(left, nebula.Say("%w", err))
		}
		for _, w := range left {
			m.warn("%s", w)
		}
		for _, s := range list {
			if _, there := all[s.Name]; there {
				m.warn("%s: server %q is there already; it stays as it is", file, s.Name)
				continue
			}
			if at, err := filepath.Rel(m.dir, file); err == nil && filepath.IsLocal(at) { // a folder gives itself no rights
				s.Hosts, s.Writes, s.Reads, s.Folder, s.Outside = nil, nil, nil, false, false
			}
			all[s.Name], _ = json.Marshal(s)
			taken++
			_, _ = fmt.Fprintf(m.out, "%s  %s\n", s.Name, terminal.OneRow(s.What()))
		}
	}
	if taken == 0 {
		m.warn("nothing to take over")
		return nil
	}
	return m.keep(all)
}

// largestImported bounds other programs' settings, which may hold their histories too.
const largestImported = 64 << 20

func (m *serving) serve(c *cobra.Command, _ []string) error {
	if err := m.settle(c); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	work, err := workspace.Open(m.dir, nil, m.own()...)
	if err != nil {
		return fail(exitNoFolder, "%w", err)
	}
	defer work.Close()
	if err := m.widen(work); err != nil {
		return err
	}
	code := m.code(work)
	defer code.Close()
	if exists(m.config) {
		if m.store, err = m.open(ctx, m.config); err != nil {
			return err
		}
		defer m.store.Close()
	}
	return mcp.Serve(ctx, version(), m.lends(work, code))
}
