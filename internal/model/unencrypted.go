package model

import (
	"cmp"
	"net"
	"net/http"
	"net/url"
	"strings"

	"nebula"
	"nebula/internal/model/transport"
)

// Unencrypted is why a key is not sent: on its way to the address others could read it. It is an [nebula.APIError], too.
type Unencrypted struct {
	Provider, Address string
	Fault             *nebula.APIError
}

// Error is the sentence in English.
func (e *Unencrypted) Error() string { return e.Fault.Error() }

// Unwrap gives the refusal itself.
func (e *Unencrypted) Unwrap() error { return e.Fault }

// open refuses to send a key unencrypted where others could read it, unless the person allowed that for the server.
func (s Settings) open(at Endpoint) error {
	u, err := url.Parse(at.BaseURL)
	if err != nil || u.Scheme != "http" || at.Key == "" {
		return nil
	}
	proxy, _ := http.ProxyFromEnvironment(&http.Request{URL: u}) // as the request will go
	if proxy == nil && isNear(u.Hostname()) {
		return nil
	}
	name := cmp.Or(at.Provider, Standard)
	for own, server := range s.Own {
		if server.BaseURL == at.BaseURL {
			name = own
		}
	}
	if s.Plain[name] {
		return nil
	}
	text := nebula.Say("the key for %s would go over the network unencrypted", transport.PublicURL(at.BaseURL))
	next := nebula.Say("use an https address, or allow it: nebula config set providers.%s.plain true", name)
	if proxy != nil {
		text = nebula.Say("the key for %s would go to the proxy %s unencrypted", transport.PublicURL(at.BaseURL), proxy.Host)
		next = nebula.Say("name %s in NO_PROXY, use an https address, or allow it: nebula config set providers.%s.plain true", u.Hostname(), name)
	}
	fault := s.fault("auth", text, next)
	return &Unencrypted{name, transport.PublicURL(at.BaseURL), fault}
}

// nearNames end the names of machines that are reached without the internet (RFC 6761, RFC 6762, RFC 8375, RFC 9476).
var nearNames = [...]string{".localhost", ".local", ".internal", ".lan", ".home.arpa"}

// isNear reports whether a host is this machine or in the person's own network.
func isNear(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return transport.IsLocal(host) || ip.IsLinkLocalUnicast()
	}
	for _, end := range nearNames {
		if strings.HasSuffix(strings.ToLower(host), end) {
			return true
		}
	}
	return !strings.Contains(host, ".")
}
