package state_test

import (
	"strings"
	"testing"

	"nebula"
)

// What people forbid in passing is read, and what only sounds like it is not: each row has what is held and what is free, and twins that
// forbid none of it. A name behind read: is one that is not to be read, one behind act: an act.
func TestWhatIsForbiddenInPassing(t *testing.T) {
	for _, c := range []struct{ said, held, free, twins string }{
		{"keep.txt -- don't", "keep.txt", "a.txt", "keep.txt -- don't you think it is odd?|keep.txt -- don't know what it is for, fix it|Fix keep.txt -- don't wait for me.|Change keep.txt -- do not ask."},
		{"Tidy up. keep.txt: don't!", "keep.txt", "a.txt", "keep.txt: don't panic, it is small|In keep.txt: don't use tabs|keep.txt, don't forget it"},
		{"Don't even open config.yml", "config.yml read:config.yml", "a.yml read:a.yml", "Don't even open a door.|It does not even open config.yml.|Does it even open config.yml?|Why can't it even open config.yml"},
		{"Never even look at config.yml, please.", "config.yml read:config.yml", "a.yml", "Never mind config.yml.|Even look at config.yml.|Look at config.yml even if it is long."},
		{"Leave the Go code alone", "main.go pkg/a.go", "a.py go.mod README.md", "Leave the Go code style to gofmt.|Go, leave it at that.|Explain the Go code.|Leave a note on the Go code in README.md."},
		{"Don't touch the TypeScript code.", "a.ts web/b.tsx", "a.js a.css", "Fix the TypeScript code.|Don't touch up the TypeScript code review.|Touch the TypeScript code."},
		{"Don't change the Python sources", "a.py", "a.go", "Change the Python sources|Don't change how Python sources are found.|Don't change Python code style rules in README.md"},
		{"Leave the CSS alone.", "a.css web/b.scss", "a.html", "Leave CSS classes in the HTML.|Write the CSS.|Don't leave the CSS alone; fix it."},
		{"Never edit the shell scripts.", "a.sh", "a.py", "Edit the shell scripts.|Never edit in the shell.|Never run the shell scripts as root."},
		{"Leave the SQL and Rust code untouched", "a.sql b.rs", "a.go", "Rust is untouched by this.|Write SQL and Rust code.|Leave room for SQL and Rust code."},
		{"don't touch hidden files", ".env .github.yml sub/.eslintrc", "env a.go", "Show hidden files.|Touch hidden files.|Fix the hidden files option."},
		{"Don't change any file whose name starts with keep", "keep.txt sub/keeper.go", "a.txt bookkeep.go", "Change any file whose name starts with keep|List files whose name starts with keep.|Which file's name starts with keep? Don't change a.py."},
		{"Never touch files starting with `keep`.", "keep.txt", "a.txt", "Touch files starting with keep.|Never start with keep.|Show files starting with keep."},
		{"Leave all files that begin with keep_ alone.", "keep_a.go", "keep.go", "Begin with keep_a.go.|Write files that begin with keep_.|All files that begin with keep_ are old."},
		{"don't read secrets.txt", "read:secrets.txt read:sub/secrets.txt read:secr*", "secrets.txt read:a.txt", "Read secrets.txt.|It doesn't read secrets.txt, mend that.|Don't read secrets.txt twice in the loader.|Why don't you read secrets.txt?|Don't read too much into secrets.txt"},
		{"Fix it without opening secrets.txt or keys.json.", "read:secrets.txt read:keys.json", "read:a.txt", "Fix opening secrets.txt.|Fix it without opening hours.|It ends without reading secrets.txt; mend that.|Open secrets.txt."},
		{"secrets.txtは読まないで", "read:secrets.txt", "read:a.txt secrets.txt", "secrets.txtを読んで|secrets.txtを読まないバグを直して|secrets.txtは読めません"},
		{"don't run the migrations", "act:migrate", "a.sql migrations/1.sql", "Run the migrations.|Don't run from the migrations.|Write the migrations.|Why don't you run the migrations?"},
		{"Fix the model. Don't apply any database migrations.", "act:migrate", "migrations/1.sql", "Apply the database migrations.|The app does not apply migrations; fix that.|Apply the fix; the migrations are old."},
		{"Never migrate the database.", "act:migrate", "a.sql", "Migrate the database.|Never migrate to React.|It never migrates the database, mend that."},
		{"マイグレーションは実行しないで", "act:migrate", "a.sql", "マイグレーションを実行して|マイグレーションを書いて|マイグレーションが実行されないバグを直して"},
	} {
		held := func(said, what string) bool {
			s := after(said, "Go on.")
			if file, ok := strings.CutPrefix(what, "read:"); ok {
				return s.Unread(nebula.Target{Path: file}) != ""
			}
			if act, ok := strings.CutPrefix(what, "act:"); ok {
				return s.ForbiddenAct(act, "x") != ""
			}
			return s.Barred(nebula.Target{Path: what, Kind: "edit"}) != ""
		}
		for _, what := range strings.Fields(c.held) {
			if !held(c.said, what) {
				t.Errorf("%s: %s is free", c.said, what)
			}
			twins := strings.Split(c.twins, "|")
			for _, twin := range twins {
				if held(twin, what) {
					t.Errorf("%s: %s is held", twin, what)
				}
			}
			if len(twins) < 3 {
				t.Errorf("%s: %d twins", c.said, len(twins))
			}
		}
		for _, what := range strings.Fields(c.free) {
			if held(c.said, what) {
				t.Errorf("%s: %s is held", c.said, what)
			}
		}
	}
	for said, allowed := range map[string]string{"Don't read secrets.txt.": "You may read secrets.txt now.", "secrets.txtは読まないで": "secrets.txtを読んでください"} {
		if s := after(said, allowed); s.Unread(nebula.Target{Path: "secrets.txt"}) != "" {
			t.Errorf("%s %s: still held", said, allowed)
		}
	}
}
