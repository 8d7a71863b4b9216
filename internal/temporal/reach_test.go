package temporal

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nebula/internal/telemetry"
)

// pemFile writes one, and gives its path.
func pemFile(t *testing.T, name, kind string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTheEngineIsReachedWithWhatItAsksFor: with a certificate of one's own, a key, and only at the server whose certificate was named.
func TestTheEngineIsReachedWithWhatItAsksFor(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	own := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "worker"}, NotAfter: time.Now().Add(time.Hour)}
	cert, err := x509.CreateCertificate(rand.Reader, own, own, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	who := make(chan string, 100)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who <- r.TLS.PeerCertificates[0].Subject.CommonName + " " + r.Header.Get("Authorization")
		w.Header().Set("Content-Type", "application/grpc")
		w.Header().Set("Trailer", "Grpc-Status")
		_, _ = w.Write(make([]byte, 5)) // a message that says nothing
		w.Header().Set("Grpc-Status", "0")
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.EnableHTTP2, server.TLS = true, &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	server.StartTLS()
	t.Cleanup(server.Close)
	env := map[string]string{
		"TEMPORAL_ADDRESS": strings.TrimPrefix(server.URL, "https://"), "TEMPORAL_API_KEY": "k3y",
		"TEMPORAL_TLS_CLIENT_CERT_PATH": pemFile(t, "cert", "CERTIFICATE", cert), "TEMPORAL_TLS_CLIENT_KEY_PATH": pemFile(t, "key", "PRIVATE KEY", secret),
		"TEMPORAL_TLS_SERVER_CA_CERT_PATH": pemFile(t, "ca", "CERTIFICATE", server.Certificate().Raw), "TEMPORAL_TLS_SERVER_NAME": "example.com",
	}
	dial := func() error {
		told, err := telemetry.Open(t.Context(), func(string) string { return "" })
		if err != nil {
			return err
		}
		e, err := Dial(t.Context(), Options{Env: func(name string) string { return env[name] }, Key: historyKey, Told: told})
		if err == nil {
			e.Close()
		}
		return err
	}
	if err := dial(); err != nil {
		t.Fatal(err)
	}
	if got := <-who; got != "worker Bearer k3y" {
		t.Errorf("the server is reached by %q", got)
	}
	env["TEMPORAL_TLS_SERVER_CA_CERT_PATH"] = pemFile(t, "other", "CERTIFICATE", cert)
	if err := dial(); err == nil {
		t.Error("a server of another certificate is told the key")
	}
	env["TEMPORAL_TLS_CLIENT_KEY_PATH"] = "/nowhere"
	if err := dial(); err == nil || !strings.Contains(err.Error(), "Temporal's settings") || strings.Contains(err.Error(), "k3y") {
		t.Errorf("a key that is not there: %v", err)
	}
}
