//go:build linux

package cli

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const (
	strayKey = "sk-ant-api03-5trayAbCdEf0123456789"
	bareKey  = "4f1d0c7be2a94d3c8e55a0b7c1f2d3e49a6b7c8d0e1f2a3b4c5d6e7f8091a2b3" // as that of a commit or a file
)

// A key in a wrong place is neither said, kept nor sent, and what is said names the right one.
func TestAKeyInAWrongPlaceGoesNowhere(t *testing.T) {
	b := newBed(t)
	var mu sync.Mutex
	var asked strings.Builder
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		_ = r.Write(&asked)
		http.Error(w, `{"error":{"message":"no"}}`, http.StatusBadRequest)
	}))
	defer server.Close()
	for _, c := range []struct {
		args  string
		env   string
		stdin string
		code  int
		want  string
	}{
		{args: "login anthropic KEY", code: exitUsage, want: "nebula login anthropic asks"},
		{args: "login KEY", code: exitUsage, want: "nebula login anthropic asks"},
		{args: "logout KEY", code: exitUsage, want: "nebula login"},
		{args: "KEY", code: exitUsage, want: "nebula login"},
		{args: "run KEY", code: exitUsage, want: "nebula login"},
		{args: "-mKEY run hello", code: exitUsage, want: "nebula login"},
		{args: "run -m KEY hello", code: exitUsage, want: "nebula login"},
		{args: "run -m openai/KEY hello", code: exitUsage, want: "nebula login"},
		{args: "config set model anthropic/KEY", code: exitUsage, want: "nebula login"},
		{args: "--KEY run hello", code: exitUsage, want: "nebula login"},
		{args: "config set providers.box.base_url http://127.0.0.1:1/KEY/v1", code: exitUsage, want: "nebula login"},
		{args: "run hello", env: "OPENAI_BASE_URL=" + server.URL + "/v1?key=KEY", code: exitUsage, want: "nebula login"},
		{args: "run --model=KEY hello", code: exitUsage, want: "nebula login"},
		{args: "run OPENAI_API_KEY=KEY", code: exitUsage, want: "nebula login"},
		{args: "models KEY", code: exitUsage, want: "nebula login"},
		{args: "doctor KEY", code: exitUsage, want: "nebula login"},
		{args: "run --effort KEY hello", code: exitUsage, want: "nebula login"},
		{args: "config set model KEY", code: exitUsage, want: "nebula login"},
		{args: "config set providers.box.base_url KEY", code: exitUsage, want: "nebula login"},
		{args: "config set model -", stdin: "KEY\n", code: exitUsage, want: "nebula login"},
		{args: "models", env: "NEBULA_MODEL=KEY", code: exitUsage, want: "nebula login"},
		{args: "run -", stdin: "why does KEY fail?", code: exitAPI, want: "is not sent"},
		{args: "doctor", env: "OPENAI_BASE_URL=" + server.URL + "/KEY/v1", code: exitFailed, want: "cannot hold a key"},
		{args: "login mistral BARE", code: exitUsage, want: "nebula login PROVIDER asks"},
		{args: "logout BARE", code: exitUsage, want: "nebula login"},
		{args: "-m BARE run hello", code: exitUsage, want: "nebula login"},
		{args: "run --model=together/BARE hello", code: exitUsage, want: "nebula login"},
		{args: "config set BARE x", code: exitUsage, want: "nebula login"},
		{args: "config set model BARE", code: exitUsage, want: "nebula login"},
		{args: "models BARE", code: exitUsage, want: "nebula login"},
		{args: "run --BARE", code: exitUsage, want: "nebula login"},
		{args: "run hello", env: "NEBULA_MODEL=BARE", code: exitUsage, want: "nebula login"},
		{args: "run TOGETHER_API_KEY=BARE", code: exitUsage, want: "nebula login"},
		{args: "run -", stdin: "/login BARE", code: exitUsage, want: "/login is for a session"},
		{args: "run -", stdin: "/model KEY", code: exitUsage, want: "/model is for a session"},
		{args: "run -", stdin: "my together key: BARE", code: exitAPI, want: "is not sent"},
		{args: "config set providers.box.key two", stdin: "", want: "nebula login box keeps it"},
		{args: "config set providers.box.key -", stdin: "two words", code: exitUsage, want: "one word"},
		{args: "config set providers.box.key KEY", want: "nebula login box keeps it"}, // where keys may be given so
	} {
		cmd := b.command(strings.Fields(strings.NewReplacer("BARE", bareKey, "KEY", strayKey).Replace(c.args))...)
		cmd.Env = append(cmd.Env, "OPENAI_BASE_URL="+server.URL+"/v1", "DBUS_SESSION_BUS_ADDRESS=", "XDG_RUNTIME_DIR=", strings.NewReplacer("BARE", bareKey, "KEY", strayKey).Replace(c.env))
		cmd.Stdin = strings.NewReader(strings.NewReplacer("BARE", bareKey, "KEY", strayKey).Replace(c.stdin))
		out, err := cmd.CombinedOutput()
		code := 0
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			code = exit.ExitCode()
		}
		if code != c.code || !strings.Contains(string(out), c.want) || strings.Contains(string(out), strayKey) || strings.Contains(string(out), bareKey) {
			t.Errorf("%s: exit %d\n%s", c.args, code, out)
		}
		_ = filepath.WalkDir(b.home, func(path string, e fs.DirEntry, err error) error {
			if data, _ := os.ReadFile(path); (strings.Contains(string(data), strayKey) || strings.Contains(string(data), bareKey)) && c.code != 0 {
				t.Errorf("%s: the key is in %s", c.args, path)
			}
			return err
		})
	}
	mu.Lock()
	defer mu.Unlock()
	if sent := asked.String(); strings.Contains(sent, strayKey) || strings.Contains(sent, bareKey) || !strings.Contains(sent, "why does sk-ant-…") {
		t.Errorf("the key was sent:\n%s", sent)
	}
}
