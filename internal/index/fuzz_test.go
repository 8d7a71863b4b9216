package index

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// FuzzOutline: whatever a file holds, in whatever language, the outline stays inside it and its cost is bounded.
func FuzzOutline(f *testing.F) {
	for _, c := range outlines {
		f.Add(c.file, []byte(c.source))
	}
	for ext := range languages {
		f.Add("x."+ext, []byte("class A { f(a, b) { return \"}\" // {\n } }\ndef f(x):\n  end\n/* \nstruct s\n{\nfn f<T>(\n# type x = \n"))
	}
	f.Add("Makefile", []byte("all: x\n\tgo build\n"))
	f.Add("x", []byte("#!/usr/bin/env python\ndef f():\n"))
	f.Add("x.js", []byte("$é{(`"))
	f.Add("x.md", []byte("# \xc0\n"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		o := outlined(name, data)
		for _, s := range o.symbols {
			if s.From < 1 || s.From > s.Line || s.To < s.Line || s.To > o.lines+1 || s.Name == "" || len(s.Sign) > maxSign+4 {
				t.Fatalf("%+v of %d lines", s, o.lines)
			}
		}
		if back, ok := decodeOutline(o.encode()); !ok || len(back.symbols) != len(o.symbols) || len(back.chunks) != len(o.chunks) {
			t.Fatalf("written %d symbols in %d chunks, read %d in %d, %v", len(o.symbols), len(o.chunks), len(back.symbols), len(back.chunks), ok)
		}
		b := newBuilder()
		b.add(name, data, known{}, 0)
		if n := len(b.pairs); n > 8*len(data)+200*len(o.symbols)+4*len(name)+100 {
			t.Fatalf("%d terms of %d bytes", n, len(data))
		}
	})
}

// FuzzQuestion: any text is a question, of bounded size and weight.
func FuzzQuestion(f *testing.F) {
	for _, text := range []string{"", "x", "あ", "where are passwords checked?", "優先度を付けるtodoのUI", "net/http: fix crash", "fix(a/b): c", "a_b.C-d$e", "\xff\xfe", "ﾊﾝｶｸ・ー", strings.Repeat("検", 50), "한국어 中文 日本語"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q := ask(text)
		if len(q.words) > maxWords || len(q.areas) > maxAreas {
			t.Fatalf("%d words, %d areas", len(q.words), len(q.areas))
		}
		seen := map[term]bool{}
		for _, w := range q.words {
			if w.weight <= 0 || w.weight > 1 || w.group < 0 || w.group > 63 || seen[w.term] || w.term > termMask {
				t.Fatalf("%+v", w)
			}
			seen[w.term] = true
		}
	})
}

// FuzzStored: whatever the blobs of an index hold, reading them ends, inside of them.
func FuzzStored(f *testing.F) {
	b := newBuilder()
	for _, c := range outlines {
		b.add(c.file, []byte(c.source), known{mtime: 1e18}, isTest)
		f.Add(b.files[len(b.files)-1].outline)
	}
	f.Add(b.meta())
	_ = b.blocks(func(_ term, data []byte) error { f.Add(slices.Clone(data)); return nil })
	f.Add(binary.AppendUvarint(nil, 1<<63))
	f.Fuzz(func(t *testing.T, data []byte) {
		if o, ok := decodeOutline(data); ok {
			for _, c := range o.chunks {
				if c.from < 1 || c.symbol >= len(o.symbols) {
					t.Fatalf("%+v of %d symbols", c, len(o.symbols))
				}
			}
			o.owners()
		}
		s := &segment{}
		if s.read(data) {
			s.begin()
			for i := range s.files {
				if from, to := s.files[i].first, s.end(uint32(i)); from > to || int(to) > len(s.chunks) {
					t.Fatalf("chunks %d to %d of %d", from, to, len(s.chunks))
				}
			}
			s.add(data, 1, 0, totals{files: 1, chunks: 1, perFile: 1, perPart: 1})
		}
		entries(0, data, func(_ term, _ uint32, list []byte) bool {
			postings(list, func(uint32, int, int) {})
			return true
		})
	})
}

// FuzzDamaged: an index in which bytes were changed answers, if need be after it was made anew. The data are pairs of
// a place and what to change there.
func FuzzDamaged(f *testing.F) {
	x, root := folder(f, shop)
	first(f, x, "save order", "store/db.rs")
	if err := x.Close(); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(x.path)
	if err != nil {
		f.Fatal(err)
	}
	for i := range 40 { // in every page, at its head and in its cells
		f.Add(binary.BigEndian.AppendUint32(nil, uint32(i*len(whole)/40)<<8|0x5a))
		f.Add(binary.BigEndian.AppendUint32(nil, uint32(i*4096+12)<<8|1))
	}
	f.Add([]byte("0\x10\x0100"))
	f.Add(binary.BigEndian.AppendUint32(nil, 18<<8|0x30)) // a later format, which may only be read
	f.Fuzz(func(t *testing.T, data []byte) {
		image := slices.Clone(whole)
		for ; len(data) >= 4; data = data[4:] {
			v := binary.BigEndian.Uint32(data)
			image[int(v>>8)%len(image)] ^= byte(v)
		}
		file := filepath.Join(t.TempDir(), "x.db")
		if err := os.WriteFile(file, image, 0o600); err != nil {
			t.Fatal(err)
		}
		y := indexOf(t, root, file)
		if _, err := y.Refresh(context.Background(), time.Minute); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"save order", "Cart", "優先度"} {
			a, err := y.Search(context.Background(), text, 5)
			if err != nil {
				t.Fatal(err)
			}
			y.Show(text, a, 500, func(s string) int { return len(s) / 3 })
			y.evidence(text, false, 500, func(s string) int { return len(s) / 3 })
		}
	})
}
