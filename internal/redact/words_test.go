package redact

import (
	"math/rand/v2"
	"testing"
)

// A short secret is taken out where it is a word of its own, in whatever pieces it comes, and nowhere else.
func TestShortSecretsAreWords(t *testing.T) {
	r := New([]string{"sk-canary-4f1d0c7be2a94d3c"}).Words([]string{"hunter2", "p@ss!"})
	random := rand.New(rand.NewPCG(3, 7))
	for _, tt := range []struct{ text, want string }{
		{"hunter2", Hidden},
		{"DB=hunter2\nX='hunter2';", "DB=" + Hidden + "\nX='" + Hidden + "';"},
		{`{"a":"x\nhunter2\n"}`, `{"a":"x\n` + Hidden + `\n"}`},
		{"\x1b[31mhunter2 x", "\x1b[31m" + Hidden + " x"},
		{"postgres://me:hunter2@db/", "postgres://me:" + Hidden + "@db/"},
		{"hunter23 xhunter2 hunter2_ hunter hunter2x", "hunter23 xhunter2 hunter2_ hunter hunter2x"},
		{"日本hunter2語", "日本" + Hidden + "語"},
		{"xp@ss! xp@ss!x p@ss!x p@ss!", "xp@ss! xp@ss!x " + Hidden + "x " + Hidden},
		{"aHVudGVyMg== aHVudGVyMgX", Hidden + "== aHVudGVyMgX"},
		{"hunter2 hunter2hunter2 sk-canary-4f1d0c7be2a94d3c", Hidden + " hunter2hunter2 " + Hidden},
	} {
		if got := r.Text(tt.text); got != tt.want {
			t.Errorf("%q became %q", tt.text, got)
		}
		for range 50 {
			s, piped := r.Stream(), ""
			for rest := tt.text; rest != ""; {
				n := 1 + random.IntN(min(len(rest), 9))
				piped += s.Feed(rest[:n])
				rest = rest[n:]
			}
			if piped += s.End(); piped != tt.want {
				t.Fatalf("%q in pieces became %q", tt.text, piped)
			}
		}
	}
}
