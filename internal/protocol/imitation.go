package protocol

import (
	"slices"
	"strings"
	"unicode"
)

// What a reply can begin with that only the program says: a result that nobody has had yet.

// opens reports whether what stands before the first action of a reply holds an invented result: the program's own
// head of one, or a heading of its own with what was returned below.
func opens(line, below string) bool {
	line = strings.Trim(line, " \t\r\n*_#")
	low := strings.ToLower(line)
	if rest, ok := strings.CutPrefix(line, "ok "); ok {
		return toolLike(rest)
	}
	if rest, ok := strings.CutPrefix(line, "["); ok {
		number, rest, closed := strings.Cut(rest, "] ")
		return closed && number != "" && strings.Trim(number, "0123456789") == "" && strings.Contains(rest, ":") && toolLike(rest)
	}
	if !strings.HasSuffix(low, ":") && !strings.HasSuffix(low, "：") || strings.TrimSpace(below) == "" {
		return false
	}
	word := low[:len(low)-len(strings.TrimLeftFunc(low, unicode.IsLetter))]
	for _, h := range returned {
		if word == h && (len(low) == len(h)+1 || slices.ContainsFunc(ofWhat, func(of string) bool { return strings.HasPrefix(low[len(h):], of) })) {
			return true
		}
	}
	return slices.ContainsFunc(returnedJapanese, func(h string) bool { return strings.HasSuffix(strings.TrimRight(low, ":："), h) })
}

// returned are the first words of a heading above what a tool gave, which ofWhat goes on; in Japanese the last.
var (
	returned         = []string{"output", "result", "results", "response", "stdout"}
	ofWhat           = []string{" of ", " from ", " for "}
	returnedJapanese = []string{"の結果", "の出力"}
)

// toolLike reports whether a text begins with a word as tools are called: small letters with a capital or a _ among them.
func toolLike(text string) bool {
	word := text
	if i := strings.IndexAny(text, " :\r\n"); i >= 0 {
		word = text[:i]
	}
	if word == "" || !unicode.IsLower(rune(word[0])) {
		return false
	}
	return strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" && word != strings.ToLower(strings.ReplaceAll(word, "_", "A"))
}
