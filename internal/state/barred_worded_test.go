package state_test

import (
	"strings"
	"testing"

	"nebula"
)

// What files are called that have no ending of their own in the sentence: the lockfile, dotfiles, the tests.
func TestFilesThatAreCalledByWhatTheyAre(t *testing.T) {
	for _, c := range []struct{ said, held, free string }{
		{"Don't touch the lockfile.", "yarn.lock package-lock.json go.sum sub/Cargo.lock", "package.json lock.go"},
		{"Leave lockfiles alone.", "yarn.lock", "main.go"},
		{"Don't touch dotfiles.", ".gitignore web/.eslintrc", "main.go a.b"},
		{"Leave my dotfiles as they are.", ".gitignore", "main.go"},
		{"Don't touch the config files.", "vite.config.js app.toml config.json .babelrc", "main.go package.json configure.go"},
		{"Never change the README.", "README.md README.ja.md", "main.go"},
		{"Only edit the tests.", "a.go README.md", "a_test.go tests/a.py web/a.spec.ts"},
		{"Change only the tests.", "a.go", "a_test.go"},
		{"Only touch tests, please.", "a.go", "a_test.go"},
		{"テストだけ変更して", "a.go", "a_test.go"},
		{"テストだけ実行して", "", "a.go"},
		{"Only change the tests that fail.", "", "a.go"},
		{"Only run the tests.", "", "a.go a_test.go"},
		{"Only fix the failing tests.", "", "a.go a_test.go"},
		{"Remove the lockfile.", "", "yarn.lock main.go"},
		{"The daemon holds a lockfile; don't touch main.go.", "main.go", "yarn.lock"},
		{"Read the dotfiles and change main.go.", "", ".gitignore main.go"},
	} {
		s := after(c.said, "Go on.")
		for _, path := range strings.Fields(c.held) {
			if s.Barred(nebula.Target{Path: path, Kind: "edit"}) == "" {
				t.Errorf("%s: %s is free", c.said, path)
			}
		}
		for _, path := range strings.Fields(c.free) {
			if s.Barred(nebula.Target{Path: path, Kind: "edit"}) != "" {
				t.Errorf("%s: %s is held", c.said, path)
			}
		}
	}
}

// What was forbidden in German, French or Spanish is let go of in the same.
func TestOtherLanguagesLetGoOfWhatTheyForbid(t *testing.T) {
	for _, c := range []struct{ rule, said string }{
		{"config.yml nicht anfassen", "Ändere jetzt config.yml."}, {"Ändere config.yml nicht.", "Du darfst config.yml jetzt ändern."},
		{"Ne touche pas à config.yml", "Modifie maintenant config.yml."}, {"Ne modifie pas config.yml.", "Tu peux modifier config.yml."},
		{"no toques config.yml", "Ahora modifica config.yml."}, {"No cambies config.yml.", "Ya puedes cambiar config.yml."},
	} {
		held := func(said ...string) bool {
			return after(said...).Barred(nebula.Target{Path: "config.yml", Kind: "edit"}) != ""
		}
		if !held(c.rule) || held(c.rule, c.said) {
			t.Errorf("%s %s: held %v, then %v", c.rule, c.said, held(c.rule), held(c.rule, c.said))
		}
	}
}

// Who names in German, French or Spanish what alone may change keeps the rest.
func TestOtherLanguagesNameWhatAloneMayChange(t *testing.T) {
	for _, said := range []string{"Nur main.py ändern.", "Ändere nur main.py.", "Ne modifie que main.py.", "Solo cambia main.py.", "Modifica solo main.py."} {
		s := after(said, "Go on.")
		if s.Barred(nebula.Target{Path: "b.py", Kind: "edit"}) == "" || s.Barred(nebula.Target{Path: "main.py", Kind: "edit"}) != "" {
			t.Errorf("%s: %+v", said, s.Bars)
		}
	}
}
