package postgres

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"nebula"
	"nebula/internal/lists"
	"nebula/internal/record"
)

const (
	// inParts is the codec of a content that is rows of its own.
	inParts = "parts"
	// part is how much such a row holds.
	part = 1 << 20
)

var errDamaged = errors.New("it is not what was kept")

const hold = `INSERT INTO nebula.contents AS c (team, hash, size, codec, data, held) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (team, hash) DO UPDATE SET held=excluded.held`

// Keep stores bytes under their hash; storing them again costs little.
func (s *Store) Keep(ctx context.Context, data []byte) (string, error) {
	return nebula.Hash(data), s.KeepMany(ctx, [][]byte{data})
}

// KeepMany stores contents under their hashes in one transaction: all or none. Only what is not there is sent.
func (s *Store) KeepMany(ctx context.Context, contents [][]byte) error {
	byHash := map[string][]byte{}
	hashes := make([]string, len(contents))
	for i, data := range contents {
		hashes[i] = nebula.Hash(data)
		byHash[hashes[i]] = data
	}
	slices.Sort(hashes) // two writers of the same contents take them in one order
	hashes = lists.Compact(hashes)
	return s.change(ctx, "keep", func(ctx context.Context, tx pgx.Tx, _ bool) error {
		now := time.Now().Unix()
		rows, err := tx.Query(ctx, `UPDATE nebula.contents SET held=$3 WHERE team=$1 AND hash=ANY($2::text[]) RETURNING hash`, s.team, hashes, now)
		if err != nil {
			return err
		}
		there, err := texts(rows)
		if err != nil {
			return err
		}
		var b pgx.Batch
		for _, h := range hashes {
			if lists.Has(there, h) {
				continue
			}
			codec, packed := record.Pack(byHash[h])
			if packed == nil {
				packed = []byte{}
			}
			b.Queue(hold, s.team, h, int64(len(byHash[h])), codec, packed, now)
		}
		return tx.SendBatch(ctx, &b).Close()
	})
}

// KeepFile stores a content of so many bytes under its hash. It is read once, so a connection that is lost meanwhile is an
// error.
func (s *Store) KeepFile(ctx context.Context, content io.Reader, size int64) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if s.closed.Load() {
		return "", &Fault{Kind: Closed, Server: s.server, Do: "keep"}
	}
	var sum string
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) (err error) {
		if sum, err = s.spool(ctx, tx, content, size); err != nil {
			return err
		}
		now := time.Now().Unix()
		_, err = tx.Exec(ctx, hold, s.team, sum, size, inParts, []byte{}, now)
		return err
	})
	return sum, s.fault("keep", err)
}

// spool sends the parts of a content under a name of their own, and gives them its hash when that is known.
func (s *Store) spool(ctx context.Context, tx pgx.Tx, content io.Reader, size int64) (string, error) {
	sum, buffer, read, temp := sha256.New(), make([]byte, part), int64(0), "new "+rand.Text()
	for n := int64(0); ; n++ {
		got, err := io.ReadFull(content, buffer)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return "", err
		}
		_, _ = sum.Write(buffer[:got]) // a hash takes everything
		if read += int64(got); read > size {
			return "", io.ErrUnexpectedEOF
		}
		if got > 0 {
			if _, err := tx.Exec(ctx, `INSERT INTO nebula.content_parts (team, hash, part, data) VALUES ($1, $2, $3, $4)`, s.team, temp, n, buffer[:got]); err != nil {
				return "", err
			}
		}
		if err != nil {
			break
		}
	}
	if read != size {
		return "", io.ErrUnexpectedEOF
	}
	name := hex.EncodeToString(sum.Sum(nil))
	_, err := tx.Exec(ctx, `WITH gone AS (DELETE FROM nebula.content_parts WHERE team=$1 AND hash=$2 RETURNING part, data)
		INSERT INTO nebula.content_parts SELECT $1, $3, part, data FROM gone ON CONFLICT DO NOTHING`, s.team, temp, name)
	return name, err
}

// Content gives back what was kept under a hash, after checking that it is that.
func (s *Store) Content(ctx context.Context, hash string) ([]byte, error) {
	r, err := s.OpenContent(ctx, hash)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// OpenContent gives a content of any size back. A large one is checked while it is read: what is not what was kept ends
// with an error instead of [io.EOF].
func (s *Store) OpenContent(ctx context.Context, hash string) (io.ReadCloser, error) {
	var codec string
	var packed []byte
	var size int64
	err := s.ask(ctx, "read content", func(ctx context.Context) error {
		return s.pool.QueryRow(ctx, `SELECT codec, size, data FROM nebula.contents WHERE team=$1 AND hash=$2`, s.team, hash).Scan(&codec, &size, &packed)
	})
	switch {
	case none(err):
		return nil, nebula.Errorf("%w: %s", nebula.ErrNoContent, hash)
	case err != nil:
		return nil, err
	case codec == inParts:
		return &parts{ctx: ctx, store: s, hash: hash, left: size, sum: sha256.New()}, nil
	}
	data, err := record.Unpack(codec, packed, size)
	if err == nil && nebula.Hash(data) != hash {
		err = errDamaged
	}
	if err != nil {
		return nil, nebula.Errorf("content %s: %w", hash, err)
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

// parts reads a large content, a row at a time.
type parts struct {
	ctx   context.Context
	store *Store
	hash  string
	next  int64
	left  int64
	rest  []byte
	sum   hash.Hash
}

// Read implements io.Reader.
func (p *parts) Read(b []byte) (int, error) {
	for len(p.rest) == 0 {
		if p.left == 0 {
			if hex.EncodeToString(p.sum.Sum(nil)) != p.hash {
				return 0, nebula.Errorf("content %s: %w", p.hash, errDamaged)
			}
			return 0, io.EOF
		}
		err := p.store.ask(p.ctx, "read content", func(ctx context.Context) error {
			return p.store.pool.QueryRow(ctx, `SELECT data FROM nebula.content_parts WHERE team=$1 AND hash=$2 AND part=$3`, p.store.team, p.hash, p.next).Scan(&p.rest)
		})
		if none(err) || err == nil && int64(len(p.rest)) > p.left {
			err = nebula.Errorf("content %s: %w", p.hash, errDamaged)
		}
		if err != nil {
			return 0, err
		}
		p.next, p.left = p.next+1, p.left-int64(len(p.rest))
	}
	n := copy(b, p.rest)
	_, _ = p.sum.Write(b[:n])
	p.rest = p.rest[n:]
	return n, nil
}

// Close implements io.Closer.
func (p *parts) Close() error { return nil }
