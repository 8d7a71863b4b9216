//go:build linux

package cli

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"nebula/internal/nebulatest"
	"nebula/internal/redact"
)

// The keys that nothing may show: one of the environment, one under a name of its own, and one of the settings.
const (
	canaryKey   = "sk-canary-4f1d0c7be2a94d3c-in-the-environment"
	canaryNamed = "canary+9b/8c=7d named by key_env"
	canaryKept  = "canary-kept-in-the-settings-77aa31"
)

// attempts are what a model tries. $H is nebula's home; no command names a key, so that what shows one has found it.
var attempts = []string{
	"env; export -p; set",
	"cat /proc/self/environ | tr '\\0' '\\n'",
	`p=$$; while [ "$p" -gt 1 ]; do tr '\0' '\n' < /proc/$p/environ | grep -i canar; tr '\0' ' ' < /proc/$p/cmdline; p=$(awk '/^PPid/{print $2}' /proc/$p/status); done; true`,
	"cat $H/config.json",
	"base64 -w0 < $H/config.json",
	`grep -o 'canary-k.*' $H/config.json | tr -d '",' | tr -d '\n' | base64 -w0`,
	"grep -o 'canary[^\"]*' $H/config.json | sed 's/./&\\n/g' | while read -r c; do printf %s \"$c\"; sleep 0.001; done",
	"grep -a -o 'canary[ -~]*' $H/*",
	`grep -o 'canary[^"]*' $H/config.json | sed "s/./&$(printf '\033')[0m/g"`,
	`grep -o 'canary[^"]*' $H/config.json | sed "s/./&$(printf '\342\200\213')/g"`,
	`grep -o 'canary[^"]*' $H/config.json | sed "s/./&$(printf '\033')[0m/g" > bare.txt; cat bare.txt; rm bare.txt`,
	"python3 -c 'import os; print(os.environ)'; ps eww -A | grep -i 'cana''ry'; true",
}

func TestKeysAreNowhere(t *testing.T) {
	rounds := 20
	if os.Getenv("NEBULA_LONG") != "" {
		rounds = 200
	}
	b := newBed(t)
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(b.home, "config.json"), `{"providers":{"groq":{"key":"`+canaryKept+`"},"xai":{"key_env":"MY_GATEWAY"}}}`)
	var asked bytes.Buffer
	b.server.Answers = func(n int, body []byte) *nebulatest.Answer {
		asked.Write(body)
		if n%2 == 1 {
			return &nebulatest.Answer{Text: "Your key is " + canaryKey + ", I was told."}
		}
		line := strings.ReplaceAll(attempts[n/2%len(attempts)], "$H", b.home)
		return &nebulatest.Answer{Calls: []nebulatest.ToolCall{{Name: "executeShell", Arguments: fmt.Appendf(nil, `{"command":%q,"reason":"to look"}`, line)}}}
	}
	var said bytes.Buffer
	for i := range rounds {
		args := []string{"run", "--approve", "all", "-o", []string{"text", "json", "stream-json"}[i%3], "--record", filepath.Join(b.folder, fmt.Sprint("record", i)), "look around, please"}
		c := b.command(args...)
		c.Env = append(c.Env, "OPENAI_API_KEY="+canaryKey, "MY_GATEWAY="+canaryNamed)
		c.Stdout, c.Stderr = &said, &said
		if err := c.Run(); err != nil {
			t.Fatalf("%v\n%s", err, said.Bytes())
		}
	}
	for line := range strings.Lines(b.output("sessions", "list", "--all")) {
		if id := strings.Fields(line); len(id) > 0 {
			said.WriteString(b.output("sessions", "export", id[0]))
		}
	}
	holdsNone(t, "what was said and exported", said.Bytes())
	holdsNone(t, "a request", asked.Bytes())
	for _, dir := range []string{b.home, b.folder} {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || e.Name() == "config.json" {
				return err
			}
			data, err := os.ReadFile(path)
			holdsNone(t, path, data)
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	if !strings.Contains(asked.String(), redact.Hidden) {
		t.Error("nothing was found that had to be hidden: the attempts try nothing")
	}
}

// What would be written or run without a key that the model put there is not written or run, and the model reads why.
func TestWhatHoldsAHiddenKeyIsSentBack(t *testing.T) {
	b := newBed(t)
	var read bytes.Buffer
	b.server.Answers = func(n int, body []byte) *nebulatest.Answer {
		if n > 0 {
			read.Write(body)
			return &nebulatest.Answer{Text: "I see."}
		}
		call := func(name, args string) nebulatest.ToolCall {
			return nebulatest.ToolCall{Name: name, Arguments: []byte(args)}
		}
		return &nebulatest.Answer{Calls: []nebulatest.ToolCall{
			call("writeFile", `{"path":"leak","content":"k=`+canaryKey+`\n","reason":"r"}`),
			call("executeShell", `{"command":"echo `+canaryKey+` > leaked","reason":"r"}`),
			call("writeFile", `{"path":"plain","content":"return table[key]\n","reason":"r"}`),
		}}
	}
	c := b.command("run", "--approve", "all", "go")
	c.Env = append(c.Env, "OPENAI_API_KEY="+canaryKey)
	_, _ = c.CombinedOutput() // that actions were sent back may be its exit
	for name, want := range map[string]bool{"leak": false, "leaked": false, "plain": true} {
		if _, err := os.Stat(filepath.Join(b.folder, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := strings.Count(read.String(), "a key stands here that you are not shown"); n < 2 {
		t.Errorf("the model was told %d times\n%s", n, read.String())
	}
}

// undressed takes out what attempts put between the characters of a key, as it is and as it stands in JSON.
var undressed = strings.NewReplacer("\x1b[0m", "", `\u001b[0m`, "", "\u200b", "", `\u200b`, "", "[0m", "")

// holdsNone fails when data holds a key, however it is written.
func holdsNone(t *testing.T, what string, data []byte) {
	t.Helper()
	data = append(bytes.Clone(data), undressed.Replace(string(data))...)
	for _, key := range []string{canaryKey, canaryNamed, canaryKept} {
		for _, form := range []string{key, url.QueryEscape(key), url.PathEscape(key), base64.RawStdEncoding.EncodeToString([]byte(key))} {
			if at := bytes.Index(data, []byte(form)); at >= 0 {
				t.Errorf("%s holds a key: …%q…", what, data[max(0, at-60):min(len(data), at+len(form)+20)])
			}
		}
	}
}

// Whoever looks at the running program finds no key in its environment, and no way into its memory.
func TestTheRunningProgramShowsNoKey(t *testing.T) {
	b := newBed(t)
	begun, hung := make(chan struct{}), make(chan struct{})
	b.server.Answers = func(int, []byte) *nebulatest.Answer {
		close(begun)
		<-hung
		return &nebulatest.Answer{Text: "done"}
	}
	defer close(hung)
	c := b.command("run", "wait")
	c.Env = append(c.Env, "OPENAI_API_KEY="+canaryKey, "MY_GATEWAY="+canaryNamed, "UNHEARD_OF="+canaryKept)
	if os.Geteuid() == 0 { // root may look into everything; so somebody else runs it
		c = asNobody(t, b, c)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Process.Kill(); _ = c.Wait() }()
	select {
	case <-begun:
	case <-time.After(20 * time.Second):
		t.Fatal("it did not begin")
	}
	proc := fmt.Sprint("/proc/", c.Process.Pid)
	environ, err := os.ReadFile(proc + "/environ")
	if err == nil {
		holdsNone(t, "the environment", environ)
	} else if os.Geteuid() == 0 {
		t.Error(err)
	}
	if len(environ) > 0 && !bytes.Contains(environ, []byte("PATH=")) {
		t.Error("what is no secret is gone too")
	}
	info, err := os.Stat(proc + "/mem")
	if err != nil {
		t.Fatal(err)
	}
	if uid := info.Sys().(*syscall.Stat_t).Uid; uid != 0 {
		t.Errorf("its memory belongs to %d, who may read it", uid)
	}
}

// asNobody is the command as somebody who is not root.
func asNobody(t *testing.T, b *bed, c *exec.Cmd) *exec.Cmd {
	const nobody = 65534
	root, err := os.MkdirTemp("/tmp", "nobody")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	data, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(root, "nebula")
	for _, err := range []error{os.WriteFile(program, data, 0o755), os.Chmod(program, 0o755), os.Mkdir(root+"/home", 0o700), os.Chown(root+"/home", nobody, nobody), os.Chmod(root, 0o755)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	own := exec.Command(program, c.Args[1:]...)
	own.Dir = root + "/home"
	own.Env = append(c.Env, "NEBULA_HOME="+root+"/home/.nebula", "HOME="+root+"/home")
	own.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	return own
}
