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
			t.Errorf("%s: %+v", said, s.Bars())
		}
	}
}

// A ban is one in whatever everyday words, and holds nothing else.
func TestBansInEverydayWords(t *testing.T) {
	for _, said := range []string{
		"Fix the bug. api/ is not yours.", "Fix the bug; api/ isn't yours to change.", "Keep your hands off api/.", "Fix it, but keep your hands off api/.",
		"Leave api/ alone.", "Leave api/ as it is.", "Leave api/ as is, fix the rest.", "Leave api/ be.", "Leave api/ untouched.", "api/ is mine.", "api/ belongs to another team, stay out.",
		"Stay away from api/.", "Keep away from api/.", "Keep out of api/.", "Don't mess with api/.", "Don't go near api/.", "Do not lay a finger on api/.", "No touching api/.", "Nobody touches api/.",
		"Treat api/ as read-only.", "api/ is off limits.", "api/ is off-limits, fix the rest.", "api/ stays as it is.", "api/ must stay the way it is.", "Paws off api/.", "api/ is none of your business.", "Steer clear of api/.", "Don't fiddle with api/.",
		"I'd rather you didn't touch api/.", "api/ is not to be touched.", "api/ is not yours to touch.", "Fix it without touching api/.", "You have no business in api/.", "Don't you dare touch api/.", "api/ is sacred.", "api/ isn't yours.", "Don't tamper with api/.", "Not api/ though.",
		"api/はいじらんといて。", "api/には手を出さないで。", "api/は触らんといて。", "api/はそのままで。", "api/はそのままにしておいて。", "api/は触るな。", "api/には触れないで。", "api/はいじらないで。", "api/は放っておいて。", "api/はノータッチで。", "api/には手をつけないで。", "api/は変えんといて。", "api/は変えちゃだめ。", "api/は触っちゃだめ。", "api/は触らないでください。", "api/はさわらんといてな。", "api/は現状維持で。", "api/はあなたの担当ではない。", "api/に手を加えないで。", "api/は今のままで。", "直して。ただしapi/はそのままで。", "api/はいじるな。", "api/は触ったらあかん。", "api/は触らんとって。", "api/は対象外で。", "api/は弄らないで。", "api/以外を直して。", "api/はほっといて。",
	} {
		s := after(said, "Go on.")
		for path, want := range map[string]bool{"api/a.go": true, "b.go": false} {
			if held := s.Barred(nebula.Target{Path: path, Kind: "edit"}) != ""; held != want {
				t.Errorf("%s: %s is held: %v", said, path, held)
			}
		}
	}
	for _, said := range []string{"This bug is not yours to blame on api/.", "Paws are in api/.", "api/ belongs to the server; fix it.", "Not api/ but b.go fails.", "api/の仕事を直して。", "api/を触ったら壊れた。直して。", "Is api/ not yours?"} {
		if s := after(said, "Go on."); s.Barred(nebula.Target{Path: "api/a.go", Kind: "edit"}) != "" {
			t.Errorf("%s: api/ is held", said)
		}
	}
}

// A folder that is named without the mark of one is held as well, and no pronoun or common word is a folder.
func TestABareWordIsTheFolderThatItNames(t *testing.T) {
	for _, form := range []string{
		"%s is not yours.", "Tidy up. %s isn't yours to change.", "Tidy up. %s is off limits.", "%s must not change.", "%s must not be changed; tidy the rest.", "Tidy up; %s stays as it is.", "Don't touch %s.", "Tidy up, but leave %s alone.",
		"片付けて。%sは触らないで", "%sはいじらないで。", "%sは変更しないで", "%sはいじるな", "片付けて。%sは変更禁止", "片付けて。%sはそのままにして", "%sには手を出さないで", "%sの中は触らないで", "片付けて。%sはいじらんといて", "%sはあなたの担当ではない。",
	} {
		for _, name := range []string{"api", "the api", "`api`", `"api"`, "./api", "the api folder", "「api」"} {
			if ascii := form[len(form)-1] < 0x80 && !strings.Contains(form, "。"); ascii == (name == "「api」") || !ascii && strings.Contains(name, "the ") {
				continue
			}
			said := strings.ReplaceAll(form, "%s", name)
			s := after(said, "Go on.")
			for path, want := range map[string]bool{"api/a.go": true, "b.go": false} {
				if held := s.Barred(nebula.Target{Path: path, Kind: "edit"}) != ""; held != want {
					t.Errorf("%s: %s is held: %v", said, path, held)
				}
			}
		}
	}
	for _, said := range []string{"api is not yours?", "The bug in api is not yours.", "It is not yours.", "apiを触ったら壊れた。直して。", "apiを変更して", "The name is off limits in api.", "Change api; it must not change twice."} {
		if s := after(said, "Go on."); len(s.Bars()) > 0 && s.Barred(nebula.Target{Path: "api/a.go", Kind: "edit"}) != "" {
			t.Errorf("%s: %+v", said, s.Bars())
		}
	}
}
