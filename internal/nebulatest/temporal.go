package nebulatest

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"
)

// A Temporal is a server for trials, of a test alone, with its database in a file.
type Temporal struct {
	t       testing.TB
	path    string
	file    string
	port    int
	process *exec.Cmd
}

// NewTemporal starts one. Where the program is not installed (tools/temporal/install builds it) the test is skipped, or fails
// with CI=true.
func NewTemporal(t testing.TB) *Temporal {
	t.Helper()
	path, err := exec.LookPath("temporal")
	if cache, failed := os.UserCacheDir(); err != nil && failed == nil {
		path, err = exec.LookPath(filepath.Join(cache, "nebula-tests", "temporal-v1.5.1", "temporal"))
	}
	if err != nil {
		Missing(t, "temporal is not installed")
	}
	s := &Temporal{t: t, path: path, file: filepath.Join(t.TempDir(), "temporal.db")}
	s.port = Port(t)
	t.Cleanup(s.Kill)
	s.Start()
	return s
}

// Address is where it listens.
func (s *Temporal) Address() string { return "127.0.0.1:" + strconv.Itoa(s.port) }

// Folder is where the program is.
func (s *Temporal) Folder() string { return filepath.Dir(s.path) }

// Port is one of this machine where nothing listens.
func Port(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// Start starts it, again after a [Temporal.Kill] with all that it knew.
func (s *Temporal) Start() {
	s.t.Helper()
	s.process = exec.Command(s.path, "server", "start-dev", "--db-filename", s.file, "--port", strconv.Itoa(s.port), "--headless", "--log-level", "never")
	s.process.Env = append(os.Environ(), "HOME="+filepath.Dir(s.file))
	if err := s.process.Start(); err != nil {
		s.t.Fatal(err)
	}
	for range 600 {
		c, err := net.DialTimeout("tcp", s.Address(), time.Second)
		if err == nil {
			_ = c.Close()
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	s.t.Fatal("temporal does not listen")
}

// Kill ends it as a crash would.
func (s *Temporal) Kill() {
	if s.process != nil {
		_ = s.process.Process.Kill()
		_ = s.process.Wait()
		s.process = nil
	}
}

// History is what it keeps of a workflow, as JSON, without the names of processes and of this machine.
func (s *Temporal) History(id string) []byte {
	s.t.Helper()
	cmd := exec.Command(s.path, "workflow", "show", "--address", s.Address(), "--workflow-id", id, "--output", "json")
	cmd.Env = append(os.Environ(), "HOME="+filepath.Dir(s.file))
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatal(err)
	}
	if host, err := os.Hostname(); err == nil { // in the names of queues
		out = bytes.ReplaceAll(out, []byte("/"+host+`"`), []byte(`/machine"`))
	}
	return regexp.MustCompile(`"identity": "[^"]*"`).ReplaceAll(out, []byte(`"identity": "worker"`))
}
