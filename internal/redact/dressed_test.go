package redact

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"nebula"
)

// dresses are what can stand between the characters of a text without being seen.
var dresses = []string{
	"\x1b", "\x00", "\x07", "\x08", "\r", "\x7f", "\u0085", "\u009b", "\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u202e", "\u2066", "\u034f", "\u180e", "\ufe0f", "\U000e0041", "\xff", "\xc2", "\u3164", "\u0301",
	"\x1b[31m", "\x1b[0;1m", "\x1b]0;title\x07", "\x1b]8;;http://x\x1b\\", "\x1bPq\x1b\\", "\x1bM", "\x1b[K",
}

var (
	sequences = regexp.MustCompile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|[PX^_][^\x1b]*\x1b\\\\|[@-Z\\\\-_])")
	shown     = regexp.MustCompile(`[^\x21-\x7e]`)
)

// cleaned is a text in the ways in which front ends and tools clean one.
func cleaned(text string) []string {
	controls := func(text string) string {
		return strings.Map(func(r rune) rune {
			if r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Mn, unicode.Other_Default_Ignorable_Code_Point) {
				return -1
			}
			return r
		}, strings.ToValidUTF8(text, ""))
	}
	bare := sequences.ReplaceAllString(text, "")
	return []string{text, controls(text), controls(bare), shown.ReplaceAllString(text, ""), shown.ReplaceAllString(bare, "")}
}

func dressed(random *rand.Rand, secret string, dress func() string) string {
	var b strings.Builder
	for i, c := range []byte(secret) {
		if i > 0 && random.IntN(3) == 0 {
			b.WriteString(dress())
		}
		b.WriteByte(c)
	}
	return b.String()
}

// A secret does not come back when what was put between its characters is taken out, in texts, in what comes in pieces of any
// size, in events and in requests.
func TestASecretInDisguiseIsFound(t *testing.T) {
	const secret = "sk-canary-4f1d0c7be2a94d3c"
	r, random := New([]string{secret}), rand.New(rand.NewPCG(5, 9))
	check := func(what, raw, got string) {
		t.Helper()
		for _, c := range cleaned(got) {
			if strings.Contains(c, secret) {
				t.Fatalf("%s of %q is %q and comes to %q", what, raw, got, c)
			}
		}
	}
	for n := range 3000 {
		dress := func() string { return dresses[n%len(dresses)] }
		if n%3 == 0 { // several kinds
			dress = func() string { return dresses[random.IntN(len(dresses))] }
		}
		raw := "a " + dressed(random, secret, dress) + dress() + " b日\\n"
		text := r.Text(raw)
		check("the text", raw, text)
		if !strings.HasPrefix(text, "a ") || !strings.HasSuffix(text, " b日\\n") || !strings.Contains(text, Hidden) {
			t.Fatalf("%q became %q", raw, text)
		}
		s, piped := r.Stream(), ""
		for rest := raw; rest != ""; {
			k := min(1+random.IntN(7), len(rest))
			piped += s.Feed(rest[:k])
			rest = rest[k:]
		}
		check("the stream", raw, piped+s.End())
		args, _ := json.Marshal(map[string]string{"command": strings.ToValidUTF8(raw, "")})
		b := r.Body(nebula.Replied{Reply: nebula.Reply{Parts: nebula.Text(raw)}, Intent: nebula.Intent{Say: raw, Actions: []nebula.Action{{Args: args}}}}).(nebula.Replied)
		var in struct{ Command string }
		if err := json.Unmarshal(b.Intent.Actions[0].Args, &in); err != nil {
			t.Fatalf("%s: %v", b.Intent.Actions[0].Args, err)
		}
		check("the arguments", raw, in.Command)
		check("what is said", raw, b.Intent.Say+b.Reply.Text())
		check("the request", raw, r.Prompt(nebula.Prompt{System: raw}).System)
	}
}

// What holds no secret is passed on to the byte, however it is dressed and cut.
func TestWhatHoldsNoSecretIsLeftAsItIs(t *testing.T) {
	r, random := New([]string{"sk-canary-4f1d0c7be2a94d3c"}), rand.New(rand.NewPCG(1, 2))
	for range 500 {
		raw := "sk-can\\u12 " + dressed(random, `日本 path\ref \u0041 sk-canary-4f1d0c7be2a94d3 sk-\`, func() string { return dresses[random.IntN(len(dresses))] })
		if got := r.Text(raw); got != raw {
			t.Fatalf("%q became %q", raw, got)
		}
		s, piped := r.Stream(), ""
		for rest := raw; rest != ""; {
			k := min(1+random.IntN(5), len(rest))
			piped += s.Feed(rest[:k])
			rest = rest[k:]
		}
		if piped += s.End(); piped != raw {
			t.Fatalf("%q became %q", raw, piped)
		}
	}
}

// What begins like a secret and never ends does not grow in memory.
func TestWhatIsHeldBackHasABound(t *testing.T) {
	s := New([]string{"sk-canary-4f1d0c7be2a94d3c"}).Stream()
	got := s.Feed("sk-cana")
	for range 300 {
		got += s.Feed(strings.Repeat("\u200b", 1000))
		if len(s.held) > heldMax {
			t.Fatalf("%d bytes are held", len(s.held))
		}
	}
	if got += s.Feed("ry-4f1d0c7be2a94d3c") + s.End(); strings.Contains(got, "sk-cana") || !strings.Contains(got, Hidden) {
		t.Errorf("%q", strings.ReplaceAll(got, "\u200b", ""))
	}
}
