package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/oauth2"

	"nebula"
	"nebula/internal/nebulatest"
)

// authority is a server at which people log in, that somebody else wrote: what it gives is good for some seconds.
func authority(t *testing.T, seconds int) (issuer string) {
	t.Helper()
	dir, err := nebulatest.Packages("authority", "oidc-provider/lib/index.js", "oidc-provider@9.13.3")
	if err != nil {
		nebulatest.Missing(t, err)
	}
	c := exec.Command("node", "testdata/authority.mjs", dir, fmt.Sprint(seconds))
	_, out := nebulatest.Beside(t, c)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// asked asks an authority what a token is good for.
func asked(issuer, token string) (active bool, until time.Time) {
	r, _ := http.NewRequest(http.MethodPost, issuer+"/token/introspection", strings.NewReader(url.Values{"token": {token}}.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.SetBasicAuth("resource", url.QueryEscape("known to the tests"))
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return false, until
	}
	defer resp.Body.Close()
	var said struct {
		Active bool
		Exp    int64
	}
	return json.NewDecoder(resp.Body).Decode(&said) == nil && said.Active, time.Unix(said.Exp, 0)
}

// guarded is a server of tools that only talks to whom an authority knows. Its one tool says the token that it was shown.
func guarded(t *testing.T, issuer string, seen *atomic.Int64) (address string) {
	t.Helper()
	s := mcp.NewServer(&mcp.Implementation{Name: "guarded", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "say"}, func(_ context.Context, r *mcp.CallToolRequest, _ any) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "you showed " + r.Extra.Header.Get("Authorization")}}}, nil, nil
	})
	var tokens atomic.Pointer[string]
	mux := http.NewServeMux()
	at := httptest.NewServer(mux)
	t.Cleanup(at.Close)
	mux.HandleFunc("/.well-known/oauth-protected-resource/mcp", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"resource":%q,"authorization_servers":[%q],"scopes_supported":["tools"]}`, at.URL+"/mcp", issuer)
	})
	verify := func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		if was := tokens.Swap(&token); was == nil || *was != token {
			seen.Add(1)
		}
		active, until := asked(issuer, token)
		if !active {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{Expiration: until}, nil
	}
	stream := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true})
	mux.Handle("/mcp", auth.RequireBearerToken(verify, &auth.RequireBearerTokenOptions{ResourceMetadataURL: at.URL + "/.well-known/oauth-protected-resource/mcp"})(stream))
	return at.URL + "/mcp"
}

var formAt = regexp.MustCompile(`action="([^"]+)"`)

// browse does what a person does in a browser: they log in, and agree.
func browse(t *testing.T, address string) (last string) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Error(err)
		return ""
	}
	client := &http.Client{Jar: jar}
	resp, err := client.Get(address)
	for range 3 {
		if err != nil {
			t.Error(err)
			return ""
		}
		page, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		form := formAt.FindStringSubmatch(string(page))
		if form == nil {
			return string(page)
		}
		to, _ := resp.Request.URL.Parse(form[1])
		prompt := "consent"
		if strings.Contains(string(page), `name="login"`) {
			prompt = "login"
		}
		resp, err = client.PostForm(to.String(), url.Values{"prompt": {prompt}, "login": {"mike"}, "password": {"x"}})
	}
	return ""
}

func TestAPersonLogsInOnceAndIsKnownFromThenOn(t *testing.T) {
	issuer := authority(t, 4)
	var tokens atomic.Int64
	s := Server{Name: "docs", URL: guarded(t, issuer, &tokens)}
	ring := &memory{map[string]string{}}
	cache := t.TempDir()
	h := open(t, Options{Servers: []Server{s}, Logins: ring, Cache: cache})
	if _, err := h.Look(t.Context(), "docs"); err == nil || err.Error() != "server docs wants you to log in: nebula mcp login docs" {
		t.Fatalf("before the login: %v", err)
	}
	var hosts []string
	page := make(chan string, 1)
	v := Visitor{Done: "welcome back", Agrees: func(host string) bool { hosts = append(hosts, host); return true }, Open: func(address string) {
		go func() { page <- browse(t, address) }()
	}}
	if asked, err := h.Login(t.Context(), "docs", v); err != nil || !asked {
		t.Fatalf("%v %v", asked, err)
	}
	if got := <-page; !strings.Contains(got, "welcome back") {
		t.Errorf("the person reads %q", got)
	}
	if len(hosts) != 1 || "http://"+hosts[0] != issuer {
		t.Errorf("asked about %q", hosts)
	}
	h.Close()

	later := open(t, Options{Servers: []Server{s}, Logins: ring, Cache: cache})
	if _, err := later.Look(t.Context(), "docs"); err != nil {
		t.Fatal(err)
	}
	res := use(t, later, "docs.say", map[string]any{}, nebula.Run{})
	var k kept
	if err := json.Unmarshal([]byte(ring.all[s.URL]), &k); err != nil || k.Token.RefreshToken == "" {
		t.Fatalf("%v, kept %s", err, ring.all[s.URL])
	}
	if !strings.Contains(res.Text, "you showed Bearer [hidden]") || strings.Contains(res.Text, k.Token.AccessToken) {
		t.Errorf("the model reads %q", res.Text)
	}

	// What was given is renewed when it is over, and what is new is kept in its place.
	first := k.Token.AccessToken
	for active := true; active; active, _ = asked(issuer, first) {
		time.Sleep(100 * time.Millisecond)
	}
	later.Close()
	third := open(t, Options{Servers: []Server{s}, Logins: ring, Cache: cache})
	if res := use(t, third, "docs.say", map[string]any{}, nebula.Run{}); !strings.Contains(res.Text, "[hidden]") {
		t.Errorf("%+v", res)
	}
	if strings.Contains(ring.all[s.URL], first) || tokens.Load() < 2 {
		t.Errorf("nothing was renewed: %d tokens", tokens.Load())
	}
}

// TestALoginLeadsToNobodyUnasked: a server that names another host for the login, one that is led elsewhere on the way, and one
// whose login would not be encrypted.
func TestALoginLeadsToNobodyUnasked(t *testing.T) {
	var visits atomic.Int64
	thief := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		visits.Add(1)
		http.NotFound(w, r)
	}))
	t.Cleanup(thief.Close)
	for name, c := range map[string]struct {
		says   func(self string) map[string]string
		agrees bool
		want   string
	}{
		"another host": {want: "at another host", says: func(self string) map[string]string {
			return map[string]string{"/.well-known/oauth-protected-resource/mcp": `{"resource":"` + self + `/mcp","authorization_servers":["` + thief.URL + `"]}`}
		}},
		"another host for the page": {want: "at another host", says: func(self string) map[string]string {
			return metadata(self, thief.URL+"/authorize", self+"/token")
		}},
		"unencrypted": {agrees: true, want: "does not use HTTPS", says: func(self string) map[string]string {
			return metadata(self, "http://login.example.org/authorize", self+"/token")
		}},
		"led on": {agrees: true, want: "leads to another host", says: func(self string) map[string]string {
			return map[string]string{"/.well-known/oauth-protected-resource/mcp": "=> " + thief.URL + "/metadata", "/.well-known/oauth-protected-resource": "=> " + thief.URL + "/metadata",
				"/.well-known/oauth-authorization-server": "=> " + thief.URL + "/metadata"}
		}},
		"led on with the code": {agrees: true, want: "leads to another host", says: func(self string) map[string]string {
			m := metadata(self, self+"/authorize", self+"/token")
			m["/token"], m["/authorize"] = "=> "+thief.URL+"/token", "back"
			return m
		}},
	} {
		t.Run(name, func(t *testing.T) {
			visits.Store(0)
			var self string
			at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				say, known := c.says(self)[r.URL.Path]
				to, moved := strings.CutPrefix(say, "=> ")
				switch {
				case moved:
					http.Redirect(w, r, to, http.StatusTemporaryRedirect)
				case say == "back":
					q := r.URL.Query()
					http.Redirect(w, r, q.Get("redirect_uri")+"?code=c&state="+q.Get("state"), http.StatusFound)
				case known:
					w.Header().Set("Content-Type", "application/json")
					if r.Method == http.MethodPost {
						w.WriteHeader(http.StatusCreated)
					}
					_, _ = io.WriteString(w, say)
				case r.URL.Path == "/mcp":
					w.WriteHeader(http.StatusUnauthorized)
				default:
					http.NotFound(w, r)
				}
			}))
			t.Cleanup(at.Close)
			self = at.URL
			ring := &memory{map[string]string{}}
			h := open(t, Options{Servers: []Server{{Name: "docs", URL: self + "/mcp"}}, Logins: ring})
			if _, err := h.Login(t.Context(), "docs", visitor(c.agrees)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
			if visits.Load() != 0 || len(ring.all) != 0 {
				t.Errorf("%d visits elsewhere, kept %v", visits.Load(), ring.all)
			}
		})
	}
}

// metadata is what a server says of its login, which is its own but for these.
func metadata(self, page, token string) map[string]string {
	return map[string]string{
		"/.well-known/oauth-authorization-server": `{"issuer":"` + self + `","authorization_endpoint":"` + page + `","token_endpoint":"` + token +
			`","registration_endpoint":"` + self + `/register","response_types_supported":["code"],"code_challenge_methods_supported":["S256"]}`,
		"/register": `{"client_id":"c","redirect_uris":["http://127.0.0.1/callback"],"token_endpoint_auth_method":"none"}`,
	}
}

// What was given by one server is shown to no other, also where that has its name.
func TestALoginIsForOneAddress(t *testing.T) {
	var shown atomic.Pointer[string]
	at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text := r.Header.Get("Authorization")
		shown.Store(&text)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(at.Close)
	ring := &memory{map[string]string{at.URL + "/mcp": `{"server":"https://docs.example.org/mcp","token":{"access_token":"t-canary"}}`}}
	h := open(t, Options{Servers: []Server{{Name: "docs", URL: at.URL + "/mcp"}}, Logins: ring})
	if _, err := h.Look(t.Context(), "docs"); err == nil {
		t.Error("it let us in")
	}
	if got := shown.Load(); got == nil || *got != "" {
		t.Errorf("it was shown %q", *got)
	}
}

// What a login is renewed with is as secret as what the server is shown, in a result and in an error.
func TestNoSecretOfALoginIsTold(t *testing.T) {
	g := &guest{}
	g.token.Store(&oauth2.Token{AccessToken: "access-canary", RefreshToken: "refresh-canary"})
	said := "you showed access-canary, renewed by refresh-canary"
	r := g.hidden(nebula.Result{Text: said, Data: []byte(said)})
	for _, got := range []string{r.Text, string(r.Data), g.veiled(errors.New(said)).Error()} {
		if got != "you showed [hidden], renewed by [hidden]" {
			t.Error(got)
		}
	}
	g.token.Store(&oauth2.Token{AccessToken: "access-canary"})
	if r := g.hidden(nebula.Result{Text: "plain"}); r.Text != "plain" {
		t.Error(r.Text)
	}
}

// Who may take part in a login: the server's own host, and one that the person agreed to, each encrypted or on this machine.
func TestWhoTakesPartInALogin(t *testing.T) {
	for _, c := range []struct {
		server, at    string
		agrees, asked bool
		want          string
	}{
		{"https://a.example/mcp", "https://a.example/x", false, false, ""},
		{"https://a.example/mcp", "http://a.example/x", true, false, "not encrypted"},
		{"https://a.example/mcp", "http://b.example/x", true, false, "not encrypted"},
		{"https://a.example/mcp", "http://127.0.0.1:8/x", true, false, "not encrypted"},
		{"https://a.example/mcp", "https://a.example.b.example/x", false, true, "another host"},
		{"https://a.example/mcp", "https://b.example/x", true, true, ""},
		{"http://127.0.0.1:7/mcp", "http://127.0.0.1:8/x", true, true, ""},
		{"http://127.0.0.1:7/mcp", "http://b.example/x", true, false, "not encrypted"},
	} {
		asked := false
		at, _ := url.Parse(c.at)
		p := &party{address: c.server, k: &kept{}, visitor: &Visitor{Agrees: func(string) bool { asked = true; return c.agrees }}}
		if err := p.admits(at); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) || asked != c.asked {
			t.Errorf("%s at %s: %v, asked %v", c.at, c.server, err, asked)
		}
		asked = false
		if err := p.admits(at); c.want == "" && (err != nil || asked) {
			t.Errorf("%s: %v, asked again %v", c.at, err, asked)
		}
		if plain, _ := url.Parse(strings.Replace(c.at, "https", "http", 1)); strings.HasPrefix(c.at, "https") && p.admits(plain) == nil {
			t.Errorf("%s: unencrypted, since it was agreed to", c.at)
		}
		if p.visitor = nil; c.asked && (&party{address: c.server, k: &kept{}}).admits(at) == nil {
			t.Errorf("%s: where nobody is there", c.at)
		}
	}
}
