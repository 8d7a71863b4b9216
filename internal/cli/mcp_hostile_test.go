//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// What a server calls its tools, and says of them, is shown as a command is: nothing of it is hidden, turned or left out, and each has
// one row.
func TestWhatAServerSaysOfItsToolsIsShownAsItIs(t *testing.T) {
	b := newBed(t)
	hostile := []string{`\u001b[2J`, `\u001b]0;t\u0007`, `\r`, `\b`, `\u007f`, `\u009b2J`, `\u202e`, `\u2066`, `\u200b`, `\u200d`, `\ufeff`, `\u2028`, `\u2029`, `\u0085`, `\u115f`, `\u3164`, `\u2800`,
		`\u00a0`, `\u0000`, `\u000b`, `\u061c`, `\u180e`, `\ue000`, `\ufe0f`, `\udb40\udc41`, `\n$ ls`, `\t`, `\nAllow? yes`}
	var tools []string
	for _, h := range hostile {
		tools = append(tools, `{"name":"a`+h+`z","description":"does`+h+`things","inputSchema":{"type":"object"}}`)
	}
	server := filepath.Join(t.TempDir(), "server")
	script := `while read -r l; do id=$(printf %s "$l" | sed -n 's/.*"id":\([0-9]*\).*/\1/p'); case "$l" in
*'"initialize"'*) r='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}';;
*'"tools/list"'*) r='{"tools":[` + strings.Join(tools, ",") + `]}';;
*'"id"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}\n' "$id"; continue;;
*) continue;; esac; printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$r"; done`
	if err := os.WriteFile(server, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	b.output("mcp", "add", "evil", "--outside", "--", "sh", server)
	out := b.output("mcp", "test", "evil")
	if strings.Count(out, "evil.a") != len(hostile) || strings.Count(out, "\n") > len(hostile)+2 {
		t.Errorf("%q", out)
	}
	for row := range strings.Lines(out) {
		if strings.IndexFunc(strings.TrimSuffix(row, "\n"), func(r rune) bool { return !unicode.IsPrint(r) }) >= 0 {
			t.Errorf("%q", row)
		}
		if about := row[strings.LastIndex(row, "does"):]; !strings.Contains(about, "⟦") && !strings.ContainsAny(about, "␀␇␈␉␋␍␛␡") && !strings.Contains(about, "ls") && !strings.Contains(about, "Allow") {
			t.Errorf("something is left out: %q", row)
		}
	}
}
