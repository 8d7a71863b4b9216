//go:build unix

package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"nebula"
)

func sharing(t testing.TB, dir, with string) *Dir {
	t.Helper()
	d, err := Open(dir, inMemory())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	if err := d.Share(with); err != nil {
		t.Fatal(err)
	}
	return d
}

const writerEnv = "NEBULA_TEST_WRITER"

// TestDeadWritersFilesGoWhenTheFolderIsOpened kills processes that write in a directory that nobody writes in later.
func TestDeadWritersFilesGoWhenTheFolderIsOpened(t *testing.T) {
	if in := os.Getenv(writerEnv); in != "" {
		dir, with, _ := strings.Cut(in, "\n")
		d := sharing(t, dir, with)
		for i := 0; ; i++ {
			for _, f := range []string{"f", "sub/f"} {
				d.Write(t.Context(), granting(t, d, f), f, bytes.Repeat([]byte{byte('a' + i%26)}, 1<<16))
			}
			if i == 0 {
				os.Stdout.WriteString(".")
			}
		}
	}
	dir, with := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	lives := sharing(t, dir, with)
	if _, err := lives.Write(t.Context(), granting(t, lives, "sub/mine"), "sub/mine", nil); err != nil {
		t.Fatal(err)
	}
	young := filepath.Join(dir, "sub", tempName(lives.guild.tag))
	if err := os.WriteFile(young, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	left := 0
	for range 20 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestDeadWritersFilesGoWhenTheFolderIsOpened$")
		cmd.Env = append(os.Environ(), writerEnv+"="+dir+"\n"+with)
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
		for end := time.Now().Add(100 * time.Millisecond); len(temps(lives)) < 2 && time.Now().Before(end); {
		}
		cmd.Process.Kill()
		io.Copy(io.Discard, out)
		cmd.Wait()
		left += len(temps(lives)) - 1
		sharing(t, dir, with).Close()
		if still := temps(lives); len(still) != 1 || still[0] != young {
			t.Fatalf("there are %q; only the living writer's should be", still)
		}
	}
	if left == 0 {
		t.Error("no kill left a file")
	}
	if files, _ := os.ReadDir(with); len(files) != 3 {
		t.Errorf("%d files of writers are left, want the living one's, the lock and the claims", len(files))
	}
}

// TestTwoWritersNeverOverwriteEachOther has writers that do not know of each other count in one file.
func TestTwoWritersNeverOverwriteEachOther(t *testing.T) {
	dir, with := t.TempDir(), t.TempDir()
	const writers, each = 4, 25
	if err := os.WriteFile(filepath.Join(dir, "n"), []byte("0"), 0o644); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range writers {
		d := sharing(t, dir, with)
		all.Go(func() {
			for done := 0; done < each; {
				data, _, err := d.Read("n", 0)
				if err != nil {
					t.Error(err)
					return
				}
				n, err := strconv.Atoi(string(data))
				if err != nil {
					t.Errorf("half a write is seen: %q", data)
					return
				}
				g := granting(t, d, "n")
				if hash, _ := g.Covers("n"); hash != nebula.Hash(data) {
					continue // it changed since it was read
				}
				switch _, err := d.Write(t.Context(), g, "n", fmt.Append(nil, n+1)); {
				case err == nil:
					done++
				case !errors.Is(err, ErrStale):
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	if data, _ := os.ReadFile(filepath.Join(dir, "n")); string(data) != strconv.Itoa(writers*each) {
		t.Errorf("it was counted to %s, want %d", data, writers*each)
	}
}
