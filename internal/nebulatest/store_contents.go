package nebulatest

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"nebula"
)

var contentFacts = []fact{
	{"ContentsAreByteExact", keepsContents},
	{"RemoveKeepsSharedContents", keepsSharedContents},
	{"ManyContentsAreKeptAtOnce", keepsMany},
	{"LargeContentsGoThroughAStream", keepsLarge},
	{"HalfAContentIsNotKept", keepsNoHalf},
}

// odd are contents on which a store goes wrong.
func odd() [][]byte {
	random := make([]byte, 10_000)
	for i, x := 0, uint32(1); i < len(random); i++ {
		x = x*1664525 + 1013904223
		random[i] = byte(x >> 24)
	}
	return [][]byte{nil, {}, {0}, []byte("x"), []byte("\xff\xfe broken"), bytes.Repeat([]byte("package main // 日本\r\n"), 5000), random}
}

func kept(t *testing.T, s nebula.Store, data []byte) {
	t.Helper()
	got, err := s.Content(t.Context(), nebula.Hash(data))
	if err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d bytes came back as %d (%v)", len(data), len(got), err)
	}
	r, err := s.OpenContent(t.Context(), nebula.Hash(data))
	if err != nil {
		t.Fatal(err)
	}
	if got, err = io.ReadAll(r); err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d bytes are read as %d (%v)", len(data), len(got), err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func gone(t *testing.T, s nebula.Store, hash string) {
	t.Helper()
	if _, err := s.Content(t.Context(), hash); !errors.Is(err, nebula.ErrNoContent) {
		t.Errorf("content: %v", err)
	}
	if _, err := s.OpenContent(t.Context(), hash); !errors.Is(err, nebula.ErrNoContent) {
		t.Errorf("open content: %v", err)
	}
}

func keepsContents(t *testing.T, s nebula.Store) {
	for _, data := range odd() {
		for range 2 {
			hash, err := s.Keep(t.Context(), data)
			if err != nil || hash != nebula.Hash(data) {
				t.Fatalf("kept as %s (%v)", hash, err)
			}
		}
		kept(t, s, data)
	}
	gone(t, s, nebula.Hash([]byte("never")))
}

func keepsMany(t *testing.T, s nebula.Store) {
	if err := s.KeepMany(t.Context(), odd()); err != nil {
		t.Fatal(err)
	}
	if err := s.KeepMany(t.Context(), append(odd(), []byte("one more"))); err != nil {
		t.Fatal(err)
	}
	for _, data := range append(odd(), []byte("one more")) {
		kept(t, s, data)
	}
}

func keepsLarge(t *testing.T, s nebula.Store) {
	create(t, s, "one", "/d")
	for i, data := range append(odd(), bytes.Repeat([]byte("0123456789abcdef"), 1<<16)) {
		hash, err := s.KeepFile(t.Context(), iotest.HalfReader(bytes.NewReader(data)), int64(len(data)))
		if err != nil || hash != nebula.Hash(data) {
			t.Fatalf("kept as %s (%v)", hash, err)
		}
		kept(t, s, data)
		e := finished(hash)
		e.Seq = int64(i + 1)
		add(t, s, "one", e)
	}
	if err := s.Remove(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	for _, data := range odd() {
		gone(t, s, nebula.Hash(data))
	}
}

func keepsNoHalf(t *testing.T, s nebula.Store) {
	broken := errors.New("the reader broke")
	for _, c := range []struct {
		content io.Reader
		size    int64
		want    error
	}{
		{strings.NewReader("half"), 8, io.ErrUnexpectedEOF},
		{strings.NewReader("too much"), 4, io.ErrUnexpectedEOF},
		{io.MultiReader(strings.NewReader("half"), iotest.ErrReader(broken)), 8, broken},
	} {
		if _, err := s.KeepFile(t.Context(), c.content, c.size); !errors.Is(err, c.want) {
			t.Errorf("%v, not %v", err, c.want)
		}
	}
	for _, text := range []string{"half", "too much"} {
		gone(t, s, nebula.Hash([]byte(text)))
	}
}

func keepsSharedContents(t *testing.T, s nebula.Store) {
	create(t, s, "one", "/d")
	create(t, s, "two", "/d")
	create(t, s, "three", "/d")
	hash, _ := s.Keep(t.Context(), []byte("shared"))
	add(t, s, "one", finished(hash))
	add(t, s, "two", finished(hash))
	later, _ := s.Keep(t.Context(), []byte("kept again"))
	add(t, s, "three", finished(later))
	if _, err := s.Keep(t.Context(), []byte("kept again")); err != nil { // by one who has not recorded it yet
		t.Fatal(err)
	}
	for _, id := range []string{"one", "three"} {
		if err := s.Remove(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	for _, h := range []string{hash, later} {
		if _, err := s.Content(t.Context(), h); err != nil {
			t.Errorf("a content in use went: %v", err)
		}
	}
}
