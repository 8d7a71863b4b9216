package nebulatest

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nebula"
)

// A Typed is what somebody types when permission is asked for, and how.
type Typed struct {
	Keys  []string      // one after the other
	Pause time.Duration // between two of them
	After time.Duration // since the question came; below Settled it comes too early
	Yes   bool          // a clear yes, and enter
}

// Settled is the time after which every front end takes answers.
const Settled = 700 * time.Millisecond

// Answers are generated ways to answer, from what people write that is clear and what is not: key by key as a person
// types, at once as a machine does, pasted, and begun before the question was there.
func Answers(tb testing.TB, seed uint64, n int) []Typed {
	tb.Helper()
	read := func(name string) []string {
		b, err := os.ReadFile(filepath.Join("..", "gate", "testdata", name))
		if err != nil {
			tb.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(b)), "\n")
	}
	clear, unclear := read("clear.txt"), read("ambiguous.txt")
	unclear = append(unclear, "actually, no", "abort", "always? no", "yesterday", "yes, but not that", "a", "ab", "enough", "exit", "e", "v", "?", "very well not", "y es", "はいではない", "常にではない")
	rnd := rand.New(rand.NewPCG(seed, 99))
	var all []Typed
	for range n {
		var t Typed
		text := unclear[rnd.IntN(len(unclear))]
		if rnd.IntN(3) == 0 {
			want, said, _ := strings.Cut(clear[rnd.IntN(len(clear))], "\t")
			text, t.Yes = said, want != "no"
		}
		if text == "a" {
			t.Yes = true
		}
		end := "\r"
		switch rnd.IntN(8) {
		case 0:
			end, t.Yes = "\x1b\r", false // escape and enter at once
		case 1:
			text, t.Yes = text+"\x7f\x7f", false // two characters are taken back
			if strings.TrimSpace(text) == "" {
				text = "no"
			}
			text += "; no"
		}
		switch rnd.IntN(3) {
		case 0:
			t.Keys = []string{text + end}
		case 1:
			t.Keys = []string{"\x1b[200~" + text + "\x1b[201~", end}
		default:
			for _, r := range text {
				t.Keys = append(t.Keys, string(r))
			}
			t.Keys, t.Pause = append(t.Keys, end), time.Duration(1+rnd.IntN(8))*time.Millisecond
		}
		switch rnd.IntN(4) {
		case 0:
			t.After = -time.Duration(rnd.IntN(30)) * time.Millisecond
		case 1:
			t.After = time.Duration(rnd.IntN(500)) * time.Millisecond
		default:
			t.After = Settled
		}
		if (text == "exit" || text == "quit") && end == "\r" { // before there is a question it leaves, and nothing is answered any more
			t.After = max(t.After, 0)
		}
		all = append(all, t)
	}
	return all
}

// CheckAnswers has answers typed at a front end, one question after the other, and fails for every yes that was none.
// The front end shows the conversation on a terminal that keys are written to; small parts of the answers are enough for
// an ordinary run, NEBULA_LONG=1 types two thousand. It returns how many were
// taken for a yes.
func CheckAnswers(t *testing.T, g *Gatekeeper, keys interface{ WriteString(string) (int, error) }, answers []Typed) (counted int) {
	t.Helper()
	for i, typed := range answers {
		id := string(rune('a'+i%26)) + strings.Repeat("x", i/26)
		if typed.After < 0 {
			typing(t, keys, typed)
			time.Sleep(-typed.After)
		}
		g.Ask(id, nebula.Proposal{Action: nebula.Action{Tool: "run", Reason: "to see"}, Effect: nebula.Execute, Summary: "run it", Command: "make " + id})
		if typed.After >= 0 {
			time.Sleep(typed.After)
			typing(t, keys, typed)
		}
		a, ok := g.Answered(id, 300*time.Millisecond)
		for range 20 {
			if ok {
				break
			}
			time.Sleep(Settled)
			_, _ = keys.WriteString("\x15no\r")
			a, ok = g.Answered(id, 300*time.Millisecond)
		}
		switch yes := a.Answer == nebula.Yes || a.Answer == nebula.Always; {
		case !ok:
			t.Fatalf("%q: never answered", typed.Keys)
		case yes && (!typed.Yes || typed.After < 0):
			t.Errorf("%q, %s after the question, every %s: taken for %s", typed.Keys, typed.After, typed.Pause, a.Answer)
		case yes:
			counted++
		}
	}
	return counted
}

func typing(t *testing.T, keys interface{ WriteString(string) (int, error) }, typed Typed) {
	t.Helper()
	for _, k := range typed.Keys {
		if _, err := keys.WriteString(k); err != nil {
			t.Fatal(err)
		}
		time.Sleep(typed.Pause)
	}
}

// Many is how many cases a test has: all of them with NEBULA_LONG, else a small part.
func Many(few, all int) int {
	if os.Getenv("NEBULA_LONG") != "" {
		return all
	}
	return few
}
