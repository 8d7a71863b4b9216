package workspace

import (
	"context"

	"nebula"
)

// A Preview is a file as it is and as taking changes back would leave it. Where it does not exist the content is nil.
type Preview struct {
	Path      string
	Now, Then []byte
}

// Preview tells what taking changes back would do to the contents of files, in the order in which they were first
// changed. Nothing is touched.
func (d *Dir) Preview(ctx context.Context, changes []nebula.Change) ([]Preview, error) {
	var list []Preview
	seen := map[string]bool{}
	for _, c := range changes {
		if seen[c.Path] || c.Kind == "mkdir" || c.Kind == "rmdir" {
			continue
		}
		seen[c.Path] = true
		p := Preview{Path: c.Path}
		if e, err := d.Stat(c.Path); err == nil && !e.Dir {
			data, _, err := d.Read(c.Path, 0)
			if err != nil {
				return nil, err
			}
			p.Now = append([]byte{}, data...)
		}
		if c.Before != "" {
			data, err := d.kept(ctx, c.Path, c.Before)
			if err != nil {
				return nil, err
			}
			p.Then = append([]byte{}, data...)
		}
		list = append(list, p)
	}
	return list, nil
}
