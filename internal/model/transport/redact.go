package transport

import (
	"net/url"
	"strings"
	"unicode"

	"nebula/internal/phrase"
)

// A redactor takes keys out of text that comes from outside.
type redactor struct{ secrets []string }

const hidden = "[key]"

func newRedactor(at Endpoint) redactor {
	var r redactor
	r.add(at.Key)
	if u, err := url.Parse(at.BaseURL); err == nil {
		if password, ok := u.User.Password(); ok {
			r.add(password)
		}
		for _, values := range u.Query() {
			for _, v := range values {
				if len(v) >= 16 {
					r.add(v)
				}
			}
		}
	}
	return r
}

func (r *redactor) add(secret string) {
	if secret = strings.TrimSpace(secret); len(secret) >= 4 {
		r.secrets = append(r.secrets, secret, url.QueryEscape(secret))
	}
}

// clean makes one line of at most 300 bytes of text, without anything that is a key or looks like one.
func (r *redactor) clean(text string) string {
	for _, s := range r.secrets {
		text = strings.ReplaceAll(text, s, hidden)
	}
	words := strings.FieldsFunc(text, func(c rune) bool { return !keyRune(c) })
	for _, w := range words {
		if r.looksSecret(w) {
			text = strings.ReplaceAll(text, w, hidden)
		}
	}
	return phrase.OneLine(text, 300)
}

func keyRune(c rune) bool {
	return c == '-' || c == '_' || c == '*' || c == '.' || c == '+' || c == '=' ||
		c < unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c))
}

// keyPrefixes are how the keys of well-known providers begin.
var keyPrefixes = [...]string{"sk-", "sk_", "gsk_", "xai-", "hf_", "AIza", "pplx-", "nvapi-", "fw_", "tgp_", "ghp_", "github_pat_", "eyJ"}

// looksSecret judges one word: a part of our own key, a known form of key, or a long run of letters and digits mixed.
func (r *redactor) looksSecret(w string) bool {
	for _, s := range r.secrets {
		if n := sharedPrefix(w, s); n >= 8 || n >= 4 && strings.Contains(w, "*") {
			return true
		}
		if len(w) >= 8 && strings.Contains(s, w) {
			return true
		}
	}
	for _, p := range keyPrefixes {
		if strings.HasPrefix(w, p) && len(w) >= len(p)+8 {
			return true
		}
	}
	return phrase.Mixed(w)
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
