//go:build linux

package cli

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula/internal/nebulatest"
)

const loginKey = "sk-login-8c1f0a77de-kept"

// keyedServer is a server that takes one key.
func keyedServer(t *testing.T) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+loginKey {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = fmt.Fprintf(w, `{"error":{"message":"Incorrect API key provided: %s"}}`, r.Header.Get("Authorization"))
			return
		}
		_, _ = fmt.Fprint(w, "data: {\"choices\":[{\"delta\":{\"content\":\"the key is "+loginKey+"\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

// A key is tried, kept where only the person reads it, found when it is needed, never printed, and forgotten.
func TestLoginKeepsAKeyThatWorks(t *testing.T) {
	b := newBed(t)
	settings := `{"model":"box/m","providers":{"box":{"base_url":"` + keyedServer(t) + `"}}}`
	if err := os.WriteFile(filepath.Join(b.home, "config.json"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	nebula := func(stdin string, args ...string) (string, bool) {
		c := b.command(args...)
		c.Env = append(c.Env, "DBUS_SESSION_BUS_ADDRESS=", "XDG_RUNTIME_DIR=", "OPENAI_BASE_URL=", "OPENAI_API_KEY=", "BOX_API_KEY=")
		c.Stdin = strings.NewReader(stdin)
		out, err := c.CombinedOutput()
		all.Write(out)
		return string(out), err == nil
	}
	if out, ok := nebula("sk-wrong-0123456789abcdef\n", "login", "box"); ok || !strings.Contains(out, "nothing is kept") || strings.Contains(out, "0123456789") {
		t.Errorf("a wrong key: %s", out)
	}
	for _, c := range [][2]string{{"", "no key"}, {"two words", "no key"}} {
		if out, ok := nebula(c[0], "login", "box"); ok || !strings.Contains(out, c[1]) {
			t.Errorf("%q: %s", c[0], out)
		}
	}
	if out, ok := nebula(loginKey, "login", "bxo"); ok || !strings.Contains(out, "did you mean box?") {
		t.Errorf("an unknown provider: %s", out)
	}
	keys := filepath.Join(b.home, "keys.json")
	if _, err := os.Stat(keys); err == nil {
		t.Error("something was kept")
	}
	if out, ok := nebula(loginKey+"\n", "login", "box"); !ok || !strings.Contains(out, keys) {
		t.Errorf("login: %s", out)
	}
	if info, err := os.Stat(keys); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	for _, args := range [][]string{{"run", "hello"}, {"config", "show"}, {"run", "-o", "stream-json", "hello"}, {"sessions"}, {"models"}} {
		if out, ok := nebula("", args...); !ok && args[0] != "models" {
			t.Errorf("%v: %s", args, out)
		}
	}
	if out, ok := nebula("", "logout"); !ok || !strings.Contains(out, "forgotten") {
		t.Errorf("logout: %s", out)
	}
	if _, err := os.Stat(keys); err == nil {
		t.Error("the key is still there")
	}
	if out, ok := nebula("", "run", "hello"); ok {
		t.Errorf("it went on without a key: %s", out)
	}
	record, _ := os.ReadFile(filepath.Join(b.home, "nebula.db"))
	wal, _ := os.ReadFile(filepath.Join(b.home, "nebula.db-wal"))
	if strings.Contains(all.String()+string(record)+string(wal), loginKey) {
		t.Errorf("the key was said or recorded:\n%s", all.String())
	}
}

func TestLoginShowsNothingOfWhatIsTyped(t *testing.T) {
	s := sitWith(t, func(server string) []string {
		return []string{"DBUS_SESSION_BUS_ADDRESS=", "XDG_RUNTIME_DIR=", "OPENAI_API_KEY="}
	}, []nebulatest.Answer{{Text: "OK"}}, "login")
	s.waits("Provider (", 1)
	s.types("openai\n")
	s.waits("it is not shown", 1)
	s.types(loginKey + "\n")
	s.waits("is kept in", 1)
	s.ends()
	if strings.Contains(strings.Join(strings.Fields(s.shown()), ""), loginKey) { // behind a long question it would run over two rows
		t.Error(s.shown())
	}
}

// A key that a front end was given is tried first, and kept where a login keeps it; one that cannot be tried only when it is given again.
func TestAFrontEndKeepsAKeyThatWorks(t *testing.T) {
	home := t.TempDir()
	for name, value := range map[string]string{"NEBULA_HOME": home, "DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": "", "BOX_API_KEY": "", "FAR_API_KEY": ""} {
		t.Setenv(name, value)
	}
	settings := `{"model":"box/m","providers":{"box":{"base_url":"` + keyedServer(t) + `","models":["m"],"key":"sk-old-0123456789abcdef"},"far":{"base_url":"http://127.0.0.1:1/v1","models":["m"]}}}`
	if err := os.WriteFile(filepath.Join(home, "config.json"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &program{env: os.Getenv, err: io.Discard}
	conf, err := p.settings(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	h := &host{session: &session{program: p, config: conf}}
	for _, c := range []struct{ name, key, want string }{
		{"box", "sk-wrong-0123456789abcdef", "nothing is kept"}, {"box", "two words", "no key"}, {"far", loginKey, "give it again"},
		{"far", loginKey + "x", "give it again"}, {"box", loginKey, ""}, {"far", loginKey, "give it again"}, {"far", loginKey, ""},
	} {
		err := h.Keep(t.Context(), "providers."+c.name+".key", c.key)
		if got := fmt.Sprint(err); (c.want == "") != (err == nil) || err != nil && !strings.Contains(got, c.want) || strings.Contains(got, c.key) {
			t.Errorf("%s, %s: %v", c.name, c.key, err)
		}
	}
	written, _ := os.ReadFile(filepath.Join(home, "config.json"))
	kept, _ := os.ReadFile(filepath.Join(home, "keys.json"))
	if strings.Contains(string(written), "sk-") || strings.Count(string(kept), loginKey) != 2 || strings.Contains(string(kept), "wrong") {
		t.Errorf("the settings: %s\nwhat is kept: %s", written, kept)
	}
	if key, _ := h.config.Credential("box"); key.Reveal() != loginKey {
		t.Error("the new key is not the one that counts")
	}
}

// A key is taken as files and shells have it.
func TestAKeyIsReadAsFilesHaveIt(t *testing.T) {
	const key = "sk-ant-api03-Zk3vQ9xL2mTr8=="
	for _, text := range []string{key, key + "\r\n", " '" + key + "' ", "\ufeff" + key, "export ANTHROPIC_API_KEY=" + key + "\n", "ANTHROPIC_API_KEY=\"" + key + "\"\n", `$env:ANTHROPIC_API_KEY = "` + key + `"`, "\ufeffset OPENAI_API_KEY=" + key} {
		if got, err := readKey(text); err != nil || got != key {
			t.Errorf("%q is %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "ANTHROPIC_API_KEY=", "two words", "A_KEY=x\nB_KEY=y", "キー"} {
		if got, err := readKey(text); err == nil {
			t.Errorf("%q is %q", text, got)
		}
	}
}

// A key that begins as another provider's do is sent nowhere and kept nowhere, and said to be one, whether there is a network or not.
func TestAKeyOfAnotherProviderIsSaidToBeOne(t *testing.T) {
	b := newBed(t)
	const key = "sk-or-v1-9f3e07c4a1b82d65e0c7"
	run := func(stdin string, args ...string) string {
		c := b.command(args...)
		c.Env = append(c.Env, "DBUS_SESSION_BUS_ADDRESS=", "XDG_RUNTIME_DIR=", "OPENAI_BASE_URL=", "HTTPS_PROXY=http://127.0.0.1:1", "OPENAI_API_KEY="+key)
		c.Stdin = strings.NewReader(stdin)
		out, _ := c.CombinedOutput()
		return string(out)
	}
	for _, name := range []string{"openai", "anthropic", "mistral"} {
		if out := run(key, "login", name); !strings.Contains(out, "nebula login openrouter keeps it") {
			t.Errorf("%s: %s", name, out)
		}
	}
	if kept, err := os.ReadFile(filepath.Join(b.home, "keys.json")); err == nil {
		t.Errorf("kept: %s", kept)
	}
	if out := run("", "doctor"); !strings.Contains(out, "FAIL  key") || !strings.Contains(out, "nebula login openrouter") {
		t.Error(out)
	}
}
