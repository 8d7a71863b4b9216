// Package token counts tokens exactly, as the current models of OpenAI do. Counting needs a table that takes some
// 15 ms and several MB to set up, which happens at the first count; the package model has a quick estimate instead.
package token

import (
	"sync"

	"github.com/tiktoken-go/tokenizer/codec"
)

// Count returns the number of o200k tokens of text. It may be called from any goroutine.
func Count(text string) int {
	n, err := table().Count(text)
	if err != nil {
		return len(text) // not UTF-8: every byte on its own is the most it can be
	}
	return n
}

var table = sync.OnceValue(codec.NewO200kBase)
