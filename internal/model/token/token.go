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

// packed are the tokens of o200k in the order of their ranks: their lengths, a byte each, a zero, and then the tokens one after the other,
// compressed. As a map that is compiled in, as a library has it, they are 5 MB of the program.
//
//go:embed o200k.flate
var packed []byte

// ranks are the tokens by their bytes: which of two is joined first.
var ranks = sync.OnceValue(func() map[string]int32 {
	all, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		panic(err) // it is part of the program
	}
	lengths, text, _ := strings.Cut(string(all), "\x00")
	of := make(map[string]int32, len(lengths))
	for rank, n := range []byte(lengths) {
		of[text[:n]] = int32(rank)
		text = text[n:]
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
