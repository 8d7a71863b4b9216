package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"nebula"
	"nebula/internal/nebulatest"
	"nebula/internal/record"
)

// TestNothingIsLostWithAConnection: writers go on while their connections are cut and the server dies and comes back; what was
// acknowledged is there, once.
func TestNothingIsLostWithAConnection(t *testing.T) {
	server := nebulatest.NewPostgres(t, true)
	s := open(t, server.Database(t, "lost", "owner"))
	const writers, each = 4, 60
	var written atomic.Int64
	var wg sync.WaitGroup
	for w := range writers {
		id := fmt.Sprint("w", w)
		begin(t, s, id)
		wg.Go(func() {
			for i := range int64(each) {
				if err := s.Append(context.Background(), id, note(2*i+1, "x"), note(2*i+2, "y")); err != nil {
					t.Errorf("%s at %d: %v", id, i, err)
					return
				}
				written.Add(1)
			}
		})
	}
	stop := make(chan struct{})
	var cutter sync.WaitGroup
	cutter.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			if n == 3 && !t.Failed() {
				server.Kill(t)
				server.Start(t)
				continue
			}
			server.As("owner", "lost", `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name='nebula' AND random()<0.6`)
		}
	})
	wg.Wait()
	close(stop)
	cutter.Wait()
	for w := range writers {
		id := fmt.Sprint("w", w)
		if head, err := s.Head(t.Context(), id); err != nil || head.Seq != 2*each {
			t.Errorf("%s ends at %d, %v", id, head.Seq, err)
		}
		if err := (record.Auditor{Store: s}).Verify(t.Context(), id); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d appends", written.Load())
}

// TestAnotherWriterIsFound: a store that knows how a session ended is told where another wrote on.
func TestAnotherWriterIsFound(t *testing.T) {
	server := nebulatest.NewPostgres(t, false)
	address := server.Database(t, "two", "owner")
	a, b := open(t, address), open(t, address)
	begin(t, a, "one", "a")
	if err := b.Append(t.Context(), "one", note(2, "b")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := a.Append(t.Context(), "one", note(2, "late")); !errors.Is(err, nebula.ErrInUse) {
			t.Errorf("%v", err)
		}
	}
	if err := a.Append(t.Context(), "one", note(3, "knows")); err != nil {
		t.Error(err)
	}
	if err := b.Remove(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	begin(t, b, "one") // anew, and shorter
	if err := a.Append(t.Context(), "one", note(4, "of another")); !errors.Is(err, nebula.ErrInUse) {
		t.Errorf("%v", err)
	}
	if err := a.Append(t.Context(), "one", note(1, "first")); err != nil {
		t.Error(err)
	}
}

// TestManyWriters is sixteen of them, each with a session of its own and all in one folder.
func TestManyWriters(t *testing.T) {
	server := nebulatest.NewPostgres(t, false)
	s := open(t, server.Database(t, "many", "owner"))
	const writers, each = 16, 50
	var wg sync.WaitGroup
	for w := range writers {
		id := fmt.Sprint("w", w)
		begin(t, s, id)
		wg.Go(func() {
			for i := range int64(each) {
				result := nebula.Finished{Result: nebula.Result{Action: "a", Status: nebula.Done, Changes: []nebula.Change{{Path: "x", Kind: "edit", Before: nebula.Hash(nil), After: nebula.Hash([]byte{1})}}}}
				reply := nebula.Replied{Protocol: "p", Server: "http://here"}
				e := note(3*i+1, "x")
				if err := s.Append(context.Background(), id, e, nebula.Event{Seq: e.Seq + 1, At: e.At, Body: result}, nebula.Event{Seq: e.Seq + 2, At: e.At, Body: reply}); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	if m, err := s.Memory(t.Context(), "/d", ""); err != nil || m.Sessions != writers || m.Done != writers*each || m.Files != writers*each {
		t.Errorf("%+v, %v", m, err)
	}
	if list, err := s.Spoken(t.Context(), "m", ""); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	if list, err := s.Spoken(t.Context(), "m", "http://here"); err != nil || len(list) != 1 || list[0].Replies != writers*each {
		t.Errorf("%+v, %v", list, err)
	}
}
