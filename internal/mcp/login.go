package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"

	"nebula"
	"nebula/internal/lists"
)

// Logins keep what people were given when they logged in at servers, by the servers' addresses: texts that nobody else may see.
type Logins interface {
	Login(address string) (string, error) // empty where there is none
	Keep(address, login string) error
}

// A Visitor is a person who logs in.
type Visitor struct {
	Agrees func(host string) bool // whether a host that the server names, and that is not its own, may take part
	Open   func(address string)   // shows the page on which they log in
	Again  func()                 // tells them that it is shown once more; nil tells nothing
	Done   string                 // what they read in their browser when they have
}

// OAuth is what a server gave its user beforehand, where it takes no strangers.
type OAuth struct {
	Client string `json:"clientId,omitempty"`
	Secret string `json:"clientSecret,omitempty"`
	Port   int    `json:"callbackPort,omitempty"` // of this machine, where the server wants to be told it beforehand
}

// Bounds of a login.
const (
	loggingIn    = 10 * time.Minute // a person looks for their password first
	answering    = 30 * time.Second // a host that takes part
	longestReply = 1 << 20
)

// A kept login is what the key ring holds of one. It is good for its server only.
type kept struct {
	Server string           `json:"server"`
	Client string           `json:"client"`
	Secret string           `json:"secret,omitempty"`
	URL    string           `json:"token_url"`
	Style  oauth2.AuthStyle `json:"style"`
	Scopes []string         `json:"scopes,omitempty"`
	Wants  []string         `json:"wants,omitempty"` // scopes that the server asked for since
	Hosts  []string         `json:"hosts,omitempty"` // that the person agreed to
	Token  *oauth2.Token    `json:"token,omitempty"`
}

// login is what was kept of a login at a server.
func (l *link) login(address string) (k kept) {
	if l.logins == nil {
		return k
	}
	text, err := l.logins.Login(address)
	if err != nil || json.Unmarshal([]byte(text), &k) != nil || k.Server != address {
		return kept{}
	}
	return k
}

func (l *link) keep(k kept) error {
	data, err := json.Marshal(k)
	if err != nil {
		return err
	}
	return l.logins.Keep(k.Server, string(data))
}

// A guest shows a server the login that was kept. It asks nobody to log in: that is the person's to begin.
type guest struct {
	link    *link
	address string
	turn    chan struct{} // holds a value while somebody renews it
	token   atomic.Pointer[oauth2.Token]
}

func newGuest(l *link, address string) *guest {
	return &guest{link: l, address: address, turn: make(chan struct{}, 1)}
}

// TokenSource implements auth.OAuthHandler.
func (g *guest) TokenSource(context.Context) (oauth2.TokenSource, error) {
	if k := g.link.login(g.address); k.Token == nil {
		return nil, nil
	}
	return g, nil
}

// Token implements oauth2.TokenSource. What another nebula renewed in the meantime is as good.
func (g *guest) Token() (*oauth2.Token, error) {
	g.turn <- struct{}{}
	defer func() { <-g.turn }()
	if token := g.token.Load(); token.Valid() {
		return token, nil
	}
	k := g.link.login(g.address)
	if k.Token.Valid() {
		g.token.Store(k.Token)
		return k.Token, nil
	}
	cfg := &oauth2.Config{ClientID: k.Client, ClientSecret: k.Secret, Endpoint: oauth2.Endpoint{TokenURL: k.URL, AuthStyle: k.Style}}
	ctx := context.WithValue(g.link.life, oauth2.HTTPClient, g.link.party(g.address, &k, nil))
	token, err := cfg.TokenSource(ctx, k.Token).Token()
	if err != nil {
		if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok && refused.ErrorCode == "" {
			return nil, nebula.Errorf("the login at %s cannot be renewed", g.address) // what was answered may hold a secret
		}
		return nil, err
	}
	g.token.Store(token)
	k.Token = token
	return token, g.link.keep(k)
}

// Authorize implements auth.OAuthHandler: it says what the person can do.
func (g *guest) Authorize(_ context.Context, _ *http.Request, resp *http.Response) error {
	defer resp.Body.Close()
	if list, err := oauthex.ParseWWWAuthenticate(resp.Header["Www-Authenticate"]); err == nil && resp.StatusCode == http.StatusForbidden {
		k := g.link.login(g.address)
		for _, c := range list {
			if k.Token != nil && c.Params["error"] == "insufficient_scope" {
				k.Wants = strings.Fields(c.Params["scope"])
				_ = g.link.keep(k) // the next login asks for what there is without it
			}
		}
	}
	return &Unknown{g.link.server.Name}
}

// veil stands where a server says a secret of the login.
const veil = "[hidden]"

// hidden is a result without the secrets of the login. Nobody may be nil.
func (g *guest) hidden(r nebula.Result) nebula.Result {
	for _, secret := range g.secrets() {
		r.Text = strings.ReplaceAll(r.Text, secret, veil)
		r.Data = bytes.ReplaceAll(r.Data, []byte(secret), []byte(veil))
	}
	return r
}

// veiled is an error without them.
func (g *guest) veiled(err error) error {
	for _, secret := range g.secrets() {
		if strings.Contains(err.Error(), secret) {
			err = errors.New(strings.ReplaceAll(err.Error(), secret, veil))
		}
	}
	return err
}

// secrets are what the server was shown, and what the login is renewed with.
//
//go:noinline
func (g *guest) secrets() (list []string) {
	if g == nil || g.token.Load() == nil {
		return nil
	}
	for _, secret := range []string{g.token.Load().AccessToken, g.token.Load().RefreshToken} {
		if secret != "" {
			list = append(list, secret)
		}
	}
	return list
}

// Unknown is the error of a server that wants to know who asks.
type Unknown struct{ Server string }

// Error is the sentence in English.
func (e *Unknown) Error() string { return e.Words().String() }

// Words implements [nebula.Speaker].
func (e *Unknown) Words() nebula.Words {
	return nebula.Say("server %s wants you to log in: nebula mcp login %s", e.Server, e.Server)
}

// party is the client with which those who take part in a login are reached: the server's own host, and those that the person
// agreed to. Nothing is sent to another, whoever names it.
//
//go:noinline
func (l *link) party(address string, k *kept, v *Visitor) *http.Client {
	return &http.Client{
		Transport: &party{l.reach, address, k, v},
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if r.URL.Host != via[0].URL.Host || r.URL.Scheme != via[0].URL.Scheme || len(via) > 5 {
				return nebula.Errorf("it leads to another host, %s, which nobody agreed to", r.URL.Host)
			}
			return nil
		},
	}
}

type party struct {
	reach   func(server, host string) http.RoundTripper
	address string
	k       *kept
	visitor *Visitor // nil where nobody can be asked
}

// RoundTrip implements http.RoundTripper. The time that the person takes to answer does not count.
func (p *party) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := p.admits(r.URL); err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(r.Context(), answering)
	defer stop()
	over := http.DefaultTransport
	if server, err := url.Parse(p.address); err == nil && p.reach != nil {
		over = p.reach(server.Hostname(), r.URL.Hostname())
	}
	resp, err := over.RoundTrip(r.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, longestReply))
	resp.Body = io.NopCloser(bytes.NewReader(data))
	return resp, err
}

// admits reports what keeps an address from taking part in the login. Secrets go over the network to nobody unencrypted.
func (p *party) admits(at *url.URL) error {
	server, err := url.Parse(p.address)
	switch {
	case err != nil:
		return err
	case at.Host == server.Host && at.Scheme == server.Scheme || lists.Has(p.k.Hosts, at.Host) && (at.Scheme == "https" || Here(at)):
		return nil
	case at.Scheme != "https" && !(Here(at) && Here(server)):
		return nebula.Errorf("it would have you log in at %s, which is not encrypted", at.Scheme+"://"+at.Host)
	case p.visitor == nil || !p.visitor.Agrees(at.Host):
		return nebula.Errorf("it would have you log in at another host, %s, which nobody agreed to", at.Host)
	}
	p.k.Hosts = append(p.k.Hosts, at.Host)
	return nil
}

// Here reports whether an address is on this machine.
func Here(at *url.URL) bool {
	ip := net.ParseIP(at.Hostname())
	return at.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// Login has a person log in at a server, and keeps what they are given. false says that the server asks for none.
func (h *Hub) Login(ctx context.Context, server string, v Visitor) (asked bool, err error) {
	l := h.shelf.Load().link(server)
	switch {
	case l == nil:
		return false, nebula.Errorf("no server %q", server)
	case l.server.URL == "" || l.logins == nil:
		return false, nebula.Errorf("server %s is a program of yours: there is nothing to log in to", server)
	}
	ctx, stop := context.WithTimeout(ctx, loggingIn)
	defer stop()
	l.hold()
	defer l.free()
	l.stop()
	s, missing := l.server.Expanded(l.env)
	if len(missing) > 0 {
		return false, nebula.Errorf("server %s needs variables that are not set: %s", s.Name, strings.Join(missing, ", "))
	}
	port, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:"+strconv.Itoa(s.Login().Port))
	if err != nil {
		return false, err
	}
	d := newDoor(port, v.Done)
	defer d.close()
	was := l.login(s.URL)
	k := kept{Server: s.URL, Wants: was.Wants}
	var last atomic.Pointer[oauth2.Token]
	handler, err := l.handler(s, "http://"+port.Addr().String()+"/callback", d, &k, &last, v)
	if err != nil {
		return false, err
	}
	if err := l.visit(ctx, s, handler); err != nil {
		if known, ok := errors.AsType[nebula.Speaker](err); ok {
			return false, nebula.Errorf("server %s: %w", server, known)
		}
		return false, nebula.Errorf("server %s: %w", server, errors.New(cut(err.Error(), 300)))
	}
	if k.Token = last.Load(); k.Token == nil {
		return false, nil
	}
	return true, l.keep(k)
}

// visit does what makes a server ask who it is.
func (l *link) visit(ctx context.Context, s Server, h auth.OAuthHandler) error {
	client, err := bounded(s, &flow{})
	if err != nil {
		return err
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "nebula", Version: "1"}, nil).Connect(ctx,
		&mcp.StreamableClientTransport{Endpoint: s.URL, HTTPClient: client, MaxRetries: 1, MaxEventSize: longestLine, OAuthHandler: h}, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	if c := session.InitializeResult(); c != nil && c.Capabilities != nil && c.Capabilities.Tools == nil {
		return nil
	}
	_, err = session.ListTools(ctx, nil)
	return err
}

// handler leads through a login: with a code that only this process can exchange, and that comes back to a port of this machine.
func (l *link) handler(s Server, back string, d *door, k *kept, last *atomic.Pointer[oauth2.Token], v Visitor) (*auth.AuthorizationCodeHandler, error) {
	client := l.party(s.URL, k, &v)
	c := &auth.AuthorizationCodeHandlerConfig{
		RedirectURL: back, Client: client, RequestRefreshToken: true, AcceptUnadvertisedIss: true,
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			ClientName: "nebula", RedirectURIs: []string{back}, GrantTypes: []string{"authorization_code", "refresh_token"},
			ResponseTypes: []string{"code"}, TokenEndpointAuthMethod: "none",
		}},
		ScopeFilter: func(found []string) []string {
			for _, w := range k.Wants {
				if !lists.Has(found, w) {
					found = append(lists.Clone(found), w)
				}
			}
			return found
		},
		AuthorizationCodeFetcher: func(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			at, err := url.Parse(args.URL)
			if err == nil {
				err = (&party{address: s.URL, k: k, visitor: &v}).admits(at)
			}
			if err != nil {
				return nil, err
			}
			return d.wait(ctx, at.Query().Get("state"), func(again bool) {
				if again && v.Again != nil {
					v.Again()
				}
				v.Open(args.URL)
			})
		},
		NewTokenSource: func(ctx context.Context, cfg *oauth2.Config, token *oauth2.Token) (oauth2.TokenSource, error) {
			k.Client, k.Secret, k.URL, k.Style = cfg.ClientID, cfg.ClientSecret, cfg.Endpoint.TokenURL, cfg.Endpoint.AuthStyle
			k.Scopes, k.Wants = cfg.Scopes, nil
			last.Store(token)
			return renewing{cfg.TokenSource(ctx, token), last}, nil
		},
	}
	if o := s.Login(); o.Client != "" {
		c.PreregisteredClient = &oauthex.ClientCredentials{ClientID: o.Client}
		if o.Secret != "" {
			c.PreregisteredClient.ClientSecretAuth = &oauthex.ClientSecretAuth{ClientSecret: o.Secret}
		}
	}
	return auth.NewAuthorizationCodeHandler(c)
}

// A renewing login is renewed while it is under way: what is kept is what was given last.
type renewing struct {
	oauth2.TokenSource
	last *atomic.Pointer[oauth2.Token]
}

// Token implements oauth2.TokenSource.
func (r renewing) Token() (*oauth2.Token, error) {
	token, err := r.TokenSource.Token()
	if err == nil {
		r.last.Store(token)
	}
	return token, err
}
