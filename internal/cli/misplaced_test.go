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

const strayKey = "sk-ant-api03-5trayAbCdEf0123456789"

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
		{args: "config set providers.box.key KEY"}, // where keys may be given so
	} {
		cmd := b.command(strings.Fields(strings.ReplaceAll(c.args, "KEY", strayKey))...)
		cmd.Env = append(cmd.Env, "OPENAI_BASE_URL="+server.URL+"/v1", "DBUS_SESSION_BUS_ADDRESS=", "XDG_RUNTIME_DIR=", strings.ReplaceAll(c.env, "KEY", strayKey))
		cmd.Stdin = strings.NewReader(strings.ReplaceAll(c.stdin, "KEY", strayKey))
		out, err := cmd.CombinedOutput()
		code := 0
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			code = exit.ExitCode()
		}
		if code != c.code || !strings.Contains(string(out), c.want) || strings.Contains(string(out), strayKey) {
			t.Errorf("%s: exit %d\n%s", c.args, code, out)
		}
		_ = filepath.WalkDir(b.home, func(path string, e fs.DirEntry, err error) error {
			if data, _ := os.ReadFile(path); strings.Contains(string(data), strayKey) && c.code != 0 {
				t.Errorf("%s: the key is in %s", c.args, path)
			}
			return err
		})
	}
	mu.Lock()
	defer mu.Unlock()
	if sent := asked.String(); strings.Contains(sent, strayKey) || !strings.Contains(sent, "why does sk-ant-…") {
		t.Errorf("the key was sent:\n%s", sent)
	}
}
