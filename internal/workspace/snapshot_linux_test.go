package workspace

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// medians measures what a snapshot and the look after the command add to it.
func medians(b *testing.B, files, each int) {
	d, err := Open(b.TempDir(), inMemory())
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	text := strings.Repeat("x", each)
	for i := range files {
		laid(b, d, map[string]string{fmt.Sprintf("d%d/e%d/f%d.go", i/500, i/50, i): text})
	}
	shift(b, d)
	look := func() time.Duration {
		from := time.Now()
		s, err := d.Snapshot(b.Context(), "command")
		if err != nil {
			b.Fatal(err)
		}
		if c, err := s.Changes(b.Context()); err != nil || len(c) > 0 {
			b.Fatal(c, err)
		}
		return time.Since(from)
	}
	first := look()
	var took []time.Duration
	from := processor()
	for b.Loop() {
		took = append(took, look())
	}
	b.ReportMetric(float64((processor()-from).Microseconds())/1000/float64(len(took)), "ms-processor")
	b.ReportMetric(float64(first.Microseconds())/1000, "ms-first")
	slices.Sort(took)
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapAlloc)/(1<<20), "MB-held")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-median")
}

func BenchmarkSnapshot(b *testing.B) {
	for _, files := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(files), func(b *testing.B) { medians(b, files, 4000) })
	}
	if os.Getenv("NEBULA_LONG") != "" {
		b.Run("1000000", func(b *testing.B) { medians(b, 1_000_000, 200) })
	}
}

// processor is the time that all processors spent for this process.
func processor() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
