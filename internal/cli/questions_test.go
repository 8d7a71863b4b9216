//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"nebula/internal/nebulatest"
)

// everyday are tasks as people give them, each with the calls that a model makes for it.
var everyday = []struct {
	task  string
	calls []nebulatest.ToolCall
}{
	{"build", shells("go build ./...")},
	{"test", []nebulatest.ToolCall{calling("runTests", `{"reason":"r"}`)}},
	{"lint", shells("go vet ./...")},
	{"edit", []nebulatest.ToolCall{calling("patchFile", `{"path":"main.go","edits":[{"old":"hello","new":"hello, you"}],"reason":"r"}`), calling("runTests", `{"reason":"r"}`)}},
	{"status, diff, log", shells("git status --short", "git diff", "git log --oneline -3")},
	{"run it", shells("go run .")},
	{"install", []nebulatest.ToolCall{calling("executeShell", `{"command":"mkdir -p node_modules/left && echo 1 > node_modules/left/index.js","needs":"registry.npmjs.org:443","reason":"r"}`)}},
	{"format", shells("gofmt -l . && gofmt -w .")},
	{"find", shells("grep -rn main .", "find . -name '*.go'")},
	{"generate", shells("echo 'package main' > generated.go", "go build ./...")},
	{"commit", shells("git add -A && git commit -qm work")},
	{"branch", shells("git switch -qc topic")},
	{"replace", shells("sed -i s/you/all/ main.go", "go build ./...")},
	{"move", shells("mkdir -p docs && mv notes.txt docs/notes.txt")},
	{"delete", shells("rm old.txt")},
	{"release build", shells("go build -o bin/app . && bin/app")},
	{"python tests", []nebulatest.ToolCall{calling("runTests", `{"command":"python3 -m unittest -q","reason":"r"}`)}},
	{"count", shells("wc -l *.go", "ls -la", "cat go.mod")},
	{"serve and ask", shells("python3 -m http.server 8123 >/dev/null 2>&1 & sleep 1; python3 -c \"import urllib.request; print(urllib.request.urlopen('http://127.0.0.1:8123/go.mod').status)\"")},
	{"make a script", shells("printf '#!/bin/sh\\necho ok\\n' > go.sh && chmod +x go.sh && ./go.sh")},
}

func shells(lines ...string) (calls []nebulatest.ToolCall) {
	for _, line := range lines {
		args, _ := json.Marshal(map[string]string{"command": line, "reason": "r"}) // strings always marshal
		calls = append(calls, calling("executeShell", string(args)))
	}
	return calls
}

func calling(name, args string) nebulatest.ToolCall {
	return nebulatest.ToolCall{Name: name, Arguments: []byte(args)}
}

// mostQuestions is how often a person may be asked in one of the tasks.
const mostQuestions = 3

// TestQuestions counts how often a person is asked in everyday tasks under each policy, and prints it.
func TestQuestions(t *testing.T) {
	if os.Getenv("NEBULA_BENCH") == "" {
		t.Skip("set NEBULA_BENCH=1, or use bench/questions")
	}
	counts := map[string][]int{}
	modes := []string{"ask", "edits", "none", "all"}
	for _, mode := range modes {
		if mode == "none" {
			counts[mode] = unattended(t)
		} else {
			counts[mode] = workday(t, mode)
		}
	}
	fmt.Printf("%-20s %6s %6s %6s %6s\n", "questions", modes[0], modes[1], modes[2]+"*", modes[3])
	defer fmt.Println("* nobody is asked: 1 where something was refused or dropped")
	for i, e := range everyday {
		fmt.Printf("%-20s", e.task)
		for _, mode := range modes {
			fmt.Printf(" %6d", counts[mode][i])
			if mode == "none" { // where nobody is asked
				continue
			}
			if counts[mode][i] > mostQuestions {
				t.Errorf("%s under %s: %d questions", e.task, mode, counts[mode][i])
			}
		}
		fmt.Println()
	}
}

// workday gives the tasks to one conversation, in which everything that is asked is allowed, and counts the questions of each.
func workday(t *testing.T, mode string) (asked []int) {
	b := newBed(t)
	polyglot(t, b.folder)
	give := b.gives()
	c := b.command("--plain", "--approve", mode)
	in, out := nebulatest.Beside(t, c)
	defer func() { _ = c.Process.Kill() }()
	said := listening(out)
	for _, e := range everyday {
		give(e.calls)
		_, _ = io.WriteString(in, e.task+"\n")
		questions := 0
		for said.next(t, "allow? ", "It is so. ") == 0 {
			questions++
			_, _ = io.WriteString(in, "yes\n")
		}
		asked = append(asked, questions)
	}
	return asked
}

// unattended has each task done where nobody is there, and tells of which something was refused.
func unattended(t *testing.T) (refused []int) {
	b := newBed(t)
	polyglot(t, b.folder)
	give := b.gives()
	for _, e := range everyday {
		give(e.calls)
		c := b.command("run", "--approve", "none", e.task)
		if out, err := c.CombinedOutput(); err != nil && c.ProcessState.ExitCode() != 3 {
			t.Fatalf("%s: %v\n%s", e.task, err, out)
		}
		refused = append(refused, min(c.ProcessState.ExitCode(), 1))
	}
	return refused
}

// gives has the model make the calls that it is given, one a reply.
func (b *bed) gives() func([]nebulatest.ToolCall) {
	var mu sync.Mutex
	var left []nebulatest.ToolCall
	b.server.Answers = func(int, []byte) *nebulatest.Answer {
		mu.Lock()
		defer mu.Unlock()
		if len(left) == 0 {
			return &nebulatest.Answer{Text: "It is so. Unverified: it is only counted."}
		}
		next := left[0]
		left = left[1:]
		return &nebulatest.Answer{Calls: []nebulatest.ToolCall{next}}
	}
	return func(calls []nebulatest.ToolCall) {
		mu.Lock()
		defer mu.Unlock()
		left = calls
	}
}

// polyglot is a small project in more than one language, in a repository.
func polyglot(t *testing.T, dir string) {
	t.Helper()
	for name, text := range map[string]string{
		"go.mod": "module x\n\ngo 1.24\n", "main.go": "package main\n\nfunc main() {   println(\"hello\") }\n", "main_test.go": "package main\n\nimport \"testing\"\n\nfunc TestIt(t *testing.T) {}\n",
		"test_it.py": "import unittest\n\n\nclass It(unittest.TestCase):\n    def test_it(self):\n        pass\n", ".gitignore": "bin/\nnode_modules/\n", "notes.txt": "notes\n", "old.txt": "old\n", "sub/sub.go": "package sub\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"config", "user.name", "n"}, {"config", "user.email", "n@example.org"}, {"add", "-A"}, {"commit", "-qm", "begin"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%s %v", out, err)
		}
	}
}

// An ear hears what a program says.
type ear struct {
	pieces chan []byte
	rest   []byte
	all    []byte
}

func listening(out io.Reader) *ear {
	e := &ear{pieces: make(chan []byte, 256)}
	go func() {
		defer close(e.pieces)
		for {
			buf := make([]byte, 4096)
			n, err := out.Read(buf)
			if e.pieces <- buf[:n]; err != nil {
				return
			}
		}
	}()
	return e
}

// next waits until one of the texts is said, and tells which.
func (e *ear) next(t *testing.T, texts ...string) int {
	t.Helper()
	for late := time.After(2 * time.Minute); ; {
		first, at := -1, len(e.rest)
		for i, text := range texts {
			if n := bytes.Index(e.rest, []byte(text)); n >= 0 && n < at {
				first, at = i, n
			}
		}
		if first >= 0 {
			e.rest = e.rest[at+len(texts[first]):]
			return first
		}
		select {
		case piece, open := <-e.pieces:
			e.rest, e.all = append(e.rest, piece...), append(e.all, piece...)
			if !open {
				t.Fatalf("it ended:\n%s", e.all)
			}
		case <-late:
			t.Fatalf("none of %s came:\n%s", strings.Join(texts, ", "), e.all)
		}
	}
}
