package phrase

import "fmt"

// Seconds says how long ms is.
func Seconds(ms int64) string {
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

// Count says how many n is.
func Count(n int) string {
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

// Bytes writes a number of bytes as people read it.
func Bytes(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f KB", float64(n)/1e3)
	case n < 1_000_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}
