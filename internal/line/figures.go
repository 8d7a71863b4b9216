package line

import (
	"fmt"
	"strings"
	"time"

	"nebula"
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
		parts = append(parts, fmt.Sprintf(w.Tokens, count(n)))
	}
	if o.Usage.Cost > 0 {
		parts = append(parts, fmt.Sprintf("$%.4f", o.Usage.Cost))
	}
	if took >= time.Second && took < 24*time.Hour {
		parts = append(parts, seconds(took.Milliseconds()))
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

// seconds says how long ms is.
func seconds(ms int64) string {
	switch {
	case ms < 1000:
		return fmt.Sprintf("%d ms", ms)
	case ms < 10_000 && ms%1000 != 0:
		return fmt.Sprintf("%.1f s", float64(ms)/1000)
	case ms < 60_000:
		return fmt.Sprintf("%d s", ms/1000)
	}
	return fmt.Sprintf("%d min %02d s", ms/60_000, ms/1000%60)
}

// count says how many n is.
func count(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 10_000:
		return fmt.Sprintf("%.1fk", float64(n)/1000)
	case n < 1_000_000:
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprintf("%.1fM", float64(n)/1_000_000)
}
