package cli

import (
	"bufio"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"nebula"
	"nebula/internal/keyring"
	"nebula/internal/lists"
	"nebula/internal/mcp"
	"nebula/internal/terminal"
	"nebula/internal/workspace"
)

// logins keep what people were given at servers. They implement mcp.Logins.
type logins struct{ keyring.Keeper }

// Login implements mcp.Logins.
func (l logins) Login(address string) (string, error) { return l.Key(ringName(address)) }

// Keep implements mcp.Logins.
func (l logins) Keep(address, login string) error {
	_, err := l.Keeper.Keep(ringName(address), login)
	return err
}

// Forget takes a login away, and says whether there was one.
//
//go:noinline
func (l logins) Forget(address string) (bool, error) { return l.Keeper.Forget(ringName(address)) }

// ringName is how the key ring calls the login at an address: no provider is called so.
func ringName(address string) string { return "mcp " + address }

//go:noinline
func (s *session) logins() logins { return logins{keyring.Keeper{File: s.config.Home.Logins()}} }

func (m *serving) loginCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "login NAME",
		Short: "Log in at a server that wants to know who you are",
		Long: "Shows the page on which you log in, in your browser where there is one, and keeps what the server gives in the system's key\n" +
			"ring, or in a file that only you can read where there is none. Before anything is sent to another host than the server's own\n" +
			"you are asked.",
		Example: "  nebula mcp login docs\n  nebula mcp login docs --at login.example.org",
		Args:    exactly(1, "a server's name"), RunE: m.login,
	}
	c.Flags().StringArrayVar(&m.at, "at", nil, "`HOST` at which you log in, where it is another than the server's")
	return c
}

// address is where a server is, with what its settings refer to.
//
//go:noinline
func (m *serving) address(s mcp.Server) string {
	out, _ := s.Expanded(m.session.variable)
	return out.URL
}

func (m *serving) login(c *cobra.Command, args []string) error {
	s, err := m.named(c, args[0])
	if err != nil {
		return err
	}
	if workspace.Holding(m.config.Home.Held()) {
		return fail(exitFailed, "a command that nebula runs is not over, and none may change the settings; try again when it has ended")
	}
	ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	work, err := workspace.Open(m.dir, nil, m.own()...)
	if err != nil {
		return fail(exitNoFolder, "%w", err)
	}
	defer work.Close()
	hub := m.hubOf([]mcp.Server{s}, nil, work)
	defer hub.Close()
	asked, err := hub.Login(ctx, s.Name, mcp.Visitor{
		Done:   m.say("Close this page and go back to nebula, which says whether you are logged in at %s.", s.Name),
		Again:  func() { m.warn("server %s did not take that login, or wants more of you, and asks once more", s.Name) },
		Agrees: func(host string) bool { return m.takesPart(s, host) },
		Open:   m.browse,
	})
	switch {
	case err != nil:
		return fail(exitFailed, "%w", err)
	case !asked:
		m.warn("server %s wants nobody to log in", s.Name)
	default:
		m.warn("you are logged in at %s", s.Name)
	}
	return nil
}

// takesPart asks whether another host than the server's own may take part in a login.
func (m *serving) takesPart(s mcp.Server, host string) bool {
	name := host
	if at, err := url.Parse("//" + host); err == nil {
		name = at.Hostname()
	}
	if lists.Has(m.at, host) || lists.Has(m.at, name) {
		return true
	}
	if !m.inTerminal || m.screen() == nil {
		m.warn("server %s would have you log in at %s; --at %s agrees to it", s.Name, terminal.OneRow(host), terminal.OneRow(host))
		return false
	}
	_, _ = m.screen().Write([]byte(m.say("Server %s would have you log in at %s. Is that right? (yes/no)", s.Name, terminal.OneRow(host)) + " "))
	line, err := bufio.NewReader(m.in).ReadString('\n') // a terminal gives a line at a time
	return err == nil && lists.Has([]string{"y", "yes", "はい"}, strings.ToLower(strings.TrimSpace(line)))
}

// browsers show a page, by system.
var browsers = map[string][]string{"linux": {"xdg-open"}, "freebsd": {"xdg-open"}, "openbsd": {"xdg-open"}, "darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}

// browse shows the address of a page, and the page where there is a browser.
func (m *serving) browse(address string) {
	m.warn("log in at %s", nebula.Say("%s", terminal.OneRow(address)))
	words := browsers[runtime.GOOS]
	at, err := url.Parse(address)
	if len(words) == 0 || err != nil || at.Scheme != "https" && at.Scheme != "http" || words[0] == "xdg-open" && m.session.env("DISPLAY") == "" && m.session.env("WAYLAND_DISPLAY") == "" {
		return
	}
	_ = exec.Command(words[0], append(words[1:], address)...).Start() // the address stands there to be opened by hand
}
