package index

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"nebula/internal/lists"
	"nebula/internal/sqlite"
	"nebula/internal/workspace"
)

// known is what the index remembers of a file.
type known struct {
	id    int64 // segment and number in it
	size  int64
	mtime int64 // nanoseconds; 0 where a later change might not show in it
	hash  int64
}

// fileBits of an id are the file's number in its segment.
const fileBits = 20

// Bounds of one writing, and of what is read of one file.
const (
	segmentBytes = 24 << 20
	segmentFiles = 20_000
	firstFiles   = 2_000 // of the very first segment, so that there is something to find soon
	largestFile  = 2 << 20
	dataFile     = 64 << 10 // of what is data rather than code
	maxFiles     = 500_000
	racy         = 100 * time.Millisecond
)

// walk compares the folder with the index and takes in what changed.
func (x *Index) walk(ctx context.Context) error {
	if err := x.recall(); err != nil {
		return err
	}
	b := newBuilder()
	seen := make(map[string]struct{}, len(x.known))
	whole := true
	fresh := len(x.known) == 0
	var touched []known
	for e, err := range x.dir.Everything(ctx) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			whole = whole && len(seen) > 0
			continue // what cannot be read is not found
		}
		if e.Dir || !e.Mode.IsRegular() || len(seen) >= maxFiles || !utf8.ValidString(e.Path) {
			continue // a name that is no text is one that no tool can be given
		}
		if x.secret != nil && x.secret(e.Path) {
			continue
		}
		seen[e.Path] = struct{}{}
		k, ok := x.known[e.Path]
		if ok && k.size == e.Size && k.mtime == e.ModTime.UnixNano() {
			continue
		}
		if same := x.take(b, e, k, ok); same != nil {
			touched = append(touched, *same)
		}
		if b.bytes >= segmentBytes || len(b.files) >= segmentFiles || fresh && len(b.files) >= firstFiles {
			if err := x.write(b, nil, nil); err != nil {
				return err
			}
			fresh = false
		}
	}
	var gone []string
	for p := range x.known {
		if _, ok := seen[p]; !ok && whole && !slices.ContainsFunc(b.files, func(f built) bool { return f.path == p }) {
			gone = append(gone, p)
		}
	}
	return x.finish(ctx, b, touched, gone)
}

// finish writes the last segment and tidies up.
func (x *Index) finish(ctx context.Context, b *builder, touched []known, gone []string) error {
	if len(b.files)+len(touched)+len(gone) > 0 {
		if err := x.write(b, touched, gone); err != nil {
			return err
		}
	}
	if err := x.merge(ctx); err != nil {
		return err
	}
	return x.rank()
}

// recall reads what the index knows of the files.
func (x *Index) recall() error {
	if x.known != nil {
		return nil
	}
	all := map[string]known{}
	err := x.writer.Query(func(r sqlite.Row) bool {
		all[r.Text(1)] = known{r.Int(0), r.Int(2), r.Int(3), r.Int(4)}
		return true
	}, "SELECT id, path, size, mtime, hash FROM files")
	if err == nil {
		x.known = all
	}
	return err
}

// take reads a file and adds it, unless its content is what it was: then only its time is new.
func (x *Index) take(b *builder, e workspace.Entry, old known, had bool) (same *known) {
	k := known{size: e.Size, mtime: e.ModTime.UnixNano()}
	if x.now().Sub(e.ModTime) < racy {
		k.mtime = 0
	}
	data, f := x.content(e)
	k.hash = contentHash(data, f)
	if had && k.hash == old.hash {
		k.id = old.id
		x.known[e.Path] = k
		return &k
	}
	b.add(e.Path, data, k, f)
	return nil
}

// contentHash tells contents apart.
//
//go:noinline
func contentHash(data []byte, f flags) int64 {
	h := uint64(fnvBasis) ^ uint64(f)
	for len(data) >= 8 {
		h = (h ^ binary.LittleEndian.Uint64(data)) * fnvPrime
		h ^= h >> 29
		data = data[8:]
	}
	for _, c := range data {
		h = (h ^ uint64(c)) * fnvPrime
	}
	return int64(h)
}

// content is what of a file is worth finding.
func (x *Index) content(e workspace.Entry) ([]byte, flags) {
	f := classify(e.Path)
	if e.Size > largestFile || e.Size == 0 {
		return nil, f | isData
	}
	data, _, err := x.dir.Read(e.Path, largestFile)
	if err != nil {
		return nil, f | isData
	}
	return legible(data, f)
}

// legible makes text of a content, as far as it is some.
func legible(data []byte, f flags) ([]byte, flags) {
	style, ok := workspace.Text(data)
	if strings.HasPrefix(style.Encoding, "utf-16") {
		data, ok = fromUTF16(data[2:], style.Encoding == "utf-16be"), true
	}
	if !ok || minified(data) {
		return nil, f | isData
	}
	if f&isData != 0 && len(data) > dataFile {
		data = data[:dataFile]
	}
	if generated(data) {
		f |= isGenerated
	}
	return data, f
}

func fromUTF16(data []byte, big bool) []byte {
	units := make([]uint16, len(data)/2)
	for i := range units {
		if big {
			units[i] = binary.BigEndian.Uint16(data[2*i:])
		} else {
			units[i] = binary.LittleEndian.Uint16(data[2*i:])
		}
	}
	var out []byte
	for _, r := range utf16.Decode(units) {
		out = utf8.AppendRune(out, r)
	}
	return out
}

// minified text has lines that nobody wrote.
func minified(data []byte) bool {
	if len(data) < 4096 {
		return false
	}
	lines := bytes.Count(data, []byte("\n")) + 1
	return len(data)/lines > 400
}

// generated looks for what generators write at the top.
func generated(data []byte) bool {
	head := data[:min(len(data), 2048)]
	for _, mark := range []string{"DO NOT EDIT", "Do not edit", "@generated", "Code generated", "automatically generated", "auto-generated", "autogenerated"} {
		if bytes.Contains(head, []byte(mark)) {
			return true
		}
	}
	return false
}

// classify tells what a file is by its path.
func classify(p string) (f flags) {
	low := strings.ToLower(p)
	base := path.Base(low)
	stem := strings.TrimSuffix(base, path.Ext(base))
	for dir := range strings.SplitSeq(path.Dir(low), "/") {
		switch dir {
		case "test", "tests", "__tests__", "testing", "spec", "specs", "testdata", "fixtures", "__mocks__", "mocks", "e2e", "androidtest":
			f |= isTest
		case "vendor", "node_modules", "third_party", "thirdparty", "external", "dist", "build", "out", "target", "deps", "bower_components":
			f |= isVendored
		}
	}
	switch {
	case strings.HasSuffix(stem, "_test"), strings.HasPrefix(stem, "test_"), strings.HasSuffix(stem, ".test"), strings.HasSuffix(stem, ".spec"),
		strings.HasSuffix(stem, "_spec"), strings.HasSuffix(path.Base(strings.TrimSuffix(p, path.Ext(p))), "Test"), stem == "conftest":
		f |= isTest
	case strings.HasSuffix(base, ".pb.go"), strings.HasSuffix(stem, "_pb2"), strings.HasSuffix(stem, "_generated"), strings.HasSuffix(stem, ".g"),
		strings.HasPrefix(stem, "zz_generated"), strings.HasSuffix(stem, ".d"), strings.HasSuffix(base, ".min.js"), strings.HasSuffix(base, ".min.css"):
		f |= isGenerated
	}
	switch path.Ext(base) {
	case ".md", ".txt", ".rst", ".adoc", ".html", ".htm", ".tex", ".org", ".markdown":
		f |= isProse
	case ".json", ".csv", ".tsv", ".svg", ".xml", ".yaml", ".yml", ".lock", ".sum", ".map", ".log", ".snap", ".ipynb", ".po", ".patch", ".diff", ".golden", ".out":
		f |= isData
	}
	return f
}

// write makes a segment of what was gathered and marks what it replaces. The builder is empty afterwards.
func (x *Index) write(b *builder, touched []known, gone []string) error {
	err := x.writer.Transact(func() error {
		if err := x.replace(b, gone); err != nil {
			return err
		}
		for _, k := range touched {
			if err := x.writer.Exec("UPDATE files SET size=?, mtime=? WHERE id=?", k.size, k.mtime, k.id); err != nil {
				return err
			}
		}
		if len(b.files) > 0 {
			if err := x.segment(b); err != nil {
				return err
			}
		}
		return x.writer.Exec("INSERT INTO facts VALUES ('generation', 1) ON CONFLICT (name) DO UPDATE SET value=value+1")
	})
	if err != nil {
		x.known = nil // it may be ahead of what was written
		return err
	}
	for _, f := range b.files {
		x.known[f.path] = f.known
	}
	for _, p := range gone {
		delete(x.known, p)
	}
	x.state.Lock()
	x.files = len(x.known)
	x.state.Unlock()
	b.reset()
	return nil
}

// replace takes the files out that are gone or come anew.
func (x *Index) replace(b *builder, gone []string) error {
	dead := map[int64][]int64{}
	drop := func(p string) error {
		id := int64(-1) // asked of the database: another process may have written it
		err := x.writer.Query(func(r sqlite.Row) bool { id = r.Int(0); return false }, "SELECT id FROM files WHERE path=?", p)
		if err != nil || id < 0 {
			return err
		}
		dead[id>>fileBits] = append(dead[id>>fileBits], id&(1<<fileBits-1))
		for _, sql := range []string{"DELETE FROM files WHERE id=?", "DELETE FROM outlines WHERE id=?"} {
			if err := x.writer.Exec(sql, id); err != nil {
				return err
			}
		}
		return nil
	}
	if len(x.known) > 0 {
		for _, f := range b.files {
			if err := drop(f.path); err != nil {
				return err
			}
		}
	}
	for _, p := range gone {
		if err := drop(p); err != nil {
			return err
		}
	}
	for seg, files := range dead {
		if err := x.bury(seg, files); err != nil {
			return err
		}
	}
	return nil
}

// bury marks files of a segment as gone.
func (x *Index) bury(seg int64, files []int64) error {
	var bits []byte
	err := x.writer.Query(func(r sqlite.Row) bool { bits = bytes.Clone(r.Bytes(0)); return false }, "SELECT dead FROM segments WHERE id=?", seg)
	if err != nil {
		return err
	}
	for _, n := range files {
		for int64(len(bits)) <= n/8 {
			bits = append(bits, 0)
		}
		bits[n/8] |= 1 << (n % 8)
	}
	return x.writer.Exec("UPDATE segments SET dead=? WHERE id=?", bits, seg)
}

// segment writes the builder's files down.
func (x *Index) segment(b *builder) error {
	id := int64(0)
	if err := x.writer.Exec("INSERT INTO facts VALUES ('segment', 1) ON CONFLICT (name) DO UPDATE SET value=value+1"); err != nil {
		return err
	}
	if err := x.writer.Query(func(r sqlite.Row) bool { id = r.Int(0); return false }, "SELECT value FROM facts WHERE name='segment'"); err != nil {
		return err
	}
	if id >= 1<<(63-termBits) {
		return errWorn
	}
	if err := x.writer.Exec("INSERT INTO segments VALUES (?, ?, x'', x'')", id, b.meta()); err != nil {
		return err
	}
	for i := range b.files {
		f := &b.files[i]
		f.known.id = id<<fileBits | int64(i)
		// Two processes may take a file in at once: the later one's stands.
		if err := x.writer.Exec("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?)", f.known.id, f.path, f.known.size, f.known.mtime, f.known.hash); err != nil {
			return err
		}
		if err := x.writer.Exec("INSERT INTO outlines VALUES (?, ?)", f.known.id, f.outline); err != nil {
			return err
		}
	}
	return b.blocks(func(first term, data []byte) error {
		return x.writer.Exec("INSERT INTO blocks VALUES (?, ?)", id<<termBits|int64(first), data)
	})
}

// errWorn says that no number is left for a segment.
var errWorn = errors.New("the index is worn out")

// Small segments are what single changes leave behind.
const (
	smallFiles = 64
	manySmall  = 12
)

// merge makes one segment of many small ones, by taking their files in again.
func (x *Index) merge(ctx context.Context) error {
	counts := map[int64]int{}
	for _, k := range x.known {
		counts[k.id>>fileBits]++
	}
	var small, all []int64
	err := x.writer.Query(func(r sqlite.Row) bool {
		id := r.Int(0)
		all = append(all, id)
		if counts[id] <= smallFiles {
			small = append(small, id)
		}
		return true
	}, "SELECT id FROM segments ORDER BY id")
	if err != nil || len(small) < manySmall {
		return err
	}
	b := newBuilder()
	for p, k := range x.known {
		if !lists.Has(small, k.id>>fileBits) {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		e, err := x.dir.Stat(p)
		if err != nil {
			continue // the next walk misses it
		}
		data, f := x.content(e)
		k.hash, k.size, k.mtime = contentHash(data, f), e.Size, e.ModTime.UnixNano()
		if x.now().Sub(e.ModTime) < racy {
			k.mtime = 0
		}
		b.add(p, data, k, f)
	}
	if err := x.write(b, nil, nil); err != nil {
		return err
	}
	return x.drop(small)
}

// drop deletes segments whose files are all gone.
func (x *Index) drop(ids []int64) error {
	return x.writer.Transact(func() error {
		for _, id := range ids {
			for _, do := range []struct {
				sql  string
				args []any
			}{
				{"DELETE FROM segments WHERE id=?", []any{id}},
				{"DELETE FROM files WHERE id>=? AND id<?", []any{id << fileBits, (id + 1) << fileBits}},
				{"DELETE FROM outlines WHERE id>=? AND id<?", []any{id << fileBits, (id + 1) << fileBits}},
				{"DELETE FROM blocks WHERE id>=? AND id<?", []any{id << termBits, (id + 1) << termBits}},
			} {
				if err := x.writer.Exec(do.sql, do.args...); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
