package nebulatest

import (
	"bytes"
	"context"
	"io"
)

// A Keeper is the part of [nebula.Contents] that a test writes; the others are made of it.
type Keeper interface {
	Keep(ctx context.Context, data []byte) (string, error)
	Content(ctx context.Context, hash string) ([]byte, error)
}

// Shelf is a whole [nebula.Contents] of a Keeper, for small contents: what is kept at once is kept one after the other.
type Shelf struct{ Keeper }

// KeepMany implements [nebula.Contents].
func (s Shelf) KeepMany(ctx context.Context, contents [][]byte) error {
	for _, data := range contents {
		if _, err := s.Keep(ctx, data); err != nil {
			return err
		}
	}
	return nil
}

// KeepFile implements [nebula.Contents].
func (s Shelf) KeepFile(ctx context.Context, content io.Reader, size int64) (string, error) {
	data, err := io.ReadAll(content)
	if err == nil && int64(len(data)) != size {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return "", err
	}
	return s.Keep(ctx, data)
}

// OpenContent implements [nebula.Contents].
func (s Shelf) OpenContent(ctx context.Context, hash string) (io.ReadCloser, error) {
	data, err := s.Content(ctx, hash)
	return io.NopCloser(bytes.NewReader(data)), err
}
