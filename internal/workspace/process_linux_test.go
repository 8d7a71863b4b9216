package workspace

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The command must not outlive nebula, however that ends.
func TestCommandDiesWithNebula(t *testing.T) {
	if dir := os.Getenv("TEST_WORKSPACE_RUN_IN"); dir != "" {
		d, err := Open(dir, contents{})
		if err != nil {
			t.Fatal(err)
		}
		ran(t, d, Command{Line: "echo $$ > pid; exec sleep 100"})
		return
	}
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestCommandDiesWithNebula$")
	cmd.Env = append(os.Environ(), "TEST_WORKSPACE_RUN_IN="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	for end := time.Now().Add(10 * time.Second); pid == 0 && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		data, _ := os.ReadFile(filepath.Join(dir, "pid"))
		pid, _ = strconv.Atoi(strings.TrimSpace(string(data)))
	}
	cmd.Process.Kill()
	cmd.Wait()
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || bytes.Contains(data, []byte(") Z ")) {
			_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil) // this process inherited it
			return
		}
		if time.Now().After(end) {
			t.Fatalf("process %d lives on: %s", pid, data)
		}
	}
}
