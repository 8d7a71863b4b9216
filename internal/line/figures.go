package line

import (
	"fmt"
	"strings"
	"time"

	"nebula"
	"nebula/internal/phrase"
)

// figures sum a turn up in half a line.
func figures(w words, o nebula.Outcome, took time.Duration) string {
	parts := []string{""}
	if n := len(o.Actions); n > 0 {
		parts = append(parts, fmt.Sprintf(w.Actions, n))
	}
	if n := len(o.ChangedFiles); n > 0 {
		parts = append(parts, fmt.Sprintf(w.Files, n))
	}
	if n := o.Usage.Input + o.Usage.Output; n > 0 {
		parts = append(parts, fmt.Sprintf(w.Tokens, phrase.Count(n)))
	}
	if o.Usage.Cost > 0 {
		parts = append(parts, fmt.Sprintf("$%.4f", o.Usage.Cost))
	}
	if took >= time.Second && took < 24*time.Hour {
		parts = append(parts, phrase.Seconds(took.Milliseconds()))
	}
	return strings.Join(parts, " · ")
}

// head and tail are the first and the last lines of a text that say something.
func head(text string, n int) []string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) > n {
		lines = append(lines[:n:n], "…")
	}
	if len(lines) == 1 && lines[0] == "" {
		return nil
	}
	return lines
}

func tail(text string, n int) []string {
	lines := strings.Split(strings.TrimRight(text, "\n "), "\n")
	if len(lines) > n {
		lines = lines[len(lines)-n:]
	}
	if len(lines) == 1 && lines[0] == "" {
		return nil
	}
	return lines
}
