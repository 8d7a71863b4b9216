package workspace

import (
	"os"
	"path/filepath"
	"strings"
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
	if got := strings.Join(d.Values(), " "); !strings.Contains(got, "sesame-open-12345") || strings.Contains(got, "this-is-no-secret-file") {
		t.Errorf("%q", got)
	}
	e, err := d.Run(t.Context(), executing(t), Command{Line: `. ./.env; echo ${#API_TOKEN} $API_TOKEN; echo $DATABASE_URL; echo $SITE $SHORT_KEY commented-out-value; cut -d= -f2 .env.local prod.env notes.txt`}, nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = "17 [key hidden by nebula]\npostgres://[key hidden by nebula]@db.example/x\nhttps://example.org/a-long-address abc commented-out-value\n\"[key hidden by nebula]\"\n[key hidden by nebula]\nthis-is-no-secret-file\n"
	if string(e.Output) != want {
		t.Errorf("%s", e.Output)
	}
}

// Whatever a command does with the files that hold secrets, what it prints is rid of them: in folders below, in repositories, in
// archives, by name or by pattern, in a box and outside of it.
func TestSecretsComeBackByNoCommand(t *testing.T) {
	skipWithoutShell(t)
	d := opened(t)
	const word = "sesame-open-12345"
	for name, text := range map[string]string{
		"sub/.env":              "APP=shop\nAPI_KEY=" + word + "\nDB_PASS=hunter2\nAUTH_ON=true\n",
		"keys/id_rsa":           "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA" + word + "\nAAAAAAAAAAtail\n-----END OPENSSH PRIVATE KEY-----\n",
		"config/secrets.yaml":   "db:\n  password: " + word + "-yaml\n",
		"config/secrets.json":   `{"a":{"client_secret":"` + word + `-json","region":"eu-west"}}`,
		"home/.netrc":           "machine a login b password " + word + "-netrc\n",
		".npmrc":                "//registry.example/:_authToken=" + word + "-npm\n",
		".git/config":           "[remote \"origin\"]\n\turl = https://oauth2:" + word + "@git.example/x.git\n[http]\n\textraheader = AUTHORIZATION: basic " + word + "-header\n",
		"node_modules/x/.env":   "API_KEY=only-a-test-value-of-others\n",
		"sub/.env.example":      "API_KEY=put-your-own-key-here\n",
		"sub/deep/er/prod.env":  "export SIGNING_KEY=\"" + word + "-deep\"\n",
		"sub/deep/er/other.txt": "API_KEY=in-a-file-like-others\n",
	} {
		if err := os.MkdirAll(filepath.Join(d.Path(), filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(d.Path(), name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{
		"grep -rh . . --include=* | sort", "tar c . | tr -d '\\000'", "cat sub/.e* keys/id_*", "find . -type f -exec cat {} +", "sed -n '/KEY/p' sub/.en?", "cat .git/config",
		"for f in $(find . -name '*env'); do while read l; do echo $l; done < $f; done", "cp -r sub out; cat out/.env; rm -r out",
	} {
		e, err := d.Run(t.Context(), executing(t), Command{Line: line}, nil)
		if out := string(e.Output); err != nil || strings.Contains(out, "sesame") || strings.Contains(out, "hunter2") {
			t.Errorf("%s: %v %s", line, err, out)
		}
	}
	e, err := d.Run(t.Context(), executing(t), Command{Line: "grep -rh . sub node_modules config .git/config | sort"}, nil)
	for _, kept := range []string{"APP=shop\n", "AUTH_ON=true\n", "only-a-test-value-of-others", "put-your-own-key-here", "in-a-file-like-others", "eu-west", "@git.example/x.git"} {
		if err != nil || !strings.Contains(string(e.Output), kept) {
			t.Errorf("%s: %v %s", kept, err, e.Output)
		}
	}
}

// Files in which by their content nothing is secret are not asked about when they are opened; what cannot be told is.
func TestOnlyWhatHoldsSecretsIsAskedAbout(t *testing.T) {
	dir := t.TempDir()
	for name, tt := range map[string]struct {
		text string
		want bool
	}{
		".env":         {"API_TOKEN=sesame-open-12345\n", true},
		".env.local":   {"# of the server\nPORT=3000\n[other]\nLEVEL: debug\n", false},
		".npmrc":       {"registry=https://registry.example/\nsave-exact=true\n", false},
		"auth/.npmrc":  {"//registry.example/:_authToken=sesame-open-npm\n", true},
		"cert.pem":     {"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", false},
		"server.pem":   {"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n", true},
		"master.key":   {"0f0f0f0f\n", true},
		"wallet.dat":   {"\x00\x01=\xff\n", true},
		"cut.pem":      {"-----BEGIN CERTIFICATE-----\nMIIB\n", true},
		".envrc":       {"use flake\n", false},
		".git/config":  {"url = https://me:sesame-open-12345@git.example/x\n", false},
		"secrets.yaml": {"db:\n  password: sesame-open-yaml\n", true},
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := len(secretive([]string{file})) == 1; got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
