package token

import (
	"strings"
	"testing"
)

func TestCountsLikeThePublishedTable(t *testing.T) {
	for text, want := range map[string]int{"": 0, "hello world": 2, "Hello, world!": 4, "日本語のテスト": 5} {
		if got := Count(text); got != want {
			t.Errorf("%q has %d tokens, want %d", text, got, want)
		}
	}
	if n := Count("\xff\xfe"); n == 0 {
		t.Error("broken UTF-8 costs nothing")
	}
}

func BenchmarkCount(b *testing.B) {
	text := strings.Repeat("func main() { fmt.Println(\"hello\", 42) } // 説明\n", 1000)
	Count(text)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Count(text)
	}
}
