// Package web reads pages of the internet and searches it, for a model that the person lets do so. It reaches nothing that is not on the
// internet: no address of this machine or of a network around it, whatever name leads there. What it reads is data.
package web

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"nebula"
	"nebula/internal/lists"
)

// closed are parts of the address space that are nobody's on the internet, or that lead elsewhere than they say.
var closed = []string{
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4", "168.63.129.16/32",
	"64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fec0::/10", "::/96",
}

// Public reports whether an address is one of the internet.
func Public(ip netip.Addr) bool {
	ip = ip.Unmap()
	return ip.IsValid() && ip.Zone() == "" && ip.IsGlobalUnicast() && !ip.IsPrivate() && !ip.IsLoopback() &&
		!slices.ContainsFunc(closed, func(p string) bool { return netip.MustParsePrefix(p).Contains(ip) })
}

// A PrivateError is of a name that leads to no address of the internet.
type PrivateError struct{ Host string }

// Error is the sentence in English.
func (e *PrivateError) Error() string { return e.Words().String() }

// Words implements [nebula.Speaker].
func (e *PrivateError) Words() nebula.Words {
	return nebula.Say("%s is no address of the internet, but of this machine or a network around it", e.Host)
}

// Transport reaches the internet. near are hosts with their ports that are reached wherever they are. An address is looked at when
// the connection to it is made: after its name was looked up, and each time.
func Transport(near []string) *http.Transport {
	plain := &net.Dialer{Timeout: 10 * time.Second}
	guarded := &net.Dialer{Timeout: 10 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil || !Public(at.Addr()) {
			return &PrivateError{address}
		}
		return nil
	}}
	var proxies []string
	for _, scheme := range []string{"http", "https"} {
		if p, err := http.ProxyFromEnvironment(&http.Request{URL: &url.URL{Scheme: scheme, Host: "example.org"}}); err == nil && p != nil {
			proxies = append(proxies, withPort(p))
		}
	}
	return &http.Transport{
		Proxy: func(r *http.Request) (*url.URL, error) {
			if lists.Has(near, withPort(r.URL)) {
				return nil, nil
			}
			p, err := http.ProxyFromEnvironment(r)
			if p != nil && err == nil {
				err = named(r.Context(), r.URL.Hostname())
			}
			return p, err
		},
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if lists.Has(near, address) || lists.Has(proxies, address) {
				return plain.DialContext(ctx, network, address)
			}
			return guarded.DialContext(ctx, network, address)
		},
		ForceAttemptHTTP2: true, TLSHandshakeTimeout: 10 * time.Second, ResponseHeaderTimeout: patience, DisableKeepAlives: true,
		MaxResponseHeaderBytes: 64 << 10,
	}
}

// withPort is the host of an address with its port.
func withPort(at *url.URL) string {
	port := at.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[at.Scheme]
	}
	return net.JoinHostPort(at.Hostname(), port)
}

// named looks at a name where a proxy makes the connection: what is known here of it must be of the internet. A proxy may know names
// that nobody else does; one without a dot is of its own network.
func named(ctx context.Context, host string) error {
	if ip, err := netip.ParseAddr(host); err == nil {
		if !Public(ip) {
			return &PrivateError{host}
		}
		return nil
	}
	last := host[strings.LastIndexByte(strings.TrimSuffix(host, "."), '.')+1:]
	if !strings.Contains(strings.TrimSuffix(host, "."), ".") || lists.Has([]string{"localhost", "local", "internal", "lan", "home", "corp", "arpa"}, strings.ToLower(strings.TrimSuffix(last, "."))) {
		return &PrivateError{host}
	}
	ctx, stop := context.WithTimeout(ctx, 5*time.Second)
	defer stop()
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err == nil && slices.ContainsFunc(found, func(ip netip.Addr) bool { return !Public(ip) }) {
		return &PrivateError{host}
	}
	return nil
}
