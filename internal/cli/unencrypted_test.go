//go:build !windows

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula/internal/nebulatest"
)

// TestKeyGoesUnencryptedOnlyAfterAYes that is asked for before anything is sent, and kept when the person says so. The
// server stands for the network: it is the proxy.
func TestKeyGoesUnencryptedOnlyAfterAYes(t *testing.T) {
	for answer, c := range map[string]struct{ sent, kept bool }{"no": {}, "": {}, "hm": {}, "yes": {sent: true}, "always": {sent: true, kept: true}} {
		t.Run(answer, func(t *testing.T) {
			home := t.TempDir()
			s := sitWith(t, func(server string) []string {
				return []string{"OPENAI_BASE_URL=http://api.example.com/v1", "HTTP_PROXY=" + strings.TrimSuffix(server, "/v1"), "NO_PROXY=", "NEBULA_HOME=" + home}
			}, []nebulatest.Answer{{Text: "Here I am"}}, "run", "hi")
			s.waits("The key for openai would go to http://api.example.com/v1 unencrypted", 1)
			s.waits("[a]lways", 1)
			s.types(answer + "\n")
			s.ends()
			if c.sent {
				s.waits("Here I am", 1)
			} else {
				s.waits("providers.openai.plain true", 1)
			}
			data, _ := os.ReadFile(filepath.Join(home, "config.json"))
			if kept := strings.Contains(string(data), `"plain": true`); kept != c.kept {
				t.Errorf("the settings are %q", data)
			}
		})
	}
}
