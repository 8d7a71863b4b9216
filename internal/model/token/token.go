// Package token counts tokens exactly, as the current models of OpenAI do. Counting needs a table that takes some
// time and several MB to set up, which happens at the first count; the package model has a quick estimate instead.
package token

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"io"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// packed are the tokens of o200k in the order of their ranks, compressed. The first 256 are a byte each; each other one is what two before
// it are together, and stands here as their ranks, three bytes each. All first bytes of the former ranks stand first, then all second ones,
// the third ones, and so those of the latter: the tokens themselves would be a third more, and as a map that is compiled in 5 MB.
//
//go:embed o200k.flate
var packed []byte

// ranks are the tokens by their bytes: which of two is joined first.
var ranks = sync.OnceValue(func() map[string]int32 {
	all, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		panic(err) // it is part of the program
	}
	first, all := all[:256], all[256:]
	n := len(all) / 6
	var text strings.Builder // all tokens, one after the other
	text.Grow(8 * n)
	text.Write(first)
	ends := make([]int32, 1+256+n)
	for i := range first {
		ends[1+i] = int32(i) + 1
	}
	token := func(rank int) string { return text.String()[ends[rank]:ends[rank+1]] }
	half := func(pairs []byte, i int) int { return int(pairs[i])<<16 | int(pairs[n+i])<<8 | int(pairs[2*n+i]) }
	for i := range n {
		text.WriteString(token(half(all, i)))
		text.WriteString(token(half(all[3*n:], i)))
		ends[1+256+i] = int32(text.Len())
	}
	of := make(map[string]int32, 256+n)
	for rank := range 256 + n {
		of[token(rank)] = int32(rank)
	}
	return of
})

// split is where a text is cut before anything is joined; a stretch of blanks before a word leaves its last one to the word, which is
// cut off in [next].
var split = sync.OnceValue(func() *regexp.Regexp {
	const blank = `\t-\r\x{85}\p{Z}`
	const upper, lower = `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`, `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
	const before, short = `[^\r\n\p{L}\p{N}]?`, `(?i:'s|'t|'re|'ve|'m|'ll|'d)?`
	return regexp.MustCompile(`^(?:` + before + upper + `*` + lower + `+` + short + `|` + before + upper + `+` + lower + `*` + short +
		`|\p{N}{1,3}| ?[^` + blank + `\p{L}\p{N}]+[\r\n/]*|[` + blank + `]*[\r\n]+|[` + blank + `]+)`)
})

// Count returns the number of o200k tokens of text. It may be called from any goroutine.
func Count(text string) int {
	if !utf8.ValidString(text) {
		return len(text) // every byte on its own is the most it can be
	}
	of, n := ranks(), 0
	for len(text) > 0 {
		piece := text[:next(text)]
		text = text[len(piece):]
		if _, whole := of[piece]; whole {
			n++
		} else {
			n += joined(of, piece)
		}
	}
	return n
}

// next is how many bytes of a text are its first piece.
func next(text string) int {
	at := split().FindStringIndex(text)
	if at == nil {
		return len(text) // everything is of some kind
	}
	piece := text[:at[1]]
	last, n := utf8.DecodeLastRuneInString(piece)
	if blanks := strings.TrimFunc(piece, unicode.IsSpace) == "" && last != '\r' && last != '\n'; blanks && len(piece) > n && len(piece) < len(text) {
		return len(piece) - n
	}
	return len(piece)
}

// joined is how many tokens a piece has: of all neighbours, those that make the token of the lowest rank are joined, as long as any make one.
func joined(of map[string]int32, piece string) int {
	ends := make([]int, 0, len(piece)+1) // where the parts begin, and the end
	for i := range len(piece) + 1 {
		ends = append(ends, i)
	}
	pair := func(i int) int32 {
		if i+2 < len(ends) {
			if rank, ok := of[piece[ends[i]:ends[i+2]]]; ok {
				return rank
			}
		}
		return never
	}
	costs := make([]int32, len(ends)) // of joining a part with the next
	for i := range costs {
		costs[i] = pair(i)
	}
	for {
		best := 0
		for i, c := range costs {
			if c < costs[best] {
				best = i
			}
		}
		if costs[best] == never {
			return len(ends) - 1
		}
		ends = append(ends[:best+1], ends[best+2:]...)
		costs = append(costs[:best+1], costs[best+2:]...)
		costs[best] = pair(best)
		if best > 0 {
			costs[best-1] = pair(best - 1)
		}
	}
}

// never is the rank of what is no token.
const never = 1<<31 - 1
