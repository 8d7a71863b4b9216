package sqlite_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nebula"
	"nebula/internal/record"
	"nebula/internal/sqlite"
)

// TestMain lets the test binary be the other process of a test.
func TestMain(m *testing.M) {
	if role := os.Getenv("SQLITE_TEST_ROLE"); role != "" {
		if err := child(role, os.Getenv("SQLITE_TEST_DB"), os.Getenv("SQLITE_TEST_SESSION")); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func child(role, path, session string) error {
	ctx := context.Background()
	s, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	seq := int64(0)
	switch role {
	case "write": // until killed
		for e, err := range s.Load(ctx, session) {
			if err != nil {
				return err
			}
			seq = e.Seq
		}
		for {
			if seq, err = write(ctx, s, session, seq); err != nil {
				return err
			}
			fmt.Println("kept", seq)
		}
	case "race": // for every number with the others
		for won, n := 0, int64(1); n <= 200; n++ {
			err := s.Append(ctx, session, nebula.Event{Seq: n, At: time.Unix(n, 0), Body: nebula.Noted{Text: fmt.Sprint(os.Getpid())}})
			if err == nil {
				won++
			} else if !errors.Is(err, nebula.ErrInUse) {
				return err
			}
			if n == 200 {
				fmt.Println("won", won)
			}
		}
	case "lock":
		if _, err := s.Lock(ctx, session); err != nil {
			return err
		}
		fmt.Println("locked")
		time.Sleep(time.Minute)
	}
	return nil
}

// write keeps a content and appends a batch of one to three events, one of which names it.
func write(ctx context.Context, s *sqlite.Store, session string, seq int64) (int64, error) {
	hash, err := s.Keep(ctx, []byte(strings.Repeat(fmt.Sprintln("before", seq), 100)))
	if err != nil {
		return seq, err
	}
	change := nebula.Change{Path: "x", Kind: "edit", Before: hash}
	batch := []nebula.Event{{Seq: seq + 1, At: time.Now(), Body: nebula.Finished{Result: nebula.Result{Changes: []nebula.Change{change}}}}}
	for range rand.IntN(3) {
		seq++
		batch = append(batch, nebula.Event{Seq: seq + 1, At: time.Now(), Body: nebula.Submitted{Text: strings.Repeat("text ", rand.IntN(2000))}})
	}
	return seq + 1, s.Append(ctx, session, batch...)
}

func start(t *testing.T, role, path, session string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SQLITE_TEST_ROLE="+role, "SQLITE_TEST_DB="+path, "SQLITE_TEST_SESSION="+session)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd, bufio.NewScanner(out)
}

// TestKilledLosesNothingAcknowledged kills a writer at random moments and looks at what it leaves.
func TestKilledLosesNothingAcknowledged(t *testing.T) {
	kills := 200
	if testing.Short() {
		kills = 20
	}
	path := filepath.Join(t.TempDir(), "nebula.db")
	session := ""
	total := int64(0)
	for n := range kills {
		if n%20 == 0 {
			session = fmt.Sprint("s", n)
			s := open(t, path)
			if err := s.Create(t.Context(), nebula.SessionInfo{ID: session, Dir: "/d", Model: "m"}); err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		kept := killed(t, path, session, time.Duration(1+rand.IntN(15_000))*time.Microsecond)
		total += kept
		survived(t, path, session, kept)
	}
	if total == 0 {
		t.Error("nothing was ever acknowledged: this test saw nothing")
	}
}

// killed runs a writer, kills it some time after its first acknowledgement, and gives its last one.
func killed(t *testing.T, path, session string, after time.Duration) (kept int64) {
	t.Helper()
	cmd, out := start(t, "write", path, session)
	for out.Scan() {
		if _, err := fmt.Sscanf(out.Text(), "kept %d", &kept); err != nil {
			t.Fatalf("the writer says %s", out.Text())
		}
		if after > 0 {
			time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
			after = 0
		}
	}
	_ = cmd.Wait()
	return kept
}

func survived(t *testing.T, path, session string, kept int64) {
	t.Helper()
	s := open(t, path)
	defer s.Close()
	if s.Opened().Notice.Format != "" {
		t.Fatalf("after a kill: %s", s.Opened().Notice)
	}
	if err := (record.Auditor{Store: s}).Verify(t.Context(), session); err != nil {
		t.Fatal(err)
	}
	last := int64(0)
	for e, err := range s.Load(t.Context(), session) {
		if err != nil {
			t.Fatal(err)
		}
		last = e.Seq
		if f, ok := e.Body.(nebula.Finished); ok && last > kept-20 {
			if _, err := s.Content(t.Context(), f.Result.Changes[0].Before); err != nil {
				t.Fatalf("event %d: %v", last, err)
			}
		}
	}
	if last < kept {
		t.Fatalf("event %d was acknowledged, %d is the last", kept, last)
	}
	info, err := s.Find(t.Context(), session)
	if err != nil || info.ID != session {
		t.Fatal(info, err)
	}
}

func TestTwoProcessesDoNotLoseOrBlockEachOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nebula.db")
	s := open(t, path)
	for _, id := range []string{"a", "b", "mine"} {
		if err := s.Create(t.Context(), nebula.SessionInfo{ID: id, Dir: "/d", Model: "m"}); err != nil {
			t.Fatal(err)
		}
	}
	kept := map[string]int64{}
	acks := make(chan string, 1000)
	for _, id := range []string{"a", "b"} {
		_, out := start(t, "write", path, id)
		go func() {
			for out.Scan() {
				select {
				case acks <- id + " " + out.Text():
				default:
				}
			}
		}()
	}
	mine, slowest := int64(0), time.Duration(0)
	for range 200 {
		begin := time.Now()
		var err error
		if mine, err = write(t.Context(), s, "mine", mine); err != nil {
			t.Fatal(err)
		}
		slowest = max(slowest, time.Since(begin))
	}
	for len(kept) < 2 {
		var id string
		var seq int64
		if _, err := fmt.Sscanf(<-acks, "%s kept %d", &id, &seq); err != nil {
			t.Fatal(err)
		}
		kept[id] = seq
	}
	if slowest > 30*time.Second {
		t.Errorf("an append waited %v for another process", slowest)
	}
	for _, id := range []string{"a", "b", "mine"} {
		if err := (record.Auditor{Store: s}).Verify(t.Context(), id); err != nil {
			t.Error(err)
		}
	}
}

func TestOneOfSeveralProcessesWinsASeq(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nebula.db")
	s := open(t, path)
	if err := s.Create(t.Context(), nebula.SessionInfo{ID: "one", Dir: "/d", Model: "m"}); err != nil {
		t.Fatal(err)
	}
	total := 0
	outs := []*bufio.Scanner{}
	for range 3 {
		_, out := start(t, "race", path, "one")
		outs = append(outs, out)
	}
	for _, out := range outs {
		for out.Scan() {
			won := 0
			if _, err := fmt.Sscanf(out.Text(), "won %d", &won); err != nil {
				t.Fatal(out.Text())
			}
			total += won
		}
	}
	events := 0
	for _, err := range s.Load(t.Context(), "one") {
		if err != nil {
			t.Fatal(err)
		}
		events++
	}
	if events != total || events != 200 {
		t.Errorf("%d events, %d were acknowledged", events, total)
	}
	if err := (record.Auditor{Store: s}).Verify(t.Context(), "one"); err != nil {
		t.Error(err)
	}
}

func TestSeveralProcessesMakeOneFreshDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "home", "nebula.db")
	outs := []*bufio.Scanner{}
	for range 4 {
		_, out := start(t, "race", path, "one") // no such session: each says so, having opened the database
		outs = append(outs, out)
	}
	for _, out := range outs {
		for out.Scan() {
			if !strings.Contains(out.Text(), nebula.ErrNoSession.Error()) {
				t.Error(out.Text())
			}
		}
	}
	if s := open(t, path); s.Opened().Fresh || s.Opened().Notice.Format != "" {
		t.Errorf("opened as %+v", s.Opened())
	}
}

func TestALockEndsWithItsProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nebula.db")
	s := open(t, path)
	cmd, out := start(t, "lock", path, "one")
	if !out.Scan() || out.Text() != "locked" {
		t.Fatal(out.Text())
	}
	if _, err := s.Lock(t.Context(), "one"); !errors.Is(err, nebula.ErrInUse) {
		t.Fatalf("locked by two: %v", err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	unlock, err := s.Lock(t.Context(), "one")
	if err != nil {
		t.Fatalf("after its holder was killed: %v", err)
	}
	unlock()
}
