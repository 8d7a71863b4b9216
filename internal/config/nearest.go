package config

import "strings"

// Nearest finds the candidate that a mistyped word most likely means, or "". A candidate is near when a third of its
// letters or fewer differ, or when it begins with the word. Among equals the longest is nearest: letters get lost more than they come by.
func Nearest(word string, candidates []string) string {
	best, least := "", 0
	lower := strings.ToLower(word)
	for _, c := range candidates {
		d := 2 * distance(lower, strings.ToLower(c))
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

// distance counts insertions, deletions, replacements and swaps of neighbours between two words.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	before, last := make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row := make([]int, len(t)+1)
		row[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(t)]
}
