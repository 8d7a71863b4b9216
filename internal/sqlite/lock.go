package sqlite

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"time"

	"nebula"
)

// errHeld says that another holds a lock.
var errHeld = errors.New("held")

// lingering is how long a lock may outlive the process that held it: a command that it was about to start has its files
// open until it is started, or killed as well.
const lingering = 100 * time.Millisecond

// Lock makes a session this caller's own until unlock, across processes: [nebula.ErrInUse] while it is another's. The
// operating system lets go of it when the process ends, however it ends.
func (s *Store) Lock(ctx context.Context, id string) (unlock func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	dir := s.path + ".locks"
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, s.fault("lock", err)
	}
	sum := sha256.Sum256([]byte(id)) // an id need not be a file name
	for end := time.Now().Add(lingering); ; time.Sleep(time.Millisecond) {
		unlock, err = acquire(filepath.Join(dir, hex.EncodeToString(sum[:16])), false)
		if !errors.Is(err, errHeld) || time.Now().After(end) || ctx.Err() != nil {
			break
		}
	}
	if errors.Is(err, errHeld) {
		return nil, nebula.Errorf("%w: %s", nebula.ErrInUse, id)
	}
	if err != nil {
		return nil, s.fault("lock", err)
	}
	release := unlock
	return func() { release(); s.rest() }, nil
}

// longLog is from how many bytes a write-ahead log is worth being put away: whoever opens the database first reads all of it.
const longLog = 1 << 20

// rest puts what a long log holds into the database when a session is over and nobody waits, unless another is reading or writing just
// now: the next to begin finds it short.
func (s *Store) rest() {
	if log, err := os.Stat(s.path + "-wal"); err != nil || log.Size() < longLog {
		return
	}
	_ = s.use(context.Background(), "rest", func(db *conn) error {
		defer func() { _ = db.script(patience) }()
		return db.script("PRAGMA busy_timeout=0; PRAGMA wal_checkpoint(TRUNCATE)")
	})
}

// acquire takes the lock that a file stands for. The file goes with the lock; whoever took a file that is gone by then
// tries again with the one that is there.
func acquire(path string, wait bool) (release func(), err error) {
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		if err := lock(f, wait); err != nil {
			_ = f.Close()
			return nil, err
		}
		if same(f, path) {
			return func() { drop(f) }, nil
		}
		_ = f.Close()
	}
}

func same(f *os.File, path string) bool {
	held, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(held, there)
}
