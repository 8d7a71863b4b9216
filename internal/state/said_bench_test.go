package state

import (
	"strings"
	"testing"
)

// manyWords is what a model says at length of its work, of so many bytes.
func manyWords(size int) string {
	const part = "I looked at the parser first, since the error came from there. The loop in `lex.go` ends one token too early, because the bound is " +
		"taken before the buffer is filled.\n\n- The scanner keeps its place in `pos`, which is reset by `next()`.\n- Callers pass a slice, so nothing is copied.\n" +
		"The fix changes the bound and leaves the signature as it is. Tests for empty input are in the table of `lex_test.go`, with one case for each kind of token. " +
		"If the list is empty, it returns early. The README describes the options, and the configuration is read when the program starts.\n\n"
	return strings.Repeat(part, size/len(part)+1)[:size]
}

// BenchmarkUnshown looks through an answer of 16 KB for what it says was done.
func BenchmarkUnshown(b *testing.B) {
	say := manyWords(16 << 10)
	d := Deeds{Touched: []string{"lex.go"}, Lines: []Line{{"go test ./...", true}}, Tested: true, Counted: true, Stands: func(string) (bool, bool) { return true, true }}
	warm := "I installed it, committed it and pushed it. The build passes. I deployed it. The server is up and running. 依存関係をインストールしました。コミットしました。Ich habe a.go gelöscht. j'ai supprimé a.go. 已经删除了 a.go. 빌드. actualicé a.go."
	d.Unshown(warm)
	b.SetBytes(int64(len(say)))
	for b.Loop() {
		d.Unshown(say)
	}
}
