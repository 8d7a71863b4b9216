package nebulatest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"nebula"
	chain "nebula/internal/record"
)

var auditFacts = []fact{
	{"EveryEventIsTiedToThoseBeforeIt", chains},
	{"AnEndThatIsNotWhatWasNotedIsFound", findsCuts},
	{"ExportIsOneEventALine", exports},
}

// sharedFacts hold between several stores over the same data.
var sharedFacts = []struct {
	name  string
	check func(t *testing.T, open func() nebula.Store)
}{
	{"WhatWasKeptOutlivesTheStore", outlives},
	{"TwoStoresSeeEachOther", seeEachOther},
}

func records(t *testing.T, s nebula.Store, id string, after int64) (list []nebula.Record) {
	t.Helper()
	for r, err := range s.Records(t.Context(), id, after) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

func chains(t *testing.T, s nebula.Store) {
	create(t, s, "one", "/d")
	if h, err := s.Head(t.Context(), "one"); err != nil || h != (nebula.Head{Link: chain.Root("one")}) {
		t.Errorf("before the first event: %+v, %v", h, err)
	}
	events := EveryEvent()
	add(t, s, "one", events...)
	list, link := records(t, s, "one", 0), chain.Root("one")
	if len(list) != len(events) {
		t.Fatalf("%d records of %d events", len(list), len(events))
	}
	for i, r := range list {
		if link = chain.Next(link, r); r.Link != link || r.Seq != events[i].Seq || r.Type != events[i].Body.Name() || !chain.Moment(r.At).Equal(events[i].At) {
			t.Errorf("record %d: %+v", i+1, r)
		}
	}
	if h, err := s.Head(t.Context(), "one"); err != nil || h != (nebula.Head{Seq: int64(len(events)), Link: link}) {
		t.Errorf("the head is %+v, %v", h, err)
	}
	if tail := records(t, s, "one", 10); len(tail) != len(list)-10 || tail[0] != list[10] {
		t.Errorf("after 10: %+v", tail)
	}
	if err := (chain.Auditor{Store: s}).Verify(t.Context(), "one"); err != nil {
		t.Error(err)
	}
	if _, err := s.Head(t.Context(), "none"); !errors.Is(err, nebula.ErrNoSession) {
		t.Errorf("head: %v", err)
	}
	for _, err := range s.Records(t.Context(), "none", 0) {
		if !errors.Is(err, nebula.ErrNoSession) {
			t.Errorf("records: %v", err)
		}
	}
}

func findsCuts(t *testing.T, s nebula.Store) {
	create(t, s, "one", "/d")
	add(t, s, "one", note(1, "a"), note(2, "b"), note(3, "c"))
	heads := chain.NewHeads(t.TempDir(), "", "s")
	audit := chain.Auditor{Store: s, Heads: heads}
	if audit.Noted("one") {
		t.Error("noted without a note")
	}
	end := records(t, s, "one", 2)[0]
	for seq, broken := range map[int64]bool{2: true, 3: false, 4: true} { // link 3 is no other's
		heads.Write("one", nebula.Head{Seq: seq, Link: end.Link})
		var b *nebula.Broken
		if err := audit.Verify(t.Context(), "one"); errors.As(err, &b) != broken {
			t.Errorf("a note of %d: %v", seq, err)
		}
	}
	heads.Write("gone", nebula.Head{Seq: 1})
	if ids, err := audit.Missing(t.Context()); err != nil || len(ids) != 1 || ids[0] != "gone" || !audit.Noted("one") {
		t.Errorf("missing %v, %v", ids, err)
	}
}

func exports(t *testing.T, s nebula.Store) {
	create(t, s, "one", "/d")
	events := EveryEvent()
	add(t, s, "one", events...)
	var b bytes.Buffer
	if err := chain.Export(t.Context(), s, "one", &b); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != len(events) {
		t.Fatalf("%d lines for %d events", len(lines), len(events))
	}
	for i, line := range lines {
		want, err := json.Marshal(events[i])
		if err != nil {
			t.Fatal(err)
		}
		var a, b any
		if json.Unmarshal(want, &a) != nil || json.Unmarshal([]byte(line), &b) != nil || fmt.Sprint(a) != fmt.Sprint(b) {
			t.Errorf("line %d is\n%s\nnot\n%s", i+1, line, want)
		}
	}
	if err := chain.Export(t.Context(), s, "none", &b); !errors.Is(err, nebula.ErrNoSession) {
		t.Errorf("export of an unknown session: %v", err)
	}
}

func outlives(t *testing.T, open func() nebula.Store) {
	s := open()
	create(t, s, "one", "/d")
	events := EveryEvent()
	add(t, s, "one", events...)
	hash, err := s.Keep(t.Context(), []byte("before"))
	if err == nil {
		err = errors.Join(s.SavePlan(t.Context(), "/d", LargePlan(3, 2)), s.Remember(t.Context(), "/d", "tabs"), s.Close(), s.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Append(t.Context(), "one", note(int64(len(events))+1, "x")); err == nil {
		t.Error("a closed store took an event")
	}
	s = open()
	if got := load(t, s, "one"); len(got) != len(events) {
		t.Errorf("%d events of %d", len(got), len(events))
	}
	if _, err := s.Content(t.Context(), hash); err != nil {
		t.Error(err)
	}
	if p, err := s.Plan(t.Context(), "/d", ""); err != nil || len(p.Steps) != 3 || len(p.Steps[2].Tasks) != 2 {
		t.Errorf("the plan: %+v, %v", p, err)
	}
	m := remembered(t, s, "/d", "")
	if notes(m) != "/d:tabs" || m.Sessions != 1 || m.Files != 1 {
		t.Errorf("the memory: %+v", m)
	}
	add(t, s, "one", note(int64(len(events))+1, "goes on"))
	if err := (chain.Auditor{Store: s}).Verify(t.Context(), "one"); err != nil {
		t.Error(err)
	}
}

func seeEachOther(t *testing.T, open func() nebula.Store) {
	a, b := open(), open()
	create(t, a, "one", "/d")
	if err := b.Create(t.Context(), nebula.SessionInfo{ID: "one", Dir: "/d"}); err == nil {
		t.Error("one id was taken twice")
	}
	add(t, a, "one", note(1, "a"))
	add(t, b, "one", note(2, "b"))
	if err := a.Append(t.Context(), "one", note(2, "late")); !errors.Is(err, nebula.ErrInUse) {
		t.Errorf("an append over another's: %v", err)
	}
	unlock, err := a.Lock(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Lock(t.Context(), "one"); !errors.Is(err, nebula.ErrInUse) {
		t.Errorf("locked by both: %v", err)
	}
	unlock()
	p := LargePlan(1, 1)
	if err := a.SavePlan(t.Context(), "/d", p); err != nil {
		t.Fatal(err)
	}
	p.Version, p.Changed = 2, p.Changed.Add(time.Second)
	if err := b.SavePlan(t.Context(), "/d", p); err != nil {
		t.Error(err)
	}
	if err := a.SavePlan(t.Context(), "/d", p); !errors.Is(err, nebula.ErrPlanChanged) {
		t.Errorf("a plan that the other changed: %v", err)
	}
	if got := load(t, a, "one"); len(got) != 2 {
		t.Errorf("%d events", len(got))
	}
}

func takesAnIDOnce(t *testing.T, s nebula.Store) {
	create(t, s, "one", "/d")
	add(t, s, "one", note(1, "a"))
	for _, id := range []string{"one", ""} {
		if err := s.Create(t.Context(), nebula.SessionInfo{ID: id, Dir: "/e"}); err == nil {
			t.Errorf("%q was created", id)
		}
	}
	if info, err := s.Find(t.Context(), "one"); err != nil || info.Dir != "/d" || len(load(t, s, "one")) != 1 {
		t.Errorf("the first one is %+v, %v", info, err)
	}
}

func listsSteps(t *testing.T, s nebula.Store) {
	create(t, s, "one", "/d")
	create(t, s, nebula.StepPrefix+"1", "/d")
	for dir, want := range map[string]int{"/d": 1, "": 1} {
		talked, err := s.Sessions(t.Context(), dir)
		all, allErr := s.AllSessions(t.Context(), dir)
		if errors.Join(err, allErr) != nil || len(talked) != want || talked[0].ID != "one" || len(all) != want+1 {
			t.Errorf("%q lists %v and %v (%v, %v)", dir, talked, all, err, allErr)
		}
	}
	if _, err := s.Find(t.Context(), nebula.StepPrefix); err != nil {
		t.Error(err)
	}
}
