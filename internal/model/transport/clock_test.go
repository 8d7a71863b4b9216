package transport_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/model/chat"
	"nebula/internal/model/transport"
)

// A certificate that does not hold yet, or no longer, says what this machine's clock says; another fault of it says nothing of the clock.
func TestACertificateOfAnotherTimeTellsOfTheClock(t *testing.T) {
	t.Setenv("SSL_CERT_FILE", "")
	now := time.Now()
	for name, c := range map[string]struct {
		from, until time.Time
		says        []string
	}{
		"not yet":   {now.AddDate(2, 0, 0), now.AddDate(3, 0, 0), []string{"holds from " + now.AddDate(2, 0, 0).UTC().Format(time.DateOnly), "clock says " + now.UTC().Format("2006-01-"), "set this machine's clock"}},
		"no longer": {now.AddDate(-3, 0, 0), now.AddDate(-2, 0, 0), []string{"held until " + now.AddDate(-2, 0, 0).UTC().Format(time.DateOnly), "if it is wrong; else the server"}},
		"now":       {now.AddDate(-1, 0, 0), now.AddDate(1, 0, 0), []string{"no trusted connection", "name the file of who signed it in SSL_CERT_FILE"}},
	} {
		server := httptest.NewUnstartedServer(http.NotFoundHandler())
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
		server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate(t, c.from, c.until)}, MinVersion: tls.VersionTLS12}
		server.StartTLS()
		api := apiErrorOf(t, server.URL)
		server.Close()
		if api.Kind != "unreachable" {
			t.Errorf("%s: %+v", name, api)
		}
		for _, want := range c.says {
			if !strings.Contains(api.Error(), want) {
				t.Errorf("%s: %q does not say %q", name, api.Error(), want)
			}
		}
	}
}

func certificate(t *testing.T, from, until time.Time) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	of := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "here"}, NotBefore: from, NotAfter: until, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, of, of, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// Where a key is refused by a server whose clock is far from this machine's, the clock is named; where they agree, the key is, and
// what is wrong with the request has nothing to do with the clock.
func TestARefusedKeyNamesTheClockThatIsWrong(t *testing.T) {
	for _, c := range []struct {
		off    time.Duration
		status int
		says   string
	}{
		{3 * time.Hour, 403, "this machine's clock is 3h0m0s behind"}, {-26 * time.Hour, 401, "this machine's clock is 26h0m0s ahead"},
		{time.Minute, 401, "check the key"}, {3 * time.Hour, 404, "nebula models"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Date", time.Now().Add(c.off).UTC().Format(http.TimeFormat))
			w.WriteHeader(c.status)
			_, _ = fmt.Fprint(w, `{"error":{"message":"no"}}`)
		}))
		api := apiErrorOf(t, server.URL)
		if server.Close(); !strings.Contains(api.Error(), c.says) || c.says[0] != 't' && strings.Contains(api.Error(), "clock") {
			t.Errorf("%s, %d: %v", c.off, c.status, api)
		}
	}
}

func apiErrorOf(t *testing.T, base string) *nebula.APIError {
	t.Helper()
	at := transport.Endpoint{BaseURL: base + "/v1", Key: "k3y-of-mine", Model: "m"}
	c := transport.New(at, nebula.ModelInfo{}, chat.New(at, chat.Dialect{}, true), transport.Service{KeyName: "THE_KEY"}, transport.Options{Attempts: 1})
	_, err := nebula.Collect(c.Stream(t.Context(), ask("hi")), nil)
	api, ok := err.(*nebula.APIError) //nolint:errorlint // it is the very one
	if !ok {
		t.Fatalf("%#v", err)
	}
	return api
}
