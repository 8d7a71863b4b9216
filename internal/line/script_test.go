package line

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
)

// A plan that the last line of a script runs comes to its end, though nobody is there to answer what it asks; a plan that
// cannot run says why.
func TestScriptWaitsForThePlanThatItRuns(t *testing.T) {
	for script, want := range map[string]string{"/tasks run\n": "All is done.", "/tasks run s7\n": "there is no step s7"} {
		in, out := file(t, script), file(t, "")
		_, err := Run(t.Context(), Options{In: in, Out: out, Script: true, Lang: "en",
			Host: nebulatest.Host{OnOpen: func(string) (nebula.Conversation, error) { return newScripted("en", false), nil }}})
		text, _ := os.ReadFile(out.Name())
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%q: %v\n%s", script, err, text)
		}
	}
}

// A line that is no answer is said to be none, and the next one is a line of its own.
func TestEachLineOfAScriptIsOneAnswer(t *testing.T) {
	in, out := file(t, "question\nyes\nfile\nmore\n"), file(t, "")
	c := newScripted("en", false)
	_, err := Run(t.Context(), Options{In: in, Out: out, Script: true, Lang: "en",
		Host: nebulatest.Host{OnOpen: func(string) (nebula.Conversation, error) { return c, nil }}})
	text, _ := os.ReadFile(out.Name())
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil || c.turn != 2 || !strings.Contains(string(text), "no option yes") || !strings.Contains(string(text), "→ file\n") {
		t.Errorf("%v, %d turns\n%s", err, c.turn, text)
	}
}

// A picture or an archive that was piped in is no list of requests, and a later line of one answers nothing.
func TestBytesAreNoScript(t *testing.T) {
	for _, tt := range []struct {
		script string
		want   error
		turns  int
	}{
		{"\x89PNG\r\n\x00\x01\xff\n", ErrBinary, 0},
		{"hello\n" + strings.Repeat("x", 4096) + "\n\xff\xfe\x00\x01y\n", ErrBinary, 2},
		{"na\xefve\n", nil, 1},
	} {
		in, out := file(t, tt.script), file(t, "")
		c := newScripted("en", false)
		_, err := Run(t.Context(), Options{In: in, Out: out, Script: true, Lang: "en",
			Host: nebulatest.Host{OnOpen: func(string) (nebula.Conversation, error) { return c, nil }}})
		c.mu.Lock()
		if !errors.Is(err, tt.want) || errors.Is(err, ErrEmpty) || c.turn != tt.turns {
			t.Errorf("%q: %v, %d turns", tt.script, err, c.turn)
		}
		c.mu.Unlock()
	}
}

// A script goes on where a turn went in circles, as its next line may be the way out, and what it came to tells of that; any other limit ends it.
// So it does where the model failed.
func TestAScriptGoesOnAfterCircles(t *testing.T) {
	for script, want := range map[string]string{"circles\nfile\n": "2 limit loop", "circles\nlimit\nfile\n": "2 limit ", "limit\nfile\n": "1 limit ", "file\n": "1 done ",
		"api\nfile\n": "2 api_error ", "api\nlimit\nfile\n": "2 limit "} {
		in, out := file(t, script), file(t, "")
		c := newScripted("en", false)
		o, err := Run(t.Context(), Options{In: in, Out: out, Script: true, Lang: "en",
			Host: nebulatest.Host{OnOpen: func(string) (nebula.Conversation, error) { return c, nil }}})
		c.mu.Lock()
		if got := fmt.Sprint(c.turn, " ", o.Status, " ", o.Cause); err != nil || got != want {
			t.Errorf("%q: %v, %s, want %s", script, err, got, want)
		}
		c.mu.Unlock()
	}
}

func file(t *testing.T, text string) *os.File {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// What looks like a key is neither sent nor remembered, nor shown where it is pasted.
func TestAKeyIsNoMessage(t *testing.T) {
	const key = "sk-proj-5trayAbCdEf0123456789"
	in, out := file(t, key+"\nfile "+key+"\n/model "+key+"\n"), file(t, "")
	past := filepath.Join(t.TempDir(), "past.jsonl")
	c := newScripted("en", false)
	_, err := Run(t.Context(), Options{In: in, Out: out, Script: true, Lang: "en", History: past,
		Host: nebulatest.Host{OnOpen: func(string) (nebula.Conversation, error) { return c, nil }}})
	text, _ := os.ReadFile(out.Name())
	kept, _ := os.ReadFile(past)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil || c.turn != 0 || strings.Count(string(text), "nebula login") != 3 || strings.Contains(string(text)+string(kept), key) || !strings.Contains(string(kept), "sk-proj-…") {
		t.Errorf("%v, %d turns\n%s\n%s", err, c.turn, text, kept)
	}
	d := sit(t)
	d.expect("enter sends")
	d.keys("\x1b[200~" + key + "\x1b[201~")
	d.expect("› sk-proj-…")
	d.keys("\r")
	d.expect("nebula login")
	if strings.Contains(d.shown(), key) {
		t.Errorf("the key is shown:\n%s", d.shown())
	}
}
