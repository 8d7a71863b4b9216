package sqlite

import (
	"context"
	"database/sql/driver"
	"time"

	"nebula"
	"nebula/internal/record"
)

// Keep stores bytes under their hash; storing them again costs little.
func (s *Store) Keep(ctx context.Context, data []byte) (string, error) {
	hash := nebula.Hash(data)
	known := false
	err := s.use(ctx, "keep", func(db *conn) error {
		n, err := db.number(`SELECT 1 FROM contents WHERE hash=?`, hash)
		known = n == 1
		return err
	})
	if err != nil {
		return "", err
	}
	codec, packed := "", data
	if !known {
		codec, packed = record.Pack(data)
	}
	err = s.change(ctx, "keep", func(db *conn) error {
		now := time.Now().Unix()
		if n, err := db.exec(`UPDATE contents SET held=? WHERE hash=?`, now, hash); err != nil || n > 0 {
			return err
		}
		if known { // removed since it was looked up
			codec, packed = record.Pack(data)
		}
		_, err := db.exec(`INSERT INTO contents (hash, size, codec, data, held) VALUES (?, ?, ?, ?, ?)`,
			hash, int64(len(data)), codec, blob(packed), now)
		return err
	})
	return hash, err
}

// Content gives back what was kept under a hash, after checking that it is that.
func (s *Store) Content(ctx context.Context, hash string) ([]byte, error) {
	var codec string
	var packed []byte
	found, size := false, int64(0)
	err := s.use(ctx, "read content", func(db *conn) error {
		return db.query(func(row []driver.Value) bool {
			codec, size = text(row[0]), integer(row[1])
			packed, _ = row[2].([]byte)
			found = true
			return false
		}, `SELECT codec, size, data FROM contents WHERE hash=?`, hash)
	})
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, nebula.Errorf("%w: %s", nebula.ErrNoContent, hash)
	}
	if codec == inFile {
		return s.whole(hash)
	}
	data, err := record.Unpack(codec, packed, size)
	if err == nil && nebula.Hash(data) != hash {
		err = errDamaged
	}
	if err != nil {
		return nil, nebula.Errorf("content %s: %w", hash, err)
	}
	return data, nil
}

// blob keeps an empty content from becoming NULL.
func blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// names records that a session's events name contents, so that they stay as long as the session.
func (c *conn) names(session string, hashes []string) error {
	for _, hash := range hashes {
		if _, err := c.exec(`INSERT OR IGNORE INTO content_uses (session, hash) VALUES (?, ?)`, session, hash); err != nil {
			return err
		}
		if _, err := c.exec(`UPDATE contents SET held=0 WHERE hash=?`, hash); err != nil {
			return err
		}
	}
	return nil
}
