//go:build linux

package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// floods are replies that no model writes. Each writes one piece and reports whether there is more.
var floods = map[string]func(w io.Writer, n int) bool{
	"200 MB of text": func(w io.Writer, n int) bool {
		event(w, `{"content":"`+strings.Repeat("all work and no play ", 50)+`"}`)
		return n < 200_000
	},
	"text without end":      func(w io.Writer, _ int) bool { event(w, `{"content":"on and on "}`); return true },
	"thoughts without end":  func(w io.Writer, _ int) bool { event(w, `{"reasoning_content":"on and on "}`); return true },
	"nothing without end":   func(w io.Writer, _ int) bool { event(w, `{"content":""}`); return true },
	"comments without end":  func(w io.Writer, _ int) bool { _, err := io.WriteString(w, ": still here\n\n"); return err == nil },
	"a line without end":    func(w io.Writer, _ int) bool { _, _ = io.WriteString(w, strings.Repeat("data", 1000)); return true },
	"arguments without end": func(w io.Writer, _ int) bool { event(w, toolCall(0, "writeFile", "on and on ")); return true },
	"100,000 calls": func(w io.Writer, n int) bool {
		event(w, toolCall(n, "deleteFile", `{\"path\":\"keep.txt\",\"reason\":\"x\"}`))
		return n < 100_000
	},
	"100,000 calls in a text": func(w io.Writer, n int) bool {
		event(w, `{"content":"DELETE keep.txt\n<tool_call>{\"name\":\"deleteFile\",\"arguments\":{\"path\":\"keep.txt\",\"reason\":\"x\"}}</tool_call>\n"}`)
		return n < 100_000
	},
	"one body of 200 MB": func(w io.Writer, n int) bool {
		if n == 0 {
			_, _ = io.WriteString(w, `{"choices":[{"finish_reason":"stop","message":{"content":"`)
		}
		_, _ = io.WriteString(w, strings.Repeat("all work and no play ", 50))
		return n < 200_000
	},
}

func event(w io.Writer, delta string) {
	_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":%s}]}\n\n", delta)
}

func toolCall(n int, name, arguments string) string {
	return fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":"c%d","function":{"name":%q,"arguments":"%s"}}]}`, n, n, name, arguments)
}

func TestAReplyWithoutEndIsBrokenOff(t *testing.T) {
	for name, write := range floods {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				for n := 0; write(w, n) && r.Context().Err() == nil; n++ {
				}
			}))
			defer server.Close()
			b := newBed(t)
			keep := filepath.Join(b.folder, "keep.txt")
			if err := os.WriteFile(keep, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			c := b.command("run", "--approve", "all", "--timeout", "20s", "--max-steps", "2", "go")
			c.Env = append(c.Env, "OPENAI_BASE_URL="+server.URL+"/v1")
			var said bytes.Buffer
			c.Stdout, c.Stderr = io.Discard, &said
			began := time.Now()
			if err := c.Run(); err == nil {
				t.Errorf("it ended as if all were well: %s", said.Bytes())
			}
			took := time.Since(began)
			use := c.ProcessState.SysUsage().(*syscall.Rusage)
			stored := size(t, b.home)
			t.Logf("%v, %d MB of memory, %v of processor, %d KB on disk: %s", took.Round(10*time.Millisecond), use.Maxrss>>10,
				c.ProcessState.UserTime().Round(10*time.Millisecond), stored>>10, bytes.TrimSpace(said.Bytes()[max(0, said.Len()-150):]))
			if took > 2*time.Minute || use.Maxrss > 150<<10 || stored > 20<<20 {
				t.Error("that is too much")
			}
			if _, err := os.Stat(keep); err != nil {
				t.Error("something of it was done")
			}
		})
	}
}

// Whoever does not want to wait is heard while bytes flow.
func TestAFloodIsStoppedAtOnce(t *testing.T) {
	flowing := make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for n := 0; r.Context().Err() == nil; n++ {
			if floods["nothing without end"](w, n); n == 1000 {
				select {
				case flowing <- struct{}{}:
				default: // a request that nobody waits for
				}
			}
		}
	}))
	defer server.Close()
	for _, how := range []string{"interrupt", "timeout"} {
		b := newBed(t)
		c := b.command("run", "--timeout", "700ms", "go")
		if how == "interrupt" {
			c = b.command("run", "go")
		}
		c.Env = append(c.Env, "OPENAI_BASE_URL="+server.URL+"/v1")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		<-flowing
		began, limit := time.Now(), 15*time.Second
		if how == "interrupt" {
			limit = 10 * time.Second // 200 ms on a machine that has nothing else to do
			_ = c.Process.Signal(os.Interrupt)
		}
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		context.AfterFunc(ctx, func() { _ = c.Process.Kill() })
		_ = c.Wait()
		stop()
		if took := time.Since(began); took > limit {
			t.Errorf("%s: it took %v", how, took)
		} else {
			t.Logf("%s: %v", how, took)
		}
	}
}

func size(t *testing.T, dir string) (total int64) {
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			total += info.Size()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return total
}
