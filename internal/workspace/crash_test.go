package workspace

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

const crashEnv = "NEBULA_TEST_CRASH_DIR"

// TestKilledWriterLeavesWholeFiles kills a process that writes, and looks at what it left.
func TestKilledWriterLeavesWholeFiles(t *testing.T) {
	if dir := os.Getenv(crashEnv); dir != "" {
		writeForEver(t, dir)
	}
	kills := often(8, 8, 200)
	dir := t.TempDir()
	for i := range kills {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledWriterLeavesWholeFiles$")
		cmd.Env = append(os.Environ(), crashEnv+"="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(out, make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.IntN(20_000)) * time.Microsecond)
		cmd.Process.Kill()
		io.Copy(io.Discard, out)
		cmd.Wait()
		data, err := os.ReadFile(filepath.Join(dir, "f"))
		if err != nil || len(data) == 0 || len(data)%10 != 0 || !bytes.Equal(data, bytes.Repeat(data[:10], len(data)/10)) {
			t.Fatalf("after %d kills: %d bytes, %v", i+1, len(data), err)
		}
	}
	age := time.Now().Add(-time.Minute)
	left, _ := filepath.Glob(filepath.Join(dir, tempPrefix+"*"))
	for _, f := range left {
		os.Chtimes(f, age, age)
	}
	d, err := Open(dir, inMemory())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if still := temps(d); len(still) > 0 {
		t.Errorf("of %d left-over files stay %q", len(left), still)
	}
}

// writeForEver writes one file again and again, each time with ten other bytes repeated.
func writeForEver(t *testing.T, dir string) {
	d, err := Open(dir, inMemory())
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; ; i++ {
		d.Write(t.Context(), granting(t, d, "f"), "f", bytes.Repeat(fmt.Appendf(nil, "%09d\n", i%1e9), 1+rand.IntN(20_000)))
		if i == 0 {
			os.Stdout.WriteString(".")
		}
	}
}
