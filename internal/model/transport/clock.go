package transport

import (
	"crypto/x509"
	"errors"
	"net/http"
	"os"
	"strings"
	"time"

	"nebula"
)

// apart is how far a server's clock and this machine's may differ before that is told, and before a server's times are read by its own
// clock: what signs requests or makes tokens allows for five minutes (RFC 7519 section 4.1.4 speaks of a few).
const apart = 5 * time.Minute

// serverTime is the time that a server's answer was made at, by its own clock where that is far from this machine's.
func serverTime(h http.Header, now time.Time) time.Time {
	if at, err := http.ParseTime(h.Get("Date")); err == nil && at.Sub(now).Abs() > apart {
		return at
	}
	return now
}

// clockNext says how far the two clocks are apart, and what to do; empty where they are not.
func clockNext(host string, h http.Header, now time.Time) nebula.Words {
	switch off := serverTime(h, now).Sub(now).Round(time.Minute); {
	case off > 0:
		return nebula.Say("this machine's clock is %s behind that of %s, and keys and logins may be refused for it: set it right", off, host)
	case off < 0:
		return nebula.Say("this machine's clock is %s ahead of that of %s, and keys and logins may be refused for it: set it right", -off, host)
	}
	return nebula.Words{}
}

// untimely says that a certificate does not hold at the time that this machine has; ok is false where an error is another one.
func untimely(err error, host string, now time.Time) (text, next nebula.Words, ok bool) {
	bad, is := errors.AsType[x509.CertificateInvalidError](err)
	if !is || bad.Reason != x509.Expired || bad.Cert == nil {
		return text, next, false
	}
	clock := now.UTC().Format(time.DateTime)
	if now.Before(bad.Cert.NotBefore) {
		return nebula.Say("the certificate of %s holds from %s on, and this machine's clock says %s (UTC)", host, bad.Cert.NotBefore.UTC().Format(time.DateOnly), clock),
			nebula.Say("set this machine's clock"), true
	}
	return nebula.Say("the certificate of %s held until %s, and this machine's clock says %s (UTC)", host, bad.Cert.NotAfter.UTC().Format(time.DateOnly), clock),
		nebula.Say("set this machine's clock if it is wrong; else the server needs a new certificate"), true
}

// trust is what to do about a certificate that nobody vouches for.
func trust(err error) nebula.Words {
	if _, unknown := errors.AsType[x509.UnknownAuthorityError](err); !unknown {
		return nebula.Say("check the base URL, the clock and the system's certificates")
	}
	file := os.Getenv("SSL_CERT_FILE")
	if _, missing := os.Stat(file); file != "" && missing != nil {
		return nebula.Say("SSL_CERT_FILE names %s, which cannot be read", file)
	}
	if file != "" {
		return nebula.Say("SSL_CERT_FILE names %s, which holds nobody who signed it", file)
	}
	return nebula.Say("where a proxy or server of your company's has a certificate of its own, name the file of who signed it in SSL_CERT_FILE")
}

func isTLS(err error) bool {
	s := err.Error()
	return strings.Contains(s, "x509:") || strings.Contains(s, "tls:")
}
