package sqlite

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"nebula"
	"nebula/internal/record"
)

// Large contents are files beside the database, named by their hashes: a database is no place for gigabytes. They have
// their row like all others, which decides how long they stay.

// inFile is the codec of a content that is a file.
const inFile = "file"

func (s *Store) filesDir() string { return s.path + ".contents" }

//go:noinline
func (s *Store) contentFile(hash string) string {
	return filepath.Join(s.filesDir(), hash[:2], hash)
}

// KeepMany stores contents under their hashes in one transaction: all or none.
func (s *Store) KeepMany(ctx context.Context, contents [][]byte) error {
	type row struct {
		hash, codec string
		size        int64
		packed      []byte
	}
	rows := make([]row, len(contents))
	for i, data := range contents {
		rows[i] = row{hash: nebula.Hash(data), size: int64(len(data))}
		rows[i].codec, rows[i].packed = record.Pack(data)
	}
	return s.change(ctx, "keep", func(db *conn) error {
		now := time.Now().Unix()
		for _, r := range rows {
			if err := db.hold(r.hash, r.size, r.codec, r.packed, now); err != nil {
				return err
			}
		}
		return nil
	})
}

// hold keeps a content, or keeps on keeping one that is there.
func (c *conn) hold(hash string, size int64, codec string, packed []byte, now int64) error {
	_, err := c.exec(`INSERT INTO contents (hash, size, codec, data, held) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (hash) DO UPDATE SET held=excluded.held`, hash, size, codec, blob(packed), now)
	return err
}

// KeepFile stores a content of so many bytes under its hash.
func (s *Store) KeepFile(ctx context.Context, content io.Reader, size int64) (string, error) {
	if err := os.MkdirAll(s.filesDir(), 0o700); err != nil {
		return "", s.fault("keep", err)
	}
	temp := filepath.Join(s.filesDir(), "new-"+rand.Text())
	hash, err := s.spool(temp, content, size)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(s.contentFile(hash)), 0o700)
	}
	if err == nil {
		err = os.Rename(temp, s.contentFile(hash))
	}
	if err != nil {
		_ = os.Remove(temp)
		return "", s.fault("keep", err)
	}
	return hash, s.change(ctx, "keep", func(db *conn) error {
		return db.hold(hash, size, inFile, nil, time.Now().Unix())
	})
}

// spool writes a content to a file and onto the disk.
func (s *Store) spool(name string, content io.Reader, size int64) (string, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(f, sum), content)
	if err == nil && n != size {
		err = io.ErrUnexpectedEOF
	}
	if err == nil {
		err = f.Sync()
	}
	return hex.EncodeToString(sum.Sum(nil)), errors.Join(err, f.Close())
}

// OpenContent gives a content of any size back. A large one is checked while it is read: what is not what was kept ends
// with an error instead of [io.EOF].
func (s *Store) OpenContent(ctx context.Context, hash string) (io.ReadCloser, error) {
	codec := ""
	err := s.use(ctx, "read content", func(db *conn) error {
		return db.query(func(row []driver.Value) bool { codec = text(row[0]); return false }, `SELECT codec FROM contents WHERE hash=?`, hash)
	})
	if err != nil {
		return nil, err
	}
	if codec != inFile {
		data, err := s.Content(ctx, hash)
		return io.NopCloser(bytes.NewReader(data)), err
	}
	f, err := os.Open(s.contentFile(hash))
	if err != nil {
		return nil, s.fault("read content", err)
	}
	return &checkedFile{File: f, hash: hash, sum: sha256.New()}, nil
}

// A checkedFile compares what is read with its hash at the end.
type checkedFile struct {
	*os.File
	hash string
	sum  interface {
		io.Writer
		Sum(b []byte) []byte
	}
}

// Read implements io.Reader.
func (c *checkedFile) Read(b []byte) (int, error) {
	n, err := c.File.Read(b)
	_, _ = c.sum.Write(b[:n]) // a hash takes everything
	if errors.Is(err, io.EOF) && hex.EncodeToString(c.sum.Sum(nil)) != c.hash {
		err = nebula.Errorf("content %s: %w", c.hash, errDamaged)
	}
	return n, err
}

// WriteTo keeps io.Copy from going around Read.
func (c *checkedFile) WriteTo(w io.Writer) (int64, error) {
	return io.Copy(w, struct{ io.Reader }{c})
}

// whole reads a content that is a file.
func (s *Store) whole(hash string) ([]byte, error) {
	f, err := os.Open(s.contentFile(hash))
	if err != nil {
		return nil, s.fault("read content", err)
	}
	c := &checkedFile{File: f, hash: hash, sum: sha256.New()}
	defer c.Close()
	return io.ReadAll(struct{ io.Reader }{c})
}

// orphans removes the files of contents that have no row any more.
func (s *Store) orphans(hashes []string) {
	for _, hash := range hashes {
		_ = os.Remove(s.contentFile(hash)) // a file without a row is never read again
	}
}
