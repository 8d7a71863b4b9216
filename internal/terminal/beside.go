package terminal

import "strings"

// Beside is what a turn's last words hold beside the answer, which was shown already.
func Beside(words, answer string) string {
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(words), strings.TrimSpace(answer)))
}
