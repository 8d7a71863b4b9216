package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// goFiles are the sources of Go's library, as they are.
func goFiles(b *testing.B, dirs ...string) map[string]string {
	files := map[string]string{}
	root := trees(b)["go"]
	for _, dir := range dirs {
		err := filepath.WalkDir(filepath.Join(root, dir), func(p string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") {
				return err
			}
			data, err := os.ReadFile(p)
			rel, _ := filepath.Rel(root, p)
			files[filepath.ToSlash(rel)] = string(data)
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	return files
}

// BenchmarkBuild takes text, and code with its definitions, into a segment.
func BenchmarkBuild(b *testing.B) {
	files := goFiles(b, "net", "go", "encoding")
	for _, kind := range []string{"text", "Go", "scanned"} {
		b.Run(kind, func(b *testing.B) {
			size := 0
			for _, text := range files {
				size += len(text)
			}
			b.SetBytes(int64(size))
			for b.Loop() {
				s := newBuilder()
				for name, text := range files {
					switch kind {
					case "text":
						name = strings.TrimSuffix(name, ".go") + ".txt"
					case "scanned":
						name = strings.TrimSuffix(name, ".go") + ".js"
					}
					s.add(name, []byte(text), known{}, 0)
				}
			}
		})
	}
}

// BenchmarkUpdate is from a change to an answer that has it.
func BenchmarkUpdate(b *testing.B) {
	x, root := folder(b, goFiles(b, "net", "go", "encoding"))
	if _, err := x.Refresh(context.Background(), time.Hour); err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		write(b, root, "go/ast/ast.go", fmt.Sprintf("package ast\n\nfunc Changed%d() {}\n", i))
		time.Sleep(settled)
		began := time.Now()
		if err := x.update(context.Background()); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(time.Since(began).Microseconds())/1000, "ms/update")
	}
}

// BenchmarkMap is the map of a thousand files: from nothing, and when the index is there.
func BenchmarkMap(b *testing.B) {
	files := goFiles(b, "net", "go", "encoding", "crypto", "internal")
	for name := range files {
		if len(files) > 1000 {
			delete(files, name)
		}
	}
	_, root := folder(b, files)
	count := func(s string) int { return len(s)/3 + 1 }
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			x := indexOf(b, root, filepath.Join(b.TempDir(), "x.db"))
			if _, err := x.Refresh(context.Background(), time.Minute); err != nil {
				b.Fatal(err)
			}
			list, _, err := x.Map(context.Background(), "read a certificate")
			if err != nil || len(Fit(list, 1000, count)) > 3000 {
				b.Fatal(err)
			}
		}
	})
	b.Run("warm", func(b *testing.B) {
		x := indexOf(b, root, filepath.Join(b.TempDir(), "x.db"))
		if _, err := x.Refresh(context.Background(), time.Minute); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if text := x.evidence("read a certificate", false, 1000, count); text == "" || count(text) > 1000 {
				b.Fatal(text)
			}
		}
	})
}

// BenchmarkLarge is a tree of 50,000 files: Go's library many times over, under other names.
func BenchmarkLarge(b *testing.B) {
	if os.Getenv("NEBULA_LONG") == "" {
		b.Skip("set NEBULA_LONG=1")
	}
	files := goFiles(b, "net", "go", "encoding", "strings", "sort", "text", "time", "os", "io", "path", "bytes", "bufio", "fmt")
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	root := b.TempDir()
	for i := range 50_000 {
		name := names[i%len(names)]
		text := files[name]
		if n := 4 << 10; len(text) > n { // as long as files are in the middle of large trees
			at := (i / len(names) * n) % (len(text) - n + 1)
			text = text[at : at+n]
		}
		write(b, root, fmt.Sprintf("p%02d/%s", i/len(names), name), text)
	}
	for b.Loop() {
		x := indexOf(b, root, filepath.Join(b.TempDir(), "x.db"))
		most := make(chan uint64, 1)
		stop := make(chan struct{})
		go func() { most <- heap(stop) }()
		began := time.Now()
		if _, err := x.Refresh(context.Background(), time.Hour); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(began).Seconds(), "s-to-index")
		close(stop)
		b.ReportMetric(float64(<-most)/1e6, "MB-most")
		began = time.Now()
		if err := x.update(context.Background()); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(time.Since(began).Microseconds())/1000, "ms-to-check")
		b.ReportMetric(queries(b, x), "p95-ms")
		info, err := os.Stat(x.path)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(info.Size())/1e6, "MB-on-disk")
	}
}

// heap watches what the process has of memory.
func heap(stop chan struct{}) (most uint64) {
	for {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.Sys-m.HeapReleased)
		select {
		case <-stop:
			return most
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// queries gives the 95th percentile of some questions, in milliseconds.
func queries(b *testing.B, x *Index) float64 {
	var took []time.Duration
	for range 5 {
		for _, text := range []string{"split a string at separators", "parse an HTTP response header", "AddItem", "read a certificate from a file",
			"returns the number of bytes written", "where is the time zone loaded", "設定を読み込む", "encode json with indentation", "temporary directory name",
			"sort a slice in place with a comparison function", "template functions map", "dial a tcp connection with a deadline"} {
			began := time.Now()
			if _, err := x.lookup(text, 8); err != nil {
				b.Fatal(err)
			}
			took = append(took, time.Since(began))
		}
	}
	slices.Sort(took)
	return float64(took[len(took)*95/100].Microseconds()) / 1000
}
