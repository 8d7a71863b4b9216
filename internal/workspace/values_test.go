package workspace

import (
	"os"
	"path/filepath"
	"testing"
)

// A program may use what a file gives it that holds secrets; what it prints of them does not come back.
func TestSecretsOfTheProjectDoNotComeBack(t *testing.T) {
	skipWithoutShell(t)
	d := opened(t)
	for name, text := range map[string]string{
		".env":       "# TOKEN=commented-out-value\nexport API_TOKEN='sesame-open-12345'\nDATABASE_URL=postgres://me:hush-hush@db.example/x\nSITE=https://example.org/a-long-address\nSHORT_KEY=abc\n",
		".env.local": "DB_PASSWORD=\"correct horse battery\"\n",
		"prod.env":   "THING=ghp_0123456789abcdefghijklmnopqrstuvwxyz\n",
		"notes.txt":  "OTHER_TOKEN=this-is-no-secret-file\n",
	} {
		if err := os.WriteFile(filepath.Join(d.Path(), name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e, err := d.Run(t.Context(), executing(t), Command{Line: `. ./.env; echo ${#API_TOKEN} $API_TOKEN; echo $DATABASE_URL; echo $SITE $SHORT_KEY commented-out-value; cut -d= -f2 .env.local prod.env notes.txt`}, nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = "17 [key hidden by nebula]\n[key hidden by nebula]\nhttps://example.org/a-long-address abc commented-out-value\n\"[key hidden by nebula]\"\n[key hidden by nebula]\nthis-is-no-secret-file\n"
	if string(e.Output) != want {
		t.Errorf("%s", e.Output)
	}
}
