package gate

import (
	"testing"

	"nebula"
)

// A command that opened what holds secrets is asked about where it could print them in another dress, and nobody asked about it by the
// name that stands in its line; what shows lines as they stand, builds, tests or runs the project is not.
func TestOnlyWhatCouldHideASecretIsAskedAbout(t *testing.T) {
	for line, want := range map[string]bool{
		"head -3 *": true,
		"git diff HEAD~1 2>/dev/null | tail -n 20":  true,
		"cd sub && npm test 2>&1 | tail -50":        true,
		"npm run build":                             true,
		"FOO=1 go test ./... -run X":                true,
		"timeout 60 pytest -q":                      true,
		"python -m pytest tests":                    true,
		"python manage.py test":                     true,
		"node server.js":                            true,
		"make test":                                 true,
		"make":                                      true,
		"./gradlew test":                            true,
		"cat *":                                     true,
		"rev .env":                                  true, // it was asked about by its name
		"ls -A | xargs rev":                         false,
		"find . -type f | xargs rev":                false,
		"find . -type f -exec rev {} +":             false,
		`for f in $(ls -A); do rev "$f"; done`:      false,
		`ls -A | while read f; do tac "$f"; done`:   false,
		`ls -A1 | sed 's/.*/rev "&"/' | sh`:         false,
		`ls -A | awk '{system("rev " $0)}'`:         false,
		"npm test | grep -c ^A":                     true,  // it reads what the tests print
		"npm test; grep -rc ^A .":                   false, // the tests need the files, and this tells what is in them
		"npm test; cat * | grep -q ^A":              false,
		"make && grep -l ^A *":                      false,
		"make | rg ^A":                              false,
		"grep -r . . | rev":                         false,
		"grep -rho . .":                             false,
		"grep -r --only-match . .":                  false,
		"rg --hidden . -r 'x$0'":                    false,
		"rg --hidden --json .":                      false,
		"tar c . | rev":                             false,
		"tar cf - .":                                false,
		"cat $(git ls-files -o) | rev":              false,
		`x=$(cat *); echo "${x:0:1}"`:               false,
		`x=$(cat *); case $x in A*) echo A;; esac`:  false,
		"git ls-files -o | xargs -n1 xxd -p":        false,
		"git grep --no-index -o .":                  false,
		"git diff --no-index --word-diff-regex=. a": false,
		"git -c alias.x='!rev *' x":                 false,
		"git archive HEAD":                          false,
		"head -c 20 *":                              false,
		"head -5c *":                                false,
		"tail --bytes=3 *":                          false,
		"cp -a . /tmp/z2":                           false,
		"cat * > notes.txt":                         false,
		"grep -r . . | tee notes.txt":               false,
		"eval $(echo cmV2IC5lbnY= | base64 -d)":     false,
		"echo cmV2IC5lbnY= | base64 -d | sh":        false,
		"printf 'rev x' > r.sh; sh r.sh":            false,
		"sh r.sh":                                   false,
		"python3 -c 'print(1)'":                     false,
		"python3 <<< 'print(1)'":                    false,
		"python3 /tmp/x.py":                         false,
		"node -e 'x'":                               false,
		"make -f - <<'E'\nall: ; rev *\nE":          false,
		"diff -y a b":                               false,
		"sort -z *":                                 false,
		"env":                                       false, // where it opened a file that holds secrets
		"f() { rev *; }; f":                         false,
		"cat <(rev *)":                              false,
		"unknown-program":                           false,
		"":                                          false,
	} {
		if got := Expected(Rules{}, nebula.Proposal{Effect: nebula.Execute, Command: line, Viewed: true}); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
	p := nebula.Proposal{Effect: nebula.Execute, Command: "python app.py", Viewed: true}
	if Expected(Rules{Unseen: map[string]int64{"app.py": 3}}, p) {
		t.Error("what was changed, and nobody saw")
	}
}

// What was opened is asked about under every policy but all, until the person said always; where nobody is there, it is not told.
func TestWhatWasOpenedIsAskedAbout(t *testing.T) {
	for _, effect := range []nebula.Effect{nebula.Read, nebula.Write} {
		p := nebula.Proposal{Action: nebula.Action{Tool: "executeShell"}, Effect: effect, Ran: "ls -A | xargs rev", Risks: []string{string(nebula.NewCode(nebula.Opens, ".env"))}}
		if effect == nebula.Write {
			p.Targets = []nebula.Target{{Path: "out/x", Kind: "create", Ignored: true}}
		}
		for approve, want := range map[Approve]nebula.Ruling{Ask: nebula.AskFirst, Edits: nebula.AskFirst, None: nebula.Deny, All: nebula.Allow} {
			if v := Judge(Rules{Mode: nebula.AgentMode, Approve: approve}, p); v.Ruling != want || v.Risk != High {
				t.Errorf("%s, %s: %+v", effect, approve, v)
			}
		}
		if v := Judge(Rules{Mode: nebula.AgentMode, Approved: map[string]int64{p.Key(): 1}}, p); v.Ruling != nebula.Allow {
			t.Errorf("%s: %+v", effect, v)
		}
		if !Lasts(p, Dangers(p, Full)) || matches(p, Dangers(p, Full)) != "always_told" {
			t.Errorf("%s: %s", effect, matches(p, Dangers(p, Full)))
		}
	}
}

// A search finds no line of what holds secrets, so that its pattern tells nothing of them: where that is not named, and not needed.
func TestASearchHasNoSecrets(t *testing.T) {
	for line, want := range map[string]bool{
		"grep -rn TODO .":                          true,
		"grep -rlE '^API_TOKEN=.{3}[a-f]' .":       true,
		"grep -rin --include='*.go' 'func main' .": true,
		"rg --hidden -n token | wc -l":             true,
		"git grep --untracked token | head -40":    true,
		"cat .[e]* | grep -c ^A":                   true,
		"cd sub && grep -rq ^A . && echo yes":      true,
		"git log -S token":                         true,
		"grep TOKEN .env":                          false, // it is asked about
		"npm test; grep -r A .":                    false, // see Expected
		"ls -A | xargs grep A":                     false, // see Expected
		"ls":                                       false,
		"npm test":                                 false,
	} {
		if got := Full.Selects(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
