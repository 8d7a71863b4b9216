package gate

import (
	"slices"
	"testing"
)

// What a line calls is read one level deep, from the folder that it has come to: scripts, recipes with what they need, a package's scripts,
// and of code what runs a program or changes files.
func TestCalledIsReadOneLevelDeep(t *testing.T) {
	files := map[string]string{
		"s.sh":            "git push\n",
		"py":              "#!/usr/bin/env python3\nimport os\nos.system('git push')\n",
		"bin/go.sh":       "#!/bin/bash\nrm x\n",
		"a.py":            "import subprocess\nprint('git push')\nsubprocess.run(['git', 'push', 'far'])\n",
		"d.py":            "import os\nos.remove('db/x')\n",
		"w.py":            "open('db/x', 'w')\nopen('db/y')\n",
		"Makefile":        ".PHONY: all\nX := git push\nall: dep other\n\t@echo all\ndep:\n\t-git push\nother: ; rm x\nfar:\n\tgit tag x\n",
		"web/GNUmakefile": "t:\n\tnpm publish\n",
		"own.mk":          "u v: w\n\tcargo publish\n",
		"package.json":    `{"scripts":{"pretest":"git push","test":"jest","deploy":"git tag x"}}`,
	}
	for line, want := range map[string][]string{
		"sh s.sh":                        {"git push\n"},
		"bash -x ./s.sh now":             {"git push\n"},
		". ./s.sh":                       {"git push\n"},
		"source s.sh":                    {"git push\n"},
		"./s.sh":                         {"git push\n"},
		"env X=1 nohup sh s.sh":          {"git push\n"},
		"cd bin && ./go.sh":              {"#!/bin/bash\nrm x\n"},
		"sh -c 'cat s.sh'":               nil,
		"./py":                           {"git push", "git push"},
		"python3 a.py":                   {"git push far"},
		"python3 -u a.py":                {"git push far"},
		"python3 d.py":                   {"rm 'db/x'", "rm *.*", `python3 -c 'os.remove("db/x")'`},
		"python3 w.py":                   {`python3 -c 'open("db/x", "w")'`},
		`python3 -c "os.system('rm x')"`: {"rm x", "rm x"},
		"make":                           {"git push", "rm x", "echo all"},
		"make far":                       {"git tag x"},
		"make CC=gcc -j4 dep":            {"git push"},
		"make -C web":                    {"npm publish"},
		"cd web; make t":                 {"npm publish"},
		"make -j 4":                      {"git push", "rm x", "echo all"},
		"make -f own.mk v":               {"cargo publish"},
		"npm test":                       {"git push", "jest"},
		"npm run deploy":                 {"git tag x"},
		"yarn -s deploy":                 {"git tag x"},
		"npm":                            nil,
		"cat s.sh":                       nil,
		"sh nowhere.sh":                  nil,
	} {
		if got := Called(line, func(file string) string { return files[file] }); !slices.Equal(got, want) {
			t.Errorf("%s: %q", line, got)
		}
	}
}

// What a line runs is hidden where it stands in a file, or is made up when it runs.
func TestWhatHidesWhatItRuns(t *testing.T) {
	for line, want := range map[string]bool{
		"sh w": true, "make -f x.mk": true, "alias g=git; eval 'g commit'": true, `awk 'BEGIN{system("git commit")}'`: true, "python3 -c 'import os,sys; os.system(sys.stdin.read())'": true, `$CMD a`: true, `sh -c "$X"`: true, "sh -c 'eval x'": true,
		"python3 -c 'print(1)'; sh w": true, "python3 -c '__import__(\"os\")'": true,
		"python3 -c 'print(1)'": false, "sh -c 'git status'": false, "go test ./...": false, "git -C . status": false, "make": false, "python3 app.py": false, "node -e 'console.log(1)'": false,
	} {
		if Hides(line) != want {
			t.Errorf("%s: %v", line, !want)
		}
	}
}
