package config

import (
	"strings"

	"nebula/internal/phrase"
)

// Nearest finds the candidate that a mistyped word most likely means, or "". A candidate is near when a third of its
// letters or fewer differ, or when it begins with the word. Among equals the longest is nearest: letters get lost more than they come by.
func Nearest(word string, candidates []string) string {
	best, least := "", 0
	lower := strings.ToLower(word)
	for _, c := range candidates {
		d := 2 * phrase.Distance(lower, strings.ToLower(c))
		if len(lower) >= 3 && strings.HasPrefix(strings.ToLower(c), lower) {
			d = 1 // an unfinished word is nearer than a wrong one
		}
		if d > 2*max(1, len([]rune(c))/3) {
			continue
		}
		if best == "" || d < least || d == least && len(c) > len(best) {
			best, least = c, d
		}
	}
	return best
}
