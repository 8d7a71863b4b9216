package confine

import (
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"
)

// BenchmarkBox compares a command in a box with the same command without, and in the box that bubblewrap makes where that is
// here, in turn. It reports the medians.
func BenchmarkBox(b *testing.B) {
	for _, kept := range []struct {
		name   string
		layers []string // programs that use them
	}{{"none", []string{"ls"}}, {"go", []string{"go"}}, {"all", nil}} {
		b.Run(kept.name, func(b *testing.B) {
			bx, ok := For(Place{Folder: b.TempDir(), Home: os.Getenv("HOME"), Environ: os.Getenv, Kept: b.TempDir(), Programs: kept.layers})
			if !ok {
				b.Fatal("no box")
			}
			null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
			if err != nil {
				b.Fatal(err)
			}
			defer null.Close()
			files := []int{int(null.Fd()), int(null.Fd()), int(null.Fd())}
			var plain, boxed, wrapped []time.Duration
			wrap, _ := exec.LookPath("bwrap")
			for range max(b.N, 20) {
				t := time.Now()
				c := exec.Command("/bin/bash", "-c", ":")
				c.Dir = bx.Folder
				if err := c.Run(); err != nil {
					b.Fatal(err)
				}
				plain = append(plain, time.Since(t))
				if wrap != "" {
					t = time.Now()
					if err := exec.Command(wrap, "--unshare-all", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--bind", bx.Folder, bx.Folder, "/bin/bash", "-c", ":").Run(); err != nil {
						b.Fatal("bwrap: ", err)
					}
					wrapped = append(wrapped, time.Since(t))
				}
				ready, err := Prepare(false)
				if err != nil {
					b.Fatal(err)
				}
				time.Sleep(10 * time.Millisecond) // a guard has it ready
				t = time.Now()
				running, err := ready.Start(bx, sh(bx.Folder, ":"), files)
				if err != nil {
					b.Fatal(err)
				}
				running.Ended()
				boxed = append(boxed, time.Since(t))
				_, _ = syscall.Wait4(ready.Pid, nil, 0, nil)
			}
			slices.Sort(plain)
			slices.Sort(boxed)
			p, x := plain[len(plain)/2], boxed[len(boxed)/2]
			b.ReportMetric(float64(p.Microseconds())/1000, "plain-ms")
			b.ReportMetric(float64(x.Microseconds())/1000, "boxed-ms")
			b.ReportMetric(float64((x-p).Microseconds())/1000, "added-ms")
			if slices.Sort(wrapped); len(wrapped) > 0 {
				b.ReportMetric(float64((wrapped[len(wrapped)/2]-p).Microseconds())/1000, "bwrap-adds-ms")
			}
		})
	}
}
