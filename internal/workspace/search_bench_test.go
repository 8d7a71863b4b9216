package workspace

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// benchFiles is the size of the tree that searches are measured on.
const benchFiles = 100_000

// benchTree makes a tree of source-like files once and keeps it in the system's folder for temporary files.
func benchTree(b *testing.B) string {
	b.Helper()
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("nebula-search-%d-v1", benchFiles))
	if _, err := os.Stat(filepath.Join(dir, "complete")); err == nil {
		return dir
	}
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("func return if err nil range string int for value key name path file open read write close context error handler request response server client config option parse token line index count buffer")
	for i := range benchFiles {
		sub := filepath.Join(dir, fmt.Sprintf("m%03d", i%250), fmt.Sprintf("p%02d", i/250%20))
		if i < 250*20 {
			os.MkdirAll(sub, 0o755)
		}
		var t strings.Builder
		for n := 20 + r.IntN(120); n > 0; n-- {
			t.WriteByte('\t')
			for range 2 + r.IntN(8) {
				t.WriteString(words[r.IntN(len(words))])
				t.WriteByte(' ')
			}
			t.WriteByte('\n')
		}
		if i%1000 == 7 {
			fmt.Fprintf(&t, "func rareNeedle%d(ctx Context) error {\n", i)
		}
		ext := []string{".go", ".go", ".ts", ".py", ".md"}[i%5]
		if err := os.WriteFile(filepath.Join(sub, fmt.Sprintf("f%05d%s", i, ext)), []byte(t.String()), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	os.MkdirAll(filepath.Join(dir, ".git"), 0o755)
	os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("*.md\n/m001/\nnode_modules/\n*.log\nbuild/**/out\n"), 0o644)
	os.WriteFile(filepath.Join(dir, "complete"), nil, 0o644)
	return dir
}

// BenchmarkSearch searches the tree in turn with Search and, where it is installed, with rg, and reports the medians and
// their ratio.
func BenchmarkSearch(b *testing.B) {
	dir := benchTree(b)
	d, err := Open(dir, inMemory())
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	for _, c := range []struct {
		name  string
		query Query
		rg    []string
	}{
		{"rare", Query{Keyword: "rareNeedle"}, []string{"-F", "rareNeedle"}},
		{"glob", Query{Keyword: "rareNeedle", Glob: "*.ts"}, []string{"-F", "rareNeedle", "-g", "*.ts"}},
		{"fold", Query{Keyword: "RARENEEDLE", IgnoreCase: true}, []string{"-F", "-i", "RARENEEDLE"}},
		{"regex", Query{Keyword: `func rare\w+\(`, Regex: true}, []string{`func rare\w+\(`}},
		{"regexplain", Query{Keyword: `[a-z]+Needle\d{3,}`, Regex: true}, []string{`[a-z]+Needle\d{3,}`}},
		{"noliteral", Query{Keyword: `[A-Z]\w+\d+\(`, Regex: true}, []string{`[A-Z]\w+\d+\(`}},
		{"limit", Query{Keyword: "handler request", Limit: 100}, nil},
		{"many", Query{Keyword: "handler request server"}, []string{"-F", "handler request server"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var ours, theirs []time.Duration
			n, m := 0, 0
			for b.Loop() {
				began := time.Now()
				found, _, err := d.Search(b.Context(), c.query)
				ours = append(ours, time.Since(began))
				if err != nil {
					b.Fatal(err)
				}
				if n = len(found); c.rg == nil {
					continue
				}
				took, lines, ok := ripgrep(dir, c.rg)
				if ok {
					theirs, m = append(theirs, took), lines
				}
			}
			b.ReportMetric(float64(n), "matches")
			b.ReportMetric(median(ours).Seconds()*1e3, "ms/search")
			if len(theirs) > 0 {
				if n != m {
					b.Errorf("found %d, rg found %d", n, m)
				}
				b.ReportMetric(median(theirs).Seconds()*1e3, "ms/rg")
				b.ReportMetric(median(ours).Seconds()/median(theirs).Seconds(), "ratio")
			}
		})
	}
}

func ripgrep(dir string, args []string) (took time.Duration, lines int, ok bool) {
	cmd := exec.Command("rg", append([]string{"--no-config", "--hidden", "--no-ignore-global", "-n", "--no-heading", "--color=never", "--glob=!.git"}, append(args, ".")...)...)
	cmd.Dir = dir
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, 0, false
	}
	began := time.Now()
	if cmd.Start() != nil {
		return 0, 0, false
	}
	data, _ := io.ReadAll(out)
	if cmd.Wait() != nil {
		return 0, 0, false
	}
	return time.Since(began), strings.Count(string(data), "\n"), true
}

func median(d []time.Duration) time.Duration {
	d = slices.Sorted(slices.Values(d))
	return d[len(d)/2]
}

// BenchmarkList walks through the whole tree.
func BenchmarkList(b *testing.B) {
	d, err := Open(benchTree(b), inMemory())
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	for b.Loop() {
		n := 0
		for _, err := range d.List(b.Context(), Walk{Recursive: true}) {
			if n++; err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(n), "entries")
	}
}

// BenchmarkWrite replaces a file of 10 KB; most of it is the disk's time to sync.
func BenchmarkWrite(b *testing.B) {
	d, err := Open(b.TempDir(), inMemory())
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	i := 0
	for b.Loop() {
		i++
		if _, err := d.Write(b.Context(), granting(b, d, "f"), "f", []byte(strings.Repeat(fmt.Sprintf("line %d\n", i), 1000))); err != nil {
			b.Fatal(err)
		}
	}
}
