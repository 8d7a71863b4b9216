//go:build unix

package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"nebula/internal/model/token"
	"nebula/internal/nebulatest"
)

// What the first request carries, instructions and tools, is paid for with every request of a session.
func TestFirstRequestIsSmall(t *testing.T) {
	server, err := nebulatest.Serve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	server.Answers = func(int, []byte) *nebulatest.Answer { return &nebulatest.Answer{Text: "Hello."} }
	for _, c := range []struct {
		mode, lang string
		most       int
	}{{"agent", "en", 1100}, {"agent", "ja", 1250}, {"plan", "en", 1100}, {"plan", "ja", 1250}} {
		started, out := start(t, server, "run", "--mode", c.mode, "--lang", c.lang, "hi")
		if err := started.Wait(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		requests := server.Requests()
		var sent struct {
			Messages []struct{ Content string }
			Tools    json.RawMessage
		}
		if err := json.Unmarshal(requests[len(requests)-1].Body, &sent); err != nil {
			t.Fatal(err)
		}
		n := token.Count(sent.Messages[0].Content) + token.Count(string(sent.Tools))
		t.Logf("%s %s: %d, of them tools %d", c.mode, c.lang, n, token.Count(string(sent.Tools)))
		if n > c.most || len(sent.Tools) == 0 {
			t.Errorf("%s %s: %d tokens, at most %d", c.mode, c.lang, n, c.most)
		}
	}
}

// What came before in a folder is other conversations: the one that goes on is none.
func TestWhatCameBeforeIsNotThisConversation(t *testing.T) {
	b := newBed(t)
	b.server.Answers = func(int, []byte) *nebulatest.Answer { return &nebulatest.Answer{Text: "Hello."} }
	for _, c := range []struct{ told, flag string }{{"", "--effort=low"}, {"", "--continue"}, {"1 sessions (last ", "--effort=low"}, {"1 sessions (last ", "--continue"}, {"2 sessions (last ", "--effort=low"}} {
		if out, err := b.command("run", c.flag, "hi").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		requests := b.server.Requests()
		asked := string(requests[len(requests)-1].Body)
		if is := strings.Contains(asked, "Before in this project: "+c.told); is == (c.told == "") {
			t.Errorf("%s, told %q: %s", c.flag, c.told, asked[:min(1200, len(asked))])
		}
	}
}
