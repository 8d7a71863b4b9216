package gate

import "testing"

// What the shell makes of a pattern counts as if it were named, and what it does not come to is not asked about.
func TestPatternsAreWhatTheyComeTo(t *testing.T) {
	files := func() []string { return []string{".env", "sub/.env", "sub/id_rsa", "certs/server.key"} }
	for line, want := range map[string]bool{
		"cat sub/.e* id_*": true, "cat .e??": true, "head -n1 .en[v]": true, "cat .e{n,x}v": true, "cat .{a,e{m,n}}v": true, "cat su?/.env*": true, "cat ./.e*": true,
		"cat sub/*": true, "cd sub && cat id_*": true, "cd sub && cat .e*": true, "for f in .e*; do cat $f; done": true, "cat < .e*": true, "cat */*.key": true,
		"cat .[!a]nv": true, "cat .[[:alpha:]]nv": true, "cat /work/x/sub/.e*": true, "cat ../x/.e*": true, "cat .{e..f}nv": true, "x=.e; cat ${x}*": true, "sh -c 'cat .e*'": true,
		"git -C sub show :.e*": false, "tar -C sub -c .e*": true, "find . -name '.e*'": true, "cat [.]env": false, "grep KEY .e*": true, "xargs cat .e*": true, `cat .en\v*`: true,
		"cat *": false, "ls -l *.go": false, "cat id_*": false, "echo .e*": false, "grep '.e*' main.go": false, "cat sub/*.txt": false, "cat sub/?": false, "awk '{print $1, $2}' x": false,
		"cat .env": false, "cat *.key": false, "cat [": false, "cat {": false, "cat sub/{a,b}": false, "cat {a": false,
	} {
		if got := Matches(line, files); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
	if Matches("cat .env", func() []string { t.Error("asked without a pattern"); return nil }) {
		t.Error("a name is no pattern")
	}
}
