package gate

import (
	"slices"
	"strings"
	"testing"

	"nebula"
)

// What each word of a command line adds to what is dangerous about it, to the last one.
func TestEachWordOfALineCounts(t *testing.T) {
	for line, want := range map[string][]Danger{
		"echo a\u200bb":                {Unclear},                    // what cannot be seen
		"/opt/x/tool a":                {Outside, RunsCode},          // a program elsewhere
		"./tool AGENTS.md":             {RunsCode, Steers},           // one of the folder may write what it is given
		"./gradlew -p ../x":            {Outside, RunsCode, Unclear}, // a wrapper is looked at as what it is
		"frobnicate .env":              {Secret, Unknown},            // one that nobody knows
		"frobnicate AGENTS.md":         {Steers, Unknown},
		"tar --file=~/x a":             {Alters, Outside}, // an option's value
		"grep -f~/x a":                 {Outside},         // right behind its letter
		"grep -f=../x a":               {Outside},
		"grep -n a":                    nil,
		"head -n $N a":                 {Unclear}, // what is not known
		"go mod edit -go=1.26":         {Alters},
		"go mod graph":                 nil,
		"go mod tidy":                  {Network},
		"npm run build":                nil, // one word of the usual ones runs what the project says
		"npm run deploy":               {Network, Publishes, RunsCode},
		"ls && npm run build":          {RunsCode}, // beside another nothing is taken off
		"command -v rm":                nil,        // it only looks
		"command rm -rf x":             {Destroys},
		"env":                          {Unclear}, // all variables
		"exec":                         nil,
		"exec rm -rf x":                {Destroys, Unclear},
		"env GIT_SSH_COMMAND=x ls":     {Unclear, Unknown}, // a variable that says what others run
		"timeout 5 PATH=x ls":          {Unclear},
		"timeout 5 A=x ls":             nil,
		"sh -c 'rm -rf x'":             {Destroys, Unclear},
		"sh x.sh":                      {Runs, RunsCode, Unclear},
		"sh -c":                        {RunsCode, Unclear},
		"sh -x -c 'rm -rf x'":          {Destroys, Unclear},
		"export PATH=x":                {Unclear},
		"export A=x":                   nil,
		"cd":                           {Outside},
		"cd sub":                       nil,
		"find . -exec rm -rf {} +":     {Destroys, Unclear},
		"find . -exec":                 {Unclear},
		"for i in a b; do rm $i; done": {Destroys}, // what the line itself put there is known
		"rm ${x:-a}":                   {Destroys, Unclear},
		"cat ${HOME:1}":                {Unclear},
		"cat $HOME":                    {Outside},
		"cat a=../b":                   {Outside}, // a value behind a name
		"cat a/b=../c":                 nil,       // a folder of that name
		"cat =../b":                    nil,       // no name, and no way up
		"cat C:/x":                     {Outside},
		"cat c:":                       nil,
		"cat a\\\n../b":                nil, // one word: a../b
		"cat \"a\\\\b\"":               nil,
	} {
		got := Dangers(nebula.Proposal{Effect: nebula.Execute, Command: line}, Full)
		slices.Sort(got)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// An action is the refused one where all that it comes to is in it, whatever stands around.
func TestARefusedCommandIsKnownByAllThatItDoes(t *testing.T) {
	run := func(line string) nebula.Proposal { return nebula.Proposal{Effect: nebula.Execute, Command: line} }
	for _, c := range []struct {
		was, is string
		again   bool
	}{
		{"echo hi", "echo hi", false}, // it comes to nothing
		{"timeout 5 make x", "make x", true},
		{"make x", "cd . && make x", true},
		{"make x", "cd sub && make x", false},
		{"make ./x", "make x", true},
		{"make x", "make -k x", false},
		{"rm a b", "rm a", false},
		{"rm a", "rm b; rm -f a", true},
		{"find a -delete", "rm -r a", true},
		{"find -delete", "rm -r .", false},
	} {
		if got := Again("/w", run(c.was), run(c.is)); got != c.again {
			t.Errorf("%q after %q: %t; %q, %q", c.is, c.was, got, did("/w", c.is), did("/w", c.was))
		}
	}
}

// What takes something away that was there is told from what only adds to it.
func TestWhatTakesAwayIsDestructive(t *testing.T) {
	edit := func(was int64, del int, diff string) nebula.Proposal {
		return nebula.Proposal{Effect: nebula.Write, Diff: diff, Targets: []nebula.Target{{Path: "a.txt", Kind: "edit", Was: was, Size: was, Add: 1, Del: del}}}
	}
	for _, c := range []struct {
		p    nebula.Proposal
		want bool
	}{
		{edit(smallFile, 1, "-a\n+b\n"), true},
		{edit(smallFile-1, 1, "-a\n+b\n"), false},
		{edit(smallFile, 0, "+b\n"), false},
		{edit(90, 1, `--- a/package.json
+++ b/package.json
@@ -1 +1 @@
-{"name":"x","version":"1.0.0","scripts":{"test":"node --test"},"dependencies":{"a":"^1.0.0"}}
+{"name":"x","version":"1.0.0","scripts":{"test":"node --test test/"},"dependencies":{"a":"^1.0.0"}}
`), false}, // of its only line most stays
		{edit(90, 1, "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-"+strings.Repeat("a long line ", 8)+"\n+a short one\n"), true},
		{edit(90, 2, "--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n-import x\n-"+strings.Repeat("what it does ", 8)+"\n+import x\n"), true},
		{edit(smallFile, 1, "-a\n+b\n c\n"), false}, // something of it stays
		{nebula.Proposal{Effect: nebula.Write, Targets: []nebula.Target{{Path: "a", Kind: "delete"}}, Diff: "\n c\n"}, true},
		{nebula.Proposal{Effect: nebula.Execute, Command: "rm -rf a"}, true},
		{nebula.Proposal{Effect: nebula.Execute, Command: "ls"}, false},
	} {
		if got := Destructive(c.p); got != c.want {
			t.Errorf("%+v: %t", c.p.Targets, got)
		}
	}
}

// A policy is stricter than those that let more run, and than no other.
func TestAPolicyIsNotStricterThanItself(t *testing.T) {
	order := []Approve{None, Ask, Edits, All}
	for i, a := range order {
		for j, b := range order {
			if a.Stricter(b) != (i < j) {
				t.Errorf("%s, %s", a, b)
			}
		}
	}
}

// Two doubts are said as two, one as that one, also where a reply says it in two places; and the question shows them.
func TestDoubtsAreNamed(t *testing.T) {
	p := nebula.Proposal{Effect: nebula.Write, Targets: []nebula.Target{{Path: "a", Kind: "edit"}}}
	for _, c := range []struct {
		doubts []nebula.Code
		why    nebula.Code
	}{{[]nebula.Code{"doubts_goal"}, "doubts_goal"}, {[]nebula.Code{"doubts_goal", "doubts_constraint"}, "doubts_both"}} {
		if v := Judge(Rules{Mode: nebula.AgentMode, Approve: All, Doubts: c.doubts}, p); v.Why != c.why || v.Ruling != nebula.AskFirst {
			t.Errorf("whatever the policy, %q: %+v", c.doubts, v)
		}
		v := Judge(Rules{Mode: nebula.AgentMode, Approve: Edits, Doubts: c.doubts}, p)
		if v.Why != c.why || v.Ruling != nebula.AskFirst {
			t.Errorf("%q: %+v", c.doubts, v)
		}
		for _, doubt := range c.doubts { // the question says it
			if !slices.Contains(v.Risks, doubt) {
				t.Errorf("%q: the risks are %q", c.doubts, v.Risks)
			}
		}
	}
	p.Action.Points = &nebula.Points{Doubts: []nebula.Code{"doubts_goal"}}
	if v := Judge(Rules{Mode: nebula.AgentMode, Approve: Edits, Doubts: []nebula.Code{"doubts_goal"}}, p); v.Why != "doubts_goal" {
		t.Errorf("said twice, one doubt is %q", v.Why)
	}
}

// A plan is approved by a clear yes right after it was shown, or by its name; by nothing else.
func TestOnlyAClearYesApprovesAPlan(t *testing.T) {
	for _, c := range []struct {
		text        string
		shown, want bool
	}{
		{"yes", true, true}, {"yes", false, false}, {"yes?", true, false}, {"no", true, false}, {"always", true, false}, {"make it faster", true, false},
		{"approve the plan", false, true}, {"approve the plan?", true, false},
	} {
		if got := ReadConsent(c.text, c.shown); got != c.want {
			t.Errorf("%q, shown %t: %t", c.text, c.shown, got)
		}
	}
}

// One of something is told as one, several as several, and what a project ignores is counted without a word of its own.
func TestOneIsNotSeveral(t *testing.T) {
	for _, c := range []struct {
		targets []nebula.Target
		want    string
	}{
		{[]nebula.Target{{Path: "a", Kind: "create"}}, "creates 1 file,"},
		{[]nebula.Target{{Path: "a", Kind: "create"}, {Path: "b", Kind: "create"}}, "creates 2 files,"},
		{[]nebula.Target{{Path: "a", Kind: "delete"}}, "deletes 1 file,"},
		{[]nebula.Target{{Path: "a", Kind: "mkdir"}, {Path: "b", Kind: "mkdir"}}, "creates 2 folders,"},
		{[]nebula.Target{{Path: "a", Kind: "mkdir"}}, "creates 1 folder,"},
		{[]nebula.Target{{Path: "a", Kind: "edit", Ignored: true}}, "and 1 that the project ignores"},
	} {
		p := nebula.Proposal{Effect: nebula.Write, Targets: c.targets}
		if said := strings.Join(SayAll(Points(p, nil).Impact, "en"), ", ") + ","; !strings.Contains(said, c.want) {
			t.Errorf("%q, want %q", said, c.want)
		}
	}
}
