package gate

import (
	"slices"
	"testing"

	"nebula"
)

// The name of a file that holds secrets is seen however it reaches what opens the file: quoted, put together, as what a
// command says, in what stands in the line for a program to read, in the code of another language, among the words of xargs.
func TestNamesOfSecretsAreSeenHoweverTheyAreGiven(t *testing.T) {
	for _, line := range []string{
		`cat <<< "$(< .env)"`,
		"xargs cat <<< .env",
		"sh <<< 'cat .env'",
		"bash <<EOF\ncat .env\nEOF",
		"python3 - <<EOF\nprint(open('.env').read())\nEOF",
		"cat <<EOF | sh\ncat .env\nEOF",
		"cat <<'EOF' | xargs base64\n.env\nEOF",
		"echo .env | xargs cat",
		"printf '%s\\n' .env | xargs base64",
		"printf 'cat %s' .env | sh",
		"printf 'cat .e%s' nv | sh",
		"echo cat .env | bash",
		"echo 'cat .env' | bash -s",
		`awk 'BEGIN{while((getline l < ".env")>0) print l}'`,
		`awk '{print}' ".env"`,
		`awk 'BEGIN{ARGV[1]=".env";ARGC=2} {print}'`,
		"awk -v f=.env 'BEGIN{while((getline l < f)>0) print l}'",
		"cat $'.env'",
		`cat $'\x2eenv'`,
		`cat $'.\145nv'`,
		`cat $'\u002eenv'`,
		`cat $".env"`,
		`python3 -c "print(open('.env').read())"`,
		`node -e 'console.log(require("fs").readFileSync(".env"))'`,
		"perl -ne print .env",
		`ruby -e 'puts File.read(".env")'`,
		`while read f; do cat "$f"; done <<< .env`,
		`echo .env | while read f; do base64 "$f"; done`,
		`echo .env | (read f; base64 "$f")`,
		`echo .env | { read f; base64 "$f"; }`,
		"for f in .env; do cat $f; done",
		"cat $(echo .env)",
		"cat `echo .env`",
		`cat "$(printf .env)"`,
		"cat .$(echo env)",
		"cat $(printf '.e%s' nv)",
		"f=$(echo .env); cat $f",
		`f=.env; cat "$f"`,
		"f=.e; cat ${f}nv",
		"f=.ENV; cat ${f,,}",
		`cat .e""nv`,
		"cat ./.e'n'v",
		"cat .e\\nv",
		"cat {.env,x}",
		"sed -n p .env",
		"sed -n 'r .env' x",
		"sed 'r .env' main.go",
		"sed '1e cat .env' main.go",
		"sed -f - main.go <<< 'r .env'",
		"echo .env | cpio -o",
		"echo .env | tar cT -",
		"tar c -T - <<< .env",
		"tar c .env",
		"echo .env | wc --files0-from=-",
		`printf '.env\0' | xargs -0 cat`,
		"find . -name '.env' | xargs cat",
		"find . -name .env -exec cat {} +",
		"git show HEAD:.env",
		"git diff --no-index /dev/null .env",
		"git grep . -- .env",
		"git cat-file --batch <<< HEAD:.env",
		"echo HEAD:.env | git cat-file --batch",
		"source .env",
		". ./.env; echo $KEY",
		`eval "cat .env"`,
		"eval cat .env",
		"cat < .env",
		"mapfile -t a < .env; echo ${a[@]}",
		"cp .env a.txt; cat a.txt",
		"ln -s .env a; cat a",
		"dd if=.env",
		"base64 .env",
		"jq -R . .env",
		"jq -n --rawfile a .env '$a'",
		"grep -r . --include=.env",
		"rg --hidden . -g .env",
		"grep -f .env x",
		"timeout 5 cat .env",
		`bash -c 'cat "$0"' .env`,
		"bash -c 'cat $1' _ .env",
		"sh -c \"$(cat <<'E'\ncat .env\nE\n)\"",
		"cat <(cat .env)",
		"exec 3< .env; cat <&3",
		`set -- .env; cat "$1"`,
		`a=(.env); cat "${a[0]}"`,
		"cat ${x:-.env}",
		": ${x:=.env}; cat $x",
		"x=env; cat .$x",
		"alias c='cat .env'; c",
		`f() { cat "$1"; }; f .env`,
		"parallel cat ::: .env",
		"echo .env | parallel cat",
		"xargs -I{} cat {} <<< .env",
		"xargs -I{} sh -c 'cat {}' <<< .env",
		"echo env | xargs -I{} cat .{}",
		"vim -es '+%print' '+q' .env",
		"ed -s <<< 'r .env'",
		`sqlite3 :memory: "select readfile('.env')"`,
		`sqlite3 :memory: <<< "select readfile('.env')"`,
		`gawk '@include ".env"'`,
		"trap 'cat .env' EXIT",
		"env sh -c 'cat .env'",
		`find . -exec sh -c 'cat .env' \;`,
		"make -f - <<< 'a:; cat .env'",
		"coproc cat .env",
		`python3 <<< "print(open('.env').read())"`,
		"m4 <<< 'include(.env)'",
		"bc .env",
		"cat -- .env",
		"cat .//.env",
		"cat sub/../.env",
		"cat $PWD/.env",
		`cat "${PWD}/.env"`,
		"printf .env | xargs -n1 cat",
		"echo id_rsa | xargs cat",
		"xargs cat <<EOF\nconfig/prod.key\nEOF",
		"echo ./.en{v,x} | xargs cat",
		"grep -e. .env",
		"grep -ex .env",
		"grep --regexp=x .env",
		"grep .env -e x",
		"sed -ep .env",
		"sed -ne p .env",
		"awk -fx .env",
		"cat .{env,x}",
	} {
		if !slices.Contains(Dangers(nebula.Proposal{Effect: nebula.Execute, Command: line}, Full), Secret) {
			t.Errorf("not seen: %s", line)
		}
	}
}

// What only says such a name, or looks for it, opens nothing.
func TestNamesOfSecretsInPassingAreNotAskedAbout(t *testing.T) {
	for _, line := range []string{
		"echo .env >> .gitignore",
		`echo "put it into .env" | cat`,
		`git commit -m "ignore .env"`,
		"git commit -m 'read the settings from .env'",
		"grep -n .env .gitignore",
		"printf '.env\\n' | tee -a .gitignore",
		"echo .env | grep env",
		"cat > .env.example <<EOF\nA=b\nEOF",
		"cat > README.md <<EOF\ncopy .env.example to .env\nEOF",
		"cat > main.py <<'EOF'\nload(\".env\")\nEOF",
		"python3 - <<'EOF'\nprint(open('main.go').read())\nEOF",
		`echo "see .env" | sed 's/a/b/'`,
		"find . -name '*.go' | xargs wc -l",
		"git ls-files | xargs wc -l",
		`cat <<< "no .env here"`,
		`grep -c x <<< ".env"`,
		"echo 'API.key' | wc -c",
		"git log --format='%h %s' | head",
		"printf 'a\\nb\\n' | sort | uniq -c",
		"awk -F: '{print $1}' main.go",
		"awk '/password/{print $2}' main.go",
		`while read l; do echo "$l"; done < main.go`,
		"for f in a b; do echo $f; done | wc -l",
		"python3 -c 'print(1)'",
		"node -e 'process.env.PATH'",
		"node -e 'console.log(process.env)'",
		"node -e 'console.log(import.meta.env)'",
		`python3 -c "import os; print(os.environ.get('X'))"`,
		`echo $'a\tb'`,
		"printf '%s' $'x\\ny' | wc -l",
		"grep -e .env main.go",
		"grep -e a -e .env main.go",
		"sed -i -e s/a/b/ main.go",
		"jq -e .a.env x",
		"echo {1..3}",
		"git tag -m 'to .env' x",
		`git commit -am "see .env"`,
		"git commit -F - <<< 'see .env'",
		"rm {a,b}",
		"echo '// see .env' | gofmt",
	} {
		if d := Dangers(nebula.Proposal{Effect: nebula.Execute, Command: line}, Full); slices.Contains(d, Secret) {
			t.Errorf("%s: %v", line, d)
		}
	}
}

// What is known only when it runs is not low.
func TestNamesThatAreMadeWhenTheLineRunsAreUnclear(t *testing.T) {
	for _, line := range []string{
		"printf 'cat .e%s\\n' nv >x; sh x",
		"find . -name '.en*' -exec base64 {} +",
		"ls -A | grep env | xargs base64",
		"echo 'cat .env' > x.sh; sh x.sh",
		"echo env | sed 's/^/./' | xargs cat",
		"echo vne. | rev | xargs cat",
		"echo Y2F0IC5lbnYK | base64 -d | sh",
		"tee x <<< .env; xargs cat < x",
		"cat $(echo ls | rev)",
		"cat $(echo ls | cat x)",
		"cat $(ls -A | cat)",
		"cat $(x=1)",
		"echo() { printf .env; }; cat $(echo ls)",
		`cat $(printf "$x")`,
		`cat $(printf 'ls\q')`,
	} {
		if Risk(Dangers(nebula.Proposal{Effect: nebula.Execute, Command: line}, Full)) == Low {
			t.Errorf("low: %s", line)
		}
	}
	for _, line := range []string{"cat $(echo a.go)", "cat $(echo a.go | cat)", "cat $(printf a.go)"} {
		if d := Dangers(nebula.Proposal{Effect: nebula.Execute, Command: line}, Full); len(d) > 0 {
			t.Errorf("%s: %v", line, d)
		}
	}
}

// What a backslash stands for is read as the shell reads it, and what it does not know is told.
func TestQuotingsAreReadAsTheShellReadsThem(t *testing.T) {
	for text, want := range map[string]string{
		`\x41\101\u00e9\U0001F600\n`: "AA\u00e9\U0001F600\n", `\xe9`: "\xe9", `\351`: "\xe9", `a\\b\'\"`: `a\b'"`, `\`: `\`, `\q`: `\q`, `100%`: "100%",
	} {
		if got, ok := escaped(text); got != want || ok != (text != `\q`) {
			t.Errorf("%s: %q %v", text, got, ok)
		}
	}
	for line, want := range map[string]bool{`echo "${x@P}"`: true, `echo "${!x}"`: true, `echo "$x"`: false, `echo "${x:-a}"`: false} {
		if got := slices.Contains(command(line), Unclear); got != want {
			t.Errorf("%s: unclear %v", line, got)
		}
	}
}

// What a build reads counts by where it is and by how it was called, unless nobody looks at it.
func TestWhatABuildReadsIsKnownByEitherName(t *testing.T) {
	for _, c := range []struct {
		target nebula.Target
		want   bool
	}{
		{nebula.Target{Path: "Makefile"}, true}, {nebula.Target{Path: "real.txt", Named: "Makefile"}, true}, {nebula.Target{Path: "Makefile", Named: "x"}, true},
		{nebula.Target{Path: "a.txt", Named: "b.txt"}, false}, {nebula.Target{Path: "a.txt"}, false}, {nebula.Target{Path: "Makefile", Ignored: true}, false}, {nebula.Target{Path: "x", Named: "Makefile", Ignored: true}, false},
	} {
		if got := atBuild(nebula.Proposal{Effect: nebula.Write, Targets: []nebula.Target{c.target}}); got != c.want {
			t.Errorf("%+v: %v", c.target, got)
		}
	}
}
