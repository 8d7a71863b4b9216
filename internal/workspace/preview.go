package workspace

import (
	"context"
	"io"
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/lists"
)

// A Preview is a file as it is and as taking changes back would leave it. Where it does not exist the content is nil; of
// what is large, cannot be read, or is the repository's own, the content is empty.
type Preview struct {
	Path      string
	Now, Then []byte
	// Since says that what is there is what none of the changes left, nor what was there before them: somebody else wrote
	// it, and taking the changes back leaves it.
	Since bool
}

// Preview tells what taking changes back would do to the contents of files, in the order in which they were first
// changed. Nothing is touched.
func (d *Dir) Preview(ctx context.Context, changes []nebula.Change) ([]Preview, error) {
	return d.preview(ctx, changes, d.keep)
}

// Preview tells what keeping some of the changes would do to the contents of files. Nothing is touched.
func (e *Effects) Preview(ctx context.Context, some []nebula.Change) ([]Preview, error) {
	return e.dir.preview(ctx, inverse(some), e)
}

func (d *Dir) preview(ctx context.Context, changes []nebula.Change, then reader) ([]Preview, error) {
	var list []Preview
	seen := map[string]bool{}
	for _, c := range changes {
		if seen[c.Name()] || !c.OfFile() {
			continue
		}
		seen[c.Name()] = true
		p := Preview{Path: c.Path}
		shown := !lists.Has(strings.Split(path.Dir(c.Path), "/"), ".git")
		o, in := d.of(c.Name())
		if s, err := o.exact(in); err == nil {
			if s.stat.exists() && !s.stat.mode.IsDir() && len(s.rest) == 0 {
				p.Now = []byte{}
				if now, err := o.inspect(s); err == nil {
					p.Since = !met(changes, c.Name(), now.hash)
					if shown && now.data != nil {
						p.Now = now.data
					}
				}
			}
			s.close()
		}
		if c.Before != "" {
			p.Then = []byte{}
			if shown {
				p.Then = past(ctx, c.Before, then)
			}
		}
		list = append(list, p)
	}
	return list, ctx.Err()
}

// met reports whether changes made, or found, a content at a path.
func met(changes []nebula.Change, at, hash string) bool {
	return slices.ContainsFunc(changes, func(c nebula.Change) bool { return c.Name() == at && (c.Before == hash || c.After == hash) })
}

// A reader gives contents by their hashes.
type reader interface {
	OpenContent(ctx context.Context, hash string) (io.ReadCloser, error)
}

// past is a content that is there, and not large.
func past(ctx context.Context, hash string, from reader) []byte {
	f, err := from.OpenContent(ctx, hash)
	if err != nil {
		return []byte{}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, small+1))
	if err != nil || len(data) > small {
		return []byte{}
	}
	return append([]byte{}, data...)
}
