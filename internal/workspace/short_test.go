package workspace

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"nebula"
)

// A short value is taken for a secret where its name says so and it is nothing that people write anyway.
func TestShortSecretsAreToldFromWords(t *testing.T) {
	const file = "/work/shop/.env"
	for _, tt := range []struct{ text, want string }{
		{"DB_PASSWORD=hunter2\n", "hunter2"},
		{"DB_PASS='p@ss-w0rd'\n", "p@ss-w0rd"},
		{"export ADMIN_PASSWORD=Tr0ub4dor\n", "Tr0ub4dor"},
		{"password: swordfish\n", "swordfish"},
		{"JWT_SECRET=s3cr3t!\n", "s3cr3t!"},
		{"PIN_TOKEN=482913\n", "482913"},
		{"API_KEY=ab12cd34\n", "ab12cd34"},
		{"DB_PASSWORD_PROD=kx9qmv\nSECRET=kXqmzW\n", "kx9qmv kXqmzW"},
		{"DATABASE_URL=postgres://me:xk42mq@db/x\n", "xk42mq"},
		{`{"client_secret":"q7w8e9","region":"eu-west-1"}` + "\n", "q7w8e9"},
		{"DOOR=Tr0ub4dor\nLOGIN='x9k2m4q7'\nMAGIC=aB3dE5fG7hJ9kL1m\n", "Tr0ub4dor x9k2m4q7 aB3dE5fG7hJ9kL1m"}, // whatever they are called
		{"MODEL=claude-3-5-sonnet-20241022\nFALLBACK=gpt-4o-2024\nDB=postgres15\nCHARSET=utf8mb4\nCOLLATION=utf8mb4_unicode_ci\nREGION=us-east-1\nAT=20250102T030405Z\nRATES=9600,4800\nWHERE=10.20.30.40\nIMAGE=python3.13\nTZ=Europe/Paris\nAPP=my-shop-2\nMODES=8N1,7E1\nID=123456789012\nFILE=db.sqlite3\nRUN=arm64v8\nNAME=\"Shop Development\"\nDRIVER=database\nURL=http://localhost:3000\n", ""},
		{"REDIS_PASSWORD=日本語\n", ""},
		{"DB_PASSWORD=postgres\n", ""},
		{"DB_USER=kantoku\nDB_PASSWORD=kantoku\n", ""},
		{"DB_PASSWORD=shop\nSECRET=shop1\nTOKEN=abc123\n", "abc123"},
		{"AUTH_TOKEN=true\nUSE_TOKEN=false\n", ""},
		{"PASSWORD=admin\nSECRET=changeme123\nA_TOKEN=session\nB_TOKEN=README.md\nC_SECRET=response\nD_SECRET=eu-west-1\n", ""},
		{"PASSWORD=localhost\nTOKEN=5432\n", ""},
		{"PASSWORD_MIN_LENGTH=abc123x\nTOKEN_TTL=3600s\nTOKEN_URL=/o/token1\nSECRET_NAME=my-app-1\n", ""},
		{"JWT_SECRET=v1.2.3\nSIGNING_SECRET=sha256\nTOKEN=10.0.0.1\nX_TOKEN=2024-01-01\nY_TOKEN=512MB\nZ_SECRET=$OTHER_1\nW_TOKEN=es2022\n", ""},
		{"HTTP_AUTH=basic1\nAWS_REGION=eu-west-1\nCACHE_KEY=user42\n", ""},
	} {
		if got := strings.Join(shortWords(file, tt.text), " "); got != tt.want {
			t.Errorf("%q: %q", tt.text, got)
		}
	}
}

// What a command prints, and a copy holds, is rid of short passwords as of long ones.
func TestShortSecretsDoNotComeBack(t *testing.T) {
	skipWithoutShell(t)
	d := opened(t)
	for name, text := range map[string]string{".env": "DB_PASSWORD=hunter2\nDB_USER=postgres\nPORT=5432\nDEBUG=true\n", "notes.txt": "hunters2 met hunter23 at localhost:5432, true\n"} {
		if err := os.WriteFile(filepath.Join(d.Path(), name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e, err := d.Run(t.Context(), executing(t), Command{Line: `. ./.env; echo "$DB_PASSWORD" $DB_USER $PORT; echo "url=$DB_PASSWORD@db"; cp .env c.txt; cut -d= -f2 c.txt; rm c.txt; cat notes.txt`}, nil)
	const want = "[key hidden by nebula] postgres 5432\nurl=[key hidden by nebula]@db\n[key hidden by nebula]\npostgres\n5432\ntrue\nhunters2 met hunter23 at localhost:5432, true\n"
	if err != nil || string(e.Output) != want {
		t.Errorf("%v %s", err, e.Output)
	}
	if got := NewSecrets(d).Text("hunter2, postgres"); got != "[key hidden by nebula], postgres" {
		t.Error(got)
	}
}

// A copy that the session made does not give away the lines of what is not to be read; another file that has them does.
func TestACopyDoesNotGiveLinesAway(t *testing.T) {
	skipWithoutShell(t)
	d := opened(t)
	for name, text := range map[string]string{"diary.md": "the whale sings\nimport everything\n", "q.txt": "+the whale sings\n", "a.py": "import everything\n"} {
		if err := os.WriteFile(filepath.Join(d.Path(), name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	is := func(name string) func(string) bool { return func(path string) bool { return path == name } }
	r := nebula.Result{Text: "+the whale sings\nimport everything\n"}
	for touched, want := range map[string]string{"q.txt": "+[key hidden by nebula]\nimport everything\n", "": r.Text} {
		if got := NewSecrets(d).Unread(r, is("diary.md"), is(touched)).Text; got != want {
			t.Errorf("%q: %q", touched, got)
		}
	}
}

// What a diff or a search shows of a file that is not to be read stays out by the file's name, though it stands nowhere but in history.
func TestHistoryOfWhatIsUnreadStaysOut(t *testing.T) {
	unread := func(path string) bool { return path == "conf/key.txt" }
	const out, head = "[key hidden by nebula]\n", "diff --git a/conf/key.txt b/conf/key.txt\n"
	for text, want := range map[string]string{
		head + "@@ -1 +1 @@\n-old\n+new\ndiff --git a/a.go b/a.go\n+x\n":     head + out + "diff --git a/a.go b/a.go\n+x\n",
		"| " + head + "| @@ -1 +1 @@\n| -old\n* commit 4a8a552e\n|  one\n":   "| " + head + out + "* commit 4a8a552e\n|  one\n",
		"diff --git \"i/conf/key.txt\" \"w/conf/key.txt\"\n-old\n":           "diff --git \"i/conf/key.txt\" \"w/conf/key.txt\"\n" + out,
		"diff --git conf/key.txt conf/key.txt\n-old\n":                       "diff --git conf/key.txt conf/key.txt\n" + out,
		"diff --cc conf/key.txt\n++old\n":                                    "diff --cc conf/key.txt\n" + out,
		"diff -ru x/conf/key.txt conf/key.txt\n< old\n":                      "diff -ru x/conf/key.txt conf/key.txt\n" + out,
		"HEAD~1:conf/key.txt:old\nHEAD~1:a.go:x\n":                           out + "HEAD~1:a.go:x\n",
		"conf/key.txt:3:old\nconf/key.txt-4-old\n":                           out + out,
		"conf/key.txt: 3 lines\nsee conf/key.txt:\n conf/key.txt | 4 ++--\n": out + "see conf/key.txt:\n conf/key.txt | 4 ++--\n",
		"diff --git a/a.go b/a.go\n+x\n":                                     "diff --git a/a.go b/a.go\n+x\n",
		"diff --git a/a.go b/a.go\n+x\n[2 MB left out here]\n-old\n" + head:  "diff --git a/a.go b/a.go\n+x\n[2 MB left out here]\n" + out + head,
	} {
		if got := shownOf(text, unread); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// How far git has a file is read of its index, and of what is in the file.
func TestHowFarGitHasWhatIsUnread(t *testing.T) {
	d := opened(t)
	git := func(args ...string) {
		if out, err := exec.Command("git", append([]string{"-C", d.Path(), "-c", "user.name=a", "-c", "user.email=a@b.c"}, args...)...).CombinedOutput(); err != nil {
			t.Skip(err, string(out))
		}
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(d.Path(), name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept := func(name string, want int) {
		t.Helper()
		if got := NewSecrets(d).Kept(func(path string) bool { return path == name }); got != want {
			t.Errorf("%s: %d, not %d", name, got, want)
		}
	}
	kept("key.txt", 2) // of which repository is not known
	git("init", "-q")
	write("key.txt", "one\n")
	write("other.txt", "x\n")
	kept("key.txt", 0)
	git("add", "key.txt")
	kept("key.txt", 1)
	kept("other.txt", 0)
	write("key.txt", "two\n")
	kept("key.txt", 2)
}
