package client

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/serve"
)

// A listener that takes connections and says nothing is given up, at every door, with a sentence that names it.
func TestSilentListenerIsGivenUp(t *testing.T) {
	dir, err := os.MkdirTemp("", "s") // a socket's name is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	socket := serve.Socket(dir)
	l, err := net.Listen("unix", socket) // the system takes the connections
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c := Dial(socket)
	c.patience, c.brief = 50*time.Millisecond, 50*time.Millisecond
	for door, ask := range map[string]func() error{
		"hail": func() error { return c.Hail(t.Context()) },
		"ask":  func() error { return c.Ask(t.Context(), "GET", "/v1/server", nil, nil) },
		"long": func() error { return c.Send(t.Context(), "s1", "", nebula.Submit{Text: strings.Repeat("x", 4<<20)}) },
		"host": func() error { _, _, err := c.Host(t.Context(), "/"); return err },
		"events": func() error {
			for _, err := range c.Events(t.Context(), "s1", 0) {
				return err
			}
			return nil
		},
	} {
		if err := ask(); err == nil || !strings.Contains(err.Error(), filepath.Base(socket)) || !strings.Contains(err.Error(), " has not answered for 1 seconds") ||
			runtime.GOOS == "linux" && !strings.Contains(err.Error(), "(pid "+strconv.Itoa(os.Getpid())+") listens at") {
			t.Errorf("%s: %v", door, err)
		}
	}
}
