package redact

import (
	"strings"
	"testing"
)

// What opens the door in an address is taken out in pieces of any size, and nothing else of it.
func TestAddressesOpenNoDoor(t *testing.T) {
	const text = "origin\thttps://me:pa@ss-w0rd@git.example/x.git (fetch)\norigin ssh://git@git.example/x 10:30 at a://b c:/d http://x/y@z " +
		"url=https://ghp_0123456789abcdef@git.example \"postgres://app:hush@localhost:5432/db\" https://u:${TOKEN}@h/ https://u:%s@h https://oauth2:t%40k@h/ end: https://q:r@s"
	const want = "origin\thttps://" + Hidden + "@git.example/x.git (fetch)\norigin ssh://git@git.example/x 10:30 at a://b c:/d http://x/y@z " +
		"url=https://" + Hidden + "@git.example \"postgres://" + Hidden + "@localhost:5432/db\" https://u:${TOKEN}@h/ https://u:%s@h https://" + Hidden + "@h/ end: https://" + Hidden + "@s"
	for size := 1; size <= len(text); size++ {
		s := New(nil).Stream().Addresses()
		var got strings.Builder
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			got.WriteString(s.Feed(rest[:n]))
			rest = rest[n:]
		}
		if got.WriteString(s.End()); got.String() != want {
			t.Fatalf("in pieces of %d: %q", size, got.String())
		}
	}
	if s := New(nil).Stream(); s.Feed(text)+s.End() != text {
		t.Error("addresses are changed that nobody asked to change")
	}
	if got := New(nil).Stream().Addresses().Feed("100% done 12:30"); got != "100% done 12:30" {
		t.Errorf("held back: %q", got)
	}
}
